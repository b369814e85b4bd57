"""A whole talk with a brain as text: a line for each thing said, and long runs in a few."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, groupby

from arena.gomocup.protocol import kind_of_line, shown
from arena.gomocup.transcript import Entry

LONGEST_TOLD = 200
"""Characters of a line by the brain."""
ENDS_OF_A_RUN, ENDS_OF_ALL = 2, 6
"""Lines that are told of the beginning and of the end of a long run of one kind, and of all that
was said in answer to one command."""
HEARD_OF_AN_END = 3
"""The same for what is told as said, beside the whole talk."""
OPENERS = ("> START", "> RESTART")


def folded(entries: Iterable[Entry]) -> str:
    """The talk; of many games one after the other, the first and the last."""
    games = list[list[str]]()
    for line in lines_told(entries):
        if not games or line.startswith(OPENERS):
            games.append([])
        games[-1].append(line)
    if (left_out := len(games) - 2) > 1:
        games = [
            games[0],
            [f"... {left_out} more games, each after RESTART or START ..."],
            games[-1],
        ]
    return "\n".join(line for game in games for line in game)


def said(entries: Iterable[Entry], words: str = "") -> str:
    """The lines that a brain has written, and words on it."""
    lines = [
        ("on standard error: " if entry.mark == "!" else "") + shown(entry.line, LONGEST_TOLD)
        for entry in entries
        if entry.mark != ">"
    ]
    told = [*both_ends(lines, HEARD_OF_AN_END), *([f"({words})"] if words else [])]
    return "\n".join(told) or "(nothing)"


def lines_told(entries: Iterable[Entry]) -> Iterator[str]:
    """A line for each thing said, with its mark; of what goes on for long, both ends."""
    for is_sent, said in groupby(entries, key=lambda entry: entry.mark == ">"):
        if is_sent:
            yield from (f"> {text}" for entry in said for text in commands(entry.line))
        else:
            runs = (
                both_ends([*map(line_told, run)], ENDS_OF_A_RUN)
                for _, run in groupby(said, kind_of_entry)
            )
            yield from both_ends([*chain.from_iterable(runs)], ENDS_OF_ALL)


def kind_of_entry(entry: Entry) -> tuple[str, str]:
    """The mark, and the kind of what the brain says."""
    return entry.mark, kind_of_line(entry.line) if entry.mark == "<" else ""


def line_told(entry: Entry) -> str:
    """Words of the brain, with its mark; of several lines the last."""
    several = f" (the last of {entry.lines} such lines)" if entry.lines > 1 else ""
    return f"{entry.mark} {shown(entry.line, LONGEST_TOLD)}{several}"


def commands(data: bytes) -> Iterator[str]:
    """The commands in what was sent, INFO lines in one, and the stones of BOARD behind it."""
    lines = data.decode().replace("\r\n", "\n").split("\n")
    for is_info, run in groupby(filter(None, lines), key=lambda line: line.startswith("INFO ")):
        if is_info:
            yield "INFO " + ", ".join(line.removeprefix("INFO ") for line in run)
        else:
            yield " ".join(run)


def both_ends(lines: Sequence[str], count: int) -> Sequence[str]:
    """The lines; of more than fit, so many of the beginning and of the end."""
    left_out = len(lines) - 2 * count
    if left_out <= 1:
        return lines
    return [*lines[:count], f"... {left_out} more lines ...", *lines[-count:]]
