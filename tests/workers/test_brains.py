"""The table of judging: each odd brain gets its verdict, and nothing else suffers or stays."""

from __future__ import annotations

import re
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pandas as pd
import pytest
from support.judged_brains import (
    AFTER_RESTART,
    FIRST_BUILD,
    HEALTHY,
    LEGAL,
    LOSING,
    RANDOM,
    Row,
    match,
    odd_player,
)
from support.processes import nothing_left
from support.sweep import in_turn

import arena
from arena.config.reader import read_config
from arena.config.yaml_file import dump
from arena.errors import ConfigError
from arena.match.record import GameRecord, Job
from arena.workers.referee import Referee

pytestmark = pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="looks at /proc")
LOG_LIMIT = 20_000_000  # Bytes of log that a round may take, even if its brains print without end


@pytest.fixture(scope="module")
def warm(tmp_path_factory: pytest.TempPathFactory) -> None:
    """A process that has played and reported before, and has open what it keeps open."""
    games(write(tmp_path_factory.mktemp("warm"), match(HEALTHY, RANDOM)), workers=2)


@pytest.fixture
def folder(tmp_path: Path, warm: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder to play in; in the end no process works there, and nothing is open or left."""
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setenv("TMPDIR", str(temporary))
    monkeypatch.setattr(tempfile, "tempdir", None)
    with nothing_left(tmp_path):
        yield tmp_path
    assert not [*temporary.iterdir()]
    assert sum(log.stat().st_size for log in tmp_path.rglob("arena.log")) < LOG_LIMIT


def write(folder: Path, tournament: object) -> Path:
    file = folder / "round.yaml"
    file.write_text(dump(tournament), encoding="utf-8")
    return file


def games(file: Path, workers: int) -> pd.DataFrame:
    results = file.parent / f"results-{workers}-{time.monotonic_ns()}"
    return arena.run(file, workers=workers, results=results).report().games.drop(columns="times")


def assert_verdicts(games: pd.DataFrame, row: Row) -> None:
    """The odd one has lost all its games, for its reason, in its own words, and in time."""
    assert len(games)
    assert (games["winner"] == 1 + games["first"].eq("odd")).all()
    assert set(games["reason"]) == {row.reason}
    for detail in games["detail"]:
        assert re.search(row.words, detail)
        if over := re.match(r"([\d.]+) s over", detail):
            assert float(over[1]) < 1


def odd_ones(games: pd.DataFrame) -> pd.Series:
    return games[["first", "second"]].eq("odd").any(axis=1)


def one_game(folder: Path, row: Row) -> GameRecord:
    """The first game of the odd one, in this process."""
    config = read_config(write(folder, match(odd_player(row), RANDOM)))
    with closing(Referee(config.terms, config.players)) as referee:
        return referee.play(Job("odd", "two", "3,3 2,2"))


@pytest.mark.parametrize("row", [row for row in LOSING if not row.is_slow], ids=str)
def test_a_bad_brain_loses(folder: Path, row: Row) -> None:
    record = one_game(folder, row)
    assert (record.winner, record.reason) == (2, row.reason)
    assert re.search(row.words, record.detail)


@pytest.fixture(scope="module")
def calm_moves(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The moves of a game in which no player does anything odd."""
    return one_game(tmp_path_factory.mktemp("calm"), Row("none")).moves


@pytest.mark.parametrize("row", [row for row in LEGAL if not row.is_slow], ids=str)
def test_what_is_legal_costs_nothing(folder: Path, calm_moves: str, row: Row) -> None:
    assert one_game(folder, row).moves == calm_moves


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> pd.DataFrame:
    """The games of a round in which no player does anything odd."""
    file = write(tmp_path_factory.mktemp("calm"), match(HEALTHY, odd_player(Row("none")), RANDOM))
    return games(file, workers=1)


def by_workers(rows: list[Row]) -> list[tuple[Row, int]]:
    """Some rows with one worker, and others with two; in a sweep all with both."""
    return [*((row, 1) for row in in_turn(rows)), *((row, 2) for row in in_turn(rows, 5))]


@pytest.mark.slow
@pytest.mark.sweep
@pytest.mark.parametrize(("row", "workers"), by_workers(LOSING), ids=str)
def test_a_bad_brain_harms_itself_only(
    folder: Path, undisturbed: pd.DataFrame, row: Row, workers: int
) -> None:
    played = games(write(folder, match(HEALTHY, odd_player(row), RANDOM)), workers)
    assert_verdicts(played[odd_ones(played)], row)
    pd.testing.assert_frame_equal(played[~odd_ones(played)], undisturbed[~odd_ones(undisturbed)])


@pytest.mark.slow
@pytest.mark.sweep
@pytest.mark.parametrize(("row", "workers"), by_workers(LEGAL), ids=str)
def test_an_odd_brain_changes_no_game(
    folder: Path, undisturbed: pd.DataFrame, row: Row, workers: int
) -> None:
    played = games(write(folder, match(HEALTHY, odd_player(row), RANDOM)), workers)
    pd.testing.assert_frame_equal(played, undisturbed)


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("row", AFTER_RESTART, ids=str)
def test_a_restart_that_breaks_a_brain_costs_no_game_and_is_told_once(
    folder: Path,
    undisturbed: pd.DataFrame,
    row: Row,
    workers: int,
    capfd: pytest.CaptureFixture[str],
) -> None:
    played = games(write(folder, match(HEALTHY, odd_player(row), RANDOM)), workers)
    pd.testing.assert_frame_equal(played, undisturbed)
    assert capfd.readouterr().err.count(" failed after RESTART (") == 1


def test_a_brain_that_fails_after_restart_and_in_a_new_process_loses(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    config = read_config(write(folder, match(odd_player(Row("ERROR in later games")), RANDOM)))
    with closing(Referee(config.terms, config.players)) as referee:
        first, *later = (referee.play(Job("odd", "two", "3,3 2,2")) for _ in range(3))
    assert first.reason == "line"
    assert {(record.winner, record.reason) for record in later} == {(2, "exception")}
    assert "failed after RESTART" not in caplog.text


def test_a_brain_that_restart_breaks_is_told_all_of_the_game_by_a_new_process(folder: Path) -> None:
    config = read_config(write(folder, match(odd_player(Row("ERROR after RESTART")), RANDOM)))
    with closing(Referee(config.terms, config.players)) as referee:
        first, again = (referee.play(Job("odd", "two", "3,3 2,2")) for _ in range(2))
    assert first.moves == again.moves
    assert first.reason == again.reason == "line"


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 2])
def test_two_bad_brains_alone_do_not_hold_each_other_up(folder: Path, workers: int) -> None:
    """Each hangs at its third move, also in the very last game, with nothing to wait for."""
    players = [{**odd_player(Row("hangs, deaf")), "name": name} for name in ("one", "two")]
    began = time.monotonic()
    played = games(write(folder, match(*players)), workers)
    assert set(played["reason"]) == {"time"}
    assert set(played["winner"]) == {2}  # Black is the first to be asked a third time
    assert time.monotonic() - began < 2 * (0.4 + 1 + 1.5)


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 2])
def test_a_hang_without_a_limit_of_time_is_judged_by_hang(folder: Path, workers: int) -> None:
    odd = {**odd_player(Row("hangs")), "limit": {}}
    played = games(write(folder, match(HEALTHY, odd, hang=0.5)), workers)
    assert_verdicts(played, Row("hangs", "hang"))


@pytest.mark.parametrize("row", FIRST_BUILD, ids=str)
def test_a_fault_at_the_first_build_is_the_files(folder: Path, row: Row) -> None:
    file = write(folder, match(HEALTHY, odd_player(row)))
    with pytest.raises(ConfigError, match=row.words) as raised:
        games(file, workers=1)
    assert "round.yaml:" in str(raised.value)


@pytest.mark.slow
def test_tables_that_are_kept_show_in_later_games_of_one_process(folder: Path) -> None:
    kept, anew, calm = (
        games(write(folder, match(HEALTHY, odd_player(row))), workers=0)["moves"]
        for row in (Row("tables kept"), Row("tables kept", keys={"fresh": True}), Row("none"))
    )
    assert list(anew) == list(calm) != list(kept)


def test_the_report_has_a_brains_own_name_and_version(folder: Path) -> None:
    file = write(folder, match(HEALTHY, RANDOM))
    report = arena.run(file, workers=0, results=folder / "results").report()
    assert "one is a program that calls itself Odd 1.5." in report.notes


def test_a_brain_works_in_the_folder_that_it_is_given(folder: Path) -> None:
    one_game(folder, Row("ERROR to START later"))
    assert (folder / "was-here").exists()
