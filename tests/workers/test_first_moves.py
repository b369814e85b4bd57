"""One move of each program before the first game: what of it is told, and what is not."""

from __future__ import annotations

import sys
import time
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console
from support.players import Idle
from support.samples import Write, player

import arena
from arena.engine import Choice, Limit, Needs
from arena.game import Position
from arena.games.gomoku import game as gomoku
from arena.match.terms import Clock
from arena.report.live import watching
from arena.workers.referee import move_on_trial, notes_on_move, notes_on_needs

FIRST = Path(__file__).parents[1] / "data" / "brain_first.py"
OPENING = "4,4 4,5 3,4"
BOARD = f"""\
game: {{gomoku: {{size: 9}}}}
openings: {{list: ["{OPENING}"]}}
max_plies: 6
"""
OTHER = "  - {name: other, engine: random_mover}\n"
READ = '    word, _, rest = line.strip().partition(" ")\n'
"""The line by which that brain reads a command."""


class Answers(Idle):
    """An engine that gives an answer after a while, or raises it."""

    def __init__(self, answer: int | Exception | None, seconds: float = 0.0) -> None:
        self.answer = answer
        self.seconds = seconds

    def choose(self, p: Position, limit: Limit) -> Choice:
        time.sleep(self.seconds)
        if isinstance(self.answer, Exception):
            raise self.answer
        return Choice(self.answer)


def notes_of_move(answer: int | Exception | None, seconds: float, clock: Clock) -> list[str]:
    took, verdict = move_on_trial(gomoku(size=9), Answers(answer, seconds), OPENING, clock)
    return [*notes_on_move("mine", clock, took, verdict)]


def test_a_move_within_its_limit_is_not_told() -> None:
    for limit in (Limit(), Limit(depth=3), Limit(seconds=60.0), Limit(time_left=60.0)):
        assert not notes_of_move(0, 0.0, Clock(limit))


@pytest.mark.parametrize("limit", [Limit(seconds=0.1), Limit(time_left=0.1), Limit(60, 1, 0.1, 9)])
def test_a_move_that_the_margin_lets_pass_is_told_with_its_limit(limit: Limit) -> None:
    (note,) = notes_of_move(0, 0.12, Clock(limit, 30.0))
    assert note.startswith("mine took 0.1")
    assert note.endswith(" s for a first move; its limit is 0.1 s, and the margin 30 s.")


def test_a_move_that_is_too_late_is_told_with_what_it_was_over() -> None:
    (note,) = notes_of_move(0, 0.12, Clock(Limit(seconds=0.01), 0.01))
    assert note.startswith("mine failed in a first move before any game: time, 0.1")
    assert note.endswith(" s over. The machine may be too busy.")


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (ValueError("lost"), "exception, ValueError: lost"),
        (40, "illegal move, 4,4."),  # a stone of the opening
        (81, "illegal move, 81."),
        (None, "resignation."),
    ],
)
def test_a_losing_move_is_told_with_its_reason(answer: int | Exception | None, words: str) -> None:
    (note,) = notes_of_move(answer, 0.0, Clock(Limit()))
    assert note.startswith(f"mine failed in a first move before any game: {words}")


HELD = "mine held {} MB of memory after a first move, and was told 350; it is ended at {} MB."


@pytest.mark.parametrize(
    ("needs", "notes"),
    [
        (Needs(15.0, 30.0, 0, 350, 385), []),
        (Needs(15.1, 30.0, 0, 350, 385), ["mine took 15.1 s to start; startup allows 30 s."]),
        (Needs(0.1, 30.0, 360, 350, 385), []),  # 350 that it was told, and 10
        (Needs(0.1, 30.0, 366, 350, 385), [HELD.format(366, 385)]),
        (Needs(0.1, 30.0, 385, 350, 1000), []),
        (Needs(0.1, 30.0, 387, 350, 1000), [HELD.format(387, 1000)]),
    ],
)
def test_more_than_half_the_time_or_nearly_all_memory_is_told(
    needs: Needs, notes: list[str]
) -> None:
    assert [*notes_on_needs("mine", needs)] == notes


def brain(folder: Path, name: str, at_start: str = "", at_move: str = "") -> str:
    """An entry for a brain that does something before it answers START, and before each move."""
    text = FIRST.read_text(encoding="utf-8")
    acts = {"START": at_start, "BEGIN": at_move, "TURN": at_move, "BOARD": at_move}
    lines = "".join(f"    if word == {word!r}: {act}\n" for word, act in acts.items() if act)
    assert READ in text
    file = folder / f"pbrain-{name}"
    made = text.replace(READ, READ + lines).replace("import sys", "import os, sys, time", 1)
    file.write_text(f"#!{sys.executable} -S\n{made}", encoding="utf-8")
    file.chmod(0o755)
    return f"{{name: {name}, engine: ./{file.name}}}"


