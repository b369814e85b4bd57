"""`arena check`, typed as an author would, and its agreement with a tournament."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import signal
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from support.judged_brains import ODD_BRAIN
from support.processes import finished, living_in, nothing_left, running
from support.samples import ROOT
from support.sweep import in_turn

from arena import cli
from arena.gomocup import check
from arena.gomocup.protocol import RULES

needs_proc = pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="looks at /proc")
FIRST = ROOT / "tests/data/brain_first.py"


def typed(*arguments: str) -> Result:
    return CliRunner().invoke(cli.arena, ["check", *arguments])


def odd(oddity: str) -> list[str]:
    return ["--", sys.executable, "-S", "-E", str(ODD_BRAIN), oddity]


@pytest.fixture
def only_vital(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave the checks away without which the others can be run."""
    every = check.all_checks
    monkeypatch.setattr(
        check, "all_checks", lambda brain: [each for each in every(brain) if each.is_vital]
    )


@pytest.mark.usefixtures("only_vital")
def test_a_brain_that_passes_ends_it_with_0(tmp_path: Path) -> None:
    done = typed("--folder", str(tmp_path), *odd("none"))
    assert done.exit_code == 0
    assert "START 15                              pass" in done.stdout
    assert "all mandatory passed" in done.stdout
    assert done.stdout.splitlines()[-1] == "It would play at 15 x 15 with 1 s a move."


@pytest.mark.usefixtures("only_vital")
def test_the_last_line_has_the_size_the_time_and_the_rules_asked_for(tmp_path: Path) -> None:
    wanted = ["--size", "20", "--seconds", "0.5", "--rule", "freestyle", "--rule", "standard"]
    done = typed(*wanted, "--folder", str(tmp_path), *odd("only 20 x 20"))
    assert done.exit_code == 0
    line = "It would play freestyle and standard at 20 x 20 with 0.5 s a move."
    assert done.stdout.splitlines()[-1] == line


def test_a_brain_that_fails_ends_it_with_1_and_is_told_why(tmp_path: Path) -> None:
    done = typed("--folder", str(tmp_path), *odd("ERROR to START"))
    assert done.exit_code == 1
    assert "sent:     START 15" in done.stdout
    assert "said:     ERROR no such size" in done.stdout
    assert "expected: OK" in done.stdout
    assert "since START:\n        > START 15\n        < ERROR no such size\n" in done.stdout
    assert "checks were not run, since START 15 failed" in done.stdout
    assert re.search(r"\n1 check in \d s: 1 fail; \d\d mandatory failed or not run\n", done.stdout)
    assert done.stdout.splitlines()[-1] == (
        "It would not play at 15 x 15 with 1 s a move: START 15 failed: it said ERROR no such size;"
        " 11 more mandatory checks were not run."
    )


def test_the_last_line_says_why_if_it_is_not_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.commands.check.TOTAL", -36)
    done = typed("--seconds", "1", "--startup", "30", *odd("none"))
    assert done.exit_code == 1
    assert done.stdout.startswith("At most 4 s; ")
    assert done.stdout.splitlines()[-1] == (
        "It is not known if it would play at 15 x 15 with 1 s a move: 12 mandatory checks were not"
        " run, since 4 s are over."
    )


@pytest.mark.usefixtures("only_vital")
def test_a_windows_program_is_sent_cr_lf(tmp_path: Path) -> None:
    program = tmp_path / "wine"
    program.write_text(f"#!/bin/sh\nexec {sys.executable} {ODD_BRAIN} 'needs CR LF'\n")
    program.chmod(0o755)
    assert typed(str(program)).exit_code == 0


def test_the_talk_that_is_shown_has_the_command_before_which_all_was_well(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    every = check.all_checks
    monkeypatch.setattr(
        check, "all_checks", lambda brain: [each for each in every(brain) if each.name == "RESTART"]
    )
    done = typed("--folder", str(tmp_path), *odd("ERROR after RESTART"))
    assert done.exit_code == 0
    assert "        > RESTART\n" in done.stdout
    assert done.stdout.splitlines()[-1].endswith("each game in a new process: RESTART failed.")


def test_json_has_a_row_for_each_check(tmp_path: Path) -> None:
    done = typed("--json", "--folder", str(tmp_path), *odd("exits at once"))
    first, *rest = json.loads(done.stdout)
    assert first.keys() >= {
        *("name", "mandatory", "verdict", "sent", "said", "expected", "seconds", "cure")
    }
    assert (first["name"], first["mandatory"], first["verdict"]) == ("START 15", True, "fail")
    assert first["talk"] == "> START 15"
    assert all(row["said"] == "not run, since START 15 failed" for row in rest)
    assert done.exit_code == 1


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (["./no-such-brain"], "is no file"),
        (["no-such-brain"], "is no file"),
        ([str(FIRST)], "is not executable"),
        (["--folder", "/no/such/folder", sys.executable], "is no folder"),
    ],
)
def test_a_program_that_cannot_be_started_ends_it_with_2(command: list[str], words: str) -> None:
    done = finished([sys.executable, "-m", "arena", "check", *command], text=True)
    assert done.returncode == 2
    assert words in done.stderr
    assert not done.stdout


def test_it_may_claim_each_rule_of_the_protocol() -> None:
    (option,) = [each for each in cli.arena.commands["check"].params if each.name == "rules"]
    assert {*option.type.choices} == {*RULES}


