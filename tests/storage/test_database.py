"""Databases that other programs have written, or that were edited: messages, never tracebacks."""

from __future__ import annotations

import shutil
import sqlite3
import tracemalloc
import zlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

import pytest
import sqlalchemy as sql
from pandas.testing import assert_frame_equal
from support.edited_runs import edit, edited_texts, loosen
from support.samples import ROUND, Write
from support.studies import tuned

import arena
from arena import ConfigError, Run
from arena.storage import connection
from arena.storage.connection import set_pragmas, url
from arena.storage.tables import MAX_TEXTS, METADATA, TEXT_FIELDS
from arena.tournament.combine import report_runs
from arena.tournament.run import RunProgress


@pytest.fixture
def run(write: Write) -> Run:
    return arena.run(write(), workers=0, results=write().parent)


COSTS = {field: f"its {field} are not numbers" for field in ("times", "nodes", "depths")}
FEW = {"depths": "", "nodes": "1", "scores": "-"}


@pytest.mark.parametrize(
    ("field", "text", "words"),
    [
        *((field, "soon 0.1", words) for field, words in COSTS.items()),
        *((field, "\udcff", words) for field, words in COSTS.items()),
        *((field, text, ".* are not as many numbers each") for field, text in FEW.items()),
    ],
)
def test_a_game_whose_costs_are_no_numbers_is_named(
    run: Run, field: str, text: str, words: str
) -> None:
    edited_texts(run.folder, 3, **{field: text})
    report = report_runs([run.folder, other(run)]) if text in FEW.values() else run.report()
    with pytest.raises(ConfigError, match=rf"game \d+: {words}"):
        report.moves()


def test_so_is_one_whose_scores_are_none(run: Run) -> None:
    edited_texts(run.folder, 3, scores="good -")
    edit(run.folder, "UPDATE games SET scored = 1")
    with pytest.raises(ConfigError, match=r"round, game \d+: its scores are not numbers"):
        arena.open_run(run.folder).report()


@pytest.mark.parametrize(
    "change",
    [
        ["ALTER TABLE games DROP COLUMN machine"],
        ["ALTER TABLE machines ADD COLUMN left_out TEXT"],
        ["ALTER TABLE games ADD COLUMN more INTEGER"],
        ["ALTER TABLE games RENAME COLUMN texts TO times"],
    ],
)
def test_a_database_of_another_version_is_refused_with_advice(run: Run, change: list[str]) -> None:
    edit(run.folder, *change)
    config, before = run.folder.parent / "round.yaml", (run.folder / "arena.db").read_bytes()
    refusal = r"round/arena\.db: was kept by another version .*: go on with it, or export its games"
    with pytest.raises(ConfigError, match=refusal):
        arena.open_run(run.folder).report()
    with pytest.raises(ConfigError, match=refusal):
        arena.run(config, workers=0, results=run.folder.parent)
    assert (run.folder / "arena.db").read_bytes() == before
    assert len(arena.run(config, workers=0, results=run.folder.parent, fresh=True).games()) == 12


def test_a_config_of_another_version_is_refused_with_what_to_do(run: Run) -> None:
    file = run.folder / "config.yaml"
    file.write_text(file.read_text().replace("remarks: false\n", ""))
    with pytest.raises(ConfigError, match="'remarks'; if it was kept by another version"):
        arena.open_run(run.folder)


@pytest.mark.parametrize("moment", [2**62, -1.0, 1e300])
def test_a_session_at_no_moment_is_refused(run: Run, moment: float) -> None:
    edit(run.folder, f"UPDATE sessions SET began = {moment}")
    with pytest.raises(ConfigError, match="its table sessions has other values than a run keeps"):
        run.report()


def other(run: Run) -> Path:
    file = run.folder.parent / "other.yaml"
    file.write_text((run.folder.parent / "round.yaml").read_text())
    return arena.run(file, workers=0, results=file.parent).folder


TEXTS = b"\0" * len(TEXT_FIELDS)  # the texts of a game, all of them empty


def blown(head: bytes, content: bytes, megabytes: int) -> bytes:
    squeeze = zlib.compressobj()
    parts = [squeeze.compress(part) for part in (head, *[content * 2**20] * megabytes)]
    return b"".join([*parts, squeeze.flush()])


BLOBS = {
    "no blob": b"",
    "no zlib": b"\xff\x00 texts",
    "cut": zlib.compress(TEXTS)[:-4],
    "no UTF-8": zlib.compress(b"\xff" + TEXTS),
    "too few": zlib.compress(TEXTS[1:]),
    "too many": zlib.compress(TEXTS + b"\0swap"),
    "no proposer": zlib.compress(TEXTS + b"\0swap\0one\0\0"),
    "short, no UTF-8": TEXTS + b"\xff",
    "short, too few": TEXTS[1:],
    "short, too many": TEXTS + b"\0swap",
    "without an end": blown(TEXTS, b"1", 65),
    "of parts without an end": blown(b"", b"\0", 60),
}
REFUSED = r"arena\.db: its table games has other values than a run keeps"


