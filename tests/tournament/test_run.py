"""A run: the same games however it is played, nothing lost, nothing mixed up."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from dataclasses import replace
from io import StringIO
from pathlib import Path

import pandas as pd
import pytest
from rich.console import Console
from support.game_records import game, games_of
from support.processes import awaited, children_of, finished, is_worker, running
from support.samples import ROUND, Write, player

import arena
from arena import ConfigError
from arena.config.reader import read_config
from arena.format import Pairing
from arena.match.pairs import Results
from arena.match.record import GameRecord
from arena.report.live import watching
from arena.storage.database import Store
from arena.storage.folder import LOG, REPORT_PAGE, locked
from arena.tournament.run import Run, RunProgress
from arena.tournament.schedule import Schedule
from arena.workers import pool

TIMED = ["times"]
REFUSAL = "this run is being played already"
WITH_TWO_ALONE = "name: two, engine: random_mover", "name: two, engine: ./own.py"


def played(run: Run) -> pd.DataFrame:
    """All games but for what the clock said."""
    return run.games().drop(columns=TIMED)


def play(file: Path, workers: int | None = 0, **options: object) -> Run:
    return arena.run(file, workers=workers, results=file.parent / "results", **options)  # type: ignore[arg-type]


def test_a_seed_belongs_to_its_game_whatever_else_is_played(write: Write) -> None:
    small = play(write()).games()
    extended = ROUND + "      - {name: four, engine: random_mover}\n"
    large = play(write(extended + "    rounds: 2\n", "large.yaml")).games()
    key = ["first", "second", "opening", "round"]
    both = small.merge(large, on=key)
    assert len(both) == len(small)
    assert (both["moves_x"] == both["moves_y"]).all()
    assert large["seed"].nunique() == len(large)


def test_another_seed_gives_other_games(write: Write) -> None:
    games = play(write()).games()
    others = play(write(ROUND + "    seed: 1\n", "other.yaml")).games()
    assert (games["moves"] != others["moves"]).all()


class StopError(Exception):
    """Stands for any error that ends a run early."""


@pytest.mark.parametrize("workers", [0, 1, 2])
def test_a_run_that_was_stopped_goes_on(write: Write, workers: int) -> None:
    def stop(progress: RunProgress) -> None:
        if progress.tally.games == 5:
            raise StopError

    file = write()
    with pytest.raises(StopError):
        play(file, workers, watch=stop)
    records: list[GameRecord | None] = []
    run = play(file, workers, watch=lambda progress: records.append(progress.record))
    assert len(records) == 1 + 12 - 5
    undisturbed = play(write(name="undisturbed.yaml"))
    pd.testing.assert_frame_equal(played(run), played(undisturbed))


@pytest.mark.parametrize(
    ("before", "after", "change"),
    [
        ("size: 7", "size: 8", "game.gomoku.size: 7 -> 8"),
        ("seed: 1", "seed: 2", "openings.random.seed: 1 -> 2"),
        ("engines:", "limit: {depth: 3}\n    engines:", "limit.depth: None -> 3"),
        ("{name: two, ", "{name: two, limit: {nodes: 5}, ", "engines.two.limit"),
        ("two, engine: random_mover", "two, engine: five_tuple", "engines.two.engine"),
        ("engines:", "max_plies: 9\n    engines:", "max_plies: None -> 9"),
    ],
)
def test_a_changed_config_under_the_same_name_is_refused(
    write: Write, before: str, after: str, change: str
) -> None:
    play(write())
    changed = write(ROUND.replace(before, after, 1))
    with pytest.raises(ConfigError, match="fresh=True") as caught:
        play(changed)
    assert change in str(caught.value)
    assert len(play(changed, fresh=True).games()) > 0


def test_what_is_thrown_away_is_gone_and_nothing_else(write: Write) -> None:
    run = play(write())
    for name in (REPORT_PAGE, "notes.txt"):
        (run.folder / name).touch()
    size = (run.folder / LOG).stat().st_size
    play(write(), fresh=True)
    assert (run.folder / LOG).stat().st_size == size
    assert not (run.folder / REPORT_PAGE).exists()
    assert (run.folder / "notes.txt").exists()


def test_a_run_without_clocks_goes_on_with_a_player_that_has_one(write: Write) -> None:
    play(write())
    clocked = ROUND.rstrip() + "\n      - {name: four, engine: random_mover, limit: {clock: 60}}\n"
    assert [len(play(write(clocked)).games()) for _ in range(2)] == [24, 24]


def test_a_new_player_joins_and_one_that_left_is_hidden(write: Write) -> None:
    play(write())
    joined = ROUND + "      - {name: four, engine: random_mover}\n"
    records: list[GameRecord | None] = []
    run = play(write(joined), watch=lambda progress: records.append(progress.record))
    assert len(records) == 1 + 3 * 2 * 2
    assert len(run.games()) == 6 * 2 * 2
    run = play(write())
    assert set(run.games()["first"]) == {"one", "two", "three"}


def played_in_pool(file: Path, workers: int | None) -> int | str:
    """The games of a run that is played by a worker of a pool, or why it is not."""
    try:
        return len(play(file, workers=workers).games())
    except ConfigError as error:
        return str(error)


def test_a_worker_of_a_pool_plays_by_itself_since_it_may_have_no_children(write: Write) -> None:
    file = write()
    with multiprocessing.get_context("fork").Pool(1) as pool:
        (refused,) = pool.starmap(played_in_pool, [(file, 1)])
        assert "workers=0" in str(refused)
        assert not (file.parent / "results").exists()
        assert pool.starmap(played_in_pool, [(file, None), (file, 0)]) == [12, 12]


def test_a_run_is_pickled_by_its_folder_and_told_in_a_line(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = play(write())
    packed = pickle.dumps(run)
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    again = pickle.loads(packed)
    pd.testing.assert_frame_equal(again.games(), run.games())
    assert repr(again) == str(again) == f"Run('round'): {run.verdict().sentence}"
    (run.folder / "arena.db").write_bytes(b"no database" * 500)
    assert "cannot be used as the database" in repr(again)


def test_a_file_in_the_place_of_the_results_is_a_fault(write: Write) -> None:
    file = write()
    (file.parent / "results").write_text("")
    with pytest.raises(ConfigError, match="a file is in its place"):
        play(file)


def test_an_engine_that_cannot_be_built_is_a_fault_before_the_first_game(write: Write) -> None:
    write('GAMES = ("*",)\ndef engine(game):\n    raise OSError("no network")\n', "own.py")
    file = write(ROUND.replace(*WITH_TWO_ALONE))
    with pytest.raises(ConfigError, match=r"round\.yaml:5:5: .*OSError: no network") as caught:
        play(file)
    assert len(caught.value.faults) == 1


@pytest.mark.slow
def test_two_processes_do_not_play_the_same_run(write: Write, start: Start) -> None:
    write(SLOW, "slow.py")
    file = write(ROUND.replace("engine: random_mover}", "engine: ./slow.py}"))
    start(file, 1)
    wait_for_games(file, 1)
    with pytest.raises(ConfigError, match=REFUSAL):
        play(file)


def test_neither_do_two_threads_of_one_process(write: Write, tmp_path: Path) -> None:
    """The second is refused, and has not given up the lock that keeps other processes out."""
    file = write()
    taking_it = "import fcntl, sys; "
    taking_it += "fcntl.lockf(open(sys.argv[1], 'w'), fcntl.LOCK_EX | fcntl.LOCK_NB)"
    seen = list[RunProgress]()

    def watch(progress: RunProgress) -> None:
        seen.append(progress)
        if len(seen) > 1:
            return
        for again in (file, file.parent / "sub" / ".." / file.name):
            with ThreadPoolExecutor(1) as pool, pytest.raises(ConfigError, match=REFUSAL):
                pool.submit(play, again, 0).result()
        other = [sys.executable, "-c", taking_it, str(tmp_path / "results/round/lock")]
        done = finished(other)
        assert b"BlockingIOError" in done.stderr

    (file.parent / "sub").mkdir()
    assert len(play(file, 0, watch=watch).games()) == 12
    assert len(seen) == 13
    assert len(play(file, 0).games()) == 12


def test_who_waits_for_a_folder_gets_it_once_the_other_thread_has_ended(tmp_path: Path) -> None:
    order = list[str]()

    def wait() -> None:
        with locked(tmp_path, wait=True):
            order.append("second")

    with ThreadPoolExecutor(1) as pool:
        with locked(tmp_path):
            waiting = pool.submit(wait)
            with pytest.raises(TimeoutError):
                waiting.result(0.05)
            order.append("first")
        waiting.result(5)
    assert order == ["first", "second"]


def test_a_player_that_comes_back_otherwise_is_refused(write: Write) -> None:
    with_three = ROUND.replace(
        "name: three, engine: random_mover", "name: three, engine: five_tuple, depth: 1"
    )
    play(write(with_three))
    play(write(ROUND.replace("      - {name: three, engine: random_mover}\n", "")))
    with pytest.raises(ConfigError, match=r"engines\.three\.depth: 1 -> 2"):
        play(write(with_three.replace("depth: 1", "depth: 2")))
    seen: list[RunProgress] = []
    play(write(with_three), watch=seen.append)
    assert len(seen) == 1, "its games were kept"


def test_a_run_that_could_not_start_keeps_and_promises_nothing(write: Write) -> None:
    games = play(write()).games()
    picky = """
        from arena.engines import random_mover
        GAMES = ("*",)
        def engine(game, *, x=1):
            assert x == 2
            return random_mover.engine(game)
    """
    write(picky, "own.py")
    with_own = ROUND + "      - {name: four, engine: ./own.py}\n"
    with pytest.raises(ConfigError, match="AssertionError"):
        play(write(with_own), fresh=True)
    pd.testing.assert_frame_equal(arena.open_run(write().parent / "results/round").games(), games)
    assert len(play(write(with_own.replace("own.py", "own.py, x: 2"))).games()) == 24


@pytest.mark.slow
@pytest.mark.parametrize("more", ["count: 2 -> count: 5", "seed: 1}} -> seed: 1}}\n    rounds: 2"])
def test_more_openings_or_rounds_only_add_games(write: Write, more: str) -> None:
    before, after = more.split(" -> ")
    few, many = ROUND, ROUND.replace(before, after)
    play(write(few))
    records: list[GameRecord | None] = []
    extended = play(write(many), watch=lambda progress: records.append(progress.record))
    assert 12 < len(extended.games()) == 12 + len(records) - 1
    pd.testing.assert_frame_equal(played(extended), played(play(write(many, "whole.yaml"))))
    assert len(play(write(few)).games()) == 12


@pytest.mark.slow
def test_a_name_of_a_run_is_only_a_name(write: Write) -> None:
    for name in ("a?b", "a%41b", "ä b", "a#b"):
        run = play(write("    name: " + repr(name) + "\n" + ROUND.lstrip("\n"), "odd.yaml"))
        assert sorted(path.name for path in run.folder.iterdir())[0] == "arena.db"
        assert len(arena.open_run(run.folder).games()) == 12


def test_looking_at_results_writes_nothing(write: Write) -> None:
    run = play(write())
    before = {path: path.stat().st_mtime_ns for path in run.folder.iterdir()}
    assert len(arena.open_run(run.folder).games()) == 12
    assert {path: path.stat().st_mtime_ns for path in run.folder.iterdir()} == before
    (run.folder / "arena.db").unlink()
    assert arena.open_run(run.folder).games().empty
    assert not (run.folder / "arena.db").exists()


def test_a_folder_that_nobody_can_write_is_read_as_it_is(
    write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = play(write())
    monkeypatch.setattr("arena.storage.connection.os.access", lambda *_: False)
    assert len(arena.open_run(run.folder).games()) == 12


@pytest.mark.slow
def test_another_format_plays_what_it_asks_for_and_hides_the_rest(write: Write) -> None:
    play(write())
    joined = ROUND + "      - {name: four, engine: random_mover}\n"
    gauntlet = joined + "    format: {gauntlet: {candidates: [four]}}\n"
    records: list[GameRecord | None] = []
    run = play(write(gauntlet), 2, watch=lambda progress: records.append(progress.record))
    assert len(records) == 1 + 3 * 2 * 2 == 1 + len(run.games())
    assert set(run.games()["first"]) | {"four"} == {"one", "two", "three", "four"}
    pd.testing.assert_frame_equal(played(run), played(play(write(gauntlet, "fresh.yaml"))))
    assert len(play(write(joined)).games()) == 24


def test_an_engine_that_joins_from_the_same_folder_edits_nobody(write: Write) -> None:
    write(SLOW.replace("0.01", "0"), "own.py")
    write(SLOW.replace("0.01", "0"), "beside.py")
    text = ROUND.replace(*WITH_TWO_ALONE)
    play(write(text))
    run = play(write(text + "      - {name: four, engine: ./beside.py}\n"))
    assert len(run.games()) == 24


@pytest.mark.parametrize("name", ["arena.db", "config.yaml"])
@pytest.mark.parametrize("content", ["garbage", "game: gomoku\n"])
def test_a_damaged_folder_is_a_fault_that_names_the_file(
    write: Write, name: str, content: str
) -> None:
    run = play(write())
    for file in run.folder.glob(f"{name}*"):
        file.unlink()
    (run.folder / name).write_text(content)
    with pytest.raises(ConfigError, match=name.replace(".", r"\.")):
        arena.open_run(run.folder).games()


def test_a_run_is_opened_by_its_name_or_its_folder_and_imports_no_engine(write: Write) -> None:
    own = write('GAMES = ("*",)\nfrom arena.engines.random_mover import engine\n', "own.py")
    file = write(ROUND.replace("engine: random_mover}", "engine: ./own.py}"))
    results = file.parent / "results"
    games = play(file).games()
    own.unlink()
    for run in (arena.open_run("round", results=results), arena.open_run(results / "round")):
        pd.testing.assert_frame_equal(run.games(), games)
    with pytest.raises(ConfigError, match="did you mean 'round'"):
        arena.open_run("rounf", results=results)


SLOW = player("""
    time.sleep(0.01)
    return Choice(self.game.moves(p)[p.ply % 7])
