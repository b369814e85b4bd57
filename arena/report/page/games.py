"""Games as the viewer of a page reads them: those that a page holds, and their boards."""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import chain, islice
from math import isfinite
from typing import Any
from xml.etree.ElementTree import Element

from arena.coordinates import Coordinates, Notation
from arena.engine import Remark
from arena.errors import ConfigError
from arena.game import FAULTS, Game, Position
from arena.games.gomoku import DIRECTIONS
from arena.match.opening_rules import opening_text
from arena.match.record import GameRecord, remarks_of, summary
from arena.plugins.load import load_game
from arena.report.answer import GameSource
from arena.report.numbers import without_home
from arena.report.page.charts import element, picture, text_at


@dataclass(frozen=True)
class Played:
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
    def __init__(self, rules: Game) -> None:
        self._rules = rules
        self._steps = any(rules.start().cells)
        self._parse = cache(rules.parse)

    def game(self, record: GameRecord) -> dict[str, Any]:
        """A game without its numbers; it ends before the first move that cannot be read.

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
    """Milliseconds, rounded from ten on; None if the time is not finite."""
    milliseconds = 1000 * seconds
    if not isfinite(milliseconds):
        return None
    if milliseconds >= 10:
        return round(milliseconds)
    tenths = round(milliseconds, 1)
    return int(tenths) if tenths == int(tenths) else tenths


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


CELL, BORDER = 24.0, 30.0
STONE_COLOURS = {1: ("#1b1b1b", "#f5f5f5"), 2: ("#fafafa", "#1b1b1b")}
"""The colour of each player's stones, and of what is written on them."""
WOOD, LINE_COLOUR = "#e3c48d", "#7a6238"
RED, GREEN = "#c0392b", "#2e7d32"
"""The colours of the last move and of a winning line, as in `static/viewer.css`."""


@dataclass(frozen=True)
class BoardDrawing:
    """A board as SVG, which notebooks show by themselves."""

    svg: str = field(repr=False)

    def _repr_html_(self) -> str:
        return self.svg

    def _repr_svg_(self) -> str:
        return self.svg


def draw_game(
    record: GameRecord,
    game: str | Mapping[str, Any] | Game,
    ply: int | None = None,
    *,
    coordinates: Notation = "letters",
) -> BoardDrawing:
    """The board of a game at its end, or after `ply` moves, with their numbers.

    `game` is the game that was played, such as `gomoku:size=15`. Points are named by letters and
    numbers (h8), or with `numbers` by row and column from 0. Raises ConfigError if the moves are
    not legal in the game.
    """
    rules = load_game(game) if isinstance(game, str | Mapping) else game
    words = record.moves.split()
    shown = len(words) if ply is None else ply
    if not 0 <= shown <= len(words):
        raise ConfigError(f"the game has {len(words)} moves, not {shown}")
    p = rules.start()
    for word in words[:shown]:
        try:
            move = rules.parse(word)
        except ValueError as error:
            raise ConfigError(f"no game of {rules.name}: {error}") from None
        if not rules.is_legal(p, move):
            raise ConfigError(f"no game of {rules.name}: {word} cannot be played")
        p = rules.play(p, move)
    label = f"{summary(record)}; after {shown}" if shown < len(words) else summary(record)
    won = shown == len(words) and record.reason == "line"
    names = Coordinates(rules.size, coordinates)
    return BoardDrawing(_board_svg(rules, p, label, names, won))


def _board_svg(
    rules: Game, p: Position, label: str, coordinates: Coordinates, is_won: bool = False
) -> str:
    """A position: numbered stones where they stay, the last move and a winning line marked."""
    size = rules.size
    edge = BORDER + (size - 1) * CELL
    marks: list[Element] = [
        element("rect", x=0, y=0, width=edge + BORDER, height=edge + BORDER, rx=4, fill=WOOD)
    ]
    for i in range(size):
        place = BORDER + i * CELL
        for ends in ((BORDER, place, edge, place), (place, BORDER, place, edge)):
            marks.append(_stroke(*ends, LINE_COLOUR, 1))
    marks += _edge_texts(coordinates)
    marks += stones(rules, p)
    k = getattr(rules, "k", None)
    if p.last is not None:
        ringed = won_line(p.cells, size, k, p.last) if is_won and k else [p.last % size**2]
        colour = GREEN if is_won else RED
        marks += [_ring(*_centre_of(cell, size), colour) for cell in ringed]
    return str(picture(edge + BORDER, edge + BORDER, label, *marks))


def _edge_texts(coordinates: Coordinates) -> list[Element]:
    below = BORDER + (coordinates.size - 1) * CELL + 24
    y = below if coordinates.notation == "letters" else 14.0
    columns = [
        _small_text(BORDER + i * CELL, y, name, LINE_COLOUR)
        for i, name in enumerate(coordinates.columns)
    ]
    rows = [
        _small_text(9.0, BORDER + i * CELL + 3.5, name, LINE_COLOUR)
        for i, name in enumerate(coordinates.rows)
    ]
    return columns + rows


def stones(rules: Game, p: Position) -> list[Element]:
    """The stones; with the numbers of their moves, unless they moved about."""
    numbers = {} if any(rules.start().cells) else {move: i for i, move in enumerate(p.moves, 1)}
    marks = []
    for cell, stone in enumerate(p.cells):
        if not stone:
            continue
        (x, y), (fill, ink) = _centre_of(cell, rules.size), STONE_COLOURS[stone]
        marks.append(element("circle", cx=x, cy=y, r=10.5, fill=fill, stroke="#1b1b1b"))
        if cell in numbers:
            marks.append(_small_text(x, y + 3.5, str(numbers[cell]), ink))
    return marks


