"""Laws of every source of openings, put to each file in arena/match/openings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from arena import load_game
from arena.match.opening import fault_of, spelt
from arena.match.openings import book
from arena.plugins.load import factory, module, names
from arena.plugins.parameters import parameters

GAME = load_game("gomoku:size=9")
TEXTS = ("4,4 4,5", "4,4 5,5 3,3", "4,4", "4,4 3,5", "3,3", "5,5 4,4", "4,4 4,6 2,2")
REQUIRED: dict[str, dict[str, Any]] = {
    "list": {"list": TEXTS},
    "file": {"order": "random", "seed": 3, "transform": True},
    "book": {"name": "small", "order": "random", "seed": 3, "transform": True},
}
"""Values of the parameters without a default, and some that make it harder."""
BOOK = "# Openings made by `arena openings make`.\n# {game: {gomoku: {size: 9}}}"
"""The head of a book of this game."""


@dataclass(frozen=True)
class Source:
    name: str
    values: dict[str, Any]

    def openings(self, values: Mapping[str, Any] | None = None) -> list[str]:
        make = factory("source of openings", self.name)
        return list(make(GAME, **self.values if values is None else values))

    def count(self, values: Mapping[str, Any] | None = None) -> Any:
        return module("source of openings", self.name).count(values or self.values)

    def part(self, start: int, count: int) -> dict[str, Any]:
        return dict(module("source of openings", self.name).part(self.values, start, count))


@pytest.fixture(params=names("source of openings"))
def source(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Source:
    declared = parameters(factory("source of openings", request.param))
    values = {each.name: each.default for each in declared} | REQUIRED.get(request.param, {})
    if "path" in values:
        values["path"] = str(tmp_path / "openings.txt")
        Path(values["path"]).write_text("\n".join(TEXTS), encoding="utf-8")
    if request.param == "book":
        monkeypatch.setattr(book, "BOOKS", tmp_path)
        text = "\n".join((BOOK, *TEXTS))
        (tmp_path / "small.txt").write_text(text, encoding="utf-8")
    return Source(request.param, values)


def test_it_counts_its_openings(source: Source) -> None:
    assert source.count() == len(source.openings()) >= 6


def test_asked_again_it_gives_the_same(source: Source) -> None:
    assert source.openings() == source.openings()


def test_all_of_its_openings_are_legal_and_written_as_the_game_does(source: Source) -> None:
    for opening in source.openings():
        assert fault_of(GAME, opening) is None
        assert spelt(GAME, opening) == opening


def test_none_of_its_openings_comes_twice(source: Source) -> None:
    assert len({*source.openings()}) == source.count()


@pytest.mark.parametrize(("start", "count"), [(0, 6), (0, 1), (2, 3), (5, 1)])
def test_a_part_is_just_these_openings_of_the_whole(source: Source, start: int, count: int) -> None:
    part = source.part(start, count)
    assert source.openings(part) == source.openings()[start : start + count]
    assert source.count(part) == count


def test_a_part_of_a_part_is_a_part_of_the_whole(source: Source) -> None:
    outer = Source(source.name, source.part(1, 5))
    assert source.openings(outer.part(2, 2)) == source.openings()[3:5]


def test_a_part_leaves_the_parameters_of_the_whole_alone(source: Source) -> None:
    before = dict(source.values)
    source.part(1, 2)
    assert source.values == before


def test_one_that_draws_has_more_openings_than_were_asked_for(source: Source) -> None:
    if not getattr(module("source of openings", source.name), "DRAWS", False):
        pytest.skip("has only those that it was given")
    more = source.part(0, source.count() + 5)
    assert source.openings(more)[: source.count()] == source.openings()
    assert source.count(more) == len(source.openings(more)) == source.count() + 5
