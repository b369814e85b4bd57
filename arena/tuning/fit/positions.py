"""Positions sampled from games, each with the result that its mover came to."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice
from typing import Protocol, runtime_checkable

import numpy as np

from arena.errors import ConfigError
from arena.game import FAULTS, Game, Move, Position
from arena.match.copies import is_symmetric
from arena.match.game_row import cluster_text
from arena.match.record import GameRecord
from arena.plugins.build import ForcedWin

MOST_OF_GAME = 10
"""Positions of one game, at most: those of one game have one result."""
CHUNK = 5_000
"""Positions that are held as objects at once."""
LEAST_POSITIONS = 100


class UselessGamesError(ConfigError):
    """Games that no weights can be fitted to."""


@runtime_checkable
class KnowsForced(Protocol):
    """A game that can tell if a move decides a position, or if a loss at once must be avoided."""

    def is_forced(self, p: Position) -> bool:
        """True if so: see the game."""


@dataclass(frozen=True, slots=True)
class Labelled:
    """A position from a game."""

    position: Position
    result: float  # The mover's: 1 for a win, 0 for a loss, and a half for a draw
    move: Move  # The move that was played
    opening: str  # The name of the game's opening: see `cluster_text`
    player: str  # The player that was to move
    score: int | None
    """The score that it gave with its move, from its own side; None if it gave none."""


def sampled(
    records: Iterable[GameRecord], game: Game, forced_win: ForcedWin | None, seed: int
) -> Iterator[Labelled]:
    """At most ten positions of each game, drawn by the seed, no two of them alike.

    Left out are moves of the opening, positions with a five or an open four at hand or a five to be
    stopped, those from a proven win on, and games that a fault ended. Positions that are equal once
    the board is turned or mirrored count once, wherever they come from: so copies of games add
    none. The other positions drawn from a game depend on the game and the seed alone. Games are
    read as positions are asked for.
    """
    seen: set[int] = set()
    parse, fingerprint = cache(game.parse), fingerprint_in(game)
    is_forced = game.is_forced if isinstance(game, KnowsForced) else lambda p: False
    for number, record in enumerate(records):
        if record.reason in FAULTS:
            continue
        line = _positions_of(record, game, parse)
        first = len(record.opening.split())
        plies = list(range(first, _decided_from(line, first, record.winner, forced_win)))
        random.Random(f"{seed} {record.digest or record.moves}").shuffle(plies)
        free = (line[ply] for ply in plies if not is_forced(line[ply]))
        for p in islice(free, MOST_OF_GAME):
            if (place := fingerprint(p)) not in seen:
                seen.add(place)
                yield _labelled(record, p, cluster_text(record) or f"pair {number}", parse)


def _positions_of(record: GameRecord, game: Game, parse: Callable[[str], Move]) -> list[Position]:
    """The positions of a game in which a move was made, the first one before the opening."""
    line = [game.start()]
    for text in record.moves.split():
        line.append(game.play(line[-1], parse(text)))
    return line[:-1]


def _decided_from(
    line: Sequence[Position], first: int, winner: int | None, forced_win: ForcedWin | None
) -> int:
    """The ply, not before `first`, from which on the winner always had a forced win on its turn.

    The length of the line if that was never so, or there is no search for forced wins.
    """
    decided = len(line)
    if forced_win:
        for ply in range(len(line) - 1, first - 1, -1):
            if line[ply].turn == winner:
                if not forced_win(line[ply]):
                    break
                decided = ply
    return decided


def _labelled(
    record: GameRecord, p: Position, opening: str, parse: Callable[[str], Move]
) -> Labelled:
    result = 0.5 if record.winner is None else float(record.winner == p.turn)
    player = record.first if p.turn == 1 else record.second
    choice = p.ply - len(record.opening.split())
    given = [*record.scores.split()[choice : choice + 1], "-"][0]
    score = None if given == "-" else int(given)
    move = parse(record.moves.split()[p.ply])
    return Labelled(p, result, move, opening, player, score)


def fingerprint_in(game: Game) -> Callable[[Position], int]:
    """A function that gives equal positions of the game equal numbers, turned or mirrored, too.

    Other positions differ, but for chance: two of a million once in 30 million times.
    """
    turns = [*game.symmetries] if is_symmetric(game) else [[*range(len(game.start().cells))]]
    images = np.array(turns)

    def fingerprint(p: Position) -> int:
        turned = np.frombuffer(p.cells, np.uint8)[images]
        return hash((min(map(bytes, turned)), p.turn))

    return fingerprint


def chunks(positions: Iterable[Labelled]) -> Iterator[list[Labelled]]:
    """The positions, a few thousand at a time. Raises UselessGamesError if they are too few."""
    positions = iter(positions)
    chunk = list(islice(positions, CHUNK))
    if len(chunk) < LEAST_POSITIONS:
        raise UselessGamesError(
            f"the games have {len(chunk)} positions to fit to, once openings, fives and open "
            f"fours at hand, and what comes after a proven win are left out: at least "
            f"{LEAST_POSITIONS} are needed"
        )
    while chunk:
        yield chunk
        chunk = list(islice(positions, CHUNK))
