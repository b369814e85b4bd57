"""A game before and after it is played, as text and numbers: moves, remarks and their cost."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from itertools import accumulate, islice
from math import isfinite
from numbers import Integral, Real
from operator import attrgetter, index
from typing import Any, NamedTuple, SupportsIndex

from arena.arguments import checks_calls
from arena.engine import NO_INFO, Choice, Info, Limit, Remark
from arena.errors import ConfigError, one_line
from arena.game import FAULTS, Move, Outcome, Reason
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
        return tuple(word for word, _, _ in self.parts)

    @property
    def text(self) -> str:
        """The answers as files and frames have them, after the name of any rule but swap2."""
        return self.answers if self.rule == _UNNAMED else f"{self.rule} {self.answers}".strip()


def _parse_made(proposer: int, suggested: str, text: str) -> OpeningMade | None:
    rule, _, answers = text.partition(" ")
    if not rule or ":" in rule:
        rule, answers = _UNNAMED, text
    return OpeningMade(rule, proposer, suggested, answers) if proposer else None


@dataclass(frozen=True, slots=True)
class Job:
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

HALF_POINTS = {1: 2, 2: 0, None: 1}  # Half points of the first player by the winner


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
    """Convert a seat of the schedule to one at the board, or back: changed colours swap them."""
    return 3 - seat if seat and game.made and game.made.proposer == 2 else seat


def split_opening(opening: str) -> tuple[str, str]:
    """The rule by which players make an opening, and the stones suggested for it; for an opening
    that is given as moves, an empty rule, and the moves."""
    rule, _, suggested = opening.partition(" ")
    return (rule, suggested) if rule in names("opening rule") else ("", opening)


def job_of(key: GameKey, seed: int, number: int = 0) -> Job:
    first, second, opening, round = key
    rule, suggested = split_opening(opening)
    made = OpeningMade(rule, 1, suggested) if rule else None
    return Job(first, second, "" if made else opening, round, seed, made, number)


Numbered = list[tuple[int, GameRecord]]  # Games with their numbers in the schedule, from 1
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
    """The record of a finished game. `marks` are those of `arena.match.copies`; `rest` has the
    columns of its remarks, and its efforts."""
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
    return loser_by_fault(record.first, record.second, record.winner, record.reason)


def summary(record: GameRecord) -> str:
    """One line about a game, for logs and screens."""
    who = {1: "1-0", 2: "0-1", None: "draw"}[record.winner]
    detail = f" ({record.detail})" if record.detail else ""
    return f"{record.first} - {record.second}: {who}, {record.reason}{detail}, {record.plies} plies"


LONGEST_LINE = 4  # Moves that are kept of the line that an engine expects after its own move
MOST_NAMES, LONGEST_WORD = 10, 40
"""Names of each player's `info` that are kept, and characters of a name or a text."""
SEATS = {1: "first", 2: "second"}
COLUMNS = ("times", "nodes", "depths", "scores", "pv", "info")
"""Fields of a record that keep the remarks."""

NO_LINE: tuple[Move, ...] = ()


def remark(seat: int, choice: Choice, seconds: float, text: Callable[[Move], str]) -> Remark:
    """The remark with a choice; OverflowError, TypeError or ValueError for what is no number."""
    score = None if choice.score is None else whole(int(choice.score))
    nodes, depth = whole(choice.nodes), whole(choice.depth)
    line = "" if choice.pv is NO_LINE else line_of(choice, text)
    info = NO_INFO if type(choice.info) is dict and not choice.info else _info_of(choice)
    return Remark(seat, seconds, nodes, depth, score, line, info)


def line_of(choice: Choice, text: Callable[[Move], str]) -> str:
    try:
        own, *others = islice(choice.pv, 1 + LONGEST_LINE)
        return " ".join([text(whole(move)) for move in others]) if own == choice.move else ""
    except Exception:  # of an object of the engine's
        return ""


def _info_of(choice: Choice) -> Info:
    try:
        items = list(islice(choice.info.items(), MOST_NAMES))
        found = {one_line(str(name))[:LONGEST_WORD]: _plain_value(value) for name, value in items}
    except Exception:  # of an object of the engine's
        return {}
    return {name: value for name, value in found.items() if value is not None}


def _plain_value(value: object) -> int | float | str | None:
    if isinstance(value, Integral):
        return whole(value)
    if isinstance(value, Real):
        return float(f"{float(value):.4g}") if isfinite(value) else None
    return one_line(value)[:LONGEST_WORD] if isinstance(value, str) else None


def columns(remarks: Sequence[Remark], kept: bool = True) -> dict[str, str]:
    """The remarks of a game, as text: the fields of its record that have these names.

    Lines and info are left out unless they are to be `kept`.
    """
    if not remarks:
        return dict.fromkeys(COLUMNS, "")
    _, seconds, nodes, depths, scores, lines, _ = zip(*remarks, strict=True)
    return {
        "times": " ".join([f"{each:.6f}" for each in seconds]),
        "nodes": " ".join(map(str, nodes)),
        "depths": " ".join(map(str, depths)),
        "scores": " ".join(["-" if each is None else str(each) for each in scores]),
        "pv": "|".join(lines) if kept and any(lines) else "",
        "info": _info_text(remarks) if kept else "",
    }


def _info_text(remarks: Iterable[Remark]) -> str:
    """The named values as JSON: by seat and name, one for each of that player's choices."""
    found = {}
    for seat, title in SEATS.items():
        values = [each.info for each in remarks if each.seat == seat]
        names = islice(dict.fromkeys(name for info in values for name in info), MOST_NAMES)
        if by_name := {name: [info.get(name) for info in values] for name in names}:
            found[title] = by_name
    return json.dumps(found, separators=(",", ":")) if found else ""


