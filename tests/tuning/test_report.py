"""The report of a study: verdict, frames, tables, pictures, page, without its engine."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from base64 import b64decode
from dataclasses import replace
from math import isnan, nan
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from support.browsers import complaints_of
from support.html_outlines import Outline
from support.page_requests import serving
from support.samples import Write, player
from support.studies import COIN, STUDY, tuned

import arena
from arena.cli import arena as command
from arena.game import Outcome, Reason
from arena.match.game_row import row_of
from arena.match.record import GameRecord, Job, record
from arena.report.answer import report_text
from arena.report.outlook import outlook, pairs_as_in, tosses
from arena.report.standings import Standing
from arena.report.table import text_frame
from arena.server.watch.run_list import RunFolders
from arena.stats.elo import ELO_LIMIT
from arena.tuning.method import Advice, ExpectedGain, Forecast
from arena.tuning.proof.report import proof_verdict
from arena.tuning.proof.verification import Attempt, ConditionGain, Gain, Proof, condition_text
from arena.tuning.report.frames import (
    BEST_VALUE,
    game_numbers,
    parameters_frame,
    parameters_table,
    reach_of,
    shapes_frame,
    study_verdict,
    trials_table,
    uniform,
)
from arena.tuning.report.study_answer import shape_texts, study_answer
from arena.tuning.report.study_charts import binned, history_figure, means_band, weighted_mean
from arena.tuning.space import Axis, Space
from arena.tuning.study import Study

if TYPE_CHECKING:
    from playwright.sync_api import Browser

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
MEASURED = COMPARED.replace("{spsa: {c: 0.4, r: 1}}", "random").replace("radius", "search")
MEASURED = MEASURED.replace(", three: 10", "").replace("budget: 40", "budget: 24")


def drawn(folder: Path, text: str) -> Study:
    file = folder / "study.yaml"
    file.write_text(text, encoding="utf-8")
    study = arena.tune(file, workers=0, results=folder / "results")
    study.draw()
    return study


@pytest.fixture(scope="module")
def compared(tmp_path_factory: pytest.TempPathFactory) -> Study:
    return drawn(tmp_path_factory.mktemp("compared"), COMPARED)


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Study:
    return drawn(tmp_path_factory.mktemp("measured"), MEASURED)


def shown(study: Study) -> str:
    words = ["report", str(study.folder), "--json"]
    return CliRunner().invoke(command, words, catch_exceptions=False).stdout


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
    first, _, loss = shape_texts(shapes)
    assert first.startswith("Shape of strength, by what each predicted of results to come: ")
    assert all(shape in first for shape in shapes["shape"])
    answer = study_answer(compared)
    assert answer.warnings == [loss]
    (models,) = (each for each in answer.sections if each.level == "folded")
    assert models.text.startswith(first)
    assert loss not in models.text


KNOWN = Forecast((("hill", 1.0),), 3.0, 40, 0.9, 0.25)
SURELY_BAD = Forecast((("hill", 1.0),), 2623.0, 40, -0.9, 0.25, ExpectedGain(-1500, 20))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"slope": -0.6}, "of the last 40 trials: they mislead, so do not trust values that rest"),
        ({"slope": 0.1}, "they cannot be judged yet: too few games (slope of the"),
        ({}, "they know which points are better (slope of the"),
        ({"slope": nan}, "The models predicted next to no leads for the last 40 trials."),
        ({"loss": 6.9}, "about 7 Elo below the best ones, if strength is like the models."),
        ({"loss": 7.0}, "about 7 Elo below the best ones: do not trust them. Tune fewer parameter"),
        ({"gain": ExpectedGain(43, 20)}, "gain about +43 Elo (+4 to +82)."),
        ({"gain": ExpectedGain(-50, 20)}, "gain about -50 Elo (-89 to -11): do not trust"),
    ],
)
def test_a_forecast_is_said_in_words(change: dict[str, Any], words: str) -> None:
    shapes = shapes_frame(replace(KNOWN, **change))
    told = list(shape_texts(shapes))
    assert any(words in each for each in told)
    is_doubtful = "do not trust" in words
    assert shapes["doubtful"].item() == ("do not trust" in " ".join(told)) == is_doubtful
    assert "gain" not in change or words in told[0], "the gain comes first"


def test_no_elo_is_beyond_the_most_that_there_is_and_once_a_gain_is_proved_nothing_warns() -> None:
    shapes = shapes_frame(SURELY_BAD)
    elos = shapes[["expected_loss", "gain", "gain_low", "gain_high"]]
    assert elos.abs().to_numpy().max() == ELO_LIMIT
    told = list(shape_texts(shapes))
    assert ELO_WORDS.findall(" ".join(told)) == ["-1199", "-1199", "-1199", "1,199"]
    assert sum("do not trust" in text for text in told) == 3
    assert not any("do not trust" in text for text in shape_texts(shapes, is_proved=True))


def test_the_history_has_a_band_and_says_what_it_is(compared: Study, measured: Study) -> None:
    errors = [told.error for told in compared.trials.told]
    assert errors[0] == 0  # the start is the default itself
    assert all(error >= 0 for error in errors)
    assert errors[-1] > 0
    assert history_figure(compared.frames(), errors).drawing.count("<polygon") == 1
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

    # Ends of large whole numbers are not rounded.
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
    assert frames.shapes.empty, "a method without a model speaks for none"
    page = Outline(report_text(study_answer(measured), "html"))
    assert [given["class"] for tag, given in page.tags if tag == "svg"].count("pane") == 2
    assert "nan" not in page.text


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


def test_a_study_is_no_run_and_stands_alone(compared: Study) -> None:
    folder = str(compared.folder)
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
    study = drawn(tmp_path, text.replace("[three, radius]", "{skip: {low: 0, high: 9}}"))
    before = shown(study)
    engine.write_text("raise SystemExit('ran')", encoding="utf-8")
    assert shown(study) == before
    engine.unlink()
    assert shown(study) == before


@pytest.mark.parametrize(("kept", "edited"), [("budget: 40", "trials: 3"), ("r: 1.0", "colour: 3")])
def test_edited_folders_are_told(compared: Study, tmp_path: Path, kept: str, edited: str) -> None:
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


def test_pictures_are_the_same_again_or_a_fault(compared: Study, tmp_path: Path) -> None:
    for file in compared.draw(tmp_path / "again"):
        assert file.read_bytes() == (compared.folder / file.name).read_bytes()
    (tmp_path / "history.svg").mkdir()
    with pytest.raises(arena.ConfigError, match="is a folder, not a file"):
        compared.draw(tmp_path)


def test_a_notebook_shows_the_verdict_a_table_and_a_picture(compared: Study) -> None:
    shown = compared._repr_html_()
    assert shown.startswith(f"<p><b>{compared.verdict.sentence}</b></p>")
    assert "<table" in shown
    picture = re.search('<img alt="Elo over the default .*base64,(.*)">', shown)
    assert picture
    assert b64decode(picture[1]).startswith(b"<svg")


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


MARKUP = "</td><img src=x>"
CHOICES = STUDY.replace("[weight, power]", "[weight, sulks]").replace("spsa", "random")


def test_games_are_numbered_in_the_order_in_which_they_ended() -> None:
    assert game_numbers([]) == {}
    assert game_numbers([1, 1, 1]) == {1: [(1, 3)]}
    assert game_numbers([1, 2, 1, 1, 2, 2]) == {1: [(1, 1), (3, 4)], 2: [(2, 2), (5, 6)]}


@pytest.mark.slow
def test_only_a_page_with_games_links_to_them_and_names_of_choices_are_text(write: Write) -> None:
    hostile = COIN.replace("sulks: bool = False", f'sulks: Literal["no", "{MARKUP}"] = "no"')
    hostile = hostile.replace("import Annotated", "import Annotated, Literal")
    write(hostile.replace("0.1 if sulks", '0.1 if sulks != "no"'), "hostile.py")
    study = tuned(write, CHOICES.replace("coin.py", "hostile.py"))
    page = report_text(study_answer(study), "html")
    assert "numbers of the games" in page
    assert "1 to 8" in page
    assert "#game=" not in page
    assert "&lt;/td&gt;&lt;img" in page
    assert "<img" not in page


@pytest.mark.slow
def test_the_last_of_many_trials_are_listed(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.tuning.report.frames.MAX_TRIALS", 10)
    table = trials_table(tuned(write).frames(), [])
    assert table.title == "Trials, the last 10 of 15"
    assert [row["trial"] for row in table.rows] == list(range(6, 16))


@pytest.mark.slow
def test_trials_lead_to_games_and_proof(browser: Browser, write: Write, tmp_path: Path) -> None:
    results = tuned(write).folder.parent
    ids = {each.name: each.id for each in RunFolders(results).runs()}
    (study,) = (name for name in ids if "/" not in name)
    context = browser.new_context()
    context.set_default_timeout(60_000)
    page = context.new_page()
    complaints = complaints_of(page)
    with serving(results, tmp_path / "state") as server:
        page.goto(server.address)
        page.goto(f"{server.origin}/runs/{ids[study]}#trials")
        page.locator("#viewer .board .stone").first.wait_for(state="attached")
        page.get_by_role("link", name="9 to 16", exact=True).click()
        page.locator("#games h3", has_text="Game 9: ").wait_for()
        page.get_by_role("link", name="verification").click()
        page.wait_for_url(re.compile(f"/runs/{ids[f'{study}/verification']}"))
        context.close()
    assert not complaints


KEEP, GO_ON = "Keep the default weights.", "arena tune goes on."
TAKE = "Take the weights in results/bold/tuned.yaml."
RESULTS = Path("results/bold")
FAULTS_FIRST = "First find the cause of the faults."
LOSS = Gain("rival", 50, 0.3, 0.5, -150.0, -220.0, -80.0)
AT_2 = ConditionGain("depth 2", 50, 0.3, -150.0, -220.0, -80.0)


def standing(elo: float, low: float, high: float) -> Standing:
    return Standing("tuned", 800, 0, 0, 0, 0.5, elo, low, high, 0.9, 400, 0, 0, elo, elo, False)


def proof(
    decision: str, elo0: float = 0.0, low: float = -10.0, high: float = 43.0, **more: Any
) -> Proof:
    row = {"decision": decision, "pairs": 400, "elo0": elo0, "elo1": elo0 + 20, "model": "logistic"}
    return Proof(row, standing(17.0, low, high), **more)


NOT, PROVED, H0 = "Gain not proved", "+17 Elo (+4 to +43), H1 after 400 pairs", "H0 after 400 pairs"
CASES = [
    (proof("H1", low=4), f"Gain proved: {PROVED}.", "good", TAKE),
    (proof("H1", -20.0, low=4), f"tuned is not 20 Elo worse than default: {PROVED}.", "good", TAKE),
    (proof("H0"), f"{NOT}: +17 Elo (-10 to +43), {H0}.", "bad", KEEP),
    (proof("H0", high=-1.0), f"A loss, not a gain: +17 Elo (-10 to -1), {H0}.", "bad", KEEP),
    (
        proof("no more pairs"),
        f"{NOT}: +17 Elo (-10 to +43), 400 pairs; no more pairs.",
        "bad",
        KEEP,
    ),
    (proof("H1", low=4, gains=[LOSS]), f"{NOT}: {PROVED}; weaker against rival.", "bad", KEEP),
    (proof("H1", low=4, conditions=[AT_2]), f"{NOT}: {PROVED}; weaker at depth 2.", "bad", KEEP),
    (
        proof("too many faults"),
        f"{NOT}: +17 Elo (-10 to +43), 400 pairs; too many faults.",
        "doubtful",
        FAULTS_FIRST,
    ),
    (proof(""), f"{NOT} yet: +17 Elo (-10 to +43), 400 pairs.", "open", GO_ON),
    (proof("H1", low=4, is_over=False), f"{NOT} yet: {PROVED}.", "open", GO_ON),
    (proof("H0", low=-ELO_LIMIT), f"{NOT}: {H0}.", "bad", KEEP),
]


@pytest.mark.parametrize(("found", "sentence", "tone", "next_step"), CASES)
def test_a_gain_is_proved_or_not(found: Proof, sentence: str, tone: str, next_step: str) -> None:
    assert found.has_passed == (tone == "good")
    verdict = proof_verdict(found, "arena tune", RESULTS)
    assert (verdict.sentence, verdict.tone, verdict.next_step) == (sentence, tone, next_step)


def test_a_loss_at_a_condition_is_called_one() -> None:
    assert condition_text(AT_2).endswith(", a loss")


EQUALS = "such tests of equals one proves a gain in"


@pytest.mark.parametrize(
    ("chances", "told"),
    [
        ([0.05], ""),
        ([0.05, 0.05], f"; 2nd attempt: of two {EQUALS} 9.8 %"),
        ([0.01, 0.05, 0.1], f"; 3rd attempt: of three {EQUALS} 15 %"),
        ([0.001] * 4, f"; 4th attempt: of four {EQUALS} 0.4 %"),
        ([0.05] * 11, f"; 11th attempt: of 11 {EQUALS} 43 %"),
        ([0.05] * 12, f"; 12th attempt: of 12 {EQUALS} 46 %"),
        ([0.05] * 22, f"; 22nd attempt: of 22 {EQUALS} 68 %"),
        ([0.4] * 101, f"; 101st attempt: of 101 {EQUALS} 100 %"),
        ([0.05, None, 0.05], "; 3rd attempt"),
        ([0.05, None], "; 2nd attempt"),
    ],
)
@pytest.mark.parametrize(("found", "sentence", "tone", "next_step"), CASES)
def test_an_attempt_after_others_says_so_last(
    found: Proof, sentence: str, tone: str, next_step: str, chances: list[float | None], told: str
) -> None:
    *before, own = chances
    tests = ("other", 10, 0.0, -9.0, 9.0, "H0", False)
    earlier = [Attempt(number, *tests, chance) for number, chance in enumerate(before, start=1)]
    verdict = proof_verdict(replace(found, earlier=earlier, chance=own), "arena tune", RESULTS)
    assert verdict.sentence == f"{sentence.removesuffix('.')}{told}."
    assert (verdict.tone, verdict.next_step) == (tone, next_step)


@pytest.mark.parametrize(
    ("faulty", "is_over", "values", "sentence", "tone"),
    [
        ("", False, 2, "Still searching: +12 Elo so far, 16 of 400 games.", "open"),
        ("rival", False, 2, "Nothing found: rival only lost by its own faults.", "doubtful"),
        ("", True, 1, "No gain found: the default weights are the best of 2 trials.", "bad"),
        ("", True, 2, "Gain not tested yet: 2 trials.", "open"),
    ],
)
def test_before_its_proof_a_study_says_how_far_it_is(
    faulty: str, is_over: bool, values: int, sentence: str, tone: str
) -> None:
    sound = {"games": 8, "faulty_games": 0, "is_doubtful": False}
    told = [SimpleNamespace(estimate=each, **sound) for each in (3.0, 12.4)]
    trials = SimpleNamespace(told=told, is_over=is_over, first_games=SimpleNamespace(faulty=faulty))
    config = SimpleNamespace(
        plan=SimpleNamespace(budget=400),
        space=SimpleNamespace(default={"three": 1}),
        is_users=False,
        command="arena tune",
    )
    verdict = study_verdict(cast(Any, config), cast(Any, trials), {"three": values}, None, RESULTS)
    assert (verdict.sentence, verdict.tone) == (sentence, tone)
    assert verdict.next_step


def pair(number: int, *winners: int | None, reason: Reason = "line") -> list[GameRecord]:
    sides = [f"x={number}", f"x=-{number}"]
    seats = [winners[0], winners[1] and 3 - winners[1]]
    return [
        record(Job(*names, opening=str(number)), Outcome(winner, reason), "", f"{number}")
        for names, winner in zip((sides, sides[::-1]), seats, strict=True)
    ]


DRAWN = [game for number in range(8) for game in pair(number, None, None)]
OTHERS = [*pair(8, 1, 2), *pair(9, 2, 1), *pair(10, 2, 2), *pair(11, 1, 1, reason="exception")]


def test_draws_and_splits_are_those_of_the_games_that_no_fault_ended() -> None:
    found = pairs_as_in(map(row_of, [*DRAWN, *OTHERS]), "the trials")
    assert found.told == "73 % of the games drawn and 18 % of the pairs split, as in the trials"
    # 10 pairs of one point each, one of none (half of it to either side), and one pair of tosses
    assert list(found.shares) == [0.75, 0, 10.5, 0, 0.75]


def test_without_a_sound_pair_games_are_taken_for_tosses() -> None:
    for games in ([], OTHERS[-2:], DRAWN[:1]):
        assert pairs_as_in(map(row_of, games), "the trials") == tosses()


def test_a_test_takes_fewer_pairs_where_most_games_are_drawn() -> None:
    test = {"one": "tuned"}
    parameters = {"elo0": 0.0, "elo1": 20.0}
    texts = (
        outlook(test, parameters, each) for each in (tosses(), pairs_as_in(map(row_of, DRAWN), ""))
    )
    few, many = (int(re.findall(r"about (\d+)", next(text))[0]) for text in texts)
    assert many < few / 2
