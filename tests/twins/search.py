"""The shape engines and the selective search, word for word and slowly: nothing left out."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from twins.boards import DIRECTIONS, line_through, text_of
from twins.shapes import line_shapes, point_code, rank_weights

from arena.engines.kit.selective.positions import BELIEVED, WIN
from arena.engines.kit.shapes.table import EXACT, Rule
from arena.game import Position
from arena.games.renju import Renju

RUSH_FOUR, FIVE = 7, 9
near_code = lru_cache(maxsize=200_000)(point_code)
lines_of = lru_cache(maxsize=None)(line_through)


def defaults_of(engine: Callable[..., object]) -> dict[str, Any]:
    """The parameters of an engine's factory, and their defaults."""
    found = inspect.signature(engine).parameters.values()
    return {each.name: each.default for each in found if each.kind is each.KEYWORD_ONLY}


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
        weights = rank_weights(self.parameters)
        return sum(weights[code] for code in self.codes(cells, move, player))

    def with_stone(self, cells: bytes, move: int, player: int) -> bytes:
        return cells[:move] + bytes([player + 1]) + cells[move + 1 :]

    def allowed(self, cells: bytes, player: int) -> list[int]:
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


def edges(
    search: Callable[[int, int], int], value: int, infinite: int
) -> Iterator[tuple[int, int]]:
    """Windows of one point that end at a bound of the value: from far below it, then from above.

    Each bound is what `search`, which fails soft, said of a window further out: asked again with
    a window that ends there, it is likely to say the same, which is still no value.
    """
    low = -infinite
    while low < value:
        low = search(low, low + 1)
        yield low - 1, low
    high = infinite
    while high > value:
        high = search(high - 1, high)
        yield high, high + 1
