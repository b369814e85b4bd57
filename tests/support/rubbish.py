"""Rubbish: what people and other programs may hand us in place of what is wanted."""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from operator import getitem
from typing import Any

from click.testing import CliRunner, Result
from hypothesis import settings, strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy
from support.sweep import cases

from arena import ConfigError
from arena.cli import arena as command
from arena.match.record import GameRecord

OFTEN = settings(max_examples=max(cases(1000), settings().max_examples))
"""1 000 examples in a sweep, and more by --hypothesis-profile=thorough."""


class Raw(str):
    """A part of a YAML file as it is to be written."""


SCALARS = [
    *("", "~", "''", "x", "3", "-1", "0", "1.5", "1e400", ".nan", ".inf", "-.inf", "true"),
    *("0x1F", "1_000", str(10**18), str(10**30), "9" * 200, f"0x{'f' * 200}", "2001-01-01"),
    *("2001-13-45", "1:30", "60+0.5", "*a", "&a x", "!!int x", "!!binary x", "!x y", "|", ">-"),
    *('"\\ud800"', '"a\\0b"', '"a\\nb"', "'", "[", "{", "]", "? x", "- x", "<<", "...", "---", "%"),
    *("[]", "{}", "[[]]", "[x, [y]]", "{x: y}", "{x: {y: z}}", "[1, 2]", "[x, x]", "<<: {x: y}"),
    *("gomoku", "tictactoe", "five_tuple", "random_mover", "human", "./none.py", "no.such", ".."),
    *("round_robin", "sprt", "swiss", "spsa", "list", "7,7", "9,9 1,1", "logistic"),
]  # values, most of which are wrong wherever they stand
TEXT = st.text(st.characters(exclude_characters="/\0"), max_size=20)
"""Any text that is no path to another folder; lone surrogates too, as bytes of no UTF-8 become."""
READABLE = st.text(st.characters(exclude_categories=["Cs"]))
JUNK = st.sampled_from(SCALARS).map(Raw) | READABLE.map(lambda text: Raw(repr(text)))


def flow(value: object) -> str:
    if isinstance(value, dict):
        return f"{{{', '.join(f'{flow(key)}: {flow(each)}' for key, each in value.items())}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(flow, value))}]"
    return str(value)


def document(data: dict[Any, Any]) -> str:
    return "".join(f"{flow(key)}: {flow(value)}\n" for key, value in data.items())


def paths(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, each in items:
        yield (*path, key)
        if isinstance(each, dict | list):
            yield from paths(each, (*path, key))


def mutated(value: Any, path: tuple[Any, ...], kind: str, junk: Any) -> Any:
    """A copy in which one part is replaced, put under another key, left out, or joined by junk."""
    copy, (key, *rest) = (dict(value) if isinstance(value, dict) else list(value)), path
    if rest:
        copy[key] = mutated(copy[key], tuple(rest), kind, junk)
    elif kind == "replace":
        copy[key] = junk
    elif kind == "leave out":
        del copy[key]
    elif isinstance(copy, list):
        copy.append(junk)
    else:
        copy[str(junk)] = copy.pop(key) if kind == "call otherwise" else copy[key]
    return copy


@st.composite
def mutations(draw: DrawFn, valid: list[dict[str, Any]]) -> str:
    """A valid file with a few of its parts changed; junk may be another of its parts."""
    data = draw(st.sampled_from(valid))
    for _ in range(draw(st.integers(1, 3))):
        if data:
            path, other = (draw(st.sampled_from(list(paths(data)))) for _ in range(2))
            kind = draw(st.sampled_from(["replace", "call otherwise", "leave out", "join"]))
            data = mutated(data, path, kind, draw(JUNK | st.just(reduce(getitem, other, data))))
    return document(data)


@st.composite
def scratched(draw: DrawFn, valid: list[dict[str, Any]]) -> str:
    """A valid file's text with some characters overwritten, cut out or put in."""
    text = document(draw(st.sampled_from(valid)))
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(text)))
        end = min(len(text), start + draw(st.integers(0, 8)))
        text = text[:start] + draw(READABLE | st.sampled_from(SCALARS)) + text[end:]
    return text


def files(*valid: dict[str, Any]) -> SearchStrategy[str]:
    return mutations(list(valid)) | scratched(list(valid)) | READABLE


def typed(*words: str) -> Result:
    """A command within this process; fails unless it ends as a command may."""
    result = CliRunner().invoke(command, words, input="")
    if not isinstance(result.exception, ConfigError | SystemExit | None):
        raise result.exception
    assert result.exit_code in (0, 1, 2)
    assert "Traceback" not in result.output
    return result


def no_games(*_: object) -> Iterator[GameRecord]:
    """No game of those that are wanted, in place of `Local.play`."""
    yield from ()
