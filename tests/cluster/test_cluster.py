"""Games on a cluster of real processes: the same games and the same verdicts as at home."""

from __future__ import annotations

import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from cluster.deaths import digests, storm
from cluster.supervised import Supervisor, await_none
from support.game_records import results_of
from support.judged_brains import LOSING, RANDOM, match, odd_player
from support.processes import finished, running
from support.samples import ROUND, Write, player
from support.studies import COIN, STUDY
from support.sweep import cases
from workers.test_sandbox import ENGINE, KINDS, ONLY_ONCE

import arena
from arena.config.yaml_file import dump

pytest.importorskip("distributed")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="looks at /proc"),
    # All share one cluster.
    pytest.mark.xdist_group("cluster"),
]


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Supervisor]:
    """A scheduler and two workers; no process that plays is left in the end."""
    with Supervisor(tmp_path_factory.mktemp("cluster"), 2) as supervisor:
        yield supervisor
        assert await_none(supervisor.mark, 45) == []


def command(file: Path, cluster: Supervisor) -> list[str]:
    results = str(file.parent / "results")
    words = [sys.executable, "-m", "arena", "run", str(file), "--cluster", cluster.address]
    return [*words, "--results", results]


FOUR = ROUND + "      - {name: four, engine: random_mover}\n"
ROUNDS = {
    "round": ROUND,
    "swiss": FOUR + "    format: swiss\n",
    "knockout": FOUR + "    format: knockout\n",
    "kernels": """
    game: {gomoku: {size: 9}}
    openings: {random: {plies: 4, count: 4}}
    limit: {depth: 2}
    max_plies: 30
    engines:
      - {name: one, engine: five_tuple}
      - {name: two, engine: balance, limit: {nodes: 500}}
""",
    "test": """
    game: {gomoku: {size: 7}}
    openings: {random: {plies: 2, count: 200}}
    format: {sprt: {elo0: 0, elo1: 200}}
    engines:
      - {name: one, engine: five_tuple, limit: {depth: 1}}
      - {name: two, engine: random_mover}
""",
    "faulty": ROUND.replace("count: 2", "count: 20").replace(
        "two, engine: random_mover", "bad, engine: ./bad.py"
    ),
}


def home_and_away(file: Path, cluster: Supervisor, call: Any = arena.run) -> tuple[Any, Any]:
    """What comes of a file here and on the cluster."""
    results = file.parent / "results"
    home = call(file, workers=1, results=results / "home")
    return home, call(file, cluster=cluster.address, results=results / "away")


@pytest.mark.parametrize("name", ROUNDS)
def test_a_tournament_is_the_same_as_at_home(write: Write, cluster: Supervisor, name: str) -> None:
    write(player('raise ValueError("boom")'), "bad.py")
    home, away = home_and_away(write(ROUNDS[name]), cluster)
    assert digests(home) == digests(away) != {}
    at_home, afar = (
        run.schedule.matches(results_of(record for _, record in run.records()))
        for run in (home, away)
    )
    assert at_home == afar
    assert home.stopped().partition("(")[0] == away.stopped().partition("(")[0]
    if name == "test":
        assert at_home[0]["decision"] == "H1"
    if name == "faulty":
        assert home.stopped().startswith("bad raised an exception in 8 of its first 8 games")
        assert len(home.games()) == len(away.games()) < 120


def test_a_study_finds_the_same(write: Write, cluster: Supervisor) -> None:
    write(COIN, "coin.py")
    home, away = home_and_away(write(STUDY, "study.yaml"), cluster, arena.tune)
    assert home.values == away.values
    assert [told.estimate for told in home.trials.told] == [
        told.estimate for told in away.trials.told
    ]
    assert digests(home.matches.test) == digests(away.matches.test)


def gauntlet_of_bad(write: Write) -> tuple[Path, dict[str, tuple[str | None, str]]]:
    """A tournament of one good player against all kinds of bad ones, and what is to come of each.

    One that can be built only once is at home on no cluster: each machine builds it on trial.
    """
    names, engines = {}, []
    for number, (where, what, reason, detail) in enumerate(KINDS):
        if what != ONLY_ONCE:
            if "exec(" in what:  # it closes the pipe and spins on: whatever is seen first
                reason, detail = f"{reason}|time", ""
            parts = dict.fromkeys(("new_game", "choose", "close", "engine"), "pass")
            write(ENGINE.format(**(parts | {where: what})), f"bad{number}.py")
            names[f"bad{number}"] = reason, detail
            engines.append(f"      - {{name: bad{number}, engine: ./bad{number}.py}}\n")
    text = """
    game: {gomoku: {size: 7}}
    openings: {list: ["3,3 2,2"]}
    limit: {seconds: 0.3}
    hang: 5
    memory: 512
    format: {gauntlet: {candidates: [good]}}
    engines:
      - {name: good, engine: random_mover, limit: {}}
"""
    return write(text + "".join(engines)), names


def test_every_kind_of_bad_engine_is_judged_as_at_home(write: Write, cluster: Supervisor) -> None:
    file, expected = gauntlet_of_bad(write)
    run = arena.run(file, cluster=cluster.address, results=file.parent / "results")
    records = [record for _, record in run.records()]
    assert len(records) == 2 * len(expected)
    for record in records:
        bad = record.second if record.first == "good" else record.first
        reason, detail = expected[bad]
        if record.reason in ("line", "full board"):
            assert reason is None or record.plies < 7, record
        else:
            assert record.reason in (reason or "").split("|"), record
            assert record.winner == (1 if record.first == "good" else 2)
            assert detail in record.detail


