"""One of our engines as a brain: a manager's lines in, answers out, by limits, stones and rules."""

from __future__ import annotations

import logging
import math
import operator
import os
import random
import re
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice, zip_longest
from typing import cast

from arena.engine import Choice, Engine, Limit, mate_text
from arena.errors import ConfigError, one_line, own_words
from arena.game import Forbids, Move, Position
from arena.games.gomoku import Gomoku
from arena.gomocup.protocol import RULES, UNLIMITED
from arena.plugins.build import can_play, close_engine, load_engine
from arena.plugins.engine_names import PROGRAMS, is_foreign
from arena.plugins.load import Named, load_game, playable_games
from arena.processes.compiling import compiling_in_children


@dataclass
class _Listed:
    """The lines between BOARD or SWAP2BOARD and its DONE."""

    command: str
    arrived: float
    lines: list[str] = field(default_factory=list)


class Conversation:
    """Holds an engine for each rule, the game so far, and what the manager has told."""

    def __init__(self, rules: RuleSet, about: Callable[[], str]) -> None:
        self.rules = rules
        self.about = about
        self.keys = TimeKeys(overrun=_expected_overrun())
        self.moves = list[Move]()
        self._listed: _Listed | None = None
        self._commands: dict[str, Callable[[str, float], Iterator[str]]] = {
            "START": self._start,
            "RECTSTART": self._start_rectangle,
            "RESTART": self._restart,
            "BEGIN": self._begin,
            "TURN": self._turn,
            "TAKEBACK": self._take_back,
            "PLAY": self._play,
            "ABOUT": self._about,
            "INFO": self._info,
            "BOARD": partial(self._list, "BOARD"),
            "SWAP2BOARD": partial(self._list, "SWAP2BOARD"),
        }

    @property
    def is_ready(self) -> bool:
        return self.rules.size > 0

    def answers(self, line: str, arrived: float) -> Iterator[str]:
        command, _, rest = line.strip().partition(" ")
        if not command:
            return
        handler = self._commands.get(command.upper())
        try:
            # Until DONE, lines that are no command belong to the list; INFO does not end it.
            if self._listed is not None and handler in (None, self._info):
                yield from self._in_list(self._listed, line, arrived)
            elif handler is not None:
                yield from self._left_list()
                yield from handler(rest, arrived)
            else:
                yield f"UNKNOWN {echo(command)}"
        except (_RefusalError, _EngineError, ConfigError, ValueError) as error:
            yield f"ERROR {one_line(str(error))}"

    def close(self) -> None:
        self.rules.clear()

    def _start(self, rest: str, arrived: float) -> Iterator[str]:
        if not (rest.strip().isascii() and rest.strip().isdigit()):
            raise _RefusalError(f"{echo(rest)!r} is no size")
        self.rules.open(int(rest.strip()[:9]))
        yield from self._restart("", arrived)

    def _start_rectangle(self, rest: str, arrived: float) -> Iterator[str]:
        width, _, height = rest.partition(",")
        if width.strip() != height.strip():
            raise _RefusalError("only square boards are played on")
        yield from self._start(width, arrived)

    def _restart(self, rest: str, arrived: float) -> Iterator[str]:
        self._check_started()
        self.moves, self.keys = [], self.keys.again()
        self.rules.new_game()
        yield "OK"

    def _begin(self, rest: str, arrived: float) -> Iterator[str]:
        self._check_started()
        yield from self._think([], arrived)

    def _turn(self, rest: str, arrived: float) -> Iterator[str]:
        self._check_started()
        yield from self._think([*self.moves, point(self.rules.size, rest)], arrived)

    def _take_back(self, rest: str, arrived: float) -> Iterator[str]:
        self._check_started()
        move = point(self.rules.size, rest)
        if self.moves[-1:] != [move]:
            raise _RefusalError("that is not the last stone")
        self.moves.pop()
        yield "OK"

    def _play(self, rest: str, arrived: float) -> Iterator[str]:
        self._check_started()
        move = point(self.rules.size, rest)
        moves = [*self.moves, move]
        position_of(self.rules.size, moves)
        self.moves = moves
        yield _words_of(self.rules.size, [move])

    def _about(self, rest: str, arrived: float) -> Iterator[str]:
        yield self.about()

    def _info(self, rest: str, arrived: float) -> Iterator[str]:
        # The engine of another rule is built at once, while no move is waited for.
        key, _, value = rest.strip().partition(" ")
        self.keys = self.keys.told(key, value)
        if key.lower() != "rule":
            return
        with suppress(ValueError):
            self.rules.choose_rule(int(value.strip()[:9]))
        if fault := self.rules.fault:
            yield f"MESSAGE {fault}"

    def _list(self, command: str, rest: str, arrived: float) -> Iterator[str]:
        self._listed = _Listed(command, arrived)
        yield from ()

    def _left_list(self) -> Iterator[str]:
        if self._listed is not None:
            listed, self._listed = self._listed, None
            yield f"ERROR {listed.command} without DONE"

    def _in_list(self, listed: _Listed, line: str, arrived: float) -> Iterator[str]:
        word = line.strip().upper()
        if word.partition(" ")[0] == "INFO":
            yield from self._info(line.strip().partition(" ")[2], arrived)
        elif word != "DONE":
            if len(listed.lines) <= self.rules.size**2:
                listed.lines.append(line)
        else:
            self._listed = None
            self._check_started()
            if listed.command == "BOARD":
                moves = order_of_play(self.rules.size, listed.lines)
                yield from self._think(moves, listed.arrived)
            else:
                yield from self._swap2(listed)

    def _swap2(self, listed: _Listed) -> Iterator[str]:
        self.rules.check_rule()
        size = self.rules.size
        moves = [stone(size, line)[0] for line in listed.lines]
        p = position_of(size, moves)
        limit = self.keys.limit(time.monotonic() - listed.arrived)
        if len(moves) not in (0, 3, 5):
            raise _RefusalError(f"SWAP2BOARD has 0, 3 or 5 stones, not {len(moves)}")
        self.moves = moves
        if not moves:
            self.moves = three_stones(self.rules.game, limit, self.rules.search)
            answer, choice = _words_of(size, self.moves), Choice(None)
        else:
            answer, choice = side_chosen(self.rules.game, p, limit, self.rules.search)
            if choice.move is not None and "," in answer:
                self.moves = [*moves, choice.move]
        self._tick(listed.arrived, limit, 0.0)
        yield from message(size, choice)
        yield answer

    def _think(self, moves: list[Move], arrived: float) -> Iterator[str]:
        self.rules.check_rule()
        size = self.rules.size
        p = position_of(size, moves)
        if is_decided(self.rules.game, p):
            raise _RefusalError("the game is over")
        self.moves = moves
        began = time.monotonic()
        limit = self.keys.limit(began - arrived)
        choice = self.rules.search(p, limit)
        self._tick(arrived, limit, time.monotonic() - began)
        move = _legal_move(self.rules.game, p, choice)
        self.moves = [*moves, move]
        yield from message(size, choice)
        yield _words_of(size, [move])

    def _tick(self, arrived: float, limit: Limit, searched: float) -> None:
        """Let the match's clock run on, as far as the manager does not tell of it."""
        self.keys = self.keys.after(time.monotonic() - arrived, limit, searched)

    def _check_started(self) -> None:
        if not self.is_ready:
            raise _RefusalError("START comes first")


