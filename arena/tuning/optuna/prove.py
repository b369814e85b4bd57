"""The test of a point that a user's own study of Optuna has found."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from arena.cluster.places import Say, site_of
from arena.errors import ConfigError, Fault
from arena.plugins.load import load_game
from arena.tournament.run import PathLike, RunWatcher
from arena.tuning.optuna.mirror import PROVED
from arena.tuning.optuna.objective import prepare
from arena.tuning.optuna.sampler import found_by, point_of
from arena.tuning.proof.attempts import cluster_of, is_begun
from arena.tuning.proof.matches import ProofMatches
from arena.tuning.proof.verification import as_tested, tested_values
from arena.tuning.settings.config import TuningConfig
from arena.tuning.settings.reader import read_users_study
from arena.tuning.space import Values, checked_point
from arena.tuning.study import Study, open_study
from arena.tuning.trials import point_name
from arena.workers.runner import Stop

if TYPE_CHECKING:
    import optuna


def prove(
    study: optuna.Study,
    config: PathLike | Mapping[str, Any],
    point: Mapping[str, Any] | optuna.trial.FrozenTrial | None = None,
    *,
    workers: int | None = None,
    cluster: str | None = None,
    results: PathLike = "results",
    watch: RunWatcher | None = None,
    say: Say | None = None,
    stop: Stop | None = None,
) -> Study:
    """Test what a study of Optuna's found by games on openings that no trial has played.

    `config` is that of the study's objective. The `point` may be any, such as `study.best_params`,
    or a trial; what it does not name has its default. Without one, the mean of the best tenth of
    the trials is tested, because the best trial owes much to luck; if trials have constraints, the
    best one that meets them. A study of several objectives needs one. The test is that of
    `arena tune`, and goes on after a stop. If it passes, `tuned.yaml` is written into the folder
    under `results`, and the study's user attribute `proved` is the point. Other arguments are as in
    `arena.run`. Raises ConfigError if anything is wrong before the first game, or if
    another point was tested.

        arena.prove(study, "study.yaml").verdict
    """
    found = read_users_study(config)
    space = found.space
    folder = Path(results) / found.name
    if point is None:
        values = as_tested(folder, space, found_by(study, space))
    else:
        values = space.default | checked_point(space, point_of(point, space))
    with site_of(workers, cluster, say, found.players) as site:
        prepare(folder, found, site, fresh=False, accept_changes=False)
        _check_tested(folder, found, values)
        expected, played = Study(folder, found).expected_pairs, partial(_played_in, study, found)
        ProofMatches(folder, found, values, expected, played).play(site, watch=watch, stop=stop)
    proved = open_study(folder)
    if proved.proof and proved.proof.has_passed:
        study.set_user_attr(PROVED, proved.values)
    return proved


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
