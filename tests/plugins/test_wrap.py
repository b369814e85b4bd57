"""`arena init --wrap`: AIs of many shapes, each wrapped without an edit, win games by our rules."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import arena
from arena.cli import arena as command
from arena.errors import ConfigError

SCORE = '''
import random

def total(at, n, r, c, who):
    """Lines through an empty cell, longer ones worth far more."""
    found = 0
    for dr, dc in ((0, 1), (1, 0), (1, 1), (1, -1)):
        count = 1
        for s in (1, -1):
            k = 1
            while 0 <= r + s * k * dr < n and 0 <= c + s * k * dc < n:
                if at(r + s * k * dr, c + s * k * dc) != who:
                    break
                count, k = count + 1, k + 1
        found += 8 ** count
    return found

def best(at, n, own, other, empty=0):
    """(row, column), or None if nothing is empty."""
    free = [(r, c) for r in range(n) for c in range(n) if at(r, c) == empty]
    def value(cell):
        return total(at, n, *cell, own) + 0.9 * total(at, n, *cell, other)
    return max(free, key=value) if free else None
'''
LISTS = "lambda r, c: board[r][c], len(board)"
SHAPES = {
    "function": f"def get_move(board): return best({LISTS}, 1, -1)",
    "codes 1 and 2": f"def get_move(board): return best({LISTS}, 1, 2)",
    "always the second": f"def next_move(grid): board = grid; return best({LISTS}, 2, 1)",
    "fixed colours by count": f"""
def best_move(board):
    stones = sum(cell != 0 for row in board for cell in row)
    own = 1 if stones % 2 == 0 else 2
    return best({LISTS}, own, 3 - own)
""",
    "fixed colours by sum": f"""
def findBestMove(board):
    own = 1 if sum(map(sum, board)) == 0 else -1
    return best({LISTS}, own, -own)
""",
    "numpy": """
import numpy as np
class Agent:
    def getMove(self, board):
        assert board.shape[0] == board.shape[1]
        return np.array(best(lambda r, c: board[r, c], board.shape[0], 1, -1))
""",
    "flat list and index": """
class Bot:
    def choose_move(self, board):
        n = int(len(board) ** 0.5)
        assert isinstance(board[0], int)
        r, c = best(lambda r, c: board[r * n + c], n, 1, 2)
        return r * n + c
""",
    "index": f"def get_action(board): r, c = best({LISTS}, 1, -1); return r * len(board) + c",
    "x and y": f"def get_move(board): return best({LISTS}, 1, -1)[::-1]",
    "colour told": f"""
class AI:
    def __init__(self, color, board_size=15):
        self.own, self.n = color, board_size
    def make_move(self, board):
        assert len(board) == self.n
        return list(best({LISTS}, self.own, -self.own))
""",
    "player asked with": f"def get_move(board, player): return best({LISTS}, player, 3 - player)",
    "player first": f"""
class AI:
    def __init__(self, depth, name='deep'): assert depth > 0
    def get_move(self, player, state, moves):
        board = state
        r, c = best({LISTS}, player, 3 - player)
        assert (r, c) in moves
        return (r, c)
""",
    "symbols told": f"""
class Agent:
    def __init__(self, agent_symbol, blank_symbol, opponent_symbol):
        self.codes = agent_symbol, opponent_symbol, blank_symbol
    def play(self, board): return best({LISTS}, *self.codes)
""",
    "letters": f"def search_max(board): return best({LISTS}, 'b', 'w', ' ')",
    "letters by count": f"""
def get_move(board):
    stones = sum(cell != '.' for row in board for cell in row)
    own, other = ('X', 'O') if stones % 2 == 0 else ('O', 'X')
    return best({LISTS}, own, other, '.')
""",
    "none is empty": f"def get_move(board): return best({LISTS}, 'B', 'W', None)",
    "candidate list": """
