"""Games whose moves are taken back, in any order: nothing remains of what was taken back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest

from arena import Choice, Limit, load_game
from arena.engine import Engine
from arena.game import Move, Position
from arena.human.parts import AgainError, limits_after, moves_after, play_parts
from arena.human.setup import Setup
from arena.human.take_back import Help, Note, Seat, TakeBackError, last_decision
from arena.match.play import moves_text
from arena.match.record import GameRecord
from arena.match.terms import Terms
from arena.plugins.load import Named

CLOCK = Limit(time_left=100.0, increment=0.0)


class Scripted:
    """A player of these moves, in a game whose every answer may be taken back first."""

    def __init__(self, moves: Sequence[Move], back: Random | None, notes: list[Note]) -> None:
        self._moves = moves
        self._back = back
        self._notes = notes
        self.starts = 0

    def new_game(self, seed: int) -> None:
        self.starts += 1

    def choose(self, p: Position, limit: Limit) -> Choice:
        if self._back:
            self._maybe_go_back(self._back)
        return Choice(self._moves[p.ply], score=p.ply, depth=p.ply + 1, pv=(self._moves[p.ply],))

    def _maybe_go_back(self, back: Random) -> None:
        draw = back.random()
        if draw < 0.2 and (note := last_decision(self._notes, [1, 2])) is not None:
            raise TakeBackError(note)
        if draw < 0.3:
            raise AgainError

    def close(self) -> None:
        pass


def played(moves: Sequence[Move], back: Random | None) -> tuple[GameRecord, list[Note]]:
    game, notes = load_game("gomoku:size=5"), list[Note]()
    terms = Terms(game=Named("gomoku", {"size": 5}), limit=CLOCK, seed=3, remarks=True)
    setup = Setup(game, ("one", "two"), terms)
    seats: tuple[Engine, Engine] = (
        Scripted(moves, back, notes),
        Scripted(moves, back, notes),
    )
    seated = Seat(seats[0], notes), Seat(seats[1], notes)

    def watch(p: Position) -> None:
        assert moves_text(game, p.moves) == moves_after(setup, notes)
        assert [note.p.ply for note in notes] == list(range(p.ply))
        used = [sum(note.seconds for note in notes if note.p.turn == seat) for seat in (1, 2)]
        left = [limit.time_left for limit in limits_after(notes, setup.limits)]
        assert left == pytest.approx([100 - each for each in used], abs=0.01)

    return play_parts(setup, seated, notes, Help(), watch), notes


@pytest.mark.parametrize("seed", range(20))
def test_a_game_is_the_same_whatever_was_taken_back(seed: int) -> None:
    moves = list(range(25))
    Random(seed).shuffle(moves)
    straight, _ = played(moves, None)
    winding, notes = played(moves, Random(seed + 1000))
    assert replace(winding, times="") == replace(straight, times="")
    assert len(winding.times.split()) == len(notes) == winding.plies


def test_with_nothing_played_there_is_nothing_to_take_back() -> None:
    assert last_decision([], [1, 2]) is None
