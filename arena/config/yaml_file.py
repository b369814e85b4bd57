"""A YAML file as plain data, and where in the file each part of it stands."""

from __future__ import annotations

import io
import os
import re
import shlex
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from numbers import Integral, Real
from pathlib import Path
from typing import Any, NoReturn

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, ReusedAnchorWarning, YAMLError
from ruamel.yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode
from ruamel.yaml.reader import ReaderError

from arena.config.settings import limit_data
from arena.config.shipped import hint_for
from arena.engine import Limit
from arena.errors import ConfigError, Fault, no_such_file, own_words, refused, unquoted
from arena.files import is_pipe, read_whole
from arena.plugins.user_engines import given_name
from arena.text import MARKS, TITLES, decoded, text_in

SUFFIXES = (".yaml", ".yml")
DEEPEST = 50  # Levels of lists and mappings in one another
MOST_PARTS = 10**6
"""Most values in a file; a part that aliases repeat counts each time."""
MOST_DIGITS = 100  # Digits of a whole number: Python itself refuses to write those of thousands
OPEN_END = "the file ends before a bracket or a quotation mark is closed"
INDENTATION = "does not follow from what stands before it: look at the indentation"
UNOPENED = "closes a bracket that is not open"
ENDED = "follows a value that a quotation mark or a bracket has ended"
PLAIN_WORDS = {
    "'<stream end>'": OPEN_END,
    "found unexpected end of stream": OPEN_END,
    "but found '-'": INDENTATION,
    "but found '?'": INDENTATION,
    "but found '<block mapping start>'": INDENTATION,
    "but found '<block sequence start>'": INDENTATION,
    "but found '}'": UNOPENED,
    "but found ']'": UNOPENED,
    "expected <block end>": ENDED,
    "expected '<document start>'": ENDED,
    r"found character '\t'": "a tab stands where YAML wants spaces",
}
"""Words for users in place of the parser's own, by a part of those; the first one counts."""
KNOWN_ENCODINGS = {*MARKS.values(), "utf-8"}  # Encodings that a file tells, or is in for sure
WHOLE_NUMBER = "tag:yaml.org,2002:int"
_GIVEN = Path("config")  # In place of the file of a config that has none

ConfigSource = str | os.PathLike[str] | Mapping[str, Any]  # A file, or the keys that it would have
Unlike = tuple[str, str, str, str]
"""A key that the wanted kind of file has; one of another kind, its name and its command."""


