"""Results as pandas frames: games, standings, win rates, and how the games ended."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from operator import attrgetter

import numpy as np
import pandas as pd

from arena import stats
from arena.record import FIELDS, GameRecord, values_of
from arena.tally import Standing, Tally

STANDING = [field.name for field in fields(Standing)]


@dataclass(frozen=True)
class Report:
    """All frames of a run, with the same names in every format."""

    games: pd.DataFrame
    """One row a game, in the order of the schedule: `game` and `pair` (numbers in the schedule),
    then the fields of `GameRecord`."""
    standings: pd.DataFrame
    """One row a player, the best score first: results, Elo against the field met with its 95 %
    interval, LOS, distinct pairs (the evidence behind these), and what its moves cost."""
    win_rates: pd.DataFrame
    """One row and one column a player: the row's score against the column; NaN if never met."""
    colours: pd.DataFrame
    """One row a player and seat (1: first): results and score."""
    endings: pd.DataFrame
    """One row for each reason and winner that came: games."""
    distinct_games: int
    """Games that differ in players, colours or moves."""


def report(names: Sequence[str], records: Iterable[tuple[int, GameRecord]]) -> Report:
    """All frames of the games that are numbered here."""
    numbered = list(records)
    tally = Tally(names)
    for _, record in numbered:
        tally.add(record)
    games = games_frame(numbered)
    return Report(
        games=games,
        standings=standings_frame(tally, games),
        win_rates=win_rates_frame(tally),
        colours=colours_frame(tally),
        endings=endings_frame(tally),
        distinct_games=len(games.drop_duplicates(["first", "second", "moves"])),
    )


def games_frame(numbered: Sequence[tuple[int, GameRecord]]) -> pd.DataFrame:
    """One row a game."""
    rows = [(number, (number + 1) // 2, *values_of(record)) for number, record in numbered]
    return pd.DataFrame(rows, columns=["game", "pair", *FIELDS]).astype({"winner": "Int64"})


def standings_frame(tally: Tally, games: pd.DataFrame) -> pd.DataFrame:
    """One row a player, the best first."""
    row = attrgetter(*STANDING)
    frame = pd.DataFrame([row(standing) for standing in tally.standings()], columns=STANDING)
    return frame.merge(thinking_frame(tally.names, games), on="name")


def thinking_frame(names: Sequence[str], games: pd.DataFrame) -> pd.DataFrame:
    """One row a player: mean plies of its games, and what its choices cost on average."""
    code = {name: i for i, name in enumerate(names)}
    seats = np.array([games["first"].map(code), games["second"].map(code)], dtype=int)
    opening = words(games["opening"])
    choices = words(games["times"])
    game = np.repeat(np.arange(len(games)), choices)
    ply = np.arange(len(game)) - np.repeat(np.cumsum(choices) - choices, choices) + opening[game]
    player = seats[ply % 2, game]

    def total(values: np.ndarray | None, of: np.ndarray = player) -> np.ndarray:
        """The sum over each player's choices (or games)."""
        return np.bincount(of, values, minlength=len(names))

    moves, seconds = total(None), total(numbers(games["times"]))
    played = total(None, of=seats.ravel())
    with np.errstate(divide="ignore", invalid="ignore"):
        return pd.DataFrame(
            {
                "name": list(names),
                "plies": total(np.tile(games["plies"], 2), of=seats.ravel()) / played,
                "seconds_per_move": seconds / moves,
                "nodes_per_second": total(numbers(games["nodes"])) / seconds,
                "depth": total(numbers(games["depths"])) / moves,
            }
        )


def words(texts: pd.Series[str]) -> np.ndarray:
    """How many words each text has."""
    return np.array([text.count(" ") + 1 if text else 0 for text in texts], dtype=int)


def numbers(texts: pd.Series[str]) -> np.ndarray:
    """The numbers in all texts, one after the other."""
    return np.array(" ".join(filter(None, texts)).split(), dtype=float)


def win_rates_frame(tally: Tally) -> pd.DataFrame:
    """The row player's score against the column player."""
    return pd.DataFrame(
        [[rate(tally.meetings(row, column)) for column in tally.names] for row in tally.names],
        index=pd.Index(tally.names, name="name"),
        columns=tally.names,
    )


def colours_frame(tally: Tally) -> pd.DataFrame:
    """Results of each player in each seat."""
    rows = []
    for seat in (1, 2):
        for name in tally.names:
            losses, draws, wins = results = tally.results_of(name, seat)
            rows.append((name, seat, sum(results), wins, draws, losses, rate(results)))
    return pd.DataFrame(rows, columns=["name", "seat", "games", "wins", "draws", "losses", "score"])


def endings_frame(tally: Tally) -> pd.DataFrame:
    """How often games ended for each reason, and whom it made the winner."""
    rows = [(*ending, games) for ending, games in tally.endings.most_common()]
    frame = pd.DataFrame(rows, columns=["reason", "winner", "games"])
    return frame.astype({"winner": "Int64", "games": int})


def rate(results: Sequence[int]) -> float:
    """The score of losses, draws and wins; NaN for no games."""
    return stats.score(results) if sum(results) else float("nan")
