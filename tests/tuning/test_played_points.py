"""The points of a study as the script of its page reads them."""

from __future__ import annotations

import json
import re
from base64 import b64decode

import pytest
from support.samples import Write
from support.studies import STUDY, UNPROVED, tuned

from arena.report.export import report_text
from arena.storage.database import Store
from arena.storage.folder import read_store
from arena.tuning.report.played_points import ELO, WEIGHTS, game_numbers, points_data
from arena.tuning.report.study_answer import study_answer


@pytest.mark.parametrize(
    ("rounds", "numbers"),
    [
        ([], {}),
        ([1, 1, 1], {1: [1, 3]}),
        ([1, 2, 1, 1, 2, 2], {1: [1, 1, 3, 4], 2: [2, 2, 5, 6]}),
    ],
)
def test_games_are_numbered_in_the_order_in_which_they_ended(
    rounds: list[int], numbers: dict[int, list[int]]
) -> None:
    assert game_numbers(rounds) == numbers


@pytest.mark.slow
def test_every_point_has_its_values_its_result_and_its_games(write: Write) -> None:
    study = tuned(write)
    frames = study.frames()
    data = points_data(study, frames)
    assert json.loads(json.dumps(data, allow_nan=False))
    assert [axis["name"] for axis in data["axes"][WEIGHTS:]] == ["weight", "power"]
    records = read_store(study.folder, Store.games) or []
    for trial, row in zip(data["trials"], frames.trials.to_dict("records"), strict=True):
        (plus, *one), (minus, *other) = trial["points"]
        assert (plus, minus, trial["games"]) == ("plus", "minus", row["games"])
        assert one[ELO] == -other[ELO] == round(row["elo"], 1)
        assert one[WEIGHTS:] == pytest.approx([row["plus_weight"], row["plus_power"]], rel=1e-4)
        first, last = trial["numbers"]  # with no worker, games end trial by trial
        assert {each.round for each in records[first - 1 : last]} == {trial["number"]}
        assert last - first + 1 == trial["games"]
    for axis in data["axes"]:
        assert all(axis["low"] <= value <= axis["high"] for value, _ in axis["ticks"])


@pytest.mark.slow
@pytest.mark.parametrize(("text", "name"), [(STUDY, "tuned"), (UNPROVED, "candidate")])
def test_weights_are_recommended_only_once_their_gain_is_proved(
    text: str, name: str, write: Write
) -> None:
    study = tuned(write, text)
    frames = study.frames()
    page, shown = report_text(study_answer(study), "html"), study._repr_html_()
    assert frames.name_of_values == points_data(study, frames)["found"] == name
    for each in (page, shown, report_text(study_answer(study), "table")):
        assert ("Recommended weights (" in each) == (name == "tuned")
        assert ("Candidate weights (" in each) == (name == "candidate")
    assert shown.startswith(f"<p><b>{study.verdict.sentence}</b></p>")
    assert "<table" in shown
    picture = re.search('<img alt="Elo over the default .*base64,(.*)">', shown)
    assert picture
    assert b64decode(picture[1]).startswith(b"<svg")


@pytest.mark.slow
def test_a_page_of_four_hundred_trials_stays_small(write: Write) -> None:
    study = tuned(write)
    study.trials.told *= 27
    assert len(study.trials.told) == 405
    page = report_text(study_answer(study), "html")
    assert len(page) < 250_000
