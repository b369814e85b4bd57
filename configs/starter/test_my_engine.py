# To run it: pip install pytest && pytest test_my_engine.py
from pathlib import Path

import pytest

import arena
from arena.testing import ENGINE_CHECKS, check_engine

MINE = str(Path(__file__).parent / "my_engine.py")


@pytest.mark.parametrize("check", ENGINE_CHECKS)
def test_it_keeps_the_contract(check):
    check_engine(MINE, checks=[check])


def test_it_plays_to_the_end():
    record = arena.play("gomoku", MINE, "random_mover", seed=1)
    assert record.reason in ("line", "full board")  # a fault of the engine would stand here, too
