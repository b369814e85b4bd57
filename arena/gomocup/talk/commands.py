"""The commands of a game: the moves a program already knows, and the command to send next."""

from __future__ import annotations

from arena.engine import Conditions, Limit
from arena.game import Move, Position
from arena.gomocup.protocol import (
    Settings,
    board,
    first_infos,
    game_infos,
    limit_infos,
    opening_board,
    own_infos,
    time_left,
)


class Commands:
    """The limit that was sent to a program, and the moves that it knows."""

    def __init__(self, size: int, rule: int, settings: Settings) -> None:
        self.conditions = Conditions()
        self._size, self._rule, self._settings = size, rule, settings
        self._limit = Limit()
        self._known: tuple[Move, ...] | None = None
        """The moves that the program knew when it gave its last answer, in the open game."""
        self._answer: Move = -1
        self._turns = [f"TURN {move % size},{move // size}\n".encode() for move in range(size**2)]

    def of_start(self) -> bytes:
        """The INFO lines for a program that was just started."""
        return first_infos(self.conditions) + self.of_game()

    def of_game(self) -> bytes:
        """The INFO lines for a new game."""
        self._limit, self._known = self.conditions.limit, None
        return self._infos()

    def answered(self, p: Position, move: Move) -> None:
        """Note the program's move in a position."""
        self._known, self._answer = p.moves, move

    def of_move(self, p: Position, limit: Limit, restarts: bool) -> bytes:
        """The command for a position, with the limit if it has changed since it was sent.

        `restarts`: the program knows RESTART, which closes a game before the BOARD of another.
        """
        moves, known, told = p.moves, self._known, self._limit
        self._limit = limit
        is_next = known is not None and moves[:-2] == known and moves[-2] == self._answer
        if is_next and not self._settings.board:
            command = self._turns[moves[-1]]
        else:
            command = board(p, self._size) if moves else b"BEGIN\n"
            if known is not None and restarts:
                # With `board`, it was sent after the last move.
                restart = b"" if self._settings.board else b"RESTART\n"
                return restart + self._infos() + command
        return self._change(told, limit) + command

    def of_opening(self, p: Position, limit: Limit) -> bytes:
        """The command for an opening that players make, with the limit if it has changed; a BOARD
        follows, for which it is a new game."""
        told, self._limit = self._limit, limit
        self._known = None
        return self._change(told, limit) + opening_board(p, self._size, self._settings.owners)

    def _change(self, told: Limit, limit: Limit) -> bytes:
        """The INFO lines on what has changed in the limit since another was told."""
        if limit is told:
            return b""
        if (limit.seconds, limit.depth, limit.nodes) != (told.seconds, told.depth, told.nodes):
            return limit_infos(limit, self.conditions.hang)
        return b"" if limit.time_left is None else time_left(limit)

    def _infos(self) -> bytes:
        told = game_infos(self._rule, self._limit, self.conditions.hang)
        return told + own_infos(self._settings.info)
