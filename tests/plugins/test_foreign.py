"""Users' engines at a distance: whatever their files do as they are imported, only they suffer."""

from __future__ import annotations

import os
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
from arena.config.tournament import read_config
from arena.plugins import load, user_engines
from arena.plugins.catalogue import describe
from arena.plugins.parameters import fit, parameters
from arena.processes import confine

OWN = (
    ROUND.replace("name: two, engine: random_mover", "name: two, engine: ./own.py") + "    hang: 1"
)
TAIL = "\nGAMES = ('*',)\nfrom arena.engines.random_mover import engine\n"

FORGER = "\n".join(
    [
        "import os, sys",
        "frame = sys._getframe()",
        "while 'pipe' not in frame.f_locals: frame = frame.f_back",
        "os.write(frame.f_locals['pipe'], {0!r})",
        "os._exit(0)",
    ]
)
"""A file that answers in place of the process that reads it."""

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
    (FORGER.format(b"[1]\n"), "wrote into the pipe of its process"),
    (FORGER.format(b"[" * 99_999 + b"\n"), "wrote into the pipe of its process"),
    (FORGER.format(b"\x80\x04cos\nsystem\n"), "wrote into the pipe of its process"),
    (FORGER.format(b'{"value": 1}\n'), "says of itself what is not so"),
    (FORGER.format(b'{"value": {"doc": [], "games": 7}}\n'), "says of itself what is not so"),
    (FORGER.format(b'{"fault": "I am fine"}\n'), "I am fine"),
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


def test_a_file_that_hangs_is_waited_for_once_however_many_players_it_has(
    write: Write, tmp_path: Path
) -> None:
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
    def fail(process: object) -> None:
        raise BlockingIOError

    monkeypatch.setattr(confine, "start_fork", fail)
    own = str(write(TAIL, "own.py"))
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


def test_a_run_imports_no_engine_of_a_user_into_its_own_process(
    write: Write, tmp_path: Path
) -> None:
    write(f"import os\nopen({str(tmp_path)!r} + f'/{{os.getpid()}}.pid', 'w')" + TAIL, "own.py")
    before = set(sys.modules)
    arena.run(write(OWN), workers=1, results=tmp_path / "results")
    imported = {int(file.stem) for file in tmp_path.glob("*.pid")}
    assert len(imported) == 3, "read, built on trial, and played"
    assert os.getpid() not in imported
    assert not [
        name for name in set(sys.modules) - before if name.startswith("tree_") and "." in name
    ]


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
    with pytest.raises(ValueError, match="read its outline first"):
        load.module("engine", str(write(TAIL, "own.py")))


def test_a_worker_plays_what_was_read_whatever_becomes_of_the_file(
    write: Write, tmp_path: Path
) -> None:
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

VALUES: dict[str, list[Any]] = {
    "plain": [1, "a"],
    "whole": [1, 1.5, "1", None],
    "width": [1, 50, 51],
    "share": [0.25, 1, 1.5],
    "bound": [0, 9, 9.5],
    "style": ["b", "c"],
    "level": [2, 3],
    "flag": [True, 1],
    "maybe": [None, 3, "a"],
    "other": [None, 3, 4],
    "text": ["", 3],
    "anything": [None, "a", 3],
    "lists": [[1, 2], [1, "a"], 3],
    "several": [3],
    "odd": [4, 3, "a"],
    "named": [{"a": 1}, {"flag": 1}, {"a": "b"}],
    "needed": ["", None],
    "unknown": [3],
}


def test_a_signature_read_at_a_distance_is_the_one_that_the_file_has(write: Write) -> None:
    name = str(write(SIGNATURE, "own.py"))
    there, here = load.factory("engine", name), load.looked_at(name)[1]
    assert load.playable_games(name) == ("gomoku", "renju")
    assert load.outline("engine", name).DOCUMENT == "a book"
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


RUBBISH: list[Any] = [
    *(None, 3, "text", [], {}, [[]], [{}]),
    *([{"name": 3}], [{"name": "a b", "hint": {}}], [{"name": "a", "hint": 3}]),
    *([{"name": "a", "hint": {"type": "object"}}], [{"name": "a", "hint": {"union": []}}]),
    *([{"name": "a", "hint": {"range": ["a", 2, 3, 4]}}], [{"name": "a", "hint": {"range": [1]}}]),
    *([{"name": "a", "hint": {"bounds": [["eval", "1"]]}}], [{"name": "class", "hint": {}}]),
    [{"name": "a", "hint": {"range": [True, 2, False, None]}}],
    [{"name": "a", "hint": {"literal": [[]]}}],
    [{"name": "a", "hint": {}, "default": {"tuple": [[]]}}],
    [{"name": "a", "hint": {}}, {"name": "a", "hint": {}}],
]


@pytest.mark.parametrize("key", ["doc", "games", "document", "parameters", "file", "loaded"])
@pytest.mark.parametrize("rubbish", RUBBISH, ids=str)
def test_what_a_file_says_of_itself_is_believed_by_nobody(
    write: Write, monkeypatch: pytest.MonkeyPatch, key: str, rubbish: Any
) -> None:
    name = str(write(TAIL, "own.py"))
    words = {"doc": "", "games": ["*"], "document": "", "details": "", "parameters": []}
    lists: dict[str, Any] = {"file": name, "loaded": []}
    monkeypatch.setattr(user_engines, "answer_of", lambda _: {**words, **lists, key: rubbish})
    monkeypatch.setattr(user_engines, "OUTLINES", {})
    try:
        describe("engine", name)
        fit(load.factory("engine", name), {"a": 3})
    except ConfigError:
        pass


def test_an_engine_that_was_edited_is_read_again(write: Write) -> None:
    game = load_game("gomoku")
    source = "GAMES = ('*',)\nclass E:\n    new_game = choose = close = print\n    seen = {}\n"
    for number in (1, 22):
        own = write(source.format(number) + "def engine(game):\n    return E()\n", "own.py")
        assert load_engine(str(own), game).seen == number  # type: ignore[attr-defined]


@pytest.mark.parametrize("statement", ["import no_such_thing", "from no_such_thing import a"])
def test_an_import_that_fails_is_at_the_line_where_it_stands(write: Write, statement: str) -> None:
    helper = write(f"# lines\n{statement}\n", "helper.py")
    own = write("import helper\n" + TAIL, "own.py")
    for file, line, text in ((helper, 2, "import helper"), (own, 1, statement)):
        own.write_text(text + "\n" + TAIL)
        with pytest.raises(ConfigError) as caught:
            describe("engine", str(own))
        assert "No module named 'no_such_thing'" in str(caught.value)
        assert str(caught.value).endswith(f"({file}:{line})")
