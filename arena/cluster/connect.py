"""A cluster from its address to its first worker."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace

from arena.cluster.address import Address, address_of, unsafe_text
from arena.cluster.link import Link, Lost, Tell
from arena.cluster.overview import Overview
from arena.cluster.site import Cluster
from arena.cluster.trial import trial_cluster

PAUSE_WITHOUT_WORKERS = 0.5
SAID_AFTER = 2.0
"""Seconds without any worker after which that is said."""


@contextmanager
def connected(text: str, tell: Tell) -> Iterator[Cluster]:
    """The cluster at an address, once it has a worker."""
    with scheduler_at(address_of(text)) as address, closing(Link(address, tell)) as link:
        link.connect()
        if warning := unsafe_text(link.url):
            tell(warning)
        seen = Overview()
        await_workers(link, seen)
        yield Cluster(link, seen)


@contextmanager
def scheduler_at(address: Address) -> Iterator[Address]:
    """The address of a scheduler; for a trial, of one that is here while this lasts."""
    if not address.processes:
        yield address
        return
    with trial_cluster(address.processes) as url:
        yield replace(address, url=url)


def await_workers(link: Link, seen: Overview) -> None:
    """Wait for the first worker, and say so if it takes long."""
    began, is_said = time.monotonic(), False
    while True:
        try:
            seen.workers = link.workers()
        except Lost:
            link.reconnect()
            continue
        if seen.slots:
            return
        if not is_said and time.monotonic() - began > SAID_AFTER:
            link.tell(f"No workers yet at {link.address}; waiting for them.")
            is_said = True
        time.sleep(PAUSE_WITHOUT_WORKERS)
