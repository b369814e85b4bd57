"""Points drawn at random: what every other method should beat."""

from __future__ import annotations

from arena.tuning.method import Plan, Tuner
from arena.tuning.optuna_sampler import Sampled
from arena.tuning.space import Space


def tuner(space: Space, plan: Plan) -> Tuner:
    """Independent of all results; takes choices."""
    from optuna.samplers import RandomSampler

    return Sampled(space, lambda: RandomSampler(seed=plan.seed))
