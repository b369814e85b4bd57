"""A fit's report as a page."""

from __future__ import annotations

from collections.abc import Iterator

from arena.config.yaml_file import dump
from arena.report.page.document import Page, PageConfig, PageGrid, Section, page_table
from arena.report.run_page import named_text
from arena.storage.database import Store
from arena.storage.folder import WRITTEN, read_store
from arena.tuning.fit.config import MOVES, RESULTS, fit_data
from arena.tuning.fit.fit import Fit
from arena.tuning.fit.report.fit_account import account_of
from arena.tuning.fit.report.fit_charts import fit_figures
from arena.tuning.fit.report.fit_frames import AnyFitFrames, loss_table, weights_table
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
            yield Section("ranks", ranks.title, [page_table(ranks)])
        losses = loss_table(result, account.columns())
        yield Section("loss", losses.title, [page_table(losses)], account.loss_text)
        weights = weights_table(frames, weights_title(frames, fit.verdict))
        yield Section("weights", weights.title, [page_table(weights)])
        yield Section("charts", "Charts", [PageGrid(fit_figures(frames))], account.charts_text)
    yield from attempts_section(frames)
