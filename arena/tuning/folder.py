"""The folder of a study: its config as it is kept, and the changes that make it another study."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from arena.config.settings import value_changes
from arena.storage.folder import Frozen
from arena.tuning.config import TUNED, TuningConfig, tuning_data

TUNED_FILE = f"{TUNED}.yaml"
"""A tournament of the tuned weights against the default ones, once the gain is proved."""
LATER = ("kind", "verification")
"""Parts of the config that may change, since no trial depends on them."""


def frozen(config: TuningConfig) -> Frozen:
    """The config as the folder keeps it."""
    return Frozen("study", tuning_data(config), "players", study_changes)


def study_changes(before: dict[str, Any], after: dict[str, Any], played: set[str]) -> Iterator[str]:
    """Changes that would make trials differ, each as `key: old -> new`."""
    for part in after:
        if part not in LATER:
            yield from value_changes(part, before.get(part), after[part])
