"""The games at play as the page's viewer reads them, and the time left."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

from arena.errors import ConfigError
from arena.game import Game
from arena.match.record import GameRecord
from arena.report.page.games import MoveReader, board_data
from arena.server.watch.followed_run import FollowedRun
from arena.server.watch.snapshot import Snapshot
from arena.storage.at_play import is_asked_to_stop, is_at_play
from arena.tuning.report.messages import duration_text
from arena.workers.seen_boards import SeenBoard, SeenBoards, read_boards


@dataclass(frozen=True, slots=True)
class Pulse:
    """The progress of a run at this moment."""

    state: str
    """`playing`, `stopping`, or `still`."""
    games: int
    total: int | None
    left: str
    """The time left in words; empty if nobody knows."""


def pulse_of(followed: FollowedRun, seen: SeenBoards | None) -> Pulse:
    """The progress of a run, by few looks at its folder."""
    folder, snapshot = followed.folder, followed.told().snapshot
    games, total = followed.count(), snapshot.total if snapshot else None
    if not is_at_play(folder):
        return Pulse("still", games, total, "")
    state = "stopping" if is_asked_to_stop(folder) else "playing"
    left = ""
    if snapshot and total is not None and state == "playing":
        left = left_text(total - games, pace_of(followed, seen, games), snapshot.may_end_early)
    return Pulse(state, games, total, left)


def pace_of(followed: FollowedRun, seen: SeenBoards | None, games: int) -> float:
    """Games a second since the workers were started; where they are not seen, since one looks."""
    if seen:
        return seen.done / max(time.time() - seen.began, 1e-3)
    return (games - followed.first_count) / max(time.monotonic() - followed.began, 1e-3)


def left_text(games: int, pace: float, may_end_early: bool) -> str:
    """The time that so many games will take."""
    if games <= 0 or pace <= 0:
        return ""
    text = duration_text(max(games / pace, 1.0))
    return f"at most {text}" if may_end_early else text


def boards_of(followed: FollowedRun) -> SeenBoards | None:
    """The games at play in the folder."""
    return read_boards(followed.folder)


def boards_data(snapshot: Snapshot, seen: SeenBoards) -> dict[str, Any]:
    """Data of those games with the names that they need, as `page/games.py` has them.

    Of each game also its worker (`slot`), its identity (`id`), and whether it goes on (`on`).
    """
    reader = MoveReader(snapshot.rules)
    read = [(board, game_data(snapshot.rules, reader, board)) for board in seen.boards]
    shown = [(board, game) for board, game in read if game]
    names = list(dict.fromkeys(name for board, _ in shown for name in (board.first, board.second)))
    return {
        "runs": [snapshot.document.title],
        "boards": [board_data(snapshot.rules)],
        "players": names,
        "games": [
            {**game, "f": names.index(board.first), "s": names.index(board.second)}
            for board, game in shown
        ],
        "left_out": 0,
    }


def game_data(rules: Game, reader: MoveReader, board: SeenBoard) -> dict[str, Any] | None:
    """One of them; None if its moves are none of this game."""
    try:
        moves = " ".join([board.opening, *(rules.text(each.move) for each in board.choices)])
        found = reader.game(record_so_far(board, moves.strip()))
    except (ConfigError, ValueError, IndexError, OverflowError):
        return None
    place = {"slot": board.slot, "id": board.game, "on": board.goes_on}
    return {**found, **place, "n": 0, "run": 0, "b": 0, "oid": 0}


def record_so_far(board: SeenBoard, moves: str) -> GameRecord:
    """A game that is not over, in the form of one that is."""
    choices = board.choices
    return GameRecord(
        first=board.first,
        second=board.second,
        opening=board.opening,
        round=1,
        seed=0,
        winner=None,
        reason="ply cap",
        detail="",
        plies=len(moves.split()),
        moves=moves,
        times=" ".join(f"{each.seconds:.6f}" for each in choices),
        nodes=" ".join(str(each.nodes) for each in choices),
        depths=" ".join(str(each.depth) for each in choices),
        scores=" ".join("-" if each.score is None else str(each.score) for each in choices),
    )


def stamp_of(seen: SeenBoards | None) -> str:
    """A mark of all boards that differs once a move is made."""
    if not seen:
        return ""
    return " ".join(
        f"{each.slot}.{each.game}.{len(each.choices)}.{int(each.goes_on)}" for each in seen.boards
    )
