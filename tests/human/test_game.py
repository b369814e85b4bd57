"""Persons at the board: what they may type, what is told them, and the record that remains."""

from __future__ import annotations

import json
import time
from dataclasses import replace
from typing import Any

import pytest
from support.samples import ROUND, Write, player

import arena
from arena import ConfigError, GameRecord, Limit, load_game
from arena.config.reader import read_config
from arena.coordinates import Coordinates
from arena.game import Game, Move, Position
from arena.games.gomoku import Gomoku
from arena.human.game import Talk, UnfinishedError, captures, play_with_persons
from arena.human.in_play import Setup
from arena.match.copies import marks_of_text
from arena.match.terms import Terms
from arena.plugins.load import Named
from arena.tournament.replay import rules_difference

SMALL = "tictactoe"


class Script:
    """A person that types these lines and then no more; it holds what was said."""

    def __init__(self, typed: str) -> None:
        self.lines = typed.split("|")
        self.said = ""
        self.prompts: list[str] = []
        self.talk = Talk(self.ask, self.say, "numbers")

    def ask(self, prompt: str) -> str:
        self.prompts.append(prompt)
        if not self.lines:
            raise EOFError
        return self.lines.pop(0)

    def say(self, text: str) -> None:
        self.said += f"{text}\n"


def setup_of(
    game: Game,
    first: str,
    second: str,
    *,
    opening: str = "",
    with_scores: bool = False,
    **terms: Any,
) -> Setup:
    named = Terms(game=Named(game.name), **terms)
    return Setup(game, (first, second), named, opening, with_scores)


def play(
    typed: str,
    first: str = "human",
    second: str = "minimax",
    game: str | Game = SMALL,
    **options: Any,
) -> tuple[GameRecord, str]:
    script = Script(typed)
    rules = load_game(game) if isinstance(game, str) else game
    return play_with_persons(setup_of(rules, first, second, **options), script.talk), script.said


def timeless(record: GameRecord) -> GameRecord:
    return replace(record, times="", detail="")


def test_a_game_is_a_record_like_any_other() -> None:
    record, _ = play("0,0|0,1|2,0|1,2|2,2", seed=5)
    assert (record.first, record.second, record.seed) == ("human", "minimax", 5)
    assert (record.winner, record.reason, record.plies) == (None, "full board", 9)
    columns = record.times, record.nodes, record.depths, record.scores
    assert {len(column.split()) for column in columns} == {9}
    assert rules_difference(load_game(SMALL), record) is None
    assert record.detail == ""


def test_what_was_taken_back_leaves_no_trace_but_a_word() -> None:
    straight, _ = play("0,0|0,1|2,0|1,2|2,2")
    winding, said = play("1,1|undo|0,0|2,2|2,1|undo|undo|undo|0,0|0,1|2,0|undo|2,0|1,2|2,2")
    assert timeless(winding) == timeless(straight)
    assert len(winding.times.split()) == 9
    assert winding.detail == "5 take-backs"
    assert said.count("Taken back.") == 5


def test_of_two_persons_each_takes_back_one_move() -> None:
    record, _ = play("0,0|1,1|undo|undo|0,1|1,1|2,2|resign", second="human")
    assert (record.first, record.second) == ("human", "human-2")
    assert record.moves == "0,1 1,1 2,2"
    assert (record.winner, record.reason) == (1, "resignation")


def test_an_opening_cannot_be_taken_back() -> None:
    record, said = play("undo|resign", opening="0,0 1,1")
    assert "There is nothing to take back." in said
    assert (record.opening, record.moves) == ("0,0 1,1", "0,0 1,1")


def test_a_take_back_turns_back_the_engine_and_its_clock(write: Write) -> None:
    choose = """
    self.asked = getattr(self, "asked", 0) + 1
    time.sleep(0.02)
    return Choice(self.game.moves(p)[0], score=int(1000 * limit.time_left), depth=self.asked)
    """
    own = str(write(player(choose).replace("        pass", "        self.asked = 0", 1), "own.py"))
    clock = Limit(time_left=1.0, increment=0.0)
    record, _ = play("2,2|2,1|undo|undo|2,2|resign", second=own, limit=clock)
    assert record.scores == "- 1000 -"
    assert record.depths == "0 1 0", "new_game was called again"
    record, _ = play("2,2|2,1|undo|2,1|resign", second=own, limit=clock)
    first, second = record.scores.split()[1::2]
    assert int(second) < int(first) == 1000, "what was used before is not given back"


