"""The page for users of Optuna: its code runs as it stands, with fewer and smaller games."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import optuna
import pytest
from support.samples import ROOT

import arena
from arena.tuning.optuna.objective import COSTS, PAGE, ROUND
from arena.tuning.optuna.sampler import COPY_OF, ELO

PAGE_TEXT = (ROOT / "docs/from_optuna.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```(\w*)\n(.*?)```", PAGE_TEXT, re.DOTALL)
MAIN, FRONT, LIMITS, SENT = (text for kind, text in BLOCKS if kind == "python")
SMALLER = {"size: 9": "size: 7", "depth: 2": "depth: 1", "games: 24": "games: 4"}
TEST = "openings: {random: {plies: 4}}\nverification: {elo0: 0, elo1: 200, pairs: 20}\n"


@pytest.fixture(autouse=True)
def _in_its_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (text,) = (text for kind, text in BLOCKS if kind == "yaml")
    for old, new in SMALLER.items():
        assert old in text
        text = text.replace(old, new)
    Path("threes.yaml").write_text(text + TEST, encoding="utf-8")


def run(*blocks: str, end: str = "") -> str:
    """What a script of these blocks prints, with three trials in place of fifty."""
    text = "\n".join(blocks).replace("n_trials=50", "n_trials=3").replace("[25, 25]", "[2, 2]")
    Path("script.py").write_text(f"{text}\n{end}\n", encoding="utf-8")
    path = os.pathsep.join([str(Path(arena.__file__).parents[1]), os.environ.get("PYTHONPATH", "")])
    command = [sys.executable, "script.py"]
    environment = {**os.environ, "PYTHONPATH": path}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300)
    assert not done.returncode, done.stderr
    return done.stdout


@pytest.mark.slow
def test_elo_and_speed_make_a_pareto_front() -> None:
    setup = MAIN.partition("study = ")[0]
    told = run(setup, FRONT, end="print([len(each.values) for each in front.trials])")
    assert told == "[2, 2, 2]\n"
    assert arena.open_study("threes").proof


@pytest.mark.slow
@pytest.mark.skipif(
    not hasattr(optuna.trial.Trial, "set_constraint"), reason="Optuna has it from 5 on"
)
def test_a_constraint_is_told_for_each_trial() -> None:
    setup = f'{MAIN.partition("study = ")[0]}elo = arena.objective("threes.yaml")\n'
    told = run(setup, LIMITS, end="print([[*each.constraints] for each in quick.trials])")
    assert told == "[['slow'], ['slow'], ['slow']]\n"


@pytest.mark.slow
def test_a_sent_objective_goes_on_with_the_study_in_two_processes() -> None:
    run(MAIN)
    assert arena.open_study("threes").proof
    run(SENT)
    backend = optuna.storages.journal.JournalFileBackend("optuna.log")
    storage = optuna.storages.JournalStorage(backend)
    trials = optuna.load_study(study_name="threes", storage=storage).trials
    assert len(trials) == 7
    assert len({trial.user_attrs["process"] for trial in trials[3:]}) == 2


def test_its_table_has_all_attributes() -> None:
    known = {ELO, *COSTS, "recommended", PAGE, "faults", "stopped_early", ROUND, COPY_OF}
    known |= {"games", "pairs", "pentanomial", "openings"}
    rows = re.findall(r"^\| (`\w+`(?:, `\w+`)*) \|", PAGE_TEXT, re.MULTILINE)
    assert known <= set(re.findall(r"\w+", " ".join(rows)))
