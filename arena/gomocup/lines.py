"""The lines that a program writes: bytes taken apart, and a line as people can read it."""

from __future__ import annotations

LONGEST_READ = 4096
"""Bytes of a line that are looked at."""


def split(rest: bytes, data: bytes) -> list[bytes]:
    """The lines of data that goes on after a rest, and the new rest; over-long lines are cut."""
    lines = data.replace(b"\r", b"\n").split(b"\n")
    lines[0] = rest + lines[0][: LONGEST_READ - len(rest)]
    lines[-1] = lines[-1][:LONGEST_READ]
    return lines


def shown(line: bytes, most: int) -> str:
    """A line as people can read it, cut to so many characters."""
    text = line[: 2 * most].decode("utf-8", "backslashreplace").strip()
    text = "".join(c if c.isprintable() else " " for c in text.replace("\r\n", " "))
    return text if len(text) <= most else f"{text[:most]}..."
