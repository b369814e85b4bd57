"""The file of a match in one line: gone on with, and never lost."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from arena.config.typed_match import TypedMatch
from arena.errors import ConfigError
from arena.tournament.match_file import match_config
from arena.tournament.run import run

MATCH = TypedMatch(
    "random_mover", "random_mover", 4, limit="d1", openings="random", game="gomoku:size=7", name="m"
)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def play(match: TypedMatch, *, fresh: bool = False) -> int:
    """The number of games, once these words were played."""
    config = match_config(match, Path("results"), fresh=fresh)
    return len(run(config, workers=0, fresh=fresh).records())


def refused(match: TypedMatch) -> list[str]:
    """The reasons why these words are refused, which must leave the file as it is."""
    before = match.file.read_text()
    with pytest.raises(ConfigError) as caught:
        match_config(match, Path("results"), fresh=False)
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
        ({"other": "five_tuple"}, "m.yaml: engines.random_mover-2: {'name': "),
    ],
)
def test_any_other_change_is_told_and_refused(options: dict[str, object], change: str) -> None:
    play(MATCH)
    *found, advice = refused(replace(MATCH, **options))
    assert any(each.startswith(change) for each in found)
    assert advice.endswith("choose another --name, or begin anew with --fresh")


def test_begun_anew_it_is_another_match() -> None:
    play(MATCH)
    assert play(replace(MATCH, seed=5, games=2), fresh=True) == 2
    assert "seed: 5" in MATCH.file.read_text()


def test_a_file_of_which_no_game_was_played_is_written_again() -> None:
    match_config(MATCH, Path("results"), fresh=False)
    match_config(replace(MATCH, seed=5), Path("results"), fresh=False)
    assert "seed: 5" in MATCH.file.read_text()


def test_what_a_user_added_to_the_file_is_not_lost() -> None:
    play(MATCH)
    MATCH.file.write_text(MATCH.file.read_text() + "hang: 10\n")
    assert "m.yaml: hang: 10 -> None" in refused(MATCH)


@pytest.mark.parametrize("fresh", [False, True])
def test_a_file_of_the_users_own_is_never_touched(fresh: bool) -> None:
    MATCH.file.write_text("name: mine\n")
    with pytest.raises(ConfigError, match=r"m.yaml: is not a file of `arena match`: choose"):
        match_config(MATCH, Path("results"), fresh=fresh)
    assert MATCH.file.read_text() == "name: mine\n"


def test_of_wrong_words_nothing_is_written(folder: Path) -> None:
    with pytest.raises(ConfigError):
        match_config(replace(MATCH, limit="5x"), folder / "results", fresh=False)
    with pytest.raises(ConfigError):
        match_config(replace(MATCH, other="nix"), folder / "results", fresh=False)
    assert list(folder.iterdir()) == []
