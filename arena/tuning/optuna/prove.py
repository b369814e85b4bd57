"""The test of a point that a user's own study of Optuna has found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from arena.cluster.places import Say, site_of
from arena.errors import ConfigError, Fault
from arena.plugins.load import load_game
from arena.stats.rounding import rounded
from arena.tournament.progress import RunWatcher
from arena.tournament.run import PathLike
from arena.tuning.method import Trial, TrialResult
from arena.tuning.optuna.mirror import ELO, PROVED
from arena.tuning.optuna.objective import prepare, sign_of
from arena.tuning.optuna.sampler import SamplerTuner, refuse_to_ask
from arena.tuning.proof.attempts import cluster_of, is_begun
from arena.tuning.proof.matches import ProofMatches
from arena.tuning.proof.verification import as_tested, tested_values
from arena.tuning.settings.axes import point_faults
from arena.tuning.settings.config import TuningConfig
from arena.tuning.settings.reader import read_users_study
from arena.tuning.space import Space, Values
from arena.tuning.study import Study, open_study
from arena.tuning.trials import point_name
from arena.workers.runner import Stop

if TYPE_CHECKING:
    import optuna

CONSTRAINTS = "constraints"
"""The beginning of Optuna's names for a trial's constraints."""


def prove(
    study: optuna.Study,
    config: PathLike | Mapping[str, Any],
    point: Mapping[str, Any] | None = None,
    *,
    workers: int | None = None,
    cluster: str | None = None,
    results: PathLike = "results",
    watch: RunWatcher | None = None,
    say: Say | None = None,
    stop: Stop | None = None,
) -> Study:
    """Test what a study of Optuna's found by games on openings that no trial has played.

    `config` is that of the study's objective. The `point` may be any, such as `study.best_params`;
    what it does not name has its default. Without one, the mean of the best tenth of the trials is
    tested, because the best trial owes much to luck; if trials have constraints, the best one that
    meets them. The test is that of `arena tune`, and goes on after a stop. If it passes,
    `tuned.yaml` is written into the folder under `results`, and the study's user attribute
    `proved` is the point. Other arguments are as in `arena.run`.
    Raises ConfigError if anything is wrong before the first game, or if another point was tested.

        arena.prove(study, "study.yaml").verdict
    """
    found = read_users_study(config)
    space = found.space
    folder = Path(results) / found.name
    if point is None:
        values = as_tested(folder, space, found_by(study, space))
    else:
        values = _checked_point(space, point)
    with site_of(workers, cluster, say) as site:
        prepare(folder, found, site, fresh=False, accept_changes=False)
        _check_tested(folder, found, values)
        expected, played = Study(folder, found).expected_pairs, partial(_played_in, study, found)
        ProofMatches(folder, found, values, expected, played).play(site, watch=watch, stop=stop)
    proved = open_study(folder)
    if proved.proof and proved.proof.has_passed:
        study.set_user_attr(PROVED, proved.values)
    return proved


def found_by(study: optuna.Study, space: Space) -> Values:
    """The point that a study recommends; ConfigError if no trial of it is complete."""
    from optuna.trial import TrialState

    sign, over = sign_of(study), (TrialState.COMPLETE, TrialState.PRUNED)
    trials = [each for each in study.get_trials(deepcopy=False, states=over) if _is_of(each, space)]
    complete = [each for each in trials if not _is_pruned(each)]
    if not complete:
        raise ConfigError("the study has no complete trial of these parameters")
    if any(map(_constraints_of, complete)):
        met = [each for each in complete if max(_constraints_of(each), default=1) <= 0]
        if not met:
            raise ConfigError("no complete trial of the study meets its constraints")
        best = max(met, key=lambda trial: rounded(sign * float(trial.value or 0)))
        return {name: best.params[name] for name in space.default}
    tuner = SamplerTuner(space, refuse_to_ask)
    for each in trials:  # those that ended early as well, as in any study's report
        elo = each.user_attrs[ELO] if _is_pruned(each) else sign * float(each.value or 0)
        values = {name: each.params[name] for name in space.default}
        tuner.tell(Trial(each.number, values, (values,)), TrialResult(elo, 0.5, 1))
    return {advice.name: advice.value for advice in tuner.recommend()}


def _is_of(trial: optuna.trial.FrozenTrial, space: Space) -> bool:
    """True if a trial tells of a point of this space what it has won."""
    point = {name: trial.params.get(name) for name in space.default}
    is_told = ELO in trial.user_attrs or not _is_pruned(trial)
    return is_told and not any(point_faults(space, point))


def _is_pruned(trial: optuna.trial.FrozenTrial) -> bool:
    from optuna.trial import TrialState

    return trial.state == TrialState.PRUNED


def _constraints_of(trial: optuna.trial.FrozenTrial) -> list[float]:
    """The constraints that were told of a trial, which it meets where they are 0 or less."""
    kept = trial.system_attrs.items()
    told = [value for key, value in kept if key.startswith(CONSTRAINTS)]
    return [float(x) for each in told for x in (each if isinstance(each, Sequence) else [each])]


def _checked_point(space: Space, point: Mapping[str, Any]) -> Values:
    """A point with the default values of what it does not name; ConfigError for its faults."""
    if faults := list(point_faults(space, point)):
        raise ConfigError(*(Fault(name, message) for name, message in faults))
    return {**space.default, **point}


def _check_tested(folder: Path, config: TuningConfig, values: Values) -> None:
    """Raise ConfigError if the test of another point has games."""
    tested = tested_values(folder, config.space)
    if tested and tested != values and is_begun(folder):
        message = (
            f"has the test of another point, {point_name(tested)}, not of {point_name(values)}: "
            "to go on, give that point; for another test, give the config another name"
        )
        raise ConfigError(Fault(str(folder), message))


def _played_in(study: optuna.Study, config: TuningConfig) -> set[int]:
    """The clusters of the openings that trials of the study have played, wherever that was."""
    game, found = load_game(config.terms.game), set[int]()
    trials = study.get_trials(deepcopy=False)
    for text in {text for each in trials for text in each.user_attrs.get("openings", ())}:
        with suppress(ValueError):  # an attribute of a user's own
            found.add(cluster_of(game, text))
    return found
