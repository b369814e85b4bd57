"""Intervals of fits and of K, where the truth is known: `python -m fit_coverage [KIND...]`.

In each simulated world of fits, an evaluation is the sum of its features times their weights. The
features of a game are drawn after its result, from Poisson distributions that differ by the result
by so much that each position's log odds are exactly the sum of features times the true weights. Six
tenths of a feature's rate are the whole game's, so ten positions of a game tell less than ten
games; and each opening favours one side, so its four games depend on each other. The weights start
right, or each is off by a factor.

In each world of K, a player gives scores to ten positions of each game, which are made alike.

Coverage is the share of 95 % intervals that hold the truth; +- is 95 %, by worlds. "Told" and
"true" are the mean loss saved, as the fit tells it, and on 2,000 other openings. World N of a kind
has the seeds N and the kind's number; none of them was looked at before the method was chosen:
those that chose it came from another program.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from arena.report.moves import ScoreColumns, scale_of
from arena.stats.elo import half_width
from arena.stats.score_scale import calibration_error, cross_entropies, expectation
from arena.tuning.fit import result_fit
from arena.tuning.fit.config import FitSettings
from arena.tuning.fit.descent import (
    Learned,
    Logistic,
    TrainingSet,
    descent,
    occurrences,
    saving,
    split,
    weight_intervals,
)

Floats = NDArray[np.float64]
GAMES, POSITIONS = 4, 10
"""Games of an opening, and positions of a game."""
SHARED = 0.6
"""The part of a feature that all positions of a game share."""
UNIT = 250.0
"""The value that is worth one log odds."""
OTHER_OPENINGS = 2_000


class FitWorld(NamedTuple):
    """The worlds of one kind of fit."""

    openings: int
    weights: int
    off: float
    """The logarithm of the factor, or its inverse, by which weights start wrong."""
    is_table: bool
    worlds: int


FITS = {
    "right": FitWorld(300, 8, 0.0, False, 250),
    "off": FitWorld(300, 8, 0.5, False, 250),
    "off, 1,400 openings": FitWorld(1_400, 8, 0.5, False, 250),
    "far off": FitWorld(300, 8, 1.5, False, 250),
    "off, 30 openings": FitWorld(30, 8, 0.5, False, 250),
    "table": FitWorld(300, 60, 0.5, True, 34),
    "table, 60 openings": FitWorld(60, 60, 0.5, True, 150),
}
SCALES = {f"K, {openings} openings": openings for openings in (5, 8, 12, 40)}
SCALE_WORLDS = 500
K, SPREAD = 0.004, 300.0
"""The true K of a player's scores, and the standard deviation of those of one result."""


def games_of(random: np.random.Generator, openings: int) -> NDArray[np.int64]:
    """The result of each game, 1 or -1 for the first player."""
    favour = random.beta(2, 2, openings)
    return np.where(random.random((openings, GAMES)) < favour[:, None], 1, -1).ravel()


