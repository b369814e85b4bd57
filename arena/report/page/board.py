"""A game's board as a drawing of its own, as notebooks show it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from xml.etree.ElementTree import Element

from arena.coordinates import Coordinates, Notation
from arena.errors import ConfigError
from arena.game import Game, Position
from arena.match.record import GameRecord, summary
from arena.plugins.load import load_game
from arena.report.page.games import won_line
from arena.report.page.svg import element, picture, text_at

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
            marks.append(stroke(*ends, LINE_COLOUR, 1))
    marks += _edge_texts(coordinates)
    marks += stones(rules, p)
    k = getattr(rules, "k", None)
    if p.last is not None:
        ringed = won_line(p.cells, size, k, p.last) if is_won and k else [p.last % size**2]
        colour = GREEN if is_won else RED
        marks += [_ring(*_centre_of(cell, size), colour) for cell in ringed]
    return str(picture(edge + BORDER, edge + BORDER, label, *marks))


def _edge_texts(coordinates: Coordinates) -> list[Element]:
    """The names of columns and rows: letters below the board, since they go with its lowest row."""
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


def stroke(x1: float, y1: float, x2: float, y2: float, colour: str, width: float) -> Element:
    return element("line", x1=x1, y1=y1, x2=x2, y2=y2, stroke=colour, stroke_width=width)


def _small_text(x: float, y: float, text: str, colour: str) -> Element:
    mark = text_at(x, y, text)
    for name, value in (("font-size", "10"), ("font-family", "sans-serif"), ("fill", colour)):
        mark.set(name, value)
    return mark
