"""A run: the same games however it is played, nothing lost, nothing mixed up."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pandas as pd
import pytest
from conftest import ROUND, Write

import arena
from arena import ConfigError
from arena.match import GameRecord
from arena.tournament import Progress, Run

TIMED = ["times"]


def played(run: Run) -> pd.DataFrame:
    """All games but for what the clock said."""
    return run.games().drop(columns=TIMED)


def play(file: Path, workers: int = 0, **options: object) -> Run:
    return arena.run(file, workers=workers, results=file.parent / "results", **options)  # type: ignore[arg-type]


def test_every_pairing_is_played_twice_on_every_opening_colours_swapped(write: Write) -> None:
    games = play(write()).games()
    assert len(games) == 3 * 2 * 2
    for _, pair in games.groupby("pair"):
        one, other = pair.itertuples()
        assert (one.first, one.second) == (other.second, other.first)
        assert one.opening == other.opening
        assert one.moves.startswith(one.opening)
    assert games["opening"].nunique() == 2


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


def test_a_finished_run_plays_nothing_more(write: Write) -> None:
    file = write()
    before = play(file).games()
    seen: list[Progress] = []
    after = play(file, watch=seen.append).games()
    pd.testing.assert_frame_equal(before, after)
    assert [progress.record for progress in seen] == [None]


class StopError(Exception):
    """Stands for whatever ends a run early."""


@pytest.mark.parametrize("workers", [0, 1, 2])
def test_a_run_that_was_stopped_goes_on(write: Write, workers: int) -> None:
    def stop(progress: Progress) -> None:
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
        ("count: 2", "count: 3", "openings.random.count: 2 -> 3"),
        ("seed: 1", "seed: 2", "openings.random.seed: 1 -> 2"),
        ("engines:", "limit: {depth: 3}\n    engines:", "limit.depth: None -> 3"),
        ("{name: two, ", "{name: two, limit: {nodes: 5}, ", "engines.two.limit"),
        (
            "{name: two, engine: random_mover",
            "{name: two, engine: five_tuple",
            "engines.two.engine",
        ),
        ("engines:", "max_plies: 9\n    engines:", "max_plies: None -> 9"),
    ],
)
def test_a_changed_config_under_the_same_name_is_refused(
    write: Write, before: str, after: str, change: str
) -> None:
    play(write())
    changed = write(ROUND.replace(before, after, 1))
    with pytest.raises(ConfigError, match="--fresh") as caught:
        play(changed)
    assert change in str(caught.value)
    assert len(play(changed, fresh=True).games()) > 0


def test_a_new_player_joins_and_one_that_left_is_hidden(write: Write) -> None:
    play(write())
    joined = ROUND + "      - {name: four, engine: random_mover}\n"
    records: list[GameRecord | None] = []
    run = play(write(joined), watch=lambda progress: records.append(progress.record))
    assert len(records) == 1 + 3 * 2 * 2
    assert len(run.games()) == 6 * 2 * 2
    run = play(write())
    assert set(run.games()["first"]) == {"one", "two", "three"}


def test_a_file_in_the_place_of_the_results_is_a_fault(write: Write) -> None:
    file = write()
    (file.parent / "results").write_text("")
    with pytest.raises(ConfigError, match="a file is in its place"):
        play(file)


def test_an_engine_that_cannot_be_built_is_a_fault_before_the_first_game(write: Write) -> None:
    write('GAMES = ("*",)\ndef engine(game):\n    raise OSError("no network")\n', "own.py")
    file = write(ROUND.replace("name: two, engine: random_mover", "name: two, engine: ./own.py"))
    with pytest.raises(ConfigError, match=r"round\.yaml:5:5: .*OSError: no network") as caught:
        play(file)
    assert len(caught.value.faults) == 1


def test_two_processes_do_not_play_the_same_run(write: Write) -> None:
    file = write()

    def second(progress: Progress) -> None:
        play(file)

    with pytest.raises(ConfigError, match="another process is playing this run"):
        play(file, watch=second)


def test_a_run_is_opened_by_its_name_or_its_folder_and_imports_no_engine(write: Write) -> None:
    own = write('GAMES = ("*",)\nfrom engines.random_mover import engine\n', "own.py")
    file = write(ROUND.replace("engine: random_mover}", "engine: ./own.py}"))
    results = file.parent / "results"
    games = play(file).games()
    own.unlink()
    for run in (arena.open_run("round", results=results), arena.open_run(results / "round")):
        pd.testing.assert_frame_equal(run.games(), games)
    with pytest.raises(ConfigError, match="did you mean 'round'"):
        arena.open_run("rounf", results=results)


SLOW = """
import time
GAMES = ("*",)

