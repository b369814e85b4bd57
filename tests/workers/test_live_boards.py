"""The games at play as another process sees them: as they are, or not at all."""

from __future__ import annotations

import os
import struct
from pathlib import Path

import pytest

from arena.engine import Remark
from arena.game import Position
from arena.match.record import Job
from arena.workers.live_boards import (
    HEAD,
    JOB_BYTES,
    LIVE,
    MOST_CHOICES,
    SEQUENCE,
    SLOT,
    SLOT_BYTES,
    LiveBoards,
    LiveSlot,
)
from arena.workers.seen_boards import SeenBoard, SeenChoice, read_boards

JOB = Job("one", "two", "4,4", 3)


def said(score: int | None = 7) -> Remark:
    return Remark(1, 0.25, 900, 4, score, "", {})


def note(slot: LiveSlot, move: int, remark: Remark) -> None:
    slot.played(Position(b"", 2, (move,)), remark)


def slots_of(boards: LiveBoards, count: int = 2) -> list[LiveSlot]:
    found = [boards.slot(number) for number in range(1, count + 1)]
    assert all(found)
    return [each for each in found if each]


def seen(folder: Path) -> list[SeenBoard]:
    found = read_boards(folder)
    assert found
    return list(found.boards)


def test_a_game_is_seen_with_each_move(tmp_path: Path) -> None:
    boards = LiveBoards(tmp_path / LIVE, 2)
    slot = slots_of(boards)[1]
    assert seen(tmp_path) == []
    slot.begin(JOB)
    note(slot, 40, said())
    note(slot, 41, said(None))
    (board,) = seen(tmp_path)
    assert (board.slot, board.first, board.second, board.opening) == (1, "one", "two", "4,4")
    assert board.goes_on
    assert board.choices == (
        SeenChoice(40, 0.25, 7, 4, 900),
        SeenChoice(41, 0.25, None, 4, 900),
    )


def test_a_game_that_is_over_stays_until_the_next_begins(tmp_path: Path) -> None:
    boards = LiveBoards(tmp_path / LIVE, 1)
    (slot,) = slots_of(boards, 1)
    slot.begin(JOB)
    note(slot, 40, said())
    slot.end()
    (board,) = seen(tmp_path)
    assert (board.goes_on, len(board.choices)) == (False, 1)
    slot.begin(Job("two", "one"))
    (later,) = seen(tmp_path)
    assert (later.first, later.choices, later.goes_on) == ("two", (), True)
    assert later.game != board.game


def test_a_new_worker_begins_with_an_empty_slot(tmp_path: Path) -> None:
    boards = LiveBoards(tmp_path / LIVE, 1)
    slots_of(boards, 1)[0].begin(JOB)
    slots_of(boards, 1)
    assert seen(tmp_path) == []


def test_a_slot_that_was_left_half_written_shows_nothing_until_the_next_game(
    tmp_path: Path,
) -> None:
    boards = LiveBoards(tmp_path / LIVE, 1)
    (slot,) = slots_of(boards, 1)
    slot.begin(JOB)
    slot._words[SEQUENCE] += 1  # killed while the slot was being replaced
    assert seen(tmp_path) == []
    slot.begin(JOB)
    assert len(seen(tmp_path)) == 1


def test_the_games_that_ended_are_counted(tmp_path: Path) -> None:
    boards = LiveBoards(tmp_path / LIVE, 1)
    boards.count()
    boards.count()
    found = read_boards(tmp_path)
    assert found
    assert found.done == 2
    boards.close()
    assert read_boards(tmp_path) is None
    assert not list(tmp_path.iterdir())


def test_no_game_is_too_long_and_no_name_too_wide(tmp_path: Path) -> None:
    boards = LiveBoards(tmp_path / LIVE, 2)
    slot, other = slots_of(boards)
    slot.begin(JOB)
    for _ in range(MOST_CHOICES + 5):
        note(slot, 1, said())
    other.begin(Job("x" * JOB_BYTES, "two"))
    note(other, 1, said())
    (board,) = seen(tmp_path)
    assert len(board.choices) == MOST_CHOICES


def test_the_largest_numbers_that_a_remark_has_fit(tmp_path: Path) -> None:
    boards = LiveBoards(tmp_path / LIVE, 1)
    (slot,) = slots_of(boards, 1)
    slot.begin(JOB)
    note(slot, 2**63 - 1, Remark(1, 1e6, 2**63 - 1, 2**63 - 1, -(2**63) + 1, "", {}))
    assert seen(tmp_path)[0].choices[0].score == -(2**63) + 1


def test_a_folder_that_cannot_be_written_to_has_no_boards(tmp_path: Path) -> None:
    boards = LiveBoards(tmp_path / "none" / LIVE, 1)
    assert boards.slot(1) is None
    boards.count()
    boards.close()


def test_what_lies_there_is_never_written_to(tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.write_text("precious")
    (tmp_path / LIVE).symlink_to(other)
    LiveBoards(tmp_path / LIVE, 1)
    assert other.read_text() == "precious"
    assert not (tmp_path / LIVE).is_symlink()


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"rubbish",
        HEAD.pack(1, 1, 1, 1),
        b"\xff" * (HEAD.size + SLOT_BYTES),
        HEAD.pack(0x4152454E41303031, 2**40, 0, 0),
        HEAD.pack(0x4152454E41303031, -1, 0, 0),
    ],
)
def test_rubbish_is_no_boards(content: bytes, tmp_path: Path) -> None:
    (tmp_path / LIVE).write_bytes(content)
    assert read_boards(tmp_path) is None


@pytest.mark.parametrize(
    "job",
    [b"[" * 4000, b"[1,2,3]", b"{}", b'{"first":1,"second":2,"opening":3}', b"\xff\xfe", b""],
)
def test_a_slot_of_rubbish_is_no_board(job: bytes, tmp_path: Path) -> None:
    boards = LiveBoards(tmp_path / LIVE, 1)
    (slot,) = slots_of(boards, 1)
    slot._write(job, 1)
    assert seen(tmp_path) == []


def test_neither_a_pipe_nor_a_link_is_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / LIVE)
    assert read_boards(tmp_path) is None
    (tmp_path / LIVE).unlink()
    (tmp_path / LIVE).symlink_to("/dev/zero")
    assert read_boards(tmp_path) is None


def test_a_file_that_was_cut_is_no_boards(tmp_path: Path) -> None:
    boards = LiveBoards(tmp_path / LIVE, 1)
    slots_of(boards, 1)[0].begin(JOB)
    os.truncate(tmp_path / LIVE, HEAD.size + SLOT.size)
    assert read_boards(tmp_path) is None
    assert struct.calcsize("q") == 8
