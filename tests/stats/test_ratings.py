"""Ratings: the fit held to a twin, intervals to what they promise, and fields that hardly met."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from itertools import pairwise, permutations

import numpy as np
import pytest
from hypothesis import assume, example, given, strategies as st
from scipy.optimize import minimize
from scipy.stats import t as student

from arena.stats.davidson import (
    HELD,
    Floats,
    Groups,
    Meetings,
    chances,
    groups_of,
    maximum_likelihood,
)
from arena.stats.elo import ELO_LIMIT, elo, score, score_ends
from arena.stats.leads import FaultViews, alike
from arena.stats.precision import Bridge
from arena.stats.ratings import UNIT, Rating, Ratings, rate, rate_with_faults, uniformity

Points = dict[tuple[str, str, str, int], int]


def round_robin(results: dict[str, int], openings: int = 10) -> Points:
    """The same on every opening: "ab" -> half points of a, which moved first."""
    kinds = [(*pair, half) for pair, half in results.items()]
    return {(a, b, str(opening), half): 1 for opening in range(openings) for a, b, half in kinds}


def drawn_at_random(names: str, openings: int, seed: int = 0) -> Points:
    random = np.random.default_rng(seed)
    return {
        (first, second, str(opening), int(random.integers(3))): 1
        for opening in range(openings)
        for first, second in permutations(names, 2)
    }


def by_name(ratings: Ratings) -> dict[str, Rating]:
    return {rating.name: rating for rating in ratings.players}


def likelihood(parameters: np.ndarray, names: str, points: Points) -> float:
    """The twin's: minus the logarithm, straight from the definition, game by game."""
    *strengths, advantage, tie = parameters
    total = strengths[0] ** 2  # of all equal fits, the one whose first strength is zero
    total += HELD * advantage**2 / 2
    for (first, second, _, half), games in points.items():
        lead = strengths[names.index(first)] - strengths[names.index(second)] + advantage
        weights = [math.exp(-lead / 2), math.exp(tie), math.exp(lead / 2)]
        total -= games * math.log(weights[half] / sum(weights))
    return total


@pytest.mark.parametrize("seed", range(5))
def test_the_fit_is_the_likeliest(seed: int) -> None:
    names = "abcd"
    points = drawn_at_random(names, openings=6, seed=seed)
    twin = minimize(likelihood, np.zeros(6), (names, points), tol=1e-12).x
    found = rate(names, points)
    scale = 4 * variance_of_points(twin[4], twin[5]) * UNIT
    assert [player.elo for player in found.players] == pytest.approx(
        scale * (twin[:4] - twin[:4].mean()), abs=0.02
    )
    expected, draw = chances(twin[4:5], twin[5])
    assert found.advantage == pytest.approx(elo(expected[0]), abs=0.02)
    assert found.draws == pytest.approx(draw[0], abs=1e-3)


def variance_of_points(advantage: float, tie: float) -> float:
    points, draw = chances(np.array([advantage]), tie)
    win = points[0] - draw[0] / 2
    return float(win + draw[0] / 4 - points[0] ** 2)


@given(st.lists(st.tuples(st.integers(1, 30), st.integers(1, 30), st.integers(0, 30)), min_size=6))
def test_scores_in_the_model_are_those_in_the_games(cells: list[tuple[int, int, int]]) -> None:
    pairs = list(permutations(range(3), 2))
    first, second = (np.array(seat) for seat in zip(*pairs, strict=True))
    won, lost, drawn = np.array(cells[:6], dtype=float).T
    results = Meetings(first, second, won + lost + drawn, won + drawn / 2, drawn)
    assume(drawn.sum() > 0)
    fitted = maximum_likelihood(results, groups_of(3, results).held)
    lead = fitted.strengths[first] - fitted.strengths[second] + fitted.advantage
    points, draws = chances(lead, fitted.tie)
    surplus = results.points - results.games * points
    assert surplus.sum() == pytest.approx(HELD * fitted.advantage, abs=1e-6)
    for player in range(3):
        assert surplus[first == player].sum() == pytest.approx(
            surplus[second == player].sum(), abs=1e-6
        )
    assert (results.games * draws).sum() == pytest.approx(drawn.sum(), abs=1e-6)


