"""A move as a person types it: read with patience, and explained when it cannot be played."""

from __future__ import annotations

import re
from contextlib import suppress

from arena.coordinates import Coordinates, written
from arena.game import Forbids, Game, Move, Position

NUMBER = re.compile("[0-9]+")
SEPARATOR = r"\s*(?:,|;|->|-|\s)\s*"
NUMBERS = re.compile(rf"\(?\s*[0-9]+(?:{SEPARATOR}[0-9]+)*\s*\)?")


def read_move(game: Game, p: Position, text: str, coordinates: Coordinates) -> Move:
    """The move that is meant, as `h8` or as `7,7`; ValueError says why it cannot be played.

    The words have `coordinates`. A forbidden move is refused: it would lose the game on the spot,
    which is hardly ever meant.
    """
    move = _parsed(game, p, text, coordinates)
    if not game.is_legal(p, move):
        raise ValueError(coordinates.text(_refusal(game, p, move)))
    if isinstance(game, Forbids) and (kind := game.forbidden(p, move)):
        name = coordinates.text(game.text(move))
        raise ValueError(f"{name} is forbidden here: {kind}. It would lose the game.")
    return move


def _parsed(game: Game, p: Position, typed: str, coordinates: Coordinates) -> Move:
    text = written(typed, game.size)
    with suppress(ValueError):
        return game.parse(text)
    form = example(game, p)
    is_numbers = NUMBERS.fullmatch(text.strip()) and not re.search("[^0-9,-]", form)
    found = iter(NUMBER.findall(text))
    if is_numbers and len(NUMBER.findall(text)) == len(NUMBER.findall(form)):
        return game.parse(NUMBER.sub(lambda _: next(found), form))
    form = coordinates.text(form)
    raise ValueError(f"{typed!r} is no move. Write one such as {form}, or ? for help.")


def example(game: Game, p: Position) -> str:
    """A move that could be played, as the game writes it."""
    moves = game.moves(p)
    return game.text(moves[len(moves) // 2])


def _refusal(game: Game, p: Position, move: Move) -> str:
    text, area = game.text(move), game.size**2
    *origin, target = text.split("-")
    if not origin:
        return f"{text} is occupied." if p.cells[move] else f"{text} cannot be played here."
    cell, to = divmod(move, area)
    if p.cells[cell] != p.turn:
        return f"{text}: no piece of yours stands on {origin[0]}."
    if p.cells[to]:
        return f"{text}: {target} is occupied."
    steps = [game.text(step) for step in game.moves(p) if step // area == cell]
    return f"{text}: the piece cannot go there, only: {', '.join(steps) or 'nowhere'}."
