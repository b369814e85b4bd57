"""Paired matches as an objective of Optuna, played by many processes, and the test of a point."""

from __future__ import annotations

import fcntl
import json
import os
import secrets
import warnings
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, suppress
from functools import cached_property, partial
from itertools import chain
from math import ceil, nan
from pathlib import Path
from statistics import fmean
from threading import Lock
from typing import TYPE_CHECKING, Any, Literal, cast

from arena.cluster.places import Say, site_of
from arena.errors import ConfigError, Fault, unknown
from arena.files import regular_opener
from arena.match.game_row import GameRow, keys_of, row_of
from arena.match.pairs import HashIndex, Results, results_of
from arena.match.record import MICROSECONDS, Job
from arena.plugins.load import load_game
from arena.stats.elo import bounded
from arena.storage.connection import refuse_network_drive
from arena.storage.database import Store
from arena.storage.folder import (
    CONFIG,
    clear,
    forget_stop,
    freeze,
    joined,
    keep_written,
    locked,
    make_folder,
    run_id,
)
from arena.tournament.run import PathLike, RunWatcher
from arena.tournament.schedule import jobs_of
from arena.tuning.method import Trial
from arena.tuning.optuna.mirror import PROVED, RECOMMENDED, attributes
from arena.tuning.optuna.sampler import COPY_OF, ELO, found_by, point_of, quiet, sign_of
from arena.tuning.proof.matches import ProofMatches, check_proof, cluster_of, is_begun, keep_attempt
from arena.tuning.proof.verification import NAME, OPPONENTS, as_tested, remove_tuned, tested_values
from arena.tuning.settings.config import TuningConfig, study_changes, tuning_data
from arena.tuning.settings.reader import read_users_study
from arena.tuning.space import Axis, Value, Values, checked_point
from arena.tuning.study import (
    ASIDE,
    Study,
    StudyReferee,
    first_games_of,
    open_study,
    trials_stopped,
)
from arena.tuning.trials import Running, Scores, TrialEnd, answer_to, begun, matches_of, point_name
from arena.workers.pool import Site
from arena.workers.runner import Runner, Stop, entered, never, note_programs

if TYPE_CHECKING:
    import optuna

ROUND = "round"
"""User attribute of a trial: the round of its games. A trial that is tried again keeps it, and so
the games that were played before."""