def test_of_two_players_the_difference_is_the_elo_of_the_score_near_equality() -> None:
    for draws in (0, 200, 2000):
        wins, losses = 110, 90
        points = {
            (first, second, "o", half): games
            for first, second, games_by_half in (
                ("a", "b", (losses, draws, wins)),
                ("b", "a", (wins, draws, losses)),
            )
            for half, games in enumerate(games_by_half)
            if games
        }
        a, b = rate("ab", points).players
        expected = elo(score([losses, draws, wins]))
        assert a.elo - b.elo == pytest.approx(expected, rel=0.01)


def test_the_mean_is_zero_and_an_anchor_has_its_elo() -> None:
    points = drawn_at_random("abcd", 20)
    free, held = rate("abcd", points), rate("abcd", points, anchor=("b", 2000))
    assert sum(player.elo for player in free.players) == pytest.approx(0, abs=1e-9)
    b = by_name(held)["b"]
    assert (b.low, b.elo, b.high) == (2000, 2000, 2000)
    for name, rating in by_name(held).items():
        distance = by_name(free)[name].elo - by_name(free)["b"].elo
        assert rating.elo - 2000 == pytest.approx(distance)


def test_copies_of_an_opening_say_nothing_new_and_more_openings_do() -> None:
    once, more = drawn_at_random("abc", 20), drawn_at_random("abc", 80)
    twice = {result: 2 * games for result, games in once.items()}
    widths = [
        np.mean([player.high - player.low for player in rate("abc", points).players])
        for points in (once, twice, more)
    ]
    assert widths[1] == pytest.approx(widths[0], rel=0.05)
    assert 0.35 * widths[0] < widths[2] < 0.65 * widths[0]


def test_few_openings_are_paid_for_with_students_t() -> None:
    shares = [1.0, 0.0, 0.5, 0.5]
    points: Points = {}
    for opening, share in enumerate(shares):
        points["a", "b", str(opening), 2 if share else 0] = 1
        points["b", "a", str(opening), 0 if share == 1 else 2] = 1
    a, _ = rate("ab", points).players
    error = np.std(shares, ddof=1) / math.sqrt(len(shares))
    # A player's Elo is half the difference, and a share of one is worth 4 units near equality.
    expected = 4 * UNIT / 2 * error * student.ppf(0.975, len(shares) - 1)
    assert a.high - a.low == pytest.approx(2 * expected, rel=0.01)


@pytest.mark.slow
def test_intervals_are_those_of_leaving_out_each_opening_in_turn() -> None:
    random, names, openings = np.random.default_rng(3), "0123", 120
    strengths = np.array([1.5, 0.5, -0.5, -1.5])
    points = played(random, strengths, 0.0, random.normal(1.0, 0.5, openings))
    without = [
        [
            player.elo
            for player in rate(
                names, {kind: games for kind, games in points.items() if kind[2] != str(left_out)}
            ).players
        ]
        for left_out in range(openings)
    ]
    error = np.std(without, axis=0) * (openings - 1) / math.sqrt(openings - 1)
    widths = [player.high - player.low for player in rate(names, points).players]
    quantile = student.ppf(0.975, openings - 1)
    assert widths == pytest.approx(list(2 * quantile * error), rel=0.03)


def test_of_an_anchor_that_played_on_few_openings_nobody_is_sure() -> None:
    meeting = {("a", "x"): (2, 0, 1), ("x", "a"): (1, 1, 0)}
    met = {
        (*seats, str(opening), half): 1
        for seats, halves in meeting.items()
        for opening, half in enumerate(halves)
    }
    alone = by_name(rate("ax", met, anchor=("x", 0)))["a"]
    among = by_name(rate("abx", met | drawn_at_random("ab", 300), anchor=("x", 0)))
    apart = rate("abxcd", met | drawn_at_random("ab", 300) | drawn_at_random("cd", 300), ("x", 0))
    assert by_name(apart)["c"].high - by_name(apart)["c"].low < 200, "not measured from it"
    for name in "ab":
        assert among[name].high - among[name].low > 0.8 * (alone.high - alone.low)


