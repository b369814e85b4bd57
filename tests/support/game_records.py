"""Records of games that are made up."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp

from arena.engine import Limit
from arena.format import Pairing
from arena.game import Outcome
from arena.match.game_row import read_efforts, row_of
from arena.match.pairs import Results
from arena.match.record import GameRecord, Job, Numbered, record
from arena.storage.database import Games, Store, kept_games
from arena.storage.folder import DATABASE

FOLDER = TemporaryDirectory(prefix="games")
"""The place of databases that last as long as the tests."""


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
    """The games as a run keeps them, with these numbers."""
    games = games_of([record for _, record in numbered], limits)
    return replace(games, numbers=[number for number, _ in numbered])


def game(
    first: str, second: str, winner: int | None, opening: str = "o", round: int = 1, moves: str = ""
) -> GameRecord:
    return GameRecord(
        first=first,
        second=second,
        opening=opening,
        round=round,
        seed=0,
        winner=winner,
        reason="line",
        detail="",
        plies=9,
        moves=moves or f"{opening} {first} {second} {winner}",
        times="",
        nodes="",
        depths="",
        scores="",
    )


def results_of(records: Iterable[GameRecord]) -> Results:
    """The pairs among these games."""
    results = Results()
    for each in records:
        results.add(row_of(each))
    return results


def play_pair(results: Results, pairing: Pairing, best: str | None, moves: str = "") -> None:
    """Both games are won by one player; without one, by the player that moves first."""
    for first, second in ((pairing.one, pairing.other), (pairing.other, pairing.one)):
        winner = 2 if second == best else 1
        job = Job(first, second, pairing.opening, pairing.round)
        own = moves or f"{pairing.opening} {pairing.round}"
        results.add(row_of(record(job, Outcome(winner, "line"), "", own)))
