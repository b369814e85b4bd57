"""Engines that travel to machines of a cluster, and machines that are unlike each other.

The machines are workers of this one, each with a name of its own.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest
from support.samples import ROOT, ROUND, Write, player

import arena
from arena import ConfigError
from arena.cluster.places import site_of
from arena.tournament.run import Run, RunProgress

pytest.importorskip("distributed")
from cluster.deaths import digests
from cluster.supervised import Supervisor

pytestmark = pytest.mark.slow

NAME = "ARENA_MACHINE"
HEAD = """
    game: {gomoku: {size: 7}}
    openings: {random: {plies: 2, count: COUNT, seed: 1}}
    hang: 20
"""
FIRST = f"""
from weights import FIRST
PLACE = "/".join(__file__.split("/")[-3:])
{player("return Choice(self.game.moves(p)[FIRST], info={'place': PLACE})")}
"""
"""An engine that imports a number from a file beside it."""
SLEEPY = player(
    f"""
    time.sleep({{"sleepy": 0.8, "lively": 0.02}}.get(os.environ.get("{NAME}"), 0))
    return Choice(self.game.moves(p)[-1])
    """
)
BRAIN = """
import os, sys
if os.environ.get("ARENA_TEST_ABSENT") == os.path.dirname(os.path.abspath(__file__)):
    sys.exit("is not here")
size, taken = 0, set()
for line in sys.stdin:
    word, _, rest = line.strip().partition(" ")
    if word == "START":
        size, taken = int(rest), set()
        print("OK", flush=True)
    elif word == "RESTART":
        taken = set()
        print("OK", flush=True)
    elif word == "ABOUT":
        print('name="mine"', flush=True)
    elif word == "END":
        break
    elif word in ("BEGIN", "TURN", "BOARD"):
        if word == "TURN":
            taken.add(tuple(map(int, rest.split(","))))
        if word == "BOARD":
            taken = set()
            for line in sys.stdin:
                if line.strip() == "DONE":
                    break
                taken.add(tuple(map(int, line.split(",")[:2])))
        move = next((x, y) for x in range(size) for y in range(size) if (x, y) not in taken)
        taken.add(move)
        print(f"{move[0]},{move[1]}", flush=True)
