"""Tests of two hypotheses played by the thousand, pair by pair, where no formula is near enough.

A test that ends after few pairs, or few that are not drawn, is no Brownian motion: single results
move its LLR far, and the variance that the LLR divides by is hardly known. Such a test is short to
simulate. This is a module of its own since numba takes half a second to import.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from arena.jit import kernel
from arena.stats.davidson import Floats
from arena.stats.elo import EMPTY_COUNT, NORMALIZED_UNIT, expected_score
from arena.stats.sprt import MOST_STEPS, Model, leaning

TESTS = 2000
STRIDES = 32
"""In a run of equal pairs, the LLR is looked at whenever the pairs are more by one in so many."""
KINDS = 5
CLOSE = 1e-5  # The relative step of a maximum after which it is found: the LLR is nearer still
MOST_TURNS = 20
"""Steps towards a maximum, and turns towards shares with a t-value; five of each are usual."""
SETTLED = 1e-5  # The change of shares in a turn below which they have the t-value


class Ends(NamedTuple):
    pairs: Floats  # Of each test, at most as many as were allowed
    decisions: NDArray[np.int64]  # 1 and -1 where H1 and H0 were accepted, 0 where neither was


def simulated_ends(
    shares: Sequence[float],
    hypotheses: tuple[float, float],
    model: Model,
    bounds: tuple[float, float],
    pairs: int,
) -> Ends:
    """The ends of `TESTS` tests of players whose pairs have these shares, each above 0.

    `hypotheses` are in Elo of the model, `bounds` those of the LLR, and `pairs` the most of a test.
    The random numbers are always the same.
    """
    true = np.array(shares)
    common = int(true.argmax())
    others = np.where(np.arange(KINDS) == common, 0, true)
    edges = others.cumsum() / others.sum()
    ends = Ends(np.zeros(TESTS), np.zeros(TESTS, np.int64))
    share = float(true.max() / true.sum())
    _play(common, share, edges, *targets_of(hypotheses, model), *bounds, pairs, *ends)
    return ends


def targets_of(hypotheses: tuple[float, float], model: Model) -> tuple[tuple[float, float], Floats]:
    """The hypotheses as scores, without shares; or as t-values, with shares that have them."""
    if model == "logistic":
        one, two = map(expected_score, hypotheses)
        return (one, two), np.zeros((0, KINDS))
    one, two = (elo / NORMALIZED_UNIT * sqrt(2) for elo in hypotheses)
    scores = [i / (KINDS - 1) for i in range(KINDS)]
    return (one, two), np.array([leaning(scores, each) for each in (one, two)])


@kernel
def _play(
    common: int,
    share: float,
    edges: Floats,
    targets: tuple[float, float],
    leaning_shares: Floats,
    lower: float,
    upper: float,
    most: int,
    pairs: Floats,
    decisions: NDArray[np.int64],
) -> None:
    """Play each test to its end, and put that into the last two arrays.

    A test is a series of runs of the commonest kind of pair, whose share is `share`, with one of
    another kind after each; `edges` add up the chances of these.
    """
    counts = np.zeros(KINDS)
    for test in range(len(pairs)):
        counts[:] = 0
        word = np.uint32(test * 0x9E3779B9)
        played, last, decision = 0, 0.0, 0
        number, word = _random(word)
        run = _run_length(number, share, most)
        while decision == 0 and played < most:
            step = min(run, max(1, played // STRIDES), most - played)
            kind = common
            if step > 0:
                run -= step
            else:
                number, word = _random(word)
                kind = 0
                while edges[kind] <= number:
                    kind += 1
                number, word = _random(word)
                run, step = _run_length(number, share, most), 1
            counts[kind] += step
            llr = llr_of_counts(counts, targets, leaning_shares)
            if llr >= upper or llr <= lower:
                decision = 1 if llr >= upper else -1
                # Within a run the LLR moves smoothly, and met its bound on the way.
                met = upper if llr >= upper else lower
                step = max(1, int(np.ceil(step * (met - last) / (llr - last))))
            played += step
            last = llr
        pairs[test], decisions[test] = played, decision


@kernel
def _random(word: np.uint32) -> tuple[float, np.uint32]:
    """A random number between 0 and 1, and the word that the next one is made of (mulberry32)."""
    word = np.uint32(word + 0x6D2B79F5)
    mixed = np.uint32((word ^ (word >> 15)) * (word | 1))
    mixed = np.uint32(mixed ^ np.uint32(mixed + np.uint32((mixed ^ (mixed >> 7)) * (mixed | 61))))
    return (np.uint32(mixed ^ (mixed >> 14)) + 0.5) / 2.0**32, word


@kernel
def _run_length(number: float, share: float, most: int) -> int:
    """The pairs of a kind with this share before the next one of another kind."""
    return int(min(np.log(number) / np.log(share), most))


@kernel
def llr_of_counts(counts: Floats, targets: tuple[float, float], leaning_shares: Floats) -> float:
    """The LLR of pentanomial counts (`stats.sprt.llr`)."""
    filled = np.maximum(counts, EMPTY_COUNT)
    values = np.zeros(KINDS)
    losses = np.zeros(2)
    for side in range(2):
        target = targets[side]
        for i in range(KINDS):
            values[i] = i / (KINDS - 1) - target
        if len(leaning_shares):
            _linearise(filled, target, leaning_shares[side], values)
        pole, y = _tilt(filled, values)
        for i in range(KINDS):
            losses[side] += filled[i] * np.log(1 + (y - 1) * values[i] / pole)
    return float(losses[0] - losses[1])


@kernel
def _linearise(counts: Floats, t: float, leaning_shares: Floats, values: Floats) -> None:
    """Set values whose mean is 0 in the likeliest shares with this t-value.

    They come from `stats.sprt.with_t_value`'s steps.
    """
    shares, total = np.full(KINDS, 1 / KINDS), counts.sum()
    for _ in range(MOST_TURNS):
        _set_slopes(shares, t, values)
        if values.min() >= 0 or values.max() <= 0:
            _set_slopes(leaning_shares, t, values)
        pole, y = _tilt(counts, values)
        change = 0.0
        for i in range(KINDS):
            share = counts[i] / total / (1 + (y - 1) * values[i] / pole)
            change = max(change, abs(share - shares[i]))
            shares[i] = share
        if change < SETTLED:
            return


@kernel
def _set_slopes(shares: Floats, t: float, values: Floats) -> None:
    """Set the values of `stats.sprt._linearised`."""
    mean, square = 0.0, 0.0
    for i in range(KINDS):
        score = i / (KINDS - 1)
        mean += shares[i] * score
        square += shares[i] * score * score
    deviation = np.sqrt(square - mean * mean)
    for i in range(KINDS):
        score = i / (KINDS - 1)
        lead = (score - mean) / deviation
        values[i] = score - 0.5 - t * deviation * (1 + lead * lead) / 2


@kernel
def _tilt(counts: Floats, values: Floats) -> tuple[float, float]:
    """The pole and y of `stats.sprt._tilted`: it divides shares by 1 + (y - 1) value / pole."""
    pole = values.min() if (counts * values).sum() > 0 else values.max()
    near, far, y = 0.0, 1.0, 1.0
    for _ in range(MOST_STEPS):
        total, slope = 0.0, 0.0
        for i in range(KINDS):
            ratio = values[i] / pole
            term = ratio / (1 - ratio + y * ratio)
            total += counts[i] * term
            slope += counts[i] * term * term
        if total > 0:
            near = y
        else:
            far = y
        step = y - y * total / (total - y * slope)
        if abs(step - y) <= CLOSE * y:
            return pole, step
        y = step if near < step < far else (near + far) / 2
    return pole, y
