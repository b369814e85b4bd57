"""Runs that `python -m claims` makes up are what they are said to be, and no claim is missed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from arena.format import Pairing
from arena.report.verdict import Conclusion
from arena.stats.elo import QUANTILE, TAIL
from arena.tuning.settings.reader import read_users_study
from claims import advice, attempts, faults, looks, power, sequential
from claims.cells import Cell, Outcome, at_most, counted, table
from claims.looks import NEAR, Chance, Match, best_places, sums
from claims.made_runs import (
    MadePairs,
    MadeRun,
    Plan,
    Read,
    World,
    compared,
    favoured_by,
    is_claim,
    made_run,
    rated,
    reported,
    tail_of,
)

CRASHES = World("crashes", draws=0.3, crashes=0.3)
STRONG = World("strong", lead=200)


def read(run: MadeRun, pairs: int) -> Read:
    return Read(run.at(pairs), (Plan(pairs),))


def test_the_bound_is_that_of_clopper_and_pearson() -> None:
    from scipy.special import bdtr

    for claims, runs in ((0, 1_500), (84, 1_500), (3, 4)):
        assert bdtr(claims, runs, at_most(claims, runs)) == pytest.approx(0.05)
    assert at_most(5, 5) == 1


def test_games_of_a_made_run_are_those_of_its_world() -> None:
    run = made_run(CRASHES, [1], 400).at(400)
    (made,) = run.pairings.values()
    row = run.tally.standing("a")
    assert row.wins + row.draws / 2 == made.halves.sum() / 2
    assert row.won_by_faults == made.crashed.sum() == pytest.approx(0.3 * 800, rel=0.15)
    assert row.draws == pytest.approx(0.7 * 0.3 * 800, rel=0.15)
    assert row.distinct_pairs == 400


def test_a_bias_makes_players_win_with_the_same_colour() -> None:
    split = []
    for bias in (0, 400):
        (made,) = made_run(World("biased", bias=bias), [2], 500).pairings.values()
        split.append((made.halves.sum(axis=1) == 2).mean())
    assert split[0] == pytest.approx(0.5, abs=0.07)
    assert split[1] > 0.6


def test_a_run_goes_back_and_forth() -> None:
    run = made_run(STRONG, [3], 60)
    at_once = made_run(STRONG, [3], 60).at(40).tally.standing("a")
    assert run.at(60).at(40).tally.standing("a") == at_once
    assert run.at(60).tally.games == 120


def test_views_have_no_faults() -> None:
    one = read(made_run(CRASHES, [4], 100), 100)
    without, drawn = one.without_faults(), one.with_faults_drawn()
    crashed = one.run.tally.faults["b"].total()
    assert crashed == one.run.tally.won_by_faults["a"] > 0
    assert not any(each.run.tally.faulty for each in (without, drawn))
    assert drawn.run.tally.games == 200 > without.run.tally.games
    draws = [each.run.tally.standing("a").draws for each in (one, drawn)]
    assert draws[1] == draws[0] + crashed


def test_an_earlier_look_is_paid_for() -> None:
    once, again = (Plan(50),), (Plan(100), Plan(50))
    assert tail_of(again) < tail_of(once) == TAIL


def test_claims_are_told_from_other_verdicts() -> None:
    run = made_run(STRONG, [5], 100)
    one, other = read(run, 100), read(made_run(World("weak", lead=-200), [5], 100, 1), 100)
    assert [favoured_by(ask(one)) for ask in (reported, rated)] == ["a", "a"]
    assert favoured_by(compared(one, other)) == "b"
    begun = reported(Read(run.at(50), (Plan(100, False),)))
    assert not is_claim(begun)
    assert favoured_by(Conclusion("a lost 20 Elo on b", tone="bad")) == "-a"


def test_no_moment_beyond_the_tail_is_missed() -> None:
    chances = [Chance(pairs, (Plan(pairs),)) for pairs in range(2, 150)]
    tails = np.full(len(chances), TAIL)
    seen = 0
    for seed in range(12):
        match = Match(made_run(looks.WORLDS[seed % 2], [seed], 150))
        los = match.los([each.pairs for each in chances])
        beyond = np.flatnonzero(np.minimum(los, 1 - los) <= TAIL) + 2
        found = [each.pairs for each in match.best(chances, tails)]
        assert set(found) <= set(beyond.tolist())
        assert all(any(pairs / 1.11 <= each <= pairs * 1.11 for each in found) for pairs in beyond)
        seen += len(found)
    assert seen


@pytest.mark.parametrize("is_gain", [False, True])
def test_the_best_places_of_two_runs_are_found(is_gain: bool) -> None:
    runs = [next(iter(made_run(STRONG, [6], 60, number).pairings.values())) for number in (0, 1)]
    one, two = (sums(made.halves) for made in runs)
    places = best_places(one, two, is_gain=is_gain)

    def z(i: int, j: int) -> float:
        if not is_gain:
            return float((one.lead[i] + two.lead[j]) / (one.variance[i] + two.variance[j]) ** 0.5)
        gain = two.lead[j] / (j + 1) - one.lead[i] / (i + 1)
        error = one.variance[i] / (i + 1) ** 2 + two.variance[j] / (j + 1) ** 2
        return float(abs(gain) / error**0.5)

    seen = [z(*each) for each in places]
    most = max(z(i, j) for i in range(60) for j in range(60))
    assert seen == sorted(seen, reverse=True)
    assert seen[:1] == ([pytest.approx(most)] if most >= NEAR * QUANTILE else [])


def test_each_table_has_a_column_for_each_reading(monkeypatch: pytest.MonkeyPatch) -> None:
    for module, planned in ((looks, (60,)), (faults, (12,))):
        monkeypatch.setattr(module, "PLANNED", planned)
    monkeypatch.setattr(looks, "WORLDS", looks.WORLDS[:1])
    monkeypatch.setattr(faults, "FIELDS", ("ab", "abc"))
    monkeypatch.setattr(faults, "SHARES", (0.2,))
    for module, rows in ((looks, 15), (faults, 8)):
        head, rule, *found = module.lines(range(1), 1)
        assert len(found) == rows
        assert len({each.count(" | ") for each in (head, *found)}) == 1
        assert rule.count("|") == head.count(" | ") + 2
        assert all(row.split(" | ")[3] == "1" for row in found)


def test_who_follows_the_advice_sees_a_great_lead() -> None:
    assert advice.ends_with_claim(made_run(STRONG, [9], 50))
    assert not advice.ends_with_claim(made_run(World("all drawn", draws=1), [9], 50))


def test_a_test_takes_the_pairs_that_were_made_up() -> None:
    made = MadePairs(World("a crash or two", crashes=0.1), np.random.default_rng(1), 20)
    for number in range(20):
        pairing = Pairing("a", "b", str(number), 1)
        one, other = (
            sequential.MadeResults(made, crashes=each).get(pairing) for each in (False, True)
        )
        assert one.points + other.points == 4
        assert one.points_faults_drawn + other.points_faults_drawn == 4
        assert one.faults[0] == other.faults[1] == 0
    assert sequential.decision(sequential.MadeResults(strong_pairs(), crashes=False)) == "H1"
    assert sequential.decision(sequential.MadeResults(strong_pairs(), crashes=True)) == "H0"


def strong_pairs() -> MadePairs:
    return MadePairs(STRONG, np.random.default_rng(2), sequential.MAX_PAIRS)


def test_pairs_for_a_power_are_interpolated() -> None:
    from scipy.special import ndtr

    shares = ndtr(0.12 * np.sqrt(power.PLANNED) - 1.96)
    assert power.pairs_for(shares) == pytest.approx(((1.96 + 0.8416) / 0.12) ** 2, rel=1e-3)


def test_a_stronger_player_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(power, "PLANNED", (20, 60))
    monkeypatch.setattr(power, "LEAD", 250)
    assert power.simulated(1, 0)[:, -1].all()


@pytest.mark.slow
def test_attempts_are_tests_of_equals(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(attempts, "RETRIES", 2)
    found = attempts.simulated(1)
    told = [(cell.what, column) for cell, column in found]
    assert told == [("attempt 1", "proved"), ("attempt 2", "proved"), ("attempt 2", "numbered")]


def test_studies_of_attempts_differ_by_their_names(tmp_path: Path) -> None:
    engine = tmp_path / "coin.py"
    engine.write_text(attempts.COIN)
    one, other = (read_users_study(attempts.study(name, engine, 7)) for name in ("one", "other"))
    assert list(one.test_openings(5)) == list(other.test_openings(5))
    assert one.verification == other.verification
    assert one.verification["elo1"] == attempts.ELO1


def test_numbers_of_attempts_are_found_in_words() -> None:
    assert attempts.NUMBERED.search("3rd attempt: of three such tests of equals one proves a gain")
    assert not attempts.NUMBERED.search("an attempt after 3 others")


def test_shares_are_shown_with_their_bounds() -> None:
    cell = Cell("once", "toss", 1_000)
    outcomes = [{(cell, "report"): seed < 3} for seed in range(60)]
    *_, row = table(counted(outcomes.__getitem__, range(60), 1))
    assert row == "| once | toss | 1,000 | 60 | 3: 5.0 %, at most 12.4 % | - |"


def test_an_interrupt_leaves_what_was_counted() -> None:
    cell = Cell("once", "toss", 100)

    def simulated(seed: int) -> Outcome:
        if seed == 2:
            raise KeyboardInterrupt
        return {(cell, "report"): True}

    assert counted(simulated, range(5), 1).hits[cell, "report"] == 2
