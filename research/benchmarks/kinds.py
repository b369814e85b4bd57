"""Kinds of landscape: each draws its shape from the seed; the start loses `gap` Elo."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import log

import numpy as np

from arena.tuning.model.posterior import Array
from benchmarks.shapes import (
    CLIFF,
    LESSER,
    PLATEAU,
    VALUES,
    Cliff,
    Corner,
    FavouredStart,
    Hill,
    Plateau,
    Ratios,
    Shape,
    Sparse,
    Steps,
    Styles,
    TwoConditions,
    TwoHills,
)

Maker = Callable[[int, int, float], Hill]
"""A shape from a number of parameters, a seed, and the gap that its start loses."""
Drawn = tuple[Array, Array]
"""The strongest point, and a Hessian that is still to be scaled."""
TWIST = 0.5
"""Elo of styles for each Elo of strength by which both points lie from the start."""


def even(parameters: int, seed: int, gap: float) -> Hill:
    """Strength that falls off alike on both sides."""
    top, hessian = drawn(np.random.default_rng(1000 + seed), parameters)
    return scaled(Hill(top, middle(top), np.ones(parameters), None, hessian), gap)


def skewed(parameters: int, seed: int, gap: float) -> Hill:
    """Strength that falls off more steeply on one side: |k| is from 2 to 6."""
    return bent(even(parameters, seed, gap), of_kind(seed), gap)


def misjudged(parameters: int, seed: int, gap: float) -> Hill:
    """Skew, and ranges 1 to 10 times too wide."""
    random, flat = of_kind(seed), even(parameters, seed, gap)
    width = np.exp(random.uniform(0, log(10), parameters))
    best = flat.start + (flat.best - flat.start) / width
    return bent(replace(flat, best=best, width=width), random, gap)


def bent(flat: Hill, random: np.random.Generator, gap: float) -> Hill:
    """The hill with a skew."""
    parameters = len(flat.best)
    skew = random.choice([-1, 1], parameters) * random.uniform(2, 6, parameters)
    return scaled(replace(flat, skew=skew), gap)


def ratios(parameters: int, seed: int, gap: float) -> Ratios:
    """Ratios alone matter, as of an evaluation's weights; ranges are 4 to 6 e-folds wide."""
    width = of_kind(seed).uniform(4, 6, parameters)
    return scaled(replace(like(Ratios, even(parameters, seed, gap)), width=width), gap)


def plateau(parameters: int, seed: int, gap: float) -> Plateau:
    """A hill on a plain."""
    # The loss of the start under the plateau, so that it is the gap upon it.
    inner = -PLATEAU * log(1 - gap / PLATEAU)
    return like(Plateau, even(parameters, seed, inner))


def cliff(parameters: int, seed: int, gap: float) -> Cliff:
    """An order of two parameters; the start has it right or wrong. The edge is near the best."""
    random, flat = of_kind(seed), even(parameters, seed, gap)
    order = np.zeros(parameters)
    order[random.permutation(parameters)[:2]] = 1, -1
    edge = np.asarray(order @ flat.best - random.uniform(0.05, 0.25))
    is_wrong = order @ flat.start < edge
    return like(Cliff, scaled(flat, gap - CLIFF * bool(is_wrong)), order=order, edge=edge)


def corner(parameters: int, seed: int, gap: float) -> Corner:
    """Best values at the border, most of them: the top is up to 0.3 beyond it."""
    random, flat = of_kind(seed), even(parameters, seed, gap)
    beyond = random.uniform(0, 0.3, parameters)
    outside = np.where(random.random(parameters) < 0.5, -beyond, 1 + beyond)
    is_outside = random.permutation(parameters) < (2 * parameters + 2) // 3
    top = np.where(is_outside, outside, flat.best)
    best = nearest(top, flat.hessian)
    return scaled(like(Corner, replace(flat, best=best), top=top), gap)


