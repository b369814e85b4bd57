"""The trials of a study: equal with any workers, within the budget, on common openings."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from statistics import fmean, variance
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest
from scipy.stats import wilcoxon
from support.played_trials import OPENINGS, PLAN, SPACE, play, played, results_of

from arena.format import Pairing
from arena.game import Outcome
from arena.match.game_row import row_of
from arena.match.pairs import Results
from arena.match.record import record
from arena.plugins.load import factory
from arena.stats.elo import ELO_LIMIT, elo, expected_score
from arena.tuning.method import Advice, Plan, Trial, TrialResult
from arena.tuning.settings.conditions import Condition, Spread
from arena.tuning.space import Values
from arena.tuning.study import StudyProgress, trial_text
from arena.tuning.trials import BLOCKS, EVERY, FIRST_TEST, Stopping, Told, Trials, answer_to


def study(
    plan: Plan = PLAN,
    method: str = "spsa",
    opponents: Sequence[str] = (),
    openings: Sequence[str] = OPENINGS,
    stopping: Stopping | None = None,
) -> Trials:
    tuner = factory("method", method)(SPACE, plan)
    return Trials(plan, tuner, opponents, openings, stopping)


KINDS = [
    ("spsa", ()),
    ("ascent", ()),
    ("spsa", ("a", "b")),
    ("random", ("a",)),
    ("tpe", ("a", "b")),
    ("qmc", ("default",)),
]
kinds = pytest.mark.parametrize(("method", "opponents"), KINDS)


@kinds
@pytest.mark.parametrize("workers", [pytest.param(2, marks=pytest.mark.slow), 8])
def test_many_workers_play_as_one_does(method: str, opponents: Sequence[str], workers: int) -> None:
    alone = study(method=method, opponents=opponents)
    together = study(method=method, opponents=opponents)
    games = play(alone, 1)
    assert sorted(map(str, play(together, workers, seed=workers))) == sorted(map(str, games))
    assert together.told == alone.told
    assert together.tuner.recommend() == alone.tuner.recommend()
    assert alone.is_over
    assert together.is_over


@pytest.mark.slow
def test_it_is_the_same_with_early_stops_though_more_games_are_played() -> None:
    plan = replace(PLAN, budget=4000, games=120)
    found = []
    for workers in (1, 2, 8):
        trials = study(plan, "random", ("a",), stopping=Stopping(0.2))
        play(trials, workers, seed=workers)
        found.append((trials.told, trials.tuner.recommend()))
    assert any(told.is_stopped for told in found[0][0])
    assert len(found[0][0]) > plan.trials
    assert len({told.openings[0] for told in found[0][0]}) == BLOCKS
    assert found[0] == found[1] == found[2]


def test_points_that_are_compared_never_end_early() -> None:
    plan = replace(PLAN, budget=720, games=60)
    trials = study(plan, openings=OPENINGS[:30], stopping=Stopping(0.5))
    assert len(play(trials, 1)) == 720
    assert not any(told.is_stopped for told in trials.told)


@pytest.mark.parametrize(
    ("method", "opponents"),
    [KINDS[0], *(pytest.param(*kind, marks=pytest.mark.slow) for kind in KINDS[1:])],
)
def test_stopped_anywhere_it_goes_on_to_the_same_end(method: str, opponents: Sequence[str]) -> None:
    whole = study(method=method, opponents=opponents)
    all_games = play(whole, 3)
    for end in (1, 50, len(all_games) - 1):
        broken = study(method=method, opponents=opponents)
        kept = play(broken, 3, games=end)
        again = study(method=method, opponents=opponents)
        names = {(game.first, game.second, game.opening, game.round) for game in kept}
        results = results_of(kept)
        for job in again.jobs(results):
            assert job is not None
            if (job.first, job.second, job.opening, job.round) not in names:
                results.add(row_of(played(job)))
        assert again.told == whole.told
        assert again.tuner.recommend() == whole.tuner.recommend()


def test_a_trial_is_asked_once_the_one_so_many_before_is_told() -> None:
    for lag in (1, 3, 7):
        trials = study(replace(PLAN, lag=lag))
        results, started = Results(), set()
        for job in trials.jobs(results):
            assert job is not None
            started.add(job.round)
            assert max(started) - len(trials.told) <= lag
            results.add(row_of(played(job)))


def test_without_results_only_the_first_trials_are_given_out() -> None:
    jobs, first = list(islice(study().jobs(Results()), 100)), PLAN.lag * PLAN.games
    assert [job is None for job in jobs] == [False] * first + [True] * (100 - first)


@kinds
@pytest.mark.parametrize("budget", [8, 239])
def test_the_budget_without_copies(method: str, opponents: Sequence[str], budget: int) -> None:
    plan = replace(PLAN, budget=budget)
    trials = study(plan, method, opponents)
    games = play(trials, 2)
    assert len(games) == sum(told.games for told in trials.told) <= budget
    assert len(games) + plan.games > budget
    keys = Counter((game.first, game.second, game.opening, game.round) for game in games)
    assert max(keys.values()) == 1


def test_every_match_of_a_trial_is_on_the_same_openings_colours_swapped() -> None:
    games = play(study(opponents=("a", "b"), plan=replace(PLAN, games=16)), 1)
    first = [game for game in games if game.round == 1]
    points = {name for game in first for name in (game.first, game.second)} - {"a", "b"}
    assert len(points) == 2
    meetings = Counter((game.first, game.second, game.opening) for game in first)
    for point in points:
        for opponent in ("a", "b"):
            for opening in ("0", "1"):
                assert meetings[point, opponent, opening] == 1
                assert meetings[opponent, point, opening] == 1
    assert len(first) == 16


def test_points_that_are_compared_get_new_openings_which_come_again_once_all_were_met() -> None:
    trials = study()
    play(trials, 1)
    openings = [opening for told in trials.told for opening in told.openings]
    assert openings == OPENINGS[: len(openings)]
    trials = study(openings=OPENINGS[:6])
    play(trials, 1)
    assert trials.told[0].openings == ["0", "1", "2", "3"]
    assert trials.told[1].openings == ["4", "5", "0", "1"]


def test_points_that_are_measured_share_openings_which_change_with_the_budget() -> None:
    trials = study(method="random", opponents=("a",))
    play(trials, 1)
    blocks = Counter(tuple(told.openings) for told in trials.told)
    assert len(blocks) == BLOCKS
    assert len({opening for block in blocks for opening in block}) == BLOCKS * PLAN.games // 2
    assert max(blocks.values()) - min(blocks.values()) <= 1


def test_what_a_trial_is_told_is_what_was_played() -> None:
    trials = study(method="random", opponents=("a",))
    games = play(trials, 1)
    for told in trials.told:
        results = results_of([game for game in games if game.round == told.trial.number + 1])
        first = games[told.trial.number * 8]
        name = first.first if first.first != "a" else first.second
        pairings = [Pairing(name, "a", opening, told.trial.number + 1) for opening in told.openings]
        points = results.points(pairings)
        assert points is not None
        assert told.answer.elo == elo((sum(points) / 4 + 0.25) / 4.5)
        assert [sum(p == k for p in points) for k in range(5)] == list(told.pentanomial[0])


@pytest.mark.parametrize("method", ["tpe", "cmaes", "random", "qmc"])
def test_the_estimate_of_a_point_alone_is_its_own_result_over_the_default(method: str) -> None:
    """Luck of the first trial, the default against itself, is no gain of those that follow."""
    trials = study(method=method, opponents=("default",))
    play(trials, 1)
    assert trials.told[0].answer.elo != 0
    assert [told.estimate for told in trials.told] == [told.answer.elo for told in trials.told]


def test_against_opponents_it_is_the_lead_on_the_default_against_these() -> None:
    trials = study(method="random", opponents=("a", "b"))
    play(trials, 1)
    won = [told.answer.elo for told in trials.told]
    assert [told.estimate for told in trials.told] == [each - won[0] for each in won]


def test_points_that_meet_opponents_say_as_much_as_a_quarter_of_the_pairs_between_them() -> None:
    """Each difference has the noise of two results, and halves what a pair between them tells."""
    draw = random.Random(0)

    def answer(matches: int, openings: int, points: int = 2) -> TrialResult:
        played = [draw.choices([0.0, 0.25, 0.5, 0.75, 1.0], k=matches) for _ in range(openings)]
        return answer_to(points, played)

    for opponents in (1, 3):
        met = [answer(2 * opponents, 32) for _ in range(400)]
        (pairs,) = {each.pairs for each in met}
        assert pairs == 2 * opponents * 32 // 4
        direct = [answer(1, pairs) for _ in range(400)]
        assert {each.pairs for each in direct} == {pairs}
        ratio = variance(each.elo for each in met) / variance(each.elo for each in direct)
        assert 0.75 < ratio < 1.3
    assert answer(2, 1).pairs == 1
    assert answer(3, 8, points=1).pairs == 24


def test_points_are_compared_by_their_elo_against_each_opponent() -> None:
    played = [[0.75, 0.5, 0.25, 0.25], [0.5, 0.25, 0.25, 1.0]]
    found = answer_to(2, played)
    one, other = (elo((total + 0.25) / 2.5) for total in (1.25, 0.75))
    third, fourth = (elo((total + 0.25) / 2.5) for total in (0.5, 1.25))
    assert found.elo == pytest.approx((one - other + third - fourth) / 2)
    assert found.score == pytest.approx(expected_score(found.elo))
    assert found.pairs == 2


def test_of_measured_points_the_mean_of_the_best_tenth_is_recommended() -> None:
    tuner = factory("method", "random")(SPACE, PLAN)
    told = []
    for number in range(40):
        trial = tuner.ask()
        told.append((float(number * 7 % 40), trial.points[0]["x"]))
        tuner.tell(trial, TrialResult(told[-1][0], 0.5, 4))
    best = [x for _, x in sorted(told)[-4:]]
    advice = tuner.recommend()[0]
    assert advice.value == pytest.approx(fmean(best))
    assert advice.low is advice.high is None
    assert advice.spread_low == pytest.approx(np.quantile(best, 0.1))
    assert advice.spread_high == pytest.approx(np.quantile(best, 0.9))


class Stubborn:
    """A tuner that only ever asks about the same points, and estimates this."""

    def __init__(self, *xs: float, estimate: float = 0.0) -> None:
        self.points: tuple[Values, ...] = tuple({"x": x} for x in xs)
        self.asked, self.estimate = 0, estimate
        self.answers: list[TrialResult] = []

    def ask(self) -> Trial:
        self.asked += 1
        return Trial(self.asked - 1, {"x": 0.5}, self.points)

    def tell(self, trial: Trial, answer: TrialResult) -> float:
        self.answers.append(answer)
        return self.estimate

    def recommend(self) -> Sequence[Advice]:
        return []


def test_no_elo_of_a_trial_is_beyond_the_most_that_there_is() -> None:
    tuner = Stubborn(0.9, 0.1, estimate=-5000.0)
    trials = Trials(replace(PLAN, budget=64, games=64), tuner, ["a"], OPENINGS, None)
    results = Results()
    for job in trials.jobs(results):
        assert job
        won = 1 if "x=0.9" in job.first or "x=0.1" in job.second else 2
        results.add(row_of(record(job, Outcome(won, "line"), "", str(job))))
    (told,) = trials.told
    assert (told.answer.elo, told.estimate) == (ELO_LIMIT, -ELO_LIMIT)
    assert tuner.answers[0].elo > ELO_LIMIT, "the model learns what came"


def test_two_points_that_are_the_same_play_no_games_and_the_study_ends() -> None:
    tuner = Stubborn(0.5, 0.5)
    trials = Trials(PLAN, tuner, (), OPENINGS, None)
    assert play(trials, 1) == []
    assert trials.is_over
    assert tuner.asked <= PLAN.trials + PLAN.lag + 1
    assert set(tuner.answers) == {TrialResult(0.0, 0.5, 0)}
    assert all(isinstance(told, Told) and told.games == 0 for told in trials.told)


def scores(*points: int) -> list[list[float]]:
    return [[each / 4] for each in points]


def test_a_trial_that_loses_where_the_best_won_ends_early() -> None:
    stopping = Stopping(0.03)
    names = OPENINGS[:60]
    stopping.learn(names, scores(*[3, 4] * 30), 200.0)
    fresh = stopping.against(names)
    bad = scores(*[1, 0] * 30)
    assert not any(fresh.is_due(bad[:n]) for n in range(FIRST_TEST))
    assert [n for n in range(61) if fresh.is_due(bad[:n])] == list(range(FIRST_TEST, 60, EVERY))
    assert not any(fresh.is_due(scores(*[3, 4] * 30)[:n]) for n in range(61))
    assert not any(stopping.against(OPENINGS[1:61]).is_due(bad[:n]) for n in range(61))


def test_a_trial_ends_early_where_wilcoxon_s_p_is_below_the_limit() -> None:
    rival, own = [2, 3, 1, 4] * 10, [2, 2, 2, 3, 1] * 8
    gains = [(one - other) / 4 for one, other in zip(own[:30], rival, strict=False)]
    p = float(wilcoxon(gains, alternative="less", zero_method="zsplit").pvalue)
    assert 0.01 < p < 0.3
    for limit, is_due in ((1.01 * p, True), (0.99 * p, False)):
        stopping = Stopping(limit)
        stopping.learn(OPENINGS[:40], scores(*rival), 0.0)
        assert stopping.against(OPENINGS[:40]).is_due(scores(*own[:30])) is is_due


def test_against_several_opponents_the_mean_on_each_opening_is_compared() -> None:
    stopping, names = Stopping(0.03), OPENINGS[:60]
    stopping.learn(names, [[0.5, 1.0], [1.0, 0.25]] * 30, 200.0)
    fresh = stopping.against(names)
    assert not fresh.is_due([[1.0, 0.5], [0.25, 1.0]] * 15)
    assert fresh.is_due([[0.75, 0.5], [0.5, 0.5]] * 15)


def test_a_trial_that_wins_where_the_best_lost_is_played_to_its_end() -> None:
    stopping = Stopping(0.05)
    stopping.learn(OPENINGS[:60], scores(*[1, 0] * 30), -200.0)
    fresh = stopping.against(OPENINGS[:60])
    for better in ([3, 4] * 30, [2] * 60, [1, 1] * 30):
        assert not any(fresh.is_due(scores(*better)[:n]) for n in range(61))


def test_the_best_trial_is_the_one_to_beat() -> None:
    stopping = Stopping(0.03)
    names = OPENINGS[:60]
    stopping.learn(names, scores(*[4] * 60), 400.0)
    before = stopping.against(names)
    stopping.learn(names, scores(*[0] * 60), -400.0)
    middling = scores(*[2] * 60)
    assert stopping.against(names).is_due(middling[:30])
    assert before.is_due(middling[:30])


@pytest.mark.slow
def test_trials_as_good_as_the_best_are_rarely_ended() -> None:
    # The rate that was measured for p from 0.02 to 0.05: at most some per cent at zero difference.
    random_points, ended = random.Random(0), 0
    for _ in range(100):
        rival, own = (random_points.choices([0, 1, 2, 2, 3, 4], k=100) for _ in range(2))
        stopping = Stopping(0.03)
        stopping.learn(OPENINGS[:100], scores(*rival), 0.0)
        fresh = stopping.against(OPENINGS[:100])
        ended += any(fresh.is_due(scores(*own)[:n]) for n in range(100))
    assert ended < 25


@pytest.mark.parametrize(
    ("method", "rivals", "label", "lines"),
    [
        ("spsa", [], "", {"plus - minus: ", "minus - plus: "}),
        ("spsa", [], "depth=3", {"plus at depth=3 - minus at depth=3: "}),
        ("spsa", ["a"], "", {"plus - a: ", "a - minus: "}),
        ("random", ["default"], "", {"point - default: ", "default - point: "}),
    ],
)
def test_the_players_of_a_game_are_named_by_their_sides(
    method: str, rivals: Sequence[str], label: str, lines: set[str]
) -> None:
    tuner, spread = factory("method", method)(SPACE, PLAN), Spread([Condition(label)])
    trials = Trials(PLAN, tuner, rivals, OPENINGS, None, spread)
    config: Any = SimpleNamespace(plan=PLAN, space=SPACE)
    results, shown = Results(), set[str]()
    for number, job in enumerate(trials.jobs(results), start=1):
        assert job
        record = played(job)
        results.add(row_of(record))
        trials.advance(results)
        sides = trials.sides(record.round)
        progress = StudyProgress(
            games=number, total=24, record=record, config=config, told=trials.told, sides=sides
        )
        shown.add(re.split("1-0|0-1|draw", progress.last_game)[0])
    assert lines <= shown
    assert not any("=" in line.replace("depth=3", "") for line in shown)


def test_parameters_have_four_significant_digits() -> None:
    told = SimpleNamespace(
        trial=SimpleNamespace(number=0, centre={"x": 0.123456, "n": 12345}),
        estimate=12.4,
        games=8,
        is_doubtful=False,
        faulty_games=0,
        copy_of=None,
    )
    assert trial_text(cast(Any, told)) == "trial 1: +12 Elo at x=0.1235 n=12,345"
