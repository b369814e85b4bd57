"""The points that a study has played as the script of its page reads them.

The data are one JSON object:

    found: the name of the values that were found
    shown: the places of the axes that are shown at first
    axes: what is known of each point as a number: its trial, its Elo in it, the estimate of the
        trial's centre, then each weight. Each with `name`, `low`, `high` and `log` of its scale,
        `ticks` (values with their texts), `signed` (written with a plus), `choice` (the values are
        those of the ticks, and nothing lies between), `default` and `found` (null: not known)
    trials: each with `number`, `state`, `games`, `faults` (games that ended by one), `doubtful`
        (its Elo rests on them), `numbers` (the first and the last number of each
        row of games that it played, in the order in which the study's games ended) and `points`:
        the point's name (empty for one that is alone), then one number for each axis
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from arena.report.page.scales import AxisScale, around, tick_text
from arena.stats.rounding import DECIMALS
from arena.storage.database import Store
from arena.storage.folder import read_store
from arena.tuning.report.frames import Frames
from arena.tuning.space import Axis, Value
from arena.tuning.study import Study
from arena.tuning.trials import Told

DIGITS = 5
"""Significant digits of a weight, as in tables."""
TICKS = 6
ELO, WEIGHTS = 1, 3
"""The places of the Elo and of the first weight among the axes."""


def points_data(study: Study, frames: Frames) -> Mapping[str, Any]:
    """The points, trial by trial; empty before the first trial with a game is over."""
    told = [each for each in study.trials.told if each.answer.pairs]
    if not told:
        return {}
    axes, found = study.config.space.axes, frames.parameters.set_index("name")["tuned"]
    numbers = game_numbers(read_store(study.folder, Store.rounds) or [])
    return {
        "found": frames.name_of_values,
        "shown": [*_most_important(frames), ELO][:2],
        "axes": [*_result_axes(told), *(_weight_axis(axis, found[axis.name]) for axis in axes)],
        "trials": [_trial_data(each, axes, numbers) for each in told],
    }


def _most_important(frames: Frames) -> list[int]:
    """The places of the weights among the axes, those that matter most first."""
    ranked = frames.parameters["importance"].round(DECIMALS).reset_index(drop=True)
    return [WEIGHTS + int(i) for i in ranked.sort_values(ascending=False, kind="stable").index]


def game_numbers(rounds: Iterable[int]) -> dict[int, list[int]]:
    """The games of each round: first and last of each row of numbers without a gap."""
    found: dict[int, list[int]] = {}
    for number, round_ in enumerate(rounds, start=1):
        ends = found.setdefault(round_, [])
        if ends and ends[-1] == number - 1:
            ends[-1] = number
        else:
            ends += [number, number]
    return found


def _trial_data(
    told: Told, axes: Sequence[Axis], numbers: Mapping[int, list[int]]
) -> dict[str, Any]:
    """One trial with its points."""
    number = told.trial.number + 1
    return {
        "number": number,
        "state": "ended early" if told.is_stopped else "over",
        "games": told.games,
        "faults": told.faulty_games,
        "doubtful": told.is_doubtful,
        "numbers": numbers.get(number, []),
        "points": [
            [
                "" if side == "point" else side,
                number,
                round(-told.answer.elo if side == "minus" else told.answer.elo, 1),
                round(told.estimate, 1),
                *(_coded(axis, point[axis.name]) for axis in axes),
            ]
            for side, point in told.trial.sides.items()
        ],
    }


def _short(number: float) -> float:
    """A number with the digits that are shown of it."""
    return float(f"{number:.{DIGITS}g}")


def _coded(axis: Axis, value: Value) -> float:
    """A weight as a number: of a choice its place among all."""
    return axis.choices.index(value) if axis.choices else _short(float(value))


def _result_axes(told: Sequence[Told]) -> Iterator[dict[str, Any]]:
    """The trials' numbers, their results, and the estimates after them."""
    yield _axis_data("trial", AxisScale(1, max(told[-1].trial.number + 1, 2), 0, 1))
    elo = [sign * each.answer.elo for each in told for sign in (1, -1)]
    yield _axis_data("Elo", around(elo, 0, 1, least=20), signed=True)
    estimates = [each.estimate for each in told]
    yield _axis_data("estimate", around(estimates, 0, 1, least=20), signed=True)


def _weight_axis(axis: Axis, found: Any) -> dict[str, Any]:
    """The axis of a weight; `found` is its value, or none."""
    if not axis.choices:
        known = {"default": _short(float(axis.default)), "found": _short(float(found))}
        return _axis_data(axis.name, AxisScale(axis.low, axis.high, 0, 1, axis.log)) | known
    texts = list(map(str, axis.choices))
    return _axis_data(axis.name, AxisScale(-0.5, len(texts) - 0.5, 0, 1)) | {
        "ticks": list(enumerate(texts)),
        "choice": True,
        "default": axis.choices.index(axis.default),
        "found": texts.index(str(found)),
    }


def _axis_data(name: str, scale: AxisScale, signed: bool = False) -> dict[str, Any]:
    """An axis as a chart needs to know it."""
    ends = {"low": _short(scale.low), "high": _short(scale.high), "log": scale.is_log}
    ticks = [(value, tick_text(value, signed)) for value in scale.ticks(TICKS)]
    kind = {"signed": signed, "choice": False}
    return {"name": name, **ends, **kind, "ticks": ticks, "default": None, "found": None}
