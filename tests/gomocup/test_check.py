"""The checks of a brain: each bad brain fails the right one, and what is legal passes."""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from support.judged_brains import AFTER_RESTART, FIRST_BUILD, LEGAL, LOSING, ODD_BRAIN, Row
from support.processes import nothing_left
from support.samples import ROOT
from support.sweep import in_turn

from arena.engine import Conditions, Limit
from arena.gomocup.check import (
    ENDING,
    Allowance,
    CheckResult,
    Subject,
    all_checks,
    game_under,
    is_sound,
    random_positions,
    results,
)
from arena.gomocup.checks import moves
from arena.gomocup.command import found_program
from arena.gomocup.protocol import first_infos, info, limit_infos
from arena.plugins.build import known_rules
from arena.plugins.engine_names import PROGRAMS
from arena.plugins.load import names, playable_games

pytestmark = pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="looks at /proc")

FIRST = ROOT / "tests/data/brain_first.py"
HURRIED = Allowance(
    startup=5,
    answer=2,
    move=2,
    brief=0.3,
    settle=0.01,
    quiet=0.1,
    turn=0.05,
    match_rest=0.3,
    margin=0.4,
    exit=0.05,
    sizes=(5, 15, 25),
    positions=5,
)
"""Times for brains that do what they do at once."""

AGAIN, TURN = "START in a second process", "TURN"
ASKED, TIME = "speaks only when asked", "0.1 s a move"
MEMORY = "memory of 350 MB kept"

