"""Ends of games that the rules alone would let go on, and the contract of the files beside this.

A file's name is a key of the YAML, and `rule(game, *, parameter=default, ...)` makes its `Rule` for
one game. A file with one parameter, of its own name, has that as the key's value; of others it is a
mapping. `ORDER`: of rules that end a game with the same move, that with the lowest counts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from math import inf
from typing import Protocol

from arena.engine import Remark
from arena.game import Game, Outcome, Position
from arena.match.terms import Terms
from arena.plugins import load


class Rule(Protocol):
    def outcome(self, p: Position, said: Remark | None) -> Outcome | None:
        """The outcome if the game ends here; called once for each position of a game, in order.

        `said` is the last mover's remark; None for the start and the moves of the opening.
        """


class Repetition:
    def __init__(self, times: int) -> None:
        self._most = times
        self._times: Counter[tuple[bytes, int]] = Counter()

    def outcome(self, p: Position, said: Remark | None = None) -> Outcome | None:
        key = p.cells, p.turn
        self._times[key] += 1
        return Outcome(None, "repetition") if self._times[key] >= self._most else None


class PlyCap:
    def __init__(self, plies: int) -> None:
        self._plies = plies

    def outcome(self, p: Position, said: Remark | None = None) -> Outcome | None:
        return Outcome(None, "ply cap") if len(p.moves) >= self._plies else None


class EarlyEnds:
    def __init__(self, rules: Sequence[Rule], longest: float = inf) -> None:
        self._rules = rules
        self._longest = longest  # The plies after which the game is a draw

    def outcome(self, p: Position, said: Remark | None = None) -> Outcome | None:
        """The end that a position makes by the first of the rules; all are told of it.

        A win whose line would not end before the game is a draw is none.
        """
        found = filter(None, [rule.outcome(p, said) for rule in self._rules])
        return next((end for end in found if p.ply + len(end.line) <= self._longest), None)

    def replay(self, game: Game, p: Position) -> Outcome | None:
        """The end that a line of play without scores makes, or made before; its start counts."""
        each = game.start()
        outcome = self.outcome(each)
        for move in p.moves:
            each = game.play(each, move)
            outcome = outcome or self.outcome(each)
        return outcome


def early_ends(game: Game, terms: Terms | None = None) -> EarlyEnds | None:
    """The rules of the game and of the match's terms, for one game; None if there are none."""
    max_plies = terms.max_plies if terms else None
    caps = [cap for cap in (game.longest, max_plies) if cap is not None]
    rules: list[Rule] = [] if game.repetitions is None else [Repetition(game.repetitions)]
    rules += rules_of(game, terms.adjudication if terms else ())
    rules += [PlyCap(min(caps))] if caps else []
    return EarlyEnds(rules, min(caps, default=inf)) if rules else None


def rules_of(game: Game, wanted: Iterable[load.Named]) -> list[Rule]:
    """The rules of these names and parameters, in the order in which they count."""
    found = [(load.module("adjudication", each.name), each.parameters) for each in wanted]
    found.sort(key=lambda one: int(one[0].ORDER))
    return [module.rule(game, **parameters) for module, parameters in found]


def draw_after(game: Game, p: Position, terms: Terms | None = None) -> Outcome | None:
    """The draw that the moves up to a position make by these rules, which had no scores."""
    ends = early_ends(game, terms)
    return ends.replay(game, p) if ends else None
