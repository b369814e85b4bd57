"""Draws in games that the rules alone would let go on: by repetition, and at a cap of plies."""

from __future__ import annotations

from collections import Counter

from arena.game import Game, Outcome, Position
from arena.match.terms import Terms


class DrawRules:
    """Holds how often each position of one game has come about."""

    def __init__(self, repetitions: int | None, longest: int | None) -> None:
        self.repetitions = repetitions
        self.longest = longest
        self._times: Counter[tuple[bytes, int]] = Counter()

    def outcome(self, p: Position) -> Outcome | None:
        """The draw that this position makes, if any; to be called once for each, as it arises."""
        if self.repetitions is not None:
            key = p.cells, p.turn
            self._times[key] += 1
            if self._times[key] >= self.repetitions:
                return Outcome(None, "repetition")
        if self.longest is not None and len(p.moves) >= self.longest:
            return Outcome(None, "ply cap")
        return None

    def replay(self, game: Game, p: Position) -> Outcome | None:
        """The draw that a line of play makes, at its end or before; the start counts as well."""
        each = game.start()
        outcome = self.outcome(each)
        for move in p.moves:
            each = game.play(each, move)
            outcome = outcome or self.outcome(each)
        return outcome


def draw_rules(game: Game, terms: Terms | None = None) -> DrawRules | None:
    """The rules of the game and of the match's terms, for one game; None if there are none."""
    max_plies = terms.max_plies if terms else None
    caps = [cap for cap in (game.longest, max_plies) if cap is not None]
    if game.repetitions is None and not caps:
        return None
    return DrawRules(game.repetitions, min(caps, default=None))


def draw_after(game: Game, p: Position) -> Outcome | None:
    """The draw by the game's own rules that the moves up to a position make."""
    rules = draw_rules(game)
    return rules.replay(game, p) if rules else None
