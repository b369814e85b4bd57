"""A folder at play as other processes see it: its lock, wishes to stop, and the games' boards."""

from __future__ import annotations

import json
import os
import sys
import time
from dataclasses import replace
from pathlib import Path
from subprocess import DEVNULL, PIPE
from typing import Any

import pytest
from support.processes import running

from arena.engine import Remark
from arena.storage import folder as at_play
from arena.storage.folder import (
    BOARDS,
    MOST_BYTES,
    BoardsFile,
    LiveBoard,
    ask_to_stop,
    forget_stop,
    is_asked_to_stop,
    is_at_play,
    locked,
    read_boards,
)

HOLD = """
import sys
from pathlib import Path
from arena.storage.folder import locked
with locked(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_a_folder_is_at_play_as_long_as_another_process_plays_there(tmp_path: Path) -> None:
    assert not is_at_play(tmp_path)
    with locked(tmp_path):
        pass
    assert not is_at_play(tmp_path)
    command = [sys.executable, "-c", HOLD, str(tmp_path)]
    with running(command, stdin=PIPE, stdout=PIPE) as process:
        assert process.stdout
        assert process.stdout.readline() == b"held\n"
        assert is_at_play(tmp_path)
        process.kill()
        process.wait()
        assert not is_at_play(tmp_path)


def test_to_ask_gives_up_no_lock_of_this_process(tmp_path: Path) -> None:
    with locked(tmp_path):
        assert not is_at_play(tmp_path)
        command = [sys.executable, "-c", HOLD, str(tmp_path)]
        with running(command, stdin=DEVNULL, stdout=DEVNULL, stderr=PIPE) as process:
            _, error = process.communicate(timeout=30)
        assert b"this run is being played already" in error


def test_a_wish_to_stop_lasts_until_the_next_start(tmp_path: Path) -> None:
    assert not is_asked_to_stop(tmp_path)
    ask_to_stop(tmp_path)
    ask_to_stop(tmp_path)
    assert is_asked_to_stop(tmp_path)
    forget_stop(tmp_path)
    forget_stop(tmp_path)
    assert not is_asked_to_stop(tmp_path)


def test_a_wish_is_not_written_through_a_link(tmp_path: Path) -> None:
    (tmp_path / "stop").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(OSError, match="stop"):
        ask_to_stop(tmp_path)
    assert not (tmp_path / "elsewhere").exists()


REMARKS = [Remark(2, 0.25, 900, 4, 7), Remark(1, 0.5, 2**63 - 1, 3, None)]
GAME = {"slot": 1, "game": 7, "goes_on": True, "first": "one", "second": "two", "opening": "4,4"}
BOARD = LiveBoard(**GAME, moves="4,4 4,5 4,6", remarks=REMARKS)


@pytest.fixture(autouse=True)
def now(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    found = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: found[0])
    return found


def seen(folder: Path) -> list[LiveBoard]:
    found = read_boards(folder)
    assert found
    return list(found.boards)


def test_games_are_seen_as_they_were_shown(tmp_path: Path) -> None:
    file = BoardsFile(tmp_path)
    other = replace(BOARD, slot=0, goes_on=False, opening="", remarks=[])
    file.done = 3
    file.show([other, None, BOARD])
    found = read_boards(tmp_path)
    assert found
    assert list(found.boards) == [other, BOARD]
    assert found.done == 3
    assert abs(found.began - time.time()) < 60


def test_lines_and_info_are_not_shown(tmp_path: Path) -> None:
    said = Remark(2, 0.25, 900, 4, 7, "4,7", {"x": 1})
    BoardsFile(tmp_path).show([replace(BOARD, remarks=[said])])
    assert seen(tmp_path)[0].remarks == [said._replace(line="", info={})]


def test_boards_are_written_twice_a_second_at_most(tmp_path: Path, now: list[float]) -> None:
    file = BoardsFile(tmp_path)
    file.show([])
    now[0] += 0.49
    file.show([BOARD])
    assert seen(tmp_path) == []
    now[0] += 0.01
    file.show([BOARD])
    assert seen(tmp_path) == [BOARD]


def test_boards_that_did_not_change_are_not_written_again(tmp_path: Path, now: list[float]) -> None:
    file = BoardsFile(tmp_path)
    for changed in (False, False, True):
        before = (tmp_path / BOARDS).stat().st_ino if (tmp_path / BOARDS).exists() else None
        now[0] += 1
        file.done += changed
        file.show([BOARD])
        is_other = (tmp_path / BOARDS).stat().st_ino != before
        assert is_other is (changed or before is None)


def test_nothing_is_left_when_the_games_are_over(tmp_path: Path) -> None:
    file = BoardsFile(tmp_path)
    file.show([BOARD])
    file.close()
    file.close()
    assert read_boards(tmp_path) is None
    assert not list(tmp_path.iterdir())


def test_boards_are_written_once_there_is_room(tmp_path: Path, now: list[float]) -> None:
    file = BoardsFile(tmp_path / "later")
    file.show([BOARD])
    file.close()
    assert read_boards(tmp_path / "later") is None
    (tmp_path / "later").mkdir()
    now[0] += 1
    file.show([BOARD])
    assert seen(tmp_path / "later") == [BOARD]


def test_what_lies_there_is_never_written_to(tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.write_text("precious")
    (tmp_path / BOARDS).symlink_to(other)
    assert read_boards(tmp_path) is None, "a link is not read"
    BoardsFile(tmp_path).show([BOARD])
    assert other.read_text() == "precious"
    assert seen(tmp_path) == [BOARD]


@pytest.mark.parametrize(
    "content",
    [
        *(b"", b"rubbish", b"\xff" * 50_000, b"[" * 10**6, b"[1, 2, 3]"),
        *(b'{"began": 1, "done": 1}', b'{"began": "x", "done": 1, "boards": []}'),
        *(b'{"began": NaN, "done": 1, "boards": []}', b'{"began": 1, "done": 1e400, "boards": []}'),
        b'{"began": 1, "done": true, "boards": []}',
        b'{"began": 1, "done": 1%s, "boards": []}' % (b"0" * 400),
        b'{"began": 1%s, "done": 1, "boards": []}' % (b"0" * 400),
        b'{"began": 1, "done": 1, "boards": {}}',
        b'{"began": 1, "done": 1, "boards": []}' + b" " * MOST_BYTES,
    ],
)
def test_rubbish_is_no_boards(content: bytes, tmp_path: Path) -> None:
    (tmp_path / BOARDS).write_bytes(content)
    assert read_boards(tmp_path) is None


@pytest.mark.parametrize(
    "changed",
    [
        *({"first": 1}, {"opening": None}, {"moves": ["4,4"]}, {"slot": "x"}, {"game": None}),
        *({"game": 1e400}, {"times": "x y"}, {"nodes": "1"}, {"scores": "9" * 5000}),
        {"info": "[" * 10**5},
    ],
)
def test_a_game_of_rubbish_is_no_board(changed: dict[str, Any], tmp_path: Path) -> None:
    BoardsFile(tmp_path).show([BOARD, BOARD])
    data = json.loads((tmp_path / BOARDS).read_text())
    data["boards"][0] |= changed
    data["boards"] += [3, [], {}, None]
    (tmp_path / BOARDS).write_text(json.dumps(data))
    assert seen(tmp_path) == [BOARD]


def test_of_very_many_boards_some_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(at_play, "MOST_BOARDS", 2)
    BoardsFile(tmp_path).show([BOARD] * 5)
    assert len(seen(tmp_path)) == 2


def test_a_file_that_was_cut_is_no_boards(tmp_path: Path) -> None:
    BoardsFile(tmp_path).show([BOARD])
    os.truncate(tmp_path / BOARDS, 100)
    assert read_boards(tmp_path) is None


@pytest.mark.parametrize("make", [Path.mkdir, os.mkfifo, lambda path: path.symlink_to("/dev/zero")])
def test_what_is_no_file_is_not_read_and_costs_no_descriptor(make: Any, tmp_path: Path) -> None:
    make(tmp_path / BOARDS)
    before = len(os.listdir("/dev/fd"))
    assert [read_boards(tmp_path) for _ in range(5)] == [None] * 5
    assert len(os.listdir("/dev/fd")) == before
