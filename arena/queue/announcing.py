"""The owner's command and web hook, which are told when a test has ended."""

from __future__ import annotations

import json
import logging
import subprocess
import urllib.request
from dataclasses import dataclass
from http.client import HTTPException
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from arena.errors import ConfigError, Fault
from arena.queue.order import QueuedTest

logger = logging.getLogger(__name__)

PATIENCE = 30.0
"""Seconds for a command or a web server to take it."""


@dataclass(frozen=True, slots=True)
class Listeners:
    """The command and the web hook that are told of the end of a test."""

    command: str = ""
    """For the shell; it is given the facts as JSON, as its input."""
    web_hook: str = ""
    """The address to which the facts are sent as JSON."""


def checked_listeners(command: str, web_hook: str) -> Listeners:
    """The listeners; ConfigError for a web hook that is none of http."""
    if web_hook and not is_web_address(web_hook):
        raise ConfigError(Fault("--web-hook", "must be an address of http or https"))
    return Listeners(command, web_hook)


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


def facts_of(entry: QueuedTest) -> dict[str, Any]:
    """The facts of a test, for programs that may be anywhere."""
    return {
        "id": entry.id,
        "name": entry.name,
        "state": str(entry.state),
        "games": entry.played,
        "core_seconds": round(entry.spent, 1),
        "verdict": entry.told,
    }


def announce(listeners: Listeners, entry: QueuedTest, results: Path) -> None:
    """Tell all listeners; those that fail, or take too long, are in the log."""
    facts = facts_of(entry) | {"folder": str((results / entry.name).absolute())}
    text = f"{json.dumps(facts)}\n".encode()
    if listeners.command:
        try:
            subprocess.run(listeners.command, shell=True, input=text, timeout=PATIENCE, check=True)
        except (OSError, subprocess.SubprocessError) as error:
            logger.warning("the command that is told of ends: %s", error)
    if listeners.web_hook:
        try:
            post(listeners.web_hook, text)
        except (OSError, ValueError, HTTPException) as error:
            logger.warning("the web hook: %s", error)


def post(address: str, text: bytes) -> None:
    """Send JSON to an address; OSError, ValueError or HTTPException if it is not taken."""
    request = urllib.request.Request(address, text, {"content-type": "application/json"})
    with urllib.request.urlopen(request, timeout=PATIENCE):
        pass