""")

Start = Callable[[Path, int], subprocess.Popen[bytes]]


@pytest.fixture
def start() -> Iterator[Start]:
    """Starts `arena run` in a process of its own, which does not outlive the test."""
    with ExitStack() as stack:

        def start(file: Path, workers: int) -> subprocess.Popen[bytes]:
            command = [sys.executable, "-m", "arena", "run", str(file), "--workers", str(workers)]
            options = ["--results", str(file.parent / "results")]
            started = running([*command, *options], stdout=subprocess.DEVNULL)
            return stack.enter_context(started)

        yield start


def wait_for_games(file: Path, games: int) -> None:
    """Wait until the run that is being played has kept this number of games."""
    folder = file.parent / "results" / file.stem
    awaited((folder / "config.yaml").exists, pause=0.1)
    awaited(lambda: len(arena.open_run(folder).games()) >= games, pause=0.1)


@pytest.mark.skipif(sys.platform != "linux", reason="looks at /proc")
@pytest.mark.slow
def test_kills_of_the_run_and_of_workers_lose_nothing(write: Write, start: Start) -> None:
    write(SLOW, "slow.py")
    text = ROUND.replace("engine: random_mover}", "engine: ./slow.py}").replace(
        "count: 2", "count: 6"
    )
    file = write(text)
    process = start(file, 2)
    wait_for_games(file, 5)
    workers = children_of(process.pid)
    assert len(workers) == 1 + 2, "a reaper and two workers"
    process.kill()
    process.wait()
    time.sleep(0.5)
    assert not any(map(is_worker, workers))
    process = start(file, 2)
    wait_for_games(file, 12)
    for worker in children_of(process.pid)[1:]:
        os.kill(worker, signal.SIGKILL)
    assert process.wait(60) == 0
    run = arena.open_run(file.parent / "results/round")
    undisturbed = play(write(text, "undisturbed.yaml"), 2)
    pd.testing.assert_frame_equal(played(run), played(undisturbed))


KILLS_ITSELF = player("os.kill(os.getpid(), signal.{})")

TWO_GAMES = """
    game: tictactoe
    openings: {list: ["1,1"]}
    engines:
      - {name: one, engine: random_mover}
      - {name: two, engine: ./own.py}
