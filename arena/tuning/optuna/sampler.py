"""Tuners that measure one point at a time: Optuna's samplers, by the name of the class."""

from __future__ import annotations

import inspect
import warnings
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property, partial
from math import nan
from typing import TYPE_CHECKING, Any

import numpy as np

from arena.errors import ConfigError, Fault, own_words, unknown
from arena.plugins.load import Named
from arena.plugins.user_engines import module_named
from arena.stats.rounding import rounded
from arena.tuning.method import Advice, Trial, TrialResult
from arena.tuning.space import Axis, Space, Value, Values, point_faults

if TYPE_CHECKING:
    import optuna
    from optuna.distributions import BaseDistribution
    from optuna.storages import InMemoryStorage
    from optuna.trial import FrozenTrial

ELO, COPY_OF = "elo", "copy_of"
"""User attributes of a trial: what its point has won, be it complete or ended early; of one that
would only repeat games, and is no evidence, the number of the trial that played them."""
CONSTRAINTS = "constraints"  # The beginning of Optuna's names for a trial's constraints
BEST = 0.1  # Share of the trials whose mean is recommended: the best one owes too much to luck

MIDDLE_TENTHS = (0.1, 0.9)  # Quantiles of the best tenth's values between which its spread is


@contextmanager
def quiet() -> Iterator[None]:
    import optuna

    before = optuna.logging.get_verbosity()
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    try:
        with warnings.catch_warnings(action="ignore"):
            yield
    finally:
        optuna.logging.set_verbosity(before)


def refuse_to_ask() -> optuna.samplers.BaseSampler:
    """In place of a sampler, where trials are only told."""
    raise AssertionError("this study asks for no trials")


class SamplerTuner:
    """A tuner that asks a sampler of Optuna, by a study in memory that remembers the answers.

    The sampler is made once it is asked: what was found is told without it.
    """

    def __init__(self, space: Space, make: Callable[[], optuna.samplers.BaseSampler]) -> None:
        self._space = space
        self._make = make
        # The default is where users are now: the first trial tells what it is worth.
        self._start = [space.default]
        self._untold: deque[Callable[[], object]] = deque()  # Trials and answers, in turn
        self._asked: dict[int, optuna.Trial] = {}
        self._told: list[tuple[float, Values]] = []

    def enqueue(self, points: Iterable[Values]) -> None:
        self._start += points

    @cached_property
    def _storage(self) -> InMemoryStorage:
        from optuna.storages import InMemoryStorage

        return InMemoryStorage()

    @cached_property
    def _study(self) -> optuna.Study:
        import optuna

        with quiet():
            study = optuna.create_study(
                storage=self._storage, direction="maximize", sampler=self._make()
            )
            for point in self._start:
                study.enqueue_trial(point)
        return study

    @cached_property
    def _distributions(self) -> Mapping[str, BaseDistribution]:
        return {axis.name: axis.distribution() for axis in self._space.axes}

    def ask(self) -> Trial:
        while self._untold:
            self._untold.popleft()()
        trial = self._suggested()
        self._asked[trial.number] = trial
        values: Values = dict(trial.params)
        return Trial(trial.number, values, (values,))

    def _suggested(self) -> optuna.Trial:
        with quiet():
            return self._study.ask(dict(self._distributions))

    def repeat(self, trial: Trial) -> None:
        """Go on as if the sampler had suggested this trial; it is asked before the next one."""
        self._untold.append(partial(self._suggest_again, trial))

    def _suggest_again(self, trial: Trial) -> None:
        """Let the sampler suggest a point, and put that of the trial into its place."""
        suggestion = self._asked[trial.number] = self._suggested()
        for name, value in trial.points[0].items():
            form = self._distributions[name]
            inner = form.to_internal_repr(value)
            self._storage.set_trial_param(suggestion._trial_id, name, inner, form)

    def tell(self, trial: Trial, answer: TrialResult) -> float:
        """The trial's own Elo; against opponents, over what the default won, if it was tried."""
        self._untold.append(partial(self._tell, trial.number, answer.elo))
        if answer.pairs:
            self._told.append((answer.elo, trial.points[0]))
        default = (elo for elo, point in self._told if point == self._space.default)
        return answer.elo - (0.0 if answer.meets_default else next(default, 0.0))

    def _tell(self, number: int, elo: float) -> None:
        with quiet():
            self._study.tell(self._asked.pop(number), elo)

    def forecast(self) -> None:
        """Nothing: there is no model of strength."""

    def recommend(self, shares: Mapping[str, float] | None = None) -> Sequence[Advice]:
        """The mean of the best tenth (of choices, the commonest), with its spread, and the
        importances, unless others are given.

        That is no interval of the best value: the best tenth owes its place to luck, lies where
        the sampler looked, and its standard error holds the best value in a third to two thirds
        of studies.
        """
        shares = shares or self._importances()
        ranked = sorted(self._told, key=lambda told: -rounded(told[0]))
        best = [values for _, values in ranked[: max(1, round(BEST * len(ranked)))]]
        return [
            chosen(axis, best, shares[axis.name])
            if axis.choices
            else _averaged(self._space, axis, best, shares[axis.name])
            for axis in self._space.axes
        ]

    def advice_on(self, point: Values) -> Sequence[Advice]:
        shares = self._importances()
        return [
            Advice(name, value, None, None, shares[name], None, None)
            for name, value in point.items()
        ]

    def _importances(self) -> dict[str, float]:
        """The parameters' importances (Optuna's PED-ANOVA); equal where too few trials tell."""
        import optuna

        names = [axis.name for axis in self._space.axes]
        with quiet():
            study = optuna.create_study(direction="maximize")
            try:
                for elo, values in self._told:
                    study.add_trial(
                        optuna.create_trial(
                            params=values, distributions=dict(self._distributions), value=elo
                        )
                    )
                evaluator = optuna.importance.PedAnovaImportanceEvaluator()
                effects = optuna.importance.get_param_importances(study, evaluator=evaluator)
            except (RuntimeError, ValueError):
                effects = {}
        total = sum(effects.values())
        if not total:
            return {name: 1 / len(names) for name in names}
        return {name: effects.get(name, 0.0) / total for name in names}


