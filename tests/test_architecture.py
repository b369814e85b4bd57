"""Who may import whom, and what only one module may do: read from the sources."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest
from samples import ROOT

SOURCES = sorted([*ROOT.glob("arena/**/*.py"), *ROOT.glob("engines/**/*.py")])

LAYERS = [
    ["game", "errors", "format", "stats", "jit", "interrupt"],
    ["engine"],
    ["games", "plugins"],
    ["match"],
    ["formats", "config", "report"],
    ["storage"],
    ["workers"],
    ["tournament"],
    ["tuning", "human"],
    ["bench"],
    ["commands"],
    ["cli"],
    ["__main__"],
]
"""A folder of `arena`, or a file beside them, imports only from lines above its own, and from
itself."""
RANK = {room: rank for rank, layer in enumerate(LAYERS) for room in layer}
PURE = {"__future__", "arena", "collections", "dataclasses", "math", "statistics", "typing"}
"""What statistics may need beside numpy and scipy."""


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


def own_imports(file: Path) -> set[str]:
    """The modules of this project that a file imports."""
    return {module for each in imports(file) if (module := known_module(each))}


def known_module(dotted: str) -> str | None:
    """The module that a name is, or is taken from."""
    parts = dotted.split(".")
    heads = (".".join(parts[:n]) for n in range(len(parts), 1, -1))
    return next((head for head in heads if head in MODULES), None)


MODULES = {name(file) for file in SOURCES if file.name != "__init__.py"}


@pytest.mark.parametrize("file", of("arena"), ids=name)
def test_a_folder_of_the_arena_imports_only_from_the_layers_below(file: Path) -> None:
    if name(file) == "arena":
        return  # the front door: all that is public, imported lazily
    room = name(file).split(".")[1]
    assert room in RANK, f"give {room} a place in LAYERS"
    for imported in own_imports(file):
        other = imported.split(".")[1]
        if imported.startswith("arena.") and other != room:
            assert RANK[other] < RANK[room], f"{room} imports {imported}"


def test_no_modules_import_each_other_in_a_circle() -> None:
    graph = {name(file): own_imports(file) for file in SOURCES if name(file) in MODULES}
    TopologicalSorter(graph).prepare()


def test_few_files_lie_beside_the_folders() -> None:
    assert len(list(ROOT.glob("arena/*.py"))) <= 10


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
    if name(file) != "arena.cli" and "commands" not in file.parts:
        assert not calls(file) & {"print", "click.echo", "sys.stdout.write"}


@pytest.mark.parametrize("file", SOURCES, ids=name)
def test_nothing_draws_from_a_global_source_of_random_numbers(file: Path) -> None:
    drawn = ("random.random", "random.choice", "random.shuffle", "np.random.", "numpy.random.")
    imported = [module for module in imports(file) if module == "random.choice"]
    if "import random\n" in file.read_text(encoding="utf-8"):
        assert not {call for call in calls(file) if call.startswith(drawn)}
    assert not imported


@pytest.mark.parametrize("file", sorted(ROOT.glob("arena/stats/*.py")), ids=name)
def test_the_statistics_are_pure_numbers(file: Path) -> None:
    assert {imported.split(".")[0] for imported in imports(file)} <= {*PURE, "numpy", "scipy"}
    assert all(imported.startswith("arena.stats.") for imported in own_imports(file))


@pytest.mark.parametrize("file", SOURCES, ids=name)
def test_functions_fit_on_one_screen(file: Path) -> None:
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef):
            assert (node.end_lineno or 0) - node.lineno < 52, node.name


@pytest.mark.parametrize("file", SOURCES, ids=name)
def test_modules_fit_on_a_few_screens(file: Path) -> None:
    assert len(file.read_text(encoding="utf-8").splitlines()) <= 250


CLAUSE = re.compile(
    r"\W*(What|Whether|How|Of|Those|That|Who|Whom|Which|Where|When|Why|So|As|By|In)\b"
)
"""Words that begin a clause which names nothing: the reader would have to guess the noun."""


@pytest.mark.parametrize("file", SOURCES, ids=name)
def test_a_docstring_begins_with_a_thing_or_an_act(file: Path) -> None:
    nodes = ast.walk(ast.parse(file.read_text(encoding="utf-8")))
    values = [node.value for node in nodes if isinstance(node, ast.Expr)]
    texts = [ast.literal_eval(value) for value in values if isinstance(value, ast.Constant)]
    assert not [text for text in texts if CLAUSE.match(str(text))]


CONTRACTS = {
    *("engine", "game", "pairings", "total", "openings", "matches", "notes"),
    *("tuner", "games", "rows", "text", "save"),
}
"""Functions that a contract asks of every file of a folder, or of some."""


def test_a_name_means_one_thing() -> None:
    homes: dict[str, list[str]] = {}
    for file in of("arena"):
        if file.parent.name != "commands":  # a command is named as it is typed
            for node in ast.parse(file.read_text(encoding="utf-8")).body:
                if isinstance(node, ast.ClassDef | ast.FunctionDef):
                    homes.setdefault(node.name, []).append(name(file))
    alike = {each: files for each, files in homes.items() if len(files) > 1}
    assert {each: files for each, files in alike.items() if each not in CONTRACTS} == {}
