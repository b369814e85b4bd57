"""The tables at which people play."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path


class Tables:
    """Holds the games that people play here, and the engines that they may play against."""

    def __init__(self, configs: Sequence[Path] = ()) -> None:
        """`configs`: files whose engines are at hand beside those that come along."""

    def close(self) -> None:
        """End all games, and let go of their engines."""
