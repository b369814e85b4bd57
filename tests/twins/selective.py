"""The selective search with nothing left out, slowly: plain minimax over the points near stones."""

from __future__ import annotations

from dataclasses import dataclass

from twins.boards import DIRECTIONS
from twins.search import FIVE, RUSH_FOUR, Twin

from arena.engines.kit.selective.positions import BELIEVED, WIN

LIVE_FOUR = 8
DISTANCES = {(row, column) for row in range(-2, 3) for column in range(-2, 3)}
DISTANCES |= {(3 * row, 3 * column) for row in range(-1, 2) for column in range(-1, 2)}


@dataclass(frozen=True)
class SelectiveTwin:
    """The search of one scorer, whose twin gives the values of leaves; `root` moves at the root."""

    scorer: Twin
    root: int

    def value(self, cells: bytes, player: int, depth: int, ply: int = 0) -> int:
        """The value to the player to move: wins by distance, losses believed if moves were left."""
        if self.fives(cells, player):
            return WIN - ply - 1
        rival = self.fives(cells, 1 - player)
        allowed = set(self.scorer.allowed(cells, player))
        if len(rival) > 1 or (rival and not rival <= allowed):
            return ply + 2 - WIN
        if not rival and self.two_fours(cells, player):
            return WIN - ply - 3
        if 0 not in cells:
            return 0
        if depth <= 0 and not rival:
            return self.scorer.evaluate(cells, self.root) * (1 if player == self.root else -1)
        closed = not rival and bool(self.two_fours(cells, 1 - player))
        moves = rival or (allowed if closed else allowed & self.near(cells))
        left = depth if rival else depth - 1
        best = max(
            -self.value(self.scorer.with_stone(cells, move, player), 1 - player, left, ply + 1)
            for move in moves
        )
        is_claim = rival or closed
        return best + WIN - BELIEVED if best < 1000 - WIN and not is_claim else best

    def fives(self, cells: bytes, player: int) -> set[int]:
        """The points that make five."""
        empty = [move for move, stone in enumerate(cells) if not stone]
        return {move for move in empty if FIVE in self.codes(cells, move, player)}

    def two_fours(self, cells: bytes, player: int) -> set[int]:
        """The allowed points that make two ways to a five."""
        codes = {m: self.codes(cells, m, player) for m in self.scorer.allowed(cells, player)}
        return {m for m, c in codes.items() if c.count(RUSH_FOUR) + 2 * c.count(LIVE_FOUR) > 1}

    def codes(self, cells: bytes, move: int, player: int) -> list[int]:
        return [self.scorer.code(cells, move, d, player) for d in range(len(DIRECTIONS))]

    def near(self, cells: bytes) -> set[int]:
        """The points near stones: two away each way, or three in line."""
        size = self.scorer.size
        return {
            row * size + column
            for move, stone in enumerate(cells)
            if stone
            for down, right in DISTANCES
            if 0 <= (row := move // size + down) < size
            and 0 <= (column := move % size + right) < size
        }
