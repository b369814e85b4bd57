"""The runs and studies of a results folder, each under an id that no path can be made of."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import blake2b
from os import fsencode
from pathlib import Path

from arena.storage.folder import CONFIG


@dataclass(frozen=True, slots=True)
class Shelved:
    """A folder that keeps games."""

    id: str
    name: str
    """Its path below the results folder."""
    folder: Path


class Library:
    """Holds the results folder, and what is known of its runs."""

    def __init__(self, results: Path) -> None:
        """`results`: a folder of runs, or the folder of one."""
        self.results = results

    def runs(self) -> list[Shelved]:
        """All runs and studies, those within a study after it."""
        return sorted(self._found(), key=lambda each: each.folder.parts)

    def find(self, id: str) -> Shelved | None:
        """The run of an id, which is only ever compared."""
        return next((each for each in self._found() if each.id == id), None)

    def _found(self) -> Iterator[Shelved]:
        """All folders that keep games, as they are now."""
        if (self.results / CONFIG).is_file():
            files = [self.results / CONFIG, *self.results.glob(f"*/{CONFIG}")]
            start = self.results.parent
        else:
            files = [*self.results.glob(f"*/{CONFIG}"), *self.results.glob(f"*/*/{CONFIG}")]
            start = self.results
        for file in files:
            name = file.parent.relative_to(start)
            id = blake2b(fsencode(name), digest_size=6).hexdigest()
            yield Shelved(id, str(name).encode("utf-8", "replace").decode(), file.parent)

    def close(self) -> None:
        """Let go of all files."""
