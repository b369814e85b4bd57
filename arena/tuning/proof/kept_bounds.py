"""The bounds, the openings and the code of a proof, which stay as they are once it has games."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

from arena.config.settings import to_data, value_changes
from arena.errors import ConfigError, Fault
from arena.storage.database import Store
from arena.storage.folder import DATABASE, as_config_error, games_of, read_store
from arena.storage.history import change_text, code_changes, with_digests
from arena.tournament.run import Run
from arena.tuning.proof.verification import NAME
from arena.tuning.settings.config import TuningConfig
from arena.tuning.settings.proof_config import ProofConfig
from arena.tuning.settings.study_data import proof_data

FROZEN = "verification", "openings", "vary", "plan"
"""Parts of the config that must stay once the test has a game."""

ANOTHER_TEST = "for a new test, tune with --fresh: this attempt stays kept, and is counted"


def check_bounds(folder: Path, config: ProofConfig) -> None:
    """Raise ConfigError if the test of this study has games, and is asked for by other bounds or
    openings.

    What is chosen after the games proves nothing. More `pairs` go on with a
    sequential test, and take no decision back.
    """
    played = read_store(folder / NAME, Store.players)
    with as_config_error(folder / DATABASE):
        before, after = read_store(folder, Store.facts) or {}, proof_data(config)
        after["plan"] = asdict(config.plan) if isinstance(config, TuningConfig) else None
        bounds = after["verification"]
        bounds["pairs"] = min(bounds["pairs"], before.get("verification", bounds)["pairs"])
        frozen = FROZEN if "verification" in before else ()
        parts = ((part, before.get(part), after.get(part)) for part in frozen)
        changed = [change for each in parts for change in value_changes(*each)]
    if changed and played:
        raise ConfigError(
            *(Fault(str(folder / NAME), change) for change in changed),
            "what is chosen after games were seen proves nothing, so the test keeps what it began "
            f"with; {ANOTHER_TEST}",
        )


def check_code(run: Run) -> None:
    """ConfigError if these matches of a proof have games, and their engines' code has changed."""
    after = list(map(with_digests, to_data(run.config)["engines"]))
    with as_config_error(run.folder / DATABASE):
        before = (read_store(run.folder, Store.facts) or {}).get("engines", [])
        names = [entry["name"] for entry in before]
        count = read_store(run.folder, lambda store: games_of(names, "tournament", store))
        rows = list(code_changes(before, after, count or {}))
    if found := [Fault(str(run.folder), change_text(row)) for row in rows]:
        raise ConfigError(
            *found,
            "a proof is of one code, so the test keeps the code that it began with; "
            f"{ANOTHER_TEST}",
        )
