"""Lines from standard input: with a prompt and editing in a terminal, silently through a pipe."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import redirect_stdout, suppress
from dataclasses import dataclass
from typing import TextIO


@dataclass(frozen=True, slots=True)
class Talk:
    """Functions to speak with a person."""

    ask: Callable[[str], str]
    """A line typed at this prompt; EOFError when there are no more."""
    say: Callable[[str], None]


def line_reader(out: TextIO | None) -> Callable[[str], str]:
    """A function that reads a line at a prompt, shown on `out`; EOFError when there is none."""
    if sys.stdin is None:
        return no_line
    with suppress(AttributeError):
        sys.stdin.reconfigure(errors="replace")  # type: ignore[union-attr]
    if not sys.stdin.isatty():
        return lambda _: piped_line()
    with suppress(ImportError):
        import readline  # noqa: F401  (gives `input` editing and history)

    def ask(prompt: str) -> str:
        with redirect_stdout(out):
            return input(prompt)

    return ask


def piped_line() -> str:
    """The next line of a file or pipe."""
    if not (line := sys.stdin.readline()):
        raise EOFError
    return line


def no_line(prompt: str) -> str:
    """EOFError: there is no standard input."""
    raise EOFError
