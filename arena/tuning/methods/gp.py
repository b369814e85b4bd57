"""A Gaussian process: a smooth model of all results, asked where strength may be greatest."""

from __future__ import annotations

from importlib.util import find_spec

from arena.errors import ConfigError
from arena.tuning.method import Plan, Tuner
from arena.tuning.optuna_sampler import Sampled
from arena.tuning.space import Space


def tuner(space: Space, plan: Plan) -> Tuner:
    """Takes choices; needs torch, which the extra `gp` brings."""
    if find_spec("torch") is None:
        raise ConfigError("gp needs torch: pip install 'gomoku-arena[gp]'")
    from optuna.samplers import GPSampler

    return Sampled(space, lambda: GPSampler(seed=plan.seed))
