"""Databases that other programs have written, or that were edited: messages, never tracebacks."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

import pytest
import sqlalchemy as sql
from support.samples import ROUND, Write
from support.studies import tuned

import arena
from arena import ConfigError
from arena.storage import connection
from arena.storage.connection import set_pragmas, url
from arena.storage.tables import METADATA
from arena.tournament.combine import report_runs
from arena.tournament.run import RunProgress


@pytest.fixture
def run(write: Write) -> arena.Run:
    """Twelve games."""
    return arena.run(write(), workers=0, results=write().parent)


def edit(run: arena.Run, *statements: str) -> None:
    with closing(sqlite3.connect(run.folder / "arena.db")) as connection:
        for statement in statements:
            connection.execute(statement)
        connection.commit()


LOOSE = (
    "CREATE TABLE loose AS SELECT * FROM games",
    "DROP TABLE games",
    "ALTER TABLE loose RENAME TO games",
)
"""A table whose columns take anything."""


@pytest.mark.parametrize(
    "change",
    [
        "times = CAST(x'ff' || 'soon 0.1' AS BLOB)",
        "times = CAST(times || x'00' AS BLOB)",
        "depths = x''",
        "depths = CAST(x'ff' || '1\t2' AS BLOB)",
        "nodes = x'ffff'",
        "scores = CAST(x'ff' || 'good -' AS BLOB)",
    ],
)
def test_a_game_whose_costs_are_no_numbers_is_named(run: arena.Run, change: str) -> None:
    edit(run, f"UPDATE games SET {change} WHERE rowid = 3")
    again = arena.open_run(run.folder)
    assert len(again.records()) == 12
    message = r"game \d+: its times, nodes, depths and scores are not as many numbers each"
    with pytest.raises(ConfigError, match=f"round, {message}"):
        again.report()
    with pytest.raises(ConfigError, match=message):
        report_runs([run.folder, other(run)])


@pytest.mark.parametrize(
    "change",
    [
        ["ALTER TABLE games DROP COLUMN machine"],
        ["ALTER TABLE machines ADD COLUMN left_out TEXT"],
        [
            "ALTER TABLE games DROP COLUMN times",
            "ALTER TABLE games ADD COLUMN times TEXT NOT NULL DEFAULT '0.1'",
        ],
    ],
)
def test_a_database_of_another_version_is_refused_with_what_to_do(
    run: arena.Run, change: list[str]
) -> None:
    edit(run, *change)
    config, before = run.folder.parent / "round.yaml", (run.folder / "arena.db").read_bytes()
    refusal = r"round/arena\.db: was kept by another version .*: delete the folder, or choose"
    with pytest.raises(ConfigError, match=refusal):
        arena.open_run(run.folder).report()
    with pytest.raises(ConfigError, match=refusal):
        arena.run(config, workers=0, results=run.folder.parent)
    assert (run.folder / "arena.db").read_bytes() == before
    assert len(arena.run(config, workers=0, results=run.folder.parent, fresh=True).games()) == 12


def test_a_config_of_another_version_is_refused_with_what_to_do(run: arena.Run) -> None:
    file = run.folder / "config.yaml"
    file.write_text(file.read_text().replace("scale: false\n", ""))
    with pytest.raises(ConfigError, match="'scale'; if it was kept by another version"):
        arena.open_run(run.folder)


@pytest.mark.parametrize("moment", [2**62, -1.0, 1e300])
def test_a_session_at_no_moment_is_refused(run: arena.Run, moment: float) -> None:
    edit(run, f"UPDATE sessions SET began = {moment}")
    with pytest.raises(ConfigError, match="its table sessions has other values than a run keeps"):
        run.report()


def other(run: arena.Run) -> Path:
    """A second run of the same game."""
    file = run.folder.parent / "other.yaml"
    file.write_text((run.folder.parent / "round.yaml").read_text())
    return arena.run(file, workers=0, results=file.parent).folder


@pytest.mark.parametrize(
    "change", ["winner = 3", "winner = 'one'", "times = NULL", "plies = 'x'", "moves = x'ff'"]
)
def test_a_row_of_other_types_is_refused(run: arena.Run, change: str) -> None:
    edit(run, *LOOSE, f"UPDATE games SET {change} WHERE rowid = 3")
    with pytest.raises(ConfigError, match=r"arena.db: its table games has other values"):
        arena.open_run(run.folder).report()


@pytest.mark.parametrize("json", ["{", "[]", "3", "", "[" * 100_000, '{"engines": 3}', "{}"])
def test_facts_that_are_no_config_are_a_message(run: arena.Run, json: str) -> None:
    edit(run, f"UPDATE facts SET json = '{json}'")
    file = run.folder.parent / "round.yaml"
    with pytest.raises(ConfigError, match=r"arena\.db"):
        arena.run(file, workers=0, results=file.parent)


def test_a_database_that_takes_no_game_is_a_message(run: arena.Run, write: Write) -> None:
    edit(run, "CREATE TRIGGER full BEFORE INSERT ON games BEGIN SELECT RAISE(FAIL, 'full'); END")
    more = write(ROUND.replace("count: 2", "count: 3"))
    with pytest.raises(ConfigError, match=r"arena\.db: .*full"):
        arena.run(more, workers=0, results=more.parent)


def test_a_file_whose_schema_is_no_text_is_a_message(run: arena.Run) -> None:
    file = run.folder / "arena.db"
    file.write_bytes(file.read_bytes().replace(b"CREATE TABLE games", b"CREATE TABLE gam\x80s"))
    with pytest.raises(ConfigError, match=r"arena\.db: cannot be used as the database of a run"):
        arena.open_run(run.folder).report()


@contextmanager
def locked_by_another(file: Path, mode: str = "EXCLUSIVE") -> Iterator[None]:
    """A database that another program writes to, by default while no other may even read."""
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        connection.execute(f"PRAGMA locking_mode={mode}")
        connection.execute("BEGIN EXCLUSIVE")
        connection.execute("CREATE TABLE theirs (x)")
        yield


@pytest.fixture(name="impatient")
def fixture_impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A wait that is over soon."""
    monkeypatch.setattr(connection, "PATIENCE", 0.3)
    monkeypatch.setattr(connection, "TRY_SECONDS", 0.1)


