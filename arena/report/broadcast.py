"""A game on the screen, move by move, while it is played."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict

from arena.game import Game, Position
from arena.match.play import Spectator
from arena.match.record import GameRecord, summary
from arena.report.diagram import STONES, diagram

Print = Callable[[str], None]


def broadcast(form: str, game: Game, names: tuple[str, str], out: Print) -> Spectator | None:
    """What shows each position as it comes: its `board`, or its last move only (`moves`)."""
    if form == "board":
        return lambda p: out(board_text(game, p, names))
    if form == "moves":
        return MoveLines(game, out)
    return None


def board_text(game: Game, p: Position, names: tuple[str, str]) -> str:
    """The last move and who played it, and the board after it."""
    return f"{title(game, p, names)}\n{diagram(game, p)}\n"


def title(game: Game, p: Position, names: tuple[str, str]) -> str:
    """The last move and who played it; before the first, who plays."""
    if p.last is None:
        return f"{STONES[0]} {names[0]}  {STONES[1]} {names[1]}"
    seat = 3 - p.turn
    return f"{p.ply}. {STONES[seat - 1]} {names[seat - 1]} {game.text(p.last)}"


class MoveLines:
    """Holds how many moves are printed: the first position may bring a whole opening."""

    def __init__(self, game: Game, out: Print) -> None:
        self._game = game
        self._out = out
        self._shown = 0

    def __call__(self, p: Position) -> None:
        for move in p.moves[self._shown :]:
            self._out(self._game.text(move))
        self._shown = p.ply


def result_text(form: str, record: GameRecord) -> str:
    """How the game ended, in a line; or the whole record as json."""
    return json.dumps(asdict(record)) if form == "json" else summary(record)
