"""The benchmark of adjudication: the same games with and without, counted rightly."""

from __future__ import annotations

from dataclasses import replace

import pytest

from arena.plugins.load import Named, names
from benchmarks.measures import adjudication
from benchmarks.measures.adjudication import compared, games, tournament

RULES = (Named("resign", {"score": 1, "moves": 2}), Named("draw_at_empty", {"draw_at_empty": 200}))


@pytest.mark.slow
def test_a_run_with_rules_has_the_same_games_up_to_where_they_act() -> None:
    config = tournament({"five_tuple": 1, "balance": 1}, 3)
    whole, ended = games(config), games(config, RULES)
    assert len(whole) == len(ended) == 6
    for each, record in ended.items():
        assert whole[each].moves.startswith(record.moves)
        assert whole[each].scores.startswith(record.scores)
    assert any(record.reason == "won by scores" for record in ended.values())
    assert compared(whole, ended)["plies_saved"] > 0


@pytest.mark.slow
def test_nothing_is_saved_where_nothing_acts() -> None:
    config = tournament({"five_tuple": 1, "balance": 1}, 1)
    whole = games(config)
    figures = compared(whole, games(config, (Named("draw_at_empty", {"draw_at_empty": 1}),)))
    assert figures["ended_early"] == figures["plies_saved"] == figures["verdicts_changed"] == 0
    (one, other) = whole.values()
    short = replace(other, moves="", plies=0, times="", winner=None, reason="few cells left")
    figures = compared(whole, dict(zip(whole, (one, short), strict=True)))
    assert (figures["games"], figures["ended_early"], figures["verdicts_changed"]) == (2, 1, 1)
    assert figures["plies_saved"] == other.plies / (one.plies + other.plies)


def test_it_tries_every_rule_there_is() -> None:
    assert sorted(rule.name for rule in adjudication.RULES_TRIED) == [*names("adjudication")]
