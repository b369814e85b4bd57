"""The report of runs as a page."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pandas as pd

from arena.errors import ConfigError
from arena.match.record import FIELDS, GameRecord, record_from
from arena.plugins.load import IMPORTED, Named, load_game
from arena.report.frames import Report
from arena.report.numbers import unit_of
from arena.report.openings import opening_numbers
from arena.report.page.document import Page, PageConfig
from arena.report.page.games import Played, games_data
from arena.report.page.kept_games import fitting_games, left_out_text
from arena.report.page.render import rendered
from arena.report.sections import run_sections

STOPPED = "stopped by faults"
"""The state of what a player stopped that only lost by its own faults."""


def run_page(report: Report) -> str:
    """The whole report as HTML."""
    return rendered("report.html", document=page_of_runs(report))


def page_of_runs(report: Report) -> Page:
    """The report of runs, ready to be written."""
    games, note, pack = viewer_data(report)
    return replace(document_of_runs(report), games=games, games_note=note, packed=pack)


def document_of_runs(report: Report) -> Page:
    """The report of runs without their games."""
    names = [facts.name for facts in report.runs]
    return Page(
        title=", ".join(names) or "Report",
        subtitle=subtitle_of(report),
        facts=list(facts_of(report)),
        notes=report.notes,
        verdict=report.verdict,
        warnings=report.warnings,
        sections=list(run_sections(report)) if report.count else [],
        configs=[PageConfig(facts.name, facts.config, facts.written) for facts in report.runs],
    )


def subtitle_of(report: Report) -> str:
    """The kind of what was played."""
    if len(report.runs) > 1:
        return "Several runs reported as one"
    if any(facts.format.name == IMPORTED for facts in report.runs):
        return "Imported games"
    if "llr" in report.matches:
        return "Test"
    return "Match" if len(report.standings) == 2 else "Tournament"


def facts_of(report: Report) -> Iterator[tuple[str, str]]:
    """The facts at the top, in one line."""
    copies = report.count - report.distinct_games
    yield "Games", f"{report.count:,}{f', {report.distinct_games:,} distinct' * bool(copies)}"
    yield "Players", str(len(report.standings))
    for title, texts in (
        ("Game", [named_text(facts.game) for facts in report.runs]),
        ("Format", [format_text(facts.format) for facts in report.runs]),
    ):
        if texts:
            yield title, ", ".join(dict.fromkeys(texts))
    began = [facts.began for facts in report.runs if facts.began is not None]
    ended = [facts.ended for facts in report.runs if facts.ended is not None]
    if began and ended:
        yield "Played", span_text(min(began), max(ended))
    if report.runs:
        yield "State", state_text(report)


def format_text(format: Named) -> str:
    """A format in words; a test with its hypotheses."""
    bounds = [format.parameters.get(each) for each in ("elo0", "elo1")]
    words = format.name.replace("_", " ").replace("sprt", "SPRT")
    if None in bounds:
        return words
    unit = unit_of(format.parameters.get("model", "logistic"))
    return f"{words} of {bounds[0]:g} against {bounds[1]:g} {unit}"


def named_text(named: Named) -> str:
    """A name with its parameters, which a narrow page may break between them."""
    return str(named).replace(":", ": ", 1).replace(",", ", ")


def span_text(began: float, ended: float) -> str:
    """Two moments, in Greenwich's time, as a reader may be anywhere."""
    first, last = (time.strftime("%Y-%m-%d %H:%M", time.gmtime(each)) for each in (began, ended))
    if first == last:
        return f"{first} UTC"
    return f"{first} to {last[11:] if first[:10] == last[:10] else last} UTC"


def state_text(report: Report) -> str:
    """The progress of the runs."""
    if any(facts.stopped for facts in report.runs):
        return STOPPED
    if all(facts.is_over for facts in report.runs):
        return "complete"
    totals = [facts.total for facts in report.runs]
    if None in totals:
        return "not complete"
    return f"not complete: {report.count:,} of at most {sum(map(int, filter(None, totals))):,}"


def viewer_data(report: Report) -> tuple[Mapping[str, Any] | None, str, str]:
    """The games for the viewer, or packed, and the sentence on those that are left out."""
    if not report.runs or not report.count:
        return None, "", ""
    try:
        rules = {facts.name: load_game(facts.game) for facts in report.runs}
    except ConfigError as error:
        return None, f"The games cannot be shown: {error}", ""
    games, records = report.games, records_of(report.games)
    place = {facts.name: i for i, facts in enumerate(report.runs)}
    runs = [place[name] for name in games["run"]] if "run" in games else [0] * len(games)
    numbers, openings = list(games["game"]), list(opening_numbers(games))
    names = list(report.standings["name"])

    def data_of(kept: Sequence[int]) -> Mapping[str, Any]:
        """The games at these places."""
        played = [Played(runs[i], int(numbers[i]), records[i], int(openings[i])) for i in kept]
        left_out = len(games) - len(kept)
        return games_data(rules, names, played, left_out, report.known_scales)

    kept, plain, pack = fitting_games(records, data_of)
    return plain, left_out_text(records, kept), pack


def records_of(games: pd.DataFrame) -> list[GameRecord]:
    """The games of a frame as records."""
    columns = games[FIELDS].astype(object).where(games[FIELDS].notna(), None)
    return [record_from(row) for row in columns.itertuples(index=False, name=None)]
