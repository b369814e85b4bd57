"""The loss that a fit saves on openings that it has not seen.

The openings held out chose the penalty and the number of steps, so the loss saved on them is too
good. This is judged by the other openings instead, a part of them at a time, with a fit to the rest
under the same penalties and with the same number of steps.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby
from math import inf

import numpy as np

from arena.stats.score_scale import Floats, folds, validated_mean
from arena.tuning.fit.descent import AnySet, Epoch, Learned, Model, Penalised, Say, lowered

Settle = Callable[[Floats], Floats]
"""The change of weights that the engine can have, of one that was fitted."""


def saving(
    found: Learned[AnySet],
    model_of: Callable[[AnySet], Model[AnySet]],
    settle: Settle,
    seed: int,
    say: Say,
) -> tuple[float, float]:
    """The mean loss in nats that a fit saves, and half its 95 % interval.

    `model_of` makes the model of a part of the positions. The half is infinite if there is one
    opening, or if a part has no model (ValueError).
    """
    fitted = found.fitted
    gains, epochs = np.zeros(len(fitted)), found.epochs[1 : found.epochs.index(found.best) + 1]
    judged = list(folds(fitted.groups, seed))
    try:
        for number, is_judged in enumerate(judged, start=1):
            say(f"saved: part {number} of {len(judged)} is judged by the others")
            rest, part = fitted.part(~is_judged), fitted.part(is_judged)
            model = model_of(rest)
            change, free = _retraced(model, rest, epochs)
            before = model.losses(part, np.zeros_like(change), model.free)
            gains[is_judged] = before - model.losses(part, settle(change), free)
    except ValueError:
        return 0.0, inf
    return validated_mean(gains, fitted.groups) if judged else (0.0, inf)


def _retraced(
    model: Model[AnySet], sample: AnySet, epochs: Sequence[Epoch]
) -> tuple[Floats, Floats]:
    """The change of weights and the free numbers after the same steps on other positions."""
    objective, curvatures = model.objective(sample), model.curvatures(sample)
    count = len(curvatures)
    x = np.append(np.zeros(count), model.free)
    for penalty, steps in groupby(epochs, key=lambda each: each.penalty):
        penalised = Penalised(objective, curvatures, penalty, len(model.free))
        x = lowered(penalised, x, len(list(steps)))
    return model.sizes * x[:count], x[count:]
