"""A sequential test: its LLR as of fishtest and fastchess, its expected course and its length."""

from __future__ import annotations

import math
import sys
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from support.counts import CASES, counts, counts_of, trinomial
from support.sweep import cases

from arena.stats.elo import (
    NORMALIZED_UNIT,
    elo_interval,
    expected_score,
    normalized_elo,
    regularised,
    score,
)
from arena.stats.forecast import (
    Design,
    at_elo,
    forecast,
    pair_shares,
    pairs_for_interval,
    pairs_to_see,
)
from arena.stats.short_tests import llr_of_counts, simulated_ends, targets_of
from arena.stats.sprt import Model, bounds, llr, moments, with_score, with_t_value
from benchmarks.simulated_tests import llrs, simulated

FAR = "one pair lost (edge; fastchess issue #877 shape)"
"""A case in which fishtest raises an exception and older fastchess never came back."""
models = st.sampled_from(["logistic", "normalized"])
elos = st.floats(-2000, 2000)


def llr_of(name: str, model: Model) -> float:
    sprt = CASES[name]["sprt"]
    return llr(counts_of(CASES[name]), sprt["elo0"], sprt["elo1"], model)


@pytest.mark.parametrize("name", CASES)
def test_llr_and_bounds_are_those_of_fishtest_and_fastchess(name: str) -> None:
    case, is_far = CASES[name], name == FAR
    fishtest, fastchess = case["fishtest"], case["fastchess"]
    assert llr_of(name, "logistic") == pytest.approx(fishtest["LLR_logistic"], abs=1e-9)
    expected = fastchess["llr_normalized"] if is_far else fishtest["LLR_normalized"]
    assert llr_of(name, "normalized") == pytest.approx(expected, abs=1e-7 if is_far else 1e-9)
    found = bounds(case["sprt"]["alpha"], case["sprt"]["beta"])
    assert found == pytest.approx((fastchess["lower"], fastchess["upper"]))


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
def test_any_counts_are_answered(counts: list[int], elo0: float, elo1: float, model: Model) -> None:
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
def test_of_games_it_is_that_of_the_slow_twin(counts: list[int], elo0: float, elo1: float) -> None:
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


WITHIN, H1_WITHIN = 0.05, 0.03  # Of expected pairs, relative; of the chance of H1, absolute
RANDOM_WITHIN = 0.06  # Of expected pairs of random tests, beside what is chance in their simulation
FEW = 30  # Pairs below which it may be a tenth
NO_END = 10**6


class Case(NamedTuple):
    """A test of players that differ by `elo`, and what came of 4 000 simulated ones."""

    elo0: float
    elo1: float
    model: Model
    draws: float
    split: float
    elo: float
    mean: float
    h1: float
    alpha: float = 0.05
    beta: float = 0.05
    pairs: int = NO_END

    @property
    def design(self) -> Design:
        return Design(self.elo0, self.elo1, self.alpha, self.beta, self.model, self.pairs)

    @property
    def shares(self) -> list[float]:
        return pair_shares(self.draws, self.split)


COURSES = [
    Case(0, 20, "logistic", 0.1, 0.5, elo=20, mean=576.7, h1=0.948),
    Case(0, 60, "logistic", 0.0, 0.7, elo=30, mean=104.0, h1=0.502),
    Case(0, 100, "logistic", 0.0, 0.5, elo=0, mean=34.96, h1=0.048),
    Case(-20, 40, "logistic", 0.3, 0.2, elo=40, mean=51.77, h1=0.902, alpha=0.1, beta=0.1),
    Case(0, 60, "logistic", 0.0, 0.7, elo=60, mean=53.11, h1=0.692, pairs=80),
    Case(0, 50, "normalized", 0.0, 0.85, elo=25, mean=230.4, h1=0.491),
    Case(0, 80, "normalized", 0.1, 0.4, elo=80, mean=51.70, h1=0.908, beta=0.1),
    Case(-10, 30, "normalized", 0.5, 0.1, elo=-10, mean=222.8, h1=0.019, alpha=0.02),
    Case(0, 150, "normalized", 0.0, 0.5, elo=0, mean=17.44, h1=0.045),
    Case(0, 50, "logistic", 0.9, 0.005, elo=25, mean=58.48, h1=0.513),
    Case(0, 50, "logistic", 0.95, 0.00125, elo=50, mean=36.74, h1=0.960),
    Case(0, 50, "logistic", 0.98, 0.0002, elo=0, mean=22.28, h1=0.000),
    Case(0, 10, "logistic", 0.98, 0.0002, elo=10, mean=188.7, h1=0.955),
    Case(0, 50, "normalized", 0.95, 0.00125, elo=50, mean=157.1, h1=0.959),
    Case(0, 50, "normalized", 0.98, 0.0002, elo=25, mean=266.9, h1=0.351),
]
"""The last six have few results beside draws: they are as much a matter of single pairs."""


