"""A fit's report as a page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import isfinite, isnan
from typing import Any

from markupsafe import Markup

from arena.config.yaml_file import dump
from arena.report.numbers import range_text
from arena.report.page.document import (
    NO_MARK,
    Cell,
    Page,
    PageConfig,
    PageGrid,
    PageTable,
    Section,
)
from arena.report.page.row_charts import interval_mark, row_scale
from arena.report.page.tabular import page_table, with_marks
from arena.report.run_page import named_text
from arena.storage.database import Store
from arena.storage.folder import WRITTEN, read_store
from arena.tuning.fit.config import MOVES, RESULTS, fit_data
from arena.tuning.fit.fit import Fit
from arena.tuning.fit.report.fit_account import RANKS_TITLE, account_of
from arena.tuning.fit.report.fit_charts import fit_figures
from arena.tuning.fit.report.fit_frames import (
    LOSS_TITLE,
    AnyFitFrames,
    loss_table,
    shown_weights,
    weights_table,
)
from arena.tuning.fit.report.fit_notes import fit_notes, fit_warnings
from arena.tuning.proof.report.proof_page import attempts_section, proof_section
from arena.tuning.proof.report.proof_tables import limit_text, weights_title

TARGETS = {RESULTS: "weights", MOVES: "sorting of moves"}


def fit_document(fit: Fit, frames: AnyFitFrames) -> Page:
    """The report, ready to be written."""
    config, kept = fit.config, read_store(fit.folder, Store.facts) or {}
    return Page(
        title=config.name,
        subtitle=f"Fit of the {TARGETS[config.target]} of {config.default.engine.name}",
        facts=list(fit_facts(fit)),
        notes=list(fit_notes(fit)),
        verdict=fit.verdict,
        warnings=fit_warnings(fit),
        sections=list(fit_sections(fit, frames)),
        configs=[PageConfig(config.name, dump(fit_data(config)), str(kept.get(WRITTEN, "")))],
    )


def fit_facts(fit: Fit) -> Iterator[tuple[str, str]]:
    """The facts at the top."""
    config = fit.config
    if config.make:
        made, total = fit.games_made
        yield "Games made", f"{made:,} of {total:,}"
        yield "Made by", ", ".join(player.name for player in config.make.players)
    if config.games:
        yield "Games of", ", ".join(config.games)
    if result := fit.result:
        yield "Openings", f"{result.openings:,}"
        yield "Positions", f"{result.positions:,}"
    yield "Game", named_text(config.terms.game)
    yield "Against", ", ".join(player.name for player in config.opponents)
    yield "Limit of the test", limit_text(config)
    yield "State", "complete" if fit.is_over else "not complete"


def fit_sections(fit: Fit, frames: AnyFitFrames) -> Iterator[Section]:
    """All sections, as far as there is anything to show: first what the verdict rests on."""
    yield from proof_section(fit.matches, frames)
    if result := fit.result:
        account = account_of(result)
        if (ranks := account.ranks()) is not None:
            yield Section("ranks", RANKS_TITLE, [page_table(ranks)])
        losses = page_table(loss_table(result, account.columns()))
        yield Section("loss", LOSS_TITLE, [losses], account.loss_text)
        yield Section("weights", weights_title(frames, fit.verdict), [weights_part(frames)])
        yield Section("charts", "Charts", [PageGrid(fit_figures(frames))], account.charts_text)
    yield from attempts_section(frames)


def weights_part(frames: AnyFitFrames) -> PageTable:
    """The weights, each with its interval within its range."""
    table, rows = page_table(weights_table(frames)), shown_weights(frames).to_dict("records")
    return with_marks(table, "within its range", [Cell(mark=range_mark(row)) for row in rows])


def range_mark(row: Mapping[Any, Any]) -> Markup:
    """The 95 % interval of a fitted weight on its range; none without a range, or an interval."""
    low, high = row["low"], row["high"]
    if isnan(row["range_low"]) or not (isfinite(low) and isfinite(high)):
        return NO_MARK
    scale, after = row_scale(row["range_low"], row["range_high"], row["log"]), float(row["after"])
    label = f"{range_text(low, high)} of {range_text(scale.low, scale.high)}"
    return interval_mark(scale, low, after, high, label)
