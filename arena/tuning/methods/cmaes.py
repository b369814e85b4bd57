"""CMA-ES: a cloud of points that moves to, and takes the shape of, where results are good."""

from __future__ import annotations

from arena.faults import ConfigError
from arena.tuning.sampled import Sampled
from arena.tuning.space import Space
from arena.tuning.tuner import Plan, Tuner


def tuner(space: Space, plan: Plan) -> Tuner:
    """Numbers only; after the default, it starts at the middle of all ranges."""
    from optuna.samplers import CmaEsSampler

    if choices := [axis.name for axis in space.axes if axis.choices]:
        raise ConfigError(f"cmaes moves through numbers, and cannot choose {', '.join(choices)}")
    sampler = CmaEsSampler(seed=plan.seed, lr_adapt=True, warn_independent_sampling=False)
    return Sampled(space, plan, sampler)
