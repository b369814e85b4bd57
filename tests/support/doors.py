"""The doors: folders that are played once, commands as users type them, and the texts kept.

A folder is played in this process under a clock of its own, so that every number that a user sees
is the same each time.
"""

from __future__ import annotations

import difflib
import fcntl
import math
import os
import re
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from unittest.mock import patch

import pytest
from click.testing import CliRunner
from support.samples import ROOT
from support.studies import COIN

from arena.cli import arena
from arena.errors import ConfigError

SOURCES = ROOT / "tests/doors/folders"
KEPT = ROOT / "tests/doors/kept"
DATA = ROOT / "tests/data"
LENGTH = 100  # letters of the path of a folder in which something is played
NOON = 1_767_268_800.0  # noon of 1 January 2026, at which everything is played
STEPS = (1, 2, 3, 5, 8, 13, 21)  # milliseconds between two looks at the referee's clock, in turn
PLAYED: Mapping[str, Sequence[str]] = {
    "round": ["run", "round.yaml"],
    "sprt": ["run", "sprt.yaml", "--exit-status"],
    "gauntlet": ["run", "gauntlet.yaml"],
    "swap2": ["run", "swap2.yaml"],
    "imported": ["import", "imported", "imported.sgf", "--game", "gomoku:size=15"],
    "study": ["tune", "study.yaml"],
    "fit": ["fit", "fit.yaml"],
}  # the command that makes each folder
COMPARED = {name: ["run", f"{name}.yaml"] for name in ("shallow", "deep")}
"""Those of folders that are only compared with others."""


@dataclass(frozen=True)
class Typed:
    words: Sequence[str]
    status: int
    output: str
    errors: str

    def __str__(self) -> str:
        parts = [f"$ arena {' '.join(self.words)}", self.output.rstrip("\n")]
        if self.errors:
            parts += ["--- standard error", self.errors.rstrip("\n")]
        return "\n".join([*parts, f"--- exit status {self.status}"])


def typed(*words: str, **environment: str) -> Typed:
    """A command typed in the current folder; a mistake in what it is given ends it with 2."""
    # Lines of SGF are as long as a version lets them be.
    with patch("arena.records.formats.sgf.own_version", return_value=b"arena:1.2.3"):
        done = CliRunner(env=environment).invoke(arena, list(words), prog_name="arena")
    if isinstance(done.exception, ConfigError):
        return Typed(words, 2, done.stdout, f"{done.stderr}{done.exception}")
    if done.exception and not isinstance(done.exception, SystemExit):
        raise done.exception
    return Typed(words, done.exit_code, done.stdout, done.stderr)


@contextmanager
def steady_clock() -> Iterator[None]:
    """Let the referee read a clock of our own, at noon, on a machine that is always as busy."""
    steps, milliseconds = cycle(STEPS), 0

    def read() -> float:
        nonlocal milliseconds
        milliseconds += next(steps)
        return milliseconds / 1000

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("arena.match.play.perf_counter", read)
        patch.setattr(time, "time", lambda: NOON)
        patch.setenv("TZ", "UTC")
        time.tzset()
        patch.setattr(os, "getloadavg", lambda: (1.0, 1.0, 1.0))
        patch.setattr(os, "sched_getaffinity", lambda _: {0, 1})
        yield
    time.tzset()


@contextmanager
def inside(folder: Path) -> Iterator[None]:
    """Type commands in this folder, in a terminal of a hundred columns."""
    with pytest.MonkeyPatch.context() as patch, steady_clock():
        patch.chdir(folder)
        patch.setenv("COLUMNS", "100")
        yield


def lay_out(folder: Path) -> None:
    sources = [*SOURCES.iterdir(), DATA / "brain_swap2.py", DATA / "moody.py"]
    for source in sources:
        text = source.read_text(encoding="utf-8").replace("PYTHON", sys.executable)
        (folder / source.name).write_text(text, encoding="utf-8")
    (folder / "coin.py").write_text(COIN, encoding="utf-8")


def padded(folder: Path) -> Path:
    """A folder whose path is always as long: columns of tables are as wide as what is in them."""
    return folder.with_name(folder.name.ljust(LENGTH - len(str(folder.parent)), "-"))


def made(folder: Path, name: str) -> str:
    """Play a folder below this one, unless that was done, and return the command with its output.

    Several processes may ask at once: one of them plays.
    """
    kept = folder / f"{name}.typed.txt"
    with open(folder / f"{name}.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not kept.exists():
            command = {**PLAYED, **COMPARED}[name]
            alone = ["--workers", "0"] if command[0] != "import" else []
            with inside(folder):
                kept.write_text(str(typed(*command, *alone)), encoding="utf-8")
    return kept.read_text(encoding="utf-8")


MASKS = (
    (re.compile(re.escape(sys.executable)), "PYTHON"),
    (re.compile(r"\b(?=[0-9a-f]*[a-f])(?=[0-9a-f]*[0-9])[0-9a-f]{8,64}\b"), "DIGEST"),
    (re.compile(r"(?<=/player/)[0-9a-f]+"), "DIGEST"),
    (re.compile(r"/\S*---\S*\.\.\."), "FOLDER..."),
    (re.compile(r"(?<=At )\S+ s a game(.*) take about [\d.]+ \w+, (.*) at most [\d.]+ \w+"),
     r"... s a game\1 take about ..., \2 at most ..."),
    (re.compile(r"(arena[ :-]+)\d+\.\d+\.\d+\S*"), r"\1VERSION"),
)  # fmt: skip
"""What differs by machine, by version, or by the code of engines."""
VERSION = re.compile(r"(?<=[\s,\"|(])[0-9a-f]{6}(?=[\s,\"|)])")
"""The mark of an engine's code in ratings, which any change of it changes."""
NUMBER = re.compile(r"-?\d+\.\d{6,}(?:e-?\d+)?|-?\d(?:\.\d+)?e-?\d+")
"""A number that is not rounded for readers: processors may differ in its last digits."""


def masked(text: str, folder: Path) -> str:
    """The text without what differs from one machine to the next."""
    text = text.replace(str(folder), "FOLDER")
    for pattern, word in MASKS:
        text = pattern.sub(word, text)
    return "\n".join(line.rstrip() for line in text.splitlines()) + "\n"


def hold(name: str, text: str, update: bool) -> None:
    file = KEPT / name
    if update:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        return
    assert file.exists(), f"{file} is not kept: pytest tests/doors --golden-update"
    kept = file.read_text(encoding="utf-8")
    if not _is_equal(kept, text):
        lines = difflib.unified_diff(
            kept.splitlines(), text.splitlines(), f"kept/{name}", "now", lineterm="", n=1
        )
        pytest.fail("\n".join([*lines][:80]), pytrace=False)


def _is_equal(kept: str, text: str) -> bool:
    """True if two texts are equal but for the last digits of long numbers."""
    if kept == text:
        return True
    if NUMBER.sub("#", kept) != NUMBER.sub("#", text):
        return False
    pairs = zip(NUMBER.findall(kept), NUMBER.findall(text), strict=True)
    return all(math.isclose(float(a), float(b), rel_tol=1e-9, abs_tol=1e-12) for a, b in pairs)