def test_who_never_met_is_not_compared() -> None:
    points = drawn_at_random("ab", 10) | drawn_at_random("xy", 10)
    found = rate("axbyz", points, anchor=("x", 500))
    assert [player.group for player in found.players] == [1, 2, 1, 2, 3]
    ratings = by_name(found)
    assert ratings["a"].elo == pytest.approx(-ratings["b"].elo)
    assert ratings["x"].elo == 500
    assert ratings["z"].elo == 0
    assert ratings["z"].high - ratings["z"].low == pytest.approx(2 * ELO_LIMIT)
    for name in "ab":
        alone = by_name(rate("ab", drawn_at_random("ab", 10)))[name]
        width = alone.high - alone.low
        assert ratings[name].high - ratings[name].low == pytest.approx(width, rel=0.01)


def grouped(players: int, *games: tuple[int, int, float]) -> Groups:
    """The groups after these games: first, second, and the points of the first."""
    first, second, points = map(np.array, zip(*games, strict=True))
    ones = np.ones(len(games))
    return groups_of(players, Meetings(first, second, ones, points.astype(float), 0 * ones))


def test_a_loose_player_is_lent_one_game_spread_over_its_core_and_both_colours() -> None:
    groups = grouped(4, (0, 1, 0.5), (1, 2, 0.5), (0, 3, 1), (3, 1, 0))
    assert list(groups.loose) == [False, False, False, True]
    assert list(groups.held[0]) == pytest.approx([1 / 3, 1 / 3, 1 / 3, 0])
    expected = np.zeros((4, 4))
    expected[3, :3] = expected[:3, 3] = 1 / 6
    assert groups.links == pytest.approx(expected)


def test_where_no_part_is_the_largest_each_is_lent_a_game_with_the_others_not_with_itself() -> None:
    groups = grouped(3, (0, 1, 1), (1, 2, 1), (0, 2, 1))
    assert groups.loose.all()
    assert list(groups.held[0]) == pytest.approx([1 / 3] * 3)
    # Of three games lent, each two players have one: half of it in either colour.
    assert groups.links == pytest.approx((1 - np.eye(3)) / 2)


def test_who_lost_everything_is_far_below_and_moves_nobody() -> None:
    points = drawn_at_random("abc", 50)
    lost = round_robin({"ad": 2, "bd": 2, "cd": 2, "da": 0, "db": 0, "dc": 0}, 50)
    without, found = by_name(rate("abc", points)), by_name(rate("abcd", points | lost))
    assert -1500 < found["d"].elo < -800
    assert found["d"].high < -400
    assert found["d"].low == found["d"].elo - ELO_LIMIT
    for name, rating in without.items():
        assert found[name].elo == pytest.approx(rating.elo, abs=2)
        assert found[name].high == pytest.approx(rating.high, abs=2)


def test_from_an_anchor_that_lost_everything_nobody_is_known() -> None:
    points = drawn_at_random("abc", 50) | round_robin({"ad": 2, "da": 0}, 50)
    found = by_name(rate("abcd", points, anchor=("d", 0)))
    assert found["d"].low == found["d"].high == 0
    assert found["a"].high - found["a"].low == pytest.approx(2 * ELO_LIMIT)


def test_who_won_everything_is_as_far_above_as_below_whatever_the_first_move_is_worth() -> None:
    random = np.random.default_rng(0)
    points = played(random, np.zeros(3), 0.0, random.normal(2.0, 0.5, 300))
    won = {"3" + name: 2 for name in "012"} | {name + "3": 0 for name in "012"}
    lost = {pair: 2 - half for pair, half in won.items()}
    above, below = (
        by_name(rate("0123", points | round_robin(results, 10)))["3"].elo for results in (won, lost)
    )
    assert above == pytest.approx(-below, rel=0.02)


def test_where_two_parts_are_the_largest_nobody_is_known() -> None:
    across = {one + other: 2 for one, other in ("ac", "ad", "bc", "bd", "ae", "be", "ce", "de")}
    across |= {pair[::-1]: 0 for pair in across}
    inside = drawn_at_random("ab", 30) | drawn_at_random("cd", 30, seed=1)
    *players, last = rate("abcde", inside | round_robin(across, 30)).players
    for player in players:
        assert player.high - player.low > 2 * ELO_LIMIT - 1e-6
    assert last.low == last.elo - ELO_LIMIT
    assert max(abs(player.elo) for player in (*players, last)) < 3 * ELO_LIMIT


