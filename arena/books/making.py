"""A book made: numbers are drawn from in turn, in parallel, until there are openings enough."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from arena.books.balancing import BookLine, OpeningMaker, Refusal
from arena.books.book_config import BookConfig
from arena.books.book_file import BookFile, opened_book
from arena.errors import ConfigError, Fault
from arena.match.terms import WORKER_MEMORY
from arena.plugins.engine_names import is_foreign
from arena.processes.child import Question, answer_of
from arena.processes.in_order import in_order
from arena.workers.pool import local

HANG = 300.0
"""Seconds that a user's engine may take to be built and to search once."""
MOST_IN_VAIN = 5000
"""Draws, one after the other, without a new opening, after which no more are made."""


@dataclass
class BookProgress:
    """The openings that a book has, and what became of the draws since it was opened."""

    openings: int
    wanted: int
    made: int = 0  # Openings that are new since then
    draws: int = 0
    in_vain: int = 0  # Draws since the last new opening
    refused: Counter[Refusal] = field(default_factory=Counter)

    @property
    def is_over(self) -> bool:
        """True once there are as many openings as are wanted."""
        return self.openings >= self.wanted

    def count(self, found: BookLine | Refusal, book: BookFile) -> None:
        """Add the result of a draw to the book, or to the refusals."""
        self.draws += 1
        if isinstance(found, str) or not book.add(found):
            self.in_vain += 1
            self.refused[found if isinstance(found, str) else "double"] += 1
        else:
            self.in_vain, self.openings = 0, len(book.lines)
            self.made += 1


def make_book(
    config: BookConfig,
    path: Path,
    *,
    workers: int | None = None,
    fresh: bool = False,
    watch: Callable[[BookProgress], object] = lambda progress: None,
    stop: Callable[[], bool] = lambda: False,
) -> BookProgress:
    """Make openings into a file, or go on with one, alike by any number of workers.

    `workers` processes make them, by default one for each core. `watch` sees the progress after
    each draw; once `stop` says so, nothing more is drawn. Raises ConfigError for an engine that
    cannot be built or gives no scores, for a file that holds something else, and if draw after
    draw gives nothing new.
    """
    maker = OpeningMaker(config)
    with opened_book(path, config, maker.game, fresh) as book:
        progress = BookProgress(len(book.lines), config.count)
        if len(book.lines) >= config.count:
            return progress
        workers = local(workers).workers
        _check_maker(maker, workers)
        with (
            closing(maker),
            closing(in_order(maker, book.next_draw, workers, WORKER_MEMORY)) as results,
        ):
            for _, found in results:
                progress.count(found, book)
                watch(progress)
                if progress.is_over or stop():
                    break
                if progress.in_vain >= MOST_IN_VAIN:
                    raise ConfigError(Fault(str(path), _in_vain_text(progress)))
    return progress


def _check_maker(maker: OpeningMaker, workers: int) -> None:
    """Let the engine search once; a user's own in another process, if there are any to be.

    Raises ConfigError as `OpeningMaker.check` does.
    """
    name = maker.config.player.engine.name
    if workers and is_foreign(name):
        patience = HANG, WORKER_MEMORY
        answer_of(Question(maker.check, f"engine {name}", "tried", *patience))
    else:
        maker.check()


def _in_vain_text(progress: BookProgress) -> str:
    few = f"only {progress.openings} openings were found, not {progress.wanted}"
    return f"{few}: the last {progress.in_vain} draws gave nothing new ({refused_text(progress)})"


def refused_text(progress: BookProgress) -> str:
    """The refusals by their kinds, the most frequent first."""
    return ", ".join(f"{count} {kind}" for kind, count in progress.refused.most_common())
