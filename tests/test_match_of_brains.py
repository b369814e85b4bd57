"""`arena match` and `arena check` of brains that are typed as command lines, and their options."""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import Result
from support.processes import running
from support.samples import ROOT, player
from support.typed import invoked as typed

from arena.config.reader import read_config
from arena.errors import ConfigError

FIRST = (ROOT / "tests/data/brain_first.py").read_text(encoding="utf-8")
PYTHON = shlex.quote(sys.executable)
QUICK = ("--games", "2", "--limit", "d1", "--game", "gomoku:size=7", "--workers", "0")
ROUND = """\
game: {{gomoku: {{size: 7}}}}
limit: {{depth: 1}}
engines:
  - {entry}
  - {{engine: random_mover}}
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with brains that are not executable."""
    for name in ("brain.py", "a brain.py"):
        (tmp_path / name).write_text(FIRST, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def words_on(done: Result) -> str:
    assert done.exit_code == 2 or isinstance(done.exception, ConfigError), done.output
    return f"{done.exception}{done.stderr}"


def match(one: str, *options: str) -> Result:
    return typed("match", one, "random_mover", *QUICK, *options)


@pytest.mark.parametrize(
    ("one", "name"),
    [
        (f"{PYTHON} brain.py", "brain"),
        (f"{PYTHON} './a brain.py' --level 3", "a-brain-level-3"),
        ("python3 -m brain", "m-brain"),
    ],
)
def test_a_command_line_in_quotes_is_a_player_whose_file_plays_again(one: str, name: str) -> None:
    done = match(one)
    assert done.exit_code == 0, done.output
    assert "crash" not in done.stdout
    config = read_config(Path(f"{name}-vs-random_mover.yaml"))
    assert config.players[0].name == name
    words = [os.path.abspath(word) if Path(word).is_file() else word for word in shlex.split(one)]
    assert config.players[0].engine.parameters["command"] == words


@pytest.mark.parametrize(
    "entry",
    [
        "{name: mine, engine: gomocup, command: '%s brain.py -x'}",
        "{name: mine, engine: '%s brain.py -x'}",
        "{name: mine, engine: gomocup, command: ['%s', brain.py, -x]}",
        "{name: mine, engine: '%s ./brain.py -x'}",
    ],
)
def test_a_command_line_in_a_file_starts_at_its_folder(
    folder: Path, monkeypatch: pytest.MonkeyPatch, entry: str
) -> None:
    file = folder / "round.yaml"
    file.write_text(ROUND.format(entry=entry % sys.executable), encoding="utf-8")
    monkeypatch.chdir("/")
    mine = read_config(file).players[0].engine
    assert mine.name == "gomocup"
    assert mine.parameters["command"] == [sys.executable, str(folder / "brain.py"), "-x"]


def test_check_and_play_take_the_same_command_line() -> None:
    line = f"{PYTHON} brain.py"
    done = typed("play", line, "random_mover", "--game", "gomoku:size=7")
    assert done.exit_code == 0
    assert done.stdout.splitlines()[-1].startswith(line)
    done = typed("check", "--size", "7", "--seconds", "0", line)
    assert "'--seconds'" in words_on(done)  # all else was taken
    done = typed("check", "brain.py")
    assert 'is not executable: give it as "python3 brain.py"' in words_on(done)


@pytest.mark.parametrize(
    ("text", "is_hinted"),
    [
        (FIRST, True),
        ("import no_such_module\n", True),
        ("raise SystemExit\n", True),
        ("GAMES = ('gomoku',)\n", True),
        (player("return Choice(0)").replace("import", "import no_such_module, "), False),
    ],
)
def test_a_file_of_no_engine_is_told_how_it_would_be_a_brain(text: str, is_hinted: bool) -> None:
    Path("mine.py").write_text(text, encoding="utf-8")
    words = words_on(match("./mine.py"))
    assert ('if it is a Gomocup brain, give it as "python3 mine.py"' in words) is is_hinted


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["no-such-command brain.py"], "there is no command 'no-such-command', and no such file"),
        (["./nothing here.py"], "./nothing here.py: there is no command './nothing'"),
        ([f"{PYTHON} brain.py", "--info", "rule=4"], "INFO rule is sent by the referee: game sets"),
        ([f"{PYTHON} brain.py", "--info", "x"], "--info x: must be written key=value"),
        ([f"{PYTHON} brain.py", "--info", "x=1\n2"], "must be one line of text"),
        ([f"{PYTHON} brain.py", "--info", "x=1", "--info", "x=2"], "'x' is given twice"),
        ([f"{PYTHON} brain.py", "--resign", "high"], "--resign high: score must be a whole number"),
        ([f"{PYTHON} brain.py", "--draw", "5,mvoes=3"], "did you mean 'moves'"),
        ([f"{PYTHON} brain.py", "--margin", "99"], "margin must be at most 60"),
        ([f"{PYTHON} brain.py", "--log", "talk", "--cluster", "local:2"], "not on a cluster"),
        ([f"{PYTHON} brain.py", "--log", "brain.py"], "--log brain.py: File exists"),
        (["random_mover", "--info", "x=1"], "--info: no player is a Gomocup brain"),
        (["random_mover", "--log", "talk"], "--log: no player is a Gomocup brain"),
    ],
)
def test_what_cannot_be_is_refused_in_words(words: list[str], message: str) -> None:
    options = [word for word in QUICK if "--cluster" not in words or word not in QUICK[-2:]]
    done = typed("match", words[0], "random_mover", *options, *words[1:])
    assert message in words_on(done)
    assert not Path("results").exists()


