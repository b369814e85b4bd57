"""The baseline of tuning methods: plain SPSA, one pair a step, the best fixed gain of a grid.

All studies of a kind, with all gains, are worked out at once. A step moves both sides by c from the
centre in all parameters, and the centre by r c times the points that one side won; both shrink as
Spall has it, to c and r at the end. The mean of the last fifth of the path is recommended.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from arena.tuning.model.posterior import Array
from arena.tuning.model.steps import ALPHA, GAMMA, LAST, WARM_UP
from benchmarks.landscapes import DRAWISH, GAP, KINDS, OPENING, pair_scores
from benchmarks.shapes import stacked


class StepGain(NamedTuple):
    """Fixed gains at the end: c is a share of the range, r a step in squares of c."""

    c: float
    r: float


GAINS = tuple(
    StepGain(c, r)
    for c in (0.01, 0.02, 0.03, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5)
    for r in (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1)
)
"""A grid so wide that the best gain of hardly any cell is at its edge."""


class Baseline(NamedTuple):
    """The gain with the lowest mean loss, and the losses of its studies."""

    gain: StepGain
    losses: Array


def best_of_gains(
    kind: str, parameters: int, games: int, seeds: Sequence[int], draws: str = "few"
) -> Baseline:
    """The baseline on landscapes of one kind, a study for each seed."""
    losses = spsa_losses(kind, parameters, games, seeds, draws)
    best = int(losses.mean(0).argmin())
    return Baseline(GAINS[best], losses[:, best])


def spsa_losses(
    kind: str,
    parameters: int,
    games: int,
    seeds: Sequence[int],
    draws: str = "few",
    gains: Sequence[StepGain] = GAINS,
) -> Array:
    """Elo lost (seeds, gains) at what SPSA recommends."""
    shape = stacked([KINDS[kind](parameters, seed, GAP) for seed in seeds])
    steps = games // 2
    chances = [chances_of(seed, steps, parameters) for seed in seeds]
    signs, opening, chance, draw = (
        np.stack(each, 1) for each in zip(*chances, strict=True)
    )  # (steps, seeds, ...)
    c, r = (np.array(each)[:, None] for each in zip(*gains, strict=True))
    centre = np.repeat(shape.start, len(gains), 1)
    late, total = steps - max(1, round(LAST * steps)), np.zeros_like(centre)
    for step in range(steps):
        wider = (steps / (step + 1)) ** GAMMA
        ratio = ((WARM_UP + 1) * steps / (WARM_UP * steps + step + 1)) ** ALPHA
        sign = signs[step][:, None]
        rounding = draw[step][:, None, None]
        plus, minus = (
            shape.playable(np.clip(centre + away, 0, 1), rounding)
            for away in (wider * c * sign, -wider * c * sign)
        )
        lead = shape.lead(plus, minus, step)
        both = chance[step].T[:, :, None]
        score = pair_scores(lead, opening[step][:, None], both, DRAWISH[draws])
        won = (4 * score - 2)[..., None]
        centre = np.clip(centre + r * ratio / wider * c * sign * won, 0, 1)
        if step >= late:
            total += centre
    return shape.loss(shape.playable(total / (steps - late)))


def chances_of(seed: int, steps: int, parameters: int) -> tuple[Array, Array, Array, Array]:
    """All that is left to chance in a study: signs, openings, two games each, roundings."""
    random = np.random.default_rng([88_000, seed])
    return (
        random.choice([-1.0, 1.0], (steps, parameters)),
        random.normal(0, OPENING, steps),
        random.random((steps, 2)),
        random.random(steps),
    )
