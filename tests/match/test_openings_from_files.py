"""Openings from files: which of them, in which order, turned how, and what a run keeps of them."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.samples import Write

import arena
from arena import ConfigError, load_game
from arena.config.reader import read_config
from arena.game import Game
from arena.match.copies import marks_of_text
from arena.match.openings.file import openings
from arena.tuning.settings.reader import read_tuning

GAME = load_game("gomoku:size=15")
TEXTS = [f"7,7 7,{column} {row},2" for column in range(8, 14) for row in range(3, 7)]
CONFIG = """
    name: kept
    game: {{gomoku: {{size: 15}}}}
    openings: {{file: {{path: openings.txt{}}}}}
    max_plies: 8
    engines:
      - {{name: one, engine: random_mover}}
      - {{name: two, engine: random_mover}}
"""


@pytest.fixture
def path(tmp_path: Path) -> str:
    file = tmp_path / "openings.txt"
    file.write_text("\n".join(TEXTS), encoding="utf-8")
    return str(file)


def start_marks(game: Game, texts: list[str]) -> set[str]:
    return {marks_of_text(game, text, text)[0] for text in texts}


def test_they_come_as_in_the_file_from_a_start_on(path: str) -> None:
    assert list(openings(GAME, path=path)) == TEXTS
    assert list(openings(GAME, path=path, start=20)) == TEXTS[20:]
    assert list(openings(GAME, path=path, start=3, count=5)) == TEXTS[3:8]


def test_the_whole_file_is_shuffled_before_some_are_taken(path: str) -> None:
    whole = list(openings(GAME, path=path, order="random", seed=5))
    assert sorted(whole) == sorted(TEXTS)
    assert whole != TEXTS
    assert list(openings(GAME, path=path, order="random", seed=5, start=4, count=6)) == whole[4:10]
    assert list(openings(GAME, path=path, order="random", seed=6)) != whole


def test_each_is_turned_by_a_symmetry_of_its_own_from_the_seed(path: str) -> None:
    turned = list(openings(GAME, path=path, transform=True, seed=1))
    assert [start_marks(GAME, [text]) for text in turned] == [
        start_marks(GAME, [text]) for text in TEXTS
    ]
    assert len({text.split()[1].split(",")[0] == "7" for text in turned}) == 2
    assert list(openings(GAME, path=path, transform=True, seed=1, start=7)) == turned[7:]
    assert list(openings(GAME, path=path, transform=True, seed=2)) != turned


@pytest.mark.parametrize(
    ("values", "fault"),
    [
        ({"count": 25}, "there are 24 openings, not 25"),
        ({"start": 20, "count": 5}, "there are 4 openings after the first 20, not 5"),
        ({"start": 24}, "there are 0 openings after the first 24"),
    ],
)
def test_more_than_there_are_is_a_fault(path: str, values: dict[str, int], fault: str) -> None:
    with pytest.raises(ConfigError) as caught:
        list(openings(GAME, path=path, **values))  # type: ignore[arg-type]
    assert str(caught.value) == f"{path}: {fault}"


def config_faults(write: Write, more: str = "") -> list[str]:
    with pytest.raises(ConfigError) as caught:
        read_config(write(CONFIG.format(more), "kept.yaml"))
    folder = f"{write('', 'kept').parent}/"
    return [str(fault).replace(folder, "") for fault in caught.value.faults]


def test_a_fault_tells_the_place_in_both_files(write: Write) -> None:
    write("7,7 7,8\n7,7 7,7\n7,7 7,15\n7,7 8,8\n", "openings.txt")
    assert config_faults(write) == [
        "kept.yaml:3:18: openings.txt:3: '7,15' is off the board: rows and columns go from 0 to 14"
    ]
    write("7,7 7,8\n7,7 7,7\n\n7,7 7,8\n1,1 2,2 1,2 2,3 1,3 2,4 1,4 5,5\n", "openings.txt")
    assert config_faults(write) == [
        "kept.yaml:3:11: openings.txt:2: opening '7,7 7,7': 7,7 is not legal after 1 moves",
        "kept.yaml:3:11: openings.txt:4: opening '7,7 7,8' stands here twice, "
        "first at openings.txt:1",
        "kept.yaml:3:11: openings.txt:5: opening '1,1 2,2 1,2 2,3 1,3 2,4 1,4 5,5': "
        "its 8 plies leave none of max_plies 8",
    ]


def test_a_missing_file_and_wrong_keys_are_faults_of_the_yaml(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "openings.txt").write_text("7,7 7,8", encoding="utf-8")
    monkeypatch.chdir(elsewhere)
    assert config_faults(write) == ["kept.yaml:3:18: openings.txt: no such file"]
    assert config_faults(write, ", order: up, count: 0") == [
        "kept.yaml:3:46: order must be 'file' or 'random', not 'up'",
        "kept.yaml:3:57: count must be at least 1, not 0",
    ]


def test_a_run_goes_on_when_the_file_is_gone_and_more_may_be_added(
    write: Write, tmp_path: Path
) -> None:
    openings = write("\n".join(TEXTS[:3]), "openings.txt")
    config = write(CONFIG.format(""), "kept.yaml")
    run = arena.run(config, workers=0, results=tmp_path)
    assert len(run.records()) == 6
    openings.write_text("\n".join(TEXTS[:4]), encoding="utf-8")
    again = arena.run(config, workers=0, results=tmp_path)
    assert [record for _, record in again.records()][:6] == [record for _, record in run.records()]
    assert len(again.records()) == 8
    openings.unlink()
    assert len(arena.open_run("kept", results=tmp_path).records()) == 8
    openings.write_text("\n".join(TEXTS[1:7]), encoding="utf-8")
    with pytest.raises(ConfigError, match="openings: a list of "):
        arena.run(config, workers=0, results=tmp_path)


def test_a_study_takes_half_of_them_for_its_test(write: Write) -> None:
    write("\n".join(TEXTS), "openings.txt")
    config = read_tuning(
        write(
            """
            game: {gomoku: {size: 15}}
            engine: {engine: five_tuple, depth: 1}
            vary: {}
            openings: {file: {path: openings.txt, order: random, seed: 2}}
            method: random
            parameters: {three: {low: 100, high: 1000}}
            budget: 40
            games: 8
            """,
            "study.yaml",
        )
    )
    assert config.trial_openings == 12
    assert sorted(config.openings) == sorted(TEXTS)
