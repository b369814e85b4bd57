"""CMA-ES: a cloud of points that moves to, and takes the shape of, where results are good."""

from __future__ import annotations

from arena.errors import ConfigError
from arena.tuning.method import Plan, Tuner
from arena.tuning.optuna.sampler import SamplerTuner
from arena.tuning.space import Space


def tuner(space: Space, plan: Plan) -> Tuner:
    """Accept numbers only; after the default, start at the middle of all ranges."""
    from optuna.samplers import CmaEsSampler

    space.check_numbers("cmaes")
    if len(space.axes) < 2:
        raise ConfigError("cmaes needs two parameters or more: see tpe")
    return SamplerTuner(space, lambda: CmaEsSampler(seed=plan.seed, lr_adapt=True))
