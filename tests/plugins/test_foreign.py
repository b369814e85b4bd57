"""Users' engines at a distance: faults of their files at import end them, and nothing else."""

from __future__ import annotations

import gc
import os
import pickle
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from support.samples import ROUND, Write, player
from support.studies import STUDY

import arena
from arena import ConfigError, load_engine, load_game
from arena.cli import arena as command_line
from arena.config.reader import read_config
from arena.plugins import load, user_engines
from arena.plugins.catalogue import describe
from arena.plugins.parameters import fit, parameters
from arena.processes import child
from arena.processes.child import SIZE_PREFIX

OWN = ROUND.replace("two, engine: random_mover", "two, engine: ./own.py") + "    hang: 1"
TAIL = "\nGAMES = ('*',)\nfrom arena.engines.random_mover import engine\n"
FORGER = """import os, sys
frame = sys._getframe()
while 'pipe' not in frame.f_locals: frame = frame.f_back
os.write(frame.f_locals['pipe'].fileno(), {0!r})
"""  # a file that answers in place of the process that reads it


def forged(data: bytes, then: str = "os._exit(0)") -> str:
    return f"{FORGER.format(data)}{then}"


def value(pickled: bytes) -> bytes:
    return SIZE_PREFIX.pack(len(pickled)) + pickled


LEFT_BEHIND = "import os, time\nif not os.fork(): time.sleep(99)\nos._exit(3)"
"""A file whose child holds the pipe of the process that reads it."""

HOSTILE = [
    ("while True: pass", "did not come back from being imported within 1 s"),
    ("import time; time.sleep(99)", "did not come back from being imported within 1 s"),
    ("import os; os._exit(3)", "took its process down as it was imported: exit code 3"),
    (LEFT_BEHIND, "took its process down as it was imported: exit code 3"),
    ("import os; os._exit(0)", "took its process down as it was imported: exit code 0"),
    ("import os; os.kill(os.getpid(), 9)", "took its process down"),
    ("import os; os.closerange(0, 99)", "took its process down as it was imported"),
    ("import os; os.closerange(3, 99)\nwhile True: pass", "closed the pipe of its process"),
    ("raise KeyboardInterrupt", "cannot be imported: KeyboardInterrupt"),
    ("raise SystemExit(0)", "cannot be imported: SystemExit"),
    ("raise GeneratorExit", "cannot be imported: GeneratorExit"),
    ("class E(BaseException): pass\nraise E('mine')", "cannot be imported: E: mine"),
    ("input()", "cannot be imported: EOFError"),
    ("bytearray(2**40)", "cannot be imported: MemoryError"),
    (forged(b"[1]"), "took its process down as it was imported: exit code 0"),
    (forged(b"[" * 99_999), "answered with what cannot be read"),
    (forged(value(b"rubbish")), "answered with what cannot be read"),
    (forged(value(b"\x80\x04cos\nsystem\n")), "answered with what cannot be read"),
    (forged(value(b"cantigravity\nfly\n.")), "answered with what cannot be read"),
    (forged(value(pickle.dumps({}))), "answered in place of the process"),
    (forged(value(pickle.dumps((1, 2, 3)))), "answered in place of the process"),
    (forged(value(pickle.dumps({"GAMES": 7}))), "answered in place of the process"),
    (forged(value(pickle.dumps(ConfigError("I am fine")))), "I am fine"),
    (forged(value(b"half of it")[:-1], "while True: pass"), "did not come back from being"),
]


@pytest.mark.parametrize(("source", "expected"), HOSTILE, ids=lambda text: text[-30:])
def test_a_file_that_misbehaves_as_it_is_imported_is_a_fault_with_its_place(
    write: Write, source: str, expected: str
) -> None:
    write(source + TAIL, "own.py")
    began = time.monotonic()
    with pytest.raises(ConfigError) as caught:
        read_config(write(OWN))
    (fault,) = caught.value.faults
    assert fault.place.endswith("round.yaml:5:25")
    assert expected in fault.message
    assert time.monotonic() - began < 10


def test_a_file_that_hangs_is_waited_for_once(write: Write, tmp_path: Path) -> None:
    write(f"import os\nopen(f'{tmp_path}/{{os.getpid()}}.pid', 'w')\n1 / 0" + TAIL, "own.py")
    with pytest.raises(ConfigError) as caught:
        read_config(write(ROUND.replace("engine: random_mover", "engine: ./own.py")))
    first, *others = caught.value.faults
    assert len(others) > 0
    assert {fault.message for fault in others} == {first.message}
    assert len([*tmp_path.glob("*.pid")]) == 1


