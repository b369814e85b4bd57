"""The commands, typed as a newcomer would, rightly and wrongly; and what a shell completes."""

from __future__ import annotations

import json
import os
import pty
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from unittest.mock import Mock

import pytest
from click.shell_completion import ShellComplete
from support.processes import finished, running
from support.samples import ROOT, ROUND, Write, player
from support.typed import invoked as typed, typed as typed_as_the_script

from arena import cli
from arena.commands.version import PACKAGE, commit
from arena.plugins.load import module, names
from arena.tournament.run import run


def arena(*arguments: str, folder: Path | None = None) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "arena", *arguments]
    return finished(command, cwd=folder, text=True)


@pytest.mark.parametrize(
    ("error", "status", "said"),
    [(KeyboardInterrupt(), 130, ""), (ZeroDivisionError("ours"), 70, "ZeroDivisionError: ours")],
)
def test_ctrl_c_and_faults_of_ours_have_statuses_of_their_own(
    error: BaseException, status: int, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.commands.report.answer_of", Mock(side_effect=error))
    end = typed_as_the_script(["report", "round"])
    assert (end.status, said in end.said) == (status, True)


@pytest.mark.parametrize(
    ("name", "value"),
    [("NUMBA_NUM_THREADS", "0"), ("NUMBA_NUM_THREADS", "-3"), ("NUMBA_DISABLE_JIT", "1")],
)
def test_an_environment_in_which_no_engine_plays_is_told_by_its_name(
    name: str, value: str, tmp_path: Path
) -> None:
    words = ["match", "five_tuple", "random_mover", "--games", "2", "--workers", "0"]
    command = [sys.executable, "-m", "arena", *words]
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "kernels"), name: value}
    done = finished(command, cwd=tmp_path, text=True, env=environment)
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1), done.stderr
    assert done.stderr.startswith(f"{name}: ")


def test_every_command_has_help_that_waits_for_no_heavy_import() -> None:
    heavy = {"numpy", "pandas", "scipy", "numba", "sqlalchemy", "optuna", "jinja2"}
    code = (
        "import sys; from click.testing import CliRunner; from arena.cli import arena\n"
        "shown = CliRunner().invoke(arena, ['--help']).output\n"
        "for name in arena.commands:\n"
        "    done = CliRunner().invoke(arena, [name, '--help'])\n"
        "    assert (done.exit_code, 'Usage:' in done.output) == (0, True), name\n"
        "    assert f'\\n  {name} ' in shown and len(done.output.splitlines()) > 4, name\n"
        f"    assert not {heavy} & set(sys.modules), (name, {heavy} & set(sys.modules))"
    )
    finished([sys.executable, "-c", code], text=True, check=True)


