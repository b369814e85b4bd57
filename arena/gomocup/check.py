"""The contract of the checks of a brain, their order, and the positions that they set up."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from random import Random
from typing import Any, Literal

from arena.game import Game, Move, Position
from arena.games import gomoku, renju
from arena.gomocup.protocol import RULES
from arena.plugins import load

Grade = Literal["pass", "fail", "not supported", "note"]
Weight = Literal["mandatory", "optional", "advice"]
Lack = Literal["silence", "far too late", "late", "refusal", "end", "answer", "forbidden"]
"""The lack of an answer, or of the right one; "forbidden": it is a move that the rule forbids."""
HOPELESS: tuple[Lack | None, ...] = ("silence", "far too late")
"""Lacks after which every check would wait as long again, and find out nothing more."""

WEIGHTS: tuple[Weight, ...] = ("mandatory", "optional", "advice")
USUAL_SIZE, USUAL_SECONDS = 15, 1.0
OTHER_NEWLINE = {b"\n": b"\r\n", b"\r\n": b"\n"}
FAR = 2.2
"""Times the wanted time of a move beyond which one is far too late: no round number, which brains
themselves have as their time of a move."""
SOON = 1.0  # seconds of a move that are never far too many
ENDING = 5.0  # seconds of all checks that are kept for what is under way, and for its end
CURES = {
    b"\n": "a CR is kept: strip it. With LF alone it answers, and so the other checks go on",
    b"\r\n": (
        "let LF alone end a line, or play it with newline: crlf. With CR LF it answers, and so the"
        " other checks go on"
    ),
}
"""Words for a brain that answers only where its lines end like this."""


@dataclass(frozen=True, slots=True)
class Allowance:
    """The times in seconds, and the numbers, that all checks go by."""

    startup: float = 30.0  # For an answer to START
    answer: float = 5.0  # For an answer where its time is not what is checked
    move: float = 12.0  # The same for a move: most brains that read no clock take 5 or 10 s
    brief: float = 1.0  # For an answer that need not come, and for an end
    settle: float = 0.02  # Between an answer and the next command
    quiet: float = 0.3  # For words that must not come
    turn: float = 0.1  # Told as the time of a move, where that is not what is checked
    short_turn: float = 0.03
    match_rest: float = 1.0  # The last second of a match
    margin: float = 0.05  # A delay of the pipe and the machine, which is not held against a move
    games: float = 60.0  # For whole games, which then are left where they are
    many: float = 20.0  # For moves in many positions; the others are left out
    exit: float = 0.5  # For an end after each check
    total: float = 280.0  # for all checks and what they leave behind; what is too late is not run
    sizes: tuple[int, ...] = tuple(range(5, 26))
    positions: int = 100


@dataclass(frozen=True, slots=True)
class Subject:
    """The brain that is checked, and how: its program, and the rules that it claims to play."""

    command: tuple[str, ...]
    folder: str
    claimed: tuple[str, ...] = ()  # Names of rules; none if it is to be found out
    allowance: Allowance = field(default_factory=Allowance)
    size: int = USUAL_SIZE
    seconds: float = USUAL_SECONDS
    """The board and the time of a move that it is wanted for, which make a check mandatory."""
    newline: bytes = b"\n"  # The end of the lines that it is sent
    memory: int | None = None  # Megabytes of memory for it; None: see `protocol.memory_of`
    info: Mapping[str, int | str] = field(default_factory=dict)  # Further INFO lines for it
    end: float = math.inf  # The time, of `time.monotonic`, until which it is waited for
    restart: list[Finding] = field(default_factory=list)  # That on RESTART, once there is one

    @property
    def far(self) -> float:
        """Seconds of a move that are far too many: not by a hair, even if the machine is busy."""
        return max(FAR * self.seconds, SOON) + self.allowance.margin

    @property
    def patience(self) -> float:
        """Seconds for a move where its time is not what is checked."""
        return max(self.allowance.move, self.far)

    @property
    def rule(self) -> str:
        return self.claimed[0] if self.claimed else next(iter(RULES))


@dataclass(frozen=True, slots=True)
class Finding:
    """The end of a check: the grade, and what was sent, said and expected, if it is not a pass."""

    grade: Grade = "pass"
    sent: str = ""
    said: str = ""
    expected: str = ""
    cure: str = ""  # Advice, if any is known
    talk: str = ""  # All that was sent and said since START
    lack: Lack | None = None  # The kind of a failure


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that a brain should do, and the talk that shows it, or raises UnmetError."""

    name: str
    weight: Weight
    run: Callable[[Subject], Finding]
    is_vital: bool = False  # True if nothing else can be found out where this fails
    may_lack: bool = False  # True if silence, and a refusal, mean that this is not supported
    has_second_try: bool = False  # True if it is tried with the other end of lines where it fails


