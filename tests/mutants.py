"""Mutants drawn by a seed from covered lines, each put to the tests that reach its line.

Cosmic Ray makes them, and coverage says which tests reach what: of the last commit, in a clone of
its own, `build/mutants`. Mutants that survive are shown: either they change nothing that a test can
see, or a test is missing. NAMES, as they are shown, try these alone.
"""

from __future__ import annotations

import ast
import os
import random
import re
import signal
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import suppress
from difflib import unified_diff
from functools import cache
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

import click
from cosmic_ray.ast import ast_nodes, get_ast_from_path
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator, operator_names
from coverage import CoverageData
from support.samples import ROOT

CODE = ("arena/stats", "arena/match", "arena/config", "arena/tuning")  # folders to mutate
CLONE = ROOT / "build" / "mutants"
TIMES, REACH = CLONE / "times.xml", CLONE / ".coverage"
PATIENCE = 20.0
"""Seconds that a test may take beyond three times what one of its kind takes on unchanged code."""
LONGEST = 1800.0  # seconds after which all tests of a mutant end: it may hang outside of them
FREE = re.compile(r"(frozen|slots|strict)=$")
"""Texts before values that make no difference as long as all is well."""
PHASE = r"\|(setup|run|teardown)$| \((setup|call|teardown)\)$"
"""The suffix of a test's name: from pytest-cov here, from pytest itself in child processes."""


class Mutant(NamedTuple):
    """One change of one file."""

    file: str
    line: int
    column: int
    operator: str
    number: int  # among the operator's changes of the file

    def __str__(self) -> str:
        return ":".join(map(str, self))

    def code(self) -> str:
        source = (CLONE / self.file).read_text(encoding="utf-8")
        return str(mutate_code(source, get_operator(self.operator)(), self.number))


@click.command(help=__doc__)
@click.argument("names", nargs=-1)
@click.option("--seed", default=1, show_default=True, help="of the draw")
@click.option("--count", default=300, show_default=True, help="of mutants")
def main(names: tuple[str, ...], seed: int, count: int) -> None:
    """Draw and try mutants; the exit code tells if all were killed."""
    prepare()
    fates: Counter[str] = Counter()
    for mutant in map(named, names) if names else drawn(seed, count):
        fate, detail = tried(mutant)
        fates[fate] += 1
        click.echo(f"{fate} {mutant} {detail}")
    click.echo(", ".join(f"{number} {fate}" for fate, number in fates.items()))
    sys.exit(set(fates) != {"killed"})


def prepare() -> None:
    git = ["git", "-C", str(CLONE)]
    if not CLONE.exists():
        subprocess.run(["git", "clone", "-q", ROOT, CLONE], check=True)
    subprocess.run([*git, "fetch", "-q", "origin", "HEAD"], check=True)
    subprocess.run([*git, "checkout", "-q", "--", "."], check=True)
    if subprocess.run([*git, "diff", "--quiet", "FETCH_HEAD"], check=False).returncode:
        TIMES.unlink(missing_ok=True)
        subprocess.run([*git, "checkout", "-q", "--detach", "FETCH_HEAD"], check=True)
    if not TIMES.exists():
        coverage = "--cov", "--cov-context=test", f"--junitxml={TIMES}"
        exit_code, output = run_tests("-m", "not slow", *coverage)
        if exit_code:
            TIMES.unlink(missing_ok=True)
            sys.exit(f"The tests fail on unchanged code:\n{output[-3000:]}")


def run_tests(*arguments: str) -> tuple[int, str]:
    """Run pytest in the clone: its exit code, and what it printed."""
    # No bytecode, whose size and date may be those of another mutant.
    environment = os.environ | {"PYTHONPATH": str(CLONE), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-m", "pytest", "-q", "-n0", *arguments]
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    process = subprocess.Popen(
        command, cwd=CLONE, env=environment, start_new_session=True, **streams
    )
    try:
        output, _ = process.communicate(timeout=LONGEST)
        return process.returncode, output
    except subprocess.TimeoutExpired:
        return -1, "Timeout (all tests)"
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)


