"""The plan of a test or a match: how many pairs and hours it would take, and how sure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace

import pandas as pd

from arena.format import TOGETHER
from arena.match.game_row import in_pairs, pair_identity
from arena.match.pairs import pair_points
from arena.report.answer import Answer
from arena.report.frames import Report
from arena.report.moves import total_seconds
from arena.report.numbers import about, format_duration, unit_of
from arena.report.outlook import DRAWS, RARE, SPLIT, conditions_text, lead_text, share_of
from arena.report.table import Column, Section, Table
from arena.report.verdict import Conclusion
from arena.stats.forecast import (
    Course,
    Design,
    forecast,
    pair_shares,
    pairs_for_interval,
    pairs_to_see,
)
from arena.stats.rounding import significant

LEADS = (5, 10, 20, 50, 100)  # Elo of the matches of a fixed number of pairs
USUAL = ((0, 5), (0, 10), (0, 20), (0, 50), (-5, 0), (-10, 5))
"""Hypotheses of tests that a page tells the length of."""
NO_END = 10**6  # The most pairs of tests that go on until they are decided


@dataclass(frozen=True)
class Basis:
    """Facts on two players that a plan rests on."""

    shares: Sequence[float]
    """Pairs of 0 to 2 points of the first player, or their shares, at any lead."""
    told: str  # Their source, in words
    seconds: float | None = None  # Of a game; None: not known
    workers: int = 1
    openings: int | None = None  # Openings that there are; None: as many as wanted
    one: str = "the first player"

    def duration(self, pairs: float) -> float | None:
        return None if self.seconds is None else 2 * pairs * self.seconds / self.workers


def assumed(draws: float = DRAWS, split: float = SPLIT) -> Basis:
    """The basis of a plan without games; ValueError for shares that leave no pair to be won."""
    told = f"Assumed: {conditions_text(draws, split)}."
    return Basis(pair_shares(draws, split), told)


def played(report: Report) -> Basis | None:
    """The basis that the games of a test, or of two players, give; None for all others.

    One pair of two tosses is added, so that some pairs are won and lost.
    """
    if not report.count:
        return None
    tests = report.decided.to_dict("records") if "llr" in report.decided else []
    if len(tests) == 1:
        one = str(tests[0]["one"])
    elif len(report.standings) == 2:
        one = str(report.win_rates.index[0])
    else:
        return None
    counts, faulty = _counts_of(report, one)
    total = total_seconds(report.played.values())
    seconds = None if total is None else total / report.count
    pairs = f"{sum(counts):,} distinct pairs ({' '.join(map(str, counts))} of 0 to 2 points)"
    told = f"As in its {report.count:,} games: {pairs}"
    told += f"; {faulty:,} more, in which a fault ended a game, do not count." if faulty else "."
    added = pair_shares(DRAWS, SPLIT)
    shares = [count + more for count, more in zip(counts, added, strict=True)]
    return Basis(shares, told, seconds, one=one)


def _counts_of(report: Report, one: str) -> tuple[list[int], int]:
    """Distinct pairs of one side without a fault, by its points; and how many had one."""
    own, counts, faulty, seen = {*one.split(TOGETHER)}, [0] * 5, 0, set[int]()
    for row, other in in_pairs(row for games in report.played.values() for row in games.rows):
        pair = row.result, other.result
        if (identity := pair_identity(row, other)) in seen:
            continue
        seen.add(identity)
        if any(game.loser_by_fault for game in pair):
            faulty += 1
        else:
            points = pair_points(*pair)
            counts[points if row.result.first in own else 4 - points] += 1
    return counts, faulty


def plan_answer(design: Design, basis: Basis) -> Answer:
    apart = design.elo1 - design.elo0
    truths = (design.elo0 - apart, design.elo0, design.midway, design.elo1, design.elo1 + apart)
    courses = [forecast(design, basis.shares, elo) for elo in truths]
    rows = [{**asdict(each), "seconds": basis.duration(each.mean)} for each in courses]
    test, match = pd.DataFrame(rows), _match_frame(design, basis)
    unit = unit_of(design.model)
    columns = _match_columns(1 - design.beta)
    tables = {
        "test": Table(f"The test, if {basis.one} is better by", test, _test_columns(unit)),
        "match": Table("A match of a fixed number of pairs", match, columns),
    }
    return Answer(
        title="Plan",
        frames={"course": test, "fixed": match},
        make_sections=lambda: [Section(key, each.title, [each]) for key, each in tables.items()],
        head={"test": asdict(design), "basis": asdict(basis)},
        notes=list(_plan_notes(design, basis)),
        verdict=_verdict(design, basis, courses[3]),
    )


def _verdict(design: Design, basis: Basis, course: Course) -> Conclusion:
    time = basis.duration(course.mean)
    workers = f"with {basis.workers} worker{'s' * (basis.workers != 1)}"
    took = f", {format_duration(time)} {workers}" if time is not None else ""
    better = lead_text(course.elo, unit_of(design.model))
    count = about(course.mean)
    most, undecided = f" (95 % within {about(course.most)})", ""
    if course.undecided >= RARE:
        undecided = f"; undecided after {design.pairs:,} pairs in {share_of(course.undecided)}"
        most = most if course.most < design.pairs else ""
    return Conclusion(
        f"About {count} pair{'s' * (count != '1')}{most}{took}, if {basis.one} is {better}",
        f"power {share_of(course.h1)}{undecided}",
    )


def _plan_notes(design: Design, basis: Basis) -> Iterator[str]:
    yield basis.told
    if basis.seconds is None:
        yield "Nothing is known of the time that a game takes: --seconds gives it."
    else:
        yield f"A game takes {format_duration(basis.seconds)}, the time of its moves."
    if basis.openings is not None and basis.openings < design.pairs:
        short = replace(design, pairs=max(basis.openings, 1))
        left = forecast(short, basis.shares, design.elo1).undecided
        if left >= RARE:
            yield (
                f"There are {basis.openings:,} openings. Players that do not vary have no more "
                f"distinct pairs, and {share_of(left)} of the tests need more."
            )


def _match_frame(design: Design, basis: Basis) -> pd.DataFrame:
    rows = []
    for elo in sorted({*map(float, LEADS), abs(design.elo1 - design.elo0)}):
        seen = pairs_to_see(basis.shares, elo, 1 - design.beta)
        rows.append((elo, pairs_for_interval(basis.shares, elo), seen, basis.duration(seen)))
    return pd.DataFrame(rows, columns=["elo", "interval", "seen", "seconds"])


def _test_columns(unit: str) -> list[Column]:
    return [
        Column("elo", unit, "{:+g}"),
        Column("h1", "H1", share_of),
        Column("undecided", "undecided", share_of),
        Column("mean", "pairs", about),
        Column("median", "median", about),
        Column("most", "95 % within", about),
        Column("seconds", "time", format_duration),
    ]


def _match_columns(power: float) -> list[Column]:
    return [
        Column("elo", "Elo", "{:g}"),
        Column("interval", "pairs for +-Elo", about),
        Column("seen", f"to see Elo in {share_of(power)}", about),
        Column("seconds", "time", format_duration),
    ]


def plan_section(report: Report) -> Section | None:
    """The length of usual tests of the pairing of a run; None where there is no single one."""
    basis = played(report)
    if basis is None:
        return None
    text = (
        f"{basis.told} An SPRT is longest where the truth lies midway between H0 and H1. In the "
        "table alpha = beta = 0.05; 95 % of tests end within the pairs given, midway, where the "
        "time is that of the moves with one worker. `arena plan` has other tests."
    )
    return Section("plan", "How long would a test take?", [_usual_tests(basis)], text)


def _usual_tests(basis: Basis) -> Table:
    rows: list[dict[str, object]] = []
    for elo0, elo1 in USUAL:
        design = Design(elo0, elo1, pairs=NO_END)
        truths = {"h0": elo0, "midway": design.midway, "h1": elo1}
        courses = {name: forecast(design, basis.shares, elo) for name, elo in truths.items()}
        # Versions of scipy differ from the tenth digit on.
        means = {name: significant(course.mean, 6) for name, course in courses.items()}
        rows.append(
            {
                "ends": f"{elo0:+g} or {elo1:+g}",
                **means,
                "most": courses["midway"].most,
                "seconds": basis.duration(means["midway"]),
            }
        )
    columns = [
        Column("ends", "H0 or H1, in Elo"),
        Column("h0", "pairs if H0", about),
        Column("midway", "midway", about),
        Column("h1", "if H1", about),
        Column("most", "95 % within", about),
        Column("seconds", "time", format_duration),
    ]
    return Table("Expected pairs of usual tests", pd.DataFrame(rows), columns)
