"""A tournament and the folder that keeps it: start, go on, look at the games, in notebooks too."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from threading import current_thread, main_thread
from typing import TYPE_CHECKING, Any

from arena.arguments import checks_calls
from arena.cluster.places import Say, site_of
from arena.config.reader import read_config
from arena.config.settings import Config, changes, from_data, to_data
from arena.config.typed_player import check_command
from arena.config.yaml_file import dump
from arena.errors import ConfigError, Fault
from arena.experiment import open_experiment
from arena.format import Row
from arena.gomocup.transcript import is_slow
from arena.match.pairs import HashIndex, Results, results_of
from arena.match.record import GameRecord, Numbered
from arena.plugins.engine_names import PROGRAMS
from arena.plugins.load import HUMAN, IMPORTED, load_game
from arena.processes.interrupt import stoppable
from arena.report.numbers import format_value
from arena.report.outlook import (
    ExpectedPairs,
    LiveTable,
    Progress,
    View,
    outlook,
    sprt_progress,
    tosses,
)
from arena.report.standings import (
    Standing,
    Tally,
    is_rated,
    rated_rows,
    standings_columns,
    tally_of,
)
from arena.report.verdict import GO_ON, fault_sentences, mark_meaning, stop_text
from arena.stats.rounding import rounded
from arena.storage.database import Games, Store, files_text, kept_games, machine_notes, machine_rows
from arena.storage.folder import (
    CONFIG,
    WRITTEN,
    as_config_error,
    begin_plan,
    end_plan,
    find_folder,
    has_begun,
    keep_written,
    kept_config,
    kind_module,
    kind_of,
    looks_of,
    path_text,
    read_store,
)
from arena.storage.history import Session, code_notes, load_of, notes_of, overload_notes
from arena.tournament.schedule import Schedule, Scheduled, UnscheduledGames, imported_config
from arena.workers.logs import TalkLog
from arena.workers.pool import Site
from arena.workers.referee import Referee
from arena.workers.runner import Runner, Stop, ignore, never, opened

if TYPE_CHECKING:
    import pandas as pd

    from arena.coordinates import Notation
    from arena.report.frames import Report
    from arena.report.page.games import BoardDrawing
    from arena.report.verdict import Conclusion, Extras, PlayedRuns, RunFacts
    from arena.stats.ratings import Anchor

PathLike = str | os.PathLike[str]


def run(
    config: PathLike | Mapping[str, Any] | Config,
    *,
    workers: int | None = None,
    cluster: str | None = None,
    fresh: bool = False,
    accept_changes: bool = False,
    keep_going: bool = False,
    tests: bool = False,
    log: PathLike | None = None,
    results: PathLike = "results",
    progress: bool | None = None,
    watch: RunWatcher | None = None,
    say: Say | None = None,
    stop: Stop | None = None,
) -> Run:
    """Play the tournament of a YAML file, or of a dict with its keys, or the games still missing.

    `workers` processes play, by default one for each core; 0 plays in this process, as does the
    default in a worker of `multiprocessing.Pool`, which may start none, and with an engine that is
    an object of this program. With a `cluster`, the
    address of a dask scheduler, its workers play; `say` is told what happens to them. `fresh`
    throws away the games that were played before. `accept_changes` plays on although the code of
    engines has changed; the report then says so. `keep_going` plays on although a player lost all
    of its first games by its own faults, for which a run stops: see `Run.stopped`. If `tests` is
    true, the format must be a test, such as sprt. All that is said to and by Gomocup brains goes to
    a folder `log`, into a file for each game. No further game is started once `stop` returns true.

    In a notebook, the games are shown while they are played, and an interrupt of the kernel ends
    the run after the games in flight (a second one: at once). `progress` set to true shows them
    elsewhere as well, to false nowhere; `watch` is told of each game instead.

    Raises ConfigError if anything is wrong before the first game.
    """
    run = read(config, results=results, keep_going=keep_going, tests=tests)
    talk = None if log is None else talk_log(Path(log), run.config, cluster, fresh)
    with (
        interactive(progress, stop) as (shown, stop),
        site_of(workers, cluster, say, run.config.players) as site,
        shown(watch) as watch,
    ):
        run.play(
            site, fresh=fresh, accept_changes=accept_changes, watch=watch, stop=stop, talk=talk
        )
    return run


def read(
    config: PathLike | Mapping[str, Any] | Config,
    *,
    results: PathLike = "results",
    keep_going: bool = False,
    tests: bool = False,
) -> Run:
    """The run of a config, as far as it was played; ConfigError for its faults. The arguments are
    as in `run`."""
    wanted = config if isinstance(config, Config) else read_config(config, tests=tests)
    wanted = replace(wanted, terms=wanted.terms.going_on(keep_going))
    return Run(Path(results) / wanted.name, wanted)


def talk_log(folder: Path, config: Config, cluster: str | None, fresh: bool) -> TalkLog:
    """The log of what is said in a run; ConfigError where nothing would be in it."""
    if cluster is not None:
        raise ConfigError(Fault("--log", "logs what is said on this machine, not on a cluster"))
    if not any(player.engine.name == PROGRAMS for player in config.players):
        raise ConfigError(Fault("--log", "no player is a Gomocup brain, so that nothing is said"))
    return TalkLog(folder, fresh=fresh)


def open_run(run: PathLike, *, results: PathLike = "results") -> Run:
    """A run that was played, by its folder or its name under `results`. Imports no engine."""
    folder = find_folder(run, results)
    data = kept_config(folder)
    if not (kind := kind_module(data)).COMBINES:
        message = f"{kind.CONTENT} kept here, no run: arena report and arena serve show it"
        runs = [str(file.parent) for file in sorted(folder.glob(f"*/{CONFIG}"))]
        raise ConfigError(Fault(str(folder), message), *(f"a run of its games: {r}" for r in runs))
    with as_config_error(folder / CONFIG):
        if kind_of(data) == IMPORTED:
            config = imported_config(data)
            return Run(folder, config, UnscheduledGames(config, _source_text(folder, data)))
        config = from_data(data)
        is_of_persons = config.format.name == HUMAN
        return Run(folder, config, UnscheduledGames(config) if is_of_persons else None)


def _source_text(folder: Path, data: Mapping[str, Any]) -> str:
    files = read_store(folder, files_text)
    return (
        f"These games were played elsewhere, and imported on {data['date']} from {files}; they are "
        "taken for all that were planned."
    )


@checks_calls
class Run:
    """A tournament: its config, and the folder of its games."""

    def __init__(self, folder: Path, config: Config, schedule: Schedule | None = None) -> None:
        self.folder = folder
        self.config = config
        self.schedule = schedule or Schedule(config)

    def __reduce__(self) -> tuple[object, tuple[Path]]:
        """The folder, which is opened again: what was played stays there."""
        return open_run, (self.folder.resolve(),)

    def __fspath__(self) -> str:
        return os.fspath(self.folder)

    def __repr__(self) -> str:
        from arena.report.verdict import format_named

        return format_named("Run", self.config.name, lambda: self.verdict)

    def play(
        self,
        site: Site,
        *,
        fresh: bool = False,
        accept_changes: bool = False,
        watch: RunWatcher | None = None,
        stop: Stop | None = None,
        expected: ExpectedPairs | None = None,
        talk: TalkLog | None = None,
    ) -> None:
        """Play the missing games; `fresh`, `accept_changes`, `watch` and `stop` are as in `run`.

        The pairs that are `expected` of a test are told before it; of tosses, if none are given.
        """
        if isinstance(self.schedule, UnscheduledGames):
            message = "games that were imported, or played with persons, cannot be gone on with"
            raise ConfigError(Fault(str(self.folder), message))
        referee, data = Referee(self.config.terms, self.config.players, talk), to_data(self.config)
        is_over = not fresh and self.counted().is_over
        start = next(iter(self.config.openings), "")
        before = None if fresh else self._plan_before()
        with opened(
            self.folder, data, changes, referee, site, fresh, accept_changes, None, is_over, start
        ) as runner:
            keep_written(runner.store, self.config.written)
            self._play_missing(runner, watch or ignore, stop or never, expected, before)

    def _plan_before(self) -> int | None:
        file = self.folder / CONFIG
        if has_begun(read_store(self.folder, Store.facts) or {}) or not file.exists():
            return None
        with suppress(ConfigError), as_config_error(file):
            return Schedule(from_data(kept_config(self.folder))).plan
        return None

    def _play_missing(
        self,
        runner: Runner,
        watch: RunWatcher,
        stop: Stop,
        expected: ExpectedPairs | None,
        before: int | None,
    ) -> None:
        tally = Tally(self.config.names)
        kept = kept_games(runner.store)
        played = self.schedule.scheduled(kept, results_of(kept.rows)).games
        results, known = results_of(played.rows), HashIndex(row.key for row in played.rows)
        tally.add(played.rows)
        left = None if self.schedule.total is None else self.schedule.total - len(played)
        del kept, played  # a run may be long, and its rows are not needed any more
        total, matches = self.schedule.total, partial(self.schedule.matches, results)
        notes = [*self.config.openings.notes(), *runner.referee.notes]
        limits = [each.limit_in(self.config.terms) for each in self.config.players]
        notes += overload_notes(limits)
        if self.schedule.is_test:
            test, parameters = matches()[0], self.config.format.parameters
            if not tally.games:
                notes += outlook(test, parameters, expected or tosses())
        progress = RunProgress(
            games=tally.games,
            total=total,
            record=None,
            notes=notes,
            machines=runner.site.lines,
            tally=tally,
            matches=matches,
            is_rated=is_rated(len(tally.names), [self.config.format.name]),
        )
        watch(progress)
        begin_plan(runner.store, self.schedule.plan, tally.games, before)
        if self.schedule.first_games(results).faulty:
            left = 0  # no worker to fork
        jobs = self.schedule.jobs(results)
        with closing(runner.play_missing(jobs, known, stop, left)) as ended:
            for record, row in ended:
                results.add(row)
                tally.add([row])
                watch(replace(progress, games=tally.games, record=record))
        if tally.games == total or (total is None and self.counted().is_over):
            end_plan(runner.store)

    def kept(self) -> Games:
        """All games that are kept, in the order in which they ended."""
        return read_store(self.folder, kept_games) or Games()

    def counted(self) -> Scheduled:
        """The games played, in the order of the schedule; and if none is missing."""
        kept = self.kept()
        return self.schedule.scheduled(kept, results_of(kept.rows))

    def records(self) -> Numbered:
        """The games played, in the order of the schedule, with their numbers in it (from 1)."""
        return self.counted().games.numbered()

    def status(self) -> int | None:
        """The test's verdict as an exit status: 0 for H1, 1 for H0, 3 for neither; None if the
        format is no test."""
        return self.schedule.status(results_of(self.counted().games.rows))

    def stopped(self, go_on: str = GO_ON) -> str:
        """The reason why the run stopped by itself, and how to `go_on`; empty if it did not."""
        return _stopped_text_of(self.config, self.schedule, self.kept(), go_on)

    def games(self, of: str | None = None) -> pd.DataFrame:
        """One row a game: see `Report`. With a player, its games alone, with three more columns:
        its `opponent`, its `colour` (first or second) and its `points` (1, 0.5 or 0)."""
        report = self.report()
        return report.games if of is None else report.games_of(of)

    def moves(self) -> pd.DataFrame:
        """One row for each move that a player chose: its `name`, and what the move cost."""
        return self.report().moves()

    def standings(self) -> pd.DataFrame:
        """One row a player, the best first: see `Report`."""
        return self.report().standings

    def win_rates(self) -> pd.DataFrame:
        """One row and one column a player: see `Report`."""
        return self.report().win_rates

    def draw_game(
        self, number: int, ply: int | None = None, *, coordinates: Notation = "letters"
    ) -> BoardDrawing:
        """The board of the game of this number, at its end or after this number of moves."""
        from arena.report.page.games import draw_game

        records = dict(self.records())
        if number not in records:
            raise ConfigError(Fault(str(self.folder), f"no game {number} was played"))
        rules = load_game(self.config.terms.game)
        return draw_game(records[number], rules, ply, coordinates=coordinates)

    def _repr_html_(self) -> str:
        return open_experiment(self.folder).answer()._repr_html_()

    def report(self, anchor: Anchor | None = None) -> Report:
        """All frames of the run; an anchor is a player and its given rating."""
        # pandas takes most of a second to import: only those wait for it who ask for frames.
        from arena.report.frames import report_of

        games, extras = self.evidence()
        runs = {path_text(self.folder): games}
        return report_of(self.config.names, runs, anchor=anchor, extras=extras)

    @property
    def verdict(self) -> Conclusion:
        """The better player, its lead, and how sure it is; quicker than a whole report."""
        from arena.report.verdict import verdict_of

        return verdict_of(self.played())

    def played(self) -> PlayedRuns:
        """All that the verdict rests on."""
        return played_of(self, *self.evidence())

    def evidence(self) -> tuple[Games, Extras]:
        """The games that count, and what is reported beside them, of one moment."""
        return _run_evidence(self.folder, self.config, self.schedule)


def played_of(run: Run, games: Games, extras: Extras) -> PlayedRuns:
    from arena.report.verdict import PlayedRuns

    tally = tally_of(run.config.names, {path_text(run.folder): games}, extras.singles)
    return PlayedRuns(tally, tally.standings(), tally.ratings(), extras)


def _run_evidence(folder: Path, config: Config, schedule: Schedule) -> tuple[Games, Extras]:
    from arena.report.verdict import Extras

    def read(store: Store) -> tuple[Games, list[Session], dict[str, Any], list[Row]]:
        return kept_games(store), store.sessions(), store.facts(), machine_rows(store)

    nothing: tuple[Games, list[Session], dict[str, Any], list[Row]] = Games(), [], {}, []
    kept, sessions, facts, machines = read_store(folder, read) or nothing
    results = results_of(kept.rows)
    late = kept.part(lambda row: row.result.reason == "time")
    is_blind = all(is_slow(each.reason, each.detail) for each in late.records())
    load = load_of(sessions) if is_blind else 0.0
    stopped = _stopped_text_of(config, schedule, kept, results=results, load=load)
    games, is_over = schedule.scheduled(kept, results)
    uncounted = []
    if len(games) < len(kept):
        counted = {row.key for row in games.rows}
        uncounted = list(kept.part(lambda row: row.key not in counted).records())
        results = results_of(games.rows)
    limits = [player.limit_in(config.terms) for player in config.players]
    notes = [*config.openings.notes(), *notes_of(limits, sessions)]
    matches = schedule.matches(results)
    notes += _uncounted_notes(config, matches, uncounted, bool(stopped))
    notes += [*schedule.notes(results), *code_notes(facts)]
    notes += machine_notes(machines, facts.get("scale"))
    singles = [path_text(folder)] if schedule.has_singles else []
    looks = looks_of(facts, schedule.total or len(games))
    if schedule.is_test:
        looks = replace(looks, is_any_moment=True)
    if uncounted and not (schedule.is_test or stopped or config.openings.draws):
        known = {*config.openings}
        left = [each for each in uncounted if {each.first, each.second} <= {*config.names}]
        looks = replace(looks, is_chosen=any(each.opening not in known for each in left))
    own = replace(_run_facts(folder, config, schedule, is_over, sessions, stopped), load=load)
    # The text is anything, in a foreign folder.
    own = replace(own, written=str(facts.get(WRITTEN, "")), looks=looks)
    return games, Extras(matches, uncounted, notes, singles, [own], machines)


def _uncounted_notes(
    config: Config, rows: Sequence[Row], uncounted: Sequence[GameRecord], has_stopped: bool
) -> Iterator[str]:
    if not uncounted:
        return
    games = "1 game is" if len(uncounted) == 1 else f"{len(uncounted):,} games are"
    has_left = any({each.first, each.second} - {*config.names} for each in uncounted)
    if has_left:
        why = "of players that the config has no longer"
    elif has_stopped:
        why = "under way as the run stopped, or played with --keep-going, which is no longer set"
    elif any(row.get("decision") for row in rows):
        why = "still under way when the test ended"
    else:
        why = "of openings or pairs that the config has no longer"
    yield f"{games} kept but not counted: {why}."


def config_data(folder: Path, config: Config) -> dict[str, Any]:
    return kept_config(folder) if config.format.name == IMPORTED else to_data(config)


def _run_facts(
    folder: Path,
    config: Config,
    schedule: Schedule,
    is_over: bool,
    sessions: Sequence[Session],
    stopped: str,
) -> RunFacts:
    from arena.report.verdict import RunFacts

    return RunFacts(
        name=config.name,
        game=config.terms.game,
        format=config.format,
        config=dump(config_data(folder, config)),
        total=schedule.total,
        is_over=is_over,
        began=min((session.began for session in sessions), default=None),
        ended=max((session.ended for session in sessions), default=None),
        stopped=stopped,
    )


def _stopped_text_of(
    config: Config,
    schedule: Schedule,
    kept: Games,
    go_on: str = GO_ON,
    *,
    results: Results | None = None,
    load: float = 0.0,
) -> str:
    """The reason why a run with these games stopped, and how to go on; empty if it did not.

    `results` are those of the games, if they are known.
    """
    first = schedule.first_games(results or results_of(kept.rows))
    if not first.faulty:
        return ""
    command, keys = check_commands(config).get(first.faulty, ""), first.keys
    games = kept.part(lambda row: row.key in keys)
    return stop_text(first, list(games.records()), first.faulty, command, go_on, load)


def check_commands(config: Config) -> dict[str, str]:
    """The command that checks a player's program, for each that plays by one."""
    terms = config.terms
    commands = {
        each.name: check_command(each.engine, each.limit_in(terms), terms)
        for each in config.players
    }
    return {name: command for name, command in commands.items() if command}


