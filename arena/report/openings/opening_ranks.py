"""Openings one by one: what the games on each tell, and which are known to be one-sided.

An opening is one-sided if, of ten games or more, the first player took less than a tenth of the
points or more than nine: as in fishtest's books, fewer games say nothing. Games that chose the
openings flatter these, so the evidence of those that are kept is taken from games that did not.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import isfinite

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from arena.errors import ConfigError
from arena.match.pairs import Results, identity, pair_points, points_of_first
from arena.match.record import Numbered
from arena.report.export import Contents
from arena.report.numbers import about, share_text
from arena.report.openings.opening_tables import for_people
from arena.report.verdict import Conclusion
from arena.stats.davidson import Floats
from arena.stats.evidence import (
    PairEvidence,
    PairSums,
    evidence_gain,
    pair_evidence,
    share_intervals,
    sprt_games,
)

Booleans = NDArray[np.bool_]
Integers = NDArray[np.int64]

FEWEST_GAMES = 10
"""Games on an opening below which nothing is known of it."""
MOST_ONE_SIDED = 0.1
"""The first player's share, or the second's, below which an opening is one-sided."""
FOLDS = 10
"""Parts of the games, of which one after the other does not choose."""
SHOWN = 30
"""Openings that people are shown; programs have all."""
ALL, KEPT = "all", "kept"
COLUMNS = ["openings", "pairs", "first_score", "split", "evidence", "evidence_low", "evidence_high"]
NOTES = (
    "first: the first player's share of the points. split: pairs of which each player won one, "
    "both with the same colour. Intervals are of 95 %.",
    "kept: pairs on openings that the games of other pairings (of a single one, other rounds) do "
    "not show to be one-sided: 10 games or more, the first player's share outside 10 to 90 %.",
    "nElo2/pair: the evidence in a pair, normalized Elo squared. SPRT: the games that a test needs "
    "on average, with errors of 5 %, between players who differ as these did.",
)


@dataclass(frozen=True, eq=False)
class PlayedPairs:
    """The pairs of some runs, no copies among them, one place of each array for each pair."""

    texts: list[str]
    """The openings, as they were played first; those that are alike when turned are one."""
    opening: Integers
    meeting: Integers
    round: Integers
    """The number of its meeting's round."""
    lead: Floats
    """One player's share of the points less one half: of each meeting, always of one player."""
    first: Floats
    """The first players' points in both games."""
    split: Booleans

    def sums(self, chosen: Booleans) -> PairSums:
        """The sums of some pairs, of those meetings that did not end all pairs alike."""
        shape = int(self.meeting.max(initial=-1)) + 1, len(self.texts)
        where = self.meeting[chosen], self.opening[chosen]
        lead = self.lead[chosen]
        found = PairSums(*(np.zeros(shape) for _ in range(3)))
        for each, values in zip(found, (np.ones_like(lead), lead, lead**2), strict=True):
            np.add.at(each, where, values)
        telling = [len(np.unique(self.lead[self.meeting == i])) > 1 for i in range(shape[0])]
        return PairSums(*(each[telling] for each in found))

    def points(self, chosen: Booleans) -> tuple[Floats, Floats]:
        """The first players' points and the games on each opening, of some pairs."""
        count = len(self.texts)
        where = self.opening[chosen]
        points = np.bincount(where, self.first[chosen], count).astype(float)
        return points, 2 * np.bincount(where, minlength=count).astype(float)

    def one_sided(self, chosen: Booleans) -> Booleans:
        """True for each opening that some pairs show to be one-sided."""
        points, games = self.points(chosen)
        low, high = MOST_ONE_SIDED * games, (1 - MOST_ONE_SIDED) * games
        found: Booleans = (games >= FEWEST_GAMES) & ((points < low) | (points > high))
        return found

    def unseen(self) -> Booleans | None:
        """True for each pair on an opening that is kept by the pairs of the other parts.

        The parts are of whole meetings, or of rounds if there is one meeting only; None for one
        round of one meeting.
        """
        groups = self.meeting if len(np.unique(self.meeting)) > 1 else self.round
        names = np.unique(groups)
        if len(names) < 2:
            return None
        order = np.random.default_rng(0).permutation(len(names))
        parts = order[np.searchsorted(names, groups)] % FOLDS
        kept = np.zeros(len(self.opening), bool)
        for part in np.unique(parts):
            out = parts == part
            kept[out] = ~self.one_sided(~out)[self.opening[out]]
        return kept


def played_pairs(runs: Mapping[str, Numbered]) -> PlayedPairs:
    """The pairs of these runs; of copies of a pair the first.

    Raises ConfigError for openings that players made by swap2: both games of a pair have their own.
    """
    openings, texts, meetings = dict[str, int](), list[str](), dict[tuple[str, str, str], int]()
    rows = []
    for run, numbered in runs.items():
        results, seen = Results(), set[int]()
        for _, record in numbered:
            if record.proposer:
                made = "its players made their openings by swap2, so no two games need share one"
                raise ConfigError(f"{run} cannot be ranked: {made}")
            other = results.add(record)
            if not other or (mark := identity(record, other)) in seen:
                continue
            seen.add(mark)
            one, two = sorted((record.first, record.second))
            points = pair_points(record, other)
            opening = openings.setdefault(record.start or record.opening, len(openings))
            if opening == len(texts):
                texts.append(record.opening)
            meeting = meetings.setdefault((run, one, two), len(meetings))
            lead = (points if record.first == one else 4 - points) / 4 - 0.5
            first = (points_of_first(record) + points_of_first(other)) / 2
            is_split = record.winner is not None and record.winner == other.winner
            rows.append((opening, meeting, record.round, lead, first, is_split))
    columns = np.array(rows, float).reshape(-1, 6).T
    opening_numbers, meeting_numbers, rounds = columns[:3].astype(int)
    leads, firsts, splits = columns[3:]
    return PlayedPairs(texts, opening_numbers, meeting_numbers, rounds, leads, firsts, splits > 0)