class Document:
    """Holds a file's data, and its nodes with their lines and columns."""

    def __init__(self, file: Path, unlike: Unlike | None = None, text: str | None = None) -> None:
        """Read the file; ConfigError if it cannot be read, is no YAML, or no mapping.

        Or if it is `unlike` what is wanted: without the first key, and with the second. A `text` is
        read in place of the file's own.
        """
        self.file = file
        if text is None:
            _refuse_players(file)
            text = read_text(file)
        self.text = text
        yaml = YAML(typ="safe", pure=True)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", ReusedAnchorWarning)
                self._root: Node | None = yaml.compose(text)
                self._check_parts()
                data = yaml.constructor.construct_document(self._root) if self._root else None
        except MarkedYAMLError as error:
            mark = error.problem_mark or error.context_mark
            place = f"{file}:{mark.line + 1}:{mark.column + 1}" if mark else str(file)
            raise ConfigError(Fault(place, _words_on(error))) from None
        except ReaderError as error:
            code = error.character
            before, bad, _ = text.partition(code if isinstance(code, str) else chr(code))
            place = f"{file}:{before.count(chr(10)) + 1}:{len(before) - before.rfind(chr(10))}"
            message = f"has a character {bad!a}, which no YAML may have"
            raise ConfigError(Fault(place, message)) from None
        except YAMLError as error:
            raise ConfigError(Fault(str(file), f"is no YAML: {error}")) from None
        except RecursionError:
            raise ConfigError(Fault(str(file), "lists and mappings nest too deeply")) from None
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
            self._raise_scalar(error)
        if data is None:
            raise ConfigError(Fault(f"{file}:1:1", "the file is empty"))
        if not isinstance(data, dict):
            raise ConfigError(Fault(f"{file}:1:1", "must be a mapping (key: value)"))
        self.data: dict[str, Any] = data
        if unlike and unlike[0] not in data and unlike[1] in data:
            place = self.place(unlike[1:2], is_key=True)
            raise ConfigError(Fault(place, f"this is {unlike[2]}: {self.command(unlike[3])}"))

    def _check_parts(self) -> None:
        """ConfigError for too deep a file, for endless aliases, and for texts with a zero byte."""
        for count, (node, depth) in enumerate(parts(self._root)):
            if depth > DEEPEST:
                self._raise(node, f"stands in more than {DEEPEST} lists and mappings")
            if count > MOST_PARTS:
                self._raise(node, f"the file has more than {MOST_PARTS} parts, aliases written out")
            if node.tag == WHOLE_NUMBER and len(node.value) > MOST_DIGITS:
                self._raise(node, f"a number of more than {MOST_DIGITS} digits")
            if isinstance(node, ScalarNode) and "\0" in node.value:
                self._raise(node, r"has a character \0, which no text may have")

    def _raise(self, node: Node, message: str) -> NoReturn:
        raise ConfigError(Fault(f"{self.file}:{_line_and_column_of(node)}", message))

    def _raise_scalar(self, error: Exception) -> NoReturn:
        """Raise a ConfigError at the value that the library cannot read, such as a wrong date."""
        for node, _ in parts(getattr(self, "_root", None)):
            try:
                if isinstance(node, ScalarNode):
                    YAML(typ="safe", pure=True).constructor.construct_object(node)
            except Exception as fault:
                self._raise(node, f"is wrong: {fault}")
        raise ConfigError(Fault(str(self.file), f"is no YAML: {own_words(error)}"))

    @property
    def folder(self) -> Path:
        """The folder at which relative paths begin: for a pipe, the current one."""
        return Path() if is_pipe(self.file) else self.file.parent

    def command(self, name: str) -> str:
        return f"arena {name} {self.file}"

    def place(self, path: Sequence[str | int], is_key: bool = False) -> str:
        """`file:line:column` of the value at this path of keys and indices, or of its key.

        Where the path leaves the file, the place is that of the last part that is there.
        """
        node = key = self._root
        for part in path:
            child = _child(node, part)
            if child is None:
                break
            key, node = child
        return f"{self.file}:{_line_and_column_of(key if is_key else node)}"

    def is_there(self, path: Sequence[str | int]) -> bool:
        """True if the file has a value, though it may be blank, at this path."""
        return self._node(path) is not None

    def as_typed(self, message: str, path: Sequence[str | int]) -> str:
        """The message, with the value at this path written as in the file, if it advises to quote
        that value."""
        node = self._node(path)
        if not isinstance(node, ScalarNode):
            return message
        value = YAML(typ="safe", pure=True).constructor.construct_object(node)
        return message.replace(unquoted(value), unquoted(value, node.value))

    def _node(self, path: Sequence[str | int]) -> Node | None:
        node = self._root
        for part in path:
            child = _child(node, part)
            node = child[1] if child else None
        return node


class GivenDocument(Document):
    """Holds data that no file has; faults are at paths of keys such as `engines[1].depth`."""

    def __init__(self, data: Mapping[str, Any], unlike: Unlike | None = None) -> None:
        """Take in a config, whose paths of files begin at the current folder."""
        super().__init__(_GIVEN, unlike, dump(plain(data)))

    def command(self, name: str) -> str:
        return f"arena.{name}"

    def place(self, path: Sequence[str | int], is_key: bool = False) -> str:
        return _keys_text(path)


def _keys_text(path: Sequence[str | int]) -> str:
    steps = (f"[{part}]" if isinstance(part, int) else f".{part}" for part in path)
    return "".join(steps).removeprefix(".") or str(_GIVEN)


def plain(
    value: Any, path: tuple[str | int, ...] = (), engines: dict[str, Any] | None = None
) -> Any:
    """Convert a value to types of YAML, such as a tuple to a list. Raises ConfigError for others.

    An engine that is an object of this program becomes a name, which is added to `engines`.
    """
    engines = {} if engines is None else engines
    match value:
        case Mapping():
            return {key: plain(each, (*path, key), engines) for key, each in value.items()}
        case list() | tuple():
            return [plain(each, (*path, i), engines) for i, each in enumerate(value)]
        case None | bool():
            return value
        case str():
            return str(value)
        case Limit():
            return limit_data(value)
        case Integral():
            return int(value)
        case Real():
            return float(value)
        case os.PathLike():
            return os.fspath(value)
        case _ if path[-1:] == ("engine",):
            return given_name(value, engines)
    if type(value).__module__ == "numpy":
        return plain(value.tolist(), path, engines)
    message = f"must be text, a number, a list or a dict, not {value!r}"
    raise ConfigError(Fault(_keys_text(path), message))