@pytest.mark.parametrize("case", COURSES)
def test_expected_pairs_and_power_are_those_of_simulated_tests(case: Case) -> None:
    found = forecast(case.design, case.shares, case.elo)
    assert found.mean == pytest.approx(case.mean, rel=WITHIN)
    assert found.h1 == pytest.approx(case.h1, abs=H1_WITHIN)


@pytest.mark.slow
@pytest.mark.parametrize("case", COURSES)
def test_the_simulated_tests_come_out_so_again(case: Case) -> None:
    found = simulated(case.design, case.shares, case.elo, tests=2000)
    assert found.mean == pytest.approx(case.mean, abs=5 * found.error)
    assert found.h1 == pytest.approx(case.h1, abs=0.04)


def random_case(source: np.random.Generator) -> tuple[Design, list[float], float]:
    draws = source.choice([0, 0.05, 0.2, 0.5])
    shares = pair_shares(draws, source.uniform(0.1, 0.85) * (1 - draws) ** 2)
    elo0, apart = (
        source.choice([-30, -10, 0]),
        math.exp(source.uniform(math.log(30), math.log(150))),
    )
    alpha, beta = source.choice([0.02, 0.05, 0.1], 2)
    model: Model = "logistic" if source.random() < 0.5 else "normalized"
    elo = elo0 + apart * source.choice([0, 0.5, 1])
    return Design(elo0, elo0 + apart, alpha, beta, model, NO_END), shares, elo


@pytest.mark.slow
@pytest.mark.sweep
def test_expected_pairs_of_random_tests_are_those_of_simulated_ones() -> None:
    source = np.random.default_rng(30)
    for number in range(cases(80)):
        asked = random_case(source)
        expected = simulated(*asked, tests=1000)
        within = RANDOM_WITHIN if expected.mean >= FEW else 0.1
        reach = within * expected.mean + 3 * expected.error
        assert forecast(*asked).mean == pytest.approx(expected.mean, abs=reach), (number, asked)


@pytest.mark.parametrize("model", ["logistic", "normalized"])
def test_simulated_tests_have_the_llr_of_real_ones(model: Model) -> None:
    counts = np.random.default_rng(1).integers(0, 9, (5, 50))
    expected = [llr(list(column), -10, 40, model) for column in counts.T]
    assert llrs(counts, -10, 40, model) == pytest.approx(expected, abs=1e-4)


def test_quantiles_and_the_most_pairs_are_those_of_simulated_tests() -> None:
    # Of 4 000 simulated ones: median 29, 95 % within 87; within 80, 6.3 % are undecided.
    whole = forecast(Design(0, 100, pairs=NO_END), pair_shares(0, 0.5), 0)
    assert (whole.median, whole.most) == (pytest.approx(29, abs=2), pytest.approx(87, abs=4))
    assert whole.undecided < 1e-9
    short = forecast(Design(0, 100, pairs=80), pair_shares(0, 0.5), 0)
    assert short.undecided == pytest.approx(0.063, abs=0.01)
    assert short.most == 80
    assert short.mean < whole.mean


errors = st.floats(1e-9, 0.49)
designs = st.builds(
    lambda elo0, apart, *others: Design(elo0, elo0 + apart, *others),
    *(st.floats(-300, 300), st.floats(0.1, 500), errors, errors, models, st.integers(1, 10**6)),
)


@settings(max_examples=20)
@given(designs, st.floats(0, 0.9), st.floats(0, 0.9))
def test_any_test_has_a_course(design: Design, draws: float, split: float) -> None:
    shares, apart = pair_shares(draws, split * (1 - draws) ** 2), design.elo1 - design.elo0
    found = [forecast(design, shares, design.elo0 + apart * step) for step in (-1, 0, 0.5, 1, 2)]
    for each in found:
        assert 0 <= each.undecided <= 1
        assert 0 <= each.h1 <= 1 + 1e-9
        assert 1 <= each.mean <= design.pairs
        assert 1 <= each.median <= each.most <= design.pairs


