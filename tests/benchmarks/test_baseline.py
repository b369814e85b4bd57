"""The baseline of tuning methods: plain SPSA, all studies at once, is the one worked out slowly."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.baseline import GAINS, StepGain, best_of_gains, chances_of, spsa_losses
from benchmarks.landscapes import DRAWISH, GAP, KINDS


def slow_loss(
    kind: str, parameters: int, games: int, seed: int, draws: str, gain: StepGain
) -> float:
    """The same study, step by step, game by game."""
    shape = KINDS[kind](parameters, seed, GAP)
    steps = games // 2
    every = zip(*chances_of(seed, steps, parameters), strict=True)
    centre, path = shape.start.copy(), []
    for number, (signs, opening, chances, draw) in enumerate(every):
        left = 1.1 * steps / (0.1 * steps + number + 1)
        c = gain.c * (steps / (number + 1)) ** 0.101
        a = gain.r * gain.c**2 * left**0.602
        sides = [shape.playable(np.clip(centre + sign * c * signs, 0, 1), draw) for sign in (1, -1)]
        lead = min(max(float(shape.lead(sides[0], sides[1], number)), -4000), 4000)
        won = 0
        for chance, help_of_opening in zip(chances, (opening, -opening), strict=True):
            elo = lead + help_of_opening
            win = 1 / (1 + 10 ** ((DRAWISH[draws] - elo) / 400))
            loss = 1 / (1 + 10 ** ((DRAWISH[draws] + elo) / 400))
            won += int(chance < win) - int(chance > 1 - loss)
        centre = np.clip(centre + a / c * won * signs, 0, 1)
        path.append(centre)
    mean = np.mean(path[-round(0.2 * steps) :], axis=0)
    return float(shape.loss(shape.playable(mean)))


@pytest.mark.parametrize("draws", DRAWISH)
@pytest.mark.parametrize("kind", KINDS)
def test_studies_worked_out_at_once_are_those_worked_out_one_by_one(kind: str, draws: str) -> None:
    gains = GAINS[30:33]
    at_once = spsa_losses(kind, 5, 120, [1, 4], draws, gains)
    slow = [[slow_loss(kind, 5, 120, seed, draws, gain) for gain in gains] for seed in (1, 4)]
    assert at_once == pytest.approx(np.array(slow))


def test_the_gain_counts_whose_mean_loss_is_least() -> None:
    losses = spsa_losses("plain", 3, 400, range(5))
    best = best_of_gains("plain", 3, 400, range(5))
    assert best.losses.mean() == losses.mean(0).min()
    assert (losses[:, GAINS.index(best.gain)] == best.losses).all()


@pytest.mark.slow
def test_plain_spsa_gains_most_of_what_the_start_loses() -> None:
    assert best_of_gains("plain", 6, 4_000, range(6)).losses.mean() < 8


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["plain", "skew and misjudged", "corner"])
def test_the_best_gain_is_not_at_the_end_of_the_grid(kind: str) -> None:
    best = best_of_gains(kind, 6, 4_000, range(2_000, 2_006)).gain
    lengths, steps = ({gain[i] for gain in GAINS} for i in (0, 1))
    assert min(lengths) < best.c < max(lengths)
    assert min(steps) < best.r < max(steps)