def document(
    source: ConfigSource, unlike: Unlike | None = None, text: str | None = None
) -> Document:
    if isinstance(source, Mapping):
        return GivenDocument(source, unlike)
    return Document(Path(source), unlike, text)


def dump(data: dict[str, Any]) -> str:
    stream = io.StringIO()
    YAML().dump(data, stream)
    return stream.getvalue()


def flow_text(value: object) -> str:
    stream, yaml = io.StringIO(), YAML()
    yaml.default_flow_style, yaml.width = True, sys.maxsize
    yaml.dump({"it": value}, stream)
    return stream.getvalue().strip().removeprefix("{it: ").removesuffix("}")


def parts(root: Node | None) -> Iterator[tuple[Node, int]]:
    """Every node with its depth, as often as it stands there; without end if it holds itself."""
    unseen = [(root, 0)] if root else []
    while unseen:
        node, depth = unseen.pop()
        yield node, depth
        if isinstance(node, MappingNode):
            unseen += [(each, depth + 1) for pair in node.value for each in pair]
        elif isinstance(node, SequenceNode):
            unseen += [(each, depth + 1) for each in node.value]


def _line_and_column_of(node: Node | None) -> str:
    """The place where a node begins, both numbers from 1."""
    mark = node.start_mark  # type: ignore[union-attr]
    return f"{mark.line + 1}:{mark.column + 1}"


def _child(node: Node | None, part: str | int) -> tuple[Node, Node] | None:
    if isinstance(node, MappingNode):
        return next((pair for pair in node.value if pair[0].value == str(part)), None)
    if isinstance(node, SequenceNode) and isinstance(part, int) and part < len(node.value):
        return node.value[part], node.value[part]
    return None


def _words_on(error: MarkedYAMLError) -> str:
    words = re.sub(r"\('(.+)',\)", r"'\1'", str(error.problem or error.context))
    return next((plain for part, plain in PLAIN_WORDS.items() if part in words), words)


def _refuse_players(file: Path) -> None:
    """ConfigError for an engine's file, a program or the folder of a run, in place of a config."""
    name = shlex.quote(str(file) if os.sep in str(file) else f"./{file}")
    if file.is_dir() and (file / "config.yaml").is_file():
        raise ConfigError(Fault(str(file), f"is the folder of a run: arena report {name}"))
    is_program = file.is_file() and file.suffix not in SUFFIXES and os.access(file, os.X_OK)
    if file.is_dir() or (file.is_file() and file.suffix == ".py") or is_program:
        what = "a folder" if file.is_dir() else "an engine"
        message = f"is {what}, not a config; to play it: arena match {name} OTHER"
        raise ConfigError(Fault(str(file), message))


def read_text(file: Path, read: Callable[[Path], bytes] = read_whole) -> str:
    try:
        data = read(file)
    except FileNotFoundError:
        words = hint_for(file)
        message = f"no such file{words}" if words else no_such_file(file, SUFFIXES, "configs")
        raise ConfigError(Fault(str(file), message)) from None
    except OSError as error:
        raise refused(error, file) from None
    try:
        text, encoding = decoded(data)
    except UnicodeDecodeError as error:
        raise ConfigError(Fault(str(file), f"is not {error.encoding} text: {error}")) from None
    if encoding not in KNOWN_ENCODINGS:
        seems = "" if b"\0" in data else f", but seems to be {TITLES.get(encoding, encoding)}"
        lines = enumerate(data.split(b"\n"), start=1)
        number = next(n for n, each in lines if text_in(each, "utf-8") is None)
        raise ConfigError(Fault(f"{file}:{number}", f"is not UTF-8 text{seems}: save it as UTF-8"))
    return io.StringIO(text, newline=None).read()  # with the ends of lines of this system
