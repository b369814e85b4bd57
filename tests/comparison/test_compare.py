"""Two runs side by side: by the command, and as a page."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from textwrap import dedent

import pytest
from click.testing import CliRunner, Result
from support.samples import ROUND
from support.told_runs import Results, Typed, make

import arena
from arena.cli import arena as command
from arena.comparison.compare import Comparison, compare
from arena.comparison.comparison_answer import comparison_answer, comparison_verdict

SMALL = ROUND.replace("size: 7", "size: 5").replace("count: 2", "count: 10")


@pytest.fixture(scope="module", name="results")
def fixture_results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four runs, and the configs of two studies."""
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
    for name in ("study", "again"):
        (folder / "results" / name).mkdir()
        (folder / "results" / name / "config.yaml").write_text(f"kind: study\nname: {name}\n")
    return folder / "results"


def ask(results: Path, *words: str) -> Result:
    return CliRunner().invoke(command, ["compare", *words, "--results", str(results)])


def test_the_command_begins_with_the_answer_and_then_has_tables(results: Path) -> None:
    found = ask(results, "old", "longer")
    assert found.exit_code == 0
    first, _, _, _, title, *_ = found.output.splitlines()
    assert re.match(
        r"No player gained for sure: (one|two) gained \d+ Elo \(-\d+ to \+\d+\) on (one|two)\. ",
        first,
    )
    assert first.endswith("What differs: three is gone; four is new; seed: 0, now 5.")
    assert title == "Elo gained on each other"
    assert "three " in found.output.split("What differs\n")[1]
    assert "round robin" in found.output.split("Side by side")[1]
    assert max(map(len, found.output.split("Side by side\n")[1].splitlines()[:7])) < 100
    assert re.search(r"^old: No clear leader", found.output, re.MULTILINE)


@pytest.mark.slow
def test_programs_get_frames_under_one_name_in_every_form(results: Path) -> None:
    rows = json.loads(ask(results, "old", "wider", "--json").output)
    assert (rows["before"], rows["after"]) == ("old", "wider")
    assert {row["name"] for row in rows["gains"]} == {"one", "two", "three"}
    assert {row["games_before"] for row in rows["gains"]} == {40}
    (difference,) = rows["differences"]
    assert difference == {"key": "game.gomoku.size", "before": "5", "after": "6"}
    head = ask(results, "old", "wider", "--format", "csv").output.splitlines()[0]
    assert head.startswith("name,field,elo_before,elo_before_low,elo_before_high,elo_before_doubt")
    page = ask(results, "old", "longer", "--format", "html").output
    assert "<title>No player gained for sure - old and longer - gomoku-arena</title>" in page


@pytest.mark.parametrize(
    ("both", "told"),
    [
        (("old", "new"), "unknown run 'new'"),
        (("old", "study"), "take study/verification, and see what was found with `arena report "),
        (("study", "again"), "take study/verification and again/verification, and see what was "),
    ],
)
def test_studies_and_what_is_not_there_are_refused(
    both: tuple[str, str], told: str, results: Path
) -> None:
    with pytest.raises(arena.ConfigError, match=told) as refused:
        compare(*both, results=results)
    assert len(str(refused.value).splitlines()) == 1
    assert refused.value.status == 2


def test_runs_of_one_common_player_compare_their_configs(results: Path) -> None:
    found = compare("old", "others", results=results)
    verdict = comparison_answer(found).verdict
    assert verdict
    assert verdict.sentence.startswith(
        "No Elo can be compared: one alone is in both runs. What differs: two is gone"
    )


EVEN = {"a b": ["WL"]}
STRONGER = {"a b": ["WW"] * 9 + ["LL"], "a c": ["WW"] * 9 + ["LL"]}
CRASHING = {"a b": ["Ww"], "b c": ["CW"] * 9 + ["WW"], "a c": ["WL", "LW"]}


def compared(folder: Path, after: Results, games: int | None = None) -> Comparison:
    """A run of equals, and one with these results, of so many games."""
    make(folder, "before", EVEN, Typed("a b c", 20))
    make(folder, "after", after, Typed("a b c d" if games else "a b c", 20, games=games))
    return compare("before", "after", results=folder / "results")


def test_a_gain_counts_that_chance_hardly_explains(tmp_path: Path) -> None:
    found = compared(tmp_path, STRONGER)
    assert {row.name for row in found.sure} == {"a", "b", "c"}
    assert comparison_verdict(found).tone == "bad"  # as two of the three lost
    assert {*found.games_among[1].values()} == {80}


SLIGHTLY = {"a b": ["WL"], "a c": ["WW"] * 3 + ["LL"] * 2, "b c": ["WW"] * 3 + ["LL"] * 2}


def test_the_one_that_changed_most_is_told_to_have_done_so_by_chance(tmp_path: Path) -> None:
    found = compared(tmp_path, SLIGHTLY)
    gain = {row.name: row.gain for row in found.leads}
    assert gain["a"].elo > 0 > gain["c"].elo
    assert abs(gain["a"].elo) < abs(gain["c"].elo), "the largest change is a loss"
    assert not found.sure
    verdict = comparison_verdict(found)
    assert verdict.text == "No player gained for sure"
    assert verdict.basis.startswith(f"c lost {-round(gain['c'].elo)} Elo (")
    assert " both runs, as the one of 3 that changed most may by chance. " in verdict.basis


@pytest.mark.parametrize(("files", "is_sure"), [((20,), True), ((10, 20), False)])
def test_a_gain_pays_for_the_looks_at_either_run(
    files: tuple[int, ...], is_sure: bool, tmp_path: Path
) -> None:
    make(tmp_path, "before", EVEN, Typed("a b", 20))
    make(tmp_path, "after", {"a b": ["WW", "WL", "LW"]}, *(Typed("a b", each) for each in files))
    for runs in (("before", "after"), ("after", "before")):
        found = compare(*runs, results=tmp_path / "results")
        assert bool(found.sure) == is_sure


def test_no_gain_counts_while_games_are_missing(tmp_path: Path) -> None:
    found = compared(tmp_path, STRONGER, games=220)
    assert (found.before.played.is_over, found.after.played.is_over) == (True, False)
    assert found.sure
    assert comparison_verdict(found).tone == "open"
    assert {*found.games_among[1]} == {"a", "b", "c"}, "those with d do not count"


def test_no_gain_counts_that_faults_carry(tmp_path: Path) -> None:
    found = compared(tmp_path, CRASHING)
    assert {row.name for row in found.leads if row.is_sure} == {"a", "b"}
    assert not found.sure
    assert comparison_verdict(found).tone == "doubtful"


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
