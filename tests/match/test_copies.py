"""Copies: games that are the same by another way have the same marks, and no others do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest
from support.game_records import game as played

from arena import load_game
from arena.game import Game, Move, Position, Symmetric, symmetries
from arena.games.gomoku import Gomoku
from arena.match.copies import marks, marks_of_text, notes_on
from arena.match.game_row import pair_identity, row_of
from arena.match.play import moves_text
from arena.match.record import GameRecord
from arena.report.standings import Tally

BOARD = load_game("gomoku:size=15")
LINE = "7,8 6,8 8,7 6,6 5,5 9,9"


def marked(opening: str, rest: str = LINE, game: Game = BOARD) -> tuple[str, str]:
    return marks_of_text(game, opening, f"{opening} {rest}")


def identity(there: GameRecord, back: GameRecord) -> int:
    return pair_identity(row_of(there), row_of(back))


def images(game: Game, text: str) -> list[str]:
    assert isinstance(game, Symmetric)
    moves = [game.parse(each) for each in text.split()]
    return [
        moves_text(game, [game.turned(move, each) for move in moves]) for each in game.symmetries
    ]


def test_a_game_is_a_copy_on_the_board_turned_or_mirrored() -> None:
    opening = "7,7 9,9 7,8"
    whole = f"{opening} 6,9 8,7 6,6 5,5 9,8"
    found = {marks_of_text(BOARD, opening, each) for each in images(BOARD, whole)}
    assert len(set(images(BOARD, whole))) == 8
    assert len(found) == 1


def test_the_images_of_an_opening_are_made_once_for_all_its_games() -> None:
    class Counted(Gomoku):
        looks = 0

        @property  # type: ignore[override]
        def symmetries(self) -> Sequence[Sequence[Move]]:
            self.looks += 1
            return symmetries(self.size)

        @symmetries.setter
        def symmetries(self, value: object) -> None:
            pass

    game = Counted("gomoku", 15, 5, "freestyle")
    one, looks = marked("7,7 9,9", game=game), game.looks
    other = marked("7,7 9,9", "1,1", game=game)
    assert one[0] == other[0]
    assert one[1] != other[1]
    assert game.looks - looks <= 1, "and that one asks whether the game has any"


def test_two_eat_one_is_mirrored_and_not_turned() -> None:
    game = load_game("two_eat_one")
    left, right = marked("0,0-1,0", "4,4-3,4", game), marked("0,4-1,4", "4,0-3,0", game)
    assert left == right
    assert marked("0,1-1,1", "4,4-3,4", game) != left
    p = game.start()
    upside_down = Position(p.cells[::-1], p.turn)
    assert marks(game, p, p) != marks(game, upside_down, upside_down)


def test_of_a_game_without_symmetries_the_plain_moves_count() -> None:
    class Plain:
        """A game as the contract asks for, and no more."""

        start, play = staticmethod(BOARD.start), staticmethod(BOARD.play)
        parse, is_legal = staticmethod(BOARD.parse), staticmethod(BOARD.is_legal)

    game: Game = Plain()  # type: ignore[assignment]
    one, other = marked("7,7 9,9 7,9", game=game), marked("7,9 9,9 7,7", game=game)
    assert one == marked("7,7 9,9 7,9", game=game)
    assert set(one).isdisjoint(other)


def test_it_counts_who_is_to_move() -> None:
    cells = BOARD.start().cells
    found = {marks(BOARD, p, p) for p in (Position(cells, 1), Position(cells, 2))}
    assert len(found) == 2


@pytest.mark.parametrize("name", ["gomoku:size=9", "renju", "tictactoe", "two_eat_one"])
def test_marks_are_those_of_a_slow_and_obvious_search(name: str) -> None:
    """Of moves on few points: openings come turned, by other orders, and symmetric themselves."""
    game, random = load_game(name), Random(3)
    assert isinstance(game, Symmetric)
    few = {turn[cell] for turn in game.symmetries for cell in (0, len(game.start().cells) // 2)}
    starts, wholes = dict[str, set[str]](), dict[tuple[str, str], set[str]]()
    for _ in range(300):
        p = opening = game.start()
        plies = random.randrange(5)
        while not game.outcome(p) and p.ply < 6:
            near = [move for move in game.moves(p) if move in few] or game.moves(p)[:4]
            p = game.play(p, random.choice(near))
            opening = p if p.ply <= plies else opening
        images = [
            (
                sorted((turn[cell], stone) for cell, stone in enumerate(opening.cells) if stone),
                opening.turn,
                [game.turned(move, turn) for move in p.moves[opening.ply :]],
            )
            for turn in game.symmetries
        ]
        found = marks(game, opening, p)
        starts.setdefault(found[0], set()).add(repr(min(images)[:2]))
        wholes.setdefault(found, set()).add(repr(min(images)))
    for same in (starts, wholes):
        assert all(len(each) == 1 for each in same.values())
        assert len(set.union(*same.values())) == len(same) > 5
    assert len(wholes) < 300, "some were copies"


def test_marks_are_short_and_the_same_on_every_machine() -> None:
    assert marked("7,7 9,9 7,9") == ("lzkl7fp2", "yum3cftl2plu4")


def test_copies_have_the_same_players_and_colours() -> None:
    start, digest = marked("7,7 9,9 7,9")
    there = replace(played("a", "b", 1), start=start, digest=digest)
    back = replace(played("b", "a", 1), start=start, digest=digest)
    again = [replace(each, opening="7,9 9,9 7,7", moves="x") for each in (there, back)]
    assert identity(there, back) == identity(*again)
    assert identity(there, back) != identity(*(replace(each, first="c") for each in again))


def test_a_pair_is_a_copy_whichever_of_its_games_ends_first() -> None:
    there, back = replace(played("a", "b", 1), digest="x"), replace(played("b", "a", 1), digest="y")
    assert identity(there, back) == identity(back, there)
    tally = Tally("ab")
    tally.add(map(row_of, (there, back, *(replace(each, round=2) for each in (back, there)))))
    assert tally.standing("a").distinct_pairs == 1


def test_openings_that_are_alike_are_told() -> None:
    alike = ["7,7 9,9 7,9", "7,9 9,9 7,7", "7,7 8,8", "7,7 5,5 7,5", "7,7 6,6"]
    (note,) = notes_on(BOARD, alike)
    assert "(opening 2 as 1, 4 as 1, 5 as 3):" in note
    assert "5 as 3 and 1 more)" in notes_on(BOARD, [*alike, "7,7 6,8"])[0]
    assert notes_on(BOARD, ["7,7 9,9 7,9", "7,7 8,8"]) == []
