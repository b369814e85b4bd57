"""Lines from standard input: with a prompt and editing in a terminal, silently through a pipe."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import redirect_stdout, suppress
from typing import TextIO


def asking(out: TextIO | None) -> Callable[[str], str]:
    """What asks for a line at a prompt, shown on `out`; it raises EOFError when there is none."""
    if sys.stdin is None:
        return nobody_answers
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


def nobody_answers(prompt: str) -> str:
    """There is no standard input."""
    raise EOFError
