"""What lies in a folder of results in place of files: no page and no command waits for it."""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Iterator
from contextlib import chdir, contextmanager
from pathlib import Path

import pytest
from support.foreign_runs import foreign_run
from support.odd_entries import ENTRIES, PLACES, Seen, fault_of, prepare, seen
from support.page_requests import ask, page_of
from support.samples import ROUND
from support.sweep import in_turn
from support.typed import typed

from arena import files
from arena.errors import ConfigError
from arena.queue.queue_file import QueueFile
from arena.server.watch.followed_run import SLOW
from arena.server.watch.run_list import run_id
from arena.storage.folder import MAX_CONFIG, keep_text

FORKS = pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
"""A child is forked here while pytest has threads; it only calls us, and ends."""
MAX_SECONDS = 120  # kernels may have to be compiled


@contextmanager
def in_time() -> Iterator[None]:
    """Fail, and do not hang, where something waits without end."""

    def fail(*_: object) -> None:
        pytest.fail("it waits without end")

    before = signal.signal(signal.SIGALRM, fail)
    signal.alarm(MAX_SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


@pytest.mark.parametrize("place", [each for each in PLACES.values() if each.startswith("run/")])
def test_a_pipe_in_place_of_a_file_hangs_nothing(place: str, tmp_path: Path) -> None:
    results = tmp_path / "results"
    for name in ("run", "other"):
        foreign_run(results / name)
    (results / place).unlink(missing_ok=True)
    os.mkfifo(results / place)
    (tmp_path / "run.yaml").write_text(ROUND)
    with in_time(), chdir(tmp_path), page_of(results) as app:
        assert ">other<" in ask(app, "/").text
        for address in (
            "/ratings",
            f"/runs/{run_id(Path('run'))}",
            f"/runs/{run_id(Path('other'))}",
        ):
            assert SLOW not in ask(app, address).text
        done = typed(["run", "run.yaml", "--workers", "0"])
        # Without its boards a run is played unseen, and what asked to stop is forgotten: then this
        # database is refused, which has no config.
        told = "not what a run keeps" if place.endswith((".json", "stop")) else "is a pipe"
        assert (done.status, told in done.said) == (2, True), done.said
        assert (results / place).is_fifo() or place.endswith("stop")


def test_an_entry_that_cannot_be_looked_at_hides_no_run(tmp_path: Path) -> None:
    foreign_run(tmp_path / "run")
    (tmp_path / "loop").symlink_to("loop")
    with page_of(tmp_path) as app:
        assert ">run<" in ask(app, "/").text


def test_a_kept_config_has_a_bound(tmp_path: Path) -> None:
    foreign_run(tmp_path / "run")
    os.truncate(tmp_path / "run" / "config.yaml", MAX_CONFIG + 1)
    with chdir(tmp_path):
        said = typed(["report", "./run"]).said
    assert re.search(r"run/config.yaml: is larger than 16 MB", said), said


@pytest.mark.parametrize("target", ["config.yaml", "pipe", "/"])
def test_a_config_that_is_none_is_named(target: str, tmp_path: Path) -> None:
    config = foreign_run(tmp_path / "results" / "run") / "config.yaml"
    config.unlink()
    os.mkfifo(config.with_name("pipe"))
    config.symlink_to(target)
    with in_time(), chdir(tmp_path):
        done = typed(["report", "run"])
    assert done.status == 2
    assert done.said.startswith("results/run/config.yaml: ")


@pytest.mark.parametrize("name", ["lock", "arena.log", "arena.db-wal"])
def test_nothing_is_written_through_a_link(name: str, tmp_path: Path) -> None:
    precious, run = tmp_path / "precious", tmp_path / "results" / "run"
    precious.write_text("precious")
    run.mkdir(parents=True)
    (run / name).symlink_to(precious)
    (tmp_path / "run.yaml").write_text(ROUND)
    with chdir(tmp_path):
        done = typed(["run", "run.yaml", "--workers", "0"])
    assert done.status == 2
    assert f"{name}: is a link, not a file" in done.said
    assert precious.read_text() == "precious"


def test_only_a_file_is_replaced_by_one_that_is_whole(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with in_time(), pytest.raises(OSError, match="is a pipe"):
        keep_text(tmp_path / "pipe", "text")
    assert (tmp_path / "pipe").is_fifo()
    assert [each.name for each in tmp_path.iterdir()] == ["pipe"]


def test_a_queue_that_is_no_file_is_told(tmp_path: Path) -> None:
    queue = QueueFile(tmp_path)
    file = queue.folder / "queue.db"
    file.unlink()
    os.mkfifo(file)
    with in_time(), pytest.raises(ConfigError, match=r"queue\.db: is a pipe, not a file"):
        queue.entries()


COMMANDS = [
    "run {} --workers 0",
    "plan {}",
    "import in {}",
    "openings check {}",
    "match random_mover random_mover --games 2 --workers 0 --openings {}",
]
CONTENTS = {"run": ROUND, "plan": ROUND, "import": '{"format": "gomoku-arena", "version": 1}\n'}


@pytest.fixture(name="pipe")
def fixture_pipe() -> Iterator[tuple[str, int]]:
    """The name of the end of a pipe from which one reads, and the other end."""
    there, here = os.pipe()
    yield f"/dev/fd/{there}", here
    os.close(there)


@pytest.mark.parametrize("command", COMMANDS)
def test_a_file_that_is_named_may_be_a_pipe(
    command: str, pipe: tuple[str, int], tmp_path: Path
) -> None:
    name, here = pipe
    word = command.split()[0]
    with open(here, "w") as stream:
        stream.write(CONTENTS.get(word, "3,3 2,2\n4,4 5,5\n"))
    with in_time(), chdir(tmp_path):
        done = typed(command.format(name).split())
    known = {"plan": "this has 3 players", "import": "no game came in"}
    assert known.get(word, "") in done.said
    assert done.status == (2 if word in known else 0), done.said


@pytest.mark.parametrize("command", COMMANDS)
def test_a_pipe_is_not_waited_for_without_end(
    command: str, pipe: tuple[str, int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "MAX_WAIT", 0.05)
    name, here = pipe
    try:
        with in_time(), chdir(tmp_path):
            done = typed(command.format(name).split())
    finally:
        os.close(here)
    assert done.status == 2
    assert "is a pipe that did not end within 0.05 s" in done.said


@pytest.fixture(scope="module", name="played")
def fixture_played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with runs and a study, beside which odd entries are laid."""
    folder = tmp_path_factory.mktemp("odd")
    prepare(folder)
    return folder


@FORKS
@pytest.mark.slow
@pytest.mark.sweep
@pytest.mark.parametrize("place", PLACES)
def test_no_odd_entry_hangs_or_hides_anything(place: str, played: Path) -> None:
    faults: list[tuple[str, str, Seen]] = []
    for entry in in_turn(ENTRIES, [*PLACES].index(place)):
        found = [(fault_of(each, place), each) for each in seen(played, entry, place)]
        faults += [(entry, fault, each) for fault, each in found if fault]
    assert not faults
