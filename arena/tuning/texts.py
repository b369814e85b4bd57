"""What a study says to people: its plan before, what it recommends, and what was proved."""

from __future__ import annotations

from arena.figures import interval_text, share_text
from arena.tuning.live import number_text
from arena.tuning.study import TUNED_FILE, Study
from arena.tuning.tuner import Advice


def plan_text(study: Study) -> str:
    """How much is going to be played."""
    config, plan = study.config, study.config.plan
    names = ", ".join(axis.name for axis in config.space.axes)
    whom = (
        "two points against each other"
        if config.compares and not config.opponents
        else f"against {', '.join(config.rivals)}"
    )
    return (
        f"Tuning {names} of {config.default.engine.name} by {config.method.name}: "
        f"{plan.budget} games, {plan.games} in each trial, {whom}.\n"
        f"Then a test of at most {2 * config.verification['pairs']} games proves the gain."
    )


def advice_text(study: Study) -> str:
    """The recommendation: a row for each parameter."""
    heads = "parameter", "default", "tuned", "95 %", "an Elo is lost beyond", "importance"
    default = study.config.space.default
    rows = [heads, *(advice_row(advice, default[advice.name]) for advice in study.advice)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [
        "  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]
    return "\n".join(["", *lines, ""])


def advice_row(advice: Advice, default: object) -> tuple[str, ...]:
    """One parameter."""
    return (
        advice.name,
        number_text(default),
        number_text(advice.value),
        range_text(advice.low, advice.high),
        range_text(advice.flat_low, advice.flat_high),
        share_text(advice.importance),
    )


def range_text(low: float | None, high: float | None) -> str:
    """Both ends, if they are known."""
    return "-" if low is None or high is None else f"{low:.4g} to {high:.4g}"


def verdict_text(study: Study) -> str:
    """Whether the gain is proved, and how large it is."""
    if study.values == study.config.space.default:
        return "The default weights are recommended: there is nothing to prove."
    verdict = study.verdict
    if verdict is None:
        return "The gain was not tested."
    row, standing = verdict.row, verdict.standing
    bounds = standing.elo_low, standing.elo_high
    gain = f"{standing.elo:+.0f} Elo ({interval_text(*bounds)}) over {row['pairs']} pairs"
    llr = f"LLR {row['llr']:.2f} of {row['lower']:.2f} to {row['upper']:.2f}"
    if verdict.has_passed:
        return (
            f"Passed: tuned against default {gain}, {llr}.\n"
            "The test stopped when it was sure, so this Elo is biased upwards.\n"
            f"To play it again: arena run {study.folder / TUNED_FILE}"
        )
    return (
        f"Not passed ({row['decision'] or 'not over'}): {gain}, {llr}. No {TUNED_FILE} is written."
    )
