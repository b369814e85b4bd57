"""The contract of an engine: the limit it is given, and the choice it makes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, NamedTuple, Protocol, runtime_checkable

from annotated_types import BaseMetadata, Ge, GroupedMetadata, Le

from arena.arguments import checks_calls
from arena.errors import ConfigError
from arena.game import Move, Position, Reason

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

COMMON_RULES = ("freestyle", "standard")
"""Rules that an engine knows if it does not say which, unless it plays any game."""

Info = Mapping[str, int | float | str]  # Values that an engine gives under names of its own
NO_INFO: Info = {}

NUMBERS = {int, float}

MATE, LONGEST_MATE = 20_000_000_000, 1_000
"""The score of a win at once, and the plies of the longest win that is told from other scores."""
CERTAIN = MATE // 2
"""The size from which a score is of a win or a loss that is seen: no evaluation is as large."""


@checks_calls
@dataclass(frozen=True, slots=True)
class Limit:
    """The end of thinking about one move: the first of these that is reached; None is no limit."""

    depth: int | None = None
    """Plies searched."""
    nodes: int | None = None
    """Positions whose full evaluation is known."""
    seconds: float | None = None
    """Seconds for this move."""
    time_left: float | None = None
    """Seconds on the game clock, this move's included."""
    increment: float | None = None
    """Seconds added to the game clock after each move."""

    def __post_init__(self) -> None:
        """Refuse what is no limit; a TypeError is told, or made good, by `checks_calls`."""
        depth, nodes, seconds = self.depth, self.nodes, self.seconds
        left, more = self.time_left, self.increment
        # One expression of plain names, since each move of each game has a limit of its own.
        if not (
            (depth is None or (type(depth) is int and depth >= 0))
            and (nodes is None or (type(nodes) is int and nodes >= 0))
            and (seconds is None or (type(seconds) in NUMBERS and seconds >= 0))
            and (left is None or (type(left) in NUMBERS and left >= 0))
            and (more is None or (type(more) in NUMBERS and more >= 0))
        ):
            for name, value in asdict(self).items():
                if value is not None and type(value) in NUMBERS and not value >= 0:
                    raise ConfigError(f"{name} must be at least 0, not {value}")
            raise TypeError

    @property
    def is_timed(self) -> bool:
        """True if time is limited."""
        return self.seconds is not None or self.time_left is not None


@checks_calls
@dataclass(frozen=True, slots=True)
class Choice:
    """An engine's answer: its move (None resigns), and what it knows about it."""

    move: Move | None
    score: int | None = None
    """The value of the move in the engine's own units, from the mover's side; MATE less the plies
    for a win that is seen, and minus that for a loss."""
    depth: int = 0
    nodes: int = 0
    pv: tuple[Move, ...] = ()
    """The line of play that it expects, this move first."""
    info: Info = field(default_factory=dict)


class Remark(NamedTuple):
    """The facts that an engine gave with a move, without the move, as the referee, the record of a
    game, files and pages have them."""

    seat: int  # The player, 1 or 2
    seconds: float = 0.0  # The time that the move took
    nodes: int = 0
    depth: int = 0
    score: int | None = None
    line: str = ""  # The moves expected after this one, as text
    info: Info = NO_INFO


def mate_text(score: int) -> str | None:
    """The score of a seen win or loss as brains write it, `+M13` or `-M4`; None for any other."""
    plies = MATE - abs(score)
    return f"{'+' if score > 0 else '-'}M{plies}" if 0 <= plies <= LONGEST_MATE else None


@runtime_checkable
class Engine(Protocol):
    """A player; one object plays many games, one after the other.

    Its file has `GAMES`, the names of the games that it plays ("*": any), and
    `engine(game, *, parameter=default, ...)`, whose annotations are the parameters' ranges.
    `RULES` are the rules that it knows of games with a choice of them ("*": any): see COMMON_RULES.
    It may have `benchmarks()`, yielding (name, search) where `search()` gives a `Choice`, and
    `forced_win(game, fours=N, nodes=N)`, a function of a position: the line by which the side to
    move wins by force, an empty one if there is none, None if these bounds leave that open; and
    `threat_win(game)`, another: True if that side is seen to win by fours and threes, which a
    search within limits may miss. `misfits(parameters, game)` is what is wrong with parameters that
    fit each on its own: pairs of a path of keys and a message; the game is None if it has a fault
    itself.

    For openings by swap2, the object may have `open(p, limit)`. Asked at no stones, it returns
    three moves; at three, "swap" to take Black, one move to stay White, or two for the other to
    choose; at five, "swap" or one move.

    For fits of its weights to results of games, it may have `evaluate(game, **parameters)`, which
    returns its `Evaluation`, or `features(game, **parameters)`, which returns its `Features`. Both
    are given all parameters of `engine()`, defaults included, and take what they need.
    """

    def new_game(self, seed: int) -> None:
        """Forget everything: a game never depends on an earlier one."""

    def choose(self, p: Position, limit: Limit) -> Choice:
        """Pick a move for the side to move, in a game that is not over."""

    def close(self) -> None:
        """Let go of processes and files."""


