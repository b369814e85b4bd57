"""When a game that its rules would let go on is a draw: repetition, and too many plies."""

from __future__ import annotations

from collections import Counter

from arena.game import Game, Outcome, Position
from arena.match.terms import Terms

REPETITION = Outcome(None, "repetition")
PLY_CAP = Outcome(None, "ply cap")


class Count:
    """Holds how often each position of one game has come about."""

    def __init__(self, repetitions: int | None, longest: int | None) -> None:
        self.repetitions = repetitions
        self.longest = longest
        self.times: Counter[tuple[bytes, int]] = Counter()

    def outcome(self, p: Position) -> Outcome | None:
        """The draw that this position makes, told of each once as it comes about."""
        if self.repetitions is not None:
            key = p.cells, p.turn
            self.times[key] += 1
            if self.times[key] >= self.repetitions:
                return REPETITION
        if self.longest is not None and len(p.moves) >= self.longest:
            return PLY_CAP
        return None

    def replay(self, game: Game, p: Position) -> Outcome | None:
        """The draw that a line of play makes, at its end or before: the start counts as well."""
        each = game.start()
        outcome = self.outcome(each)
        for move in p.moves:
            each = game.play(each, move)
            outcome = outcome or self.outcome(each)
        return outcome


def counting(game: Game, terms: Terms | None = None) -> Count | None:
    """What is to be counted in a game that is about to start; None if its rules end it anyway."""
    max_plies = terms.max_plies if terms else None
    caps = [cap for cap in (game.longest, max_plies) if cap is not None]
    if game.repetitions is None and not caps:
        return None
    return Count(game.repetitions, min(caps, default=None))


def draw(game: Game, p: Position) -> Outcome | None:
    """The draw by the game's own count that the moves up to a position make."""
    count = counting(game)
    return count.replay(game, p) if count else None
