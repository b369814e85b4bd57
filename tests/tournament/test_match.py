"""`arena.match`: what the command plays, in one call, and its file, which is gone on with."""

from __future__ import annotations

import importlib
import itertools
import pickle
import re
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from inspect import isfunction
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from support.samples import player

import arena
import arena.match.record
from arena.cli import arena as command
from arena.config.settings import Config, to_data
from arena.config.typed_match import TypedMatch, balanced_openings
from arena.errors import ConfigError
from arena.ratings.rating_list import rating_list
from arena.stats.leads import Looks
from arena.storage.database import Store
from arena.storage.folder import BEGUN
from arena.tournament.match import match_config
from arena.tournament.run import run

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


MATCH = TypedMatch(
    ("random_mover", "random_mover"),
    4,
    limit="d1",
    openings="random",
    game="gomoku:size=7",
    name="m",
)


def config_of(match: TypedMatch, *, fresh: bool = False) -> Config:
    return match_config(match, Path("results"), fresh=fresh, renamed="arena match --name {}".format)


def games_after(match: TypedMatch, *, fresh: bool = False) -> int:
    config = config_of(match, fresh=fresh)
    return len(run(config, workers=0, fresh=fresh).records())


def refused(match: TypedMatch) -> list[str]:
    """The reasons why these words are refused, which must leave the file as it is."""
    before = match.file.read_text()
    with pytest.raises(ConfigError) as caught:
        config_of(match)
    assert match.file.read_text() == before
    return [str(fault) for fault in caught.value.faults]


def test_the_same_words_go_on_with_the_same_file() -> None:
    assert games_after(MATCH) == 4
    before = MATCH.file.stat().st_mtime_ns, MATCH.file.read_text()
    assert games_after(MATCH) == 4
    assert (MATCH.file.stat().st_mtime_ns, MATCH.file.read_text()) == before


def test_more_games_are_added_to_those_played() -> None:
    games_after(MATCH)
    first = run(MATCH.file, workers=0).records()
    assert games_after(replace(MATCH, games=8)) == 8
    assert "pairs: [4]" in MATCH.file.read_text()
    assert run(MATCH.file, workers=0).records()[:4] == first


@pytest.mark.parametrize(
    ("options", "change"),
    [
        ({"limit": "d2"}, "m.yaml: limit.depth: 1 -> 2"),
        ({"seed": 5}, "m.yaml: seed: 0 -> 5"),
        ({"game": "gomoku:size=8"}, "m.yaml: game.gomoku.size: 7 -> 8"),
        ({"openings": "random:seed=1"}, "m.yaml: openings.random.seed: 0 -> 1"),
        ({"typed": ("random_mover", "five_tuple")}, "m.yaml: engines.random_mover-2: {'name': "),
        ({"sprt": (0.0, 10.0)}, "m.yaml: format"),
    ],
)
def test_any_other_change_is_told_and_refused(options: dict[str, object], change: str) -> None:
    games_after(MATCH)
    *found, advice = refused(replace(MATCH, **options))
    assert any(each.startswith(change) for each in found)
    assert "arena match --name m-2 " in advice
    assert "--fresh" in advice
    assert max(map(len, found)) < 200


def test_begun_anew_it_is_another_match() -> None:
    games_after(MATCH)
    assert games_after(replace(MATCH, seed=5, games=2), fresh=True) == 2
    assert "seed: 5" in MATCH.file.read_text()


def test_a_file_of_which_no_game_was_played_is_written_again() -> None:
    config_of(MATCH)
    config_of(replace(MATCH, seed=5))
    assert "seed: 5" in MATCH.file.read_text()


def test_what_a_user_added_to_the_file_is_not_lost() -> None:
    games_after(MATCH)
    MATCH.file.write_text(MATCH.file.read_text() + "hang: 10\n")
    assert refused(MATCH)[0].startswith("m.yaml: hang: 10")


@pytest.mark.parametrize("fresh", [False, True])
def test_a_file_of_the_users_own_is_never_touched(fresh: bool) -> None:
    MATCH.file.write_text("name: mine\n")
    with pytest.raises(ConfigError, match=r"m.yaml: is not a file of .* --name m-2$"):
        config_of(MATCH, fresh=fresh)
    assert MATCH.file.read_text() == "name: mine\n"


def test_of_wrong_words_nothing_is_written(folder: Path) -> None:
    with pytest.raises(ConfigError):
        config_of(replace(MATCH, limit="5x"))
    with pytest.raises(ConfigError):
        config_of(replace(MATCH, typed=("random_mover", "nix")))
    assert list(folder.iterdir()) == []


@pytest.fixture
def has_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.tournament.match.read_store", lambda *_: ["random_mover"])


BALANCED = TypedMatch(("random_mover", "random_mover"), name="m")


@pytest.mark.parametrize(
    "games", [(20, 228, 232), (232, 100), pytest.param((230, 3240), marks=pytest.mark.slow)]
)
@pytest.mark.usefixtures("has_games")
def test_any_number_of_games_goes_on_and_is_the_match_begun_with_that_number(
    games: tuple[int, ...],
) -> None:
    longest = list(islice(balanced_openings(0), max(games) // 2))
    for number in games:
        went_on = config_of(replace(BALANCED, games=number))
        assert list(went_on.openings) == longest[: number // 2]
    BALANCED.file.unlink()
    assert to_data(config_of(replace(BALANCED, games=games[-1]))) == to_data(went_on)


@pytest.mark.usefixtures("has_games")
def test_a_match_of_earlier_versions_goes_on_with_its_random_openings() -> None:
    seeded = replace(BALANCED, seed=3)
    config_of(replace(seeded, openings="random:seed=3", games=300))
    source = config_of(replace(seeded, games=400)).openings.source
    assert (source.name, source.parameters["seed"]) == ("random", 3)
    assert source.parameters["count"] == 200


@pytest.mark.usefixtures("has_games")
def test_other_openings_are_told_in_a_short_line() -> None:
    config_of(BALANCED)
    found, _ = refused(replace(BALANCED, openings="random:seed=3"))
    assert found.startswith("m.yaml: openings: a list of 50 -> random:")
    assert len(found) < 120


@pytest.mark.usefixtures("has_games")
def test_the_command_that_is_named_has_a_free_name(folder: Path) -> None:
    config_of(BALANCED)
    (folder / "m-2.yaml").touch()
    (folder / "results/m-3").mkdir(parents=True)
    assert "--name m-4 " in refused(replace(BALANCED, limit="d3"))[-1]


@pytest.mark.parametrize("of", ["own.py", "v1", "pbrain", "openings"])
@pytest.mark.usefixtures("has_games")
def test_a_file_is_the_same_however_it_is_spelled(
    of: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = folder / "here"
    (here / "sub").mkdir(parents=True)
    (here / "v1").mkdir()
    monkeypatch.chdir(here)
    monkeypatch.setenv("HOME", str(folder))
    for file in (here / "own.py", here / "v1/own.py"):
        file.write_text(player("return Choice(self.game.moves(p)[0])"))
    (here / "pbrain").write_text("#!/bin/sh\n")
    (here / "pbrain").chmod(0o755)
    (here / "openings").write_text("7,7 7,8\n")
    found = set[str]()
    for way in ("./", "../here/", "~/here/", "sub/../", f"{here}/"):
        path = way + of
        words = ("random_mover", path) if of == "openings" else (path, None)
        match = TypedMatch((words[0], "random_mover"), 2, openings=words[1])
        found.add(str(to_data(config_of(match))))
    assert len(found) == len(list(here.glob("*.yaml"))) == 1
