"""The curvature of a loss by each weight, from differences of its gradient."""

from __future__ import annotations

import numpy as np

from arena.stats.score_scale import Floats
from arena.tuning.fit.descent import Model, OneSet

STEP = 1e-5


def by_differences(model: Model[OneSet], sample: OneSet) -> Floats:
    """The second derivative of a model's loss by each weight, before the fit."""
    objective, count = model.objective(sample), len(model.sizes)
    start = np.append(np.zeros(count), model.free)
    rises = [
        objective(start + step)[1][i] - objective(start - step)[1][i]
        for i, step in enumerate(STEP * np.eye(count, len(start)))
    ]
    return np.array(rises) / (2 * STEP)
