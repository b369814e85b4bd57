"""A cluster of processes of this machine, in a process that ends with its parent."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from arena.cluster.address import OPTION, ClusterError
from arena.errors import Fault
from arena.processes.child import Child, ValuePipe

ALLOWED_DEATHS = 1000
"""Deaths of workers for which the scheduler does not give a game up: we count them ourselves."""
CLOSE_TIMEOUT = 30.0
"""Seconds for dask to end its processes."""


@contextmanager
def local_cluster(processes: int) -> Iterator[str]:
    """The address of a scheduler with `processes` workers, while this lasts.

    They belong to a process of their own: dask starts its processes anew from the main module,
    which may be a user's script or a notebook.
    """
    child = Child.executed(_serve_cluster, processes)
    try:
        yield _address_from(child)
    finally:
        child.end(CLOSE_TIMEOUT)


def _address_from(child: Child) -> str:
    """The address that the process sends; ClusterError if it ends before."""
    try:
        address: str = child.receive()
    except EOFError:
        raise ClusterError(Fault(OPTION, "dask cannot start its processes here")) from None
    return address


def _serve_cluster(pipe: ValuePipe, processes: int) -> None:
    """Keep a cluster until the pipe closes: the process's whole life."""
    import dask
    from distributed import LocalCluster

    dask.config.set({"distributed.scheduler.allowed-failures": ALLOWED_DEATHS})
    with LocalCluster(
        n_workers=processes,
        threads_per_worker=1,
        processes=True,
        host="127.0.0.1",
        dashboard_address="127.0.0.1:0",
        memory_limit=0,
        silence_logs=logging.ERROR,  # draws that are not wanted any more are no news to users
    ) as cluster:
        pipe.send(cluster.scheduler_address)
        with suppress(EOFError):
            pipe.receive()
