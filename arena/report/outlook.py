"""The expected length of a test in sentences, and the state of what is being played."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any, Literal, NamedTuple

from arena.format import Row
from arena.match.game_row import GameRow, in_pairs
from arena.match.pairs import pair_points
from arena.match.record import GameRecord, summary
from arena.report.numbers import about, format_duration, unit_of
from arena.stats.forecast import Design, forecast, pair_shares, pairs_to_come
from arena.stats.sprt import errors

DRAWS, SPLIT = 0.0, 0.5
"""Shares of drawn games and split pairs where none are known: each game is a toss."""
RARE = 0.01  # A chance that is not worth a word


@dataclass(frozen=True, slots=True)
class SprtProgress:
    """A test that goes on: its LLR between the bounds, and the games to come."""

    llr: float
    """Of the views of its games, the one that is furthest from a decision: see `stats.leads`."""
    lower: float
    upper: float
    expected: int  # Games from here on, if the lead is the one seen so far
    most: int  # Games that are left at most

    @property
    def share(self) -> float:
        """The place of the LLR: 0 at the bound of H0, 1 at that of H1."""
        return min(max((self.llr - self.lower) / (self.upper - self.lower), 0.0), 1.0)

    def __str__(self) -> str:
        return f"LLR {self.llr:.2f} between {self.lower:.2f} (H0) and {self.upper:.2f} (H1)"

    @property
    def games_text(self) -> str:
        if not 0 < self.expected < self.most:
            return f"at most {self.most:,} more games"
        return f"about {about(self.expected)} more games (at most {self.most:,})"

    def text(self, pace: float) -> str:
        """The LLR, and the games to come with their time at this number of games a second."""
        games = self.expected if 0 < self.expected < self.most else self.most
        time = f", {format_duration(max(games / pace, 1.0))}" if pace > 0 else ""
        return f"{self}; {self.games_text}{time}"


def left_text(games: int, pace: float, may_end_early: bool) -> str:
    """How long so many games take at `pace` games a second; empty if that is not known."""
    if games <= 0 or pace <= 0:
        return ""
    text = format_duration(max(games / pace, 1.0))
    return f"{'at most ' if may_end_early else ''}{text} left"


def sprt_progress(rows: Sequence[Row], most: int | None) -> SprtProgress | None:
    """The progress of a run that is one test, by the rows of its matches and the games left.

    None for all other runs, and for a test that is over.
    """
    if len(rows) != 1 or "llr" not in rows[0] or rows[0]["decision"] or not most:
        return None
    (row,) = rows
    views = [row[each] for each in ("llr", "llr_without_faults", "llr_faults_drawn")]
    llr = min(views) if sum(views) > 0 else max(views)
    llr = min(max(llr, row["lower"]), row["upper"])
    design = Design(row["elo0"], row["elo1"], *errors(row["lower"], row["upper"]), row["model"])
    counts = list(map(int, row["pentanomial"].split()))
    pairs = pairs_to_come(design, counts, llr, most / 2)
    return SprtProgress(llr, row["lower"], row["upper"], ceil(2 * pairs), most)


class ExpectedPairs(NamedTuple):
    shares: Sequence[float]  # Pairs of 0 to 2 points, or their shares, at any lead
    told: str  # The shares of drawn games and split pairs in words


def tosses() -> ExpectedPairs:
    return ExpectedPairs(pair_shares(DRAWS, SPLIT), conditions_text(DRAWS, SPLIT))


def pairs_as_in(rows: Iterable[GameRow], source: str) -> ExpectedPairs:
    """The pairs of a test whose players draw and split as often as in games of this source.

    Their sides are of no matter: a pair counts half for either. Pairs with a game that a fault
    ended tell nothing of others. One pair of two tosses is added, so that some are won and lost.
    """
    counts, drawn, split, pairs = [0] * 5, 0, 0, 0
    for row, other in in_pairs(rows):
        one, back = row.result, other.result
        if one.loser_by_fault or back.loser_by_fault:
            continue
        points, draws = pair_points(one, back), (one.winner, back.winner).count(None)
        counts[points] += 1
        pairs += 1
        drawn += draws
        split += points == 2 and not draws
    if not pairs:
        return tosses()
    even = [(each + mirror) / 2 for each, mirror in zip(counts, counts[::-1], strict=True)]
    added = pair_shares(DRAWS, SPLIT)
    shares = [each + more for each, more in zip(even, added, strict=True)]
    told = conditions_text(drawn / (2 * pairs), split / pairs)
    return ExpectedPairs(shares, f"{told}, as in {source}")


def outlook(test: Row, parameters: Mapping[str, Any], pairs: ExpectedPairs) -> Iterator[str]:
    """The power and the expected pairs of a test, by the row of its match and its parameters."""
    design = design_of(parameters)
    least, middle, most = (
        forecast(design, pairs.shares, elo) for elo in (design.elo0, design.midway, design.elo1)
    )
    unit = unit_of(design.model)
    yield (
        f"Expected: about {about(most.mean)} pairs if {test['one']} is "
        f"{lead_text(design.elo1, unit)} (H1 in {share_of(most.h1)}), {about(middle.mean)} at "
        f"{middle.elo:+g}, {about(least.mean)} at {least.elo:+g} (H1 in {share_of(least.h1)})."
    )
    ends = ""
    if middle.undecided >= RARE:
        ends = (
            f"; {design.pairs:,} pairs, the most, leave {share_of(middle.undecided)} of the tests "
            f"undecided at {middle.elo:+g}"
        )
    yield f"That is with {pairs.told}{ends}. `arena plan` has other conditions."


def expected_games(parameters: Mapping[str, Any]) -> int:
    """Games of a test that are expected before it starts, where that is longest: midway."""
    design = design_of(parameters)
    return ceil(2 * forecast(design, pair_shares(DRAWS, SPLIT), design.midway).mean)


def design_of(parameters: Mapping[str, Any]) -> Design:
    names = Design.__dataclass_fields__
    return Design(**{name: value for name, value in parameters.items() if name in names})


def conditions_text(draws: float, split: float) -> str:
    drawn = f"{share_of(draws)} of the games" if draws else "no game"
    return f"{drawn} drawn and {share_of(split)} of the pairs split"


def lead_text(elo: float, unit: str) -> str:
    if not elo:
        return "as strong as the other"
    return f"{abs(elo):g} {unit} {'better' if elo > 0 else 'worse'}"


def share_of(share: float) -> str:
    """A share of one as per cent, without digits."""
    return f"{share:.0%}".replace("%", " %")


class LiveTable(NamedTuple):
    headings: Sequence[str]
    rows: Sequence[Sequence[str]]
    justify: Literal["left", "right"] = "right"  # The side of all columns but the first


class View(NamedTuple):
    """What a terminal shows above the bar of the games."""

    parts: Sequence[str | LiveTable]
    test: SprtProgress | None = None
    """The progress of one test: its bar goes from one bound to the other."""
    may_end_early: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress(ABC):
    """The state of a run or a study, which `watch` is told before the first game and after each."""

    games: int  # Played so far
    total: int | None  # Games at most; None where results decide that
    record: GameRecord | None  # The game that has just ended; None before the first
    notes: Sequence[str] = ()  # Sentences to be read before the first game
    machines: Callable[[], list[str]] = list  # A line for each machine beside this one

    @abstractmethod
    def view(self) -> View:
        """What a terminal shows now."""

    @property
    def last_game(self) -> str:
        return summary(self.record) if self.record else ""

    @property
    def lines(self) -> Sequence[str]:
        """What has just ended, where there is no terminal."""
        return [self.last_game] if self.record else []
