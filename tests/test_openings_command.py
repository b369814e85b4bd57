"""`arena openings`: what it finds in a file, and how it ends."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from support.samples import ROOT, ROUND, Write

import arena
from arena.cli import arena as command
from arena.config.tournament import read_config

FILE = """
h8i9
h8i9
h8g7
h8a1h9a15h10o1h11o15
h8z9
h8h8
h8h9
i9h8
"""


def typed(*words: str) -> Result:
    return CliRunner().invoke(command, ["openings", *words])


def findings(file: Path, *words: str) -> list[tuple[int, str]]:
    done = typed("check", str(file), "--json", *words)
    found = json.loads(done.stdout)
    assert done.exit_code == bool(found["findings"])
    return [(each["line"], each["kind"]) for each in found["findings"]]


def test_it_tells_each_kind_of_finding_with_its_line(write: Write) -> None:
    file = write(FILE.strip(), "openings.txt")
    assert findings(file) == [
        (2, "double"),
        (3, "symmetric double"),
        (4, "forced win"),
        (5, "fault"),
        (6, "fault"),
    ]
    done = typed("check", str(file))
    lines = done.stdout.splitlines()
    assert lines[2] == f"{file}:4: forced win: player 1, who is to move, wins by fours: 6,7"
    assert lines[3].endswith("z9 is off the board: columns go from a to o, rows from 1 to 15")
    assert lines[5:] == [
        "8 openings (5 of 2, 1 of 8 moves) of gomoku, format pos",
        "1 x double, 1 x symmetric double, 1 x forced win, 2 x fault",
    ]


def test_the_game_decides_what_is_a_fault(write: Write) -> None:
    file = write("1,1 2,2\n0,0 1,1 2,2\n", "openings.txt")
    assert findings(file, "--game", "tictactoe") == []
    assert (
        "no engine looks for forced wins" in typed("check", str(file), "--game", "tictactoe").stdout
    )
    assert findings(write("9,9, 0,0", "wide.txt"), "--game", "gomoku:size=20") == []
    assert findings(write("9,9, 0,0", "wide.txt")) == [(1, "fault")]


def test_a_rule_that_no_search_knows_leaves_forced_wins_alone(write: Write) -> None:
    file = write("7,7 7,8\n", "openings.txt")
    found = typed("check", str(file), "--game", "gomoku:rule=caro")
    assert found.exit_code == 0
    assert "no engine looks for forced wins" in found.output


def test_what_cannot_be_read_at_all_is_a_config_error(tmp_path: Path) -> None:
    done = typed("check", str(tmp_path / "none.txt"))
    assert isinstance(done.exception, arena.ConfigError)
    assert str(done.exception).endswith("none.txt: no such file")


@pytest.mark.slow
def test_the_openings_that_come_along_have_nothing_wrong_with_them() -> None:
    files = sorted((ROOT / "configs/openings").iterdir())
    assert files
    for file in files:
        assert findings(file) == []


def test_a_made_book_is_looked_through_by_the_rules_in_its_head(write: Write) -> None:
    head = "# Openings made by a program\n# {game: {gomoku: {size: 20, rule: standard}}}\n"
    file = write(head + "17,17 18,18\n", "book.txt")
    assert json.loads(typed("check", str(file), "--json").stdout)["game"] == (
        "gomoku:size=20,rule=standard"
    )
    assert findings(file, "--game", "gomoku") == [(3, "fault")]


def test_both_configs_to_compare_have_the_same_players_and_as_many_openings() -> None:
    one, two = (read_config(ROOT / f"configs/openings_{n}.yaml") for n in ("balanced", "random"))
    assert one.terms == two.terms
    assert [(p.name, p.engine) for p in one.players] == [(p.name, p.engine) for p in two.players]
    assert len(one.openings) == len(two.openings)
    players = {p.name: p.engine for p in read_config(ROOT / "configs/round.yaml").players}
    assert all(players[p.name] == p.engine for p in one.players)


def test_runs_are_compared_in_a_table_and_for_programs(
    write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = write(ROUND)
    monkeypatch.chdir(config.parent)
    arena.run(config, workers=0)
    done = typed("compare", "round", "round")
    assert done.exit_code == 0
    assert "nElo2/pair" in done.stdout
    (row,) = json.loads(typed("compare", "round", "--json").stdout)["openings"]
    assert (row["run"], row["games"], row["pairs"]) == ("round", 12, 6)
