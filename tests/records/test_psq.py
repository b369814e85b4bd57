"""PSQ: what is written is read back, in both dialects, and faults have their line."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO

import pytest
from hypothesis import given, settings, strategies as st
from support.written_games import written_games

from arena.engine import Remark
from arena.errors import Fault
from arena.records.formats import psq
from arena.records.written import WrittenGame

HEAD = b"Piskvorky 15x15, 11:11, 0\r\n"
KEPT = {"time": "time", "illegal move": "exception", "crash": "exception"}


def read(data: bytes) -> list[WrittenGame | Fault]:
    return list(psq.read(BytesIO(data), "f"))


def game(data: bytes) -> WrittenGame:
    (found,) = read(data)
    assert isinstance(found, WrittenGame), found
    return found


def in_psq(game: WrittenGame) -> WrittenGame:
    """All that PSQ can have of a game: whole milliseconds, and not all reasons."""
    times = [round(1000 * remark.seconds) / 1000 if remark else 0.0 for remark in game.remarks]
    remarks = tuple(Remark(i % 2 + 1, time) for i, time in enumerate(times)) if any(times) else ()
    event = game.event if game.result != "unknown" else ""
    kept = replace(game, reason=KEPT.get(game.reason, ""), remarks=remarks, event=event)
    return replace(kept, opening=None, rule="", detail="", round="", date="")


@settings(max_examples=20)
@given(st.lists(written_games(), max_size=4))
def test_games_are_read_back_as_they_were_written(games: list[WrittenGame]) -> None:
    games = [each for each in games if all(map(psq.is_plain_name, (each.first, each.second)))]
    found = read(b"".join(map(psq.text, games)))
    found = [replace(each, line=0) for each in found if isinstance(each, WrittenGame)]
    assert found == list(map(in_psq, games))


def test_piskvork_says_in_its_header_who_began() -> None:
    found = game(b"Piskvorky 20x20, 11:11, 1\n10,11,0\n1,20,250\nA.zip\nB.zip\n-1\n")
    names, remarks = {"first": "B.zip", "second": "A.zip"}, (Remark(1), Remark(2, 0.25))
    moves = (10, 9), (19, 0)
    assert found == WrittenGame(line=1, size=20, moves=moves, **names, remarks=remarks)


@pytest.mark.parametrize(
    ("encoding", "names"),
    [
        ("gb18030", ["王晓明", "李四"]),
        ("cp932", ["田中ソ", "表"]),
        ("cp1252", ["José", "Zoë"]),
        ("cp1250", ["Petr Laštovička", "Jiří Novák"]),
    ],
)
def test_names_are_read_in_the_likeliest_encoding(encoding: str, names: list[str]) -> None:
    found = game(HEAD + "8,8,0\n9,9,0\n{}\n{}\n-1\n".format(*names).encode(encoding))
    assert [found.first, found.second] == names
    assert found.guessed


@pytest.mark.parametrize(
    ("end", "result", "reason"),
    [
        *((b"0", "unknown", ""), (b"-1", "unknown", ""), (b"15", "second", "time")),
        *((b"-2", "second", "exception"), (b"-1\r\n0,Freestyle 1", "draw", "")),
        *((b"-1\r\n1,Freestyle 1", "second", ""), (b"-1\r\n2,Freestyle 1", "second", "")),
        *((b"-1\r\n1,arena:round", "first", ""), (b"-1\r\n2,arena:round", "second", "")),
    ],
)
def test_whoever_breaks_off_is_the_one_to_move(end: bytes, result: str, reason: str) -> None:
    """The judge's 1 and 2 are players of a pairing, whose colours it does not tell."""
    found = game(HEAD + b"8,8,0\r\n9,9,0\r\nA\r\nB\r\n" + end + b"\r\n")
    assert (found.result, found.reason) == (result, reason)


@pytest.mark.parametrize(
    "data",
    [
        HEAD + b"8,8,0\r\n9,9,0\r\nA\r\nB\xe9\r\n-1\r\n",
        HEAD.replace(b"\r\n", b"\n") + b"8,8,0\n9,9,0\nA\nB\xc3\xa9\n-1",
        b"\xef\xbb\xbf" + HEAD + b"\r\n8,8,0\r\n\r\n 9 , 9 , 0 \r\nA\r\n B\xe9 \r\n-1\r\n\x1a",
        HEAD + b"8,8\r\n9,9\r\nA\r\nB\xe9",
    ],
)
def test_ends_of_lines_marks_and_missing_tails_and_names_do_not_matter(data: bytes) -> None:
    found = game(data)
    assert (found.moves, found.first, found.second) == (((7, 7), (8, 8)), "A", "Bé")
    assert game(HEAD + b"8,8,0\r\n").first == ""


@pytest.mark.parametrize(
    ("data", "place", "message"),
    [
        (b"hello\n", 1, "no header of PSQ"),
        (b"Piskvorky 15x20, 11:11, 0\n", 1, "the board of 15x20 is not square"),
        (b"Piskvorky 0x0, 11:11, 0\n", 1, "the board of 0x0"),
        (HEAD + b"8,8,0\n16,1,0\nA\nB\n-1", 3, "16,1 is no point of a board of 15"),
        (HEAD + b"8,8,0\n0,1,0\nA\nB\n-1", 3, "0,1 is no point"),
        (HEAD + b"8,8,0\n1O,3,0\n4,4,0\nA\nB\n-1", 3, "'1O,3,0' is neither a move nor a name"),
        (HEAD + b"8,8,0\n1O,3,0\nA\n", 3, "'1O,3,0' is no move, and no name either"),
        (HEAD + b"8,8,0\nA\nB\nC\n-1", 3, "'A' is neither a move nor a name before the end"),
    ],
)
def test_what_is_no_game_is_a_fault_with_its_line(data: bytes, place: int, message: str) -> None:
    (found,) = read(data)
    assert isinstance(found, Fault), found
    assert str(found).startswith(f"f:{place}: ")
    assert message in str(found)


def test_a_broken_game_does_not_take_the_next_one_with_it() -> None:
    found = read(HEAD + b"x\ny\nz\n" + HEAD + b"8,8,0\n")
    assert [type(each) for each in found] == [Fault, WrittenGame]


@pytest.mark.parametrize("name", ["", "1,2,3", "-1", "a\nb", " a", "Piskvorky"])
def test_a_name_that_would_be_read_as_something_else_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="PSQ cannot have the name"):
        psq.text(WrittenGame(size=15, moves=(), first=name, second="B"))