LONGEST_ECHO = 40  # characters of a manager's line that are repeated to it


class _RefusalError(Exception):
    """A command that cannot be done, in words."""


def _legal_move(game: Gomoku, p: Position, choice: Choice) -> Move:
    """The move of a choice; the protocol has no word to resign, so any will do then."""
    if choice.move is None:
        empty = [move for move, stone in enumerate(p.cells) if not stone]
        allowed = (m for m in empty if not (isinstance(game, Forbids) and game.forbidden(p, m)))
        return next(allowed, empty[0])
    try:
        move = operator.index(choice.move)
    except TypeError:
        raise _RefusalError(f"the engine's move is none: {choice.move!r}") from None
    if not game.is_legal(p, move):
        raise _RefusalError(f"the engine's move is not legal: {move}")
    return move


def message(size: int, choice: Choice) -> Iterator[str]:
    """The depth, score, nodes and line of a search, if it told any; else nothing."""
    words = list[str]()
    with suppress(TypeError, ValueError):
        if choice.depth:
            words.append(f"depth {int(choice.depth)}")
        if choice.score is not None:
            score = int(choice.score)
            words.append(f"ev {mate_text(score) or score}")
        if choice.nodes:
            words.append(f"n {int(choice.nodes)}")
        if words and choice.pv:
            words.append(f"pv {_words_of(size, choice.pv)}")
    if words:
        yield f"MESSAGE {' '.join(words)}"