WRONG: Mapping[str, tuple[str, str]] = {
    "exits at once": ("START 15", "exit code 3"),
    "exits before OK": ("START 15", "exit code 4"),
    "ERROR to START": ("START 15", "ERROR no such size"),
    "only 20 x 20": ("START 15", "ERROR this brain plays on 20 x 20 only"),
    "hangs at INFO": ("BEGIN", "has not read INFO in time"),
    "silence to START": ("START 15", "no answer within"),
    "text to START": ("START 15", "hello"),
    "output closed at START": ("START 15", "closed its output"),
    "killed at START": ("START 15", "killed .* by signal 9"),
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
    "occupied point": (TURN, ","),
    "out of range": (TURN, "15,0"),
    "far out of range": (TURN, "4294967296"),
    "negative": (TURN, "-1,3"),
    "text": (TURN, "the middle"),
    "one number": (TURN, "3"),
    "three numbers": (TURN, "said '3,3,3', which is no move"),
    "signs": (TURN, "no move"),
    "fractions": (TURN, "no move"),
    "brackets": (TURN, "no move"),
    "digits of another script": (TURN, "no answer"),
    "dies in a thread": (TURN, "AttributeError"),
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
SLOW_MOVES = (1.4, 1.5, 1.6)  # Seconds of a move of odd brains, as their names say
HEADS_OF_SLOW = ("START 15", AGAIN, "BEGIN", TURN, TIME)
"""Checks that are run of such a brain, of those that do not need BOARD."""
SILENT = {"silence to START": 0.5, "hangs at INFO": 3, "silence to START later": 1.5}
"""Seconds that these are given to start."""
APART = {
    "very slow INFO": "takes minutes",
    "INFO in a thread": "computes for longer than is waited for, if the machine is busy",
    "needs its folder": "works where its file is",
}
"""The reasons why these are not checked."""
QUICK = ("exits in a move", "ERROR to START", "two moves", "occupied point")
REMARKED: Mapping[str, str] = {
    "no ABOUT": "ABOUT",
    "words for ABOUT": "ABOUT",
    "unknown ABOUT": "ABOUT",
    "ignores END": "END",
    "unknown RESTART": "RESTART",
    **{row.oddity: "RESTART" for row in AFTER_RESTART},
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
    allowance = replace(HURRIED, **changes)
    return Subject(command, str(folder), ("freestyle",), allowance, seconds=0.1, memory=350)


def judged(brain: Subject, *names: str) -> dict[str, CheckResult]:
    """The results of the vital checks, and of those by these names."""
    chosen = [each for each in all_checks(brain) if each.is_vital or each.name in names]
    assert {*names} <= {each.name for each in chosen}
    return {each.name: each for each in results(brain, chosen)}


def assert_wrong(folder: Path, oddity: str) -> None:
    name, said = WRONG[oddity]
    found = judged(subject(folder, oddity, startup=SILENT.get(oddity, 5)), name)
    assert found[name].grade == "fail"
    assert found[name].is_failure
    assert re.search(said, found[name].finding.said)
    assert found[name].finding.sent
    assert found[name].finding.expected
    vital = [each for each in found.values() if each.name not in (name, AGAIN)]
    if name not in ("START 15", AGAIN):
        assert {each.grade for each in vital} == {"pass"}


def test_every_bad_brain_has_the_name_of_the_check_that_it_must_fail() -> None:
    assert {*WRONG} == {row.oddity for row in (*LOSING, *FIRST_BUILD)}
    assert {*REMARKED} <= {row.oddity for row in LEGAL}


@pytest.mark.parametrize("oddity", QUICK)
def test_a_bad_brain_fails_with_what_was_sent_said_and_expected(folder: Path, oddity: str) -> None:
    assert_wrong(folder, oddity)


@pytest.mark.slow
@pytest.mark.sweep
@pytest.mark.parametrize("oddity", in_turn(each for each in WRONG if each not in QUICK))
def test_a_bad_brain_fails_the_right_check(folder: Path, oddity: str) -> None:
    assert_wrong(folder, oddity)


@pytest.mark.slow
@pytest.mark.sweep
@pytest.mark.parametrize(
    "oddity", ["none", *in_turn(row.oddity for row in LEGAL if row.oddity not in APART)]
)
def test_what_is_legal_passes_all_that_is_mandatory(folder: Path, oddity: str) -> None:
    brain = replace(subject(folder, oddity, move=20), seconds=1)
    checks = [each for each in all_checks(brain) if each.weight == "mandatory"]
    found = list(results(brain, checks))
    assert is_sound(found), [each for each in found if each.grade == "fail"]
    assert all(each.finding.expected for each in found if each.grade == "note")


@pytest.mark.slow
@pytest.mark.parametrize(("oddity", "name"), REMARKED.items())
def test_what_is_legal_and_odd_is_remarked_on(folder: Path, oddity: str, name: str) -> None:
    found = judged(subject(folder, oddity), name)
    assert found[name].grade != "pass"
    assert is_sound([*found.values()])


@pytest.mark.slow
@pytest.mark.parametrize("row", AFTER_RESTART, ids=str)
def test_a_restart_that_breaks_a_brain_fails_alone(folder: Path, row: Row) -> None:
    brain = replace(subject(folder, row.oddity), seconds=1)
    checks = [each for each in all_checks(brain) if each.weight != "advice"]
    failed = [each for each in results(brain, checks) if each.grade == "fail"]
    assert [each.name for each in failed] == ["RESTART"]
    assert "> RESTART" in failed[0].finding.talk


def test_an_illegal_move_among_few_stones_is_a_failure(folder: Path) -> None:
    name = "legal moves in 5 positions"
    found = judged(subject(folder, "plays on stones of BOARD"), name)
    assert found[name].is_failure
    assert found[name].finding.sent.startswith("BOARD\n")
    assert found[name].finding.talk.split("\n")[0] == "> START 15"
    assert "more games, each after RESTART" in found[name].finding.talk


def test_what_is_wrong_on_full_boards_alone_is_known_from_all_others(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    backwards = lambda game, number: random_positions(game, number)[::-1]  # noqa: E731
    monkeypatch.setattr(moves, "random_positions", backwards)
    brain, name = (
        subject(folder, "plays on stones of BOARD", positions=13),
        "legal moves in 13 positions",
    )
    assert judged(brain, name)[name].grade == "fail"


@pytest.mark.slow
def test_moves_of_whole_games_are_timed_and_slow_ones_end_what_is_optional(folder: Path) -> None:
    brain = subject(folder, "late in its third game", margin=0.2)
    wanted = ("whole games", "ABOUT", "legal moves in 5 positions")
    found = {each.name: each for each in results(brain, all_checks(brain)) if each.name in wanted}
    said = found["whole games"].finding.said
    assert re.search(r"moved after 0\.9\d\d s, .* of a game against itself", said)
    assert found["whole games"].finding.cure.endswith("--seconds 1")
    assert found["ABOUT"].finding.said == f"not run, since {TIME} failed"
    assert found["legal moves in 5 positions"].is_run


FOUND = [
    (
        "occupied in its 8th move",
        "whole games",
        "fail",
        "on a stone: .*, at its move 8 of a game ag",
    ),
    ("ABOUT without an end", "ABOUT", "note", "an end of line"),
    ("ABOUT without an end", TURN, "pass", ""),
    ("answers ABOUT twice", "unknown command", "pass", ""),
    ("banner", "START 15", "note", r"\*\*\* line 0 of a banner .*c-gomoku-cli"),
    ("banner", "nothing but answers", "note", r"\*\*\* line 0 of a banner .*c-gomoku-cli"),
    ("reads no clock", TIME, "fail", "heed INFO timeout_turn, or give it more time: --seconds 1"),
]
"""A brain, a check, its verdict, and a pattern of what is said, expected, and a cure."""


@pytest.mark.parametrize(("oddity", "name", "grade", "words"), FOUND)
def test_a_finding_has_its_words(
    folder: Path, oddity: str, name: str, grade: str, words: str
) -> None:
    found = judged(subject(folder, oddity, margin=0.0 if name == TIME else 0.4), name)[name]
    assert (found.grade, found.is_failure) == (grade, grade == "fail")
    told = found.finding.said, found.finding.expected, found.finding.cure
    assert re.search(words, " ".join(told), re.DOTALL)


BESIDE: Mapping[str, tuple[str, str, str]] = {
    "needs RESTART": ("BOARD twice without RESTART", "fail", "ERROR there is an open game"),
    "keeps the CR": ("lines that end with CR LF", "fail", "UNKNOWN command"),
    "keeps the CR of DONE": ("lines that end with CR LF", "fail", "ERROR - x,y,who or DONE"),
    "words behind the move": ("nothing but answers", "note", "0,0 Value:0"),
    "text before the move": ("nothing but answers", "note", "True"),
    "text after the move": ("nothing but answers", "note", "board is now"),
    "only 20 x 20": ("START 15", "not supported", "ERROR this brain"),
    "reads no clock": ("30 ms a move", "fail", r"after \d\.\d+ s, its longest"),
}
"""A check that is not passed by a brain that plays all the same, its verdict, and what is said."""


@pytest.mark.slow
@pytest.mark.parametrize("oddity", BESIDE)
def test_what_a_tournament_does_without_is_not_mandatory(folder: Path, oddity: str) -> None:
    name, verdict, said = BESIDE[oddity]
    brain = subject(folder, oddity, positions=13, margin=0.1)
    if oddity == "only 20 x 20":
        brain = replace(brain, size=20)
    if oddity == "reads no clock":
        brain = replace(brain, seconds=1)  # more than a busy machine lets it wait
    checks = all_checks(brain)
    rows = [each for each in checks if each.weight == "mandatory" or each.name == name]
    found = {each.name: each for each in results(brain, rows)}
    assert is_sound([*found.values()]), [each for each in found.values() if each.grade == "fail"]
    assert found[name].grade == verdict
    assert re.search(said, found[name].finding.said)
    assert found[name].finding.expected
    assert {each.grade for each in found.values() if each.name != name} == {"pass"}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("oddity", "newline", "name", "cure"),
    [
        ("keeps the CR", b"\r\n", "BEGIN", "a CR is kept: strip it"),
        ("keeps the CR of DONE", b"\r\n", "BOARD in mid-game", "a CR is kept: strip it"),
        ("needs CR LF", b"\n", "START 15", "newline: crlf"),
    ],
)
def test_a_failed_begin_or_board_is_tried_with_the_other_end_of_lines(
    folder: Path, oddity: str, newline: bytes, name: str, cure: str
) -> None:
    brain = replace(subject(folder, oddity, startup=3), newline=newline)
    names = ("BOARD in mid-game", "BOARD, odd number of stones", TURN)
    found = judged(brain, *names)
    assert found[name].grade == "fail"
    assert cure in found[name].finding.cure
    later = [*found.values()][[*found].index(name) + 1 :]
    assert later
    assert {each.grade for each in later} == {"pass"}
    assert not is_sound([*found.values()])


def test_it_is_told_what_a_tournament_tells(folder: Path) -> None:
    limit = Limit(seconds=0.1)
    infos = first_infos(Conditions(limit=limit)) + info("rule", 0) + limit_infos(limit, 60)
    lines = [line.removeprefix("INFO ") for line in infos.decode().splitlines()]
    name = "30 ms a move"
    brain = subject(folder, "reads no clock", short_turn=0.1, margin=0)
    found = judged(replace(brain, seconds=0.2), name)
    assert found[name].finding.talk.split("\n")[:4] == [
        *("> START 15", "< OK", "> INFO " + ", ".join(lines), "> ABOUT")
    ]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("megabytes", "memory", "verdict"),
    [(365, 350, "pass"), (400, 350, "fail"), (365, None, "pass"), (400, None, "note")],
)
def test_a_tenth_more_memory_than_it_is_told_is_let_pass_and_all_that_nobody_has_limited(
    folder: Path, megabytes: int, memory: int | None, verdict: str
) -> None:
    text = FIRST.read_text(encoding="utf-8")
    (folder / "brain.py").write_text(f"held = b'x' * ({megabytes} << 20)\n{text}", "utf-8")
    brain = replace(subject(folder, "none"), command=(sys.executable, "brain.py"), memory=memory)
    checks = [each for each in all_checks(brain) if each.name == MEMORY]
    assert [each.grade for each in results(brain, checks)] == [verdict]


def test_a_late_brain_that_wrote_an_error_is_not_told_that_it_needs_time(folder: Path) -> None:
    code = (
        "import runpy, sys\nprint('KeyError: 7', file=sys.stderr, flush=True)\n"
        "sys.argv = ['brain', 'reads no clock']\n"
        f"runpy.run_path({str(ODD_BRAIN)!r}, run_name='__main__')"
    )
    brain = replace(subject(folder, "", margin=0), command=(sys.executable, "-c", code))
    found = judged(replace(brain, seconds=0.1), TIME)[TIME]
    assert found.is_failure
    assert found.finding.cure == ""


def test_a_program_for_people_does_not_pass(folder: Path) -> None:
    first, *rest = judged(subject(folder, "for people", move=0.5), TURN).values()
    assert first.grade == "note"
    assert "  -  -" in first.finding.said
    assert {each.name: each.grade for each in rest}["BEGIN"] == "fail"


def test_sizes_and_clocks_that_are_not_wanted_are_advice(folder: Path) -> None:
    brain = replace(subject(folder, "none"), size=20, seconds=0.02)
    weights = {each.name: each.weight for each in all_checks(brain)}
    assert weights["START 20"] == weights["0.02 s a move"] == "mandatory"
    beside = ("START 15", "START 5 to 25", "last second of a match", "lines that end with CR LF")
    assert {weights[name] for name in beside} == {"advice"}
    assert "30 ms a move" not in weights
    assert weights["BOARD twice without RESTART"] == "optional"


def test_what_fails_the_first_time_only_is_not_put_down_to_the_ends_of_lines(folder: Path) -> None:
    once = "import os\nif not os.path.exists('mark'):\n    os.mkdir('mark')\n    os._exit(3)\n"
    (folder / "brain.py").write_text(once + FIRST.read_text(encoding="utf-8"), "utf-8")
    brain = replace(subject(folder, "none"), command=(sys.executable, "brain.py"))
    first, *rest = judged(brain).values()
    assert (first.grade, first.finding.cure) == ("fail", "")
    assert not any(each.is_run for each in rest)


def test_words_of_a_brain_are_not_taken_for_ours(folder: Path) -> None:
    said = "not run, today"
    code = f"input(); print({said!r})"
    brain = replace(subject(folder, "none"), command=(sys.executable, "-c", code))
    first, *rest = results(brain, all_checks(brain))
    assert (first.finding.said.split("\n")[0], first.is_run) == (said, True)
    assert not any(each.is_run for each in rest)


def test_all_checks_end_in_time_also_one_that_waits(folder: Path) -> None:
    brain, began = subject(folder, "hangs at INFO", total=ENDING + 1), time.monotonic()
    found = judged(brain)
    assert time.monotonic() - began < ENDING + 3
    assert found["BEGIN"].finding.said == "not run to its end, since 6 s are over"
    assert not found["BEGIN"].is_run


@pytest.mark.slow
def test_slow_brains_fail_alike_on_both_sides_of_each_wait(folder: Path) -> None:
    """Their moves take about as long as an answer may, and far longer than is wanted."""
    heads = set[tuple[str, ...]]()
    for seconds in SLOW_MOVES:
        brain = subject(folder, f"{seconds} s a move", answer=1.5, move=4, margin=0.1)
        checks = [each for each in all_checks(brain) if "BOARD" not in each.name]
        found = list(results(brain, checks))
        failed = next(each for each in found if each.is_failure)
        cure = failed.finding.cure.rpartition("--")[2]
        heads.add((failed.name, cure, *(each.name for each in found if each.is_run)))
    assert heads == {(TIME, "seconds 2", *HEADS_OF_SLOW)}


def test_a_brain_a_little_too_slow_is_checked_for_all_that_is_mandatory(folder: Path) -> None:
    brain = subject(folder, "reads no clock", margin=0)
    found = judged(brain, TIME, MEMORY)
    assert found[TIME].is_failure
    assert found[MEMORY].grade == "pass"


@pytest.mark.parametrize(
    ("claimed", "grade"), [((), "not supported"), (("freestyle", "renju"), "fail")]
)
def test_a_claimed_rule_must_be_known(folder: Path, claimed: tuple[str, ...], grade: str) -> None:
    """The brain answers INFO rule 4 with ERROR."""
    name, text = "INFO rule 4, renju", FIRST.read_text(encoding="utf-8")
    head, loop, tail = text.partition("for line in sys.stdin:\n")
    refusal = '    if line.startswith("INFO rule 4"):\n        say("ERROR no renju")\n'
    (folder / "brain.py").write_text(head + loop + refusal + tail, encoding="utf-8")
    brain = replace(subject(folder, "none"), command=(sys.executable, "brain.py"), claimed=claimed)
    assert judged(brain, name)[name].grade == grade


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
    assert judged(replace(brain, claimed=("caro",)), name)[name].grade == "pass"


def test_mandatory_checks_come_first_and_names_are_unique(folder: Path) -> None:
    checks = all_checks(subject(folder, "none"))
    weights = [each.weight for each in checks]
    assert weights == sorted(weights, key=["mandatory", "optional", "advice"].index)
    assert len({each.name for each in checks}) == len(checks)


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
@pytest.mark.sweep
@pytest.mark.parametrize("engine", in_turn(ENGINES))
def test_each_engine_of_ours_is_a_sound_brain(folder: Path, engine: str) -> None:
    """The machine may be busy with other tests: the clock is not looked at so closely."""
    command = (found_program("arena"), "brain", engine)
    allowance = Allowance(startup=300, move=20, margin=0.5, positions=20, total=3000)
    brain = Subject(command, str(folder), claimed_rules(engine), allowance)
    checks = [each for each in all_checks(brain) if each.weight != "advice"]
    found = list(results(brain, checks))
    assert is_sound(found), [each for each in found if each.grade == "fail"]
    assert {each.name for each in found if each.grade == "not supported"} <= {"RECTSTART"}
