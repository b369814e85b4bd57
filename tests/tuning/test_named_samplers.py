"""`method: {sampler: package.Class}` and `start` in a study's file: Optuna's samplers from YAML."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from support.samples import Write
from support.studies import COIN, STUDY, after, same

import arena
from arena import ConfigError
from arena.cli import arena as command
from arena.report.answer import report_text
from arena.tuning.report.study_answer import study_answer

SAMPLER = STUDY.replace("method: spsa", "method: {sampler: halton.Seeded}")
HALTON = """
from pathlib import Path

from support.user_samplers import Halton as Seeded

with Path(__file__).with_name("imports.txt").open("a") as file:
    file.write("imported\\n")


class Unseeded(Seeded):
    def __init__(self, step=0):
        super().__init__(len(Path(__file__).with_name("imports.txt").read_text()) + step)
"""


@pytest.fixture(autouse=True)
def _in_its_folder(write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "halton", raising=False)
    write(COIN, "coin.py")
    write(HALTON, "halton.py")


def played(write: Write, text: str, **more: object) -> arena.Study:
    return arena.tune(write(text, "study.yaml"), workers=0, **more)  # type: ignore[arg-type]


def forget(file: str = "halton.py") -> None:
    """Take the sampler's module away: whoever needs it now fails."""
    Path(file).unlink()
    sys.modules.pop("halton", None)


@pytest.mark.parametrize(
    ("method", "name"),
    [
        ("{sampler: halton.Seeded}", "halton.Seeded"),
        pytest.param(
            "{sampler: optuna.samplers.TPESampler, n_startup_trials: 4}",
            "optuna.samplers.TPESampler:n_startup_trials=4",
            marks=pytest.mark.slow,
        ),
        pytest.param(
            "{sampler: optuna.samplers.CmaEsSampler, lr_adapt: true, seed: 5}",
            "optuna.samplers.CmaEsSampler:lr_adapt=True,seed=5",
            marks=pytest.mark.slow,
        ),
    ],
)
def test_a_sampler_by_its_class_goes_on_after_a_stop(write: Write, method: str, name: str) -> None:
    text = STUDY.replace("method: spsa", f"method: {method}")
    calm = played(write, text)
    calm = arena.open_study(calm.folder.rename("calm"))
    for end in (0, 30, 77, 10**9):
        study = played(write, text, **after(end))
    assert str(study.config.method) == name
    assert len(study.trials.told) == 15
    assert study.trials.told[0].trial.points[0] == study.config.space.default
    assert same(study, calm)
    assert same(study, arena.open_study(study.folder))


def test_the_same_name_and_seed_search_as_the_method_of_that_name(write: Write) -> None:
    own = played(write, STUDY.replace("spsa", "random"))
    own = arena.open_study(own.folder.rename("own"))
    named = STUDY.replace("method: spsa", "method: {sampler: optuna.samplers.RandomSampler}")
    assert played(write, named).trials.told == own.trials.told


def test_its_class_is_imported_only_when_the_study_is_played(write: Write) -> None:
    study = played(write, SAMPLER)
    assert Path("imports.txt").read_text() == "imported\n"
    forget()
    read = arena.open_study("study")
    assert read.trials.told == study.trials.told
    assert read.advice == study.advice
    assert "halton.Seeded" in report_text(study_answer(read), "table")
    page = CliRunner().invoke(command, ["report", "study", "--format", "html", "-o", "page.html"])
    assert page.exit_code == 0
    arena.objective("study.yaml", workers=0, results="others")
    with pytest.raises(ConfigError, match=r"study.yaml:4:19: package halton cannot be imported"):
        arena.tune("study.yaml", workers=0)


def test_a_study_in_the_middle_is_read_without_its_sampler(write: Write) -> None:
    stopped = played(write, SAMPLER, **after(37))
    forget()
    read = arena.open_study("study")
    assert 0 < len(read.trials.told) < 15
    assert read.trials.told == stopped.trials.told
    assert not read.trials.is_over


