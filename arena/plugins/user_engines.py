"""Users' engines: imported only where they play, and known elsewhere by their descriptions.

Their files may hang, end their process or start threads as they are imported. So a process of its
own imports each, and sends its description: games, rules and parameters, without any of its code.
"""

from __future__ import annotations

import dis
import importlib
import inspect
import os
import re
import sys
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from hashlib import sha256
from itertools import count
from pathlib import Path
from threading import local
from types import CellType, CodeType, FunctionType, MethodType, ModuleType, SimpleNamespace
from typing import Any, cast

from arena.errors import ConfigError, Fault, near_file, own_words
from arena.files import read_whole
from arena.plugins.engine_names import interpreted, is_path
from arena.plugins.parameters import (
    Factory,
    Faults,
    Parameter,
    Signature,
    adapter_of,
    fit_value,
    parameters,
)
from arena.plugins.source_files import (
    KEPT_SOURCES,
    Home,
    KeptSource,
    Tree,
    changed,
    engine_files,
    import_file,
    keep_sources,
    names_imported,
    root_of,
)
from arena.processes.child import Question, answer_of, is_confined, is_known

Module = ModuleType | SimpleNamespace
"""A module, or what it says of itself, where its code must not be."""
Look = Callable[[str], tuple[Module, Factory]]
"""A function that imports an engine and returns its module, which is checked, and its factory."""

LEAST_SECONDS = 1.0
MAKES_ENGINE = re.compile(rb"^def engine\b", re.MULTILINE)
"""The line of an engine's file that tells it from all others, also while the file is at fault."""

MOVER = re.compile(
    r"(get|find|choose|select|make|compute|calculate|generate|gen|pick|decide|play|take|ai|bot|"
    r"computer|next|best|my)*(move|action|step)|play|act|think|decide|go|search|searchmax"
)
"""Names, in small letters without underscores, of what answers with a move."""

WARM = {"numpy": "numpy", "scipy": "scipy", "numba": "numba", "arena.jit": "numba"}
"""Imports that take long, and the library behind each: what is forked from a process that has it
does not wait for it."""


@dataclass(frozen=True, slots=True)
class Patience:
    """The limits of a reading: seconds, and megabytes of memory."""

    seconds: float = 60.0
    megabytes: int = 4096
    faults: dict[str, ConfigError] = field(default_factory=dict, compare=False)
    """Engines that could not be read within these limits; one that hangs is waited for once."""


def reading_patience(hang: float, megabytes: int) -> Patience:
    """The limits of a reading for a match with these; a process needs a moment to begin at all."""
    return Patience(max(hang, LEAST_SECONDS), megabytes)


@dataclass(frozen=True, slots=True)
class Description:
    """An engine as it is known without its code."""

    module: SimpleNamespace
    """The values that its module declares, such as `GAMES`, and as its factory a `Signature`."""
    file: Path
    loaded: frozenset[Path]  # Files that were loaded with it
    files: Mapping[str, Path] = field(default_factory=dict)
    """Files that it is made of, by their paths within its tree."""
    versions: Mapping[Path, tuple[int, int]] = field(default_factory=dict)

    def is_current(self) -> bool:
        try:
            return all(changed(file) == version for file, version in self.versions.items())
        except OSError:
            return False


DESCRIPTIONS: dict[str, Description] = {}
GIVEN: set[str] = set()  # Names that stand for engines that are objects of this program in configs
_OF_THREAD = local()
"""Their descriptions as this thread gave them, since others may give other objects by a name."""
_PLAIN = (int, float, complex, str, bytes)
NO_ENGINE = (
    "is no engine, which is a function engine(game), or a class or an object with new_game(seed), "
    "choose(position, limit) and close(): docs/writing_engines.md; arena init --wrap my_ai.py makes"
    " one of a file with get_move(board)"
)
STAYS_HERE = (
    "is an object of this program, which plays in its process alone (workers=1). For more workers, "
    "write its code to a file, in a notebook by %%writefile my_engine.py as the first line of its "
    'cell, and give "./my_engine.py"'
)


