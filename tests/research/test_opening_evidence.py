"""Evidence in a pair: normalized Elo squared, without what chance adds, and its interval; the
comparison of openings by it."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from numpy.typing import NDArray

from arena.stats.elo import normalized_elo
from opening_evidence import PairEvidence, PairSums, compared, pair_evidence, ratio, whole

Floats = NDArray[np.float64]
SHARES = np.array([0, 0.25, 0.5, 0.75, 1])


def drawn(chances: list[list[float]], openings: int, seed: int) -> Floats:
    """A pair for each meeting and opening: the share of the points less one half."""
    source = np.random.default_rng(seed)
    return np.array([source.choice(SHARES - 0.5, openings, p=row) for row in chances])


def evidence(leads: Floats) -> PairEvidence:
    return pair_evidence(PairSums(np.ones_like(leads), leads, leads**2))


def test_of_one_meeting_it_is_normalized_elo_squared() -> None:
    counts = [3, 8, 20, 11, 9]
    leads = np.repeat(SHARES - 0.5, counts)[None]
    found = ratio(whole(PairSums(np.ones_like(leads), leads, leads**2)))
    assert found[0] == pytest.approx(normalized_elo(counts) ** 2)


def test_several_pairs_on_an_opening_are_as_many_observations() -> None:
    leads = np.array([[0.5, 0, -0.25, 0.5, 0, 0.25]])
    one = ratio(whole(PairSums(np.ones_like(leads), leads, leads**2)))
    halves = leads.reshape(1, 3, 2)
    two = ratio(whole(PairSums(np.full((1, 3), 2), halves.sum(2), (halves**2).sum(2))))
    assert one == pytest.approx(two)


def test_meetings_without_noise_say_so() -> None:
    assert evidence(np.full((2, 5), 0.5)) == (np.inf, 0, np.inf)
    assert np.isnan(evidence(np.zeros((1, 5))).value)


MEETINGS = {
    "one": [[0.05, 0.1, 0.4, 0.25, 0.2]],
    "three": [[0.05, 0.1, 0.4, 0.25, 0.2], [0.1, 0.2, 0.4, 0.2, 0.1], [0.2, 0.1, 0.6, 0.05, 0.05]],
    "three of equals": 3 * [[0.1, 0.2, 0.4, 0.2, 0.1]],
}


@pytest.mark.parametrize("openings", [20, 40, 115])
@pytest.mark.parametrize("meetings", MEETINGS)
def test_chance_is_no_evidence_and_intervals_cover_the_truth(meetings: str, openings: int) -> None:
    chances = MEETINGS[meetings]
    means = np.array([np.dot(SHARES - 0.5, row) for row in chances])
    means_of_squares = np.array([np.dot((SHARES - 0.5) ** 2, row) for row in chances])
    truth = (means**2).sum() / (means_of_squares - means**2).sum() * (800 / np.log(10)) ** 2 / 2
    found = [evidence(drawn(chances, openings, seed)) for seed in range(200)]
    assert np.mean([each.value for each in found]) == pytest.approx(truth, rel=0.15, abs=1000)
    covered = np.mean([each.low <= truth <= each.high for each in found])
    assert covered >= 0.92


def test_of_a_single_opening_and_of_nearly_no_noise_there_is_no_upper_end() -> None:
    one = evidence(np.array([[0.5], [0.0]]))
    assert (one.low, one.high) == (0, np.inf)
    nearly = evidence(np.array([[0.5, 0.5, 0.5, 0.25]]))
    assert (nearly.low, nearly.high) == (0, np.inf)
    assert np.isfinite(nearly.value)


def games(*pairs: tuple[str, str, str, int | None, int | None]) -> pd.DataFrame:
    rows = []
    for number, (one, two, opening, first, second) in enumerate(pairs, start=1):
        for players, winner in (((one, two), first), ((two, one), second)):
            rows.append((number, *players, opening, winner, f"{opening} {players[0]}", None))
    columns = ["pair", "first", "second", "opening", "winner", "moves", "digest"]
    return pd.DataFrame(rows, columns=columns).astype({"winner": "Int64"})


PAIRS = [
    ("a", "b", "o1", 1, 2),  # a wins both
    ("b", "a", "o2", 1, 1),  # each wins one as the first player: split
    ("a", "b", "o3", None, None),  # even, but not split
    ("a", "c", "o1", 2, 1),  # c wins everything against a
    ("a", "c", "o2", 2, 1),
]


def test_games_pairs_and_split_ones_are_counted() -> None:
    (row,) = compared({"one": games(*PAIRS)}).to_dict("records")
    assert (row["run"], row["openings"], row["games"], row["pairs"]) == ("one", 3, 10, 5)
    assert row["first"] == pytest.approx((1 + 0 + 1 + 1 + 0.5 + 0.5 + 0 + 1 + 0 + 1) / 10)
    assert row["split"] == pytest.approx(1 / 5)


def test_meetings_that_one_run_cannot_measure_are_left_out_of_all() -> None:
    table = compared({"one": games(*PAIRS), "two": games(*PAIRS[:3])})
    assert table["nElo2/pair"].nunique() == 1


def test_a_copy_of_a_pair_counts_once() -> None:
    assert list(compared({"one": games(*PAIRS, PAIRS[0])})["pairs"]) == [5]