def test_what_an_engine_expects_is_kept_of_every_part_of_a_game(write: Write) -> None:
    choose = """
    moves = self.game.moves(p)
    return Choice(moves[0], pv=moves[:2], info={"ply": p.ply})
    """
    own = str(write(player(choose), "own.py"))
    record, _ = play("2,2|2,1|undo|2,0|resign", second=own)
    assert record.moves == "2,2 0,0 2,0 0,1"
    assert record.pv == "|0,1||0,2|"
    assert json.loads(record.info) == {"second": {"ply": [1, 3]}}
    game = load_game(SMALL)
    assert (record.start, record.digest) == marks_of_text(game, "", record.moves)


def test_scores_are_whole_numbers_in_every_part_of_a_game(write: Write) -> None:
    own = str(write(player("return Choice(self.game.moves(p)[0], score=1.9)"), "own.py"))
    record, _ = play("2,2|2,1|undo|2,1|resign", second=own)
    assert record.scores == "- 1 - 1 -"


def test_a_person_is_never_hurried() -> None:
    class Slow(Script):
        def ask(self, prompt: str) -> str:
            time.sleep(0.1)
            return super().ask(prompt)

    script = Slow("resign")
    setup = setup_of(load_game(SMALL), "human", "minimax", limit=Limit(seconds=0.01))
    record = play_with_persons(setup, script.talk)
    assert record.reason == "resignation"
    assert 0.1 < float(record.times) < 60


def test_scores_are_from_the_persons_side() -> None:
    record, said = play("score|line|0,1|2,2|score|line|resign", first="minimax", second="human")
    engine_scores = [score for score in record.scores.split() if score != "-"]
    assert engine_scores[-1] == "1"
    assert "minimax scored -1 for you" in said
    assert "minimax expects " in said


def test_what_is_asked_before_an_engine_has_moved() -> None:
    _, said = play("score|resign")
    assert "minimax has not moved yet." in said
    _, said = play("score|resign", second="human")
    assert "No engine is playing" in said
    _, said = play("0,0|score|line|resign", second="random_mover")
    assert "random_mover gave no score." in said
    assert "random_mover gave no line." in said


def test_what_is_asked_after_a_take_back_is_of_the_moves_that_are_left() -> None:
    _, said = play("0,0|undo|score|0,0|0,1|undo|score|line|resign")
    assert "minimax has not moved yet." in said
    assert said.count("minimax scored ") == said.count("minimax expects ") == 1


def test_what_an_opening_took_off_the_board_is_not_told() -> None:
    game = load_game("two_eat_one")
    start = game.start()
    p = game.play(start, game.moves(start)[0])
    assert captures(start, game.play(p, game.moves(p)[0]), Coordinates(game.size)) == ""


def test_scores_can_come_with_every_move() -> None:
    _, said = play("0,0|0,1|resign", with_scores=True)
    assert said.count("minimax scored ") == said.count("minimax expects ") == 2


def test_a_hint_changes_nothing_of_the_game() -> None:
    plain, _ = play("0,0|resign", second="random_mover", seed=3)
    hinted, said = play("hint|0,0|hint|hint|resign", second="random_mover", seed=3)
    assert timeless(hinted) == timeless(plain)
    assert said.count("random_mover would play ") == 3
    assert hinted.detail == "3 hints"


def test_a_hint_is_the_same_whenever_it_is_asked() -> None:
    _, said = play("hint|hint|hint|hint|resign", second="random_mover")
    hints = [line for line in said.splitlines() if "would play" in line]
    assert len(hints) == 4
    assert len(set(hints)) == 1


def test_two_persons_are_helped_by_an_engine_made_for_the_game() -> None:
    _, said = play("hint|resign", second="human")
    assert "minimax would play " in said


