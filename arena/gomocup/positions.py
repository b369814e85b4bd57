"""Positions to check brains with: a fixed list, in which no side has won."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

from arena.game import Game, Move, Position

COUNTS_OF_STONES = (1, 2, 3, 4, 6, 9, 13, 20, 30, 45, 65, 90, 120, 150, 180, 200)
"""Numbers of stones, in turn."""
MOST_TRIED = 40
REACH_OF_MOVES = 2
SHARE_AFIELD = 0.15
"""Part of the stones that are put anywhere, not near others."""


def quiet_move(game: Game, p: Position, random: Random) -> Move | None:
    """A move after which the game goes on; None if it is over, or no such move was found."""
    if game.outcome(p):
        return None
    empty = [cell for cell, stone in enumerate(p.cells) if not stone]
    afield = SHARE_AFIELD + len(p.moves) / len(p.cells)
    for _ in range(MOST_TRIED):
        is_near = p.moves and random.random() > afield
        move = _neighbour(game, p, random) if is_near else random.choice(empty)
        if not p.cells[move] and game.outcome(game.play(p, move)) is None:
            return move
    return None


def defending_move(game: Game, p: Position, random: Random) -> Move | None:
    """A quiet move that keeps the other side from winning by its next move, if one can; None as
    for `quiet_move`."""
    if game.outcome(p):
        return None
    theirs = replace(p, turn=3 - p.turn)
    for move in near(game.size, p.moves[-1]) if p.moves else ():
        is_win = not p.cells[move] and game.outcome(game.play(theirs, move))
        if is_win and game.outcome(game.play(p, move)) is None:
            return move
    return quiet_move(game, p, random)


def near(size: int, cell: Move) -> Iterator[Move]:
    """The cells that lie on a line of five with this one."""
    row, column = divmod(cell, size)
    for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
        for step in (-4, -3, -2, -1, 1, 2, 3, 4):
            y, x = row + step * down, column + step * right
            if 0 <= y < size and 0 <= x < size:
                yield y * size + x


def _neighbour(game: Game, p: Position, random: Random) -> Move:
    """A cell near some stone, or that stone's own if there is none."""
    stone = random.choice(p.moves)
    row, column = divmod(stone, game.size)
    row += random.randint(-REACH_OF_MOVES, REACH_OF_MOVES)
    column += random.randint(-REACH_OF_MOVES, REACH_OF_MOVES)
    is_inside = 0 <= row < game.size and 0 <= column < game.size
    return row * game.size + column if is_inside else stone


def random_position(game: Game, stones: int, seed: int) -> Position:
    """A position of a game that went on, with `stones` stones or the most that were found."""
    random, p = Random(seed), game.start()
    for _ in range(stones):
        move = quiet_move(game, p, random)
        if move is None:
            break
        p = game.play(p, move)
    return p


def random_positions(game: Game, number: int) -> list[Position]:
    """Positions of this number, from nearly empty to nearly full."""
    most = game.size**2 - 1
    counts = [COUNTS_OF_STONES[seed % len(COUNTS_OF_STONES)] for seed in range(number)]
    return [random_position(game, min(count, most), seed) for seed, count in enumerate(counts)]
