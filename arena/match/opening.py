"""The contract of `openings/`, a run's openings, files of them looked through, suggested stones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, product
from pathlib import Path
from random import Random
from typing import Annotated, Any, Literal, overload

from arena.engine import Range
from arena.errors import ConfigError
from arena.game import Game, Move, Position
from arena.games.gomoku import Gomoku
from arena.match.adjudication import draw_after
from arena.match.copies import marks, notes_on
from arena.match.opening_rules import rule_named
from arena.match.play import moves_text, place_opening
from arena.match.record import split_opening
from arena.match.terms import Terms
from arena.plugins import load
from arena.plugins.build import ForcedWin
from arena.plugins.load import Named, names
from arena.records.opening_file import OpeningFile, Part


class Openings(Sequence[str]):
    """The openings of a run; a test may need few of very many, so none is drawn before it must."""

    def __init__(
        self, source: Named, game: Named, whole: Openings | None = None, start: int = 0
    ) -> None:
        """A part of a `whole`, from its opening `start` on, shares what that one has drawn."""
        self.source = source
        self.game = game
        self._whole = whole
        self._start = start
        self._module = load.module("source of openings", source.name)
        self._drawn: list[str] = []
        self._rest: Iterator[str] | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        """Travel as the source, which draws these openings again."""
        return Openings, (self.source, self.game)

    @property
    def draws(self) -> bool:
        """True if the source has as many openings as are wanted."""
        return bool(getattr(self._module, "DRAWS", False))

    def part(self, start: int, count: int) -> Openings:
        parameters = self._module.part(self.source.parameters, start, count)
        whole = self if start + count <= len(self) else None
        return Openings(Named(self.source.name, parameters), self.game, whole, start)

    def notes(self) -> list[str]:
        """Warnings about openings that are alike; openings that are drawn all differ."""
        return [] if self.draws else notes_on(load.load_game(self.game), self)

    def __len__(self) -> int:
        return int(self._module.count(self.source.parameters))

    def __iter__(self) -> Iterator[str]:
        """All of them: in a fifth of the time of asking for each by its number."""
        for number in range(len(self)):
            if number >= len(self._drawn):
                self._draw(number + 1)
            yield self._drawn[number]

    @overload
    def __getitem__(self, index: int) -> str: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[str]: ...

    def __getitem__(self, index: int | slice) -> str | Sequence[str]:
        wanted = range(len(self))[index]
        self._draw(1 + (wanted if isinstance(wanted, int) else max(wanted, default=-1)))
        return self._drawn[wanted] if isinstance(wanted, int) else [self._drawn[i] for i in wanted]

    def _draw(self, count: int) -> None:
        """Draw until `count` openings are known. Raises ConfigError if the source has fewer."""
        known = len(self._drawn)
        if known >= count:
            return
        if self._whole is not None:
            self._drawn += self._whole[self._start + known : self._start + count]
            return
        if self._rest is None:
            make = load.factory("source of openings", self.source.name)
            self._rest = iter(make(load.load_game(self.game), **self.source.parameters))
        self._drawn += islice(self._rest, count - known)
        if len(self._drawn) < count:
            raise ConfigError(f"{self.source.name} has {len(self._drawn)} openings, not {count}")


def fault_of(game: Game, opening: str, terms: Terms | None = None) -> str | None:
    """The reason why an opening cannot be played on, by these terms; None if it can."""
    rule, moves = split_opening(opening)
    try:
        p = place_opening(game, moves)
    except ValueError as error:
        return f"opening {opening!r}: {error}"
    if rule and p.ply not in [each.stones for each in rule_named(rule).ANSWERS[()]]:
        return f"opening {opening!r}: {rule} does not begin with {p.ply} stones"
    max_plies = terms.max_plies if terms else None
    if max_plies is not None and p.ply >= max_plies:
        return f"opening {opening!r}: its {p.ply} plies leave none of max_plies {max_plies}"
    if outcome := draw_after(game, p, terms):
        return f"opening {opening!r}: a draw ({outcome.reason}) before an engine moves"
    return None


def spelt(game: Game, opening: str) -> str:
    """The opening as the game itself writes it; ValueError if it is none."""
    rule, moves = split_opening(opening)
    return f"{rule} {moves_text(game, place_opening(game, moves).moves)}".strip()


Count = Annotated[int, Range(1, 1_000_000), "openings"]
Seed = Annotated[int, "of the order of the stones that are suggested"]
Skip = Annotated[int, Range(0, 1_000_000), "openings drawn before, and left out"]

DRAWS = True
STONES = Path(__file__).parent / "openings" / "three_stones.txt"
"""Openings of three stones on a board of 15, different under its symmetries: those of the seven
middle rows and columns that the selective `balance` found nearest to balance."""
STONES_SIZE = 15
AWAY = ((0, 0), *((down, right) for down in (-1, 0, 1) for right in (-1, 0, 1) if down or right))
"""Rows and columns from the middle by which the openings are moved, once all others are used."""


def rules_of(game: Game) -> Sequence[str]:
    """The rules by which the players can make the openings of a game: stones must be put down."""
    return names("opening rule") if isinstance(game, Gomoku) else ()


def suggested(rule: str, game: Game, count: int, seed: int, skip: int = 0) -> Iterator[str]:
    """Distinct starts for openings by a rule: three balanced stones each. Once all are used, they
    come again turned or mirrored, and then a point away from the middle.

    Raises ConfigError for another game than Gomoku, and for more than there are.
    """
    if not isinstance(game, Gomoku):
        raise ConfigError(f"{rule} is no opening of {game.name}: it needs stones to be put down")
    known = 0
    for known, stones in enumerate(islice(_suggestions(game, Random(seed)), skip + count), start=1):
        if known > skip:
            yield f"{rule} {stones}"
    if known < skip + count:
        size = f"{game.size} x {game.size} points"
        raise ConfigError(f"{rule} has {known} openings of {size}, not {skip + count}")


def _suggestions(game: Gomoku, source: Random) -> Iterator[str]:
    """All openings that there are for a board, in an order of the seed."""
    lines = [line.split() for line in STONES.read_text(encoding="utf-8").splitlines()]
    source.shuffle(lines)
    turns = [source.sample(game.symmetries, len(game.symmetries)) for _ in lines]
    seen = set[tuple[frozenset[Move], Move]]()
    for away, i in product(AWAY, range(len(game.symmetries))):
        for line, order in zip(lines, turns, strict=True):
            moves = [game.turned(move, order[i]) for move in _moves_on(game.size, line, away)]
            if len(moves) < len(line):
                continue
            stones = frozenset(moves[::2]), moves[1]
            if stones not in seen:
                seen.add(stones)
                yield moves_text(game, moves)


def _moves_on(size: int, line: Sequence[str], away: tuple[int, int]) -> list[Move]:
    """The moves of an opening around the middle of a board, or so far away from there; only those
    that are on the board."""
    middle = (size - STONES_SIZE) // 2
    points = [[int(place) + middle for place in word.split(",")] for word in line]
    cells = [(row + away[0], column + away[1]) for row, column in points]
    return [
        size * row + column
        for row, column in cells
        if min(row, column) >= 0 and max(row, column) < size
    ]


def count(parameters: Mapping[str, Any]) -> int:
    return int(parameters["count"])


def part(parameters: Mapping[str, Any], start: int, count: int) -> dict[str, Any]:
    """The parameters that give `count` of the openings, from number `start` on."""
    return {**parameters, "skip": parameters.get("skip", 0) + start, "count": count}


FindingKind = Literal["fault", "double", "symmetric double", "forced win", "perhaps forced win"]


@dataclass(frozen=True, slots=True)
class OpeningFinding:
    line: int
    kind: FindingKind
    message: str


@dataclass(frozen=True, slots=True)
class OpeningCheck:
    whole: OpeningFile
    stones: Mapping[int, int]  # Openings that can be played, by their moves
    findings: list[OpeningFinding]


def check_openings(game: Game, whole: OpeningFile, forced_win: ForcedWin | None) -> OpeningCheck:
    """Look through a file; without a search, not for forced wins."""
    stones, findings, seen = Counter[int](), list[OpeningFinding](), FirstLines(game)
    for part in whole.parts:
        try:
            text = moves_text(game, whole.moves(game, part))
            fault = fault_of(game, text)
        except ValueError as error:
            fault = str(error)
        if fault:
            findings.append(OpeningFinding(part.line, "fault", fault))
            continue
        p = place_opening(game, text)
        stones[p.ply] += 1
        if finding := seen.finding(part, p):
            findings.append(finding)
        elif forced_win:
            findings += _forced_wins(game, part, p, forced_win)
    return OpeningCheck(whole, dict(sorted(stones.items())), findings)


class FirstLines:
    def __init__(self, game: Game) -> None:
        self._game = game
        self._by_moves: dict[tuple[int, ...], int] = {}
        self._by_mark: dict[str, int] = {}

    def finding(self, part: Part, p: Position) -> OpeningFinding | None:
        mark, _ = marks(self._game, p, p)
        if (first := self._by_moves.setdefault(p.moves, part.line)) != part.line:
            return OpeningFinding(part.line, "double", f"is that of line {first} once more")
        if (first := self._by_mark.setdefault(mark, part.line)) != part.line:
            message = f"is that of line {first} turned, mirrored or with its moves in another order"
            return OpeningFinding(part.line, "symmetric double", message)
        return None


def _forced_wins(
    game: Game, part: Part, p: Position, forced_win: ForcedWin
) -> Iterator[OpeningFinding]:
    """The finding that the side to move wins by force, if it does."""
    line = forced_win(p)
    if line is None:
        message = f"whether player {p.turn} wins by fours could not be told"
        yield OpeningFinding(part.line, "perhaps forced win", message)
    elif line:
        message = f"player {p.turn}, who is to move, wins by fours: {moves_text(game, line)}"
        yield OpeningFinding(part.line, "forced win", message)