@pytest.mark.parametrize(
    ("choose", "words"),
    [
        ("raise ValueError('no idea')", "has no hint: ValueError: no idea"),
        ("return Choice(None)", "would resign"),
        ("return Choice(-1)", "would play something illegal"),
    ],
)
def test_a_hint_that_fails_costs_nothing(choose: str, words: str, write: Write) -> None:
    record, said = play("hint|resign", second=str(write(player(choose), "own.py")))
    assert words in said
    assert record.reason == "resignation"
    assert record.winner == 2


def test_an_engine_that_fails_has_lost(write: Write, caplog: pytest.LogCaptureFixture) -> None:
    own = str(write(player("raise ValueError('no idea')"), "own.py"))
    record, _ = play("0,0", second=own)
    assert (record.winner, record.reason) == (1, "exception")
    assert "Traceback" in caplog.text


def test_an_engine_that_cannot_begin_has_lost_at_its_own_seat(write: Write) -> None:
    source = player("return Choice(0)").replace("        pass", "        raise ValueError(seed)", 1)
    own = str(write(source, "own.py"))
    for first, second, winner in (("human", own, 1), (own, "human", 2)):
        record, _ = play("", first=first, second=second, seed=40)
        assert (record.winner, record.reason, record.plies) == (winner, "exception", 0)
        assert f"ValueError: {43 - winner}" in record.detail


class Touchy(Gomoku):
    """A game where the middle is forbidden to the first player."""

    def forbidden(self, p: Position, move: Move) -> str | None:
        return "double-three" if p.turn == 1 and move == 4 else None


def test_a_forbidden_move_is_explained_and_asked_again() -> None:
    game = Touchy("tictactoe", 3, 3, "freestyle")
    record, said = play("1,1|0,0|1,1|resign", second="human", game=game)
    assert said.count("1,1 is forbidden here: double-three. It would lose the game.") == 1
    assert record.moves == "0,0 1,1"


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("0,0|0,0", "0,0 is occupied."),
        ("3,0", "'3,0' is off the board: rows and columns go from 0 to 2"),
        ("7,-3", "'7,-3' is no move. Write one such as 1,1, or ? for help."),
        ("one", "unknown word 'one'; there is "),
        ("resgn", "did you mean 'resign'?"),
        ("?", "ask minimax for a move"),
        ("Help", "leave the game unfinished"),
        ("", ""),
    ],
)
def test_what_is_no_move_is_explained(typed: str, words: str) -> None:
    record, said = play(f"{typed}|resign")
    assert words in said
    assert record.reason == "resignation"


@pytest.mark.parametrize(("typed", "code"), [("0,0|quit", 0), ("0,0", 1)])
def test_a_game_can_be_left(typed: str, code: int) -> None:
    with pytest.raises(UnfinishedError) as caught:
        play(typed)
    assert (caught.value.code, caught.value.moves) == (code, "0,0 1,1")


def test_ctrl_c_leaves_the_game_too() -> None:
    def ask(prompt: str) -> str:
        raise KeyboardInterrupt

    with pytest.raises(UnfinishedError) as caught:
        play_with_persons(
            setup_of(load_game(SMALL), "human", "minimax"), Talk(ask, lambda text: None)
        )
    assert caught.value.code == 130


def test_a_fault_of_ours_is_no_result() -> None:
    def ask(prompt: str) -> str:
        raise BrokenPipeError

    with pytest.raises(BrokenPipeError):
        play_with_persons(
            setup_of(load_game(SMALL), "human", "minimax"), Talk(ask, lambda text: None)
        )


def test_the_prompt_says_who_is_to_move() -> None:
    script = Script("0,0|1,1|resign")
    play_with_persons(setup_of(load_game(SMALL), "human", "human"), script.talk)
    assert script.prompts == ["● human> ", "○ human-2> ", "● human> "]


def test_no_person_sits_in_a_tournament(write: Write) -> None:
    file = write(ROUND.replace("name: one, engine: random_mover", "engine: human"))
    with pytest.raises(ConfigError, match=r"round.yaml:4:\d+: human is a person"):
        read_config(file)
    with pytest.raises(ConfigError, match="human is a person"):
        arena.play("tictactoe", "human", "minimax")
