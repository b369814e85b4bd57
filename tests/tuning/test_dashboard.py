"""The studies of a folder as optuna-dashboard gets them: all, as they are now, and only read."""

from __future__ import annotations

import json
import shutil
import socket
import sys
from pathlib import Path
from subprocess import PIPE
from urllib.request import urlopen

import optuna
import pytest
from click.testing import CliRunner
from support.processes import running
from support.samples import Write
from support.studies import STUDY, trials_of, tuned

import arena
from arena.cli import arena as command
from arena.errors import ConfigError
from arena.tuning.optuna.mirror import Copies

SHORT = STUDY.replace("budget: 120", "budget: 40")


def contents(folder: Path) -> dict[Path, bytes]:
    return {file: file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def shown(copies: Copies) -> dict[str, list[optuna.trial.FrozenTrial]]:
    copies.update()
    names = optuna.get_all_study_names(copies.storage)
    read = {name: optuna.load_study(study_name=name, storage=copies.storage) for name in names}
    return {name: study.get_trials() for name, study in read.items()}


def test_every_study_is_shown_under_its_path_and_nothing_is_written(write: Write) -> None:
    study = tuned(write, SHORT)
    results = study.folder.parent
    arena.run(write(name="run.yaml"), workers=0, results=results)
    shutil.copytree(study.folder, results / "old/one#?{x}")
    before = contents(results)
    copies = Copies(results)
    found = shown(copies)
    assert list(found) == ["old/one#?{x}", "study"]
    copy = optuna.load_study(study_name="study", storage=copies.storage)
    played = trials_of(study)
    assert [(each.params, each.values, each.user_attrs) for each in copy.get_trials()] == [
        (each.params, each.values, each.user_attrs) for each in played
    ]
    assert "recommended" in copy.user_attrs
    optuna.delete_study(study_name="study", storage=copies.storage)
    assert contents(results) == before
    assert list(shown(Copies(study.folder))) == ["study"]


def test_a_study_that_goes_on_or_begins_anew_is_followed(write: Write) -> None:
    looks = iter(range(1000))
    study = tuned(write, SHORT, stop=lambda: next(looks) >= 20)
    copies = Copies(study.folder.parent)
    first = shown(copies)["study"]
    assert 0 < len(first) < 5
    tuned(write, SHORT)
    assert [each.params for each in shown(copies)["study"]][: len(first)] == [
        each.params for each in first
    ]
    assert len(shown(copies)["study"]) == 5
    other = SHORT.replace("seed: 3", "seed: 4").replace("plies: 3", "plies: 3, seed: 9")
    anew = tuned(write, other, fresh=True)
    found = shown(copies)
    assert sorted(found) == ["study", "study/attempts/1"]
    assert [each.params for each in found["study"]] == [each.params for each in trials_of(anew)]


def test_a_damaged_database_is_passed_over(write: Write, caplog: pytest.LogCaptureFixture) -> None:
    results = tuned(write, SHORT).folder.parent
    (results / "broken").mkdir()
    (results / "broken/arena.db").write_bytes(b"no database" * 100)
    copies = Copies(results)
    assert list(shown(copies)) == list(shown(copies)) == ["study"]
    assert caplog.text.count("broken/arena.db cannot be read: DatabaseError") == 1


@pytest.mark.slow
def test_the_dashboard_shows_the_trials(write: Write) -> None:
    pytest.importorskip("optuna_dashboard", reason="no optuna-dashboard")
    results = tuned(write, SHORT).folder.parent
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = str(free.getsockname()[1])
    words = [sys.executable, "-m", "arena", "dashboard", str(results), "--port", port]
    with running(words, stdout=PIPE, text=True) as process:
        assert process.stdout
        address = f"{process.stdout.readline().split()[0]}/api/studies"
        with urlopen(address) as answer:
            (study,) = json.load(answer)["study_summaries"]
        with urlopen(f"{address}/{study['study_id']}?after=0") as answer:
            assert len(json.load(answer)["trials"]) == 5


def test_the_command_says_what_it_lacks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ConfigError, match="nothing: no such folder"):
        run_command(str(tmp_path / "nothing"), monkeypatch, has_dashboard=True)
    with pytest.raises(ConfigError, match=r"needs more packages: pip install optuna-dashboard$"):
        run_command(str(tmp_path), monkeypatch, has_dashboard=False)


def run_command(folder: str, monkeypatch: pytest.MonkeyPatch, has_dashboard: bool) -> None:
    monkeypatch.setattr("arena.commands.tune.find_spec", lambda _: has_dashboard or None)
    CliRunner().invoke(command, ["dashboard", folder], catch_exceptions=False)