def _place_of(name: str) -> str:
    """The key of an engine's description: the absolute path of a file, or a dotted name."""
    return str(Path(name).resolve()) if is_path(name) else name


def _known(name: str) -> Description | None:
    place = _place_of(name)
    return vars(_OF_THREAD).get(place) or DESCRIPTIONS.get(place)


def given_name(wanted: Any, names: dict[str, Any] | None = None) -> str:
    """The name by which an engine that is an object of this program is known from now on.

    The `names` of a config stand for other objects. One that this thread gives later by a name
    takes its place, as code does that was edited. ConfigError for what is no engine.
    """
    of = wanted if hasattr(wanted, "__qualname__") else type(wanted)
    names, plain = {} if names is None else names, f"{of.__module__}.{of.__qualname__}"
    numbered = (f"{plain}_{i}" if i > 1 else plain for i in count(1))
    name = next(each for each in numbered if names.setdefault(each, wanted) is wanted)
    factory, home = _factory_of(wanted), getattr(sys.modules.get(of.__module__), "__dict__", {})
    said = {key: getattr(wanted, key, home.get(key)) for key in ("GAMES", "RULES")}
    said = {"GAMES": ("*",)} | {key: value for key, value in said.items() if value}
    code = "\n".join(_sources_of(wanted, of.__module__, {})).encode()
    mark = f"<{name} {sha256(code).hexdigest()}>"
    KEPT_SOURCES[mark] = KeptSource(code, 0.0)
    module = SimpleNamespace(__doc__=of.__doc__, engine=factory, **said)
    described = Description(module, Path(mark), frozenset(), {name: Path(mark)})
    DESCRIPTIONS[name] = vars(_OF_THREAD)[name] = described
    GIVEN.add(name)
    return name


def short_name(engine: str) -> str:
    if engine in GIVEN:
        return engine.rpartition(".")[2].replace("<lambda>", "lambda")
    return Path(engine).stem


def _factory_of(wanted: Any) -> Factory:
    """The function that makes an engine of an object; ConfigError if none can be made."""
    is_class, is_player = isinstance(wanted, type), hasattr(wanted, "choose")
    if not is_class and is_player:
        has = [name for name in ("new_game", "choose", "open") if hasattr(wanted, name)]
        lent = {name: getattr(wanted, name) for name in has}
        return lambda game: SimpleNamespace(**lent, close=_nothing)  # who made it closes it
    makes = isinstance(wanted, type | FunctionType | MethodType)
    if not makes or (is_class and not is_player):
        raise ConfigError(f"{wanted!r:.100} {NO_ENGINE}")
    taken = inspect.signature(wanted).parameters.values()
    if is_class and not taken:
        return lambda game: wanted()
    if not is_class and len([each for each in taken if each.kind is not each.KEYWORD_ONLY]) == 2:
        return lambda game: SimpleNamespace(new_game=_nothing, choose=wanted, close=_nothing)
    return cast(Factory, wanted)


def _nothing(*_: object) -> None: ...


def _sources_of(part: Any, module: str, seen: dict[int, Any]) -> Iterator[str]:
    """The sources of a function or class, of what they name of their module (functions, classes,
    and numbers and texts), and the values that they or an object were made with.

    Of another module's functions, classes and objects, the name.
    """
    kind = type(part)
    if part is None or isinstance(part, _PLAIN):
        yield repr(part)
    elif isinstance(part, CodeType):
        yield f"{part.co_code.hex()} {part.co_names}"
        yield from _sources_of(part.co_consts, module, seen)
    elif kind.__module__ == "numpy" and hasattr(part, "dtype"):
        yield f"{part.dtype} {part.shape}"
        if part.dtype.hasobject:
            yield from _sources_of(part.tolist(), module, seen)
        else:
            yield sha256(part.tobytes()).hexdigest()
    elif id(part) not in seen:
        seen[id(part)] = part
        if isinstance(part, type | FunctionType):
            yield f"{part.__module__}.{part.__qualname__}"
            if part.__module__ == module:
                yield from _code_of(part, module, seen)
        else:
            yield from _values_of(part, module, seen)
            del seen[id(part)]  # equal values have equal texts, whether they are one object or two


