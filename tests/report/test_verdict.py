"""The verdict in words: it says no more than the games do, and nothing less."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from support.game_records import game
from support.reports import Played, report, schedule_of

from arena.format import Field
from arena.formats import sprt
from arena.match.pairs import results_of
from arena.plugins.load import Named
from arena.report.facts import Extras, RunFacts
from arena.report.frames import Report

Pair = tuple[str, str, int | None, int | None]
Pairs = list[Pair]

VALUES: dict[str, Any] = {
    "elo0": 0.0,
    "elo1": 50.0,
    "alpha": 0.05,
    "beta": 0.05,
    "model": "logistic",
    "pairs": 500,
}


def match(games: list[Played], total: int | None = None) -> Report:
    """A match of `a` and `b`, of which some games are still missing if there is a total."""
    facts = RunFacts("m", Named("gomoku"), Named("couples"), "", total, total is None)
    return report(["a", "b"], games, extras=Extras(runs=[facts]))


def sentence(found: Report) -> str:
    return found.verdict.sentence


def won(pairs: int) -> Pairs:
    """Pairs of which `a` wins both games."""
    return [("a", "b", 1, 2)] * pairs


SPLIT: Pair = ("a", "b", 1, 1)
LOST: Pair = ("a", "b", 2, 1)


def test_who_is_better_by_how_much_and_how_sure() -> None:
    found = sentence(match(schedule_of(*won(20), *[SPLIT] * 20, *[LOST] * 5)))
    assert found == "a is better than b: +120 Elo (+38 to +203), LOS 99.8 %, 90 games."


def test_the_better_one_is_named_first_whichever_it_is() -> None:
    found = sentence(match(schedule_of(*[LOST] * 20, *[SPLIT] * 20)))
    assert found.startswith("b is better than a: +191 Elo (")


def test_what_is_not_sure_is_not_decided() -> None:
    found = sentence(match(schedule_of(*won(3), *[SPLIT] * 5, LOST)))
    assert found.startswith("Not decided: +78 Elo (-")
    assert " for a against b, LOS " in found


def test_a_match_that_is_not_over_says_so() -> None:
    games = schedule_of(*won(20))
    assert sentence(match(games, 100)).startswith("So far a is better than b: ")
    assert sentence(match(games, 100)).endswith(", 40 of 100 games, all won.")
    few = schedule_of(*won(3), *[SPLIT] * 5, LOST)
    assert sentence(match(few, 100)).startswith("Not decided yet: ")


def test_of_all_games_won_only_a_bound_is_known() -> None:
    found = sentence(match(schedule_of(*won(20))))
    assert found == "a is better than b: +288 Elo or more, LOS above 99.9 %, 40 games, all won."


def test_draws_only_decide_nothing() -> None:
    found = sentence(match(schedule_of(*[("a", "b", None, None)] * 20)))
    assert found.startswith("Not decided: +0 Elo (-")
    assert found.endswith("LOS 50.0 %, 40 games, all drawn.")


def test_no_game_is_no_verdict() -> None:
    assert sentence(match([])) == "No game was played yet by a, b."


def test_copies_of_one_pair_tell_nothing() -> None:
    pairs = [
        replace(each, round=round)
        for round in range(1, 11)
        for each in (game("a", "b", 1, moves="x"), game("b", "a", 2, moves="y"))
    ]
    found = sentence(match(list(enumerate(pairs, start=1))))
    assert found == "Not decided: 20 games with 1 distinct pair on one opening are too few to tell."


@pytest.mark.parametrize(
    ("pairs", "bounds", "expected"),
    [
        (won(30), (0, 50), "a is better than b: H1 after 30 pairs, +366 Elo or more."),
        (
            [LOST] * 30,
            (0, 50),
            "a is not 50 Elo better than b: H0 after 30 pairs, -366 Elo or less.",
        ),
        (won(60), (20, 50), "a is more than 20 Elo better than b: H1 "),
        (won(30), (-50, 0), "a is not 50 Elo worse than b: H1 "),
        ([LOST] * 30, (-50, 0), "a is worse than b: H0 "),
        ([LOST] * 30, (-50, -5), "a is more than 5 Elo worse than b: H0 "),
        ([*won(1), SPLIT], (0, 50), "Not decided yet: LLR 0."),
    ],
)
def test_a_test_says_which_hypothesis_it_accepted(
    pairs: Pairs, bounds: tuple[float, float], expected: str
) -> None:
    assert sentence(judged(pairs, *bounds)).startswith(expected)


def judged(results: Pairs, elo0: float, elo1: float, **more: Any) -> Report:
    """The report of a test of `a` against `b`."""
    games = schedule_of(*results)
    field = Field(("a", "b"), [str(i) for i in range(len(results))], 1)
    values = VALUES | {"elo0": float(elo0), "elo1": float(elo1)} | more
    rows = sprt.matches(field, results_of(record for _, record in games), **values)
    return report(["a", "b"], games, extras=Extras(matches=rows))


def test_a_test_that_ends_undecided_says_why() -> None:
    found = sentence(judged([SPLIT, *won(1)], 0, 50, pairs=2))
    assert found.startswith("Not decided: LLR 0.")
    assert " after 2 pairs, -" in found
    copies = [
        each
        for round in range(1, 12)
        for each in (game("a", "b", 1, "0", round, "x"), game("b", "a", 1, "0", round, "y"))
    ]
    rows = sprt.matches(Field(("a", "b"), ["0"], 1), results_of(copies), **VALUES)
    alike = report(["a", "b"], list(enumerate(copies, 1)), extras=Extras(matches=rows))
    assert sentence(alike).startswith("Not decided: the players only repeat games that were ")


def test_normalized_elo_is_called_so() -> None:
    found = sentence(judged([LOST] * 30, 0, 50, model="normalized"))
    assert found.startswith("a is not 50 nElo better than b: H0 ")


@pytest.mark.parametrize(("faults", "is_told"), [(2, False), (3, True)])
def test_games_lost_by_faults_are_told_where_they_are_many(faults: int, is_told: bool) -> None:
    found = match(faulty(schedule_of(*won(20)), faults)).verdict
    told = f"b lost {faults} of its 40 games by its own faults, which are no measure of strength"
    assert (told in found.basis, found.text == "Not decided") == (is_told, is_told)
    assert found.tone == ("doubtful" if is_told else "good")


def faulty(games: list[Played], faults: int) -> list[Played]:
    """These games, the first of which ended by faults of those that lost them."""
    return [
        (number, replace(record, reason="time") if number <= faults else record)
        for number, record in games
    ]
