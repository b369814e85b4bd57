"""Users' engines: imported only where they play, and known elsewhere by what they say there.

Their files may hang, end their process or start threads as they are imported. So a process of its
own imports each, and tells of its games and parameters as plain data, which nobody has to trust.
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

from arena.errors import ConfigError, own_words
from arena.plugins.engine_names import is_path
from arena.plugins.parameters import Factory, adapter_of, fit_value
from arena.plugins.plain import factory_from, signature_data, value_data, value_from
from arena.plugins.source_files import Home, changed, engine_files, names_imported
from arena.plugins.source_tree import KEPT_SOURCES, Tree, import_file, keep_sources, root_of
from arena.processes.confine import Question, answer_of, is_confined

Look = Callable[[str], tuple[ModuleType, Factory]]
"""A function that imports an engine and returns its module, which is checked, and its factory."""

LEAST_SECONDS = 1.0

WARM = {"numpy": "numpy", "scipy": "scipy", "numba": "numba", "arena.jit": "numba"}
"""Imports that take long, and the library behind each: what is forked from a process that has it
does not wait for it."""


@dataclass(frozen=True, slots=True)
class Patience:
    """The limits of a reading: seconds, and megabytes of memory."""

    seconds: float = 60.0
    megabytes: int = 4096
    faults: dict[str, ConfigError] = field(default_factory=dict, compare=False)
    """Engines that could not be read within it: nobody waits twice for one that hangs."""


def reading_patience(hang: float, megabytes: int) -> Patience:
    """The limits of a reading for a match with these; a process needs a moment to begin at all."""
    return Patience(max(hang, LEAST_SECONDS), megabytes)


@dataclass(frozen=True, slots=True)
class Outline:
    """An engine without its code: a module that has only what it says of itself; and its files."""

    module: ModuleType
    files: Mapping[str, Path]
    versions: Mapping[Path, tuple[int, int]]

    def is_current(self) -> bool:
        """True if none of the files was written to, or is gone."""
        try:
            return all(changed(file) == version for file, version in self.versions.items())
        except OSError:
            return False


OUTLINES: dict[str, Outline] = {}


def place_of(name: str) -> str:
    """The name under which an engine's outline is known, wherever it is named from."""
    return str(Path(name).resolve()) if is_path(name) else name


def foreign_module(name: str) -> ModuleType:
    """The module of a user's engine, by its path or dotted name, imported into this process.

    What stands beside a file can be imported by it. ConfigError says why it cannot be imported.
    """
    if is_path(name):
        path = Path(name).resolve()
        if not path.is_file():
            raise ConfigError(f"{'not a file' if path.exists() else 'no such engine file'}: {path}")
        return imported(str(path), partial(import_file, path))
    if os.getcwd() not in sys.path:
        sys.path.append(os.getcwd())
    return imported(name, partial(importlib.import_module, name))


def imported(name: str, load: Callable[[], ModuleType]) -> ModuleType:
    """A user's module; whatever goes wrong in it is a ConfigError that shows its own words."""
    try:
        return load()
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt) and not is_confined():
            raise  # Ctrl-C
        raise ConfigError(f"engine {name} cannot be imported: {own_words(error)}") from error


def outline_of(name: str, look: Look, patience: Patience | None = None) -> Outline:
    """The outline of a user's engine: read anew, if it was not read since it was last written to.

    Workers forked from then on import its files as they are now.
    """
    place = place_of(name)
    known = OUTLINES.get(place)
    if known is None or not known.is_current():
        known = OUTLINES[place] = read_once(name, look, patience or Patience())
        keep_sources(file for file in known.files.values() if file.suffix == ".py")
        if is_path(name):
            forget(name)  # what this process may have imported before is not what was read now
    return known


def read_once(name: str, look: Look, patience: Patience) -> Outline:
    """The outline as it is read now; ConfigError, anew or as before, if that fails."""
    if name in patience.faults:
        raise ConfigError(*patience.faults[name].faults)
    try:
        return read_outline(name, look, patience)
    except ConfigError as error:
        patience.faults[name] = error
        raise


def read_before(name: str, look: Look) -> Outline:
    """The outline of a user's engine as it was read last, whatever became of its files since.

    That is the code which plays: `keep_sources` has it.
    """
    return OUTLINES.get(place_of(name)) or outline_of(name, look)


