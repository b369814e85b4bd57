"""A study's tables for people."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from arena.config.settings import limit_data
from arena.report.forms.table import plain
from arena.report.numbers import elo_text, interval_text, range_text, share_text
from arena.tuning.report.frames import BEST_TENTH, Frames, kind_of_reach, parameters_frame
from arena.tuning.report.live import number_text
from arena.tuning.study import Study


def games_played(frames: Frames) -> int:
    """The number of games of all trials that are over."""
    return int(frames.trials["games"].sum())


def study_tables(study: Study, frames: Frames) -> Iterator[tuple[str, pd.DataFrame]]:
    """The tables that people read, each with its title."""
    yield f"Study {study.config.name}", plan_table(study)
    budget, trials = study.config.plan.budget, len(frames.trials)
    when = f"after {games_played(frames)} of {budget} games, {trials} trials"
    table = parameters_table(frames.parameters, frames.name_of_values)
    yield f"{weights_title(study)}, {when}", table
    if len(frames.verification):
        yield test_title(frames), test_table(frames.verification)
    if len(frames.conditions):
        yield "Gain by condition", conditions_table(frames.conditions)
    if len(frames.attempts):
        yield "Earlier attempts under this name", attempts_table(frames.attempts)


def weights_title(study: Study) -> str:
    """The title of the weights found: they are recommended only once their gain is proved."""
    if not study.trials.is_over:
        return "Candidate weights so far"
    if study.values == study.config.space.default:
        return "Recommended: the default weights"
    if study.proof is None:
        return "Candidate weights, not tested yet"
    if study.proof.has_passed:
        return "Recommended weights"
    return f"Candidate weights, not proved{' yet' if study.proof.is_pending else ''}"


def test_title(frames: Frames) -> str:
    """The title of the test."""
    return f"Test of the {frames.name_of_values} weights against the default ones"


def plan_table(study: Study) -> pd.DataFrame:
    """The study as it was asked for: one row."""
    config, plan = study.config, study.config.plan
    limit = ", ".join(f"{key} {value}" for key, value in limit_data(config.terms.limit).items())
    return pd.DataFrame(
        [
            {
                "engine": config.default.engine.name,
                "game": str(config.terms.game),
                "limit": limit or "none",
                "method": str(config.method),
                "against": ", ".join(config.rivals) or "each other",
                "budget": plan.budget,
                "games/trial": plan.games,
                "seed": plan.seed,
            }
        ]
    )


def advice_text(study: Study) -> str:
    """The recommendation, as it stands in a report."""
    return plain(parameters_table(parameters_frame(study.config.space, study.advice), "candidate"))


def parameters_table(parameters: pd.DataFrame, name_of_values: str) -> pd.DataFrame:
    """The values found, under this name, as people read them."""
    table = parameters[["name"]].rename(columns={"name": "parameter"})
    for title, column in (("default", "default"), (name_of_values, "tuned")):
        table[title] = ["-" if pd.isna(each) else number_text(each) for each in parameters[column]]
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
