"""The plies, time, nodes and depth of each player's moves, over the games of some runs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import pandas as pd

from arena.match.efforts import MICROSECONDS, Effort
from arena.storage.database import PlayerEffort
from arena.storage.kept_games import Games


def thinking_frame(names: Sequence[str], runs: Iterable[Games]) -> pd.DataFrame:
    """One row a player: mean plies of its games, what its choices cost on average, and its time.

    Nodes and depth are of the moves that were searched, of which forced and instant ones are none.
    An overrun is what a move took over its limit, or over what its clock had left: negative if it
    ended before. A move is near the limit of a clock if a tenth of the whole time is left after it.
    Both are NaN for players whose time is not limited, or that never moved.
    """
    efforts = [games.efforts() for games in runs]
    totals = [added([run[name] for run in efforts if name in run]) for name in names]
    columns = {"games": [each.games for each in totals], "plies": [each.plies for each in totals]}
    for name in Effort._fields:
        columns[name] = [getattr(each.effort, name) for each in totals]
    sums = pd.DataFrame(columns, dtype=float)
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


def added(parts: Sequence[PlayerEffort]) -> PlayerEffort:
    """The costs of a player's moves in several runs together."""
    efforts = [each.effort for each in parts]
    overruns = [each.overrun for each in efforts if each.overrun is not None]
    sums = Effort(*(sum(filter(None, column)) for column in zip(Effort(), *efforts, strict=True)))
    return PlayerEffort(
        sum(each.games for each in parts),
        sum(each.plies for each in parts),
        sums._replace(overrun=max(overruns, default=None)),
    )


def total_seconds(runs: Iterable[Games]) -> float | None:
    """The time of all choices of games; None if it was not kept."""
    total = added([each for games in runs for each in games.efforts().values()]).effort
    return total.time / MICROSECONDS if total.choices else None
