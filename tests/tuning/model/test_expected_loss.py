"""The expected loss of a point: what the surface says, and what is not known of it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from arena.tuning.model.design import expected_loss
from arena.tuning.model.posterior import Array, Posterior, Prior, surface

START = np.full(2, 0.5)
SCALE = 20.0


def known(offset: list[float], spread: float) -> Posterior:
    """A round hill whose top lies at an offset from the start, in roots of Elo, and its error."""
    unknown = np.array([*offset, np.log(SCALE), np.log(SCALE), 0, 0, 0])
    variance = np.array([spread**2, spread**2, *[1e-12] * 5])
    posterior = Prior(START).posterior()
    return replace(posterior, mean=unknown, covariance=np.diag(variance))


def top(of: Posterior) -> Array:
    return surface(START, of.mean).best_in_box()


def test_a_point_loses_what_a_surface_says_that_is_known() -> None:
    sure = known([2.0, -3.0], 1e-6)
    assert expected_loss(sure, START) == pytest.approx(2**2 + 3**2, rel=1e-3)
    assert expected_loss(sure, top(sure)) == pytest.approx(0, abs=1e-3)


def test_the_top_loses_what_is_not_known_of_it() -> None:
    unsure = known([2.0, -3.0], 1.5)
    assert expected_loss(unsure, top(unsure)) == pytest.approx(2 * 1.5**2, rel=0.2)
    assert expected_loss(unsure, START) == pytest.approx(2**2 + 3**2 + 2 * 1.5**2, rel=0.2)


def test_what_lies_beyond_the_border_is_not_lost() -> None:
    beyond = known([2 * SCALE, 0.0], 1e-6)
    assert top(beyond) == pytest.approx([1, 0.5])
    assert expected_loss(beyond, top(beyond)) == pytest.approx(0, abs=0.01)


def test_a_point_above_the_supposed_top_loses_nothing() -> None:
    saddle = known([0.0, 0.0], 1e-6)
    saddle.mean[-1] = 1.5
    point = np.array([0.7, 0.3])
    assert surface(START, saddle.mean).elo(point) > 10
    assert expected_loss(saddle, point) == 0
