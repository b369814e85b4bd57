"""Connections of browsers: one that keeps the server waiting ends, and gives way to others before.

A browser connects without a token. Without these limits, silent connections would lock out others.
"""

from __future__ import annotations

import asyncio
from enum import Enum
from typing import TYPE_CHECKING, Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

if TYPE_CHECKING:
    pass

MOST_CONNECTIONS = 256


class Awaited(Enum):
    """The part of a request that the server waits for; its value is the most seconds for it."""

    REQUEST = 10.0  # The end of a request, with its body; of a new connection also its beginning
    TAKING = 60.0  # The taking of an answer by the browser
    NEXT = 30.0  # The beginning of a further request


class Connection(H11Protocol):
    """A connection of uvicorn's, with a limit on each time that it waits for the browser."""

    wait: Awaited | None = None  # None while the application works
    since = 0.0
    cycle: Any
    scope: Any
    _limit: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        _make_room(self.connections)
        super().connection_made(transport)
        self._look()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._look()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._look()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._look()

    def resume_writing(self) -> None:
        super().resume_writing()
        self._look()

    def timeout_keep_alive_handler(self) -> None:
        """Leave it to the limits here, which also end a connection with an answer not taken."""

    def connection_lost(self, exc: Exception | None) -> None:
        self._begin(None)
        super().connection_lost(exc)

    @property
    def is_let_in(self) -> bool:
        return self.scope is not None and "role" in self.scope["state"]

    def _look(self) -> None:
        """Begin to wait for something else, if that is what is waited for now."""
        if self.transport.is_closing() or self.flow.write_paused:
            wait: Awaited | None = Awaited.TAKING
        elif self.conn.their_state not in (h11.IDLE, h11.SEND_BODY):
            wait = None
        elif self.cycle and self.conn.their_state is h11.IDLE and not self.conn.trailing_data[0]:
            wait = Awaited.NEXT
        else:
            wait = Awaited.REQUEST
        if wait is not self.wait:
            self._begin(wait)

    def _begin(self, wait: Awaited | None) -> None:
        if self._limit:
            self._limit.cancel()
        self.wait, self.since = wait, self.loop.time()
        self._limit = self.loop.call_later(wait.value, self.transport.abort) if wait else None


def _make_room(connections: set[Any]) -> None:
    """If there are too many connections, end the one that has waited longest.

    Browsers that were let in are ended last; connections at work are never ended.
    """
    waiting = [each for each in connections if each.wait]
    if len(connections) >= MOST_CONNECTIONS and waiting:
        longest = min(waiting, key=lambda each: (each.is_let_in, each.since))
        connections.discard(longest)
        longest.transport.abort()