def _code_of(part: type | FunctionType, module: str, seen: dict[int, Any]) -> Iterator[str]:
    if isinstance(part, type):
        parts = {base.__name__: base for base in part.__bases__} | {**vars(part)}
        for name, each in parts.items():
            if isinstance(each, FunctionType) or not name.startswith("__"):
                yield from _sources_of(getattr(each, "__func__", each), module, seen)
        return
    try:
        yield inspect.getsource(part)
    except OSError:
        yield from _sources_of(part.__code__, module, seen)
    for name in sorted(_globals_in(part.__code__)):
        value = part.__globals__.get(name)
        if isinstance(value, (*_PLAIN, tuple, type, FunctionType)):
            yield from _sources_of(value, module, seen)
    cells = [each.cell_contents for each in part.__closure__ or () if each != CellType()]
    yield from _sources_of((cells, part.__defaults__, part.__kwdefaults__), module, seen)


def _values_of(part: Any, module: str, seen: dict[int, Any]) -> Iterator[str]:
    kind = type(part)
    yield f"{kind.__module__}.{kind.__qualname__}"
    if isinstance(part, Mapping):
        parts: Any = [each for item in [*part.items()] for each in item]
    elif isinstance(part, set | frozenset):  # their order differs from process to process
        parts = sorted("\n".join(_sources_of(each, module, seen)) for each in [*part])
    elif isinstance(part, list | tuple):
        parts = [*part]
    elif isinstance(part, MethodType):
        parts = part.__func__, part.__self__
    elif kind.__module__ in (module, "types"):
        parts = kind, object.__getstate__(part)
    else:
        return
    yield str(len(parts))
    for each in parts:
        yield from _sources_of(each, module, seen)


def _globals_in(code: CodeType) -> set[str]:
    inner = (_globals_in(each) for each in code.co_consts if isinstance(each, CodeType))
    read = (each for each in dis.get_instructions(code) if each.opname == "LOAD_GLOBAL")
    return {str(each.argval) for each in read}.union(*inner)


def foreign_module(name: str) -> ModuleType:
    """The module of a user's engine, by its path or dotted name, imported into this process.

    A file can import the modules beside it. ConfigError says why it cannot be imported.
    """
    if name in GIVEN:
        return cast(ModuleType, cast(Description, _known(name)).module)
    if name.startswith("__main__."):
        raise ConfigError(f"engine {name} {STAYS_HERE}")
    if is_path(name):
        path = Path(name).resolve()
        if not path.is_file():
            near = near_file(path)
            meant = f"; did you mean {near.name!r}?" if near else ""
            what = "not a file" if path.exists() else "no such engine file"
            raise ConfigError(f"{what}: {path}{meant}")
        return _imported(f"engine {path}", partial(import_file, path))
    return module_named(name, "engine")


def module_named(name: str, what: str) -> ModuleType:
    """A user's module by its dotted name, also one in the current folder.

    ConfigError says why it cannot be imported, and `what` it is.
    """
    if os.getcwd() not in sys.path:
        sys.path.append(os.getcwd())
    return _imported(f"{what} {name}", partial(importlib.import_module, name))


def _imported(name: str, load: Callable[[], ModuleType]) -> ModuleType:
    """A user's module; an error in it is a ConfigError that shows its own words."""
    try:
        return load()
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt) and not is_confined():
            raise  # Ctrl-C
        raise ConfigError(f"{name} cannot be imported: {own_words(error)}") from error


