"""A cluster of processes of this machine, in a process that ends when its input does."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from arena.errors import ConfigError, Fault
from arena.processes.pipe_values import read_frame, write_frame
from arena.processes.program_beside import private_replies, program_beside

ALLOWED_DEATHS = 1000
"""Deaths of workers for which the scheduler does not give a game up: we count them ourselves."""


@contextmanager
def trial_cluster(processes: int) -> Iterator[str]:
    """The address of a scheduler with so many workers, while this lasts.

    They are of a program of their own: dask starts its processes anew from the main module, which
    may be a user's script or a notebook.
    """
    with program_beside("arena.cluster.local_cluster", str(processes)) as (_, replies):
        try:
            address = read_frame(replies)
        except EOFError:
            raise ConfigError(Fault("--cluster", "dask cannot start its processes here")) from None
        yield address


def serve(processes: int) -> None:
    """Keep a cluster until the input ends: the program's whole life."""
    import dask
    from distributed import LocalCluster

    replies = private_replies()
    dask.config.set({"distributed.scheduler.allowed-failures": ALLOWED_DEATHS})
    with LocalCluster(
        n_workers=processes,
        threads_per_worker=1,
        processes=True,
        host="127.0.0.1",
        dashboard_address="127.0.0.1:0",
        memory_limit=0,
    ) as cluster:
        write_frame(replies, cluster.scheduler_address)
        os.read(0, 1)


if __name__ == "__main__":
    serve(int(sys.argv[1]))
