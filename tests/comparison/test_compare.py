"""Two runs, or two studies, side by side: by the command, and as a page."""

from __future__ import annotations

import json
import re
import shutil
from itertools import chain
from pathlib import Path
from textwrap import dedent

import pytest
from click.testing import CliRunner, Result
from support.game_records import game, games_of
from support.samples import ROUND, Write
from support.studies import STUDY, tuned

import arena
from arena.cli import arena as command
from arena.comparison.changed_openings import (
    ChangedOpening,
    OpeningTally,
    shared_openings,
    tally_of_openings,
)
from arena.comparison.compare import compare
from arena.comparison.contents import comparison_contents
from arena.comparison.runs import RunComparison
from arena.comparison.studies import StudyComparison
from arena.match.record import GameRecord

SMALL = ROUND.replace("size: 7", "size: 5").replace("count: 2", "count: 10")


@pytest.fixture(scope="module", name="results")
def fixture_results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four runs, and the config of a study."""
    folder = tmp_path_factory.mktemp("compared")
    texts = {
        "old": SMALL,
        "longer": SMALL.replace("three", "four") + "    seed: 5\n",
        "wider": SMALL.replace("size: 5", "size: 6"),
        "others": SMALL.replace("one,", "x,").replace("two,", "y,").replace("three,", "one,"),
    }
    for name, text in texts.items():
        (folder / f"{name}.yaml").write_text(dedent(text))
        arena.run(folder / f"{name}.yaml", workers=0, results=folder / "results")
    (folder / "results/study").mkdir()
    (folder / "results/study/config.yaml").write_text("kind: study\nname: study\n")
    return folder / "results"


def ask(results: Path, *words: str) -> Result:
    return CliRunner().invoke(command, ["compare", *words, "--results", str(results)])


def test_the_command_begins_with_the_answer_and_then_has_tables(results: Path) -> None:
    found = ask(results, "old", "longer")
    assert found.exit_code == 0
    first, _, title, *_ = found.output.splitlines()
    assert re.match(
        r"No gain is sure: (one|two) gained \d+ Elo \(-\d+ to \+\d+\) on (one|two); ", first
    )
    assert first.endswith(
        "they differ in seed (0 -> 5), engines.three (engine: random_mover -> -), "
        "engines.four (- -> engine: random_mover)."
    )
    assert title == "Elo gained on each other"
    assert "engines.three" in found.output.split("What differs\n")[1]
    assert "round robin" in found.output.split("Side by side")[1]


@pytest.mark.slow
def test_programs_get_frames_under_one_name_in_every_form(results: Path) -> None:
    rows = json.loads(ask(results, "old", "wider", "--json").output)
    assert (rows["before"], rows["after"]) == ("old", "wider")
    assert {row["name"] for row in rows["gains"]} == {"one", "two", "three"}
    assert {row["games_before"] for row in rows["gains"]} == {40}
    (difference,) = rows["differences"]
    assert difference == {"key": "game.gomoku.size", "before": "5", "after": "6"}
    assert rows["openings"] == []  # of other boards
    head = ask(results, "old", "wider", "--format", "csv").output.splitlines()[0]
    assert head.startswith("name,field,elo_before,elo_before_low,elo_before_high,games_before,")
    page = ask(results, "old", "longer", "--format", "html").output
    assert "<title>No gain is sure - old and longer - gomoku-arena</title>" in page
    assert "Openings that changed sides" in page


def test_a_run_beside_a_study_and_what_is_not_there_are_refused(results: Path) -> None:
    with pytest.raises(
        arena.ConfigError, match=r"but not old \(tournament\) and study \(tuning study\)"
    ):
        compare("old", "study", results=results)
    with pytest.raises(arena.ConfigError, match="unknown run 'new'"):
        compare("old", "new", results=results)


def test_runs_of_one_common_player_compare_their_configs(results: Path) -> None:
    found = compare("old", "others", results=results)
    assert isinstance(found, RunComparison)
    verdict = comparison_contents(found).verdict
    assert verdict
    assert verdict.sentence.startswith(
        "No Elo can be compared: one alone is in both runs; they differ in engines.two"
    )


def pair(one: str, other: str, opening: str, points: float, round: int = 1) -> list[GameRecord]:
    """Both games on an opening, of which the first player takes 0, 1 or 2 points."""
    won = {2: (1, 2), 1: (1, 1), 0: (2, 1)}[points]
    return [
        game(*seats, winner, opening, round, moves=f"{opening} {round} {seats[0]}")
        for seats, winner in zip(((one, other), (other, one)), won, strict=True)
    ]


def openings(*pairs: list[GameRecord]) -> OpeningTally:
    return tally_of_openings(games_of(chain(*pairs)))


def test_an_opening_changed_sides_if_another_player_won_it_in_the_second_run() -> None:
    before = openings(
        pair("a", "b", "o1", 2),
        pair("a", "b", "o2", 2),
        pair("a", "b", "o3", 1),
        pair("b", "a", "o4", 2),
        pair("a", "b", "gone", 0),
    )
    after = openings(
        pair("a", "b", "o1", 0),
        pair("a", "b", "o2", 2),
        pair("a", "b", "o3", 0),
        pair("a", "b", "o4", 2, 1),
        pair("a", "b", "o4", 1, 2),
        pair("a", "c", "o1", 0),
    )
    found = shared_openings(before, after)
    assert (found.shared, found.decided) == (4, 3)
    assert found.changed == [
        ChangedOpening("o1", "a", "b", 1.0, 1, 0.0, 1),
        ChangedOpening("o4", "b", "a", 1.0, 1, 0.25, 2),
    ]


@pytest.mark.slow
def test_two_studies_show_best_values_and_proofs(write: Write) -> None:
    study = tuned(write, STUDY, name="one.yaml")
    other = STUDY.replace("method: spsa", "method: random").replace(", power", ", sulks")
    tuned(write, other, name="two.yaml")
    results = study.folder.parent
    found = compare("one", "two", results=results)
    assert isinstance(found, StudyComparison)
    assert [each.name for each in found.values] == ["weight", "power", "sulks"]
    assert not any(each.is_apart for each in found.values)  # one knows no interval
    output = ask(results, "one", "two").output
    assert output.startswith("No best value is known to lie apart: one: ")
    assert "(spread)" in output
    rows = json.loads(ask(results, "one", "two", "--json").output)
    differing = {row["key"]: (row["before"], row["after"]) for row in rows["differences"]}
    assert differing["method"] == ("spsa (r: 0.005)", "random")
    values = {row["name"]: row for row in rows["values"]}
    assert values["weight"]["tuned_before"] == pytest.approx(study.values["weight"])
    assert values["power"]["tuned_after"] is None
    assert [row["decision"] for row in rows["studies"]] == ["H1", "H1"]


def test_folders_of_one_name_are_told_apart_by_the_folders_around_them(
    results: Path, tmp_path: Path
) -> None:
    one, other = (tmp_path / name / "verification" for name in "ab")
    for folder in (one, other):
        shutil.copytree(results / "old", folder)
    for folders, labels in (
        ((one, other), ("a/verification", "b/verification")),
        ((one, results / "old"), ("verification", "old")),
        ((one, one), ("verification", "verification")),
    ):
        found = compare(*folders, results=results)
        assert (found.before.label, found.after.label) == labels
