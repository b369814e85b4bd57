"""The answer that a trial's games give to the tuner: all pairs have equal weight."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean

from arena.stats.elo import elo, expected_score
from arena.tuning.method import TrialResult

Scores = Sequence[Sequence[float]]
"""The share of the points in each match, for each opening."""


def answer_to(points: int, scores: Scores) -> TrialResult:
    """The answer that the pairs of a trial of one or two points give, all with equal weight.

    The difference of two points' Elo against an opponent has four times the variance of that of as
    many pairs between them.
    """
    if not scores:
        return TrialResult(0.0, 0.5, 0)
    matches = list(zip(*scores, strict=True))
    elos = list(map(smoothed, matches))
    pairs = len(matches) * len(scores)
    if points == 1:
        found = fmean(elos)
        return TrialResult(found, expected_score(found), pairs)
    if len(matches) == 1:
        return TrialResult(elos[0], fmean(matches[0]), pairs)
    found = fmean(one - other for one, other in zip(elos[::2], elos[1::2], strict=True))
    return TrialResult(found, expected_score(found), max(1, pairs // 4))


def smoothed(scores: Sequence[float]) -> float:
    """Elo of these pairs' scores and half a pair more that is split."""
    return elo((sum(scores) + 0.25) / (len(scores) + 0.5))


def counts_of(scores: Sequence[float]) -> list[int]:
    """Pairs by points, 0 to 4 halves."""
    return [sum(round(4 * score) == points for score in scores) for points in range(5)]
