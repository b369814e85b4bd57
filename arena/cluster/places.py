"""The place that a user asked for: this machine's processes, or a cluster by its address."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

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
    from arena.cluster.address import address_of

    address_of(text)


def _check_dask() -> None:
    """ConfigError if the package is missing that a cluster needs."""
    try:
        import distributed  # noqa: F401
    except ImportError:
        message = f"needs dask.distributed: {install_command('cluster')}"
        raise ConfigError(Fault("--cluster", message)) from None
