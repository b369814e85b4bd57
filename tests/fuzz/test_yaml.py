"""Files of tournaments and studies that are nearly right, and others that are nothing like them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from support.rubbish import OFTEN, document, files

from arena import ConfigError
from arena.config.reader import read_config
from arena.config.settings import from_data, to_data
from arena.config.yaml_file import Document, dump
from arena.tuning.settings.config import tuning_data, tuning_from_data
from arena.tuning.settings.reader import read_tuning

pytestmark = [pytest.mark.slow, pytest.mark.sweep]
TOURNAMENT: dict[str, Any] = {
    "name": "round",
    "game": {"gomoku": {"size": 7, "rule": "freestyle"}},
    "format": {"gauntlet": {"candidates": ["one"]}},
    "openings": {"random": {"plies": 2, "count": 2, "seed": 1, "spread": 2}},
    "limit": {"depth": 2, "nodes": 100, "seconds": 0.5, "clock": "60+0.5"},
    "engines": [
        {"name": "one", "engine": "five_tuple", "depth": 2, "radius": 1},
        {"name": "two", "engine": "random_mover", "limit": {"nodes": 5}},
        {"engine": "balance"},
    ],
}
TOURNAMENT |= {"seed": 3, "rounds": 2, "max_plies": 30, "draw_at_empty": 9}
TOURNAMENT |= {"margin": 0.1, "hang": 5, "memory": 500, "resign": {"score": 1000, "moves": 2}}
TOURNAMENT |= {"draw": {"score": 10, "moves": 4, "after": 20}}
LISTED = {
    "game": "tictactoe",
    "format": {"sprt": {"elo0": 0, "elo1": 50, "pairs": 20}},
    "openings": {"list": ["'0,0'", "'1,1'", "''"]},
    "engines": [{"engine": "random_mover"}, {"name": "other", "engine": "minimax"}],
}
CHOSEN = {"format": "pos", "order": "random", "seed": 1, "start": 1, "count": 2}
FILED = LISTED | {"openings": {"file": {"path": "openings.txt", **CHOSEN, "transform": "true"}}}
STUDY: dict[str, Any] = {
    "kind": "study",
    "name": "weights",
    "game": {"gomoku": {"size": 9}},
    "engine": {"engine": "five_tuple", "depth": 2},
    "parameters": {
        "three": {"low": 20, "high": 5000, "log": "true"},
        "two": {"choices": [5, 10, 20]},
        "depth": {"step": 1, "low": 1, "high": 3},
    },
    "vary": {"radius": [1, 2], "limit": [{"nodes": 5}, {"depth": 1}]},
    "opponents": [{"name": "random", "engine": "random_mover"}],
    "openings": {"random": {"plies": 2, "count": 8}},
    "verification": {"elo0": 0, "elo1": 200, "alpha": 0.05, "pairs": 20, "opponent_pairs": 10},
}
STUDY |= {"method": {"tpe": {}}, "budget": 64, "games": 8, "lag": 2, "early_stop": 0.05, "seed": 1}
FEW: dict[str, Any] = {"game": "tictactoe", "engine": "minimax", "parameters": ["depth"]}
FEW |= {"openings": {"list": ["'0,0'", "'1,1'", "'0,1'", "'1,0'"]}}
FEW |= {"budget": 8, "verification": {"elo1": 300, "pairs": 20}}


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("fuzz")
    (folder / "openings.txt").write_text("a1b2\na2b2\nc3\nb2\na1b1\n", encoding="utf-8")
    return folder / "file.yaml"


@pytest.fixture(autouse=True, scope="module")
def few_tries() -> Iterator[None]:
    """The generator of openings gives up soon: that takes seconds, and is tested elsewhere."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("arena.match.openings.random.TRIES", 20)
        yield


Step = Callable[..., Any]


def check(file: Path, text: str, read: Step, to_plain: Step, from_plain: Step) -> None:
    """A file has faults with their places, or what a folder keeps of it is the same config."""
    file.write_text(text, encoding="utf-8")
    try:
        config = read(file)
    except ConfigError as error:
        told = [fault.place.startswith(str(file)) and fault.message for fault in error.faults]
    else:
        file.write_text(dump(to_plain(config)), encoding="utf-8")
        told = [to_plain(from_plain(Document(file).data)) == to_plain(config)]
    assert told
    assert all(told)


@given(text=files(TOURNAMENT, LISTED, FILED))
@OFTEN
def test_a_tournament_is_read_or_its_faults_are_told_with_places(file: Path, text: str) -> None:
    check(file, text, read_config, to_data, from_data)


@given(text=files(STUDY, FEW))
@OFTEN
def test_so_is_a_study(file: Path, text: str) -> None:
    check(file, text, read_tuning, tuning_data, tuning_from_data)


def test_without_a_mutation_the_files_are_right(file: Path) -> None:
    for data, read in (
        (TOURNAMENT, read_config),
        (LISTED, read_config),
        (FILED, read_config),
        (STUDY, read_tuning),
        (FEW, read_tuning),
    ):
        file.write_text(document(data), encoding="utf-8")
        read(file)