def test_the_queue_refuses_it_and_imports_nothing(write: Write) -> None:
    file = write(SAMPLER, "study.yaml")
    refused = CliRunner().invoke(
        command, ["submit", str(file), "--to", "http://localhost:1/queue?token=x"]
    )
    assert "is a tuning study" in str(refused.exception)
    assert not Path("imports.txt").exists()


def test_a_sampler_that_does_not_repeat_itself_goes_on_from_what_it_asked(write: Write) -> None:
    text = SAMPLER.replace("Seeded", "Unseeded")
    stopped = played(write, text, **after(40))
    sys.modules.pop("halton")
    study = played(write, text)
    assert study.trials.asked[: len(stopped.trials.asked)] == stopped.trials.asked
    assert study.trials.is_over


@pytest.mark.parametrize(
    ("method", "start", "place", "words"),
    [
        ("{sampler: optuna.samplers.TPESamplr}", "", "4:19", "did you mean 'TPESampler'"),
        ("{sampler: optuna.sampler.TPESampler}", "", "4:19", "cannot be imported: ModuleNotFound"),
        ("{sampler: TPESampler}", "", "4:19", "such as optuna.samplers.TPESampler"),
        ("{sampler: 3}", "", "4:19", "sampler must be text"),
        ("{sampler: optuna.samplers.TPESampler, n_startup: 3}", "", "4:47", "'n_startup_trials'"),
        ("{sampler: optuna.samplers.QMCSampler, qmc_type: odd}", "", "4:19", "made: ValueError"),
        ("{sampler: optuna.samplers.PartialFixedSampler}", "", "4:19", "cannot be made: TypeError"),
        ("{sampler: optuna.study.Study}", "", "4:19", "unknown sampler"),
        ("random", "[{weigh: 1}]", "10:10", "did you mean 'weight'"),
        ("random", "[{}, {weight: 3}]", "10:22", "from 0 to 1, not 3"),
        ("random", "[{power: 1.5}]", "10:17", "a whole number, not 1.5"),
        ("random", "[3]", "10:9", "must be a mapping"),
        ("random", "{weight: 1}", "10:8", "must be a list"),
        ("random", "[{weight: [1]}]", "10:18", "must be"),
        ("spsa", "[{weight: 1}]", "10:1", "start needs a method such as tpe"),
    ],
)
def test_faults_of_a_sampler_and_of_points_to_start_from_have_their_place(
    write: Write, method: str, start: str, place: str, words: str
) -> None:
    text = STUDY.replace("method: spsa", f"method: {method}")
    with pytest.raises(ConfigError) as error:
        played(write, f"{text}    start: {start}\n" if start else text)
    (fault,) = error.value.faults
    assert fault.place.endswith(f"study.yaml:{place}")
    assert words in fault.message
    assert not Path("results").exists()


@pytest.mark.slow
def test_a_sampler_that_fails_at_some_space_is_refused(write: Write) -> None:
    text = STUDY.replace("[weight, power]", "[weight, sulks]")
    failing = """
        from support.user_samplers import Halton

        class Numbers(Halton):
            def sample_independent(self, study, trial, name, distribution):
                return distribution.low
        """
    write(failing, "numbers_only.py")
    method = "method: {sampler: numbers_only.Numbers}"
    with pytest.raises(ConfigError, match=r"4:19: cannot search these parameters: AttributeError"):
        played(write, text.replace("method: spsa", method))


@pytest.mark.parametrize("method", ["random", "{sampler: halton.Seeded}"])
def test_the_search_starts_from_the_points_of_the_file(write: Write, method: str) -> None:
    text = STUDY.replace("method: spsa", f"method: {method}")
    start = "start: [{weight: 0.8, power: 20}, {weight: 1}]\n"
    study = played(write, f"{text}    {start}")
    points = [told.trial.points[0] for told in study.trials.told]
    assert points[0] == study.config.space.default
    assert points[1] == {"weight": 0.8, "power": 20}
    assert points[2]["weight"] == 1
    assert arena.open_study("study").config.start == study.config.start
    with pytest.raises(ConfigError, match=r"start: .* -> None"):
        played(write, text)