@dataclass(frozen=True, slots=True)
class CheckResult:
    """One check's finding, as it is shown."""

    name: str
    weight: Weight
    finding: Finding
    seconds: float

    @property
    def grade(self) -> Grade:
        return self.finding.grade

    @property
    def is_failure(self) -> bool:
        """True if the check is mandatory and has failed, or was not run."""
        return self.weight == "mandatory" and self.grade == "fail"

    @property
    def is_run(self) -> bool:
        """True unless something has hindered it: a check that fails expected something."""
        return self.grade != "fail" or bool(self.finding.expected)

    def as_data(self) -> dict[str, Any]:
        finding = asdict(self.finding)
        del finding["lack"]
        return {
            "name": self.name,
            "mandatory": self.weight == "mandatory",
            "weight": self.weight,
            "verdict": finding.pop("grade"),
            **finding,
            "seconds": self.seconds,
        }


class UnmetError(Exception):
    """An expectation that the brain has not met."""

    def __init__(self, lack: Lack, unmet: Finding) -> None:
        super().__init__(f"{unmet.sent}: expected {unmet.expected}, not {unmet.said}")
        self.lack: Lack = lack
        self._unmet = unmet

    def finding(self, grade: Grade = "fail", cure: str = "") -> Finding:
        return replace(self._unmet, grade=grade, cure=cure or self._unmet.cure, lack=self.lack)


def game_under(rule: str, size: int) -> Game:
    return renju.Renju(size) if rule == "renju" else gomoku.game(size=size, rule=rule)  # type: ignore[arg-type]


def all_checks(subject: Subject) -> list[Check]:
    """Every check of this brain: mandatory ones first, and of those the ones that are vital."""
    groups = [load.factory("check", name)(subject) for name in load.names("check")]
    checks = [check for group in groups for check in group]
    return sorted(checks, key=lambda check: (not check.is_vital, WEIGHTS.index(check.weight)))


def results(
    subject: Subject, checks: Sequence[Check], begin: Callable[[Check], object] = lambda _: None
) -> Iterator[CheckResult]:
    """The result of each check as it ends; `begin` is called with a check before it is run."""
    subject = replace(subject, end=time.monotonic() + subject.allowance.total - ENDING)
    over, hindrance, slowness = f"since {subject.allowance.total:g} s are over", "", ""
    for check in checks:
        began = time.monotonic()
        if began > subject.end:
            hindrance = hindrance or over
        if reason := hindrance or (slowness if check.weight != "mandatory" else ""):
            finding = Finding("fail", said=f"not run, {reason}")
        else:
            begin(check)
            finding, after = _tried(check, subject)
            has_failed = check.weight == "mandatory" and finding.grade == "fail"
            if time.monotonic() > subject.end:
                hindrance = over
                finding = Finding("fail", said=f"not run to its end, {hindrance}")
            elif has_failed and after is subject and (check.is_vital or finding.lack in HOPELESS):
                hindrance = f"since {check.name} failed"
            elif has_failed and finding.lack == "late":
                slowness = slowness or f"since {check.name} failed"
            subject = after
        yield CheckResult(check.name, check.weight, finding, round(time.monotonic() - began, 3))


