"""When a run was played, on how busy a machine, and by which of a cluster."""

from __future__ import annotations

import os
import time
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from scipy.stats import fisher_exact
from support.edited_runs import edit, edited_games
from support.game_records import game
from support.samples import ROUND, Write

import arena
from arena.engine import Limit
from arena.errors import ConfigError
from arena.match.record import GameRecord
from arena.storage import history
from arena.storage.database import (
    Machine,
    Store,
    chance_of_late,
    keep_machine,
    machine_notes,
    machine_rows,
)
from arena.storage.history import PERIOD, Recorder, Session, load_of, overload_notes

TIMED = Limit(seconds=0.1)


def busy(monkeypatch: pytest.MonkeyPatch, load: float, at: float = 0.0, cores: int = 4) -> None:
    monkeypatch.setattr(os, "getloadavg", lambda: (load, 0.0, 0.0))
    monkeypatch.setattr(time, "monotonic", lambda: 1000.0 + at)
    monkeypatch.setattr(time, "time", lambda: 5000.0 + at)
    monkeypatch.setattr(history, "cores", lambda: cores)


def test_a_session_has_the_least_and_the_most_load(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = list[Session]()
    busy(monkeypatch, 2.0)
    recorder = Recorder(3, kept.append)
    for number, load in enumerate((1.0, 3.0, 1.5)):
        busy(monkeypatch, load, at=number * PERIOD)
        recorder.look()
    assert kept[-1] == Session(5000.0, 5000.0 + 2 * PERIOD, 3, 4, 1.0, 3.0)


def test_it_is_kept_from_time_to_time_and_at_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = list[Session]()
    Recorder(1, kept.append).close()
    assert not kept, "without a game"
    busy(monkeypatch, 1.0)
    recorder = Recorder(1, kept.append)
    for at in (1.0, 2.0, PERIOD):
        busy(monkeypatch, 1.0, at=at)
        recorder.look()
    recorder.close()
    assert [session.ended - 5000 for session in kept] == [1.0, PERIOD]


def test_a_load_is_one_of_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    sessions = [Session(0, 1, 1, cores, 0.0, load) for cores, load in ((2, 3.0), (8, 4.0))]
    assert load_of(sessions) == 1.5
    busy(monkeypatch, 8.5, cores=4)
    assert [*overload_notes([TIMED])]
    busy(monkeypatch, 8.5, cores=8)
    assert not [*overload_notes([TIMED])]
    busy(monkeypatch, 8.5, cores=1)
    assert not [*overload_notes([Limit(depth=3)])]


def on(machine: str, number: int, reason: str = "line") -> GameRecord:
    played = game("a", "b", 1, str(number))
    return replace(played, machine=machine, reason=reason, start="s", digest=str(number))


def test_games_know_their_machine_of_which_the_latest_is_kept(tmp_path: Path) -> None:
    with closing(Store(tmp_path / "arena.db")) as store:
        for number in range(6):
            reason = "time" if number == 3 else "line"
            store.append(on("slow" if number % 2 else "fast", number, reason))
        assert [each.machine for each in store.games()] == ["fast", "slow"] * 3
        keep_machine(store, Machine("fast", 4, 8000))
        keep_machine(store, Machine("fast", 8, 8000))
        fast, slow = machine_rows(store)
        assert fast == {"name": "fast", "cores": 8, "megabytes": 8000, "games": 3, "late": 0}
        assert (slow["name"], slow["cores"], slow["games"], slow["late"]) == ("slow", 0, 3, 1)


def test_the_report_shows_machines_and_which_stands_out(write: Write, tmp_path: Path) -> None:
    run = arena.run(write(ROUND.replace("count: 2", "count: 4")), workers=0, results=tmp_path)
    folder, slow = run.folder, "SELECT id FROM names WHERE name = 'slow'"
    edited_games(folder, lambda game: replace(game, machine="fast"))
    edit(folder, "INSERT INTO names (name) VALUES ('slow')")
    edit(folder, f"UPDATE games SET machine = ({slow}), reason = 'time' WHERE id < 5")
    with closing(Store(run.folder / "arena.db")) as store:
        keep_machine(store, Machine("fast", 8, 16384))
    report = arena.open_run(run.folder).report()
    assert len(report.games) == 24
    fast, slow = report.machines.to_dict("records")
    assert (fast["games"], fast["late"], slow["games"], slow["late"]) == (20, 0, 4, 4)
    (note,) = [note for note in report.notes if "stands out" in note]
    assert note.startswith("slow stands out: 4 of its 4 games were lost on time, and 0 of 20 on")


def test_a_run_with_scaled_limits_is_told_and_not_gone_on_with(
    write: Write, tmp_path: Path
) -> None:
    run = arena.run(write(ROUND), workers=0, results=tmp_path)
    more = write("    scale: false\n" + ROUND.replace("count: 2", "count: 3"), "round.yaml")
    for is_scaled in (False, True):
        with closing(Store(run.folder / "arena.db")) as store:
            keep_machine(store, Machine("fast", 8, 16384))
            store.note({**store.facts(), "scale": is_scaled})
        notes = arena.open_run(run.folder).report().notes
        assert any("scaled by each machine's speed" in note for note in notes) is is_scaled
        if not is_scaled:
            assert len(arena.run(more, workers=0, results=tmp_path).games()) == 18
    before = (run.folder / "arena.db").read_bytes()
    with pytest.raises(ConfigError, match="key 'scale' is gone: leave slow machines out"):
        arena.run(more, workers=0, results=tmp_path)
    assert (run.folder / "arena.db").read_bytes() == before


@pytest.mark.parametrize(
    ("own", "others", "is_named"),
    [
        ((10, 10), (20, 0), True),
        ((2, 2), (20, 0), False),  # chance: 1 in 231
        ((1000, 30), (9000, 30), True),
        ((1000, 15), (9000, 90), False),
        ((100, 100), (100, 95), False),  # hard on all
        ((1000, 0), (1000, 50), False),  # better than the others
        ((40, 40), (0, 0), False),  # there are no others
    ],
)
def test_a_machine_stands_out_if_chance_does_not_explain_its_losses_on_time(
    own: tuple[int, int], others: tuple[int, int], is_named: bool
) -> None:
    both = {"own": own, "others": others}
    rows = [{"name": name, "games": each[0], "late": each[1]} for name, each in both.items()]
    notes = list(machine_notes(rows, was_scaled=False))
    assert any(note.startswith("own stands out") for note in notes) == is_named


def test_the_test_is_fishers() -> None:
    for late, games, all_late, all_games in ((3, 10, 5, 50), (30, 1000, 60, 10_000)):
        rest = all_late - late, all_games - games - (all_late - late)
        table = [[late, games - late], [*rest]]
        expected = fisher_exact(table, alternative="greater").pvalue
        assert chance_of_late(late, games, all_late, all_games) == pytest.approx(expected)
