"""Laws of every opening rule, put to each file in arena/match/opening_rules."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, strategies as st

from arena import load_game
from arena.game import Outcome
from arena.match.opening_rules import (
    MOST_ANSWERS,
    MOST_STONES,
    after,
    answers_of,
    check_opening,
    due,
    opening_seconds,
    opening_text,
    rule_named,
)
from arena.match.record import Job, job_of, key, record, record_from, swapped, values_of
from arena.plugins.load import names
from arena.workers.heartbeat import Heartbeat

RULES = names("opening rule")
GAME = load_game("gomoku:size=9")
SUGGESTED = "4,4 3,3 5,6"
SECONDS = st.floats(0, 999, allow_nan=False)


@st.composite
def openings(draw: st.DrawFn) -> tuple[Job, list[tuple[list[int], float]], Job]:
    """A game by some rule, the answers in its opening, all or as far as it came, and the game
    then."""
    first = job = job_of(("one", "two", f"{draw(st.sampled_from(RULES))} {SUGGESTED}", 2), 7)
    cells, answers = list(range(GAME.size**2)), list[tuple[list[int], float]]()
    while due(job) and draw(st.integers(0, 9)):
        answer = draw(st.sampled_from(list(due(job))))
        stones, cells = cells[: answer.stones], cells[answer.stones :]
        answers.append((stones, draw(SECONDS)))
        job = after(job, list(map(GAME.text, stones)), answers[-1][1])
    return first, answers, job


@given(openings())
def test_an_opening_is_kept_whole(opening: tuple[Job, list[tuple[list[int], float]], Job]) -> None:
    first, answers, job = opening
    assert first.made
    assert job.made
    assert key(job) == key(first) == ("one", "two", first.made.start, 2)
    assert job.player(swapped(job, 1)) == "one"
    check_opening(job)
    assert len(opening_seconds(job)) == sum(not each.is_move for each in answers_of(job.made))
    game = record(job, Outcome(1, "line"), "", job.opening)
    assert record_from(values_of(game)) == game
    assert (game.proposer, game.suggested) == (job.made.proposer, SUGGESTED)
    assert opening_text(job).startswith(f"{first.made.rule.capitalize()}: one ")
    beat = Heartbeat(1.0)
    for stones, seconds in answers:
        beat.opened(stones, seconds)
    assert beat.job_now(first, GAME.text) == job


@given(openings())
def test_what_cannot_have_been_made_is_found(opening: tuple[Job, object, Job]) -> None:
    _, _, job = opening
    assert job.made
    words = job.made.answers.split()
    wrong = [[*words, "three:0.1"], [*words, "banana"], words[1:], [f"{w}:0" for w in words]]
    for each in wrong:
        if each != words and (each or job.opening):
            with pytest.raises(ValueError, match="was not made so"):
                check_opening(replace(job, made=replace(job.made, answers=" ".join(each))))
    for other in (replace(job.made, rule="banana"), replace(job.made, proposer=3)):
        with pytest.raises(ValueError, match="opening"):
            check_opening(replace(job, made=other))


@pytest.mark.parametrize("rule", RULES)
def test_a_worker_has_room_for_its_answers_and_each_is_told_by_its_stones(rule: str) -> None:
    steps = rule_named(rule).ANSWERS
    assert max(map(len, steps)) < MOST_ANSWERS
    for answers in steps.values():
        stones = [each.stones for each in answers]
        assert len({*stones}) == len(stones)
        assert max(stones) <= MOST_STONES
        assert stones[0] > 0
        assert len(answers) == 1 or all(each.button for each in answers)
        assert all(each.stones == 1 for each in answers if each.is_move)
