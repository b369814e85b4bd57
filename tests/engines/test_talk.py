"""The talk with a program: what it is told, when, and what of its words is passed over."""

from __future__ import annotations

import logging
import re
import resource
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from support.judged_brains import ODD_BRAIN

from arena.engine import Conditions, Engine, Limit, ProgramError, choice_in_new_game
from arena.errors import ConfigError
from arena.game import Position
from arena.games.gomoku import game
from arena.gomocup.talk import listening
from arena.plugins.build import load_engine
from arena.plugins.load import Named

BOARD = game(size=7)
CORNER = BOARD.size**2 - 1


def brain(oddity: str) -> list[str]:
    return [sys.executable, "-S", "-E", str(ODD_BRAIN), oddity]


@contextmanager
def talk(
    folder: Path, oddity: str = "none", conditions: Conditions | None = None, **keys: Any
) -> Iterator[Engine]:
    """An odd brain as a player; the file `told` in the folder has all that it is told."""
    command = [*brain(oddity), str(folder / "told")]
    named = Named("gomocup", {"command": command, "folder": str(folder), **keys})
    engine = load_engine(named, BOARD, conditions or Conditions())
    try:
        yield engine
    finally:
        engine.close()


def told(folder: Path) -> list[str]:
    return (folder / "told").read_text(encoding="utf-8").splitlines()


def moves(engine: Engine, number: int, *limits: Limit) -> Position:
    """A game in which it plays this number of moves, and the opponent from the last point on."""
    engine.new_game(0)
    p = BOARD.start()
    for ply in range(number):
        choice = engine.choose(p, limits[ply] if limits else Limit())
        assert choice.move == ply
        p = BOARD.play(BOARD.play(p, ply), CORNER - ply)
    return p


def test_a_clock_is_told_before_each_move(tmp_path: Path) -> None:
    limits = [Limit(time_left=left, increment=0.1) for left in (60.0, 59.5, 58.25)]
    with talk(tmp_path, conditions=Conditions(limits[0])) as engine:
        moves(engine, 3, *limits)
    lines = [line for line in told(tmp_path) if line != "ABOUT"]
    assert [lines[lines.index(turn) - 1] for turn in ("TURN 6,6", "TURN 5,6")] == [
        "INFO time_left 59500",
        "INFO time_left 58250",
    ]
    assert "INFO time_left 60000" in lines[: lines.index("BEGIN")]


@pytest.mark.parametrize(
    ("newline", "end"), [(None, b"\n"), ("lf", b"\n"), ("crlf", b"\r\n"), ("auto", b"\n")]
)
def test_lines_end_as_the_option_says(tmp_path: Path, newline: str | None, end: bytes) -> None:
    keys = {"newline": newline} if newline else {}
    with talk(tmp_path, board=True, **keys) as engine:
        moves(engine, 3)
    data = (tmp_path / "told").read_bytes()
    assert b"BOARD" in data
    assert b"TURN" not in data
    assert data.count(end) == data.count(b"\n")
    assert data.count(b"\r") == data.count(end) * (end == b"\r\n")


def test_a_brain_that_keeps_the_cr_does_not_know_lines_with_one(tmp_path: Path) -> None:
    with talk(tmp_path, "keeps the CR", newline="crlf") as engine:
        engine.new_game(0)
        with pytest.raises(Exception, match="UNKNOWN command"):
            engine.choose(BOARD.start(), Limit())


@pytest.mark.parametrize(("memory", "megabytes"), [(None, 350), (500, 500), (4096, 2048)])
def test_memory_is_told_as_set_or_gomocups(
    tmp_path: Path, memory: int | None, megabytes: int
) -> None:
    with talk(tmp_path, conditions=Conditions(memory=memory)):
        pass
    number = min(megabytes * 2**20, 2**31 - 1)
    assert f"INFO max_memory {number}" in told(tmp_path)


def test_an_open_game_is_ended_by_restart_before_each_board(tmp_path: Path) -> None:
    with talk(tmp_path, board=True) as engine:
        moves(engine, 3)
    lines = [line for line in told(tmp_path) if line in ("BEGIN", "BOARD", "RESTART")]
    assert lines == ["BEGIN", "RESTART", "BOARD", "RESTART", "BOARD", "RESTART"]


def test_a_position_of_another_game_is_told_after_restart(tmp_path: Path) -> None:
    with talk(tmp_path, "needs RESTART") as engine:
        p = moves(engine, 2)
        q = BOARD.play(BOARD.play(BOARD.start(), 1), 2)
        assert engine.choose(q, Limit()).move == 0
        assert engine.choose(p, Limit()).move == 2
    assert told(tmp_path).count("RESTART") == 2