COSTS = "seconds_a_move", "nodes_a_move"
PAGE = "page"
"""User attributes: means over a point's moves, and the address of its games in `arena serve`."""
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
    only minimizes, the Elo that it lost; it may be one of several objectives. The user attributes
    of a trial have its seconds and nodes a move, its games, its faults and the openings. Games are
    kept under `results`; a study that was killed goes on with them, and several processes may play
    one study. An objective that was pickled goes on in the same folder.

    Pruners are told the value so far, with the number of openings as the step, from the first fifth
    of these on (`report="mean"`); or the score on each opening, 0 to 1, with its number as the step
    (`report="opening"`, for WilcoxonPruner). Other arguments are as in `arena.run`. Raises
    ConfigError if anything is wrong before the first game.

        study = optuna.create_study(direction="maximize")
        study.optimize(arena.objective("study.yaml"), n_trials=50)
    """
    settings = read_users_study(config)
    if report not in ("mean", "opening"):
        raise ConfigError(f"report must be 'mean' or 'opening', not {report!r}")
    folder = Path(results) / settings.name
    made = Objective(folder, settings, report, workers, cluster, say)
    prepare(folder, settings, made.site, fresh=fresh, accept_changes=accept_changes)
    return made


def prepare(
    folder: Path, config: TuningConfig, site: Site, *, fresh: bool, accept_changes: bool
) -> None:
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
        self,
        folder: Path,
        config: TuningConfig,
        report: Report,
        workers: int | None,
        cluster: str | None,
        say: Say | None = None,
    ) -> None:
        self.folder = folder
        self.config = config
        self._report = report
        self._place = workers, cluster
        self._first_games = first_games_of(config)
        self._turn = Lock()
        self._repeating: dict[str, bool] = {}  # If points that came again repeated their games
        self._open = ExitStack()
        weakref.finalize(self, self._open.close)  # lets go of a cluster
        self.site = self._open.enter_context(site_of(workers, cluster, say, config.players))

    def __reduce__(self) -> tuple[Any, ...]:
        return Objective, (self.folder.resolve(), self.config, self._report, *self._place)

    @cached_property
    def _under_way(self) -> UnderWay:
        if not (self.folder / CONFIG).exists():
            raise ConfigError(Fault(str(self.folder), "is not here, where the objective is"))
        return self._open.enter_context(closing(UnderWay(self.folder)))

    def __repr__(self) -> str:
        return f"<Objective {self.config.name}: {', '.join(self.config.space.default)}>"

    def __call__(self, trial: optuna.Trial) -> float:
        """Play a trial, and return its value. Raises optuna.TrialPruned if the pruner ends it."""
        if not hasattr(trial, "study"):
            checked_point(self.config.space, point_of(trial, self.config.space))
            raise ConfigError(
                "games are played for trials that a study asks for: to play this point, call "
                "study.enqueue_trial(trial.params); to test it, arena.prove(study, FILE, trial)"
            )
        with self._turn:
            values, sign = self._point(trial), sign_of(trial.study)
            self._under_way.tell(trial)
            with (
                joined(self.folder),
                entered(self.folder, StudyReferee(self.config), self.site) as runner,
            ):
                _retry_abandoned(trial.study, self.folder)
                if earlier := self._repeated(trial, values, runner):
                    return sign * self._copy(trial, earlier)
                return sign * self._play(trial, values, runner, sign)

    def _point(self, trial: optuna.Trial) -> Values:
        space, kept = self.config.space, trial.study.get_trials(deepcopy=False)[trial.number]
        queued: Mapping[str, Any] = kept.system_attrs.get("fixed_params", {})
        own = {k: v for k, v in {**queued, **kept.params}.items() if k in space.default}
        checked = checked_point(space, own)
        for name in queued.keys() - space.default.keys() - kept.params.keys():
            words = unknown("parameter", name, space.default)
            warnings.warn(f"{words}: it counts only if your function suggests it", stacklevel=3)
        return {
            axis.name: checked[axis.name] if axis.name in kept.params else suggested(trial, axis)
            for axis in space.axes
        }

    def _repeated(
        self, trial: optuna.Trial, values: Values, runner: Runner
    ) -> optuna.trial.FrozenTrial | None:
        """An earlier trial of the study whose games this one would play again, move for move."""
        from optuna.trial import TrialState

        players = runner.referee.players.values()
        is_timed = any(each.limit_in(self.config.terms).is_timed for each in players)
        if ROUND in trial.user_attrs or is_timed:
            return None
        for each in trial.study.get_trials(deepcopy=False, states=(TrialState.COMPLETE,)):
            notes = each.user_attrs
            if ROUND in notes and COPY_OF not in notes and values.items() <= each.params.items():
                run, kept = self._kept_run(values, notes[ROUND], runner)
                run.take(results_of(kept))
                is_here = run.is_over and bounded(answer_to(1, run.scores).elo) == notes.get(ELO)
                if is_here and not run.faults.total():
                    return each if self._repeats(run, results_of(kept), runner) else None
        return None

    def _repeats(self, run: Running, kept: Results, runner: Runner) -> bool:
        """True if a point plays the same games with other seeds: the first pair of a trial under
        each condition is repeated, outside of all trials, until a point has played otherwise."""
        name = point_name(run.trial.points[0])
        if name not in self._repeating and all(self._repeating.values()):
            pairings = list(chain(*run.pairings[: self.config.round]))
            aside = [pairing._replace(round=ASIDE) for pairing in pairings]
            jobs = [job for pairing in aside for job in jobs_of(pairing, self.config.plan.seed)]
            site = runner.site.at_most(len(jobs))
            again = results_of(map(row_of, site.play(iter(jobs), runner.referee, runner.log)))
            self._repeating[name] = [*map(kept.get, pairings)] == [*map(again.get, aside)]
        return self._repeating.get(name, False)

    def _copy(self, trial: optuna.Trial, earlier: optuna.trial.FrozenTrial) -> float:
        told = {name: earlier.user_attrs.get(name) for name in (ELO, ROUND, *COSTS, PAGE)}
        nothing = {"pairs": 0, "games": 0, "pentanomial": [], "openings": [], "faults": 0}
        self._tell(trial, {**told, **nothing, COPY_OF: earlier.number})
        return float(earlier.user_attrs[ELO])

    def _tell(
        self, trial: optuna.Trial, told: Mapping[str, Any], *now: tuple[Values, float]
    ) -> None:
        """Keep user attributes of a trial, and what its study recommends, with those told `now`."""
        for name, value in told.items():
            trial.set_user_attr(name, value)
        with suppress(ConfigError):
            trial.set_user_attr(RECOMMENDED, found_by(trial.study, self.config.space, now))

    def _play(self, trial: optuna.Trial, values: Values, runner: Runner, sign: int) -> float:
        """The Elo of a trial, played as far as it is missing; NaN if it is to be tried again."""
        import optuna

        starts, kept = self.config.starts, trial.user_attrs.get(ROUND)
        round = runner.store.claim_round(
            kept or trial.number + 1, point_name(values), len(starts), is_own=bool(kept)
        )
        trial.set_user_attr(ROUND, round)
        run, rows = self._kept_run(values, round, runner)
        first = ceil(UNREPORTED * len(starts)) if self._report == "mean" else 1
        if len(trial.study.directions) == 1:
            run.stopping = Pruning(trial, partial(self._value, run, sign), len(starts), first)
        try:
            self._play_missing(trial, run, rows, runner)
        except KeyboardInterrupt:
            self._try_again(trial)
            raise
        costs = self._costs(run, runner.store)
        if not (run.is_over or self._first_games.faulty):  # a page has asked to stop
            self._try_again(trial)
            self._tell(trial, costs)  # for a function of several objectives
            return nan  # which Optuna takes as a failure
        runner.store.end_trial(round, len(run.scores))
        answer = answer_to(len(run.trial.points), run.scores)
        elo = bounded(answer.elo)
        told = attributes(run.told(answer, TrialEnd(len(run.scores), elo, None)))
        self._tell(trial, {**told, **costs}, (values, elo))
        if run.is_stopped:
            raise optuna.TrialPruned(f"ended after {len(run.scores)} of {len(starts)} openings")
        return elo

    def _kept_run(
        self, values: Values, round: int, runner: Runner
    ) -> tuple[Running, Sequence[GameRow]]:
        question = Trial(round - 1, values, (values,))
        matches = list(matches_of(question, self.config.rivals))
        run = begun(question, matches, self.config.starts, None)
        return run, runner.store.game_rows(chain(*map(keys_of, chain(*run.pairings))))

    def _costs(self, run: Running, store: Store) -> dict[str, Any]:
        """Means over the point's moves, and the address of its games; None if not known."""
        counted = list(chain(*run.pairings[: len(run.scores)]))
        ids = {row.id for row in store.game_rows(chain(*map(keys_of, counted)))}
        own = {pairing.one for pairing in counted}
        efforts = [each.effort for each in store.efforts(ids) if each.player in own]
        choices = sum(each.choices for each in efforts)
        seconds = sum(each.time for each in efforts) / MICROSECONDS
        nodes = sum(each.nodes for each in efforts)
        means = [total / choices if total else None for total in (seconds, nodes)]
        page = f"/runs/{run_id(Path(self.folder.name))}#game={min(ids)}" if ids else None
        return {**dict(zip(COSTS, means, strict=True)), PAGE: page}

    def _try_again(self, trial: optuna.Trial) -> None:
        trial.study.enqueue_trial(trial.params, user_attrs=trial.user_attrs)
        self._under_way.forget()  # it would be tried twice

    def _value(self, run: Running, sign: int, scores: Scores) -> float:
        if self._report == "opening":
            return fmean(scores[-1]) if sign > 0 else 1 - fmean(scores[-1])
        return sign * bounded(answer_to(len(run.trial.points), scores).elo)

    def _play_missing(
        self, trial: optuna.Trial, run: Running, kept: Sequence[GameRow], runner: Runner
    ) -> None:
        pairings = list(chain(*run.pairings))
        for pairing in pairings:
            self._first_games.add(pairing)
        results, known = results_of(kept), HashIndex(row.key for row in kept)

        def jobs() -> Iterator[Job]:
            for pairing in pairings:
                yield from jobs_of(pairing, self.config.plan.seed)

        run.take(results)
        left = 0 if run.is_over else 2 * len(pairings) - len(kept)
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
        self._trial, self._value = trial, value
        self._openings, self._first = openings, first

    def is_due(self, scores: Sequence[Sequence[float]]) -> bool:
        """True if the trial is to end; never after its last opening, when nothing is saved."""
        if len(scores) < self._first:
            return False
        self._trial.report(self._value(scores), len(scores))
        return len(scores) < self._openings and self._trial.should_prune()


