"""The table of judging: what each odd brain must come to, and a round with it."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from support.samples import ROOT

ODD_BRAIN = ROOT / "tests/brains/odd.py"
OTHERS = "hang|exception|crash|memory|time|illegal move"


@dataclass(frozen=True)
class Row:
    """An oddity; the reason why it loses its games (None: it costs nothing), with its words."""

    oddity: str
    reason: str | None = None
    words: str = ""  # a pattern that is to be in the record's detail
    keys: Mapping[str, Any] = field(default_factory=dict)  # keys of the player in the YAML
    is_slow: bool = False
    """True if a game of it takes about a second or more, because it is waited for."""

    def __str__(self) -> str:
        return self.oddity.replace(" ", "-")


UNLIMITED = {"limit": {}}
AFTER_RESTART = [
    *(Row("silent after RESTART", is_slow=True), Row("ERROR after RESTART")),
    *(Row("ERROR in the second move after RESTART"), Row("ends after RESTART")),
    *(Row("off the board after RESTART"), Row("on old stones after RESTART")),
    *(Row("ends at INFO after RESTART"), Row("ERROR after RESTART", keys={"board": True})),
]  # brains that say OK to RESTART, and are broken by it
LEGAL = [
    *(Row("ok in small letters"), Row("words behind OK"), Row("messages before OK")),
    *(Row("messages before the move"), Row("suggests"), Row("blanks"), Row("CR LF")),
    *(Row("CR alone"), Row("empty lines"), Row("late ABOUT", is_slow=True)),
    Row("ABOUT between its games", keys={"limit": {"seconds": 0.1}}, is_slow=True),
    *(Row("no ABOUT"), Row("words for ABOUT"), Row("unknown ABOUT")),
    *(Row("ignores END", is_slow=True), Row("unknown RESTART")),
    *(Row("10 MB in a line", is_slow=True), Row("binary bytes")),
    *(Row("endless stderr", is_slow=True), Row("slow INFO", is_slow=True)),
    Row("very slow INFO", is_slow=True),
    Row("slow INFO, no ABOUT", keys={"fresh": True}, is_slow=True),
    *(Row("INFO in a thread", is_slow=True), Row("memory filled")),
    *(Row("refuses INFO", keys={"limit": {"clock": "20+1"}}, is_slow=True), Row("keeps the CR")),
    *(Row("text before the move"), Row("text after the move"), Row("words behind the move")),
    *(Row("banner"), Row("banner after OK"), Row("reads no clock", is_slow=True)),
    *(Row("needs its folder", keys={"folder": ""}), Row("needs RESTART", keys={"board": True})),
    *(Row("silence to RESTART", keys={"board": True}, is_slow=True), Row("loses a word")),
    *(Row("drops early commands"), Row("child left behind"), Row("second move when asked again")),
    *(Row("stops its guard"), Row("half lines", is_slow=True), Row("a digit for ABOUT")),
    *(Row("ABOUT without an end"), Row("OK without an end"), Row("RESTART without an end")),
    Row("numbers while it thinks", keys={"limit": {"seconds": 5}}, is_slow=True),
    *(Row("survives a traceback"), Row("tables kept", keys={"fresh": True}, is_slow=True)),
    *AFTER_RESTART,
]
LOSING = [
    Row("exits in a move", "crash", "^its program exited in its move, exit code 0"),
    Row("exits after a move", "crash", "exit code 0"),
    Row("exits with a code", "crash", "exit code 7"),
    Row("is killed", "crash", "killed .* by signal 9"),
    Row("segmentation fault", "crash", "killed .* by signal 11"),
    Row("hangs", "time", is_slow=True),
    Row("spins", "time", is_slow=True),
    Row("hangs, deaf", "time", is_slow=True),
    Row("half a line", "time", is_slow=True),
    Row("only messages", "time", is_slow=True),
    Row("endless line", "time", is_slow=True),
    Row("late", "time", is_slow=True),
    Row("ERROR", "exception", "^its program answered with: ERROR I am lost .*> TURN"),
    Row("UNKNOWN", "exception", "UNKNOWN command"),
    Row("move before it is asked", "illegal move", "0,0"),
    Row("two moves", "illegal move"),
    Row("occupied point", "illegal move", "^its program played on a stone: 0,0 .*> TURN"),
    Row("out of range", "illegal move", "^its program played off the board: 7,0 .*> TURN"),
    Row("far out of range", "illegal move", "4294967296"),
    Row("negative", "illegal move", "-1,3"),
    Row("text", "time", "< the middle", is_slow=True),
    Row("one number", "time", "< 3", is_slow=True),
    Row("signs", "illegal move", r"said '\+3,\+2', which is no move"),
    Row("fractions", "illegal move", "said '3.0,2.0', which is no move"),
    Row("brackets", "illegal move", r"said '\(3,3\)', which is no move"),
    Row("three numbers", "illegal move", "said '3,3,3', which is no move"),
    Row("digits of another script", "time", is_slow=True),
    Row("dies in a thread", "time", r"wrote an error \(AttributeError: ", is_slow=True),
    Row("output closed", "crash"),
    Row("input closed", "crash"),
    Row("memory", "memory", r"was told 256 \(memory: N", UNLIMITED, is_slow=True),
    Row("memory of a child", "memory", "", UNLIMITED, is_slow=True),
    Row("200 processes", "exception", "processes", UNLIMITED, is_slow=True),
    Row("child keeps the pipe", "crash", "exit code 0"),
    Row("child of a child", "crash", "exit code 0"),
    Row("child in a session of its own", "crash", "exit code 0"),
    # These need a second start of the same program: a whole run.
    Row("exits at once later", "crash", "exit code 3", {"fresh": True}, is_slow=True),
    Row("exits before OK later", "crash", "exit code 4", {"fresh": True}, is_slow=True),
    Row("ERROR to START later", "exception", "ERROR no more", {"fresh": True}, is_slow=True),
    Row("silence to START later", "hang", "START", {"fresh": True, "startup": 0.5}, is_slow=True),
]
FIRST_BUILD = [
    Row("exits at once", words="exited before it answered START, exit code 3"),
    Row("exits before OK", words="exited before it answered START, exit code 4"),
    Row("ERROR to START", words="answered START 7 with: ERROR no such size"),
    Row("silence to START", words="did not answer START within 0.3 s", keys={"startup": 0.3}),
    Row("output closed at START", words="closed its output before it answered START"),
    Row("killed at START", words="was killed before it answered START by signal 9"),
    Row("text to START", words="hello", keys={"startup": 0.8}),
    Row("only 20 x 20", words="START 7 with: ERROR this brain plays on 20 x 20 only"),
    Row("hangs at INFO", words="startup: N", keys={"startup": 0.8}),
]


def brain(oddity: str) -> dict[str, Any]:
    """The keys of a player that is this brain, working in the folder of the YAML."""
    command = [sys.executable, "-S", "-E", str(ODD_BRAIN), oddity]
    return {"engine": "gomocup", "command": command, "folder": "."}


def odd_player(row: Row) -> dict[str, Any]:
    return {"name": "odd", **brain(row.oddity), "limit": {"seconds": 0.4}, **row.keys}


def match(*players: Mapping[str, Any], openings: int = 1, **keys: Any) -> dict[str, Any]:
    openings_ = {"list": ["3,3 2,2", "3,3 2,4 4,4"][:openings]}
    limits = {"margin": 0.3, "hang": 20, "memory": 256}
    named = {"name": "judged", "game": {"gomoku": {"size": 7}}, "openings": openings_}
    return {**named, **limits, "engines": list(players), **keys}


HEALTHY = {"name": "one", **brain("none"), "limit": {}}
RANDOM = {"name": "two", "engine": "random_mover"}
