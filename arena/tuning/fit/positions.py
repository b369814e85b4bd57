"""Positions sampled from games, each with the result that its mover came to."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from arena.game import FAULTS, Game, Position
from arena.match.copies import is_symmetric, start_of
from arena.match.openings.random import KnowsQuiet
from arena.match.record import GameRecord
from arena.plugins.build import ForcedWin

MOST_OF_GAME = 10
"""Positions of one game, at most: those of one game have one result."""


@dataclass(frozen=True, slots=True)
class Labelled:
    """A position from a game."""

    position: Position
    result: float
    """The mover's: 1 for a win, 0 for a loss."""
    opening: str
    """The mark of the game's opening: see `match/copies.py`."""
    player: str
    """The player that was to move."""
    score: int | None
    """The score that it gave with its move, from its own side; None if it gave none."""


def sampled(
    records: Iterable[GameRecord], game: Game, forced_win: ForcedWin | None, seed: int
) -> Iterator[Labelled]:
    """At most ten positions of each game, drawn by the seed, no two of them alike.

    Left out are moves of the opening, positions that are not quiet, those from a proven win on,
    games that a fault ended, and copies of games. Positions that are equal once the board is turned
    or mirrored count once, wherever they come from.
    """
    seen_games: set[str] = set()
    seen: set[object] = set()
    for record in records:
        if record.reason in FAULTS or record.digest in seen_games:
            continue
        seen_games.add(record.digest or str(len(seen_games)))
        line = positions_of(record, game)
        first = len(record.opening.split())
        last = decided_from(line, first, forced_win)
        plies = list(range(first, last))
        random.Random(f"{seed} {record.digest}").shuffle(plies)
        kept = 0
        for ply in plies:
            p = line[ply]
            if kept == MOST_OF_GAME:
                break
            if (place := canonical(game, p)) in seen or not is_quiet(game, p):
                continue
            seen.add(place)
            kept += 1
            yield labelled(record, p, first)


def positions_of(record: GameRecord, game: Game) -> list[Position]:
    """The positions of a game in which a move was made, the first one before the opening."""
    line = [game.start()]
    for text in record.moves.split():
        line.append(game.play(line[-1], game.parse(text)))
    return line[:-1]


def decided_from(line: Sequence[Position], first: int, forced_win: ForcedWin | None) -> int:
    """The first ply, not before `first`, from which the winner had a forced win until the end.

    The last ply but one of the game, or its last, if there is no search for forced wins.
    """
    last = len(line)
    for ply in range(last - 1, first - 1, -2):
        if forced_win is None or not forced_win(line[ply]):
            break
        last = ply
    return last


def labelled(record: GameRecord, p: Position, first: int) -> Labelled:
    """A position of a game after `first` moves of the opening, with what became of it."""
    result = 0.5 if record.winner is None else float(record.winner == p.turn)
    player = record.first if p.turn == 1 else record.second
    scores = record.scores.split()
    given = scores[p.ply - first] if p.ply - first < len(scores) else "-"
    return Labelled(p, result, record.start, player, None if given == "-" else int(given))


def canonical(game: Game, p: Position) -> object:
    """A value that equal positions share, turned or mirrored; of other games, the position's."""
    if not is_symmetric(game):
        return p.cells, p.turn
    mark, _, _ = start_of(game, p.cells, p.turn)
    return mark


def is_quiet(game: Game, p: Position) -> bool:
    """True if no five or open four is at hand, where the game knows what that is."""
    return not isinstance(game, KnowsQuiet) or game.is_quiet(p)
