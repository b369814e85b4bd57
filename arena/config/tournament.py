"""The check of a tournament's YAML: all faults of a file at once, each with its place."""

from __future__ import annotations

from pathlib import Path

from arena.config.openings import OpeningsReader
from arena.config.settings import Config, tournament_keys
from arena.config.yaml_file import Document
from arena.errors import ConfigError, Fault
from arena.format import Field
from arena.plugins import load
from arena.plugins.load import Named


def read_config(file: Path, *, tests: bool = False, text: str | None = None) -> Config:
    """Read a tournament; ConfigError with all faults of the file at once.

    It is a fault of a file that it plays no test, if it must be one that `tests`. A `text` is read
    in place of the file's own.
    """
    kind = "engines", "parameters", "a tuning study: arena tune"
    document = Document(file, unlike=kind, text=text)
    if document.data.get("kind") == "imported":
        message = "this is of imported games, which were played elsewhere: arena report"
        raise ConfigError(Fault(document.place(("kind",)), f"{message} {file.parent}"))
    reader = TournamentReader(document)
    config = reader.config()
    if tests and config.format.name:
        reader.check_tests(config.format)
    reader.raise_faults()
    return config


class TournamentReader(OpeningsReader):
    """Goes through a tournament's file once, and holds the faults found on the way."""

    def config(self) -> Config:
        """The whole file; worth nothing if there are faults."""
        terms, top = self.top(tournament_keys)
        format = self.named("format", top["format"])
        config = Config(
            name=self.run_name(top["name"]),
            terms=terms,
            format=format,
            openings=self.openings(top["openings"], terms.game, format),
            rounds=top["rounds"],
            players=tuple(self.players(top["engines"], terms.game)),
        )
        if not self.faults:
            self.check_openings(config.openings, terms)
            self.check_format(config)
        return config

    def check_tests(self, format: Named) -> None:
        """Note if the format is no test, which alone has an exit status to tell."""
        if not is_test(format.name):
            known = [name for name in load.names("format") if is_test(name)]
            message = f"{format.name} has no exit status to tell; only {' and '.join(known)} have"
            self.fault(message, ("format",))

    def check_format(self, config: Config) -> None:
        """Note if the format cannot pair these players."""
        module = load.module("format", config.format.name)
        try:
            module.total(Field(config.names, (), config.rounds), **config.format.parameters)
        except ConfigError as error:
            self.fault(str(error), ("format", config.format.name))


def is_test(format: str) -> bool:
    """Tell whether a format tests hypotheses: see `arena/format.py`."""
    return hasattr(load.module("format", format), "STATUS")