def test_a_brain_that_does_not_know_restart_gets_its_boards(tmp_path: Path) -> None:
    for oddity in ("unknown RESTART", "silence to RESTART"):
        with talk(tmp_path, oddity, board=True) as engine:
            moves(engine, 4)
    assert told(tmp_path).count("RESTART") == 2


def test_a_command_whose_end_was_refused_is_sent_again_and_then_it_is_asked_each_time(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with talk(tmp_path, "loses a word") as engine:
        moves(engine, 6)
    lines = told(tmp_path)
    assert lines.count("TURN 4,6") == 2
    assert "ABOUT" in lines[lines.index("TURN 3,6") :]
    assert sum("sent again" in each.getMessage() for each in caplog.records) == 1


def test_a_brain_that_drops_early_commands_is_asked_after_each_move(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listening, "UNASKED_TIMEOUT", 10.0)  # on a busy machine it sleeps longer
    with talk(tmp_path, "drops early commands") as engine:
        moves(engine, 5)
    assert told(tmp_path).count("ABOUT") > 2 * 4


@pytest.mark.parametrize(
    ("oddity", "words"),
    [
        ("text before the move", "lines that are no answer, such as: True"),
        ("text after the move", "lines that are no answer, such as: board is now"),
        ("banner", "lines that are no answer, such as: "),
        ("words behind the move", "words behind a move, which are left out: 0,0 Value:0"),
    ],
)
def test_what_is_passed_over_is_one_warning(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, oddity: str, words: str
) -> None:
    with talk(tmp_path, oddity, fresh=True) as engine:
        moves(engine, 3)
        moves(engine, 3)
    warnings = [each for each in caplog.records if each.levelno == logging.WARNING]
    assert len(warnings) == 1
    assert words in warnings[0].getMessage()


def test_a_banner_is_not_taken_for_the_answer_to_about(tmp_path: Path) -> None:
    with talk(tmp_path, "banner after OK") as engine:
        assert engine.about == "Odd 1.5"  # type: ignore[attr-defined]


def test_a_brain_that_restart_breaks_is_asked_again_in_each_position(tmp_path: Path) -> None:
    p = BOARD.play(BOARD.start(), 0)
    with talk(tmp_path, "ERROR after RESTART") as engine:
        assert [choice_in_new_game(engine, 0, p, Limit()).move for _ in range(3)] == [1, 1, 1]
        q = BOARD.play(BOARD.play(p, 1), 2)
        assert engine.choose(q, Limit()).move == 3
    assert told(tmp_path).count("RESTART") == 1


def test_a_quiet_brain_is_not_waited_for(tmp_path: Path) -> None:
    began = time.monotonic()
    with talk(tmp_path, "no ABOUT") as engine:
        moves(engine, 3)
        assert time.monotonic() - began < 2


def test_a_traceback_that_was_survived_is_not_told_with_a_later_fault(tmp_path: Path) -> None:
    limit = Limit(seconds=5)
    with talk(tmp_path, "survives a traceback", Conditions(limit)) as engine:
        moves(engine, 4, *[limit] * 4)
        with pytest.raises(ProgramError, match=r"^did not move within"):
            moves(engine, 3, limit, limit, Limit(seconds=0.05))


@pytest.mark.slow
@pytest.mark.parametrize("fresh", [False, True])
def test_a_brain_that_answers_about_between_its_games_is_soon_asked_no_more_in_them(
    tmp_path: Path, fresh: bool
) -> None:
    """It thinks for all but 5 ms of its limit, so that the wait for ABOUT must be short, too."""
    limit = Limit(seconds=0.1)
    conditions = Conditions(limit, margin=0.08)
    with talk(tmp_path, "ABOUT between its games", conditions, fresh=fresh) as engine:
        moves(engine, 1, limit)
        for _ in range(3):
            moves(engine, 4, *[limit] * 4)
    games = re.split("START|RESTART|END", " ".join(told(tmp_path)))
    assert sum(re.sub("^.*?(BEGIN|$)", "", game).count("ABOUT") for game in games) <= 16


def test_each_start_is_waited_for_also_after_one_without_an_answer(tmp_path: Path) -> None:
    """The start is slow, and the move comes at once: nothing of it is on the clock."""
    limit = Limit(seconds=0.5)
    with talk(tmp_path, "slow INFO, no ABOUT", Conditions(limit), fresh=True) as engine:
        for _ in range(2):
            moves(engine, 2, limit, limit)


def test_a_workers_limit_of_address_space_is_not_its_brains(tmp_path: Path) -> None:
    tells = "import resource; print('ERROR', resource.getrlimit(resource.RLIMIT_AS)[0])"
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (2**45, hard))
    try:
        with (
            pytest.raises(ConfigError, match=f"ERROR {hard}"),
            talk(tmp_path, command=[sys.executable, "-c", tells]),
        ):
            pass
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))