"""
"""A program that takes the first empty cell, and is not installed in one place."""


@contextmanager
def cluster(folder: Path, *names: str, **own: str) -> Iterator[str]:
    """The address of a cluster of one worker for each name of a machine."""
    each: dict[int, Mapping[str, str]] = {i: {NAME: name} for i, name in enumerate(names)}
    each[len(names) - 1] = {**each[len(names) - 1], **own}
    with Supervisor(folder / "dask", len(names), own=each) as supervisor:
        yield supervisor.address


def two_versions(write: Write, folder: Path) -> Path:
    """A round of one engine in two folders, which differ in a file that it imports."""
    text = HEAD.replace("COUNT", "4") + "    remarks: true\n    engines:\n"
    for name, first in (("old", 0), ("new", -1)):
        (folder / name).mkdir()
        write(FIRST, f"{name}/mine.py")
        write(f"FIRST = {first}\n", f"{name}/weights.py")
        text += f"      - {{name: {name}, engine: ./{name}/mine.py}}\n"
    return write(text)


def test_two_versions_of_an_engine_live_side_by_side_elsewhere(
    write: Write, tmp_path: Path
) -> None:
    file = two_versions(write, tmp_path)
    home = arena.run(file, workers=1, results=tmp_path / "home")
    with cluster(tmp_path, "one", "two") as address:
        away = arena.run(file, cluster=address, results=tmp_path / "away")
    assert digests(away) == digests(home) != {}
    for info in away.games()["info"]:
        places = {place for each in json.loads(info).values() for place in each["place"]}
        assert {Path(place).parents[1].name for place in places} == {"arena-engines"}
        assert len(places) == 2
    assert sorted(away.report().machines["name"]) == ["one", "two"]
    assert away.report().machines["games"].sum() == len(away.games())


def test_a_shipped_brain_plays_where_it_is_not_installed(write: Write, tmp_path: Path) -> None:
    brain = tmp_path / "brain" / "pbrain-mine"
    brain.parent.mkdir()
    brain.write_text(f"#!{sys.executable}\n{BRAIN}")
    brain.chmod(0o755)
    text = (
        HEAD.replace("COUNT", "2") + "    engines:\n      - {name: other, engine: random_mover}\n"
    )
    mine = "      - {name: mine, engine: gomocup, command: ./brain/pbrain-mine"
    file = write(text + mine + ", ship: true}\n")
    home = arena.run(file, workers=1, results=tmp_path / "home")
    with cluster(tmp_path, "one", ARENA_TEST_ABSENT=str(brain.parent)) as address:
        away = arena.run(file, cluster=address, results=tmp_path / "away")
        assert digests(away) == digests(home) != {}
        assert not away.games()["reason"].isin(["crash", "exception"]).any()
        write(text + mine + "}\n")
        with pytest.raises(ConfigError, match=r"(?s)one, mine: .*is not here") as found:
            arena.run(file, cluster=address, results=tmp_path / "left")
        assert not (tmp_path / "left").exists()
    head, here, one = str(found.value).splitlines()[1:4]
    assert head.split() == [
        *("machine", "arena", "python", "numpy", "numba", "cores", "GB", "other", "mine")
    ]
    assert here.split()[-2:] == ["ok", "ok"]
    assert one.split()[-2:] == ["ok", "fails"]


def edited(folder: Path) -> Path:
    """A copy of arena, one file of which was edited."""
    copy = folder / "edited"
    shutil.copytree(ROOT / "arena", copy / "arena")
    with (copy / "arena" / "engines" / "balance.py").open("a") as file:
        file.write("\n# another engine\n")
    return copy


def bare(folder: Path) -> Path:
    """A folder with which Python finds no arena."""
    (folder / "bare").mkdir()
    text = "import sys\nsys.modules['arena'] = None\n"
    (folder / "bare/sitecustomize.py").write_text(text)
    return folder / "bare"


def workers_at(address: str) -> list[object]:
    with site_of(None, address) as site:
        site.monitor.look()  # type: ignore[attr-defined]
        return list(site.monitor.seen.workers)  # type: ignore[attr-defined]


def refused_by(address: str, folder: Path, file: Path) -> list[str]:
    """The lines for a run on two machines that differ, of which no game was played."""
    while len(workers_at(address)) < 2:
        time.sleep(0.2)
    with pytest.raises(ConfigError, match="machines that differ") as found:
        arena.run(file, cluster=address, results=folder / "away")
    assert not (folder / "away").exists()
    return str(found.value).splitlines()


def test_a_machine_with_another_arena_is_told_in_a_table(write: Write, tmp_path: Path) -> None:
    with cluster(tmp_path, "same", "other", PYTHONPATH=str(edited(tmp_path))) as address:
        lines = refused_by(address, tmp_path, write())
    assert [line.split()[0] for line in lines[1:]] == ["machine", "(here)", "other"]
    assert lines[2].split()[1] != lines[3].split()[1]
    assert lines[3].split()[-1] == "-"


def test_a_machine_without_arena_is_told_before_any_game(write: Write, tmp_path: Path) -> None:
    with cluster(tmp_path, "same", "other", PYTHONPATH=str(bare(tmp_path))) as address:
        lines = refused_by(address, tmp_path, write())
        assert len(workers_at(address)) == 2
    assert [line.split()[0] for line in lines[1:4]] == ["machine", "(here)", "127.0.0.1"]
    assert lines[4].startswith("127.0.0.1: gomoku-arena is not installed there: install it")


LATE = {
    "another": ("other is left out: arena is ", edited),
    "none": (
        "127.0.0.1 is left out: gomoku-arena is not installed there: install it as it is here",
        bare,
    ),
}


@pytest.mark.parametrize("arena_there", LATE)
def test_a_machine_that_joins_later_and_differs_is_left_out_and_named(
    write: Write, tmp_path: Path, arena_there: str
) -> None:
    expected, path = LATE[arena_there]
    told = list[str]()
    file = write(ROUND.replace("count: 2", "count: 60"))
    home = arena.run(file, workers=2, results=tmp_path / "home")
    own = {0: {NAME: "same"}, 1: {NAME: "other", "PYTHONPATH": str(path(tmp_path))}}
    with (
        Supervisor(tmp_path / "dask", 1, own=own) as supervisor,
        site_of(None, supervisor.address, told.append) as site,
    ):
        run = Run(tmp_path / "away" / "round", home.config)

        def join(progress: RunProgress) -> None:
            if progress.tally.games == 10:
                with supervisor.lock:
                    supervisor.nannies.append(supervisor._nanny(1))
            if progress.tally.games > 10 and not any("left out" in words for words in told):
                time.sleep(0.1)

        run.play(site, watch=join)
    assert digests(run) == digests(home)
    (left_out,) = [words for words in told if "left out" in words]
    assert left_out.startswith(expected)


def test_a_machine_with_many_losses_on_time_is_named(write: Write, tmp_path: Path) -> None:
    write(SLEEPY, "sleepy.py")
    text = (
        HEAD.replace("COUNT", "20")
        + """
    limit: {seconds: 0.5}
    engines:
      - {name: one, engine: ./sleepy.py}
      - {name: other, engine: random_mover}
    """
    )
    with cluster(tmp_path, "lively", "sleepy") as address, site_of(None, address) as site:
        while len(site.monitor.seen.workers) < 2:  # type: ignore[attr-defined]
            time.sleep(0.3)
            site.monitor.look()  # type: ignore[attr-defined]
        arena.run(write(text), cluster=address, results=tmp_path / "away")
    report = arena.open_run("round", results=tmp_path / "away").report()
    lively, sleepy = report.machines.to_dict("records")
    assert sleepy["late"] == sleepy["games"] == 40 - lively["games"]
    assert lively["late"] == 0
    assert any(note.startswith("sleepy stands out: ") for note in report.notes)


def test_where_a_machine_is_left_out_the_others_may_die(write: Write, tmp_path: Path) -> None:
    file = write(ROUND.replace("count: 2", "count: 60"))
    home = arena.run(file, workers=2, results=tmp_path / "home")
    own = {0: {NAME: "good"}, 1: {NAME: "bad"}}
    with (
        Supervisor(tmp_path / "dask", 2, own=own) as supervisor,
        site_of(None, supervisor.address) as site,
    ):
        run = Run(tmp_path / "away" / "round", home.config)

        def kill(progress: RunProgress) -> None:
            if progress.tally.games == 10:
                site.monitor.leave_out("bad", "it is to be")  # type: ignore[attr-defined]
            if progress.tally.games == 60:
                for worker in supervisor.workers():
                    os.kill(worker, signal.SIGKILL)

        began = time.monotonic()
        run.play(site, watch=kill)
        assert time.monotonic() - began < 300, "or they wait until tasks are overdue"
    assert digests(run) == digests(home)


def test_a_run_that_is_over_waits_for_nobody(write: Write, tmp_path: Path) -> None:
    file, told = write(ROUND), list[str]()
    arena.run(file, workers=2, results=tmp_path)
    with Supervisor(tmp_path / "dask", 0) as supervisor:
        run = arena.run(file, cluster=supervisor.address, results=tmp_path, say=told.append)
    assert run.report().runs[0].is_over
    (only,) = told
    assert only.startswith("Looking for a scheduler at ")
