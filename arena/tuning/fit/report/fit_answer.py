"""The answer on a fit: its weights, what they save, and if a gain is proved."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from functools import partial

from arena.config.yaml_file import dump
from arena.report.answer import Answer, ConfigText
from arena.report.run_answer import format_spec
from arena.storage.database import Store
from arena.storage.folder import WRITTEN, read_store
from arena.tuning.fit.config import fit_data
from arena.tuning.fit.fit import Fit
from arena.tuning.fit.report.fit_notes import fit_notes, fit_warnings
from arena.tuning.fit.report.fit_sections import fit_sections
from arena.tuning.proof.report import (
    limit_text,
)

OWN_FRAMES = ("weights", "losses", "before", "after", "curve")
"""Parts of a result that are frames of their own."""


def fit_answer(fit: Fit) -> Answer:
    """Everything that is known of a fit, as it stands."""
    frames, config = fit.frames(), fit.config
    kept = read_store(fit.folder, Store.facts) or {}
    return Answer(
        title=config.name,
        subtitle=f"Fit of the weights of {config.default.engine.name}",
        facts=list(_facts(fit)),
        verdict=fit.verdict,
        warnings=fit_warnings(fit),
        notes=list(fit_notes(fit)),
        make_sections=partial(fit_sections, fit.matches, frames, fit.result, fit.verdict),
        frames=frames.by_name,
        head=_head(fit),
        configs=[ConfigText(config.name, dump(fit_data(config)), str(kept.get(WRITTEN, "")))],
    )


def _facts(fit: Fit) -> Iterator[tuple[str, str]]:
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
    yield "Game", format_spec(config.terms.game)
    yield "Against", ", ".join(player.name for player in config.opponents)
    yield "Limit of the test", limit_text(config)
    yield "State", "complete" if fit.is_over else "not complete"


def _head(fit: Fit) -> dict[str, object]:
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
        "settings": asdict(config.settings),
        "fit": found,
        "is_over": fit.is_over,
    }
