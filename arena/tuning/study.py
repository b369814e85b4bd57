"""A tuning study and the folder that keeps it: begun, played on, told, and its proof."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from arena.arguments import checks_calls
from arena.cluster.places import Say, site_of
from arena.config.settings import Player
from arena.config.typed_player import check_command
from arena.engine import Engine
from arena.errors import ConfigError, Fault
from arena.experiment import open_experiment
from arena.format import Pairing
from arena.match.pairs import FirstGames, HashIndex, Results, results_of
from arena.match.record import GameRecord, summary
from arena.plugins.load import parse_parameters
from arena.report.numbers import format_digits, format_estimate, format_number
from arena.report.outlook import ExpectedPairs, LiveTable, Progress, View, pairs_as_in
from arena.report.verdict import stop_text
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
from arena.tournament.schedule import jobs_of
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
from arena.tuning.optuna.mirror import PROVED, RECOMMENDED, Mirror, PlayedTrials, played_trials
from arena.tuning.proof.matches import ProofMatches, check_proof, keep_attempt
from arena.tuning.proof.verification import (
    NAME,
    OPPONENTS,
    Proof,
    as_tested,
    remove_tuned,
    tested_values,
)
from arena.tuning.report.search_faults import count_text, faulty_games
from arena.tuning.settings.conditions import AT, DEFAULT, named_at
from arena.tuning.settings.config import (
    TuningConfig,
    begun_with,
    study_changes,
    tuning_data,
    tuning_from_data,
)
from arena.tuning.settings.reader import read_tuning
from arena.tuning.space import Values
from arena.tuning.trials import KeptTrial, Stopping, Told, Trials, point_name
from arena.workers.pool import Site
from arena.workers.referee import Referee
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
    settings = read_tuning(config, partial(begun_with, None if fresh else Path(results)))
    folder = Path(results) / settings.name
    if settings.is_users:
        message = "is of a study of Optuna's, with which arena.objective goes on"
        raise ConfigError(Fault(str(folder), message))
    return Study(folder, settings.going_on(keep_going))


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
                kept = _kept_pace(runner.store, site.workers)
                announce(kept or sampled_pace(self.config, runner))
            self._play_missing(runner, watch or ignore, stop or never)

    def _play_missing(self, runner: Runner, watch: StudyWatcher, stop: Stop) -> None:
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
            played = read_store(self.folder, partial(played_trials, self.config, tested))
            return played or PlayedTrials(self.config, (), Results(), tested)
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
        search = self._search_in(store)
        if search.digits is not None:
            check_played(self.folder, search)
            return search
        played = self._trials_in(search, self.config.tuner(search.proposed_digits))
        return begin_search(store, search, played.all_kept if search.rows else ())

    def _search_in(self, store: Store) -> KeptSearch:
        with as_config_error(self.folder / DATABASE):
            return kept_search(self.config, store)

    @property
    def advice(self) -> Sequence[Advice]:
        """The method's recommendation, once all trials are over; nothing before."""
        trials = self.trials
        if not self._found and trials.is_over:
            advice = trials.recommend()
            values = {each.name: each.value for each in advice}
            values = as_tested(self.folder, self.config.space, values)
            kept = tuple(replace(each, value=values[each.name]) for each in advice)
            self._found = Found(kept, trials.forecast())
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
        from arena.tuning.report.frames import study_verdict

        return study_verdict(self.config, self.trials, self.values, self.proof, self.folder)

    def frames(self) -> Frames:
        """Trials, slices, recommendation (so far) and test as pandas frames: see `Frames`."""
        from arena.tuning.report.frames import frames_of  # pandas takes most of a second to import

        told = self.trials.told
        advice = self.advice or (self.trials.recommend() if told else ())
        forecast = self._found.forecast if self._found else None
        return frames_of(self.config.space, told, advice, forecast, self.proof)

    def _repr_html_(self) -> str:
        return open_experiment(self.folder).answer()._repr_html_()

    def draw(self, folder: PathLike | None = None) -> list[Path]:
        """Write history, slices and importance as SVG into this folder, or the study's own."""
        from arena.tuning.report.study_charts import draw

        errors = [told.error for told in self.trials.told]
        return draw(self.frames(), errors, Path(folder or self.folder))


def trials_of(
    config: TuningConfig,
    tuner: Tuner | None,
    kept: Mapping[int, KeptTrial] | None = None,
    keep: Callable[[KeptTrial], object] = lambda kept: None,
    asks: bool = True,
) -> Trials:
    own = [each.limit for each in config.players] + [each.limit for each in config.conditions]
    is_timed = any((each or config.terms.limit).is_timed for each in own)
    return Trials(
        config.plan,
        tuner,
        config.rivals,
        config.openings.part(0, config.trial_openings),
        Stopping(config.early_stop) if config.early_stop else None,
        config.spread,
        first_games_of(config),
        kept=kept,
        keep=keep,
        asks=asks,
        default="" if is_timed else point_name(config.space.default),
    )


def first_games_of(config: TuningConfig) -> FirstGames:
    if config.terms.keep_going:
        return FirstGames([])
    opponents = {
        named_at(player.name, label): player.name
        for player in config.opponents
        for label in config.labels
    }
    engine = config.default.name
    return FirstGames([each.name for each in config.players], lambda x: opponents.get(x, engine))


