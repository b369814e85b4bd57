"""Openings of the books that come along: balanced, and made by `arena openings make`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from annotated_types import Ge

from arena.errors import ConfigError, unknown
from arena.game import Game
from arena.match.openings import file
from arena.plugins.load import Named, load_game
from arena.text import opened

BOOKS = Path(__file__).parents[2] / "configs/openings"
FORMAT = "lines"
HEAD = "# Openings made by"
"""The words that a book begins with; the line below has its settings."""


def openings(
    game: Game,
    *,
    name: Annotated[str, "of the book"],
    order: Annotated[Literal["file", "random"], "as in the file, or shuffled by the seed"] = "file",
    seed: Annotated[int, "of the shuffle and the symmetries"] = 0,
    start: Annotated[int, Ge(0), "openings left out, counted after the shuffle"] = 0,
    count: Annotated[int, Ge(1), "openings; by default all that there are"] | None = None,
    transform: Annotated[bool, "turn or mirror each by a symmetry drawn from the seed"] = False,
) -> Iterator[str]:
    values = {"name": name, "order": order, "seed": seed, "start": start}
    for text, _ in with_places(game, **values, count=count, transform=transform):
        yield text


def with_places(game: Game, **parameters: Any) -> list[tuple[str, str]]:
    path = book_file(parameters["name"])
    if (of := game_of_book(path)) and not _is_alike(load_game(of), game):
        fit = [name for name in books() if _is_book_of(name, game)]
        there = f"; for it there is {', '.join(fit)}" if fit else ", for which there is none"
        raise ConfigError(f"book {path.stem!r} is of another game{there}")
    return file.with_places(game, **_of_file(parameters))


def count(parameters: Mapping[str, Any]) -> int:
    return file.count(_of_file(parameters))


def part(parameters: Mapping[str, Any], start: int, count: int) -> dict[str, Any]:
    return file.part(parameters, start, count)


def _of_file(parameters: Mapping[str, Any]) -> dict[str, Any]:
    rest = {key: value for key, value in parameters.items() if key != "name"}
    return {**rest, "path": str(book_file(parameters["name"])), "format": FORMAT}


def books() -> list[str]:
    return sorted(path.stem for path in BOOKS.glob("*.txt") if game_of_book(path))


def book_file(name: str) -> Path:
    """The file of a book; ConfigError if there is none of this name."""
    if name not in books():
        raise ConfigError(unknown("book", name, books()))
    return BOOKS / f"{name}.txt"


def _is_book_of(name: str, game: Game) -> bool:
    """True if a book is of this game."""
    of = game_of_book(book_file(name))
    return of is not None and _is_alike(load_game(of), game)


def _is_alike(one: Game, other: Game) -> bool:
    """True if two games have one name, board and rule."""
    return all(
        getattr(one, key, None) == getattr(other, key, None) for key in ("name", "size", "rule")
    )


MAX_HEAD_LINE = 100_000
"""Characters of a line in a book's head: a file that is none may have no end of line."""


def game_of_book(path: Path) -> Named | None:
    """The game that the settings in a book's head tell; None for any other file."""
    from ruamel.yaml import YAML
    from ruamel.yaml.error import YAMLError

    try:
        with opened(path) as stream:
            first, second = (stream.readline(MAX_HEAD_LINE).decode() for _ in range(2))
        if not first.startswith(HEAD):
            return None
        told = YAML(typ="safe").load(second.removeprefix("#"))["game"]
        ((name, values),) = told.items()
        return Named(name, values or {})
    except (ConfigError, YAMLError, TypeError, KeyError, ValueError, AttributeError):
        return None
