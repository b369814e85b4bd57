"""Cells of landscapes: a method beside the baseline, with what is done kept in a file."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from statistics import fmean

import numpy as np
import pytest
from click.testing import CliRunner
from support.sweep import in_turn

from arena.errors import ConfigError
from arena.tuning.method import Advice
from arena.tuning.settings.config import DEFAULT_METHOD
from benchmarks import cases
from benchmarks.baseline import Baseline, StepGain, best_of_gains
from benchmarks.cases import (
    CELLS,
    BesideBaseline,
    TuneCell,
    beside_baseline,
    cell_lines,
    cells_like,
    held_of,
)
from benchmarks.landscapes import Landscape, space_of
from benchmarks.simulated import StudyEnd, held
from benchmarks.tune_cells import tune_cells

SMALL = TuneCell("plain", 2, 40, "few")
END = StudyEnd(1.0, (None,), True, 2.0, None, 0.0)


def advice(landscape: Landscape, point: np.ndarray, reach: float) -> list[Advice]:
    """Advice with intervals of the same reach, in units, around a point."""
    return [
        Advice(
            axis.name,
            axis.number(float(unit)),
            axis.number(float(unit) - reach),
            axis.number(float(unit) + reach),
            *(1.0, None, None),
        )
        for axis, unit in zip(space_of(landscape).axes, point, strict=True)
    ]


def test_the_sample_has_24_cells_and_is_always_the_same() -> None:
    sample = cells_like([])
    assert sample == cells_like([])
    assert len(set(sample)) == 24
    assert len(CELLS) == 104
    assert max(Counter(cell.kind for cell in sample).values()) <= 6


def test_cells_are_chosen_by_patterns() -> None:
    assert [str(cell) for cell in cells_like(["ratios/*/few", "*hills/6/4000/many"])] == [
        "ratios/6/4000/few",
        "ratios/12/4000/few",
        "ratios/6/20000/few",
        "ratios/12/20000/few",
        "two hills/6/4000/many",
    ]
    with pytest.raises(ConfigError, match="did you mean 'ratios/6/4000/few'"):
        cells_like(["ratio/6/4000/few"])


@pytest.mark.parametrize("kind", ["plain", "steps", "corner"])
def test_an_interval_holds_the_best_value_or_not(kind: str) -> None:
    landscape = Landscape(6, 1, kind)
    off = landscape.shape.best + np.array([0, 0, 0, 0.1, -0.1, 0])
    point = np.where((off < 0) | (off > 1), 2 * landscape.shape.best - off, off)
    assert held(landscape, advice(landscape, point, 0.11)) == (True,) * 6
    assert held(landscape, advice(landscape, point, 0.09)) == (True, True, True, False, False, True)


def test_only_what_has_a_best_value_can_be_held() -> None:
    sparse = Landscape(6, 1, "sparse")
    found = held(sparse, advice(sparse, sparse.shape.best, 0.01))
    assert Counter(found) == {None: 4, True: 2}
    without = [Advice("p", 0.5, None, None, 1.0, None, None)] * 6
    assert held(sparse, without) == (None,) * 6
    ratios = Landscape(6, 1, "ratios")
    grown = ratios.shape.best + 0.2 / ratios.shape.width
    assert held(ratios, advice(ratios, grown, 0.01)) == (True,) * 6


def test_finished_studies_are_not_done_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "cases.jsonl"
    (first,) = beside_baseline("spsa", [SMALL], range(2), file)
    assert len(file.read_text().splitlines()) == 2
    done = []
    monkeypatch.setattr(cases, "cell_study", lambda *job: done.append(job[2]) or END)
    (again,) = beside_baseline("spsa", [SMALL], range(3), file)
    assert done == [2]
    assert again.told == [*first.told, END]
    assert all(told.loss > 0 and len(told.held) == 2 for told in first.told)
    assert (again.baseline.losses == best_of_gains("plain", 2, 40, range(3)).losses).all()


@pytest.mark.slow
def test_a_study_of_few_games_warns_and_one_of_many_does_not() -> None:
    assert cases.cell_study("ascent", TuneCell("plain", 4, 200, "few"), 0).is_doubtful
    assert not cases.cell_study("ascent", TuneCell("plain", 2, 2_000, "few"), 0).is_doubtful
    # This method knows no model, so it has no doubts.
    assert not cases.cell_study("random", TuneCell("plain", 4, 80, "few"), 0).is_doubtful


def test_the_table_tells_losses_their_difference_and_the_intervals() -> None:
    baseline = Baseline(StepGain(0.1, 0.02), np.array([4.0, 6.0]))
    told = [
        StudyEnd(7.0, (True, False), False, 70.0, (60.0, 10.0), 1.0),
        StudyEnd(11.0, (True, None), True, 20.0, (40.0, 5.0), 3.0),
    ]
    lines = list(cell_lines("ascent", [BesideBaseline(SMALL, told, baseline)]))
    assert (
        lines[2] == "| plain, 2, 40, few | 9.0 ± 2.0 | 5.0 ± 1.0 | 0.1, 0.02 | +4.0 | 0.67 | 2.0 |"
    )
    numbers = "| 3 | 0.67 | 1 of 1 | 0 of 1 | 0 of 0 | +5.0 ± 15.0 | 0.50 |"
    assert lines[-2:] == [f"| plain {numbers}", f"| all {numbers}"]


def test_the_command_prints_the_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cases, "CELLS", [SMALL])
    options = ("--method", "spsa", "--studies", "2", "--processes", "1")
    words = ("pl*", *options, "--keep", str(tmp_path / "kept.jsonl"))
    done = CliRunner().invoke(tune_cells, words)
    assert done.exit_code == 0, done.output
    assert "| plain, 2, 40, few | " in done.stdout


@pytest.mark.slow
@pytest.mark.sweep
@pytest.mark.parametrize(
    "name",
    in_turn(["ratios/6/4000/few", "skew and misjudged/6/4000/few", "steps/6/4000/few"]),
)
def test_the_default_method_is_no_worse_than_plain_spsa_with_few_weights(
    name: str, tmp_path: Path
) -> None:
    (beside,) = beside_baseline(
        DEFAULT_METHOD, cells_like([name]), range(4000, 4012), tmp_path / "kept.jsonl"
    )
    differences = np.array([told.loss for told in beside.told]) - beside.baseline.losses
    error = differences.std(ddof=1) / len(differences) ** 0.5
    assert differences.mean() < 2 * error
    assert 0.84 < fmean(held_of(beside.told)) <= 1