def description_of(name: str, look: Look, patience: Patience | None = None) -> Description:
    """The description of a user's engine, read anew if any of its files was written to since.

    Workers forked from then on import its files as they are now.
    """
    known = _known(name)
    if known is None or not known.is_current():
        known = DESCRIPTIONS[_place_of(name)] = _read_once(name, look, patience or Patience())
        keep_sources(file for file in known.files.values() if file.suffix == ".py")
        if is_path(name):
            forget(name)  # what this process may have imported before is not what was read now
    return known


def _read_once(name: str, look: Look, patience: Patience) -> Description:
    """Read a description now. Raises ConfigError if that fails, or failed before."""
    if name in patience.faults:
        raise ConfigError(*patience.faults[name].faults)
    try:
        return _read_description(name, look, patience)
    except ConfigError as error:
        hint = _brain_hint(name)
        patience.faults[name] = ConfigError(
            *(Fault(place, f"{message}{hint}") for place, message in error.faults)
        )
        raise patience.faults[name] from error.__cause__


def _brain_hint(name: str) -> str:
    """Words for a file that makes no engine, and so may be a brain; empty for all others."""
    file = Path(name)
    if not (is_path(name) and file.is_file()) or makes_engine(file):
        return ""
    return f'; if it is a Gomocup brain, give it as "{interpreted(file)}"'


def wrap_hint(name: str, module: Module) -> str:
    """Words for a file with a class or function that answers with a move; empty for all others."""
    own = {
        key: each
        for key, each in vars(module).items()
        if callable(each) and getattr(each, "__module__", "") == module.__name__
    }
    if any(is_mover(word) for key, each in own.items() for word in (key, *dir(each))):
        return f"; for a class or function with get_move(board): arena init --wrap {name}"
    return ""


def is_mover(name: str) -> bool:
    return MOVER.fullmatch(name.lower().replace("_", "")) is not None


def makes_engine(file: Path) -> bool:
    try:
        return MAKES_ENGINE.search(read_whole(file)) is not None
    except OSError:
        return False


def read_before(name: str, look: Look) -> Description:
    """The description of a user's engine as it was read last, even if its files were changed since.

    That is the code which plays: `keep_sources` has it.
    """
    return _known(name) or description_of(name, look)


def _read_description(name: str, look: Look, patience: Patience) -> Description:
    """The description that a process of its own sends; ConfigError if there is none."""
    if is_path(name) and Path(name).is_file():
        _warm(engine_files(_home_of(name, Path(name))))
    described: Description = asked(
        name, partial(description, name, look, patience), Description, patience
    )
    try:
        files = engine_files(_home_of(name, described.file), described.loaded)
        versions = {file: changed(file) for file in files.values()}
    except (LookupError, OSError, ValueError) as error:
        words = own_words(error.with_traceback(None))
        raise ConfigError(f"engine {name}: its files cannot be read: {words}") from None
    _warm(files)
    return replace(described, files=files, versions=versions)


def _warm(files: Mapping[str, Path]) -> None:
    for each in WARM.keys() & names_imported(files):
        importlib.import_module(WARM[each])


def asked(name: str, ask: Callable[[], object], kind: type, patience: Patience) -> Any:
    """The answer, of this type, of a process that imports the engine. Raises ConfigError."""
    limits = patience.seconds, patience.megabytes
    answer = answer_of(Question(ask, f"engine {name}", "imported", *limits))
    if not isinstance(answer, kind):
        raise ConfigError(f"engine {name} answered in place of the process that imports it")
    return answer


