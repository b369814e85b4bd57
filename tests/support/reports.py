"""Reports of games that are made up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from support.game_records import game, games_of_numbered

from arena.engine import Limit
from arena.match.record import GameRecord
from arena.report.answer import report_text
from arena.report.frames import Report, report_of
from arena.report.run_answer import run_answer

Played = tuple[int, GameRecord]  # a game with its number in the schedule


def thought(record: GameRecord, times: str, nodes: str, depths: str) -> GameRecord:
    return replace(record, times=times, nodes=nodes, depths=depths, plies=len(times.split()) + 1)


def report(
    names: Sequence[str],
    records: Sequence[Played],
    limits: Mapping[str, Limit] | None = None,
    **given: Any,
) -> Report:
    return report_of(names, {"run": games_of_numbered(records, limits)}, **given)


def shown(found: Report, form: str = "table", frame: str | None = None) -> str:
    return report_text(replace(run_answer(found), is_full=True), form, frame)


def two_games() -> Report:
    """One pair from an opening of one ply, so that player 2 is asked first."""
    there = thought(game("a", "b", 1, "4,4"), "0.1 0.2 0.3", "10 200 30", "1 5 2")
    back = thought(game("b", "a", None, "4,4"), "0.4 0.5", "400 50", "6 3")
    return report(["a", "b", "c"], [(1, there), (2, back)])


def schedule_of(*pairs: tuple[str, str, int | None, int | None]) -> list[Played]:
    """(one, other, winner, winner with colours swapped), each on an opening of its own."""
    games = [
        each
        for i, (one, other, there, back) in enumerate(pairs)
        for each in (game(one, other, there, str(i)), game(other, one, back, str(i)))
    ]
    return list(enumerate(games, start=1))