def read_outline(name: str, look: Look, patience: Patience) -> Outline:
    """The outline as a process of its own tells it; ConfigError if that cannot be understood."""
    if is_path(name) and Path(name).is_file():
        warm(engine_files(home_of(name, Path(name))))
    told = asked(name, partial(description, name, look), patience)
    try:
        module = ModuleType(name, told["doc"] and str(told["doc"]))
        module.GAMES = tuple(str(game) for game in told["games"])  # type: ignore[attr-defined]
        if told["rules"] is not None:
            module.RULES = tuple(map(str, told["rules"]))  # type: ignore[attr-defined]
        module.DOCUMENT = str(told["document"])  # type: ignore[attr-defined]
        details = told["details"] and str(told["details"])
        ask = partial(ask_value, name, look, patience)
        module.engine = factory_from(told["parameters"], details, ask)  # type: ignore[attr-defined]
        home = home_of(name, Path(str(told["file"])))
        files = engine_files(home, [Path(str(file)) for file in told["loaded"]])
    except (ArithmeticError, AttributeError, LookupError, OSError, TypeError, ValueError) as error:
        words = own_words(error.with_traceback(None))
        raise ConfigError(f"engine {name} says of itself what is not so: {words}") from None
    warm(files)
    return Outline(module, files, {file: changed(file) for file in files.values()})


def warm(files: Mapping[str, Path]) -> None:
    """Import the libraries that an engine of these files needs, for what is forked from here."""
    for each in WARM.keys() & names_imported(files):
        importlib.import_module(WARM[each])


def asked(name: str, ask: Callable[[], object], patience: Patience) -> Any:
    """The answer of a process that may import the engine; ConfigError if there is none."""
    limits = patience.seconds, patience.megabytes
    return answer_of(Question(ask, f"engine {name}", "imported", *limits))


def description(name: str, look: Look) -> dict[str, Any]:
    """All that an outline needs, as plain data, in the process that may import the engine."""
    KEPT_SOURCES.clear()
    forget(name)
    before = set(sys.modules)
    module, factory = look(name)
    try:
        new = {each: sys.modules[each] for each in set(sys.modules) - before}
        return {
            "doc": module.__doc__,
            "games": list(module.GAMES),
            "rules": list(module.RULES) if hasattr(module, "RULES") else None,
            "document": str(getattr(module, "DOCUMENT", "")),
            "details": factory.__doc__,
            "parameters": signature_data(factory),
            "file": module.__file__,
            "loaded": sorted(files_in(new)),
        }
    except ConfigError as error:
        raise ConfigError(f"engine {name}: {error}") from None
    except Exception as error:
        raise ConfigError(f"engine {name} cannot be read: {own_words(error)}") from None


def forget(name: str) -> None:
    """Let all of an engine's own modules be imported anew, unless they are the project's."""
    top = Tree.at(root_of(Path(name).resolve())).name if is_path(name) else name.partition(".")[0]
    if top != "arena":
        for each in [each for each in sys.modules if each.startswith(f"{top}.")]:
            del sys.modules[each]
        if not is_path(name):
            sys.modules.pop(top, None)


def files_in(modules: Mapping[str, ModuleType]) -> Iterator[str]:
    """The absolute paths of modules that have a file."""
    for module in modules.values():
        file = getattr(module, "__file__", None)
        if isinstance(file, str):
            yield os.path.abspath(file)


def home_of(name: str, file: Path) -> Home:
    """The place that an engine's own imports start from; its file is known for a dotted name."""
    if is_path(name):
        return Home(root_of(Path(name).resolve()), Path(name).resolve())
    depth = name.count(".") + (file.stem == "__init__")
    return Home(file.parents[depth], file)


def ask_value(name: str, look: Look, patience: Patience, parameter: str, value: object) -> object:
    """The value as a parameter's own type or checks have it, which only the engine's code knows."""
    from pydantic_core import PydanticCustomError

    found, faults = asked(name, partial(fitted_value, name, look, parameter, value), patience)
    if faults:
        raise PydanticCustomError("told", "{words}", {"words": "; ".join(map(str, faults))})
    return value_from(found[0]) if found else value


def fitted_value(
    name: str, look: Look, parameter: str, value: object
) -> tuple[list[Any], list[str]]:
    """The value, if it is plain, and all that is wrong with it, by the engine's own code."""
    _, factory = look(name)
    try:
        found, faults = fit_value(adapter_of(factory, parameter), value, value)
    except Exception as error:
        return [], [f"cannot be checked: {own_words(error)}"]
    try:
        return [value_data(found)], [message for _, message in faults]
    except ConfigError:
        return [], [message for _, message in faults]
