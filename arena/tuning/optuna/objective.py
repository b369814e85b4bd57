"""Paired matches as an objective of Optuna: any sampler, pruner and storage, our games and pool."""

from __future__ import annotations

import warnings
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, suppress
from functools import partial
from itertools import chain
from math import ceil, nan
from pathlib import Path
from statistics import fmean
from threading import Lock
from typing import TYPE_CHECKING, Any, Literal, cast

from arena.cluster.places import Say, site_of
from arena.errors import ConfigError
from arena.match.game_row import keys_of
from arena.match.hash_index import HashIndex
from arena.match.pairs import results_of
from arena.match.record import Job
from arena.stats.elo import bounded
from arena.storage.at_play import forget_stop
from arena.storage.database import Store
from arena.storage.folder import clear, freeze, joined, keep_written, locked, make_folder
from arena.storage.network_drive import refuse_network_drive
from arena.tournament.run import PathLike
from arena.tournament.schedule import jobs_of
from arena.tuning.beginning import first_games_of, trials_stopped
from arena.tuning.method import Trial
from arena.tuning.optuna.mirror import attributes
from arena.tuning.optuna.under_way import UnderWay, retry_abandoned
from arena.tuning.proof.attempts import check_proof, keep_attempt
from arena.tuning.proof.tuned_file import remove_tuned
from arena.tuning.proof.verification import NAME, OPPONENTS
from arena.tuning.referee import StudyReferee
from arena.tuning.scores import Scores, answer_to
from arena.tuning.settings.config import TuningConfig
from arena.tuning.settings.reader import read_users_study
from arena.tuning.settings.study_data import study_changes, tuning_data
from arena.tuning.space import Axis, Value, Values
from arena.tuning.trials import Running, TrialEnd, begun, matches_of, point_name
from arena.workers.runner import Runner, entered, never, note_programs
from arena.workers.site import Site

if TYPE_CHECKING:
    import optuna

ROUND = "round"
"""User attribute of a trial: the round of its games. A trial that is tried again keeps it, and so
the games that were played before."""

UNREPORTED = 0.2
"""Share of the openings after which the value so far is reported for the first time. Before, it is
mostly luck, and some pruners, such as MedianPruner, judge a trial by its best report."""

Report = Literal["mean", "opening"]


def objective(
    config: PathLike | Mapping[str, Any],
    *,
    report: Report = "mean",
    workers: int | None = None,
    cluster: str | None = None,
    fresh: bool = False,
    accept_changes: bool = False,
    results: PathLike = "results",
    say: Say | None = None,
) -> Objective:
    """An objective for a study of your own in Optuna: each trial plays paired games.

    `config` is a study's file, or its keys as a dict; Optuna's study takes the place of `method`,
    `start`, `budget`, `lag` and `early_stop`. Each trial plays `games` on the same openings against
    the default weights, or the opponents. Its value is the Elo that it won, or if the study
    minimizes, the Elo that it lost. The user attributes of a trial have its games, its faults and
    the openings. Games are kept under `results`; a study that was killed goes on with them, and
    several processes may play one study.

    Pruners are told the value so far, with the number of openings as the step, from the first fifth
    of these on (`report="mean"`); or the score on each opening, 0 to 1, with its number as the step
    (`report="opening"`, for WilcoxonPruner). Other arguments are as in `arena.run`. Raises
    ConfigError if anything is wrong before the first game.

        study = optuna.create_study(direction="maximize")
        study.optimize(arena.objective("study.yaml"), n_trials=50)
    """
    found = read_users_study(config)
    if report not in ("mean", "opening"):
        raise ConfigError(f"report must be 'mean' or 'opening', not {report!r}")
    folder = Path(results) / found.name
    with ExitStack() as stack:
        site = stack.enter_context(site_of(workers, cluster, say))
        prepare(folder, found, site, fresh=fresh, accept_changes=accept_changes)
        return Objective(folder, found, site, report, stack.pop_all())


def prepare(
    folder: Path, config: TuningConfig, site: Site, *, fresh: bool, accept_changes: bool
) -> None:
    """Check the engines, and the folder for games of other settings or code; keep the settings."""
    referee = StudyReferee(config)
    referee.check(site.workers == 0, config.openings[0])
    site.check(referee)
    refuse_network_drive(folder)
    make_folder(folder)
    if fresh:
        with locked(folder):
            keep_attempt(folder, config)
            remove_tuned(folder, config)
            for each in (folder, folder / NAME, folder / OPPONENTS):
                clear(each)
    with joined(folder) as alone, alone(), entered(folder, referee, site) as runner:
        forget_stop(folder)
        check_proof(folder, config)
        freeze(folder, tuning_data(config), study_changes, runner.store, accept_changes)
        note_programs(runner)
        keep_written(runner.store, config.written)


