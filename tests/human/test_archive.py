"""The folder in which games with persons are kept."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from random import Random

import pytest
from support.samples import ROUND, Write, player

import arena
from arena.engine import Limit
from arena.game import Outcome
from arena.human.in_play import Setup, config_of, keep
from arena.match.record import Job, key, record
from arena.match.terms import Terms
from arena.plugins.load import checked, load_game
from arena.tournament.replay import unrepeatable


@pytest.fixture
def results(tmp_path: Path) -> Path:
    return tmp_path / "results"


def kept(
    results: Path,
    first: str = "human",
    second: str = "minimax",
    *,
    game: str = "tictactoe",
    opening: str = "",
    depth: int | None = None,
) -> tuple[str, int]:
    """Keep a game that was resigned at once: the folder's name, and the number."""
    terms = Terms(game=checked("game", game), limit=Limit(depth=depth), seed=7)
    setup = Setup(load_game(game), (first, second), terms)
    job = Job(*setup.names, opening=opening, seed=7)
    played = record(job, Outcome(2, "resignation"), "", opening)
    folder, number = keep(played, config_of(setup), results)
    return folder.name, number


@pytest.mark.slow
def test_each_game_of_the_same_players_is_a_round(results: Path) -> None:
    assert [kept(results) for _ in range(3)] == [("human-tictactoe", n) for n in (1, 2, 3)]
    assert kept(results, "minimax", "human") == ("human-tictactoe", 4)
    games = arena.open_run("human-tictactoe", results=results).games()
    assert list(games["round"]) == [1, 2, 3, 1]
    assert list(games["pair"]) == [1, 2, 3, 1]
    assert list(games["seed"]) == [7] * 4


def test_the_number_of_a_game_stays_whoever_else_is_played_later(results: Path) -> None:
    """Games in all orders: against others, from another opening, with the other colour."""
    numbers: dict[tuple[str, str, str, int], int] = {}
    ways = list(product(("minimax", "random_mover", "human"), ("", "1,1 0,0"), (False, True)))
    for second, opening, swapped in Random(5).sample(ways * 2, 12):
        players = (second, "human") if swapped else ("human", second)
        _, number = kept(results, *players, opening=opening)
        run = arena.open_run("human-tictactoe", results=results)
        assert run.status() is None
        now = {key(game): played for played, game in run.records()}
        assert now.items() >= numbers.items()
        assert [now[game] for game in now if game not in numbers] == [number]
        numbers = now
    for _, pair in run.games().groupby("pair"):
        assert len(pair.drop_duplicates(["opening", "round"])) == 1
    assert len(numbers) == 12


def test_opponents_openings_and_a_second_person_join(results: Path) -> None:
    for second in ("minimax", "minimax:depth=2", "random_mover", "human"):
        assert kept(results, "human", second)[0] == "human-tictactoe"
        assert kept(results, "human", second, opening="1,1 0,0")[0] == "human-tictactoe"
    run = arena.open_run("human-tictactoe", results=results)
    assert run.config.names == ["human", "minimax", "minimax:depth=2", "random_mover", "human-2"]
    assert len(run.games()) == 8
    assert set(run.standings()["games"]) == {8, 2}
    assert unrepeatable(run, run.records()[0][1]) == "a person played"


def test_other_terms_are_another_folder(results: Path) -> None:
    assert kept(results)[0] == "human-tictactoe"
    assert kept(results, depth=2)[0] == "human-tictactoe-2"
    assert kept(results, game="gomoku:size=6", second="random_mover")[0] == "human-gomoku"
    assert kept(results, game="gomoku:size=7", second="random_mover")[0] == "human-gomoku-2"
    assert kept(results, game="gomoku:size=6", second="random_mover") == ("human-gomoku", 2)
    assert kept(results, depth=2) == ("human-tictactoe-2", 2)


def test_an_edited_engine_is_another_opponent(results: Path, write: Write) -> None:
    own = str(write(player("return Choice(None)"), "own.py"))
    assert kept(results, second=own) == ("human-tictactoe", 1)
    assert kept(results, second=own) == ("human-tictactoe", 2)
    write(player("return Choice(0)"), "own.py")
    assert kept(results, second=own) == ("human-tictactoe-2", 1)


def test_an_engine_by_its_path_is_found_from_anywhere(
    results: Path, write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(write(player("return Choice(0)"), "own.py").parent)
    kept(results, second="./own.py")
    monkeypatch.chdir("/")
    assert kept(results, second=str(tmp_path / "own.py")) == ("human-tictactoe", 2)


def test_a_tournament_of_that_name_is_left_alone(results: Path, write: Write) -> None:
    text = ROUND.replace("{gomoku: {size: 7}}", "tictactoe") + "    name: human-tictactoe\n"
    before = arena.run(write(text), workers=0, results=results).games()
    assert kept(results) == ("human-tictactoe-2", 1)
    assert arena.open_run("human-tictactoe", results=results).games().equals(before)


def test_the_file_that_is_kept_is_no_tournament(results: Path) -> None:
    kept(results)
    with pytest.raises(arena.ConfigError, match="human is a person"):
        arena.run(results / "human-tictactoe" / "config.yaml", results=results)
