"""Programs as players: where they are named, what they are told, and what is known of them."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import pytest

import arena
from arena import Choice, ConfigError, Limit, load_engine, load_game
from arena.config.reader import read_config
from arena.engines.gomocup import program_files
from arena.game import Reason
from arena.gomocup.command import found_program
from arena.plugins.load import Named
from arena.storage.history import FILES, with_digests

FIRST = Path(__file__).parents[1] / "data" / "brain_first.py"
TURN = 'rest.split(","))))\n        '
"""The end of that program's line before it answers TURN."""
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


def copy_of_first(folder: Path, extra: str = "") -> Path:
    return program(folder, "pbrain-first", FIRST.read_text(encoding="utf-8") + extra)


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


def test_a_program_of_another_version_is_other_code(tmp_path: Path) -> None:
    file = copy_of_first(tmp_path)
    entry = {"name": "mine", "engine": "gomocup", "command": ["env", str(file)]}
    before = with_digests(entry)
    assert with_digests(entry) == before
    copy_of_first(tmp_path, "# another version\n")
    assert with_digests(entry)[FILES][str(file)] != before[FILES][str(file)]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("sys.stderr.write('no licence'); sys.exit(3)", "exited before it answered START"),
        ("sys.stderr.write('no licence'); sys.exit(3)", "no licence"),
        ("input(); print('ERROR size')", "answered START 9 with: ERROR size"),
        ("time.sleep(60)", "did not answer START within 0.3 s"),
        ("os.close(1); time.sleep(60)", "closed its output before it answered START"),
        ("os.kill(os.getpid(), 11)", "was killed before it answered START by signal 11"),
    ],
)
def test_a_program_that_does_not_start_is_a_fault_of_the_file_in_its_own_words(
    tmp_path: Path, text: str, words: str
) -> None:
    program(tmp_path, "pbrain-bad", text)
    entry = "{name: mine, engine: gomocup, command: ./pbrain-bad, startup: 0.3}"
    if "time.sleep" not in text or "close" in text:
        entry = entry.replace("0.3", "20")
    with pytest.raises(ConfigError) as error:
        arena.run(config(tmp_path, entry), workers=1, results=tmp_path)
    (fault,) = error.value.faults
    assert fault.place.endswith("round.yaml:3:5")
    assert words in fault.message


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


def test_a_program_that_is_not_executable_is_told_with_the_cure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("pbrain-plain", "pbrain plain"):
        words = f"is not executable: chmod +x {shlex.quote(str(tmp_path / name))}"
        for message in not_run(tmp_path, name, b"#!/bin/sh\n", monkeypatch):
            assert message == f"engine gomocup: {tmp_path / name} {words}"


def test_a_windows_program_is_told_with_what_runs_it(
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


@pytest.mark.parametrize(
    ("answer", "reason", "words"),
    [
        ('say("ERROR lost")', "exception", "its program answered with: ERROR lost"),
        ('say("0,0")', "illegal move", "its program played on a stone: 0,0"),
        ('say("9,0")', "illegal move", "its program played off the board: 9,0"),
        ('say("pass")', "time", "its program did not move within 0.300 s"),
        ("sys.exit(3)", "crash", "its program exited in its move, exit code 3"),
        ("__import__('time').sleep(9)", "time", "its program did not move within 0.300 s"),
    ],
)
def test_a_fault_loses_the_game_with_its_reason_and_the_last_lines(
    tmp_path: Path, answer: str, reason: Reason, words: str
) -> None:
    bad = changed_first(tmp_path, f"{TURN}move()", f"{TURN}{answer}")
    game = arena.play("gomoku:size=9", str(bad), "random_mover", limit=Limit(seconds=0.3))
    assert (game.winner, game.reason) == (2, reason)
    assert game.detail.startswith(words)
    assert "> TURN" in game.detail


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


@pytest.mark.slow
def test_the_report_has_the_programs_own_name(tmp_path: Path) -> None:
    copy_of_first(tmp_path)
    file = config(tmp_path, "{name: mine, engine: ./pbrain-first}")
    file.write_text(file.read_text() + "openings: {list: ['']}\n")
    run = arena.run(file, workers=1, results=tmp_path)
    assert "mine is a program that calls itself first 1.2." in run.report().notes


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
