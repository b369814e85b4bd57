"""The bounds of a proof, which stay as they are once it has games."""

from __future__ import annotations

from pathlib import Path

from arena.errors import ConfigError, Fault
from arena.storage.database import Store
from arena.storage.folder import DATABASE, read_store, reading
from arena.tuning.config import TuningConfig
from arena.tuning.verification import NAME, OPPONENTS

KEPT_BOUNDS = {
    NAME: ("elo0", "elo1", "alpha", "beta", "model", "pairs"),
    OPPONENTS: ("opponent_pairs",),
}
"""For each of these runs, the keys of `verification` that must stay once it has a game."""


def check_bounds(folder: Path, config: TuningConfig) -> None:
    """ConfigError if matches of this study that have games are asked for by other bounds.

    Whoever chooses bounds after the games proves whatever he likes. More `pairs` go on with a
    sequential test, and take no decision back.
    """
    with reading(folder / DATABASE):
        kept = dict((read_store(folder, Store.facts) or {}).get("verification", {}))
    wanted = {**config.verification, "opponent_pairs": config.opponent_pairs}
    for name, keys in KEPT_BOUNDS.items():
        changed = [
            f"verification.{key}: {kept[key]} -> {wanted[key]}"
            for key in keys
            if key in kept and kept[key] != wanted[key]
            if not (key == "pairs" and wanted[key] > kept[key])
        ]
        played = read_store(folder / name, Store.players)
        if changed and played:
            raise ConfigError(
                *(Fault(str(folder / name), change) for change in changed),
                "bounds that are chosen after games were seen prove nothing, so these matches keep "
                "the bounds that they began with; for a new test, tune by a file of another name, "
                "with openings of another seed",
            )
