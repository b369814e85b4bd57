"""A test of two hypotheses about Elo: fishtest's generalised SPRT."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log, sqrt
from typing import Literal

from arena.stats.elo import NORMALIZED_UNIT, expected_score, regularised

Model = Literal["logistic", "normalized"]

MOST_STEPS = 100  # Most steps towards the likeliest shares; ordinary counts need three to six
SETTLED_STEP = 1e-9  # The change of shares in one step below which they are settled (fishtest)


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
    nearest = [1 / len(shares)] * len(shares)
    for _ in range(MOST_STEPS):
        slopes = _linearised(scores, nearest, t)
        if min(slopes) >= 0 or max(slopes) <= 0:
            slopes = _linearised(scores, leaning(scores, t), t)
        before, nearest = nearest, _tilted(shares, slopes)
        if max(abs(p - q) for p, q in zip(nearest, before, strict=True)) < SETTLED_STEP:
            break
    return nearest


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
        if mean - 0.5 < t * deviation:
            low = lean
        else:
            high = lean
    return shares


def moments(scores: Sequence[float], shares: Sequence[float]) -> tuple[float, float]:
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
    y = _distance(shares, ratios)
    return [p / (1 - r + y * r) for p, r in zip(shares, ratios, strict=True)]


def _distance(shares: Sequence[float], ratios: Sequence[float]) -> float:
    """The y from 0 to 1 where the sum of p r / (1 - r + y r) is zero, times y to have no pole.

    Newton's steps from 1, each held between what was too far and what was too near by halving.
    """
    near, far, y = 0.0, 1.0, 1.0
    while True:
        terms = [r / (1 - r + y * r) for r in ratios]
        total = sum(p * term for p, term in zip(shares, terms, strict=True))
        slope = total - y * sum(p * term * term for p, term in zip(shares, terms, strict=True))
        if total > 0:
            near = y
        else:
            far = y
        step = y - y * total / slope if slope else near
        if not near < step < far:
            step = (near + far) / 2
        if abs(step - y) <= 1e-12 * y or not near < step < far:
            return y
        y = step
