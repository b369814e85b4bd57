"""One of our engines as a brain: the manager's lines in, the answers out, and no pipes."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial

from arena.engine import Choice, Limit
from arena.errors import ConfigError, one_line
from arena.game import Move
from arena.gomocup.engine_as_brain.answers import RefusalError, echo, legal_move, message
from arena.gomocup.engine_as_brain.rules import EngineError, RuleSet
from arena.gomocup.engine_as_brain.stones import (
    is_decided,
    order_of_play,
    point,
    position_of,
    stone,
    words_of,
)
from arena.gomocup.engine_as_brain.swap2 import side_chosen, three_stones
from arena.gomocup.engine_as_brain.time_keys import TimeKeys, expected_overrun


@dataclass
class Listed:
    """The lines between BOARD or SWAP2BOARD and its DONE."""

    command: str
    arrived: float
    lines: list[str] = field(default_factory=list)


class Conversation:
    """Holds an engine for each rule, the game so far, and what the manager has told."""

    def __init__(self, rules: RuleSet, about: Callable[[], str]) -> None:
        self.rules = rules
        self.about = about
        self.keys = TimeKeys(overrun=expected_overrun())
        self.moves = list[Move]()
        self._listed: Listed | None = None
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
        """True once a game can begin."""
        return self.rules.size > 0

    def answers(self, line: str, arrived: float) -> Iterator[str]:
        """The answers to a line that came at this time of the monotonic clock."""
        command, _, rest = line.strip().partition(" ")
        known = self._commands.get(command.upper())
        if not command:
            return
        try:
            if self._listed is not None and (known is None or known == self._info):
                yield from self._in_list(self._listed, line, arrived)
            elif known is not None:
                yield from self._left_list()
                yield from known(rest, arrived)
            else:
                yield f"UNKNOWN {echo(command)}"
        except (RefusalError, EngineError, ConfigError, ValueError) as error:
            yield f"ERROR {one_line(str(error))}"

    def close(self) -> None:
        """Let the engines go."""
        self.rules.clear()

    def _start(self, rest: str, arrived: float) -> Iterator[str]:
        if not (rest.strip().isascii() and rest.strip().isdigit()):
            raise RefusalError(f"{echo(rest)!r} is no size")
        self.rules.open(int(rest.strip()[:9]))
        yield from self._restart("", arrived)

    def _start_rectangle(self, rest: str, arrived: float) -> Iterator[str]:
        """Make ready for games on a rectangle, if that is a square."""
        width, _, height = rest.partition(",")
        if width.strip() != height.strip():
            raise RefusalError("only square boards are played on")
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
            raise RefusalError("that is not the last stone")
        self.moves.pop()
        yield "OK"

    def _play(self, rest: str, arrived: float) -> Iterator[str]:
        self._check_started()
        move = point(self.rules.size, rest)
        moves = [*self.moves, move]
        position_of(self.rules.size, moves)
        self.moves = moves
        yield words_of(self.rules.size, [move])

    def _about(self, rest: str, arrived: float) -> Iterator[str]:
        """Answer ABOUT: name, version and author."""
        yield self.about()

    def _info(self, rest: str, arrived: float) -> Iterator[str]:
        """Take an INFO line; there is no answer, but words on a rule that is not played.

        The engine of another rule is built at once, while no move is waited for.
        """
        key, _, value = rest.strip().partition(" ")
        self.keys = self.keys.told(key, value)
        if key.lower() != "rule":
            return
        with suppress(ValueError):
            self.rules.choose_rule(int(value.strip()[:9]))
        if fault := self.rules.fault:
            yield f"MESSAGE {fault}"

    def _list(self, command: str, rest: str, arrived: float) -> Iterator[str]:
        self._listed = Listed(command, arrived)
        yield from ()

    def _left_list(self) -> Iterator[str]:
        """Refuse a list that another command has broken off."""
        if self._listed is not None:
            listed, self._listed = self._listed, None
            yield f"ERROR {listed.command} without DONE"

    def _in_list(self, listed: Listed, line: str, arrived: float) -> Iterator[str]:
        """Take a line of a list; at its end, answer."""
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

    def _swap2(self, listed: Listed) -> Iterator[str]:
        """Take part in the opening by swap2."""
        self.rules.check_rule()
        size = self.rules.size
        moves = [stone(size, line)[0] for line in listed.lines]
        p, limit = position_of(size, moves), self._limit(listed.arrived)
        if len(moves) not in (0, 3, 5):
            raise RefusalError(f"SWAP2BOARD has 0, 3 or 5 stones, not {len(moves)}")
        self.moves = moves
        if not moves:
            self.moves = three_stones(self.rules.game, limit, self.rules.search)
            answer, choice = words_of(size, self.moves), Choice(None)
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
            raise RefusalError("the game is over")
        self.moves = moves
        limit, began = self._limit(arrived), time.monotonic()
        choice = self.rules.search(p, limit)
        self._tick(arrived, limit, time.monotonic() - began)
        move = legal_move(self.rules.game, p, choice)
        self.moves = [*moves, move]
        yield from message(size, choice)
        yield words_of(size, [move])

    def _limit(self, arrived: float) -> Limit:
        """The limit of a search that was asked for then."""
        return self.keys.limit(time.monotonic() - arrived)

    def _tick(self, arrived: float, limit: Limit, searched: float) -> None:
        """Let the match's clock run on, as far as the manager does not tell of it."""
        self.keys = self.keys.after(time.monotonic() - arrived, limit, searched)

    def _check_started(self) -> None:
        """Refuse commands that come before the size is known."""
        if not self.is_ready:
            raise RefusalError("START comes first")
