"""The file of a match that was typed in one line: written, or gone on with."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from arena.config.changes import changes, value_changes
from arena.config.settings import Config, to_data
from arena.config.tournament import read_config
from arena.config.typed_match import COMMAND, TypedMatch, read_match
from arena.config.yaml_file import Document, read_text
from arena.errors import ConfigError, Fault
from arena.storage.database import Store
from arena.storage.folder import DATABASE, keep_text, read_store

LENGTH = ("format", "openings")
"""Keys that say how many games there are: a match may go on with more."""


def match_config(match: TypedMatch, results: Path, *, fresh: bool) -> Config:
    """The config of a match, whose file is written unless it is there; ConfigError for any fault.

    And for a file of other words, unless no game was played by it, only the number of games
    differs, or it is to begin `fresh`; a file of the user's own is never touched.
    """
    config, text = read_match(match)
    if match.file.exists():
        before = read_text(match.file)
        if not before.startswith(f"# {COMMAND} "):
            message = f"is not a file of `{COMMAND}`: choose another --name"
            raise ConfigError(Fault(str(match.file), message))
        if Document(match.file).data == Document(match.file, text=text).data:
            return config
        players = read_store(results / match.run_name, Store.players)
        if players and not fresh:
            refuse_changes(match, config, text)
    keep_text(match.file, text)
    return config


@contextmanager
def kept_if_begun(match: TypedMatch, results: Path) -> Iterator[None]:
    """Throw away a file that is written meanwhile, if its match is refused before any game."""
    is_new = not match.file.exists()
    try:
        yield
    except ConfigError:
        if is_new and not (results / match.run_name / DATABASE).exists():
            match.file.unlink(missing_ok=True)
        raise


def refuse_changes(match: TypedMatch, config: Config, text: str) -> None:
    """Raise a ConfigError if more than the number of games differs from what the file has."""
    if found := list(changes_of_match(match, config, text)):
        raise ConfigError(
            *(Fault(str(match.file), change) for change in found),
            "this match was begun otherwise: choose another --name, or begin anew with --fresh",
        )


def changes_of_match(match: TypedMatch, config: Config, text: str) -> Iterator[str]:
    """The changes from the file to these words, but for the number of games."""
    old, new = (Document(match.file, text=each).data for each in (None, text))
    for key in {**old, **new}:
        if key not in LENGTH:
            yield from value_changes(key, old.get(key), new.get(key))
    if old.get("openings") != new.get("openings"):
        before, after = to_data(read_config(match.file)), to_data(config)
        yield from changes({**after, "openings": before["openings"]}, after, set(config.names))
