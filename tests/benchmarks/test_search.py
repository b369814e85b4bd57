"""`python -m benchmarks search`: figures of any engine's search, blank if not counted."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from arena.engine import Choice, Limit
from arena.game import Position
from arena.plugins import load
from benchmarks.measures import search

INFO = {"cutoffs": 40, "first_cutoffs": 30, "forced_nodes": 500}


def player(info: dict[str, int]) -> Any:
    """An engine that finishes a depth for each power of two of its nodes."""

    def choose(p: Position, limit: Limit) -> Choice:
        nodes = limit.nodes or 0
        depth = min(limit.depth or 99, nodes.bit_length() - 1)
        return Choice(0, depth=depth, nodes=nodes, info=info)

    return SimpleNamespace(new_game=lambda seed: None, choose=choose, close=lambda: None)


def figures(monkeypatch: pytest.MonkeyPatch, info: dict[str, int]) -> dict[str, Any]:
    """The figures of that engine, whose pilot shows 400 000 nodes a second."""
    game = load.load_game("gomoku")
    ticks = iter(range(10_000))
    monkeypatch.setattr(search, "process_time", lambda: next(ticks) / 4)
    monkeypatch.setattr(search, "searcher", lambda *_: (game, player(info)))
    return search.quiet_figures("balance", {}, 1)


def test_a_second_has_as_many_nodes_as_the_pilot_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    found = figures(monkeypatch, INFO)
    assert found["positions"] == 20
    assert found["depth"] == 18
    assert found["branching"] == pytest.approx(400_000 ** (1 / 18))
    assert found["nodes_per_second"] == 400_000 / 0.25
    assert found["seconds_to_6"] == found["seconds_to_12"] == pytest.approx(0.25)


def test_shares_are_of_all_positions_together(monkeypatch: pytest.MonkeyPatch) -> None:
    found = figures(monkeypatch, INFO)
    assert found["first_cutoffs"] == 0.75
    assert found["forced_nodes"] == 500 / 400_000


@pytest.mark.parametrize("info", [{}, {"cutoffs": 40}])
def test_what_an_engine_does_not_count_is_blank(
    info: dict[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    found = figures(monkeypatch, info)
    assert found["first_cutoffs"] is None
    assert found["forced_nodes"] is None


def test_a_depth_that_a_second_does_not_reach_is_not_timed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "DEPTHS", (18, 19))
    found = figures(monkeypatch, INFO)
    assert found["seconds_to_18"] is not None
    assert found["seconds_to_19"] is None


@pytest.mark.slow
@pytest.mark.parametrize("name", search.SEARCHED)
def test_the_engines_search_the_positions_of_the_bench(name: str) -> None:
    for options in search.searches_of(name):
        game, engine = search.searcher(name, options)
        first, *others = search.quiet_positions(game)
        assert len(others) == 19
        answer = search.searched(engine, first, Limit(nodes=1000))
        assert answer.choice.nodes
        assert answer.choice.depth


def test_known_wins_by_fours_are_there_under_two_rules() -> None:
    cases = search.known_fours()
    assert {case.rule for case in cases} == {"freestyle", "renju"}
    assert len(cases) == 60
