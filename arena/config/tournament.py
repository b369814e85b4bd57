"""The check of a tournament's YAML: all faults of a file at once, each with its place."""

from __future__ import annotations

from arena.config.reader import Reader
from arena.config.settings import Config, tournament_keys
from arena.config.yaml_file import ConfigSource, document
from arena.errors import ConfigError, Fault
from arena.format import Field
from arena.plugins import load
from arena.plugins.load import Named

UNLIKE = "engines", "parameters", "a tuning study", "tune"


def read_config(source: ConfigSource, *, tests: bool = False, text: str | None = None) -> Config:
    """Read a tournament from a file or its keys; ConfigError with all faults at once.

    It is a fault of a file that it plays no test, if it must be one that `tests`. A `text` is read
    in place of the file's own.
    """
    found = document(source, UNLIKE, text)
    if found.data.get("kind") == "imported":
        message = "this is of imported games, which were played elsewhere: arena report"
        raise ConfigError(Fault(found.place(("kind",)), f"{message} {found.file.parent}"))
    if found.data.get("kind") == "fit":
        message = f"this is a fit of weights: {found.command('fit')}"
        raise ConfigError(Fault(found.place(("kind",)), message))
    reader = Reader(found)
    config = _config_in(reader)
    if tests and config.format.name:
        _check_tests(reader, config.format)
    reader.raise_faults()
    return config


def _config_in(reader: Reader) -> Config:
    """The whole file; worth nothing if there are faults."""
    terms, top = reader.top(tournament_keys)
    format = reader.named("format", top["format"])
    config = Config(
        name=reader.run_name(top["name"]),
        terms=terms,
        format=format,
        openings=reader.openings(top["openings"], terms.game, format),
        rounds=top["rounds"],
        players=tuple(reader.players(top["engines"], terms.game)),
        written=reader.document.text,
    )
    if not reader.faults:
        reader.check_openings(config.openings, terms)
        _check_format(reader, config)
    return config


def _check_tests(reader: Reader, format: Named) -> None:
    """Note if the format is no test, which alone has an exit status to tell."""
    if not is_test(format.name):
        known = [name for name in load.names("format") if is_test(name)]
        message = f"{format.name} has no exit status to tell; only {' and '.join(known)} have"
        reader.fault(message, ("format",))


def _check_format(reader: Reader, config: Config) -> None:
    """Note if the format cannot pair these players."""
    module = load.module("format", config.format.name)
    try:
        module.total(Field(config.names, (), config.rounds), **config.format.parameters)
    except ConfigError as error:
        reader.fault(str(error), ("format", config.format.name))


def is_test(format: str) -> bool:
    """Tell whether a format tests hypotheses: see `arena/format.py`."""
    return hasattr(load.module("format", format), "STATUS")
