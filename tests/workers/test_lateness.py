"""Machines that lose more games on time than the others: left out, and their games voided."""

from __future__ import annotations

import sqlite3
from collections.abc import Generator, Iterable
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from support.game_records import game
from support.samples import ROUND, Write

import arena
from arena.match.record import GameRecord, Job
from arena.storage.database import Store
from arena.storage.machines import LateGames, Machine, voided_games
from arena.tournament.progress import RunProgress
from arena.tournament.run import Run
from arena.workers.lateness import CHANCE, LEAST_GAMES, Lateness, excess_text
from arena.workers.logs import LogFile
from arena.workers.pool import Local
from arena.workers.referee import Referee


@pytest.mark.parametrize(
    ("own", "others", "is_left_out"),
    [
        (LateGames(10, 10), LateGames(LEAST_GAMES, 0), True),
        (LateGames(6, 6), LateGames(LEAST_GAMES, 0), False),  # chance: 1 in 230 230
        (LateGames(10, 10), LateGames(LEAST_GAMES - 1, 0), False),  # nobody knows what is usual
        (LateGames(1000, 30), LateGames(9000, 30), True),
        (LateGames(1000, 15), LateGames(9000, 90), False),
        (LateGames(100, 100), LateGames(100, 95), False),  # hard on everybody
        (LateGames(1000, 0), LateGames(1000, 50), False),  # better than the others
    ],
)
def test_a_machine_is_left_out_if_chance_does_not_explain_its_losses_on_time(
    own: LateGames, others: LateGames, is_left_out: bool
) -> None:
    assert bool(excess_text(own, others)) == is_left_out


def test_machines_that_are_alike_are_hardly_ever_left_out() -> None:
    assert 10_000 * CHANCE <= 0.01


def test_the_reason_is_told_in_numbers() -> None:
    lateness = Lateness({"fast": LateGames(100, 1), "slow": LateGames(9, 9)})
    late = replace(game("a", "b", 1), machine="slow", reason="time")
    assert lateness.add(late) == (
        "10 of its 10 games were lost on time, and 1 of 100 on the other machines"
    )


@pytest.mark.parametrize(("machine", "reason"), [("", "time"), ("slow", "line")])
def test_games_at_home_and_games_in_time_leave_nobody_out(machine: str, reason: str) -> None:
    lateness = Lateness({machine: LateGames(50, 50), "other": LateGames(50, 0)})
    assert not lateness.add(replace(game("a", "b", 1), machine=machine, reason=reason))


@dataclass(frozen=True)
class TwoMachines(Local):
    """Games of this process that pose as those of two machines, one of which is always late."""

    workers: int = 0
    left_out: dict[str, str] = field(default_factory=dict)

    def play(
        self, jobs: Iterable[Job | None], referee: Referee, log: LogFile
    ) -> Generator[GameRecord]:
        """Play every other game on each, as long as both may."""
        for number, record in enumerate(super().play(jobs, referee, log)):
            if number % 4 in (1, 2) and "slow" not in self.left_out:
                yield replace(record, machine="slow", reason="time", winner=1, digest="late")
            else:
                yield replace(record, machine="fast")

    def at_most(self, games: int) -> TwoMachines:
        """The same."""
        return self

    def machines(self) -> list[Machine]:
        """Both of them."""
        return [Machine(name, 4, 8192, speed) for name, speed in (("fast", 1.0), ("slow", 0.1))]

    def leave_out(self, machine: str, reason: str) -> None:
        """Note it."""
        self.left_out[machine] = reason


MANY = ROUND.replace("count: 2", "count: 20")


def test_games_of_a_late_machine_are_voided_and_played_anew_as_at_home(
    write: Write, tmp_path: Path
) -> None:
    home = arena.run(write(MANY), workers=0, results=tmp_path / "home")
    site, told = TwoMachines(), list[RunProgress]()
    run = Run(tmp_path / "away", home.config)
    run.play(site, watch=told.append)
    assert list(run.games()["digest"]) == list(home.games()["digest"])
    assert list(site.left_out) == ["slow"]
    assert "are voided, and played anew elsewhere" in site.left_out["slow"]
    with closing(Store(run.folder / "arena.db", read_only=True)) as store:
        voided = voided_games(store)
    assert {each.machine for each in voided} == {"slow"}
    fast, slow = run.report().machines.to_dict("records")
    assert (fast["games"], slow["games"], slow["voided"]) == (120, 0, len(voided))
    # What was counted on the screen is counted anew.
    assert told[-1].tally.games == 120


def test_results_that_were_voided_decide_no_test(write: Write, tmp_path: Path) -> None:
    text = MANY.replace("count: 20", "count: 200").replace(
        "      - {name: three, engine: random_mover}\n", ""
    )
    text += "    format: {sprt: {elo0: 0, elo1: 60, alpha: 0.05, beta: 0.05}}\n"
    home = arena.run(write(text), workers=0, results=tmp_path / "home")
    run = Run(tmp_path / "away", home.config)
    run.play(TwoMachines())
    assert list(run.games()["digest"]) == list(home.games()["digest"])
    assert run.report().matches.equals(home.report().matches)
    assert run.status() == home.status()


def test_a_run_that_is_killed_right_after_games_were_voided_is_gone_on_with(
    write: Write, tmp_path: Path
) -> None:
    home = arena.run(write(MANY), workers=0, results=tmp_path / "home")
    run = Run(tmp_path / "away", home.config)

    class Killed(Exception):  # noqa: N818
        pass

    class Fatal(TwoMachines):
        def leave_out(self, machine: str, reason: str) -> None:
            raise Killed

    with pytest.raises(Killed):
        run.play(Fatal())
    with closing(sqlite3.connect(run.folder / "arena.db")) as database:
        assert database.execute("SELECT count(*) FROM games WHERE machine = 'slow'").fetchone() == (
            0,
        )
    run.play(Local(0))
    assert list(run.games()["digest"]) == list(home.games()["digest"])
