"""A game before and after it is played, as text and numbers."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from operator import attrgetter

from arena.game import FAULTS, Outcome, Reason

MOST_AT_ONCE = 500
"""Games that are read, or pairings looked up, at once: with more new objects than its threshold,
which is 700 in Python 3.11, Python would search for garbage each time."""


@dataclass(frozen=True, slots=True)
class Job:
    """One game to be played."""

    first: str
    second: str
    opening: str = ""
    """Moves as text, joined by spaces; of an opening that the players make, those laid so far."""
    round: int = 1
    seed: int = 0
    proposer: int = 0
    """The seat that proposes, or has proposed, where the players make the opening; 0: it is
    given."""
    suggested: str = ""
    """Three stones for a proposer that brings none of its own."""
    swap2: str = ""
    """The answers in the opening so far: see `swap2_rule`."""
    number: int = field(default=0, compare=False)
    """The number in the schedule, from 1, where there is one."""

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
    proposer: int = 0
    """The seat that proposed by swap2; 0 where the opening was given."""
    suggested: str = ""
    """By swap2, the three stones for a proposer that brings none of its own."""
    swap2: str = ""
    """By swap2, the answers with their seconds, such as `three:0.012000 two:0.200000 stay`."""
    machine: str = ""
    """The machine of a cluster that it was played on; empty for this one."""

    def player(self, seat: int) -> str:
        """The name of player 1 or 2."""
        return self.first if seat == 1 else self.second


GameKey = tuple[str, str, str, int]


HALF_POINTS = {1: 2, 2: 0, None: 1}
"""Half points of the first player by the winner."""
SWAP2 = "swap2 "
"""Beginning of an opening that players make themselves; the suggested stones follow."""


def key(game: Job | GameRecord) -> GameKey:
    """The identity of a game within a run, which no other game of it has.

    Its player that moves first, or by swap2 the proposer, and the other; the opening of their
    pairing, and the round.
    """
    if not game.proposer:
        return game.first, game.second, game.opening, game.round
    proposer, other = game.player(game.proposer), game.player(3 - game.proposer)
    return proposer, other, SWAP2 + game.suggested, game.round


def swapped(game: Job | GameRecord, seat: int) -> int:
    """The seat at the board of the player at a seat of the schedule, or the other way round: they
    differ where colours were changed in the opening."""
    return 3 - seat if seat and game.proposer == 2 else seat


def job_of(key: GameKey, seed: int, number: int = 0) -> Job:
    """The job of the game with this identity, and number in the schedule."""
    first, second, opening, round = key
    if opening.startswith(SWAP2):
        suggested = opening.removeprefix(SWAP2)
        return Job(first, second, "", round, seed, 1, suggested, number=number)
    return Job(first, second, opening, round, seed, number=number)


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
        proposer=job.proposer,
        suggested=job.suggested,
        swap2=job.swap2,
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
