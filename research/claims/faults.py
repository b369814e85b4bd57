"""Equals of which one crashes, in tournaments that are over: claims that its faults have helped to.

In equals without faults, 5 of 100 verdicts claim a difference by chance. So a claim is read again,
on the games without the pairs in which a fault ended one, and on all games with these as draws: it
is `carried` by faults unless both say the same. `for another` are claims that another player than
the one that crashes is better, or gained; `for it` those that it is. `compare` is of two such runs,
`compare, before` of one in which it did not crash yet with one in which it does. A plan makes no
claim; it is `off` if it has a tenth more pairs, or less, than one by the games without faults.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from arena.report.frames import report_of
from arena.report.plan import played as basis_of
from arena.report.verdict import Conclusion, Extras
from arena.stats.forecast import Design, forecast
from claims.cells import Cell, Outcome, counted, table
from claims.made_runs import (
    MadeRun,
    Plan,
    Read,
    World,
    compared,
    favoured_by,
    is_claim,
    rated,
    reported,
    round_robin,
)

FIELDS = ("ab", "abcde")
"""The players of each tournament, by letters. The last one crashes."""
SHARES = (0.05, 0.2)
PLANNED = (50, 200, 500)
MAX_COMPARED = 5_000
"""Games of runs that are compared, which takes longest."""
OFF = 0.1
TARGET = "none carried"
VIEWS = Read.without_faults, Read.with_faults_drawn


def simulated(seed: int) -> Outcome:
    """Tournaments of each field, of which one player crashes in each share of its games."""
    found: dict[tuple[Cell, str], bool] = {}
    for place, names in enumerate(FIELDS):
        for number, share in enumerate(SHARES):
            runs = [
                made(names, each, [seed, place, number, i])
                for i, each in enumerate((share, share, 0))
            ]
            told = f"{len(names)}, one crashes in {100 * share:g} %"
            for pairs in PLANNED:
                reads = [Read(run.at(pairs), (Plan(pairs),)) for run in runs]
                for read_in, column, is_so in outcomes_of(*reads):
                    found[Cell(read_in, told, pairs, TARGET), column] = is_so
    return found


def made(names: str, share: float, seed: Sequence[int]) -> MadeRun:
    """A run of equals, of which the last loses this share of its games by a crash."""
    sound, crashing = World("equals"), World("one crashes", crashes=share)
    return round_robin(
        names, lambda _, two: crashing if two == names[-1] else sound, seed, max(PLANNED)
    )


def outcomes_of(run: Read, other: Read, sound: Read) -> Iterator[tuple[str, str, bool]]:
    """What is read of a run, of two such runs, and of one beside a run without crashes: where it
    is read, the column, and if it is so."""
    yield from judged("report", reported, run)
    yield from judged("ratings", rated, run)
    if len(run.run.rows) <= MAX_COMPARED:
        yield from judged("compare, before", compared, sound, run)
    if len(run.run.names) == 2:
        yield from judged("compare", compared, run, other)
        planned, alone = (planned_pairs(each) for each in (run, run.without_faults()))
        yield "plan", "off", abs(planned / alone - 1) > OFF


def judged(
    read_in: str, ask: Callable[..., Conclusion], *read: Read
) -> Iterator[tuple[str, str, bool]]:
    """Whom a verdict favours, and if faults carry that."""
    found = ask(*read)
    crashing, favoured = read[0].run.names[-1], favoured_by(found)
    yield read_in, "for another", favoured not in ("", crashing)
    yield read_in, "for it", favoured == crashing
    views = [ask(*map(view, read)) for view in VIEWS] if favoured else []
    claim = " ".join(found.text.split()[:2])
    is_carried = any(not (is_claim(each) and claim in each.text) for each in views)
    yield read_in, "carried", is_carried


def planned_pairs(read: Read) -> float:
    """The pairs that a plan by this run's games expects of a test."""
    design = Design()
    report = report_of(read.run.names, {"run": read.games}, extras=Extras(runs=[read.facts]))
    basis = basis_of(report)
    return forecast(design, basis.shares, design.elo1).mean if basis else 0.0


def lines(seeds: Sequence[int], workers: int) -> Iterator[str]:
    """The table."""
    yield from table(counted(simulated, seeds, workers))
