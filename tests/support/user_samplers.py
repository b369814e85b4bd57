"""Samplers of Optuna's kind, by name: its own, one of OptunaHub, and one that a user wrote."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import numpy as np
import optuna
import pytest
from optuna.distributions import BaseDistribution
from optuna.samplers import BaseSampler

REGISTRY = "OPTUNAHUB_REGISTRY"
"""Environment variable: a clone of github.com/optuna/optunahub-registry. Tests download nothing."""


class Halton(optuna.samplers.RandomSampler):
    """Evenly spread numbers, as a user may write a sampler: by each parameter's own range."""

    def __init__(self, seed: int = 0) -> None:
        super().__init__()
        self._start = seed

    def sample_independent(
        self,
        study: optuna.Study,
        trial: optuna.trial.FrozenTrial,
        param_name: str,
        param_distribution: BaseDistribution,
    ) -> Any:
        place, share, base = trial.number + self._start + 1, 0.0, 2 + len(trial.params)
        scale = 1.0
        while place:
            place, digit = divmod(place, base)
            scale /= base
            share += digit * scale
        if isinstance(param_distribution, optuna.distributions.CategoricalDistribution):
            return param_distribution.choices[int(share * len(param_distribution.choices))]
        low, high = param_distribution.low, param_distribution.high  # type: ignore[attr-defined]
        number = low + share * (high - low)
        is_whole = isinstance(param_distribution, optuna.distributions.IntDistribution)
        return int(np.floor(number)) if is_whole else number


def from_hub() -> BaseSampler:
    """A sampler of OptunaHub; skips the test if there is none on this machine."""
    hub = pytest.importorskip("optunahub", reason="pip install optunahub")
    if not (registry := os.environ.get(REGISTRY)):
        pytest.skip(f"{REGISTRY} names no clone of OptunaHub's registry")
    package = hub.load_local_module(
        "samplers/whale_optimization", registry_root=f"{registry}/package"
    )
    sampler: BaseSampler = package.WhaleOptimizationSampler(population_size=3, max_iter=9)
    return sampler


def gp() -> BaseSampler:
    pytest.importorskip("torch", reason="pip install torch")
    return optuna.samplers.GPSampler(seed=1, n_startup_trials=3)


SAMPLERS: dict[str, Callable[[], BaseSampler]] = {
    "tpe": lambda: optuna.samplers.TPESampler(seed=1, n_startup_trials=3),
    "gp": gp,
    "cmaes": lambda: optuna.samplers.CmaEsSampler(seed=1, n_startup_trials=3),
    "hub": from_hub,
    "own": Halton,
}
