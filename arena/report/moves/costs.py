"""The plies, time, nodes and depth of each player's moves, from the columns of a run's games."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from arena.engine import Limit
from arena.errors import ConfigError, Fault
from arena.match.record import GameRecord, Numbered

Whole = NDArray[np.int64]

NO_SCORE = "-"
NEAR = 0.1
"""Share of a limit of time that is left after a move, below which the move was near it."""
FEWEST_NODES, FEWEST_A_PLY = 10, 2
"""Nodes of a search, in all and for each ply of its depth, that had a choice to make."""


@dataclass(frozen=True)
class Choices:
    """All choices of some games, game by game, as columns."""

    game: np.ndarray
    player: np.ndarray
    """The numbers of the game, and of the player, of each choice."""
    seconds: np.ndarray

    def total(self, values: np.ndarray | None, players: int) -> np.ndarray:
        """The sum over each player's choices; None: their number."""
        return np.bincount(self.player, values, minlength=players)


def thinking_frame(
    names: Sequence[str], games: pd.DataFrame, limits: Mapping[str, Limit]
) -> pd.DataFrame:
    """One row a player: mean plies of its games, what its choices cost on average, and its time.

    Nodes and depth are of the moves that were searched, of which forced and instant ones are none.
    """
    code = {name: i for i, name in enumerate(names)}
    seats = np.array([games["first"].map(code), games["second"].map(code)], dtype=int)
    choices, n = choice_columns(games, seats), len(names)
    nodes, depths = all_numbers(games["nodes"]), all_numbers(games["depths"])
    searched = is_searched(nodes, depths, (choices.total(nodes, n) > 0)[choices.player])
    played = np.bincount(seats.ravel(), minlength=n)
    plies = np.bincount(seats.ravel(), np.tile(games["plies"], 2), minlength=n)
    overruns, near = time_of(choices, [limits.get(name, Limit()) for name in names])
    with np.errstate(divide="ignore", invalid="ignore"):
        return pd.DataFrame(
            {
                "name": list(names),
                "plies": plies / played,
                "seconds_per_move": choices.total(choices.seconds, n) / choices.total(None, n),
                "nodes_per_second": choices.total(nodes, n)
                / choices.total(choices.seconds * (nodes > 0), n),
                "depth": choices.total(depths * searched, n) / choices.total(searched, n),
                "greatest_overrun": overruns,
                "near_limit": near,
            }
        )


def is_searched(nodes: np.ndarray, depths: np.ndarray, tells_nodes: np.ndarray) -> np.ndarray:
    """True for each choice by a search that, by its nodes, had more than one move to look at.

    For a player that never `tells_nodes`, these are the searches deeper than a ply.
    """
    most = np.maximum(FEWEST_NODES, FEWEST_A_PLY * depths)
    return (depths > 0) & np.where(tells_nodes, nodes >= most, depths > 1)


def choice_columns(games: pd.DataFrame, seats: np.ndarray) -> Choices:
    """The choices of these games, whose players are the `seats`.

    ValueError if a game has not as many nodes, or depths, as times.
    """
    number = word_counts(games["times"])
    if any((word_counts(games[column]) != number).any() for column in ("nodes", "depths")):
        raise ValueError("as many nodes and depths as times")
    game, ply = choice_plies(games["times"], games["opening"])
    return Choices(game, seats[ply % 2, game], all_numbers(games["times"]))


def choice_plies(texts: pd.Series[str], openings: pd.Series[str]) -> tuple[Whole, Whole]:
    """The place of the game, and the ply from 0, of each word: a word a choice."""
    number, opening = word_counts(texts), word_counts(openings)
    game = np.repeat(np.arange(len(texts)), number)
    ply = np.arange(len(game)) - np.repeat(np.cumsum(number) - number, number) + opening[game]
    return game, ply


def time_of(choices: Choices, limits: Sequence[Limit]) -> tuple[list[float], list[float]]:
    """For each player the greatest overrun, in seconds, and the share of moves near the limit.

    An overrun is what a move took over its limit, or over what its clock had left: negative if it
    ended before. A move is near the limit of a clock if a tenth of the whole time is left after it.
    Both are NaN for players whose time is not limited, or that never moved.
    """
    overruns, shares = [np.nan] * len(limits), [np.nan] * len(limits)
    for player, limit in enumerate(limits):
        if limit.seconds is None and limit.time_left is None:
            continue
        mine = choices.player == player
        if mine.any():
            over, near = overrun(choices.game[mine], choices.seconds[mine], limit)
            overruns[player], shares[player] = float(over.max()), float(near.mean())
    return overruns, shares


def overrun(game: np.ndarray, seconds: np.ndarray, limit: Limit) -> tuple[np.ndarray, np.ndarray]:
    """For each choice of a player the seconds over its limit, and whether it came near it."""
    over, near = np.full(len(seconds), -np.inf), np.zeros(len(seconds), dtype=bool)
    if limit.seconds is not None:
        over, near = seconds - limit.seconds, seconds > (1 - NEAR) * limit.seconds
    if limit.time_left is not None:
        left = left_after(game, seconds, limit.time_left, limit.increment or 0.0)
        over, near = np.maximum(over, -left), near | (left < NEAR * limit.time_left)
    return over, near


def left_after(
    game: np.ndarray, seconds: np.ndarray, time_left: float, increment: float
) -> np.ndarray:
    """The time left on the clock after each choice of a player, negative where it was overrun.

    What was forgiven is not carried over: see `match/terms.py`. The clock without that rule, less
    the least that it ever showed below nought, is the clock.
    """
    is_first = np.ones(len(game), dtype=bool)
    is_first[1:] = game[1:] != game[:-1]
    gained = np.where(is_first, time_left, increment)
    free = pd.Series(gained - seconds).groupby(game).cumsum()
    debt = free.groupby(game).cummin().groupby(game).shift(fill_value=0.0).clip(upper=0.0)
    return (free - debt).to_numpy()


def word_counts(texts: pd.Series[str]) -> np.ndarray:
    """The number of words in each text."""
    return np.array([text.count(" ") + 1 if text else 0 for text in texts], dtype=int)


def all_numbers(texts: pd.Series[str]) -> np.ndarray:
    """The numbers in all texts, one after the other."""
    return np.array(" ".join(filter(None, texts)).split(), dtype=float)


def score_numbers(texts: Iterable[str]) -> NDArray[np.float64]:
    """The scores in all texts, one after the other; NaN where an engine gave none."""
    words = " ".join(filter(None, texts)).split()
    return np.array(["nan" if word == NO_SCORE else word for word in words], dtype=float)


def check_costs(runs: Mapping[str, Numbered]) -> None:
    """Raise ConfigError for the first game without as many nodes and depths as times, or whose
    scores are no numbers."""
    for run, numbered in runs.items():
        for number, record in numbered:
            if not has_costs(record):
                message = "its times, nodes and depths are not as many numbers each, or scores none"
                raise ConfigError(Fault(f"{run}, game {number}", message))


def has_costs(record: GameRecord) -> bool:
    """Tell whether what is kept of a game's choices can be read."""
    try:
        score_numbers([record.scores])
        counts = {
            len([float(word) for word in text.split(" ")]) if text else 0
            for text in (record.times, record.nodes, record.depths)
        }
    except ValueError:
        return False
    return len(counts) == 1
