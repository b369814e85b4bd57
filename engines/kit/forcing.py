"""The forcing search for engines written in Python: a position in, a line of play out."""

from __future__ import annotations

from typing import Literal

from arena.engine import Limit
from arena.game import Move, Position
from arena.games.gomoku import Gomoku

from .clock import UNLIMITED, begin
from .record import new_board
from .shapes.board import put
from .shapes.table import moves_of
from .threats.forced_wins import shortest_win, win_by_threats

MOST_FOURS = 52  # the greatest number of fours in a row that a search tries
FEWEST_THREATS = 2  # the threats before the last that a search by threats begins with

Finding = Literal["win", "no win", "more fours", "limit"]


class ForcingSearch:
    """A search for wins by continuous fours, with what it found and how many positions it saw.

    Build it where the engine is built: that compiles its kernels, or loads them.
    """

    def __init__(self, game: Gomoku) -> None:
        self.size = game.size
        self.board = new_board(game.size, game.rule, with_classes=True)
        # The clock of the first search must not run while kernels are compiled or loaded.
        self.win(game.start())
        self.nodes = 0  # positions in the last search
        self.finding: Finding | None = None
        """The answer of the last search. "win" and "no win" are certain; "more fours" is none
        within the fours allowed, where more of them might win; "limit" is a search cut off."""

    @property
    def is_decided(self) -> bool:
        """True if the last search has shown a win by fours, or that there is none."""
        return self.finding in ("win", "no win")

    def win(self, p: Position, fours: int = 30, limit: Limit | None = None) -> tuple[Move, ...]:
        """The shortest win of the side to move, its five last; empty if none was found.

        `finding` then tells why. In renju, a reply forbidden to Black can be the last move instead.
        At most `fours` fours are tried one after the other, and never more than MOST_FOURS (52).
        Of the limit, nodes and time count: a game clock is shared out as by other engines, and
        `depth` is not looked at. A five at hand is found under any limit.
        """
        board = self.board
        begin(board, limit or UNLIMITED)
        put(board, p.cells, p.moves)
        plies = shortest_win(board, p.turn - 1, min(fours, MOST_FOURS))
        self.nodes = int(board["nodes"])
        self.finding = self._finding(plies > 0)
        return moves_of(board["four_line"][int(board["stones"]) :], self.size) if plies else ()

    def wins_by_threats(self, p: Position, threats: int = 12, nodes: int = 5_000) -> bool:
        """True if the side to move is seen to win by fours and live threes.

        At most `threats` of them come before the last, against any defence. Where the nodes end, a
        win may be missed.
        """
        board = self.board
        begin(board, Limit(nodes=nodes))
        put(board, p.cells, p.moves)
        board["complete"] = board["gave_up"] = board["top"] = 0
        for most in range(FEWEST_THREATS, threats + 1):
            if win_by_threats(board, p.turn - 1, most, nodes) > 0:
                return True
            if board["gave_up"]:
                break
        return False

    def _finding(self, has_won: bool) -> Finding:
        if has_won:
            return "win"
        if self.board["gave_up"]:
            return "limit"
        return "more fours" if self.board["cut_short"] else "no win"
