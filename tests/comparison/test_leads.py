"""The Elo of players that two runs have in common."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from random import Random

import pytest

from arena.comparison.compare import Lead, leads
from arena.stats.davidson import Points
from arena.stats.leads import Estimate, FaultViews, alike, change, estimate, is_beyond_chance
from arena.stats.ratings import rate

Strengths = Mapping[str, float]


def round_robin(random: Random, strengths: Strengths, openings: int, start: int = 0) -> Points:
    """Games by players of known strength, each pairing twice on each opening."""
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
        assert {row.name: row.field for row in found} == {
            "a": ("b",),
            "b": ("a",),
            "c": ("d",),
            "d": ("c",),
        }


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