Evaluation = Callable[[Position], float]
"""A position's static value to the side to move: what the engine's search sees at a leaf where the
side at the root is to move. It is asked for millions of positions, in any order: no call may search
or compile, and none may depend on an earlier one."""


class Features(Protocol):
    """An evaluation with tables of weights: each value is a sum of counted weights.

    Its engine has a parameter `tables`, the path of a file of numpy's (.npz) whose array `weights`
    it plays with; empty for those that it has. Fitted weights are played by this parameter. The
    file's number `to_move` is what a fit found that being on the move is worth beside them. Its
    texts `game` and `rule` are the names of those that it was fitted for.
    """

    @property
    def size(self) -> int:
        """The number of weights."""

    @property
    def start(self) -> NDArray[np.float64]:
        """The weights that the engine has."""

    def of(self, p: Position) -> tuple[Sequence[int], Sequence[float]]:
        """The weights that count in a position, each once, and how often each does.

        The sum of these weights times their counts is the `Evaluation` of the position. Arrays are
        quickest. A count is below 0 for what speaks for the other side.
        """


Talk = Callable[[str, bytes], object]
"""A function that is told what a program is sent (`>`), says (`<`), or writes to standard error
(`!`), byte for byte."""


@dataclass(frozen=True, slots=True)
class Conditions:
    """All that is settled about an engine's games before the first: see `Program`."""

    limit: Limit = Limit()
    margin: float = 0.05  # Seconds over a limit of time that are forgiven
    hang: float = 60.0  # Seconds for an answer where time is not limited
    memory: int | None = None
    """Megabytes of memory for it and all that it starts; None: its protocol's own limit."""
    talk: Talk | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Needs:
    """The time and memory that a program has needed, each beside what it may have."""

    start: float  # Seconds until it was ready for a game
    startup: float  # Seconds that it may take for this
    memory: int  # Megabytes that it holds now, with all that it has started; 0 if that is not known
    told_memory: int  # Megabytes that it was told to keep to
    most_memory: int  # Megabytes above which it is ended


@runtime_checkable
class Program(Protocol):
    """An engine that plays by a program it starts, which has a parameter `startup`: seconds.

    It raises ProgramError for what the program does wrong. It may have `about`, the program's words
    on itself, and `needs()`, the `Needs` of its start and of the memory that it holds now. Its
    module may have functions of its parameters: `program_files` are files beside its code that it
    is made of, `filled_files` are the contents, by name, of files that the program is given,
    `shipped_places` are files and folders that go along to other machines. `FREE` are
    parameters on which no game depends.
    """

    def start(self, conditions: Conditions) -> None:
        """Start the program, once, right after the engine is made."""


class ProgramError(Exception):
    """A fault of a program that an engine runs: the reason why its game is lost, and words."""

    def __init__(self, reason: Reason, words: str, program: str) -> None:
        super().__init__(words)
        self.reason: Reason = reason
        self.words = words  # A sentence without its subject: `exited in its move, exit code 3`
        self.program = program
        self.is_new_game_at_fault = False
        """True if `new_game` may have broken it: another starts a new process, which may answer."""


def choice_in_new_game(engine: Engine, seed: int, p: Position, limit: Limit) -> Choice:
    """An engine's choice in a position, which nothing before changes."""
    engine.new_game(seed)
    try:
        return engine.choose(p, limit)
    except ProgramError as error:
        if not error.is_new_game_at_fault:
            raise
        return choice_in_new_game(engine, seed, p, limit)


class FilePath:
    """A mark of parameters that hold the path of a file or folder, or a list of words with some."""


class CommandLine(FilePath):
    """A mark of parameters that hold a command: the path of a program, its words in one text as a
    shell takes them, or a list of them."""


class NamedValues:
    """A mark of parameters that hold a mapping from users' own names to values.

    Studies search these as they search parameters, so none may have a parameter's name.
    """


@checks_calls
@dataclass(frozen=True, slots=True)
class Range(GroupedMetadata):
    """The hard bounds of a parameter, and the scale on which a tuner walks between them."""

    low: float
    high: float
    log: bool = False
    step: float | None = None

    def __post_init__(self) -> None:
        if not NUMBERS.issuperset(map(type, (self.low, self.high, self.step or 0))):
            raise TypeError
        if not self.low <= self.high:
            raise ConfigError(f"high must be at least low ({self.low}), not {self.high}")

    def __iter__(self) -> Iterator[BaseMetadata]:
        yield Ge(self.low)
        yield Le(self.high)
