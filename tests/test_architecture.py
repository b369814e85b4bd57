"""The imports that modules may have, and what only one module may do: read from the sources."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from graphlib import TopologicalSorter
from importlib.util import resolve_name
from pathlib import Path

import pytest
from support.samples import ROOT

LAYERS = [
    ["errors"],
    ["jit"],
    ["game", "format", "stats"],
    ["files"],
    ["arguments"],
    ["engine", "processes", "coordinates", "text"],
    ["games", "plugins"],
    ["gomocup", "records"],
    ["match"],
    ["formats", "config"],
    ["storage"],
    ["report"],
    ["workers", "experiment"],
    ["cluster"],
    ["tournament", "books"],
    ["tuning", "human", "queue"],
    ["ratings"],
    ["comparison", "experiments"],
    ["server"],
    ["bench", "testing"],
    ["commands"],
    ["cli"],
    ["__main__"],
]
"""A folder of `arena`, or a file beside them, imports only from lines above its own, and from
itself."""
RANK = {folder: rank for rank, layer in enumerate(LAYERS) for folder in layer}
PURE = {"__future__", "arena", "collections", "dataclasses", "functools", "itertools", "math"}
PURE |= {"statistics", "typing"}
"""Modules that statistics may need beside numpy and scipy."""

SOURCES = sorted(
    file
    for folder in ("arena", "engines")
    for file in (ROOT / folder).rglob("*.py")
    if file.relative_to(ROOT).parts[:2] not in {("arena", "engines"), ("arena", "configs")}
)


def name(file: Path) -> str:
    parts = file.relative_to(ROOT).with_suffix("").parts
    above = ("arena",) if parts[0] == "engines" else ()
    return ".".join(part for part in (*above, *parts) if part != "__init__")


@cache
def text(file: Path) -> str:
    return file.read_text(encoding="utf-8")


@cache
def tree(file: Path) -> ast.Module:
    """A file's syntax tree, in which every import is absolute."""
    found = ast.parse(text(file))
    package = name(file) if file.name == "__init__.py" else name(file).rpartition(".")[0]
    for node in ast.walk(found):
        if isinstance(node, ast.ImportFrom) and node.level:
            assert file.is_relative_to(ROOT / "engines"), "only engines import relatively"
            node.module = resolve_name("." * node.level + (node.module or ""), package)
    return found


@cache
def nodes(file: Path) -> tuple[ast.AST, ...]:
    return tuple(ast.walk(tree(file)))


def imports(nodes: Iterable[ast.AST]) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def of(folder: str) -> list[Path]:
    return [file for file in SOURCES if file.is_relative_to(ROOT / folder)]


def own_imports(nodes: Iterable[ast.AST]) -> set[str]:
    """The files and folders of this project that are imported, or imported from."""
    return {module for each in imports(nodes) if (module := known_module(each))}


def known_module(dotted: str) -> str | None:
    """The file or folder that a name is, or is taken from."""
    parts = dotted.split(".")
    heads = (".".join(parts[:n]) for n in range(len(parts), 0, -1))
    return next((head for head in heads if head in MODULES), None)


MODULES = {name(file) for file in SOURCES}


@cache
def calls(file: Path) -> set[str]:
    return {ast.unparse(node.func) for node in nodes(file) if isinstance(node, ast.Call)}


def faults(found: Callable[[Path], object], files: Iterable[Path]) -> dict[str, object]:
    """The files in which something is found that must not be there, and what that is."""
    return {name(file): fault for file in files if (fault := found(file))}


def may_import(folder: str, module: str) -> bool:
    """True if a folder of `arena`, or a file beside them, may; none may come by the front door.

    That one is for users: to import from it is to import a name without a place among the layers.
    """
    top, other, *_ = [*module.split("."), ""]
    return top != "arena" or other == folder or RANK.get(other, len(LAYERS)) < RANK[folder]


def test_a_folder_of_the_arena_imports_only_from_the_layers_below() -> None:
    folders = {file: name(file).split(".")[1] for file in of("arena") if name(file) != "arena"}
    assert {*folders.values()} - {*RANK} == set(), "give these a place in LAYERS"

    def from_above(file: Path) -> set[str]:
        return {each for each in own_imports(nodes(file)) if not may_import(folders[file], each)}

    assert faults(from_above, folders) == {}


