"""Two runs side by side: the settings in which they differ, the Elo of their players, verdicts."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from random import Random
from textwrap import dedent
from typing import Any

import pytest
from support.samples import ROUND
from support.told_runs import Results, Typed, make

import arena
from arena.comparison.compare import (
    Comparison,
    Difference,
    Lead,
    compare,
    differences,
    differences_told,
    leads,
    namesakes_told,
    settings_of,
)
from arena.comparison.comparison_answer import comparison_verdict
from arena.stats.davidson import Points
from arena.stats.leads import Estimate, FaultViews, alike, change, estimate, is_beyond_chance
from arena.stats.ratings import rate


@pytest.fixture(scope="module", name="results")
def fixture_results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("compared")
    (folder / "old.yaml").write_text(dedent(ROUND))
    arena.run(folder / "old.yaml", workers=0, results=folder / "results")
    for name in ("study", "again"):
        (folder / "results" / name).mkdir()
        (folder / "results" / name / "config.yaml").write_text(f"kind: study\nname: {name}\n")
    return folder / "results"


@pytest.mark.parametrize(
    ("both", "told"),
    [
        (("old", "new"), "unknown run 'new'"),
        (("old", "study"), "take study/verification, and see what was found with `arena report "),
        (("study", "again"), "take study/verification and again/verification, and see what was "),
    ],
)
def test_studies_and_unknown_are_refused(both: tuple[str, str], told: str, results: Path) -> None:
    with pytest.raises(arena.ConfigError, match=told) as refused:
        compare(*both, results=results)
    assert len(str(refused.value).splitlines()) == 1
    assert refused.value.status == 2


EVEN = {"a b": ["WL"]}
STRONGER = {"a b": ["WW"] * 9 + ["LL"], "a c": ["WW"] * 9 + ["LL"]}
CRASHING = {"a b": ["Ww"], "b c": ["CW"] * 9 + ["WW"], "a c": ["WL", "LW"]}


def compared(folder: Path, after: Results, games: int | None = None) -> Comparison:
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
def test_gains_pay_for_all_looks(files: tuple[int, ...], is_sure: bool, tmp_path: Path) -> None:
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


def test_folders_of_one_name_are_told_apart_by_those_around(results: Path, tmp_path: Path) -> None:
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


RUN: dict[str, Any] = {
    "kind": "tournament",
    "name": "first",
    "game": {"gomoku": {"size": 15, "rule": "freestyle"}},
    "limit": {"nodes": 3000},
    "max_plies": None,
    "format": {"round_robin": {}},
    "openings": {"random": {"plies": 4, "count": 12, "seed": 7}},
    "engines": [{"name": "a", "engine": "x", "depth": 3}, {"name": "b", "engine": "./own.py"}],
}


def found(facts_before: dict[str, Any] | None = None, **after: Any) -> list[tuple[str, str, str]]:
    facts = after.pop("facts", {})
    both = settings_of(RUN, facts_before or {}), settings_of(RUN | after, facts)
    return [(each.key, each.before, each.after) for each in differences(*both)]


def test_names_of_runs_are_no_difference_and_neither_is_the_order_of_players() -> None:
    assert found(name="second", engines=RUN["engines"][::-1]) == []
    assert differences_told([]) == "Nothing differs in the config"


def test_a_difference_has_the_key_of_the_yaml() -> None:
    assert found(limit={"nodes": 600}) == [("limit.nodes", "3000", "600")]
    assert found(limit={"depth": 2}) == [("limit.nodes", "3000", "-"), ("limit.depth", "-", "2")]
    assert found(max_plies=50) == [("max_plies", "-", "50")]
    game = {"gomoku": {"size": 15, "rule": "renju"}}
    assert found(game=game) == [("game.gomoku.rule", "freestyle", "renju")]
    openings = {"book": {"name": "balanced15", "count": 10}}
    assert found(openings=openings) == [
        ("openings", "random (plies: 4, count: 12, seed: 7)", "book (name: balanced15, count: 10)")
    ]


def test_code_that_changed_is_told_by_its_mark_and_file() -> None:
    before = {"engines": [{"name": "b", "engine": "./own.py", "files": {"own.py": "1", "k": "0"}}]}
    after = {"engines": [{"name": "b", "engine": "./own.py", "files": {"own.py": "2", "k": "0"}}]}
    ((key, old, new),) = found(before, facts=after)
    assert key == "engines.b: code (own.py)"
    assert old != new
    assert len(old) == len(new) == 6
    assert found(before, facts=before) == []
    assert found(before) == []  # where nothing is known, nothing is said


def test_the_sentence_names_the_first_keys_and_long_values_not_at_all() -> None:
    rows = [Difference("limit.nodes", "3000", "600"), Difference("openings", "x" * 90, "y")]
    assert differences_told(rows[:1]) == "What differs: limit.nodes: 3000, now 600"
    told = differences_told([*rows, *rows])
    nodes = "limit.nodes: 3000, now 600"
    assert told == f"What differs: {nodes}; openings; {nodes}; and 1 more"


def test_players_come_first_and_those_of_both_runs_are_said_to_differ() -> None:
    engines = [{"name": "a", "engine": "x", "depth": 5}, {"name": "c", "engine": "x"}]
    both = settings_of(RUN, {}), settings_of(RUN | {"engines": engines, "max_plies": 50}, {})
    rows = differences(*both)
    assert differences_told(rows).startswith("What differs: a: depth 3, now 5; b is gone; c is new")
    (told,) = namesakes_told(rows, ["a"])
    assert told.endswith(": a: depth 3, now 5.")
    assert namesakes_told(rows, ["d"]) == []


Strengths = Mapping[str, float]


def round_robin(random: Random, strengths: Strengths, openings: int, start: int = 0) -> Points:
    found = Counter[tuple[str, str, str, int]]()
    for one in strengths:
        for other in strengths:
            chance = 1 / (1 + 10 ** ((strengths[other] - strengths[one]) / 400))
            for opening in range(openings if one != other else 0):
                points = 2 if random.random() < chance else 0
                found[one, other, f"{start + opening}", points] += 1
    return found


def of(rows: list[Lead], name: str) -> Lead:
    return next(row for row in rows if row.name == name)


def test_the_lead_of_one_of_two_players_is_its_rating_with_the_other_as_anchor() -> None:
    points = round_robin(Random(1), {"a": 50.0, "b": 0.0}, 60)
    anchored = rate(["a", "b"], points, ("b", 0.0)).players[0]
    (lead,) = (row for row in leads(["a", "b"], alike(points), alike(points)) if row.name == "a")
    assert lead.before == lead.after == estimate(anchored.elo, anchored.low, anchored.high)
    assert (lead.field, lead.gain.elo, lead.is_sure) == (("b",), 0.0, False)


def test_a_lead_is_over_the_mean_of_the_other_players_and_only_their_games_count() -> None:
    strengths = {"a": 100.0, "b": 0.0, "c": -40.0}
    points = round_robin(Random(2), strengths, 80)
    alone = leads([*strengths], alike(points), alike(points))
    more = Counter(points)
    more.update(round_robin(Random(3), {"a": 0.0, "x": 900.0}, 50))
    assert leads([*strengths], alike(more), alike(points)) == alone
    ratings = {each.name: each.elo for each in rate([*strengths], points).players}
    mean = (ratings["b"] + ratings["c"]) / 2
    assert of(alone, "a").before.elo == pytest.approx(ratings["a"] - mean)


def test_a_player_that_lost_everything_is_in_no_field_and_its_gain_is_not_known() -> None:
    points = dict(round_robin(Random(4), {"a": 60.0, "b": 0.0}, 40))
    for opening in range(40):
        points |= {("a", "z", f"{opening}", 2): 1, ("z", "b", f"{opening}", 0): 1}
    found = leads(["a", "b", "z"], alike(points), alike(points))
    assert [row.name for row in found][-1] == "z"
    assert of(found, "a").field == ("b",)
    assert of(found, "z").gain.low == -of(found, "z").gain.high == float("-inf")


def test_a_player_that_won_everything_in_the_later_run_alone_is_in_no_field() -> None:
    before = round_robin(Random(6), {"a": 60.0, "b": 0.0, "z": 100.0}, 40)
    won = {
        (one, two, f"{opening}", 2 if one == "z" else 0): 1
        for one, two in (("a", "z"), ("z", "b"))
        for opening in range(40)
    }
    after = {**round_robin(Random(7), {"a": 60.0, "b": 0.0}, 40), **won}
    for runs in ((before, after), (after, before)):
        found = leads(["a", "b", "z"], *map(alike, runs))
        assert {row.name: row.field for row in found} == {"a": ("b",), "b": ("a",), "z": ("a", "b")}


def test_a_gain_that_one_of_many_has_by_chance_is_not_sure() -> None:
    source, strengths = Random(4), dict.fromkeys("abcdefgh", 0.0)
    runs = [round_robin(source, strengths, 12, start) for start in (0, 12)]
    equal = leads([*strengths], *map(alike, runs))
    # One of the eight would be sure if it were asked about alone: the seed was chosen for that.
    assert sum(is_beyond_chance(row.gain, 1) for row in equal) == 1
    assert not any(row.is_sure for row in equal)


def test_what_one_of_two_gained_and_the_other_lost_is_asked_about_once() -> None:
    random, strengths = Random(8), {"a": 60.0, "b": 0.0}
    runs = round_robin(random, dict.fromkeys("ab", 0.0), 60), round_robin(random, strengths, 60)
    both = leads([*strengths], *map(alike, runs))
    # Neither would be sure if each were asked about: the seed was chosen for that.
    assert not is_beyond_chance(both[0].gain, 2)
    assert all(row.is_sure for row in both)


def test_players_that_only_met_in_one_run_are_in_no_field_of_each_other() -> None:
    met = round_robin(Random(9), dict.fromkeys("abcd", 0.0), 20)
    apart = {key: games for key, games in met.items() if {*key[:2]} in ({"a", "b"}, {"c", "d"})}
    for runs in ((met, apart), (apart, met)):
        found = leads([*"abcd"], *map(alike, runs))
        fields = {row.name: "".join(row.field) for row in found}
        assert fields == {"a": "b", "b": "a", "c": "d", "d": "c"}


def test_players_that_never_met_have_no_lead() -> None:
    apart = {("a", "b", "1", 2): 1, ("b", "a", "1", 2): 1}
    assert leads(["a", "c"], alike(apart), alike(apart)) == []
    assert leads([], alike(apart), alike(apart)) == []


def test_a_change_is_as_sure_as_both_of_its_ends() -> None:
    found = change(Estimate(10.0, 7.0, 16.0), Estimate(30.0, 22.0, 34.0))
    assert found == Estimate(20.0, 10.0, 25.0)
    assert change(Estimate(0.0, float("-inf"), 9.0), found).high == float("inf")
    assert change(Estimate(0.0, float("-inf"), 9.0), found).low > -20


def test_a_change_among_many_must_be_larger() -> None:
    found = Estimate(20.0, 1.0, 39.0)
    assert [is_beyond_chance(found, tried) for tried in (1, 2, 20)] == [True, False, False]
    assert is_beyond_chance(Estimate(-20.0, -39.0, -1.0), 1)
    assert not is_beyond_chance(Estimate(20.0, float("-inf"), 39.0), 1)


@pytest.mark.slow
def test_intervals_of_gains_contain_the_truth_as_often_as_promised() -> None:
    random, inside, claims, tried = Random(5), 0, 0, 0
    before = {"a": -80.0, "b": 0.0, "c": 20.0, "d": 60.0}
    after = before | {"a": 40.0}
    for number in range(40):
        start = 24 * (number % 2)  # openings of their own, or the same in both runs
        runs = [round_robin(random, before, 24), round_robin(random, after, 24, start)]
        for row in leads([*before], *map(alike, runs)):
            mean = sum(after[each] - before[each] for each in row.field) / len(row.field)
            truth = after[row.name] - before[row.name] - mean
            inside += row.gain.low <= truth <= row.gain.high
            tried += 1
        null = leads([*before], alike(runs[0]), alike(round_robin(random, before, 24)))
        claims += any(row.is_sure for row in null)
    assert tried == 160
    assert 0.91 <= inside / tried <= 0.995
    assert claims <= 6


def test_a_gain_that_faults_carry_is_doubtful() -> None:
    even, ahead = ({"a": lead, "b": 0.0} for lead in (0.0, 200.0))
    before, sound = round_robin(Random(5), even, 80), round_robin(Random(6), even, 80)
    faulty = round_robin(Random(7), ahead, 80)
    (one, _) = leads(["a", "b"], alike(before), alike(faulty))
    assert one.is_sure
    assert not one.gain.doubtful
    for after in (FaultViews(faulty, sound, faulty), FaultViews(faulty, faulty, sound)):
        assert all(each.gain.doubtful for each in leads(["a", "b"], alike(before), after))
    nothing_left = FaultViews[Points](faulty, {}, sound)
    assert all(each.gain.doubtful for each in leads(["a", "b"], alike(before), nothing_left))


def test_a_gain_is_as_sure_in_all_views_or_not_at_all() -> None:
    before, clear, less = (
        round_robin(Random(seed), {"a": lead, "b": 0.0}, 80)
        for seed, lead in ((5, 0.0), (7, 200.0), (7, 160.0))
    )
    tail = 1e-4
    for views in (alike(clear), FaultViews(clear, less, clear), FaultViews(clear, clear, less)):
        (one, _) = leads(["a", "b"], alike(before), views, tail)
        assert one.is_sure
        assert one.gain.doubtful == (less in views), "though both intervals leave out 0"
