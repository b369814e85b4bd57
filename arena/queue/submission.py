"""A test that comes from elsewhere: its files, sent, checked, unpacked and taken in."""

from __future__ import annotations

import binascii
import json
import os
import pickle
import shutil
import ssl
import time
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import astuple, dataclass, field
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from itertools import chain
from pathlib import Path
from threading import Lock
from typing import Any
from urllib.parse import parse_qs, urlsplit

from arena.cluster.shipping import Shipment, ShippedTree, shipment_of
from arena.config.reader import read_config
from arena.config.settings import Config
from arena.config.yaml_file import Document
from arena.engine import Limit
from arena.errors import ConfigError, Fault, expanded, gone, is_taken, refusals_told, shown_value
from arena.files import read_whole
from arena.plugins.engine_names import PROGRAMS, is_file, is_foreign, is_path, split_command
from arena.processes.child import Child, ValuePipe, confine, mute
from arena.queue.order import PRIORITIES, QueuedTest
from arena.queue.queue_file import CODE, QUEUE, QueueFile, name_taken
from arena.report.outlook import expected_games
from arena.tournament.schedule import Schedule

MOST_BODY = 32 * 2**20  # Bytes of a submission as it travels
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
        files = {**self.files, self.place: self.config.encode()}
        return ShippedTree("", files, self.programs)

    def unpack(self, folder: Path) -> Path:
        Shipment((self.tree,)).unpack(folder)
        return folder / self.tree.digest


def to_json(submission: Submission) -> dict[str, Any]:
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
        return _submission_in(json.loads(body))
    except (ValueError, RecursionError):
        raise ConfigError("this is no submission: no JSON") from None


def _submission_in(data: object) -> Submission:
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
        config, place, _checked_priority(data.get("priority", 0)), files, frozenset(programs)
    )


def _read_files(files: object) -> dict[str, bytes]:
    """The files by their paths; ConfigError for paths that lead elsewhere, and for no base64."""
    if not isinstance(files, dict):
        raise ConfigError(Fault("files", "must be an object of paths"))
    if len(files) > MOST_FILES:
        raise ConfigError(Fault("files", f"at most {MOST_FILES} can be sent"))
    return {_checked_path(path): _content_of(path, each) for path, each in files.items()}


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


def _checked_priority(value: object) -> int:
    low, high = PRIORITIES
    if type(value) is not int or not low <= value <= high:
        message = f"must be a whole number from {low} to {high}, not {shown_value(value)}"
        raise ConfigError(Fault("priority", message))
    return value


def _files_of(file: Path, config: Config) -> tuple[dict[Path, bytes], set[Path]]:
    """The files that a test needs, and which are executable; ConfigError if they cannot travel."""
    for player in config.players:
        name = player.engine.name
        if is_foreign(name) and not is_path(name):
            message = "an engine that is named as a module cannot be sent: name its file"
            raise ConfigError(Fault(player.place, message))
    files, programs = dict[Path, bytes](), set[Path]()
    for tree in shipment_of(config.players).trees:
        files |= {Path(tree.root, name): content for name, content in tree.files.items()}
        programs |= {Path(tree.root, name) for name in tree.executables}
    own = _words_of_programs(config)
    texts = _words_in(Document(file).data)
    for word in chain.from_iterable(split_command(text, file.parent) for text in texts):
        if _place_in(word).is_absolute():
            if _place_in(word) not in own:
                _refuse_absolute(file, word, files)
            continue
        place = Path(os.path.normpath(file.parent.absolute() / word))
        if place not in files and is_file(word, file.parent):
            files[place] = read_whole(place)
            if os.access(place, os.X_OK):
                programs.add(place)
    return files, programs


def _check_within(folder: Path, file: Path, config: Config) -> None:
    """Raise a ConfigError if a test that was sent needs files that were not sent with it."""
    files, _ = _files_of(file, config)
    root = folder.resolve()
    if outside := [each for each in files if not each.resolve().is_relative_to(root)]:
        message = "names files that were not sent with it, such as"
        raise ConfigError(Fault(str(file), f"{message} {os.path.relpath(outside[0], root)}"))


def _words_of_programs(config: Config) -> set[Path]:
    """The words of the commands of programs that are at one place on all machines."""
    engines = [each.engine for each in config.players if each.engine.name == PROGRAMS]
    apart = [each.parameters["command"] for each in engines if not each.parameters["ship"]]
    return {_place_in(word) for word in _words_in(apart)}


def _place_in(word: str) -> Path:
    """A word as a path; it may begin with the home of a user, or with a ~ that means none."""
    try:
        return expanded(word)
    except ConfigError:
        return Path(word)