def echo(text: str) -> str:
    return one_line(text.strip()[:LONGEST_ECHO])


logger = logging.getLogger(__name__)

RULE_NAMES = {number: name for name, number in RULES.items()}
SEED = 0  # the seed of all games: managers tell none


class _EngineError(Exception):
    """An exception that an engine raised, in words."""


class RuleSet:
    """Holds the size of the board, and the game and the engine of each rule."""

    def __init__(self, wanted: Named) -> None:
        """ConfigError if the engine plays none of the games of the protocol."""
        self.wanted = wanted
        self.names = {
            number: name
            for number, name in RULE_NAMES.items()
            if can_play(wanted.name, "renju" if name == "renju" else "gomoku", name)
        }
        if not self.names:
            games = ", ".join(playable_games(wanted.name))
            fault = f"engine {wanted.name} plays only {games}; brains play gomoku, renju"
            raise ConfigError(fault)
        self.size = 0
        self.fault = ""  # why there is no move under the rule that was told; empty if there is one
        self._told: int | None = None
        self._number = min(self.names)
        self._games = dict[int, Gomoku]()
        self._engines = dict[int, Engine]()

    @property
    def _is_own(self) -> bool:
        """True for an engine of the project's own, of which any number may be built anywhere."""
        return not is_foreign(self.wanted.name) and self.wanted.name != PROGRAMS

    @property
    def game(self) -> Gomoku:
        return self._games[self._number]

    def open(self, size: int) -> None:
        """Make ready for a size; ConfigError if it is not played, or there is no engine for it.

        The project's own engines are built for all rules: the rule is told when the clock may run.
        """
        games, faults = dict[int, Gomoku](), list[ConfigError]()
        for number, name in self.names.items():
            try:
                games[number] = _game_of(name, size)
            except ConfigError as error:
                faults.append(error)
        if not games:
            raise faults[0]
        if size != self.size:
            self.clear()
        self._games, self.size = games, size
        self._choose()
        try:
            if self._is_own:
                with compiling_in_children():
                    for number in games:
                        self._built(number)
            elif not self.fault:
                self._built(self._number)
        except ConfigError:
            self.clear()
            raise

    def choose_rule(self, number: int) -> None:
        """Play by another rule from now on; if that cannot be, `fault` says so."""
        self._told = number
        if not self._games:
            return
        before = self._number
        self._choose()
        if not self.fault and (number != before or number not in self._engines):
            try:
                self._built(number)
                self.new_game()
            except (ConfigError, _EngineError) as error:
                self.fault = str(error)

    def new_game(self) -> None:
        if not self.fault:
            try:
                self._engines[self._number].new_game(SEED)
            except (Exception, SystemExit) as error:
                raise _engine_error(error) from error

    def search(self, p: Position, limit: Limit) -> Choice:
        """The engine's choice; EngineError if it raises anything, ConfigError without an engine."""
        self.check_rule()
        try:
            return self._engines[self._number].choose(p, limit)
        except (Exception, SystemExit) as error:
            raise _engine_error(error) from error

    def check_rule(self) -> None:
        if self.fault:
            raise ConfigError(self.fault)

    def clear(self) -> None:
        for engine in self._engines.values():
            close_engine(engine, self.wanted.name)
        self._engines.clear()
        self._games.clear()
        self.size = 0

    def _choose(self) -> None:
        number = min(self._games) if self._told is None else self._told
        self.fault = ""
        if number in self._games:
            self._number = number
        elif number in self.names:
            self.fault = f"rule {number} ({self.names[number]}) is not played on this size"
        else:
            self.fault = f"rule {number} is not played, only {', '.join(map(str, self.names))}"

    def _built(self, number: int) -> None:
        if number not in self._engines:
            self._engines[number] = load_engine(self.wanted, self._games[number])


def _game_of(name: str, size: int) -> Gomoku:
    """The game of a rule on a board; ConfigError if there is none of that size."""
    if name != "renju":
        return cast(Gomoku, load_game(Named("gomoku", {"size": size, "rule": name})))
    game = cast(Gomoku, load_game("renju"))
    if game.size != size:
        raise ConfigError(f"renju is played on {game.size} x {game.size} only")
    return game


def _engine_error(error: BaseException) -> _EngineError:
    """An engine's exception in words, which also go to standard error."""
    logger.error("the engine raised an exception: %s", own_words(error))
    return _EngineError(own_words(error))


