"""Who may import whom, and what only one module may do: read from the sources."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from samples import ROOT

SOURCES = sorted([*ROOT.glob("arena/**/*.py"), *ROOT.glob("engines/**/*.py")])

LAYERS = [
    ["game", "faults", "jit", "stats", "pairing", "interrupt", "session", "tree", "options"],
    ["engine", "endless", "figures", "diagram", "record", "llr", "davidson"],
    ["witness", "results", "groups"],
    ["parameters", "clock", "tally", "logs", "quarantine", "store", "games", "ratings"],
    ["load", "match", "keys", "document", "spinner", "formats", "reports", "rehearsal", "warden"],
    ["openings", "broadcast", "catalogue", "tables"],
    ["config", "friendly", "export", "panel"],
    ["reader", "table", "folder", "schedule", "notes"],
    ["worker"],
    ["pool"],
    ["keeping"],
    ["tournament"],
    ["scaling"],
    ["human", "tuning"],
    ["live", "endurance", "league", "rerun", "pooling"],
    ["bench"],
    ["commands"],
    ["cli"],
    ["__main__"],
]
"""A module of `arena` imports only from lines above its own; a package, also its own."""
PACKAGES = ("games", "formats", "human", "tuning", "commands")
RANK = {module: rank for rank, layer in enumerate(LAYERS) for module in layer}


def name(file: Path) -> str:
    """A file as a dotted module name."""
    parts = file.relative_to(ROOT).with_suffix("").parts
    return ".".join(part for part in parts if part != "__init__")


def imports(file: Path) -> Iterator[str]:
    """Every module that a file imports, wherever in it the import stands."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "relative imports hide who imports whom"
            module = node.module or ""
            yield from (f"{module}.{alias.name}" for alias in node.names)


def calls(file: Path) -> set[str]:
    """The names of all functions that a file calls."""
    nodes = ast.walk(ast.parse(file.read_text(encoding="utf-8")))
    return {ast.unparse(node.func) for node in nodes if isinstance(node, ast.Call)}


def of(package: str) -> list[Path]:
    return [file for file in SOURCES if name(file).split(".")[0] == package]


@pytest.mark.parametrize("file", of("arena"), ids=name)
def test_a_module_of_the_arena_imports_only_from_the_layers_below(file: Path) -> None:
    if name(file) == "arena":
        return  # the front door: all that is public, imported lazily
    own = name(file).split(".")[1]
    assert own in RANK, f"give {own} a place in LAYERS"
    for imported in imports(file):
        package, *rest = imported.split(".")
        if package != "arena":
            continue
        if rest[0] not in RANK:
            rest = ["game"] if imported == "arena" else rest
        sibling = own == rest[0] and own in PACKAGES
        assert sibling or RANK[rest[0]] < RANK[own], f"{own} imports {imported}"


@pytest.mark.parametrize("file", of("arena"), ids=name)
def test_the_arena_knows_no_engine(file: Path) -> None:
    assert not [imported for imported in imports(file) if imported.split(".")[0] == "engines"]


@pytest.mark.parametrize("file", of("engines"), ids=name)
def test_an_engine_imports_the_kit_and_the_contracts_only(file: Path) -> None:
    allowed = ("arena.engine.", "arena.game.", "arena.games.", "arena.jit.", "engines.kit.")
    for imported in imports(file):
        if imported.split(".")[0] in ("arena", "engines"):
            assert imported.startswith(allowed), imported


@pytest.mark.parametrize("file", SOURCES, ids=name)
def test_kernels_are_compiled_by_the_one_decorator_whose_cache_is_never_stale(file: Path) -> None:
    if name(file) != "arena.jit":
        assert not {call for call in calls(file) if call.split(".")[-1] in ("njit", "jit")}


@pytest.mark.parametrize("file", SOURCES, ids=name)
def test_only_the_command_line_prints(file: Path) -> None:
    if (
        name(file) not in ("arena.cli", "arena.tournament.live", "arena.tuning.report.live")
        and "commands" not in file.parts
    ):
        assert not calls(file) & {"print", "click.echo", "sys.stdout.write"}


@pytest.mark.parametrize("file", SOURCES, ids=name)
def test_nothing_draws_from_a_global_source_of_random_numbers(file: Path) -> None:
    drawn = ("random.random", "random.choice", "random.shuffle", "np.random.", "numpy.random.")
    imported = [module for module in imports(file) if module == "random.choice"]
    if "import random\n" in file.read_text(encoding="utf-8"):
        assert not {call for call in calls(file) if call.startswith(drawn)}
    assert not imported


@pytest.mark.parametrize("module", ["stats", "llr", "davidson", "groups", "ratings"])
def test_the_statistics_are_pure_numbers(module: str) -> None:
    found = {imported.split(".")[0] for imported in imports(ROOT / f"arena/{module}.py")}
    allowed = {"__future__", "arena", "collections", "dataclasses", "math", "statistics", "typing"}
    assert found <= {*allowed, "numpy", "scipy"}
    # Of ours, the layers let each import the ones before it.
    ours = {
        imported.split(".")[1]
        for imported in imports(ROOT / f"arena/{module}.py")
        if imported.startswith("arena.")
    }
    assert ours <= {"stats", "davidson", "groups"}


@pytest.mark.parametrize("file", SOURCES, ids=name)
def test_functions_fit_on_one_screen(file: Path) -> None:
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef):
            assert (node.end_lineno or 0) - node.lineno < 52, node.name


@pytest.mark.parametrize("file", SOURCES, ids=name)
def test_modules_fit_on_a_few_screens(file: Path) -> None:
    assert len(file.read_text(encoding="utf-8").splitlines()) <= 250
