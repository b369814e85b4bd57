"""Several models of strength beside each other, weighed by what they predicted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import log, nan
from statistics import NormalDist
from typing import NamedTuple, Protocol

import numpy as np

from arena.stats.elo import elo
from arena.tuning.method import ExpectedGain, Forecast
from arena.tuning.model.design import Surrogate, expected_loss
from arena.tuning.model.posterior import (
    PER_ELO,
    Array,
    Damping,
    Posterior,
    Prior,
    Scores,
    coin_variance,
    expected_scores,
    interacting,
    minimum,
)

RATIOS = "ratios"
PARTS, FIRST = 5, 2  # Parts of the trials, and the fewest of them that a prediction is made from
LEAST_TRIALS = 10  # Trials without which nothing is predicted
LEAST_KNOWN = 0.04  # Inverse variance of a prediction's slope without which it says nothing
FORGETTING = 0.1  # Weight of predictions beside the next part's: blunders are forgotten
NEARBY = 100.0  # Elo below the top by which a trial counts e times less nearby
NEAREST = 0.2  # Share of the trials, the nearest to the top, that count in full
NEGLIGIBLE = 0.05  # Share of a model that may not doubt the others
ALMOST_NONE = 1e-3  # Weight of a trial that tells nothing


class ModelFit(Protocol):
    """A model after some trials."""

    def leads(self, scores: Scores) -> tuple[Array, Array]:
        """Elo by which the first points lead the second, and the variances of that."""
        ...

    @property
    def top(self) -> Array:
        """The strongest point of the box."""
        ...


class HillFit(NamedTuple):
    """The hill of `arena.tuning.model.posterior` after some trials."""

    known: Posterior

    def leads(self, scores: Scores) -> tuple[Array, Array]:
        now = self.known.surface
        plus, by_plus = now.derivatives(scores.plus)
        minus, by_minus = now.derivatives(scores.minus)
        slope = by_plus - by_minus
        return plus - minus, np.asarray(((slope @ self.known.covariance) * slope).sum(1))

    @property
    def top(self) -> Array:
        return self.known.surface.best_in_box()


class Prediction(NamedTuple):
    """The predictions of trials that the models had not seen, beside what came: see `Forecast`."""

    trials: int
    slope: float
    error: float


class Ensemble(NamedTuple):
    """The models after all trials, with their shares, and what they predicted of the last part."""

    fits: Mapping[str, ModelFit]
    shares: Mapping[str, float]
    known: Posterior  # The hill
    prediction: Prediction | None  # None if there were too few trials for one

    def forecast(self, point: Array) -> Forecast | None:
        if self.prediction is None:
            return None
        ratios = self.fits[RATIOS]
        loss = expected_loss(self.known, point)
        if isinstance(ratios, RatioFit):
            loss += self.shares[RATIOS] * (ratios.expected_loss(point) - loss)
        return Forecast(tuple(self.shares.items()), loss, *self.prediction)

    def leads(self, scores: Scores) -> tuple[Array, Array]:
        return _mixed_leads(self.fits, self.shares, scores)

    def towards_top(self, end: Array) -> Array:
        """The point between one that was reached otherwise and the models' tops.

        Each top counts by its model's share, and by how surely it is stronger to the model of all
        that doubts it most: far away, where nothing was played, a model only guesses.
        """
        point = end.copy()
        for name, fit in self.fits.items():
            point += self.shares[name] * self.confidence(fit.top, end) * (fit.top - end)
        return point

    def confidence(self, one: Array, other: Array) -> float:
        """The probability that a point is stronger than another, by the model that doubts it."""
        once = np.ones(1)
        sides = Scores(one[None], other[None], once, once)
        chances = []
        for name, fit in self.fits.items():
            if self.shares[name] > NEGLIGIBLE:
                (lead,), (variance,) = fit.leads(sides)
                spread = max(float(variance), 0.0) ** 0.5 or 1.0
                chances.append(NormalDist(0, spread).cdf(float(lead)))
        return min(chances)


def ensemble_of(model: Surrogate) -> Ensemble | None:
    return fitted_ensemble(model.prior, model.scores) if model.is_told else None


def forecast_of(model: Surrogate, point: Array) -> Forecast | None:
    ensemble = ensemble_of(model)
    return ensemble and ensemble.forecast(point)


def fitted_ensemble(prior: Prior, scores: Scores) -> Ensemble:
    score = dict.fromkeys(SHAPES, 0.0)
    fits: dict[str, ModelFit] = {}
    known, prediction = prior.posterior(), None
    trials = len(scores.score)
    parts = range(FIRST, PARTS) if trials >= LEAST_TRIALS else range(0)
    for part in parts:
        # Each part is predicted by models of those before it, which have not seen it.
        before, after = part * trials // PARTS, (part + 1) * trials // PARTS
        seen = scores.part(0, before)
        # The first hill is looked for from several starts.
        known = prior.search(seen, known) if part == FIRST else prior.fit(seen, known, steps=20)
        fits = _shapes_of(prior, seen, known, fits)
        unseen = scores.part(before, after)
        prediction = _prediction_by(fits, _share_by_model(score), unseen, known.dispersion)
        for name, fit in fits.items():
            score[name] = FORGETTING * score[name] + _log_score(fit, unseen, known.dispersion)
    known = prior.search(scores, known)
    fits = _shapes_of(prior, scores, known, fits)
    return Ensemble(fits, _share_by_model(score), known, prediction)


def _shapes_of(
    prior: Prior, scores: Scores, known: Posterior, last: Mapping[str, ModelFit]
) -> dict[str, ModelFit]:
    return {name: fit(prior, scores, known, last.get(name)) for name, fit in SHAPES.items()}


def _hill_fit(prior: Prior, scores: Scores, known: Posterior, last: ModelFit | None) -> ModelFit:
    return HillFit(known)


def _nearby_fit(prior: Prior, scores: Scores, known: Posterior, last: ModelFit | None) -> ModelFit:
    now = known
    for _ in range(2):  # the top that is near moves with the fit
        lost = -now.surface.elo(scores.plus) - now.surface.elo(scores.minus)
        weight = np.exp(-np.maximum(lost - np.quantile(lost, NEAREST), 0) / NEARBY)
        kept = scores._replace(pairs=scores.pairs * np.maximum(weight, ALMOST_NONE))
        now = replace(prior.fit(kept, now, steps=20), dispersion=known.dispersion)
    return HillFit(now)


def _ratios_fit(prior: Prior, scores: Scores, known: Posterior, last: ModelFit | None) -> ModelFit:
    """The likelier fit of two starts: the last fit, or at first the prior; and the hill's top."""
    model, weight = ratio_model(prior.start), scores.pairs / known.dispersion
    first = last.unknown if isinstance(last, RatioFit) else model.mean
    starts = (first, model.around(known.surface.best_in_box()))
    return min(
        (RatioFit(model, scores, weight, start) for start in starts), key=lambda fit: fit.value
    )