def suggested(trial: optuna.Trial, axis: Axis) -> Value:
    form: Any = axis.distribution()
    if axis.choices:
        return cast(Value, trial.suggest_categorical(axis.name, axis.choices))
    suggest = trial.suggest_int if axis.is_whole else trial.suggest_float
    return suggest(axis.name, form.low, form.high, step=form.step, log=form.log)


UNDER_WAY = "under_way"  # Folder of a file for each process, locked for as long as that lives
PROCESS = "process"  # User attribute of a trial: the name of the file of the process that plays it
MAX_RETRIES = 3  # Times that a trial is tried again, if its process is killed each time
OURS = set[Path]()  # Files of this process: opened and closed once more, they lose their locks


class UnderWay:
    """Holds the file that tells which trial this process plays, or has played last."""

    def __init__(self, folder: Path) -> None:
        (folder / UNDER_WAY).mkdir(exist_ok=True)
        self._pid = os.getpid()
        self._file = folder / UNDER_WAY / f"{self._pid}-{secrets.token_hex(4)}.json"
        OURS.add(self._file)
        self._stream = self._file.open("w")
        fcntl.lockf(self._stream, fcntl.LOCK_EX)

    def tell(self, trial: optuna.Trial) -> None:
        trial.set_user_attr(PROCESS, self._file.stem)
        self._write({"study": trial.study.study_name, "trial": trial.number})

    def forget(self) -> None:
        self._write({})

    def _write(self, told: Mapping[str, object]) -> None:
        self._stream.seek(0)
        self._stream.truncate()
        json.dump(told, self._stream)
        self._stream.flush()

    def close(self) -> None:
        """Remove the file; in a process that was forked since, do nothing."""
        if os.getpid() == self._pid:
            self._file.unlink(missing_ok=True)
            self._stream.close()
            OURS.discard(self._file)


