"""A test of two hypotheses about Elo, fishtest's generalised SPRT, and many such simulated."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log, sqrt
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from arena.jit import kernel
from arena.stats.davidson import Floats
from arena.stats.elo import EMPTY_COUNT, NORMALIZED_UNIT, expected_score, regularised

Model = Literal["logistic", "normalized"]

MOST_STEPS = 100
"""Most steps towards a t-value; ordinary counts need three to six."""
SETTLED_STEP = 1e-9
"""The change of shares in one step below which they are settled (fishtest)."""


def llr(counts: Sequence[float], elo0: float, elo1: float, model: Model) -> float:
    """The log-likelihood ratio of Elo `elo1` against `elo0`, positive where `elo1` is likelier.

    `counts` are games (losses, draws, wins) or pairs (0, 1/2, 1, 3/2, 2 points); zeros count as a
    thousandth. The digits are those of fishtest wherever fishtest has an answer, which it has not
    for bounds far off the scores that can be told apart: any bounds and counts have one here. No
    results say as good as nothing: less than a thousandth for bounds within +-100 Elo.
    """
    filled = regularised(counts)
    total = sum(filled)
    shares = [n / total for n in filled]
    if model == "logistic":
        likeliest0, likeliest1 = (with_score(shares, expected_score(elo)) for elo in (elo0, elo1))
    else:
        # A pair has half the variance of a game: see `normalized_elo`.
        unit = NORMALIZED_UNIT / sqrt((len(counts) - 1) / 2)
        likeliest0, likeliest1 = (with_t_value(shares, elo / unit) for elo in (elo0, elo1))
    ratios = zip(shares, likeliest0, likeliest1, strict=True)
    return total * sum(share * log(p1 / p0) for share, p0, p1 in ratios)


def bounds(alpha: float, beta: float) -> tuple[float, float]:
    """The LLRs at or beyond which the first, and the second, hypothesis is accepted (Wald, 1945).

    `alpha` and `beta` are the accepted chances of wrongly taking the second, and the first.
    """
    return log(beta / (1 - alpha)), log((1 - beta) / alpha)


def errors(lower: float, upper: float) -> tuple[float, float]:
    """The accepted chances, alpha and beta, of these bounds: the inverse of `bounds`."""
    alpha = (1 - exp(lower)) / (exp(upper) - exp(lower))
    return alpha, exp(lower) * (1 - alpha)


def with_score(shares: Sequence[float], score: float) -> list[float]:
    """The likeliest distribution with this expected score, given these shares of results."""
    best = len(shares) - 1
    return _tilted(shares, [i / best - score for i in range(best + 1)])


def with_t_value(shares: Sequence[float], t: float) -> list[float]:
    """The likeliest distribution whose score is t standard deviations above one half.

    Each step solves the problem made linear at the distribution before, the first at the uniform
    one. Where that is too far from t to have a solution, the step is from a distribution that has
    this very t-value, which always has one.
    """
    best = len(shares) - 1
    scores = [i / best for i in range(best + 1)]
    found = [1 / len(shares)] * len(shares)
    for _ in range(MOST_STEPS):
        slopes = _linearised(scores, found, t)
        if min(slopes) >= 0 or max(slopes) <= 0:
            slopes = _linearised(scores, leaning(scores, t), t)
        before, found = found, _tilted(shares, slopes)
        if max(abs(p - q) for p, q in zip(found, before, strict=True)) < SETTLED_STEP:
            break
    return found


def _linearised(scores: Sequence[float], shares: Sequence[float], t: float) -> list[float]:
    """Values whose mean is zero where the t-value is t, to first order around these shares."""
    mean, deviation = moments(scores, shares)
    return [
        score - 0.5 - t * deviation * (1 + ((score - mean) / deviation) ** 2) / 2
        for score in scores
    ]


def leaning(scores: Sequence[float], t: float) -> list[float]:
    """The exponential family's distribution with the t-value t; bisected, as t grows with it."""
    low, high = -500.0, 500.0
    for _ in range(60):
        lean = (low + high) / 2
        weights = [exp(lean * (score - (lean > 0))) for score in scores]
        shares = [weight / sum(weights) for weight in weights]
        mean, deviation = moments(scores, shares)
        low, high = (lean, high) if mean - 0.5 < t * deviation else (low, lean)
    return shares


def moments(scores: Sequence[float], shares: Sequence[float]) -> tuple[float, float]:
    """Mean and standard deviation."""
    mean = sum(p * score for p, score in zip(shares, scores, strict=True))
    return mean, sqrt(sum(p * (score - mean) ** 2 for p, score in zip(shares, scores, strict=True)))


def _tilted(shares: Sequence[float], values: Sequence[float]) -> list[float]:
    """The likeliest distribution, given these shares, in which the values have mean zero.

    It is p / (1 + x v), with the one x that makes the mean zero and no share negative (Owen,
    "Empirical Likelihood", 2001). The values must have both signs.
    """
    mean = sum(p * v for p, v in zip(shares, values, strict=True))
    # x lies between 0 and the pole -1 / v of this value. It can come so near to the pole that only
    # its distance from there, `y`, has the digits needed.
    pole = min(values) if mean > 0 else max(values)
    ratios = [v / pole for v in values]
    y = distance(shares, ratios)
    return [p / (1 - r + y * r) for p, r in zip(shares, ratios, strict=True)]


def distance(shares: Sequence[float], ratios: Sequence[float]) -> float:
    """The y from 0 to 1 where the sum of p r / (1 - r + y r) is zero, times y to have no pole.

    Newton's steps from 1, each held between what was too far and what was too near by halving.
    """
    near, far, y = 0.0, 1.0, 1.0
    while True:
        terms = [r / (1 - r + y * r) for r in ratios]
        total = sum(p * term for p, term in zip(shares, terms, strict=True))
        slope = total - y * sum(p * term * term for p, term in zip(shares, terms, strict=True))
        near, far = (y, far) if total > 0 else (near, y)
        step = y - y * total / slope if slope else near
        if not near < step < far:
            step = (near + far) / 2
        if abs(step - y) <= 1e-12 * y or not near < step < far:
            return y
        y = step


TESTS = 2000
STRIDES = 32
"""In a run of equal pairs, the LLR is looked at whenever the pairs are more by one in so many."""
KINDS = 5
CLOSE = 1e-5
"""The relative step of a maximum after which it is found: the LLR is nearer still."""
MOST_TURNS = 20
"""Steps towards a maximum, and turns towards shares with a t-value; five of each are usual."""
SETTLED = 1e-5
"""The change of shares in a turn below which they have the t-value."""


class Ends(NamedTuple):
    """The ends of simulated tests."""

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