class AI(object):
    def __init__(self, chessboard_size, color, time_out):
        self.size, self.color, self.candidate_list = chessboard_size, color, []
    def go(self, chessboard):
        self.candidate_list.clear()
        found = best(lambda r, c: chessboard[r, c], self.size, self.color, -self.color)
        self.candidate_list.append(found)
""",
    "changes the board": f"""
def make_move(board):
    r, c = best({LISTS}, 1, -1)
    board[r][c] = 1
""",
    "score and move": f"def get_best_move(board): return 0.5, best({LISTS}, 1, -1)",
    "move and score": f"def get_best_move(board): return best({LISTS}, 1, -1), 7",
    "board in the constructor": f"""
class Solver:
    def __init__(self, board): self.board = board
    def solve(self): pass
    def best_move(self): board = self.board; return best({LISTS}, 1, -1)
""",
    "static method": f"""
class Moves:
    @staticmethod
    def get_move(board): return best({LISTS}, 1, -1)
""",
    "the second class": f"""
class Base:
    def get_move(self, board): raise NotImplementedError
class Random(Base):
    def get_move(self, board):
        return random.choice([(r, c) for r in range(len(board)) for c in range(len(board))
                              if board[r][c] == 0])
class Clever(Base):
    def get_move(self, board): return best({LISTS}, 1, -1)
""",
    "one size": """
SIZE = 15
def get_move(board): return best(lambda r, c: board[r][c], SIZE, 1, -1)
""",
}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def wrapped(*words: str) -> Result:
    return CliRunner().invoke(command, ["init", "--wrap", *words])


SLOW = pytest.mark.slow
QUICK = "codes 1 and 2", "fixed colours by sum", "flat list and index", "x and y", "candidate list"


@pytest.mark.parametrize(
    "shape", [pytest.param(each, marks=[] if each in QUICK else SLOW) for each in SHAPES]
)
def test_an_ai_of_this_shape_is_wrapped_and_wins_with_both_colours(shape: str) -> None:
    Path("my_ai.py").write_text(SCORE + SHAPES[shape])
    done = wrapped("my_ai.py")
    assert done.exit_code == 0, done.exception
    assert "arena match ./my_ai_engine.py random_mover" in done.stdout
    assert "4 of 4 boards" in Path("my_ai_engine.py").read_text()
    for players in (["./my_ai_engine.py", "random_mover"], ["random_mover", "./my_ai_engine.py"]):
        record = arena.play("gomoku", *players, seed=3)
        winner = (record.first, record.second)[(record.winner or 0) - 1]
        assert (record.reason, "my_ai_engine" in winner) == ("line", True), record.detail


def test_what_was_guessed_is_said_and_a_file_that_is_there_is_not_overwritten() -> None:
    Path("gomoku-ai.py").write_text(SCORE + SHAPES["one size"])
    done = wrapped("gomoku-ai.py")
    engine = Path("gomoku-ai_engine.py")
    text = engine.read_text()
    for word in ("get_move(board)", "list of lists", "1, -1: its own, the other's", "row, column"):
        assert word in text
        assert word in done.stdout
    assert "--game" not in done.stdout
    with pytest.raises(ConfigError, match="does not play on 9 x 9 points"):
        arena.play("gomoku:size=9", str(engine), "random_mover")
    engine.write_text("mine")
    refused = wrapped("gomoku-ai.py")
    assert str(refused.exception) == "gomoku-ai_engine.py: is there already; nothing was written"
    assert engine.read_text() == "mine"


def test_words_of_the_ai_do_not_break_the_file_and_its_sizes_are_kept_to() -> None:
    odd = """
def get_move(board):
    if len(board) > 10:
        raise ValueError('\\"\\"\\" \\\\N{x} \\\\')
    return best(lambda r, c: board[r][c], len(board), 1, -1)
