"""A run stops for a player that only loses by its own faults, after the same games always."""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from subprocess import DEVNULL, CompletedProcess

import pandas as pd
import pytest
from support.game_records import game, results_of
from support.processes import awaited, finished, running
from support.samples import Write, player
from support.sweep import in_turn

import arena
from arena import ConfigError
from arena.config.reader import read_config
from arena.plugins.load import HUMAN, Named
from arena.storage.database import Store
from arena.storage.folder import read_store
from arena.tournament.run import Run
from arena.tournament.schedule import Schedule, UnscheduledGames

BAD = player('raise ValueError("boom")')
NAP = player("time.sleep(0.02)\nraise ValueError('boom')")
FIELD = """
    game: {gomoku: {size: 7}}
    openings: {random: {plies: 2, count: 12, seed: 1}}
    engines:
      - {name: one, engine: random_mover}
      - {name: bad, engine: ./bad.py}
      - {name: two, engine: random_mover}
      - {name: three, engine: random_mover}
"""
DUEL = """
    game: {gomoku: {size: 7}}
    openings: {random: {plies: 2, count: 12, seed: 1}}
    engines:
      - {name: bad, engine: ./bad.py}
      - {name: one, engine: random_mover}
"""
REASON = (
    "bad raised an exception in 8 of its first 8 games; the last, at its move 1: exception, Val"
)
FORMATS = {
    "round_robin": FIELD,
    "gauntlet": f"{FIELD}    format: {{gauntlet: {{candidates: [bad]}}}}\n",
    "couples": f"{FIELD}    format: couples\n",
    "swiss": f"{FIELD}    format: swiss\n",
    "knockout": f"{FIELD}    format: {{knockout: {{pairs: 6}}}}\n",
    "sprt": f"{DUEL}    format: {{sprt: {{elo1: 10}}}}\n",
}


def play(write: Write, text: str, workers: int = 0, name: str = "run", **options: object) -> Run:
    write(BAD, "bad.py")
    file = write(text, f"{name}.yaml")
    return arena.run(file, workers=workers, results=file.parent / "results", **options)  # type: ignore[arg-type]


def told(run: Run) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame, str]:
    """All that is counted and said, but for what the clock said."""
    report = run.report()
    columns = ["name", "games", "wins", "losses", "faults", "elo", "rating"]
    games = report.games.drop(columns=["times"])
    return games, report.standings[columns], report.matches, run.stopped()


def assert_same(one: Run, other: Run) -> None:
    for mine, its in zip(told(one)[:-1], told(other)[:-1], strict=True):
        pd.testing.assert_frame_equal(mine, its)
    assert told(one)[-1] == told(other)[-1]


def of(games: pd.DataFrame, name: str) -> pd.DataFrame:
    return games[(games["first"] == name) | (games["second"] == name)]


@pytest.mark.slow
@pytest.mark.sweep
@pytest.mark.parametrize(
    ("format", "workers"), in_turn((format, n) for format in FORMATS for n in (1, 2, 4))
)
def test_it_stops_after_the_same_games_with_any_number_of_workers(
    write: Write, format: str, workers: int
) -> None:
    alone = play(write, FORMATS[format], 0, "alone")
    games, _, _, stopped = told(alone)
    own = of(games, "bad")
    assert len(own) == 8
    assert set(own["reason"]) == {"exception"}
    assert games["game"].iloc[-1] == own["game"].iloc[-1], "the eighth is the last that counts"
    assert list(games["game"]) == list(range(1, len(games) + 1)), "and so does each before it"
    assert stopped.startswith(REASON)
    assert alone.report().uncounted.empty, "one game at a time: none was under way"
    assert_same(alone, play(write, FORMATS[format], workers, "others"))


def test_nobody_is_stopped_for_fewer_than_eight_games(write: Write) -> None:
    run = play(write, DUEL.replace("12", "3"))
    assert set(run.games()["reason"]) == {"exception"}
    assert not run.stopped()
    assert run.report().runs[0].is_over


def test_who_resigns_all_its_games_is_not_stopped(write: Write) -> None:
    write(player("return Choice(None)"), "resigns.py")
    run = play(write, DUEL.replace("./bad.py", "./resigns.py"))
    assert set(run.games()["reason"]) == {"resignation"}
    assert (len(run.games()), run.stopped()) == (24, "")


@pytest.mark.slow
def test_started_again_it_stops_at_once_unless_it_is_to_keep_going(write: Write) -> None:
    first = play(write, FIELD, 2)
    seen: list[object] = []
    again = play(write, FIELD, 2, watch=seen.append)
    assert len(seen) == 1, "no game was played"
    assert again.stopped() == first.stopped()
    on = play(write, FIELD, 2, keep_going=True)
    assert len(on.games()) == 12 * 12
    assert on.stopped() == ""
    assert on.report().runs[0].is_over
    whole = play(write, FIELD, 0, "whole", keep_going=True)
    assert_same(on, whole)
    assert len(play(write, FIELD, 2).games()) == len(first.games()), "as it was asked last"


def test_the_key_of_the_file_does_the_same(write: Write) -> None:
    run = play(write, f"{DUEL}    keep_going: true\n")
    assert (len(run.games()), run.stopped()) == (24, "")
    assert arena.open_run(run.folder).stopped() == ""