OWN, OPPONENT = 1, 2
STONE_LINE = re.compile(r"\s*([0-9]{1,4})\s*,\s*([0-9]{1,4})\s*(?:,\s*([0-9]{1,4})\s*)?")


def point(size: int, text: str) -> Move:
    """The move written `x,y`: a column and a row from 0; ValueError for other text."""
    move, _ = stone(size, text)
    return move


def stone(size: int, text: str) -> tuple[Move, int | None]:
    """The point of a line `x,y` or `x,y,whose`, and whose; ValueError for other text."""
    numbers = STONE_LINE.fullmatch(text)
    if not numbers:
        raise ValueError(f"{text.strip()!r} is no point: x,y")
    column, row = int(numbers[1]), int(numbers[2])
    if max(column, row) >= size:
        raise ValueError(f"{column},{row} is off the board")
    return row * size + column, int(numbers[3]) if numbers[3] else None


def _words_of(size: int, moves: Iterable[Move]) -> str:
    return " ".join(f"{move % size},{move // size}" for move in moves)


def order_of_play(size: int, lines: Sequence[str]) -> list[Move]:
    """The stones of a BOARD, whose last is the opponent's; ValueError if they make no position.

    Managers may list them in any order. The stones of each side keep theirs.
    """
    stones: dict[int | None, list[Move]] = {OWN: [], OPPONENT: []}
    for line in lines:
        move, whose = stone(size, line)
        if whose not in stones:
            raise ValueError(f"{line.strip()!r} is neither an own stone (1) nor the opponent's (2)")
        stones[whose].append(move)
    own, other = stones[OWN], stones[OPPONENT]
    if len(other) - len(own) not in (0, 1):
        raise ValueError(f"{len(own)} own stones and {len(other)} of the opponent's")
    first, second = (own, other) if len(own) == len(other) else (other, own)
    pairs = zip_longest(first, second)
    return [move for pair in pairs for move in pair if move is not None]


def position_of(size: int, moves: Sequence[Move]) -> Position:
    """The position after these moves; ValueError if two are on one point."""
    cells = bytearray(size * size)
    for ply, move in enumerate(moves):
        if cells[move]:
            raise ValueError(f"{_words_of(size, [move])} is on a stone")
        cells[move] = 1 + ply % 2
    return Position(bytes(cells), 1 + len(moves) % 2, tuple(moves))


def is_decided(game: Gomoku, p: Position) -> bool:
    """True if either side has won by a line, or no point is empty.

    The order of play is not always known, so each stone is taken for the last. A stone on a
    forbidden point decides nothing: there are managers that do not know of such points.
    """
    return any(
        Gomoku.outcome(game, Position(p.cells, 3 - p.cells[move], (move,))) for move in p.moves
    )


SWAP = "SWAP"
TRIED = 24  # openings of three stones that are tried, as far as the time allows
MOST_NODES = 10_000  # nodes of the search of each opening
SPREAD = 7  # rows and columns, in the middle of the board, on which the three stones stand

Search = Callable[[Position, Limit], Choice]


def three_stones(game: Gomoku, limit: Limit, search: Search) -> list[Move]:
    """The opening whose search comes out nearest to balance, so that either side will do."""
    total = seconds_for_several(limit)
    deadline = None if total is None else time.monotonic() + total
    best, least = list[Move](), float("inf")
    for moves in islice(_openings_of_three(game), TRIED):
        if best and deadline is not None and time.monotonic() > deadline:
            break
        choice = search(position_of(game.size, moves), _part_of(limit, total))
        if abs(choice.score or 0) < least:
            best, least = moves, abs(choice.score or 0)
    return best


def _part_of(limit: Limit, total: float | None) -> Limit:
    seconds = None if total is None else max(total / TRIED, LEAST_THOUGHT)
    nodes = MOST_NODES if limit.nodes is None else min(MOST_NODES, limit.nodes)
    return replace(limit, nodes=nodes, seconds=seconds, time_left=None, increment=None)


def _openings_of_three(game: Gomoku) -> Iterator[list[Move]]:
    """Sets of three stones in the middle of the board, in a fixed order, without end."""
    chance, size = random.Random(game.size), game.size
    width = min(size, SPREAD)
    low = (size - width) // 2
    middle = range(low, low + width)
    cells = [row * size + column for row in middle for column in middle]
    while True:
        yield chance.sample(cells, 3)


