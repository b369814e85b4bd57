"""The frames of a study as tables for people."""

from __future__ import annotations

import pandas as pd

from arena.config.settings import limit_data
from arena.report.numbers import elo_text, interval_text, range_text, share_text
from arena.report.verdict import Conclusion
from arena.tuning.report.frames import BEST_TENTH, Frames, kind_of_reach, weight_text
from arena.tuning.settings.config import TuningConfig


def games_played(frames: Frames) -> int:
    """The number of games of all trials that are over."""
    return int(frames.trials["games"].sum())


def limit_text(config: TuningConfig) -> str:
    """The limit of the study's games."""
    limit = limit_data(config.terms.limit)
    return ", ".join(f"{key} {value}" for key, value in limit.items()) or "none"


def weights_title(frames: Frames, verdict: Conclusion) -> str:
    """The title of the weights found: they are recommended only once their gain is proved."""
    kind = "Recommended" if frames.name_of_values == "tuned" else "Candidate"
    return f"{kind} weights ({verdict.text[:1].lower()}{verdict.text[1:]})"


def test_title(frames: Frames) -> str:
    """The title of the test."""
    return f"Test of the {frames.name_of_values} weights against the default ones"


def parameters_table(parameters: pd.DataFrame, name_of_values: str) -> pd.DataFrame:
    """The values found, under this name, as people read them."""
    table = parameters[["name"]].rename(columns={"name": "parameter"})
    for title, column in (("default", "default"), (name_of_values, "tuned")):
        table[title] = [weight_text(row, column) for row in parameters.to_dict("records")]
    is_spread = kind_of_reach(parameters) == BEST_TENTH
    for title, low, high in (
        (BEST_TENTH, "spread_low", "spread_high") if is_spread else ("95 %", "low", "high"),
        ("within 1 Elo", "flat_low", "flat_high"),
    ):
        ends = zip(parameters[low], parameters[high], strict=True)
        table[title] = ["-" if pd.isna(one) else range_text(one, other) for one, other in ends]
    table["importance"] = [
        "-" if pd.isna(share) else share_text(share) for share in parameters["importance"]
    ]
    return table


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
    table["Elo"] = [elo_text(*each) for each in ends]
    table["95 %"] = [interval_text(low, high) for _, low, high in ends]
    return table
