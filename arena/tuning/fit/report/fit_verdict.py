"""The verdict on a fit in one sentence: how far it is, and if a gain is proved."""

from __future__ import annotations

from math import isinf
from pathlib import Path

from arena.report.verdict import FAULTS_FIRST, Conclusion
from arena.tuning.fit.found_weights import FoundWeights
from arena.tuning.proof.matches import ProofMatches
from arena.tuning.proof.report import proof_verdict
from arena.tuning.proof.verification import NAME, Proof

COMMAND = "arena fit"


def unfitted_verdict(made: tuple[int, int], stopped: str) -> Conclusion:
    """The verdict before the fit, by its games made so far, and all that are to be made.

    `stopped` is the reason why they stopped by themselves, or empty.
    """
    if stopped:
        told = "a player of the games only lost by its own faults"
        return Conclusion("Not fitted", told, "doubtful", FAULTS_FIRST)
    played, total = made
    told = f"{played:,} of {total:,} games made" if played < total else "all games are there"
    return Conclusion("Not fitted yet", told, next_step=f"{COMMAND} goes on.")


def gone_verdict(matches: ProofMatches) -> Conclusion:
    """The verdict on a fit to moves, as an earlier version made them."""
    test = matches.folder / NAME
    text = "A fit to the moves that were played, which this version does not report"
    step = f"arena report {test} shows its test." if test.exists() else ""
    return Conclusion(text, next_step=step)


def fit_verdict(result: FoundWeights, proof: Proof | None, folder: Path) -> Conclusion:
    """The verdict on fitted weights, and on the proof of their gain once that has begun."""
    if not result.is_changed:
        told = "no step of the fit saves loss on positions held out"
        return Conclusion("No gain found", told, "bad", "Keep the default weights.")
    if proof is None:
        over = f"{COMMAND} plays the test that proves or refutes a gain."
        return Conclusion("Fitted, not tested yet", saving_told(result), next_step=over)
    return proof_verdict(proof, COMMAND, folder)


def saving_told(result: FoundWeights) -> str:
    """The loss that the fitted weights save on openings not fitted to."""
    return f"saves {result.gain:z.4f} ({_bounds_text(result)}) nats a position"


def _bounds_text(result: FoundWeights) -> str:
    """The 95 % interval of the loss saved, or a dash if too few openings tell it."""
    if isinf(result.gain_reach):
        return "-"
    return f"{result.gain_low:+z.4f} to {result.gain_high:+z.4f}"
