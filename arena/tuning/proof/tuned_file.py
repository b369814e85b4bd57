"""`tuned.yaml`, once a gain is proved, with the files beside it that its engine was given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from arena.config.settings import Config, Player, to_data
from arena.config.yaml_file import dump
from arena.files import refuse_other
from arena.plugins.build import filled_files
from arena.storage.folder import keep_bytes, keep_text
from arena.tuning.settings.proof_config import TUNED, TUNED_FILE, ProofConfig


def write_tuned(folder: Path, study: str, test: Config, gains: Sequence[str]) -> None:
    """Write a tournament that plays a study's test again, and what its program was given.

    `gains` tell what it won under each condition.
    """
    refuse_other(folder / TUNED_FILE, "tuned")
    for file, content in contents_beside(folder, test.players[0]).items():
        keep_bytes(file, content)
    data = to_data(replace(test, name=f"{study}_{TUNED}"))
    keep_text(folder / TUNED_FILE, "".join(f"# {each}\n" for each in gains) + dump(data))


def remove_tuned(folder: Path, config: ProofConfig) -> None:
    """Remove the files that `write_tuned` may have written before."""
    refuse_other(folder / TUNED_FILE, "tuned")
    for file in (folder / TUNED_FILE, *contents_beside(folder, config.default)):
        file.unlink(missing_ok=True)


def filled_in(folder: Path, config: ProofConfig) -> list[Path]:
    """The files that were written beside `tuned.yaml`."""
    return [file for file in contents_beside(folder, config.default) if file.exists()]


def contents_beside(folder: Path, player: Player) -> Mapping[Path, bytes]:
    """The contents that a player's program is given, by the files that are to keep them."""
    engine = player.engine
    found = filled_files(engine.name, engine.parameters)
    return {folder / f"{TUNED}_{name}": content for name, content in found.items()}