class Slow:
    def __init__(self, game): self.game = game
    def new_game(self, seed): pass
    def close(self): pass
    def choose(self, p, limit):
        from arena import Choice
        time.sleep(0.01)
        return Choice(self.game.moves(p)[p.ply % 7])

def engine(game): return Slow(game)
"""


def start(file: Path, workers: int) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "arena", "run", str(file), "--workers", str(workers)]
    options = ["--results", str(file.parent / "results")]
    return subprocess.Popen([*command, *options], stdout=subprocess.DEVNULL)


def children(pid: int) -> list[int]:
    listed = Path(f"/proc/{pid}/task/{pid}/children").read_text()
    return [int(child) for child in listed.split()]


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().split()[2] != "Z"
    except FileNotFoundError:
        return False


def wait_for_games(file: Path, games: int) -> None:
    """Until the run that is being played has kept so many."""
    folder = file.parent / "results" / file.stem
    for _ in range(300):
        time.sleep(0.1)
        if (folder / "arena.db").exists() and len(arena.open_run(folder).games()) >= games:
            return
    raise AssertionError(f"no {games} games in 30 seconds")


@pytest.mark.skipif(sys.platform != "linux", reason="looks at /proc")
@pytest.mark.slow
def test_kills_of_the_run_and_of_workers_lose_nothing(write: Write) -> None:
    write(SLOW, "slow.py")
    text = ROUND.replace("engine: random_mover}", "engine: ./slow.py}").replace(
        "count: 2", "count: 6"
    )
    file = write(text)
    process = start(file, 2)
    wait_for_games(file, 5)
    workers = children(process.pid)
    assert len(workers) == 2
    process.kill()
    process.wait()
    time.sleep(0.5)
    assert not any(map(is_alive, workers))
    process = start(file, 2)
    wait_for_games(file, 12)
    for worker in children(process.pid):
        os.kill(worker, signal.SIGKILL)
    assert process.wait(60) == 0
    run = arena.open_run(file.parent / "results/round")
    undisturbed = play(write(text, "undisturbed.yaml"), 2)
    pd.testing.assert_frame_equal(played(run), played(undisturbed))


CRASH = """
import faulthandler, os, signal
GAMES = ("*",)

class Crash:
    def new_game(self, seed): pass
    def close(self): pass
    def choose(self, p, limit):
        faulthandler.disable()
        os.kill(os.getpid(), signal.SIGSEGV)

def engine(game): return Crash()
"""


def test_an_engine_that_takes_its_process_down_loses_that_game_only(write: Write) -> None:
    write(CRASH, "crash.py")
    file = write(ROUND.replace("name: two, engine: random_mover", "name: two, engine: ./crash.py"))
    games = play(file, 2).games()
    crashed = games[games["reason"] == "crash"]
    assert len(crashed) == 8
    loser = crashed["first"].where(crashed["winner"] == 2, crashed["second"])
    assert set(loser) == {"two"}
    assert (crashed["plies"] <= 3).all()
    assert set(games[games["reason"] != "crash"]["reason"]) == {"line"}
    assert len(games) == 12


def test_the_log_names_the_players_of_every_game_and_keeps_tracebacks(write: Write) -> None:
    write('GAMES = ("*",)\nfrom fails import engine\n', "own.py")
    write(SLOW.replace("time.sleep(0.01)", "1 / 0").replace("Slow", "Fails"), "fails.py")
    file = write(ROUND.replace("name: two, engine: random_mover", "name: two, engine: ./own.py"))
    run = play(file, 2)
    log = (run.folder / "arena.log").read_text()
    assert log.count("one - two: 1-0, exception") + log.count("one - two: 1-0, line") == 2
    assert log.count("ZeroDivisionError: division by zero\n") == 8
    assert log.count("two raised an exception as player 1 in Job(first='two'") == 4
