"""Every kind of bad engine: the right one loses, for the right reason, and nothing else suffers."""

from __future__ import annotations

import os
import signal
import statistics
import subprocess
import sys
import time
import warnings
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path

import pandas as pd
import pytest
from support.processes import finished, running, workers_of
from support.samples import Write

import arena
from arena.workers import pool

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="isolation is that of Linux")

ENGINE = """
import ctypes, faulthandler, os, signal, sys, time
from arena import Choice

GAMES = ("*",)
state = []

class Bad:
    def __init__(self, game):
        self.game = game

    def new_game(self, seed):
        {new_game}

    def choose(self, p, limit):
        if p.ply >= 6:
            {choose}
        return Choice(self.game.moves(p)[0])

    def close(self):
        {close}

def engine(game):
    {engine}
    return Bad(game)
"""

NEVER = "while True: time.sleep(1)"
BUSY = "while True: pass"
DEAF = "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n            while True: time.sleep(1)"
FOREIGN_FORK = "ctypes.CDLL(None).fork()"

ONLY_ONCE = (
    "if os.path.exists(__file__ + '.built'): raise OSError('only once')\n"
    "    open(__file__ + '.built', 'w').close()"
)

KINDS = [
    # where, what it does, the reason of its loss (None: it loses nothing), what the record says
    ("choose", NEVER, "time", "no answer yet"),
    ("choose", BUSY, "time", "no answer yet"),
    ("choose", DEAF, "time", "no answer yet"),
    ("choose", "time.sleep(0.4)", "time", "s over"),
    ("choose", "ctypes.PyDLL(None).sleep(30)", "time", "no answer yet"),  # holding the GIL
    ("choose", "state.append(bytearray(2**32))", "memory", "MemoryError"),
    ("choose", "while True: state.append(bytearray(2**24))", "memory|time", ""),
    ("choose", "raise ValueError('lost')", "exception", "ValueError: lost"),
    ("choose", "raise KeyboardInterrupt", "crash", "exit code 1"),
    ("choose", "return None", "exception", "AttributeError"),
    ("choose", "return 'h8'", "exception", "AttributeError"),
    ("choose", "return Choice('h8')", "exception", "TypeError"),
    ("choose", "return Choice(p.moves[0])", "illegal move", "3,3"),
    ("choose", "return Choice(-1)", "illegal move", "-1"),
    ("choose", "sys.exit(0)", "exception", "SystemExit: 0"),
    ("choose", "os._exit(0)", "crash", "exit code 0"),
    ("choose", "os._exit(7)", "crash", "exit code 7"),
    ("choose", "os.abort()", "crash", "exit code -6"),
    ("choose", "ctypes.string_at(0)", "crash", "exit code -11"),
    ("choose", "sys.setrecursionlimit(10**9); f = lambda: f(); f()", "crash|memory|time", ""),
    ("choose", "os.fork()", "exception", "forked"),
    ("choose", FOREIGN_FORK, None, ""),
    ("choose", "if ctypes.PyDLL(None).fork() == 0: time.sleep(20); os._exit(0)", None, ""),
    ("choose", "import subprocess; subprocess.Popen(['sleep', '77'])", None, ""),
    ("choose", "os.closerange(3, 100)", "crash", ""),
    ("choose", "os.closerange(3, 100); exec('while True: pass')", "crash", ""),
    ("choose", "print('a word')", None, ""),
    ("choose", "os.write(1, b'a word\\n')", None, ""),
    ("new_game", "raise OSError('no book')", "exception", "OSError: no book"),
    ("new_game", NEVER, "hang", "no answer yet"),
    ("new_game", "os._exit(3)", "crash", "exit code 3"),
    ("engine", ONLY_ONCE, "exception", "only once"),
    ("close", "raise OSError('stays open')", None, ""),
    ("close", NEVER, None, ""),
]

ROUND = """
    game: {gomoku: {size: 7}}
    openings: {list: ["3,3 2,2", "3,3 2,4 4,4"]}
    limit: {seconds: 0.3}
    hang: 1
    memory: 512
    engines:
      - {name: one, engine: random_mover, limit: {}}
      - {name: bad, engine: ./bad.py}
      - {name: two, engine: random_mover, limit: {}}
"""

DUEL = """
    game: {gomoku: {size: 7}}
    openings: {list: ["3,3 2,2"]}
    limit: {LIMIT}
    margin: 1
    hang: HANG
    engines:
      - {name: one, engine: random_mover, limit: {}}
      - {name: bad, engine: ./bad.py}
"""


def write_bad(write: Write, where: str, what: str) -> None:
    parts = dict.fromkeys(("new_game", "choose", "close", "engine"), "pass")
    write(ENGINE.format(**(parts | {where: what})), "bad.py")


def play(file: Path, name: str = "results") -> arena.Run:
    return arena.run(file, workers=2, results=file.parent / name)


