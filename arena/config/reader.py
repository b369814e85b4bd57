"""The check of what all YAML files have, and of a tournament's: all faults of a file at once."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from arena.config.settings import (
    PRESETS,
    Config,
    Player,
    limit_from_data,
    limit_keys,
    parse_limit,
    player_keys,
    rule_data,
    tournament_keys,
    with_preset,
)
from arena.config.typed_player import typed_player
from arena.config.yaml_file import ConfigSource, Document, GivenDocument, document
from arena.engine import Limit
from arena.errors import ConfigError, Fault, expanded, unknown
from arena.format import Field
from arena.match.adjudication import rules_of
from arena.match.opening import Openings, fault_of, spelt
from arena.match.terms import WORKER_MEMORY, Terms
from arena.plugins import load
from arena.plugins.build import check_plays, engine_misfits
from arena.plugins.engine_names import is_command_line, is_path, run_by_engine, split_command
from arena.plugins.load import PLAYER_KEYS, Kind, Named
from arena.plugins.parameters import Factory, fit, parameters
from arena.plugins.user_engines import Patience, reading_patience, short_name

LONGEST_NAME = 100


def _name_fault(name: str) -> str:
    """Why a name does not fit into a line of a table, and of a command; empty if it does."""
    if unseen := next((each for each in name if not each.isprintable()), ""):
        return f"has the character {unseen!a}, which cannot be seen: leave it out"
    is_tidy = name == name.strip() and 0 < len(name) <= LONGEST_NAME
    return "" if is_tidy else f"must be a line of at most {LONGEST_NAME} characters"


RULE: Kind = "adjudication"
SOURCE: Kind = "source of openings"

Location = tuple[str | int, ...]
_Read = TypeVar("_Read")


def parameter_names(factory: Factory) -> set[str]:
    return {parameter.name for parameter in parameters(factory)}


PRESET = "preset"
TERMS = parameter_names(Terms) - {RULE} | {*load.names(RULE), PRESET}


class Reader:
    """Goes through a file once, and holds the faults found on the way."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.faults: list[Fault] = []
        self.patience = Patience()
        self.places: Sequence[str] = ()
        """The file and line of each opening, if they come from another file."""

    def top(self, own_keys: Factory) -> tuple[Terms, dict[str, Any]]:
        """The terms, and the keys that this kind of file has beside (or with bounds of its own)."""
        own = parameter_names(own_keys)
        typed = {key: value for key, value in self.document.data.items() if key in TERMS - own}
        typed = self.with_preset(typed) if PRESET in typed else typed
        if "game" in typed:
            typed["game"] = self.named("game", typed["game"])
        if "limit" in typed:
            typed["limit"] = self.limit(typed["limit"], ("limit",)) or Limit()
        rules = {name: typed.pop(name) for name in load.names(RULE) if name in typed}
        adjudication = tuple(self.adjudication(rules))
        terms = self.fit(Terms, {**typed, RULE: adjudication}, ())
        self.check_adjudication(adjudication, terms["game"] or Named(""))
        self.patience = reading_patience(terms["hang"], terms["memory"] or WORKER_MEMORY)
        rest = {key: each for key, each in self.document.data.items() if key not in TERMS - own}
        found = self.fit(own_keys, rest, (), also=TERMS)
        shared = {key: found[key] for key in TERMS & own}
        return Terms(**{**terms, "game": terms["game"] or Named(""), **shared}), found

    def with_preset(self, keys: Mapping[str, Any]) -> dict[str, Any]:
        name, rest = keys[PRESET], {key: keys[key] for key in keys if key != PRESET}
        if name in list(PRESETS):
            return with_preset(name, rest)
        self.fault(unknown(PRESET, name, PRESETS), (PRESET,))
        return with_preset(next(iter(PRESETS)), rest)  # lest what it would give be missed as well

    def adjudication(self, rules: Mapping[str, object]) -> Iterator[Named]:
        """The rules that end games early; a key without a value is no wish for one."""
        for name, value in rules.items():
            factory = load.factory(RULE, name)
            if value is not None and parameter_names(factory) == {name}:
                yield self.fitted(name, factory, {name: value}, ())
            elif value is not None:
                if "score" in parameter_names(factory) and type(value) in (str, int):
                    read = partial(rule_data, name)
                    value = self.typed(read, str(value), (name,)) or {"score": 1}
                yield self.fitted(name, factory, value, (name,))

    def check_adjudication(self, rules: Iterable[Named], game: Named) -> None:
        for rule in rules:
            if rule.is_checked and game.is_checked:
                try:
                    rules_of(load.load_game(game), [rule])
                except ConfigError as error:
                    self.fault(str(error), (rule.name,), is_key=True)

    def raise_faults(self) -> None:
        """Raise a ConfigError with all faults found, in the order of the file, if there are any."""
        if self.faults:
            raise ConfigError(*sorted(self.faults, key=_line_and_column))

    def fault(self, message: str, path: Location, is_key: bool = False) -> None:
        place = self.document.place(path, is_key)
        self.faults.append(Fault(place, self.document.as_typed(message, path)))

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

    def fitted(
        self,
        name: str,
        factory: Factory,
        values: object,
        path: Location,
        also: Collection[str] = (),
    ) -> Named:
        """The name with its parameters, which count as checked if nothing is wrong with them."""
        before = len(self.faults)
        fitted_values = self.fit(factory, values, path, also)
        return Named(name, fitted_values, is_checked=len(self.faults) == before)

    def run_name(self, name: str) -> str:
        """The folder's name under `results/`: by default that of the file."""
        is_blank = not name and "name" in self.document.data  # a fault that was noted before
        if isinstance(self.document, GivenDocument) and "name" not in self.document.data:
            self.fault("name is missing: the folder under results/", ())
        name = name or self.document.file.stem
        if not is_blank and (fault := folder_fault(name)):
            self.fault(f"name {fault}", ("name",))
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
        return self.fitted(name, factory, parameters, path)

    def one_name(self, key: str, value: object) -> tuple[str, object, Location]:
        """The name, its parameters, and where these stand; no name if there is none."""
        if isinstance(value, str) and value:
            named = self.typed(load.parse_named, value, (key,)) or Named("")
            return named.name, named.parameters, (key,)
        if isinstance(value, dict) and len(value) == 1 and "" not in value:
            ((name, parameters),) = value.items()
            return str(name), {} if parameters is None else parameters, (key, name)
        if key in self.document.data:
            self.fault(f"{key} must be a name, or name: {{key: value}}, not {value!r}", (key,))
        return "", {}, (key,)

    def limit(self, value: object, path: Location) -> Limit | None:
        if value is None:
            if self.document.is_there(path):
                wanted = "give depth, nodes, seconds or clock, or {} for no limit"
                self.fault(f"limit is blank: {wanted}", path, is_key=True)
            return None
        if isinstance(value, str):
            return self.typed(parse_limit, value, path)
        entries = value if isinstance(value, dict) else {}
        for key, each in entries.items():
            if each is None:
                self.fault(f"{key} is blank", (*path, key), is_key=True)
        try:
            return limit_from_data(self.fit(limit_keys, value, path))
        except ValueError as error:
            self.fault(str(error), (*path, "clock"))
            return None

    def typed(self, read: Callable[[str], _Read], text: str, path: Location) -> _Read | None:
        """What a text means as a command line has it; None, and its faults, if that is nothing."""
        try:
            return read(text)
        except ConfigError as error:
            for fault in error.faults:
                self.fault(fault.message, path)
            return None

    def players(self, entries: list[object] | None, game: Named) -> Iterator[Player]:
        names: set[str] = set()
        for i, entry in enumerate(entries or []):
            yield from self.entry(entry, game, ("engines", i), names)
        if entries is not None and len(entries) < 2:
            self.fault("a tournament needs at least two engines", ("engines",))

    def entry(
        self, entry: object, game: Named, path: Location, names: set[str]
    ) -> Iterator[Player]:
        """The player of one entry, which may be a text as a command line has it."""
        if isinstance(entry, str):
            if (player := self.typed(typed_player, entry, path)) is None:
                return
            entry = player.entry
        if isinstance(entry, dict):
            yield self.player(entry, game, path, names)
        else:
            self.fault(f"must be {{name: ..., engine: ...}}, not {entry!r}", path)

    def engine_entry(self, value: object) -> dict[str, Any] | None:
        """The key `engine` of a file, a name or a mapping that has one, as a mapping; else None."""
        entry = {"engine": value} if isinstance(value, str) else value
        if isinstance(entry, dict) and "engine" in entry:
            return entry
        if "engine" in self.document.data:  # one that is missing is a fault already
            self.fault(f"must be {{engine: name, parameter: value}}, not {value!r}", ("engine",))
        return None

    def player(self, entry: dict[str, Any], game: Named, path: Location, names: set[str]) -> Player:
        common = {key: value for key, value in entry.items() if key in PLAYER_KEYS}
        own = {key: value for key, value in entry.items() if key not in PLAYER_KEYS}
        keys = self.fit(player_keys, common, path)
        engine = self.engine_name(keys["engine"] or "", path)
        if ":" in engine and not (is_path(engine) or is_command_line(engine)):
            named = self.typed(load.parse_named, engine, (*path, "engine")) or Named("")
            engine, own = named.name, {**named.parameters, **own}
        name = keys["name"] or short_name(engine)
        engine, own = run_by_engine(engine, own, self.document.folder)
        if name and (fault := _name_fault(name)):
            self.fault(f"name {fault}", (*path, "name"))
        if name in names and isinstance(entry.get("name", ""), str):
            self.fault(f"another engine has the name {name!r} already", (*path, "name"))
        names.add(name)
        limit = self.limit(keys["limit"], (*path, "limit"))
        return Player(name, self.engine(engine, own, game, path), limit, self.document.place(path))

    def engine_name(self, name: str, path: Location) -> str:
        """The name; a path is taken from the file's folder, and made absolute."""
        if not is_path(name) or is_command_line(name, self.document.folder):
            return name
        try:
            file = (self.document.folder / expanded(name)).resolve()
        except ConfigError as error:
            self.fault(str(error), (*path, "engine"))
            return ""
        if not file.is_file() and Path(name).is_file():
            near = os.path.relpath(name, self.document.folder)
            self.fault(
                f"no such engine file: {file} (paths start at this file's folder); "
                f"did you mean {near!r}?",
                (*path, "engine"),
            )
            return ""
        return str(file)

    def engine(self, name: str, parameters: dict[str, Any], game: Named, path: Location) -> Named:
        """The engine with all its parameters; it is checked that it plays the game."""
        if not name:
            return Named("")
        try:
            load.description("engine", name, self.patience)
            if game.name:
                check_plays(name, game.name, game.parameters.get("rule"))
            factory = load.factory("engine", name)
        except ConfigError as error:
            self.fault(str(error), (*path, "engine"))
            return Named("")
        try:
            values = _located(factory, parameters, self.document.folder)
        except ConfigError as error:
            self.fault(str(error), path)
            return Named("")
        engine = self.fitted(name, factory, values, path, also=PLAYER_KEYS)
        if engine.is_checked:
            played = load.load_game(game) if game.is_checked else None
            for keys, message in engine_misfits(name, engine.parameters, played):
                self.fault(message, (*path, *keys))
        return engine

    def openings(self, value: object, game: Named, format: Named) -> Openings:
        """The openings from their source: as many as the format can use, if it says so."""
        name, values, path = self.one_name("openings", value)
        file = self.document.file.parent / str(value)
        if isinstance(value, str) and name not in load.names(SOURCE) and file.is_file():
            name, values = "file", {"path": value}
        return self.openings_from(name, values, path, game, format)

    def openings_at(self, value: object, game: Named, place: Location) -> Openings:
        """Read openings from another place of the file, such as an entry of `vary`."""
        is_named = isinstance(value, str) or (isinstance(value, dict) and len(value) == 1)
        if not is_named:
            self.fault(f"must be a name, or name: {{key: value}}, not {value!r}", place)
            return listed((), game)
        name, values, (_, *rest) = self.one_name("openings", value)
        return self.openings_from(name, values, (*place, *rest), game, Named(""))

    def openings_from(
        self, name: str, values: object, path: Location, game: Named, format: Named
    ) -> Openings:
        known = load.names(SOURCE)
        if name and name not in known:
            self.fault(unknown(SOURCE, name, known), path, is_key=path[-1] == name)
        if name not in known:
            return listed((), game)
        factory, module = load.factory(SOURCE, name), load.module(SOURCE, name)
        if parameter_names(factory) == {name}:
            values, path = {name: values}, path[:-1] if path[-1] == name else path
        opening_count = format.is_checked and getattr(
            load.module("format", format.name), "openings", None
        )
        if opening_count and isinstance(values, dict) and getattr(module, "DRAWS", False):
            values = {"count": opening_count(**format.parameters), **values}
        source = self.fitted(name, factory, values, path)
        if hasattr(module, "with_places"):
            return self.openings_of_file(source, game, path)
        if source.is_checked and not module.count(source.parameters):
            self.fault(f"{name} needs at least one opening", (*path, name))
        return Openings(source, game)

    def openings_of_file(self, source: Named, game: Named, path: Location) -> Openings:
        """The openings that stand in another file now, written out: it may change, or go."""
        placed: list[tuple[str, str]] = []
        if source.is_checked and game.is_checked:
            factory, module = load.factory(SOURCE, source.name), load.module(SOURCE, source.name)
            values = _from_folder(factory, source.parameters, self.document.folder)
            try:
                placed = module.with_places(load.load_game(game), **values)
            except ConfigError as error:
                for fault in error.faults:
                    self.fault(str(fault), path)
        self.places = [place for _, place in placed]
        return listed([text for text, _ in placed], game)

    def check_openings(
        self, starts: Openings, terms: Terms, path: Location = ("openings",)
    ) -> None:
        """Note the openings that the game cannot be played from, and those that stand there twice.

        Of openings that are drawn, it is enough to draw them all, and to try one.
        """
        try:
            texts = list(starts)
        except ConfigError as error:
            return self.fault(str(error), path)
        game = load.load_game(terms.game)
        seen: dict[str, int] = {}
        checked = texts[:1] if starts.draws else texts
        for i, start in enumerate(checked):
            place, there = self.place_of(starts, i, path)
            if message := fault_of(game, start, terms):
                self.fault(place + message, there)
            elif (spelling := spelt(game, start)) in seen:
                first = f", first at {self.places[seen[spelling]]}" if place else ""
                self.fault(f"{place}opening {start!r} stands here twice{first}", there)
            else:
                seen[spelling] = i
                if spelling != start:
                    self.fault(f"opening {start!r} must be spelt {spelling!r}", there)
        return None

    def place_of(self, starts: Openings, i: int, path: Location) -> tuple[str, Location]:
        """The place of an opening: as a message begins, and in this file."""
        if self.places:
            return f"{self.places[i]}: ", path
        return "", path if starts.draws else (*path, starts.source.name, i)


