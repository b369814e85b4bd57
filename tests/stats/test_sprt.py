"""The log-likelihood ratio, held to the real outputs of fishtest and fastchess."""

from __future__ import annotations

import math
import sys
from itertools import pairwise

import pytest
from hypothesis import given, strategies as st
from support.counts import CASES, counts, counts_of, trinomial

from arena.stats.elo import NORMALIZED_UNIT, expected_score, regularised
from arena.stats.sprt import Model, bounds, llr, moments, with_score, with_t_value

FAR = "one pair lost (edge; fastchess issue #877 shape)"
"""A case in which fishtest raises an exception and older fastchess never came back."""
models = st.sampled_from(["logistic", "normalized"])
elos = st.floats(-2000, 2000)


def llr_of(name: str, model: Model) -> float:
    sprt = CASES[name]["sprt"]
    return llr(counts_of(CASES[name]), sprt["elo0"], sprt["elo1"], model)


@pytest.mark.parametrize("name", CASES)
def test_the_logistic_llr_is_that_of_fishtest(name: str) -> None:
    expected = CASES[name]["fishtest"]["LLR_logistic"]
    assert llr_of(name, "logistic") == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("name", [name for name in CASES if name != FAR])
def test_the_normalized_llr_is_that_of_fishtest(name: str) -> None:
    expected = CASES[name]["fishtest"]["LLR_normalized"]
    assert llr_of(name, "normalized") == pytest.approx(expected, abs=1e-9)


def test_where_fishtest_has_no_answer_it_is_that_of_fastchess() -> None:
    expected = CASES[FAR]["fastchess"]["llr_normalized"]
    assert llr_of(FAR, "normalized") == pytest.approx(expected, abs=1e-7)


@pytest.mark.parametrize("name", CASES)
def test_bounds_are_those_of_fastchess(name: str) -> None:
    sprt, expected = CASES[name]["sprt"], CASES[name]["fastchess"]
    lower, upper = bounds(sprt["alpha"], sprt["beta"])
    assert lower == pytest.approx(expected["lower"])
    assert upper == pytest.approx(expected["upper"])


def test_bounds_take_alpha_and_beta_in_this_order() -> None:
    assert bounds(alpha=0.1, beta=0.05) == pytest.approx((-2.890371758, 2.251291799))


@pytest.mark.parametrize("nothing", [[0] * 3, [0] * 5])
@pytest.mark.parametrize("model", ["logistic", "normalized"])
def test_no_results_say_as_good_as_nothing(nothing: list[int], model: Model) -> None:
    assert abs(llr(nothing, -100, 100, model)) < 1e-3


def test_one_pair_says_a_little() -> None:
    assert 0 < llr([0, 0, 0, 0, 1], 0, 10, "normalized") < 0.1
    assert -0.01 < llr([0, 0, 1, 0, 0], 0, 10, "normalized") < 0
    assert llr([1, 0, 0, 0, 0], 0, 10, "normalized") < 0


@given(counts, elos, elos, models)
def test_any_counts_and_any_bounds_have_a_finite_answer(
    counts: list[int], elo0: float, elo1: float, model: Model
) -> None:
    found = llr(counts, elo0, elo1, model)
    assert math.isfinite(found)
    tolerance = 1e-9 * (1 + sum(counts))
    assert llr(counts, elo1, elo0, model) == pytest.approx(-found, abs=tolerance)
    assert llr(counts[::-1], -elo0, -elo1, model) == pytest.approx(found, abs=tolerance, rel=1e-6)


@given(counts, elos)
def test_the_likeliest_distributions_fulfil_their_hypotheses(counts: list[int], elo: float) -> None:
    filled = regularised(counts)
    shares = [n / sum(filled) for n in filled]
    scores = [i / (len(counts) - 1) for i in range(len(counts))]
    mean, _ = moments(scores, with_score(shares, expected_score(elo)))
    assert mean == pytest.approx(expected_score(elo), abs=1e-9)
    t = elo / NORMALIZED_UNIT
    found = with_t_value(shares, t)
    mean, deviation = moments(scores, found)
    assert sum(found) == pytest.approx(1, abs=1e-9)
    assert (mean - 0.5) / deviation == pytest.approx(t, rel=1e-5, abs=1e-7)


def likelihood(shares: list[float], draws: float, t: float) -> float:
    """The likelihood of the distribution of three results with this share of draws and t-value."""
    lead = t * math.sqrt((1 - draws) / (1 + t * t))
    found = [(1 - draws - lead) / 2, draws, (1 - draws + lead) / 2]
    return sum(p * math.log(max(q, sys.float_info.min)) for p, q in zip(shares, found, strict=True))


def likeliest(shares: list[float], t: float) -> float:
    """The twin: try all shares of draws there can be, ever more closely."""
    low, high = 0.0, 1 - t * t / (1 + t * t)
    for _ in range(60):
        step = (high - low) / 8
        tried = [low + i * step for i in range(1, 8)]
        best = max(tried, key=lambda draws: likelihood(shares, draws, t))
        low, high = best - step, best + step
    return likelihood(shares, best, t)


@given(trinomial, st.floats(-400, 400), st.floats(-400, 400))
def test_of_games_the_normalized_llr_is_that_of_the_slow_twin(
    counts: list[int], elo0: float, elo1: float
) -> None:
    filled = regularised(counts)
    shares = [n / sum(filled) for n in filled]
    likeliest0, likeliest1 = (likeliest(shares, elo / NORMALIZED_UNIT) for elo in (elo0, elo1))
    expected = sum(filled) * (likeliest1 - likeliest0)
    found = llr(counts, elo0, elo1, "normalized")
    assert found == pytest.approx(expected, rel=1e-6, abs=1e-9 * (1 + sum(counts)))


@pytest.mark.parametrize("model", ["logistic", "normalized"])
def test_the_more_wins_the_more_likely_the_stronger_hypothesis(model: Model) -> None:
    found = [llr([30, 20, 100, 20, wins], 0, 10, model) for wins in range(10, 60, 10)]
    assert all(less < more for less, more in pairwise(found))