"""


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_an_engine_that_kills_its_process_loses_after_three_attempts(
    write: Write, number: signal.Signals
) -> None:
    write(KILLS_ITSELF.format(number.name), "own.py")
    run = play(write(TWO_GAMES), 2)
    games = run.games()
    assert list(games["reason"]) == ["crash"] * 2
    assert list(games["winner"]) == [1, 2]
    assert set(games["detail"]) == {f"killed at its turn in 3 attempts, exit code {-number}"}
    assert list(games["plies"]) == [1, 2]
    assert (run.folder / "arena.log").stat().st_mode & 0o111 == 0
    log = (run.folder / "arena.log").read_text()
    assert log.count(f"is gone, exit code {-number}; again") == 2 * 2


PLANNED = player("""
    if p.turn == self.seat:
        os.kill(os.getpid(), signal.SIGKILL)
    return Choice(self.game.moves(p)[0])
""").replace(
    "        pass",
    """
        from pathlib import Path
        plan = Path(__file__).with_name("plan")
        seat, *rest = plan.read_text().split() or ["0"]
        self.seat = int(seat)
        plan.write_text(" ".join(rest))
""".strip("\n"),
    1,
)
"""Is killed at the turns of the seats in `plan`, one in each attempt; 0: in none."""


def test_two_kills_of_each_game_lose_nothing(write: Write) -> None:
    """`two` is at seat 2 of the first game, and at seat 1 of the second."""
    write(PLANNED, "own.py")
    write("2 2 0  1 1 0", "plan")
    run = play(write(TWO_GAMES), 1)
    assert set(run.games()["reason"]) <= {"line", "full board"}
    assert (run.folder / "arena.log").read_text().count("; again") == 4


def test_three_kills_lose_nothing_unless_the_same_player_was_to_move(
    write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pool, "QUIET", 0.05)
    text = TWO_GAMES.replace("random_mover", "./own.py")
    write(PLANNED, "own.py")
    # Each attempt takes two numbers, one for each player: `one` is killed twice, then `two`.
    write("1 1  1 1  2 2  2 2  0 0  0 0", "plan")
    run = play(write(text), 1)
    assert set(run.games()["reason"]) <= {"line", "full board"}
    assert (run.folder / "arena.log").read_text().count("; again") == 4


GHOST = player("""
    if p.ply == 8:
        threading.Timer(0.01, os._exit, (5,)).start()
    return Choice(self.game.moves(p)[0])