SHAPES = {"hill": _hill_fit, "nearby hill": _nearby_fit, RATIOS: _ratios_fit}
"""The shapes of strength: fits of a model, by what people call it."""


def _share_by_model(score: Mapping[str, float]) -> dict[str, float]:
    best = max(score.values())
    likely = {name: float(np.exp(each - best)) for name, each in score.items()}
    return {name: each / sum(likely.values()) for name, each in likely.items()}


def predicted(lead: Array, variance: Array) -> Array:
    """The expected scores of leads with these variances (MacKay's approximation, 1992)."""
    return expected_scores(lead / np.sqrt(1 + np.pi / 8 * PER_ELO**2 * np.maximum(variance, 0)))


def _log_score(fit: ModelFit, unseen: Scores, dispersion: float) -> float:
    chance = np.clip(predicted(*fit.leads(unseen)), 1e-9, 1 - 1e-9)
    each = unseen.score * np.log(chance) + (1 - unseen.score) * np.log(1 - chance)
    return float(unseen.pairs @ each / dispersion)


def _mixed_leads(
    fits: Mapping[str, ModelFit], shares: Mapping[str, float], scores: Scores
) -> tuple[Array, Array]:
    """Leads and variances by all models: their disagreement is a doubt, too."""
    models = [(shares[name], *fit.leads(scores)) for name, fit in fits.items()]
    lead = np.asarray(sum(share * each for share, each, _ in models))
    # The variance of a mixture: the mean variance, and the variance of the means.
    variance = sum(share * (own + (each - lead) ** 2) for share, each, own in models)
    return lead, np.asarray(variance)


