"""Whole games of a person, typed through a pipe: all that is shown, kept as a file.

After a change that is meant to show: `pytest tests/golden --golden-update`, and look at the
difference before it is committed.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from arena.cli import arena as command

HERE = Path(__file__).parent

GAMES = {
    "gomoku": (
        ("human", "live_dead:depth=1", "--game", "gomoku:size=9"),
        "?|score|line|hint|e5|4,4|j9|4,5,6|hello|4 2|score|line|d4|undo|undo|undo|undo"
        "|(4, 4)|C5|5,3|board|c3|hint|3,5|g7",
    ),
    "tictactoe": (
        ("human", "minimax", "--game", "tictactoe", "--scores"),
        "0,0|0,1|2,0|1,2|2,2",
    ),
    "tictactoe_second": (
        ("minimax", "human", "--game", "tictactoe", "--opening", "1,1 0,0"),
        "undo|0,0|hint|resign",
    ),
    "two_persons": (
        ("human", "human", "--game", "tictactoe"),
        "0,0|hint|score|1,1|undo|2,2|0,1|0,2|QUIT",
    ),
    "two_eat_one": (
        ("human", "piece_count:depth=1", "--game", "two_eat_one"),
        "0,0|4,0-3,0|0,0-2,0|0,0-0,1|0 0 1 0|0,1 - 0,0|0,0-0,1|0,1-0,0|0,0-0,1|0,1->1,1|0,2-0,1"
        "|0,1-0,0|0,0-0,1|0,1-0,0|0,0-0,1|0,1-0,0",
    ),
}
"""The lines that are typed, by the place at which they are."""


@pytest.mark.parametrize("name", GAMES)
def test_what_a_person_sees(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    monkeypatch.chdir(tmp_path)
    arguments, typed = GAMES[name]
    lines = typed.replace("|", "\n") + "\n"
    done = CliRunner().invoke(command, ["play", *arguments], input=lines, catch_exceptions=False)
    assert done.exit_code == 0
    golden = HERE / f"play_{name}.txt"
    if request.config.getoption("--golden-update"):
        golden.write_text(done.output, encoding="utf-8")
    assert done.output == golden.read_text(encoding="utf-8")
    assert "\x1b" not in done.output
