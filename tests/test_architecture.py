"""The imports that modules may have, and what only one module may do: read from the sources."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest
from support.samples import ROOT
from support.sources import SOURCES, imports, name, nodes, of, own_imports, text, tree

LAYERS = [
    ["gone"],
    ["errors"],
    ["jit"],
    ["game", "format", "stats", "charset"],
    ["refusals"],
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


@cache
def calls(file: Path) -> set[str]:
    """The names of all functions that a file calls."""
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
    ("source", "module"),
    [
        ("import arena", "arena"),
        ("import arena as front", "arena"),
        ("from arena import open_run", "arena"),
        ("from arena import *", "arena"),
        ("import arena.tuning", "arena.tuning"),
        ("import arena.tuning.study", "arena.tuning.study"),
        ("from arena import tuning", "arena.tuning"),
        ("from arena.tuning import study", "arena.tuning.study"),
        ("from arena.tuning.study import Study", "arena.tuning.study"),
        ("from arena.tuning import methods", "arena.tuning.methods"),
        ("def f():\n    from arena.cli import main", "arena.cli"),
    ],
)
def test_an_import_from_above_is_seen_however_it_is_written(source: str, module: str) -> None:
    assert own_imports(ast.walk(ast.parse(source))) == {module}
    assert not may_import("storage", module)


@pytest.mark.parametrize(
    ("source", "module"),
    [
        ("import arena.game", "arena.game"),
        ("from arena import game", "arena.game"),
        ("from arena.match.record import GameRecord", "arena.match.record"),
        ("from arena.storage import folder", "arena.storage.folder"),
    ],
)
def test_what_lies_below_or_in_the_same_folder_is_free(source: str, module: str) -> None:
    assert own_imports(ast.walk(ast.parse(source))) == {module}
    assert may_import("storage", module)


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
    """The names that imports bind, each with the dotted name of what it stands for."""
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
    """The names that are called with an argument, which is not plainly None."""
    given = {
        node.func: [*node.args, *(keyword.value for keyword in node.keywords)]
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
    }
    return {name for name, values in given.items() if values and ast.unparse(values[0]) != "None"}


def annotations(tree: ast.AST) -> set[ast.AST]:
    """Everything within the types that are written down."""
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
        ("import random\nrandom.seed(5)", "random.seed"),
        ("import random as numbers\nnumbers.shuffle([1])", "random.shuffle"),
        ("from random import sample\nsample([1], 1)", "random.sample"),
        ("from random import choice as pick\nkey = pick", "random.choice"),
        ("def f():\n    from random import randint\n    return randint(1, 6)", "random.randint"),
        ("from random import *", "random.*"),
        ("import random\ngetattr(random, 'choice')", "random"),
        ("from random import Random\nRandom()", "random.Random"),
        ("from random import Random\nRandom(None)", "random.Random"),
        ("from random import Random\nfield(default_factory=Random)", "random.Random"),
        ("import random\nrandom.SystemRandom(5)", "random.SystemRandom"),
        ("import numpy as np\nnp.random.rand(3)", "numpy.random.rand"),
        ("import numpy\nnumpy.random.seed(5)", "numpy.random.seed"),
        ("import numpy.random\nnumpy.random.normal()", "numpy.random.normal"),
        ("import numpy.random as chance\nchance.normal()", "numpy.random.normal"),
        ("from numpy import random\nrandom.integers(5)", "numpy.random.integers"),
        ("from numpy.random import rand\nrand(3)", "numpy.random.rand"),
        ("import numpy as np\nchance = np.random\nchance.rand()", "numpy.random"),
        ("import numpy as np\nnp.random.default_rng()", "numpy.random.default_rng"),
        ("import numpy as np\nnp.random.default_rng(seed=None)", "numpy.random.default_rng"),
        ("import numpy as np\nnp.random.RandomState(5)", "numpy.random.RandomState"),
    ],
)
def test_a_draw_from_what_others_share_is_seen_under_any_name(source: str, drawn: str) -> None:
    assert shared_draws(ast.parse(source)) == [drawn]


@pytest.mark.parametrize(
    "source",
    [
        "import random\nrandom.Random(5).choice([1])",
        "from random import Random\nrandom = Random(seed)\nrandom.sample([1], 1)",
        "from random import Random\ndef f(random: Random) -> list[Random]: random.shuffle([1])",
        "import numpy as np\nnp.random.default_rng(5).integers(9)",
        "from numpy.random import default_rng as chance\nchance(seed=5).normal()",
        "import numpy as np\nrng: np.random.Generator = np.random.default_rng([5, 1])",
        "self.random.choice([1])",
        "import numpy as np\nnp.randomize()",
    ],
)
def test_random_numbers_of_ones_own_seed_are_free(source: str) -> None:
    assert not shared_draws(ast.parse(source))


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
