"""Values in place of `{name}`, and files that are filled in with them."""

from __future__ import annotations

import os
import signal
import sys
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, strategies as st
from support.processes import running
from support.samples import ROOT

from arena.gomocup.command import (
    filled,
    filled_file,
    line_and_column_at,
    mistakes_in,
    remove_abandoned,
    values_wanted,
)

VALUES = {"three": 105, "style": "{three}", "x": 0.5}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("--three={three}", "--three=105"),
        ("{three},{x},{three}", "105,0.5,105"),
        ("{style}", "{three}"),  # once only
        ("{{three}}", "{three}"),
        ("{{{three}}}", "{105}"),
        ('{{"three": {three}}}\r\n', '{"three": 105}\r\n'),
        ("", ""),
    ],
)
def test_a_value_stands_wherever_its_name_does(text: str, expected: str) -> None:
    assert filled(text, VALUES) == expected
    assert not list(mistakes_in(text, VALUES))


@given(st.text(alphabet="{}ab \n"))
def test_braces_mean_what_they_mean_to_python(text: str) -> None:
    values = {"a": 1, "b": 2, "ab": 3}
    is_wrong = bool(list(mistakes_in(text, values)))
    if not is_wrong:
        assert filled(text, values) == text.format(**values)
        assert values_wanted(text) <= values.keys()
    else:
        with pytest.raises((KeyError, ValueError, IndexError)):
            text.format(**values)


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        ("a\nb {tree}", "2:3", "unknown value 'tree'; did you mean 'three'?"),
        ("{ three }", "1:1", "unknown value ' three '; did you mean 'three'?"),
        ("\n\n{three", "3:1", "a '{' stands alone; a brace itself is written '{{'"),
        ("three}", "1:6", "a '}' stands alone; a brace itself is written '}}'"),
        ("{}", "1:1", "'{}' is no name of a value; a brace itself is written '{{'"),
        ('{"a": 1}', "1:1", "'{\"a\": 1}' is no name of a value"),
        ("{three:d}", "1:1", "'{three:d}' is no name of a value"),
    ],
)
def test_what_no_value_can_take_is_told_with_its_place(text: str, place: str, words: str) -> None:
    ((offset, message),) = mistakes_in(text, VALUES)
    assert line_and_column_at(text, offset) == place
    assert words in message


def test_a_file_is_there_until_it_is_not_wanted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with filled_file("a\r\nä".encode(), ".txt") as one, filled_file(b"b", ".txt") as other:
        remove_abandoned()
        assert {Path(one).read_bytes(), Path(other).read_bytes()} == {"a\r\nä".encode(), b"b"}
        assert one.endswith(".txt")
    assert not list(tmp_path.iterdir())


def test_a_file_whose_writer_was_killed_goes_with_the_next_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    code = (
        "from arena.gomocup.command import filled_file\n"
        "with filled_file(b'a', '.txt') as path: print(path, flush=True); input()"
    )
    environment = {**os.environ, "TMPDIR": str(tmp_path), "PYTHONPATH": str(ROOT)}
    pipes = {"stdin": -1, "stdout": -1}
    with running([sys.executable, "-c", code], env=environment, **pipes) as writer:
        path = Path(writer.stdout.readline().decode().strip())
        remove_abandoned()
        assert path.exists()
        os.kill(writer.pid, signal.SIGKILL)
        writer.wait()
        with filled_file(b"b", ".txt"):
            assert not path.exists()
