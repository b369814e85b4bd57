"""The place that a user asked for: this machine's processes, or a cluster by its address."""

from __future__ import annotations

import ipaddress
import json
import logging
import re
import socket
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psutil

from arena.config.settings import Player
from arena.errors import ConfigError, Fault, install_command
from arena.plugins.user_engines import GIVEN
from arena.workers.pool import Site, local

logger = logging.getLogger(__name__)

Say = Callable[[str], object]


@contextmanager
def site_of(
    workers: int | None,
    cluster: str | None = None,
    say: Say | None = None,
    players: Iterable[Player] = (),
) -> Iterator[Site]:
    """This machine's processes (None: one for each core), or a cluster's machines.

    A single one is this process if an engine of the `players` is an object that it has.

    `say` is called with words on what happens to a cluster. Raises ConfigError if none answers,
    and for a number of workers beside it, which nothing is done with.
    """
    if workers is not None and workers < 0:
        raise ConfigError(Fault("--workers", f"must be 0 or more, not {workers}"))
    if cluster is None:
        is_here = workers in (None, 1) and any(each.engine.name in GIVEN for each in players)
        yield local(0 if is_here else workers)
        return
    refuse_processes(workers, "--workers")
    _check_dask()
    from arena.cluster.connect import connected

    def tell(words: str) -> None:
        logger.info("%s", words)
        if say:
            say(words)

    with connected(cluster, tell) as site:
        yield site


def refuse_processes(number: int | None, option: str) -> None:
    """Raises ConfigError if a number of this machine's processes is given beside a cluster."""
    if number is not None:
        message = f"it is the cluster's own workers that play; give either {option} or --cluster"
        raise ConfigError(Fault("--cluster", message))


def check_cluster(text: str) -> None:
    """ConfigError unless this is the address of a cluster, and what it needs is installed."""
    _check_dask()
    address_of(text)


def _check_dask() -> None:
    """ConfigError if the package is missing that a cluster needs."""
    try:
        import distributed  # noqa: F401
    except ImportError:
        message = f"needs dask.distributed: {install_command('cluster')}"
        raise ConfigError(Fault("--cluster", message)) from None


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
