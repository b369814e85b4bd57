"""The report of a study: frames, tables, pictures, from its folder and without its engine."""

from __future__ import annotations

import io
import json
import re
import xml.etree.ElementTree as ElementTree
from dataclasses import fields, replace
from math import isnan, nan
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from support.html_outlines import Outline
from support.samples import player

import arena
from arena.cli import arena as command
from arena.report.answer import report_text
from arena.report.table import text_frame
from arena.stats.elo import ELO_LIMIT
from arena.tuning.method import Advice, ExpectedGain, Forecast
from arena.tuning.report.frames import (
    BEST_VALUE,
    Frames,
    parameters_frame,
    parameters_table,
    reach_of,
    shapes_frame,
    uniform,
)
from arena.tuning.report.study_answer import loss_text, prediction_text, shape_texts, study_answer
from arena.tuning.report.study_charts import binned, history_figure, means_band, weighted_mean
from arena.tuning.space import Axis, Space
from arena.tuning.study import Study

ELO_WORDS = re.compile(r"[-+]?[\d,]{4,}")
COMPARED = """
    game: {gomoku: {size: 7}}
    engine: {engine: five_tuple, depth: 1, three: 10}
    vary: {}
    parameters: [three, radius]
    method: {spsa: {c: 0.4, r: 1}}
    budget: 40
    games: 4
    openings: {random: {plies: 3, seed: 1}}
    max_plies: 30
    verification: {elo1: 200, pairs: 20}
"""
MEASURED = """
    game: {gomoku: {size: 7}}
    engine: {engine: five_tuple, depth: 1}
    vary: {}
    parameters: [three, search]
    method: random
    budget: 24
    games: 4
    openings: {random: {plies: 3, seed: 1}}
    max_plies: 30
    verification: {elo1: 200, pairs: 20}
"""


def tuned(folder: Path, text: str) -> Study:
    file = folder / "study.yaml"
    file.write_text(text, encoding="utf-8")
    study = arena.tune(file, workers=0, results=folder / "results")
    study.draw()
    return study


@pytest.fixture(scope="module")
def compared(tmp_path_factory: pytest.TempPathFactory) -> Study:
    return tuned(tmp_path_factory.mktemp("compared"), COMPARED)


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Study:
    return tuned(tmp_path_factory.mktemp("measured"), MEASURED)


def shown(study: Study, *arguments: str) -> str:
    """The output of `arena report` on a study in its folder."""
    done = CliRunner().invoke(
        command, ["report", str(study.folder), *arguments], catch_exceptions=False
    )
    assert done.exit_code == 0, done.output
    return done.stdout


