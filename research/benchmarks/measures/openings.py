"""The making of openings by the files that come along: CPU time of each, made and checked."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from arena.bench import Measurement, seconds_of
from arena.books import BookConfig, BookProgress, OpeningMaker, opened_book, read_book
from arena.config.shipped import CONFIGS
from arena.match.opening import check_openings
from arena.plugins.build import forced_win_search
from arena.records.opening_file import opening_file

DRAWS = 20


def rows(repeat: int) -> Iterator[Measurement]:
    """A row for each file that makes openings, after `DRAWS` times `repeat` draws."""
    for file in sorted(CONFIGS.glob("book_*.yaml")):
        yield {"name": f"openings/{file.stem}", **made(read_book(file), DRAWS * repeat)}


def made(config: BookConfig, draws: int) -> Measurement:
    """The openings that some draws give, and the CPU seconds of each, made and checked."""
    maker = OpeningMaker(config)
    maker.check()
    with TemporaryDirectory() as folder:
        path = Path(folder) / "book.txt"
        progress = BookProgress(0, config.count)
        seconds = seconds_of(partial(_make_some, maker, path, draws, progress))
        search = forced_win_search(maker.game)
        seconds += seconds_of(lambda: check_openings(maker.game, opening_file(path), search))
    return {
        "draws": draws,
        "openings": progress.openings,
        "seconds": seconds,
        "made_an_hour": 3600 * progress.openings / seconds,
    }


def _make_some(maker: OpeningMaker, path: Path, draws: int, progress: BookProgress) -> None:
    """Make a file of the results of some draws."""
    with opened_book(path, maker.config, maker.game, fresh=True) as book:
        for number in range(draws):
            progress.count(maker(number), book)
    maker.close()
