"""Lines from standard input: with a prompt and editing in a terminal, silently through a pipe."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import redirect_stdout, suppress
from dataclasses import dataclass
from typing import TextIO

from arena.coordinates import Notation


@dataclass(frozen=True, slots=True)
class Talk:
    """Functions to speak with a person."""

    ask: Callable[[str], str]  # A line typed at this prompt; EOFError when there are no more
    say: Callable[[str], None]
    notation: Notation = "letters"  # The names of points that the person reads


def line_reader(out: TextIO | None) -> Callable[[str], str]:
    """A function that reads a line at a prompt, shown on `out`; EOFError when there is none."""
    with suppress(AttributeError):
        sys.stdin.reconfigure(errors="replace")  # type: ignore[union-attr]
    if not (sys.stdin and sys.stdin.isatty()):
        return _piped_line
    with suppress(ImportError):
        import readline  # noqa: F401  (gives `input` editing and history)

    def ask(prompt: str) -> str:
        with redirect_stdout(out):
            return input(prompt)

    return ask


def _piped_line(prompt: str) -> str:
    """The next line of a file or pipe; the prompt is not shown. EOFError when there is none."""
    if not (line := sys.stdin.readline() if sys.stdin else ""):
        raise EOFError
    return line
