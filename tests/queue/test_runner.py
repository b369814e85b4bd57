"""A queue: its order, and processes that play it, are killed, paused and started again."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from textwrap import dedent

import pytest
from cluster.supervised import Supervisor
from hypothesis import given, strategies as st
from support.processes import awaited
from support.queue_storm import blown
from support.queued_games import games_alone, games_of, names_by_end
from support.samples import ROUND, player

from arena.config.reader import read_config
from arena.processes.child import Child
from arena.queue.order import READY, QueuedTest, State, facts_of, in_turn, seconds_left
from arena.queue.queue_file import QueueFile
from arena.queue.runner import OwnerRules, after_end, run_queue
from arena.queue.submission import Submission, take_in

ENTRIES = st.lists(
    st.builds(
        QueuedTest,
        id=st.integers(1, 10**6),
        name=st.just("test"),
        priority=st.integers(-2, 2),
        state=st.sampled_from(State),
    ),
    unique_by=lambda each: each.id,
    max_size=12,
)


@given(ENTRIES)
def test_those_that_are_ready_are_played_by_priority_and_equals_as_they_came(
    entries: list[QueuedTest],
) -> None:
    found = in_turn(entries)
    assert {each.id for each in found} == {each.id for each in entries if each.is_ready}
    places = [(-each.priority, each.id) for each in found]
    assert places == sorted(places)


def test_programs_are_told_the_facts_of_a_test() -> None:
    ended = QueuedTest(3, "round", state=State.DONE, played=12, spent=4.24, told="one is better")
    found = {"id": 3, "name": "round", "state": "done", "games": 12}
    assert facts_of(ended) == found | {"core_seconds": 4.2, "verdict": "one is better"}


def test_what_is_left_is_told_by_the_games_played_and_before_them_by_the_limits() -> None:
    entry = QueuedTest(1, "test", games=100, seconds=8.0)
    assert seconds_left(entry, 4) == 200
    assert seconds_left(replace(entry, played=50, spent=200.0), 4) == 50
    assert seconds_left(replace(entry, seconds=None), 4) is None
    assert seconds_left(replace(entry, games=None), 4) is None


SLOW = """
    time.sleep(0 if os.path.exists({hurry!r}) else 0.1)
    return Choice(self.game.moves(p)[0])
"""
SLOW_ROUND = """
    game: {gomoku: {size: 7}}
    openings: {random: {plies: 2, count: 4, seed: 1}}
    engines:
      - {name: one, engine: ../engines/slow.py}
      - {name: two, engine: ../engines/slow.py}
"""
ROW = player("return Choice(self.game.moves(p)[0])")
"""An engine that fills row after row, which random moves seldom prevent."""
SPRT = """
    game: {gomoku: {size: 7}}
    openings: {random: {plies: 2, count: 40, seed: 1}}
    format: {sprt: {elo0: 0, elo1: 400}}
    engines:
      - {name: row, engine: row.py}
      - {name: random, engine: random_mover}
