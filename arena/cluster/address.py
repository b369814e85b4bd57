"""The address of a cluster, as users type it: a scheduler's, its file's, or a trial here."""

from __future__ import annotations

import ipaddress
import json
import re
import socket
from dataclasses import dataclass
from pathlib import Path

import psutil

from arena.errors import ConfigError, Fault

OPTION = "--cluster"  # Place of faults of an address

LOCAL = re.compile(r"local:([1-9][0-9]{0,3})")

SCHEDULER_URL = re.compile(
    r"(?:(?P<protocol>tcp|tls)://)?(?P<host>\[[^]\s]+\]|[^:/\s]+):(?P<port>[0-9]{1,5})"
)


class ClusterError(ConfigError):
    """Raised if a cluster is not there, or not as it must be, for work of any kind."""


@dataclass(frozen=True, slots=True)
class Address:
    """A scheduler's address, or the file that has it, or a number of processes to start here."""

    url: str = ""
    file: str = ""
    processes: int = 0

    def __str__(self) -> str:
        return self.url or self.file or f"local:{self.processes}"


def address_of(text: str) -> Address:
    """The address of a text; ConfigError for none, ClusterError without a scheduler's file."""
    if trial := LOCAL.fullmatch(text):
        return Address(processes=int(trial[1]))
    parts = SCHEDULER_URL.fullmatch(text)
    if parts and parts["host"] != "local":
        return Address(url=f"{parts['protocol'] or 'tcp'}://{parts['host']}:{parts['port']}")
    if "://" in text or text.startswith("local:"):
        raise ConfigError(Fault(OPTION, f"{text!r} is no address: {WANTED_ADDRESS}"))
    if not Path(text).is_file():
        raise ClusterError(Fault(OPTION, f"there is no scheduler file {text}; {WANTED_ADDRESS}"))
    if not _is_scheduler_file(Path(text)):
        message = f"{text} is no scheduler file: it has no scheduler's address; {WANTED_ADDRESS}"
        raise ClusterError(Fault(OPTION, message))
    return Address(file=text)


def _is_scheduler_file(file: Path) -> bool:
    try:
        content = json.loads(file.read_bytes())
    except (OSError, ValueError, RecursionError):
        return False
    return isinstance(content, dict) and isinstance(content.get("address"), str)


WANTED_ADDRESS = (
    "give tcp://HOST:PORT or tls://HOST:PORT of a dask scheduler, the path of its scheduler file, "
    "or local:4 for a trial with four processes here"
)


def unsafe_text(url: str) -> str | None:
    parts = SCHEDULER_URL.fullmatch(url)
    if not parts or parts["protocol"] == "tls" or _is_here(parts["host"].strip("[]")):
        return None
    return (
        f"The connection to {url} is not encrypted: whoever can reach that port can run code on "
        "every machine of the cluster, and whoever listens can read along; docs/cluster.md says "
        "how to use TLS."
    )


def _is_here(host: str) -> bool:
    try:
        numbers = {each[4][0] for each in socket.getaddrinfo(host, None)}
    except OSError:
        return False
    own = {each.address for many in psutil.net_if_addrs().values() for each in many}
    return all(number in own or ipaddress.ip_address(number).is_loopback for number in numbers)
