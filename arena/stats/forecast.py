"""The course of a test of two hypotheses before it is played: how long, and with which end.

Tests of few pairs, or of few that are not alike, are simulated. In all others the LLR after n pairs
is taken as a Brownian motion between the test's bounds, with the mean and the variance of one
pair's step. A test sees its LLR after whole pairs only, and so beyond a bound: the bounds are moved
outwards by as much (Siegmund, "Sequential Analysis", 1985, chapters III and X). Pairs, power and
chances within any number of pairs then have closed forms (Darling and Siegert, "The first passage
problem for a continuous Markov process", 1953).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from math import ceil, exp, expm1, inf, log, pi, sqrt
from statistics import NormalDist

import numpy as np

from arena.stats.davidson import Floats
from arena.stats.elo import NORMALIZED_UNIT, QUANTILE, expected_score, regularised
from arena.stats.sprt import Model, bounds, moments, with_score, with_t_value

EXCESS = {"normalized": 0.583, "logistic": 0.3}
"""Standard deviations of a pair's step by which the LLR passes a bound. The first is Siegmund's,
for normal steps. Logistic hypotheses divide by a variance that is itself estimated, which lets the
LLR swing to a bound earlier: this is what is left of the excess in simulated tests."""
TERMS = np.arange(1, 301)
"""Terms of the series: after a few they are small, unless next to no pairs are played."""
SCORES = [0, 0.25, 0.5, 0.75, 1]  # Shares of a pair's points
NOTHING_SEEN = 8.0  # Pairs of equal players that are added to those that a test has seen
SETTLED = 50.0
"""The exponent from which on the last term is nothing; below it, no test has ended yet."""
FEW_OTHERS = 100
"""Expected pairs of other kinds than the commonest, in a test midway between its hypotheses, below
which tests are simulated: the formulas of all others are within 5 % of simulated pairs."""
LEAST_LEAN, MOST_LEAN = 1e-6, 60.0
"""`lean` times the width between the bounds: below the least the LLR drifts nowhere, and beyond the
most the terms would cancel each other."""


@dataclass(frozen=True)
class Design:
    """A test of two hypotheses, with the parameters of the format `sprt`."""

    elo0: float = 0.0
    elo1: float = 10.0
    alpha: float = 0.05
    beta: float = 0.05
    model: Model = "logistic"
    pairs: int = 5000  # The number of pairs after which it ends undecided

    @property
    def midway(self) -> float:
        return (self.elo0 + self.elo1) / 2


@dataclass(frozen=True)
class Course:
    """The course of a test if the players differ by a certain Elo."""

    elo: float
    h1: float  # The chance that H1 is accepted
    undecided: float  # The chance that its most pairs are played without a decision
    mean: float  # Expected pairs
    median: int
    most: int  # Pairs within which 95 of 100 tests end


def pair_shares(draws: float, split: float) -> list[float]:
    """The shares of pairs of 0 to 2 points between equal players.

    Of all games a share is `draws`, both of a pair by chance alone; of all pairs a share is
    `split`: each player wins one. Raises ValueError where that leaves no pair to be won.
    """
    won = ((1 - draws) ** 2 - split) / 2 if 0 <= draws < 1 else 0.0
    if not (split >= 0 and won > 0):
        raise ValueError(
            f"{draws:g} draws and {split:g} split pairs leave no pairs to be won: draws must be "
            "from 0 to less than 1, and split from 0 to less than (1 - draws) squared"
        )
    drawn = draws * (1 - draws)
    return [won, drawn, split + draws**2, drawn, won]


def at_elo(shares: Sequence[float], elo: float, model: Model) -> list[float]:
    """The likeliest shares of pairs, given these of any pairs, where the lead is this Elo."""
    filled = regularised(shares)
    whole = [each / sum(filled) for each in filled]
    if model == "logistic":
        return with_score(whole, expected_score(elo))
    return with_t_value(whole, elo / NORMALIZED_UNIT * sqrt(2))  # a pair is two games


def forecast(design: Design, shares: Sequence[float], elo: float) -> Course:
    """The course of a test of players that differ by `elo`; `shares` gives the spread of results.

    Expected pairs are within 5 % of simulated tests, and the chances within 0.03: `cd research &&
    python -m benchmarks plan`.
    """
    true = at_elo(shares, elo, design.model)
    if _is_short(design, shares):
        return _simulated_course(design, elo, tuple(true))
    passage = _passage_of(design, true)
    return Course(
        elo=elo,
        h1=passage.upwards(design.pairs),
        undecided=passage.left(design.pairs),
        mean=passage.mean(design.pairs),
        median=passage.within(0.5, design.pairs),
        most=passage.within(0.95, design.pairs),
    )


def _is_short(design: Design, shares: Sequence[float]) -> bool:
    """True if few pairs of other kinds than the commonest are expected to decide the test."""
    midway = at_elo(shares, design.midway, design.model)
    return _passage_of(design, midway).mean(inf) * (1 - max(midway)) < FEW_OTHERS


@lru_cache(maxsize=256)
def _simulated_course(design: Design, elo: float, shares: tuple[float, ...]) -> Course:
    # numba takes half a second to import, which long tests have no use for.
    from arena.stats.short_tests import simulated_ends

    hypotheses, reach = (design.elo0, design.elo1), bounds(design.alpha, design.beta)
    pairs, decisions = simulated_ends(shares, hypotheses, design.model, reach, design.pairs)
    median, most = np.quantile(pairs, [0.5, 0.95], method="inverted_cdf")
    return Course(
        elo=elo,
        h1=float((decisions > 0).mean()),
        undecided=float((decisions == 0).mean()),
        mean=float(pairs.mean()),
        median=int(median),
        most=int(most),
    )


@dataclass(frozen=True)
class Passage:
    """A Brownian motion from 0 to one of two bounds; its time is counted in pairs."""

    drift: float
    variance: float
    down: float  # The distance of the lower bound
    up: float

    @property
    def lean(self) -> float:
        """Twice the drift in variances."""
        return 2 * self.drift / self.variance

    @cached_property
    def rates(self) -> Floats:
        """The rates at which the terms of the series vanish."""
        wave = pi * TERMS / (self.down + self.up)
        found: Floats = (wave**2 * self.variance + self.drift**2 / self.variance) / 2
        return found

    def terms(self, to: float) -> Floats:
        """The terms of the chance per pair to end at the bound at this signed distance."""
        width = self.down + self.up
        wave = TERMS * np.sin(pi * TERMS * abs(to) / width)
        found: Floats = pi * self.variance / width**2 * exp(self.lean * to / 2) * wave
        return found

    def left(self, pairs: float) -> float:
        """The chance that neither bound was reached within these pairs."""
        both = (self.terms(self.up) + self.terms(-self.down)) / self.rates
        return self.after(both, pairs, 1.0)

    def upwards(self, pairs: float) -> float:
        """The chance that the upper bound was reached within these pairs."""
        ever = self.up_at_last
        return ever - self.after(self.terms(self.up) / self.rates, pairs, ever)

    def mean(self, pairs: float) -> float:
        """Expected pairs until a bound, or the last of these pairs."""
        # Without a last pair it is where the motion ends, over its drift (Wald). From that goes
        # what tests would take beyond the last: the chance that they go on, added up.
        if self.rates[-1] * pairs < SETTLED:
            return pairs
        if abs(self.lean) * (self.down + self.up) < LEAST_LEAN:
            ever = self.down * self.up / self.variance
        else:
            ever = (self.up_at_last * (self.down + self.up) - self.down) / self.drift
        both = (self.terms(self.up) + self.terms(-self.down)) / self.rates**2
        return min(max(ever - self.after(both, pairs, ever), 1.0), pairs)

    @property
    def up_at_last(self) -> float:
        """The chance that the upper bound is the one that is reached, however late."""
        if abs(self.lean) * (self.down + self.up) < LEAST_LEAN:
            return self.down / (self.down + self.up)
        away = expm1(self.lean * self.down)
        return away / (away - expm1(-self.lean * self.up))

    def after(self, terms: Floats, pairs: float, at_first: float) -> float:
        """The sum of terms after these pairs, from 0 to its value `at_first`."""
        if self.rates[-1] * pairs < SETTLED:
            return at_first
        return min(max(float(terms @ np.exp(-self.rates * pairs)), 0.0), at_first)

    def within(self, share: float, pairs: int) -> int:
        """The number of pairs within which this share of tests ends, at most `pairs`."""
        few, many = 0, pairs
        while few < many - 1:
            middle = (few + many) // 2
            if self.left(middle) <= 1 - share:
                many = middle
            else:
                few = middle
        return many


def pairs_to_come(design: Design, counts: Sequence[float], llr: float, most: float) -> float:
    """Expected pairs from here on, of at most so many, for a test that stands at this LLR.

    The lead and the kinds of pairs are those seen so far: `counts` of pairs of 0 to 2 points,
    with a few pairs of equal players added, so that the first ones do not count for too much.
    """
    added = [NOTHING_SEEN * share for share in pair_shares(0.0, 0.5)]
    seen = [count + more for count, more in zip(counts, added, strict=True)]
    passage = _passage_of(design, [count / sum(seen) for count in seen])
    down, up = max(passage.down + llr, 0.0), max(passage.up - llr, 0.0)
    if not (down and up and most > 0):
        return 0.0
    return replace(passage, down=down, up=up).mean(most)


def _passage_of(design: Design, shares: Sequence[float]) -> Passage:
    ends = (at_elo(shares, elo, design.model) for elo in (design.elo0, design.elo1))
    steps = [log(p1 / p0) for p0, p1 in zip(*ends, strict=True)]
    drift, deviation = moments(steps, shares)
    lower, upper = bounds(design.alpha, design.beta)
    width = upper - lower
    deviation = max(deviation, sqrt(2 * abs(drift) * width / MOST_LEAN))
    excess = EXCESS[design.model] * deviation
    return Passage(drift, deviation**2, excess - lower, excess + upper)


def pairs_for_interval(shares: Sequence[float], half_width: float) -> int:
    """The pairs of a match of equal players after which Elo is known to within +-`half_width`.

    The 95 % interval of a score is taken as normal.
    """
    _, deviation = moments(SCORES, at_elo(shares, 0, "logistic"))
    reach = expected_score(half_width) - 0.5
    return ceil((QUANTILE * deviation / reach) ** 2)


def pairs_to_see(shares: Sequence[float], elo: float, power: float) -> int:
    """The pairs after which an interval leaves out 0 with this chance, if players differ by `elo`.

    The 95 % interval of a score is taken as normal.
    """
    score, deviation = moments(SCORES, at_elo(shares, elo, "logistic"))
    reach = QUANTILE + NormalDist().inv_cdf(power)
    return ceil((reach * deviation / abs(score - 0.5)) ** 2)
