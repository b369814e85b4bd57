"""The checks of a brain: each bad brain fails the right one, and what is legal passes."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from judged import FIRST_BUILD, LEGAL, LOSING, ODD_BRAIN
from processes import nothing_left
from samples import ROOT

from arena.gomocup.check import (
    Allowance,
    Judgement,
    Subject,
    all_checks,
    game_under,
    is_sound,
    judgements,
)
from arena.gomocup.command import found_program
from arena.gomocup.positions import random_positions
from arena.plugins.engine_names import PROGRAMS
from arena.plugins.load import names, playable_games
from arena.plugins.rules import known_rules

pytestmark = pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="looks at /proc")

HURRIED = Allowance(
    startup=5,
    answer=2,
    brief=0.3,
    settle=0.01,
    quiet=0.1,
    turn=0.05,
    long_turn=0.1,
    match_rest=0.3,
    margin=0.4,
    exit=0.05,
    sizes=(5, 15, 25),
    positions=5,
)
"""Times for brains that do what they do at once."""

AGAIN, TURN, BOARD = "START in a second process", "TURN", "legal moves in 100 positions"
ASKED, TIME = "speaks only when asked", "30 ms a move"
MEMORY = "memory of 350 MB kept"

WRONG: Mapping[str, tuple[str, str]] = {
    "exits at once": ("START 15", "exit code 3"),
    "exits before OK": ("START 15", "exit code 4"),
    "ERROR to START": ("START 15", "ERROR no such size"),
    "silence to START": ("START 15", "no answer within"),
    "text to START": ("START 15", "hello"),
    "exits in a move": (TURN, "exited in its move, exit code 0"),
    "exits after a move": (TURN, "exited after its move|exit code 0"),
    "exits with a code": (TURN, "exit code 7"),
    "is killed": (TURN, "killed in its move by signal 9"),
    "segmentation fault": (TURN, "killed in its move by signal 11"),
    "hangs": (TIME, "no answer"),
    "spins": (TIME, "no answer"),
    "hangs, deaf": (TIME, "no answer"),
    "half a line": (TIME, "no answer"),
    "only messages": (TIME, "MESSAGE thinking"),
    "endless line": (TIME, "no answer"),
    "late": (TIME, "after 0.9"),
    "ERROR": (TURN, "ERROR I am lost"),
    "UNKNOWN": (TURN, "UNKNOWN command"),
    "move before it is asked": (ASKED, "0,0"),
    "two moves": (ASKED, ","),
    "occupied point": (BOARD, ","),
    "out of range": (BOARD, "15,0"),
    "far out of range": (BOARD, "4294967296"),
    "negative": (BOARD, "-1,3"),
    "text": (BOARD, "the middle"),
    "one number": (BOARD, "3"),
    "three numbers": (BOARD, "3,3,3"),
    "digits of another script": (BOARD, "no answer"),
    "output closed": (TURN, "closed its output"),
    "input closed": (TURN, "closed its input"),
    "memory": (MEMORY, "held"),
    "memory of a child": (MEMORY, "held"),
    "200 processes": (MEMORY, "processes"),
    "child keeps the pipe": (TURN, "it left 1 process"),
    "child of a child": (TURN, "it left"),
    "child in a session of its own": (TURN, "it left 1 process"),
    "exits at once later": (AGAIN, "exit code 3"),
    "exits before OK later": (AGAIN, "exit code 4"),
    "ERROR to START later": (AGAIN, "ERROR no more"),
    "silence to START later": (AGAIN, "no answer within"),
}
"""The check that each bad brain must fail, and a pattern of what is told as said."""
SILENT = {"silence to START": 0.5, "silence to START later": 1.5}
"""Seconds that these are given to start."""
QUICK = ("exits in a move", "ERROR to START", "two moves", "occupied point")
REMARKED: Mapping[str, str] = {
    "no ABOUT": "ABOUT",
    "words for ABOUT": "ABOUT",
    "unknown ABOUT": "ABOUT",
    "ignores END": "END",
    "unknown RESTART": "RESTART",
    "child left behind": "no process left after END",
    "drops early commands": "a command right after its answer",
    "tables kept": "the same move twice at depth 2",
}
"""The check that does not pass such a brain, though what it does is legal."""


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """A folder to work in; in the end no process is there, and nothing is open or left."""
    with nothing_left(tmp_path):
        yield tmp_path


def subject(folder: Path, oddity: str, **changes: float) -> Subject:
    command = (sys.executable, "-S", "-E", str(ODD_BRAIN), oddity)
    return Subject(command, str(folder), ("freestyle",), replace(HURRIED, **changes))


def judged(brain: Subject, *names: str) -> dict[str, Judgement]:
    """The judgements of the vital checks, and of those by these names."""
    chosen = [each for each in all_checks(brain) if each.is_vital or each.name in names]
    assert {*names} <= {each.name for each in chosen}
    return {each.name: each for each in judgements(brain, chosen)}


def assert_wrong(folder: Path, oddity: str) -> None:
    name, said = WRONG[oddity]
    found = judged(subject(folder, oddity, startup=SILENT.get(oddity, 5)), name)
    assert found[name].verdict == "fail"
    assert found[name].mandatory
    assert re.search(said, found[name].said)
    assert found[name].sent
    assert found[name].expected
    vital = [each for each in found.values() if each.name not in (name, AGAIN)]
    if name not in ("START 15", AGAIN):
        assert {each.verdict for each in vital} == {"pass"}


def test_every_bad_brain_has_the_name_of_the_check_that_it_must_fail() -> None:
    assert {*WRONG} == {row.oddity for row in (*LOSING, *FIRST_BUILD)}
    assert {*REMARKED} <= {row.oddity for row in LEGAL}


@pytest.mark.parametrize("oddity", QUICK)
def test_a_bad_brain_fails_with_what_was_sent_said_and_expected(folder: Path, oddity: str) -> None:
    assert_wrong(folder, oddity)


@pytest.mark.slow
@pytest.mark.parametrize("oddity", [each for each in WRONG if each not in QUICK])
def test_a_bad_brain_fails_the_right_check(folder: Path, oddity: str) -> None:
    assert_wrong(folder, oddity)


@pytest.mark.slow
@pytest.mark.parametrize("oddity", ["none", *(row.oddity for row in LEGAL)])
def test_what_is_legal_passes_all_that_is_mandatory(folder: Path, oddity: str) -> None:
    brain = subject(folder, oddity)
    checks = [each for each in all_checks(brain) if each.weight == "mandatory"]
    found = list(judgements(brain, checks))
    assert is_sound(found), [each for each in found if each.verdict == "fail"]


@pytest.mark.slow
@pytest.mark.parametrize(("oddity", "name"), REMARKED.items())
def test_what_is_legal_and_odd_does_not_pass_without_a_word(
    folder: Path, oddity: str, name: str
) -> None:
    found = judged(subject(folder, oddity), name)
    assert found[name].verdict != "pass"
    assert is_sound([*found.values()])


def test_where_it_does_not_start_nothing_else_is_run(folder: Path) -> None:
    brain = subject(folder, "exits at once")
    first, *rest = judgements(brain, all_checks(brain))
    assert first.name == "START 15"
    assert {each.verdict for each in rest} == {"fail"}
    assert {each.said for each in rest} == {"not run, since START 15 failed"}


def test_words_of_a_brain_are_not_taken_for_ours(folder: Path) -> None:
    said = "not run, today"
    code = f"import time; input(); print({said!r}, flush=True); time.sleep(9)"
    brain = replace(subject(folder, "none"), command=(sys.executable, "-c", code))
    first, *rest = judgements(brain, all_checks(brain))
    assert (first.said, first.is_run) == (said, True)
    assert not any(each.is_run for each in rest)


def test_checks_that_come_too_late_are_not_run(folder: Path) -> None:
    brain = subject(folder, "none", total=0)
    assert {each.said for each in judged(brain).values()} == {"not run, since 0 s are over"}


def test_a_rule_that_it_does_not_claim_it_need_not_know(folder: Path) -> None:
    name = "INFO rule 4, renju"
    brain = replace(refusing_renju(folder), claimed=())
    assert judged(brain, name)[name].verdict == "not supported"


def test_a_rule_that_it_claims_it_must_know(folder: Path) -> None:
    name = "INFO rule 4, renju"
    brain = replace(refusing_renju(folder), claimed=("freestyle", "renju"))
    assert judged(brain, name)[name].verdict == "fail"


def refusing_renju(folder: Path) -> Subject:
    """A brain that answers INFO rule 4 with ERROR."""
    text = (ROOT / "tests/data/brain_first.py").read_text(encoding="utf-8")
    head, loop, tail = text.partition("for line in sys.stdin:\n")
    refusal = '    if line.startswith("INFO rule 4"):\n        say("ERROR no renju")\n'
    (folder / "brain.py").write_text(head + loop + refusal + tail, encoding="utf-8")
    return replace(subject(folder, "none"), command=(sys.executable, "brain.py"))


def test_only_rules_that_it_claims_are_asked_for(folder: Path) -> None:
    brain = replace(subject(folder, "none"), claimed=("renju",))
    names = {each.name for each in all_checks(brain)}
    assert "INFO rule 4, renju" in names
    assert not names & {"INFO rule 0, freestyle", "INFO rule 1, standard", "START 20"}


def test_a_brain_is_asked_about_caro_only_if_it_claims_it(folder: Path) -> None:
    brain = replace(subject(folder, "none"), claimed=())
    asked = [each.name for each in all_checks(brain) if each.name.startswith("INFO rule ")]
    assert asked == [f"INFO rule {rule}" for rule in ("0, freestyle", "1, standard", "4, renju")]
    name = "INFO rule 8, caro"
    assert judged(replace(brain, claimed=("caro",)), name)[name].verdict == "pass"


def test_mandatory_checks_come_first_and_names_are_unique(folder: Path) -> None:
    checks = all_checks(subject(folder, "none"))
    weights = [each.weight for each in checks]
    assert weights == sorted(weights, key=["mandatory", "optional", "advice"].index)
    assert len({each.name for each in checks}) == len(checks)


def test_a_failed_advice_and_what_is_optional_harm_nothing() -> None:
    rows = [
        Judgement("a", False, "optional", "fail", "", "", "", 0),
        Judgement("b", False, "advice", "note", "", "", "", 0),
        Judgement("c", True, "mandatory", "pass", "", "", "", 0),
    ]
    assert is_sound(rows)
    assert not is_sound([*rows, replace(rows[2], verdict="fail")])


@pytest.mark.parametrize("rule", ["freestyle", "standard", "renju"])
def test_the_positions_are_always_the_same_and_nobody_has_won(rule: str) -> None:
    game = game_under(rule, 15)
    positions = random_positions(game, 32)
    assert positions == random_positions(game, 32)
    assert len({p.cells for p in positions}) > 30
    assert not any(game.outcome(p) for p in positions)
    assert max(len(p.moves) for p in positions) > 150


ENGINES = [
    name
    for name in names("engine")
    if name != PROGRAMS and {*playable_games(name)} & {"gomoku", "renju", "*"}
]


def claimed_rules(engine: str) -> tuple[str, ...]:
    games = playable_games(engine)
    gomoku = known_rules(engine, "gomoku") if {*games} & {"gomoku", "*"} else ()
    return (*gomoku, "renju") if {*games} & {"renju", "*"} else (*gomoku,)


@pytest.mark.slow
@pytest.mark.parametrize("engine", ENGINES)
def test_each_engine_of_ours_is_a_sound_brain(folder: Path, engine: str) -> None:
    """The machine may be busy with other tests: the clock is not looked at so closely."""
    command = (found_program("arena"), "brain", engine)
    allowance = Allowance(startup=300, answer=20, margin=0.5, positions=20, total=3000)
    brain = Subject(command, str(folder), claimed_rules(engine), allowance)
    checks = [each for each in all_checks(brain) if each.weight != "advice"]
    found = list(judgements(brain, checks))
    assert is_sound(found), [each for each in found if each.verdict == "fail"]
    assert {each.name for each in found if each.verdict == "not supported"} <= {"RECTSTART"}
