"""Games of a search that ended by faults: how many, whose, and at which values they gather."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from arena.report.numbers import DOUBT, format_number
from arena.stats.rounding import greatest, rounded
from arena.tuning.settings.conditions import DEFAULT
from arena.tuning.settings.config import TuningConfig
from arena.tuning.space import Axis, Values
from arena.tuning.trials import Told

SURELY = 1.63
"""The 1 % quantile of Kolmogorov's distribution: a gap between the shares of n faulty games and of
all games is hardly chance if it is more than this by the root of n."""
DIGITS = 3  # Significant digits of a bound at which values with faults begin

Floats = NDArray[np.float64]


class PlayedPoint(NamedTuple):
    """A point of a trial."""

    values: Values
    games: int  # Games of its trial
    faults: int  # Games that it lost by faults of its own


class PointSet(NamedTuple):
    """Some of the points played."""

    gap: float  # Their share of the faulty games, less that of all games
    faults: int
    name: str


def faulty_games(told: Iterable[Told]) -> int:
    return sum(each.faulty_games for each in told)


def count_text(told: Sequence[Told]) -> str:
    """The number of games that ended by faults, of all: `40 of 120 games of the search ...`."""
    faults, games = faulty_games(told), sum(each.games for each in told)
    noun = "a fault" if faults == 1 else "faults"
    return f"{faults:,} of {games:,} games of the search ended by {noun}"


def faults_texts(config: TuningConfig, told: Sequence[Told]) -> Iterator[str]:
    if not faulty_games(told):
        return
    played = list(_played_points(config, told))
    own = sum(each.faults for each in played)
    others = faulty_games(told) - own
    gathered = _gathered_text(config.space.axes, played) if own else ""
    if own and others:
        at = f" ({gathered})" if gathered else ""
        whose = f", {own:,} of the engine{at} and {others:,} of the opponents"
    elif own:
        whose = f" of the engine, {gathered}" if gathered else " of the engine"
    else:
        whose = " of the opponents"
    mark = f" Elo with {DOUBT} rests on them." if any(each.is_doubtful for each in told) else ""
    yield f"{count_text(told)}{whose}.{mark}"


def _played_points(config: TuningConfig, told: Iterable[Told]) -> Iterator[PlayedPoint]:
    """The points of trials; where these met the default, that is one, too."""
    for each in told:
        for point, faults in zip(each.trial.points, each.faults, strict=False):
            yield PlayedPoint(point, each.games, faults)
        if config.rivals == [DEFAULT]:
            yield PlayedPoint(config.space.default, each.games, each.faults[-1])


def _gathered_text(axes: Iterable[Axis], played: Sequence[PlayedPoint]) -> str:
    games, faults = np.array([(each.games, each.faults) for each in played], dtype=float).T
    best = max(
        (part for axis in axes for part in _parts(axis, played, games, faults)),
        key=lambda part: rounded(part.gap),
    )
    if best.gap <= SURELY / sqrt(faults.sum()):
        return ""
    count = "all" if best.faults == faults.sum() else f"{best.faults:,}"
    return f"{count} of them with {best.name}"


def _parts(
    axis: Axis, played: Sequence[PlayedPoint], games: Floats, faults: Floats
) -> Iterator[PointSet]:
    """Points above the bound where faults begin or end, and below; of a choice, each value's."""
    values = [each.values[axis.name] for each in played]

    def part(inside: NDArray[np.bool_], name: str) -> PointSet:
        count = faults[inside].sum()
        return PointSet(count / faults.sum() - games[inside].sum() / games.sum(), int(count), name)

    if axis.choices:
        for choice in axis.choices:
            yield part(np.array([value == choice for value in values]), f"{axis.name} = {choice}")
        return
    numbers = np.array(values, dtype=float)
    bound = _bound(numbers, games, faults)
    text = format_number(int(bound) if axis.is_whole else bound)
    yield part(numbers > bound, f"{axis.name} above {text}")
    yield part(numbers <= bound, f"{axis.name} at most {text}")


def _bound(numbers: Floats, games: Floats, faults: Floats) -> float:
    """The value up to which the shares of faults and of games differ most, rounded: what is said of
    it is counted by the rounded one."""
    order = np.argsort(numbers, kind="stable")
    gaps = np.cumsum(faults[order]) / faults.sum() - np.cumsum(games[order]) / games.sum()
    is_last = np.append(np.diff(numbers[order]) > 0, True)  # of equal values
    place = greatest(np.where(is_last, np.abs(gaps), -1.0))
    return float(f"{numbers[order][place]:.{DIGITS}g}")
