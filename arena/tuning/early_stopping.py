"""Early stopping of trials so bad that their other games are not worth playing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from statistics import fmean

FIRST_TEST = 20
"""Openings before the first test: fewer are ties too often to tell, and slow to test."""
EVERY = 10
"""Openings from one test to the next."""


@dataclass(frozen=True, slots=True)
class Stopping:
    """The best trial so far on each set of openings, which a new one is tested against.

    Wilcoxon's signed-rank test of the two trials' scores on each opening. Testing again and again
    with p = 0.1 was measured to drop a fifth of trials that are 20 Elo better; from 0.02 to 0.05
    hardly any.
    """

    p: float
    best: dict[str, tuple[float, list[float]]] = field(default_factory=dict)
    """Elo and scores, by the openings."""
    rival: Sequence[float] = ()  # Scores of the trial to test against

    def against(self, openings: Sequence[str]) -> Stopping:
        """The test of a trial that starts now, against the best one known now."""
        return replace(self, rival=self.best.get(" / ".join(openings), (0.0, []))[1])

    def is_due(self, scores: Sequence[Sequence[float]]) -> bool:
        """True if a trial with these scores, opening by opening, is to end."""
        n = len(scores)
        if n < FIRST_TEST or n % EVERY or len(self.rival) <= n:
            return False
        gains = [fmean(own) - rival for own, rival in zip(scores, self.rival[:n], strict=True)]
        if not any(gains):
            return False
        from scipy.stats import wilcoxon

        return float(wilcoxon(gains, alternative="less", zero_method="zsplit").pvalue) < self.p

    def learn(self, openings: Sequence[str], scores: Sequence[Sequence[float]], elo: float) -> None:
        """Take in a trial that was played to its end."""
        known, elo = " / ".join(openings), round(elo, 6)  # the last bits hang on the processor
        if known not in self.best or elo > self.best[known][0]:
            self.best[known] = elo, [fmean(own) for own in scores]
