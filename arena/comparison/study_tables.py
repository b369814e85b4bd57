"""Two studies side by side as a verdict, as frames for programs, and as tables for people."""

from __future__ import annotations

from collections.abc import Iterator
from math import nan
from typing import Any

import pandas as pd

from arena.comparison.run_tables import BOTH, upright
from arena.comparison.settings import DIFFERENT, differences_told
from arena.comparison.studies import FoundValue, Row, StudyComparison, StudySide
from arena.report.numbers import interval_text
from arena.report.run_page import named_text
from arena.report.table import Table, frame_table
from arena.report.verdict import Conclusion, range_told
from arena.tuning.proof.report.proof_tables import limit_text
from arena.tuning.report.frames import BEST_TENTH, ends_text, reach_of, weight_text
from arena.tuning.report.messages import shape_texts, warnings_first
from arena.tuning.report.search_faults import faults_texts
from arena.tuning.report.study_page import state_of
from arena.tuning.report.tables import games_played

VALUES = "Best values"
"""The title of their table."""
OF_VALUES = ["default", "tuned", "low", "high", "spread_low", "spread_high", "importance"]
NOTES = (
    "Apart: the intervals of both best values (95 % by the models) have nothing in common. They "
    "hold within a study's own conditions; a spread of the best tenth is no interval.",
    "Each test is of the values found against the default ones of that study: two Elo are no "
    "difference between the studies. `arena match` plays their weights against each other.",
)


def study_verdict(found: StudyComparison) -> Conclusion:
    """The verdict on two studies: that of each, and what differs."""
    sides = found.before, found.after
    told = [f"{side.label}: {side.verdict.sentence.rstrip('.')}" for side in sides]
    tones = {side.verdict.tone for side in sides}
    tone = tones.pop() if len(tones) == 1 else "open"
    basis = "; ".join([*told, differences_told(found.differences)])
    return Conclusion(apart_told(found), basis, tone)


def apart_told(found: StudyComparison) -> str:
    """A clause on the best values that lie apart."""
    if apart := [each.name for each in found.values if each.is_apart]:
        are = "best values lie" if len(apart) > 1 else "best value lies"
        return f"{len(apart)} {are} apart ({', '.join(apart)})"
    shared = [each for each in found.values if each.before and each.after]
    if not shared:
        return "No parameter is in both studies"
    return "No best value is known to lie apart"


def study_frames(found: StudyComparison) -> dict[str, pd.DataFrame]:
    """The frames of two studies, by their names.

    `values` has a row a parameter, with the columns of `Frames.parameters` of either study, and if
    the best values lie apart; `studies` a row for each study.
    """
    return {
        "values": pd.DataFrame([value_row(each) for each in found.values]),
        "studies": pd.DataFrame([side_row(found.before), side_row(found.after)]),
        "differences": pd.DataFrame(found.differences, columns=["key", "before", "after"]),
    }


def value_row(found: FoundValue) -> dict[str, object]:
    """A parameter's row for programs."""
    both = (("before", found.before), ("after", found.after))
    columns = {
        f"{name}_{when}": row[name] if row else None for name in OF_VALUES for when, row in both
    }
    return {"name": found.name, **columns, "is_apart": found.is_apart}


def side_row(side: StudySide) -> dict[str, Any]:
    """A study in one row: its forecast, and its test."""
    config, frames = side.study.config, side.frames
    shapes, tests = frames.shapes.to_dict("records"), frames.verification.to_dict("records")
    forecast, test = (shapes or [{}])[0], (tests or [{}])[0]
    return {
        "study": side.label,
        "engine": config.default.engine.name,
        "game": named_text(config.terms.game),
        "limit": limit_text(config),
        "method": named_text(config.method),
        "games": games_played(frames),
        "trials": len(frames.trials),
        "state": state_of(side.study),
        **{f"forecast_{key}": forecast.get(key, nan) for key in ("gain", "gain_low", "gain_high")},
        "expected_loss": forecast.get("expected_loss", nan),
        **{key: test.get(key, nan) for key in ("elo", "elo_low", "elo_high", "pairs")},
        "decision": test.get("decision", ""),
        "passed": bool(test.get("passed", False)),
        "verdict": side.verdict.sentence,
    }


def study_tables(found: StudyComparison) -> Iterator[Table]:
    """The tables that people read."""
    yield frame_table(VALUES, values_table(found))
    if found.differences:
        yield frame_table(DIFFERENT, pd.DataFrame(found.differences))
    yield frame_table(BOTH, upright([shown_side(found.before), shown_side(found.after)]))


def shown_side(side: StudySide) -> dict[str, object]:
    """A study as people read it."""
    row = side_row(side)
    gain, loss = row["forecast_gain"], row["expected_loss"]
    has_test = not pd.isna(row["pairs"])
    test = [row[key] for key in ("elo", "elo_low", "elo_high")]
    ends = [row["forecast_gain_low"], row["forecast_gain_high"]]
    has_forecast = not pd.isna(gain)
    shown = {key: row[key] for key in ("study", "engine", "game", "limit", "method", "state")}
    return {
        **shown,
        "games": f"{row['games']:,} in {row['trials']:,} trials",
        "forecast": f"{gain:+.0f} Elo by trials ({interval_text(*ends)})" if has_forecast else "-",
        "expected loss": "-" if pd.isna(loss) else f"{loss:.0f} Elo below the best values",
        "test": f"{range_told(*test)}, {row['decision'] or 'not over'}" if has_test else "-",
        "verdict": row["verdict"],
    }


def values_table(found: StudyComparison) -> pd.DataFrame:
    """The best values of both as people read them."""
    return pd.DataFrame(
        [
            {
                "parameter": each.name,
                "before": value_text(each.before),
                "interval before": reach_text(each.before),
                "after": value_text(each.after),
                "interval after": reach_text(each.after),
                "apart": "yes" if each.is_apart else "no",
            }
            for each in found.values
        ]
    )


def value_text(row: Row | None) -> str:
    """The value found; a dash where the study has no such parameter."""
    return weight_text(row, "tuned") if row else "-"


def reach_text(row: Row | None) -> str:
    """Its interval, or else the spread of the best tenth, which is told to be that."""
    if not row or not (found := reach_of(row)):
        return "-"
    text = ends_text(row, found.low, found.high)
    return f"{text} (spread)" if found.kind == BEST_TENTH else text


def study_notes(found: StudyComparison) -> list[str]:
    """Sentences to be read beside the numbers."""
    sides = found.before, found.after
    return [*NOTES, *(f"{side.label}: {text}" for side in sides for text in side_notes(side))]


def side_notes(side: StudySide) -> Iterator[str]:
    """Sentences on one of the studies."""
    yield from faults_texts(side.study.config, side.study.trials.told)
    yield from warnings_first(shape_texts(side.frames.shapes, side.frames.is_proved))
