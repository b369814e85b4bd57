"""The verdict of a study in one sentence: if a gain is proved, and how large it is."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from arena.report.numbers import format_estimate
from arena.report.verdict import FAULTS_FIRST, Conclusion
from arena.tuning.proof.report import proof_verdict
from arena.tuning.proof.verification import Proof
from arena.tuning.report.search_faults import count_text, faulty_games
from arena.tuning.settings.config import TuningConfig
from arena.tuning.space import Values
from arena.tuning.trials import Trials


def study_verdict(
    config: TuningConfig, trials: Trials, values: Values, proof: Proof | None, folder: Path
) -> Conclusion:
    """The verdict on a study as it stands; `values` are those found, once all trials are over."""
    if trials.first_games.faulty:
        told = f"{trials.first_games.faulty} only lost by its own faults"
        return Conclusion("Nothing found", told, "doubtful", FAULTS_FIRST)
    found = _verdict_on_values(config, trials, values, proof, folder)
    if not faulty_games(trials.told):
        return found
    # A search claims nothing, and what the test proves, faults of the search do not undo.
    return replace(found, basis="; ".join(filter(None, [found.basis, count_text(trials.told)])))


def _verdict_on_values(
    config: TuningConfig, trials: Trials, values: Values, proof: Proof | None, folder: Path
) -> Conclusion:
    """The verdict on the values, whatever ended the games of the search."""
    if not trials.is_over:
        played = sum(told.games for told in trials.told)
        last = trials.told[-1] if trials.told else None
        lead = f"{format_estimate(last.estimate, last.is_doubtful)} Elo so far, " if last else ""
        told = f"{lead}{played:,} of {config.plan.budget:,} games"
        goes_on = "" if config.is_users else "arena tune goes on."
        return Conclusion("Still searching", told, next_step=goes_on)
    if values == config.space.default:
        told = f"the default weights are the best of {len(trials.told)} trials"
        return Conclusion("No gain found", told, "bad", "Keep the default weights.")
    if proof is None:
        over = f"{config.command} plays the test of it."
        return Conclusion("Gain not tested yet", f"{len(trials.told)} trials", next_step=over)
    return proof_verdict(proof, config.command, folder)
