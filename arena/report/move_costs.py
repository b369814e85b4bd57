"""The plies, time, nodes and depth of each player's moves, from the columns of a run's games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from arena.errors import ConfigError, Fault
from arena.match.record import GameRecord, Numbered


def thinking_frame(names: Sequence[str], games: pd.DataFrame) -> pd.DataFrame:
    """One row a player: mean plies of its games, and what its choices cost on average."""
    code = {name: i for i, name in enumerate(names)}
    seats = np.array([games["first"].map(code), games["second"].map(code)], dtype=int)
    opening = word_counts(games["opening"])
    choices = word_counts(games["times"])
    game = np.repeat(np.arange(len(games)), choices)
    ply = np.arange(len(game)) - np.repeat(np.cumsum(choices) - choices, choices) + opening[game]
    player = seats[ply % 2, game]

    def total(values: np.ndarray | None, of: np.ndarray = player) -> np.ndarray:
        """The sum over each player's choices (or games)."""
        return np.bincount(of, values, minlength=len(names))

    moves, seconds = total(None), total(all_numbers(games["times"]))
    played = total(None, of=seats.ravel())
    with np.errstate(divide="ignore", invalid="ignore"):
        return pd.DataFrame(
            {
                "name": list(names),
                "plies": total(np.tile(games["plies"], 2), of=seats.ravel()) / played,
                "seconds_per_move": seconds / moves,
                "nodes_per_second": total(all_numbers(games["nodes"])) / seconds,
                "depth": total(all_numbers(games["depths"])) / moves,
            }
        )


def word_counts(texts: pd.Series[str]) -> np.ndarray:
    """The number of words in each text."""
    return np.array([text.count(" ") + 1 if text else 0 for text in texts], dtype=int)


def all_numbers(texts: pd.Series[str]) -> np.ndarray:
    """The numbers in all texts, one after the other."""
    return np.array(" ".join(filter(None, texts)).split(), dtype=float)


def check_costs(runs: Mapping[str, Numbered]) -> None:
    """ConfigError for the first game whose times, nodes and depths are not as many numbers each."""
    for run, numbered in runs.items():
        for number, record in numbered:
            if not has_costs(record):
                message = "its times, nodes and depths are not as many numbers each"
                raise ConfigError(Fault(f"{run}, game {number}", message))


def has_costs(record: GameRecord) -> bool:
    """Tell whether what is kept of a game's choices can be read."""
    try:
        counts = {
            len([float(word) for word in text.split(" ")]) if text else 0
            for text in (record.times, record.nodes, record.depths)
        }
    except ValueError:
        return False
    return len(counts) == 1
