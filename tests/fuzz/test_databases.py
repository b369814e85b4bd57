"""Databases that others have written over: every table of them, and what is no database."""

from __future__ import annotations

import gc
import shutil
import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st
from hypothesis.strategies import DrawFn
from support.rubbish import OFTEN, no_games, typed
from support.samples import ROUND
from support.studies import COIN, STUDY

import arena
from arena import ConfigError
from arena.storage.tables import METADATA, TEXT_FIELDS
from arena.tuning.study import Pace

pytestmark = [
    pytest.mark.slow,
    pytest.mark.sweep,
    # Optuna leaves its connection open where it stumbles over damaged tables.
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]


@pytest.fixture(autouse=True)
def collected() -> Iterator[None]:
    """Collect a test's garbage before the next one, which does not ignore it."""
    yield
    gc.collect()


TABLES = {name: [column.name for column in table.c] for name, table in METADATA.tables.items()}
OPTUNA = {
    "studies": ["study_name", "study_id"],
    "study_directions": ["direction", "objective"],
    "trials": ["number", "study_id", "state", "datetime_complete"],
    "trial_params": ["param_value", "distribution_json"],
    "trial_values": ["objective", "value", "value_type"],
    "trial_user_attributes": ["key", "value_json"],
    "version_info": ["schema_version"],
}  # tables of a study's copy for Optuna
VALUES: list[Any] = [
    *(None, 0, 1, 2, 3, -1, 2**62, 1.5, float("inf"), b"", b"\xff\x00", "", " ", "one", "two"),
    *("1", "0.1 0.2", "0.1  0.2", "1 x", "nan inf", "9" * 400, "\x1b[31m", "\ud7ff", "a\nb", "-"),
    *("{", "{}", "[]", "null", '{"name": 1}', '{"engines": [{}]}', "[" * 10**5, "line", "7,7"),
]
words = st.sampled_from([str(value).encode("utf-8", "surrogatepass") for value in VALUES])
blobs = st.lists(words, min_size=len(TEXT_FIELDS) - 3, max_size=len(TEXT_FIELDS) - 3).flatmap(
    lambda texts: st.sampled_from([b"0\0\0", b"1\0x\0stay", b"2\0\0swap three:1 x", b"x"]).map(
        lambda made: zlib.compress(b"\0".join([*texts, made]))
    )
)  # the texts of a game, which may be anything
READERS = [
    *(["report", "study"], ["run", "played.yaml", "--workers", "0"]),
    *(["report", "played", *form] for form in ([], ["--json"], ["--format", "markdown"])),
    *(["report", name, "--format", "html"] for name in ("played", "study")),
    ["report", "played", "--format", "csv", "--frame", "games"],
    *(["report", "played", "other", "--anchor", "one"], ["replay", "played", "1"]),
]


@st.composite
def damage(draw: DrawFn, tables: dict[str, list[str]] = TABLES) -> tuple[str, ...]:
    """One thing done to a database: its kind, table and column, and a value."""
    table = draw(st.sampled_from(sorted(tables)))
    kinds = ["value", "value", "value", "all", "half", "rows", "column", "table"]
    kind, column = draw(st.sampled_from(kinds)), draw(st.sampled_from(tables[table]))
    return kind, table, column, draw(blobs if column == "texts" else st.sampled_from(VALUES))


