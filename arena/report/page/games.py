"""Games as the viewer of a page reads them.

The data are one JSON object:

    runs: names of the runs
    players: names of the players
    boards: each with `game` (a name), `size`, `rule` (null: it has none of a name), `k` (in a row
      win; null where that wins nothing), `kind` (`place`: moves are cells; `step`: moves are
      from * area + to), `start` (the cells before the first move, of kind `step` only)
    games: see below
    left_out: the number of games that are not among them
    scales: of each player, the log odds to win that one unit of its scores is worth (null: the
      games do not tell)

Of each game:

    n: its number in the schedule, from 1; run: index of its run; b: index of its board
    f, s: indices of the first and the second player; w: 1, 2, or 0 for a draw
    r: the reason of its end (empty in play); detail: a sentence on that, mostly empty
    o: plies of its opening; oid: the number of its opening, from 1 (0: none)
    m: its moves as numbers
    t, e, d, c: of each choice, the opening's left out: milliseconds, score from the mover's side
      (null: none), depth, nodes; there may be one more choice than moves: an illegal one, or a
      resignation
    l: of each choice the moves expected after it (null: none); left out if there are none
    x: of each ply the cells that change, each with its new value; kind `step` only
    line: the cells of the winning line; left out if there is none
    made: a sentence on how the players made the opening; left out if they did not
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import isfinite
from typing import Any

from arena.engine import Remark
from arena.errors import ConfigError
from arena.game import Game, Position
from arena.games.gomoku import DIRECTIONS
from arena.match.opening_rules import opening_text
from arena.match.record import GameRecord, remarks_of
from arena.report.numbers import without_home


@dataclass(frozen=True)
class Played:
    """A game of one of a page's runs."""

    run: int
    number: int
    record: GameRecord
    opening: int  # The number of its opening


def games_data(
    runs: Mapping[str, Game],
    players: Sequence[str],
    played: Sequence[Played],
    left_out: int,
    scales: Mapping[str, float],
) -> dict[str, Any]:
    """The games of runs, each run with the rules that it was played by.

    `scales` are the players' K, of those that have one.
    """
    boards: list[dict[str, Any]] = []
    places = []
    for rules in runs.values():
        board = board_data(rules)
        if board not in boards:
            boards.append(board)
        places.append(boards.index(board))
    readers = [MoveReader(rules) for rules in runs.values()]
    code = {name: i for i, name in enumerate(players)}
    return {
        "runs": list(runs),
        "boards": boards,
        "players": list(players),
        "games": [
            {
                "n": each.number,
                "run": each.run,
                "b": places[each.run],
                "f": code[each.record.first],
                "s": code[each.record.second],
                "oid": each.opening,
                **readers[each.run].game(each.record),
            }
            for each in played
        ],
        "left_out": left_out,
        "scales": [scales.get(name) for name in players],
    }


def board_data(rules: Game) -> dict[str, Any]:
    """A board as the viewer needs to know it."""
    start = rules.start().cells
    board = {
        "game": rules.name,
        "size": rules.size,
        "rule": getattr(rules, "rule", None),
        "k": getattr(rules, "k", None),
        "kind": "step" if any(start) else "place",
    }
    return board | ({"start": list(start)} if any(start) else {})


class MoveReader:
    """Holds the rules of a game, and reads moves by them."""

    def __init__(self, rules: Game) -> None:
        self._rules = rules
        self._steps = any(rules.start().cells)
        self._parse = cache(rules.parse)

    def game(self, record: GameRecord) -> dict[str, Any]:
        """A game, but for what numbers it; moves that cannot be read end it.

        Without what was said of the moves, where that cannot be read.
        """
        try:
            remarks = remarks_of(record)
        except ConfigError:
            remarks = []
        cells, found = self._read(record.opening, record.moves, remarks)
        detail = record.detail and without_home(record.detail)
        found |= {"w": record.winner or 0, "r": record.reason, "detail": detail}
        if record.reason == "won by proof":
            found |= {"detail": "", "proof": self._line(record.detail)}
        if record.made:
            found["made"] = opening_text(record)
        k = getattr(self._rules, "k", None)
        if k and record.reason == "line" and found["m"]:
            found["line"] = won_line(cells, self._rules.size, k, found["m"][-1])
        return found

    def game_so_far(self, opening: str, moves: str, remarks: Sequence[Remark]) -> dict[str, Any]:
        """A game in play, which has neither a winner nor a reason; the opening is of the moves."""
        return self._read(opening, moves, remarks)[1]

    def _read(
        self, opening: str, moves: str, remarks: Sequence[Remark]
    ) -> tuple[bytes, dict[str, Any]]:
        """The last board, and the game as if it were in play."""
        cells, read, changes = self._replayed(moves)
        found = {
            "w": 0,
            "r": "",
            "detail": "",
            "o": min(len(opening.split()), len(read)),
            "m": read,
            "t": [_short_milliseconds(each.seconds) for each in remarks],
            "e": [each.score for each in remarks],
            "d": [each.depth for each in remarks],
            "c": [each.nodes for each in remarks],
        }
        if any(each.line for each in remarks):
            found["l"] = [self._line(each.line) for each in remarks]
        if self._steps:
            found["x"] = changes
        return cells, found

    def _replayed(self, text: str) -> tuple[bytes, list[int], list[list[tuple[int, int]]]]:
        """The last board, the moves, and what each changed, as far as they can be played."""
        rules, moves, changes = self._rules, list[int](), list[list[tuple[int, int]]]()
        cells, p = bytearray(rules.start().cells), rules.start()
        for word in text.split():
            try:
                move = self._parse(word)
            except ValueError:
                break
            if self._steps:
                if not rules.is_legal(p, move):
                    break
                before, p = p, rules.play(p, move)
                changes.append(_changed_cells(before, p))
                cells = bytearray(p.cells)
            elif cells[move]:
                break
            else:
                cells[move] = len(moves) % 2 + 1
            moves.append(move)
        return bytes(cells), moves, changes

    def _line(self, text: str) -> list[int] | None:
        """The moves that a choice expected; None for none, or for what are no moves."""
        try:
            return [self._parse(word) for word in text.split()] or None
        except ValueError:
            return None


def _changed_cells(before: Position, after: Position) -> list[tuple[int, int]]:
    pairs = enumerate(zip(before.cells, after.cells, strict=True))
    return [(cell, new) for cell, (old, new) in pairs if old != new]


def _short_milliseconds(seconds: float) -> float | int | None:
    """Milliseconds, from ten on without a part; None for what is not finite."""
    found = 1000 * seconds
    if not isfinite(found):
        return None
    return round(found) if found >= 10 else _tenths(found)


def _tenths(number: float) -> float | int:
    found = round(number, 1)
    return int(found) if found == int(found) else found


def won_line(cells: bytes, size: int, k: int, last: int) -> list[int]:
    """The cells of all rows of k or more through the last stone, in ascending order."""
    found: set[int] = set()
    for down, right in DIRECTIONS:
        back = _run_of(cells, size, last, -down, -right)
        row = [*back, last, *_run_of(cells, size, last, down, right)]
        if len(row) >= k:
            found.update(row)
    return sorted(found)


def _run_of(cells: bytes, size: int, cell: int, down: int, right: int) -> Iterator[int]:
    """The stones like that on the cell, one after the other in a direction."""
    row, column = divmod(cell, size)
    while True:
        row, column = row + down, column + right
        if not (0 <= row < size and 0 <= column < size):
            return
        if cells[row * size + column] != cells[cell]:
            return
        yield row * size + column