"""
    Path("own.py").write_text(SCORE + odd)
    assert "--game gomoku:size=8" in wrapped("own.py").stdout
    with pytest.raises(ConfigError, match="does not play on 15 x 15 points"):
        arena.play("gomoku", "./own_engine.py", "random_mover")
    for size in (8, 10):
        assert arena.play(f"gomoku:size={size}", "./own_engine.py", "random_mover").winner == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("import nothing_here", r"cannot be imported: ModuleNotFoundError: .*own\.py:1\)"),
        ("def get_move(board:", "cannot be imported: SyntaxError"),
        ("raise SystemExit(3)", "cannot be imported: SystemExit: 3"),
        ("while True: input('Your move: ')", "EOFError.*; put the loop .* `if __name__ == "),
        ("while True: pass", r"more than 0\.2 s.*; put the loop .* `if __name__ == "),
        ("import os; os._exit(5)", "took its process down as it was tried: exit code 5"),
        ("import time; time.sleep(9)", "did not come back from being tried within 0.5 s"),
        ("x = 1", "no class or function has get_move"),
        ("def get_move(board): board.legal()", "no attribute 'legal' .*own.py:1.*; to write"),
        pytest.param("def get_move(board): return input()", "EOFError", marks=SLOW),
        pytest.param("def get_move(board): return 'h8'", "answers 'h8', no legal move", marks=SLOW),
        ("class AI:\n  def __init__(self, net): pass\n  def get_move(self, board): pass", "'net'"),
    ],
)
def test_what_cannot_be_wrapped_says_why_in_one_line_and_writes_nothing(
    text: str, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if "while True: pass" in text:
        monkeypatch.setattr("arena.plugins.wrap.TRY_SECONDS", 0.2)
    if "sleep" in text:
        monkeypatch.setattr("arena.plugins.wrap.PATIENCE", 0.5)
    Path("own.py").write_text(text)
    error = str(wrapped("own.py").exception)
    assert re.search(message, error), error
    assert error.count("\n") == 0
    assert not Path("own_engine.py").exists()


def test_a_file_that_is_not_there_is_told_as_such() -> None:
    Path("my_ai.py").write_text("")
    assert str(wrapped("my_aj.py").exception) == "my_aj.py: no such file; did you mean my_ai.py?"


@pytest.mark.parametrize("name", ["class.py", "package/my-ai.py"])
def test_a_name_that_no_import_statement_takes_is_imported(name: str) -> None:
    path = Path(name)
    path.parent.mkdir(exist_ok=True)
    if path.parent.name:
        (path.parent / "__init__.py").touch()
    path.write_text(SCORE + SHAPES["function"])
    done = wrapped(name)
    assert "8, 9, 10, 15, 19, 20; only these were tried" in done.stdout, done.exception
    engine = f"./{path.with_name(path.stem)}_engine.py"
    assert arena.play("gomoku:size=8", engine, "random_mover").winner == 1


@pytest.mark.parametrize("file", ["own.py", "./own.py"])
def test_one_of_several_is_chosen_by_its_name_and_a_slow_one_is_given_time(file: str) -> None:
    slow = (
        SHAPES["the second class"]
        + """
class Slow(Clever):
    def get_move(self, board):
        __import__("time").sleep(0.06)
        return super().get_move(board)
"""
    )
    Path("own.py").write_text(SCORE + slow)
    done = wrapped(f"{file}:Slow")
    assert "from own import Slow" in Path("own_engine.py").read_text()
    assert "random_mover --limit 1s" in done.stdout


def test_a_file_that_is_no_engine_is_told_of_it() -> None:
    Path("own.py").write_text(f"{SCORE}{SHAPES['colour told']}\nbest_ai = AI(1)\n")
    with pytest.raises(ConfigError, match=r"which games it plays.*arena init --wrap \S*own\.py"):
        arena.play("gomoku", "./own.py", "random_mover")
    Path("no.py").write_text("def helper(): pass")
    with pytest.raises(ConfigError) as told:
        arena.play("gomoku", "./no.py", "random_mover")
    assert "--wrap" not in str(told.value)
