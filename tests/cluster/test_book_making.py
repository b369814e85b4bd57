"""Openings made on a cluster of real processes: the file that one process at home makes."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
from books.test_books import HASH, SLOW, book, lines_of, made
from support.processes import running
from support.samples import Write

from arena.books.book_config import BookConfig
from arena.books.making import BookProgress, make_book
from arena.errors import ConfigError

pytest.importorskip("distributed")
from cluster.supervised import Supervisor, await_none

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="looks at /proc"),
    # All share one cluster.
    pytest.mark.xdist_group("books_on_cluster"),
]
NAME = "ARENA_MACHINE"
COUNT = 10
TRAVELLED = f"""
import os
from lowest import LOWEST
if os.environ.get("{NAME}") and "arena-engines" not in __file__:
    raise ValueError("is built where it lies")
{HASH.replace("- 600", "- LOWEST")}
"""
"""An engine that imports a number from a file beside it, and plays on machines from its copy."""


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Supervisor]:
    """A scheduler and two machines; no process of theirs is left in the end."""
    own = {0: {NAME: "one"}, 1: {NAME: "two"}}
    with Supervisor(tmp_path_factory.mktemp("cluster"), 2, own=own) as supervisor:
        yield supervisor
        assert await_none(supervisor.mark, 45) == []


def few_of(write: Write, source: str = HASH) -> BookConfig:
    """A config whose engine is this source, and of a few openings."""
    return replace(book(write, source), count=COUNT)


def made_away(config: BookConfig, path: Path, cluster: Supervisor) -> str:
    make_book(config, path, cluster=cluster.address)
    return path.read_text(encoding="utf-8")


def test_the_file_is_the_same_as_at_home_and_the_engine_travels(
    write: Write, tmp_path: Path, cluster: Supervisor
) -> None:
    write("LOWEST = 600\n", "lowest.py")
    config = few_of(write, TRAVELLED)
    home = made(config, tmp_path / "home.txt", workers=1)
    assert len(lines_of(home)) == COUNT
    few = made_away(replace(config, count=3), tmp_path / "away.txt", cluster)
    assert home.startswith(few)
    assert len(lines_of(few)) == 3
    assert made_away(config, tmp_path / "away.txt", cluster) == home


def test_the_file_is_the_same_though_workers_are_killed(
    write: Write, tmp_path: Path, cluster: Supervisor
) -> None:
    config, output, killed = few_of(write, SLOW), tmp_path / "away.txt", list[int]()

    def kill_worker(progress: BookProgress) -> None:
        if progress.openings // 3 > len(killed) and (workers := cluster.workers()):
            killed.append(workers[len(killed) % len(workers)])
            with suppress(ProcessLookupError):
                os.kill(killed[-1], signal.SIGKILL)

    make_book(config, output, cluster=cluster.address, watch=kill_worker)
    assert len(killed) > 1
    assert output.read_text() == made(few_of(write), tmp_path / "whole.txt")


def test_it_goes_on_after_the_command_was_killed(
    write: Write, tmp_path: Path, cluster: Supervisor
) -> None:
    config, output = few_of(write, SLOW), tmp_path / "killed.txt"
    words = [sys.executable, "-m", "arena", "openings", "make", "book.yaml"]
    words += ["--output", output.name, "--cluster", cluster.address]
    with running(words, cwd=tmp_path) as process:
        while process.poll() is None:
            if output.exists() and len(lines_of(output.read_text())) > 2:
                process.kill()
            time.sleep(0.01)
    assert 2 < len(lines_of(output.read_text())) < COUNT
    assert made_away(config, output, cluster) == made(few_of(write), tmp_path / "whole.txt")


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("score, depth=3", "None, depth=3", r"(?s)machine .* maker\n.*, maker: .*gives no score"),
        ("return Choice", "return 1 // (p.ply < 4) and Choice", "fails after .*ZeroDivisionError"),
        ("from zlib", "p.ply > 2 and os._exit(3)\n        from zlib", "3 processes have ended at"),
    ],
)
def test_an_engine_of_no_use_is_a_config_error_as_at_home(
    write: Write, tmp_path: Path, cluster: Supervisor, old: str, new: str, fault: str
) -> None:
    config = book(write, HASH.replace(old, new))
    with pytest.raises(ConfigError, match=fault):
        make_book(config, tmp_path / "book.txt", cluster=cluster.address)