def test_every_kind_of_bad_brain_is_judged_as_at_home(tmp_path: Path, cluster: Supervisor) -> None:
    rows = {f"odd {n}": row for n, row in enumerate(LOSING) if not row.is_slow}
    folders = {name: tmp_path / name for name in rows}
    for folder in folders.values():
        folder.mkdir()
    odd = [odd_player(row) | {"name": n, "folder": str(folders[n])} for n, row in rows.items()]
    file = tmp_path / "judged.yaml"
    file.write_text(dump(match(RANDOM, *odd, format={"gauntlet": {"candidates": ["two"]}})))
    run = arena.run(file, cluster=cluster.address, results=tmp_path / "results")
    records = [record for _, record in run.records()]
    assert len(records) == 2 * len(rows)
    for record in records:
        row = rows[record.second if record.first == "two" else record.first]
        assert record.reason == row.reason, record
        assert record.winner == (1 if record.first == "two" else 2)
        assert re.search(row.words, record.detail)


SLOW = player("""
    time.sleep(0.1)
    moves = self.game.moves(p)
    return Choice(moves[p.ply % len(moves)])
""")
SLOW_ROUND = ROUND.replace("engine: random_mover}", "engine: ./slow.py}")


@pytest.mark.parametrize("presses", [1, 2])
def test_ctrl_c_ends_a_run_that_goes_on(write: Write, cluster: Supervisor, presses: int) -> None:
    write(SLOW, "slow.py")
    file = write(SLOW_ROUND)
    with running(command(file, cluster), stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as run:
        for line in run.stdout:
            if line.startswith(b"1/"):
                break
        for _ in range(presses):
            run.send_signal(signal.SIGINT)
            time.sleep(0.3)
        out, _ = run.communicate(timeout=60)
    assert run.returncode == 130, out
    assert f"--cluster {cluster.address}".encode() in out
    played = len(arena.open_run(file.parent / "results/round").records())
    assert 0 < played < 12
    again = finished(command(file, cluster), check=True)
    assert again.stdout.startswith(f"{played}/12".encode())
    home = arena.run(file, workers=2, results=file.parent / "home")
    assert digests(home) == digests(arena.open_run(file.parent / "results/round"))


def test_a_full_disk_ends_a_run_that_goes_on_later(write: Write, cluster: Supervisor) -> None:
    file = write(ROUND.replace("count: 2", "count: 40"))

    def limit() -> None:
        os.setsid()
        resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))

    full = finished(command(file, cluster), prepare=limit)
    assert full.returncode not in (0, 130)
    again = finished(command(file, cluster))
    assert again.returncode == 0, again.stderr
    home = arena.run(file, workers=2, results=file.parent / "home")
    assert digests(home) == digests(arena.open_run(file.parent / "results/round"))


def test_a_game_that_ends_whoever_plays_it_ends_the_run(write: Write, cluster: Supervisor) -> None:
    write(player("os.kill(os.getppid(), signal.SIGKILL)"), "killer.py")
    file = write(ROUND.replace("name: two, engine: random_mover", "name: two, engine: ./killer.py"))
    with pytest.raises(RuntimeError, match="the process at work is killed, again and again"):
        arena.run(file, cluster=cluster.address, results=file.parent / "results")


def test_nobody_there_is_a_fault(
    write: Write, cluster: Supervisor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.cluster.link.CONNECT_TIMEOUT", 0.5)
    said: list[str] = []
    with pytest.raises(
        arena.ConfigError, match=r"no dask scheduler answers at tcp://127\.0\.0\.1:9"
    ):
        arena.run(write(ROUND), cluster="tcp://127.0.0.1:9", say=said.append)
    assert said == ["Looking for a scheduler at tcp://127.0.0.1:9 ..."]


def test_a_trial_here_needs_no_scheduler(write: Write) -> None:
    file = write(ROUND)
    run = arena.run(file, cluster="local:2", results=file.parent / "results")
    assert len(run.records()) == 12


def test_who_waits_for_workers_says_so(write: Write, tmp_path: Path) -> None:
    with Supervisor(tmp_path, 0) as lonely:
        with running(
            command(write(ROUND), lonely), stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        ) as run:
            assert any(b"No workers at" in run.stdout.readline() for _ in range(2))
            lonely.nannies.append(lonely._nanny(0))
            out, _ = run.communicate(timeout=120)
        assert run.returncode == 0, out


def test_by_tls_only_certified_machines_play(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("cryptography")
    from distributed.security import Security

    made, prefix = Security.temporary(), "DASK_DISTRIBUTED__COMM__TLS__"
    (tmp_path / "ca.pem").write_text(made.tls_ca_file)
    (tmp_path / "own.pem").write_text(made.tls_client_cert + made.tls_client_key)
    files = {f"{prefix}CA_FILE": str(tmp_path / "ca.pem")}
    files |= {f"{prefix}{who}__CERT": str(tmp_path / "own.pem") for who in WHO}
    file = write(ROUND)
    with Supervisor(tmp_path, 1, **files) as cluster:
        finished(command(file, cluster), env={**os.environ, **files}, check=True)
        stranger = command(write(ROUND, "other.yaml"), cluster)
        refused = finished([each.replace("tls:", "tcp:") for each in stranger])
        assert refused.returncode == 2
    assert len(arena.open_run(file.parent / "results/round").records()) == 12


WHO = "SCHEDULER", "WORKER", "CLIENT"


@pytest.mark.sweep
def test_deaths_change_nothing(tmp_path: Path) -> None:
    storm(
        tmp_path,
        deaths=cases(30),
        seed=int(time.time()),
        rounds=150,
        frozen_for=8,
        pause=(0.2, 1.5),
    )
    shutil.rmtree(tmp_path / "results")
