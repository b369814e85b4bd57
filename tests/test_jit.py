"""The kernels' cache: warm in the next process, never stale."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import numba
import pytest
from processes import finished
from samples import ROOT

from arena.jit import cache_folder, cache_root, own_digest

CALLEE = """
from arena.jit import kernel

STEP = {step}

@kernel
def inner(n):
    return n + STEP
"""

CALLER = """
from arena.jit import kernel
from callee import inner

@kernel
def outer(n):
    return inner(n) * 10
"""


def result(folder: Path, step: int) -> tuple[int, int]:
    """The value of `outer(1)` in a new process, and the number of its cache hits."""
    (folder / "callee.py").write_text(CALLEE.format(step=step))
    (folder / "caller.py").write_text(CALLER)
    code = "from caller import outer; print(outer(1), len(outer.stats.cache_hits))"
    environment = os.environ | {"NUMBA_CACHE_DIR": str(folder / "cache"), "PYTHONPATH": str(folder)}
    done = finished(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env=environment | {"PYTHONPATH": os.pathsep.join([str(folder), os.getcwd()])},
        text=True,
        check=True,
    )
    value, hits = map(int, done.stdout.split())
    return value, hits


@pytest.mark.slow
def test_an_edit_of_a_callee_in_another_file_is_seen(tmp_path: Path) -> None:
    assert result(tmp_path, step=1) == (20, 0)
    assert result(tmp_path, step=1) == (20, 1)
    assert result(tmp_path, step=2) == (30, 0)
    assert result(tmp_path, step=1) == (20, 1)


def test_another_numba_has_another_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    """It may fail to load what this one has compiled, if both write to the same files."""
    own_digest.cache_clear()
    before = cache_folder(Path(__file__))
    monkeypatch.setattr(numba, "__version__", "0.61.0")
    own_digest.cache_clear()
    assert cache_folder(Path(__file__)) != before
    own_digest.cache_clear()


USER = """
from arena import Choice
from arena.jit import kernel
from kit.callee import inner

GAMES = ("*",)

@kernel
def outer(n):
    return inner(n) * 10

class User:
    value = outer(1)
    new_game = choose = close = print

def engine(game):
    return User()
"""


@pytest.mark.slow
def test_so_is_an_edit_in_a_folder_of_a_users_tree(tmp_path: Path) -> None:
    (tmp_path / "kit").mkdir()
    (tmp_path / "my.py").write_text(USER)
    code = (
        "from arena import load_engine as e, load_game as g; print(e('my.py', g('gomoku')).value)"
    )
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    environment["PYTHONPATH"] = str(ROOT)
    for step, value in ((1, 20), (100, 1010), (1, 20)):
        (tmp_path / "kit" / "callee.py").write_text(CALLEE.format(step=step))
        done = finished(
            [sys.executable, "-c", code],
            cwd=tmp_path,
            env=environment,
            check=True,
        )
        assert int(done.stdout) == value


def test_a_cache_that_cannot_be_written_gives_way_to_a_temporary_one(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(blocked / "cache"))
    assert "gomoku-arena-kernels" in str(cache_root())
    monkeypatch.delenv("NUMBA_CACHE_DIR")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_root() == tmp_path / "gomoku-arena" / "kernels"
