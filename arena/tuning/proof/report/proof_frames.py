"""The proof of new weights as pandas frames."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

import pandas as pd

from arena.tuning.proof.gains import ConditionGain, Gain
from arena.tuning.proof.verification import Attempt, Proof

TEST = ["pairs", "pentanomial", "elo0", "elo1", "model", "llr", "lower", "upper", "decision"]
PROOF_STANDING = ["games", "elo", "elo_low", "elo_high", "doubtful"]


@dataclass(frozen=True, kw_only=True, repr=False)
class ProofFrames:
    """The frames of a proof."""

    verification: pd.DataFrame
    """One row, or none before the test: `games`, `elo` of the tuned player with its 95 % interval,
    true if faults carry it (`doubtful`); distinct `pairs` and their `pentanomial`, the test's
    hypotheses, `llr` with its bounds, `decision`, and whether it `passed`."""
    gains: pd.DataFrame
    """One row for each opponent of the file that tuned and default weights met: `opponent`,
    `pairs` of either, `tuned_score` and `default_score`, `elo` of the tuned weights less that of
    the default ones, with its 95 % interval (`elo_low`, `elo_high`)."""
    conditions: pd.DataFrame
    """One row for each condition of the test, if there are several: `condition`, `pairs`, the tuned
    weights' `score`, `elo` with its 95 % interval."""
    attempts: pd.DataFrame
    """One row for each proof of this engine in the same results folder that had begun before, as it
    was then: `attempt` (from 1), its `study`, `games`, `elo` with its 95 % interval, `decision`,
    whether it `passed`, and the `chance` that such a test of equals does."""

    def __repr__(self) -> str:
        return f"{type(self).__name__}: {', '.join(self.by_name)}"

    @property
    def is_proved(self) -> bool:
        """True once the gain of the values that were found is proved."""
        return bool(self.verification["passed"].any())

    @property
    def name_of_values(self) -> str:
        """The name of the values that were found: `tuned` only once their gain is proved."""
        return "tuned" if self.is_proved else "candidate"

    @property
    def by_name(self) -> dict[str, pd.DataFrame]:
        """All frames, those of the proof last."""
        of_proof = {each.name for each in fields(ProofFrames)}
        return dict(sorted(vars(self).items(), key=lambda item: item[0] in of_proof))


def proof_frames(proof: Proof | None) -> dict[str, pd.DataFrame]:
    """The frames of a proof, which may not have begun, by their names."""
    return {
        "verification": _verification_frame(proof),
        "gains": _rows_frame(Gain, proof.gains if proof else ()),
        "conditions": _rows_frame(ConditionGain, proof.conditions if proof else ()),
        "attempts": _rows_frame(Attempt, proof.earlier if proof else ()),
    }


def _verification_frame(proof: Proof | None) -> pd.DataFrame:
    """One row, or none without a test."""
    columns = [*PROOF_STANDING, *TEST, "passed"]
    if proof is None:
        return pd.DataFrame(columns=columns)
    known = {name: getattr(proof.standing, name) for name in PROOF_STANDING}
    return pd.DataFrame([{**known, **proof.row, "passed": proof.has_passed}])[columns]


def _rows_frame(kind: type[Any], rows: Sequence[object]) -> pd.DataFrame:
    return pd.DataFrame(rows, columns=[each.name for each in fields(kind)])
