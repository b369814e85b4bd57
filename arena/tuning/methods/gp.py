"""A Gaussian process: a smooth model of all results, asked where strength may be greatest."""

from __future__ import annotations

from importlib.util import find_spec

from arena.errors import ConfigError, install_command
from arena.tuning.method import Plan, Tuner
from arena.tuning.optuna.sampler import SamplerTuner
from arena.tuning.space import Space


def tuner(space: Space, plan: Plan) -> Tuner:
    """Accept choices; torch is needed, which the extra `gp` brings."""
    if find_spec("torch") is None:
        raise ConfigError(f"gp needs torch: {install_command('gp')}")
    from optuna.samplers import GPSampler

    return SamplerTuner(space, lambda: GPSampler(seed=plan.seed))