def do(connection: sqlite3.Connection, kind: str, table: str, column: str, value: object) -> None:
    """Do it, in our strict table if that takes it, or in one that takes anything."""
    if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = ?", [table]).fetchone():
        return
    known = [row[1] for row in connection.execute(f'PRAGMA table_info("{table}")')]
    if column not in known:
        return
    if kind in ("value", "all"):
        last = f' WHERE rowid = (SELECT max(rowid) FROM "{table}")' if kind == "value" else ""
        with suppress(sqlite3.IntegrityError, sqlite3.OperationalError):
            connection.execute(f'UPDATE "{table}" SET "{column}" = ?{last}', [value])
            connection.commit()
            return
        connection.rollback()
    if kind == "half":
        connection.execute(f'DELETE FROM "{table}" WHERE rowid % 2')
        connection.commit()
        return
    connection.execute("DROP TABLE IF EXISTS loose")
    connection.execute(f'CREATE TABLE loose AS SELECT * FROM "{table}"')
    connection.execute(f'DROP TABLE "{table}"')
    if kind in ("value", "all"):
        connection.execute(f'UPDATE loose SET "{column}" = ?', [value])
    elif kind == "rows":
        connection.execute("INSERT INTO loose SELECT * FROM loose")
    elif kind == "column" and len(known) > 1:
        connection.execute(f'ALTER TABLE loose DROP COLUMN "{column}"')
    if kind != "table":
        connection.execute(f'ALTER TABLE loose RENAME TO "{table}"')
    connection.commit()


@pytest.fixture(scope="module", autouse=True)
def runs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("fuzz")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        Path("coin.py").write_text(COIN)
        for name in ("played", "other"):
            Path(f"{name}.yaml").write_text(ROUND)
            arena.run(f"{name}.yaml", workers=0)
        Path("study.yaml").write_text(STUDY.replace("budget: 120", "budget: 16"))
        arena.tune("study.yaml", workers=0)
        for name in ("played", "study"):
            with closing(sqlite3.connect(f"results/{name}/arena.db")) as connection:
                connection.execute("VACUUM INTO ?", [f"{name}.db"])  # with what is in the WAL
        patch.setattr("arena.workers.pool.Local.play", no_games)
        patch.setattr("arena.tournament.replay.play_again", lambda run, record: record)
        patch.setattr("arena.tuning.report.study_charts.draw", lambda *_: [])
        patch.setattr("arena.tuning.study.sampled_pace", lambda *_: Pace(1.0, 1, 0))
        yield folder


def damaged(name: str, wounds: list[tuple[Any, ...]]) -> Path:
    file = Path(f"results/{name}/arena.db")
    for each in file.parent.glob("arena.db*"):
        each.unlink()
    shutil.copy(f"{name}.db", file)
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA synchronous = OFF")
        connection.execute("PRAGMA ignore_check_constraints = ON")
        for wound in wounds:
            do(connection, *wound)
    return file


def name_of(reader: list[str]) -> str:
    return "study" if "study" in reader else "played"


@given(wounds=st.lists(damage(), max_size=3), reader=st.sampled_from(READERS))
@OFTEN
def test_a_database_is_read_or_refused(wounds: list[tuple[Any, ...]], reader: list[str]) -> None:
    damaged(name_of(reader), wounds)
    result = typed(*reader)
    if isinstance(result.exception, ConfigError):
        # Without its facts a run does not know its players' code: none is in both runs.
        named = ("arena.db", "game", "unknown player 'one'; there is one (other)")
        assert any(words in str(result.exception) for words in named)


@given(wounds=st.lists(damage(OPTUNA | TABLES), min_size=1, max_size=2))
@settings(OFTEN, max_examples=OFTEN.max_examples // 25)
def test_a_study_goes_on_or_refuses(wounds: list[tuple[Any, ...]]) -> None:
    damaged("study", wounds)
    typed("tune", "study.yaml", "--workers", "0")


@given(
    start=st.integers(0, 30_000),
    rubbish=st.binary(max_size=200),
    is_cut=st.booleans(),
    reader=st.sampled_from(READERS),
)
@settings(OFTEN, max_examples=OFTEN.max_examples // 10)
def test_so_is_a_file_that_is_no_whole_database(
    start: int, rubbish: bytes, is_cut: bool, reader: list[str]
) -> None:
    file = damaged(name_of(reader), [])
    content = file.read_bytes()
    rest = b"" if is_cut else content[start + len(rubbish) :]
    file.write_bytes(content[:start] + rubbish + rest)
    typed(*reader)