def test_two_who_beat_two_others_every_time_are_only_known_to_be_better() -> None:
    top, rest = drawn_at_random("ab", 30), drawn_at_random("cd", 30, seed=1)
    across = {one + other: 2 for one in "ab" for other in "cd"}
    across |= {pair[::-1]: 0 for pair in across}
    found = rate("abcd", top | rest | round_robin(across, 30))
    a, b, c, d = found.players
    assert min(a.elo, b.elo) > max(c.elo, d.elo) + 800
    assert all(player.high - player.low > 2 * ELO_LIMIT - 1e-6 for player in found.players)
    assert len({player.group for player in found.players}) == 1


@pytest.mark.parametrize("openings", [8, 20, 200])
def test_of_two_players_alike_on_every_opening_the_interval_is_by_the_score(openings: int) -> None:
    for results, points in (({"ab": 2, "ba": 0}, 2.0), ({"ab": 2, "ba": 2}, 1.0)):
        found = rate("ab", round_robin(results, openings)).players[0]
        pairs = np.full((1, openings), points), np.full((1, openings), 2.0)
        low, high = (elo(float(end[0])) for end in score_ends(*pairs))
        # The mean of both is zero: half of a difference is one player's.
        centre = found.elo if points < 2 else 2 * found.elo
        assert found.low == pytest.approx(found.elo - (centre - low) / 2, abs=1e-6)
        if points < 2:
            assert found.high == pytest.approx(found.elo + (high - centre) / 2, abs=1e-6)
        else:
            assert found.high == found.elo + ELO_LIMIT


@pytest.mark.parametrize("openings", [1, 2])
def test_after_one_or_two_openings_nobody_is_known_to_be_better(openings: int) -> None:
    won = rate("ab", round_robin({"ab": 2, "ba": 0}, openings)).players[0]
    assert won.low < -400
    assert won.high == won.elo + ELO_LIMIT


def lost_games(lost: int, openings: int = 20) -> Points:
    """One player wins all its pairs, but for a number of games, in either colour by turns."""
    points: Points = {}
    for opening in range(openings):
        fails = opening < lost
        points["a", "b", str(opening), 0 if fails and opening % 2 else 2] = 1
        points["b", "a", str(opening), 2 if fails and opening % 2 == 0 else 0] = 1
    return points