@pytest.mark.usefixtures("only_vital")
def test_a_brain_works_in_the_folder_of_its_file(tmp_path: Path) -> None:
    text = FIRST.read_text(encoding="utf-8")
    mark = "import os\nopen('here-' + os.path.basename(os.getcwd()), 'w').close()\n"
    (tmp_path / "brain.py").write_text(mark + text, encoding="utf-8")
    assert typed(sys.executable, str(tmp_path / "brain.py")).exit_code == 0
    assert (tmp_path / f"here-{tmp_path.name}").exists()


@needs_proc
def test_ctrl_c_leaves_no_process(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "arena", "check", "--folder", str(tmp_path)]
    with running([*command, *odd("silence to START")]) as process:
        deadline = time.monotonic() + 20
        while not living_in(tmp_path) and time.monotonic() < deadline:
            time.sleep(0.02)
        assert living_in(tmp_path)
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 130
    deadline = time.monotonic() + 5
    while living_in(tmp_path) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert living_in(tmp_path) == []


@pytest.mark.slow
def test_a_simple_brain_passes_all_that_is_mandatory(tmp_path: Path) -> None:
    command = ["--json", "--folder", str(tmp_path), "--", sys.executable, str(FIRST)]
    done = finished([sys.executable, "-m", "arena", "check", *command], text=True)
    rows = json.loads(done.stdout)
    assert not [row for row in rows if row["verdict"] == "fail"]
    assert done.returncode == 0


FAILING = ROOT / "tests/brains/failing"
MAX_LINES = 10  # Lines that a hurried reader looks at, of the end of an output


@dataclass(frozen=True)
class Case:
    """A brain, the words that name its bug, and the conditions under which it has it."""

    brain: str
    words: str = ""  # A pattern; empty for a sound brain
    seconds: float = 0.4
    options: tuple[str, ...] = ()  # Options of both commands

    def __str__(self) -> str:
        return self.brain.replace(" ", "-")


CASES = (
    Case("scattered"),
    Case("ABOUT without an end"),
    Case("RESTART without an end"),
    Case("stops its guard"),
    Case("700 MB"),
    Case("700 MB", r"\d+ MB", options=("--memory", "350")),
    Case("half lines"),
    Case("a digit for ABOUT"),
    Case("two moves", r"before it (was|is) asked|is occupied|on a stone"),
    Case("occupied in its 8th move", "move 8 .*|occupied|on a stone"),
    Case("late in its 13th move", r"after \d+\.\d+ s|within 0.400 s"),
    Case("ends in its 40th move", "exit code 9"),
    Case("late in its third game", r"after \d+\.\d+ s|within 0.400 s"),
    Case("only 20 x 20", "20 x 20"),
    Case("five seconds a move", "--(seconds|limit) 6", 0.5),
    Case("three numbers", "'3,3,3', which is no move"),
    Case("signs", r"'\+3,\+2', which is no move"),
    Case("dies in a thread", "AttributeError: .*no_such_thing"),
    Case("segmentation fault", "signal 11"),
    Case("node failing.js", "TypeError: Cannot read properties of null", 2),
    Case("java Failing", "ArrayIndexOutOfBoundsException: Index 0", 2),
    Case("g++ failing.cpp", r"std::out_of_range.*vector::_M_range_check", 2),
    Case("rustc failing.rs", r"panicked at .*failing\.rs.*index out of bounds", 2),
)


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """A folder to work in; in the end no process is left."""
    with nothing_left(tmp_path):
        yield tmp_path


def program(case: Case, folder: Path) -> Path:
    tool, _, source = case.brain.partition(" ")
    file = folder / "brain"
    if not source.startswith(("failing", "Failing")):
        words = [sys.executable, "-S", "-E", str(ODD_BRAIN), case.brain]
    elif not shutil.which(tool):
        pytest.skip(f"no {tool}")
    elif tool == "node":
        words = ["node", str(FAILING / source)]
    elif tool == "java":
        if not shutil.which("javac"):
            pytest.skip("no javac")
        finished(["javac", "-d", str(folder), str(FAILING / "Failing.java")], check=True)
        words = ["java", "-cp", str(folder), source]
    else:
        finished([tool, str(FAILING / source), "-o", str(file)], check=True)
        return file
    file.write_text(f"#!/bin/sh\nexec {shlex.join(words)}\n", encoding="utf-8")
    file.chmod(0o755)
    return file


def last_lines(folder: Path, *words: str) -> tuple[int, str]:
    """The exit status and the last lines of a command that is typed in a folder."""
    ended = finished([sys.executable, "-m", "arena", *words], text=True, cwd=folder)
    return ended.returncode, "\n".join(
        [*ended.stdout.rstrip().splitlines()[-MAX_LINES:], *ended.stderr.splitlines()]
    )


@pytest.mark.slow
@pytest.mark.sweep
@needs_proc
@pytest.mark.parametrize("case", in_turn(CASES), ids=str)
def test_brains_are_judged_alike_and_hurried_readers_see_their_bug(
    folder: Path, case: Case
) -> None:
    brain = str(program(case, folder))
    limits = ("--seconds", f"{case.seconds}"), ("--limit", f"{case.seconds}s")
    status, told = last_lines(folder, "check", *limits[0], *case.options, brain)
    assert status == (1 if case.words else 0), told
    assert re.search(case.words, told)

    players = brain, "random_mover", "--games", "20", "--workers", "1"
    status, told = last_lines(folder, "match", *players, *limits[1], *case.options)
    has_fault = re.search(r"lost game \d+, |^\S+: ", told, re.MULTILINE) is not None
    assert has_fault == bool(case.words), told
    assert re.search(case.words, told), told
