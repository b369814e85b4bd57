"""One opening made from one number: stones drawn, and moves that make the chances even.

The procedure follows Rapfi's `opengen` in outline (random stones near each other, a quick look, one
balancing move or else two). There a search for the move nearest to 0 is part of the engine. Here
any engine is asked, for one position after the other: for all candidates with a small part of the
limit, and with more for the fewer that come out nearest to the middle.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from math import tanh
from random import Random
from typing import Literal

from arena.books.book_config import BookConfig
from arena.engine import Choice, Conditions, Engine, Limit, choice_in_new_game, mate_text
from arena.errors import ConfigError, own_words
from arena.game import Forbids, Game, Move, Position
from arena.match.copies import marks
from arena.match.openings.random import KnowsQuiet
from arena.match.play import moves_text
from arena.plugins.build import (
    ForcedWin,
    ThreatWin,
    forced_win_search,
    load_engine,
    threat_win_search,
)
from arena.plugins.load import load_game
from arena.stats.rounding import rounded

QUICK = 1 / 16
"""The part of the limit that the quick look at the stones drawn has."""
LOOKS = ((1 / 128, 8), (1 / 16, 6))
"""The part of the limit that a look at each candidate has, and how many of them are kept. Those
that are left are searched with the whole limit, until one lies in the window."""
NEAR = 2
"""Rows and columns from the next stone within which a move may balance an opening."""

Refusal = Literal["loud", "decided", "uneven", "forced win", "double"]
"""The reason why nothing came of a draw: a threat among the stones drawn; a seen win; no move that
leads into the window; a win by force of either side; an opening that is there already."""


@dataclass(frozen=True, slots=True)
class BookLine:
    """An opening that was made, and the last search of it."""

    moves: str
    mark: str
    """Equal for openings that lead to one position, turned or mirrored: see `match/copies.py`."""
    value: int  # To the side to move, in the engine's units
    depth: int
    nodes: int
    draw: int  # The number that it was made from


class OpeningMaker:
    """Makes openings from numbers; it holds the engine of one process, once it was asked for."""

    def __init__(self, config: BookConfig) -> None:
        self.config = config
        self.game: Game = load_game(config.game)

    def __call__(self, number: int) -> BookLine | Refusal:
        """The opening that this number gives, or the reason why it gives none.

        Raises ConfigError for an engine that fails, or gives no scores.
        """
        source = Random(f"{self.config.seed} {number}")
        p = self.drawn(source)
        if p is None:
            return "loud"
        choice = self.look(p, QUICK)
        if is_decided(choice):
            return "decided"
        if self.is_behind(p, choice):
            p = self.game.play(p, self.legal(p, choice))
        return self.balanced(p, number, source)

    @cached_property
    def engine(self) -> Engine:
        """The engine. Raises ConfigError if it cannot be built."""
        return load_engine(self.config.player.engine, self.game, Conditions(self.config.limit))

    @cached_property
    def forced_win(self) -> ForcedWin | None:
        """The search for wins by fours, if there is one for this game."""
        return forced_win_search(self.game)

    @cached_property
    def threat_win(self) -> ThreatWin | None:
        """The search for wins by fours and threes, if there is one for this game."""
        return threat_win_search(self.game)

    def check(self) -> None:
        """Search once, which warms the kernels that processes to be forked will need.

        The engine is not kept: it may hold a process or a file, which must not cross a fork. Raises
        ConfigError for one that cannot be built, or gives no score.
        """
        p = self.game.start()
        for move in self.game.moves(p)[:2]:
            p = self.game.play(p, move)
        self.look(p, LOOKS[0][0])
        self.is_forced(p)
        self.close()

    def drawn(self, source: Random) -> Position | None:
        """Stones within a square anywhere on the board; None if they make a threat already."""
        game, config, p = self.game, self.config, self.game.start()
        row, column = (source.randrange(game.size - config.square + 1) for _ in range(2))
        area = [
            (row + down) * game.size + column + right
            for down in range(config.square)
            for right in range(config.square)
        ]
        for move in source.sample(area, source.randint(*config.stones)):
            if game.outcome(p) or not self.is_playable(p, move):
                return None
            p = game.play(p, move)
        is_loud = isinstance(game, KnowsQuiet) and not game.is_quiet(p)
        return None if is_loud or game.outcome(p) else p

    def is_behind(self, p: Position, choice: Choice) -> bool:
        """True if the best move leaves the side to move less than the window."""
        low, high = self.config.window
        expected = self.expected(p, choice)
        return expected < low if p.turn == 1 else expected > high

    def balanced(self, p: Position, number: int, source: Random) -> BookLine | Refusal:
        """The position with the move that makes the chances even, or why there is none."""
        candidates = self.candidates(p)
        source.shuffle(candidates)  # of those that are equally near, not always the first
        for part, count in LOOKS:
            found = [(self.distance(q, self.look(q, part)), q) for q in candidates]
            found.sort(key=lambda each: rounded(each[0]))
            candidates = [q for _, q in found[:count]]
        refusal: Refusal = "forced win"
        for q in candidates:
            if self.is_forced(q):
                continue
            choice, refusal = self.look(q, 1), "uneven"
            low, high = self.config.window
            if not is_decided(choice) and low <= self.expected(q, choice) <= high:
                return self.line(q, choice, number)
        return refusal

    def candidates(self, p: Position) -> list[Position]:
        """The positions after each move near the stones that ends no game."""
        size = self.game.size
        stones = [divmod(cell, size) for cell, stone in enumerate(p.cells) if stone]
        found = []
        for move in self.game.moves(p):
            row, column = divmod(move, size)
            is_near = any(max(abs(row - r), abs(column - c)) <= NEAR for r, c in stones)
            if is_near and self.is_playable(p, move):
                q = self.game.play(p, move)
                found += [] if self.game.outcome(q) else [q]
        return found

    @cached_property
    def forbids(self) -> Forbids | None:
        """The game, if it has moves that lose at once."""
        return self.game if isinstance(self.game, Forbids) else None

    def is_playable(self, p: Position, move: Move) -> bool:
        """True if a move is legal, and not one that loses at once."""
        is_legal = self.game.is_legal(p, move)
        return is_legal and not (self.forbids and self.forbids.forbidden(p, move))

    def is_forced(self, p: Position) -> bool:
        """True if either side, were it to move, is seen to win by force, or might by fours."""
        for q in (p, replace(p, turn=3 - p.turn)):
            if self.forced_win and self.forced_win(q) != ():
                return True
            if self.threat_win and self.threat_win(q):
                return True
        return False

    def look(self, p: Position, part: float) -> Choice:
        """The engine's answer within this part of the limit, as in a new game.

        Raises ConfigError if there is none, or none with a score.
        """
        name = self.config.player.engine.name
        try:
            choice = choice_in_new_game(self.engine, 0, p, _part_of(self.config.limit, part))
        except (Exception, SystemExit) as error:
            where = moves_text(self.game, p.moves)
            raise ConfigError(f"engine {name} fails after {where}: {own_words(error)}") from error
        if choice.score is None:
            raise ConfigError(f"engine {name} gives no score with its move, so it balances nothing")
        return choice

    def legal(self, p: Position, choice: Choice) -> Move:
        """The move chosen. Raises ConfigError if it is none."""
        move = choice.move
        if move is None or not self.game.is_legal(p, move):
            name, where = self.config.player.engine.name, moves_text(self.game, p.moves)
            raise ConfigError(f"engine {name} has no legal move after {where}")
        return move

    def expected(self, p: Position, choice: Choice) -> float:
        """The first player's expected score, by the score of the side to move."""
        odds = self.config.scale * (choice.score or 0) * (1 if p.turn == 1 else -1)
        return (1 + tanh(odds / 2)) / 2  # the logistic function, which never overflows so

    def distance(self, p: Position, choice: Choice) -> float:
        """The distance of the expected score from the middle of the window."""
        return abs(self.expected(p, choice) - sum(self.config.window) / 2)

    def line(self, p: Position, choice: Choice, number: int) -> BookLine:
        """The opening that was found."""
        mark, _ = marks(self.game, p, p)
        text = moves_text(self.game, p.moves)
        return BookLine(text, mark, int(choice.score or 0), choice.depth, choice.nodes, number)

    def close(self) -> None:
        """Let go of the engine, if it was built."""
        if "engine" in vars(self):
            self.engine.close()
            del self.engine


def is_decided(choice: Choice) -> bool:
    """True if a win or loss is seen."""
    return mate_text(choice.score or 0) is not None


def _part_of(limit: Limit, part: float) -> Limit:
    """A limit with this part of its nodes and seconds; a depth stays."""
    return replace(
        limit,
        nodes=limit.nodes and max(1, round(limit.nodes * part)),
        seconds=limit.seconds and limit.seconds * part,
    )