@pytest.mark.parametrize("kind", BLOBS)
def test_texts_that_are_none_are_refused(run: Run, kind: str) -> None:
    edit(run.folder, "UPDATE games SET texts = ? WHERE id = 3", values=(BLOBS[kind],))
    again = arena.open_run(run.folder)
    assert again.report().count == 12, "which need no texts"
    tracemalloc.start()
    with pytest.raises(ConfigError, match=REFUSED):
        again.records()
    assert tracemalloc.get_traced_memory()[1] < 5 * MAX_TEXTS
    tracemalloc.stop()


@pytest.mark.parametrize("change", ["winner = 3", "first = 99", "rule = -1", "machine = 99"])
def test_a_row_that_is_no_games_is_refused(run: Run, change: str) -> None:
    update = f"UPDATE games SET {change} WHERE id = 3"
    edit(run.folder, "PRAGMA ignore_check_constraints = ON", update)
    with pytest.raises(ConfigError, match=REFUSED):
        arena.open_run(run.folder).report()


def test_a_game_in_the_place_of_others_is_refused(run: Run) -> None:
    edit(run.folder, "UPDATE names SET name = 'stranger' WHERE name = 'one'")
    with pytest.raises(ConfigError, match=r"arena\.db: has a game of stranger in the place"):
        arena.open_run(run.folder).report()


def test_numbers_of_games_may_be_any(run: Run) -> None:
    """Nothing is made for each number up to the greatest."""
    before = arena.open_run(run.folder).standings()
    edit(run.folder, f"UPDATE games SET id = {2**62} WHERE id = 12")
    assert_frame_equal(arena.open_run(run.folder).standings(), before)


@pytest.mark.parametrize("table", METADATA.tables)
def test_a_table_that_takes_anything_is_refused(run: Run, table: str) -> None:
    loosen(run.folder, table)
    with pytest.raises(ConfigError, match=rf"arena\.db: its table {table} has other values"):
        arena.open_run(run.folder).report()


@pytest.mark.parametrize(
    ("ended", "kind"), [("REAL", "STRICT"), ("INTEGER NOT NULL", "STRICT"), ("REAL NOT NULL", "")]
)
def test_a_table_that_is_not_quite_ours_is_refused(run: Run, ended: str, kind: str) -> None:
    others = "workers INTEGER NOT NULL, cores INTEGER NOT NULL"
    others += ", least_load REAL NOT NULL, most_load REAL NOT NULL"
    for own in (("REAL NOT NULL", "STRICT"), (ended, kind)):
        assert arena.open_run(run.folder).report().count == 12
        columns = f"began REAL NOT NULL PRIMARY KEY, ended {own[0]}, {others}"
        edit(run.folder, "DROP TABLE sessions", f"CREATE TABLE sessions ({columns}) {own[1]}")
    with pytest.raises(ConfigError, match=r"arena\.db: its table sessions has other values"):
        arena.open_run(run.folder).report()


@pytest.mark.parametrize("json", ["{", "[]", "3", "", "[" * 100_000, '{"engines": 3}', "{}"])
def test_facts_that_are_no_config_are_a_message(run: Run, json: str) -> None:
    edit(run.folder, f"UPDATE facts SET json = '{json}'")
    file = run.folder.parent / "round.yaml"
    with pytest.raises(ConfigError, match=r"arena\.db"):
        arena.run(file, workers=0, results=file.parent)


def test_a_database_that_takes_no_game_is_a_message(run: Run, write: Write) -> None:
    full = "CREATE TRIGGER full BEFORE INSERT ON games BEGIN SELECT RAISE(FAIL, 'full'); END"
    edit(run.folder, full)
    more = write(ROUND.replace("count: 2", "count: 3"))
    with pytest.raises(ConfigError, match=r"arena\.db: .*full"):
        arena.run(more, workers=0, results=more.parent)


def test_a_file_whose_schema_is_no_text_is_a_message(run: Run) -> None:
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


def lock_at_game_3(file: Path, locks: ExitStack) -> Callable[[RunProgress], None]:
    def lock(progress: RunProgress) -> None:
        if progress.tally.games == 3:
            locks.enter_context(locked_by_another(file.parent / "round/arena.db", "NORMAL"))

    return lock


@pytest.fixture(name="impatient")
def fixture_impatient(monkeypatch: pytest.MonkeyPatch) -> None:
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
def test_a_database_that_another_program_has_locked_is_a_message(run: Run) -> None:
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

    def wait(seconds: float) -> None:
        waits.append(seconds)
        if len(waits) == 2:
            locks.close()

    monkeypatch.setattr(connection, "TRY_SECONDS", 0.1)
    monkeypatch.setattr(connection, "PAUSE", 0.0)
    monkeypatch.setattr("time.sleep", wait)
    with locks:
        run = arena.run(file, workers=0, results=file.parent, watch=lock_at_game_3(file, locks))
    assert len(run.records()) == run.schedule.total
    assert len(waits) == 2
    assert caplog.text.count("locked by another program") == 1


@pytest.mark.parametrize("of", ["connection", "cursor"])
def test_many_rows_wait_for_locks(of: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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
    file, locks = write(), ExitStack()
    with locks, pytest.raises(ConfigError, match=LOCKED):
        arena.run(file, workers=0, results=file.parent, watch=lock_at_game_3(file, locks))
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
