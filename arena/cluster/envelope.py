"""Plugins and calls on their way to workers, of which some may be without arena.

A worker of dask's ends as soon as a message comes that it cannot import. So a plugin goes by value
in a class that needs nothing but dask, and calls as bytes: to read them can fail, and is reported.
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
    """Holds a plugin as bytes, and at a worker that can read them, the plugin."""

    def __init__(self, plugin: WorkerPlugin) -> None:
        self._content = pickle.dumps(plugin)
        self._plugin: Any = None
        self._error: Exception | None = None

    def setup(self, worker: Worker) -> None:
        """Unpack the plugin. If that fails, the worker tells the error when it is inspected."""
        try:
            self._plugin = pickle.loads(self._content)
        except Exception as error:
            self._error = error
            return
        self._plugin.setup(worker)

    def teardown(self, worker: Worker) -> None:
        if self._plugin is not None:
            self._plugin.teardown(worker)

    def content(self) -> Any:
        """The plugin; raises the error with which it could not be read."""
        if self._error:
            raise self._error
        return self._plugin


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
    return isinstance(error, ModuleNotFoundError) and str(error.name).split(".")[0] == "arena"
