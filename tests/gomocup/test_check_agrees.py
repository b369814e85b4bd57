"""The check of a brain and a tournament come to the same end, and their last lines say why."""

from __future__ import annotations

import re
import shlex
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from support.judged_brains import ODD_BRAIN
from support.processes import finished, nothing_left
from support.samples import ROOT
from support.sweep import in_turn

pytestmark = [
    pytest.mark.slow,
    pytest.mark.sweep,
    pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="looks at /proc"),
]
FAILING = ROOT / "tests/brains/failing"
MAX_LINES = 10
"""Lines that a hurried reader looks at, of the end of an output."""


@dataclass(frozen=True)
class Case:
    """A brain, the words that name its bug, and the conditions under which it has it."""

    brain: str
    words: str = ""
    """A pattern; empty for a sound brain."""
    seconds: float = 0.4
    options: tuple[str, ...] = ()
    """Options of both commands."""

    def __str__(self) -> str:
        return self.brain.replace(" ", "-")


CASES = (
    Case("scattered"),
    Case("ABOUT without an end"),
    Case("RESTART without an end"),
    Case("stops its guard"),
    Case("700 MB"),
    Case("700 MB", r"\d+ MB", options=("--memory", "350")),
    Case("half lines"),
    Case("a digit for ABOUT"),
    Case("two moves", r"before it (was|is) asked|is occupied|on a stone"),
    Case("occupied in its 8th move", "move 8 .*|occupied|on a stone"),
    Case("late in its 13th move", r"after \d+\.\d+ s|within 0.400 s"),
    Case("ends in its 40th move", "exit code 9"),
    Case("late in its third game", r"after \d+\.\d+ s|within 0.400 s"),
    Case("only 20 x 20", "20 x 20"),
    Case("five seconds a move", "--(seconds|limit) 6", 0.5),
    Case("three numbers", "'3,3,3', which is no move"),
    Case("signs", r"'\+3,\+2', which is no move"),
    Case("dies in a thread", "AttributeError: .*no_such_thing"),
    Case("segmentation fault", "signal 11"),
    Case("node failing.js", "TypeError: Cannot read properties of null", 2),
    Case("java Failing", "ArrayIndexOutOfBoundsException: Index 0", 2),
    Case("g++ failing.cpp", r"std::out_of_range.*vector::_M_range_check", 2),
    Case("rustc failing.rs", r"panicked at .*failing\.rs.*index out of bounds", 2),
)


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """A folder to work in; in the end no process is left."""
    with nothing_left(tmp_path):
        yield tmp_path


def program(case: Case, folder: Path) -> Path:
    """The brain of a case, as one program."""
    tool, _, source = case.brain.partition(" ")
    file = folder / "brain"
    if not source.startswith(("failing", "Failing")):
        words = [sys.executable, "-S", "-E", str(ODD_BRAIN), case.brain]
    elif not shutil.which(tool):
        pytest.skip(f"no {tool}")
    elif tool == "node":
        words = ["node", str(FAILING / source)]
    elif tool == "java":
        if not shutil.which("javac"):
            pytest.skip("no javac")
        finished(["javac", "-d", str(folder), str(FAILING / "Failing.java")], check=True)
        words = ["java", "-cp", str(folder), source]
    else:
        finished([tool, str(FAILING / source), "-o", str(file)], check=True)
        return file
    file.write_text(f"#!/bin/sh\nexec {shlex.join(words)}\n", encoding="utf-8")
    file.chmod(0o755)
    return file


def typed(folder: Path, *words: str) -> tuple[int, str]:
    """The exit status and the last lines of a command that is typed in a folder."""
    ended = finished([sys.executable, "-m", "arena", *words], text=True, cwd=folder)
    return ended.returncode, "\n".join(
        [*ended.stdout.rstrip().splitlines()[-MAX_LINES:], *ended.stderr.splitlines()]
    )


@pytest.mark.parametrize("case", in_turn(CASES), ids=str)
def test_a_brain_is_judged_alike_and_a_hurried_reader_sees_its_bug(
    folder: Path, case: Case
) -> None:
    brain = str(program(case, folder))
    limits = ("--seconds", f"{case.seconds}"), ("--limit", f"{case.seconds}s")
    status, told = typed(folder, "check", *limits[0], *case.options, brain)
    assert status == (1 if case.words else 0), told
    assert re.search(case.words, told)

    players = brain, "random_mover", "--games", "20", "--workers", "1"
    status, told = typed(folder, "match", *players, *limits[1], *case.options)
    has_fault = re.search(r"lost game \d+, |^\S+: ", told, re.MULTILINE) is not None
    assert has_fault == bool(case.words), told
    assert re.search(case.words, told), told