def sparse(parameters: int, seed: int, gap: float) -> Sparse:
    """A quarter of the parameters matter, two at least."""
    flat = even(parameters, seed, gap)
    matters = (of_kind(seed).permutation(parameters) < max(2, parameters // 4)).astype(float)
    hessian = flat.hessian * np.outer(matters, matters)
    best = np.where(matters > 0, flat.best, flat.start)
    return scaled(like(Sparse, replace(flat, best=best, hessian=hessian), matters=matters), gap)


def steps(parameters: int, seed: int, gap: float) -> Steps:
    """Whole numbers; the start is the one in the middle that is not the best."""
    flat, last = even(parameters, seed, gap), VALUES - 1
    best = np.round(last * flat.best) / last
    start = np.where(best > 0.5, last // 2, last - last // 2) / last
    return scaled(like(Steps, replace(flat, best=best, start=start)), gap)


def not_transitive(parameters: int, seed: int, gap: float) -> Styles:
    """Styles: every point loses to some that are weaker. The start has no style."""
    random, flat = of_kind(seed), even(parameters, seed, gap)
    turn = random.normal(size=(parameters, parameters))
    turn = (turn - turn.T) / (np.linalg.norm(turn - turn.T, 2) or 1.0)
    root = np.linalg.cholesky(flat.hessian)
    return like(Styles, flat, twist=TWIST * root @ turn @ root.T)


def favoured_start(parameters: int, seed: int, gap: float) -> FavouredStart:
    """A start that beats points far from it by up to twice the gap beyond strength."""
    favour = float(of_kind(seed).uniform(0, 2 * gap))
    return like(FavouredStart, even(parameters, seed, gap), favour=favour)


def two_hills(parameters: int, seed: int, gap: float) -> TwoHills:
    """A lesser hill whose top is on the other side of the start; the start is between them."""
    random, flat = of_kind(seed), even(parameters, seed, gap)
    _, hessian = drawn(random, parameters)
    best = flat.start - (flat.best - flat.start) * random.uniform(0.6, 1, parameters)
    lesser = scaled(replace(flat, best=best, hessian=hessian), gap - LESSER)
    return like(TwoHills, flat, lesser=lesser)


def two_conditions(parameters: int, seed: int, gap: float) -> TwoConditions:
    """Two conditions that disagree in half of the parameters."""
    random, flat = of_kind(seed), even(parameters, seed, gap)
    disagree = random.permutation(parameters) < (parameters + 1) // 2
    apart = random.choice([-1, 1], parameters) * random.uniform(0.1, 0.3, parameters)
    return like(TwoConditions, flat, apart=np.where(disagree, apart, 0))


def of_kind(seed: int) -> np.random.Generator:
    """The source of what a kind has beside the plain hill."""
    return np.random.default_rng(5000 + seed)


def drawn(random: np.random.Generator, parameters: int) -> Drawn:
    """A strongest point and a Hessian."""
    top = random.uniform(0.15, 0.85, parameters)
    weight = np.exp(random.normal(0, 0.8, parameters) / 2)
    factors = random.normal(size=(parameters, parameters))
    rows = factors / np.linalg.norm(factors, axis=1, keepdims=True)
    mixed = 0.7 * np.eye(parameters) + 0.3 * rows @ rows.T
    return top, np.outer(weight, weight) * mixed


def middle(top: Array) -> Array:
    """The middle of the box."""
    return np.full(len(top), 0.5)


def scaled(hill: Shape, gap: float) -> Shape:
    """The hill, scaled so that the start loses the gap."""
    return replace(hill, hessian=hill.hessian * (gap / hill.loss(hill.start)))


def like(kind: type[Shape], hill: Hill, **parts: object) -> Shape:
    """A hill as one of another kind, with the parts that it has beside a hill's."""
    own = {name: getattr(hill, name) for name in Hill.__dataclass_fields__}
    return kind(**{**own, **parts})


def nearest(top: Array, hessian: Array) -> Array:
    """The point of the box that loses least to a top, by descent along one parameter at a time."""
    best = np.clip(top, 0, 1)
    for _ in range(200):
        for i in range(len(top)):
            pull = hessian[i] @ (best - top) - hessian[i, i] * (best[i] - top[i])
            best[i] = np.clip(top[i] - pull / hessian[i, i], 0, 1)
    return best