def _averaged(space: Space, axis: Axis, best: Sequence[Values], importance: float) -> Advice:
    """The mean in units, so that a logarithmic parameter has a geometric one."""
    units = np.array([axis.unit(values[axis.name]) for values in best])
    value = space.value(axis, float(units.mean()))
    low, high = (axis.number(float(end)) for end in np.quantile(units, MIDDLE_TENTHS))
    return Advice(axis.name, value, None, None, importance, None, None, low, high)


def chosen(axis: Axis, best: Sequence[Values], importance: float) -> Advice:
    """The commonest choice; of equals, the one of the better trials."""
    values: list[Value] = [point[axis.name] for point in best]
    commonest = max(values, key=values.count)
    return Advice(axis.name, commonest, None, None, importance, None, None)


def sign_of(study: optuna.Study) -> int:
    """The sign of Elo in a study's values: -1 if it minimizes all of them, else 1."""
    from optuna.study import StudyDirection

    return -1 if {*study.directions} == {StudyDirection.MINIMIZE} else 1


def point_of(point: object, space: Space) -> Mapping[str, Any]:
    if isinstance(point, Mapping):
        return point
    params = getattr(point, "_params", None) or getattr(point, "params", None)
    if not isinstance(params, Mapping):
        raise ConfigError(f"a point must be {{parameter: value}} or a trial, not {point!r}")
    return {name: params[name] for name in space.default if name in params}


