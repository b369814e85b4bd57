"""The two shape engines, word for word and slowly: no table, everything found from scratch."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from twins.boards import DIRECTIONS, line_through, text_of
from twins.shapes import line_shapes, point_code, rank_weights

from arena.engines.kit.shapes.table import EXACT, Rule
from arena.game import Position
from arena.games.renju import Renju

RUSH_FOUR, FIVE = 7, 9

near_code = lru_cache(maxsize=200_000)(point_code)
lines_of = lru_cache(maxsize=None)(line_through)


@dataclass(frozen=True)
class Twin:
    """An engine's parameters by name, and the board's size and rule."""

    size: int
    rule: Rule
    parameters: Mapping[str, Any]

    @property
    def centre(self) -> int:
        """The middle cell, or the one right below the middle."""
        return self.size // 2 * (self.size + 1)

    def code(self, cells: bytes, move: int, direction: int, player: int) -> int:
        """The rank of the player's stone there, found from five cells each way."""
        line = lines_of(self.size, move, DIRECTIONS[direction])
        text = "O" * 5 + text_of(cells, line, player) + "O" * 5
        place = line.index(move)
        return near_code(text[place : place + 11], 5, EXACT[self.rule][player])

    def codes(self, cells: bytes, move: int, player: int) -> list[int]:
        return [self.code(cells, move, direction, player) for direction in range(4)]

    def worth(self, cells: bytes, move: int, player: int) -> int:
        """A point's score for a player."""
        weights = rank_weights(self.parameters)
        return sum(weights[code] for code in self.codes(cells, move, player))

    def with_stone(self, cells: bytes, move: int, player: int) -> bytes:
        return cells[:move] + bytes([player + 1]) + cells[move + 1 :]

    def allowed(self, cells: bytes, player: int) -> list[int]:
        """The empty points that the referee does not forbid."""
        empties = [move for move, stone in enumerate(cells) if not stone]
        if self.rule != "renju":
            return empties
        game, p = Renju(self.size), Position(cells, player + 1)
        return [move for move in empties if not game.forbidden(p, move)]

    def search(self, cells: bytes, order: tuple[int, ...], player: int) -> tuple[int, int]:
        """The root's best move, the first among equals, and its value; no five is at hand."""
        root = (player, self.parameters["depth"], 0)
        return self.best(cells, order, player, root, -math.inf, math.inf)

    def best(
        self,
        cells: bytes,
        order: tuple[int, ...],
        player: int,
        state: tuple[int, int, int],
        alpha: float,
        beta: float,
    ) -> tuple[int, int]:
        """Alpha-beta; `state` is the side at the root, the plies left, those already added."""
        root, depth, extended = state
        best = (-1, self.evaluate(cells, root) * (1 if player == root else -1))
        for number, move in enumerate(self.candidates(cells, order, player)):
            after = self.with_stone(cells, move, player)
            codes = self.codes(cells, move, player)
            extra = self.extension(cells, after, move, codes, player, extended)
            left = 0 if FIVE in codes else depth - 1 + extra
            if left:
                below = (root, left, extended + extra)
                value = -self.best(after, (*order, move), 1 - player, below, -beta, -alpha)[1]
            else:
                value = self.evaluate(after, root) * (1 if player == root else -1)
            if number == 0 or value > best[1]:
                best = (move, value)
            alpha = max(alpha, value)
            if alpha >= beta:
                break
        return best

    def extension(
        self, cells: bytes, after: bytes, move: int, codes: list[int], player: int, extended: int
    ) -> int:
        """The plies that a rush four with a new completing cell adds."""
        return 0

    def evaluate(self, cells: bytes, root: int) -> int:
        """The position's value to the side at the root."""
        raise NotImplementedError

    def candidates(self, cells: bytes, order: tuple[int, ...], player: int) -> list[int]:
        """The moves to try, best first."""
        raise NotImplementedError

    def sorted_points(self, scores: dict[int, int], width: int) -> list[int]:
        """The best, in row-major order among equals."""
        return sorted(scores, key=lambda move: (-scores[move], move))[:width]


class BalanceTwin(Twin):
    def extension(
        self, cells: bytes, after: bytes, move: int, codes: list[int], player: int, extended: int
    ) -> int:
        extension = self.parameters["extension"]
        if FIVE in codes or extended + extension > self.parameters["extension_max"]:
            return 0
        for direction, code in enumerate(codes):
            line = lines_of(self.size, move, DIRECTIONS[direction])
            new = [
                cell
                for cell in line
                if not after[cell]
                and self.code(after, cell, direction, player) == FIVE
                and FIVE not in self.codes(cells, cell, player)
            ]
            if code == RUSH_FOUR and new:
                return int(extension)
        return 0

    def evaluate(self, cells: bytes, root: int) -> int:
        totals = [
            sum(self.worth(cells, m, p) for m, stone in enumerate(cells) if stone == p + 1)
            for p in range(2)
        ]
        own, other = totals[root], totals[1 - root]
        base = own - other
        factor = 2 * base / self.parameters["denominator"]
        factor = min(max(factor, self.parameters["factor_low"]), self.parameters["factor_high"])
        return base + int(factor * (own + other))

    def candidates(self, cells: bytes, order: tuple[int, ...], player: int) -> list[int]:
        if not any(cells):
            return [self.centre]
        reach = self.parameters["range"]
        allowed = self.allowed(cells, player)
        scores = {m: max(self.worth(cells, m, p) for p in range(2)) for m in allowed}

        def near(move: int) -> bool:
            row, column = divmod(move, self.size)
            return not order or any(
                max(abs(row - last // self.size), abs(column - last % self.size)) <= reach
                for last in order[-2:]
            )

        wanted = [m for m in allowed if near(m) or scores[m] >= self.parameters["live_three"]]
        chosen = {m: scores[m] for m in wanted or allowed}
        return self.sorted_points(chosen, self.parameters["max_points"])


class LiveDeadTwin(Twin):
    def evaluate(self, cells: bytes, root: int) -> int:
        weights = rank_weights(self.parameters)
        totals = [0, 0]
        lines = {
            tuple(lines_of(self.size, move, direction))
            for move in range(self.size * self.size)
            for direction in DIRECTIONS
        }
        for line in lines:
            for player in range(2):
                text = text_of(cells, list(line), player)
                shapes = line_shapes(text, EXACT[self.rule][player])
                totals[player] += sum(w * n for w, n in zip(weights, shapes, strict=True))
        return totals[root] - totals[1 - root]

    def candidates(self, cells: bytes, order: tuple[int, ...], player: int) -> list[int]:
        if not any(cells):
            return [self.centre]
        defence = self.parameters["defence"]
        scores = {
            m: self.worth(cells, m, player) + defence * self.worth(cells, m, 1 - player)
            for m in self.allowed(cells, player)
        }
        threshold = self.parameters["threshold"]
        above = {m: score for m, score in scores.items() if score > threshold}
        if threshold and above:
            return self.sorted_points(above, len(above))
        return self.sorted_points(scores, self.parameters["width"])