def trials_stopped(
    config: TuningConfig, first: FirstGames, kept: Sequence[GameRecord], go_on: str
) -> str:
    if not first.faulty:
        return ""
    (player,) = (each for each in config.players if each.name == first.faulty)
    name = player.engine.name if player is config.default else player.name
    limit = player.limit_in(config.terms)
    command = check_command(player.engine, limit, config.terms)
    return stop_text(first, kept, name, command, go_on)


DIGITS = 4  # Significant digits of a parameter on the screen


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyProgress(Progress):
    """The state of a study."""

    config: TuningConfig
    told: Sequence[Told]
    ended: Sequence[Told] = ()  # Those of the trials that have ended with the game
    sides: Mapping[str, str] = field(default_factory=dict)
    """The sides of the game's trial, such as `plus`, by the names of its points."""

    def view(self) -> View:
        last = self.told[-1] if self.told else None
        rows = [
            (name, _short_text(value), _short_text(last.trial.centre[name] if last else value))
            for name, value in self.config.space.default.items()
        ]
        elo = format_estimate(last.estimate, last.is_doubtful) if last else ""
        table = LiveTable(("parameter", "default", "now"), [*rows, ("Elo", "0", elo)])
        faults = f", {count_text(self.told)}" if faulty_games(self.told) else ""
        return View([f"Trial {len(self.told)}{faults}", table])

    @property
    def last_game(self) -> str:
        """The game between the sides of its trial: names of points are long."""
        if not self.record:
            return ""
        first, second = map(self._side, (self.record.first, self.record.second))
        return summary(replace(self.record, first=first, second=second))

    @property
    def lines(self) -> Sequence[str]:
        return list(map(trial_text, self.ended))

    def _side(self, name: str) -> str:
        """The side of a point, with the condition in its name; of other players, their names."""
        point, at, label = name.partition(AT)
        return f"{self.sides.get(point, point)}{at}{label}"


StudyWatcher = Callable[[StudyProgress], None]


def trial_text(told: Told) -> str:
    points = " ".join(f"{name}={_short_text(value)}" for name, value in told.trial.centre.items())
    elo = format_estimate(told.estimate, told.is_doubtful)
    faults = "" if told.copy_of is None else f", the games of trial {told.copy_of + 1}"
    if told.faulty_games:
        faults = f", {told.faulty_games} of {told.games} games ended by faults"
    return f"trial {told.trial.number + 1}: {elo} Elo at {points}{faults}"


def _short_text(value: object) -> str:
    return format_digits(value, DIGITS) if isinstance(value, float) else format_number(value)


ASIDE = 0  # The round of games that are no trial's


class Pace(NamedTuple):
    """The speed of a study's games."""

    seconds: float  # Seconds of one game on one worker
    workers: int
    played: int  # Games of the trials that are there


def sampled_pace(config: TuningConfig, runner: Runner) -> Pace:
    """The speed of the default weights, by a pair under each condition, played aside."""
    point, rival = point_name(config.space.default), (config.rivals or [DEFAULT])[0]
    pairings = [
        Pairing(named_at(point, label), named_at(rival, label), config.openings[0], ASIDE)
        for label in config.labels
    ]
    jobs = [job for pairing in pairings for job in jobs_of(pairing, config.plan.seed)]
    began, site = time.monotonic(), runner.site.at_most(len(jobs))
    games = len(list(site.play(iter(jobs), runner.referee, runner.log)))
    seconds = (time.monotonic() - began) * max(site.workers, 1) / games
    return Pace(seconds, max(runner.site.workers, 1), 0)


def _kept_pace(store: Store, workers: int) -> Pace | None:
    games = store.count()
    seconds = sum((each.ended - each.began) * max(each.workers, 1) for each in store.sessions())
    return Pace(seconds / games, max(workers, 1), games) if games else None


KEPT = 4
"""Number of points whose engines are kept under each condition: those of two trials. Each may hold
a large table."""

Change = Callable[[Player], Player]


class StudyReferee(Referee):
    """Holds the engines of the config's players, and of the points last played."""

    def __init__(self, config: TuningConfig, change: Change | None = None) -> None:
        self._conditions = {each.label: each for each in config.conditions}
        self._change = change or (lambda player: player)
        players = list[Player]()
        for each in config.conditions:
            players += [each.tuned(config.default), *map(each.rival, config.opponents)]
        super().__init__(config.terms, map(self._change, players))
        self._config = config
        self._points: dict[str, Player] = {}

    def __reduce__(self) -> tuple[Any, ...]:
        return StudyReferee, (self._config,)

    def changed(self, change: Change) -> StudyReferee:
        return StudyReferee(self._config, change)

    def player(self, name: str) -> Player:
        if name in self.players:
            return self.players[name]
        return self._points.get(name) or self._change(self._point(name))

    def _point(self, name: str) -> Player:
        if "" in self._conditions:
            return self._config.player(name, parse_parameters(name))
        point, _, label = name.rpartition(AT)
        player = self._config.player(point, parse_parameters(point))
        return self._conditions[label].tuned(player)

    def engine(self, name: str) -> Engine:
        """A player's engine; the points that were not played for longest make room."""
        if name not in self.players:
            point = self.player(name)
            self._points.pop(name, None)
            self._points[name] = point
            for old in list(self._points)[: -KEPT * len(self._conditions)]:
                del self._points[old]
                self.discard(old)
        return super().engine(name)