def _tried(check: Check, subject: Subject) -> tuple[Finding, Subject]:
    """The finding of one check, and the brain with the ends of lines for the checks after it.

    Others are taken only if they help, and the first fail once more: what is slow only the first
    time would pass a second try, too.
    """
    finding = found(check, subject)
    if finding.grade == "fail" and check.has_second_try:
        other = replace(subject, newline=OTHER_NEWLINE[subject.newline])
        is_cure = found(check, other).grade != "fail"
        if is_cure and found(check, subject).grade == "fail":
            return replace(finding, cure=CURES[other.newline]), other
    return finding, subject


def found(check: Check, subject: Subject) -> Finding:
    try:
        return check.run(subject)
    except UnmetError as error:
        is_lacking = check.may_lack and error.lack in ("silence", "refusal")
        return error.finding("not supported" if is_lacking else "fail")


def is_sound(found: Sequence[CheckResult]) -> bool:
    return not any(each.is_failure for each in found)


COUNTS_OF_STONES = (1, 2, 3, 4, 6, 9, 13, 20, 30, 45, 65, 90, 120, 150, 180, 200)  # stones, in turn
MOST_TRIED = 40
REACH_OF_MOVES = 2
SHARE_AFIELD = 0.15  # part of the stones that are put anywhere, not near others


def quiet_move(game: Game, p: Position, random: Random) -> Move | None:
    """A move after which the game goes on; None if it is over, or no such move was found."""
    if game.outcome(p):
        return None
    empty = [cell for cell, stone in enumerate(p.cells) if not stone]
    afield = SHARE_AFIELD + len(p.moves) / len(p.cells)
    for _ in range(MOST_TRIED):
        is_near = p.moves and random.random() > afield
        move = _neighbour(game, p, random) if is_near else random.choice(empty)
        if not p.cells[move] and game.outcome(game.play(p, move)) is None:
            return move
    return None


def defending_move(game: Game, p: Position, random: Random) -> Move | None:
    """A quiet move that stops a win by the other side's next one; without one, any quiet move."""
    if game.outcome(p):
        return None
    theirs = replace(p, turn=3 - p.turn)
    answers = near(game.size, p.moves[-1]) if p.moves else ()
    for move in answers:
        is_win = not p.cells[move] and game.outcome(game.play(theirs, move))
        if is_win and game.outcome(game.play(p, move)) is None:
            return move
    return quiet_move(game, p, random)


def near(size: int, cell: Move) -> Iterator[Move]:
    """The cells that lie on a line of five with this one."""
    row, column = divmod(cell, size)
    for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
        for step in (-4, -3, -2, -1, 1, 2, 3, 4):
            y, x = row + step * down, column + step * right
            if 0 <= y < size and 0 <= x < size:
                yield y * size + x


def _neighbour(game: Game, p: Position, random: Random) -> Move:
    """A cell near some stone, or that stone's own if there is none."""
    stone = random.choice(p.moves)
    row, column = divmod(stone, game.size)
    row += random.randint(-REACH_OF_MOVES, REACH_OF_MOVES)
    column += random.randint(-REACH_OF_MOVES, REACH_OF_MOVES)
    is_inside = 0 <= row < game.size and 0 <= column < game.size
    return row * game.size + column if is_inside else stone


def random_position(game: Game, stones: int, seed: int) -> Position:
    """A position of a game that went on, with `stones` stones or the most that were found."""
    random, p = Random(seed), game.start()
    for _ in range(stones):
        move = quiet_move(game, p, random)
        if move is None:
            break
        p = game.play(p, move)
    return p


def random_positions(game: Game, number: int) -> list[Position]:
    most = game.size**2 - 1
    counts = [COUNTS_OF_STONES[seed % len(COUNTS_OF_STONES)] for seed in range(number)]
    return [random_position(game, min(count, most), seed) for seed, count in enumerate(counts)]