LOCKED = r"arena\.db: is locked by another program, .*: end that program and try again"


@pytest.mark.parametrize("made", [[], ["games"], ["machines", "facts"]])
def test_a_run_that_was_killed_before_it_had_made_all_tables_goes_on(
    made: list[str], write: Write, tmp_path: Path
) -> None:
    folder = tmp_path / "results" / "round"
    folder.mkdir(parents=True)
    tables = [METADATA.tables[name] for name in made]
    engine = sql.create_engine(url(folder / "arena.db", read_only=False))
    sql.event.listen(engine, "connect", set_pragmas)
    with engine.connect():  # a file, even of no tables
        METADATA.create_all(engine, tables=tables)
    engine.dispose()
    assert (folder / "arena.db").stat().st_size
    run = arena.run(write(ROUND), workers=0, results=tmp_path / "results")
    assert len(run.records()) == run.schedule.total


@pytest.mark.usefixtures("impatient")
def test_a_database_that_another_program_has_locked_is_a_message(run: arena.Run) -> None:
    with locked_by_another(run.folder / "arena.db"):
        with pytest.raises(ConfigError, match=LOCKED):
            arena.open_run(run.folder).report()
        with pytest.raises(ConfigError, match=LOCKED):
            arena.run(run.folder.parent / "round.yaml", workers=0, results=run.folder.parent)
    assert len(arena.open_run(run.folder).report().games) == 12


def test_a_lock_that_is_let_go_costs_no_game(
    write: Write, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    file, locks, waits = write(), ExitStack(), list[float]()

    def lock(progress: RunProgress) -> None:
        if progress.tally.games == 3:
            locks.enter_context(locked_by_another(file.parent / "round/arena.db", "NORMAL"))

    def wait(seconds: float) -> None:
        waits.append(seconds)
        if len(waits) == 2:
            locks.close()

    monkeypatch.setattr(connection, "TRY_SECONDS", 0.1)
    monkeypatch.setattr(connection, "PAUSE", 0.0)
    monkeypatch.setattr("time.sleep", wait)
    with locks:
        run = arena.run(file, workers=0, results=file.parent, watch=lock)
    assert len(run.records()) == run.schedule.total
    assert len(waits) == 2
    assert caplog.text.count("locked by another program") == 1


@pytest.mark.parametrize("of", ["connection", "cursor"])
def test_many_rows_at_once_wait_for_a_lock_too(
    of: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "TRY_SECONDS", 0.0)
    with (
        ExitStack() as locks,
        closing(sqlite3.connect(tmp_path / "x.db", **connection.patient())) as ours,
    ):
        ours.execute("CREATE TABLE ours (x)")
        locks.enter_context(locked_by_another(tmp_path / "x.db", "NORMAL"))
        monkeypatch.setattr("time.sleep", lambda _: locks.close())
        act = ours if of == "connection" else ours.cursor()
        act.executemany("INSERT INTO ours VALUES (?)", ((i,) for i in range(3)))
        assert [*ours.execute("SELECT x FROM ours")] == [(0,), (1,), (2,)]


@pytest.mark.usefixtures("impatient")
def test_one_that_is_locked_while_games_are_played_keeps_those_that_it_has(write: Write) -> None:
    file = write()
    locks = ExitStack()

    def lock(progress: RunProgress) -> None:
        if progress.tally.games == 3:
            locks.enter_context(locked_by_another(file.parent / "round/arena.db", "NORMAL"))

    with locks, pytest.raises(ConfigError, match=LOCKED):
        arena.run(file, workers=0, results=file.parent, watch=lock)
    assert len(arena.open_run("round", results=file.parent).report().games) == 3


@pytest.mark.slow
@pytest.mark.usefixtures("impatient")
def test_the_database_of_a_study_that_is_locked_is_a_message_too(write: Write) -> None:
    study = tuned(write, stop=lambda: True)
    with locked_by_another(study.folder / "arena.db"), pytest.raises(ConfigError, match=LOCKED):
        tuned(write)


@pytest.mark.parametrize("is_moved", [False, True])
def test_a_run_whose_folder_goes_ends_at_the_next_game(is_moved: bool, write: Write) -> None:
    file, played = write(), list[int]()

    def remove(progress: RunProgress) -> None:
        played.append(progress.tally.games)
        if progress.tally.games == 3:
            folder = file.parent / "round"
            folder.rename(file.parent / "elsewhere") if is_moved else shutil.rmtree(folder)

    with pytest.raises(ConfigError, match="was removed or moved while games were played") as raised:
        arena.run(file, workers=0, results=file.parent, watch=remove)
    assert raised.value.status == 2
    assert played == [0, 1, 2, 3]


@pytest.mark.slow
def test_a_copy_for_optuna_that_is_broken_is_a_message(write: Write) -> None:
    study = tuned(write, stop=lambda: True)
    with closing(sqlite3.connect(study.folder / "arena.db")) as connection:
        connection.execute("UPDATE studies SET study_id = 77")
        connection.commit()
    with pytest.raises(ConfigError, match=r"arena\.db: its copy for Optuna cannot be used"):
        tuned(write)
