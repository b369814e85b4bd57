"""Persons at the board: what they may type, what is told them, and the record that remains."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from support.samples import ROUND, Write, player

import arena
from arena import ConfigError, GameRecord, Limit, load_game
from arena.config.reader import read_config
from arena.coordinates import Coordinates
from arena.engine import Remark
from arena.game import Game, Move
from arena.human.game import Talk, UnfinishedError, captures, play_with_persons
from arena.human.in_play import Help, Setup, answer, game_after, record_of, taken_back
from arena.match.copies import marks_of_text
from arena.match.play import GameInPlay
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


def test_an_engine_that_says_nothing_has_no_score_and_no_line() -> None:
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


def test_a_word_that_is_none_is_explained_by_one_that_is_like_it() -> None:
    _, said = play("resgn|resign")
    assert "did you mean 'resign'?" in said


def test_a_forbidden_move_is_explained_to_the_one_who_may_not_play_it() -> None:
    stones = "7,6 0,0 7,8 0,2 6,7 0,4 8,7 0,6"
    record, said = play("7,7|9,9|7,7|resign", second="human", game="renju", opening=stones)
    assert said.count("7,7 is forbidden here: double-three. It would lose the game.") == 1
    assert record.moves == f"{stones} 9,9 7,7"


@pytest.mark.parametrize(("typed", "code"), [("0,0|quit", 0), ("0,0", 1)])
def test_a_game_can_be_left(typed: str, code: int) -> None:
    with pytest.raises(UnfinishedError) as caught:
        play(typed)
    assert (caught.value.code, caught.value.moves) == (code, "0,0 1,1")


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


CLOCK = Limit(time_left=100.0, increment=0.5)


def setup_with(*players: str, limit: Limit = CLOCK, opening: str = "", **terms: int) -> Setup:
    first, second = players
    named = Terms(game=Named("gomoku", {"size": 5}), limit=limit, seed=3, margin=1.0, **terms)  # type: ignore[arg-type]
    return Setup(load_game("gomoku:size=5"), (first, second), named, opening)


def said(ply: int, move: Move) -> Remark:
    """The remark of an engine whose answer at each ply is another one."""
    return Remark(ply % 2 + 1, 0.5 + ply / 64, ply, ply + 1, ply - 5, str(move), {"ply": ply})


def check(setup: Setup, play: GameInPlay) -> None:
    """The clocks and remarks are those of the moves on the board, and of no others."""
    assert [each.seat for each in play.remarks] == [ply % 2 + 1 for ply in range(play.p.ply)]
    used = [
        sum(each.seconds - 0.5 for each in play.remarks if each.seat == seat) for seat in (1, 2)
    ]
    left = [clock.limit.time_left for clock in play.clocks]
    for seat in (1, 2):
        expected = None if seat in setup.persons else pytest.approx(100 - used[seat - 1])
        assert left[seat - 1] == expected


def played(setup: Setup, moves: Sequence[Move], back: Random | None) -> GameRecord:
    """The record of a game of these moves, with take-backs and restarts by chance."""
    play = game_after(setup)
    while not play.outcome:
        draw = back.random() if back else 1
        if draw < 0.2 and (before := taken_back(setup, play)):
            assert before.p.turn in setup.persons
            assert before.p.ply < play.p.ply
            play = before
        if draw > 0.9:
            play = game_after(setup, play.answers)
        check(setup, play)
        ply = play.p.ply
        if play.p.turn in setup.persons:
            answer(play, moves[ply], 100.0)
        else:
            play.answered(moves[ply], said(ply, moves[ply]))
    return record_of(play, Help())


@pytest.mark.parametrize("players", [("human", "x"), ("x", "human"), ("human", "human")], ids=str)
@pytest.mark.parametrize("seed", range(8))
def test_a_game_is_the_same_whatever_was_taken_back(seed: int, players: tuple[str, str]) -> None:
    setup, moves = setup_with(*players), list(range(25))
    Random(seed).shuffle(moves)
    assert played(setup, moves, Random(seed + 1000)) == played(setup, moves, None)


def test_with_no_move_of_a_person_there_is_nothing_to_take_back() -> None:
    setup = setup_with("x", "human", opening="0,0 1,1")
    play = game_after(setup)
    assert taken_back(setup, play) is None
    play.answered(2, said(2, 2))
    assert taken_back(setup, play) is None
    answer(play, 3, 1.0)
    before = taken_back(setup, play)
    assert before
    assert (before.p.ply, len(before.remarks)) == (3, 1)


@pytest.mark.parametrize("last", [4, None, 0])
def test_a_game_goes_on_before_the_answer_that_ended_it(last: Move | None) -> None:
    setup = setup_with("human", "human")
    answers = [(move, said(ply, move)) for ply, move in enumerate((0, 10, 1, 11, 2, 12, 3, 13))]
    play = game_after(setup, [*answers, (last, said(8, 4)), (24, said(9, 24))])  # type: ignore[list-item]
    assert (play.outcome, play.answers) == (None, answers)


def test_a_cap_on_plies_is_kept_to_by_games_that_go_on() -> None:
    setup = setup_with("human", "human", max_plies=3)
    answers = [(move, said(move, move)) for move in range(2)]
    play = game_after(setup, answers)
    assert play.outcome is None
    answer(play, 2, 0.0)
    assert play.outcome
    assert play.outcome.reason == "ply cap"


def test_an_engine_has_the_margin_of_the_terms() -> None:
    play = game_after(setup_with("x", "human", limit=Limit(seconds=1.0)))
    play.answered(0, Remark(1, 1.75))
    assert play.outcome is None
    answer(play, 1, 1000.0)
    play.answered(2, Remark(1, 2.25))
    assert play.outcome
    assert (play.outcome.winner, play.outcome.reason) == (2, "time")


def test_help_is_told_after_the_end_in_the_record() -> None:
    play = game_after(setup_with("human", "human"))
    answer(play, None, 0.25)
    found = record_of(play, Help(1, 2))
    assert (found.winner, found.reason, found.times) == (2, "resignation", "0.250000")
    assert found.detail == "1 take-back, 2 hints"
    play = game_after(setup_with("human", "x"))
    play.answered(0, said(0, 0))
    play.answered(0, said(1, 0))
    assert record_of(play, Help(0, 1)).detail == "0,0; 1 hint"
    assert replace(record_of(play, Help()), detail="") == replace(play.record(), detail="")
