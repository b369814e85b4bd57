"""CMA-ES: a cloud of points that moves to, and takes the shape of, where results are good."""

from __future__ import annotations

from arena.errors import ConfigError
from arena.tuning.method import Plan, Tuner
from arena.tuning.optuna_sampler import Sampled
from arena.tuning.space import Space


def tuner(space: Space, plan: Plan) -> Tuner:
    """Numbers only; after the default, it starts at the middle of all ranges."""
    from optuna.samplers import CmaEsSampler

    if choices := [axis.name for axis in space.axes if axis.choices]:
        names = ", ".join(choices)
        raise ConfigError(f"cmaes moves through numbers, and cannot choose {names}: see tpe")
    if len(space.axes) < 2:
        raise ConfigError("cmaes needs two parameters or more: see tpe")
    return Sampled(space, lambda: CmaEsSampler(seed=plan.seed, lr_adapt=True))
