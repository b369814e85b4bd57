"""Programs as players: where they are named, what is filled in, what they are told, and Wine."""

from __future__ import annotations

import shlex
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.processes import finished, living_in
from support.samples import ROOT, Write

import arena
from arena import Choice, ConfigError, Limit, load_engine, load_game
from arena.config.reader import read_config
from arena.config.yaml_file import dump
from arena.engines.gomocup import program_files
from arena.gomocup.command import found_program
from arena.plugins.load import Named
from arena.storage.history import FILES, with_digests

FIRST = Path(__file__).parents[1] / "data" / "brain_first.py"
TURN = 'rest.split(","))))\n        '  # The end of that program's line before it answers TURN
HEAD = f"#!{sys.executable}\nimport sys, os, time\n"
ROUND = """\
game: {{gomoku: {{size: 9}}}}
engines:
  - {entry}
  - {{name: other, engine: random_mover}}
"""


def program(folder: Path, name: str, text: str) -> Path:
    file = folder / name
    file.write_text(HEAD + text, encoding="utf-8")
    file.chmod(0o755)
    return file


def copy_of_first(folder: Path) -> Path:
    return program(folder, "pbrain-first", FIRST.read_text(encoding="utf-8"))


def changed_first(folder: Path, old: str, new: str) -> Path:
    text = FIRST.read_text(encoding="utf-8")
    assert old in text
    return program(folder, "pbrain-changed", text.replace(old, new))


def config(folder: Path, entry: str) -> Path:
    file = folder / "round.yaml"
    file.write_text(ROUND.format(entry=entry), encoding="utf-8")
    return file


@pytest.mark.parametrize(
    "entry",
    [
        "{name: mine, engine: gomocup, command: ./pbrain-first}",
        "{name: mine, engine: gomocup, command: pbrain-first}",
        "{name: mine, engine: ./pbrain-first}",
    ],
)
def test_a_program_is_found_from_the_files_folder(tmp_path: Path, entry: str) -> None:
    file = copy_of_first(tmp_path)
    mine, _ = read_config(config(tmp_path, entry)).players
    assert (mine.engine.name, mine.engine.parameters["command"]) == ("gomocup", str(file))


def test_words_of_a_list_are_paths_if_there_is_such_a_file(tmp_path: Path) -> None:
    file = copy_of_first(tmp_path)
    (tmp_path / "env").mkdir()  # no program, for all its name
    entry = "{name: mine, engine: gomocup, command: [env, -i, pbrain-first, x/y], folder: .}"
    mine, _ = read_config(config(tmp_path, entry)).players
    assert mine.engine.parameters["command"] == ["env", "-i", str(file), "x/y"]
    assert mine.engine.parameters["folder"] == str(tmp_path)


def test_a_program_plays_where_an_engine_is_named(tmp_path: Path) -> None:
    file = copy_of_first(tmp_path)
    game = arena.play("gomoku:size=9", f"{file}:board=true", f"gomocup:command={file}")
    assert (game.winner, game.reason, game.plies) == (1, "line", 37)


def test_a_bare_name_is_a_command_beside_this_python_before_it_is_one_of_the_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for folder in ("own", "path", "work/pbrain-first"):
        (tmp_path / folder).mkdir(parents=True)
    own, other = copy_of_first(tmp_path / "own"), copy_of_first(tmp_path / "path")
    monkeypatch.chdir(tmp_path / "work")  # where a folder has the name, which is no program
    monkeypatch.setenv("PATH", str(tmp_path / "path"))
    assert found_program("pbrain-first") == str(other)
    monkeypatch.setattr("arena.plugins.engine_names.OWN_COMMANDS", str(tmp_path / "own"))
    assert found_program("pbrain-first") == str(own)
    assert program_files({"command": ["pbrain-first", "x"]}) == [own]


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        ("command: ./none", "none is no file"),
        ("command: ''", "command is missing"),
        ("command: ./plain.txt", "plain.txt is not executable"),
        ("command: ./pbrain-first, folder: ./none", "none is no folder"),
        ("command: ./pbrain-first, message: '('", "message '(' is no regular expression"),
        ("command: ./pbrain-first, fresh: 1", "fresh must be true or false, not 1"),
    ],
)
def test_a_wrong_parameter_is_a_fault_of_the_file(tmp_path: Path, entry: str, words: str) -> None:
    copy_of_first(tmp_path)
    (tmp_path / "plain.txt").write_text("no program")
    file = config(tmp_path, f"{{name: mine, engine: gomocup, {entry}}}")
    with pytest.raises(ConfigError, match=words.replace("(", r"\(")):
        arena.run(file, workers=1, results=tmp_path)


