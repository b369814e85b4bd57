"""How commands end: the exit status, and what is said."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.doors import hold, inside, lay_out, masked, typed

UNDECIDED = """
game: {gomoku: {size: 15}}
format: {sprt: {elo0: 0, elo1: 20, pairs: 2}}
openings: {random: {plies: 6, seed: 3}}
engines:
  - {name: tuple-d1, engine: five_tuple, depth: 1}
  - {name: random, engine: random_mover}
"""
REJECTED = """
game: {gomoku: {size: 15}}
format: {sprt: {elo0: 0, elo1: 100, pairs: 40}}
openings: {random: {plies: 6, seed: 3}}
engines:
  - {name: random, engine: random_mover}
  - {name: tuple-d1, engine: five_tuple, depth: 1}
"""
FAULTS = """
game: {gomoku: {size: 2}}
openings: {random: {plies: 4, count: 0}}
format: gauntlets
engines:
  - {name: one, engine: five_tupel}
  - {name: one, engine: five_tuple, depht: 3}
"""
BROKEN = UNDECIDED.replace("tuple-d1, engine: five_tuple, depth: 1", "broken, engine: ./broken.py")
FILES = {
    "broken.yaml": BROKEN.replace("pairs: 2", "pairs: 20"),
    "undecided.yaml": UNDECIDED,
    "rejected.yaml": REJECTED,
    "faults.yaml": FAULTS,
}
COMMANDS = [
    ("faults of the player", 4, ["run", "stopped.yaml", "--workers", "0"]),
    (
        "faults of the player, in a test",
        3,
        ["run", "broken.yaml", "--workers", "0", "--exit-status"],
    ),
    ("undecided", 3, ["run", "undecided.yaml", "--workers", "0", "--exit-status"]),
    ("undecided, not asked for", 0, ["run", "undecided.yaml", "--workers", "0"]),
    ("H0", 1, ["run", "rejected.yaml", "--workers", "0", "--exit-status"]),
    ("faults of the file", 2, ["run", "faults.yaml"]),
    ("no file", 2, ["run", "nothing.yaml"]),
    ("no run", 2, ["report", "nothing"]),
    ("no frame", 2, ["report", "stopped", "--format", "csv", "--frame", "standing"]),
    ("no game in the files", 2, ["import", "taken", "openings.txt", "--game", "gomoku"]),
    ("nothing to rate", 0, ["ratings"]),
    ("no option", 2, ["run", "stopped.yaml", "--wrokers", "2"]),
]


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("statuses")
    lay_out(folder)
    for name, text in FILES.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def test_every_command_says_how_it_ended(fresh: Path, update: bool) -> None:
    shown = []
    with inside(fresh):
        for title, status, words in COMMANDS:
            done = typed(*words)
            assert done.status == status, (title, str(done))
            shown.append(f"=== {title}\n{done}")
    hold("statuses.txt", masked("\n\n".join(shown), fresh), update)
