"""A test that comes from elsewhere: its YAML and the files that it names, checked before use.

All of it is written into one new folder, which is named by the digest of all that is in it.
"""

from __future__ import annotations

import binascii
import json
from base64 import b64decode, b64encode
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from arena.cluster.shipping import Shipment, ShippedTree
from arena.errors import ConfigError, Fault, shown_value
from arena.gone import gone, is_taken
from arena.queue.order import PRIORITIES

MOST_BODY = 32 * 2**20
"""Bytes of a submission as it travels."""
MOST_CONFIG = 2**20
MOST_FILES = 500
LONGEST_PATH, LONGEST_PART, DEEPEST = 400, 100, 12
PLACE = "test.yaml"
KEYS = ("config", "place", "priority", "files", "programs")
REFUSED_PARTS = ("", ".", "..", "__pycache__")


@dataclass(frozen=True)
class Submission:
    """A test, and the files that travel with it."""

    config: str  # Its YAML
    place: str = PLACE  # The path of the YAML among the files, at which relative paths in it begin
    priority: int = 0
    files: Mapping[str, bytes] = field(default_factory=dict)
    """The bytes of the other files by their paths."""
    programs: frozenset[str] = frozenset()  # Paths of files that are to be executable

    @property
    def tree(self) -> ShippedTree:
        """All files, with the YAML."""
        files = {**self.files, self.place: self.config.encode()}
        return ShippedTree("", files, self.programs)

    def unpack(self, folder: Path) -> Path:
        """Write all files into a folder below this one, and return it."""
        Shipment((self.tree,)).unpack(folder)
        return folder / self.tree.digest


def to_json(submission: Submission) -> dict[str, Any]:
    """A submission as it travels."""
    return {
        "config": submission.config,
        "place": submission.place,
        "priority": submission.priority,
        "files": {name: b64encode(each).decode() for name, each in submission.files.items()},
        "programs": sorted(submission.programs),
    }


def read_submission(body: bytes) -> Submission:
    """The submission that was sent; ConfigError for anything else."""
    if len(body) > MOST_BODY:
        raise ConfigError(f"a submission has at most {MOST_BODY // 2**20} MB")
    try:
        return submission_in(json.loads(body))
    except (ValueError, RecursionError):
        raise ConfigError("this is no submission: no JSON") from None


def submission_in(data: object) -> Submission:
    """Read a submission from its JSON. Raises ConfigError with its faults."""
    if not isinstance(data, dict) or not isinstance(data.get("config"), str):
        raise ConfigError("this is no submission: it needs the text of a config")
    for key, value in data.items():
        if key not in KEYS and not is_taken(key, value, KEYS):
            message = gone("key", key, KEYS) or "is no part of a submission"
            raise ConfigError(Fault(shown_value(key), message))
    config, place = data["config"], _checked_path(data.get("place", PLACE))
    if not _is_text(config) or len(config) > MOST_CONFIG:
        raise ConfigError(f"the config must be UTF-8 text of at most {MOST_CONFIG} characters")
    files = _read_files(data.get("files", {}))
    programs = data.get("programs", [])
    if not isinstance(programs, list) or not all(
        isinstance(each, str) and each in files for each in programs
    ):
        raise ConfigError(Fault("programs", "must be a list of paths of the files"))
    _check_tree([place, *files])
    return Submission(
        config,
        place,
        _whole_number("priority", data.get("priority", 0)),
        files,
        frozenset(programs),
    )


def _read_files(given: object) -> dict[str, bytes]:
    """The files by their paths; ConfigError for paths that lead elsewhere, and for no base64."""
    if not isinstance(given, dict):
        raise ConfigError(Fault("files", "must be an object of paths"))
    if len(given) > MOST_FILES:
        raise ConfigError(Fault("files", f"at most {MOST_FILES} can be sent"))
    return {_checked_path(path): _content_of(path, each) for path, each in given.items()}


def _content_of(path: str, text: object) -> bytes:
    """A file's bytes. Raises ConfigError if the text is not base64."""
    try:
        if isinstance(text, str):
            return b64decode(text, validate=True)
    except (ValueError, binascii.Error):
        pass
    raise ConfigError(Fault(shown_value(path), "its content must be base64"))


def _checked_path(path: object) -> str:
    """A path within the submission's folder; ConfigError for any other."""
    if isinstance(path, str) and _is_text(path) and len(path.encode()) <= LONGEST_PATH:
        parts = path.split("/")
        if len(parts) <= DEEPEST and all(map(_is_plain, parts)):
            return path
    message = "must be the path of a file within the submission, such as engines/mine.py"
    raise ConfigError(Fault(shown_value(path), message))


def _is_plain(part: str) -> bool:
    is_short = len(part.encode()) <= LONGEST_PART
    return part not in REFUSED_PARTS and is_short and part.isprintable() and "\\" not in part


def _is_text(text: str) -> bool:
    """True if the text can be written to a file."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _check_tree(paths: Iterable[str]) -> None:
    """ConfigError if a path stands there twice, or is a file and a folder at once."""
    listed = list(paths)
    folders = {str(above) for path in listed for above in Path(path).parents}
    if twice := [each for each in listed if listed.count(each) > 1 or each in folders]:
        raise ConfigError(Fault(shown_value(twice[0]), "stands there twice"))


def _whole_number(name: str, value: object) -> int:
    """The priority. Raises ConfigError if it is not a whole number in its range."""
    low, high = PRIORITIES
    if type(value) is not int or not low <= value <= high:
        message = f"must be a whole number from {low} to {high}, not {shown_value(value)}"
        raise ConfigError(Fault(name, message))
    return value