def movers(results: NDArray[np.int64]) -> tuple[NDArray[np.int64], Floats, NDArray[np.int64]]:
    """For each position of each game: the side to move (1 or -1), its result, and the opening."""
    sides = np.tile(np.where(np.arange(POSITIONS) % 2, -1, 1), (len(results), 1))
    openings = np.repeat(np.arange(len(results) // GAMES), GAMES * POSITIONS)
    return sides, (results[:, None] * sides + 1).ravel() / 2, openings


def positions_of(
    random: np.random.Generator, openings: int, odds: Floats, rates: Floats, start: Floats
) -> TrainingSet:
    """Positions of games, with features whose log odds are given, and values by other weights."""
    results = games_of(random, openings)
    sides, points, groups = movers(results)
    features = np.zeros((len(results), POSITIONS, len(odds)))
    for side in (1, -1):
        expected = rates * np.exp(side * results[:, None] * odds / 2)
        of_game = random.poisson(SHARED * expected)[:, None]
        of_position = random.poisson((1 - SHARED) * expected[:, None], features.shape)
        features += side * (of_game + of_position)
    features = (features * sides[:, :, None]).reshape(-1, len(odds))
    return TrainingSet(csr_array(features.astype(np.float32)), features @ start, points, groups)


class FitOutcome(NamedTuple):
    """What a fit told, and the truth."""

    held: Floats
    """For each weight, 1 if its interval holds the true one."""
    told: float
    reach: float
    true: float


def fitted(world: FitWorld, seed: list[int]) -> FitOutcome:
    """A fit in one world."""
    random = np.random.default_rng(seed)
    if world.is_table:
        odds = random.normal(0, 0.25, world.weights)
        rates = np.exp(random.uniform(np.log(0.02), np.log(0.8), world.weights))
    else:
        odds = random.choice([-1, 1], world.weights) * random.uniform(0.1, 0.5, world.weights)
        rates = np.exp(random.uniform(np.log(0.05), 0, world.weights))
    start = UNIT * odds * np.exp(random.choice([-world.off, world.off], world.weights))
    settings = FitSettings(holdout=0.1, score_share=0.0, l2=1e-5, seed=seed[0])
    parts = split(positions_of(random, world.openings, odds, rates, start), settings)

    def model_of(sample: TrainingSet) -> Logistic:
        scale = result_fit.scale_of(sample)
        sizes = result_fit.sizes_of(start, 1 / scale.factor, is_table=world.is_table)
        return Logistic(scale, sizes)

    model = model_of(parts[0])
    epochs = descent(model, *parts, settings.l2, lambda epoch: None)
    found = Learned(model, *parts, epochs, ())
    told, reach = saving(found, model_of, lambda change: change, settings.seed, lambda words: None)
    known = weight_intervals(model, parts[0], found.best, occurrences(parts[0]))
    true_change = odds / model.scale.factor - start
    others = positions_of(random, OTHER_OPENINGS, odds, rates, start)
    before = model.losses(others, np.zeros_like(start), model.free)
    saved = before - model.losses(others, found.best.change, found.best.free)
    held = (known.lows <= true_change) & (true_change <= known.highs)
    return FitOutcome(held.astype(float), told, reach, float(saved.mean()))


def mean_text(values: Floats) -> str:
    """The mean with its 95 %."""
    return f"{values.mean():.3f} +-{half_width(values.std() / len(values) ** 0.5, len(values)):.3f}"


def fit_row(name: str, limit: int) -> str:
    """What the fits of a kind told, beside the truth."""
    world = FITS[name]
    count = min(world.worlds, limit)
    found = [fitted(world, [seed, list(FITS).index(name)]) for seed in range(count)]
    told, reach, true = (np.array([getattr(each, key) for each in found]) for key in KEYS)
    weights = mean_text(np.array([each.held.mean() for each in found]))
    holds = np.abs(told - true) <= reach
    changed = true != 0
    error = half_width(float((told - true).std()) / count**0.5, count)
    return (
        f"| {name} | {count * world.weights:,} | {weights} | {told.mean():+.4f} | "
        f"{true.mean():+.4f} +-{error:.4f} | {mean_text(holds.astype(float))} | "
        f"{holds[changed].mean():.3f} of {changed.sum()} | "
        f"{np.mean((told - reach > 0) & (true < 0)):.3f} |"
    )


KEYS = ("told", "reach", "true")


def scores_of(random: np.random.Generator, openings: int) -> ScoreColumns:
    """A player's scores, whose log odds are K times them."""
    results = games_of(random, openings)
    sides, points, groups = movers(results)
    of_game = random.normal(0, SHARED**0.5, (len(results), 1))
    of_position = random.normal(0, (1 - SHARED) ** 0.5, sides.shape)
    scores = K * SPREAD**2 / 2 * results[:, None] + SPREAD * (of_game + of_position)
    games = np.repeat(np.arange(len(results)), POSITIONS)
    return ScoreColumns((scores * sides).ravel(), points, groups, games)


def scale_row(name: str, limit: int) -> str:
    """What the tables tell of players of a kind, beside the truth."""
    openings, count = SCALES[name], min(SCALE_WORLDS, limit)
    others = scores_of(np.random.default_rng(list(SCALES).index(name)), OTHER_OPENINGS)
    base = np.log(2)
    shown, rows = [], list[tuple[float, ...]]()
    for seed in range(count):
        random = np.random.default_rng([seed, len(FITS) + list(SCALES).index(name)])
        told, _ = scale_of(name, scores_of(random, openings))
        if np.isnan(told.k):
            continue
        shown.append((told.k / K, told.k_low <= K <= told.k_high))
        odds = told.k * others.values + told.offset
        loss = float(np.mean(cross_entropies(odds, others.results)))
        off = calibration_error(expectation(odds), others.results)
        saved = 1 - told.log_loss / told.blind_log_loss
        rows.append((saved, 1 - loss / base, told.calibration_error, off))
    ratios, holds = np.array(shown, float).T
    saved, true, off, true_off = np.mean(rows, axis=0)
    return (
        f"| {name} | {len(shown) / count:.3f} | {mean_text(ratios)} | {np.median(ratios):.3f} | "
        f"{mean_text(holds)} | {saved:.3f} | {true:.3f} | {off:.3f} | {true_off:.3f} |"
    )


FIT_HEAD = (
    "| fits | weights | their coverage | told | true | coverage of saved | of changed | "
    "wrongly above 0 |"
)
SCALE_HEAD = "| K | shown | K / true K | median | coverage | loss saved | true | off by | true |"


def lines(kinds: list[str], limit: int) -> Iterator[str]:
    """The tables of these kinds."""
    for head, names, row in tables():
        if chosen := [name for name in names if name in kinds]:
            yield head
            yield "|---" * head.count(" | ") + "|---|"
            yield from (row(name, limit) for name in chosen)


def tables() -> Iterator[tuple[str, list[str], Callable[[str, int], str]]]:
    """The head, the kinds and the row of each table."""
    yield FIT_HEAD, list(FITS), fit_row
    yield SCALE_HEAD, list(SCALES), scale_row


def main() -> None:
    """Print the tables."""
    every = [*FITS, *SCALES]
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("kinds", nargs="*", metavar="KIND", help=f"of: {'; '.join(every)}")
    parser.add_argument("--worlds", type=int, default=10_000, help="of each kind, at most")
    asked = parser.parse_args()
    if unknown := set(asked.kinds) - set(every):
        parser.error(f"no kinds: {', '.join(sorted(unknown))}")
    for line in lines(asked.kinds or every, asked.worlds):
        print(line, flush=True)


if __name__ == "__main__":
    main()
