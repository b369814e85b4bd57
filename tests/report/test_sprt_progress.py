"""The progress of a sequential test: its LLR between the bounds, and the games to come."""

from __future__ import annotations

from io import StringIO
from random import Random

import pytest
from rich.console import Console

from arena.format import Row
from arena.report.live import Panel
from arena.report.numbers import about
from arena.report.outlook import (
    Progress,
    SprtProgress,
    View,
    expected_games,
    sprt_progress as progress_of,
)
from arena.stats.forecast import Design, at_elo, pair_shares
from arena.stats.sprt import bounds, errors, llr


def row(counts: list[int], **more: object) -> Row:
    lower, upper = bounds(0.05, 0.05)
    found = llr(counts, 0.0, 10.0, "logistic")
    hypotheses = {"elo0": 0.0, "elo1": 10.0, "model": "logistic"}
    counted = {"pentanomial": " ".join(map(str, counts)), "pairs": sum(counts)}
    return {
        **counted,
        **hypotheses,
        "llr": found,
        "llr_without_faults": found,
        "llr_faults_drawn": found,
        "lower": lower,
        "upper": upper,
        "decision": "",
        **more,
    }


def progress(counts: list[int], most: int = 9_000, **more: object) -> SprtProgress:
    found = progress_of([row(counts, **more)], most)
    assert found
    return found


def test_it_stands_between_the_bounds() -> None:
    even = progress([10, 0, 20, 0, 10])
    assert 0.4 < even.share < 0.5
    assert progress([40, 0, 20, 0, 10]).share < even.share < progress([10, 0, 20, 0, 40]).share
    assert str(even) == "LLR -0.03 between -2.94 (H0) and 2.94 (H1)"


@pytest.mark.parametrize("rows", [[], [{"stage": 1}], [row([1, 0, 0, 0, 1], decision="H1")]])
def test_only_a_test_that_goes_on_has_a_progress(rows: list[Row]) -> None:
    assert progress_of(rows, 100) is None
    assert progress_of([row([1, 0, 0, 0, 1])], None) is None


def test_near_a_bound_few_games_are_expected() -> None:
    nearly = progress([364, 0, 600, 0, 330])
    assert nearly.lower < nearly.llr < nearly.lower + 0.8
    assert nearly.expected < 700
    assert nearly.games_text == f"about {about(nearly.expected)} more games (at most 9,000)"
    assert progress([364, 0, 600, 0, 330], most=8).games_text == "at most 8 more games"


def test_faults_hold_the_progress_back() -> None:
    counts = [10, 0, 20, 0, 40]
    carried = progress(counts, llr_without_faults=0.2, llr_faults_drawn=0.5)
    assert carried.llr == 0.2
    against = progress(counts[::-1], llr_without_faults=-0.2, llr_faults_drawn=-0.5)
    assert against.llr == -0.2
    assert carried.expected > progress(counts).expected


@pytest.mark.slow
def test_the_games_expected_are_those_that_come() -> None:
    """From the middle of tests of players 10 Elo apart, their means agree within a third."""
    design = Design(0.0, 20.0)
    shares, source = at_elo(pair_shares(0.2, 0.3), 20.0, "logistic"), Random(1)
    lower, upper = bounds(0.05, 0.05)
    expected, came = [], []
    for _ in range(60):
        counts, seen, at = [0] * 5, 0, None
        while lower < (found := llr(counts, 0.0, 20.0, "logistic")) < upper and seen < 3_000:
            if seen == 150:
                at = progress_of([row(counts, elo1=20.0, llr=found)], 2 * (3_000 - seen))
            counts[source.choices(range(5), shares)[0]] += 1
            seen += 1
        if at:
            expected.append(at.expected)
            came.append(2 * (seen - 150))
    assert len(came) > 30
    assert sum(expected) == pytest.approx(sum(came), rel=0.33)
    assert 2 * 400 < expected_games(vars(design)) < 2 * 2_500


def test_errors_are_the_inverse_of_bounds() -> None:
    for given in ((0.05, 0.05), (0.01, 0.2), (0.3, 0.001)):
        assert errors(*bounds(*given)) == pytest.approx(given)


def test_a_terminal_shows_the_bar_from_one_bound_to_the_other() -> None:
    console = Console(file=StringIO(), width=150)
    panel, test = Panel(console), progress([10, 0, 20, 0, 10])

    class Testing(Progress):
        def view(self) -> View:
            return View([], test)

    panel.show(Testing(games=80, total=9_080, record=None))
    with console.capture() as capture:
        console.print(panel.shown())
    (line,) = [each for each in capture.get().splitlines() if "LLR" in each]
    assert line.startswith("H0 ")
    assert f"H1 80 games, {test}; about " in line
    assert "(at most 9,000)" in line
    assert "9080" not in capture.get()
