"""Some of a run's games: those that a player lost, a game up to a ply, and games in a file."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest
from click.testing import CliRunner
from support.samples import ROUND, Write

import arena
from arena.cli import arena as command
from arena.errors import ConfigError


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


def test_the_games_that_a_player_lost_won_and_drew_are_all_of_its_games(run: arena.Run) -> None:
    everything = list(csv.DictReader(typed("report", "round", "--format", "csv", "--frame",
                                           "games").splitlines()))  # fmt: skip
    mine = [row for row in everything if "two" in (row["first"], row["second"])]
    found = {}
    for came in ("--lost", "--won", "--drawn"):
        text = typed("report", "round", "--format", "csv", "--of", "two", came)
        found[came] = list(csv.DictReader(text.splitlines()))
    assert found["--lost"]
    assert found["--won"]
    assert sorted(row["game"] for rows in found.values() for row in rows) == sorted(
        row["game"] for row in mine
    )
    assert all((row["first"], row["second"])[int(row["winner"]) - 1] == "two"
               for row in found["--won"])  # fmt: skip
    assert not any((row["first"], row["second"])[int(row["winner"]) - 1] == "two"
                   for row in found["--lost"])  # fmt: skip
    assert not any(row["winner"] for row in found["--drawn"])
    assert list(csv.DictReader(typed("report", "round", "--of", "two", "--format", "csv")
                               .splitlines())) == mine  # fmt: skip


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
    assert {file.suffix for file in (*Path("folder.d").iterdir(), *Path("new.d").iterdir())} <= {
        ".sgf", ".PGN"
    }  # fmt: skip
