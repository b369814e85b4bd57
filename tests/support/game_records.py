"""Records of games that are made up."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp
from typing import Any

from arena.engine import Limit
from arena.format import Pairing
from arena.game import Outcome, Reason
from arena.match.game_row import read_efforts, row_of
from arena.match.pairs import Results
from arena.match.record import GameRecord, Job, Numbered, record
from arena.storage.database import Games, Store, kept_games
from arena.storage.folder import DATABASE

FOLDER = TemporaryDirectory(prefix="games")  # the place of databases that last as long as the tests


def games_of(records: Iterable[GameRecord], limits: Mapping[str, Limit] | None = None) -> Games:
    """The games as a run keeps them, numbered in this order."""
    file = Path(mkdtemp(dir=FOLDER.name)) / DATABASE
    known = limits or {}
    with closing(Store(file)) as store:
        for each in records:
            own = [known.get(name, Limit()) for name in (each.first, each.second)]
            store.add(replace(each, efforts=read_efforts(each, own)))
        store.flush()
        return kept_games(store)


def games_of_numbered(numbered: Numbered, limits: Mapping[str, Limit] | None = None) -> Games:
    games = games_of([record for _, record in numbered], limits)
    return replace(games, numbers=[number for number, _ in numbered])


def game(
    first: str, second: str, winner: int | None, opening: str = "o", round: int = 1, moves: str = ""
) -> GameRecord:
    facts: dict[str, Any] = dict.fromkeys(("detail", "times", "nodes", "depths", "scores"), "")
    facts |= {"opening": opening, "round": round, "seed": 0, "reason": "line", "plies": 9}
    own = moves or f"{opening} {first} {second} {winner}"
    return GameRecord(first=first, second=second, winner=winner, moves=own, **facts)


def results_of(records: Iterable[GameRecord]) -> Results:
    results = Results()
    for each in records:
        results.add(row_of(each))
    return results


def play_pair(
    results: Results,
    pairing: Pairing,
    best: str | None,
    moves: str = "",
    reasons: tuple[Reason, Reason] = ("line", "line"),
) -> list[GameRecord]:
    """Both games are won by one player; without one, by the player that moves first."""
    games = []
    seats = (pairing.one, pairing.other), (pairing.other, pairing.one)
    for (first, second), reason in zip(seats, reasons, strict=True):
        job = Job(first, second, pairing.opening, pairing.round)
        outcome = Outcome(2 if second == best else 1, reason)
        games.append(record(job, outcome, "", moves or f"{pairing.opening} {pairing.round}"))
        results.add(row_of(games[-1]))
    return games