def test_a_process_that_cannot_be_started_leaves_no_pipe_open(
    write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail() -> None:
        raise BlockingIOError

    monkeypatch.setattr(child, "forking", fail)
    own = str(write(TAIL, "own.py"))
    gc.collect()  # of processes before this one
    before = os.listdir("/proc/self/fd")
    with pytest.raises(BlockingIOError):
        describe("engine", own)
    assert os.listdir("/proc/self/fd") == before


def test_threads_and_words_of_a_file_stay_where_it_is_read(
    write: Write, capfd: pytest.CaptureFixture[str]
) -> None:
    noise = "import os, threading, time\nprint('loud')\nos.write(1, b'louder')\n"
    own = write(noise + "threading.Thread(target=time.sleep, args=(99,)).start()" + TAIL, "own.py")
    before = threading.active_count()
    assert describe("engine", str(own)).startswith(f"{own}: ")
    assert threading.active_count() == before
    assert capfd.readouterr() == ("", "")


def test_a_run_imports_no_users_engine_into_its_own_process(write: Write, tmp_path: Path) -> None:
    write(f"import os\nopen({str(tmp_path)!r} + f'/{{os.getpid()}}.pid', 'w')" + TAIL, "own.py")
    before = set(sys.modules)
    arena.run(write(OWN), workers=1, results=tmp_path / "results")
    imported = {int(file.stem) for file in tmp_path.glob("*.pid")}
    assert len(imported) == 3, "read, built on trial, and played"
    assert os.getpid() not in imported
    new = set(sys.modules) - before
    assert not [name for name in new if name.startswith("tree_") and "." in name]


COMMANDS = ["run round.yaml", "tune study.yaml", "engines ./own.py", "bench ./own.py"]


@pytest.mark.parametrize("command", COMMANDS)
def test_no_command_imports_a_file_that_cannot_be_read(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    monkeypatch.chdir(tmp_path)
    write(f"import os\nopen(f'{tmp_path}/{{os.getpid()}}.pid', 'w')\n1 / 0" + TAIL, "own.py")
    write(OWN)
    write(STUDY.replace("coin", "own"), "study.yaml")
    done = CliRunner().invoke(command_line, command.split())
    assert isinstance(done.exception, ConfigError)
    assert "division by zero" in str(done.exception)
    (reader,) = (file.stem for file in tmp_path.glob("*.pid"))
    assert reader != str(os.getpid())


def test_a_module_of_a_user_is_never_imported_as_one_of_the_project(write: Write) -> None:
    with pytest.raises(ValueError, match="read its description first"):
        load.module("engine", str(write(TAIL, "own.py")))


def test_a_worker_plays_what_was_read_of_a_file(write: Write, tmp_path: Path) -> None:
    own = write("", "own.py")
    source = player(f"import os; open({str(own)!r}, 'w').write('1 / 0'); os._exit(7)")
    write(source, "own.py")
    games = arena.run(write(OWN), workers=1, results=tmp_path / "results").games()
    its = games[(games["first"] == "two") | (games["second"] == "two")]
    assert list(its["reason"]) == ["crash"] * 8, "and not exception, as the new text would have it"


SIGNATURE = """
    '''It stands here.

    And there.'''
    from typing import Annotated, Any, Literal, Optional
    from annotated_types import Gt, Le
    from pydantic import AfterValidator
    from arena.engine import NamedValues, Range

    GAMES = ("gomoku", "renju")
    DOCUMENT = "a book"

    class Thing: pass

    def even(value):
        if value % 2:
            raise ValueError("odd")
        return value

    def engine(
        game,
        *,
        plain=3,
        whole: int = 4,
        width: Annotated[int, Range(1, 50, log=True), "moves considered"] = 20,
        share: Annotated[float, Range(0, 1, step=0.25)] = 0.5,
        bound: Annotated[float, Gt(0), Le(9)] = 1,
        style: Literal["a", "b"] = "a",
        level: Annotated[Literal[1, 2], "how"] = 1,
        flag: bool = False,
        maybe: int | None = None,
        other: Optional[Annotated[int, Le(3)]] = None,
        text: str = "x",
        anything: Any = None,
        thing: Thing | None = None,
        lists: list[int] | None = None,
        several: tuple[int, ...] = (1, 2),
        odd: Annotated[int, AfterValidator(even), "even"] = 2,
        named: Annotated[dict[str, int] | None, NamedValues(), "own names"] = None,
        needed: str,
    ):
        '''Make one.'''
"""
VALUES: dict[str, list[Any]] = {"plain": [1, "a"], "whole": [1, 1.5, "1", None], "unknown": [3]}
VALUES |= {"width": [1, 50, 51], "share": [0.25, 1, 1.5], "bound": [0, 9, 9.5], "style": ["b", "c"]}
VALUES |= {"level": [2, 3], "flag": [True, 1], "maybe": [None, 3, "a"], "other": [None, 3, 4]}
VALUES |= {"text": ["", 3], "anything": [None, "a", 3], "lists": [[1, 2], [1, "a"], 3]}
VALUES |= {"several": [3], "odd": [4, 3, "a"], "needed": ["", None]}
VALUES |= {"named": [{"a": 1}, {"flag": 1}, {"a": "b"}]}


def test_a_signature_read_at_a_distance_is_the_one_that_the_file_has(write: Write) -> None:
    name = str(write(SIGNATURE, "own.py"))
    there, here = load.factory("engine", name), load.looked_at(name)[1]
    assert load.playable_games(name) == ("gomoku", "renju")
    assert load.description("engine", name).DOCUMENT == "a book"
    assert there.__doc__ == "Make one."
    for one, other in zip(parameters(there), parameters(here), strict=True):
        shown = [(p.name, p.default, p.range, p.choices, p.about, p.domain) for p in (one, other)]
        assert shown[0] == shown[1]
        assert (one.is_path, one.has_names) == (other.is_path, other.has_names)
    for key, values in VALUES.items():
        for value in values:
            assert told(there, {key: value}) == told(here, {key: value}), (key, value)


def told(factory: Any, values: dict[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """The values that fit, and the messages of those that do not."""
    fitted, misfits = fit(factory, values)
    return fitted, [misfit.message for misfit in misfits]


STRANGE = """
    import os
    from enum import IntEnum
    from typing import Annotated, Literal
    from pydantic import AfterValidator
    from arena.engine import Range

    open(f'{folder}/{{os.getpid()}}.pid', 'w')
    GAMES = ('*',)

    class Size(IntEnum):
        SMALL = 3

    class Own(Range): pass

    def doubled(value): return 2 * value
    def broken(value): return 1 / 0
    def made(value): return Size(value)

    def engine(
        game,
        *,
        size: Annotated[int, AfterValidator(doubled)] = Size.SMALL,
        style: Annotated[Literal['a', 'b'], AfterValidator(doubled)] = 'a',
        bounds: Annotated[int, Own(1, 5)] = 1,
        parts: Annotated[list[int], AfterValidator(doubled)] = (),
        low: Annotated[int, AfterValidator(broken)] = 0,
        kind: Annotated[int, AfterValidator(made)] = 3,
        named: Annotated[dict[str, int] | None, AfterValidator(doubled)] = None,
    ): pass
"""  # a file whose types and checks no other process can have


def test_values_of_its_own_types_are_fitted_in_one_question(write: Write, tmp_path: Path) -> None:
    factory = load.factory("engine", str(write(STRANGE.format(folder=tmp_path), "own.py")))
    values = {"size": 2, "style": "b", "bounds": 6, "parts": [1], "low": 1, "kind": 3}
    fitted, messages = told(factory, values)
    own = {"size": 4, "style": "bb", "bounds": 1, "parts": [1]}
    assert fitted == own | {"low": 0, "kind": 3, "named": None}
    assert type(fitted["kind"]) is int
    assert messages[0] == "bounds must be at most 5, not 6"
    assert messages[1].startswith("low cannot be checked: ZeroDivisionError: ")
    assert len(messages) == 2
    assert len([*tmp_path.glob("*.pid")]) == 2, "described, and asked once"


def test_its_own_defaults_and_types_are_known_by_plain_ones(write: Write, tmp_path: Path) -> None:
    before = set(sys.modules)
    factory = load.factory("engine", str(write(STRANGE.format(folder=tmp_path), "own.py")))
    known = {each.name: each for each in parameters(factory)}
    assert type(known["size"].default) is int
    assert known["size"].type is int
    assert known["style"].choices == ("a", "b")
    assert known["bounds"].range is None
    assert [name for name, each in known.items() if each.hint is None] == [*known]
    assert not [name for name in set(sys.modules) - before if name.endswith(".own")]
    _, misfits = fit(factory, {"named": {"a": 1, "b": "c"}})
    told = ("named", "b"), "named must be a whole number, not 'c'"
    assert [(each.path, each.message) for each in misfits] == [told]


def test_an_engine_that_was_edited_is_read_again(write: Write) -> None:
    game = load_game("gomoku")
    source = "GAMES = ('*',)\nDOCUMENT = '{0}'\n"
    source += "class E:\n    new_game = choose = close = print\n    seen = {0}\n"
    for number in (1, 22):
        own = write(source.format(number) + "def engine(game):\n    return E()\n", "own.py")
        assert load_engine(str(own), game).seen == number  # type: ignore[attr-defined]
        assert vars(load.description("engine", str(own)))["DOCUMENT"] == str(number)


@pytest.mark.parametrize("statement", ["import no_such_thing", "from no_such_thing import a"])
def test_an_import_that_fails_is_at_the_line_where_it_stands(write: Write, statement: str) -> None:
    helper = write(f"# lines\n{statement}\n", "helper.py")
    own = write("import helper\n" + TAIL, "own.py")
    for file, line, text in ((helper, 2, "import helper"), (own, 1, statement)):
        own.write_text(text + "\n" + TAIL)
        with pytest.raises(ConfigError) as caught:
            describe("engine", str(own))
        assert "No module named 'no_such_thing'" in str(caught.value)
        assert f"({file}:{line})" in str(caught.value)


@pytest.mark.slow
def test_an_engine_can_be_forgotten_while_another_thread_imports(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "modules", dict(sys.modules))
    is_over = threading.Event()

    def imports() -> None:
        while not is_over.is_set():
            for number in range(100):
                sys.modules[f"library_{number}"] = sys
            for number in range(100):
                del sys.modules[f"library_{number}"]

    thread, interval = threading.Thread(target=imports), sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    thread.start()
    try:
        for _ in range(2000):
            user_engines.forget(str(tmp_path / "own.py"))
    finally:
        is_over.set()
        thread.join()
        sys.setswitchinterval(interval)
