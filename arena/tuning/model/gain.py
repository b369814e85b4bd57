"""The gain over the default values, from trials of points on the way against these.

Models of strength take it for a sum of small leads, which it need not be: a point can beat another
that beats the default values, and lose to these. So the games against them decide its size, and the
models tell only by how much the recommended point differs from those that have met them.
"""

from __future__ import annotations

import numpy as np

from arena.stats.elo import elo
from arena.tuning.method import ExpectedGain
from arena.tuning.model.ensemble import Ensemble
from arena.tuning.model.posterior import PER_ELO, Scores, coin_variance, expected_scores
from arena.tuning.model.surface import Array

UNDECIDED = 0.5
"""Split pairs that are added, so that a whitewash is no infinite gain."""


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
    found = elo(score) + float(lead) - elo(expected)
    return ExpectedGain(found, float(noise + max(doubt, 0)) ** 0.5)
