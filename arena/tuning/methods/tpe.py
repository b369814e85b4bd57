"""Tree-structured Parzen estimators: points like the better ones so far, unlike the others."""

from __future__ import annotations

from typing import Annotated

from arena.engine import Range
from arena.tuning.method import Plan, Tuner
from arena.tuning.optuna.sampler import SamplerTuner
from arena.tuning.space import Space


def tuner(
    space: Space,
    plan: Plan,
    *,
    startup: Annotated[int, Range(1, 100_000), "trials at random before the first model"] = 10,
    multivariate: Annotated[bool, "whether parameters are modelled together"] = False,
) -> Tuner:
    """Model each parameter by itself, which was measured to find better weights; accept choices."""
    from optuna.samplers import TPESampler

    return SamplerTuner(
        space,
        lambda: TPESampler(seed=plan.seed, n_startup_trials=startup, multivariate=multivariate),
    )