@pytest.mark.slow
@pytest.mark.parametrize(("where", "what", "reason", "detail"), KINDS, ids=lambda v: str(v)[:30])
def test_a_bad_engine_loses_its_own_games_only(
    write: Write, where: str, what: str, reason: str | None, detail: str
) -> None:
    write_bad(write, where, what)
    file = write(ROUND)
    began = time.monotonic()
    run = play(file)
    games = run.games()
    assert len(games) == 12
    others = games[(games["first"] != "bad") & (games["second"] != "bad")]
    assert set(others["reason"]) <= {"line", "full board"}
    its = games.drop(others.index)
    if reason is None:
        assert set(its["reason"]) <= {"line", "full board"}
    else:
        lost = its[~its["reason"].isin(["line", "full board"])]
        assert set(lost["reason"]) <= set(reason.split("|"))
        assert lost["detail"].str.contains(detail, regex=False).all()
        loser = lost["first"].where(lost["winner"] == 2, lost["second"])
        assert set(loser) == {"bad"}
        assert len(lost) >= 4
    # Eight games of one second each (the longest wait for an answer, and one more) on two workers.
    assert time.monotonic() - began < 30
    log = (run.folder / "arena.log").read_text()
    if "word" in what:
        assert "a word" in log
    if reason == "exception" and "Error" in detail:
        assert "Traceback" in log