def lines_of_run(folder: Path, *entries: str, terms: str = "") -> list[str]:
    """The lines of a run of these entries, and of one player more."""
    file = folder / "round.yaml"
    engines = "".join(f"  - {entry}\n" for entry in entries)
    file.write_text(f"{BOARD}{terms}engines:\n{engines}{OTHER}", encoding="utf-8")
    told: list[str] = []
    with watching(Console(file=StringIO()), told.append) as watch:
        arena.run(file, workers=1, results=folder, watch=watch)
    return told


@pytest.mark.slow
def test_a_brain_that_needs_nearly_all_it_may_is_told_before_any_game(tmp_path: Path) -> None:
    slow = brain(tmp_path, "slow", "time.sleep(2.2)").replace("}", ", startup: 4}")
    large = brain(tmp_path, "large", "held = bytearray(b'x') * 215_000_000")
    first, *games = lines_of_run(tmp_path, slow, large, terms="memory: 200\n")
    notes = first.splitlines()
    assert notes[-1] == "0/6 games"
    assert "slow took 2." in notes[0]
    assert notes[0].endswith(" s to start; startup allows 4 s.")
    assert notes[1].startswith("large held 2")
    assert notes[1].endswith(
        " MB of memory after a first move, and was told 200; it is ended at 220 MB."
    )
    assert len(notes) == 3
    assert len(games) == 6


def test_a_brain_that_fails_at_once_is_told_and_loses_all_the_same(tmp_path: Path) -> None:
    lost = brain(tmp_path, "lost", at_move="say('ERROR no licence'); continue")
    late = brain(tmp_path, "late", at_move="time.sleep(9)")
    first, *games = lines_of_run(tmp_path, lost, late, terms="limit: {seconds: 0.2}\n")
    failed = "failed in a first move before any game"
    assert f"lost {failed}: exception, its program answered with: ERROR no licence" in first
    assert f"late {failed}: time, its program did not move within 0.200 s" in first
    assert "> BOARD 4,4" in first
    assert len(games) == 6


@pytest.mark.slow
def test_the_trial_is_one_from_the_first_opening_for_players_alike(tmp_path: Path) -> None:
    told = tmp_path / "told"
    count = f"open({str(told)!r}, 'a').write(str(os.getpid()) + chr(10))"
    one = brain(tmp_path, "one", at_move=count)
    two = one.replace("name: one", "name: two")
    other = one.replace("name: one", "name: other-limit").replace("}", ", limit: {seconds: 9}}")
    file = tmp_path / "round.yaml"
    file.write_text(f"{BOARD}engines:\n" + "".join(f"  - {e}\n" for e in (one, two, other)))
    asked = list[int]()

    def watch(progress: object) -> None:
        asked.append(len(told.read_text().splitlines()))

    arena.run(file, workers=1, results=tmp_path, watch=watch)
    assert asked[0] == 2, "one for each of two that differ"
    played = asked[-1]
    arena.run(file, workers=1, results=tmp_path, watch=watch)
    assert asked[-1] == played, "no game was missing"
    arena.run(file, workers=1, results=tmp_path, watch=watch, fresh=True)
    assert asked[-1] == 2 * played


def test_one_game_alone_has_no_trial(tmp_path: Path) -> None:
    told = tmp_path / "told"
    brain(tmp_path, "one", at_move=f"open({str(told)!r}, 'a').write('x')")
    arena.play("gomoku:size=9", str(tmp_path / "pbrain-one"), "random_mover", opening=OPENING)
    moves = len(told.read_text())
    game = arena.play(
        "gomoku:size=9", str(tmp_path / "pbrain-one"), "random_mover", opening=OPENING
    )
    assert len(told.read_text()) - moves == (game.plies - 3) // 2


def test_a_terminal_shows_the_notes_once(tmp_path: Path) -> None:
    file = tmp_path / "round.yaml"
    entry = brain(tmp_path, "lost", at_move="say('ERROR'); continue")
    file.write_text(f"{BOARD}engines:\n  - {entry}\n{OTHER}", encoding="utf-8")
    console = Console(file=StringIO(), force_terminal=True, width=300)
    with watching(console, print) as watch:
        arena.run(file, workers=1, results=tmp_path, watch=watch)
    assert isinstance(console.file, StringIO)
    assert console.file.getvalue().count("lost failed in a first move") == 1


def test_a_program_of_an_own_engine_is_started_whatever_it_tells_of_itself(write: Write) -> None:
    started = "    def start(self, conditions):\n        self.conditions = conditions\n\n"
    source = player("self.conditions; return Choice(self.game.moves(p)[0])")
    write(source.replace("    def new_game", f"{started}    def new_game"), "mine.py")
    file = write(f"{BOARD}engines:\n  - {{name: mine, engine: ./mine.py}}\n{OTHER}")
    run = arena.run(file, workers=0, results=file.parent / "results")
    assert set(run.games()["reason"]) == {"ply cap"}
