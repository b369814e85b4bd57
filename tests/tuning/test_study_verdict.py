"""The verdict of a study: it says that a gain is proved only if it is."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from arena.report.standings import Standing
from arena.stats.elo import ELO_LIMIT
from arena.tuning.proof.report import proof_verdict
from arena.tuning.proof.verification import Attempt, ConditionGain, Gain, Proof
from arena.tuning.report.verdict import study_verdict

KEEP, GO_ON = "Keep the default weights.", "arena tune goes on."
TAKE = "Take the weights in results/bold/tuned.yaml."
FOLDER = Path("results/bold")
FAULTS = "First find the cause of the faults."
LOSS = Gain("rival", 50, 0.3, 0.5, -150.0, -220.0, -80.0)
AT_2 = ConditionGain("depth 2", 50, 0.3, -150.0, -220.0, -80.0)


def standing(elo: float, low: float, high: float) -> Standing:
    return Standing("tuned", 800, 0, 0, 0, 0.5, elo, low, high, 0.9, 400, 0, 0, elo, elo, False)


def proof(
    decision: str, elo0: float = 0.0, low: float = -10.0, high: float = 43.0, **more: Any
) -> Proof:
    row = {"decision": decision, "pairs": 400, "elo0": elo0, "elo1": elo0 + 20, "model": "logistic"}
    return Proof(row, standing(17.0, low, high), **more)


PROVED = "+17 Elo (+4 to +43), H1 after 400 pairs"
CASES = [
    (proof("H1", low=4), f"Gain proved: {PROVED}.", "good", TAKE),
    (
        proof("H1", elo0=-20.0, low=4),
        f"tuned is not 20 Elo worse than default: {PROVED}.",
        "good",
        TAKE,
    ),
    (proof("H0"), "Gain not proved: +17 Elo (-10 to +43), H0 after 400 pairs.", "bad", KEEP),
    (
        proof("H0", high=-1.0),
        "A loss, not a gain: +17 Elo (-10 to -1), H0 after 400 pairs.",
        "bad",
        KEEP,
    ),
    (
        proof("no more pairs"),
        "Gain not proved: +17 Elo (-10 to +43), 400 pairs; no more pairs.",
        "bad",
        KEEP,
    ),
    (
        proof("H1", low=4, gains=[LOSS]),
        f"Gain not proved: {PROVED}; weaker against rival.",
        "bad",
        KEEP,
    ),
    (
        proof("H1", low=4, conditions=[AT_2]),
        f"Gain not proved: {PROVED}; weaker at depth 2.",
        "bad",
        KEEP,
    ),
    (
        proof("too many faults"),
        "Gain not proved: +17 Elo (-10 to +43), 400 pairs; too many faults.",
        "doubtful",
        FAULTS,
    ),
    (proof(""), "Gain not proved yet: +17 Elo (-10 to +43), 400 pairs.", "open", GO_ON),
    (
        proof("H1", low=4, is_over=False),
        f"Gain not proved yet: {PROVED}.",
        "open",
        GO_ON,
    ),
    (
        proof("H0", low=-ELO_LIMIT),
        "Gain not proved: H0 after 400 pairs.",
        "bad",
        KEEP,
    ),
]


@pytest.mark.parametrize(("found", "sentence", "tone", "next_step"), CASES)
def test_a_gain_is_proved_or_not(found: Proof, sentence: str, tone: str, next_step: str) -> None:
    verdict = proof_verdict(found, "arena tune", FOLDER)
    assert (verdict.sentence, verdict.tone, verdict.next_step) == (sentence, tone, next_step)


EQUALS = "such tests of equals one proves a gain in"


@pytest.mark.parametrize(
    ("chances", "told"),
    [
        ([0.05], ""),
        ([0.05, 0.05], f"; 2nd attempt: of two {EQUALS} 9.8 %"),
        ([0.01, 0.05, 0.1], f"; 3rd attempt: of three {EQUALS} 15 %"),
        ([0.001] * 4, f"; 4th attempt: of four {EQUALS} 0.4 %"),
        ([0.05] * 11, f"; 11th attempt: of 11 {EQUALS} 43 %"),
        ([0.05] * 12, f"; 12th attempt: of 12 {EQUALS} 46 %"),
        ([0.05] * 22, f"; 22nd attempt: of 22 {EQUALS} 68 %"),
        ([0.4] * 101, f"; 101st attempt: of 101 {EQUALS} 100 %"),
        ([0.05, None, 0.05], "; 3rd attempt"),
        ([0.05, None], "; 2nd attempt"),
    ],
)
@pytest.mark.parametrize(("found", "sentence", "tone", "next_step"), CASES)
def test_an_attempt_after_others_says_so_last(
    found: Proof,
    sentence: str,
    tone: str,
    next_step: str,
    chances: list[float | None],
    told: str,
) -> None:
    *before, own = chances
    tests = ("other", 10, 0.0, -9.0, 9.0, "H0", False)
    earlier = [Attempt(number, *tests, chance) for number, chance in enumerate(before, start=1)]
    verdict = proof_verdict(replace(found, earlier=earlier, chance=own), "arena tune", FOLDER)
    assert verdict.sentence == f"{sentence.removesuffix('.')}{told}."
    assert (verdict.tone, verdict.next_step) == (tone, next_step)


@pytest.mark.parametrize(
    ("faulty", "is_over", "values", "sentence", "tone"),
    [
        ("", False, 2, "Still searching: +12 Elo so far, 16 of 400 games.", "open"),
        ("rival", False, 2, "Nothing found: rival only lost by its own faults.", "doubtful"),
        ("", True, 1, "No gain found: the default weights are the best of 2 trials.", "bad"),
        ("", True, 2, "Gain not tested yet: 2 trials.", "open"),
    ],
)
def test_before_its_proof_a_study_says_how_far_it_is(
    faulty: str, is_over: bool, values: int, sentence: str, tone: str
) -> None:
    sound = {"games": 8, "faulty_games": 0, "is_doubtful": False}
    told = [SimpleNamespace(estimate=each, **sound) for each in (3.0, 12.4)]
    trials = SimpleNamespace(told=told, is_over=is_over, first_games=SimpleNamespace(faulty=faulty))
    config = SimpleNamespace(
        plan=SimpleNamespace(budget=400),
        space=SimpleNamespace(default={"three": 1}),
        is_users=False,
        command="arena tune",
    )
    verdict = study_verdict(cast(Any, config), cast(Any, trials), {"three": values}, None, FOLDER)
    assert (verdict.sentence, verdict.tone) == (sentence, tone)
    assert verdict.next_step
