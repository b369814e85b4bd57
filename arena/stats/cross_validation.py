"""Cross-validation by openings: each is judged by what was fitted without it."""

from __future__ import annotations

from collections.abc import Iterator
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from arena.stats.elo import half_width
from arena.stats.score_scale import Floats, Groups, cluster_spread

FOLDS = 10
"""Parts that the openings are dealt to; as many as there are openings if these are fewer."""


def folds(groups: Groups, seed: int = 0) -> Iterator[NDArray[np.bool_]]:
    """For each part of the openings in turn, dealt by the seed, True for its positions.

    `groups` are the openings' numbers. One opening cannot be judged without itself: then there is
    no part.
    """
    openings = np.random.default_rng(seed).permutation(np.unique(groups))
    if len(openings) > 1:
        for part in np.array_split(openings, min(FOLDS, len(openings))):
            yield np.isin(groups, part)


def validated_mean(values: Floats, groups: Groups) -> tuple[float, float]:
    """The mean of cross-validated values, and half its 95 % interval, by Student's t of openings.

    The fits of two parts share most of their openings, so that their values vary together. The
    variance of a mean of independent values, 1 / FOLDS of that of one part's, grows by the ratio of
    the openings judged to those fitted, 1 / (FOLDS - 1) (Nadeau and Bengio, 2003, "Inference for
    the Generalization Error"). Needs two openings at least.
    """
    mean, count = float(values.mean()), len(np.unique(groups))
    spread = cluster_spread((values - mean)[:, None], groups)
    parts = min(FOLDS, count)
    error = float(np.sqrt(spread[0, 0])) / len(values) * sqrt(1 + parts / (parts - 1))
    return mean, half_width(error, count)
