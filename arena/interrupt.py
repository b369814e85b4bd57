"""Ctrl-C while a tournament runs: once, to end after the games in flight; twice, at once."""

from __future__ import annotations

import signal
from collections.abc import Callable
from types import FrameType, TracebackType


class Interrupt:
    """Holds whether Ctrl-C was pressed, while this lasts."""

    def __init__(self, tell: Callable[[], object]) -> None:
        """`tell` is called at the first press."""
        self._tell = tell
        self._before: signal.Handlers | Callable[..., object] | int | None = None
        self.pressed = False

    def __enter__(self) -> Interrupt:
        self._before = signal.signal(signal.SIGINT, self._press)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        signal.signal(signal.SIGINT, self._before)

    def _press(self, number: int, frame: FrameType | None) -> None:
        if self.pressed:
            raise KeyboardInterrupt
        self.pressed = True
        self._tell()
