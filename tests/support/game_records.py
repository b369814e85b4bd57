"""Records of games that are made up."""

from __future__ import annotations

from arena.format import Pairing
from arena.game import Outcome
from arena.match.pairs import Results
from arena.match.record import GameRecord, Job, record


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


def play_pair(results: Results, pairing: Pairing, best: str | None, moves: str = "") -> None:
    """Both games are won by one player; without one, by the player that moves first."""
    for first, second in ((pairing.one, pairing.other), (pairing.other, pairing.one)):
        winner = 2 if second == best else 1
        job = Job(first, second, pairing.opening, pairing.round)
        own = moves or f"{pairing.opening} {pairing.round}"
        results.add(record(job, Outcome(winner, "line"), "", own))