@pytest.mark.parametrize("openings", [8, 20, 40, 100])
def test_the_better_result_is_never_the_worse_bound(openings: int) -> None:
    found = [rate("ab", lost_games(lost, openings)).players[0] for lost in range(openings // 2)]
    for better, worse in pairwise(found):
        assert better.low >= worse.low
        assert better.high >= worse.high


@pytest.mark.parametrize("openings", [8, 20, 50])
def test_among_several_players_the_better_result_is_hardly_a_worse_bound(openings: int) -> None:
    rest = drawn_at_random("pqrst", openings)
    meetings = [(other, str(opening)) for opening in range(openings) for other in "pqrst"]
    lows = []
    for lost in range(12):
        points: Points = {}
        for i, (other, opening) in enumerate(meetings):
            fails = lost and i % (len(meetings) // lost) == 0
            points["x", other, opening, 0 if fails and i % 2 else 2] = 1
            points[other, "x", opening, 2 if fails and i % 2 == 0 else 0] = 1
        lows.append(by_name(rate("pqrstx", rest | points))["x"].low)
    assert lows[0] == max(lows), "all wins"
    assert max(worse - better for better, worse in pairwise(lows)) < 40


@pytest.mark.slow
@given(
    st.dictionaries(
        st.tuples(
            *[st.sampled_from("abcde")] * 2, st.sampled_from("xyz"), st.integers(0, 2)
        ).filter(lambda key: key[0] != key[1]),
        st.integers(1, 1000),
    ),
    st.none() | st.tuples(st.sampled_from("abcde"), st.floats(-3000, 3000)),
)
@example(
    {(*pair, "x", 1): 1 for pair in ("ab", "ac", "ae", "cb")}
    | {("b", "a", "x", 1): 816, ("b", "c", "x", 0): 51},
    None,
)
def test_any_results_have_ratings_inside(points: Points, anchor: tuple[str, float] | None) -> None:
    found = rate("abcde", points, anchor)
    for player in found.players:
        assert math.isfinite(player.low)
        assert math.isfinite(player.high)
        assert player.low <= player.elo + 1e-6
        assert player.elo - 1e-6 <= player.high
    assert math.isfinite(found.advantage)
    assert 0 <= found.draws <= 1


def played(
    random: np.random.Generator, strengths: np.ndarray, tie: float, worth: Sequence[float]
) -> Points:
    """A round robin on openings that are worth this many Elo to the first player."""
    pairs = list(permutations(range(len(strengths)), 2))
    points: Points = {}
    for opening, advantage in enumerate(worth):
        lead = np.array([strengths[i] - strengths[j] for i, j in pairs]) + advantage
        mean, draw = chances(lead, tie)
        chance = random.random(len(pairs))
        halves = np.where(chance < mean - draw / 2, 2, chance < mean + draw / 2)
        for (i, j), half in zip(pairs, halves, strict=True):
            points[str(i), str(j), str(opening), int(half)] = 1
    return points


def shares(*counts: int) -> tuple[Floats, Floats]:
    """One player's points of two games each on openings: first drawn ones, then won, then lost."""
    points = np.repeat([1.0, 2.0, 0.0], counts)
    return points[None], np.full((1, len(points)), 2.0)


@pytest.mark.parametrize(
    ("counts", "weight"),
    [
        ((100, 2, 0), 1),  # alike but for two
        ((100, 2, 1), 3 / 4),
        ((100, 2, 2), 1 / 2),
        ((100, 3, 2), 1 / 4),
        ((100, 3, 3), 0),  # six that differ are enough, however many are alike
        ((9, 3, 0), 3 / 4),
        ((6, 2, 0), 1),  # of few openings, a quarter may differ
        ((5, 2, 1), 1 / 2),
        ((4, 2, 2), 0),  # and half of them are enough
    ],
)
def test_a_players_own_score_counts_the_less_the_more_its_openings_differ(
    counts: tuple[int, int, int], weight: float
) -> None:
    assert uniformity(*shares(*counts)) == pytest.approx([weight])


EVEN = {"ab": 2, "ba": 2, "bc": 2, "cb": 2, "ac": 2, "ca": 2}
A_WINS = EVEN | {"ba": 0, "ca": 0}


def test_ratings_that_faults_carry_are_marked() -> None:
    """`a` wins all; without faults, or with these games drawn, all are equal."""
    ahead, even = round_robin(A_WINS, 20), round_robin(EVEN, 20)
    assert not any(each.doubtful for each in rate_with_faults("abc", alike(ahead)).players)
    for views in (FaultViews(ahead, even, ahead), FaultViews(ahead, ahead, even)):
        found = rate_with_faults("abc", views)
        assert [each.elo for each in found.players] == [r.elo for r in rate("abc", ahead).players]
        assert by_name(found)["a"].doubtful
    nothing_left = rate_with_faults("abc", FaultViews[Points](ahead, {}, ahead))
    assert by_name(nothing_left)["a"].doubtful


def test_one_that_crashes_marks_its_own_rating_alone() -> None:
    """Three equal players, and `z`, which loses half of its games by crashes."""
    pairs = [one + two for one, two in permutations("abcz", 2)]
    even = round_robin(dict.fromkeys(pairs, 2), 20)
    lost = {pair: 2 if pair[1] == "z" else 0 for pair in pairs if "z" in pair}
    crashed = round_robin(lost, 10)
    played = {key: games for key, games in even.items() if key[2] >= "5" or "z" not in key[:2]}
    played |= {(one, two, f"x{opening}", half): 1 for (one, two, opening, half) in crashed}
    without = {key: games for key, games in played.items() if not key[2].startswith("x")}
    drawn = without | {(*key[:3], 1): 1 for key in played if key[2].startswith("x")}
    found = rate_with_faults("abcz", FaultViews(played, without, drawn))
    assert [each.name for each in found.players if each.doubtful] == ["z"]


def test_a_lead_over_a_player_that_is_left_without_games_is_marked() -> None:
    ahead = round_robin({"ab": 2, "ba": 0, "bc": 2, "cb": 2}, 20)
    apart = {key: games for key, games in ahead.items() if "a" not in key[:2]}
    sound = rate_with_faults("abc", alike(ahead), over={"a": ["b"], "c": ["b"]})
    assert not any(each.doubtful for each in sound.players)
    views = FaultViews(ahead, apart, ahead)
    found = by_name(rate_with_faults("abc", views, over={"a": ["b"], "c": ["b"]}))
    assert found["a"].doubtful
    assert not found["c"].doubtful


def won(one: str, other: str, *openings: str, back: int = 0) -> Points:
    """One player's win as the first one on each opening, and half points of the other as first."""
    seats = (one, other, 2), (other, one, back)
    return {(a, b, opening, half): 1 for opening in openings for a, b, half in seats}


split = partial(won, back=2)


def is_known(rating: Rating) -> bool:
    return rating.high - rating.low < 2 * ELO_LIMIT - 1


def test_a_newcomer_moves_nobody_and_is_not_known() -> None:
    trio = drawn_at_random("abc", 100)
    alone, found = by_name(rate("abc", trio)), by_name(rate("abcx", trio | split("a", "x", "0")))
    assert not is_known(found["x"])
    assert found["x"].elo == pytest.approx(found["a"].elo, abs=3)
    for name, rating in alone.items():
        assert found[name].elo == pytest.approx(rating.elo, abs=0.5)
        assert found[name].high - found[name].low == pytest.approx(
            rating.high - rating.low, rel=0.05
        )


def test_a_newcomer_is_known_the_better_the_more_openings_it_played() -> None:
    trio = drawn_at_random("abc", 100)
    widths = []
    for openings in (4, 8, 16, 50):
        points = trio | dict.fromkeys(drawn_at_random("ax", openings, seed=1), 1)
        rating = by_name(rate("abcx", points))["x"]
        widths.append(rating.high - rating.low)
    assert widths == sorted(widths, reverse=True)


def test_two_clubs_joined_by_a_pair_are_rated_apart() -> None:
    clubs = drawn_at_random("abc", 100) | drawn_at_random("xyz", 100, seed=1)
    found = rate("abcxyz", clubs | split("a", "x", "0"))
    assert [rating.group for rating in found.players] == [1, 1, 1, 2, 2, 2]
    for name in ("abc", "xyz"):
        assert sum(by_name(found)[each].elo for each in name) == pytest.approx(0, abs=1e-6)
    assert all(map(is_known, found.players))
    assert found.bridges == [Bridge([3, 4, 5], [(3, 0)], 1, is_apart=True)]


@pytest.mark.parametrize("openings", ["0", "01234"])
@pytest.mark.parametrize("clubs", ["abc xyz", "abcd xyz"])
def test_clubs_of_which_one_won_all_of_few_pairs_are_apart(clubs: str, openings: str) -> None:
    one, other = clubs.split()
    inside = drawn_at_random(one, 100) | drawn_at_random(other, 100, seed=1)
    found = rate(one + other, inside | won("a", "x", *openings))
    assert [rating.group for rating in found.players] == [1] * len(one) + [2, 2, 2]
    assert all(rating.high - rating.low < 100 for rating in found.players)
    (bridge,) = found.bridges
    assert (bridge.players, bridge.openings) == ([*range(len(one), len(one) + 3)], len(openings))
    assert bridge.is_apart


def test_two_that_beat_two_others_on_all_openings_are_known_to_be_better() -> None:
    across = won("a", "c", *map(str, range(30))) | won("b", "d", *map(str, range(30)))
    found = rate("abcd", drawn_at_random("ab", 30) | drawn_at_random("cd", 30, seed=1) | across)
    assert {rating.group for rating in found.players} == {1}
    assert by_name(found)["a"].elo > by_name(found)["c"].elo + 500


@pytest.mark.parametrize("halves", [(2, 0), (0, 2), (2, 2)])
def test_a_newcomer_is_named_whatever_it_won(halves: tuple[int, int]) -> None:
    there, back = halves
    pair = {("a", "x", "0", there): 1, ("x", "a", "0", back): 1}
    found = rate("abcx", drawn_at_random("abc", 100) | pair)
    assert found.bridges == [Bridge([3], [(3, 0)], 1, is_apart=False)]
    assert not is_known(by_name(found)["x"])


def test_who_met_only_another_newcomer_is_named_with_that_one() -> None:
    cup = won("x", "y", "0") | won("y", "z", "1")
    found = rate("zyxabc", drawn_at_random("abc", 100) | won("a", "x", "2") | cup)
    assert sorted(each.players[0] for each in found.bridges) == [0, 1, 2]
    assert all(each.meetings and each.openings for each in found.bridges)


def test_who_lost_everything_is_rated_with_those_that_it_met() -> None:
    clubs = drawn_at_random("abc", 100) | drawn_at_random("xyz", 100, seed=1) | split("a", "x", "0")
    lost = won("x", "l", *map(str, range(50))) | won("y", "l", *map(str, range(50)))
    found = by_name(rate("abcxyzl", clubs | lost))
    assert found["l"].group == found["x"].group != found["a"].group
    assert found["l"].high < -300


def test_one_opening_is_one_bridge_however_many_games_were_played_on_it() -> None:
    clubs = drawn_at_random("abc", 100) | drawn_at_random("xyz", 100, seed=1)
    many = {kind: 50 * games for kind, games in split("a", "x", "0").items()}
    found = rate("abcxyz", clubs | many | split("b", "y", "0"))
    assert [rating.group for rating in found.players] == [1, 1, 1, 2, 2, 2]
    (bridge,) = found.bridges
    assert bridge.meetings == [(3, 0), (4, 1)]


def test_in_a_chain_of_clubs_two_weak_bridges_are_no_strong_one() -> None:
    clubs = (
        drawn_at_random("abc", 100)
        | drawn_at_random("mno", 100, seed=1)
        | drawn_at_random("xyz", 100, seed=2)
    )
    found = rate("abcmnoxyz", clubs | split("a", "m", "0") | split("o", "x", "1"))
    assert [rating.group for rating in found.players] == [1, 1, 1, 2, 2, 2, 3, 3, 3]


def test_clubs_that_met_on_some_openings_are_one_group_and_sure_of_themselves() -> None:
    clubs = (
        drawn_at_random("abcd", 100)
        | drawn_at_random("xyz", 100, seed=1)
        | drawn_at_random("ax", 6, seed=2)
    )
    found = rate("abcdxyz", clubs)
    assert {rating.group for rating in found.players} == {1}
    ratings = by_name(found)
    assert sum(ratings[name].elo for name in "abcd") == pytest.approx(0, abs=1e-6)
    assert ratings["b"].high - ratings["b"].low < 100
    assert 200 < ratings["y"].high - ratings["y"].low < 1500
    assert found.bridges == [Bridge([4, 5, 6], [(4, 0)], 6, is_apart=False)]


@pytest.mark.parametrize(("openings", "is_named"), [(15, True), (16, False)])
def test_who_lost_everything_is_named_until_sixteen_openings(openings: int, is_named: bool) -> None:
    lost = won("a", "x", *map(str, range(openings)))
    assert bool(rate("abcx", drawn_at_random("abc", 100) | lost).bridges) == is_named


@pytest.mark.parametrize(("openings", "is_named"), [(9, True), (10, False)])
def test_of_few_openings_half_are_enough(openings: int, is_named: bool) -> None:
    lost = won("a", "x", *map(str, range(openings)))
    assert bool(rate("abcx", drawn_at_random("abc", 20) | lost).bridges) == is_named


@pytest.mark.parametrize("openings", [3, 8, 20])
def test_a_round_robin_has_no_weak_bridge(openings: int) -> None:
    found = rate("abcdef", drawn_at_random("abcdef", openings))
    assert not found.bridges
    assert {rating.group for rating in found.players} == {1}
    assert all(map(is_known, found.players))


def test_from_an_anchor_that_only_one_pair_joins_nobody_else_is_known() -> None:
    points = drawn_at_random("abc", 100) | split("a", "x", "0")
    found = by_name(rate("abcx", points, anchor=("x", 2000)))
    assert found["x"].low == found["x"].high == 2000
    assert not any(is_known(found[name]) for name in "abc")
