"""Lines of JSON: what is written is read back, and faults have their line."""

from __future__ import annotations

from io import BytesIO

import pytest
from hypothesis import given, settings, strategies as st

from arena.errors import Fault
from arena.records.formats import jsonl
from arena.records.formats.jsonl import JsonGame

values = st.none() | st.integers(-(2**63), 2**63) | st.text('ab"\\\n\u2028é中😀', max_size=9)
lines = st.lists(st.dictionaries(st.sampled_from("abcd"), values), max_size=5)


@settings(max_examples=30)
@given(lines)
def test_lines_are_read_back_as_they_were_written(fields: list[dict[str, object]]) -> None:
    found = list(jsonl.read(BytesIO(b"".join(map(jsonl.text, fields))), "f"))
    assert found == [JsonGame(number, each) for number, each in enumerate(fields, start=1)]


def test_blank_lines_and_marks_do_not_matter() -> None:
    found = list(jsonl.read(BytesIO(b'\xef\xbb\xbf{"a":1}\r\n\r\n{"a":2}'), "f"))
    assert found == [JsonGame(1, {"a": 1}), JsonGame(3, {"a": 2})]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"{", "is no JSON: Expecting property name"),
        (b"[]", "is no JSON object, which begins with {"),
        (b'{"a": NaN}', "is no JSON: NaN"),
        (b'{"a": 1, "a": 2}', "a key stands there twice"),
        (b'{"a": "\xe9"}', "is no UTF-8"),
        (b'{"a": ' + b"[" * 100_000, "nests too deeply"),
        (b'{"a": "' + b"." * jsonl.LONGEST_JSON + b'"}', "a line of more than"),
        (b'{"a": 1' + b"0" * 5000 + b"}", "a number of too many digits"),
    ],
)
def test_a_bad_line_is_a_fault_and_the_next_one_is_read(line: bytes, message: str) -> None:
    fault, game = jsonl.read(BytesIO(line + b'\n{"a": 1}\n'), "f")
    assert isinstance(fault, Fault)
    assert str(fault).startswith("f:1: ")
    assert message in str(fault)
    assert game == JsonGame(2, {"a": 1})
