"""Points spread evenly over the box (scrambled Sobol): a map rather than a search."""

from __future__ import annotations

from arena.tuning.method import Plan, Tuner
from arena.tuning.optuna.sampler import SamplerTuner
from arena.tuning.space import Space


def tuner(space: Space, plan: Plan) -> Tuner:
    """Ask independently of all results; choices are drawn at random."""
    from optuna.samplers import QMCSampler

    return SamplerTuner(
        space, lambda: QMCSampler(seed=plan.seed, scramble=True, warn_independent_sampling=False)
    )
