"""The bracket of a knockout: stage by stage from left to right, the winners in bold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from xml.etree.ElementTree import Element

import pandas as pd

from arena.formats.knockout import seeded
from arena.report.page.charts import element, line_between, picture, points_text, text_at
from arena.report.table import Figure
from arena.report.tables import format_match, knockout_stages, match_points

ROW, SPACE, GAP, TOP = 22.0, 16.0, 28.0, 24.0
"""The height of a player's row, the room below a match and right of it, and that of the titles."""
LETTER, MOST_LETTERS = 7.5, 26  # The width of a letter, and the letters of a name that are shown
BASELINE, INDENT = 15, 6  # The way from a row's top to the line of its text, and from its sides
POINTS = 44.0  # The width of the points, with the room around a name
OPEN, ABSENT = "", None  # A player that is not known yet, and none at all, whose opponent goes on
Slot = str | None
Match = Mapping[Any, Any]


def bracket_figure(players: Sequence[str], matches: pd.DataFrame) -> Figure:
    """The bracket of these players, the best seed first, with the matches that have begun."""
    rows = {(row["stage"], row["one"], row["other"]): row for row in matches.to_dict("records")}
    width = POINTS + LETTER * min(max(map(len, players)), MOST_LETTERS)
    stages, slots = knockout_stages(len(players)), seeded(players)
    places = [TOP + ROW + i * (2 * ROW + SPACE) for i in range(len(slots) // 2)]
    height = places[-1] + ROW + 1
    marks: list[Element] = []
    for stage, title in stages.items():
        x = 1 + (stage - 1) * (width + GAP)
        marks.append(text_at(x, 14, title, "label", "start"))
        couples = list(zip(slots[::2], slots[1::2], strict=True))
        slots = []
        for (upper, lower), y in zip(couples, places, strict=True):
            match = rows.get((stage, upper, lower)) or rows.get((stage, lower, upper))
            marks += _match_marks(x, y, width, (upper, lower), match)
            if upper is not ABSENT and lower is not ABSENT:
                slots.append(match["winner"] if match else OPEN)
            else:
                slots.append(upper if lower is ABSENT else lower)
        following = [
            (one + other) / 2 for one, other in zip(places[::2], places[1::2], strict=False)
        ]
        marks += [_link(x + width, y, following[i // 2]) for i, y in enumerate(places) if following]
        places = following
    (champion,) = slots
    caption = "Who goes on is in bold; a bye is a stage without an opponent."
    if champion and match:
        score = format_match(*sorted(match_points(match), reverse=True)).replace(" ", "\u00a0")
        loser = match["other"] if champion == match["one"] else match["one"]
        caption = f"{champion} won the final against {loser}, {score}. {caption}"
    whole = 1 + len(stages) * (width + GAP) - GAP + 1
    return Figure(picture(whole, height, caption, *marks, style="bracket"), caption)


def _match_marks(
    x: float, y: float, width: float, couple: Sequence[Slot], match: Match | None
) -> Iterator[Element]:
    """The box of a match with a row a player; `match` is None for a bye, or before it begins."""
    names = [name for name in couple if name is not ABSENT]
    is_bye = len(names) == 1
    top = y - ROW * len(names) / 2
    yield element("rect", x=x, y=top, width=width, height=ROW * len(names), class_="none")
    points = dict[Slot, float]()
    if match and match["pairs"]:
        points = dict(zip((match["one"], match["other"]), match_points(match), strict=True))
    for i, name in enumerate(names):
        line = top + i * ROW + BASELINE
        style = "won" if match and name != OPEN and name == match["winner"] else ""
        yield _name_text(x + INDENT, line, name, style)
        score = f"{points[name]:g}" if name in points else ""
        text = "bye" if is_bye else score
        yield text_at(x + width - INDENT, line, text, style or "label", "end")
    if not is_bye:
        yield line_between(x, y, x + width, y, "grid")


def _name_text(x: float, y: float, name: str, style: str) -> Element:
    """A name, which is whole under the mouse if it is too long."""
    if len(name) <= MOST_LETTERS:
        return text_at(x, y, name, style, "start")
    found = text_at(x, y, f"{name[: MOST_LETTERS - 1]}\u2026", style, "start")
    found.append(element("title", name))
    return found


def _link(x: float, y: float, end: float) -> Element:
    steps = [(x, y), (x + GAP / 2, y), (x + GAP / 2, end), (x + GAP, end)]
    return element("polyline", points=points_text(steps), class_="link")