@dataclass(frozen=True, slots=True, kw_only=True)
class RunProgress(Progress):
    tally: Tally
    matches: Callable[[], list[Row]]
    """The matches that the format decides, as they stand: see `arena.format`."""
    is_rated: bool = False  # True if the Elo is that of the ratings: see `standings.is_rated`

    def view(self) -> View:
        """The standings as they are, and below them the matches that the format decides."""
        rows, standings = self.matches(), self.tally.standings()
        parts = [
            *fault_sentences(standings, self.tally.faults),
            *self._standings_parts(standings),
            _matches_table(rows),
        ]
        test = sprt_progress(rows, self.total and self.total - self.games)
        return View(parts, test, any("decision" in row for row in rows))

    def _standings_parts(self, standings: Sequence[Standing]) -> Iterator[LiveTable | str]:
        columns = standings_columns(any(row.faults for row in standings), self.is_rated)
        rows = [asdict(row) for row in standings]
        if self.is_rated:
            rows = rated_rows(standings, self.tally.ratings())
            rows.sort(key=lambda row: (row["group"], -rounded(row["rating"])))
        cells = [[column.text(row) for column in columns] for row in rows]
        yield LiveTable([column.heading for column in columns], cells)
        yield from mark_meaning(bool(row["doubtful"] or row.get("rating_doubtful")) for row in rows)


