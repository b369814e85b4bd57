"""The answer on two runs side by side, and its verdict."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from math import isfinite, isinf, nan

import pandas as pd

from arena.comparison.compare import ComparedRun, Comparison, Lead, differences_told, namesakes_told
from arena.report.answer import Answer
from arena.report.numbers import format_elo, format_interval, marked
from arena.report.page.charts import elo_intervals
from arena.report.run_answer import format_format, format_span, format_spec
from arena.report.table import Column, Section, Table, frame_table
from arena.report.verdict import Conclusion, fault_sentences, mark_meaning
from arena.stats.leads import Estimate
from arena.stats.rounding import rounded

GAIN_COLUMNS = [
    *("name", "field", "elo_before", "elo_before_low", "elo_before_high", "elo_before_doubtful"),
    *("games_before", "elo_after", "elo_after_low", "elo_after_high", "elo_after_doubtful"),
    *("games_after", "gain", "gain_low", "gain_high", "gain_doubtful", "is_sure"),
]


def comparison_answer(comparison: Comparison) -> Answer:
    before, after = comparison.before.label, comparison.after.label
    return Answer(
        title=f"{before} and {after}",
        subtitle="Two runs side by side",
        facts=[("Before", before), ("After", after)],
        verdict=comparison_verdict(comparison),
        warnings=[
            f"{side.label}: {sentence}"
            for side in (comparison.before, comparison.after)
            for sentence in fault_sentences(side.played.standings, side.played.tally.faults)
        ],
        notes=_comparison_notes(comparison),
        make_sections=partial(_sections, comparison),
        frames=_frames(comparison),
        head={"before": before, "after": after},
    )


def _frames(comparison: Comparison) -> dict[str, pd.DataFrame]:
    """The frames of two runs, by their names: those first that csv shows.

    `gains` has a row for each player of both whose change can be told, with the players of its
    `field`; ends of intervals that are not known are missing.
    """
    return {
        "gains": pd.DataFrame(
            [_gain_row(comparison, row) for row in comparison.leads], columns=GAIN_COLUMNS
        ),
        "differences": pd.DataFrame(comparison.differences, columns=["key", "before", "after"]),
        "runs": pd.DataFrame([_run_row(comparison.before), _run_row(comparison.after)]),
    }


def _gain_row(comparison: Comparison, row: Lead) -> dict[str, object]:
    before, after = comparison.games_among
    estimates = (
        _estimate("elo_before", row.before)
        | _estimate("elo_after", row.after)
        | _estimate("gain", row.gain)
    )
    return {
        "name": row.name,
        "field": ", ".join(row.field),
        "games_before": before[row.name],
        "games_after": after[row.name],
        "is_sure": row in comparison.sure,
        **{key: nan if isinf(value) else value for key, value in estimates.items()},
    }


def _run_row(run: ComparedRun) -> dict[str, object]:
    facts, tally = run.played.extras.runs[0], run.played.tally
    has_time = facts.began is not None and facts.ended is not None
    return {
        "run": run.label,
        "game": format_spec(facts.game),
        "format": format_format(facts.format),
        "players": len(tally.names),
        "games": tally.games,
        "played": format_span(facts.began or 0, facts.ended or 0) if has_time else "",
        "verdict": run.verdict.sentence,
    }


def _sections(comparison: Comparison) -> Iterator[Section]:
    if comparison.leads:
        gains = _gains_table(comparison)
        yield Section("gains", gains.title, [gains], level="main")
    if comparison.differences:
        rows = [each.shown for each in comparison.shown_differences]
        frame = pd.DataFrame(rows, columns=["what", "before", "after"])
        differences = frame_table("What differs", frame)
        yield Section("differences", differences.title, [differences])
    before, after = _run_row(comparison.before), _run_row(comparison.after)
    # A verdict is a sentence, and stands in the notes.
    rows = [(key, str(before[key]), str(after[key])) for key in before if key != "verdict"]
    both = frame_table("Side by side", pd.DataFrame(rows, columns=["what", "before", "after"]))
    yield Section("both", both.title, [both])


def _gains_table(comparison: Comparison) -> Table:
    games_before, games_after = comparison.games_among
    rows = [
        {"name": row.name}
        | _estimate("before", row.before)
        | _estimate("after", row.after)
        | _estimate("gain", row.gain)
        | {"games_before": games_before[row.name], "games_after": games_after[row.name]}
        for row in comparison.leads
    ]
    frame = pd.DataFrame(rows)
    columns = [
        Column("name"),
        Column("gain", "gain", format_elo, ("gain_low", "gain_high", "gain_doubtful")),
        Column("gain_low", "95 %", format_interval, ("gain_high", "gain"), is_number=False),
        elo_intervals(frame, "gain_low", "gain", "gain_high", "gain_doubtful"),
        Column("before", "before", _format_lead, _beside("before"), is_number=False),
        Column("after", "after", _format_lead, _beside("after"), is_number=False),
        Column("games_before", "games", "{:,} and {:,}", ("games_after",), is_number=False),
    ]
    return Table("Elo gained on each other", frame, columns)


def _estimate(name: str, found: Estimate) -> dict[str, float]:
    return dict(zip((name, *_beside(name)), found, strict=True))


def _beside(name: str) -> tuple[str, str, str]:
    return f"{name}_low", f"{name}_high", f"{name}_doubtful"


def _format_lead(elo: float, low: float, high: float, is_doubtful: bool) -> str:
    """An Elo with its interval; a bound, or a dash, where one end or both are not known."""
    text, interval = format_elo(elo, low, high, is_doubtful), format_interval(low, high, elo)
    if text.startswith(("+", "-")) and text != "-":
        return f"{text} ({interval})"
    return marked(interval, is_doubtful)


SOME_PLAYERS = 3  # Players that the first sentence names
MEANING = (
    "Elo is over the mean of the other players that both runs have, by the games among them; a "
    "gain is the change of this lead. A change that makes all players alike stronger or weaker is "
    "not seen."
)
INTERVALS = (
    "The 95 % intervals of gains take the runs as independent of each other, which is on the safe "
    "side where they share openings. The first sentence names only gains that chance "
    "hardly explains, even as the largest of all."
)


def comparison_verdict(comparison: Comparison) -> Conclusion:
    told = differences_told(comparison.shown_differences)
    if not comparison.common:
        return Conclusion("No Elo can be compared", f"no player is in both runs. {told}")
    if not comparison.leads:
        met = "the players of both runs hardly met, or one won everything"
        few = met if len(comparison.common) > 1 else f"{comparison.common[0]} alone is in both runs"
        return Conclusion("No Elo can be compared", f"{few}. {told}")
    if (sure := comparison.sure) and not comparison.is_over:
        so_far = f"so far {_moved_told(sure[0])} {_field_told(sure[0])}. {told}"
        return Conclusion("No gain is sure yet", so_far)
    if sure:
        gains = f"{_gains_told(sure)} {_field_told(sure[0])}"
        are_gains = all(rounded(row.gain.elo) > 0 for row in sure)
        told = f"{told[:1].lower()}{told[1:]}"
        return Conclusion(gains, told, "good" if are_gains else "bad")
    if any(row.is_sure for row in comparison.leads):
        rests = "faults carry the changes"
        return Conclusion("No gain counts", f"{rests}. {told}", "doubtful")
    most = max(
        comparison.leads,
        key=lambda row: (isfinite(row.gain.high - row.gain.low), rounded(abs(row.gain.elo))),
    )
    moved = f"{_moved_told(most)} {_field_told(most)}"
    if len(comparison.leads) > 2:
        moved += f", as the one of {len(comparison.leads)} that changed most may by chance"
    return Conclusion("No player gained for sure", f"{moved}. {told}")


def _gains_told(sure: list[Lead]) -> str:
    if len(sure) == 2 and sure[0].field == (sure[1].name,):
        return _moved_told(sure[0])  # what one of two gained, the other lost
    most = sorted(sure, key=lambda row: -rounded(abs(row.gain.elo)))
    some = ", ".join(map(_moved_told, most[:SOME_PLAYERS]))
    more = len(most) - SOME_PLAYERS
    return f"{some} and {more} more changed" if more > 0 else some


def _moved_told(row: Lead) -> str:
    gain, verb = row.gain, "gained" if rounded(row.gain.elo) >= 0 else "lost"
    ends = format_interval(gain.low, gain.high, gain.elo)
    return f"{row.name} {verb} {marked(f'{abs(round(gain.elo))}', gain.doubtful)} Elo ({ends})"


def _field_told(row: Lead) -> str:
    if len(row.field) == 1:
        return f"on {row.field[0]}"
    return "on the other players of both runs"


def _comparison_notes(comparison: Comparison) -> list[str]:
    own = namesakes_told(comparison.shown_differences, comparison.common)
    own += [MEANING, INTERVALS] if comparison.leads else []
    sides = (comparison.before, comparison.after)
    marks = mark_meaning(
        each.doubtful for row in comparison.leads for each in (row.before, row.after, row.gain)
    )
    verdicts = [f"{side.label}: {side.verdict.sentence}" for side in sides]
    more = [f"{side.label}: {note}" for side in sides for note in side.played.extras.notes]
    return own + marks + verdicts + more