@pytest.mark.parametrize("command", ["run", "tune"])
def test_more_workers_than_cores_can_play_with_are_refused_unless_forced(
    command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.storage.history.cores", lambda: 2)
    done = typed(command, "none.yaml", "--workers", "5")
    told = "--workers: 5 would take each other's time on 2 cores: at most 4, or any number with"
    assert str(done.exception).startswith(told)
    for allowed in (["--workers", "4"], ["--workers", "5", "--force"], ["--force"], []):
        assert "none.yaml: no such file" in str(typed(command, "none.yaml", *allowed).exception)


@pytest.mark.slow
def test_a_reader_that_goes_away_stops_the_run_and_is_told_how_to_go_on(write: Write) -> None:
    file = write(ROUND.replace("count: 2", "count: 20"))
    command = f"{sys.executable} -m arena run {file.name} --workers 1 | head -2"
    done = finished(command, shell=True, cwd=file.parent, text=True)
    assert len(done.stdout.splitlines()) == 2
    assert "Stopped. To go on: arena run round.yaml --workers 1" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.slow
def test_in_a_terminal_the_standings_are_live(write: Write) -> None:
    file = write(ROUND.replace("count: 2", "count: 10"))
    leader, follower = pty.openpty()
    command = [sys.executable, "-m", "arena", "run", file.name, "--workers", "1"]
    with running(command, cwd=file.parent, stdout=follower, stderr=follower) as process:
        os.close(follower)
        shown = b""
        while True:
            try:
                shown += os.read(leader, 65536)
            except OSError:
                break
        assert process.wait(60) == 0
    os.close(leader)
    assert b"60/60" in shown
    assert b"\x1b[?25h" in shown, "the cursor comes back"
    assert b"Standings after 60 games" in shown


def test_play_shows_the_board_or_only_the_moves() -> None:
    players = ("random_mover", "random_mover", "--game", "gomoku:size=6", "--opening", "2,2 3,3")
    board = typed("play", *players).stdout
    assert "┌─┬─┬─┬─┬─┐" in board
    assert "(○)" in board
    moves = typed("play", *players, "--format", "moves").stdout.split()
    assert moves[:2] == ["2,2", "3,3"]
    assert all(move.count(",") == 1 for move in moves)
    assert typed("play", *players[:-1], "c4 D3", "--format", "moves").stdout.split() == moves
    record = json.loads(typed("play", *players, "--json").stdout)
    assert record["moves"].split() == moves
    assert record["plies"] == len(moves)


@pytest.mark.slow
def test_play_takes_parameters_limits_and_a_cap() -> None:
    words = "play five_tuple:depth=2,radius=1 random_mover --json --limit nodes=50,depth=1"
    done = typed(*words.split(), "--max-plies", "4", "--seed", "3")
    record = json.loads(done.stdout)
    assert (record["reason"], record["plies"], record["seed"]) == ("ply cap", 4, 3)
    assert record["depths"] == "1 0 1 0"


WRONG = [
    (("run", "none.yaml"), "none.yaml: no such file"),
    (("report", "none"), "unknown run 'none'"),
    (("play", "five_tupl", "random_mover"), "did you mean 'five_tuple'?"),
    (("play", "five_tuple:depth=0", "random_mover"), "depth must be at least 1, not 0"),
    (("play", "five_tuple:deep=3", "random_mover"), "did you mean 'depth'?"),
    (("play", "random_mover", "random_mover", "--game", "gomoku:size=99"), "at most 25"),
    (("play", "random_mover", "random_mover", "--limit", "depth"), "a limit is written 0.1s"),
    (("play", "random_mover", "random_mover", "--opening", "99,0"), "off the board"),
    (("play", "five_tuple", "five_tuple", "--game", "tictactoe"), "cannot play tictactoe"),
    (("play", "./none.py", "random_mover"), "no such engine file"),
    (("engines", "human"), "human is a person"),
    (("play", "human:x=1", "random_mover"), "human has no parameters"),
    (("play", "human", "five_tupl"), "did you mean 'five_tuple'?"),
    (("play", "Human", "five_tuple"), "did you mean 'human'?"),
    (("play", "human", "random_mover", "--opening", "99,0"), "off the board"),
    (("play", "human", "minimax"), "cannot play gomoku"),
    (("play", "random_mover", "random_mover", "--scores"), "for games with a human"),
    (("engines", "balanse"), "unknown engine 'balanse'"),
    (("games", "gomku"), "did you mean 'gomoku'?"),
    (("formats", "swis"), "did you mean 'swiss'?"),
    (("bench", "five_tupel"), "did you mean 'five_tuple'?"),
    (("bench", "random_mover"), "unknown benchmark 'random_mover'"),
    (("bench", "five_tuple", "--against", "./none"), "none"),
    (("bench", "five_tuple", "--against", "'"), "--against: No closing quotation"),
    (("replay", "none", "1"), "unknown run 'none'"),
    (("ru", "x"), "No such command 'ru'"),
]


@pytest.mark.parametrize(("arguments", "expected"), WRONG, ids=lambda value: str(value)[:40])
def test_what_is_typed_wrong_is_a_message_and_exit_code_2(
    arguments: tuple[str, ...],
    expected: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    lines = faults(monkeypatch, capfd, *arguments)
    assert expected in "\n".join(lines)
    assert len(lines) <= 5


def faults(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], *arguments: str
) -> list[str]:
    """The lines that a command writes which ends with exit code 2."""
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "1")
    monkeypatch.setattr(sys, "argv", ["arena", *arguments])
    with pytest.raises(SystemExit, match="2"):
        cli.main()
    return capfd.readouterr().err.splitlines()


