"""A YAML file as plain data, and where in the file each part of it stands."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.nodes import MappingNode, Node, SequenceNode

from arena.errors import ConfigError, Fault


class Document:
    """Holds a file's data, and its nodes with their lines and columns."""

    def __init__(self, file: Path, unlike: tuple[str, str, str] | None = None) -> None:
        """Read the file; ConfigError if it cannot be read, is no YAML, or no mapping.

        Or if it is `unlike` what is wanted: without a key that that must have, and with one of
        something else, which is called so.
        """
        self.file = file
        text = read_text(file)
        yaml = YAML(typ="safe", pure=True)
        try:
            self._root: Node | None = yaml.compose(text)
            data = yaml.load(text)
        except MarkedYAMLError as error:
            mark = error.problem_mark or error.context_mark
            place = f"{file}:{mark.line + 1}:{mark.column + 1}" if mark else str(file)
            raise ConfigError(Fault(place, str(error.problem or error.context))) from None
        except YAMLError as error:
            raise ConfigError(Fault(str(file), f"is no YAML: {error}")) from None
        if data is None:
            raise ConfigError(Fault(f"{file}:1:1", "the file is empty"))
        if not isinstance(data, dict):
            raise ConfigError(Fault(f"{file}:1:1", "must be a mapping (key: value)"))
        self.data: dict[str, Any] = data
        if unlike and unlike[0] not in data and unlike[1] in data:
            place = self.place(unlike[1:2], is_key=True)
            raise ConfigError(Fault(place, f"this is {unlike[2]} {file}"))

    def place(self, path: Sequence[str | int], is_key: bool = False) -> str:
        """`file:line:column` of the value at this path of keys and indices, or of its key.

        Where the path leaves the file, the place is that of the last part that is there.
        """
        node = key = self._root
        for part in path:
            found = child(node, part)
            if found is None:
                break
            key, node = found
        mark = (key if is_key else node).start_mark  # type: ignore[union-attr]
        return f"{self.file}:{mark.line + 1}:{mark.column + 1}"


def dump(data: dict[str, Any]) -> str:
    """Plain data as YAML, the keys in their order."""
    stream = io.StringIO()
    YAML().dump(data, stream)
    return stream.getvalue()


def child(node: Node | None, part: str | int) -> tuple[Node, Node] | None:
    """The key's and the value's node of one part of a mapping or list."""
    if isinstance(node, MappingNode):
        return next((pair for pair in node.value if pair[0].value == str(part)), None)
    if isinstance(node, SequenceNode) and isinstance(part, int) and part < len(node.value):
        return node.value[part], node.value[part]
    return None


def read_text(file: Path) -> str:
    """The file's text; ConfigError if there is none to read."""
    try:
        return file.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise ConfigError(Fault(str(file), "no such file")) from None
    except OSError as error:
        raise ConfigError(Fault(str(file), error.strerror or str(error))) from None
    except UnicodeDecodeError as error:
        raise ConfigError(Fault(str(file), f"is not UTF-8 text: {error}")) from None
