"""The plies, time, nodes and depth of each player's moves, over the games of some runs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import pandas as pd

from arena.match.record import MICROSECONDS, Effort
from arena.storage.database import Games


def thinking_frame(names: Sequence[str], runs: Iterable[Games]) -> pd.DataFrame:
    """One row a player: mean plies of its games, what its choices cost on average, and its time.

    Nodes and depth are of the moves that were searched, of which forced and instant ones are none.
    An overrun is what a move took over its limit, or over what its clock had left: negative if it
    ended before. A move is near the limit of a clock if a tenth of the whole time is left after it.
    Both are NaN for players whose time is not limited, or that never moved.
    """
    efforts = [
        {"name": each.player, "games": each.games, "plies": each.plies, **each.effort._asdict()}
        for games in runs
        for each in games.efforts()
    ]
    columns = ["name", "games", "plies", *Effort._fields]
    by_player = pd.DataFrame(efforts, columns=columns).astype({"overrun": float}).groupby("name")
    sums = by_player.sum().assign(overrun=by_player["overrun"].max()).reindex(list(names))
    sums = sums.astype(float).reset_index(drop=True)
    with np.errstate(divide="ignore", invalid="ignore"):
        searched, deep = (
            sums["searched_depths"] / sums["searched"],
            sums["deep_depths"] / sums["deep"],
        )
        frame = {
            "name": list(names),
            "plies": sums["plies"] / sums["games"],
            "seconds_per_move": sums["time"] / MICROSECONDS / sums["choices"],
            "nodes_per_second": MICROSECONDS * sums["nodes"] / sums["time_with_nodes"],
            "depth": searched.where(sums["nodes"] > 0, deep),
            "greatest_overrun": sums["overrun"] / MICROSECONDS,
            "near_limit": (sums["near"] / sums["choices"]).where(sums["overrun"].notna()),
        }
    return pd.DataFrame(frame)


def total_seconds(runs: Iterable[Games]) -> float | None:
    """The time of all choices of games; None if it was not kept."""
    efforts = [each.effort for games in runs for each in games.efforts()]
    time = sum(effort.time for effort in efforts) / MICROSECONDS
    return time if any(effort.choices for effort in efforts) else None
