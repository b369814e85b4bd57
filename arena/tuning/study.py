"""A tuning study and the folder that keeps it: trials, what they recommend, and the proof."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from arena.arguments import checks_calls
from arena.cluster.places import Say, site_of
from arena.errors import ConfigError, Fault
from arena.experiment import open_experiment
from arena.match.copies import HashIndex
from arena.match.pairs import Results, results_of
from arena.report.outlook import ExpectedPairs, pairs_as_in
from arena.storage.database import Store
from arena.storage.folder import (
    CONFIG,
    DATABASE,
    as_config_error,
    clear,
    find_folder,
    keep_written,
    kept_config,
    kind_of,
    read_store,
    refuse_changes,
)
from arena.tournament.run import PathLike, RunWatcher, interactive
from arena.tuning.beginning import trials_of
from arena.tuning.duration import Pace, kept_pace, sampled_pace
from arena.tuning.kept_trials import (
    Found,
    KeptSearch,
    begin_search,
    check_played,
    keep_found,
    keep_trial,
    kept_search,
)
from arena.tuning.method import Advice, Tuner
from arena.tuning.optuna.mirror import PROVED, RECOMMENDED, Mirror
from arena.tuning.optuna.played import PlayedTrials, played_trials
from arena.tuning.progress import StudyProgress, StudyWatcher
from arena.tuning.proof.attempts import check_proof, keep_attempt
from arena.tuning.proof.matches import ProofMatches
from arena.tuning.proof.tuned_file import remove_tuned
from arena.tuning.proof.verification import (
    NAME,
    OPPONENTS,
    Proof,
    as_tested,
    tested_values,
)
from arena.tuning.referee import StudyReferee
from arena.tuning.settings.config import TuningConfig
from arena.tuning.settings.reader import read_tuning
from arena.tuning.settings.study_data import (
    begun_with,
    study_changes,
    tuning_data,
    tuning_from_data,
)
from arena.tuning.space import Values
from arena.tuning.trials import Trials
from arena.workers.pool import Site
from arena.workers.runner import Runner, Stop, ignore, never, opened

if TYPE_CHECKING:
    from arena.report.verdict import Conclusion
    from arena.tuning.report.frames import Frames


def tune(
    config: PathLike | Mapping[str, Any],
    *,
    workers: int | None = None,
    cluster: str | None = None,
    fresh: bool = False,
    accept_changes: bool = False,
    keep_going: bool = False,
    results: PathLike = "results",
    progress: bool | None = None,
    watch: StudyWatcher | None = None,
    watch_verification: RunWatcher | None = None,
    say: Say | None = None,
    stop: Stop | None = None,
) -> Study:
    """Search for better values of the weights that a YAML file, or a dict with its keys, names, and
    test the values found.

    A study that was stopped goes on. Most arguments are as in `arena.run`. Raises ConfigError if
    anything is wrong before the first game.
    """
    study = read(config, results=results, fresh=fresh, keep_going=keep_going)
    with (
        interactive(progress, stop) as (shown, stop),
        site_of(workers, cluster, say, study.config.players) as site,
    ):
        with shown(watch) as told:
            study.play(site, fresh=fresh, accept_changes=accept_changes, watch=told, stop=stop)
        if study.advice:
            with shown(watch_verification) as told:
                study.prove(site, watch=told, stop=stop)
    return study


def read(
    config: PathLike | Mapping[str, Any],
    *,
    results: PathLike = "results",
    fresh: bool = False,
    keep_going: bool = False,
) -> Study:
    """The study of a config, as far as it was played; ConfigError for its faults."""
    wanted = read_tuning(config, partial(begun_with, None if fresh else Path(results)))
    if wanted.is_users:
        folder = Path(results) / wanted.name
        message = "is of a study of Optuna's, with which arena.objective goes on"
        raise ConfigError(Fault(str(folder), message))
    return Study(Path(results) / wanted.name, wanted.going_on(keep_going))


def open_study(name: PathLike, *, results: PathLike = "results") -> Study:
    """A study that was played, by its folder or its name under `results`. Runs no engine."""
    folder = find_folder(name, results)
    data = kept_config(folder)
    if kind_of(data) != "study":
        raise ConfigError(Fault(str(folder), "is no tuning study"))
    with as_config_error(folder / CONFIG):
        config = tuning_from_data(data)
        if config.is_users:  # it has spent what it was given
            games = read_store(folder, Store.count) or 0
            config = replace(config, plan=replace(config.plan, budget=games))
        elif not config.has_sampler:
            config.tuner()  # faults of its parameters show here
    return Study(folder, config)


@checks_calls
class Study:
    """A study: its config, and the folder of its games."""

    def __init__(self, folder: Path, config: TuningConfig) -> None:
        self.folder = folder
        self.config = config
        self._played: Trials | None = None
        self._found: Found | None = None
        self._matches: ProofMatches | None = None

    def __reduce__(self) -> tuple[object, tuple[Path]]:
        """The folder, which is opened again: what was played stays there."""
        return open_study, (self.folder.resolve(),)

    def __repr__(self) -> str:
        from arena.report.verdict import format_named

        return format_named("Study", self.config.name, lambda: self.verdict)

    def play(
        self,
        site: Site,
        *,
        fresh: bool = False,
        accept_changes: bool = False,
        announce: Callable[[Pace], None] | None = None,
        watch: StudyWatcher | None = None,
        stop: Stop | None = None,
    ) -> None:
        """Play the trials that are missing; most arguments are as in `arena.run`.

        `announce` is told how fast games go, by those kept, or by two that are played aside.
        """
        self._matches = None
        check = partial(keep_attempt if fresh else check_proof, self.folder, self.config)
        over = False
        if not fresh:
            refuse = partial(refuse_changes, self.folder, tuning_data(self.config), study_changes)
            read_store(self.folder, refuse)
            over = self.trials.is_at_end
        with opened(
            self.folder, tuning_data(self.config), study_changes, StudyReferee(self.config), site,
            fresh, accept_changes, check, over, self.config.openings[0],
        ) as runner:  # fmt: skip
            self._found = None
            if fresh:
                remove_tuned(self.folder, self.config)
                clear(self.folder / NAME)
                clear(self.folder / OPPONENTS)
            keep_written(runner.store, self.config.written)
            if announce:
                kept = kept_pace(runner.store, site.workers)
                announce(kept or sampled_pace(self.config, runner))
            self._play_missing(runner, watch or ignore, stop or never)

    def _play_missing(self, runner: Runner, watch: StudyWatcher, stop: Stop) -> None:
        """Play the trials that the store lacks; each that is over goes to Optuna's tables."""
        search = self._begun_search(runner.store)
        kept = search.rows
        results, known = results_of(kept), HashIndex(row.key for row in kept)
        tuner, keep = self.config.tuner(search.proposed_digits), partial(keep_trial, runner.store)
        self._played = trials = trials_of(self.config, tuner, search.trials, keep)
        trials.advance(results)
        self._found = search.found if trials.is_over else None
        left = 0 if trials.is_at_end else None  # no worker to fork
        with closing(Mirror(self.folder / DATABASE, self.config)) as mirror:
            progress = StudyProgress(
                games=len(kept),
                total=self.config.plan.budget,
                record=None,
                notes=runner.referee.notes,
                machines=runner.site.lines,
                config=self.config,
                told=trials.told,
            )
            watch(progress)
            shown = len(trials.told)
            with closing(runner.play_missing(trials.jobs(results), known, stop, left)) as ended:
                for number, (record, row) in enumerate(ended, start=len(kept) + 1):
                    results.add(row)
                    trials.advance(results)  # while the workers play
                    mirror.update(trials.told)
                    news, shown = trials.told[shown:], len(trials.told)
                    sides = trials.sides(record.round)
                    watch(replace(progress, games=number, record=record, ended=news, sides=sides))
            mirror.update(trials.told)
            if self.advice and self._found:
                if self._found != search.found:
                    keep_found(runner.store, self._found)
                mirror.keep(RECOMMENDED, self.values)

    def prove(
        self, site: Site, *, watch: RunWatcher | None = None, stop: Stop | None = None
    ) -> None:
        """Play the matches that prove the gain, as far as they are missing."""
        self.matches.play(site, watch=watch, stop=stop)
        if self.proof and self.proof.has_passed:
            with closing(Mirror(self.folder / DATABASE, self.config)) as mirror:
                mirror.keep(PROVED, self.values)

    @property
    def trials(self) -> Trials:
        """The study as far as it was played."""
        if self._played is None:
            self._played = self._read_trials()
        return self._played

    def _read_trials(self) -> Trials:
        if self.config.is_users:
            tested = tested_values(self.folder, self.config.space)
            return read_store(
                self.folder, partial(played_trials, self.config, tested)
            ) or PlayedTrials(self.config, (), Results(), tested)
        search = read_store(self.folder, self._search_in) or KeptSearch()
        if search.found:
            trials = self._trials_in(search, None)
            if trials.is_over:
                self._found = search.found
                return trials
        return self._trials_in(search, self.config.tuner(search.proposed_digits))

    def _trials_in(self, search: KeptSearch, tuner: Tuner | None) -> Trials:
        """The trials of a search; ConfigError if games are of others."""
        trials = trials_of(self.config, tuner, search.trials, asks=search.must_ask)
        trials.advance(results_of(search.rows))
        check_played(self.folder, search, trials.asked)
        return trials

    def _begun_search(self, store: Store) -> KeptSearch:
        """The search that goes on, or begins; from here on it is kept."""
        search = self._search_in(store)
        if search.digits is not None:
            check_played(self.folder, search)
            return search
        played = self._trials_in(search, self.config.tuner(search.proposed_digits))
        return begin_search(store, search, played.all_kept if search.rows else ())

    def _search_in(self, store: Store) -> KeptSearch:
        """The search as far as it is kept; ConfigError if another program has changed it."""
        with as_config_error(self.folder / DATABASE):
            return kept_search(self.config, store)

    @property
    def advice(self) -> Sequence[Advice]:
        """The method's recommendation, once all trials are over; nothing before."""
        trials = self.trials
        if not self._found and trials.is_over:
            advice = trials.recommend()
            values = as_tested(
                self.folder, self.config.space, {each.name: each.value for each in advice}
            )
            found = (replace(each, value=values[each.name]) for each in advice)
            self._found = Found(tuple(found), trials.forecast())
        return self._found.advice if self._found else ()

    @property
    def values(self) -> Values:
        """The parameters' values in the engine that is recommended."""
        return {advice.name: advice.value for advice in self.advice}

    @property
    def matches(self) -> ProofMatches:
        """The matches that prove the gain of what is recommended."""
        if self._matches is None or self._matches.values != self.values:
            self._matches = ProofMatches(self.folder, self.config, self.values, self.expected_pairs)
        return self._matches

    def expected_pairs(self) -> ExpectedPairs:
        """The pairs that the test is expected to have: those of the trials."""
        return pairs_as_in(read_store(self.folder, Store.game_rows) or [], "the trials")

    @property
    def proof(self) -> Proof | None:
        """The proof so far; None before its first game."""
        return self.matches.proof

    @property
    def is_over(self) -> bool:
        """True once all trials are over, and nothing of their proof is left to be played."""
        return self.trials.is_over and self.matches.is_over

    @property
    def verdict(self) -> Conclusion:
        """The sentence that says whether a gain is proved, and how large it is."""
        from arena.tuning.report.study_verdict import study_verdict

        return study_verdict(self.config, self.trials, self.values, self.proof, self.folder)

    def frames(self) -> Frames:
        """Trials, slices, recommendation (so far) and test as pandas frames: see `Frames`."""
        from arena.tuning.report.frames import frames_of  # pandas takes most of a second to import

        told = self.trials.told
        advice = self.advice or (self.trials.recommend() if told else ())
        forecast = self._found.forecast if self._found else None
        return frames_of(self.config.space, told, advice, forecast, self.proof)

    def _repr_html_(self) -> str:
        """The verdict and the weights found, with charts, as notebooks show them."""
        return open_experiment(self.folder).answer()._repr_html_()

    def draw(self, folder: PathLike | None = None) -> list[Path]:
        """Write history, slices and importance as SVG into this folder, or the study's own."""
        from arena.tuning.report.study_charts import draw

        errors = [told.error for told in self.trials.told]
        return draw(self.frames(), errors, Path(folder or self.folder))