def tried(mutant: Mutant) -> tuple[str, str]:
    """A mutant's fate, and what killed it, or the lines that it changes, or what went wrong."""
    tests, file = tests_of(mutant.file, mutant.line), CLONE / mutant.file
    if not tests:
        return "untried", "no test reaches it"
    source, code = file.read_text(encoding="utf-8"), mutant.code()
    (CLONE / "tests.txt").write_text("\n".join(tests), encoding="utf-8")
    file.write_text(code, encoding="utf-8")
    try:
        limit = PATIENCE + 3 * max(seconds()[test] for test in tests)
        hang = f"-ofaulthandler_timeout={limit}", "-ofaulthandler_exit_on_timeout=true"
        exit_code, output = run_tests("-x", *hang, "@tests.txt")
    finally:
        file.write_text(source, encoding="utf-8")
    if exit_code == 0:
        _, _, *lines = unified_diff(source.splitlines(), code.splitlines(), lineterm="", n=0)
        return "survived", "\n".join([f"{len(tests)} tests", *lines])
    killer = re.search(r"(?:^FAILED |^ERROR |(?=Timeout \())(.*)", output, re.MULTILINE)
    return ("killed", killer[1]) if killer else ("untried", output[-500:])


def named(name: str) -> Mutant:
    file, line, column, operator, number = name.split(":")
    return Mutant(file, int(line), int(column), operator, int(number))


def drawn(seed: int, count: int) -> Iterator[Mutant]:
    """Places of the code that tests reach, drawn at random, and of each one of its mutants."""
    places: dict[tuple[str, int, int], list[Mutant]] = defaultdict(list)
    for mutant in mutants():
        places[mutant[:3]].append(mutant)
    source = random.Random(seed)
    for place in source.sample(sorted(places), len(places)):
        mutant = source.choice(places[place])
        if count and tests_of(mutant.file, mutant.line) and is_python(mutant.code()):
            count -= 1
            yield mutant


def mutants() -> Iterator[Mutant]:
    names = [name for name in operator_names() if "Operator_BitOr_" not in name]
    # Operators with arguments put one name for another, and must be told which.
    operators = {name: op() for name in names if not (op := get_operator(name)).arguments()}
    for path in (CLONE / each for each in CODE):
        for file in sorted(path.rglob("*.py")) if path.is_dir() else [path]:
            lines = file.read_text("utf-8").splitlines()
            nodes = [*ast_nodes(get_ast_from_path(file))]
            for name, operator in operators.items():
                places = [at for node in nodes for at, _ in operator.mutation_positions(node)]
                for number, (line, column) in enumerate(places):
                    if not FREE.search(lines[line - 1][:column]):
                        yield Mutant(str(file.relative_to(CLONE)), line, column, name, number)


def is_python(code: str) -> bool:
    try:
        return bool(ast.parse(code))
    except SyntaxError:
        return False


@cache
def tests_of(file: str, line: int) -> list[str]:
    """The tests that reach a statement: those of its own file's tests first, then the quickest.

    Code outside functions is run once for all: it may matter to all tests that reach one of the
    file's functions, or to all tests if none does.
    """
    reached, bodies = reach().get(file, {}), statements(file)
    here = [lines for lines in bodies if line in lines]
    tests = {test for lines in here or bodies for each in lines for test in reached.get(each, ())}
    if not (here or tests):
        tests = {test for lines in reach().values() for tests in lines.values() for test in tests}
    own = f"/test_{Path(file).stem}.py::"
    return sorted(tests & set(seconds()), key=lambda test: (own not in test, seconds()[test]))


@cache
def statements(file: str) -> list[range]:
    """The lines of each statement in a function, but for those of the statements within it."""
    tree = ast.parse((CLONE / file).read_text(encoding="utf-8"))
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    inner = {node for each in functions for part in each.body for node in ast.walk(part)}
    return [head(node) for node in inner if isinstance(node, ast.stmt | ast.ExceptHandler)]


def head(node: ast.stmt | ast.ExceptHandler) -> range:
    """The lines of a statement before the first that stands in it."""
    body = getattr(node, "body", None)
    return range(node.lineno, body[0].lineno if body else (node.end_lineno or node.lineno) + 1)


@cache
def reach() -> dict[str, dict[int, set[str]]]:
    data = CoverageData(str(REACH))
    data.read()
    return {
        str(Path(file).relative_to(CLONE)): {
            line: {re.sub(PHASE, "", test) for test in tests}
            for line, tests in data.contexts_by_lineno(file).items()
        }
        for file in data.measured_files()
    }


@cache
def seconds() -> dict[str, float]:
    cases = [case for case in ElementTree.parse(TIMES).iter("testcase") if not len(case)]
    files = [case.attrib["classname"].replace(".", "/") for case in cases]
    return {
        f"{file}.py::{case.attrib['name']}": float(case.attrib["time"])
        for file, case in zip(files, cases, strict=True)
    }


if __name__ == "__main__":
    main()