def _retry_abandoned(study: optuna.Study, folder: Path) -> None:
    """Have the trials whose processes were killed fail, and tried again as they were."""
    for file in sorted((folder / UNDER_WAY).glob("*.json")):
        if file not in OURS:
            with suppress(OSError), open(file, "r+", opener=regular_opener) as stream:
                # Refused for as long as the process lives. One that has only begun wrote nothing.
                fcntl.lockf(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
                try:
                    last = json.loads(stream.read() or "{}")
                except ValueError:  # its process was killed while it wrote
                    last = {"study": study.study_name, "trial": None}
                if last.get("study") == study.study_name:
                    _retry(study, last["trial"], file.stem)
                    file.unlink()


def _retry(study: optuna.Study, number: int | None, process: str) -> None:
    """Retry the trial of this number, or if it is None all, that this process left behind."""
    import optuna

    callback = getattr(optuna.storages, "RetryHeartbeatStaleTrialCallback", None)
    callback = callback or optuna.storages.RetryFailedTrialCallback
    for trial in study.get_trials(states=(optuna.trial.TrialState.RUNNING,)):
        if number in (None, trial.number) and trial.user_attrs.get(PROCESS) == process:
            study.tell(trial.number, state=optuna.trial.TrialState.FAIL)
            with quiet():
                callback(max_retry=MAX_RETRIES)(study, trial)


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
    settings = read_users_study(config)
    space = settings.space
    folder = Path(results) / settings.name
    if point is None:
        values = as_tested(folder, space, found_by(study, space))
    else:
        values = space.default | checked_point(space, point_of(point, space))
    with site_of(workers, cluster, say, settings.players) as site:
        prepare(folder, settings, site, fresh=False, accept_changes=False)
        _check_tested(folder, settings, values)
        expected = Study(folder, settings).expected_pairs
        played = partial(_played_in, study, settings)
        matches = ProofMatches(folder, settings, values, expected, played)
        matches.play(site, watch=watch, stop=stop)
    proved = open_study(folder)
    if proved.proof and proved.proof.has_passed:
        study.set_user_attr(PROVED, proved.values)
    return proved


def _check_tested(folder: Path, config: TuningConfig, values: Values) -> None:
    tested = tested_values(folder, config.space)
    if tested and tested != values and is_begun(folder):
        message = (
            f"has the test of another point, {point_name(tested)}, not of {point_name(values)}: "
            "to go on, give that point; for another test, give the config another name"
        )
        raise ConfigError(Fault(str(folder), message))


def _played_in(study: optuna.Study, config: TuningConfig) -> set[int]:
    game, clusters = load_game(config.terms.game), set[int]()
    trials = study.get_trials(deepcopy=False)
    for text in {text for each in trials for text in each.user_attrs.get("openings", ())}:
        with suppress(ValueError):  # an attribute of a user's own
            clusters.add(cluster_of(game, text))
    return clusters
