"""`arena match` and `arena init`, typed as a newcomer would; the report opened in a browser."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
import webbrowser
from pathlib import Path

import pytest
from support.processes import finished, running
from support.samples import player
from support.typed import invoked as typed

from arena.config.reader import read_config
from arena.config.shipped import starter_files
from arena.tournament.schedule import Schedule

PLAIN = player("return Choice(self.game.moves(p)[0])")
QUICK = ("--limit", "d1", "--openings", "random", "--game", "gomoku:size=7", "--workers", "0")
TWO = ("match", "random_mover", "random_mover", *QUICK)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_match_names_its_file_first_and_the_better_one_last() -> None:
    done = typed(*TWO, "--games", "10")
    lines = done.stdout.strip().splitlines()
    name = "random_mover-vs-random_mover-2"
    assert lines[0] == f"Playing {name}.yaml; to play it again: arena run {name}.yaml"
    assert re.fullmatch(r"Not decided: .* LOS .*, 10 games\. .*", lines[-1])
    assert typed("run", f"{name}.yaml", "--workers", "0").exit_code == 0
    assert typed(*TWO, "--games", "10").stdout.splitlines()[1] == "10/10 games, played before"


def test_what_is_refused_names_the_command_that_works(folder: Path) -> None:
    (folder / "own.py").write_text(PLAIN)
    begun = ("match", "own.py", "random_mover", "--limit", "d1", "--workers", "0", "--games")
    assert typed(*begun, "2").exit_code == 0
    more = typed("match", "../" + folder.name + "/own.py", *begun[2:], "4")
    assert "2/4 games, played before" in more.stdout
    refused = typed(*begun, "4", "--seed", "3")
    (command,) = re.findall(r"arena (match .* --name \S+ .*) \(", str(refused.exception))
    assert typed(*command.split()).exit_code == 0
    name = "own-vs-random_mover"
    assert {each.name for each in folder.glob("*.yaml")} == {f"{name}.yaml", f"{name}-2.yaml"}


@pytest.mark.slow
def test_a_test_ends_with_its_verdict_and_status(folder: Path) -> None:
    for name in ("v1", "v2"):
        (folder / name).mkdir()
        (folder / name / "own.py").write_text(PLAIN)
    (folder / "v2/own.py").write_text(PLAIN.replace("moves(p)[0]", "moves(p)[-1]"))
    test = ("match", "./v1", "./v2", "--sprt", "0", "400", *QUICK, "--exit-status")
    done = typed(*test)
    assert done.stdout.strip().splitlines()[-1].startswith("v1 is not 400 Elo better than v2: H0 ")
    assert done.exit_code == 1


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--games", "7"), "--games must be even, not 7"),
        (("--exit-status",), "add --sprt ELO0 ELO1"),
        (("--games", "100002"), "'--games': 100002 is not in the range"),
        (("--games", str(10**22)), "is not in the range"),
    ],
)
def test_options_that_cannot_be_are_refused(words: tuple[str, ...], message: str) -> None:
    done = typed(*TWO, *words)
    assert done.exit_code == 2
    assert message in done.stderr
    assert not list(Path().iterdir())


def test_a_player_that_cannot_play_is_told_by_its_own_words_alone(folder: Path) -> None:
    own = "gomocup:command=./none"
    done = typed("match", "random_mover", own, *QUICK, "--games", "2")
    assert str(done.exception).startswith(f"{own}: engine gomocup: {folder}/none is no file")
    assert not done.stdout
    assert not [*folder.iterdir()]


@pytest.mark.slow
@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGKILL])
def test_a_match_that_was_ended_goes_on_with_the_same_words(end: int, folder: Path) -> None:
    source = player("time.sleep(0.01)\nreturn Choice(self.game.moves(p)[0])")
    (folder / "slow.py").write_text(source)
    words = ["match", "./slow.py", "random_mover", *QUICK[:-1], "1", "--games", "60"]
    line = [sys.executable, "-m", "arena", *words]
    with running(line, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as on:
        shown = iter(on.stdout.readline, "")
        while not next(shown).startswith("3/60 "):
            pass
        os.kill(on.pid, end)
        out, told = on.communicate(timeout=60)
    if end == signal.SIGINT:
        assert f"Stopped. To go on: arena {' '.join(words[:3])} --games 60 --limit d1" in told
        assert re.search(r"^(Not decided yet|.* so far: ).* of 60 games", out, re.MULTILINE)
    time.sleep(1)  # the lock goes with the last process of the run
    again = finished(line, cwd=folder, text=True)
    assert re.search(r"^[3-9]\d*/60 games, played before$", again.stdout, re.MULTILINE)
    assert " 60 games. " in again.stdout.splitlines()[-1]


@pytest.mark.slow
def test_a_stopped_test_is_told_with_both_of_its_bounds(folder: Path) -> None:
    (folder / "stop.py").write_text(player("os.kill(os.getpid(), signal.SIGINT)\nreturn Choice(0)"))
    words = ["match", "./stop.py", "random_mover", "--sprt", "0", "10", *QUICK]
    done = finished([sys.executable, "-m", "arena", *words], cwd=folder, text=True)
    assert "To go on: arena match ./stop.py random_mover --sprt 0.0 10.0 " in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("is_there", [True, False])
def test_the_report_is_opened_in_a_browser_or_else_it_is_said(
    is_there: bool, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    monkeypatch.setattr(webbrowser, "open", lambda url: opened.append(url) or is_there)
    done = typed(*TWO, "--games", "2", "--name", "m", "--open")
    assert opened == [(folder / "results/m/report.html").resolve().as_uri()]
    assert done.exit_code == 0
    assert ("No browser could be opened for results/m/report.html" in done.stderr) != is_there


def test_without_being_asked_no_browser_is_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(webbrowser, "open", lambda url: pytest.fail(url))
    assert typed(*TWO, "--games", "2").exit_code == 0


def test_init_writes_what_its_last_lines_name(folder: Path) -> None:
    done = typed("init", "a b")
    assert done.exit_code == 0
    assert "  cd 'a b'\n" in done.stdout
    found = {str(file.relative_to("a b")) for file in Path("a b").rglob("*.*")}
    assert found == set(starter_files())
    for name in re.findall(r"^  \w+ .*?((?:\./|configs/|test_)\S+)", done.stdout, re.MULTILINE):
        assert (folder / "a b" / name.split(":")[0]).is_file()
    config = read_config(Path("a b/configs/round.yaml"))
    engines, games = len(config.players), Schedule(config).total
    assert f"{engines} engines of the project against each other, {games} games" in done.stdout


def test_init_overwrites_nothing(folder: Path) -> None:
    (folder / "my_engine.py").write_text("mine")
    done = typed("init")
    assert done.exit_code == 1
    assert "my_engine.py: is there already" in str(done.exception)
    assert [file.name for file in folder.iterdir()] == ["my_engine.py"]


def test_who_has_no_configs_is_told_of_init() -> None:
    told = "configs/round.yaml: no such file; `arena init` writes it"
    assert told in str(typed("run", "configs/round.yaml").exception)
    assert "init" not in str(typed("run", "configs/other.yaml").exception)


@pytest.mark.slow
def test_all_that_init_writes_runs(folder: Path) -> None:
    typed("init")
    tests = finished([sys.executable, "-m", "pytest", "-p", "no:xdist", "-q"], text=True)
    assert tests.returncode == 0, tests.stdout
    for words in ("run configs/match.yaml", "run configs/sprt.yaml", "tune configs/study.yaml"):
        done = typed(*words.split(), "--workers", "1")
        assert done.exit_code == 0, done.output
    done = typed("match", "./my_engine.py", "random_mover", "--games", "20")
    assert " is better than " in done.stdout
