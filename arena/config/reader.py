"""The check of a tournament's YAML: all faults of a file at once, each with its place."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from arena.config.keys import PLAYER_KEYS, limit_keys, list_keys, player_keys, run_keys
from arena.config.settings import Config, Player, limit_from_data
from arena.config.yaml_file import Document
from arena.engine import Limit
from arena.errors import ConfigError, Fault, unknown
from arena.format import Field
from arena.match import openings
from arena.plugins import load
from arena.plugins.load import Kind, Named
from arena.plugins.parameters import Factory, fit

LONGEST_NAME = 100

Location = tuple[str | int, ...]


def read_config(file: Path) -> Config:
    """Read a tournament; ConfigError with all faults of the file at once."""
    reader = Reader(Document(file, unlike=("engines", "parameters", "a tuning study: arena tune")))
    config = reader.config()
    if reader.faults:
        raise ConfigError(*sorted(reader.faults, key=line_and_column))
    return config


def parse_limit(text: str) -> Limit:
    """Read `depth=4,nodes=10000,seconds=0.5`, any of them; ConfigError for anything else."""
    fitted, misfits = fit(limit_keys, load.parse_parameters(text))
    if misfits:
        raise ConfigError(*(Fault(text, misfit.message) for misfit in misfits))
    try:
        return limit_from_data(fitted)
    except ValueError as error:
        raise ConfigError(Fault(text, str(error))) from None


class Reader:
    """Goes through a file once, and holds the faults found on the way."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.faults: list[Fault] = []

    def config(self) -> Config:
        """The whole file; worth nothing if there are faults."""
        top = self.fit(run_keys, self.document.data, ())
        config = Config(
            name=self.run_name(top["name"]),
            game=self.named("game", top["game"]),
            format=self.named("format", top["format"]),
            openings=Named(""),
            limit=self.limit(top["limit"], ("limit",)) or Limit(),
            seed=top["seed"],
            rounds=top["rounds"],
            max_plies=top["max_plies"],
            margin=top["margin"],
            hang=top["hang"],
            memory=top["memory"],
            players=(),
        )
        config = replace(
            config,
            openings=self.openings(top["openings"], config.format),
            players=tuple(self.players(top["engines"], config.game.name)),
        )
        if not self.faults:
            self.check_openings(config)
            self.check_format(config)
        return config

    def fault(self, message: str, path: Location, is_key: bool = False) -> None:
        """Note a fault at the value (or key) at this path."""
        self.faults.append(Fault(self.document.place(path, is_key), message))

    def fit(
        self, factory: Factory, values: object, path: Location, also: Collection[str] = ()
    ) -> dict[str, Any]:
        """The values of a mapping's keys; all that is wrong with them is noted."""
        if not isinstance(values, dict):
            self.fault(f"must be a mapping (key: value), not {values!r}", path)
            return {}
        fitted, misfits = fit(factory, values, also)
        for misfit in misfits:
            self.fault(misfit.message, (*path, *misfit.path), misfit.is_key)
        return fitted

    def run_name(self, name: str) -> str:
        """The folder's name under `results/`: by default that of the file."""
        name = name or self.document.file.stem
        if not is_tidy(name) or name[0] in ".-" or "/" in name or os.sep in name:
            self.fault(f"name must be that of a folder, not {name!r}", ("name",))
        return name

    def named(self, kind: Kind, value: object) -> Named:
        """`name`, or `{name: {parameter: value}}`, with all parameters filled in."""
        name, parameters, path = self.one_name(kind, value)
        if not name:
            return Named("")
        try:
            factory = load.factory(kind, name)
        except ConfigError as error:
            self.fault(str(error), path, is_key=isinstance(value, dict))
            return Named("")
        return Named(name, self.fit(factory, parameters, path))

    def one_name(self, key: str, value: object) -> tuple[str, object, Location]:
        """The name, its parameters, and where these stand; no name if there is none."""
        if isinstance(value, str):
            return value, {}, (key,)
        if isinstance(value, dict) and len(value) == 1:
            ((name, parameters),) = value.items()
            return str(name), {} if parameters is None else parameters, (key, name)
        if key in self.document.data:
            self.fault(f"{key} must be a name, or name: {{key: value}}, not {value!r}", (key,))
        return "", {}, (key,)

    def openings(self, value: object, format: Named) -> Named:
        """Where the openings come from: as many as the format can use, if it says so."""
        name, parameters, path = self.one_name("openings", value)
        if name == "list":
            texts = self.fit(list_keys, {"list": parameters}, path[:1])["list"]
            if texts is not None and not texts:
                self.fault("list needs at least one opening", path)
            return Named(name, {"list": [" ".join(text.split()) for text in texts or []]})
        if name in openings.SOURCES:
            wanted = format.name and getattr(load.module("format", format.name), "openings", None)
            if wanted and isinstance(parameters, dict):
                parameters = {"count": wanted(**format.parameters), **parameters}
            return Named(name, self.fit(openings.SOURCES[name], parameters, path))
        if name:
            message = unknown("source of openings", name, [*openings.SOURCES, "list"])
            self.fault(message, path, is_key=isinstance(value, dict))
        return Named(name)

    def check_openings(self, config: Config) -> None:
        """Whether the game can be played from each of them, and they differ."""
        try:
            starts = list(config.starts())
        except ConfigError as error:
            return self.fault(str(error), ("openings",))
        game = load.load_game(config.game)
        is_list = config.openings.name == "list"
        seen: set[str] = set()
        for i, start in enumerate(starts if is_list else starts[:1]):
            path = ("openings", "list", i) if is_list else ("openings",)
            if message := openings.fault_of(game, start, config.max_plies):
                self.fault(message, path)
            elif (spelt := openings.spelt(game, start)) in seen:
                self.fault(f"opening {start!r} stands here twice", path)
            else:
                seen.add(spelt)
                if spelt != start:
                    self.fault(f"opening {start!r} must be spelt {spelt!r}", path)
        return None

    def check_format(self, config: Config) -> None:
        """Whether the format can pair these players."""
        module = load.module("format", config.format.name)
        try:
            module.total(Field(config.names, (), config.rounds), **config.format.parameters)
        except ConfigError as error:
            self.fault(str(error), ("format", config.format.name))

    def limit(self, value: object, path: Location) -> Limit | None:
        """A limit, or None if none is given."""
        if value is None:
            return None
        try:
            return limit_from_data(self.fit(limit_keys, value, path))
        except ValueError as error:
            self.fault(str(error), (*path, "clock"))
            return None

    def players(self, entries: list[object] | None, game: str) -> Iterator[Player]:
        """The entries of `engines`, whose names must differ."""
        names: set[str] = set()
        for i, entry in enumerate(entries or []):
            if isinstance(entry, dict):
                yield self.player(entry, game, ("engines", i), names)
            else:
                self.fault(f"must be {{name: ..., engine: ...}}, not {entry!r}", ("engines", i))
        if entries is not None and len(entries) < 2:
            self.fault("a tournament needs at least two engines", ("engines",))

    def player(self, entry: dict[str, Any], game: str, path: Location, names: set[str]) -> Player:
        """One entry; its name joins the names."""
        common = {key: value for key, value in entry.items() if key in PLAYER_KEYS}
        own = {key: value for key, value in entry.items() if key not in PLAYER_KEYS}
        found = self.fit(player_keys, common, path)
        engine = self.engine_name(found["engine"] or "", path)
        name = found["name"] or Path(engine).stem
        if name and not is_tidy(name):
            self.fault(f"name must be a line of at most {LONGEST_NAME} characters", (*path, "name"))
        if name in names:
            self.fault(f"another engine has the name {name!r} already", (*path, "name"))
        names.add(name)
        limit = self.limit(found["limit"], (*path, "limit"))
        return Player(name, self.engine(engine, own, game, path), limit, self.document.place(path))

    def engine_name(self, name: str, path: Location) -> str:
        """The name; a path is taken from the file's folder, and made absolute."""
        if not load.is_path(name):
            return name
        wanted = (self.document.file.parent / Path(name).expanduser()).resolve()
        if not wanted.is_file() and Path(name).is_file():
            near = os.path.relpath(name, self.document.file.parent)
            self.fault(
                f"no such engine file: {wanted} (paths start at this file's folder); "
                f"did you mean {near!r}?",
                (*path, "engine"),
            )
            return ""
        return str(wanted)

    def engine(self, name: str, parameters: dict[str, Any], game: str, path: Location) -> Named:
        """The engine with all its parameters; whether it plays the game is checked."""
        if not name:
            return Named("")
        try:
            if game:
                load.check_plays(name, game)
            factory = load.factory("engine", name)
        except ConfigError as error:
            self.fault(str(error), (*path, "engine"))
            return Named("")
        return Named(name, self.fit(factory, parameters, path, also=PLAYER_KEYS))


def is_tidy(name: str) -> bool:
    """Whether a name fits into a line of a table, and of a command."""
    return name.isprintable() and name == name.strip() and 0 < len(name) <= LONGEST_NAME


def line_and_column(fault: Fault) -> tuple[int, ...]:
    """Faults in the order of the file."""
    return tuple(int(number) for number in fault.place.rsplit(":", 2)[1:])