@pytest.mark.parametrize(
    ("info", "place"), [("{rule: 4}", "4:69"), ("{x: 1, 'a b': 2}", "4:76"), ('{x: "\\n"}', "4:66")]
)
def test_a_file_is_told_the_place_of_an_info_that_cannot_be_sent(info: str, place: str) -> None:
    entry = f"{{name: mine, engine: gomocup, command: ./brain.py, info: {info}}}"
    Path("round.yaml").write_text(ROUND.format(entry=entry), encoding="utf-8")
    with pytest.raises(ConfigError, match="INFO") as error:
        read_config(Path("round.yaml"))
    assert error.value.faults[0].place == f"round.yaml:{place}"


def test_options_are_keys_of_the_file_and_reach_the_brain() -> None:
    options = ["--memory", "500", "--margin", "0.2", "--info", "threads=2", "--info", "book=a b"]
    options += ["--resign", "600", "--draw", "score=20,moves=5", "--log", "talk", "--name", "m"]
    done = match(f"{PYTHON} brain.py", *options)
    assert done.exit_code == 0, done.output
    terms = read_config(Path("m.yaml")).terms
    assert (terms.memory, terms.margin) == (500, 0.2)
    rules = {rule.name: dict(rule.parameters) for rule in terms.adjudication}
    draw = {"score": 20, "moves": 5, "after": 60}
    assert rules == {"resign": {"score": 600, "moves": 3}, "draw": draw}
    log = Path("talk/0001-brain-random_mover.log").read_text(encoding="utf-8")
    for line in ("> INFO max_memory 524288000", "> INFO threads 2", "> INFO book a b"):
        assert line in log


@pytest.mark.parametrize("workers", ["0", "2"])
def test_a_log_has_all_that_was_said_in_each_game(workers: str) -> None:
    loud = "import sys; sys.stderr.write('to \\x1b err\\n')\nimport"
    Path("brain.py").write_text(FIRST.replace("import", loud, 1), encoding="utf-8")
    done = match(f"{PYTHON} brain.py", "--log", "deep/talk", "--workers", workers)
    assert done.exit_code == 0, done.output
    files = sorted(Path("deep/talk").iterdir())
    names = ["0001-brain-random_mover.log", "0002-random_mover-brain.log"]
    assert [file.name for file in files] == names
    text = files[0].read_text(encoding="utf-8")
    head, *said, end = text.splitlines()
    assert head.startswith("# game 1: brain - random_mover, opening ")
    assert end.startswith("# brain - random_mover: ")
    times = [float(line.split()[0]) for line in said]
    assert times == sorted(times)
    marks = [line.split(maxsplit=2)[2] for line in said]
    assert marks[0] == "> START 7"
    assert {"< OK", r"! to \x1b err", "> ABOUT", "> DONE"} <= {*marks}
    moves = int(end.split()[-2])
    assert sum(mark[:1] == "<" and "," in mark for mark in marks) >= (moves - 4) // 2


@pytest.mark.parametrize(("options", "games"), [([], 2), (["--fresh"], 1)])
def test_a_log_has_no_game_that_was_thrown_away(options: list[str], games: int) -> None:
    line = f"{PYTHON} brain.py"
    match(line, "--log", "talk")
    kept = Path("talk/0001-brain-random_mover.log")
    if not options:  # played again, with the games lost
        shutil.rmtree("results")
    os.utime(kept, (1e9, 1e9))
    done = match(line, "--log", "talk", *options)
    assert done.exit_code == 0, done.output
    assert kept.read_text(encoding="utf-8").count("# game 1:") == games


@pytest.mark.parametrize("workers", ["0", "1"])
def test_a_log_that_cannot_be_written_is_told_on_the_screen(workers: str) -> None:
    Path("talk/0001-brain-random_mover.log").mkdir(parents=True)
    words = ["match", f"{PYTHON} brain.py", "random_mover", *QUICK[:-1], workers, "--log", "talk"]
    line = [sys.executable, "-m", "arena", *words]
    done = subprocess.run(line, capture_output=True, text=True, check=True)
    assert "0001-brain-random_mover.log: Is a directory" in done.stderr
    assert Path("talk/0002-random_mover-brain.log").is_file()


HANGS = """\
import pathlib, sys, time
is_trial = not pathlib.Path("tried").exists()
pathlib.Path("tried").touch()
for line in sys.stdin:
    if line.startswith("START"):
        print("OK", flush=True)
    elif line.startswith("DONE"):
        if not is_trial:
            print("MESSAGE thinking", flush=True)
            time.sleep(600)
        print("0,0", flush=True)
"""


@pytest.mark.slow
def test_a_game_that_is_killed_leaves_its_log(folder: Path) -> None:
    (folder / "hangs.py").write_text(HANGS, encoding="utf-8")
    words = ["match", f"{PYTHON} hangs.py", "random_mover", "--games", "2", "--limit", "60s"]
    line = [sys.executable, "-m", "arena", *words, "--workers", "1", "--log", "talk"]
    log = folder / "talk/0001-hangs-random_mover.log"
    with running(line, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as on:
        while not (log.exists() and "MESSAGE" in log.read_text()):
            assert on.poll() is None
            time.sleep(0.02)
        os.killpg(on.pid, signal.SIGKILL)
    assert log.read_text().splitlines()[-1].endswith("hangs < MESSAGE thinking")