@pytest.mark.parametrize("then", ["pass", "state.extend(open(os.devnull) for _ in range(40))"])
def test_who_closes_the_pipe_has_lost_however_late_that_is_seen(
    then: str, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    look = pool.ready_ends

    def look_late(ends: Iterable[int], seconds: float) -> list[int]:
        time.sleep(0.2)
        return look(ends, seconds)

    monkeypatch.setattr(pool, "ready_ends", look_late)
    write_bad(write, "choose", f"os.closerange(3, 100); {then}")
    games = play(write(DUEL.replace("LIMIT", "depth: 1").replace("HANG", "5"))).games()
    assert list(games["reason"]) == ["crash"] * 2
    assert list(games["detail"]) == ["closed its worker's pipe"] * 2
    assert list(games["winner"]) == [1, 2]
    assert list(games["plies"]) == [7, 6]


@pytest.mark.slow
def test_who_writes_rubbish_into_the_pipe_has_lost(write: Write) -> None:
    rubbish = """
            frame = sys._getframe()
            while "pipe" not in frame.f_locals: frame = frame.f_back
            os.write(frame.f_locals["pipe"].fileno(), bytes(7) + bytes([3]) + b"abc")
            time.sleep(9)"""
    write_bad(write, "choose", rubbish)
    games = play(write(DUEL.replace("LIMIT", "depth: 1").replace("HANG", "5"))).games()
    assert list(games["reason"]) == ["crash"] * 2
    assert list(games["winner"]) == [1, 2]


@pytest.mark.slow
@pytest.mark.parametrize("block", [2**22, 2**14])
def test_a_hoarder_that_swallows_its_errors_harms_nobody_else(write: Write, block: int) -> None:
    hoard = f"""
            try:
                while True: state.append(bytearray({block}))
            except MemoryError: pass"""
    write_bad(write, "choose", hoard)
    games = play(write(ROUND.replace("seconds: 0.3", "seconds: 5"))).games()
    ends = games[~games["reason"].isin(["line", "full board"])]
    losers = ends["first"].where(ends["winner"] == 2, ends["second"])
    assert set(losers) <= {"bad"}


@pytest.mark.slow
def test_an_engine_that_hangs_is_stopped_within_a_second_of_its_limit(write: Write) -> None:
    write_bad(write, "choose", NEVER)
    arrivals: list[tuple[float, str]] = []

    def note(progress: arena.tournament.run.RunProgress) -> None:  # type: ignore[name-defined]
        reason = progress.record.reason if progress.record else ""
        arrivals.append((time.monotonic(), reason))

    file = write(ROUND.replace("- {name: two, engine: random_mover, limit: {}}", ""))
    arena.run(file, workers=1, results=file.parent / "results", watch=note)
    assert {reason for _, reason in arrivals[1:]} == {"time"}
    times = [after - before for (before, _), (after, _) in pairwise(arrivals)]
    assert statistics.median(times) < 0.3 + 1  # a busy machine may stop any game for a while


@pytest.mark.slow
@pytest.mark.parametrize(
    ("limit", "hang", "reason", "margin"),
    [("seconds: 0.1", 5, "time", 1), ('clock: "1+0"', 5, "time", 1), ("nodes: 9", 0.1, "hang", 0)],
)
def test_who_never_answers_is_late_by_the_margin_too_if_there_is_a_limit_of_time(
    write: Write, limit: str, hang: float, reason: str, margin: float
) -> None:
    write_bad(write, "choose", NEVER)
    games = play(write(DUEL.replace("LIMIT", limit).replace("HANG", str(hang)))).games()
    assert list(games["reason"]) == [reason, reason]
    late = games["detail"].str.extract(r"^(\d+\.\d{3}) s over, no answer yet$")[0].astype(float)
    # 0.3 s are waited for a late answer; the rest is for a busy machine.
    assert late.between(margin + 0.3, margin + 4).all()


@pytest.mark.slow
def test_the_games_of_the_others_are_what_they_are_without_it(write: Write) -> None:
    write_bad(write, "choose", "os.abort()")
    disturbed = play(write(ROUND)).games()
    calm = play(write(ROUND.replace("- {name: bad, engine: ./bad.py}", ""), "calm.yaml")).games()
    others = disturbed[(disturbed["first"] != "bad") & (disturbed["second"] != "bad")]
    columns = ["first", "second", "opening", "moves", "winner", "reason"]
    pd.testing.assert_frame_equal(
        others[columns].reset_index(drop=True), calm[columns].reset_index(drop=True)
    )


@pytest.mark.parametrize(
    ("what", "expected"),
    [
        (NEVER, "engine did not come back from being built within 1 s"),
        ("os._exit(4)", "engine took its process down as it was built: exit code 4"),
        ("ctypes.string_at(0)", "engine took its process down as it was built: exit code -11"),
        ("sys.exit(3)", "bad.py cannot be built: SystemExit: 3"),
        ("raise OSError('no network')", "OSError: no network"),
        ("return None", "what engine() returns has no new_game()"),
        ("state.append(bytearray(2**32))", "MemoryError"),
    ],
)
def test_what_cannot_be_built_is_a_fault_of_the_config(
    write: Write, what: str, expected: str
) -> None:
    write_bad(write, "engine", what)
    with pytest.raises(arena.ConfigError) as caught:
        play(write(ROUND))
    assert expected in str(caught.value)
    assert "round.yaml:8:5: " in str(caught.value)


def test_warnings_of_threads_at_forks_stop_no_run(
    write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    forks, fork = [], os.fork

    def warning_fork() -> int:
        if pid := fork():
            forks.append(pid)
            warnings.warn("This process is multi-threaded", DeprecationWarning, stacklevel=2)
        return pid

    monkeypatch.setattr(os, "fork", warning_fork)
    write_bad(write, "choose", "pass")
    file = write(ROUND)
    assert len(arena.run(file, workers=1, results=file.parent / "results").games()) == 12
    assert len(forks) == 4, "the reading, the trial build, the reaper and the worker"


STARTER = """
import subprocess, time
from arena import Choice
GAMES = ("*",)

class Starter:
    def __init__(self, game):
        self.game = game
        self.program = subprocess.Popen(["sleep", {marker!r}])
    def new_game(self, seed):
        pass
    def choose(self, p, limit):
        time.sleep(0.05)
        return Choice(self.game.moves(p)[0])
    def close(self):
        self.program.kill()
        self.program.wait()

def engine(game):
    return Starter(game)
"""


def started(marker: str) -> int:
    done = finished(["pgrep", "-fc", f"sleep {marker}"])
    return int(done.stdout)


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, None])
def test_programs_of_engines_end_with_the_run(write: Write, number: signal.Signals | None) -> None:
    marker = f"86399.{os.getpid()}{number or 0}"
    write(STARTER.format(marker=marker), "bad.py")
    file = write(ROUND)
    command = [sys.executable, "-m", "arena", "run", file.name, "--workers", "2"]
    with running(command, cwd=file.parent, stdout=subprocess.DEVNULL) as process:
        if number:
            for _ in range(100):
                time.sleep(0.05)
                if started(marker) == 2:
                    break
            assert started(marker) == 2, "one in each worker, none left by the trial build"
            process.send_signal(number)
        process.wait(60)
    time.sleep(0.5)
    assert started(marker) == 0


@pytest.mark.slow
def test_a_kill_is_seen_at_once_whatever_the_engine_left_behind(write: Write) -> None:
    forks = (
        "if not state: state.append(1); ctypes.PyDLL(None).fork() or (time.sleep(30), os._exit(0))"
    )
    slow = f"{forks}\n            time.sleep(0.1)"
    write_bad(write, "choose", slow)
    file = write(ROUND.replace("limit: {seconds: 0.3}", "limit: {}").replace("hang: 1", "hang: 30"))
    results = file.parent / "results"
    command = [sys.executable, "-m", "arena", "run", str(file), "--workers", "1"]
    command += ["--results", str(results)]
    with running(command, stdout=subprocess.DEVNULL) as process:
        time.sleep(2.5)
        workers = workers_of(process)[1:]  # the first is the reaper
        began = time.monotonic()
        for worker in workers:
            os.kill(worker, signal.SIGKILL)
        assert process.wait(25) == 0
    assert time.monotonic() - began < 20
    assert set(arena.open_run(results / "round").games()["reason"]) <= {"line", "full board"}
