"""The verdict on the proof of new weights in one sentence."""

from __future__ import annotations

from math import isfinite, prod
from pathlib import Path

from arena.format import MANY_FAULTS, ONLY_FAULTS
from arena.report.fault_texts import FAULTS_FIRST
from arena.report.numbers import format_digits
from arena.report.verdict import Conclusion, range_told, relation
from arena.storage.folder import path_text
from arena.tuning.proof.verification import Proof
from arena.tuning.settings.proof_config import DEFAULT, TUNED, TUNED_FILE

_NUMBERS = {2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven", 8: "eight", 9: "nine"}
_ENDINGS = {1: "st", 2: "nd", 3: "rd"}


def proof_verdict(proof: Proof, command: str, folder: Path) -> Conclusion:
    """The verdict on the test of what was found in a folder; the `command` goes on with it."""
    parts = _gain_told(proof), _failure_told(proof), _attempts_told(proof)
    told = "; ".join(filter(None, parts))
    if proof.has_passed:
        # A test from below 0 tells no gain, but that little or nothing is lost.
        is_gain, shown = proof.row["elo0"] >= 0, f"{TUNED} is {relation(proof.row)} {DEFAULT}"
        take = f"Take the weights in {path_text(folder / TUNED_FILE)}."
        return Conclusion("Gain proved" if is_gain else shown, told, "good", take)
    if proof.is_pending:
        return Conclusion("Gain not proved yet", told, next_step=f"{command} goes on.")
    if proof.row["decision"] in (MANY_FAULTS, ONLY_FAULTS):
        return Conclusion("Gain not proved", told, "doubtful", FAULTS_FIRST)
    text = "A loss, not a gain" if proof.standing.elo_high < 0 else "Gain not proved"
    return Conclusion(text, told, "bad", "Keep the default weights.")


def _gain_told(proof: Proof) -> str:
    found, decision = proof.standing, proof.row["decision"]
    pairs = found.distinct_pairs if proof.conditions else proof.row["pairs"]
    after = f"{decision} after {pairs:,} pairs" if decision in ("H0", "H1") else f"{pairs:,} pairs"
    if not isfinite(found.elo):
        return after
    elo = range_told(found.elo, found.elo_low, found.elo_high, found.doubtful)
    return ", ".join(filter(None, [elo, after]))


def _failure_told(proof: Proof) -> str:
    """The reason why a gain is not accepted, where the decision alone does not tell it."""
    if proof.is_pending:
        return ""
    if proof.lost:
        return f"weaker at {'; '.join(loss.condition for loss in proof.lost)}"
    if proof.losses:
        return f"weaker against {', '.join(loss.opponent for loss in proof.losses)}"
    return "" if proof.row["decision"] in ("H0", "H1") else str(proof.row["decision"])


def _attempts_told(proof: Proof) -> str:
    """The number of the attempt, and how likely one of so many tests of equals proves a gain; empty
    for the first one."""
    chances = [*(each.chance for each in proof.earlier), proof.chance]
    if (number := len(chances)) == 1:
        return ""
    ending = "th" if number % 100 in (11, 12, 13) else _ENDINGS.get(number % 10, "th")
    told, many = f"{number}{ending} attempt", _NUMBERS.get(number, number)
    if None in chances:
        return told
    share = format_digits(100 * (1 - prod(1 - (each or 0) for each in chances)), 2)
    return f"{told}: of {many} such tests of equals one proves a gain in {share} %"
