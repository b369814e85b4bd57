"""Games of a cluster's machines: where they were played, and machines that lose on time."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from scipy.stats import fisher_exact
from support.edited_runs import edit, edited_games
from support.game_records import game
from support.samples import ROUND, Write

import arena
from arena.errors import ConfigError
from arena.match.record import GameRecord
from arena.storage.database import (
    Machine,
    Store,
    chance_of_late,
    keep_machine,
    machine_notes,
    machine_rows,
)


def on(machine: str, number: int, reason: str = "line") -> GameRecord:
    played = game("a", "b", 1, str(number))
    return replace(played, machine=machine, reason=reason, start="s", digest=str(number))


@pytest.fixture
def store(tmp_path: Path) -> Store:
    found = Store(tmp_path / "arena.db")
    for number in range(6):
        found.append(
            on("slow" if number % 2 else "fast", number, "time" if number == 3 else "line")
        )
    return found


def test_a_game_knows_the_machine_that_played_it(store: Store) -> None:
    with closing(store):
        assert [each.machine for each in store.games()] == ["fast", "slow"] * 3
        rows = {each["name"]: (each["games"], each["late"]) for each in machine_rows(store)}
        assert rows == {"fast": (3, 0), "slow": (3, 1)}


def test_what_is_known_of_a_machine_is_replaced_by_what_is_seen_later(store: Store) -> None:
    with closing(store):
        keep_machine(store, Machine("fast", 4, 8000))
        keep_machine(store, Machine("fast", 8, 8000))
        fast, slow = machine_rows(store)
        assert fast == {"name": "fast", "cores": 8, "megabytes": 8000, "games": 3, "late": 0}
        assert (slow["name"], slow["cores"]) == ("slow", 0)


def test_a_run_at_home_has_no_machines(write: Write, tmp_path: Path) -> None:
    run = arena.run(write(ROUND), workers=0, results=tmp_path)
    with closing(Store(run.folder / "arena.db", read_only=True)) as store:
        assert machine_rows(store) == []
        assert {each.machine for each in store.games()} == {""}
    assert run.report().machines.empty
    assert "machine" not in run.games()


def test_the_report_shows_machines_and_names_one_that_stands_out(
    write: Write, tmp_path: Path
) -> None:
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


def test_a_run_whose_limits_were_scaled_is_reported_so_and_not_gone_on_with(
    write: Write, tmp_path: Path
) -> None:
    file = write(ROUND.replace("count: 2", "count: 4"))
    run = arena.run(write(ROUND), workers=0, results=tmp_path)
    for is_scaled in (False, True):
        with closing(Store(run.folder / "arena.db")) as store:
            keep_machine(store, Machine("fast", 8, 16384))
            store.note({**store.facts(), "scale": is_scaled})
        notes = arena.open_run(run.folder).report().notes
        assert any("scaled by each machine's speed" in note for note in notes) is is_scaled
    before = (run.folder / "arena.db").read_bytes()
    with pytest.raises(ConfigError, match="key 'scale' is gone: leave slow machines out"):
        arena.run(file, workers=0, results=tmp_path)
    assert (run.folder / "arena.db").read_bytes() == before


def test_games_that_were_played_without_are_gone_on_with(write: Write, tmp_path: Path) -> None:
    run = arena.run(write(ROUND), workers=0, results=tmp_path)
    with closing(Store(run.folder / "arena.db")) as store:
        store.note({**store.facts(), "scale": False})
    more = arena.run(
        write(f"    scale: false\n{ROUND.replace('count: 2', 'count: 4')}"),
        workers=0,
        results=tmp_path,
    )
    assert len(more.games()) > len(run.games()) > 0


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
    rows = [
        {"name": name, "games": games, "late": late}
        for name, (games, late) in (("own", own), ("others", others))
    ]
    notes = list(machine_notes(rows, was_scaled=False))
    assert any(note.startswith("own stands out") for note in notes) == is_named


def test_the_test_is_fishers() -> None:
    for late, games, all_late, all_games in ((3, 10, 5, 50), (30, 1000, 60, 10_000)):
        rest = all_late - late, all_games - games - (all_late - late)
        table = [[late, games - late], [*rest]]
        expected = fisher_exact(table, alternative="greater").pvalue
        assert chance_of_late(late, games, all_late, all_games) == pytest.approx(expected)