class Objective:
    """Plays the trials of a study; trials of several threads are played one after the other."""

    def __init__(
        self, folder: Path, config: TuningConfig, site: Site, report: Report, stack: ExitStack
    ) -> None:
        """The `stack` is closed with the objective: it lets go of a cluster."""
        self.folder = folder
        self.config = config
        self._site = site
        self._report = report
        self._first_games = first_games_of(config)
        self._turn = Lock()
        self._under_way = UnderWay(folder)
        stack.callback(self._under_way.close)
        weakref.finalize(self, stack.close)

    def __repr__(self) -> str:
        return f"<Objective {self.config.name}: {', '.join(self.config.space.default)}>"

    def __call__(self, trial: optuna.Trial) -> float:
        """Play a trial, and return its value. Raises optuna.TrialPruned if the pruner ends it."""
        if not hasattr(trial, "study"):
            raise ConfigError("games are played for a trial of a study, not for a fixed one")
        with self._turn:
            self._under_way.tell(trial)
            sign = sign_of(trial.study)
            values = {axis.name: suggested(trial, axis) for axis in self.config.space.axes}
            with (
                joined(self.folder),
                entered(self.folder, StudyReferee(self.config), self._site) as runner,
            ):
                retry_abandoned(trial.study, self.folder)
                return sign * self._play(trial, values, runner, sign)

    def _play(self, trial: optuna.Trial, values: Values, runner: Runner, sign: int) -> float:
        """Play a trial's games as far as they are missing, tell Optuna of it; the Elo, or NaN for a
        trial that is to be tried again."""
        import optuna

        starts, kept = self.config.starts, trial.user_attrs.get(ROUND)
        round = runner.store.claim_round(
            kept or trial.number + 1, point_name(values), len(starts), is_own=bool(kept)
        )
        trial.set_user_attr(ROUND, round)
        question = Trial(round - 1, values, (values,))
        matches = list(matches_of(question, self.config.rivals))
        run = begun(question, matches, starts, None)
        first = ceil(UNREPORTED * len(starts)) if self._report == "mean" else 1
        run.stopping = Pruning(trial, partial(self._value, run, sign), len(starts), first)
        try:
            self._play_missing(trial, run, runner)
        except KeyboardInterrupt:
            self._try_again(trial)
            raise
        if not (run.is_over or self._first_games.faulty):  # a page has asked to stop
            self._try_again(trial)
            return nan  # which Optuna takes as a failure
        runner.store.end_trial(round, len(run.scores))
        answer = answer_to(len(question.points), run.scores)
        end = TrialEnd(len(run.scores), bounded(answer.elo), None)
        for name, each in attributes(run.told(answer, end)).items():
            trial.set_user_attr(name, each)
        if run.is_stopped:
            raise optuna.TrialPruned(f"ended after {len(run.scores)} of {len(starts)} openings")
        return bounded(answer.elo)

    def _try_again(self, trial: optuna.Trial) -> None:
        """Have a trial tried again, which goes on with the games that it has."""
        trial.study.enqueue_trial(trial.params, user_attrs=trial.user_attrs)
        self._under_way.forget()  # it would be tried twice

    def _value(self, run: Running, sign: int, scores: Scores) -> float:
        """What the pruner is told after these openings."""
        if self._report == "opening":
            return fmean(scores[-1]) if sign > 0 else 1 - fmean(scores[-1])
        return sign * bounded(answer_to(len(run.trial.points), scores).elo)

    def _play_missing(self, trial: optuna.Trial, run: Running, runner: Runner) -> None:
        """Play the games that the store lacks, up to an early end."""
        pairings = list(chain(*run.pairings))
        for pairing in pairings:
            self._first_games.add(pairing)
        keys = list(chain(*map(keys_of, pairings)))
        kept = runner.store.game_rows(keys)
        results, known = results_of(kept), HashIndex(row.key for row in kept)

        def jobs() -> Iterator[Job]:
            for pairing in pairings:
                yield from jobs_of(pairing, self.config.plan.seed)

        run.take(results)
        left = 0 if run.is_over else len(keys) - len(kept)
        if left:
            with closing(runner.play_missing(jobs(), known, never, left)) as ended:
                for _, row in ended:
                    results.add(row)
                    run.take(results)
                    if self._first_games.look(results) or run.is_over:
                        break
        if self._first_games.faulty or not run.is_over:
            self._end(trial.study, runner.store)

    def _end(self, study: optuna.Study, store: Store) -> None:
        """End a study whose engine only loses by its own faults, or that a page has stopped."""
        with suppress(RuntimeError):  # a trial that was asked for by `study.ask`
            study.stop()
        go_on = "go on with `keep_going: true` in the config"
        if stopped := trials_stopped(self.config, self._first_games, store.games(), go_on):
            warnings.warn(stopped, stacklevel=2)


class Pruning:
    """Tells a trial's pruner of each opening, in order, and asks it if the trial is to end."""

    def __init__(
        self, trial: optuna.Trial, value: Callable[[Scores], float], openings: int, first: int
    ) -> None:
        """The `value` to report after each of the openings, from the `first` on."""
        self._trial, self._value = trial, value
        self._openings, self._first = openings, first

    def is_due(self, scores: Sequence[Sequence[float]]) -> bool:
        """True if the trial is to end; never after its last opening, when nothing is saved."""
        if len(scores) < self._first:
            return False
        self._trial.report(self._value(scores), len(scores))
        return len(scores) < self._openings and self._trial.should_prune()


def sign_of(study: optuna.Study) -> int:
    """The sign of Elo in a study's values: 1, or if it minimizes, -1.

    Raises ConfigError if it has several directions.
    """
    import optuna

    if len(study.directions) > 1:
        raise ConfigError("the study has several objectives, and a trial's value is one: its Elo")
    return 1 if study.direction == optuna.study.StudyDirection.MAXIMIZE else -1


def suggested(trial: optuna.Trial, axis: Axis) -> Value:
    """The value that the sampler suggests for a parameter."""
    from optuna.distributions import CategoricalDistribution, FloatDistribution, IntDistribution

    match axis.distribution():
        case CategoricalDistribution():
            return cast(Value, trial.suggest_categorical(axis.name, axis.choices))
        case IntDistribution(low=low, high=high, step=step, log=log):
            return trial.suggest_int(axis.name, low, high, step=step, log=log)
        case FloatDistribution(low=low, high=high, step=step, log=log):
            return trial.suggest_float(axis.name, low, high, step=step, log=log)
        case other:
            raise TypeError(f"{other} is no distribution of an axis")
