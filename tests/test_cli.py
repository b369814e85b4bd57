"""The commands, typed as a newcomer would, rightly and wrongly."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from support.processes import finished, running
from support.samples import ROUND, Write, player
from support.typed import typed as typed_as_the_script

from arena import cli
from arena.plugins.load import names
from arena.tournament.run import run

COMMANDS = ("run", "report", "play", "brain", "check", "replay", "engines", "games", "formats")
COMMANDS += ("bench",)


def arena(*arguments: str, folder: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run a command in a process of its own, as users do."""
    command = [sys.executable, "-m", "arena", *arguments]
    return finished(command, cwd=folder, text=True)


def typed(*arguments: str) -> Result:
    """Run a command within this process, which need not import all that the command does."""
    return CliRunner().invoke(cli.arena, arguments)


def test_ctrl_c_in_a_command_has_its_own_status(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("arena.commands.report.answer_of", interrupted)
    assert typed("report", "round").exit_code == 130


def test_a_fault_of_ours_has_a_status_that_tells_nothing_else(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def faulty(*_: object, **__: object) -> None:
        raise ZeroDivisionError("ours")

    monkeypatch.setattr("arena.commands.report.answer_of", faulty)
    end = typed_as_the_script(["report", "round"])
    assert (end.status, "ZeroDivisionError: ours" in end.said) == (70, True)


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


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(command: str) -> None:
    done = typed(command, "--help")
    assert done.exit_code == 0
    assert "Usage:" in done.stdout
    assert len(done.stdout.splitlines()) > 4


def test_help_waits_for_no_heavy_import() -> None:
    heavy = {"numpy", "pandas", "scipy", "numba", "sqlalchemy", "optuna", "jinja2"}
    code = (
        "import sys; from click.testing import CliRunner; from arena.cli import arena\n"
        "for name in arena.commands:\n"
        "    assert CliRunner().invoke(arena, [name, '--help']).exit_code == 0\n"
        f"    assert not {heavy} & set(sys.modules), (name, {heavy} & set(sys.modules))"
    )
    finished([sys.executable, "-c", code], text=True, check=True)


def test_the_help_names_every_command() -> None:
    shown = typed("--help").stdout
    assert all(f"\n  {command} " in shown for command in COMMANDS)


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
def test_run_and_report(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = write().parent
    monkeypatch.chdir(folder)
    done = arena("run", "round.yaml", "--workers", "2", folder=folder)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0] == "0/12 games"
    assert len([line for line in lines if line.startswith("12/12 ")]) == 1
    assert "Standings after 12 games" in done.stdout
    shown = arena("report", "round", folder=folder)
    assert shown.stdout.strip() in done.stdout
    rows = json.loads(typed("report", "round", "--json").stdout)
    assert {row["name"] for row in rows["standings"]} == {"one", "two", "three"}
    table = typed("report", "round", "--format", "csv", "--frame", "games").stdout
    assert table.startswith("game,pair,first,second,")
    assert len(table.splitlines()) == 13


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
    done = typed(
        *("play", "five_tuple:depth=2,radius=1", "random_mover", "--json"),
        *("--limit", "nodes=50,depth=1", "--max-plies", "4", "--seed", "3"),
    )
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


def test_the_faults_of_a_file_come_one_a_line(
    write: Write, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    file = write(ROUND.replace("size: 7", "size: 99").replace("count: 2", "count: 0"))
    monkeypatch.chdir(file.parent)
    lines = faults(monkeypatch, capfd, "run", file.name)
    assert [line.split(": ")[0] for line in lines] == ["round.yaml:1:23", "round.yaml:2:38"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("names", "elo", "pairs", "status"),
    [("first second", 300, 20, 0), ("second first", 300, 20, 1), ("first second", 300, 1, 3)],
)
def test_a_tests_verdict_is_the_exit_status_and_stays_so(
    write: Write, names: str, elo: int, pairs: int, status: int
) -> None:
    for name, choose in (("first", "0"), ("second", "p.ply * 5 % len(moves)")):
        own = f"moves = self.game.moves(p)\nreturn Choice(moves[{choose}])"
        write(player(own), f"{name}.py")
    one, other = names.split()
    file = write(f"""
        game: {{gomoku: {{size: 7}}}}
        format: {{sprt: {{elo0: 0, elo1: {elo}, pairs: {pairs}}}}}
        engines: [{{engine: ./{one}.py}}, {{engine: ./{other}.py}}]
    """)
    command = ("run", str(file), "--exit-status", "--workers", "0")
    command += ("--results", str(file.parent))
    for _ in "12":
        done = typed(*command)
        assert done.exit_code == status, done.output
    assert typed(*command[:2], *command[3:]).exit_code == 0


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


@pytest.mark.slow
def test_replay_plays_a_stored_game_again(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    own = player('return Choice(self.game.moves(p)[int(os.environ.get("N", 0))])')
    write(own, "own.py")
    folder = write(
        ROUND.replace("name: two, engine: random_mover", "name: two, engine: ./own.py")
    ).parent
    monkeypatch.chdir(folder)
    run(folder / "round.yaml", workers=0, results=folder / "results")
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
    write(player(choose), "own.py")
    other = "name: two, engine: ./own.py, limit: {seconds: 9}"
    folder = write(ROUND.replace("name: two, engine: random_mover", other)).parent
    monkeypatch.chdir(folder)
    run(folder / "round.yaml", workers=0, results=folder / "results")
    assert detail in typed("replay", "round", "1").stdout


@pytest.mark.slow
def test_replay_says_whose_code_has_changed(write: Write) -> None:
    choose = "return Choice(self.game.moves(p)[{}])"
    write(player(choose.format(0)), "own.py")
    other = "name: two, engine: random_mover"
    folder = write(ROUND.replace(other, "name: two, engine: ./own.py")).parent
    run(folder / "round.yaml", workers=0, results=folder / "results")
    write(player(choose.format(-1)), "own.py")
    done = arena("replay", "round", "1", folder=folder)  # this process still has the old code
    assert done.returncode == 1
    assert done.stdout.splitlines()[-1].startswith("Not the same: move ")
    assert done.stdout.endswith("; the code of two has changed since: own.py.\n")


@pytest.mark.slow
def test_replay_of_a_crash_and_of_a_timed_game(
    write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(player("os._exit(7)"), "own.py")
    other = "name: two, engine: ./own.py"
    folder = write(ROUND.replace("name: two, engine: random_mover", other)).parent
    monkeypatch.chdir(folder)
    run(folder / "round.yaml", workers=1, results=folder / "results")
    again = typed("replay", "round", "1")
    assert (again.exit_code, again.stdout.splitlines()[-1]) == (0, "Played again: the same game.")
    timed = write(ROUND + "    limit: {seconds: 1}\n    name: timed\n", "timed.yaml")
    run(timed, workers=0, results=folder / "results")
    again = typed("replay", "timed", "1")
    assert again.exit_code == 0
    assert "time was limited, so it is not played again" in again.stdout


def test_what_an_engine_prints_is_not_among_the_moves(write: Write) -> None:
    own = write(
        "print('hello')\nGAMES = ('*',)\nfrom arena.engines.random_mover import engine\n", "own.py"
    )
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
