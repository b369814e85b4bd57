"""Players and calls on their way to workers, of which some may be without arena.

A worker of dask's ends as soon as a message comes that it cannot import. So players go by value in
a class that needs nothing but dask, and calls as bytes: to read them can fail, and is told.
"""

from __future__ import annotations

import pickle
import sys
from collections.abc import Callable
from typing import Any

import cloudpickle
from distributed import Client, Future, Worker, WorkerPlugin

cloudpickle.register_pickle_by_value(sys.modules[__name__])


class Envelope(WorkerPlugin):
    """Holds players as bytes, and at a worker that can read them, the players."""

    def __init__(self, players: WorkerPlugin) -> None:
        self._content = pickle.dumps(players)
        self._players: Any = None
        self._error: Exception | None = None

    def setup(self, worker: Worker) -> None:
        """Take the players out; a worker that cannot says why as it is asked about itself."""
        try:
            self._players = pickle.loads(self._content)
        except Exception as error:
            self._error = error
            return
        self._players.setup(worker)

    def teardown(self, worker: Worker) -> None:
        """End what the players have started."""
        if self._players is not None:
            self._players.teardown(worker)

    def content(self) -> Any:
        """The players; raises the error with which they could not be read."""
        if self._error:
            raise self._error
        return self._players


class Call:
    """A call of a function, which is made where its bytes are read."""

    def __init__(self, function: Callable[..., object], *arguments: object) -> None:
        self._call = function, arguments

    def __reduce__(self) -> tuple[Callable[..., object], tuple[object, ...]]:
        return self._call


def submitted(client: Client, call: Call, **options: Any) -> Future:
    """The call as a task of dask's, which has its own result each time."""
    return client.submit(pickle.loads, pickle.dumps(call), pure=False, **options)


def lacks_arena(error: object) -> bool:
    """True for the error of a worker that has no arena."""
    return isinstance(error, ModuleNotFoundError) and str(error.name).split(".")[0] == "arena"
