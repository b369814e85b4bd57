"""A game before and after it is played, as text and numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from operator import attrgetter
from typing import Any

from arena.arguments import checks_calls
from arena.game import FAULTS, Outcome, Reason
from arena.match.efforts import Effort, Efforts
from arena.plugins.load import names

MOST_AT_ONCE = 500
"""Games that are read, or pairings looked up, at once: with more new objects than its threshold,
which is 700 in Python 3.11, Python would search for garbage each time."""


_UNNAMED = "swap2"
"""The rule of openings whose answers stand without its name in the column `swap2`."""


@dataclass(frozen=True, slots=True)
class OpeningMade:
    """An opening that the players make by a rule, as far as they have come with it."""

    rule: str  # The name of a file in `opening_rules`
    proposer: int  # The seat at the board of the player that proposes, or has proposed
    suggested: str  # Stones for a proposer that brings none of its own
    answers: str = ""
    """The answers with their seconds, such as `three:0.012000 two:0.200000 stay`; without them
    where the answer is a move of the game, which has them."""

    @property
    def start(self) -> str:
        """The opening of its pairing, such as `swap2 7,7 6,7 8,9`: the rule, what is suggested."""
        return f"{self.rule} {self.suggested}"

    @property
    def parts(self) -> list[tuple[str, str, str]]:
        """Each answer, its colon and its seconds; the last two are empty where it has none."""
        return [word.partition(":") for word in self.answers.split()]

    @property
    def words(self) -> tuple[str, ...]:
        """The answers alone."""
        return tuple(word for word, _, _ in self.parts)

    @property
    def text(self) -> str:
        """The answers as files and frames have them, after the name of any rule but swap2."""
        return self.answers if self.rule == _UNNAMED else f"{self.rule} {self.answers}".strip()


def _parse_made(proposer: int, suggested: str, text: str) -> OpeningMade | None:
    """The opening that files and frames have so; None if the proposer is 0: it was given."""
    rule, _, answers = text.partition(" ")
    if not rule or ":" in rule:
        rule, answers = _UNNAMED, text
    return OpeningMade(rule, proposer, suggested, answers) if proposer else None


@dataclass(frozen=True, slots=True)
class Job:
    """One game to be played."""

    first: str
    second: str
    opening: str = ""
    """Moves as text, joined by spaces; of an opening that the players make, those laid so far."""
    round: int = 1
    seed: int = 0
    made: OpeningMade | None = None
    """What the players have made of the opening so far; None where it is given."""
    number: int = field(default=0, compare=False)
    """The number in the schedule, from 1, where there is one."""

    def __str__(self) -> str:
        return f"{self.first} - {self.second}, opening {self.opening or 'none'}, round {self.round}"

    def player(self, seat: int) -> str:
        """The name of player 1 or 2."""
        return self.first if seat == 1 else self.second


@checks_calls
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
    made: OpeningMade | None = None
    """The opening, if the players made it."""
    machine: str = ""
    """The machine of a cluster that it was played on; empty for this one."""
    efforts: Efforts | None = field(default=None, compare=False, repr=False)
    """What the moves of both players cost, from the process that played it; None for a game from
    elsewhere."""

    def player(self, seat: int) -> str:
        """The name of player 1 or 2."""
        return self.first if seat == 1 else self.second

    @property
    def proposer(self) -> int:
        """The seat of the player that proposed the opening; 0 where it was given."""
        return self.made.proposer if self.made else 0

    @property
    def suggested(self) -> str:
        """The stones for a proposer that brings none of its own; empty where they were given."""
        return self.made.suggested if self.made else ""

    @property
    def swap2(self) -> str:
        """The answers in the opening: see `OpeningMade.text`; empty where it was given."""
        return self.made.text if self.made else ""


GameKey = tuple[str, str, str, int]


HALF_POINTS = {1: 2, 2: 0, None: 1}
"""Half points of the first player by the winner."""


def key(game: Job | GameRecord) -> GameKey:
    """The identity of a game within a run, which no other game of it has.

    Its player that moves first, or proposes, and the other; the opening of their pairing, and the
    round.
    """
    if not (made := game.made):
        return game.first, game.second, game.opening, game.round
    one, other = game.player(made.proposer), game.player(3 - made.proposer)
    return one, other, made.start, game.round


def swapped(game: Job | GameRecord, seat: int) -> int:
    """The seat at the board of the player at a seat of the schedule, or the other way round: they
    differ where colours were changed in the opening."""
    return 3 - seat if seat and game.made and game.made.proposer == 2 else seat


def split_opening(opening: str) -> tuple[str, str]:
    """The rule by which players make the opening of a pairing, and what is suggested for it; an
    empty rule, and the opening, if it is given."""
    rule, _, suggested = opening.partition(" ")
    return (rule, suggested) if rule in names("opening rule") else ("", opening)


def job_of(key: GameKey, seed: int, number: int = 0) -> Job:
    """The job of the game with this identity, and number in the schedule."""
    first, second, opening, round = key
    rule, suggested = split_opening(opening)
    made = OpeningMade(rule, 1, suggested) if rule else None
    return Job(first, second, "" if made else opening, round, seed, made, number)


Numbered = list[tuple[int, GameRecord]]
"""Games with their numbers in the schedule, from 1."""
_BESIDE = ("made", "machine", "efforts")
PLAIN_FIELDS = [each.name for each in fields(GameRecord) if each.name not in _BESIDE]
FIELDS = [*PLAIN_FIELDS, "proposer", "suggested", "swap2"]
"""All that makes up a game, wherever it was played, as numbers and texts."""
values_of = attrgetter(*FIELDS)
"""The values of a record by FIELDS: a tenth of the time of `astuple`."""
Sent = tuple[Sequence[Any], Sequence[Sequence[Any]]]
"""The values of a record by FIELDS, and of the efforts of both players if they are known."""


def to_send(record: GameRecord) -> Sent:
    """A record for another process: plain values take half the time of classes to send."""
    return values_of(record), [*map(tuple, record.efforts or ())]


def record_from(
    values: Sequence[Any], efforts: Sequence[Sequence[Any]] = (), machine: str = ""
) -> GameRecord:
    """The record of a game by its `values_of`, with efforts as in `to_send`."""
    *plain, proposer, suggested, text = values
    made = _parse_made(proposer, suggested, text)
    both = (Effort(*efforts[0]), Effort(*efforts[1])) if efforts else None
    return GameRecord(*[*plain, made, machine, both])


def record(
    job: Job,
    outcome: Outcome,
    detail: str,
    moves: str,
    marks: tuple[str, str] = ("", ""),
    **rest: Any,
) -> GameRecord:
    """The record of a game that ended so after these moves; its marks are those of `copies`, and
    the rest its remarks, as `remarks.columns` has them, and its efforts."""
    rest = {"times": "", "nodes": "", "depths": "", "scores": ""} | rest
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
        start=marks[0],
        digest=marks[1],
        made=job.made,
        **rest,
    )


def loser_by_fault(first: str, second: str, winner: int | None, reason: Reason) -> str:
    """The player whose own fault ended a game with this result; empty if none did."""
    if winner is None or reason not in FAULTS:
        return ""
    return second if winner == 1 else first


def at_fault(record: GameRecord) -> str:
    """The player whose own fault ended a game; empty if none did."""
    return loser_by_fault(record.first, record.second, record.winner, record.reason)


def summary(record: GameRecord) -> str:
    """One line about a game, for logs and screens."""
    who = {1: "1-0", 2: "0-1", None: "draw"}[record.winner]
    detail = f" ({record.detail})" if record.detail else ""
    return f"{record.first} - {record.second}: {who}, {record.reason}{detail}, {record.plies} plies"