@pytest.mark.parametrize(
    ("source", "module", "is_free"),
    [
        ("import arena", "arena", False),
        ("from arena import open_run", "arena", False),
        ("from arena import *", "arena", False),
        ("import arena.tuning.study", "arena.tuning.study", False),
        ("from arena import tuning", "arena.tuning", False),
        ("from arena.tuning.study import Study", "arena.tuning.study", False),
        ("def f():\n    from arena.cli import main", "arena.cli", False),
        ("from arena import game", "arena.game", True),
        ("from arena.match.record import GameRecord", "arena.match.record", True),
        ("from arena.storage import folder", "arena.storage.folder", True),
    ],
)
def test_an_import_is_seen_however_it_is_written(source: str, module: str, is_free: bool) -> None:
    assert own_imports(ast.walk(ast.parse(source))) == {module}
    assert may_import("storage", module) is is_free


def test_the_modules_of_others_are_not_ours() -> None:
    assert not own_imports(ast.walk(ast.parse("import json, arenas\nfrom numpy import random")))


def test_no_modules_import_each_other_in_a_circle() -> None:
    graph = {name(file): own_imports(nodes(file)) for file in SOURCES}
    TopologicalSorter(graph).prepare()


def test_the_arena_knows_no_engine() -> None:
    def engines(file: Path) -> list[str]:
        return [each for each in imports(nodes(file)) if each.startswith("arena.engines")]

    assert faults(engines, of("arena")) == {}


def test_an_engine_imports_the_kit_and_the_contracts_only() -> None:
    allowed = ("arena.engine.", "arena.game.", "arena.games.", "arena.gomocup.", "arena.jit.")
    allowed = (*allowed, "arena.engines.kit.")
    # Files and commands of users are read in one way, by whomever.
    reading = ("arena.plugins.engine_names.", "arena.files.", "arena.text.")
    allowed = (*allowed, *reading, "arena.errors.")

    def others(file: Path) -> list[str]:
        return [each for each in own_imports(nodes(file)) if not f"{each}.".startswith(allowed)]

    assert faults(others, of("engines")) == {}


def test_kernels_are_compiled_by_the_one_decorator_whose_cache_is_never_stale() -> None:
    def compilers(file: Path) -> set[str]:
        return {call for call in calls(file) if call.split(".")[-1] in ("njit", "jit")}

    assert [*faults(compilers, SOURCES)] == ["arena.jit"]


def test_only_the_command_line_prints() -> None:
    def prints(file: Path) -> set[str]:
        return calls(file) & {"print", "click.echo", "sys.stdout.write"}

    silent = [each for each in SOURCES if "commands" not in each.parts and each.stem != "cli"]
    assert faults(prints, silent) == {}


SHARED = ("random", "numpy.random")
"""Modules whose functions draw from numbers that all of a process shares, or that differ by run."""
SEEDED = ("random.Random", "numpy.random.default_rng")
TYPES = ("random.Random", "numpy.random.Generator")


