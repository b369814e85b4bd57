"""The worth of scores, from games that were made with known scales."""

from __future__ import annotations

import re
from dataclasses import replace
from random import Random

import numpy as np
import pandas as pd
import pytest
from support.game_records import game
from support.reports import Played, report, shown
from support.scored_games import K, scored_games

from arena.engine import MATE
from arena.match.record import OpeningMade
from arena.stats.score_scale import ScoreScale, fitted_scale

NAMES = list(K)


def scales_of(games: list[Played], **given: object) -> pd.DataFrame:
    return report(NAMES, games, **given).scales.set_index("name")


def with_scores(played: Played, change: dict[int, object]) -> Played:
    number, record = played
    words = record.scores.split()
    for place, score in change.items():
        words[place] = str(score)
    return number, replace(record, scores=" ".join(words))


@pytest.mark.slow
def test_known_scales_come_out_within_their_errors_whatever_the_units() -> None:
    inside = []
    for seed in range(40):
        found = scales_of(scored_games(40, seed))
        for name, k in K.items():
            row = found.loc[name]
            reach = ScoreScale(row["k"], row["k_error"], groups=40).reach
            inside.append(abs(row["k"] - k) < reach)
    assert np.mean(inside) > 0.88


@pytest.mark.parametrize("strength", [-2.0, 0.0, 2.0])
def test_a_stronger_opponent_does_not_change_what_scores_are_worth(strength: float) -> None:
    found = scales_of(scored_games(400, 2, strength=strength))
    for name, k in K.items():
        assert abs(found.loc[name, "k"] - k) < 3 * found.loc[name, "k_error"] < 0.4 * k
    assert found.loc["one", "offset"] == pytest.approx(strength, abs=0.5)
    assert (found["calibration_error"] < 0.05).all()
    assert (found["log_loss"] < found["blind_log_loss"] - 0.05).all()


def test_neither_order_nor_faults_nor_copies_nor_seen_wins_change_a_scale() -> None:
    games = scored_games(60, 4)
    found = scales_of(games)
    mixed = games.copy()
    Random(1).shuffle(mixed)
    lost = [(200 + i, replace(each, reason="time", winner=1, round=2)) for i, each in games]
    copied = [(400 + i, replace(each, round=3)) for i, each in games]
    pd.testing.assert_frame_equal(scales_of([*mixed, *lost, *copied]), found)
    # A seen win in place of a score; then one more score that was as good as none.
    seen = [with_scores(each, {11: MATE - 3, 10: 5 - MATE}) for each in games]
    unseen = [with_scores(each, {11: "-", 10: "-"}) for each in games]
    kept = ["games", "positions", "k", "k_error", "offset", "calibration_error"]
    pd.testing.assert_frame_equal(scales_of(seen)[kept], scales_of(unseen)[kept])
    assert scales_of(seen)["seen"].tolist() == [120, 120]


def test_seen_wins_are_true_if_the_game_was_won() -> None:
    games = [with_scores(each, {10: MATE - 3}) for each in scored_games(50, 5)]
    won = sum(record.winner == 1 for _, record in games if record.first == "one")
    assert scales_of(games).loc["one", "seen_true"] == pytest.approx(won / 50)


def no_scale(games: list[Played]) -> list[str]:
    return scales_of(games)["no_scale"].tolist()


def test_a_player_without_a_scale_has_a_reason_and_nothing_else_of_it() -> None:
    games = scored_games(20, 6)
    assert no_scale(games[:6]) == ["too few openings: 3"] * 2
    assert no_scale([(i, replace(each, scores="")) for i, each in games]) == ["no scores"] * 2
    won = [(i, replace(each, winner=1 if each.first == "one" else 2)) for i, each in games]
    assert no_scale(won) == ["all games have one result"] * 2
    level = [with_scores(each, dict.fromkeys(range(12), 0)) for each in games]
    assert no_scale(level) == ["all scores are equal"] * 2
    backwards = [(i, replace(each, winner=3 - (each.winner or 0))) for i, each in games]
    assert no_scale(backwards) == ["the scores do not tell who wins"] * 2
    row = scales_of(won).loc["one"]
    assert row[["k", "k_error", "k_low", "offset", "log_loss"]].isna().all()


@pytest.mark.slow
def test_a_scale_that_is_not_sure_is_shown_and_one_below_0_turns_no_score() -> None:
    games, signs = scored_games(12, 12), set()
    for seed in range(8):
        random = np.random.default_rng(seed)
        by_chance = [(i, replace(each, winner=int(random.integers(1, 3)))) for i, each in games]
        found = report(NAMES, by_chance)
        row = found.scales.set_index("name").loc["one"]
        if row["k_low"] > 0 or row["k_high"] < 0:
            continue
        is_known, moves = bool(row["k"] > 0), found.moves()
        signs.add(is_known)
        assert (row["no_scale"] == "") == ("one" in found.known_scales) == is_known
        told = moves[moves["name"] == "one"]["win_probability"].notna()
        assert told.all() if is_known else not told.any()
        text = shown(found).split("What the scores are worth")[1]
        assert re.search(r"^\s*one .* or more ", text, re.MULTILINE)
    assert signs == {True, False}