def test_only_a_test_has_an_exit_status_to_tell(
    write: Write, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    file = write(ROUND + "    format: knockout\n")
    monkeypatch.chdir(file.parent)
    fault = "round.yaml:7:9: knockout has no exit status to tell; only sprt and sprt_couples have"
    assert faults(monkeypatch, capfd, "run", file.name, "--exit-status") == [fault]
    assert not (file.parent / "results").exists()


def test_engines_games_and_formats_are_described() -> None:
    listed = typed("engines").stdout
    assert "five_tuple  " in listed
    described = typed("engines", "five_tuple").stdout
    assert "Plays gomoku" in described
    assert "other_centred_three" in described
    assert "alphabeta, published" in described
    assert "5 to 25" in typed("games", "gomoku").stdout
    assert "Played by balance, five_tuple" in typed("games", "gomoku").stdout
    assert "knockout" in typed("formats").stdout
    assert "chance of H1 where H0 is true" in typed("formats", "sprt").stdout
    assert "From source document 000" in described
    (depth, *_) = json.loads(typed("engines", "five_tuple", "--json").stdout)["parameters"]
    assert (depth["name"], depth["default"], depth["low"], depth["high"]) == ("depth", 5, 1, 20)
    test = json.loads(typed("formats", "sprt", "--json").stdout)
    assert [each["name"] for each in test["parameters"]][:2] == ["elo0", "elo1"]
    games = json.loads(typed("games", "--json").stdout)
    assert [game["name"] for game in games] == [*names("game")]
    assert "arena play human ENGINE" in listed


def played_by(write: Write, choose: str, more: str = "", workers: int = 0) -> Path:
    """The folder of a round in which one of three players chooses so."""
    write(player(choose), "own.py")
    own = f"name: two, engine: ./own.py{more}"
    folder = write(ROUND.replace("name: two, engine: random_mover", own)).parent
    run(folder / "round.yaml", workers=workers, results=folder / "results")
    return folder


@pytest.mark.slow
def test_replay_plays_a_stored_game_again(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = played_by(write, 'return Choice(self.game.moves(p)[int(os.environ.get("N", 0))])')
    monkeypatch.chdir(folder)
    for game in ("1", "12"):
        again = typed("replay", "round", game)
        assert again.exit_code == 0
        assert "Played again: the same game." in again.stdout
    monkeypatch.setenv("N", "3")
    changed = typed("replay", "round", "1")
    assert changed.exit_code == 1
    assert "Not the same: move 4 was a7, and is now d7." in changed.stdout
    assert "\n    a b c d e f g\n 7 " in changed.stdout
    monkeypatch.setenv("ARENA_COORDINATES", "numbers")
    numbered = typed("replay", "round", "1")
    assert "Not the same: move 4 was 0,0, and is now 0,3." in numbered.stdout
    assert "\n    0 1 2 3 4 5 6\n 0 " in numbered.stdout
    missing = arena("replay", "round", "13", folder=folder)
    assert missing.returncode == 2
    assert "there is no game 13" in missing.stderr


@pytest.mark.parametrize(
    ("choose", "detail"),
    [
        ('raise ValueError("TURN 3,5 gets 4,4 4,5")', "ValueError: TURN 3,5 gets 4,4 4,5 ("),
        ("return Choice(0)", "illegal move (a7)"),
    ],
)
def test_replay_shows_the_words_of_others_as_they_were(
    choose: str, detail: str, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(played_by(write, choose, ", limit: {seconds: 9}"))
    assert detail in typed("replay", "round", "1").stdout


@pytest.mark.slow
def test_replay_says_whose_code_has_changed(write: Write) -> None:
    choose = "return Choice(self.game.moves(p)[{}])"
    folder = played_by(write, choose.format(0))
    write(player(choose.format(-1)), "own.py")
    done = arena("replay", "round", "1", folder=folder)  # this process still has the old code
    assert done.returncode == 1
    assert done.stdout.splitlines()[-1].startswith("Not the same: move ")
    assert done.stdout.endswith("; the code of two has changed since: own.py.\n")


@pytest.mark.slow
def test_replay_of_a_crash_and_a_timed_game(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = played_by(write, "os._exit(7)", workers=1)
    monkeypatch.chdir(folder)
    again = typed("replay", "round", "1")
    assert (again.exit_code, again.stdout.splitlines()[-1]) == (0, "Played again: the same game.")
    timed = write(ROUND + "    limit: {seconds: 1}\n    name: timed\n", "timed.yaml")
    run(timed, workers=0, results=folder / "results")
    again = typed("replay", "timed", "1")
    assert again.exit_code == 0
    assert "time was limited, so it is not played again" in again.stdout


def test_what_an_engine_prints_is_not_among_the_moves(write: Write) -> None:
    text = "print('hello')\nGAMES = ('*',)\nfrom arena.engines.random_mover import engine\n"
    own = write(text, "own.py")
    done = arena("play", str(own), "random_mover", "--game", "tictactoe", "--format", "moves")
    assert "hello" not in done.stdout
    assert "hello" in done.stderr


@pytest.mark.slow
def test_ctrl_c_ends_at_once_before_the_first_game(write: Write) -> None:
    file = write(ROUND.replace("engine: random_mover}", "engine: ./slow.py}"))
    write(f"import time\nopen({str(file.parent / 'begun')!r}, 'w')\ntime.sleep(99)", "slow.py")
    command = [sys.executable, "-m", "arena", "run", file.name]
    with running(command, cwd=file.parent, stderr=subprocess.PIPE, text=True) as process:
        while not (file.parent / "begun").exists():
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=20)
    assert (process.returncode, err) == (130, "\nStopped. To go on: arena run round.yaml\n")


@pytest.mark.slow
def test_ctrl_c_ends_after_the_games_in_flight_and_twice_at_once(write: Write) -> None:
    slow = player("time.sleep(0.05)\nreturn Choice(self.game.moves(p)[p.ply % 3])")
    write(slow, "slow.py")
    file = write(ROUND.replace("engine: random_mover}", "engine: ./slow.py}"))
    command = [sys.executable, "-m", "arena", "run", file.name, "--workers", "2"]
    for presses in (1, 2):
        with running(
            command, cwd=file.parent, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        ) as process:
            assert process.stdout
            before = process.stdout.readline()
            for _ in range(presses):
                time.sleep(0.3)
                process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=60)
        assert process.returncode == 130
        assert err.strip().endswith("To go on: arena run round.yaml --workers 2")
        assert "Traceback" not in err
        if presses == 1:
            assert before == "0/12 games\n"
            assert "Ending after the games in flight" in err
            assert "Standings after 2 games" in out
        else:
            assert before == "2/12 games, played before\n"
            assert "Standings" not in out
    done = finished(command, cwd=file.parent, text=True, check=True)
    assert "Standings after 12 games" in done.stdout


def completed(*words: str) -> list[str]:
    shell = ShellComplete(cli.arena, {}, "arena", "_ARENA_COMPLETE")
    return [item.value for item in shell.get_completions([*words[:-1]], words[-1])]


@pytest.mark.parametrize(
    "before", [["engines"], ["match"], ["match", "strong"], ["play", "human"], ["bench"], ["brain"]]
)
def test_engines_are_completed_wherever_one_is_typed(before: list[str]) -> None:
    assert completed(*before, "five") == ["five_tuple"]


def test_names_are_completed_and_a_path_is_left_to_the_shell() -> None:
    assert completed("games", "") == [*names("game")]
    assert completed("formats", "sw") == ["swiss"]
    assert completed("match", "strong", "balance", "--game", "ren") == ["renju"]
    assert completed("report", "--frame", "sta") == ["standings"]
    kinds = [module("experiment", name) for name in names("experiment")]
    assert {*completed("report", "--frame", "")} == {each for kind in kinds for each in kind.FRAMES}
    shell = ShellComplete(cli.arena, {}, "arena", "_ARENA_COMPLETE")
    (item,) = shell.get_completions(["match"], "./my")
    assert (item.value, item.type) == ("./my", "file")


@pytest.mark.parametrize("command", ["report", "replay", "export"])
def test_runs_are_those_in_the_folder_of_results(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("round", "rapid", "match"):
        (tmp_path / "results" / name).mkdir(parents=True)
        (tmp_path / "results" / name / "config.yaml").touch()
    (tmp_path / "results" / "rest").mkdir()
    monkeypatch.chdir(tmp_path)
    assert completed(command, "r") == ["rapid", "round"]
    monkeypatch.chdir("/")
    assert completed(command, "--results", str(tmp_path / "results"), "m") == ["match"]


def test_the_version_has_the_commit_of_a_checkout() -> None:
    shown = typed("--version").output
    known = commit()
    form = r"arena \d+\.\d+\.\d+(\.dev\d+)?( \(commit [0-9a-f]{7,}(-dirty)?\))?\n"
    assert re.fullmatch(form, shown)
    assert ("commit" in shown) == bool(known)
    if (ROOT / ".git").exists():
        assert known


def test_what_was_built_has_the_commit_that_it_was_built_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "commit.txt").write_text("1a2b3c4\n")
    monkeypatch.setattr("arena.commands.version.PACKAGE", tmp_path)
    assert typed("--version").output.endswith(" (commit 1a2b3c4)\n")
    monkeypatch.setattr("arena.commands.version.PACKAGE", tmp_path / "elsewhere")
    assert "commit" not in typed("--version").output
    assert (PACKAGE / "cli.py").is_file()
