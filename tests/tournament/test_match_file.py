"""The file of a match in one line: gone on with, and never lost."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest
from support.samples import player

from arena.config.settings import Config, to_data
from arena.config.typed_match import TypedMatch, balanced_openings
from arena.errors import ConfigError
from arena.tournament.match import match_config
from arena.tournament.run import run

MATCH = TypedMatch(
    ("random_mover", "random_mover"),
    4,
    limit="d1",
    openings="random",
    game="gomoku:size=7",
    name="m",
)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def config_of(match: TypedMatch, *, fresh: bool = False) -> Config:
    """The config of these words."""
    return match_config(match, Path("results"), fresh=fresh, renamed="arena match --name {}".format)


def play(match: TypedMatch, *, fresh: bool = False) -> int:
    """The number of games, once these words were played."""
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
    assert play(MATCH) == 4
    before = MATCH.file.stat().st_mtime_ns, MATCH.file.read_text()
    assert play(MATCH) == 4
    assert (MATCH.file.stat().st_mtime_ns, MATCH.file.read_text()) == before


def test_the_file_alone_is_the_same_run() -> None:
    play(MATCH)
    assert len(run(MATCH.file, workers=0).records()) == 4


def test_more_games_are_added_to_those_played() -> None:
    play(MATCH)
    first = run(MATCH.file, workers=0).records()
    assert play(replace(MATCH, games=8)) == 8
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
    play(MATCH)
    *found, advice = refused(replace(MATCH, **options))
    assert any(each.startswith(change) for each in found)
    assert "arena match --name m-2 " in advice
    assert "--fresh" in advice
    assert max(map(len, found)) < 200


def test_begun_anew_it_is_another_match() -> None:
    play(MATCH)
    assert play(replace(MATCH, seed=5, games=2), fresh=True) == 2
    assert "seed: 5" in MATCH.file.read_text()


def test_a_file_of_which_no_game_was_played_is_written_again() -> None:
    config_of(MATCH)
    config_of(replace(MATCH, seed=5))
    assert "seed: 5" in MATCH.file.read_text()


def test_what_a_user_added_to_the_file_is_not_lost() -> None:
    play(MATCH)
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
    """Games of each match were played."""
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