@pytest.mark.parametrize("model", ["logistic", "normalized"])
def test_the_stronger_a_player_the_likelier_h1(model: Model) -> None:
    design = Design(0, 20, model=model, pairs=NO_END)
    found = [forecast(design, pair_shares(0.1, 0.5), elo).h1 for elo in range(-40, 61, 5)]
    assert all(less < more or more > 1 - 1e-9 for less, more in pairwise(found))


def test_players_of_any_strength_swap_with_the_sign() -> None:
    there, back = Design(-5, 15, 0.05, 0.1), Design(-15, 5, 0.1, 0.05)
    one = forecast(there, pair_shares(0.1, 0.3), 8)
    two = forecast(back, pair_shares(0.1, 0.3), -8)
    assert one.mean == pytest.approx(two.mean, rel=1e-6)
    assert one.h1 == pytest.approx(1 - two.h1 - two.undecided, abs=1e-6)


def test_shares_have_the_draws_and_split_pairs_that_were_given() -> None:
    shares = pair_shares(0.2, 0.3)
    assert sum(shares) == pytest.approx(1)
    assert (shares[1] + shares[3]) / 2 + 0.2**2 == pytest.approx(0.2)
    assert shares[2] - 0.2**2 == pytest.approx(0.3)
    assert score(shares) == pytest.approx(0.5)


@pytest.mark.parametrize(("draws", "split"), [(0.5, 0.25), (0, 1), (1, 0), (-0.1, 0), (0, -0.1)])
def test_shares_that_leave_no_pair_to_be_won_are_none(draws: float, split: float) -> None:
    with pytest.raises(ValueError, match="leave no pairs to be won"):
        pair_shares(draws, split)


def test_pairs_of_players_so_far_apart_are_moved_by_their_elo() -> None:
    played = [10, 5, 40, 8, 17]
    assert score(at_elo(played, 30, "logistic")) == pytest.approx(expected_score(30))
    assert normalized_elo(at_elo(played, 30, "normalized")) == pytest.approx(30, rel=1e-3)


def test_a_match_of_so_many_pairs_has_so_wide_an_interval() -> None:
    shares = pair_shares(0.1, 0.4)
    pairs = pairs_for_interval(shares, 20)
    low, high = elo_interval([pairs * share for share in shares])
    assert (low, high) == (pytest.approx(-20, rel=0.02), pytest.approx(20, rel=0.02))


def test_a_match_of_so_many_pairs_sees_the_lead_so_often() -> None:
    shares, source = pair_shares(0.1, 0.4), np.random.default_rng(3)
    pairs = pairs_to_see(shares, 40, 0.9)
    drawn = source.multinomial(pairs, at_elo(shares, 40, "logistic"), 2000)
    seen = sum(elo_interval(list(counts)).low > 0 for counts in drawn)
    assert seen / 2000 == pytest.approx(0.9, abs=0.03)
    assert math.isclose(pairs_to_see(shares, -40, 0.9), pairs)


@pytest.mark.parametrize("model", ["logistic", "normalized"])
@pytest.mark.parametrize("hypotheses", [(0, 50), (-10, 5), (0, 300)])
def test_short_tests_have_llrs_of_real_ones(model: Model, hypotheses: tuple[float, float]) -> None:
    source = np.random.default_rng(2)
    for draws in (0.0, 0.5, 0.98):
        for pairs in (1, 5, 20):
            counts = source.multinomial(pairs, pair_shares(draws, (1 - draws) ** 2 / 2))
            found = llr_of_counts(counts.astype(float), *targets_of(hypotheses, model))
            assert found == pytest.approx(llr(list(counts), *hypotheses, model), abs=1e-5)


@pytest.mark.parametrize("hypotheses", [(0, 10), (-10, 5), (3, 20), (0, 50)])
def test_short_tests_end_at_the_pair_that_meets_a_bound(hypotheses: tuple[float, float]) -> None:
    """Where all pairs are of one kind, the LLR is looked at but now and then."""
    others, bound = 1e-12, 2.944
    shares = others, others, 1 - 4 * others, others, others
    ends = simulated_ends(shares, hypotheses, "logistic", (-bound, bound), 10_000)
    (pairs,) = {*ends.pairs.tolist()}
    before, after = (llr((0, 0, int(n), 0, 0), *hypotheses, "logistic") for n in (pairs - 1, pairs))
    assert abs(before) < bound <= abs(after)
