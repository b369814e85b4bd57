"""The page on tuning: its file can be read, and its code runs as it stands."""

from __future__ import annotations

import re
from pathlib import Path

import optuna
import pytest
from support.samples import ROOT, Write
from support.studies import let_go

from arena.config.reader import TERMS
from arena.plugins.load import names
from arena.plugins.parameters import parameters
from arena.tuning.settings.config import study_keys
from arena.tuning.settings.reader import read_tuning

PAGE = (ROOT / "docs/tuning.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```(\w*)\n(.*?)```", PAGE, re.DOTALL)


def blocks(language: str) -> list[str]:
    return [text for kind, text in BLOCKS if kind == language]


def test_its_file_has_every_key_and_can_be_read(write: Write, undrawn: None) -> None:
    _, text = blocks("yaml")
    text = re.sub(r"^# ", "", text, flags=re.MULTILINE)  # start and opponents
    known = {each.name: each for each in parameters(study_keys)}
    assert {*known} <= set(re.findall(r"^(\w+):", text, re.MULTILINE)) <= {*known, *TERMS}
    config = read_tuning(write(text.replace("method: ascent", "method: tpe")))  # as start needs
    assert config.plan.budget == 20_000
    assert f"{known['method'].default} (the default)" in text


def test_its_short_file_tunes_two_weights(write: Write, undrawn: None) -> None:
    text, _ = blocks("yaml")
    assert [axis.name for axis in read_tuning(write(text)).space.axes] == ["three", "other_three"]


def test_it_knows_every_method() -> None:
    (table,) = re.findall(r"\| method.*?\n\n", PAGE, re.DOTALL)
    assert set(re.findall(r"`(\w+)`", table)) >= set(names("method"))


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::optuna.exceptions.ExperimentalWarning")
def test_its_code_runs(write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("agg")
    _, text = blocks("yaml")
    for old, new in {
        "size: 9": "size: 7",
        "depth: 2}": "depth: 1}",
        "budget: 20000": "budget: 40",
        "games: 40 ": "games: 4 ",
        "elo1: 20,": "elo1: 200,",
        "pairs: 5000": "pairs: 20",
    }.items():
        assert old in text
        text = text.replace(old, new, 1)
    (tmp_path / "configs").mkdir()
    write(text, "configs/bold_threes.yaml")
    monkeypatch.chdir(tmp_path)
    shared: dict[str, object] = {}
    for code in blocks("python"):
        exec(code, shared)
    assert {file.name for file in Path("pictures").iterdir()} == {
        "history.svg",
        "slices.svg",
        "importance.svg",
    }
    mirrored = shared["mirrored"]
    assert isinstance(mirrored, optuna.Study)
    assert len(mirrored.trials) == 10
    let_go(mirrored)
    matplotlib.pyplot.close("all")
