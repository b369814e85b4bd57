"""The contents of a fit's report: its tables for people, its frames for programs, its page."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from functools import partial

from arena.report.export import Contents
from arena.report.table import Table
from arena.tuning.fit.config import target_data
from arena.tuning.fit.fit import Fit
from arena.tuning.fit.report.fit_account import account_of
from arena.tuning.fit.report.fit_frames import AnyFitFrames, loss_table, weights_table
from arena.tuning.fit.report.fit_notes import fit_notes, fit_warnings
from arena.tuning.proof.report.proof_tables import proof_tables, weights_title

OWN_FRAMES = ("weights", "losses", "before", "after", "curve")
"""Parts of a result that are frames of their own."""


def fit_contents(fit: Fit) -> Contents:
    """The contents of a fit's report: everything that is known of it, as it stands."""
    frames = fit.frames()
    return Contents(
        frames=frames.by_name,
        tables=list(fit_tables(fit, frames)),
        head=head_of(fit),
        notes=list(fit_notes(fit)),
        verdict=fit.verdict,
        warnings=fit_warnings(fit),
        page=partial(fit_page_text, fit, frames),
    )


def fit_page_text(fit: Fit, frames: AnyFitFrames) -> str:
    """The report as a page, whose templates take a moment to import."""
    from arena.report.page.render import rendered
    from arena.tuning.fit.report.fit_page import fit_document

    return rendered("study.html", document=fit_document(fit, frames))


def fit_tables(fit: Fit, frames: AnyFitFrames) -> Iterator[Table]:
    """The tables that people read as text."""
    if result := fit.result:
        account = account_of(result)
        if (ranks := account.ranks()) is not None:
            yield ranks
        yield loss_table(result, account.columns())
        yield weights_table(frames, weights_title(frames, fit.verdict))
    yield from proof_tables(frames)


def head_of(fit: Fit) -> dict[str, object]:
    """The fit's identity, its progress, and what was found beside the frames."""
    config, result = fit.config, fit.result
    made, total = fit.games_made
    data = result.data() if result else {}
    found = {key: value for key, value in data.items() if key not in OWN_FRAMES} or None
    return {
        "name": config.name,
        "engine": config.default.engine.name,
        "game": str(config.terms.game),
        "opponents": [player.name for player in config.opponents],
        "games": list(config.games),
        "games_made": made,
        "games_to_make": total,
        **target_data(config),
        "settings": asdict(config.settings),
        "fit": found,
        "is_over": fit.is_over,
    }
