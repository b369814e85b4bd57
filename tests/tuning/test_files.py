"""Files that a study, or a run, opens: all are closed once it is over."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import psutil
import pytest
from support.samples import ROUND, Write
from support.studies import STUDY, facts, tuned

import arena
from arena import ConfigError
from arena.storage.database import Store
from arena.tuning.optuna.mirror import Mirror


@pytest.fixture(autouse=True)
def _nothing_is_left_open(tmp_path: Path) -> Iterator[None]:
    yield
    opened = psutil.Process().open_files()
    assert not [file.path for file in opened if file.path.startswith(str(tmp_path))]


def test_after_a_run_and_its_report(write: Write) -> None:
    file = write(ROUND)
    arena.run(file, workers=0, results=file.parent / "results").report()


@pytest.mark.slow
def test_after_a_study_and_what_optuna_reads_of_it(write: Write) -> None:
    assert facts(tuned(write))


def test_after_a_study_that_was_left_in_the_middle(write: Write) -> None:
    def leave(_: object) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        tuned(write, watch=leave)


@pytest.mark.slow
def test_after_optuna_s_tables_could_not_be_made(
    write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    import optuna

    study = tuned(write, STUDY.replace("budget: 120", "budget: 40"))
    monkeypatch.setattr(optuna, "create_study", lambda **_: {}["odd"])
    with pytest.raises(ConfigError, match="its copy for Optuna cannot be used: KeyError"):
        Mirror(study.folder / "arena.db", study.config)
    monkeypatch.setattr(optuna, "create_study", lambda **_: 1 // 0)
    with pytest.raises(ZeroDivisionError):
        Mirror(study.folder / "arena.db", study.config)


@pytest.mark.parametrize("read_only", [True, False])
def test_after_a_file_that_is_no_database(tmp_path: Path, read_only: bool) -> None:
    (tmp_path / "arena.db").write_text("garbage" * 999)
    with pytest.raises(ConfigError), closing(Store(tmp_path / "arena.db", read_only)) as store:
        store.games()
