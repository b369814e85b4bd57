"""The kernels' cache: warm in the next process, never stale."""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Sequence
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numba
import pytest
from numba.core import event
from support.processes import finished
from support.samples import ROOT, Write, player

from arena import jit
from arena.commands.options import NOTICE, compiling_noticed
from arena.jit import FUNCTIONS, announcing, cache_folder, cache_root, compiling_for, own_digest

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


def printed(folder: Path, *words: str, path: Sequence[Path]) -> str:
    """What a new process of Python prints, whose cache is that of the folder."""
    cache = {"NUMBA_CACHE_DIR": str(folder / "cache")}
    environment = os.environ | cache | {"PYTHONPATH": os.pathsep.join(map(str, path))}
    command = [sys.executable, *words]
    return str(finished(command, cwd=folder, env=environment, text=True, check=True).stdout)


def result(folder: Path, step: int) -> tuple[int, int]:
    """The value of `outer(1)` in a new process, and the number of its cache hits."""
    (folder / "callee.py").write_text(CALLEE.format(step=step))
    (folder / "caller.py").write_text(CALLER)
    code = "from caller import outer; print(outer(1), len(outer.stats.cache_hits))"
    value, hits = map(int, printed(folder, "-c", code, path=[folder, ROOT]).split())
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
    monkeypatch.setattr(numba, "__version__", "0.0")
    own_digest.cache_clear()
    assert cache_folder(Path(__file__)) != before
    own_digest.cache_clear()


USER = """
from kit.callee import inner
from arena.jit import kernel

@kernel
def outer(n):
    return inner(n) * 10
""" + player("return Choice(0)").replace("self.game = game", "self.value = outer(1)")


@pytest.mark.slow
def test_so_is_an_edit_in_a_folder_of_a_users_tree(tmp_path: Path) -> None:
    (tmp_path / "kit").mkdir()
    (tmp_path / "my.py").write_text(USER)
    code = (
        "from arena import load_engine as e, load_game as g; print(e('my.py', g('gomoku')).value)"
    )
    for step, value in ((1, 20), (100, 1010), (1, 20)):
        (tmp_path / "kit" / "callee.py").write_text(CALLEE.format(step=step))
        assert int(printed(tmp_path, "-c", code, path=[ROOT])) == value


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


def imported_anew(file: Path) -> Any:
    spec = spec_from_file_location(file.stem, file)
    assert spec
    assert spec.loader
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_compilations_are_told_with_their_engine_and_kernels_from_the_cache_are_not(
    monkeypatch: pytest.MonkeyPatch, write: Write, tmp_path: Path
) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "cache"))
    told = list[tuple[str, int, bool]]()
    names = ("a.py", "bb.py", "ccc.py")
    for name in names:
        write(CALLEE.format(step=len(name)), name)
    with announcing(lambda *facts: told.append(facts)):
        for name, engine in zip(names, ("one", "two", "one"), strict=True):
            with compiling_for(engine):
                assert imported_anew(tmp_path / name).inner(1) == 1 + len(name)
    assert told == [("one", 0, True), ("two", 1, True), ("one", 2, False)]
    with announcing(lambda *facts: pytest.fail(f"{facts}")):
        assert imported_anew(tmp_path / "a.py").inner(1) == 1 + len("a.py")
        assert numba.njit(lambda n: n + 1)(1) == 2  # in every process, and so nothing to tell of


def test_the_notice_names_each_engine_once_and_counts_on(capfd: pytest.CaptureFixture[str]) -> None:
    data = {"dispatcher": SimpleNamespace(py_func=own_digest)}
    FUNCTIONS.add(own_digest)
    try:
        with compiling_noticed():
            for engine in 12 * ["balance"] + 12 * ["/a/b/own.py"] + ["balance"]:
                with compiling_for(engine):
                    event.broadcast(event.Event("numba:compile", event.EventStatus.START, data))
    finally:
        FUNCTIONS.remove(own_digest)
    said = capfd.readouterr().err.splitlines()
    told = [re.split(" \\(|,", line)[0] for line in said]
    assert told[:2] == ["Compiling kernels for balance", "... 10 kernels compiled"]
    assert told[2:] == ["Compiling kernels for own.py", "... 20 kernels compiled"]


def test_a_screen_that_is_gone_stops_no_compilation(
    monkeypatch: pytest.MonkeyPatch, write: Write, tmp_path: Path
) -> None:
    def tell(engine: str, count: int, is_first: bool) -> None:
        raise BrokenPipeError

    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "cache"))
    with announcing(tell):
        assert imported_anew(write(CALLEE.format(step=1), "callee.py")).inner(1) == 2