def test_reliability_is_that_of_openings_that_were_left_out() -> None:
    """By a twin: of eight openings each is left out alone."""
    games = scored_games(8, 13)
    row = scales_of(games).loc["one"]
    scores, results, groups = [], [], []
    for number, (_, each) in enumerate(games):
        seat = 0 if each.first == "one" else 1
        given = [*map(float, each.scores.split()[seat::2])]
        scores += given
        results += [float(each.winner == seat + 1)] * len(given)
        groups += [number // 2] * len(given)
    values, points, openings = map(np.array, (scores, results, groups))
    losses, blind = [], []
    for opening in range(8):
        rest, own = openings != opening, openings == opening
        expected = fitted_scale(values[rest], points[rest], openings[rest]).expected(values[own])
        mean = (points[rest].sum() + 0.5) / (rest.sum() + 1)
        losses += [*-np.log(np.where(points[own] == 1, expected, 1 - expected))]
        blind += [*-np.log(np.where(points[own] == 1, mean, 1 - mean))]
    assert row["log_loss"] == pytest.approx(np.mean(losses))
    assert row["blind_log_loss"] == pytest.approx(np.mean(blind))


def test_games_that_a_fault_ended_tell_no_scale() -> None:
    games, others = scored_games(40, 4), scored_games(40, 5)
    crashed = [
        (200 + i, replace(each, reason="crash", winner=3 - (each.winner or 0), round=2))
        for i, each in others
    ]
    found = scales_of([*games, *crashed]).sort_index()
    pd.testing.assert_frame_equal(found, scales_of(games).sort_index())


def test_pairs_from_the_first_position_are_each_as_an_opening() -> None:
    games = [(i, replace(each, opening="", round=i)) for i, each in scored_games(30, 7)]
    assert no_scale(games) == ["", ""]
    assert no_scale(games[:8]) == ["too few openings: 4"] * 2


def test_by_swap2_the_games_on_the_suggested_stones_are_as_on_one_opening() -> None:
    games = scored_games(30, 7)
    same = scales_of([(i, replace(each, round=i)) for i, each in games])
    # Both games of a pair were laid otherwise, and begin from other positions.
    laid = [
        (
            i,
            replace(
                each, start=str(i), made=OpeningMade("swap2", 1 + (i - 1) // 2 % 2, each.opening)
            ),
        )
        for i, each in games
    ]
    pd.testing.assert_frame_equal(scales_of(laid), same)
    assert no_scale(laid[:8]) == ["too few openings: 4"] * 2


def test_of_very_many_games_some_are_drawn_always_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    games = scored_games(100, 8)
    monkeypatch.setattr("arena.report.moves.MAX_GAMES", 120)
    found = scales_of(games)
    assert found["games"].tolist() == [120, 120]
    pd.testing.assert_frame_equal(found, scales_of(games))
    assert found.loc["one", "k"] == pytest.approx(K["one"], rel=0.4)


def test_moves_have_their_win_probability() -> None:
    games = scored_games(40, 9)
    games[0] = with_scores(games[0], {0: MATE - 3, 1: 3 - MATE, 2: "-"})
    found = report(NAMES, games)
    moves, k = found.moves(), found.scales.set_index("name")["k"]
    assert list(moves["game"].unique()) == list(range(1, 81))
    assert moves["win_probability"][:2].tolist() == [1.0, 0.0]
    assert np.isnan(moves["win_probability"][2])
    row = moves.iloc[20]
    expected = 1 / (1 + np.exp(-k[row["name"]] * row["score"]))
    assert row["win_probability"] == pytest.approx(expected)
    _, record = games[int(row["game"]) - 1]
    assert record.moves.split()[row["ply"] - 1] == row["move"]
    assert row["name"] == (record.first, record.second)[(row["ply"] - 1) % 2]
    without = [(1, replace(game("one", "two", 1), times="1", nodes="1", depths="1", scores="7"))]
    assert report(NAMES, without).moves()["win_probability"].isna().all()


def test_the_text_tells_at_which_score_three_of_four_games_are_won() -> None:
    found = report(NAMES, scored_games(200, 10))
    text = shown(found)
    k = found.scales.set_index("name").loc["one", "k"]
    lines = text.split("What the scores are worth")[1].splitlines()
    row = next(line.split() for line in lines if line.lstrip().startswith("one "))
    assert float(row[1].replace(",", "")) == pytest.approx(np.log(3) / k, rel=0.01)
    assert float(row[2].replace(",", "")) == pytest.approx(np.log(19) / k, rel=0.01)


def test_players_that_stay_in_their_units_are_told_with_the_reason() -> None:
    text = shown(report(NAMES, scored_games(4, 11)))
    assert re.search(r"Left in their own units: \w+, too few openings: 4; \w+, too few op", text)
    assert "What the scores are worth" not in shown(report(NAMES, [(1, game("one", "two", 1))]))