def _prediction_by(
    fits: Mapping[str, ModelFit], shares: Mapping[str, float], unseen: Scores, dispersion: float
) -> Prediction:
    # Weighted least squares of the leads that came by those expected, through the origin.
    expected = predicted(*_mixed_leads(fits, shares, unseen))
    weight = unseen.pairs / (dispersion * coin_variance(expected))
    lead = expected - 0.5
    information = float(weight @ lead**2)
    if information < LEAST_KNOWN:
        return Prediction(len(lead), nan, nan)
    slope = float(weight @ (lead * (unseen.score - 0.5))) / information
    return Prediction(len(lead), slope, information**-0.5)


UNDECIDED = 0.5  # Split pairs that are added, so that a whitewash is no infinite gain


def gain_of(ensemble: Ensemble, point: Array, met: Scores) -> ExpectedGain:
    """The gain of a point, from trials of others (`met.plus`) against the default values."""
    pairs = float(met.pairs.sum())
    share = met.pairs / pairs
    score = (pairs * float(share @ met.score) + UNDECIDED / 2) / (pairs + UNDECIDED)
    expected = float(share @ expected_scores(ensemble.leads(met)[0]))
    once = np.ones(1)
    (lead,), _ = ensemble.leads(Scores(point[None], met.minus[:1], once, once))
    _, (doubt,) = ensemble.leads(Scores(point[None], (share @ met.plus)[None], once, once))
    noise = ensemble.known.dispersion / (PER_ELO**2 * pairs * coin_variance(np.array(score)))
    # What the games show of the points that played, moved to this point by the models' leads.
    gain = elo(score) + float(lead) - elo(expected)
    return ExpectedGain(gain, float(noise + max(doubt, 0)) ** 0.5)


LENGTHS = 3.3  # Lengths, over which a pair loses half of its height, in the range of a parameter
PAIR_HEIGHT = 10.0
OFFSET_SPREAD, WIDTH_SPREAD, HEIGHT_SPREAD = 1.0, 0.5, 1.2
"""Standard deviations of the offsets, and of the logarithms of widths and heights."""
LOG_HEIGHTS = (-8.0, 7.0)
STEPS = 40  # Most steps of a fit
DRAWS = 200  # Unknowns drawn to tell what is lost
LOST = 0.6
"""The part of the expected loss that is lost: few thousand games say little of heights, which the
prior holds for large. In seven studies of 4 000 games where ratios mattered, 14 of 22 Elo were."""