def bound(tree: ast.AST) -> Iterator[tuple[str, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                top = alias.name.split(".")[0]
                yield (alias.asname, alias.name) if alias.asname else (top, top)
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                yield alias.asname or alias.name, f"{node.module}.{alias.name}"


def uses(tree: ast.AST) -> Iterator[tuple[ast.AST, str]]:
    """Every use of an imported name, with its dotted name as long as it is written."""
    names, nodes = dict(bound(tree)), list(ast.walk(tree))
    beginnings = {node.value for node in nodes if isinstance(node, ast.Attribute)}
    for node in nodes:
        if isinstance(node, ast.Name | ast.Attribute) and node not in beginnings:
            root, *rest = ast.unparse(node).split(".")
            if root in names and all(map(str.isidentifier, rest)):
                yield node, ".".join([names[root], *rest])


def seeded(tree: ast.AST) -> set[ast.AST]:
    given = {
        node.func: [*node.args, *(keyword.value for keyword in node.keywords)]
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
    }
    return {name for name, values in given.items() if values and ast.unparse(values[0]) != "None"}


def annotations(tree: ast.AST) -> set[ast.AST]:
    slots = (
        getattr(node, slot, None) for node in ast.walk(tree) for slot in ("annotation", "returns")
    )
    return {node for slot in slots if slot for node in ast.walk(slot)}


def shared_draws(tree: ast.AST) -> list[str]:
    """Everything by which a file draws, or could, from random numbers that are not its own."""
    own = {(node, maker) for node in seeded(tree) for maker in SEEDED}
    own |= {(node, kind) for node in annotations(tree) for kind in TYPES}
    found = [meant for use, meant in uses(tree) if (use, meant) not in own]
    found += [meant for _, meant in bound(tree) if meant.endswith(".*")]
    return [each for each in found if f"{each}.".startswith(tuple(f"{m}." for m in SHARED))]


def test_nothing_draws_from_a_global_source_of_random_numbers() -> None:
    named = [file for file in SOURCES if "random" in text(file)]
    assert len(named) < len(SOURCES)
    assert faults(lambda file: shared_draws(tree(file)), named) == {}


@pytest.mark.parametrize(
    ("source", "drawn"),
    [
        ("import random\nrandom.random()", "random.random"),
        ("import random as numbers\nnumbers.shuffle([1])", "random.shuffle"),
        ("def f():\n    from random import randint\n    return randint(1, 6)", "random.randint"),
        ("from random import *", "random.*"),
        ("import random\ngetattr(random, 'choice')", "random"),
        ("from random import Random\nRandom(None)", "random.Random"),
        ("from random import Random\nfield(default_factory=Random)", "random.Random"),
        ("import numpy.random as chance\nchance.normal()", "numpy.random.normal"),
        ("from numpy import random\nrandom.integers(5)", "numpy.random.integers"),
        ("import numpy as np\nchance = np.random\nchance.rand()", "numpy.random"),
        ("import numpy as np\nnp.random.default_rng(seed=None)", "numpy.random.default_rng"),
        ("import random\nrandom.Random(5).choice([1])", ""),
        (
            "from random import Random\ndef f(random: Random) -> list[Random]: random.shuffle([1])",
            "",
        ),
        ("import numpy as np\nrng: np.random.Generator = np.random.default_rng([5, 1])", ""),
        ("from numpy.random import default_rng as chance\nchance(seed=5).normal()", ""),
        ("self.random.choice([1])", ""),
        ("import numpy as np\nnp.randomize()", ""),
    ],
)
def test_a_draw_from_what_others_share_is_seen_under_any_name(source: str, drawn: str) -> None:
    assert shared_draws(ast.parse(source)) == [drawn] * bool(drawn)


def test_the_statistics_are_pure_numbers() -> None:
    def impure(file: Path) -> set[str]:
        tops = {each.split(".")[0] for each in imports(nodes(file))}
        allowed = ("arena.stats.", "arena.jit")
        own = {each for each in own_imports(nodes(file)) if not each.startswith(allowed)}
        return tops - {*PURE, "numpy", "scipy"} | own

    assert faults(impure, ROOT.glob("arena/stats/*.py")) == {}


def test_no_module_imports_what_takes_most_of_a_second_before_it_is_needed() -> None:
    tops = ("matplotlib.", "optuna.", "scipy.stats.", "torch.")

    def slow(file: Path) -> list[str]:
        return [each for each in imports(tree(file).body) if f"{each}.".startswith(tops)]

    assert faults(slow, SOURCES) == {}


def test_a_class_has_a_name_of_its_own() -> None:
    homes: dict[str, list[str]] = {}
    for file in SOURCES:
        for node in tree(file).body:
            if isinstance(node, ast.ClassDef):
                homes.setdefault(node.name, []).append(name(file))
    assert {each: files for each, files in homes.items() if len(files) > 1} == {}


KIT = ROOT / "engines" / "kit"
KIT_FOLDERS = {
    "shapes": {"shapes"},
    "threats": {"threats", "shapes"},
    "selective": {"selective", "threats", "shapes"},
}
"""The folders that each folder may import from."""

BOARDS = sorted(file for file in KIT.glob("*/*.py") if file.name != "player.py")
"""All but the players, which have a board of the record that all folders share."""


def kit_imports(file: Path) -> set[str]:
    """The folders of the kit, and the files beside them, that a file imports, or from."""
    found = own_imports(nodes(file))
    return {each.split(".")[3] for each in found if each.startswith("arena.engines.kit.")}


@pytest.mark.parametrize("file", BOARDS, ids=lambda file: file.stem)
def test_a_folder_imports_only_its_own_and_files_that_import_no_folder(file: Path) -> None:
    for name in kit_imports(file) - KIT_FOLDERS[file.parent.name]:
        assert name not in KIT_FOLDERS, f"{file} imports {name}"
        assert not kit_imports(KIT / f"{name}.py") & {*KIT_FOLDERS}, f"{file} imports {name}"
