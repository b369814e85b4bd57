"""The opening rule swap2, as our brains play it."""

from __future__ import annotations

import re
import time

import pytest
from support.brain_talks import conversation, last_said, said

from arena.engine import Choice, Limit
from arena.game import Position
from arena.games.gomoku import Gomoku
from arena.gomocup.engine_as_brain.conversation import position_of, side_chosen, three_stones

GAME = Gomoku("gomoku", 15, 5, "freestyle")
THREE = ["7,7", "8,8", "9,9"]
FIVE = [*THREE, "6,8", "5,5"]


def test_the_opening_is_the_one_nearest_to_balance() -> None:
    seen = dict[tuple[int, ...], int]()

    def search(p: Position, limit: Limit) -> Choice:
        seen[p.moves] = sum(p.moves) - 330
        return Choice(0, seen[p.moves])

    chosen = three_stones(GAME, Limit(), search)
    assert len(seen) > 10
    assert abs(seen[tuple(chosen)]) == min(map(abs, seen.values()))
    assert len(set(chosen)) == 3
    assert chosen == three_stones(GAME, Limit(), search)


def test_an_opening_is_chosen_in_time() -> None:
    def search(p: Position, limit: Limit) -> Choice:
        time.sleep(limit.seconds or 0)
        return Choice(0, 5)

    began = time.monotonic()
    three_stones(GAME, Limit(seconds=0.05), search)
    assert time.monotonic() - began < 0.5


@pytest.mark.parametrize("stones", [3, 5])
@pytest.mark.parametrize(
    ("choice", "answer"),
    [
        (Choice(100, 50), "10,6"),
        (Choice(100, 0), "10,6"),
        (Choice(100), "10,6"),
        (Choice(100, -1), "SWAP"),
        (Choice(None), "SWAP"),
    ],
)
def test_the_better_side_is_taken(stones: int, choice: Choice, answer: str) -> None:
    p = position_of(15, [112, 128, 144, 126, 80][:stones])
    found, _ = side_chosen(GAME, p, Limit(), lambda p, limit: choice)
    assert found == answer


def test_a_brain_takes_part_in_swap2() -> None:
    talk = conversation()
    opening = last_said(talk, "START 15", "SWAP2BOARD", "DONE")
    assert re.fullmatch(r"\d+,\d+ \d+,\d+ \d+,\d+", opening)
    move = r"\d+,\d+"
    assert re.fullmatch(move, last_said(talk, "SWAP2BOARD", *THREE, "DONE"))
    assert re.fullmatch(move, last_said(talk, "SWAP2BOARD", *FIVE, "DONE"))
    assert re.fullmatch(move, last_said(talk, "TURN 0,0"))
    assert said(talk, "SWAP2BOARD", *FIVE, "DONE", "RESTART")[-1] == "OK"


@pytest.mark.parametrize(
    ("stones", "words"),
    [
        (["7,7"], "SWAP2BOARD has 0, 3 or 5 stones, not 1"),
        (["7,7", "7,7", "8,8"], "7,7 is on a stone"),
        (["7,7", "15,7", "8,8"], "15,7 is off the board"),
        (["7,7", "x", "8,8"], "'x' is no point: x,y"),
    ],
)
def test_what_is_no_opening_is_refused(stones: list[str], words: str) -> None:
    talk = conversation()
    said(talk, "START 15")
    assert last_said(talk, "SWAP2BOARD", *stones, "DONE") == f"ERROR {words}"
