"""The verdict on the proof of new weights in one sentence."""

from __future__ import annotations

from dataclasses import replace
from math import isfinite, prod

from arena.format import MANY_FAULTS, ONLY_FAULTS
from arena.report.fault_texts import FAULTS_FIRST
from arena.report.numbers import format_digits
from arena.report.verdict import Conclusion, range_told, relation
from arena.tuning.proof.verification import Proof
from arena.tuning.settings.proof_config import DEFAULT, TUNED, TUNED_FILE

_NUMBERS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
_ENDINGS = {1: "st", 2: "nd", 3: "rd"}


def proof_verdict(proof: Proof, command: str) -> Conclusion:
    """The verdict on the test of what was found; the `command` goes on with it."""
    found = _verdict_on(proof, command)
    return replace(found, basis="; ".join(filter(None, [found.basis, _attempts_told(proof)])))


def _attempts_told(proof: Proof) -> str:
    """The number of the attempt, and how likely one of so many tests of equals proves a gain; empty
    for the first one."""
    chances = [*(each.chance for each in proof.earlier), proof.chance]
    if (number := len(chances)) == 1:
        return ""
    ending = "th" if number % 100 in (11, 12, 13) else _ENDINGS.get(number % 10, "th")
    known = [1 - each for each in chances if each is not None]
    if len(known) < number:
        return f"{number}{ending} attempt"
    many = _NUMBERS[number] if number < len(_NUMBERS) else number
    share = format_digits(100 * (1 - prod(known)), 2)
    return (
        f"{number}{ending} attempt: of {many} such tests of equals one proves a gain in {share} %"
    )


def _verdict_on(proof: Proof, command: str) -> Conclusion:
    """The verdict on this test alone."""
    gain = _gain_told(proof)
    if proof.has_passed:
        # A test from below 0 tells no gain, but that little or nothing is lost.
        is_gain, shown = proof.row["elo0"] >= 0, f"{TUNED} is {relation(proof.row)} {DEFAULT}"
        text = "Gain proved" if is_gain else shown
        return Conclusion(text, gain, "good", f"Take the weights in {TUNED_FILE}.")
    if proof.is_pending:
        return Conclusion("Gain not proved yet", gain, next_step=f"{command} goes on.")
    told = "; ".join(filter(None, [gain, _failure_told(proof)]))
    if proof.row["decision"] in (MANY_FAULTS, ONLY_FAULTS):
        return Conclusion("Gain not proved", told, "doubtful", FAULTS_FIRST)
    text = "A loss, not a gain" if proof.standing.elo_high < 0 else "Gain not proved"
    return Conclusion(text, told, "bad", "Keep the default weights.")


def _gain_told(proof: Proof) -> str:
    """The gain with its interval, and what it was measured by."""
    found, decision = proof.standing, proof.row["decision"]
    pairs = found.distinct_pairs if proof.conditions else proof.row["pairs"]
    after = f"{decision} after {pairs:,} pairs" if decision in ("H0", "H1") else f"{pairs:,} pairs"
    if not isfinite(found.elo):
        return after
    return ", ".join(filter(None, [range_told(found.elo, found.elo_low, found.elo_high), after]))


def _failure_told(proof: Proof) -> str:
    """The reason why a gain is not accepted, where the decision alone does not tell it."""
    if proof.lost:
        return f"weaker at {'; '.join(loss.condition for loss in proof.lost)}"
    if proof.losses:
        return f"weaker against {', '.join(loss.opponent for loss in proof.losses)}"
    return "" if proof.row["decision"] == "H0" else str(proof.row["decision"])
