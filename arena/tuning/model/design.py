"""Trials that compare two points: which should play next, and which point is best."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from arena.stats.elo import QUANTILE
from arena.tuning.method import Advice, Trial
from arena.tuning.model.posterior import (
    PER_ELO,
    Array,
    Posterior,
    Prior,
    Scores,
    Surface,
    TrialScore,
    coin_variance,
    expected_scores,
    scores_of,
    surface,
)
from arena.tuning.space import Space

PROBE = 250.0  # Elo, by the model, that the points that play lie below the best one
TRUST = 0.25
"""Share of the range that a point may lie from the centre, parameter by parameter: strength is like
a quadratic nearby only, and a model that takes it for flat would else play nothing but corners."""
SETTLED_GAMES, SHRINKING = 2000, 0.3
"""Games from which on that distance shrinks, and the power of their number by which it does: the
nearer to the top, the less of the surroundings has to be like the model."""
LIMITED = 3.0  # Factor, squared, by which probes are shorter if no scale need be known
CANDIDATES = 384
EQUAL = 1e-9
"""Share by which what two candidates teach may differ and count as equal; the first is taken. Pairs
at opposite corners are often another pair turned round, and which of them is greater is a matter of
rounding, which depends on the processor."""
SCALE_VALUE = 30.0  # Elo for knowing a scale, per squared e-fold: wrong ones mislead
FIRST_SEARCH = 32  # Trials after which a fit looks for other maxima; then at each doubling
GROWTH = 0.06  # Share of more trials that makes a new fit worth its time


class Sides(NamedTuple):
    """Two points of the unit box that should play each other, and the centre between them."""

    centre: Array
    plus: Array
    minus: Array


class Recommendation(NamedTuple):
    """The best point known, and for each parameter how sure that is and how much it matters."""

    point: Array
    standard_error: Array  # Of the point, given the model; no more than a flat range has
    importance: Array  # Elo between the range's best and worst value, the others at the point
    low: Array
    high: Array
    """Bounds within which each alone may move before it loses, by the model, the loss asked for."""
    loss: float  # Elo that the point is expected to lie below the best one, given the model


class Draws(NamedTuple):
    """The random numbers by which the candidates of one question are made."""

    away: Array  # Directions (n, d)
    some: NDArray[np.bool_]  # The parameters (n, d) of candidates that move in some
    one: NDArray[np.bool_]  # The one parameter of each (n, d)
    is_one_sided: NDArray[np.bool_]  # Those (n) along one parameter that meet the centre
    is_straight: bool  # False if the sides are to change places


class Surrogate:
    """The model of one study: ask for the next trial, tell results in the order asked."""

    def __init__(self, start: Array, seed: int, least: Array | None = None) -> None:
        """Begin at a start in the box; points that differ do so by at least `least` (d)."""
        self.prior = Prior(np.asarray(start, dtype=float))
        self.posterior = self.prior.posterior()
        self.least = np.zeros(len(start)) if least is None else np.asarray(least, dtype=float)
        self._random = np.random.default_rng(seed)
        self._told: list[TrialScore] = []
        self._asked: list[tuple[Sides, int]] = []
        self._covariance = self.posterior.covariance
        self._next_fit = 1
        self._next_search = FIRST_SEARCH

    def ask(self, pairs: int) -> Sides:
        now = self.posterior.surface
        centre = now.best_in_box()
        draws = self._draws()
        plus, minus = self._candidates(now, centre, draws)
        slope, noise = self._measurement(now, plus, minus, pairs)
        taught = _reduction(slope, self._covariance, now) / (
            noise + _quadratic(slope, self._covariance)
        )
        i = int(np.argmax(taught >= (1 - EQUAL) * taught.max()))
        points = (plus[i], minus[i]) if draws.is_straight else (minus[i], plus[i])
        sides = Sides(centre, *points)
        self._take(sides, pairs)
        return sides

    def repeat(self, sides: Sides, pairs: int) -> None:
        self._draws()
        self._take(sides, pairs)

    def _take(self, sides: Sides, pairs: int) -> None:
        self._asked.append((sides, pairs))
        self._expect(sides, pairs)

    def _draws(self) -> Draws:
        """The random numbers of one question: as many, whatever is known by now."""
        d = len(self.prior.start)
        away = self._random.normal(size=(CANDIDATES, d))
        some = self._random.random((CANDIDATES, d)) < 0.4
        one = np.arange(d) == self._random.integers(d, size=(CANDIDATES, 1))
        is_one_sided = self._random.random(CANDIDATES) < 0.5
        return Draws(away, some, one, is_one_sided, self._random.random() < 0.5)

    def tell(self, sides: Sides, score: float, pairs: int) -> None:
        """Take in the share of the points that `plus` made; trials as played, in the order asked.

        Trials of no pairs, which were not played, are told, too.
        """
        self._asked.pop(0)
        if pairs:
            self.note(sides, score, pairs)

    def note(self, sides: Sides, score: float, pairs: int) -> None:
        self._told.append((sides.plus, sides.minus, score, pairs))
        if len(self._told) >= self._next_fit:
            if len(self._told) >= self._next_search:
                self.posterior = self.prior.search(self.scores, self.posterior)
                self._next_search *= 2
            else:
                self.posterior = self.prior.fit(self.scores, self.posterior)
            self._next_fit = len(self._told) + max(1, int(GROWTH * len(self._told)))
            self._covariance = self.posterior.covariance
            for asked in self._asked:
                self._expect(*asked)

    def gain(self, point: Array) -> float:
        now = self.posterior.surface
        return float(now.elo(point) - now.elo(self.prior.start))

    def gain_error(self, point: Array) -> float:
        now, ends = self.posterior.surface, np.array([point, self.prior.start])
        slope = np.diff(now.derivatives(ends)[1], axis=0)
        return float(np.sqrt(_quadratic(slope, self.posterior.covariance)[0]))

    def recommend(self, loss: float = 2.0) -> Recommendation:
        """The recommendation after all that was told; `low` and `high` are for this loss of Elo.

        Its standard error is that of a fit of the trials near the top alone: far from it, the model
        is wrong first, and is surer than it should be.
        """
        if not self.is_told:
            return recommendation(self.posterior, loss)
        posterior = self.prior.search(self.scores, self.posterior)
        nearby = self.prior.fit(self.scores.near(posterior.surface), posterior, steps=20)
        error = recommendation(nearby, loss).standard_error
        return recommendation(posterior, loss)._replace(standard_error=error)

    @property
    def is_told(self) -> bool:
        return bool(self._told)

    @property
    def scores(self) -> Scores:
        return scores_of(self._told)

    def _candidates(self, now: Surface, centre: Array, draws: Draws) -> tuple[Array, Array]:
        """Pairs of points (n, d) around the centre: opposite ones, with all parameters or some;
        against the centre; and along one parameter."""
        d, quarter = len(centre), CANDIDATES // 4
        kind = np.arange(CANDIDATES) // quarter
        some, one = draws.some, draws.one
        away = draws.away * np.where((kind == 1)[:, None], some | one, (kind != 3)[:, None] | one)
        one_sided = (kind == 2) | ((kind == 3) & draws.is_one_sided)
        length = np.maximum(_quadratic(away, now.mix), 1e-9) ** 0.5
        # A scale that is not known yet is taken for the root of its expected square.
        doubt = np.diag(self._covariance)[d : 2 * d]
        away *= (PROBE**0.5 / length)[:, None] * np.exp(-np.clip(doubt, 0, 3))
        top = now.stretched(centre)
        plus = now.point(top + away)
        minus = now.point(top - np.where(one_sided[:, None], 0, away))
        trusted = self.trusted
        plus, minus = (np.clip(x, centre - trusted, centre + trusted) for x in (plus, minus))
        return self._apart(plus, minus)

    @property
    def trusted(self) -> float:
        games = 2 * sum(pairs for *_, pairs in self._told)
        return float(TRUST * min(1, (SETTLED_GAMES / max(games, 1)) ** SHRINKING))

    def _apart(self, plus: Array, minus: Array) -> tuple[Array, Array]:
        gap = plus - minus
        widened = np.sign(gap) * np.maximum(np.abs(gap), self.least)
        more = (widened - gap) / 2
        plus, minus = plus + more, minus - more
        # Both move back by as much as one of them is outside the box.
        over = np.maximum(np.maximum(plus, minus) - 1, 0)
        under = np.maximum(-np.minimum(plus, minus), 0)
        return np.clip(plus - over + under, 0, 1), np.clip(minus - over + under, 0, 1)

    def _measurement(
        self, now: Surface, plus: Array, minus: Array, pairs: int
    ) -> tuple[Array, Array]:
        """Slopes (n, unknowns) of the differences of Elo that trials measure, and the variances."""
        slope = now.derivatives(plus)[1] - now.derivatives(minus)[1]
        expected = expected_scores(now.elo(plus) - now.elo(minus))
        chance = PER_ELO**2 * coin_variance(expected)
        return slope, np.asarray(self.posterior.dispersion / (pairs * chance))

    def _expect(self, sides: Sides, pairs: int) -> None:
        """Count on the result of a trial under way, so that the next trials teach other things.

        What a measurement leaves of a normal posterior's covariance does not depend on its result.
        """
        plus, minus = sides.plus[None], sides.minus[None]
        slope, noise = self._measurement(self.posterior.surface, plus, minus, pairs)
        variance = noise + _quadratic(slope, self._covariance)
        taught = slope @ self._covariance
        self._covariance = self._covariance - taught.T @ taught / variance


def _quadratic(rows: Array, matrix: Array) -> Array:
    """`row' matrix row` of each row."""
    return np.asarray(((rows @ matrix) * rows).sum(1))


def _reduction(slope: Array, covariance: Array, now: Surface) -> Array:
    """The reduction of expected loss by measuring along slopes (n, unknowns), times variance."""
    d = len(now.best)
    taught = slope @ covariance
    scales = taught[:, d : 2 * d]
    top = taught[:, :d] - now.offset * scales
    # Where even the widest probe loses little, a scale needs not be known: it limits none.
    limiting = np.minimum(1, LIMITED * (TRUST * now.scale) ** 2 * d / PROBE) ** 2
    return np.asarray(_quadratic(top, now.mix) + SCALE_VALUE * scales**2 @ limiting)


def recommendation(known: Posterior, loss: float) -> Recommendation:
    now, d = known.surface, len(known.start)
    point = now.best_in_box()
    # The covariance of the top b = start + o / s: by o it changes by 1 / s, by log s by -o / s.
    to_top = np.hstack([np.diag(1 / now.scale), np.diag(-now.offset / now.scale)])
    error = to_top @ known.covariance[: 2 * d, : 2 * d] @ to_top.T
    # In units of u; its product with M, summed, is the expected loss E[u' M u].
    scaled = error * np.outer(now.scale, now.scale)
    # Elo lost along each parameter's line through the point, and where it is less than `loss`.
    across = np.linspace(0, 1, 201)
    lost = np.empty((d, len(across)))
    for i in range(d):
        line = np.tile(point, (len(across), 1))
        line[:, i] = across
        lost[i] = now.elo(point) - now.elo(line)
    near = lost <= loss
    low = np.minimum(across[near.argmax(1)], point)
    high = np.maximum(across[len(across) - 1 - near[:, ::-1].argmax(1)], point)
    return Recommendation(
        point=point,
        standard_error=np.minimum(np.sqrt(np.diag(error)), 12**-0.5),
        importance=lost.max(1),
        low=np.where(near.any(1), low, point),
        high=np.where(near.any(1), high, point),
        loss=float((scaled * now.mix).sum()),
    )


DRAWS = 200


def expected_loss(known: Posterior, point: Array) -> float:
    """The Elo by which a point is expected to lie below the strongest one of the box.

    The mean over surfaces drawn from the posterior, each with a strongest point of its own.
    """
    random = np.random.default_rng(0)
    drawn = random.multivariate_normal(
        known.mean, known.covariance, DRAWS, check_valid="ignore", method="eigh"
    )
    surfaces = [surface(known.start, unknown) for unknown in drawn]
    lost = [float(each.elo(each.best_in_box()) - each.elo(point)) for each in surfaces]
    return float(np.maximum(lost, 0).mean())


FLAT = 1.0  # Elo that may be lost within the range that is called flat


def surrogate_of(space: Space, method: str, seed: int) -> Surrogate:
    """The model at its start, the default; ConfigError if some parameter is a choice."""
    space.check_numbers(method)
    least = np.array([axis.least for axis in space.axes])
    return Surrogate(space.units(space.default), seed, least)


def trial_of(
    space: Space, number: int, sides: Sides, seed: int, note: dict[str, list[float]] | None = None
) -> Trial:
    """The trial of two sides; one random draw rounds both, which keeps their distance."""
    draw = float(np.random.default_rng([seed, number]).random())
    points = space.values(sides.plus, draw), space.values(sides.minus, draw)
    return Trial(number, space.numbers(sides.centre), points, note or {})


def sides_of(space: Space, trial: Trial) -> Sides:
    plus, minus = map(space.units, trial.points)
    return Sides((plus + minus) / 2, plus, minus)


def advice_of(space: Space, known: Recommendation, point: Array) -> Sequence[Advice]:
    total = float(known.importance.sum()) or 1.0
    values = space.values(point)
    return [
        Advice(
            name=axis.name,
            value=values[axis.name],
            low=axis.number(point[i] - QUANTILE * known.standard_error[i]),
            high=axis.number(point[i] + QUANTILE * known.standard_error[i]),
            importance=float(known.importance[i]) / total,
            flat_low=axis.number(known.low[i]),
            flat_high=axis.number(known.high[i]),
        )
        for i, axis in enumerate(space.axes)
    ]