"""


def submitted(name: str, text: str = ROUND, **more: object) -> Submission:
    return Submission(named(name, text), **more)  # type: ignore[arg-type]


def slow_files(hurry: Path) -> dict[str, object]:
    """The place of SLOW_ROUND, and its engine, which is slow until there is a file `hurry`."""
    source = player(SLOW.format(hurry=str(hurry)))
    return {"place": "configs/slow.yaml", "files": {"engines/slow.py": source.encode()}}


def named(name: str, text: str) -> str:
    return f"name: {name}\n{dedent(text)}"


def waiting(entry: QueuedTest) -> QueuedTest:
    return replace(entry, state=State.WAITING)


@contextmanager
def runner_of(queue: QueueFile, **rules: object) -> Iterator[Child]:
    """A runner of the queue, which ends with this block as it does with the server."""
    given = OwnerRules(**{"cores": 1, **rules})  # type: ignore[arg-type]
    child = Child.executed(run_queue, queue.results, given)
    try:
        yield child
    finally:
        child.end(20)


await_that = partial(awaited, seconds=300)


def await_state(queue: QueueFile, id: int, *states: State) -> QueuedTest:
    def look() -> QueuedTest | None:
        found = queue.entry(id)
        return found if found and found.state in states else None

    found = await_that(look)
    assert found
    return found


@pytest.mark.slow
def test_the_games_are_those_of_arena_run_though_processes_are_killed(tmp_path: Path) -> None:
    queue = QueueFile(tmp_path / "results")
    first = take_in(queue, submitted("first"))
    sprt = take_in(queue, submitted("sprt", SPRT, files={"row.py": ROW.encode()}))
    urgent = take_in(queue, submitted("urgent", priority=1))
    for _ in range(2):
        with runner_of(queue) as child:
            await_that(lambda: any(each.state is State.PLAYING for each in queue.entries()))
            os.kill(child.pid, signal.SIGKILL)
            child.await_end(10)
    with runner_of(queue):
        ended = await_state(queue, sprt.id, State.DONE, State.FAILED)
    assert "row is" in ended.told
    assert (tmp_path / "results/sprt/report.html").exists()
    (tmp_path / "row.py").write_text(ROW)
    for each, text in ((first, ROUND), (urgent, ROUND), (sprt, SPRT)):
        expected = games_alone(named(each.name, text), each.name, tmp_path)
        assert games_of(tmp_path / "results" / each.name) == expected
        found = queue.entry(each.id)
        assert found
        assert found.state is State.DONE
        assert found.played >= len(expected)  # games that were in flight as a test ended
    assert names_by_end(queue) == ["urgent", "first", "sprt"]


@pytest.mark.slow
def test_a_test_is_paused_and_goes_on_with_files_that_travelled(tmp_path: Path) -> None:
    queue = QueueFile(tmp_path / "results")
    hurry = tmp_path / "hurry"
    entry = take_in(queue, submitted("slow", SLOW_ROUND, **slow_files(hurry)))
    with runner_of(queue):
        await_that(lambda: any(each.played for each in queue.entries()))
        queue.change(entry.id, waiting)  # as by a pause that was taken back at once
        await_state(queue, entry.id, State.PLAYING)
        queue.change(entry.id, lambda each: replace(each, state=State.PAUSED))
        await_that(lambda: not (tmp_path / "results/slow/boards.json").exists())
        paused = queue.entry(entry.id)
        assert paused
        assert paused.state is State.PAUSED
        assert 0 < paused.played < 8
        hurry.touch()
        queue.change(entry.id, waiting)
        done = await_state(queue, entry.id, State.DONE)
    assert done.played == 8
    assert done.spent > 0


@pytest.mark.slow
def test_a_test_waits_for_a_cluster_that_is_not_there_and_does_not_fail_by_it(
    tmp_path: Path,
) -> None:
    pytest.importorskip("distributed")
    queue = QueueFile(tmp_path / "results")
    entry = take_in(queue, submitted("round"), check_here)

    def now() -> QueuedTest:
        found = queue.entry(entry.id)
        assert found
        return found

    with runner_of(queue, cores=None, cluster=str(tmp_path / "scheduler.json")):
        await_that(lambda: "there is no scheduler file" in now().told)
        assert now().state is State.PLAYING
        queue.change(entry.id, lambda each: replace(each, state=State.PAUSED))
        time.sleep(1)
        queue.change(entry.id, waiting)
        await_state(queue, entry.id, State.PLAYING)
    assert now().state in READY
    assert now().spent == 0
    with runner_of(queue):
        done = await_state(queue, entry.id, State.DONE)
    assert "scheduler" not in done.told


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="looks at /proc")
def test_no_time_is_charged_while_a_cluster_is_lost_in_mid_run(tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    queue = QueueFile(tmp_path / "results")
    hurry, folder = tmp_path / "hurry", tmp_path / "cluster"
    folder.mkdir()
    entry = take_in(queue, submitted("slow", SLOW_ROUND, **slow_files(hurry)))

    def now() -> QueuedTest:
        found = queue.entry(entry.id)
        assert found
        return found

    with Supervisor(folder, 1) as cluster, runner_of(queue, cores=None, cluster=cluster.address):
        await_that(lambda: now().played > 0)
        with cluster.lock:  # the scheduler is not started again
            os.kill(cluster.scheduler.pid, signal.SIGKILL)
            await_that(lambda: "is gone; waiting for it" in now().told)
            before = now()
            time.sleep(5)
            assert now() == before
        hurry.touch()
        done = await_state(queue, entry.id, State.DONE)
    assert done.played == 8
    assert 0 < before.spent < done.spent
    assert "scheduler" not in done.told


def check_here(folder: Path, place: str):  # type: ignore[no-untyped-def]
    from arena.queue.submission import Checked

    return Checked(read_config(folder / place).name, 12, None, None)


PLAYING = QueuedTest(1, "test", state=State.PLAYING, played=10)


def test_a_process_that_dies_three_times_without_a_game_between_is_given_up() -> None:
    entry = PLAYING
    for _ in range(2):
        entry = after_end(entry, State.PLAYING, "", False, played_before=10)
        assert entry.state is State.WAITING
        entry = replace(entry, state=State.PLAYING)
    assert after_end(entry, State.PLAYING, "", False, played_before=9).state is State.WAITING
    given_up = after_end(entry, State.PLAYING, "", False, played_before=10)
    assert given_up.state is State.FAILED
    assert "has died 3 times" in given_up.told


def test_a_stop_on_the_page_of_the_run_pauses_the_test_and_a_change_of_places_does_not() -> None:
    assert after_end(PLAYING, State.WAITING, "", False, 0).state is State.PAUSED
    assert after_end(PLAYING, State.WAITING, "", True, 0).state is State.WAITING
    stopped = replace(PLAYING, state=State.STOPPED)
    assert after_end(stopped, State.WAITING, "", True, 0).state is State.STOPPED
    assert after_end(stopped, State.DONE, "one is better", True, 0).state is State.DONE


TOO_SHORT = "the tests take longer than the pauses"


@pytest.mark.slow
def test_a_queue_outlives_the_deaths_of_its_processes(tmp_path: Path) -> None:
    deaths = blown(tmp_path, tests=2, deaths=2, seed=1, pause=1)
    assert deaths.total() == 2, TOO_SHORT


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="looks at /proc")
@pytest.mark.xdist_group("cluster")
def test_a_queue_on_a_cluster_outlives_the_deaths_of_its_workers(tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    kinds = ("worker", "player")
    deaths = blown(tmp_path, tests=2, deaths=2, seed=1, pause=1, kinds=kinds, on_cluster=True)
    assert deaths == dict.fromkeys(kinds, 1), TOO_SHORT
