"""Games of persons at a terminal and at a pipe: whom they meet, and the openings that they make."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from select import select

import pytest
from click.testing import CliRunner
from support.processes import finished, running

import arena
from arena.cli import arena as command
from arena.human.in_play import at_level, default_opponent, levels_of, middle_level, opponents
from arena.match.opening_rules import SWAP, rule_named
from arena.plugins.load import Named, names


@pytest.mark.parametrize(
    ("game", "rule", "engine"),
    [
        ("gomoku", "freestyle", "strong:level=5"),
        ("gomoku", "standard", "strong:level=5"),
        ("renju", None, "strong:level=5"),
        ("tictactoe", None, "minimax"),
        ("two_eat_one", None, "piece_count"),
        ("gomoku", "caro", None),
        ("unheard of", None, None),
    ],
)
def test_the_default_is_made_for_the_game_and_has_levels_if_any_has(
    game: str, rule: str | None, engine: str | None
) -> None:
    assert default_opponent(game, rule) == engine


def test_levels_are_those_of_the_parameter() -> None:
    assert levels_of("strong") == range(1, 10)
    assert at_level("strong", middle_level("strong")) == Named("strong", {"level": 5})
    assert not levels_of("balance")
    assert at_level("balance", middle_level("balance")) == Named("balance")


def test_an_engine_that_needs_parameters_is_no_opponent() -> None:
    assert "gomocup" not in opponents()
    assert opponents()[0] == "strong"


def game_of_a_person(*arguments: str, typed: str = "resign\n") -> tuple[int, str]:
    done = CliRunner().invoke(command, ["play", *arguments], input=typed)
    return done.exit_code, done.output


def test_a_person_who_names_nobody_meets_the_default(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    code, shown = game_of_a_person("human", typed="7,7\nresign\n")
    assert code == 0
    assert "● human  ○ strong:level=5" in shown
    assert "2. ○ strong:level=5 " in shown
    _, shown = game_of_a_person("human", "--game", "tictactoe")
    assert "● human  ○ minimax" in shown
    _, shown = game_of_a_person("human", typed="quit\n")
    assert "To go on: arena play human\n" in shown


def test_an_engine_alone_has_no_opponent_and_a_person_none_by_a_rule_that_no_engine_knows() -> None:
    code, shown = game_of_a_person("strong")
    assert code == 2
    assert "Missing argument 'SECOND'" in shown
    code, shown = game_of_a_person("human", "--game", "gomoku:rule=caro")
    assert code == 2
    assert "No engine here plays gomoku by the rule caro: name one." in shown


RULES = names("opening rule")
STONES = "e5 d4 f6"


def played(folder: Path, typed: str, *words: str) -> str:
    game = ["--game", "gomoku:size=9", "--results", str(folder)]
    found = CliRunner().invoke(command, ["play", *words, *game], input=typed)
    assert found.exception is None, found.output
    return found.output


@pytest.mark.parametrize("rule", RULES)
def test_a_person_lays_three_stones_and_an_engine_chooses(rule: str, tmp_path: Path) -> None:
    typed = f"hint\n{STONES} f6\n{STONES[:5]} e5\n{STONES}\nundo\nresign\n"
    said = played(tmp_path, typed, "human", "random_mover", "--opening", rule)
    assert "You may lay three stones" in said
    assert "Make the opening first." in said
    assert "4 stones are no answer here." in said or "is occupied" in said
    assert f"{rule.capitalize()}: human laid three stones, random_mover stayed White." in said
    assert "There is nothing to take back." in said
    ((_, record),) = arena.open_run(tmp_path / "human-gomoku").records()
    assert record.made
    assert (record.made.rule, record.proposer, record.winner) == (rule, 1, 2)
    assert record.opening == "4,4 5,3 3,5"


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("answer", ["swap", "a1"])
def test_a_person_chooses_and_has_its_colour(rule: str, answer: str, tmp_path: Path) -> None:
    words = "random_mover", "human", "--opening", f"{rule} {STONES}"
    typed = f"nonsense\n{answer}\na2\nundo\nresign\n"
    said = played(tmp_path, typed, *words)
    assert SWAP in rule_named(rule).ANSWERS["three",]
    assert "or take Black (swap)" in said
    assert "unknown word 'nonsense'" in said
    assert "Taken back." in said
    ((_, record),) = arena.open_run(tmp_path / "human-gomoku").records()
    names_now = ("human", "random_mover") if answer == "swap" else ("random_mover", "human")
    assert (record.first, record.second) == names_now
    assert record.player(3 - (record.winner or 0)) == "human"
    again = played(tmp_path, typed, *words)
    assert "Kept as game 2" in again


def test_games_by_all_rules_are_kept_side_by_side(tmp_path: Path) -> None:
    for rule in [*RULES, *RULES]:
        typed = f"{STONES}\nresign\n"
        played(tmp_path, typed, "human", "random_mover", "--opening", f"{rule} a1 a2 a3")
    records = [record for _, record in arena.open_run(tmp_path / "human-gomoku").records()]
    kept = {(record.made and record.made.rule, record.round) for record in records}
    assert kept == {(rule, round) for rule in RULES for round in (1, 2)}


def test_engines_make_it_and_colours_are_told_at_the_end(tmp_path: Path) -> None:
    said = played(tmp_path, "", "random_mover", "live_dead:depth=1", "--opening", "swap2")
    assert "1. ● " not in said
    assert "4. ○ White" in said
    assert "Swap2: random_mover laid three stones, live_dead:depth=1 " in said


@pytest.mark.parametrize(
    ("opening", "game", "words"),
    [
        ("swap2 e5", "gomoku", "swap2 does not begin with 1 stones"),
        ("swap2", "two_eat_one", "swap2 is no opening of two_eat_one"),
    ],
)
def test_what_is_no_beginning_of_an_opening(
    opening: str, game: str, words: str, tmp_path: Path
) -> None:
    asked = ["play", "random_mover", "random_mover", "--opening", opening, "--game", game]
    found = CliRunner().invoke(command, asked)
    assert words in str(found.exception) + found.output


ARENA = [sys.executable, "-m", "arena"]
PLAY = [*ARENA, "play", "human", "random_mover", "--game", "tictactoe"]


class Screen:
    """Holds our end of a terminal, and all that came out of it."""

    def __init__(self, leader: int) -> None:
        self.leader = leader
        self.shown = b""

    def wait_for(self, text: str) -> None:
        """Read until this is shown; OSError if the other end is closed before."""
        while text.encode() not in self.shown:
            self.read()

    def read(self) -> bytes:
        assert select([self.leader], [], [], 60)[0], f"nothing more came after {self.shown!r}"
        more = os.read(self.leader, 4096)
        self.shown += more
        return more

    def type(self, text: str) -> None:
        self.shown = b""
        os.write(self.leader, text.encode())

    def rest(self) -> str:
        try:
            while self.read():
                pass
        except OSError:
            pass
        return self.shown.decode()


@contextmanager
def terminal(
    folder: Path, *more: str, command: Sequence[str] = PLAY, **environment: str
) -> Iterator[tuple[Screen, subprocess.Popen[bytes]]]:
    """A game in a terminal of its own, which Ctrl-C reaches."""
    leader, follower = pty.openpty()
    with ExitStack() as stack:
        stack.callback(os.close, leader)
        started = running(
            [*command, *more],
            prepare=lambda: os.login_tty(follower),
            cwd=folder,
            env={**os.environ, "TERM": "dumb", "PYTHONIOENCODING": "utf-8", **environment},
        )
        process = stack.enter_context(started)
        os.close(follower)
        yield Screen(leader), process
        process.wait(60)


def test_in_a_terminal_a_person_is_prompted(tmp_path: Path) -> None:
    with terminal(tmp_path) as (screen, process):
        screen.wait_for("● human> ")
        screen.type("1 1\r")
        screen.wait_for("2. ○ random_mover")
        screen.wait_for("● human> ")
        screen.type("resign\r")
        shown = screen.rest()
    assert "human - random_mover: 0-1, resignation" in shown
    assert "Kept as game 1 of results/human-tictactoe" in shown
    assert process.returncode == 0


@pytest.mark.parametrize(
    ("key", "code"), [("\x03", 130), pytest.param("\x04", 1, marks=pytest.mark.slow)]
)
def test_ctrl_c_and_ctrl_d_leave_politely(key: str, code: int, tmp_path: Path) -> None:
    with terminal(tmp_path, "--seed", "4") as (screen, process):
        screen.wait_for("● human> ")
        screen.type("1,1\r")
        screen.wait_for("2. ○ random_mover")
        screen.wait_for("● human> ")
        screen.type(key)
        shown = screen.rest()
    assert "To go on: arena play human random_mover --game tictactoe --opening '1,1 " in shown
    assert "--seed 4" in shown
    assert "Traceback" not in shown
    assert process.returncode == code
    assert not list(tmp_path.glob("results/*/*"))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("first", "farewell"), [("human", "To go on: arena play human"), ("random_mover", "Aborted!")]
)
def test_ctrl_c_is_heard_in_the_middle_of_a_search(
    first: str, farewell: str, tmp_path: Path
) -> None:
    """This one would take hours, and Python hears nothing before it returns."""
    search = [*ARENA, "play", first, "balance:depth=20,max_points=60"]
    with terminal(tmp_path, command=search) as (screen, process):
        if first == "human":
            screen.wait_for("● human> ")
            screen.type("7,7\r")
        screen.wait_for("1. ● ")
        time.sleep(0.3)
        screen.type("\x03")
        shown = screen.rest()
    assert farewell in shown
    assert process.returncode == 130


def piped(folder: Path, typed: bytes, *more: str) -> subprocess.CompletedProcess[bytes]:
    return finished([*PLAY, *more], cwd=folder, input=typed)


@pytest.mark.slow
def test_through_a_pipe_nobody_is_prompted(tmp_path: Path) -> None:
    done = piped(tmp_path, b"\xff\xfe\n1,1\nresign\n")
    assert done.returncode == 0, done.stderr
    assert b"human>" not in done.stdout
    assert b"is no move" in done.stdout
    assert done.stderr == b""
    done = piped(tmp_path, b"1,1")
    assert done.returncode == 1
    assert b"Left unfinished, and not kept. To go on: arena play human" in done.stderr
    assert b"Traceback" not in done.stderr


@pytest.mark.slow
def test_moves_and_records_are_for_programs_and_the_talk_is_apart(tmp_path: Path) -> None:
    record = json.loads(piped(tmp_path, b"0,0\nundo\n1,1\nresign\n", "--json").stdout)
    moves = piped(tmp_path, b"0,0\nundo\n1,1\nresign\n", "--format", "moves")
    assert moves.stdout.decode().split() == record["moves"].split()
    assert "● human  ○ random_mover" in moves.stderr.decode()


@pytest.mark.slow
def test_a_kept_game_can_be_replayed_by_the_rules(tmp_path: Path) -> None:
    assert piped(tmp_path, b"1,1\nresign\n").returncode == 0
    command = [*ARENA, "replay", "human-tictactoe", "1"]
    done = finished(command, cwd=tmp_path, text=True, check=True)
    assert "By the rules, the same; a person played, so it is not played again." in done.stdout


@pytest.mark.slow
def test_without_an_input_the_game_is_left_at_once(tmp_path: Path) -> None:
    command = " ".join([*PLAY, "<&-"])
    done = finished(command, shell=True, cwd=tmp_path)
    assert done.returncode == 1
    assert b"Traceback" not in done.stderr


def test_a_terminal_that_has_ascii_only_shows_marks_in_place_of_stones(tmp_path: Path) -> None:
    plain = {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0", "PYTHONIOENCODING": ""}
    with terminal(tmp_path, **plain) as (screen, _):
        screen.wait_for("? human> ")
        screen.type("5\n")
        screen.wait_for("? human> ")
        screen.type("\x04")
        assert "Traceback" not in screen.rest()
