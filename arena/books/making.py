"""A book made: numbers are drawn from in turn, in parallel, until there are openings enough."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from arena.books.balancing import BookLine, OpeningMaker, Refusal
from arena.books.book_config import BookConfig
from arena.books.book_file import BookFile, opened_book
from arena.cluster.places import Say, cluster_at
from arena.config.settings import Player
from arena.errors import ConfigError, Fault
from arena.match.terms import WORKER_MEMORY
from arena.plugins.engine_names import is_foreign
from arena.processes.in_order import in_order
from arena.processes.question import Question, answer_of
from arena.workers.pool import local

Results = Callable[[int], Generator[tuple[int, BookLine | Refusal]]]

HANG = 300.0
"""Seconds that a user's engine may take to be built and to search once."""
MOST_IN_VAIN = 5000
"""Draws, one after the other, without a new opening, after which no more are made."""


@dataclass
class BookProgress:
    """The openings that a book has, and what became of the draws since it was opened."""

    openings: int
    wanted: int
    made: int = 0
    """Openings that are new since then."""
    draws: int = 0
    in_vain: int = 0
    """Draws since the last new opening."""
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
    cluster: str | None = None,
    fresh: bool = False,
    watch: Callable[[BookProgress], object] = lambda progress: None,
    say: Say | None = None,
    stop: Callable[[], bool] = lambda: False,
) -> BookProgress:
    """Make openings into a file, or go on with one, alike by any number of workers.

    `workers` processes make them, by default one for each core, or those of a `cluster`, the
    address of a dask scheduler; `say` is told what happens to these. `watch` sees the progress
    after each draw; once `stop` says so, nothing more is drawn. Raises ConfigError for an engine
    that cannot be built or gives no scores, for a file that holds something else, and if draw
    after draw gives nothing new.
    """
    maker = OpeningMaker(config)
    with opened_book(path, config, maker.game, fresh) as book:
        progress = BookProgress(len(book.lines), config.count)
        if len(book.lines) >= config.count:
            return progress
        with (
            place_of(maker, workers, cluster, say) as results_from,
            closing(results_from(book.next_draw)) as results,
        ):
            for _, found in results:
                progress.count(found, book)
                watch(progress)
                if progress.is_over or stop():
                    break
                if progress.in_vain >= MOST_IN_VAIN:
                    raise ConfigError(Fault(str(path), _in_vain_text(progress)))
    return progress


@contextmanager
def place_of(
    maker: OpeningMaker, workers: int | None, cluster: str | None, say: Say | None
) -> Iterator[Results]:
    """A function of the first number to draw: it yields every number from there on, in order, each
    with the opening that this machine's processes, or those of a cluster, find for it.

    Raises ConfigError if the engine is of no use, and if no cluster answers.
    """
    if cluster:
        with cluster_at(cluster, workers, say) as site:
            yield partial(site.in_order, MakingElsewhere(maker.config))
        return
    workers = local(workers).workers
    _check_maker(maker, workers)
    with closing(maker):
        yield partial(in_order, maker, workers=workers, megabytes=WORKER_MEMORY)


@dataclass(frozen=True, slots=True)
class MakingElsewhere:
    """The making of openings as it travels to the machines of a cluster."""

    config: BookConfig

    @property
    def players(self) -> Mapping[str, Player]:
        """The engine, by the name that its entry has."""
        return {self.config.player.name: self.config.player}

    @property
    def preparation(self) -> float:
        """Seconds for the engine to be ready."""
        return HANG

    def adapted(self, change: Callable[[Player], Player]) -> MakingElsewhere:
        """The making by an engine whose files lie elsewhere."""
        return MakingElsewhere(replace(self.config, player=change(self.config.player)))

    def ready(self) -> OpeningMaker:
        """The maker, for processes to be forked. Raises ConfigError as `_check_maker` does."""
        maker = OpeningMaker(self.config)
        _check_maker(maker, 1)
        return maker


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
    """The reason why no more openings are made."""
    few = f"only {progress.openings} openings were found, not {progress.wanted}"
    return f"{few}: the last {progress.in_vain} draws gave nothing new ({refused_text(progress)})"


def refused_text(progress: BookProgress) -> str:
    """The refusals by their kinds, the most frequent first."""
    return ", ".join(f"{count} {kind}" for kind, count in progress.refused.most_common())
