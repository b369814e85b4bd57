"""Landscapes of strength, made up for the tuner: matches whose answer is known.

A kind of landscape has a shape (`benchmarks.shapes`), drawn from the seed and scaled so that the
start loses `gap` Elo. The strongest point is uniform in [0.15, 0.85], the start the middle of the
box, H mildly correlated. A pair is two games on an opening worth N(0, 150) Elo to the first player,
colours swapped.
"""

from __future__ import annotations

import numpy as np

from arena.stats.elo import elo
from arena.tuning.method import Trial, TrialResult
from arena.tuning.model.posterior import Array
from arena.tuning.space import Axis, Space
from arena.tuning.trials import smoothed
from benchmarks import kinds
from benchmarks.shapes import VALUES, Hill, Steps

KINDS: dict[str, kinds.Maker] = {
    "plain": kinds.even,
    "skew": kinds.skewed,
    "skew and misjudged": kinds.misjudged,
    "ratios": kinds.ratios,
    "plateau": kinds.plateau,
    "cliff": kinds.cliff,
    "corner": kinds.corner,
    "sparse": kinds.sparse,
    "steps": kinds.steps,
    "not transitive": kinds.not_transitive,
    "two hills": kinds.two_hills,
    "two conditions": kinds.two_conditions,
    "favoured start": kinds.favoured_start,
}
"""Makers of shapes, by the names of their kinds."""
GAP = 80.0
"""Elo that the start loses."""
OPENING = 150.0
"""Standard deviation of what an opening is worth to the first player, in Elo."""
SHOWN = 50_000
"""Pairs of games that show a gain to within an Elo."""
DRAWISH = {"few": 15.0, "many": 276.0}
"""Elo that both sides must make up for a win: equal players draw 4 % of their games, or 60 %."""


class Landscape:
    """A strength known in full, and a source of match results; drawn from the seed."""

    def __init__(
        self,
        parameters: int,
        seed: int,
        kind: str = "plain",
        *,
        gap: float = GAP,
        draws: str = "few",
    ) -> None:
        self.shape: Hill = KINDS[kind](parameters, seed, gap)
        self._drawish = DRAWISH[draws]
        self._noise = np.random.default_rng(77_000 + seed)

    def elo(self, x: Array) -> float:
        """The true strength of a point, 0 for the strongest."""
        return -float(self.shape.loss(x))

    def scores(self, one: Array, other: Array, pairs: int, turn: int = 0) -> Array:
        """The share of the points that `one` makes in each of these pairs of games."""
        opening = self._noise.normal(0, OPENING, pairs)
        chance = self._noise.random((2, pairs))
        return pair_scores(self.shape.lead(one, other, turn), opening, chance, self._drawish)

    def gain(self, x: Array) -> float:
        """Elo of a point over the start as many games between them show it.

        That is less than their difference in strength, for openings decide games, too.
        """
        random = np.random.default_rng(0)
        opening, chance = random.normal(0, OPENING, SHOWN), random.random((2, SHOWN))
        leads = [self.shape.lead(x, self.shape.start, turn) for turn in (0, 1)]
        scores = [pair_scores(lead, opening, chance, self._drawish).mean() for lead in leads]
        return elo(float(np.mean(scores)))

    def answer(self, trial: Trial, pairs: int) -> TrialResult:
        """The result of a trial's pairs, between its two points or its point and the start."""
        one, *others = map(space_of(self).units, trial.points)
        other = others[0] if others else self.shape.start
        if len(others) and (one == other).all():
            return TrialResult(0.0, 0.5, 0)
        scores = self.scores(one, other, pairs, trial.number)
        return TrialResult(smoothed(list(scores)), float(scores.mean()), pairs)


def pair_scores(lead: Array, opening: Array, chance: Array, drawish: float) -> Array:
    """The scores of pairs, given the chances (2, ...) that decide both games."""
    elo = np.clip(lead, -4000, 4000) + np.stack([opening, -opening])
    wins = chance < 1 / (1 + 10 ** ((drawish - elo) / 400))
    losses = chance > 1 - 1 / (1 + 10 ** ((drawish + elo) / 400))
    return np.asarray((2 + wins.sum(0, dtype=float) - losses.sum(0)) / 4)


def space_of(landscape: Landscape) -> Space:
    """The unit box, around the start; whole numbers where the landscape has steps."""
    shape, last = landscape.shape, VALUES - 1
    if isinstance(shape, Steps):
        values = (round(last * float(unit)) for unit in shape.start)
        return Space(
            tuple(Axis(f"p{i}", each, 0, last, False, True, 1.0) for i, each in enumerate(values))
        )
    return Space(tuple(Axis(f"p{i}", float(unit)) for i, unit in enumerate(shape.start)))