RunWatcher = Callable[[RunProgress], None]


def _matches_table(rows: list[Row]) -> LiveTable | str:
    if not rows:
        return ""
    shown = [row for row in rows if row.get("stage") == rows[-1].get("stage")]
    texts = [list(map(format_value, row.values())) for row in shown]
    return LiveTable(list(rows[-1]), texts, justify="left")


Watch = Callable[[Any], None]

ENDING = "Ending after the games in flight; interrupt again to end at once."
STOPPED = "Interrupted: the games are kept. To go on with those missing, run the cell again."


@contextmanager
def interactive(
    progress: bool | None, stop: Stop | None
) -> Iterator[tuple[Callable[[Watch | None], AbstractContextManager[Watch]], Stop]]:
    """What makes the watcher of games, and tells whether to end.

    Games are shown if `progress` is true, and if it is None, in a notebook, unless the caller has a
    watcher of its own. In a notebook, an interrupt of the kernel ends as `stop` does, and a second
    one at once.
    """
    stop, is_notebook = stop or never, _in_notebook()
    shown = partial(_shown, is_notebook if progress is None else progress)
    if not is_notebook or current_thread() is not main_thread():
        yield shown, stop
        return
    say = _printer()
    with stoppable(lambda: say(ENDING)) as is_pressed:
        yield shown, lambda: is_pressed() or stop()
    if is_pressed():
        say(STOPPED)


def _in_notebook() -> bool:
    ipython = sys.modules.get("IPython")
    return ipython is not None and ipython.get_ipython() is not None


@contextmanager
def _shown(is_shown: bool, own: Watch | None) -> Iterator[Watch]:
    """The caller's own watcher; or one that shows games on the screen, or nothing."""
    if own or not is_shown:
        yield own or ignore
        return
    from rich.console import Console

    from arena.report.live import watching

    with watching(Console(), _printer()) as watch:
        yield watch


def _printer() -> Callable[[str], None]:
    from rich.console import Console

    return partial(Console(soft_wrap=True).print, markup=False, highlight=False)
