"""Results folders of an earlier version, killed in the middle: they are read and gone on with.

They are never to be made anew: that the code of today reads its own folders is tested elsewhere.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from shutil import copytree

import pandas as pd
from pandas.testing import assert_frame_equal

import arena

DATA = Path(__file__).parents[1] / "data"
ROUND = DATA / "half_done_round.yaml"
STUDY = DATA / "half_done_study.yaml"
KEY = ["first", "second", "opening", "round"]


def copied(config: Path, results: Path) -> Path:
    """The folder that this config left behind, to be written to."""
    return Path(copytree(config.with_suffix(""), results / config.stem))


def games_of(folder: Path) -> pd.DataFrame:
    """Every game that is kept, a trial's too, in an order that knows nothing of time."""
    with closing(sqlite3.connect(folder / "arena.db")) as database:
        return pd.read_sql("SELECT * FROM games", database).sort_values(KEY, ignore_index=True)


def assert_finished(folder: Path, left: pd.DataFrame, fresh: Path) -> None:
    """All games are those of a fresh run, and none that was left was played again."""
    games = games_of(folder)
    assert 0 < len(left) < len(games)
    assert_frame_equal(games.drop(columns="times"), games_of(fresh).drop(columns="times"))
    assert_frame_equal(games.merge(left[KEY])[left.columns], left)


def test_a_tournament_of_an_earlier_version_is_read(tmp_path: Path) -> None:
    run = arena.open_run(copied(ROUND, tmp_path))
    assert len(run.games()) == 25
    assert run.standings()["games"].sum() == 2 * 25


def test_games_of_an_earlier_version_are_marked_as_they_are_read(tmp_path: Path) -> None:
    folder = copied(ROUND, tmp_path)
    before = (folder / "arena.db").read_bytes()
    found = arena.open_run(folder).games()
    fresh = arena.run(ROUND, workers=0, results=tmp_path / "fresh").games()
    marks = [*KEY, "start", "digest"]
    assert_frame_equal(found[marks], fresh.merge(found[KEY])[marks])
    assert (folder / "arena.db").read_bytes() == before


def test_without_its_config_a_game_of_an_earlier_version_is_marked_by_its_text(
    tmp_path: Path,
) -> None:
    folder = copied(ROUND, tmp_path)
    with closing(sqlite3.connect(folder / "arena.db")) as database:
        database.execute("DELETE FROM facts")
        database.commit()
    games = arena.open_run(folder).games()
    assert games["digest"].nunique() == games["moves"].nunique()
    assert games["start"].nunique() == games["opening"].nunique()


def test_a_tournament_of_an_earlier_version_is_gone_on_with(tmp_path: Path) -> None:
    folder = copied(ROUND, tmp_path)
    left = games_of(folder)
    fresh = arena.run(ROUND, workers=0, results=tmp_path / "fresh")
    run = arena.run(ROUND, workers=0, results=tmp_path)
    assert_finished(folder, left, fresh.folder)
    assert_frame_equal(run.games().drop(columns="times"), fresh.games().drop(columns="times"))


def test_a_study_of_an_earlier_version_is_read(tmp_path: Path) -> None:
    frames = arena.open_study(copied(STUDY, tmp_path)).frames()
    assert list(frames.trials["trial"]) == [1, 2]
    assert frames.parameters["tuned"].notna().all()


def test_a_study_of_an_earlier_version_is_gone_on_with(tmp_path: Path) -> None:
    folder = copied(STUDY, tmp_path)
    left = games_of(folder)
    said = tmp_path / STUDY.name  # a new study has to say what varies; one that was begun does not
    said.write_text(STUDY.read_text(encoding="utf-8") + "vary: {}\n", encoding="utf-8")
    fresh = arena.tune(said, workers=0, results=tmp_path / "fresh")
    study = arena.tune(STUDY, workers=0, results=tmp_path)
    assert_finished(folder, left, fresh.folder)
    assert_frame_equal(study.frames().trials, fresh.frames().trials)
    assert_frame_equal(study.frames().parameters, fresh.frames().parameters)
    assert_frame_equal(study.frames().verification, fresh.frames().verification)