def not_run(folder: Path, name: str, content: bytes, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The messages for a program in a YAML file, and for the same on a command line."""
    file = folder / name
    file.write_bytes(content)
    monkeypatch.setattr("arena.gomocup.command.HANDLERS", folder / "none")
    with pytest.raises(ConfigError) as in_file:
        arena.run(config(folder, f"{{name: mine, engine: ./{name}}}"), workers=1, results=folder)
    with pytest.raises(ConfigError) as typed:
        arena.play("gomoku:size=9", str(file), "random_mover")
    return [error.value.faults[0].message for error in (in_file, typed)]


def test_what_is_not_executable_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("pbrain-plain", "pbrain plain"):
        words = f"is not executable: chmod +x {shlex.quote(str(tmp_path / name))}"
        for message in not_run(tmp_path, name, b"#!/bin/sh\n", monkeypatch):
            assert message == f"engine gomocup: {tmp_path / name} {words}"


def test_what_runs_windows_programs_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.gomocup.command.WINE_COMMANDS", ())
    for message in not_run(tmp_path, "theirs.exe", b"MZ\x90", monkeypatch):
        assert message.startswith(f"engine gomocup: {tmp_path / 'theirs.exe'} is a Windows program")
        assert "apt install wine" in message
    monkeypatch.setattr("arena.gomocup.command.runs_windows_programs", lambda: True)
    (tmp_path / "theirs.exe").chmod(0o755)
    assert found_program(str(tmp_path / "theirs.exe")) == str(tmp_path / "theirs.exe")


def test_a_number_in_a_command_is_told_by_its_place(tmp_path: Path) -> None:
    entry = "{name: mine, engine: gomocup, command: [./bad.py, hang, 3]}"
    with pytest.raises(ConfigError) as error:
        read_config(config(tmp_path, entry))
    (fault,) = error.value.faults
    assert fault.message == 'command[2] must be text: write "3"'
    assert fault.place.endswith(f"round.yaml:3:{5 + entry.index('3]')}")


def test_a_program_that_misbehaved_is_started_anew(tmp_path: Path) -> None:
    once = "move() if len(stones) < 4 else sys.exit()"
    bad = changed_first(tmp_path, f"{TURN}move()", f"{TURN}{once}")
    game = load_game("gomoku:size=9")
    engine = load_engine(str(bad), game)
    for _ in range(2):
        engine.new_game(0)
        assert engine.choose(game.start(), Limit()).move == 0
        p = game.play(game.play(game.start(), 0), 40)
        assert engine.choose(p, Limit()).move == 1
        with pytest.raises(Exception, match="exited in its move"):
            engine.choose(game.play(game.play(p, 1), 50), Limit())
    engine.close()


def test_what_a_message_tells_is_the_choices(tmp_path: Path) -> None:
    said = 'say(f"MESSAGE depth 3 ev -7 n 2K pv {x},{y} 8,8")\n    say(f"{x},{y}")'
    file = changed_first(tmp_path, 'say(f"{x},{y}")', said)
    game = load_game("gomoku:size=9")
    engine = load_engine(Named(str(file)), game)
    engine.new_game(0)
    assert engine.choose(game.start(), Limit()) == Choice(0, -7, 3, 2000, (0, 80))
    engine.close()


@pytest.mark.parametrize(("rule", "code"), [("standard", 1), ("caro", 8), ("caro_exact", 9)])
def test_a_program_is_told_the_number_of_the_rule(tmp_path: Path, rule: str, code: int) -> None:
    told = tmp_path / "told"
    heard = f"for line in sys.stdin:\n    open({str(told)!r}, 'a').write(line)"
    brain = changed_first(tmp_path, "for line in sys.stdin:", heard)
    game = load_game(f"gomoku:size=7,rule={rule}")
    engine = load_engine(Named("gomocup", {"command": str(brain)}), game)
    engine.new_game(0)
    assert engine.choose(game.start(), Limit()).move == 0
    engine.close()
    assert f"INFO rule {code}\n" in told.read_text()


TELLER = f"""#!{sys.executable}
import os, sys
for line in sys.stdin:
    word = line.split()[0]
    if word == "START":
        print("MESSAGE", sys.argv[1:], "in", os.getcwd())
        if len(sys.argv) > 2 and os.path.exists(sys.argv[2]):
            print("MESSAGE", open(sys.argv[2], newline="").read().encode())
        print("OK", flush=True)
    elif word == "ABOUT":
        print('name="teller"', flush=True)
    elif word == "INFO":
        print("MESSAGE", line.strip(), flush=True)
    elif word == "BEGIN":
        print("0,0", flush=True)
    elif word == "END":
        break
"""
VALUED = """\
game: {{gomoku: {{size: 9}}}}
engines:
  - name: mine
    engine: gomocup
    {entry}
  - {{name: other, engine: random_mover}}
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a program that tells what it is given, and a template."""
    program = tmp_path / "pbrain-teller"
    program.write_text(TELLER)
    program.chmod(0o755)
    (tmp_path / "weights.conf").write_bytes(b"{{\r\n three: {three}\r\n}}\n")
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    return tmp_path


def told_of(parameters: dict[str, object], caplog: pytest.LogCaptureFixture) -> str:
    caplog.set_level("INFO")
    game = load_game("gomoku:size=9")
    engine = load_engine(Named("gomocup", parameters), game)
    engine.new_game(0)
    engine.choose(game.start(), Limit())
    engine.close()
    return caplog.text


def test_values_in_command_info_and_template(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    values = {"three": 105, "style": "a b"}
    found = told_of(
        {
            "command": [str(folder / "pbrain-teller"), "-x={three}{{}}", "{template}"],
            "info": {"style": "{style}", "three": "3{three}", "whole": 4, "file": "{template}"},
            "template": str(folder / "weights.conf"),
            "values": values,
        },
        caplog,
    )
    copy = str(folder / "temporary" / "arena-filled-")
    assert f"['-x=105{{}}', '{copy}" in found
    assert f".conf'] in {folder}" in found
    assert "INFO style a b\n" in found
    assert "INFO three 3105\n" in found
    assert "INFO whole 4\n" in found
    assert f"INFO file {copy}" in found
    assert str(b"{\r\n three: 105\r\n}\n") in found
    assert not list((folder / "temporary").iterdir())


def test_without_values_braces_are_braces(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    found = told_of(
        {
            "command": [str(folder / "pbrain-teller"), '{"three": {{3}}'],
            "info": {"json": "{three} {"},
        },
        caplog,
    )
    assert "['{\"three\": {{3}}'] in" in found
    assert "INFO json {three} {" in found


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "gb18030"])
def test_a_copy_has_the_encoding_of_its_template(folder: Path, encoding: str) -> None:
    (folder / "weights.conf").write_bytes("注：黑白胜负，五子棋的权值\n{three}".encode(encoding))
    parameters = {
        "command": [str(folder / "pbrain-teller"), "{template}"],
        "template": str(folder / "weights.conf"),
        "values": {"three": "三"},
    }
    engine = load_engine(Named("gomocup", parameters), load_game("gomoku:size=9"))
    (copy,) = (folder / "temporary").iterdir()
    assert copy.read_bytes() == "注：黑白胜负，五子棋的权值\n三".encode(encoding)
    engine.close()


def test_a_copy_goes_with_a_program_that_does_not_start(folder: Path) -> None:
    (folder / "pbrain-teller").write_text(f"#!{sys.executable}\nraise SystemExit(3)")
    named = Named(
        "gomocup",
        {
            "command": [str(folder / "pbrain-teller"), "{template}"],
            "template": str(folder / "weights.conf"),
            "values": {"three": 1},
        },
    )
    with pytest.raises(ConfigError, match="exit code 3"):
        load_engine(named, load_game("gomoku:size=9"))
    assert not list((folder / "temporary").iterdir())


def test_a_program_or_template_of_another_version_is_other_code(folder: Path) -> None:
    files = program, template = folder / "pbrain-teller", folder / "weights.conf"
    command = ["env", str(program), "--weights={template}"]
    entry = {"name": "mine", "engine": "gomocup", "command": command, "template": str(template)}
    before = with_digests(entry | {"values": {"three": 1}})
    assert with_digests(entry | {"values": {"three": 1}}) == before
    for file in files:
        file.write_bytes(file.read_bytes() + b"# another version\n")
        after = with_digests(entry | {"values": {"three": 1}})
        assert after[FILES][str(file)] != before[FILES][str(file)]


def test_a_template_is_looked_for_from_the_files_folder(folder: Path, write: Write) -> None:
    entry = "command: [./pbrain-teller, '{template}']\n    template: weights.conf"
    file = write(VALUED.format(entry=entry + "\n    values: {three: 1}"))
    mine, _ = read_config(file).players
    assert mine.engine.parameters["template"] == str(folder / "weights.conf")


@pytest.mark.parametrize(
    ("entry", "place", "words"),
    [
        ("command: [./pbrain-teller, '{tree}']", "5:32", "unknown value 'tree'; did you mean 'thr"),
        ("command: [./pbrain-teller, '{three']", "5:32", "a '{' stands alone; a brace itself is w"),
        ("command: './pbrain-{tree}'", "5:14", "unknown value 'tree'; did you mean 'three'?"),
        ("info: {x: '{three:d}'}", "5:15", "'{three:d}' is no name of a value; a brace itself is"),
        ("info: {x: '{}'}", "5:15", "'{}' is no name of a value; a brace itself is written '{{'"),
        ("info: {x: '{ three }'}", "5:15", "unknown value ' three '; did you mean 'three'?"),
        ("info: {x: '{three} }'}", "5:15", "a '}' stands alone; a brace itself is written '}}'"),
        ("command: ./pbrain-teller", "9:21", "{three} stands nowhere in command, info or template"),
        ("info: {x: '{template}{three}'}", "5:15", "unknown value 'template'; there is three"),
        ("template: none.txt", "5:15", "none.txt: No such file or directory"),
        ("template: temporary", "5:15", "temporary: is a folder, not a file"),
        ("template: half.txt", "5:15", "half.txt: 'utf-16-le' codec can't decode"),
        ("template: /dev/zero", "5:15", "/dev/zero: is larger than"),
        ("template: odd.txt", "5:15", "odd.txt:2:3: unknown value 'tree'; did you mean 'three'?"),
        ("template: weights.conf", "5:15", "{template}, the path of its copy, stands nowhere"),
    ],
)
def test_a_mistake_in_a_text_is_a_fault_of_the_file_with_its_place(
    folder: Path, write: Write, entry: str, place: str, words: str
) -> None:
    (folder / "half.txt").write_bytes("{three}".encode("utf-16")[:-1])
    (folder / "odd.txt").write_text("{three}\n  {tree}")
    entry += "\n" * 4 + "    values: {three: 1}"
    with pytest.raises(ConfigError) as error:
        read_config(write(VALUED.format(entry=entry)))
    found = {fault.place.split("round.yaml:")[1]: fault.message for fault in error.value.faults}
    assert words in found.get(place, ""), found


def test_a_value_has_no_name_of_a_parameter(write: Write) -> None:
    entry = "values: {board: 1, 'a b': 2}\n    command: './{board}'"
    with pytest.raises(ConfigError) as error:
        read_config(write(VALUED.format(entry=entry)))
    (fault,) = error.value.faults
    assert fault.place.endswith("round.yaml:5:14")
    assert "'board' is a parameter of the engine: choose another name" in fault.message


@pytest.mark.parametrize(("value", "shown"), [("[1]", "[1]"), ("true", "True"), ("~", "nothing")])
def test_a_value_of_another_type_is_one_fault(write: Write, value: str, shown: str) -> None:
    entry = f"command: './pbrain {{wide}}'\n    values: {{wide: {value}}}"
    with pytest.raises(ConfigError) as error:
        read_config(write(VALUED.format(entry=entry)))
    (fault,) = [each for each in error.value.faults if "values" in each.message]
    assert fault.place.endswith("round.yaml:6:20")
    assert fault.message == f"values must be a number or text, not {shown}"


@pytest.mark.parametrize("game", ["gomoku: {size: 99}", "go: {}"])
@pytest.mark.parametrize(
    ("entry", "place"),
    [
        ("command: './pbrain-{tree}'\n    values: {three: 1}", "5:14"),
        ("command: pbrain-somewhere\n    ship: true", "6:11"),
    ],
)
def test_a_mistake_in_values_or_ship_is_told_together_with_one_in_the_game(
    folder: Path, write: Write, game: str, entry: str, place: str
) -> None:
    text = VALUED.format(entry=entry).replace("gomoku: {size: 9}", game)
    with pytest.raises(ConfigError) as error:
        read_config(write(text))
    lines = [fault.place.split("round.yaml:")[1] for fault in error.value.faults]
    assert lines[0].startswith("1:")
    assert place in lines[1:]


COMPILER = "x86_64-w64-mingw32-gcc"
MISSING = [program for program in ("wine", COMPILER) if not shutil.which(program)]


@pytest.fixture
def windows_brain(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A brain compiled for Windows, with a Wine of its own that was never started before."""
    monkeypatch.setenv("WINEPREFIX", str(tmp_path / "prefix"))
    monkeypatch.delenv("WINEDEBUG", raising=False)
    program = tmp_path / "pbrain-first.exe"
    source = ROOT / "research/benchmarks/at_once.c"
    finished([COMPILER, "-O2", "-o", str(program), str(source)], check=True)
    yield program
    finished(["wineserver", "-k"])


@pytest.mark.slow
@pytest.mark.skipif(bool(MISSING), reason=f"needs {' and '.join(MISSING)}")
@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("command", ["./pbrain-first.exe", ["wine", "pbrain-first.exe"]])
def test_a_windows_brain_outlives_others(
    windows_brain: Path, workers: int, command: str | list[str]
) -> None:
    theirs = {"engine": "gomocup", "command": command, "fresh": True}
    tournament = {
        "name": "windows",
        "game": {"gomoku": {"size": 15}},
        "openings": {"random": {"count": 4}},
        "limit": {"seconds": 5},
        "engines": [{"name": "theirs", **theirs, "folder": "."}, {"engine": "random_mover"}],
    }
    file = windows_brain.parent / "windows.yaml"
    file.write_text(dump(tournament), encoding="utf-8")
    run = arena.run(file, workers=workers, results=windows_brain.parent / "results")
    games = run.report().games
    assert set(games["reason"]) <= {"line", "full board"}
    assert len(games) == 8
    log = (run.folder / "arena.log").read_text(encoding="utf-8")
    assert "wine32" not in log
    assert ":err:" not in log
    assert living_in(windows_brain.parent) == []
