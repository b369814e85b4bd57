"""The table of a study's trials on its page, and the name of the values above it."""

from __future__ import annotations

import re
from base64 import b64decode

import pytest
from support.samples import Write
from support.studies import COIN, STUDY, UNPROVED, tuned

from arena.report.answer import report_text
from arena.storage.database import Store
from arena.storage.folder import read_store
from arena.tuning.report import frames as tables
from arena.tuning.report.frames import game_numbers, trials_table
from arena.tuning.report.study_answer import study_answer

MARKUP = "</td><img src=x>"
CHOICES = STUDY.replace("[weight, power]", "[weight, sulks]").replace("spsa", "random")


@pytest.mark.parametrize(
    ("rounds", "numbers"),
    [
        ([], {}),
        ([1, 1, 1], {1: [(1, 3)]}),
        ([1, 2, 1, 1, 2, 2], {1: [(1, 1), (3, 4)], 2: [(2, 2), (5, 6)]}),
    ],
)
def test_games_are_numbered_in_the_order_in_which_they_ended(
    rounds: list[int], numbers: dict[int, list[tuple[int, int]]]
) -> None:
    assert game_numbers(rounds) == numbers


@pytest.mark.slow
def test_every_trial_has_its_result_its_values_and_a_link_to_its_games(write: Write) -> None:
    study = tuned(write)
    frames = study.frames()
    table = trials_table(frames, read_store(study.folder, Store.rounds) or [])
    records = read_store(study.folder, Store.games) or []
    columns = {column.heading: column for column in table.columns}
    assert len(table.rows) == 15
    for row, trial in zip(table.rows, frames.trials.to_dict("records"), strict=True):
        found = {title: column.text(row) for title, column in columns.items()}
        first, last = map(int, found["numbers of the games"].split(" to "))
        assert row["link"] == f"#game={first}"
        assert {each.round for each in records[first - 1 : last]} == {trial["trial"]}
        assert last - first + 1 == trial["games"] == int(found["games"])
        ends = [trial["plus_weight"], trial["minus_weight"]]
        assert list(map(float, found["weight"].split(" : "))) == pytest.approx(ends, rel=1e-4)
        assert float(found["Elo"]) == pytest.approx(trial["elo"], abs=0.5)


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
    monkeypatch.setattr(tables, "MAX_TRIALS", 10)
    table = trials_table(tuned(write).frames(), [])
    assert table.title == "Trials, the last 10 of 15"
    assert [row["trial"] for row in table.rows] == list(range(6, 16))


@pytest.mark.slow
@pytest.mark.parametrize(("text", "name"), [(STUDY, "tuned"), (UNPROVED, "candidate")])
def test_weights_are_recommended_only_once_their_gain_is_proved(
    text: str, name: str, write: Write
) -> None:
    study = tuned(write, text)
    page, shown = report_text(study_answer(study), "html"), study._repr_html_()
    assert study.frames().name_of_values == name
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
    assert len(page) < 300_000
