"""The games at play as the page's viewer reads them, and the time left."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

from arena.report.numbers import format_duration
from arena.report.page.games import MoveReader, board_data
from arena.report.verdict import Conclusion
from arena.server.watch.followed_run import FollowedRun
from arena.server.watch.snapshot import Snapshot
from arena.storage.at_play import LiveBoards, is_asked_to_stop, is_at_play


@dataclass(frozen=True, slots=True)
class Pulse:
    """The progress of a run at this moment."""

    state: str  # `playing`, `stopping`, or `still`
    games: int
    total: int | None
    left: str  # The time left in words, of a test also the games; empty if it is not known
    share: float | None
    """The part of the bar that is full: of a test the place of its LLR between the bounds."""
    verdict: Conclusion | None  # As the games of the last snapshot have it


def pulse_of(followed: FollowedRun, seen: LiveBoards | None) -> Pulse:
    """The progress of a run, by few looks at its folder."""
    folder, snapshot = followed.folder, followed.told().snapshot
    games, total = followed.count(), snapshot.status.total if snapshot else None
    verdict = snapshot.document.verdict if snapshot else None
    if not is_at_play(folder):
        return Pulse("still", games, total, "", None, verdict)
    state = "stopping" if is_asked_to_stop(folder) else "playing"
    test = snapshot.status.test if snapshot else None
    left, share = "", test.share if test else games / total if total else None
    if snapshot and total is not None and state == "playing":
        pace = _pace_of(followed, seen, games)
        early = snapshot.status.may_end_early
        left = test.text(pace) if test else _left_text(total - games, pace, early)
    return Pulse(state, games, total, left, share, verdict)


def _pace_of(followed: FollowedRun, seen: LiveBoards | None, games: int) -> float:
    if seen:
        return seen.done / max(time.time() - seen.began, 1e-3)
    return (games - followed.first_count) / max(time.monotonic() - followed.began, 1e-3)


def _left_text(games: int, pace: float, may_end_early: bool) -> str:
    """The time in words that this number of games will take."""
    if games <= 0 or pace <= 0:
        return ""
    text = format_duration(max(games / pace, 1.0))
    return f"{'at most ' if may_end_early else ''}{text} left"


def boards_data(snapshot: Snapshot, seen: LiveBoards) -> dict[str, Any]:
    """The games at play with the names that they need, as `report/page/games.py` has them.

    Of each game also its worker (`slot`), its identity (`id`), and whether it goes on (`on`).
    """
    reader = MoveReader(snapshot.rules)
    names = list(dict.fromkeys(name for each in seen.boards for name in (each.first, each.second)))
    return {
        "runs": [snapshot.document.title],
        "boards": [board_data(snapshot.rules)],
        "players": names,
        "games": [
            {
                **reader.game_so_far(each.opening, each.moves, each.remarks),
                "slot": each.slot,
                "id": each.game,
                "on": each.goes_on,
                "f": names.index(each.first),
                "s": names.index(each.second),
                "n": 0,
                "run": 0,
                "b": 0,
                "oid": 0,
            }
            for each in seen.boards
        ],
        "left_out": 0,
        "scales": [snapshot.scales.get(name) for name in names],
    }


def stamp_of(seen: LiveBoards | None) -> str:
    """A mark of all boards that differs once a move is made."""
    if not seen:
        return ""
    return " ".join(
        f"{each.slot}.{each.game}.{len(each.remarks)}.{int(each.goes_on)}" for each in seen.boards
    )
