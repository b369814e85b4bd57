"""The evaluation by patterns, word for word and slowly: which weights count on a board."""

from __future__ import annotations

from collections import Counter
from itertools import combinations_with_replacement

from twins.boards import twin_code

from arena.engines.kit.shapes.table import Rule

PATTERNS = [*combinations_with_replacement(range(10), 4)]
"""Sorted ranks of four directions; a pattern's place in the list is its number."""
OWN, OTHER, MASKS, MOVE = 0, 715, 1430, 1942


def classes_of(codes: list[int]) -> int:
    """The class of a point's threats: 1 a three, 2 threes, 3 a four, 4 both, 5 fours, 6 a five."""
    fours, threes = codes.count(7) + 2 * codes.count(8), codes.count(6)
    if 9 in codes:
        return 6
    if fours:
        return 5 if fours > 1 else 4 if threes else 3
    return min(threes, 2)


def codes_at(cells: bytes, size: int, move: int, side: int, rule: Rule) -> list[int]:
    return [twin_code(cells, size, move, d, side, rule) for d in range(4)]


def pattern_numbers_at(
    cells: bytes, size: int, move: int, player: int, rule: Rule
) -> tuple[int, int]:
    """The numbers of the weights of a point: of the player's pattern, and of the other side's."""
    own, other = (codes_at(cells, size, move, side, rule) for side in (player, 1 - player))
    return (OWN + PATTERNS.index(tuple(sorted(own))), OTHER + PATTERNS.index(tuple(sorted(other))))


def counted_weights(cells: bytes, size: int, player: int, rule: Rule) -> Counter[int]:
    """The number of times that each weight of the mover counts."""
    found, kinds = Counter[int](), [set[int](), set[int]()]
    for move in (move for move, stone in enumerate(cells) if not stone):
        found.update(pattern_numbers_at(cells, size, move, player, rule))
        for side in range(2):
            kinds[side].add(classes_of(codes_at(cells, size, move, side, rule)))
    own, other = kinds[player], kinds[1 - player]
    bits = [*(kind in own for kind in (1, 2, 3, 4)), *(kind in other for kind in (1, 2, 3, 4, 5))]
    found[MASKS + sum(bit << place for place, bit in enumerate(bits))] += 1
    found[MOVE] += 1
    return found
