"""One whole round, move for move, kept as a file: the same with any number of workers.

After a change that is meant to change games: `pytest tests/golden --golden-update`, and look at
the difference before it is committed.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import arena

HERE = Path(__file__).parent
GOLDEN = HERE / "round.csv"


def games(workers: int, results: Path) -> str:
    """All that is kept of each game but for what the clock said."""
    played = arena.run(HERE / "round.yaml", workers=workers, results=results).games()
    return str(played.drop(columns="times").to_csv(index=False))


@pytest.mark.parametrize("workers", [0, 1, 2])
def test_a_round_is_the_same_with_any_number_of_workers(
    workers: int, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    found = games(workers, tmp_path)
    if request.config.getoption("--golden-update"):
        GOLDEN.write_text(found, encoding="utf-8")
    assert found == GOLDEN.read_text(encoding="utf-8")
