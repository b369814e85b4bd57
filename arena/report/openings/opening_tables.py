"""Openings: how well sets of them tell equal players apart, and what players made of swap2."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from math import isnan

import numpy as np
import pandas as pd

from arena.match.columns import Games
from arena.match.pairs import Results, identity, pair_points, points_of_first
from arena.match.record import GameRecord, Numbered, key
from arena.match.swap2_rule import parts_of
from arena.report.export import Contents
from arena.report.numbers import share_text
from arena.stats.evidence import PairEvidence, PairSums, pair_evidence

FULL = 4
"""Half points of a pair."""
NOTES = (
    "first: the first player's share of the points. split: pairs of which each player won one, "
    "both with the same colour.",
    "nElo2/pair: the square of normalized Elo, with its 95 % interval: where it is twice as large, "
    "half the pairs tell the players apart.",
)

AT_THREE, AT_FIVE = ("swap", "stay", "two"), ("swap_at_five", "stay_at_five")
"""Columns of the choices at three stones, and at five."""
SWAP2_TITLES = {
    "name": "name",
    "proposed": "proposed",
    "proposer_score": "score then",
    "chose": "chose",
    "swap": "swap",
    "stay": "stay",
    "two": "two more",
    "swap_at_five": "swap at 5",
    "stay_at_five": "stay at 5",
}


@dataclass
class OpeningTally:
    """The count of one run's games and distinct pairs, by the openings that they were played on."""

    games: int = 0
    first: int = 0
    """Half points of the first player."""
    pairs: int = 0
    split: int = 0
    points: dict[tuple[str, str], dict[str, list[int]]] = field(default_factory=dict)
    """Half points of one player in each pair, by the two players and the opening."""

    def add_pair(self, record: GameRecord, other: GameRecord) -> None:
        """Count a pair that is no copy of another."""
        first, second, opening, _ = key(record)
        one, two = sorted((first, second))
        points = pair_points(record, other)
        starts = self.points.setdefault((one, two), {})
        starts.setdefault(opening, []).append(points if first == one else 4 - points)
        self.pairs += 1
        # By swap2, one player may win both games with the same colour.
        is_shared = 2 * points == FULL
        self.split += is_shared and record.winner is not None and record.winner == other.winner

    def is_one_sided(self, meeting: tuple[str, str]) -> bool:
        """True if every pair ended alike, or no pair was played."""
        return len({*chain(*self.points.get(meeting, {}).values())}) < 2


def tally_of_openings(numbered: Numbered) -> OpeningTally:
    """The count of a run's games."""
    tally, results, seen = OpeningTally(), Results(), set[int]()
    for _, record in numbered:
        tally.games += 1
        tally.first += points_of_first(record)
        if (other := results.add(record)) and (mark := identity(record, other)) not in seen:
            seen.add(mark)
            tally.add_pair(record, other)
    return tally


def compared_openings(runs: Mapping[str, Numbered]) -> Contents:
    """The contents of the report on the openings of these runs, one row a run."""
    tallies = {name: tally_of_openings(numbered) for name, numbered in runs.items()}
    every = sorted({meeting for tally in tallies.values() for meeting in tally.points})
    meetings = [
        meeting
        for meeting in every
        if not any(tally.is_one_sided(meeting) for tally in tallies.values())
    ]
    rows = [(name, *figures(tally, meetings)) for name, tally in tallies.items()]
    columns = ["run", "openings", "games", "pairs", "first_score", "split"]
    frame = pd.DataFrame(rows, columns=[*columns, "evidence", "evidence_low", "evidence_high"])
    left_out = len(every) - len(meetings)
    meant = f"nElo2/pair is over the {len(meetings)} pairings of all {len(every)}"
    why = ": the others never met, or ended all their pairs alike, in one of the runs"
    notes = [*NOTES, meant + (why if left_out else "") + "."]
    table = for_people(frame, ["run", "openings", "games", "pairs"])
    return Contents({"openings": frame}, [("Openings", table)], {}, notes)


def figures(tally: OpeningTally, meetings: list[tuple[str, str]]) -> Iterator[float]:
    """The columns of a run's row; NaN for what its games do not tell."""
    openings = sorted({start for starts in tally.points.values() for start in starts})
    yield from (len(openings), tally.games, tally.pairs)
    yield tally.first / (2 * tally.games) if tally.games else float("nan")
    yield tally.split / tally.pairs if tally.pairs else float("nan")
    yield from evidence_of_tally(tally, meetings, openings)


