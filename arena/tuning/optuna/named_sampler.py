"""A sampler of Optuna's kind by the name of its class, imported only where its study is played."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

import numpy as np

from arena.errors import ConfigError, Fault, own_words, unknown
from arena.plugins.load import Named
from arena.plugins.user_engines import module_named
from arena.tuning.optuna.sampler import quiet
from arena.tuning.space import Space

if TYPE_CHECKING:
    import optuna

SAMPLER, SEED = "sampler", "seed"
REHEARSED = 12
"""Trials that a sampler is told of in a rehearsal: some look at the space after ten only."""


def make_sampler(named: Named, seed: int) -> optuna.samplers.BaseSampler:
    """A new sampler of this class, which gets the seed if it takes one and has none.

    Raises ConfigError, whose faults are at `sampler` or at a parameter, if it cannot be made.
    """
    made = _class_named(named.name)
    known = inspect.signature(made).parameters
    takes_any = any(each.kind is each.VAR_KEYWORD for each in known.values())
    names = [each.name for each in known.values() if each.kind is not each.VAR_POSITIONAL]
    strange = [] if takes_any else [key for key in named.parameters if key not in names]
    if strange:
        raise ConfigError(*(Fault(key, unknown("parameter", key, names)) for key in strange))
    given = {SEED: seed, **named.parameters} if SEED in names else dict(named.parameters)
    with quiet():
        try:
            sampler: optuna.samplers.BaseSampler = made(**given)
        except Exception as error:
            raise ConfigError(Fault(SAMPLER, f"cannot be made: {own_words(error)}")) from error
    return sampler


def _class_named(name: str) -> Any:
    """The class; ConfigError if it cannot be imported, or is no sampler."""
    import optuna

    package, _, own_name = name.rpartition(".")
    try:
        module = module_named(package, "package")
    except ConfigError as error:
        raise ConfigError(Fault(SAMPLER, str(error))) from error
    found = getattr(module, own_name, None)
    if not (inspect.isclass(found) and issubclass(found, optuna.samplers.BaseSampler)):
        classes = inspect.getmembers(module, inspect.isclass)
        names = [key for key, each in classes if issubclass(each, optuna.samplers.BaseSampler)]
        raise ConfigError(Fault(SAMPLER, unknown(f"sampler of {package}", own_name, names)))
    return found


def rehearse(named: Named, space: Space, seed: int) -> None:
    """Let a sampler suggest a point, as it will after some trials.

    Raises ConfigError as in `make_sampler`, and if it cannot search this space.
    """
    import optuna

    distributions = {axis.name: axis.distribution() for axis in space.axes}
    random = np.random.default_rng(seed)
    sampler = make_sampler(named, seed)
    with quiet():
        drawn = optuna.create_study(sampler=optuna.samplers.RandomSampler(seed=seed))
        study = optuna.create_study(direction="maximize", sampler=sampler)
        told = [(drawn.ask(distributions).params, float(random.normal())) for _ in range(REHEARSED)]
        try:
            for values, elo in told:
                study.enqueue_trial(values)
                study.tell(study.ask(distributions), elo)
            study.ask(distributions)
        except Exception as error:  # of a sampler of any package
            message = f"cannot search these parameters: {own_words(error)}"
            raise ConfigError(Fault(SAMPLER, message)) from error