def _refuse_absolute(file: Path, word: str, files: dict[Path, bytes]) -> None:
    """Raise a ConfigError if a file that must travel is named by an absolute path."""
    place = _place_in(word)
    if is_file(word) or any(each.is_relative_to(place) for each in files):
        message = f"{word} would lie elsewhere on the server: write it as seen from this file"
        raise ConfigError(Fault(str(file), message))


def _words_in(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        for key, each in value.items():
            yield from _words_in(key)
            yield from _words_in(each)
    elif isinstance(value, list):
        for each in value:
            yield from _words_in(each)
    elif isinstance(value, str) and 0 < len(value) < 400 and "\0" not in value:
        yield value


PATIENCE = 180.0  # Seconds for an answer: the server imports the engines to check a test
OWN_NAMES = ".localhost"  # Names that are this machine, which not every system knows


@dataclass(frozen=True, slots=True)
class Server:
    scheme: str
    host: str  # With the port, unless it is the usual one
    token: str

    @property
    def origin(self) -> str:
        return f"{self.scheme}://{self.host}"


def _is_web_address(text: str) -> bool:
    try:
        parts = urlsplit(text)
        host, port = parts.hostname or "", parts.port
        host.encode("idna")
    except ValueError:  # and UnicodeError, for a name with an empty or a long part
        return False
    is_plain = text.isascii() and text.isprintable() and " " not in text
    return is_plain and parts.scheme in ("http", "https") and bool(host) and port != 0


def server_at(address: str, token: str | None) -> Server:
    """The server of a link that `arena serve` prints. Raises ConfigError for any other text.

    A token in the address is taken if none is given.
    """
    if not _is_web_address(address):
        raise ConfigError(Fault("--to", "must be the address that arena serve --queue printed"))
    parts = urlsplit(address)
    token = token or next(iter(parse_qs(parts.query).get("token", [])), "")
    if not token:
        raise ConfigError(Fault("--to", "has no token: give the link to submit, or --token"))
    if not token.isascii() or not token.isprintable():
        raise ConfigError(Fault("--to, --token", "no token has such characters"))
    return Server(parts.scheme, parts.netloc.rpartition("@")[2], token)


def submission_of(file: Path, priority: int) -> Submission:
    """Collect a test's file and all files that it names. Raises ConfigError as `arena run` does,
    and for what the server would refuse."""
    config = read_config(file)
    contents, programs = _files_of(file, config)
    root = Path(os.path.commonpath([file.parent.absolute(), *(each.parent for each in contents)]))

    def path_of(each: Path) -> str:
        return each.relative_to(root).as_posix()

    files = {path_of(each): content for each, content in contents.items()}
    place = path_of(file.absolute())
    files.pop(place, None)  # the test's own file travels as the config
    executables = frozenset(map(path_of, programs)) & {*files}
    submission = Submission(config.written, place, priority, files, executables)
    # Read it as the server will, so that what would be refused there is refused before it is sent.
    return read_submission(json.dumps(to_json(submission)).encode())


def send(server: Server, submission: Submission) -> dict[str, Any]:
    """Submit a test; its facts in the queue. ConfigError for a refusal, or without an answer."""
    return _answer_of(server, "POST", json.dumps(to_json(submission)).encode())


def tests_at(server: Server) -> list[dict[str, Any]]:
    """The facts of a queue's tests, in the order in which they came. ConfigError as for `send`."""
    tests = _answer_of(server, "GET").get("tests")
    if not isinstance(tests, list) or not all(isinstance(each, dict) for each in tests):
        raise ConfigError(Fault(server.origin, "does not answer as a queue"))
    return tests


def _answer_of(server: Server, method: str, body: bytes = b"") -> dict[str, Any]:
    """What the queue answers. ConfigError for a refusal, or without an answer."""
    headers = {
        "host": server.host,
        "origin": server.origin,
        "authorization": f"Basic {b64encode(f'any:{server.token}'.encode()).decode()}",
        "content-type": "application/json",
    }
    connection = _connection_to(server)
    try:
        connection.request(method, "/queue/tests", body, headers)
        answer = connection.getresponse()
        text = answer.read()
    except (OSError, HTTPException) as error:
        raise ConfigError(Fault(server.origin, f"does not answer: {error}")) from None
    finally:
        connection.close()
    return _answered(server, answer.status, text)


def _answered(server: Server, status: int, text: bytes) -> dict[str, Any]:
    """The facts in an answer; ConfigError with the words of a refusal."""
    try:
        data = json.loads(text)
    except ValueError:
        data = None
    if isinstance(data, dict):
        if status == 200:
            return data
        if isinstance(data.get("error"), str):
            raise ConfigError(data["error"])
    reasons = {401: "the token is wrong", 403: "the token is wrong", 404: "it has no queue"}
    reason = reasons.get(status, f"status {status}")
    raise ConfigError(Fault(server.origin, f"does not take it: {reason}"))


def _connection_to(server: Server) -> HTTPConnection:
    parts = urlsplit(server.origin)
    name = str(parts.hostname)
    host = "127.0.0.1" if name.endswith(OWN_NAMES) or name == "localhost" else name
    if server.scheme == "https":
        context = ssl.create_default_context()
        return HTTPSConnection(host, parts.port, timeout=PATIENCE, context=context)
    return HTTPConnection(host, parts.port, timeout=PATIENCE)


CHECK_PATIENCE = 120.0  # Seconds for the check of a file, whose engines are imported for it
CHECK_MEGABYTES = 4096
MOST_READY = 1000  # Tests that can wait at a time
PLIES = 40  # Moves of a game, for an estimate before any is played


@dataclass(frozen=True, slots=True)
class Checked:
    """The facts of a test without a fault."""

    name: str
    games: int | None  # Games at most; None where results decide that
    expected: int | None  # Games that are expected of a sequential test; None: all
    seconds: float | None
    """Seconds that a game may take by its limits; None where these do not tell."""


Check = Callable[[Path, str], Checked]
"""A function of the folder of a submission, and of the path of its YAML there."""
CHECKING = Lock()
"""One file at a time: a check takes a core, and files of one digest lie in one folder."""


def check_file(folder: Path, place: str) -> Checked:
    """Check a file as `arena run` does, and that all it needs was sent; ConfigError with faults."""
    config = read_config(folder / place)
    _check_within(folder, folder / place, config)
    schedule = Schedule(config)
    expected = expected_games(config.format.parameters) if schedule.is_test else None
    return Checked(config.name, schedule.total, expected, _seconds_of(config))


def _seconds_of(config: Config) -> float | None:
    """Seconds that a game may take by its limits of time; None if a player has none."""
    limits = [_seconds_by(player.limit_in(config.terms)) for player in config.players]
    known = [each for each in limits if each is not None]
    return 2 * sum(known) / len(known) if known and len(known) == len(limits) else None


def _seconds_by(limit: Limit) -> float | None:
    if limit.seconds is not None:
        return limit.seconds * PLIES / 2
    if limit.time_left is not None:
        return limit.time_left + (limit.increment or 0.0) * PLIES / 2
    return None


def check_apart(folder: Path, place: str) -> Checked:
    """Check a file in a process of its own, since that imports engines; ConfigError as there."""
    child = Child.executed(_reply, folder, place, os.getpid())
    try:
        faults, facts = child.receive(CHECK_PATIENCE)
    except TimeoutError:
        raise ConfigError(f"the check did not end within {CHECK_PATIENCE:g} s") from None
    except (EOFError, pickle.UnpicklingError):
        raise ConfigError("the check of it took its process down") from None
    finally:
        child.end(1.0)
    if faults:
        raise ConfigError(*(Fault(*each) for each in faults))
    return Checked(*facts)


def _reply(pipe: ValuePipe, folder: Path, place: str, parent: int) -> None:
    """Check a file and send the result or the faults: the process's whole life."""
    confine(parent, CHECK_MEGABYTES)
    mute()
    try:
        with refusals_told():
            found = check_file(folder, place)
        answer: tuple[list[Any], tuple[Any, ...]] = [], astuple(found)
    except ConfigError as error:
        answer = [tuple(map(str, each)) for each in error.faults], ()
    pipe.send(answer)


def take_in(queue: QueueFile, submission: Submission, check: Check = check_apart) -> QueuedTest:
    """Take in a submission. Raises ConfigError if it is faulty; nothing is kept then."""
    with CHECKING:
        if sum(each.is_ready for each in queue.entries()) >= MOST_READY:
            raise ConfigError(f"the queue is full: {MOST_READY} tests wait")
        with refusals_told():
            folder = submission.unpack(queue.folder / CODE)
        try:
            return kept(queue, submission, folder, check)
        except BaseException:
            if all(each.code != folder.name for each in queue.entries()):
                shutil.rmtree(folder, ignore_errors=True)
            raise


def kept(queue: QueueFile, submission: Submission, folder: Path, check: Check) -> QueuedTest:
    """The test of an unpacked submission, once the queue has it; ConfigError if it may not."""
    try:
        checked = check(folder, submission.place)
    except ConfigError as error:
        beginning = f"{folder}/"
        error.faults = [
            Fault(*(part.replace(beginning, "") for part in each)) for each in error.faults
        ]
        raise
    if checked.name == QUEUE or os.path.lexists(queue.results / checked.name):
        raise ConfigError(name_taken(checked.name))
    entry = QueuedTest(
        id=0,
        name=checked.name,
        priority=submission.priority,
        code=folder.name,
        place=submission.place,
        games=checked.games,
        expected=checked.expected,
        seconds=checked.seconds,
        came=time.time(),
    )
    return queue.add(entry)
