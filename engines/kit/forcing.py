"""The forcing search for engines written in Python: a position in, a line of play out."""

from __future__ import annotations

from arena.engine import Limit
from arena.game import Move, Position
from arena.games.gomoku import Gomoku
from engines.kit.clock import UNLIMITED, begin
from engines.kit.record import new_board
from engines.kit.shapes.geometry import moves_of
from engines.kit.shapes.setup import put
from engines.kit.threats.vcf import forced_win


class ForcingSearch:
    """A search for wins by continuous fours; `nodes` is the number of positions in the last one."""

    def __init__(self, game: Gomoku) -> None:
        self.size = game.size
        self.nodes = 0
        self.board = new_board(game.size, game.rule)

    def win(self, p: Position, fours: int = 30, limit: Limit | None = None) -> tuple[Move, ...]:
        """The shortest win of the side to move, its five last; empty without, or at a limit.

        In renju, a reply forbidden to Black can be the last move instead. Wins of more than 52
        fours are not looked for.
        """
        board = self.board
        begin(board, limit or UNLIMITED)
        put(board, p.cells, p.moves)
        forced_win(board, p.turn - 1, fours)
        self.nodes = int(board["nodes"])
        return moves_of(board["won_line"][: int(board["won_length"])], self.size)