@dataclass(frozen=True)
class RatioModel:
    """The model around a start, with the prior of its unknowns."""

    start: Array
    pairs: Array  # Differences (pairs, d): a row for each pair of parameters, and for each alone
    mean: Array
    spread: Array

    def parts(self, unknown: Array, x: Array) -> tuple[Array, Array, Array]:
        """Scaled distances from the start (n, d), differences (n, pairs), and heights."""
        d = len(self.start)
        scaled = np.exp(unknown[d : 2 * d]) * (x - self.start)
        differences = (scaled - unknown[:d]) @ self.pairs.T
        return scaled, differences, np.exp(np.clip(unknown[2 * d :], *LOG_HEIGHTS))

    def elo(self, unknown: Array, x: Array) -> Array:
        """Elo of points (n, d) relative to the strongest."""
        _, v, height = self.parts(unknown, x)
        return -np.asarray((v**2 / (1 + v**2)) @ height)

    def derivatives(self, unknown: Array, x: Array) -> tuple[Array, Array]:
        """Elo of points (n, d), and its derivatives (n, unknowns)."""
        scaled, v, height = self.parts(unknown, x)
        bounded = v**2 / (1 + v**2)
        slope = -(2 * v / (1 + v**2) ** 2 * height) @ self.pairs
        return -bounded @ height, np.hstack([-slope, slope * scaled, -bounded * height])

    def differences(self, unknown: Array, scores: Scores) -> tuple[Array, Array]:
        plus, by_plus = self.derivatives(unknown, scores.plus)
        minus, by_minus = self.derivatives(unknown, scores.minus)
        return plus - minus, by_plus - by_minus

    def value(self, unknown: Array, scores: Scores, weight: Array) -> float:
        logit = PER_ELO * (self.elo(unknown, scores.plus) - self.elo(unknown, scores.minus))
        misfit = weight @ (np.logaddexp(0, logit) - scores.score * logit)
        return float(misfit + (((unknown - self.mean) / self.spread) ** 2).sum() / 2)

    def top(self, unknown: Array) -> Array:
        """The strongest point of those in the box, nearly: what lies outside is moved inside."""
        d = len(self.start)
        return np.clip(self.start + unknown[:d] * np.exp(-unknown[d : 2 * d]), 0, 1)

    def around(self, top: Array) -> Array:
        d = len(self.start)
        offset = np.exp(self.mean[d : 2 * d]) * (top - self.start)
        return np.concatenate([offset, self.mean[d:]])


def ratio_model(start: Array) -> RatioModel:
    d = len(start)
    first, second = interacting(d)
    one = np.eye(d)
    pairs = np.vstack([one[first] - one[second], one])
    counts = [d, d, len(pairs)]
    mean = np.repeat([0, log(LENGTHS), log(PAIR_HEIGHT)], counts)
    return RatioModel(
        start, pairs, mean, np.repeat([OFFSET_SPREAD, WIDTH_SPREAD, HEIGHT_SPREAD], counts)
    )


class RatioFit:
    """The model's likeliest unknowns after some scores, and the covariance of their error."""

    def __init__(self, model: RatioModel, scores: Scores, weight: Array, start: Array) -> None:
        self.model = model
        self.unknown, self.value = minimum(
            lambda unknown: model.value(unknown, scores, weight),
            lambda unknown: _expansion(model, scores, weight, unknown),
            lambda step: np.clip(step, -1, 1),
            start,
            STEPS,
            Damping(first=1e-2, raised=0, least=1e-6),
        )
        _, curvature = _expansion(model, scores, weight, self.unknown)
        self.covariance = np.linalg.inv(curvature)

    def leads(self, scores: Scores) -> tuple[Array, Array]:
        lead, slope = self.model.differences(self.unknown, scores)
        return lead, np.asarray(((slope @ self.covariance) * slope).sum(1))

    @property
    def top(self) -> Array:
        return self.model.top(self.unknown)

    def expected_loss(self, point: Array) -> float:
        """The Elo by which a point is expected to lie below the strongest one of the box.

        The mean over unknowns drawn from the posterior, times what is lost of it on average.
        """
        random = np.random.default_rng(0)
        drawn = random.multivariate_normal(
            self.unknown, self.covariance, DRAWS, check_valid="ignore", method="eigh"
        )
        tops = ((unknown, self.model.top(unknown)) for unknown in drawn)
        leads = (self.model.elo(unknown, np.stack([top, point])) for unknown, top in tops)
        return LOST * float(np.mean([max(top - found, 0) for top, found in leads]))


def _expansion(
    model: RatioModel, scores: Scores, weight: Array, unknown: Array
) -> tuple[Array, Array]:
    """Gradient and curvature (Gauss, Newton) of the model's value."""
    lead, by_unknown = model.differences(unknown, scores)
    expected, slope = expected_scores(lead), PER_ELO * by_unknown
    spread = model.spread**-2
    gradient = slope.T @ (weight * (expected - scores.score)) + (unknown - model.mean) * spread
    curvature = (slope * (weight * coin_variance(expected))[:, None]).T @ slope + np.diag(spread)
    return gradient, curvature
