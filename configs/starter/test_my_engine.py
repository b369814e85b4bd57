# To run it: pip install pytest && pytest test_my_engine.py
from pathlib import Path

import arena

MINE = str(Path(__file__).parent / "my_engine.py")


def test_it_plays_to_the_end():
    record = arena.play("gomoku", MINE, "random_mover", seed=1)
    assert record.reason in ("line", "full board")  # a fault of the engine would stand here, too


def test_it_plays_the_same_game_again():
    first, second = (arena.play("gomoku", MINE, MINE, seed=2, max_plies=40) for _ in range(2))
    assert first.moves == second.moves
