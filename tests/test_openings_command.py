"""`arena openings`: what it finds in a file, and how it ends."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import Result
from support.samples import ROOT, Write
from support.typed import invoked

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
    return invoked("openings", *words)


def findings(file: Path, *words: str) -> list[tuple[int, str]]:
    done = typed("check", str(file), "--json", *words)
    found = json.loads(done.stdout)
    assert done.exit_code == bool(found["findings"])
    return [(each["line"], each["kind"]) for each in found["findings"]]


def test_it_tells_each_kind_of_finding_with_its_line(write: Write) -> None:
    file = write(FILE.strip(), "openings.txt")
    kinds = ["double", "symmetric double", "forced win", "fault", "fault"]
    assert findings(file) == list(enumerate(kinds, start=2))
    done = typed("check", str(file))
    lines = done.stdout.splitlines()
    assert lines[2] == f"{file}:4: forced win: player 1, who is to move, wins by fours: 6,7"
    assert lines[3].endswith("z9 is off the board: columns go from a to o, rows from 1 to 15")
    assert lines[5:] == [
        "8 openings (5 of 2, 1 of 8 moves) of gomoku, format pos, whose rows count from the top",
        "1 x double, 1 x symmetric double, 1 x forced win, 2 x fault",
    ]


def test_the_game_decides_what_is_a_fault(write: Write) -> None:
    file = write("1,1 2,2\n0,0 1,1 2,2\n", "openings.txt")
    assert findings(file, "--game", "tictactoe") == []
    done = typed("check", str(file), "--game", "tictactoe")
    assert "no engine looks for forced wins" in done.stdout
    done = typed("check", str(file), "--game", "gomoku:rule=caro")
    assert "no engine looks for forced wins" in done.stdout
    assert findings(write("9,9, 0,0", "wide.txt"), "--game", "gomoku:size=20") == []
    assert findings(write("9,9, 0,0", "wide.txt")) == [(1, "fault")]


@pytest.mark.slow
def test_the_openings_that_come_along_have_nothing_wrong_with_them() -> None:
    files = sorted((ROOT / "configs/openings").iterdir())
    assert files
    for file in files:
        assert findings(file) == []


def test_a_made_book_is_looked_through_by_the_rules_in_its_head(write: Write) -> None:
    head = "# Openings made by a program\n# {game: {gomoku: {size: 20, rule: standard}}}\n"
    file = write(head + "17,17 18,18\n", "book.txt")
    found = json.loads(typed("check", str(file), "--json").stdout)
    assert found["game"] == "gomoku:size=20,rule=standard"
    assert findings(file, "--game", "gomoku") == [(3, "fault")]
