"""Swap2 in worker processes: games that go on, faults of engines and brains, and the same games."""

from __future__ import annotations

import sys
from collections.abc import Collection, Sequence
from pathlib import Path

import pandas as pd
import pytest
from support.samples import player

import arena
from arena.errors import ConfigError

BRAIN = Path(__file__).parents[1] / "data" / "brain_swap2.py"
OPEN = """
    def open(self, p, limit):
        own = [30, 41, 48]
        if not p.ply:
            return own
        if list(p.moves[:3]) == own:
            return "swap"
        {answer}

"""
ENGINE = player("return Choice(p.cells.index(0))").replace("    def close", f"{OPEN}    def close")
FAULTS = {
    "return [p.moves[0]]": "illegal move",
    "return [p.moves[0], 0]": "illegal move",
    "return [0, 1, 2, 3]": "illegal move",
    "return 'what'": "exception",
    "raise ValueError('no')": "exception",
    "time.sleep(1); return 'swap'": "time",
    "time.sleep(100)": "time",
    "os._exit(3)": "crash",
}
BRAINS = {
    "taken": "illegal move",
    "three": "illegal move",
    "off": "illegal move",
    "garbage": "illegal move",
    "late": "time",
    "silent": "time",
    "exits": "crash",
}


def games(
    folder: Path, odd: Sequence[str], workers: int, terms: str = "limit: {seconds: 0.3}"
) -> pd.DataFrame:
    """The games of a sound player and of some odd ones, whose names are their numbers."""
    players = "".join(f"  - {{name: '{number}', {each}}}\n" for number, each in enumerate(odd))
    file = folder / "round.yaml"
    file.write_text(
        "game: {gomoku: {size: 9}}\nopenings: {swap2: {count: 2}}\nformat: gauntlet\n"
        f"keep_going: true\n{terms}\nengines:\n"
        f"  - {{name: sound, engine: random_mover}}\n{players}",
        encoding="utf-8",
    )
    run = arena.run(file, workers=workers, results=folder / f"results-{workers}")
    return run.report().games


def engine(folder: Path, answer: str) -> str:
    file = folder / f"odd{len([*folder.iterdir()])}.py"
    file.write_text(ENGINE.format(answer=answer), encoding="utf-8")
    return f"engine: ./{file.name}"


def brain(how: str) -> str:
    return f"engine: gomocup, command: [{sys.executable}, -S, {BRAIN}, {how}]"


def assert_lost(found: pd.DataFrame, reasons: Collection[str]) -> None:
    """Each odd player lost where it was to choose, and nowhere else by a fault."""
    loser = found["first"].where(found["winner"] == 2, found["second"])
    proposer = found["first"].where(found["proposer"] == 1, found["second"])
    for number, reason in enumerate(reasons):
        name = str(number)
        own = (found["first"] == name) | (found["second"] == name)
        chose, proposed = own & (proposer == "sound"), own & (proposer == name)
        assert (chose.sum(), proposed.sum()) == (2, 2)
        assert (set(found[chose]["reason"]), set(loser[chose])) == ({reason}, {name})
        assert set(found[proposed]["reason"]) <= {"line", "full board"}


def answers(found: pd.DataFrame) -> list[str]:
    return [*found["swap2"].str.replace(r":[\d.]+", "", regex=True)]


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 2])
def test_a_fault_of_an_engine_loses_its_games_only(tmp_path: Path, workers: int) -> None:
    odd = [engine(tmp_path, answer) for answer in FAULTS]
    assert_lost(games(tmp_path, odd, workers), FAULTS.values())


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 2])
def test_a_fault_of_a_brain_loses_its_games_only(tmp_path: Path, workers: int) -> None:
    assert_lost(games(tmp_path, [*map(brain, BRAINS)], workers), BRAINS.values())


def test_a_brain_plays_on_from_its_answer(tmp_path: Path) -> None:
    ways = ["swap", "stay", "two"]
    found = games(tmp_path, [*map(brain, ways)], 1)
    assert set(found["reason"]) <= {"line", "full board"}
    for number, how in enumerate(ways):
        own = found[(found["first"] == str(number)) | (found["second"] == str(number))]
        assert f"three {how}" in {" ".join(each.split()[:2]) for each in answers(own)}


def test_a_brain_that_does_not_know_it_is_told_before_the_first_game(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"round.yaml:8:5: does not play swap2.*UNKNOWN"):
        games(tmp_path, [brain("unknown")], 1)
    assert not [*tmp_path.glob("results-1/round/*")]


@pytest.mark.slow
def test_the_same_games_at_one_and_two_workers(tmp_path: Path) -> None:
    odd = [engine(tmp_path, "return [0, 80]")]
    one, two = (games(tmp_path, odd, workers, "limit: {nodes: 100}") for workers in (1, 2))
    columns = ["first", "second", "moves", "winner", "proposer", "suggested"]
    assert one[columns].equals(two[columns])
    assert answers(one) == answers(two)
    assert {"three two stay", "three swap"} & {*answers(one)}