def test_a_trial_is_a_row_with_both_its_points(compared: Study) -> None:
    trials = compared.frames().trials
    assert list(trials["trial"]) == list(range(1, 11))
    assert list(trials["games_so_far"]) == list(range(4, 41, 4))
    for side in ("centre", "plus", "minus"):
        assert {f"{side}_three", f"{side}_radius"} <= set(trials)
    counts = [[int(word) for word in text.split()] for text in trials["pentanomial"]]
    assert [sum(row) for row in counts] == list(trials["games"] // 2)
    points = [sum(i * count for i, count in enumerate(row)) / 4 for row in counts]
    np.testing.assert_allclose(points / (trials["games"] / 2), trials["score"])


@pytest.mark.slow
def test_what_one_point_won_the_other_lost(compared: Study) -> None:
    frames = compared.frames()
    of_three = frames.slices[frames.slices["parameter"] == "three"]
    plus, minus = (of_three[of_three["side"] == side] for side in ("plus", "minus"))
    assert list(plus["value"]) == list(frames.trials["plus_three"])
    assert list(minus["value"]) == list(frames.trials["minus_three"])
    np.testing.assert_allclose(plus["elo"].to_numpy(), -minus["elo"].to_numpy())
    np.testing.assert_allclose(plus["score"].to_numpy(), 1 - minus["score"].to_numpy())


def test_the_recommendation_stands_beside_default_and_range(compared: Study) -> None:
    parameters = compared.frames().parameters.set_index("name")
    assert list(parameters["default"]) == [10, 2]
    assert dict(parameters["tuned"]) == compared.values
    assert parameters.loc["three", "log"]
    assert not parameters.loc["radius", "log"]
    ends = parameters[["range_low", "low", "tuned", "high", "range_high"]].to_numpy(dtype=float)
    assert (np.diff(ends[:, [0, 1, 3, 4]]) >= 0).all()
    assert parameters["importance"].sum() == pytest.approx(1)


def test_the_shapes_that_the_results_speak_for_are_rows(compared: Study) -> None:
    shapes = compared.frames().shapes
    assert set(shapes["shape"]) == {"hill", "nearby hill", "ratios"}
    assert shapes["share"].sum() == pytest.approx(1)
    assert shapes["share"].is_monotonic_decreasing
    assert (shapes["trials"] == 2).all()
    assert (shapes["slope_low"] < shapes["slope"]).all()
    assert (shapes["slope"] < shapes["slope_high"]).all()
    assert (shapes["expected_loss"] > 7).all()
    assert shapes["doubtful"].all()
    assert shapes[["gain", "gain_low", "gain_high"]].isna().all(axis=None)  # it is not ascent
    first, second, third = shape_texts(shapes)
    assert first.startswith("Shape of strength, by what each predicted of results to come: ")
    assert all(shape in first for shape in shapes["shape"])
    assert second.startswith("What the models predicted of the last 2 trials: they ")
    assert third.startswith("The values found are expected to lie about ")
    answer = study_answer(compared)
    assert answer.warnings == [third]
    (models,) = (each for each in answer.sections if each.level == "folded")
    assert models.text.startswith(first)
    assert third not in models.text


def test_a_method_without_a_model_speaks_for_no_shape(measured: Study) -> None:
    assert measured.frames().shapes.empty
    assert list(shape_texts(measured.frames().shapes)) == []


@pytest.mark.parametrize(
    ("slope", "words"),
    [
        (-0.6, "mislead, so do not trust values that rest on them"),
        (0.1, "cannot be judged yet: too few games"),
        (0.9, "know which points are better"),
    ],
)
def test_what_came_of_the_predictions_is_said_in_words(slope: float, words: str) -> None:
    (row,) = shapes_frame(Forecast((("hill", 1.0),), 3.0, 40, slope, 0.25)).to_dict("records")
    assert f"of the last 40 trials: they {words} (slope of the" in prediction_text(row)
    assert row["doubtful"] == ("mislead" in words)


def test_a_prediction_of_no_leads_is_no_ground_for_doubt() -> None:
    (row,) = shapes_frame(Forecast((("hill", 1.0),), 3.0, 40, nan, nan)).to_dict("records")
    assert prediction_text(row) == "The models predicted next to no leads for the last 40 trials."
    assert not row["doubtful"]


@pytest.mark.parametrize(
    ("loss", "words"),
    [
        (6.9, "about 7 Elo below the best ones, if strength is like the models."),
        (7.0, "about 7 Elo below the best ones: do not trust them. Tune fewer parameters, or with"),
    ],
)
def test_what_the_values_are_expected_to_lose_is_said_in_words(loss: float, words: str) -> None:
    (row,) = shapes_frame(Forecast((("hill", 1.0),), loss, 40, 0.9, 0.25)).to_dict("records")
    assert words in loss_text(row["expected_loss"])
    assert row["doubtful"] == ("do not trust" in words)


@pytest.mark.parametrize(
    ("elo", "words"),
    [
        (43, "gain about +43 Elo (+4 to +82)."),
        (-50, "gain about -50 Elo (-89 to -11): do not trust"),
    ],
)
def test_the_gain_by_trials_against_the_default_comes_first(elo: float, words: str) -> None:
    shapes = shapes_frame(Forecast((("hill", 1.0),), 3.0, 40, 0.9, 0.25, ExpectedGain(elo, 20)))
    assert words in next(shape_texts(shapes))
    assert shapes["doubtful"].item() == (elo < 0)


SURELY_BAD = Forecast((("hill", 1.0),), 2623.0, 40, -0.9, 0.25, ExpectedGain(-1500, 20))


def test_no_elo_is_beyond_the_most_that_there_is() -> None:
    shapes = shapes_frame(SURELY_BAD)
    elos = shapes[["expected_loss", "gain", "gain_low", "gain_high"]]
    assert elos.abs().to_numpy().max() == ELO_LIMIT
    words = ELO_WORDS.findall(" ".join(shape_texts(shapes)))
    assert words == ["-1199", "-1199", "-1199", "1,199"]


def test_once_a_gain_is_proved_no_note_warns_of_it() -> None:
    shapes = shapes_frame(SURELY_BAD)
    assert sum("do not trust" in text for text in shape_texts(shapes)) == 3
    assert not any("do not trust" in text for text in shape_texts(shapes, is_proved=True))


def test_what_warns_comes_before_all_numbers_and_the_rest_on_models_is_folded(
    compared: Study,
) -> None:
    answer = study_answer(compared)
    assert not any("do not trust" in note for note in answer.notes)
    text, page = report_text(answer, "table"), report_text(answer, "html")
    assert text.index("do not trust") < text.index("Candidate weights")
    assert "Shape of strength" not in text
    assert "Shape of strength" in report_text(replace(answer, is_full=True), "table")
    assert page.index("do not trust") < page.index("<section")


def test_the_history_has_a_band_and_says_what_it_is(compared: Study, measured: Study) -> None:
    errors = [told.error for told in compared.trials.told]
    assert errors[0] == 0  # the start is the default itself
    assert all(error >= 0 for error in errors)
    assert errors[-1] > 0
    figure = history_figure(compared.frames(), errors)
    assert figure.drawing.count("<polygon") == 1
    assert "Shaded: the model's 95 % interval" in figure.caption
    assert "polygon" not in history_figure(compared.frames()).drawing
    assert all(isnan(told.error) for told in measured.trials.told)


def test_without_a_model_the_band_is_of_the_means_of_tenths() -> None:
    elo = np.tile([90.0, 110.0, 100.0], 20)
    games = 8.0 * np.arange(1, 61)
    columns = {"games_so_far": games, "estimate": elo, "elo": elo + 7, "pairs": 4}
    band, told = means_band(pd.DataFrame(columns), ())
    assert len(band) == 10
    for _, low, high in band:
        assert (low + high) / 2 == pytest.approx(100, abs=3)
        # Spread of 8.2 over the root of the trials less one, twice, and both ways.
        assert (high - low) / 4 == pytest.approx(8.2 / 5**0.5, rel=0.3)
    assert "as unsure as one dot" in told
    assert "as unsure" not in means_band(pd.DataFrame(columns | {"elo": elo}), ())[1]
    assert means_band(pd.DataFrame(columns)[:2], ()) == ([], "")


def test_ranges_hold_the_value_found_and_end_at_possible_values() -> None:
    """A flat range leaves out what may lose more than an Elo, an interval nothing it had."""
    space = Space(
        (
            Axis("whole", 3, 0.0, 9.0, is_whole=True, step=1.0),
            Axis("even", 4, 2.0, 13.0, is_whole=True, step=2.0),
            Axis("free", 0.4, 0.0, 2.0),
        )
    )
    advice = [
        Advice("whole", 1, 1.07, 1.53, 0.4, 2.25, 4.05),
        Advice("even", 8, 4.477, 8.337, 0.3, 6.2, 7.1),
        Advice("free", 1.23456789, 0.5, 1.2, 0.3, 1.3, 1.4),
    ]
    frame = parameters_frame(space, advice)
    ends = frame[["low", "high", "flat_low", "flat_high"]].to_numpy().tolist()
    assert ends[:2] == [[1, 2, 1, 4], [4, 10, 8, 8]]
    assert ends[2] == [0.5, 1.23456789, 1.23456789, 1.4]
    table = text_frame(parameters_table(frame, "candidate"))
    assert list(table[BEST_VALUE]) == ["1 to 2", "4 to 10", "0.5 to 1.2346"]
    assert list(table["within 1 Elo"]) == ["1 to 4", "8 to 8", "1.2346 to 1.4"]


def test_the_ends_of_a_large_whole_number_s_range_are_not_rounded() -> None:
    space = Space((Axis("whole", 3, 0.0, 9e6, is_whole=True, step=1.0),))
    frame = parameters_frame(space, [Advice("whole", 1234567, 1234566.2, 2e6, 1.0, None, None)])
    (row,) = text_frame(parameters_table(frame, "tuned")).to_dict("records")
    assert (row["tuned"], row[BEST_VALUE]) == ("1,234,567", "1,234,566 to 2,000,000")


def test_choices_have_no_interval_and_are_texts(measured: Study) -> None:
    frames = measured.frames()
    search = frames.parameters.set_index("name").loc["search"]
    assert search["default"] == "alphabeta"
    assert search[["low", "high", "range_low", "range_high"]].isna().all()
    assert set(frames.slices["side"]) == {"point"}
    assert not [name for name in frames.trials if name.startswith(("plus_", "minus_"))]


def test_the_test_is_one_row(compared: Study) -> None:
    frame = compared.frames().verification
    proof = compared.proof
    assert proof is not None
    (row,) = frame.to_dict("records")
    assert row["passed"] == proof.has_passed
    assert row["games"] == len(list(compared.matches.test.records()))
    assert row["elo_low"] <= row["elo"] <= row["elo_high"]
    assert row["decision"] == proof.row["decision"]


def test_before_the_first_game_every_frame_has_its_columns(tmp_path: Path) -> None:
    file = tmp_path / "study.yaml"
    file.write_text(COMPARED, encoding="utf-8")
    study = arena.tuning.study.read(file, results=tmp_path)
    frames = study.frames()
    assert frames.trials.empty
    assert "estimate" in frames.trials
    assert frames.slices.empty
    assert frames.verification.empty
    assert frames.parameters["tuned"].isna().all()
    assert study.draw() == []
    answer = study_answer(study)
    assert dict(answer.facts)["Games"] == "0 of 40"
    assert [table.title for table in answer.tables] == ["Candidate weights (still searching)"]


@pytest.mark.slow
@pytest.mark.parametrize("name", [field.name for field in fields(Frames)])
def test_csv_and_json_use_the_names_of_the_frames(compared: Study, name: str) -> None:
    frame = getattr(compared.frames(), name)
    table = pd.read_csv(io.StringIO(shown(compared, "--format", "csv", "--frame", name)))
    assert list(table.columns) == list(frame.columns)
    assert len(table) == len(frame)
    rows = json.loads(shown(compared, "--json"))[name]
    assert rows == json.loads(shown(compared, "--json", "--frame", name))
    assert [list(row) for row in rows] == [list(frame.columns)] * len(frame)


@pytest.mark.slow
def test_the_report_is_for_people_too(compared: Study) -> None:
    text = shown(compared)
    assert "Candidate weights (gain not proved)" in text
    assert "Test of the candidate weights" in text
    assert text.startswith("Gain not proved: ")
    assert text.count("H0 after ") == 1, "no note repeats the verdict"
    assert "## Candidate weights" in shown(compared, "--format", "markdown")
    test = CliRunner().invoke(command, ["report", str(compared.folder / "verification")])
    assert "Standings" in test.output


@pytest.mark.parametrize("kind", ["compared", "measured"])
def test_its_page_has_all_charts(kind: str, request: pytest.FixtureRequest) -> None:
    study: Study = request.getfixturevalue(kind)
    page = Outline(report_text(study_answer(study), "html"))
    sections = ["proof", "parameters", "history", "slices", "config"]
    assert [each for each in page.ids if each in sections] == [
        each for each in sections if each != "proof" or study.proof
    ]
    assert len(set(page.ids)) == len(page.ids)
    assert [given["class"] for tag, given in page.tags if tag == "svg"].count("pane") == 2
    assert f"Tuning study of {study.config.default.engine.name}" in page.text
    assert "nan" not in page.text


def test_the_page_of_a_study_without_a_trial_says_what_is_planned(tmp_path: Path) -> None:
    file = tmp_path / "study.yaml"
    file.write_text(COMPARED, encoding="utf-8")
    study = arena.tune(file, workers=0, results=tmp_path, stop=lambda: True)
    page = Outline(report_text(study_answer(study), "html"))
    assert "0 of 40" in page.text
    assert "history" not in page.ids


def test_parquet_keeps_every_frame(measured: Study, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    shown(measured, "--format", "parquet", "-o", str(tmp_path / "frames"))
    for name, frame in vars(measured.frames()).items():
        kept = pd.read_parquet(tmp_path / f"frames/{name}.parquet")
        pd.testing.assert_frame_equal(kept, frame, check_dtype=False)


def test_a_study_is_no_run_and_stands_alone(compared: Study) -> None:
    folder = str(compared.folder)
    with pytest.raises(arena.ConfigError, match="a tuning study is kept here"):
        arena.open_run(folder)
    with pytest.raises(arena.ConfigError, match="is no tuning study"):
        arena.open_study(f"{folder}/verification")
    for arguments in ([folder, f"{folder}/verification"], [folder, "--anchor", "tuned"]):
        with pytest.raises(arena.ConfigError, match=r"is a tuning study|a tuning study is kept"):
            CliRunner().invoke(command, ["report", *arguments], catch_exceptions=False)


@pytest.mark.slow
def test_to_look_at_a_study_runs_nobodys_code(tmp_path: Path) -> None:
    own = player("return Choice(self.game.moves(p)[self.skip % len(self.game.moves(p))])")
    own = own.replace("def engine(game):", "def engine(game, *, skip: int = 1):")
    own = own.replace("return Player(game)", "p = Player(game); p.skip = skip; return p")
    engine = tmp_path / "own.py"
    engine.write_text(own, encoding="utf-8")
    text = COMPARED.replace("engine: five_tuple, depth: 1, three: 10", "engine: ./own.py")
    study = tuned(tmp_path, text.replace("[three, radius]", "{skip: {low: 0, high: 9}}"))
    before = shown(study, "--json")
    engine.write_text("raise SystemExit('ran')", encoding="utf-8")
    assert shown(study, "--json") == before
    engine.unlink()
    assert shown(study, "--json") == before


@pytest.mark.parametrize(("kept", "edited"), [("budget: 40", "trials: 3"), ("r: 1.0", "colour: 3")])
def test_a_folder_edited_by_hand_is_a_fault(
    compared: Study, tmp_path: Path, kept: str, edited: str
) -> None:
    text = (compared.folder / "config.yaml").read_text(encoding="utf-8")
    assert kept in text
    (tmp_path / "config.yaml").write_text(text.replace(kept, edited), encoding="utf-8")
    with pytest.raises(arena.ConfigError, match="is not what a run keeps"):
        arena.open_study(tmp_path)


@pytest.mark.parametrize("kind", ["compared", "measured"])
def test_pictures_are_drawn_with_their_words_in(kind: str, request: pytest.FixtureRequest) -> None:
    study: Study = request.getfixturevalue(kind)
    texts = {}
    for name in ("history", "slices", "importance"):
        root = ElementTree.parse(study.folder / f"{name}.svg").getroot()
        assert root.tag == "{http://www.w3.org/2000/svg}svg"
        texts[name] = " ".join("".join(root.itertext()).split())
    for axis in study.config.space.axes:
        assert axis.name in texts["slices"]
        assert axis.name in texts["importance"]
    assert "Elo over the default" in texts["history"]
    assert ("The test (" in texts["history"]) == (study.proof is not None)
    assert ("played over the other point" in texts["slices"]) == (kind == "compared")


def test_the_same_study_is_the_same_picture(compared: Study, tmp_path: Path) -> None:
    for file in compared.draw(tmp_path / "again"):
        assert file.read_bytes() == (compared.folder / file.name).read_bytes()


def test_pictures_that_cannot_be_written_are_a_fault(compared: Study, tmp_path: Path) -> None:
    (tmp_path / "history.svg").mkdir()
    with pytest.raises(arena.ConfigError, match="is a folder, not a file"):
        compared.draw(tmp_path)


def test_means_of_a_slice_can_be_counted_by_hand() -> None:
    assert weighted_mean(np.array([10.0, 40.0]), np.array([2, 1])) == (
        20,
        pytest.approx(2 * np.sqrt((2 * 100 + 400) / 3)),
    )
    units = np.array([0, 0.01, 0.02, 0.5, 1, 1, 1])
    centres, means, _ = binned(units, 100 * units, np.arange(7.0), np.ones(7))
    assert list(centres) == [1, 100]
    assert list(means) == [1, 5]


def test_a_column_is_of_one_type() -> None:
    assert list(uniform([1, 2])) == [1, 2]
    assert list(uniform([1, "a"])) == ["1", "a"]
    assert list(uniform([True, False])) == ["True", "False"]
    assert uniform([1, None]).dtype == float


def test_a_table_has_a_dash_for_what_is_not_known() -> None:
    known = {"range_low": float("nan"), "default": 10, "tuned": 12}
    known |= {"low": 8.0, "high": 20.0, "flat_low": 9.0}
    known |= {"spread_low": float("nan"), "spread_high": float("nan")}
    row = {"name": "three", **known, "flat_high": 15.0, "importance": 0.25}
    unknown = dict.fromkeys(row, float("nan")) | {"name": "radius", "default": 2}
    table = text_frame(parameters_table(pd.DataFrame([row, unknown]), "tuned"))
    one, other = table.to_dict("records")
    assert list(one.values()) == ["three", "10", "12", "8 to 20", "9 to 15", "25.0 %"]
    assert list(other.values()) == ["radius", "2", "-", "-", "-", "-"]


def test_what_is_no_interval_is_not_called_one() -> None:
    nan = float("nan")
    known = {"default": 10, "tuned": 12, "low": nan, "high": nan, "range_low": nan}
    row = {"name": "three", **known, "spread_low": 9.0, "spread_high": 14.0}
    row |= dict.fromkeys(("flat_low", "flat_high"), float("nan")) | {"importance": 0.25}
    (shown,) = text_frame(parameters_table(pd.DataFrame([row]), "tuned")).to_dict("records")
    assert shown["spread of the best tenth"] == "9 to 14"
    assert BEST_VALUE not in shown
    assert reach_of(row) == ("spread of the best tenth", 9, 14)
    assert reach_of(row | {"low": 8.0, "high": 20.0}) == ("95 % by the model", 8, 20)
    assert reach_of(row | {"spread_low": None}) is None
    assert reach_of(row | {"spread_low": 14.0}) is None, "one trial has no spread"
