"""Games that a notebook plays: it shows their progress, and its stop button keeps them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from threading import current_thread, main_thread
from typing import Any

from arena.processes.interrupt import stoppable
from arena.workers.runner import Stop, ignore, never

Watch = Callable[[Any], None]

ENDING = "Ending after the games in flight; interrupt again to end at once."
STOPPED = "Interrupted: the games are kept. To go on with those missing, run the cell again."


@contextmanager
def interactive(
    progress: bool | None, stop: Stop | None
) -> Iterator[tuple[Callable[[Watch | None], AbstractContextManager[Watch]], Stop]]:
    """What makes the watcher of games, and tells whether to end.

    Games are shown if `progress` is true, and if it is None, in a notebook, unless the caller has a
    watcher of its own. In a notebook, an interrupt of the kernel ends as `stop` does, and a second
    one at once.
    """
    stop, is_notebook = stop or never, _in_notebook()
    shown = partial(_shown, is_notebook if progress is None else progress)
    if not is_notebook or current_thread() is not main_thread():
        yield shown, stop
        return
    say = _printer()
    with stoppable(lambda: say(ENDING)) as is_pressed:
        yield shown, lambda: is_pressed() or stop()
    if is_pressed():
        say(STOPPED)


def _in_notebook() -> bool:
    ipython = sys.modules.get("IPython")
    return ipython is not None and ipython.get_ipython() is not None


@contextmanager
def _shown(is_shown: bool, own: Watch | None) -> Iterator[Watch]:
    """The caller's own watcher; or one that shows games on the screen, or nothing."""
    if own or not is_shown:
        yield own or ignore
        return
    from rich.console import Console

    from arena.report.live import watching

    with watching(Console(), _printer()) as watch:
        yield watch


def _printer() -> Callable[[str], None]:
    from rich.console import Console

    return partial(Console(soft_wrap=True).print, markup=False, highlight=False)