def ranked_openings(played: PlayedPairs) -> Contents:
    """The contents of the report: the book with and without its one-sided openings, then each."""
    book, openings = book_frame(played), opening_frame(played)
    return Contents(
        {"book": book, "openings": openings},
        [("Book", book_table(book)), ("Openings", opening_table(openings))],
        {},
        NOTES,
        verdict=rank_verdict(played),
        feet={"Openings": more_openings(len(openings))},
    )


def book_frame(played: PlayedPairs) -> pd.DataFrame:
    """Two rows: all openings, and those that are kept, on games that did not choose them."""
    rows = {ALL: np.ones(len(played.opening), bool), KEPT: played.unseen()}
    found = [
        (name, *book_figures(played, chosen)) for name, chosen in rows.items() if chosen is not None
    ]
    frame = pd.DataFrame(found, columns=["book", *COLUMNS])
    frame["sprt_games"] = [sprt_games(value) for value in frame["evidence"]]
    return frame


def book_figures(played: PlayedPairs, chosen: Booleans) -> Iterator[float]:
    """The columns of some pairs; NaN for what they do not tell."""
    count = int(chosen.sum())
    yield from (len(np.unique(played.opening[chosen])), count)
    yield played.first[chosen].mean() / 2 if count else float("nan")
    yield played.split[chosen].mean() if count else float("nan")
    sums = played.sums(chosen)
    there = sums.pairs.any(axis=0)
    yield from (
        pair_evidence(PairSums(*(each[:, there] for each in sums)))
        if there.any()
        else PairEvidence(*[float("nan")] * 3)
    )


def opening_frame(played: PlayedPairs) -> pd.DataFrame:
    """A row for each opening, first those that are lopsided for sure."""
    chosen = np.ones(len(played.opening), bool)
    points, games = played.points(chosen)
    split = np.bincount(played.opening, played.split, len(played.texts)).astype(float)
    first_low, first_high = share_intervals(points, games)
    split_low, split_high = share_intervals(split, games / 2)
    frame = pd.DataFrame(
        {
            "opening": played.texts,
            "pairs": (games / 2).astype(int),
            "first_score": points / games,
            "first_low": first_low,
            "first_high": first_high,
            "split": 2 * split / games,
            "split_low": split_low,
            "split_high": split_high,
            "one_sided": played.one_sided(chosen),
        }
    )
    surely = np.maximum(first_low - 0.5, 0.5 - first_high)
    return frame.loc[np.argsort(-surely, kind="stable")].reset_index(drop=True)


def rank_verdict(played: PlayedPairs) -> Conclusion:
    """The number of openings to leave out, and what that gains on games that did not choose."""
    everything = np.ones(len(played.opening), bool)
    count, kept = int(played.one_sided(everything).sum()), played.unseen()
    text = f"{count} of {len(played.texts)} openings known to be one-sided"
    if not count:
        _, games = played.points(everything)
        if games.max(initial=0) < FEWEST_GAMES:
            few = f"no opening has the {FEWEST_GAMES} games that it takes to know"
            return Conclusion(text, few, next_step="Rank more runs on these openings together.")
        return Conclusion(text, next_step="There is nothing to leave out.")
    if kept is None:
        return Conclusion(text, "one round of one pairing does not tell what is gained without")
    gain = evidence_gain(played.sums(kept), played.sums(everything))
    if not isfinite(gain.high):
        return Conclusion(text, "these games do not tell what is gained without")
    basis = (
        f"without, a pair has {gain.value:.2f} times the evidence "
        f"({gain.low:.2f} to {gain.high:.2f}), on games that did not choose"
    )
    return Conclusion(text, basis, "good" if gain.low > 1 else "open")


def book_table(frame: pd.DataFrame) -> pd.DataFrame:
    """The frame of the book as people read it."""
    table = for_people(frame, ["book", "openings", "pairs"])
    games = frame["sprt_games"]
    table["SPRT"] = [f"{about(each)} games" if isfinite(each) else "-" for each in games]
    return table


def opening_table(frame: pd.DataFrame) -> pd.DataFrame:
    """The first rows of the frame of openings as people read them."""
    shown = frame.head(SHOWN)
    table = shown[["opening", "pairs"]].copy()
    for title, column in (("first", "first"), ("split", "split")):
        value = shown["first_score" if column == "first" else column]
        table[title] = value.map(share_text)
        ends = zip(shown[f"{column}_low"], shown[f"{column}_high"], strict=True)
        table[f"{title} 95 %"] = [f"{share_text(low)} to {share_text(high)}" for low, high in ends]
    table["one-sided"] = np.where(shown["one_sided"], "yes", "")
    return table


def more_openings(count: int) -> list[str]:
    """A line on the openings that are not shown, if any are not."""
    if count <= SHOWN:
        return []
    return [f"and {count - SHOWN} more, less lopsided: --format csv has all"]


def kept_text(played: PlayedPairs) -> str:
    """A file of the openings that are not known to be one-sided, in the order of their games."""
    points, games = played.points(np.ones(len(played.opening), bool))
    out = played.one_sided(np.ones(len(played.opening), bool))
    lines = [
        f"{text} # {won / count:.0%} of {count:.0f} games"
        for text, won, count, is_out in zip(played.texts, points, games, out, strict=True)
        if not is_out
    ]
    return "\n".join(["# Openings, each with the first player's share of its games.", *lines, ""])
