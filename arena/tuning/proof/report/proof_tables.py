"""The frames of a proof as tables for people."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from arena.config.settings import limit_data
from arena.report.numbers import elo_text, interval_text, marked, share_text
from arena.report.verdict import Conclusion
from arena.tuning.proof.report.proof_frames import ProofFrames
from arena.tuning.settings.proof_config import ProofConfig


def limit_text(config: ProofConfig) -> str:
    """The limit of the games."""
    limit = limit_data(config.terms.limit)
    return ", ".join(f"{key} {value}" for key, value in limit.items()) or "none"


def weights_title(frames: ProofFrames, verdict: Conclusion) -> str:
    """The title of the weights found: they are recommended only once their gain is proved."""
    kind = "Recommended" if frames.name_of_values == "tuned" else "Candidate"
    return f"{kind} weights ({verdict.text[:1].lower()}{verdict.text[1:]})"


def proof_tables(frames: ProofFrames) -> Iterator[tuple[str, pd.DataFrame]]:
    """The tables of a proof that people read, each with its title, as far as it has begun."""
    if len(frames.verification):
        yield test_title(frames), test_table(frames.verification)
    if len(frames.conditions):
        yield "Gain by condition", conditions_table(frames.conditions)
    if len(frames.attempts):
        yield "Earlier attempts under this name", attempts_table(frames.attempts)


def test_title(frames: ProofFrames) -> str:
    """The title of the test."""
    return f"Test of the {frames.name_of_values} weights against the default ones"


def test_table(verification: pd.DataFrame) -> pd.DataFrame:
    """The test as people read it."""
    row = verification.iloc[0]
    bounds = row["elo_low"], row["elo_high"]
    return pd.DataFrame(
        [
            {
                "games": row["games"],
                "pairs": row["pairs"],
                "LL LD WL/DD WD WW": row["pentanomial"],
                "Elo": elo_text(row["elo"], *bounds),
                "95 %": interval_text(*bounds),
                "LLR": f"{row['llr']:.2f}",
                "bounds": f"{row['lower']:.2f} to {row['upper']:.2f}",
                "decision": row["decision"] or "not over",
                "passed": "yes" if row["passed"] else "no",
            }
        ]
    )


def conditions_table(conditions: pd.DataFrame) -> pd.DataFrame:
    """The gain under each condition as people read it."""
    table = conditions[["condition", "pairs"]].copy()
    table["score"] = conditions["score"].map(share_text)
    return with_elo(table, conditions)


def attempts_table(attempts: pd.DataFrame) -> pd.DataFrame:
    """The earlier attempts as people read them."""
    table = with_elo(attempts[["attempt", "games"]].copy(), attempts)
    table["decision"] = attempts["decision"]
    table["passed"] = attempts["passed"].map({True: "yes", False: "no"})
    return table


def with_elo(table: pd.DataFrame, found: pd.DataFrame) -> pd.DataFrame:
    """A table with each row's Elo and interval."""
    ends = list(zip(found["elo"], found["elo_low"], found["elo_high"], strict=True))
    doubtful = found.get("doubtful", pd.Series(False, found.index))
    table["Elo"] = [
        marked(elo_text(*each), mark) for each, mark in zip(ends, doubtful, strict=True)
    ]
    table["95 %"] = [interval_text(low, high) for _, low, high in ends]
    return table


def gains_table(gains: pd.DataFrame) -> pd.DataFrame:
    """The gains as people read them."""
    table = gains[["opponent", "pairs"]].copy()
    table["before"] = gains["default_score"].map(share_text)
    table["now"] = gains["tuned_score"].map(share_text)
    table["Elo"] = [
        marked(f"{elo:+z.0f}", mark)
        for elo, mark in zip(gains["elo"], gains["doubtful"], strict=True)
    ]
    ends = zip(gains["elo_low"], gains["elo_high"], gains["elo"], strict=True)
    table["95 %"] = [interval_text(*each) for each in ends]
    return table
