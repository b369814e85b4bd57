"""The expected loss of a point, by all that the trials leave open."""

from __future__ import annotations

import numpy as np

from arena.tuning.model.posterior import Posterior
from arena.tuning.model.surface import Array, surface

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
