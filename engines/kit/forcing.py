"""The forcing search for engines written in Python: a position in, a line of play out."""

from __future__ import annotations

from arena.engine import Limit
from arena.game import Game, Move, Position
from engines.kit.board import put, set_up
from engines.kit.clock import NEVER, deadline
from engines.kit.geometry import move_of
from engines.kit.record import new_record
from engines.kit.shapes import Rule
from engines.kit.vcf import forced_win

NO_WEIGHTS = dict.fromkeys(
    (
        "five",
        "live_four",
        "rush_four",
        "live_three",
        "rush_three",
        "live_two",
        "rush_two",
        "one",
    ),
    0,
)


class ForcingSearch:
    """Holds a board for searching wins by continuous fours; `nodes` counts its positions."""

    def __init__(self, game: Game) -> None:
        """For gomoku, freestyle or standard, up to 25 x 25."""
        rule: Rule = getattr(game, "rule", "freestyle")
        self.size = game.size
        self.nodes = 0
        self.board = new_record()
        set_up(self.board, game.size, rule, NO_WEIGHTS)

    def win(self, p: Position, fours: int = 30, limit: Limit | None = None) -> tuple[Move, ...]:
        """The shortest win of the side to move, its five last; empty without, or at a limit."""
        limit = limit or Limit()
        board = self.board
        put(board, p.cells, p.moves)
        board["nodes"] = 0
        board["node_limit"] = NEVER if limit.nodes is None else limit.nodes
        board["deadline"] = deadline(limit)
        board["salt"] += 1
        forced_win(board, p.turn - 1, fours)
        self.nodes = int(board["nodes"])
        line = board["won_line"][: int(board["won_length"])]
        return tuple(move_of(int(cell), self.size) for cell in line)
