"""Configs as dicts: the keys of a file, whose faults are told by their keys."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.samples import Write
from support.studies import COIN, FIT, STUDY

import arena
from arena.config.reader import read_config
from arena.config.settings import to_data
from arena.config.yaml_file import Document
from arena.tuning.fit.config import fit_data, read_fit
from arena.tuning.settings.config import tuning_data
from arena.tuning.settings.reader import read_tuning

TWO, FIVE = {"name": "two", "engine": "random_mover"}, {"engine": "five_tuple"}
ROUND: dict[str, Any] = {"name": "small", "game": {"gomoku": {"size": 7}}}
ROUND |= {"openings": {"random": {"plies": 2, "count": 2}}}
ROUND |= {"engines": [{"name": "one", **FIVE, "depth": 1}, TWO]}
UNNAMED = {key: each for key, each in ROUND.items() if key != "name"}
DEEP, MADE = {**FIVE, "depth": "x"}, {"engines": [{"engine": "none"}]}
WRONG = {"sed": "did you mean 'seed'", "limit.depth": "at least 1"}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "coin.py").write_text(COIN)
    return tmp_path


@pytest.mark.parametrize(
    ("text", "read", "data"), [(STUDY, read_tuning, tuning_data), (FIT, read_fit, fit_data)]
)
def test_a_dict_says_what_its_file_says(
    text: str, read: Callable[[Any], Any], data: Callable[[Any], Any], write: Write
) -> None:
    file = write(text, "own.yaml")
    assert data(read({"name": "own", **Document(file).data})) == data(read(file))


def test_values_may_be_those_of_numpy_tuples_and_paths(write: Write) -> None:
    write("d4 e4\n", "starts.txt")
    plain = {**ROUND, "seed": 3, "margin": 0.5, "openings": {"file": {"path": "starts.txt"}}}
    given = {**plain, "seed": np.int64(3), "margin": np.float32(0.5)}
    given["engines"] = tuple(ROUND["engines"])
    given["openings"] = {"file": {"path": Path("starts.txt")}}
    assert to_data(read_config(given)) == to_data(read_config(plain))


@pytest.mark.parametrize(
    ("play", "config", "faults"),
    [
        (arena.run, {}, {"config": "missing key 'engines'"}),
        (arena.run, {**ROUND, "engines": [TWO, DEEP]}, {"engines[1].depth": "whole number"}),
        (arena.run, {**ROUND, "sed": 1, "limit": {"depth": 0}}, WRONG),
        (arena.run, {**ROUND, "a:1:b": 2}, {"a:1:b": "unknown key"}),
        (arena.run, {**ROUND, "seed": {3}}, {"seed": "must be text, a number, a list or a dict"}),
        (arena.run, UNNAMED, {"config": "name is missing: the folder under results/"}),
        (arena.run, {"parameters": []}, {"parameters": "this is a tuning study: arena.tune"}),
        (arena.run, {"kind": "fit"}, {"kind": "this is a fit of weights: arena.fit"}),
        (arena.tune, ROUND, {"engines": "this is a tournament: arena.run"}),
        (arena.tune, {"engine": "five_tuple", "parameters": ["thre"]}, {"parameters[0]": "three"}),
        (arena.fit, ROUND, {"engines": "this is a tournament: arena.run"}),
        (arena.fit, {"make": MADE, **FIVE}, {"make.engines[0].engine": "unknown engine 'none'"}),
    ],
)
def test_faults_name_their_keys(
    play: Callable[..., Any], config: dict[str, Any], faults: dict[str, str], folder: Path
) -> None:
    with pytest.raises(arena.ConfigError) as error:
        play(config, workers=0)
    told = error.value.faults
    for place, words in faults.items():
        assert any(each.place == place and words in each.message for each in told), str(error.value)
    assert not (folder / "results").exists()