def listed(texts: Sequence[str], game: Named) -> Openings:
    return Openings(Named("list", {"list": list(texts)}, is_checked=True), game)


def folder_fault(name: str) -> str:
    """Why a name cannot be that of a folder under `results/`; empty if it can."""
    if not name.isprintable():
        return _name_fault(name)
    is_one = (
        not _name_fault(name) and name[0] not in ".-" and "/" not in name and os.sep not in name
    )
    return "" if is_one else f"must be that of a folder, not {name!r}"


def _line_and_column(fault: Fault) -> tuple[int, ...]:
    """Faults in the order of the file; those of keys that no file has stay in theirs."""
    numbers = re.search(r":(\d+):(\d+)$", fault.place)
    return tuple(map(int, numbers.groups())) if numbers else ()


UNLIKE = "engines", "parameters", "a tuning study", "tune"


def read_config(source: ConfigSource, *, tests: bool = False, text: str | None = None) -> Config:
    """Read a tournament from a file or its keys; ConfigError with all faults at once.

    It is a fault of a file that it plays no test, if it must be one that `tests`. A `text` is read
    in place of the file's own.
    """
    wanted = document(source, UNLIKE, text)
    kind = wanted.data.get("kind")
    if kind == "imported":
        message = "this is of imported games, which were played elsewhere: arena report"
        raise ConfigError(Fault(wanted.place(("kind",)), f"{message} {wanted.file.parent}"))
    if kind == "fit":
        message = f"this is a fit of weights: {wanted.command('fit')}"
        raise ConfigError(Fault(wanted.place(("kind",)), message))
    reader = Reader(wanted)
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
    module = load.module("format", config.format.name)
    try:
        module.total(Field(config.names, (), config.rounds), **config.format.parameters)
    except ConfigError as error:
        reader.fault(str(error), ("format", config.format.name))


