"""The state of a run while it is played."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass

from arena.format import Row
from arena.report.fault_texts import fault_sentences, mark_meaning
from arena.report.numbers import format_value
from arena.report.planning.outlook import sprt_progress
from arena.report.progress import LiveTable, Progress, View
from arena.report.standings import Standing, Tally, rated_rows, standings_columns
from arena.stats.rounding import rounded


@dataclass(frozen=True, slots=True, kw_only=True)
class RunProgress(Progress):
    """The state of a run."""

    tally: Tally
    matches: Callable[[], list[Row]]
    """The matches that the format decides, as they stand: see `arena.format`."""
    is_rated: bool = False  # True if the Elo is that of the ratings: see `standings.is_rated`

    def view(self) -> View:
        """The standings as they are, and below them the matches that the format decides."""
        rows, standings = self.matches(), self.tally.standings()
        parts = [
            *fault_sentences(standings, self.tally.faults),
            *self._standings_parts(standings),
            _matches_table(rows),
        ]
        test = sprt_progress(rows, self.total and self.total - self.games)
        return View(parts, test, any("decision" in row for row in rows))

    def _standings_parts(self, standings: Sequence[Standing]) -> Iterator[LiveTable | str]:
        columns = standings_columns(any(row.faults for row in standings), self.is_rated)
        rows = [asdict(row) for row in standings]
        if self.is_rated:
            rows = rated_rows(standings, self.tally.ratings())
            rows.sort(key=lambda row: (row["group"], -rounded(row["rating"])))
        cells = [[column.text(row) for column in columns] for row in rows]
        yield LiveTable([column.heading for column in columns], cells)
        yield from mark_meaning(bool(row["doubtful"] or row.get("rating_doubtful")) for row in rows)


RunWatcher = Callable[[RunProgress], None]


def _matches_table(rows: list[Row]) -> LiveTable | str:
    """The matches that are being decided: of a tournament in stages, those of the last one."""
    if not rows:
        return ""
    shown = [row for row in rows if row.get("stage") == rows[-1].get("stage")]
    texts = [list(map(format_value, row.values())) for row in shown]
    return LiveTable(list(rows[-1]), texts, justify="left")