def found_by(study: optuna.Study, space: Space, now: Sequence[tuple[Values, float]] = ()) -> Values:
    """The point that a study recommends, with points and their Elo that are told `now`; ConfigError
    if it has several objectives, or no trial of it is complete."""
    from optuna.trial import TrialState

    if len(study.directions) > 1:
        way_out = "name the point, as in arena.prove(study, FILE, study.best_trials[0])"
        raise ConfigError(f"the study has several objectives: {way_out}")
    sign, over = sign_of(study), (TrialState.COMPLETE, TrialState.PRUNED)
    trials = [each for each in study.get_trials(deepcopy=False, states=over) if _is_of(each, space)]
    complete = [each for each in trials if not _is_pruned(each)]
    if not (complete or now):
        raise ConfigError("the study has no complete trial of these parameters")
    if any(map(_constraints_of, complete)):
        met = [each for each in complete if max(_constraints_of(each), default=1) <= 0]
        if not met:
            raise ConfigError("no complete trial of the study meets its constraints")
        best = max(met, key=lambda trial: rounded(sign * float(trial.value or 0)))
        return {name: best.params[name] for name in space.default}
    tuner, told = SamplerTuner(space, refuse_to_ask), list[tuple[Values, float]]()
    for each in trials:  # those that ended early as well, as in any study's report
        elo = each.user_attrs[ELO] if _is_pruned(each) else sign * float(each.value or 0)
        told.append(({name: each.params[name] for name in space.default}, elo))
    for values, elo in (*told, *now):
        tuner.tell(Trial(0, values, (values,)), TrialResult(elo, 0.5, 1))
    return {each.name: each.value for each in tuner.recommend(dict.fromkeys(space.default, nan))}


def _is_of(trial: FrozenTrial, space: Space) -> bool:
    point = {name: trial.params.get(name) for name in space.default}
    is_told = ELO in trial.user_attrs or not _is_pruned(trial)
    return is_told and COPY_OF not in trial.user_attrs and not any(point_faults(space, point))


def _is_pruned(trial: FrozenTrial) -> bool:
    from optuna.trial import TrialState

    return trial.state == TrialState.PRUNED


def _constraints_of(trial: FrozenTrial) -> list[float]:
    """The constraints that were told of a trial, which it meets where they are 0 or less."""
    kept = trial.system_attrs.items()
    told = [value for key, value in kept if key.startswith(CONSTRAINTS)]
    return [float(x) for each in told for x in (each if isinstance(each, Sequence) else [each])]


SAMPLER, SEED = "sampler", "seed"
REHEARSED = 12  # Trials that a sampler is told of in a rehearsal: some look after ten only


def make_sampler(named: Named, seed: int) -> optuna.samplers.BaseSampler:
    """ConfigError, whose faults are at `sampler` or at a parameter, if it cannot be made."""
    sampler_class = _class_named(named.name)
    declared = inspect.signature(sampler_class).parameters.values()
    names = [each.name for each in declared if each.kind is not each.VAR_POSITIONAL]
    if not any(each.kind is each.VAR_KEYWORD for each in declared):
        strange = [key for key in named.parameters if key not in names]
        if strange:
            raise ConfigError(*(Fault(key, unknown("parameter", key, names)) for key in strange))
    arguments = {SEED: seed, **named.parameters} if SEED in names else dict(named.parameters)
    with quiet():
        try:
            sampler: optuna.samplers.BaseSampler = sampler_class(**arguments)
        except Exception as error:
            raise ConfigError(Fault(SAMPLER, f"cannot be made: {own_words(error)}")) from error
    return sampler


def _class_named(name: str) -> Any:
    import optuna

    package, _, own_name = name.rpartition(".")
    try:
        module = module_named(package, "package")
    except ConfigError as error:
        raise ConfigError(Fault(SAMPLER, str(error))) from error
    sampler = getattr(module, own_name, None)
    if not (inspect.isclass(sampler) and issubclass(sampler, optuna.samplers.BaseSampler)):
        classes = inspect.getmembers(module, inspect.isclass)
        names = [key for key, each in classes if issubclass(each, optuna.samplers.BaseSampler)]
        raise ConfigError(Fault(SAMPLER, unknown(f"sampler of {package}", own_name, names)))
    return sampler


def rehearse(named: Named, space: Space, seed: int) -> None:
    """Let a sampler suggest a point after some trials. Raises ConfigError as `make_sampler`."""
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