def is_test(format: str) -> bool:
    return hasattr(load.module("format", format), "STATUS")


def _located(factory: Factory, values: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """The values, with all that are paths from this folder made absolute, and command lines split.

    A bare word, and a word of a list, are paths if there is such a file or folder; a bare word of a
    list if there is such a file, for it may be a program that is looked for elsewhere.
    """
    known = {parameter.name: parameter for parameter in parameters(factory) if parameter.is_path}
    located_values = dict(values)
    for name, value in values.items():
        if name in known:
            if known[name].is_command and isinstance(value, str):
                words = split_command(value, folder)
                value = words if len(words) > 1 else value
            located_values[name] = _located_value(value, folder)
    return located_values


def _from_folder(factory: Factory, values: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """The values, with those that are paths taken from this folder; files need not exist."""
    paths = {parameter.name for parameter in parameters(factory) if parameter.is_path}
    return {
        name: str(folder / expanded(value)) if name in paths and value else value
        for name, value in values.items()
    }


def _located_value(value: object, folder: Path) -> object:
    if not isinstance(value, list):
        return _located_word(value, folder, is_path=True)
    return [
        _located_word(word, folder, is_path=i == 0)
        if os.sep in str(word) or (folder / str(word)).is_file()
        else word
        for i, word in enumerate(value)
    ]


def _located_word(word: object, folder: Path, is_path: bool) -> object:
    """A word, absolute if it is a path, or if it has a separator and `is_path`."""
    if not isinstance(word, str) or not word or word.startswith("-"):
        return word
    place = (folder / expanded(word)).absolute()
    is_there = place.exists()
    return os.path.normpath(place) if is_there or (is_path and os.sep in word) else word
