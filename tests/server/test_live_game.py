"""Games that are driven from outside: the same law as at the terminal, and engines that fail."""

from __future__ import annotations

import os
import re
import signal
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support.processes import children_of
from support.samples import Write, player

from arena import GameRecord, Limit, load_game
from arena.config.settings import Player
from arena.errors import ConfigError
from arena.human.game import Talk, play_with_persons
from arena.human.in_play import Help, Seated, Setup, first_job, game_after
from arena.match.play import GameInPlay
from arena.match.record import OpeningMade
from arena.match.terms import Terms
from arena.match.verdicts import Verdict
from arena.plugins.load import Named, checked
from arena.server.play.engine_host import EngineHost
from arena.server.play.journal import Storage, friendly_terms, read_journal, write_journal
from arena.server.play.live_game import LiveGame

PATIENCE = 120


def engine(name: str) -> Player:
    return Player(name, checked("engine", name))


def setup_of(*players: Seated, game: str = "tictactoe", opening: str = "", **terms: Any) -> Setup:
    first, second = players
    named = Terms(game=checked("game", game), **terms)
    return Setup(load_game(named.game), (first, second), named, opening)


class Kept:
    """A storage that remembers."""

    def __init__(self) -> None:
        self.journal: list[int] = []
        self.record: GameRecord | None = None
        self.is_forgotten = False

    @property
    def storage(self) -> Storage:
        return Storage(self._write, self._archive, self._forget)

    def _write(self, play: GameInPlay, taken: Help) -> None:
        self.journal.append(len(play.remarks))

    def _archive(self, record: GameRecord) -> dict[str, Any]:
        self.record = record
        return {"run": "somewhere", "number": 1}

    def _forget(self) -> None:
        self.is_forgotten = True


@contextmanager
def live_game(setup: Setup) -> Iterator[tuple[LiveGame, Kept]]:
    kept = Kept()
    game = LiveGame(setup, kept.storage)
    try:
        yield game, kept
    finally:
        game.stop()


def until(game: LiveGame, *phases: str) -> dict[str, Any]:
    """The state, once it is in one of these phases."""
    return when(game, lambda state: state["phase"] in phases)