def description(name: str, look: Look, patience: Patience) -> Description:
    KEPT_SOURCES.clear()
    forget(name)
    before = frozenset(sys.modules)
    module, factory = look(name)
    try:
        new = {each: sys.modules[each] for each in set(sys.modules) - before}
        said = SimpleNamespace(
            __doc__=module.__doc__ and str(module.__doc__),
            GAMES=tuple(map(str, module.GAMES)),
            DOCUMENT=str(getattr(module, "DOCUMENT", "")),
            engine=Signature(
                [_without_code(each, before) for each in parameters(factory)],
                factory.__doc__ and str(factory.__doc__),
                partial(_values_fitted_there, name, look, patience),
            ),
        )
        if hasattr(module, "RULES"):
            said.RULES = tuple(map(str, module.RULES))
        loaded = frozenset(map(Path, _files_in(new)))
        return Description(said, Path(str(module.__file__)), loaded)
    except ConfigError as error:
        raise ConfigError(f"engine {name}: {error}") from None
    except Exception as error:
        raise ConfigError(f"engine {name} cannot be read: {own_words(error)}") from None


def _without_code(parameter: Parameter, modules: Collection[str]) -> Parameter:
    default = parameter.default if parameter.is_required else _plain(parameter.default)
    parameter = replace(parameter, default=default, about=str(parameter.about))
    if is_known(parameter.hint, modules):
        return parameter
    kind, choices, bounds = parameter.type, parameter.choices, parameter.range
    return replace(
        parameter,
        hint=None,
        type=kind if is_known(kind, modules) else getattr(kind, "__name__", str(kind)),
        range=bounds if is_known(bounds, modules) else None,
        choices=choices if is_known(choices, modules) else (),
    )


def _plain(value: object) -> object:
    """A number, text, None or tuple in Python's own type; ConfigError for any other value."""
    if isinstance(value, tuple):
        return tuple(map(_plain, value))
    for kind in (bool, int, float, str):
        if isinstance(value, kind):
            return kind(value)
    if value is not None:
        raise ConfigError(f"{value!r:.100} within a default must be a number, text, or None")
    return None


def _values_fitted_there(
    name: str, look: Look, patience: Patience, values: Mapping[str, Any]
) -> dict[str, tuple[Any, Faults]]:
    fitted: dict[str, tuple[Any, Faults]] = asked(
        name, partial(_fitted_values, name, look, values), dict, patience
    )
    if fitted.keys() != values.keys() or not all(
        isinstance(each, tuple) for each in fitted.values()
    ):
        raise ConfigError(f"engine {name} answered with other values than it was asked for")
    return fitted


def _fitted_values(
    name: str, look: Look, values: Mapping[str, Any]
) -> dict[str, tuple[Any, Faults]]:
    """The values, fitted in the process that may import the engine; others than plain ones stay."""
    _, factory = look(name)
    return {key: _fitted_value(factory, key, value) for key, value in values.items()}


def _fitted_value(factory: Factory, key: str, value: object) -> tuple[Any, Faults]:
    try:
        fitted, faults = fit_value(adapter_of(factory, key), value)
    except Exception as error:
        return value, [((), f"cannot be checked: {own_words(error)}")]
    try:
        return _plain(fitted), faults
    except ConfigError:
        return value, faults


def forget(name: str) -> None:
    """Let all of an engine's own modules be imported anew, unless they are the project's."""
    top = Tree.at(root_of(Path(name).resolve())).name if is_path(name) else name.partition(".")[0]
    if top != "arena":
        for each in list(sys.modules):  # a copy, as another thread may import meanwhile
            if each.startswith(f"{top}."):
                sys.modules.pop(each, None)
        if not is_path(name):
            sys.modules.pop(top, None)


def _files_in(modules: Mapping[str, ModuleType]) -> Iterator[str]:
    for module in modules.values():
        file = getattr(module, "__file__", None)
        if isinstance(file, str):
            yield os.path.abspath(file)


def _home_of(name: str, file: Path) -> Home:
    """The place that an engine's own imports start from; its file is known for a dotted name."""
    if is_path(name):
        return Home(root_of(Path(name).resolve()), Path(name).resolve())
    depth = name.count(".") + (file.stem == "__init__")
    return Home(file.parents[depth], file)
