"""Points spread evenly over the box (scrambled Sobol): a map rather than a search."""

from __future__ import annotations

import warnings

from arena.tuning.sampled import Sampled
from arena.tuning.space import Space
from arena.tuning.tuner import Plan, Tuner


def tuner(space: Space, plan: Plan) -> Tuner:
    """Independent of all results; choices are drawn at random."""
    from optuna.exceptions import ExperimentalWarning
    from optuna.samplers import QMCSampler

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ExperimentalWarning)
        return Sampled(space, plan, QMCSampler(seed=plan.seed, scramble=True))
