"""The slow, obvious twin of five_tuple: scores by definition, searches without a trick.

Cells are a list, row by row: 0 empty, 1 own (of the side to move at the root), 2 other.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache

DIRECTIONS = (0, 1), (1, 0), (1, 1), (1, -1)


@dataclass(frozen=True)
class Weights:
    one: int = 1
    two: int = 10
    three: int = 100
    four: int = 10_000
    five: int = 1_000_000
    other_one: int = 1
    other_two: int = 10
    other_three: int = 1_000
    other_four: int = 100_000
    other_five: int = 10_000_000
    other_centred_three: int = 2_000


DEFAULT = Weights()


@cache
def windows(size: int) -> list[tuple[int, ...]]:
    return [
        tuple((row + k * down) * size + column + k * right for k in range(5))
        for row in range(size)
        for column in range(size)
        for down, right in DIRECTIONS
        if row + 4 * down < size and 0 <= column + 4 * right < size
    ]


@cache
def windows_through(size: int) -> list[list[tuple[int, ...]]]:
    return [[window for window in windows(size) if cell in window] for cell in range(size * size)]


@cache
def window_score(stones: tuple[int, ...], weights: Weights) -> int:
    own, other = stones.count(1), stones.count(2)
    if own and other:
        return 0
    if stones == (0, 2, 2, 2, 0):
        return -weights.other_centred_three
    w = weights
    if own:
        return (w.one, w.two, w.three, w.four, w.five)[own - 1]
    return -(0, w.other_one, w.other_two, w.other_three, w.other_four, w.other_five)[other]


def score_of(
    cells: Sequence[int], some: Sequence[tuple[int, ...]], weights: Weights = DEFAULT
) -> int:
    return sum(window_score(tuple(cells[cell] for cell in window), weights) for window in some)


def static_score(cells: Sequence[int], size: int, weights: Weights = DEFAULT) -> int:
    return score_of(cells, windows(size), weights)


def candidates(cells: Sequence[int], size: int, radius: int) -> list[int]:
    """Empty cells near a stone, row by row; the centre of an empty board."""
    if not any(cells):
        return [size // 2 * size + size // 2]
    stones = [divmod(cell, size) for cell, stone in enumerate(cells) if stone]
    return [
        cell
        for cell, stone in enumerate(cells)
        if not stone
        and any(max(abs(cell // size - r), abs(cell % size - c)) <= radius for r, c in stones)
    ]


def makes_five(cells: Sequence[int], size: int, cell: int, exact: bool) -> bool:
    """True if the stone on a cell is in a row of five: or more, unless exact."""
    for down, right in DIRECTIONS:
        count = 1
        for sign in (1, -1):
            row, column = cell // size + sign * down, cell % size + sign * right
            while (
                0 <= row < size and 0 <= column < size and cells[row * size + column] == cells[cell]
            ):
                count += 1
                row, column = row + sign * down, column + sign * right
        if count == 5 or (count > 5 and not exact):
            return True
    return False


@dataclass
class Minimax:
    """Holds a board, and how many fives and overlines a search has met."""

    cells: list[int]
    size: int
    radius: int
    exact: bool
    fives: int = 0
    overlines: int = 0

    def root_values(self, depth: int) -> dict[int, int]:
        return dict(self.children(depth, 1, static_score(self.cells, self.size)))

    def children(self, depth: int, side: int, score: int) -> Iterator[tuple[int, int]]:
        """Each move with its value; score is the board's, kept up to date window by window."""
        for cell in candidates(self.cells, self.size, self.radius):
            some = windows_through(self.size)[cell]
            before = score_of(self.cells, some)
            self.cells[cell] = side
            after = score + score_of(self.cells, some) - before
            yield cell, self.value(depth - 1, 3 - side, after, cell)
            self.cells[cell] = 0

    def value(self, depth: int, side: int, score: int, last: int) -> int:
        if makes_five(self.cells, self.size, last, self.exact):
            self.fives += 1
            return score
        self.overlines += makes_five(self.cells, self.size, last, exact=False)
        if depth == 0 or all(self.cells):
            return score
        values = [value for _, value in self.children(depth, side, score)]
        return max(values) if side == 1 else min(values)


@dataclass(eq=False)
class Node:
    """A node of the published program."""

    cells: list[int]
    depth: int = 0
    father: Node | None = None
    move: int = -1
    value: float = float("-inf")
    children: list[Node] = field(default_factory=list)

    @property
    def is_max(self) -> bool:
        return self.depth % 2 == 0


def published(cells: Sequence[int], size: int, radius: int, depth: int) -> tuple[int, int, int]:
    """The published program's move, value, and nodes taken from its open table."""
    root = Node(list(cells))
    open_table = deque([root])
    popped = 0
    while open_table:
        node = open_table.popleft()
        popped += 1
        if is_cut(node.father):
            continue
        if node.depth < depth:
            for cell in candidates(node.cells, size, radius):
                child = Node(list(node.cells), node.depth + 1, node, cell)
                child.cells[cell] = 1 if node.is_max else 2
                child.value = float("-inf") if child.is_max else float("inf")
                node.children.append(child)
                open_table.appendleft(child)
        if not node.children:
            node.value = static_score(node.cells, size)
            update(node.father)
    best = max(root.children, key=lambda child: child.value)
    return best.move, int(best.value), popped


def is_cut(node: Node | None) -> bool:
    """True if the node, or one above it and below the root, has passed its father's value."""
    if node is None or node.father is None:
        return False
    father = node.father
    passed = node.value > father.value if node.is_max else node.value < father.value
    return passed or is_cut(father)


def update(node: Node | None) -> None:
    """Take the best child's value, and go on upwards if that changed anything."""
    if node is None:
        return
    seen = [child.value for child in node.children if abs(child.value) != float("inf")]
    best = max([*seen, node.value]) if node.is_max else min([*seen, node.value])
    if best != node.value:
        node.value = best
        update(node.father)
