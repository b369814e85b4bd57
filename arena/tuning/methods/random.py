"""Points drawn at random: the baseline that every other method should beat."""

from __future__ import annotations

from arena.tuning.method import Plan, Tuner
from arena.tuning.optuna.sampler import SamplerTuner
from arena.tuning.space import Space


def tuner(space: Space, plan: Plan) -> Tuner:
    """Ask independently of all results; accept choices."""
    from optuna.samplers import RandomSampler

    return SamplerTuner(space, lambda: RandomSampler(seed=plan.seed))