def remarks_of(record: GameRecord) -> list[Remark]:
    """The remarks of a game; ConfigError if its record, perhaps edited by hand, has others."""
    texts = {name: getattr(record, name) for name in COLUMNS}
    return remarks_in(texts, len(record.opening.split()))


def remarks_in(texts: Mapping[str, str], opening: int) -> list[Remark]:
    """The mirror of `columns`, after an opening of this many plies.

    ConfigError if a text cannot be read, or has more or fewer choices than the others.
    """
    times, nodes, depths = (texts[name].split() for name in ("times", "nodes", "depths"))
    scores = (None if text == "-" else int(text) for text in texts["scores"].split())
    count = len(times)
    lines = texts["pv"].split("|") if texts["pv"] else [""] * count
    seats = [(opening + i) % 2 + 1 for i in range(count)]
    try:
        info = _read_info(texts["info"], seats) if texts["info"] else [NO_INFO] * count
        values = seats, map(float, times), map(int, nodes), map(int, depths), scores, lines, info
        return list(map(Remark._make, zip(*values, strict=True)))
    except (AttributeError, LookupError, TypeError, ValueError, RecursionError) as error:
        raise ConfigError(f"what is kept of the game cannot be read: {error}") from None


def _read_info(text: str, seats: Sequence[int]) -> list[Info]:
    by_seat, infos = json.loads(text), list[Info]()
    for i, seat in enumerate(seats):
        values = {name: each[i // 2] for name, each in by_seat.get(SEATS[seat], {}).items()}
        infos.append({name: value for name, value in values.items() if value is not None})
    return infos


def whole(value: SupportsIndex) -> int:
    """The value as a whole number of at most 64 bits, which is what records and databases hold."""
    number = value if type(value) is int else index(value)
    if number.bit_length() > 63:
        raise OverflowError(f"a number of {number.bit_length()} bits")
    return number


NEAR = 0.1  # Share of a limit of time that is left after a move, below which the move was near it
MIN_NODES, MIN_NODES_A_PLY = 10, 2
"""Nodes of a search, in all and for each ply of its depth, that had a choice to make."""
MICROSECONDS = 1_000_000


class Effort(NamedTuple):
    """The sums over a player's choices in a game. Times are in microseconds."""

    choices: int = 0
    time: int = 0
    nodes: float = 0.0
    time_with_nodes: int = 0  # Of the choices that told nodes
    searched: int = 0  # Choices by a search that, by its nodes, had more than one move to look at
    searched_depths: float = 0.0  # The depths of these
    deep: int = 0  # Choices of a depth above one, where no nodes are told
    deep_depths: float = 0.0
    overrun: int | None = None
    """The most time beyond the limit of a move, or beyond what the clock had left: negative if all
    ended before. None for a player whose time is not limited, or that never moved."""
    near: int = 0  # Choices that came near a limit of time


Efforts = tuple[Effort, Effort]  # Those of both players, the first to move first
UNTIMED = Limit(), Limit()


def efforts_of(
    laid: int,
    times: Sequence[float],
    nodes: Sequence[float],
    depths: Sequence[float],
    limits: Sequence[Limit] = UNTIMED,
) -> Efforts:
    """The sums of both players, by their seconds, nodes and depths in turn after an opening.

    `laid` are the plies of that, and the limits those that both had at the start.
    """
    start = laid % 2
    first, second = slice(start, None, 2), slice(1 - start, None, 2)
    return (
        _effort(times[first], nodes[first], depths[first], limits[0]),
        _effort(times[second], nodes[second], depths[second], limits[1]),
    )


def _effort(
    times: Sequence[float], nodes: Sequence[float], depths: Sequence[float], limit: Limit
) -> Effort:
    """The sums of one player's choices, if it made any."""
    if not times:
        return Effort()
    time = told = time_with_nodes = searched_depths = deep_depths = 0.0
    searched = deep = 0
    for seconds, count, depth in zip(times, nodes, depths, strict=True):
        time += seconds
        if count:
            told += count
            time_with_nodes += seconds
        if depth > 0 and count >= MIN_NODES and count >= MIN_NODES_A_PLY * depth:
            searched += 1
            searched_depths += depth
        if depth > 1:
            deep += 1
            deep_depths += depth
    if told:
        deep, deep_depths = 0, 0.0
    overrun, near = None, 0
    if limit.seconds is not None or limit.time_left is not None:
        overrun, near = _overrun(times, limit)
    # By position: names would take as long as all the sums.
    shallow = len(times), _microseconds(time), told, _microseconds(time_with_nodes)
    return Effort(*shallow, searched, searched_depths, deep, deep_depths, overrun, near)


def _overrun(times: Sequence[float], limit: Limit) -> tuple[int, int]:
    over, is_near = [], [False] * len(times)
    if limit.seconds is not None:
        over.append(max(times) - limit.seconds)
        is_near = [time > (1 - NEAR) * limit.seconds for time in times]
    if limit.time_left is not None:
        whole, gained = limit.time_left, limit.increment or 0.0
        left = [whole + i * gained - spent for i, spent in enumerate(accumulate(times))]
        over.append(-min(left))
        is_near = [near or rest < NEAR * whole for near, rest in zip(is_near, left, strict=True)]
    return _microseconds(max(over)), sum(is_near)


def _microseconds(seconds: float) -> int:
    return round(MICROSECONDS * seconds)