def _centre_of(cell: int, size: int) -> tuple[float, float]:
    row, column = divmod(cell, size)
    return BORDER + column * CELL, BORDER + row * CELL


def _ring(x: float, y: float, colour: str) -> Element:
    return element("circle", cx=x, cy=y, r=11, fill="none", stroke=colour, stroke_width=2.5)


def _stroke(x1: float, y1: float, x2: float, y2: float, colour: str, width: float) -> Element:
    return element("line", x1=x1, y1=y1, x2=x2, y2=y2, stroke=colour, stroke_width=width)


def _small_text(x: float, y: float, text: str, colour: str) -> Element:
    mark = text_at(x, y, text)
    for name, value in (("font-size", "10"), ("font-family", "sans-serif"), ("fill", colour)):
        mark.set(name, value)
    return mark


MOST_TEXT = 1_840_000
"""Characters of the records that are kept: about a thousand games of sixty plies."""
MOST_PACKED = 690_000
"""Characters of them once they are packed: all else of a page has its place below a megabyte."""
FAULTY_SHARE = 0.5
"""The share of them that faulty games may take, before those that are only first or last."""
PLAIN = 300_000
"""Characters of JSON above which it is packed: browsers unpack it in some milliseconds."""


@dataclass(frozen=True)
class ViewerGames:
    """Games as the viewer of a page that is one file reads them."""

    data: Mapping[str, Any] | None = None
    packed: str = ""  # The games in place of `data` where they are many: JSON by gzip, as base64
    note: str = ""  # A sentence on the games that are left out


def viewer_games(source: GameSource | None) -> ViewerGames | None:
    """The games for a page, or why they cannot be shown; None if there are none."""
    if source is None:
        return None
    try:
        rules = {run: load_game(game) for run, game in source.runs.items()}
    except ConfigError as error:
        return ViewerGames(note=f"The games cannot be shown: {error}")
    place, openings = {run: i for i, run in enumerate(rules)}, dict[str, int]()
    played = list[Played]()
    for run, number, record in source.played():
        given = "" if record.made else record.opening
        opening = openings.setdefault(given, len(openings) + 1) if given else 0
        played.append(Played(place[run], number, record, opening))
    records = [each.record for each in played]

    def data_of(kept: Sequence[int]) -> Mapping[str, Any]:
        left_out = len(played) - len(kept)
        shown = [played[i] for i in kept]
        return games_data(rules, source.players, shown, left_out, source.scales)

    kept, plain, pack = fitting_games(records, data_of)
    return ViewerGames(plain, pack, left_out_text(records, kept))


def fitting_games(
    records: Sequence[GameRecord], data_of: Callable[[Sequence[int]], Mapping[str, Any]]
) -> tuple[list[int], Mapping[str, Any] | None, str]:
    """The places of the games that are kept, and their data, or packed.

    `data_of` makes the data of the games at some places. Of games that can hardly be packed, fewer
    are kept.
    """
    room = MOST_TEXT
    while True:
        kept = kept_games(records, room)
        plain, pack = packed(data_of(kept))
        if len(pack) <= MOST_PACKED or not kept:
            return kept, plain, pack
        room = int(0.97 * sum(weight(records[i]) for i in kept) * MOST_PACKED / len(pack))


def kept_games(records: Sequence[GameRecord], room: int = MOST_TEXT) -> list[int]:
    """The places of the games that are kept, in order.

    All if there is room. If not, the first and the last of the faulty ones, then of all.
    """
    if sum(map(weight, records)) <= room:
        return list(range(len(records)))
    faulty = [i for i, each in enumerate(records) if each.reason in FAULTS]
    kept = set(_from_both_ends(faulty, records, int(room * FAULTY_SHARE)))
    left = room - sum(weight(records[i]) for i in kept)
    others = [i for i in range(len(records)) if i not in kept]
    return sorted(kept | set(_from_both_ends(others, records, left)))


def weight(record: GameRecord) -> int:
    """The characters of a record, and some for what is kept of every game."""
    texts = record.moves, record.times, record.nodes, record.depths, record.scores, record.pv
    return 200 + len(record.detail) + sum(map(len, texts))


def _from_both_ends(
    places: Sequence[int], records: Sequence[GameRecord], room: int
) -> Iterable[int]:
    """The first and the last of these places in turn, as long as there is room."""
    inwards = chain.from_iterable(zip(places, reversed(places), strict=True))
    for place in islice(inwards, len(places)):
        room -= weight(records[place])
        if room < 0:
            return
        yield place


def left_out_text(records: Sequence[GameRecord], kept: Sequence[int]) -> str:
    out = len(records) - len(kept)
    if not out:
        return ""
    faulty = sum(each.reason in FAULTS for each in records)
    kept_faulty = sum(records[i].reason in FAULTS for i in kept)
    among = f"{kept_faulty} of the {faulty}" if kept_faulty < faulty else f"all {faulty}"
    told = f", and {among} that a fault or the time ended" if faulty else ""
    return (
        f"Of {len(records):,} games, {len(kept):,} are kept in this page: the first and the last"
        f"{told}. {out:,} are left out; all of them are in arena.db."
    )


def packed(data: Mapping[str, Any]) -> tuple[Mapping[str, Any] | None, str]:
    """The data as they are, or where they are long, nothing and their JSON by gzip in base64."""
    text = json.dumps(data, separators=(",", ":"), allow_nan=False)
    if len(text) <= PLAIN:
        return data, ""
    return None, base64.b64encode(gzip.compress(text.encode(), 6, mtime=0)).decode()