""")


def test_a_worker_that_dies_between_two_games_costs_nobody_a_game(write: Write) -> None:
    write(GHOST, "ghost.py")
    file = write(ROUND.replace("name: two, engine: random_mover", "name: two, engine: ./ghost.py"))
    games = play(file, 1).games()
    assert len(games) == 12
    assert set(games["winner"].dropna()) <= {1, 2}


@pytest.mark.parametrize(("workers", "odd"), [(0, r"\x1b[1m"), (1, r"\x1b[1m \udc80")])
def test_what_an_engine_raises_is_kept_as_one_printable_line(
    write: Write, workers: int, odd: str
) -> None:
    raising = f"raise ValueError('a\\nb {odd} ' + 'c' * 999)"
    write(SLOW.replace("time.sleep(0.01)", raising), "own.py")
    games = play(write(ROUND.replace(*WITH_TWO_ALONE)), workers).games()
    details = games[games["reason"] == "exception"]["detail"]
    assert len(details) == 8
    assert details.map(str.isprintable).all()
    assert details.str.startswith(rf"ValueError: a\nb {odd} ccc").all()
    assert details.str.len().max() < 700


@pytest.mark.parametrize("answer", ["score=10**5000", "nodes=10**30", "depth=-2**64"])
def test_numbers_that_no_record_can_hold_lose(write: Write, answer: str) -> None:
    write(SLOW.replace("% 7])", f"% 7], {answer})").replace("time.sleep(0.01)", "pass"), "own.py")
    file = write(ROUND.replace(*WITH_TWO_ALONE))
    games = play(file, 1).games()
    lost = games[games["reason"] == "exception"]
    assert len(lost) == 8
    assert lost["detail"].str.contains("OverflowError: a number of").all()


def test_the_log_names_the_players_of_every_game_and_keeps_tracebacks(write: Write) -> None:
    write('GAMES = ("*",)\nfrom fails import engine\n', "own.py")
    write(SLOW.replace("time.sleep(0.01)", "1 / 0"), "fails.py")
    file = write(ROUND.replace(*WITH_TWO_ALONE))
    run = play(file, 2)
    log = (run.folder / "arena.log").read_text()
    assert log.count("one - two: 1-0, exception") + log.count("one - two: 1-0, line") == 2
    assert log.count("ZeroDivisionError: division by zero\n") == 8
    assert (
        len(re.findall(r"\[two - \w+, opening [\d, ]+, round 1, two to move\] two raised", log))
        == 4
    )


SPRT = """
    game: {gomoku: {size: 7}}
    format: {sprt: {elo1: 200, pairs: 300}}
    engines:
      - {name: new, engine: five_tuple, depth: 2}
      - {name: old, engine: random_mover}