@pytest.mark.slow
@pytest.mark.parametrize("games", [3, 11])
def test_interrupted_before_it_stops_it_stops_at_the_same_game(write: Write, games: int) -> None:
    calm = play(write, FIELD, 0, "calm")
    ended: list[object] = []
    for _ in range(2):
        play(write, FIELD, 2, "torn", watch=ended.append, stop=lambda: len(ended) > games)
    assert_same(calm, play(write, FIELD, 2, "torn"))


@pytest.mark.slow
def test_killed_it_goes_on_and_stops_at_the_same_game(write: Write, tmp_path: Path) -> None:
    calm = play(write, FIELD, 0, "calm")
    write(NAP, "bad.py")
    file = write(FIELD, "torn.yaml")
    command = [sys.executable, "-m", "arena", "run", str(file), "--workers", "4"]
    with running([*command, "--results", str(tmp_path)], stdout=DEVNULL, stderr=DEVNULL) as process:
        awaited(lambda: kept(tmp_path / "torn"), pause=0.005)
        os.killpg(process.pid, signal.SIGKILL)
    torn = arena.run(file, workers=4, results=tmp_path)
    games, expected = (each.games().drop(columns=["times", "detail"]) for each in (torn, calm))
    pd.testing.assert_frame_equal(games, expected)
    assert torn.stopped().startswith(REASON)


def kept(folder: Path) -> int:
    with suppress(ConfigError):  # just being made
        return sum((read_store(folder, Store.meetings) or {}).values())
    return 0


def command(write: Write, text: str, *words: str) -> CompletedProcess[str]:
    write(BAD, "bad.py")
    file = write(text, "run.yaml")
    results = ["--workers", "0", "--results", str(file.parent / "results")]
    return finished([sys.executable, "-m", "arena", "run", str(file), *results, *words], text=True)


@pytest.mark.slow
def test_the_eighth_game_stops_a_test_even_if_it_decides_it_too(write: Write) -> None:
    # The bound is -6.2; three lost pairs make an LLR of -5.2, and four -6.9.
    text = f"{DUEL}    format: {{sprt: {{elo0: -300, elo1: 300, alpha: 0.002, beta: 0.002}}}}\n"
    on = play(write, text, name="on", keep_going=True)
    (decided,) = on.report().matches.to_dict("records")
    assert (decided["pairs"], decided["decision"], on.status()) == (4, "too many faults", 3)
    run = play(write, text)
    (match,) = run.report().matches.to_dict("records")
    assert (match["pairs"], match["decision"], run.status()) == (4, "only faults", 3)
    assert not any("biased" in note for note in run.report().notes)


@pytest.mark.parametrize(("lost", "decision", "status"), [(6, "H1", 0), (39, "too many faults", 3)])
def test_a_test_accepts_only_what_faults_do_not_carry(
    write: Write, lost: int, decision: str, status: int
) -> None:
    write(BAD, "bad.py")
    text = (
        f"{DUEL.replace('count: 12', 'count: 20')}    format: {{sprt: {{elo1: 200, pairs: 21}}}}\n"
    )
    schedule = Schedule(read_config(write(text)))
    games = [
        game(first, second, 1 if first == "bad" else 2, each)
        for each in schedule.field.openings
        for first, second in (("bad", "one"), ("one", "bad"))
    ]
    games[-lost:] = [replace(each, reason="time") for each in games[-lost:]]
    results = results_of(games)
    (row,) = schedule.matches(results)
    assert len(games) == 40
    assert (row["decision"], schedule.status(results)) == (decision, status)


LATE_BRAIN = f"""#!{sys.executable}
import sys
for line in sys.stdin:
    word = line.split()[:1]
    if word == ["START"]:
        print("OK", flush=True)
    elif word == ["ABOUT"]:
        print('name="late"', flush=True)
    elif word in (["BEGIN"], ["TURN"], ["BOARD"]):
        sys.exit(3)
"""


@pytest.mark.slow
def test_of_a_program_it_names_the_command_that_checks_it(write: Write, tmp_path: Path) -> None:
    brain = write(LATE_BRAIN, "pbrain-late")
    brain.chmod(0o755)
    done = command(write, DUEL.replace("./bad.py", "./pbrain-late"))
    assert done.returncode == 4
    check = f"arena check --size 7 {brain}"
    assert "bad crashed in 8 of its first 8 games; the last, at its move 1: crash" in done.stderr
    assert f". Check it with `{check}`; to play on all the same: arena run " in done.stderr
    assert "\n\nbad lost game 1, at its move 1: crash" in done.stdout
    assert f"\nTo find the cause: {check}\n" in done.stdout


def test_a_person_may_lose_on_time_as_often_as_it_takes(write: Write) -> None:
    config = read_config(write(DUEL.replace("./bad.py", "random_mover")))
    person = replace(config.players[0], engine=Named(HUMAN))
    pairs = [(game("bad", "one", 2, o), game("one", "bad", 1, o)) for o in config.openings]
    results = results_of(replace(each, reason="time") for pair in pairs for each in pair)
    assert Schedule(config).first_games(results).faulty == "bad"
    met = replace(config, format=Named(HUMAN), players=(person, *config.players[1:]))
    assert UnscheduledGames(met).first_games(results).faulty == ""


def test_games_that_only_keep_going_played_are_told_from_others(write: Write) -> None:
    play(write, DUEL, keep_going=True)
    run = play(write, DUEL)
    assert len(run.report().uncounted) == 24 - 8
    assert any("played with --keep-going" in note for note in run.report().notes)