def side_chosen(game: Gomoku, p: Position, limit: Limit, search: Search) -> tuple[str, Choice]:
    """SWAP or White's next move, and the search behind it; White is to move."""
    # The player that chooses its side is never worse than even. To lay two more stones instead
    # would give that choice to the other player, so it is never better.
    if is_decided(game, p):
        raise ValueError("the game is over")
    choice = search(p, limit)
    if choice.move is None or (choice.score or 0) < 0:
        return SWAP, choice
    return _words_of(game.size, [choice.move]), choice


DELAY, DELAY_SHARE = 0.01, 0.03
"""Seconds, and part of a limit of time, that a busy machine may add before and after a search."""
FIRST_OVERRUN, OVERRUN_OF_LOAD = 0.02, 0.005
"""Seconds by which the first search is expected to end late, at least; and for each process that
wants the core on which it runs."""
FADING, CAUTION = 0.95, 1.25
"""Part of the overrun expected that is left of it a move later; and the part of the last one,
more than all of it, that is expected again."""
MOST_DELAY, MOST_SHARE = 0.2, 0.8  # seconds, and part of a limit, kept back for all this at most
LEAST_THOUGHT = 0.001  # seconds of a search where there is no time: it ends with its first depth
LARGEST_PART = 0.1  # most of the match's time that goes into several searches for one answer


@dataclass(frozen=True, slots=True)
class TimeKeys:
    """All that a manager has told of limits; times in seconds, None where there is no limit."""

    turn: float | None = None
    match: float | None = None
    left: float | None = None  # of the match's time; between two INFO time_left, by our own clock
    increment: float = 0.0
    overrun: float = FIRST_OVERRUN  # by which a search is expected to end late, as the last did
    depth: int | None = None
    nodes: int | None = None

    def told(self, key: str, value: str) -> TimeKeys:
        """The limits after one more INFO; unchanged if it is about something else, or no number."""
        try:
            number = float(value)
        except ValueError:
            return self
        if not math.isfinite(number):
            return self
        seconds = None if number >= UNLIMITED else number / 1000
        count = int(number) if number >= 1 else None
        match key.lower():
            case "timeout_turn":
                return replace(self, turn=seconds)
            case "hang":
                # Our own managers say so where a turn's time is only meant for those who need one.
                return replace(self, turn=None)
            case "timeout_match":
                match = seconds if number > 0 else None
                return replace(self, match=match, left=match)
            case "time_left":
                return replace(self, left=seconds)
            case "time_increment":
                return replace(self, increment=max(0.0, seconds or 0.0))
            case "max_depth":
                return replace(self, depth=count)
            case "max_node":
                return replace(self, nodes=count)
        return self

    def limit(self, spent: float = 0.0) -> Limit:
        turn, left = (self._thought(bound, spent) for bound in (self.turn, self.left))
        if left is None:
            return Limit(self.depth, self.nodes, turn)
        if turn is not None and turn >= left:
            turn = None  # the match's time is the shorter one, and to be shared out
        return Limit(self.depth, self.nodes, turn, left, max(0.0, self.increment - DELAY))

    def _thought(self, bound: float | None, spent: float) -> float | None:
        """The seconds of a bound that a search may take, so that its answer is there in time."""
        if bound is None:
            return None
        delay = DELAY + DELAY_SHARE * bound + self.overrun
        return max(bound - min(delay, MOST_DELAY, MOST_SHARE * bound) - spent, LEAST_THOUGHT)

    def after(self, seconds: float, limit: Limit, searched: float) -> TimeKeys:
        """The limits after an answer of these seconds, of which the search took `searched`."""
        left = None if self.left is None else self.left - seconds + self.increment
        overrun = FADING * self.overrun
        if limit.seconds is not None:
            overrun = max(overrun, CAUTION * (searched - limit.seconds))
        return replace(self, left=left, overrun=overrun)

    def again(self) -> TimeKeys:
        return replace(self, left=self.match)


def _expected_overrun() -> float:
    """The time by which a search may end late while nothing is known but the machine's load."""
    load = os.getloadavg()[0] / (os.cpu_count() or 1)
    return max(FIRST_OVERRUN, OVERRUN_OF_LOAD * load)


def seconds_for_several(limit: Limit) -> float | None:
    """The seconds for several searches, after which there is one answer; None if they are free."""
    bounds = [] if limit.seconds is None else [limit.seconds]
    bounds += [] if limit.time_left is None else [limit.time_left * LARGEST_PART]
    return min(bounds, default=None)
