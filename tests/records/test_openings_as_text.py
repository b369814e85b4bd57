"""Openings as text: each format to the cell, there and back, and from files of every make."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator
from pathlib import Path
from string import ascii_lowercase, printable

import pytest
from hypothesis import example, given, settings, strategies as st
from support.opening_lines import LINE_WRITERS, column_and_row
from support.sweep import cases

from arena import ConfigError, load_game
from arena.game import Game, Move
from arena.match.openings.file import with_places
from arena.records.opening_file import OpeningFormat, opening_file, told_format
from arena.records.written import LINE_READERS
from arena.text import decoded

GAME = load_game("gomoku:size=15")
FORMATS: list[OpeningFormat] = ["offset", "pos", "lines"]


def read(file: Path, game: Game = GAME, **parameters: object) -> list[tuple[str, str]]:
    """The openings of a file with the lines that they stand on."""
    default = {"format": None, "order": "file", "seed": 0, "start": 0, "count": None}
    values = {"path": str(file), **default, "transform": False, **parameters}
    return [(text, place.removeprefix(f"{file}:")) for text, place in with_places(game, **values)]


def faults(file: Path, **parameters: object) -> list[str]:
    with pytest.raises(ConfigError) as caught:
        read(file, **parameters)
    return [str(fault).removeprefix(str(file)) for fault in caught.value.faults]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "openings.txt"


def test_what_stands_behind_a_mark_on_a_line_of_our_own_is_a_comment(file: Path) -> None:
    file.write_bytes("# Rémy\n7,7 7,8 # 12 9 4000 3\n  # 1,1, 2,2\n\n7,7#\n".encode("latin-1"))
    assert read(file) == [("7,7 7,8", "2"), ("7,7", "5")]
    file.write_text("h8i9 # 12\n")
    told = ":1: 'h8i9 # 12' is no opening of letters and numbers: write such as h8i9"
    assert faults(file, format="pos") == [told]


@pytest.mark.parametrize(
    ("text", "size", "cells"),
    [
        ("-1,3, -1,5, 3,5, 4,4, 6,1", 15, "6,10 6,12 10,12 11,11 13,8"),
        ("-1,3, -1,5, 3,5, 4,4, 6,1", 19, "8,12 8,14 12,14 13,13 15,10"),
        ("-1,3, -1,5, 3,5, 4,4, 6,1", 20, "9,13 9,15 13,15 14,14 16,11"),
        ("8,-3, 6,-4, 5,-4, 4,-3, 2,-8, -1,-5", 20, "18,7 16,6 15,6 14,7 12,2 9,5"),
        ("k10j10i9j9m7", 20, "10,9 9,9 8,8 9,8 12,6"),
        ("10,9 9,9 8,8 9,8 6,12", 15, "9,10 9,9 8,8 8,9 12,6"),
    ],
)
def test_each_format_means_these_cells(text: str, size: int, cells: str, file: Path) -> None:
    game = load_game(f"gomoku:size={size}")
    file.write_text(f"{text}\n", encoding="utf-8")
    whole = opening_file(file)
    moves = whole.moves(game, whole.parts[0])
    expected = [tuple(map(int, cell.split(","))) for cell in cells.split()]
    assert [column_and_row(game, move) for move in moves] == expected
    assert LINE_WRITERS[whole.format](game, moves) == text


@st.composite
def lines_of_play(draw: st.DrawFn) -> tuple[Game, list[Move]]:
    game = load_game(f"gomoku:size={draw(st.integers(5, 25))}")
    cells = st.integers(0, game.size**2 - 1)
    return game, draw(st.lists(cells, min_size=1, max_size=12, unique=True))


@pytest.mark.parametrize("format", FORMATS)
@given(lines_of_play())
def test_what_is_written_is_read_back(format: str, line: tuple[Game, list[Move]]) -> None:
    game, moves = line
    text = LINE_WRITERS[format](game, moves)
    assert list(LINE_READERS[format](game, text)) == moves
    if len(moves) > 1:
        assert told_format([text]) == format


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("head", ["", "\ufeff"])
@pytest.mark.parametrize("tail", ["", "\n", "\n\n \n"])
@pytest.mark.parametrize("text", ["0,1, 0,2\n1,1, 2,2", "h9h10\ni9j10", "8,7 9,7\n8,8 9,9"])
def test_line_ends_marks_of_utf_8_and_blank_lines_at_the_end_change_nothing(
    text: str, tail: str, head: str, end: str, file: Path
) -> None:
    file.write_bytes((head + text + tail).replace("\n", end).encode())
    assert read(file) == [("8,7 9,7", "1"), ("8,8 9,9", "2")]


def test_a_blank_line_between_openings_of_others_is_a_fault(file: Path) -> None:
    file.write_text("0,0, 1,1\n\n2,2, 3,3\n", encoding="utf-8")
    told = ":2: is blank, which other programs take for the empty board: take the line out"
    assert faults(file) == [told]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("0,1, 8,2", "8,2 is off the board: offsets go from -7 to 7"),
        ("0,1, 0,-8", "0,-8 is off the board: offsets go from -7 to 7"),
        ("0,1, 0,-99999999999", "0,-99999999999 is off the board: offsets go from -7 to 7"),
        ("0,1, 0", "3 numbers, and a stone has two"),
        ("0,1, 0,1x", "'0,1, 0,1x' is no opening by offsets: write such as 8,-3, 6,-4"),
        ("0,1, 0,١", "'0,1, 0,١' is no opening by offsets: write such as 8,-3, 6,-4"),
        ("h8p9", "p9 is off the board: columns go from a to o, rows from 1 to 15"),
        ("h8i16", "i16 is off the board: columns go from a to o, rows from 1 to 15"),
        ("h8/i9", "'h8/i9' is no opening of letters and numbers: write such as h8i9"),
        ("h8i0", "'h8i0' is no opening of letters and numbers: write such as h8i9"),
        ("H8!", "'H8!' is no opening of letters and numbers: write such as h8i9"),
        ("7,7 15,1", "'15,1' is off the board: rows and columns go from 0 to 14"),
        ("7,7 x", "'x' is no move: write it as 7,7"),
    ],
)
def test_a_bad_line_is_a_fault_with_its_number(text: str, fault: str, file: Path) -> None:
    good = {"0": "0,0, 1,1", "h": "h8i9", "H": "h8i9", "7": "7,7 7,8"}[text[0]]
    file.write_text(f"{good}\n{text}\n{good}\n", encoding="utf-8")
    assert faults(file) == [f":2: {fault}"]


def test_all_bad_lines_are_told_and_of_very_many_the_first_ones(file: Path) -> None:
    file.write_text("h8i9\n" + "z9z9\n" * 30, encoding="utf-8")
    found = faults(file, count=1)
    assert [fault.split(":")[1] for fault in found[:-1]] == [str(n) for n in range(2, 22)]
    assert found[-1] == ": and 10 more such lines"


def test_one_stone_a_line_has_no_format_of_its_own(file: Path) -> None:
    file.write_text("1,2\n3,4\n", encoding="utf-8")
    assert "'1,2' is one point in `lines`, another in `offset`: give the format" in faults(file)[0]
    assert read(file, format="lines") == [("1,2", "1"), ("3,4", "2")]
    assert read(file, format="offset") == [("9,8", "1"), ("11,10", "2")]
    file.write_text("# comments are ours\n1,2\n", encoding="utf-8")
    assert read(file) == [("1,2", "2")]
    file.write_text("1,2\n3,4\n-1,0\n", encoding="utf-8")
    assert [text for text, _ in read(file)] == ["9,8", "11,10", "7,6"]


@pytest.mark.parametrize(
    "text",
    [
        *("H8I9\nj10A1", "h8 i9\nJ10 a1", "h8-i9\nj10, a1", "1. h8 2. i9\n1.j10 a1"),
        *("(7,7) (8,8)\n[9,9],[0,0]", "1. (7, 7) 2. (8, 8)\n( 9,9)(0,0)"),
        *("(0,0) (1,1)\n(2,2) (-7,-7)", "1. 7,7 2. 8,8\n1. 9,9 2. 0,0"),
    ],
)
def test_openings_are_read_in_other_spellings_that_mean_one_thing(text: str, file: Path) -> None:
    file.write_text(text, encoding="utf-8")
    assert read(file) == [("7,7 8,8", "1"), ("9,9 0,0", "2")]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32", "gbk", "shift_jis"])
@pytest.mark.parametrize("is_packed", [True, False])
@pytest.mark.parametrize("text", ["# 王\n7,7 8,8\n", "(;PB[王]SZ[15]\n;B[hh];W[ii])"])
def test_openings_are_read_in_any_encoding_packed_or_not(
    encoding: str, is_packed: bool, text: str, file: Path
) -> None:
    data = text.encode(encoding)
    file.write_bytes(gzip.compress(data, mtime=0) if is_packed else data)
    assert [found for found, _ in read(file)] == ["7,7 8,8"]


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"hello\nworld", "'hello' is no opening; write each on a line, such as 7,7 7,8 or h8i8"),
        (b"(3,4)\n(5,6)", "'(3,4)' is one point in `lines`"),
        (b"PK\x03\x04...", "is a zip archive"),
        (b"\x1f\x8b\x08junk", "gzip cannot unpack it"),
        (gzip.compress(b"7,7 8,8", mtime=0)[:-9], "gzip cannot unpack it"),
        (b"\xff\xfeh\0\x38", "is not in utf-16"),
        *((text, ": has no openings") for text in (b"", b"\n\n", b"# nothing\n")),
    ],
)
def test_what_cannot_be_read_is_told_in_a_line(data: bytes, told: str, file: Path) -> None:
    file.write_bytes(data)
    (fault,) = faults(file)
    assert told in fault


def test_pieces_that_move_are_read_in_our_own_format(file: Path) -> None:
    game = load_game("two_eat_one")
    move = game.moves(game.start())[0]
    text = game.text(move)
    file.write_text(text, encoding="utf-8")
    assert read(file, game) == [(text, "1")]


SGF = """(;FF[4]GM[4]SZ[15];B[hh]C[opening move];W[hi]C[opening move];B[aa]C[12ms])
(;FF[4]GM[4]SZ[15]
;B[hh];W[ij])
"""
PSQ = "Piskvorky 15x15, 11:11, 0\r\n8,8,0\r\n8,9,0\r\n1,1,25\r\nblack\r\nwhite\r\n-1\r\n"


def test_of_a_game_that_tells_its_opening_only_that_is_taken(file: Path) -> None:
    file.write_text(SGF, encoding="utf-8")
    assert read(file) == [("7,7 8,7", "1"), ("7,7 9,8", "2")]
    file.write_bytes(PSQ.encode())
    assert read(file) == [("7,7 8,7 0,0", "1")]


def test_games_of_another_board_and_broken_ones_are_faults_with_their_lines(file: Path) -> None:
    file.write_text(SGF.replace("SZ[15]\n;B[hh]", "SZ[19]\n;B[hh]"), encoding="utf-8")
    assert faults(file) == [":2: its board is of 19 x 19 points, not 15"]
    file.write_text(SGF.replace("B[hh]C", "B[zz]C"), encoding="utf-8")
    assert faults(file) == [":1: move 1, [zz], is no point of a board of 15"]
    file.write_text(PSQ.replace("8,9", "16,9"), encoding="utf-8")
    (fault,) = faults(file)
    assert fault.startswith(":3: ")
    file.write_text("(;GM[4]SZ[15])", encoding="utf-8")
    assert faults(file) == [":1: there are no moves"]


LINE_BREAK = re.compile(r"\r\n|\r|\n")
SAMPLES = {
    "offset": "-1,3, -1,5, 3,5\n0,0, 1,1\n2,-7, 7,-2, 1,4, 0,3\n",
    "pos": "h8i9j10\na1o15\nc12d4\n",
    "lines": "# ours\n7,7 7,8 0,14\n\n3,4 14,0\n1,1\n",
}


def by_hand(format: str, text: str) -> list[tuple[int, int]] | None:
    """The cells of a line as column and row, read in another way; None if it is no opening."""
    if format == "pos":
        text = re.sub(r"(?<=[0-9])[ ,;-]+(?=[A-Za-z])", "", text).lower()
        stones = re.findall(r"[a-z][1-9]\d*", text, re.ASCII)
        cells = [(ascii_lowercase.index(each[0]), int(each[1:]) - 1) for each in stones]
        clean = "".join(stones) == text
    elif format == "lines":
        stones = re.findall(r"\d+,\d+", text, re.ASCII)
        cells = [(int(each.split(",")[1]), int(each.split(",")[0])) for each in stones]
        clean = " ".join(stones) == text
    else:
        words = [word.strip() for word in text.split(",")]
        clean = all(re.fullmatch(r"-?\d+", word, re.ASCII) for word in words)
        numbers = [int(word) + 7 for word in words] if clean else []
        cells = list(zip(numbers[::2], numbers[1::2], strict=False))
        clean = clean and len(numbers) % 2 == 0
    on_board = all(0 <= column < 15 and 0 <= row < 15 for column, row in cells)
    return cells if clean and cells and on_board else None


@st.composite
def mutated(draw: st.DrawFn) -> tuple[OpeningFormat, bytes]:
    format = draw(st.sampled_from(FORMATS))
    content = SAMPLES[format].encode()
    likely = st.sampled_from([c.encode() for c in " ,-#019ah\r\n\t"])
    for _ in range(draw(st.integers(1, 3))):
        at, length = draw(st.integers(0, len(content))), draw(st.integers(0, 2))
        put = draw(likely | st.binary(max_size=2) | st.sampled_from(printable).map(str.encode))
        content = content[:at] + put + content[at + length :]
    return format, content


@pytest.mark.slow
@pytest.mark.sweep
@settings(max_examples=cases(6000))
@example(("pos", b"h8i9j10\na1o15\x85c12d4\n"))
@example(("lines", b"7,7 7,8# ours\n"))
@given(mutated())
def test_a_mutated_file_is_a_fault_with_its_line_or_the_openings_that_it_has(
    tmp_path_factory: pytest.TempPathFactory, sample: tuple[OpeningFormat, bytes]
) -> None:
    format, content = sample
    file = tmp_path_factory.getbasetemp() / "mutated.txt"
    file.write_bytes(content)
    try:
        found = {int(line): text for text, line in read(file, format=format)}
    except ConfigError as error:
        for fault in error.faults:
            assert str(fault).startswith(f"{file}:")
            place = str(fault).removeprefix(f"{file}:").split(":")[0]
            if place.isdigit():
                text = LINE_BREAK.split(decoded(file.read_bytes())[0])[int(place) - 1]
                assert by_hand(format, " ".join(text.split())) is None
            else:
                assert "has no openings" in str(fault) or "is not in utf" in str(fault)
        return
    assert found == dict(expected(format, LINE_BREAK.split(decoded(file.read_bytes())[0])))


def expected(format: str, texts: list[str]) -> Iterator[tuple[int, str]]:
    for number, text in enumerate(texts, start=1):
        opening = re.sub("#.*", "", text, flags=re.DOTALL) if format == "lines" else text
        if opening.strip():
            cells = by_hand(format, " ".join(opening.split()))
            assert cells is not None
            yield number, " ".join(f"{row},{column}" for column, row in cells)
