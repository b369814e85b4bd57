"""The file of a match that was typed in one line: written, or gone on with."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import count
from pathlib import Path

from arena.config.reader import read_config
from arena.config.settings import Config, openings_changes, to_data, value_changes
from arena.config.typed_match import COMMAND, TypedMatch, by_words, file_lines, read_match
from arena.config.yaml_file import read_text
from arena.errors import ConfigError, Fault
from arena.storage.database import Store
from arena.storage.folder import DATABASE, keep_text, read_store

PAIRS = "pairs"
"""The parameter of formats that says how many games there are: a match may go on with more."""


def match_config(
    match: TypedMatch, results: Path, *, fresh: bool, renamed: Callable[[str], str]
) -> Config:
    """The config of a match, whose file is written unless it is there; ConfigError for any fault.

    And for a file of another match, unless no game was played by it, only the number of games
    differs, or it is to begin `fresh`; a file of the user's own is never touched. `renamed` gives
    the command of the match with another name.
    """
    config, text = read_match(match)
    if not match.file.exists():
        keep_text(match.file, text)
        return config
    before, other = read_text(match.file), renamed(_free_name(match.run_name, results))
    if not before.startswith(f"# {COMMAND} "):
        message = f"is not a file of `{COMMAND}`; to leave it alone: {other}"
        raise ConfigError(Fault(str(match.file), message))
    players = read_store(results / match.run_name, Store.players)
    if players and not fresh:
        try:
            config, text = _gone_on(match, config, text)
        except ConfigError as error:
            advice = f"its games are of another match; to keep them: {other} (or else: --fresh)"
            error.faults.append(Fault(str(match.file), advice))
            raise
    if text != before:
        keep_text(match.file, text)
    return config


def _free_name(name: str, results: Path) -> str:
    """A name, made from this one, of which there is neither a file nor a run."""
    others = (f"{name}-{number}" for number in count(2))
    return next(
        other
        for other in others
        if not Path(f"{other}.yaml").exists() and not (results / other).exists()
    )


@contextmanager
def kept_if_begun(match: TypedMatch, results: Path) -> Iterator[None]:
    """Throw away a file that is written meanwhile, if its match is refused before any game; the
    faults are then told by the words of the command.
    """
    is_new = not match.file.exists()
    try:
        yield
    except ConfigError as error:
        if is_new and not (results / match.run_name / DATABASE).exists():
            if any(fault.place.startswith(f"{match.file}:") for fault in error.faults):
                lines = list(file_lines(match))
                error.faults = [by_words(fault, lines) for fault in error.faults]
            match.file.unlink(missing_ok=True)
        raise


def _gone_on(match: TypedMatch, config: Config, text: str) -> tuple[Config, str]:
    """The config and the text with which the match of a file goes on.

    Raises ConfigError if more than the number of games differs, or the file cannot be read.
    """
    kept = read_config(match.file)
    source = kept.openings.source
    if match.openings is None and match.sprt is None and source.name == "random":
        # Earlier versions had random openings in each match of more than 230 games.
        seed = source.parameters["seed"]
        config, text = read_match(replace(match, openings=f"random:seed={seed}"))
    if to_data(kept) == to_data(config):
        return kept, kept.written
    if found := list(_changes_of_match(kept, config)):
        raise ConfigError(*(Fault(str(match.file), change) for change in found))
    return config, text


def _changes_of_match(kept: Config, config: Config) -> Iterator[str]:
    """The changes from one config to another, but for the number of games."""
    before, after = to_data(kept), to_data(config)
    for data in (before, after):
        for parameters in data["format"].values():
            parameters.pop(PAIRS, None)
    for key in before:
        if key != "openings":
            yield from value_changes(key, before[key], after[key])
    yield from openings_changes(before, after)