def evidence_of_tally(
    tally: OpeningTally, meetings: list[tuple[str, str]], openings: list[str]
) -> PairEvidence:
    """The evidence in a pair of these meetings."""
    if not meetings:
        return PairEvidence(*[float("nan")] * 3)
    shape = len(meetings), len(openings)
    pairs, shares, squares = np.zeros(shape), np.zeros(shape), np.zeros(shape)
    column = {start: i for i, start in enumerate(openings)}
    for row, meeting in enumerate(meetings):
        for start, points in tally.points[meeting].items():
            leads = np.array(points) / FULL - 0.5
            where = row, column[start]
            pairs[where], shares[where], squares[where] = len(leads), leads.sum(), leads @ leads
    return pair_evidence(PairSums(pairs, shares, squares))


def for_people(frame: pd.DataFrame, names: list[str]) -> pd.DataFrame:
    """These columns, and then shares and evidence, as people read them."""
    table = frame[names].copy()
    for title, column, text in (
        ("first", "first_score", share_text),
        ("split", "split", share_text),
        ("nElo2/pair", "evidence", "{:,.0f}".format),
    ):
        table[title] = ["-" if isnan(value) else text(value) for value in frame[column]]
    ends = zip(frame["evidence_low"], frame["evidence_high"], strict=True)
    table["95 %"] = ["-" if isnan(low) else f"{low:,.0f} to {high:,.0f}" for low, high in ends]
    return table


def swap2_frame(names: Sequence[str], runs: Mapping[str, Games]) -> pd.DataFrame:
    """One row a player, and nothing if no game was opened so.

    The games that it `proposed`, its share of the points in these (`proposer_score`), the games in
    which it `chose` at three stones, how often it did what; the same at five, for proposers.
    """
    made = [games.part(games.proposer > 0) for games in runs.values()]
    rows = {name: dict.fromkeys([*SWAP2_TITLES][1:], 0) for name in names} if any(made) else {}
    points = dict.fromkeys(names, 0.0)
    for record in chain.from_iterable(games.records() for games in made):
        seat, winner = record.proposer, record.winner
        proposer, other = record.player(seat), record.player(3 - seat)
        rows[proposer]["proposed"] += 1
        points[proposer] += 0.5 if winner is None else float(winner == seat)
        answers = [answer for answer, _, _ in parts_of(record.swap2)]
        for answer in {*answers[1:2]} & {*AT_THREE}:
            rows[other]["chose"] += 1
            rows[other][answer] += 1
        for answer in {f"{each}_at_five" for each in answers[2:3]} & {*AT_FIVE}:
            rows[proposer][answer] += 1
    frame = pd.DataFrame(
        [{"name": name, **row} for name, row in rows.items()], columns=[*SWAP2_TITLES]
    )
    scores = [points[name] / row["proposed"] for name, row in rows.items() if row["proposed"]]
    frame["proposer_score"] = pd.Series(scores, frame.index[frame["proposed"] > 0], dtype=float)
    return frame


def swap2_title(frame: pd.DataFrame) -> str:
    """The proposers' share of the points, and the shares of the choices at three stones."""
    score = (frame["proposer_score"] * frame["proposed"]).sum() / frame["proposed"].sum()
    chosen = frame[[*AT_THREE]].sum() / max(frame["chose"].sum(), 1)
    words = [f"{SWAP2_TITLES[str(name)]} {share_text(share)}" for name, share in chosen.items()]
    return ", ".join([f"Swap2: the proposer took {share_text(score)} of the points", *words])


def swap2_table(frame: pd.DataFrame) -> pd.DataFrame:
    """The frame as people read it: choices as shares."""
    table = frame.copy().astype(object)
    table["proposer_score"] = frame["proposer_score"].map(share_text, na_action="ignore")
    for columns in (AT_THREE, AT_FIVE):
        whole = frame[[*columns]].sum(axis=1)
        for name in columns:
            table[name] = (frame[name] / whole).map(share_text, na_action="ignore")
    if not frame[[*AT_FIVE]].to_numpy().any():
        table = table.drop(columns=[*AT_FIVE])
    return table.fillna("-").rename(columns=SWAP2_TITLES)
