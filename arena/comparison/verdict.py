"""The verdict on two runs side by side: whose Elo rose, and what differs between them."""

from __future__ import annotations

from math import isfinite

from arena.comparison.compare import Comparison
from arena.comparison.differences import differences_told, namesakes_told
from arena.comparison.leads import Lead
from arena.report.numbers import format_interval, marked
from arena.report.verdict import Conclusion, fault_sentences, mark_meaning
from arena.stats.rounding import rounded

SOME_PLAYERS = 3
"""Players that the first sentence names."""
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


def comparison_verdict(found: Comparison) -> Conclusion:
    """The verdict on two runs."""
    told = differences_told(found.shown_differences)
    if not found.common:
        return Conclusion("No Elo can be compared", f"no player is in both runs. {told}")
    if not found.leads:
        met = "the players of both runs hardly met, or one won everything"
        few = met if len(found.common) > 1 else f"{found.common[0]} alone is in both runs"
        return Conclusion("No Elo can be compared", f"{few}. {told}")
    if (sure := found.sure) and not found.is_over:
        so_far = f"so far {_moved_told(sure[0])} {_field_told(sure[0])}. {told}"
        return Conclusion("No gain is sure yet", so_far)
    if sure:
        gains, told = f"{_gains_told(sure)} {_field_told(sure[0])}", f"{told[:1].lower()}{told[1:]}"
        return Conclusion(
            gains, told, "good" if all(rounded(row.gain.elo) > 0 for row in sure) else "bad"
        )
    if any(row.is_sure for row in found.leads):
        rests = "faults carry the changes"
        return Conclusion("No gain counts", f"{rests}. {told}", "doubtful")
    most = max(
        found.leads,
        key=lambda row: (isfinite(row.gain.high - row.gain.low), rounded(abs(row.gain.elo))),
    )
    moved = f"{_moved_told(most)} {_field_told(most)}"
    if len(found.leads) > 2:
        moved += f", as the one of {len(found.leads)} that changed most may by chance"
    return Conclusion("No player gained for sure", f"{moved}. {told}")


def _gains_told(sure: list[Lead]) -> str:
    """A clause on the players whose gain or loss is sure, those first that changed most."""
    if len(sure) == 2 and sure[0].field == (sure[1].name,):
        return _moved_told(sure[0])  # what one of two gained, the other lost
    most = sorted(sure, key=lambda row: -rounded(abs(row.gain.elo)))
    more = len(most) - SOME_PLAYERS
    told = ", ".join(map(_moved_told, most[:SOME_PLAYERS]))
    return f"{told}{f' and {more} more changed' if more > 0 else ''}"


def _moved_told(row: Lead) -> str:
    gain, verb = row.gain, "gained" if rounded(row.gain.elo) >= 0 else "lost"
    ends = format_interval(gain.low, gain.high, gain.elo)
    return f"{row.name} {verb} {marked(f'{abs(round(gain.elo))}', gain.doubtful)} Elo ({ends})"


def _field_told(row: Lead) -> str:
    if len(row.field) == 1:
        return f"on {row.field[0]}"
    return "on the other players of both runs"


def comparison_notes(found: Comparison) -> list[str]:
    """Sentences to be read beside the numbers."""
    own = namesakes_told(found.shown_differences, found.common)
    own += [MEANING, INTERVALS] if found.leads else []
    sides = (found.before, found.after)
    marks = mark_meaning(
        each.doubtful for row in found.leads for each in (row.before, row.after, row.gain)
    )
    verdicts = [f"{side.label}: {side.verdict.sentence}" for side in sides]
    more = [f"{side.label}: {note}" for side in sides for note in side.played.extras.notes]
    return own + marks + verdicts + more


def comparison_warnings(found: Comparison) -> list[str]:
    """Sentences on faults, which say nothing of strength."""
    return [
        f"{side.label}: {sentence}"
        for side in (found.before, found.after)
        for sentence in fault_sentences(side.played.standings, side.played.tally.faults)
    ]
