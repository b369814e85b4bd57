"""Games of a cluster's machines: who played them, and which of them do not count."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from shutil import copytree

import pytest
from support.game_records import game
from support.samples import ROUND, Write

import arena
from arena.match.record import GameRecord
from arena.storage.database import Store
from arena.storage.machines import (
    LateGames,
    Machine,
    keep_machine,
    kept_machines,
    late_games,
    machine_rows,
    void,
    voided_games,
)
from arena.tournament.exchange.exporting import export

HALF_DONE = Path(__file__).parents[1] / "data" / "half_done_round"


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
        assert late_games(store) == {"fast": LateGames(3, 0), "slow": LateGames(3, 1)}


def test_games_of_a_machine_that_is_left_out_are_kept_but_not_among_those_that_count(
    store: Store,
) -> None:
    with closing(store):
        before = store.games()
        assert void(store, Machine("slow", 4, 8000, left_out="it is late")) == 3
        assert store.games() == before[::2]
        assert voided_games(store) == before[1::2]
        assert [(each.name, each.left_out) for each in kept_machines(store)] == [
            ("slow", "it is late")
        ]


def test_a_voided_game_is_played_anew_and_may_be_voided_again(store: Store) -> None:
    with closing(store):
        void(store, Machine("slow", 4, 8000, left_out="it is late"))
        store.append(on("other", 1))
        void(store, Machine("other", 4, 8000, left_out="so is this one"))
        store.append(on("fast", 1))
        assert [each.machine for each in voided_games(store)] == ["slow"] * 3 + ["other"]
        assert len(store.games()) == 4


def test_what_is_known_of_a_machine_is_replaced_by_what_is_seen_later(store: Store) -> None:
    with closing(store):
        keep_machine(store, Machine("fast", 4, 8000, 1.0, 0.9, 1.1))
        keep_machine(store, Machine("fast", 4, 8000, 2.0, 0.9, 3.1))
        assert kept_machines(store) == [Machine("fast", 4, 8000, 2.0, 0.9, 3.1)]


def test_nothing_is_voided_if_the_file_cannot_be_written(store: Store) -> None:
    with closing(store):
        before = store.games()
        with store.transaction() as connection:
            connection.exec_driver_sql("CREATE TRIGGER no BEFORE DELETE ON games BEGIN "
                                       "SELECT RAISE(ABORT, 'disk full'); END")  # fmt: skip
        with pytest.raises(arena.ConfigError, match="disk full"):
            void(store, Machine("slow", 4, 8000))
        assert (store.games(), voided_games(store)) == (before, [])


def test_a_run_at_home_has_no_machines(write: Write, tmp_path: Path) -> None:
    run = arena.run(write(ROUND), workers=0, results=tmp_path)
    with closing(Store(run.folder / "arena.db", read_only=True)) as store:
        assert machine_rows(store) == []
        assert {each.machine for each in store.games()} == {""}
    assert run.report().machines.empty
    assert "machine" not in run.games()


def test_a_database_of_an_earlier_version_has_none_and_is_only_read(tmp_path: Path) -> None:
    folder = Path(copytree(HALF_DONE, tmp_path / "half_done_round"))
    before = (folder / "arena.db").read_bytes()
    with closing(Store(folder / "arena.db", read_only=True)) as store:
        assert (machine_rows(store), voided_games(store), late_games(store)) == ([], [], {})
    assert (folder / "arena.db").read_bytes() == before


def test_an_earlier_version_goes_on_with_a_file_of_this_one(tmp_path: Path) -> None:
    with closing(Store(tmp_path / "arena.db")) as store:
        store.append(on("", 1))
    with closing(sqlite3.connect(tmp_path / "arena.db")) as connection:
        names = [row[1] for row in connection.execute("PRAGMA table_info(games)")]
        columns = ", ".join(name for name in names if name != "machine")
        values = columns.replace("round", "round + 1", 1)
        connection.execute(f"INSERT INTO games ({columns}) SELECT {values} FROM games")
        connection.commit()
    with closing(Store(tmp_path / "arena.db")) as store:
        assert [each.round for each in store.games()] == [1, 2]


def voided_run(write: Write, folder: Path) -> arena.Run:
    """A round of which one machine's two games were voided, and played anew by nobody."""
    run = arena.run(write(ROUND), workers=0, results=folder)
    with closing(sqlite3.connect(run.folder / "arena.db")) as connection:
        connection.execute("UPDATE games SET machine = 'fast'")
        connection.execute("UPDATE games SET machine = 'slow', reason = 'time' WHERE rowid < 3")
        connection.commit()
    with closing(Store(run.folder / "arena.db")) as store:
        keep_machine(store, Machine("fast", 8, 16384, 1.25, 1.0, 1.5))
        void(store, Machine("slow", 2, 4096, 0.5, 0.25, 0.5, "2 of its 2 games were lost on time"))
    return arena.open_run(run.folder)


def test_the_report_shows_machines_and_counts_no_voided_game(write: Write, tmp_path: Path) -> None:
    report = voided_run(write, tmp_path).report()
    assert len(report.games) == 10
    assert report.standings["games"].sum() == 20
    fast, slow = report.machines.to_dict("records")
    assert (fast["games"], fast["voided"], slow["games"], slow["voided"]) == (10, 0, 0, 2)
    assert any(
        "2 games are voided" in note and "slow, which was left out, since 2 of its 2" in note
        for note in report.notes
    )


def test_voided_games_are_in_no_export(write: Write, tmp_path: Path) -> None:
    run = voided_run(write, tmp_path)
    file = tmp_path / "games.jsonl"
    assert export(run.folder, form="jsonl", output=file) == 10
    assert "slow" not in file.read_text()


def test_voided_games_are_played_anew_when_the_run_goes_on(write: Write, tmp_path: Path) -> None:
    before = arena.run(write(ROUND), workers=0, results=tmp_path / "home").games()
    folder = voided_run(write, tmp_path).folder
    games = arena.run(write(ROUND), workers=0, results=tmp_path).games()
    assert list(games["digest"]) == list(before["digest"])
    with closing(Store(folder / "arena.db", read_only=True)) as store:
        assert len(voided_games(store)) == 2
