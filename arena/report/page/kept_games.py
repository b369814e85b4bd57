"""The games that a page holds; where there are too many, the first, the last, and the faulty."""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from arena.errors import ConfigError
from arena.game import FAULTS
from arena.match.record import GameRecord
from arena.plugins.load import load_game
from arena.report.answer import GameSource
from arena.report.page.games import Played, games_data

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
        """The games at these places."""
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
    inwards = [place for pair in zip(places, reversed(places), strict=True) for place in pair][
        : len(places)
    ]
    for place in inwards:
        room -= weight(records[place])
        if room < 0:
            return
        yield place


def left_out_text(records: Sequence[GameRecord], kept: Sequence[int]) -> str:
    """The sentence on the games that are left out; empty if none are."""
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
