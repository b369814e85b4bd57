"""A game before and after it is played, as text and numbers."""

from __future__ import annotations

from dataclasses import dataclass, fields
from operator import attrgetter

from arena.game import FAULTS, Outcome, Reason


@dataclass(frozen=True, slots=True)
class Job:
    """One game to be played."""

    first: str
    second: str
    opening: str = ""
    """Moves as text, joined by spaces."""
    round: int = 1
    seed: int = 0

    def __str__(self) -> str:
        return f"{self.first} - {self.second}, opening {self.opening or 'none'}, round {self.round}"

    def player(self, seat: int) -> str:
        """The name of player 1 or 2."""
        return self.first if seat == 1 else self.second


@dataclass(frozen=True, slots=True)
class GameRecord:
    """One game played: enough to play it again."""

    first: str
    second: str
    opening: str
    round: int
    seed: int
    winner: int | None
    reason: Reason
    detail: str
    """For people: what a player did wrong, and the help that a person took; mostly empty. Of a game
    won by proof, the moves of the winning line, joined by spaces."""
    plies: int
    moves: str
    """The moves' texts joined by spaces, opening included."""
    times: str
    """Seconds of each choice in turn, joined by spaces, the opening left out; so the next three."""
    nodes: str
    depths: str
    scores: str
    """Scores from the mover's side; `-` where the engine gave none."""
    start: str = ""
    """Mark of the position after the opening: see `copies`."""
    digest: str = ""
    """Mark of the whole game, which its copies share."""
    pv: str = ""
    """The moves that each choice expected after its own, with `|` between choices; mostly empty."""
    info: str = ""
    """JSON: by `first` or `second`, and by name, one value for each of that player's choices (null:
    none); mostly empty."""
    machine: str = ""
    """The machine of a cluster that it was played on; empty for this one."""


GameKey = tuple[str, str, str, int]


def key(game: Job | GameRecord) -> GameKey:
    """The identity of a game within a run, whatever else the run plays."""
    return game.first, game.second, game.opening, game.round


Numbered = list[tuple[int, GameRecord]]
"""Games with their numbers in the schedule, from 1."""
FIELDS = [field.name for field in fields(GameRecord) if field.name != "machine"]
"""All that makes up a game, wherever it was played."""
values_of = attrgetter(*FIELDS)
"""The values of a record in the order of its fields: a tenth of the time of `astuple`."""


def record(
    job: Job,
    outcome: Outcome,
    detail: str,
    moves: str,
    marks: tuple[str, str] = ("", ""),
    *,
    times: str = "",
    nodes: str = "",
    depths: str = "",
    scores: str = "",
    pv: str = "",
    info: str = "",
) -> GameRecord:
    """The record of a game that ended so after these moves; its marks are those of `copies`."""
    return GameRecord(
        first=job.first,
        second=job.second,
        opening=job.opening,
        round=job.round,
        seed=job.seed,
        winner=outcome.winner,
        reason=outcome.reason,
        detail=detail,
        plies=len(moves.split()),
        moves=moves,
        times=times,
        nodes=nodes,
        depths=depths,
        scores=scores,
        start=marks[0],
        digest=marks[1],
        pv=pv,
        info=info,
    )


def at_fault(record: GameRecord) -> str:
    """The player whose own fault ended a game; empty if none did."""
    if record.reason not in FAULTS or record.winner is None:
        return ""
    return record.second if record.winner == 1 else record.first


def summary(record: GameRecord) -> str:
    """One line about a game, for logs and screens."""
    who = {1: "1-0", 2: "0-1", None: "draw"}[record.winner]
    detail = f" ({record.detail})" if record.detail else ""
    return f"{record.first} - {record.second}: {who}, {record.reason}{detail}, {record.plies} plies"
