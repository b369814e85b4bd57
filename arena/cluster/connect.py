"""A cluster from its address to its scheduler."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace

from arena.cluster.address import Address, address_of, unsafe_text
from arena.cluster.link import Link, Tell
from arena.cluster.local_cluster import local_cluster
from arena.cluster.overview import Overview
from arena.cluster.site import Cluster
from arena.cluster.worker_monitor import Timeouts, WorkerMonitor


@contextmanager
def connected(text: str, tell: Tell) -> Iterator[Cluster]:
    """The cluster at an address, whose scheduler has answered."""
    wanted = address_of(text)
    if not wanted.processes:
        tell(f"Looking for a scheduler at {wanted} ...")
    with (
        quiet(),
        scheduler_at(wanted) as address,
        closing(Link(address, tell)) as link,
    ):
        link.connect()
        if warning := unsafe_text(link.url):
            tell(warning)
        with closing(WorkerMonitor(link, Overview(), Timeouts.configured())) as monitor:
            yield Cluster(monitor)


@contextmanager
def quiet() -> Iterator[None]:
    """Let dask not print tracebacks of lost connections, of which we speak ourselves."""
    import distributed  # noqa: F401  # it sets its loggers up

    names = [each for each in logging.root.manager.loggerDict if each.startswith("distributed")]
    handlers = {name: logging.getLogger(name).handlers for name in names}
    for name in names:
        logging.getLogger(name).handlers = [logging.NullHandler()] if handlers[name] else []
    try:
        yield
    finally:
        for name in names:
            logging.getLogger(name).handlers = handlers[name]


@contextmanager
def scheduler_at(address: Address) -> Iterator[Address]:
    """The address of a scheduler; for a trial, of one that is here while this lasts."""
    if not address.processes:
        yield address
        return
    with local_cluster(address.processes) as url:
        yield replace(address, url=url)
