"""The games of a queue's tests, beside those that `arena run` plays of the file."""

from __future__ import annotations

from pathlib import Path

import arena
from arena.match.record import key
from arena.queue.queue_file import QueueFile
from arena.storage.folder import REPORT_PAGE


def games_of(folder: Path) -> dict[object, object]:
    """The moves and results of a run by the keys of its games; AssertionError for double ones."""
    records = [record for _, record in arena.open_run(folder).records()]
    found = {key(each): (each.moves, each.winner, each.reason) for each in records}
    assert len(found) == len(records)
    return found


def names_by_end(queue: QueueFile) -> list[str]:
    pages = {each.name: queue.results / each.name / REPORT_PAGE for each in queue.entries()}
    return sorted(pages, key=lambda name: pages[name].stat().st_mtime_ns)


def games_alone(text: str, name: str, folder: Path) -> dict[object, object]:
    file = folder / f"{name}.yaml"
    file.write_text(text)
    arena.run(file, workers=0, results=folder / "alone")
    return games_of(folder / "alone" / name)
