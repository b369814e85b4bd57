"""The precision of ratings: the variance that openings give them, and how many openings that is.

Both games of a pair, and all pairs on one opening, share what that opening is worth to the first
player, and how it suits the players, so results vary by openings: the openings are what is
resampled. Leaving out each in turn moves every difference of ratings; the sum of the squares of
these moves is its variance (the jackknife: Miller, 1974). An opening that tells little is left out
to first order, and the others by a step of Newton's method from the fit.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arena.stats.comparable import Booleans
from arena.stats.davidson import (
    DavidsonFit,
    Floats,
    Integers,
    Meetings,
    chances,
    information,
    leads,
    leads_design,
    steepness,
)
from arena.stats.elo import TAIL
from arena.stats.rounding import is_at_least
from arena.stats.sample import Sample, rows_of

HEAVY = 0.04
"""The share of a variance from which an opening is left out by a step of its own."""
KNOWN = 2.0
"""The openings behind a difference, in effect, below which nothing is known of it: of one opening,
the fit takes up all that it says, and leaves nothing to tell how far to trust it."""


@dataclass(frozen=True)
class Evidence:
    """The information about leads that a fit finds on each opening (row) in each meeting."""

    fitted: DavidsonFit
    weights: Floats
    design: Floats  # Meetings by strengths and advantage

    @property
    def covariance(self) -> Floats:
        """The model's covariance of strengths and advantage."""
        found: Floats = self.fitted.covariance[:-1, :-1]
        return found

    def told(self, contrasts: Floats) -> tuple[Floats, Floats]:
        """The variance of each contrast of strengths (column) by each opening (row), in the model.

        Then the leads of each meeting that the contrasts feel.
        """
        pulled = contrasts @ self.covariance[:-1]
        felt: Floats = self.design @ pulled.T
        return self.weights @ felt**2, felt

    def openings(self, contrasts: Floats) -> Floats:
        """The number of openings behind each contrast of strengths (row), in effect.

        As many equal ones would share the variance so unevenly, or would leave as much of it to be
        seen: of n equal ones, the fit takes up one part in n.
        """
        told, felt = self.told(contrasts)
        total = told.sum(axis=0)
        taken = np.zeros_like(total)
        for opening in np.flatnonzero(heavy(told)):
            pull = (self.design.T * self.weights[opening]) @ felt
            taken += ((self.covariance @ pull) * pull).sum(axis=0)
        with np.errstate(divide="ignore", invalid="ignore"):
            even, left = total**2 / (told**2).sum(axis=0), total / taken
        return np.where(total > 0, np.minimum(even, left), 0.0)


def evidence_of(sample: Sample, fitted: DavidsonFit) -> Evidence:
    """The information of these results."""
    found, players = sample.results, sample.players
    points, draw = chances(leads(found, fitted.strengths, fitted.advantage), fitted.tie)
    told = found.games * ((1 - draw) / 4 - (points - 0.5) ** 2)
    met, meeting = np.unique(found.first * players + found.second, return_inverse=True)
    weights = np.zeros((sample.openings, len(met)))
    np.add.at(weights, (sample.opening, meeting), told)
    none = np.zeros(len(met))
    each = Meetings(met // players, met % players, none, none, none)
    return Evidence(fitted, weights, leads_design(each, players))


def heavy(told: Floats) -> Booleans:
    """The openings (rows) that give much of some variance (column)."""
    is_light = is_at_least(HEAVY * told.sum(axis=0), told)
    found: Booleans = np.any(~is_light, axis=1)
    return found


def spreads(sample: Sample, evidence: Evidence, contrasts: Floats) -> Floats:
    """Half the width of the 95 % interval of each contrast of ratings, in natural units of Elo.

    Student's t times the standard error; infinite where nothing is known.
    """
    # Most of a second to import all of scipy's distributions; this one function is quick.
    from scipy.special import stdtrit

    openings = evidence.openings(contrasts)
    degrees = np.maximum(openings, KNOWN) - 1
    is_heavy = heavy(evidence.told(contrasts)[0])
    moves = moved(sample, evidence.fitted, np.flatnonzero(is_heavy))
    squares = np.square(_rescaled(moves, evidence.fitted) @ contrasts.T)
    more = (degrees + 1) / degrees
    variance = squares[is_heavy].sum(axis=0) / more + squares[~is_heavy].sum(axis=0) * more
    found: Floats = np.sqrt(variance) * stdtrit(degrees, 1 - TAIL)
    return np.where(is_at_least(openings, KNOWN), found, np.inf)


def _rescaled(moves: Floats, fitted: DavidsonFit) -> Floats:
    """Moves of the ratings by each opening: their scale depends on advantage and tie."""
    rise, by_advantage, by_tie = steepness(fitted.advantage, fitted.tie)
    scaled = moves[:, -2] * by_advantage + moves[:, -1] * by_tie
    found: Floats = 4 * (rise * moves[:, :-2] + np.outer(scaled, fitted.strengths))
    return found


def moved(sample: Sample, fitted: DavidsonFit, heavy: Integers) -> Floats:
    """The move of each parameter (column) by each opening (row), to first order if not heavy."""
    found = sample.results
    points, draw = chances(leads(found, fitted.strengths, fitted.advantage), fitted.tie)
    surplus = found.points - found.games * points
    draws = found.draws - found.games * draw
    pull = np.zeros((sample.openings, sample.players + 2))
    np.add.at(pull, (sample.opening, found.first), surplus)
    np.subtract.at(pull, (sample.opening, found.second), surplus)
    np.add.at(pull[:, -2], sample.opening, surplus)
    np.add.at(pull[:, -1], sample.opening, draws)
    moves = pull @ fitted.covariance
    bend = np.linalg.inv(fitted.covariance)
    for opening in heavy:
        here = sample.opening == opening
        design = leads_design(rows_of(found, here), sample.players)
        less = information(design, found.games[here], points[here], draw[here])
        moves[opening] = np.linalg.lstsq(bend - less, pull[opening], rcond=None)[0]
    return moves