def when(game: LiveGame, is_there: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    deadline = time.monotonic() + PATIENCE
    while not is_there(dict(game.state)):
        assert time.monotonic() < deadline, dict(game.state)
        time.sleep(0.01)
    return dict(game.state)


def game_in(state: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = state["data"]["games"][0]
    return found


def typed(game: LiveGame, *lines: str) -> dict[str, Any]:
    """Carry out the lines, each once it is the person's turn."""
    for line in lines:
        until(game, "yours")
        if line in ("undo", "hint", "resign"):
            assert game.do(line) == ""  # type: ignore[arg-type]
        else:
            assert game.do("move", line) == ""
    return until(game, "yours", "over")


def at_terminal(setup: Setup, *lines: str) -> GameRecord:
    waiting = list(lines)
    return play_with_persons(setup, Talk(lambda prompt: waiting.pop(0), lambda text: None))


def timeless(record: GameRecord | None) -> GameRecord:
    assert record
    return replace(record, times="")


SLOW = pytest.mark.slow
BACK = "1,1 undo 0,0 hint 2,1 undo undo resign"


@pytest.mark.parametrize(
    ("players", "lines"),
    [
        pytest.param(("human", "minimax"), "0,0 0,1 2,0 1,2 2,2", marks=SLOW),
        pytest.param(("human", "minimax"), BACK),
        pytest.param(("random_mover", "human"), "hint 2,2 undo undo 0,1 resign", marks=SLOW),
        pytest.param(("human", "human"), "0,0 1,1 undo 9,9 0,0 1,1 0,1 2,2 0,2"),
    ],
)
def test_a_record_is_that_of_the_same_lines_at_a_terminal(
    players: tuple[str, str], lines: str
) -> None:
    seated = [each if each == "human" else engine(each) for each in players]
    with live_game(setup_of(*seated, seed=5)) as (game, kept):
        state = typed(game, *lines.split())
    assert state["phase"] == "over"
    assert timeless(kept.record) == timeless(
        at_terminal(setup_of(*players, seed=5), *lines.split())
    )
    assert kept.is_forgotten
    assert state["kept"] == {"run": "somewhere", "number": 1}


@pytest.mark.slow
def test_a_hint_is_a_sentence_and_a_point() -> None:
    with live_game(setup_of("human", engine("minimax"))) as (game, kept):
        typed(game, "hint")
        state = when(game, lambda state: state["hint"] is not None and state["phase"] == "yours")
        assert "minimax would play" in state["said"]
        assert f"{state['hint'] // 3},{state['hint'] % 3}" in state["said"]
        state = typed(game, "0,0")
        assert (state["said"], state["hint"]) == ("", None)
        assert kept.journal[-1] == 2


def test_what_cannot_be_done_now_is_said_and_changes_nothing() -> None:
    with live_game(setup_of("human", "human")) as (game, _):
        state = until(game, "yours")
        assert game.do("move", "1,1", ply=3) == "The board has changed meanwhile."
        assert game.do("move", "1,1", ply=0) == ""
        assert "occupied" in typed(game, "1,1")["said"]
        assert game.do("undo") == ""
        assert "Taken back." in until(game, "yours")["said"]
        assert game_in(dict(game.state))["m"] == game_in(state)["m"] == []
        game.do("resign")
        assert until(game, "over")["phase"] == "over"
        assert game.do("undo") == "This game is over."


def test_of_clicks_at_once_one_counts() -> None:
    with live_game(setup_of("human", "human")) as (game, _), ThreadPoolExecutor(8) as threads:
        for ply in range(3):
            until(game, "yours")
            told = list(
                threads.map(lambda i, ply=ply: game.do("move", f"{i},{ply}", ply), range(3))
            )
            assert told.count("") == 1
            assert len(game_in(until(game, "yours"))["m"]) == ply + 1


@SLOW
def test_engines_play_each_other_while_one_watches() -> None:
    with live_game(setup_of(engine("random_mover"), engine("random_mover"), seed=1)) as (
        game,
        kept,
    ):
        assert game.do("undo") == "You only watch this game."
        state = until(game, "over")
    assert game_in(state)["r"] in ("line", "full board")
    assert kept.record
    assert kept.record.first == kept.record.second == "random_mover"


def test_renju_shows_what_is_forbidden_and_why() -> None:
    opening = "7,6 0,0 7,8 0,2 6,7 0,4 8,7 0,6"
    setup = setup_of("human", "human", game="renju", opening=opening)
    with live_game(setup) as (game, _):
        state = until(game, "yours")
        middle = 7 * 15 + 7
        assert [middle, "double-three", "it would make two open threes at once"] in state[
            "forbidden"
        ]
        assert "7,7 is forbidden here: double-three" in typed(game, "7,7")["said"]


def engine_processes() -> list[int]:
    """The processes of games' engines that this one has started."""
    found = ((pid, Path(f"/proc/{pid}/cmdline")) for pid in children_of(os.getpid()))
    return [pid for pid, words in found if b"arena.server.play.engine_tasks" in words.read_bytes()]


def failing(write: Write, choose: str) -> Player:
    return engine(str(write(player(choose), "own.py")))


@pytest.mark.parametrize(
    ("choose", "reason"),
    [
        pytest.param("raise ValueError('no idea')", "exception", marks=SLOW),
        ("os._exit(3)", "crash"),
        pytest.param("return Choice(-1)", "illegal move", marks=SLOW),
        pytest.param("return Choice(None)", "resignation", marks=SLOW),
        pytest.param("return Choice(0, score='much')", "exception", marks=SLOW),
        pytest.param("bytearray(10**11)", "memory", marks=SLOW),
        pytest.param("os.fork() or time.sleep(60)\nreturn Choice(0)", "exception", marks=SLOW),
    ],
)
def test_an_engine_that_fails_has_lost(choose: str, reason: str, write: Write) -> None:
    with live_game(setup_of("human", failing(write, choose))) as (game, kept):
        typed(game, "1,1")
    assert kept.record
    assert (kept.record.winner, kept.record.reason) == (1, reason)
    assert kept.record.moves == "1,1"


@SLOW
def test_an_engine_that_hangs_has_lost(write: Write) -> None:
    setup = setup_of("human", failing(write, "time.sleep(1000)"), hang=0.5)
    with live_game(setup) as (game, kept):
        typed(game, "1,1")
    assert kept.record
    assert (kept.record.winner, kept.record.reason) == (1, "hang")


@SLOW
def test_an_engine_that_is_late_has_lost(write: Write) -> None:
    own = failing(write, "time.sleep(0.2)\nreturn Choice(0)")
    with live_game(setup_of("human", own, limit=Limit(seconds=0.05), margin=0.01)) as (game, kept):
        typed(game, "1,1")
    assert kept.record
    assert (kept.record.winner, kept.record.reason) == (1, "time")


@SLOW
def test_an_engine_that_cannot_be_built_begins_no_game(write: Write) -> None:
    source = player("return Choice(0)").replace(
        "return Player(game)", "raise ValueError('no table')"
    )
    with live_game(setup_of("human", engine(str(write(source, "own.py"))))) as (game, kept):
        state = until(game, "failed")
    assert "no table" in state["said"]
    assert kept.record is None


def test_while_an_engine_thinks_one_may_take_back_resign_or_leave(write: Write) -> None:
    slow = failing(write, "if p.cells[4]: time.sleep(1000)\nreturn Choice(0)")
    with live_game(setup_of("human", slow)) as (game, kept):
        until(game, "yours")
        game.do("move", "1,1")
        until(game, "thinks")
        assert game.do("hint") == "It is not your turn."
        assert game.do("undo") == ""
        assert game_in(typed(game, "2,2"))["m"] == [8, 0]
        game.do("move", "1,1")
        until(game, "thinks")
        game.do("resign")
        until(game, "over")
    assert kept.record
    assert (kept.record.winner, kept.record.reason) == (2, "resignation")
    assert kept.record.detail == "1 take-back"
    assert kept.record.moves == "2,2 0,0 1,1"


def test_a_game_that_ends_before_it_is_interrupted_is_over(
    write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    move, is_asked = EngineHost.move, threading.Event()

    def move_and_crash(host: EngineHost, play: GameInPlay) -> None:
        is_asked.set()
        move(host, play)  # until it is interrupted
        play.lose(Verdict(2, "crash"))

    monkeypatch.setattr(EngineHost, "move", move_and_crash)
    slow = failing(write, "if p.cells[4]: time.sleep(1000)\nreturn Choice(0)")
    with live_game(setup_of("human", slow)) as (game, kept):
        until(game, "yours")
        game.do("move", "1,1")
        assert is_asked.wait(PATIENCE)
        assert game.do("undo") == ""
        assert game.state["phase"] == "over"
    assert kept.record
    assert (kept.record.reason, kept.record.detail) == ("crash", "")


@SLOW
def test_an_engine_killed_from_outside_is_asked_again(write: Write) -> None:
    own = failing(write, "time.sleep(0.5)\nreturn Choice(self.game.moves(p)[0])")
    with live_game(setup_of("human", own)) as (game, _):
        until(game, "yours")
        game.do("move", "1,1")
        before = set(game_in(dict(game.state))["m"])
        (pid,) = engine_processes()
        os.kill(pid, signal.SIGKILL)
        assert set(game_in(until(game, "yours"))["m"]) > before


def test_the_times_of_persons_and_engines_are_told(write: Write) -> None:
    own = failing(write, "time.sleep(0.2)\nreturn Choice(self.game.moves(p)[0])")
    with live_game(setup_of("human", own)) as (game, _):
        until(game, "yours")
        time.sleep(0.1)
        found = game_in(typed(game, "1,1"))
    assert (found["f"], found["s"]) == (0, 1)
    person, engine = found["t"]
    assert 100 <= person < 60_000
    assert 200 <= engine < 60_000


def test_an_engine_that_cannot_be_built_again_has_lost(write: Write, tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    source = player("return Choice(self.game.moves(p)[0])").replace(
        "return Player(game)", f"return 1 / 0 if os.path.exists({str(gone)!r}) else Player(game)"
    )
    with live_game(setup_of("human", engine(str(write(source, "own.py"))))) as (game, kept):
        typed(game, "1,1", "undo")
        gone.touch()
        (pid,) = engine_processes()
        os.kill(pid, signal.SIGKILL)
        state = typed(game, "1,1")
    assert state["phase"] == "over"
    assert kept.record
    assert (kept.record.winner, kept.record.reason) == (1, "exception")


@SLOW
def test_clocks_go_back_with_the_moves(write: Write) -> None:
    own = failing(write, "time.sleep(0.02)\nreturn Choice(self.game.moves(p)[0])")
    limit = Limit(time_left=60.0, increment=0.0)
    with live_game(setup_of("human", own, limit=limit, margin=1.0)) as (game, _):
        assert until(game, "yours")["clocks"] == [None, 60.0]
        used = typed(game, "2,2")["clocks"][1]
        assert used < 60
        assert typed(game, "undo")["clocks"] == [None, 60.0]


def test_an_engine_is_told_of_a_new_game_after_a_take_back(write: Write) -> None:
    """It counts its choices since the game began, in the process that it is."""
    source = player("self.count += 1\nreturn Choice(self.game.moves(p)[0], depth=self.count)")
    own = write(source.replace("        pass", "        self.count = 0", 1), "own.py")
    with live_game(setup_of("human", engine(str(own)))) as (game, _):
        assert game_in(typed(game, "2,2", "2,1"))["d"] == [0, 1, 0, 2]
        assert game_in(typed(game, "undo", "2,1"))["d"] == [0, 1, 0, 1]


@SLOW
def test_the_process_of_a_game_ends_with_it() -> None:
    with live_game(setup_of("human", engine("minimax"))) as (game, kept):
        until(game, "yours")
        assert len(engine_processes()) == 1
    assert game.is_asleep
    assert not kept.is_forgotten
    assert not engine_processes()


@pytest.mark.slow
def test_a_game_in_play_outlives_its_server(tmp_path: Path) -> None:
    file, minimax = tmp_path / "game.json", engine("minimax")
    game = Named("tictactoe")
    setup = Setup(load_game(game), ("human", minimax), friendly_terms(game, Limit(), 7))
    storage = Storage(
        lambda play, taken: write_journal(file, setup, play, taken), lambda r: {}, int
    )
    game = LiveGame(setup, storage)
    before = typed(game, "0,0", "hint", "0,1")
    game.stop()
    again, play, taken = read_journal(file, [minimax])
    assert again.terms == setup.terms
    assert taken == Help(0, 1)
    kept = Kept()
    back = LiveGame(again, kept.storage, (play, taken))
    try:
        after = until(back, "yours")
        assert game_in(after) == game_in(before)
        typed(back, "undo", "resign")
    finally:
        back.stop()
    assert kept.record
    assert (kept.record.plies, kept.record.detail) == (2, "1 take-back, 1 hint")


def swap2_setup(*players: Seated) -> Setup:
    return setup_of(*players, game="gomoku:size=9", opening="swap2 4,4 3,3 5,6")


def test_a_person_and_an_engine_make_an_opening() -> None:
    with live_game(swap2_setup("human", engine("random_mover"))) as (game, kept):
        state = until(game, "yours")
        assert (state["opens"], state["persons"], state["turn"]) == (True, [1], 1)
        assert game.do("move", "4,4") == game.do("hint") == "Make the opening first."
        game.do("open", "4,4 4,4 5,5")
        assert until(game, "yours")["said"] == "A stone is there already."
        game.do("open", "4,4")
        assert until(game, "yours")["said"] == "1 stones are no answer here."
        game.do("open", "4,4 3,3 5,5")
        state = until(game, "yours")  # it has no score, and stays White
        assert (state["opens"], state["persons"], state["turn"]) == (False, [1], 1)
        assert state["data"]["players"] == ["human", "random_mover"]
        assert state["made"] == ("Swap2: human laid three stones, random_mover stayed White.")
        game.do("resign")
        until(game, "over")
    assert kept.record
    assert (kept.record.winner, kept.record.proposer) == (2, 1)


@pytest.mark.parametrize("answer", ["", "0,0 8,8", "0,0"])
def test_a_person_answers_an_engine_and_has_the_colour_that_comes_of_it(answer: str) -> None:
    with live_game(swap2_setup(engine("random_mover"), "human")) as (game, kept):
        assert until(game, "yours")["made"] == "Swap2: random_mover laid three stones."
        game.do("open", answer)
        state = until(game, "yours")
        seat = {"": 1, "0,0 8,8": 1, "0,0": 2}[answer]
        assert (state["persons"], state["opens"]) == ([seat], False)
        assert state["data"]["players"][seat - 1] == "human"
        game.do("undo")
        assert until(game, "yours")["turn"] == seat
        game.do("resign")
        until(game, "over")
    assert kept.record
    assert kept.record.player(3 - (kept.record.winner or 0)) == "human"
    assert (kept.record.first, kept.record.second)[seat - 1] == "human"


def test_an_opening_outlives_the_server(tmp_path: Path) -> None:
    setup = swap2_setup(engine("random_mover"), "human")
    file = tmp_path / "game.json"
    storage = Storage(
        lambda play, taken: write_journal(file, setup, play, taken), lambda record: {}, int
    )
    game = LiveGame(setup, storage)
    until(game, "yours")
    game.do("open", "")
    before = game_in(until(game, "yours"))
    game.stop()
    _, play, _ = read_journal(file, [engine("random_mover")])
    assert (play.job.first, play.is_open) == ("human", False)
    assert list(play.p.moves) == before["m"]
    text = file.read_text(encoding="utf-8")
    for wrong in ('"proposer": 1', '"first": "other"', '"opening": "0,0"', '"answers": "three"'):
        name = wrong.split(":")[0]
        file.write_text(re.sub(rf'{name}: ("[^"]*"|\d)', wrong, text), encoding="utf-8")
        with pytest.raises(ConfigError):
            read_journal(file, [engine("random_mover")])


def test_the_clock_of_an_engine_keeps_what_its_opening_took(tmp_path: Path) -> None:
    setup = swap2_setup(engine("random_mover"), "human")
    clocked = replace(setup, terms=replace(setup.terms, limit=Limit(time_left=60.0)))
    made = OpeningMade("swap2", 2, "4,4 3,3 5,6", "three:10.000000 swap:5.000000")
    job = replace(first_job(clocked), first="human", second="random_mover", made=made)
    job = replace(job, opening="4,4 3,3 5,6")
    assert [clock.limit.time_left for clock in game_after(clocked, (), job).clocks] == [None, 50]
