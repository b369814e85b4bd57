"""The list of all runs and studies, each with its state."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from arena.config.settings import one_named
from arena.config.yaml_file import Document
from arena.errors import ConfigError
from arena.server.watch.followed_run import FileFigures, figures_of, kept_games_count
from arena.server.watch.run_folders import RunFolders
from arena.storage.at_play import is_asked_to_stop, is_at_play
from arena.storage.folder import CONFIG, kind_of

KINDS_SHOWN = {"tournament": "tournament", "study": "tuning study", "imported": "imported games"}


@dataclass(frozen=True, slots=True)
class RunListRow:
    """One run in the list."""

    id: str
    name: str
    kind: str
    game: str
    games: int
    state: str


def run_list_rows(run_folders: RunFolders) -> list[RunListRow]:
    """A row for each run, those that are being played first."""
    rows = []
    for each in run_folders.runs():
        figures = figures_of(each.folder)
        kind, game = kind_and_game(each.folder, figures)
        games = kept_games_count(each.folder, figures)
        rows.append(RunListRow(each.id, each.name, kind, game, games, play_state_text(each.folder)))
    return sorted(rows, key=lambda row: not row.state)


def play_state_text(folder: Path) -> str:
    """The state of a run that is being played; empty for others."""
    if not is_at_play(folder):
        return ""
    return "ends after the games in flight" if is_asked_to_stop(folder) else "being played"


@lru_cache(maxsize=1000)
def kind_and_game(folder: Path, figures: FileFigures) -> tuple[str, str]:
    """The kind of a folder, and the game played there; read again once its files changed."""
    try:
        found = Document(folder / CONFIG).data
        return KINDS_SHOWN.get(kind_of(found), "unknown"), str(one_named(found["game"]))
    except (ConfigError, AttributeError, KeyError, TypeError, ValueError, OSError):
        return "cannot be read", ""
