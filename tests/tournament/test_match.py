"""`arena.match`: what the command plays, in one call; and its name, which a package has as well."""

from __future__ import annotations

import importlib
import itertools
import pickle
import re
from collections.abc import Callable
from contextlib import closing
from inspect import isfunction
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import arena
import arena.match.record
from arena.cli import arena as command
from arena.ratings.rating_answer import ratings_answer
from arena.ratings.rating_list import rating_list
from arena.stats.leads import Looks
from arena.storage.database import Store
from arena.storage.folder import BEGUN

TWO = ("five_tuple:depth=1", "random_mover")
QUICK: dict[str, Any] = {"limit": "d1", "game": "gomoku:size=7", "workers": 0}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("players", "options"),
    [
        (TWO, {"games": 4}),
        ((*TWO, "random_mover:name=r"), {"games": 2, "gauntlet": True, "seed": 3}),
        (TWO, {"sprt": (0.0, 400.0), "openings": "random:count=20", "name": "test"}),
    ],
)
def test_it_is_the_match_that_the_command_plays(
    players: tuple[str, ...], options: dict[str, Any], folder: Path
) -> None:
    run = arena.match(*players, **options, **QUICK, results="python")
    assert [each.name for each in folder.iterdir()] == ["python"]
    words = ["match", *players, "--results", "shell", "--workers", "0"]
    for key, value in {**options, "limit": "d1", "game": "gomoku:size=7"}.items():
        words += [f"--{key}", *map(str, value if isinstance(value, tuple) else [value])]
    words = [word for word in words if word != "True"]
    assert CliRunner().invoke(command, words).exit_code == 0
    typed = arena.open_run(run.config.name, results="shell")
    columns = ["first", "second", "opening", "moves"]
    assert run.games()[columns].equals(typed.games()[columns])
    assert len(run.games()) > 0


def test_the_same_call_goes_on_with_missing_games() -> None:
    numbers: list[int] = []
    for games in (2, 6, 6):
        run = arena.match(*TWO, games=games, **QUICK, watch=lambda at: numbers.append(at.games))
    assert numbers == [0, 1, 2, *range(2, 7), 6]
    assert len(run.games()) == 6


def test_another_match_of_this_name_is_refused() -> None:
    arena.match(*TWO, games=2, **QUICK)
    with pytest.raises(arena.ConfigError) as error:
        arena.match(*TWO, games=2, **{**QUICK, "limit": "d2"})
    assert "limit.depth: 1 -> 2" in str(error.value)
    assert "choose another name" in str(error.value)


def test_a_match_that_was_extended_knows_how_often() -> None:
    def looks(games: int, **options: Any) -> tuple[int, bool]:
        run = arena.match(*TWO, games=games, **QUICK, **options)
        found = arena.open_run(run.folder).report().runs[0].looks
        return found.earlier, found.is_any_moment

    assert [looks(games) for games in (4, 4, 8, 12)] == [
        (0, False),
        (0, False),
        (1, False),
        (2, False),
    ]
    assert looks(8) == (3, True), "a smaller plan may have been chosen because it looks well"
    assert looks(4, fresh=True) == (0, False)


def test_a_plan_made_smaller_after_a_look_is_no_claim_at_once() -> None:
    quick = {**QUICK, "openings": "random:plies=2,count=20,seed=1"}
    whole = arena.match(*TWO, games=12, **quick)
    assert (whole.verdict().tone, whole.report().runs[0].looks.earlier) == ("good", 0)
    seen: list[int] = []
    again = {**quick, "name": "again"}
    stopped = arena.match(
        *TWO,
        games=40,
        **again,
        watch=lambda at: seen.append(at.games),
        stop=lambda: len(seen) > 12,
    )
    assert 12 <= len(stopped.games()) < 40
    smaller = arena.match(*TWO, games=12, **again)
    assert smaller.report().runs[0].is_over
    found = smaller.verdict()
    assert (found.text, found.tone) == ("Not decided", "open")
    assert found.basis.endswith(
        "; as the games may have ended because of their results, it takes LOS 99.9999 %"
    )


def test_a_plan_that_was_begun_counts_even_if_it_was_never_over(folder: Path) -> None:
    quick = {**QUICK, "openings": "random:plies=2,count=20,seed=1", "name": "m"}
    seen: list[int] = []
    arena.match(
        *TWO, games=24, **quick, watch=lambda at: seen.append(at.games), stop=lambda: len(seen) > 12
    )
    assert 12 <= seen[-1] < 24
    ratings = ratings_answer(rating_list(folder / "results")).verdict
    assert ratings
    assert ratings.text == "No clear leader", "though its LOS is above 97.5 %"
    assert "as the games may have ended because of their results" in ratings.basis
    longer = arena.match(*TWO, games=26, **quick)
    assert longer.report().runs[0].looks == Looks(1)


