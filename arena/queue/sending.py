"""A test with the files that it names, and its way to the server of a queue."""

from __future__ import annotations

import json
import os
import ssl
from base64 import b64encode
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from arena.config.tournament import read_config
from arena.errors import ConfigError, Fault
from arena.queue.files import files_of
from arena.queue.submission import Submission, read_submission, to_json

PATIENCE = 180.0
"""Seconds for an answer: the server imports the engines to check a test."""
OWN_NAMES = ".localhost"
"""Names that are this machine, which not every system knows."""


@dataclass(frozen=True, slots=True)
class Server:
    """The server of a queue, and the token that lets tests in."""

    scheme: str
    host: str  # With the port, unless it is the usual one
    token: str

    @property
    def origin(self) -> str:
        """Its address without a path."""
        return f"{self.scheme}://{self.host}"


def is_web_address(text: str) -> bool:
    """True for an address of http or https that can be asked for."""
    try:
        found = urlsplit(text)
        host, port = found.hostname or "", found.port
        host.encode("idna")
    except ValueError:  # and UnicodeError, for a name with an empty or a long part
        return False
    is_plain = text.isascii() and text.isprintable() and " " not in text
    return is_plain and found.scheme in ("http", "https") and bool(host) and port != 0


def server_at(address: str, token: str | None) -> Server:
    """The server of a link that `arena serve` prints. Raises ConfigError for any other text.

    A token in the address is taken if none is given.
    """
    if not is_web_address(address):
        raise ConfigError(Fault("--to", "must be the address that arena serve --queue printed"))
    found = urlsplit(address)
    given = token or next(iter(parse_qs(found.query).get("token", [])), "")
    if not given:
        raise ConfigError(Fault("--to", "has no token: give the link to submit, or --token"))
    if not given.isascii() or not given.isprintable():
        raise ConfigError(Fault("--to, --token", "no token has such characters"))
    return Server(found.scheme, found.netloc.rpartition("@")[2], given)


def submission_of(file: Path, priority: int) -> Submission:
    """A test's file with all files that it names; ConfigError for faults, as of `arena run`."""
    config = read_config(file)
    files, programs = files_of(file, config)
    root = Path(os.path.commonpath([file.parent.absolute(), *(each.parent for each in files)]))
    named = {each.relative_to(root).as_posix(): content for each, content in files.items()}
    place = file.absolute().relative_to(root).as_posix()
    named.pop(place, None)
    marks = frozenset(each.relative_to(root).as_posix() for each in programs)
    own = Submission(config.written, place, priority, named, marks & {*named})
    return read_submission(json.dumps(to_json(own)).encode())


def send(server: Server, submission: Submission) -> dict[str, Any]:
    """Submit a test; its facts in the queue. ConfigError for a refusal, or without an answer."""
    return _answer_of(server, "POST", json.dumps(to_json(submission)).encode())


def tests_at(server: Server) -> list[dict[str, Any]]:
    """The facts of a queue's tests, in the order in which they came. ConfigError as for `send`."""
    found = _answer_of(server, "GET").get("tests")
    if not isinstance(found, list) or not all(isinstance(each, dict) for each in found):
        raise ConfigError(Fault(server.origin, "does not answer as a queue"))
    return found


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
    return answered(server, answer.status, text)


def answered(server: Server, status: int, text: bytes) -> dict[str, Any]:
    """The facts in an answer; ConfigError with the words of a refusal."""
    try:
        found = json.loads(text)
    except ValueError:
        found = None
    if isinstance(found, dict):
        if status == 200:
            return found
        if isinstance(found.get("error"), str):
            raise ConfigError(found["error"])
    reasons = {401: "the token is wrong", 403: "the token is wrong", 404: "it has no queue"}
    reason = reasons.get(status, f"status {status}")
    raise ConfigError(Fault(server.origin, f"does not take it: {reason}"))


def _connection_to(server: Server) -> HTTPConnection:
    found = urlsplit(server.origin)
    name = str(found.hostname)
    host = "127.0.0.1" if name.endswith(OWN_NAMES) or name == "localhost" else name
    if server.scheme == "https":
        context = ssl.create_default_context()
        return HTTPSConnection(host, found.port, timeout=PATIENCE, context=context)
    return HTTPConnection(host, found.port, timeout=PATIENCE)
