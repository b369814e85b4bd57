"""Reports of several runs, and some of a run's games: which players count as one."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner
from support.reports import shown
from support.samples import ROUND, Write

import arena
from arena import ConfigError
from arena.cli import arena as command
from arena.report.frames import Report
from arena.tournament.combine import report_runs

Play = Callable[..., None]
Pooled = Callable[..., Report]
OTHER_OPENINGS = ("seed: 1", "seed: 2")
TWO = "name: two, engine: random_mover"
TIMED = TWO, f"{TWO}, limit: {{seconds: 9}}"


@pytest.fixture
def play(write: Write, tmp_path: Path) -> Play:
    """Plays a run of this name; `changes` (old, new) are made to its file before."""

    def play(name: str, *changes: tuple[str, str]) -> None:
        text = ROUND
        for old, new in changes:
            assert old in text
            text = text.replace(old, new)
        arena.run(write(text, f"{name}.yaml"), workers=0, results=tmp_path)

    return play


@pytest.fixture
def pooled(tmp_path: Path) -> Pooled:
    return lambda *runs, anchor=None: report_runs(runs, results=tmp_path, anchor=anchor)


def test_one_run_is_that_run(play: Play, pooled: Pooled, tmp_path: Path) -> None:
    play("round")
    found = pooled("round", str(tmp_path / "round"))
    assert found.games.equals(arena.open_run("round", results=tmp_path).games())
    assert "run" not in found.games


def test_each_player_has_its_own_limit_in_all_runs(play: Play, pooled: Pooled) -> None:
    play("first", (TWO, f"{TWO}, limit: {{seconds: 5}}"))
    play("second", OTHER_OPENINGS)
    overruns = pooled("first", "second").standings.set_index("name")["greatest_overrun"]
    assert -5 < overruns["two (first)"] < -4
    assert overruns.drop("two (first)").isna().all()


def test_who_is_the_same_everywhere_is_one_player(play: Play, pooled: Pooled) -> None:
    play("first")
    play("second", OTHER_OPENINGS)
    found = pooled("first", "second")
    assert set(found.standings["name"]) == {"one", "two", "three"}
    assert set(found.standings["games"]) == {16}
    assert list(found.games.columns[:3]) == ["run", "game", "pair"]
    assert found.games["run"].value_counts().to_dict() == {"first": 12, "second": 12}


def test_a_run_that_holds_the_same_games_again_adds_no_evidence(play: Play, pooled: Pooled) -> None:
    play("first")
    play("again")
    once, twice = pooled("first").standings, pooled("first", "again").standings
    assert list(twice["games"]) == [2 * games for games in once["games"]]
    for column in ("elo", "elo_low", "rating", "rating_low", "distinct_pairs"):
        assert list(twice[column]) == pytest.approx(list(once[column]))


@pytest.mark.slow
@pytest.mark.parametrize(
    "change",
    [(TWO, "name: two, engine: five_tuple, depth: 1"), (TWO, f"{TWO}, limit: {{nodes: 5}}")],
)
def test_one_name_for_different_players_is_two(
    play: Play, pooled: Pooled, change: tuple[str, str]
) -> None:
    play("first")
    play("second", change, OTHER_OPENINGS)
    found = pooled("first", "second", anchor="two (first)=100")
    games = found.standings.set_index("name")["games"]
    assert games.to_dict() == {"one": 16, "three": 16, "two (first)": 8, "two (second)": 8}
    assert set(found.games["first"]) == set(games.index)
    assert "two (first) is +100" in shown(found)


def test_the_limit_of_the_match_is_part_of_a_player(play: Play, pooled: Pooled) -> None:
    play("first")
    play("second", ("openings:", "limit: {nodes: 7}\n    openings:"))
    assert len(pooled("first", "second").standings) == 6


def test_different_games_are_a_fault(play: Play, pooled: Pooled) -> None:
    play("first")
    play("second", ("size: 7", "size: 9"))
    with pytest.raises(ConfigError, match=r"different games together: .*size=7.*size=9"):
        pooled("first", "second")


@pytest.mark.parametrize(
    ("anchor", "fault"),
    [
        ("ona", "unknown player 'ona'; did you mean 'one'"),
        ("ona=3", "unknown player 'ona'; did you mean 'one'"),
        ("one=high", "'high' is no Elo"),
        ("one=nan", "'nan' is no Elo"),
        ("one=٣", "'٣' is no Elo"),
        ("", "unknown player ''"),
    ],
)
def test_what_is_no_anchor_is_a_fault(play: Play, pooled: Pooled, anchor: str, fault: str) -> None:
    play("first")
    with pytest.raises(ConfigError, match=fault):
        pooled("first", anchor=anchor)


@pytest.mark.slow
def test_a_run_with_limited_time_says_so_and_under_which_load(play: Play, pooled: Pooled) -> None:
    play("first")
    play("second", TIMED, OTHER_OPENINGS)
    assert pooled("first").notes == []
    (note,) = pooled("second").notes
    assert note.startswith("Time was limited")
    assert "load average" in note
    assert pooled("first", "second").notes == [f"second: {note}"]


@pytest.mark.slow
def test_a_run_begun_again_once_it_was_over_tells_no_more_of_the_machine(
    write: Write, tmp_path: Path, pooled: Pooled
) -> None:
    file = write(ROUND.replace(*TIMED), "first.yaml")
    notes = []
    for _ in range(2):
        arena.run(file, workers=1, results=tmp_path)
        notes.append(pooled("first").notes)
    assert notes[0] == notes[1]
    assert "1 worker on" in notes[0][0]


def test_the_sides_of_a_test_of_couples_have_their_names(play: Play, pooled: Pooled) -> None:
    three = "- {name: three, engine: random_mover}"
    four = (three, f"{three}\n      - {{name: four, engine: random_mover}}")
    test = "format: {sprt_couples: {elo1: 400, pairs: 2}}\n    openings:"
    play("first", ("openings:", test), four)
    play("second", OTHER_OPENINGS, (TWO, f"{TWO}, limit: {{seconds: 5}}"))
    sides = pooled("first", "second").matches[["one", "other"]].to_numpy().tolist()
    assert sides == [["one / three", "two (first) / four"]]


@pytest.fixture
def run(write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> arena.Run:
    monkeypatch.chdir(tmp_path)
    return arena.run(write(ROUND), workers=0)


def typed(*words: str) -> str:
    done = CliRunner().invoke(command, words, catch_exceptions=True)
    if isinstance(done.exception, ConfigError):
        raise done.exception
    assert done.exit_code == 0, done.output
    return done.stdout


def games(*words: str) -> list[dict[str, str]]:
    text = typed("report", "round", "--format", "csv", *words)
    return list(csv.DictReader(text.splitlines()))


def winner(row: dict[str, str]) -> str:
    return row[("first", "second")[int(row["winner"]) - 1]]


def test_the_games_that_a_player_lost_won_and_drew_are_all_of_its_games(run: arena.Run) -> None:
    mine = [row for row in games("--frame", "games") if "two" in (row["first"], row["second"])]
    lost, won, drawn = (games("--of", "two", came) for came in ("--lost", "--won", "--drawn"))
    assert lost
    assert won
    assert sorted(row["game"] for row in lost + won + drawn) == sorted(row["game"] for row in mine)
    assert {*map(winner, won)} == {"two"}
    assert "two" not in map(winner, lost)
    assert not any(row["winner"] for row in drawn)
    assert games("--of", "two") == mine


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--of", "tow"), "unknown player 'tow'; did you mean 'two'?"),
        (("--lost",), "--of NAME"),
        (("--of", "two", "--frame", "standings"), "--of NAME"),
    ],
)
def test_what_is_no_player_and_no_frame_of_games_is_refused(
    run: arena.Run, words: tuple[str, ...], message: str
) -> None:
    done = CliRunner().invoke(command, ["report", "round", *words])
    assert message in f"{done.output}{done.exception}"


def test_a_game_is_shown_after_so_many_moves_and_not_played_again(run: arena.Run) -> None:
    record = run.games().iloc[0]
    plies = len(record.moves.split())
    for ply in (0, 3, plies):
        shown = typed("replay", "round", "1", "--ply", str(ply))
        board = "".join(re.findall(r"^\s?\d+ .*$", shown, re.MULTILINE))
        assert sum(map(board.count, "●○")) == ply
        assert "Played again" not in shown
    refused = CliRunner().invoke(command, ["replay", "round", "1", "--ply", str(plies + 1)])
    assert f"--ply {plies + 1}: the game has {plies} moves" in refused.output


@pytest.mark.parametrize("name", ["g.pgn", "g.zip", "g.json", "g.txt", "folder.d/g.PGN"])
def test_a_file_of_no_known_form_is_refused_before_it_is_touched(run: arena.Run, name: str) -> None:
    Path("folder.d").mkdir()
    Path(name).write_text("mine")
    with pytest.raises(ConfigError, match=rf"{name}: must end with \.jsonl, \.psq, \.sgf, or"):
        typed("export", "round", "-o", name)
    assert Path(name).read_text() == "mine"
    typed("export", "round", "--format", "sgf", "-o", "named.pgn")
    typed("export", "round", "-o", "folder.d")
    typed("export", "round", "-o", "new.d/")
    typed("export", "round", "-o", "plain")
    assert Path("named.pgn").read_bytes() == Path("plain").read_bytes()
    written = [*Path("folder.d").iterdir(), *Path("new.d").iterdir()]
    assert {file.suffix for file in written} <= {".sgf", ".PGN"}
