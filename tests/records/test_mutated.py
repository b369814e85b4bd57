"""Files with slips of any kind: each game is as the file has it, or a fault with its line."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from io import BytesIO
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st
from support.sweep import cases

from arena.engine import Remark
from arena.errors import Fault
from arena.match.record import FIELDS, GameRecord
from arena.plugins.load import Named, checked
from arena.records.formats import jsonl, psq, sgf
from arena.records.written import WrittenGame
from arena.tournament.exchange.importing import ImportedGameCheck
from arena.tournament.replay import rules_difference

GOMOKU = checked("game", Named("gomoku"))
JUDGE = ImportedGameCheck(GOMOKU)
READ = {"sgf": sgf.read, "psq": psq.read, "jsonl": jsonl.read}
LINE = [(7, column) for column in (3, 4, 5, 6, 7)]
ROWS = (0, 2, 4, 6, 8), (1, 3, 5, 9, 11), (14, 12, 10, 8, 6)
MOVES = [[*zip(LINE, [(row, 9) for row in rows], strict=True)] for rows in ROWS]
REMARKS = (None,) * 2 + tuple(Remark(ply % 2 + 1, 0.012, 99, 3, -7) for ply in range(2, 9))
FACTS: dict[str, Any] = {"first": "one", "second": "zwei é", "rule": "freestyle", "event": "run"}
FACTS |= {"result": "first", "reason": "line", "remarks": REMARKS, "round": "1", "opening": 2}
GAMES = [
    WrittenGame(size=15, moves=tuple(each for pair in pairs for each in pair)[:9], **FACTS)
    for pairs in MOVES
]
RECORDS = list(map(JUDGE.record_of, GAMES))


def line_of(record: GameRecord) -> bytes:
    values = {name: getattr(record, name) for name in FIELDS}
    return jsonl.text({"rules": str(GOMOKU), "run": "run", "game": 1} | values)


FILES = {
    "sgf": b"".join(map(sgf.text, GAMES)),
    "psq": b"".join(map(psq.text, GAMES)),
    "jsonl": b"".join(map(line_of, RECORDS)),
}
BYTES = b'()[];,\\"{}:0129abzBWC-\n\r\0\xff\xc3 '


def mutated(data: bytes, random: Random) -> bytes:
    """The file after a few slips: bytes changed, left out, put in, doubled, moved, cut off."""
    found = bytearray(data)
    for _ in range(random.randint(1, 3)):
        start = random.randrange(len(found) + 1)
        end = min(len(found), start + random.choice((0, 1, 1, 1, 2, 5, 40)))
        match random.randrange(6):
            case 0:
                found[start:end] = bytes(random.choices(BYTES, k=end - start))
            case 1:
                del found[start:end]
            case 2:
                found[start:start] = bytes(random.choices(BYTES, k=random.randint(1, 3)))
            case 3:
                found[start:start] = found[start:end]
            case 4:
                place = random.randrange(len(found) + 1)
                found[place:place] = found[start:end]
            case _ if random.random() < 0.2:
                del found[start:]
    return bytes(found)


def contains(moves: Sequence[Any], tokens: Sequence[Any]) -> bool:
    count = len(moves)
    return any(list(tokens[i : i + count]) == list(moves) for i in range(len(tokens) - count + 1))


def sgf_tokens(data: bytes) -> list[Any]:
    found = re.findall(rb"\[([a-o]{2})\]", re.sub(rb"C\s*\[[^\]]*\]", b"", data))
    return [(row - 97, column - 97) for column, row in found]


def psq_tokens(data: bytes) -> list[Any]:
    found = re.findall(rb"(?m)^[^\S\n]*(\d+)\s*,\s*(\d+)\b", data.replace(b"\0", b" "))
    return [(int(y) - 1, int(x) - 1) for x, y in found]


TOKENS: dict[str, Callable[[bytes], list[Any]]] = {"sgf": sgf_tokens, "psq": psq_tokens}


def records(form: str, data: bytes) -> Iterator[GameRecord]:
    lines = data.count(b"\n") + 1
    for found in READ[form](BytesIO(data), "f"):
        if isinstance(found, Fault):
            place, _, words = str(found).partition(": ")
            assert 1 <= int(place.removeprefix("f:")) <= lines
            assert words
            continue
        assert 1 <= found.line <= lines
        try:
            if isinstance(found, WrittenGame):
                assert contains(found.moves, TOKENS[form](data))
                yield JUDGE.record_of(found)
            else:
                raw = data.removeprefix(b"\xef\xbb\xbf").split(b"\n")[found.line - 1]
                assert found.fields == json.loads(raw.decode())
                yield JUDGE.record_from(found)
        except ValueError:  # it is doubtful
            continue


def check(form: str, seed: int) -> None:
    for record in records(form, mutated(FILES[form], Random(seed))):
        assert rules_difference(JUDGE.game, record) is None
        assert record.plies == len(record.moves.split())


@pytest.mark.parametrize("form", FILES)
def test_the_files_that_are_mutated_are_right(form: str) -> None:
    found = list(records(form, FILES[form]))
    assert [each.moves for each in found] == [each.moves for each in RECORDS]
    assert {each.reason for each in found} == {"line"}


@pytest.mark.parametrize("form", FILES)
@settings(max_examples=40)
@given(seed=st.integers(0, 10**9))
def test_a_slip_is_a_fault_or_changes_what_the_file_says(form: str, seed: int) -> None:
    check(form, seed)


@pytest.mark.slow
@pytest.mark.sweep
@pytest.mark.parametrize("form", FILES)
@settings(max_examples=cases(2000))
@given(seed=st.integers(0, 10**9))
def test_two_thousand_slips_make_no_wrong_game(form: str, seed: int) -> None:
    check(form, seed)