"""


@pytest.mark.slow
@pytest.mark.parametrize("workers", [0, 2])
def test_a_test_ends_by_itself_and_says_what_its_elo_is_worth(write: Write, workers: int) -> None:
    file = write(SPRT, "sprt.yaml")
    run = play(file, workers)
    (match,) = run.report().matches.to_dict("records")
    assert (match["one"], match["decision"]) == ("new", "H1")
    assert 2 * match["pairs"] == len(run.games()) < 100
    assert "biased" in run.report().notes[-1]
    again = play(file, workers)
    assert len(again.games()) == len(run.games())


def test_what_was_under_way_as_a_test_was_decided_is_kept_and_counts_nowhere(write: Write) -> None:
    run = play(write(SPRT, "sprt.yaml"))
    played(run)
    with closing(Store(run.folder / "arena.db")) as store:
        late = replace(next(iter(store.games())), opening="3,3 3,4", winner=2)
        store.append(late)
    report = run.report()
    assert list(report.uncounted["opening"]) == ["3,3 3,4"]
    assert (report.games["winner"] == 2).sum() == (run.games()["winner"] == 2).sum()
    assert "1 game is kept but not counted: still under way when the test ended." in "\n".join(
        report.notes
    )


def test_a_test_has_openings_for_all_its_pairs_unless_told_how_many(write: Write) -> None:
    assert len(read_config(write(SPRT)).openings) == 300
    few = SPRT + "    openings: {random: {count: 4}}\n"
    assert len(read_config(write(few)).openings) == 4


def test_openings_that_are_alike_are_told_before_the_first_game_and_in_the_report(
    write: Write,
) -> None:
    told: list[str] = []
    text = re.sub("openings:.*", 'openings: {list: ["3,3 3,4", "3,3 4,3", "3,3 5,5"]}', ROUND)
    with watching(Console(file=StringIO()), told.append) as watch:
        run = play(write(text), watch=watch)
    assert "(opening 2 as 1)" in told[0]
    assert told[0].endswith("\n0/18 games")
    assert not any("opening 2" in line for line in told[1:])
    (note,) = run.report().notes
    assert note in told[0]


@pytest.mark.parametrize("format", ["knockout", "swiss"])
def test_what_results_decide_is_played_alike_by_any_number_of_workers(
    write: Write, format: str
) -> None:
    text = ROUND + "      - {name: four, engine: random_mover}\n"
    text += f"    format: {format}\n"
    alone, together = (
        play(write(text, f"{name}.yaml"), workers) for name, workers in (("one", 0), ("two", 2))
    )
    pd.testing.assert_frame_equal(played(alone), played(together))
    pd.testing.assert_frame_equal(alone.report().matches, together.report().matches)
    assert len(alone.report().matches) == {"knockout": 3, "swiss": 4}[format]


def test_fresh_leaves_alone_what_others_keep_within_the_folder(write: Write) -> None:
    run = play(write())
    inner = arena.run(write(name="inner.yaml"), workers=0, results=run.folder)
    play(write(), fresh=True)
    assert len(inner.games()) == 12


def test_engines_are_built_on_trial_and_to_play_and_no_oftener(write: Write) -> None:
    source = """
        from pathlib import Path
        from arena.engines import random_mover
        GAMES = ("*",)
        def engine(game):
            with Path(__file__).with_name("built").open("a") as built:
                built.write("once ")
            return random_mover.engine(game)
    """
    file = write(source, "own.py").with_name("built")
    assert len(play(write(ROUND.replace(*WITH_TWO_ALONE))).games()) == 12
    assert file.read_text() == "once once "


def test_games_are_found_by_their_pairings_and_none_after_a_missing_result(
    write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    def pairings(results: Results) -> Iterator[Pairing | None]:
        yield Pairing("one", "two", "o", 1)
        yield Pairing("one", "three", "o", 1)
        yield None
        pytest.fail("no more is asked for")

    schedule, seats = Schedule(read_config(write())), ["three one", "two three", "two one"]
    monkeypatch.setattr(schedule, "_pairings", pairings)
    kept = games_of([game(*each.split(), 1) for each in seats])  # type: ignore[misc]
    found = schedule.scheduled(kept, Results())
    assert list(found.games.numbers) == [2, 4]
    assert [f"{row.result.first} {row.result.second}" for row in found.games.rows] == seats[::-2]
    assert not found.is_over