KERNEL = """
from arena.jit import kernel

@kernel
def best(n):
    return {place}
"""
CHOOSE = """
    moves = self.game.moves(p)
    return Choice(moves[(sum(p.moves) * 31 + self.seed) % best(len(moves))])
"""
SEEDED = player(CHOOSE).replace("seed):\n        pass", "seed):\n        self.seed = seed")
SEEDED = SEEDED.replace("self.game = game", "self.game = game\n        best(1)")
RANDOM_USER = KERNEL + SEEDED.replace("engine(game)", "engine(game, *, weight: int = 1)")
ROUND_OF_TWO = """
    game: tictactoe
    openings: {random: {plies: 2, count: 1}}
    engines:
      - {name: one, engine: ./one.py}
      - {name: two, engine: ./two.py}
"""
STUDY_OF_TWO = """
    game: {gomoku: {size: 7}}
    engine: {engine: ./one.py}
    parameters: {weight: {low: 1, high: 5}}
    budget: 8
    games: 8
    verification: {elo0: -100, elo1: 0, pairs: 40}
"""


@pytest.mark.slow
@pytest.mark.parametrize("command", ["run", "tune", "play"])
def test_commands_say_when_they_compile(command: str, write: Write, tmp_path: Path) -> None:
    write(RANDOM_USER.replace("{place}", "n"), "one.py")
    write(RANDOM_USER.replace("{place}", "n - 0"), "two.py")
    write(ROUND_OF_TWO, "run.yaml")
    write(STUDY_OF_TWO, "tune.yaml")
    lines = [[f"{command}.yaml", "--results", folder] for folder in ("cold", "warm")]
    if command == "play":
        lines = 2 * [["./one.py", "./two.py", "--game", "tictactoe"]]
    start = [sys.executable, "-m", "arena", command]
    cache = {"NUMBA_CACHE_DIR": str(tmp_path / "cache"), "PYTHONPATH": str(ROOT)}
    said = [
        finished([*start, *each], cwd=tmp_path, env=os.environ | cache, text=True) for each in lines
    ]
    assert [done.returncode for done in said] == [0, 0], said
    cold, warm = (re.findall(rf"^{NOTICE} for (.*) \(", done.stderr, re.M) for done in said)
    assert len(cold) == len({*cold}) >= 1
    assert {*cold} <= {"one.py", "two.py"}
    assert not warm
    assert all(NOTICE not in done.stdout for done in said)


def test_the_folders_used_longest_ago_are_removed_and_nothing_else(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(jit, "KEPT_FOLDERS", 2)
    now, day = time.time(), 86400
    ages = {"a" * 16: 9 * day, "b" * 16: 8 * day, "c" * 16: 7 * day, "of_another_program": 9 * day}
    for name, age in ages.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "kernel.nbc").write_text("")
        os.utime(tmp_path / name, (now - age, now - age))
    jit.mark_used(tmp_path / ("a" * 16))
    assert len(list(tmp_path.iterdir())) == 4, "nothing new is wanted"
    jit.mark_used(tmp_path / ("d" * 16))
    assert {each.name for each in tmp_path.iterdir()} == {"a" * 16, "c" * 16, "of_another_program"}
    monkeypatch.setattr(jit, "KEPT_FOLDERS", 0)
    jit.mark_used(tmp_path / ("e" * 16))
    assert (tmp_path / ("a" * 16)).exists(), "it was used today"


ROBBED = """
import shutil, sys
from pathlib import Path
from caller import outer
from callee import inner

if sys.argv[1] == "after":
    inner(1)  # compiled, and kept
for each in Path(sys.argv[2]).iterdir():
    shutil.rmtree(each)
print(outer(1), outer(1.0))
"""


@pytest.mark.slow
@pytest.mark.parametrize("when", ["before", "after"])
def test_a_process_whose_folder_is_removed_compiles_anew(tmp_path: Path, when: str) -> None:
    assert result(tmp_path, step=1) == (20, 0)
    words = ["-c", ROBBED, when, str(tmp_path / "cache")]
    assert printed(tmp_path, *words, path=[tmp_path, ROOT]).split() == ["20", "20.0"]


def test_a_module_may_have_no_loader(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    odd = ModuleType("odd")
    del odd.__loader__
    odd.__file__ = str(tmp_path / "odd.py")
    monkeypatch.setitem(sys.modules, "odd", odd)
    assert cache_folder(tmp_path / "own.py")