def test_a_player_that_leaves_makes_no_plan_smaller(folder: Path) -> None:
    def looks(*players: str, format: str = "round_robin") -> Looks:
        config = {
            "name": "round",
            "game": {"gomoku": {"size": 7}},
            "limit": {"depth": 1},
            "format": format,
            "openings": {"random": {"plies": 2, "count": 2}},
            "engines": [{"name": each, "engine": "random_mover"} for each in players],
        }
        return arena.run(config, workers=0).report().runs[0].looks

    assert looks("a", "b", "c") == looks("a", "b") == looks("a", "b", "c", "d") == Looks()
    assert looks("a", "b", "c", format="gauntlet") == Looks()


def test_a_plan_that_was_over_is_not_so_with_one_player_more(folder: Path) -> None:
    def played(*depths: int, stop_at: int = 10**6) -> Looks:
        config = {
            "name": "round",
            "game": {"gomoku": {"size": 7}},
            "openings": {"random": {"plies": 2, "count": 6}},
            "engines": [{"name": f"d{n}", "engine": "five_tuple", "depth": n} for n in depths],
        }
        asked = itertools.count()
        arena.run(config, workers=0, stop=lambda: next(asked) > stop_at)
        (lead,) = rating_list(folder / "results").leads.values()
        return lead.looks

    assert played(1, 2) == Looks()
    assert played(1, 2, 3, stop_at=3) == Looks(is_any_moment=True)
    assert played(1, 2, 3) == Looks()


def test_a_plan_of_a_folder_that_kept_none_is_known_by_its_config(folder: Path) -> None:
    quick = {**QUICK, "name": "m"}
    arena.match(
        *TWO,
        games=40,
        **quick,
        watch=lambda at: None,
        stop=iter([False] * 9 + [True] * 99).__next__,
    )
    with closing(Store(folder / "results/m/arena.db")) as store:
        facts = store.facts()
        del facts[BEGUN]
        store.note(facts)
    smaller = arena.match(*TWO, games=4, **quick)
    assert smaller.report().runs[0].looks == Looks(1, is_any_moment=True)


def test_a_plan_of_which_no_game_was_played_is_forgotten() -> None:
    arena.match(*TWO, games=40, **QUICK, stop=lambda: True)
    run = arena.match(*TWO, games=4, **QUICK)
    assert run.report().runs[0].looks == Looks()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"games": 3}, "games must be even, from 2 to 100,000, not 3"),
        ({"games": 0}, "games must be even, from 2"),
        ({"sprt": (10, 0), "openings": "random:count=2"}, "^sprt 10 0: "),
        ({"limit": "1x"}, "1x: a limit is written 0.1s"),
        ({"preset": "gomocup"}, "unknown preset 'gomocup'; did you mean 'gomocup-"),
        ({"name": "../x"}, "^name ../x: name must be that of a folder"),
        ({"resign": "x=3"}, "^resign x=3: missing key 'score'"),
        ({"openings": "none.txt"}, "^openings none.txt: "),
    ],
)
def test_a_fault_names_its_argument(options: dict[str, Any], message: str, folder: Path) -> None:
    with pytest.raises(arena.ConfigError) as error:
        arena.match(*TWO, **options)
    assert re.search(message, str(error.value))
    assert not [*folder.iterdir()]


@pytest.mark.parametrize(
    ("players", "message"),
    [
        ((), "at least two players"),
        (TWO[:1], "five_tuple:depth=1: a match needs at least two players"),
        (("five_tuple:dept=1", "random_mover"), "five_tuple:dept=1: unknown key 'dept'"),
    ],
)
def test_a_fault_names_its_player(players: tuple[str, ...], message: str) -> None:
    with pytest.raises(arena.ConfigError, match=message):
        arena.match(*players)


def test_its_name_is_that_of_a_package_too() -> None:
    import arena.match.play as referee

    assert isfunction(arena.match)
    assert arena.match.play is referee  # type: ignore[attr-defined]
    assert arena.match.record.GameRecord is arena.GameRecord  # type: ignore[attr-defined]
    assert pickle.loads(pickle.dumps(arena.match)) is arena.match
    assert "match" in dir(arena)


@pytest.mark.parametrize("again", [importlib.import_module, importlib.__import__])
def test_the_package_does_not_hide_it(again: Callable[[str], object]) -> None:
    for name in ("arena.match", "arena.match.record"):
        again(name)
    arena.__setattr__("match", importlib.import_module("arena.match"))
    from arena import match

    assert isfunction(match)
    assert match is arena.match
