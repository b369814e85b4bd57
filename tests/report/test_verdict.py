"""The verdict in words: it says no more than the games do, and nothing less."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from support.game_records import game, games_of_numbered, results_of
from support.reports import Played, report, schedule_of

from arena.format import MANY_FAULTS, Field
from arena.formats import sprt
from arena.plugins.load import Named
from arena.report.frames import Report
from arena.report.standings import tally_of
from arena.report.verdict import Extras, RunFacts
from arena.stats.leads import Looks, alike, lead_views

Pair = tuple[str, str, int | None, int | None]
Pairs = list[Pair]

SURE = "No more games are needed to tell."
SMALL = "So small a lead, if any, takes far more games to tell."
MORE = "Play more games, on several openings."
FAULTS = "Mend that first."
SPLIT: Pair = ("a", "b", 1, 1)
LOST: Pair = ("a", "b", 2, 1)
DRAWN: Pair = ("a", "b", None, None)

VALUES: dict[str, Any] = {
    "elo0": 0.0,
    "elo1": 50.0,
    "alpha": 0.05,
    "beta": 0.05,
    "model": "logistic",
    "pairs": 500,
}


def won(pairs: int, one: str = "a", other: str = "b") -> Pairs:
    """Pairs of which `one` wins both games."""
    return [(one, other, 1, 2)] * pairs


def facts(total: int | None = None, format: str = "couples") -> RunFacts:
    """A run, of which some games are still missing if there is a total."""
    return RunFacts("m", Named("gomoku"), Named(format), "", total, total is None)


def match(pairs: Pairs, total: int | None = None, format: str = "couples") -> Report:
    return report(["a", "b"], schedule_of(*pairs), extras=Extras(runs=[facts(total, format)]))


def judged(results: Pairs, elo0: float, elo1: float, **more: Any) -> Report:
    """The report of a test of `a` against `b`."""
    games = schedule_of(*results)
    field = Field(("a", "b"), [str(i) for i in range(len(results))], 1)
    values = VALUES | {"elo0": float(elo0), "elo1": float(elo1)} | more
    rows = sprt.matches(field, results_of(record for _, record in games), **values)
    return report(["a", "b"], games, extras=Extras(matches=rows, runs=[facts(1000, "sprt")]))


MATCHES = [
    (
        match([*won(20), *[SPLIT] * 20, *[LOST] * 5]),
        ("a is better than b: +120 Elo (+38 to +203), LOS 99.8 %, 90 games.", "good", SURE),
    ),
    (
        match([*[LOST] * 20, *[SPLIT] * 20]),
        ("b is better than a: +191 Elo (+113 to +274), LOS above 99.9 %, 80 games.", "good", SURE),
    ),
    (
        match(won(20)),
        (
            "a is better than b: +288 Elo or more, LOS above 99.9 %, 40 games, all won by a.",
            "good",
            SURE,
        ),
    ),
    (
        match(won(20), 100),
        (
            "a leads b so far: +288 Elo or more, LOS above 99.9 %, 40 of 100 games, all won by a; "
            "it counts once all are played.",
            "open",
            "60 games are still to come; arena run goes on with them.",
        ),
    ),
    (
        match([*won(3), *[SPLIT] * 5, LOST]),
        (
            "Not decided: +78 Elo (-99 to +266) for a against b, LOS 82.0 %, 18 games.",
            "open",
            "Plan for 290 games in all, on new openings: if the difference is real, they tell "
            "in four of five cases.",
        ),
    ),
    (
        match([*won(3), *[SPLIT] * 5, LOST], 100),
        (
            "Not decided yet: +78 Elo (-99 to +266) for a against b, LOS 82.0 %, 18 of 100 games.",
            "open",
            "82 games are still to come; arena run goes on with them.",
        ),
    ),
    (
        match([DRAWN] * 20),
        (
            "Not decided: +0 Elo (-56 to +56) for a against b, LOS 50.0 %, 40 games, all drawn.",
            "open",
            SMALL,
        ),
    ),
    (
        match([SPLIT] * 60),
        (
            "Not decided: +0 Elo (-19 to +19) for a against b, LOS 50.0 %, 120 games.",
            "open",
            SMALL,
        ),
    ),
    (
        match(won(20), format="imported"),
        (
            "a is better than b: +288 Elo or more, LOS above 99.9 %, 40 imported games, all won by "
            "a.",
            "good",
            SURE,
        ),
    ),
    (
        report(
            ["a", "human"],
            schedule_of(*won(1, "a", "human")),
            extras=Extras(runs=[replace(facts(format="human"), is_over=False)]),
        ),
        (
            "human won 0 of 2 games: 0 of 2 against a.",
            "open",
            "",
        ),
    ),
    (
        match([], 10),
        (
            "No game was played yet.",
            "open",
            "10 games are still to come; arena run goes on with them.",
        ),
    ),
    (
        match([SPLIT], 3),
        (
            "Not decided yet: too few to tell, 1 distinct pair in 2 of 3 games.",
            "open",
            "1 game is still to come; arena run goes on with it.",
        ),
    ),
]


@pytest.mark.parametrize(("found", "expected"), MATCHES)
def test_who_is_better_by_how_much_how_sure_and_what_next(
    found: Report, expected: tuple[str, str, str]
) -> None:
    verdict = found.verdict
    assert (verdict.sentence, verdict.tone, verdict.next_step) == expected
    assert str(verdict) == f"{expected[0]} {expected[2]}".strip()


def test_copies_of_one_pair_tell_nothing() -> None:
    pairs = [
        replace(each, round=round)
        for round in range(1, 11)
        for each in (game("a", "b", 1, moves="x"), game("b", "a", 2, moves="y"))
    ]
    found = report(["a", "b"], list(enumerate(pairs, start=1))).verdict
    assert (
        found.sentence == "Not decided: too few to tell, 1 distinct pair in 20 games, all won by a."
    )


def test_pairs_on_one_opening_do_not_tell_that_players_are_equal() -> None:
    pairs = [
        each
        for i in range(60)
        for each in (game("a", "b", 1, "0", i, f"x{i}"), game("b", "a", 2, "0", i, f"y{i}"))
    ]
    found = report(["a", "b"], list(enumerate(pairs, start=1))).verdict
    assert (found.text, found.basis) == (
        "Not decided",
        "too few openings to tell, 60 distinct pairs in 120 games, all won by a",
    )
    assert found.next_step == MORE


TESTS = [
    (won(30), (0, 50), {}, "a is better than b: H1 after 23 pairs, +366 Elo or more.", "good", "a"),
    (
        [LOST] * 30,
        (0, 50),
        {},
        "a is not 50 Elo better than b: H0 after 20 pairs, -366 Elo or less.",
        "bad",
        "b",
    ),
    (won(60), (20, 50), {}, "a is more than 20 Elo better than b: H1 ", "good", "a"),
    (won(30), (-50, 0), {}, "a is not 50 Elo worse than b: H1 ", "good", "a"),
    ([LOST] * 30, (-50, 0), {}, "a is worse than b: H0 ", "bad", "b"),
    ([LOST] * 30, (-50, -5), {}, "a is more than 5 Elo worse than b: H0 ", "bad", "b"),
    ([LOST] * 30, (0, 50), {"model": "normalized"}, "a is not 50 nElo better than b", "bad", "b"),
]


@pytest.mark.parametrize(("pairs", "bounds", "more", "expected", "tone", "kept"), TESTS)
def test_a_test_says_which_hypothesis_it_accepted_and_which_to_keep(
    pairs: Pairs,
    bounds: tuple[float, float],
    more: dict[str, Any],
    expected: str,
    tone: str,
    kept: str,
) -> None:
    found = judged(pairs, *bounds, **more).verdict
    assert found.sentence.startswith(expected)
    assert (found.tone, found.next_step) == (tone, f"The test is over: keep {kept}.")


def test_a_test_in_play_tells_its_evidence() -> None:
    found = judged([*won(3), *[SPLIT] * 5, LOST], 0, 50).verdict
    assert found.sentence.startswith(
        "Not decided yet: +78 Elo (-99 to +266) for a against b, LLR 0."
    )
    assert found.sentence.endswith(" of -2.94 (H0) to 2.94 (H1), 9 pairs.")
    assert re.fullmatch(
        r"About \d+ more games \(at most 982\) until it is decided; arena run goes on with them.",
        found.next_step,
    )


def test_a_test_that_ends_undecided_says_why() -> None:
    found = judged([*won(3), *[SPLIT] * 5, LOST], 0, 50, pairs=9).verdict
    assert found.sentence.startswith("Not decided: +78 Elo (-99 to +266) for a against b, LLR 0.")
    assert found.next_step == "Keep b, or allow more pairs, and the test goes on from here."
    copies = [
        each
        for round in range(1, 12)
        for each in (game("a", "b", 1, "0", round, "x"), game("b", "a", 1, "0", round, "y"))
    ]
    rows = sprt.matches(Field(("a", "b"), ["0"], 1), results_of(copies), **VALUES)
    alike = report(["a", "b"], list(enumerate(copies, 1)), extras=Extras(matches=rows)).verdict
    assert alike.sentence.startswith("Not decided: the players only repeat games that were ")


def test_a_test_of_several_players_together_has_the_elo_of_its_pairs() -> None:
    row = judged([*won(8), *[SPLIT] * 8], 0, 50).matches.to_dict("records")[0]
    both = {**row, "one": "a / c", "other": "b / d", "decision": "H1"}
    pairs = [*won(4), *[SPLIT] * 4, *won(4, "c", "d"), *[("c", "d", 1, 1)] * 4]
    found = report("abcd", schedule_of(*pairs), extras=Extras(matches=[both])).verdict
    assert found.sentence.startswith("a / c is better than b / d: H1 after 16 pairs, +1")


def test_a_claim_that_holds_without_faults_is_made_however_many_there_are() -> None:
    games = faulty(schedule_of(*won(40)), 20)
    found = report(["a", "b"], games, extras=Extras(runs=[facts()])).verdict
    assert (found.text, found.tone, found.next_step) == ("a is better than b", "good", SURE)
    assert "fault" not in found.basis


@pytest.mark.parametrize("loser", ["a", "b"])
def test_a_claim_that_faults_carry_is_not_made(loser: str) -> None:
    other = "ab".replace(loser, "")
    games = faulty(schedule_of(*won(8, other, loser), *[SPLIT] * 20), 12, loser)
    found = report(["a", "b"], games, extras=Extras(runs=[facts()])).verdict
    assert (found.text, found.tone, found.next_step) == ("Not decided", "doubtful", FAULTS)
    assert found.basis.startswith(
        f"{loser} lost on time in 12 of 56 games; on that rests +102? Elo (+30 to +183) for {other}"
    )


def test_an_extended_match_needs_more_for_a_claim() -> None:
    pairs = [*won(9), LOST, *[SPLIT] * 10]
    verdicts = [
        report(
            ["a", "b"],
            schedule_of(*pairs),
            extras=Extras(runs=[replace(facts(), looks=Looks(times))]),
        ).verdict
        for times in (0, 1)
    ]
    assert [each.text for each in verdicts] == ["a is better than b", "Not decided"]
    assert verdicts[1].next_step.startswith("Plan for ")


def test_runs_that_are_reported_together_pay_for_two_looks() -> None:
    games = schedule_of(*won(9), LOST, *[SPLIT] * 10)
    alone, together = (
        report(["a", "b"], games, extras=Extras(runs=[facts()] * runs)).verdict for runs in (1, 2)
    )
    assert (alone.text, together.text) == ("a is better than b", "Not decided")
    assert "; as 2 runs are read together, it takes LOS 99.75 %" in together.basis


def test_a_claim_beside_many_faults_takes_more_than_chance_can_give() -> None:
    pairs = [*won(11), LOST, *[SPLIT] * 20]
    for faults, tone in ((0, "good"), (4, "doubtful")):
        games = faulty(schedule_of(*pairs), faults)
        found = report(["a", "b"], games, extras=Extras(runs=[facts()])).verdict
        assert found.tone == tone, found


def test_the_candidate_of_a_gauntlet_is_compared_with_its_opponents() -> None:
    pairs = [*won(6), *won(6, "a", "c"), *[SPLIT] * 6, *[("a", "c", 1, 1)] * 6]
    found = report(
        ["a", "b", "c"], schedule_of(*pairs), extras=Extras(runs=[facts(None, "gauntlet")])
    )
    assert found.verdict.text == "a is better than its 2 opponents together"
    assert found.verdict.next_step == SURE
    worse = [*won(6, "b", "a"), *won(6, "c", "a"), *[SPLIT] * 6, *[("a", "c", 1, 1)] * 6]
    found = report(
        ["a", "b", "c"], schedule_of(*worse), extras=Extras(runs=[facts(None, "gauntlet")])
    )
    assert (found.verdict.text, found.verdict.tone) == (
        "a is weaker than its 2 opponents together",
        "bad",
    )


def test_opponents_that_beat_the_candidate_are_named() -> None:
    pairs = [*won(40), *won(8, "c", "a"), *[SPLIT] * 6, ("a", "c", 1, 1)]
    extras = Extras(runs=[facts(None, "gauntlet")])
    found = report(["a", "b", "c"], schedule_of(*pairs), extras=extras).verdict
    assert found.text == "a is better than its 2 opponents together"
    assert found.next_step == f"{SURE} c is better than a all the same."


def test_an_opponent_that_won_by_little_is_not_said_to_be_better() -> None:
    by_half_a_point = [("a", "c", 1, 1)] * 9 + [("a", "c", 2, None)]
    extras = Extras(runs=[facts(None, "gauntlet")])
    found = report("abc", schedule_of(*won(20), *by_half_a_point), extras=extras).verdict
    assert (found.text, found.next_step) == ("a is better than its 2 opponents together", SURE)


def test_few_games_all_won_have_no_bound_on_the_wrong_side() -> None:
    assert match(won(2)).verdict.sentence == (
        "Not decided: too few to say by how much, LOS 87.9 %, 4 games, all won by a."
    )


def test_a_test_that_faults_decided_accepts_nothing() -> None:
    row = judged(won(30), 0, 50).matches.to_dict("records")[0] | {"decision": MANY_FAULTS}
    games = faulty(schedule_of(*won(23)), 46)
    found = report("ab", games, extras=Extras(matches=[row])).verdict
    assert (found.text, found.tone, found.next_step) == ("Not decided", "doubtful", FAULTS)
    assert found.basis.startswith("b lost on time in 46 of 46 games; +315? Elo or more")
    assert found.basis.endswith(" LLR 3.07 of -2.94 (H0) to 2.94 (H1), 23 pairs")


def faulty(games: list[Played], faults: int, loser: str = "b") -> list[Played]:
    """These games, the first lost ones of which ended by faults of the loser."""
    found = list[Played]()
    for number, record in games:
        has_lost = {1: record.second, 2: record.first}.get(record.winner or 0) == loser
        found.append((number, replace(record, reason="time") if has_lost and faults else record))
        faults -= has_lost and bool(faults)
    return found


def season(first: str, shares: Sequence[str] = ("aab", "abb", "bba")) -> Pairs:
    """Meetings of a, b and c: in each, `first` wins most pairs of those that it plays."""
    found: Pairs = []
    for one, other in (("a", "b"), ("a", "c"), ("b", "c")):
        for winner in shares[0]:
            best = first if first in (one, other) else {"a": one, "b": other}[winner]
            found.append((one, other, 1, 2) if best == one else (one, other, 2, 1))
        found += [(one, other, 1, 1)] * 3
    return found


def tournament(pairs: Pairs, total: int | None = None, **more: Any) -> Report:
    return report(
        ["a", "b", "c"], schedule_of(*pairs), extras=Extras(runs=[facts(total, "swiss")], **more)
    )


def test_the_leader_of_a_tournament_is_named_with_its_lead_on_the_second() -> None:
    found = tournament(season("a") * 4).verdict
    assert found.text == "a leads"
    assert found.basis.endswith(" Elo above b, LOS above 99.9 % against it, 144 games")
    assert (found.tone, found.next_step) == ("good", SURE)
    so_far = tournament(season("a") * 4, 200).verdict
    assert (so_far.text, so_far.tone) == ("a leads so far", "open")
    assert so_far.basis.endswith(", 144 of 200 games; it counts once all are played")


def test_no_leader_is_named_where_two_are_as_good() -> None:
    equal = [("a", "b", 1, 1), *won(2, "a", "c"), *won(2, "b", "c"), *won(1), LOST] * 6
    found = tournament(equal).verdict
    assert found.text == "No clear leader"
    assert "LOS 50.0 %" in found.basis
    assert found.tone == "open"
    assert " is rated level with " in found.basis
    assert tournament(equal, 100).verdict.text == "No clear leader yet"


def test_where_ratings_and_common_opponents_disagree_both_are_told() -> None:
    # b beat a whenever they met, but a did better against c, and c against d, than b against d.
    games = [*won(2, "b", "a"), *won(20, "a", "c"), *won(12, "c", "d"), *won(8, "d", "c")]
    games += [*won(14, "b", "d"), *won(6, "d", "b")]
    found = report("abcd", schedule_of(*games), extras=Extras(runs=[facts()]))
    assert found.verdict.text == "No clear leader"
    assert " Elo above b, but b did better in the games that compare them" in found.verdict.basis


def test_no_one_leads_by_the_faults_of_the_second() -> None:
    games = faulty(schedule_of(*(season("a") * 4)), 30, "b")
    found = report("abc", games, extras=Extras(runs=[facts()])).verdict
    assert (found.text, found.tone, found.next_step) == ("No clear leader", "doubtful", FAULTS)
    assert found.basis.startswith(
        "b lost on time in 30 of 96 games; on that rests the lead: a is rated 151? Elo above b, "
    )


def test_no_one_leads_where_a_third_is_better_without_its_faults() -> None:
    """`c` wins all that it does not lose by crashes, which put it behind `a` and `b`."""
    pairs = [*season("a") * 4, *won(20, "c", "a"), *won(20, "c", "b")]
    crashes = [*won(30, "a", "c"), *won(30, "b", "c")]
    games = faulty(schedule_of(*pairs, *crashes), 120, "c")
    found = report("abc", games, extras=Extras(runs=[facts()])).verdict
    assert (found.text, found.tone) == ("No clear leader", "doubtful")
    assert "a is rated" in found.basis


def test_no_one_leads_where_a_third_is_as_good_without_its_faults() -> None:
    """`a` leads `b`, the second, for sure in all views; `c` is behind by crashes alone."""
    sound = [*won(30), *won(30, "c", "b"), *[("a", "c", 1, 1)] * 30]
    crashes = [*won(40, "a", "c"), *won(60, "b", "c")]
    games = faulty(schedule_of(*sound, *crashes), 200, "c")
    found = report("abc", games, extras=Extras(runs=[facts()])).verdict
    assert (found.text, found.tone) == ("No clear leader", "doubtful")
    assert "above b" in found.basis


def test_a_candidate_that_only_lost_by_faults_is_not_weaker() -> None:
    games = faulty(schedule_of(*[SPLIT] * 20, *won(20, "b", "a")), 40, "a")
    extras = Extras(runs=[facts(format="gauntlet")])
    found = report("abc", games, extras=extras)
    assert found.standings.set_index("name").loc["a", "elo_high"] < 0
    assert found.verdict.tone == "doubtful"


def test_of_several_candidates_the_first_is_one_of_many() -> None:
    chosen = Named("gauntlet", {"candidates": ["a", "b"]})
    extras = Extras(runs=[replace(facts(), format=chosen)])
    pairs = [*won(20, "b", "c"), *[("a", "c", 1, 1)] * 20]
    assert report("abc", schedule_of(*pairs), extras=extras).verdict.text == "b leads"


def test_what_faults_stopped_is_not_over() -> None:
    stopped = replace(facts(), stopped="b only lost by its own faults")
    found = report("abc", schedule_of(*(season("a") * 4)), extras=Extras(runs=[stopped])).verdict
    assert (found.text, found.next_step) == ("No clear leader yet", "Mend first what stopped it.")


def test_of_few_games_faults_are_told_first() -> None:
    games = faulty(schedule_of(*won(1)), 2)
    found = report(["a", "b"], games, extras=Extras(runs=[facts()])).verdict
    assert (found.tone, found.next_step) == ("doubtful", FAULTS)
    assert found.basis == (
        "b lost on time in 2 of 2 games; too few to tell, 1 distinct pair in 2 games, all won by a"
    )


def test_an_even_score_that_faults_made_is_not_called_a_small_lead() -> None:
    games = faulty(schedule_of(*won(1), *won(1, "b", "a")), 2)
    found = report(["a", "b"], games, extras=Extras(runs=[facts()])).verdict
    assert (found.tone, found.next_step) == ("doubtful", FAULTS)
    assert found.basis.startswith("b lost on time in 2 of 4 games; ")
    larger = faulty(schedule_of(*won(4), *won(4, "b", "a")), 6)
    found = report(["a", "b"], larger, extras=Extras(runs=[facts()])).verdict
    assert (found.tone, found.next_step) == ("doubtful", FAULTS)
    assert found.basis.startswith("b lost on time in 6 of 16 games; +0 Elo")
    sound = report(["a", "b"], schedule_of(*won(1), *won(1, "b", "a")))
    assert (sound.verdict.tone, sound.verdict.next_step) == ("open", MORE), "of so few games"
    many = faulty(schedule_of(*([SPLIT] * 60)), 1)
    assert report(["a", "b"], many, extras=Extras(runs=[facts()])).verdict.next_step == SMALL


def test_a_candidate_that_is_behind_is_told_as_many_games_as_one_ahead() -> None:
    advice = []
    for one, other in (("a", "b"), ("b", "a")):
        pairs = [*won(3, one, other), *[SPLIT] * 15, *[("a", "c", 1, 1)] * 15]
        found = report("abc", schedule_of(*pairs), extras=Extras(runs=[facts(None, "gauntlet")]))
        advice.append(found.verdict.next_step)
    assert advice[0] == advice[1]
    assert advice[0].startswith("Plan for ")


def test_a_leader_may_win_by_faults_if_it_leads_without_them() -> None:
    games = faulty(schedule_of(*(season("a") * 8)), 12, "c")
    assert report("abc", games, extras=Extras(runs=[facts()])).verdict.text == "a leads"


def test_players_that_never_met_have_no_single_leader() -> None:
    pairs = [*won(10), *won(10, "c", "d"), ("a", "b", 1, 1), ("c", "d", 1, 1)]
    found = report("abcd", schedule_of(*pairs), extras=Extras(runs=[facts()])).verdict
    assert found.text == "No single leader, as not all can be compared"
    assert "a is " in found.basis
    assert "c is " in found.basis


def test_a_lead_in_a_group_says_if_faults_carry_it() -> None:
    pairs = [*won(10), ("a", "b", 1, 1), *won(10, "c", "d"), ("c", "d", 1, 1)]
    games = faulty(schedule_of(*pairs), 40, "d")
    found = report("abcd", games, extras=Extras(runs=[facts()])).verdict
    assert found.text == "No single leader, as not all can be compared"
    carried = r"c is rated \d+\? Elo above d \(LOS 99.9 %, but faults carry it\)"
    assert re.search(carried, found.basis)
    assert found.basis.count("faults") == 1


def test_before_the_first_pair_is_complete_nobody_leads() -> None:
    found = report("abc", schedule_of(*won(1))[:1], extras=Extras(runs=[facts(12)])).verdict
    assert found.sentence == "No clear leader yet: 1 of 12 games."


def test_an_opponent_is_named_only_if_it_is_sure_as_one_of_so_many() -> None:
    for pairs, is_named in ((5, False), (6, True)):
        games = [*won(30), *won(pairs, "c", "a"), *[("a", "c", 1, 1)] * 10, *[SPLIT] * 6]
        extras = Extras(runs=[facts(None, "gauntlet")])
        found = report(["a", "b", "c"], schedule_of(*games), extras=extras).verdict
        assert ("c is better than a" in found.next_step) == is_named


def test_the_winner_of_a_knockout_is_named() -> None:
    rows = [{"stage": 1, "one": "a", "other": "b", "winner": "a"}]
    rows += [{"stage": 2, "one": "a", "other": "c", "winner": "c"}]
    found = tournament(season("a") * 4, matches=rows).verdict
    assert str(found) == (
        "c wins the knockout: a is the stronger finalist all the same, LOS above 99.9 % against c, "
        "144 games."
    )
    won_by_a = tournament(season("a") * 4, matches=[rows[0]]).verdict
    assert won_by_a.basis.startswith("a is the stronger finalist, too, LOS above 99.9 % against b")
    close = tournament([SPLIT, *won(1), ("a", "c", 1, 1), *won(1, "c", "a")], matches=rows).verdict
    assert close.next_step == "Which finalist is the stronger one is not decided."
    assert tournament(season("a"), 99, matches=rows).verdict.text != "c wins the knockout"


def test_a_lead_rests_on_games_with_each_other_and_with_opponents_of_both() -> None:
    def los(*pairs: Pair) -> float:
        tally = tally_of("abcd", {"": games_of_numbered(schedule_of(*pairs))})
        return lead_views(alike(tally.evidence), "a", "b", []).played

    direct = los(*won(8), *[SPLIT] * 2)
    standing = report("ab", schedule_of(*won(8), *[SPLIT] * 2)).standings.iloc[0]
    assert direct == pytest.approx(standing["los"]), "as between two players alone"
    assert los(*won(8, "a", "c"), *won(8, "c", "b")) > 0.99
    assert los(*won(8, "a", "c"), *won(8, "b", "c")) == pytest.approx(0.5)
    assert los(*won(8, "a", "c"), *won(8, "d", "b")) == 0.5, "no opponent of both"
    often = [*won(45, "a", "c"), *won(5, "c", "a"), *won(10, "b", "c")]
    assert los(*often) < 0.5, "b lost nothing to c, which a has only met more often"


def swiss(*scores: tuple[str, str, float], pairs: int = 3, total: int | None = None) -> Report:
    """A swiss of two stages of these meetings: their players, and the share of the first."""
    rows = [
        {"stage": 1 + 2 * i // len(scores), "one": one, "other": other, "pairs": pairs, "score": s}
        for i, (one, other, s) in enumerate(scores)
    ]
    games = [
        (one, other, 1, 2) if i < pairs * s else (one, other, 2, 1)
        for one, other, s in scores
        for i in range(pairs)
    ]
    names = list(dict.fromkeys(name for each in scores for name in each[:2]))
    extras = Extras(matches=rows, runs=[facts(total, "swiss")])
    return report(names, schedule_of(*games), extras=extras)


def test_who_wins_a_swiss_is_told_by_points_and_then_who_is_stronger() -> None:
    one = swiss(("a", "b", 1.0), ("c", "d", 1.0), ("a", "c", 1.0), ("b", "d", 1.0))
    assert one.verdict.sentence.startswith("a wins the swiss with 12 of 12 points: ")
    assert "wins" not in swiss(("a", "b", 1.0), ("c", "d", 1.0), total=99).verdict.text
    odd = swiss(("a", "b", 1.0), ("c", "b", 1.0))
    assert odd.verdict.text == "a and c share the first place of the swiss with 9 of 12 points"
    sure = swiss(*[("a", "b", 1.0), ("c", "d", 1.0), ("a", "c", 1.0), ("b", "d", 1.0)], pairs=30)
    assert sure.verdict.basis.startswith("a leads in strength, rated ")
    assert sure.verdict.tone == "good"


def test_players_whose_games_do_not_compare_them_are_not_called_close() -> None:
    """Both finished above the rest, without a common opponent or a game against each other."""
    rounds = [("a", "b", 1.0), ("c", "d", 1.0), ("b", "d", 0.5), ("b", "e", 0.5), ("d", "f", 0.5)]
    found = swiss(*rounds, ("e", "f", 0.5), pairs=6).verdict
    assert "but their games do not compare the two, " in found.basis
    assert "LOS" not in found.basis
    assert found.next_step == "Let the two meet, or the same opponents."


def test_how_sure_a_claim_must_be_is_told_with_its_digits() -> None:
    pairs = [*won(12), *[SPLIT] * 12]

    def after(looks: int) -> str:
        runs = [replace(facts(), looks=Looks(looks))]
        return report("ab", schedule_of(*pairs), extras=Extras(runs=runs)).verdict.basis

    assert "seen" not in after(0)
    assert after(2000).endswith(
        "LOS above 99.9 %, 48 games; as the result was seen 2000 times before, it takes LOS "
        "99.9999 %"
    )


def test_what_a_person_won_is_told_against_each_engine_and_nothing_of_certainty() -> None:
    games = [("human", "weak", 1, 2), ("human", "strong", 2, None), ("human", "strong", 2, 1)]
    extras = Extras(runs=[replace(facts(format="human"), is_over=False)])
    found = report(["weak", "human", "strong"], schedule_of(*games), extras=extras).verdict
    assert str(found) == (
        "human won 2 of 6 games, and drew 1: 2 of 2 against weak, 0 of 4 against strong."
    )


def test_one_common_opening_compares_nobody() -> None:
    pairs = [*won(10, "a", "c"), *won(10, "b", "d"), ("c", "d", 1, 1)] * 2
    games = [*schedule_of(*pairs, ("a", "b", 1, 1))]
    found = report("abcd", games, extras=Extras(runs=[facts(None, "round_robin")])).verdict
    assert "but their games do not compare the two" in found.basis
