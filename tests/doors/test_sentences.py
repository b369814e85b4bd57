"""What verdicts say of runs in some eighty states, each as its first lines read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from support.doors import hold
from support.game_records import game, results_of
from support.reports import Played, report, schedule_of

from arena.format import Field
from arena.formats import sprt
from arena.plugins.load import Named
from arena.report.frames import Report
from arena.report.verdict import Extras, RunFacts
from arena.stats.leads import NO_LOOKS, Looks

Pair = tuple[str, str, int | None, int | None]
SPLIT: Pair = ("new", "old", 1, 1)
LOST: Pair = ("new", "old", 2, 1)
DRAWN: Pair = ("new", "old", None, None)
EVEN = [SPLIT] * 20
TEST = {"elo0": 0.0, "elo1": 50.0, "alpha": 0.05, "beta": 0.05, "model": "logistic"}
MIXED = [SPLIT, ("new", "old", 1, 2), LOST] * 8


def won(pairs: int, one: str = "new", other: str = "old") -> list[Pair]:
    """Pairs of which `one` wins both games."""
    return [(one, other, 1, 2)] * pairs


def faulty(games: list[Played], loser: str, faults: int, reason: str = "crash") -> list[Played]:
    """These games, so many of those that `loser` lost ended by faults of its own."""
    found = list[Played]()
    for number, record in games:
        has_lost = {1: record.second, 2: record.first}.get(record.winner or 0) == loser
        is_fault = has_lost and faults > 0
        faults -= is_fault
        found.append((number, replace(record, reason=reason) if is_fault else record))  # type: ignore[arg-type]
    return found


def run(
    games: list[Played],
    format: str = "round_robin",
    missing: int = 0,
    looks: Looks = NO_LOOKS,
    matches: list[dict[str, Any]] | None = None,
    runs: int = 1,
    stopped: str = "",
    **parameters: Any,
) -> Report:
    """The report of a run whose games are these, and of which some are missing."""
    named = Named(format, parameters)
    total = len(games) + missing
    facts = RunFacts("m", Named("gomoku"), named, "", total, not missing, looks)
    facts = replace(facts, stopped=stopped)
    names = list(dict.fromkeys(seat for _, each in games for seat in (each.first, each.second)))
    return report(names or ["new", "old"], games, extras=Extras(matches or [], runs=[facts] * runs))


def match(pairs: list[Pair], faults: tuple[str, int] = ("", 0), **more: Any) -> Report:
    reason = more.pop("reason", "crash")
    return run(faulty(schedule_of(*pairs), *faults, reason), **more)


def judged(
    pairs: list[Pair],
    faults: tuple[str, int] = ("", 0),
    most: int = 500,
    missing: int = 0,
    **more: Any,
) -> Report:
    """A test of new against old, by default of [0, 50] Elo, of so many pairs at most."""
    games = faulty(schedule_of(*pairs), *faults)
    field = Field(("new", "old"), [str(i) for i in range(len(pairs))], 1)
    results = results_of(record for _, record in games)
    rows = sprt.matches(field, results, **TEST | more, pairs=most)
    counted = games[: 2 * rows[0]["pairs"]]
    return run(counted, "sprt", 0 if rows[0]["decision"] else missing, matches=rows)


def cup(pairs: list[Pair]) -> Report:
    games = schedule_of(*pairs)
    rows = [{"stage": 1, "one": "a", "other": "b", "winner": "a"}]
    rows += [{"stage": 1, "one": "c", "other": "d", "winner": "c"}]
    rows += [{"stage": 2, "one": "a", "other": "c", "winner": "a"}]
    return run(games, "knockout", matches=rows)


def many(lead: int, **more: Any) -> Report:
    """Three players, of which one won so many pairs more against each of the others."""
    pairs = [*won(lead, "a", "b"), *won(lead, "a", "c")]
    pairs += [(one, two, 1, 1) for one, two in (("a", "b"), ("a", "c"), ("b", "c"))] * 10
    games = schedule_of(*pairs)
    for name, faults in more.pop("faults", {}).items():
        games = faulty(games, name, faults)
    return run(games, **more)


def alike(pairs: int, copies: bool = False) -> list[Played]:
    """Pairs that new won, all on one opening; copies of one pair have the same moves."""
    games = [
        game(one, other, winner, "0", i, name if copies else f"{name} {i}")
        for i in range(1, pairs + 1)
        for one, other, winner, name in (("new", "old", 1, "x"), ("old", "new", 2, "y"))
    ]
    return list(enumerate(games, start=1))


def repeated() -> Report:
    """A test whose players only repeat what they played."""
    copies = [(number, replace(each, winner=1)) for number, each in alike(11, copies=True)]
    field, results = Field(("new", "old"), ["0"], 1), results_of(each for _, each in copies)
    return run(copies, "sprt", matches=sprt.matches(field, results, **TEST, pairs=500))


def swiss(*scores: tuple[str, float], pairs: int = 3, missing: int = 0) -> Report:
    """A swiss of two stages of these meetings, of which the first player has this share."""
    rows = [
        {
            "stage": 1 + 2 * i // len(scores),
            "one": one,
            "other": other,
            "pairs": pairs,
            "score": won,
        }
        for i, ((one, other), won) in enumerate(scores)
    ]
    games = [
        (one, other, 1, 2) if i < pairs * share else (one, other, 2, 1)
        for (one, other), share in scores
        for i in range(pairs)
    ]
    return run(schedule_of(*games), "swiss", missing, matches=rows)


FINAL = [("a", "b", 1, 1), ("c", "d", 1, 1), ("a", "c", 1, 1), ("a", "d", 1, 1), ("b", "c", 1, 1)]
ONE = [*won(6), *[SPLIT] * 20]
TIED: list[Pair] = [("new", "c", 1, 1)]
STATES: dict[str, Callable[[], Report]] = {
    "a match, over, won clearly": lambda: match([*won(20), *EVEN]),
    "a match, over, won narrowly": lambda: match(ONE),
    "a match, over, lost narrowly": lambda: match([*[LOST] * 6, *EVEN]),
    "a match, over, slightly ahead": lambda: match([*won(2), *EVEN]),
    "a match, over, even": lambda: match(EVEN),
    "a match, over, extended once, won narrowly": lambda: match(ONE, looks=Looks(1)),
    "a match, over, extended once, won clearly": lambda: match([*won(20), *EVEN], looks=Looks(1)),
    "a match, over, extended twice, even": lambda: match(EVEN, looks=Looks(2)),
    "a match at play or stopped, won so far": lambda: match([*won(20), *EVEN], missing=120),
    "a match at play or stopped, even so far": lambda: match(EVEN, missing=60),
    "a match that faults stopped": lambda: match(
        [*won(4), *EVEN], missing=60, stopped="old only lost by its own faults"
    ),
    "a match before its first game": lambda: match([], missing=100),
    "a match, over, all 40 games won": lambda: match(won(20)),
    "a match, over, all 4 games won": lambda: match(won(2)),
    "a match, over, all 40 games drawn": lambda: match([DRAWN] * 20),
    "a match, over, two games": lambda: match([SPLIT]),
    "a match, over, two games, both won": lambda: match(won(1)),
    "a match, one of its games by a fault": lambda: match([*won(20), *EVEN], ("old", 1)),
    "a match, won by faults": lambda: match([*won(8), *EVEN], ("old", 14)),
    "a match, lost by faults": lambda: match([*won(8, "old", "new"), *EVEN], ("new", 14)),
    "a match, won without faults too": lambda: match([*won(40), *EVEN], ("old", 20)),
    "a match, all games lost by faults": lambda: match(won(20), ("old", 40)),
    "a match of 8 games, all lost on time": lambda: match(won(4), ("old", 8), reason="time"),
    "a match at play, won by faults so far": lambda: match(
        [*won(8), *EVEN], ("old", 14), missing=40
    ),
    "a test that accepted H1": lambda: judged([*won(20), *EVEN]),
    "a test that accepted H0": lambda: judged([*[LOST] * 12, *EVEN]),
    "a test at play": lambda: judged([*won(3), *EVEN], missing=900),
    "a test at play, near its end": lambda: judged([*MIXED, *won(11)], missing=900),
    "a test, all pairs played, undecided": lambda: judged([*won(3), *EVEN], most=23),
    "a test that one side won by faults": lambda: judged([*won(12), *EVEN], ("old", 20), most=32),
    "a test at play that faults hold back": lambda: judged(
        [*MIXED, *won(12)], ("old", 10), missing=900
    ),
    "a gauntlet that its candidate won": lambda: many(6, format="gauntlet"),
    "a gauntlet, even": lambda: many(0, format="gauntlet"),
    "a gauntlet at play": lambda: many(6, format="gauntlet", missing=40),
    "a gauntlet that its candidate won by faults": lambda: many(
        4, format="gauntlet", faults={"b": 8}
    ),
    "a round robin with a clear leader": lambda: many(8),
    "a round robin, even": lambda: many(0),
    "a round robin at play": lambda: many(8, missing=60),
    "a round robin in which the last lost by faults": lambda: many(6, faults={"b": 12}),
    "a round robin that is led by faults": lambda: many(6, faults={"b": 12, "c": 12}),
    "a swiss, over": lambda: many(2, format="swiss"),
    "a knockout, over, the final close": lambda: cup([*FINAL, *won(1, "a", "c")]),
    "a knockout, over, the final won clearly": lambda: cup([*FINAL, *won(12, "a", "c")]),
    "couples that cannot be compared": lambda: run(
        schedule_of(*won(10), SPLIT, *won(10, "c", "d"), ("c", "d", 1, 1)), "couples"
    ),
    "a match at play, one pair": lambda: match([SPLIT], missing=1),
    "a match, over, two games, both won by faults": lambda: match(won(1), ("old", 2)),
    "a match of copies of one pair": lambda: run(alike(10, copies=True)),
    "a match on one opening": lambda: run(alike(60)),
    "a match, over, even after four pairs": lambda: match([*won(1), *won(1, "old", "new")]),
    "a match, over, even after 60 pairs, with a fault": lambda: match([SPLIT] * 60, ("old", 1)),
    "a match, over, made even by faults": lambda: match(
        [*won(4), *won(4, "old", "new")], ("old", 6)
    ),
    "a match, won by a little more than chance": lambda: match([*won(11), LOST, *EVEN]),
    "the same, with four faults": lambda: match([*won(11), LOST, *EVEN], ("old", 4)),
    "a match seen two thousand times": lambda: match([*won(12), *[SPLIT] * 12], looks=Looks(2000)),
    "two matches read as one": lambda: run(schedule_of(*won(9), LOST, *EVEN[:10]), runs=2),
    "a test that is more than H1": lambda: judged(won(60), elo0=20.0),
    "a test that accepted not to be worse": lambda: judged(won(30), elo0=-50.0, elo1=0.0),
    "a test that accepted to be worse": lambda: judged([LOST] * 30, elo0=-50.0, elo1=0.0),
    "a test that accepted to be much worse": lambda: judged([LOST] * 30, elo0=-50.0, elo1=-5.0),
    "a test in normalized Elo": lambda: judged([LOST] * 30, model="normalized"),
    "a test whose players repeat their games": repeated,
    "a gauntlet, slightly ahead": lambda: run(
        schedule_of(*won(3), *[SPLIT] * 15, *TIED * 15), "gauntlet"
    ),
    "a gauntlet, slightly behind": lambda: run(
        schedule_of(("new", "old", 2, 1), *[SPLIT] * 15, *[LOST] * 2, *TIED * 15), "gauntlet"
    ),
    "a gauntlet in which one is surely better than the candidate": lambda: run(
        schedule_of(*won(30), *won(6, "c", "new"), *TIED * 10, *[SPLIT] * 6), "gauntlet"
    ),
    "a gauntlet in which one is perhaps better than the candidate": lambda: run(
        schedule_of(*won(30), *won(5, "c", "new"), *TIED * 10, *[SPLIT] * 6), "gauntlet"
    ),
    "a round robin, even, at play": lambda: many(0, missing=60),
    "a round robin whose ratings and common opponents disagree": lambda: run(
        schedule_of(
            *won(2, "b", "a"),
            *won(20, "a", "c"),
            *won(12, "c", "d"),
            *won(8, "d", "c"),
            *won(14, "b", "d"),
            *won(6, "d", "b"),
        )
    ),
    "a round robin whose third is as good without its faults": lambda: run(
        faulty(
            schedule_of(
                *won(30, "a", "b"),
                *won(30, "c", "b"),
                *[("a", "c", 1, 1)] * 30,
                *won(40, "a", "c"),
                *won(60, "b", "c"),
            ),
            "c",
            200,
        )
    ),
    "a round robin with one common opening": lambda: run(
        schedule_of(
            *[*won(10, "a", "c"), *won(10, "b", "d"), ("c", "d", 1, 1)] * 2, ("a", "b", 1, 1)
        )
    ),
    "groups that never met, one led by faults": lambda: run(
        faulty(schedule_of(*won(10), SPLIT, *won(10, "c", "d"), ("c", "d", 1, 1)), "d", 40)
    ),
    "a swiss with one winner": lambda: swiss(("ab", 1.0), ("cd", 1.0), ("ac", 1.0), ("bd", 1.0)),
    "a swiss at play": lambda: swiss(("ab", 1.0), ("cd", 1.0), missing=75),
    "a swiss with two winners": lambda: swiss(("ab", 1.0), ("cb", 1.0)),
    "a swiss with one winner for sure": lambda: swiss(
        ("ab", 1.0), ("cd", 1.0), ("ac", 1.0), ("bd", 1.0), pairs=30
    ),
    "a swiss whose best never met nor had a common opponent": lambda: swiss(
        ("ab", 1.0), ("cd", 1.0), ("bd", 0.5), ("be", 0.5), ("df", 0.5), ("ef", 0.5), pairs=6
    ),
    "games with a person": lambda: run(
        schedule_of(
            ("human", "weak", 1, 2), ("human", "strong", 2, None), ("human", "strong", 2, 1)
        ),
        "human",
    ),
}


def test_each_state_has_its_sentences(update: bool) -> None:
    parts = []
    for state, made in STATES.items():
        found = made()
        lines = [f"[{found.verdict.tone}] {found.verdict}", *found.warnings]
        parts.append("\n".join([f"# {state}", *lines]))
    hold("sentences.txt", "\n\n".join(parts) + "\n", update)
