"""`arena.prove`: the test of what a user's study of Optuna has found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import optuna
import pytest
from optuna.distributions import FloatDistribution, IntDistribution
from optuna.trial import TrialState, create_trial
from support.samples import Write
from support.studies import COIN, STUDY, UNPROVED
from support.user_samplers import Halton

import arena
from arena import ConfigError
from arena.config.reader import read_config
from arena.tuning.settings.reader import read_users_study


@pytest.fixture(autouse=True)
def _in_its_folder(write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    monkeypatch.chdir(tmp_path)
    write(COIN, "coin.py")
    write(STUDY, "study.yaml")


def study_of(elos: Sequence[float], direction: str = "maximize", **attributes: Any) -> optuna.Study:
    """A study whose trials at the weights 0.00, 0.01 and so on had these values."""
    axes = read_users_study("study.yaml").space.axes
    study = optuna.create_study(direction=direction)
    for number, elo in enumerate(elos):
        study.add_trial(
            create_trial(
                params={"weight": number / 100, "power": 10},
                distributions={axis.name: axis.distribution() for axis in axes},
                value=elo,
                **attributes,
            )
        )
    return study


def never_played(study: optuna.Study, point: Any = None) -> dict[str, Any]:
    """The point that would be tested."""
    found = arena.prove(study, "study.yaml", point, workers=0, stop=lambda: True)
    return dict(found.values)


@pytest.mark.slow
def test_a_point_that_is_chosen_is_proved_on_openings_that_no_trial_has_played() -> None:
    study = optuna.create_study(direction="maximize", sampler=Halton())
    study.optimize(arena.objective("study.yaml", workers=0), n_trials=3)
    proved = arena.prove(study, "study.yaml", {"weight": 0.8}, workers=0)
    assert proved.values == {"weight": 0.8, "power": 10}
    assert proved.proof
    assert proved.proof.has_passed
    assert study.user_attrs["proved"] == proved.values
    tuned = read_config(proved.folder / "tuned.yaml")
    assert tuned.players[0].engine.parameters.items() >= proved.values.items()
    met = {opening for trial in study.trials for opening in trial.user_attrs["openings"]}
    assert not met & {record.opening for _, record in proved.matches.test.records()}
    assert len(arena.open_study("study").trials.told) == 3
    assert arena.prove(study, "study.yaml", {"weight": 0.8}, workers=0).proof == proved.proof
    with pytest.raises(
        ConfigError, match=r"the test of another point, weight=0.8,power=10, not of weight=0.7"
    ):
        arena.prove(study, "study.yaml", {"weight": 0.7}, workers=0)


def test_a_gain_that_is_not_proved_leaves_no_file(write: Write) -> None:
    write(UNPROVED, "study.yaml")
    study = study_of([1.0])
    proved = arena.prove(study, "study.yaml", {"weight": 0.8}, workers=0)
    assert study.user_attrs == {}
    assert proved.verdict.text == "Gain not proved"
    assert not (proved.folder / "tuned.yaml").exists()


@pytest.mark.parametrize(("direction", "sign"), [("maximize", 1), ("minimize", -1)])
def test_without_one_the_mean_of_the_best_tenth_is_tested(direction: str, sign: int) -> None:
    elos = [sign * (100.0 - abs(number - 13.2)) for number in range(20)]
    assert never_played(study_of(elos, direction)) == {"weight": pytest.approx(0.135), "power": 10}


def test_the_point_is_the_one_that_the_report_recommends_trials_that_ended_early_included() -> None:
    pruner = optuna.pruners.PercentilePruner(30, n_startup_trials=1)
    study = optuna.create_study(direction="maximize", pruner=pruner, sampler=Halton())
    study.optimize(arena.objective("study.yaml", workers=0), n_trials=24)
    states = Counter(trial.state for trial in study.trials)
    assert states[TrialState.PRUNED] > 12 > states[TrialState.COMPLETE] > 0
    kept = arena.open_study("study").values
    assert never_played(study) == pytest.approx(kept)


def test_trials_of_points_that_the_ranges_exclude_do_not_count() -> None:
    study = study_of([1.0, 2.0])
    distributions = {"weight": FloatDistribution(0, 5), "power": IntDistribution(1, 100)}
    strange = create_trial(
        params={"weight": 4.0, "power": 10}, distributions=distributions, value=90.0
    )
    study.add_trial(strange)
    assert never_played(study)["weight"] == 0.01


def test_with_constraints_the_best_trial_is_tested_that_meets_them() -> None:
    study = study_of([1.0, 2.0], system_attrs={"constraints": [0.0]})
    better = study_of([8.0], system_attrs={"constraints": [1.0]}).trials
    study.add_trials(better)
    study.add_trials(study_of([9.0]).trials)  # which tells no constraint
    assert never_played(study)["weight"] == 0.01


@pytest.mark.parametrize(
    ("point", "place", "words"),
    [
        ({"weigh": 0.5}, "weigh", "did you mean 'weight'"),
        ({"weight": 1.5}, "weight", "from 0 to 1, not 1.5"),
        ({"power": 2.5}, "power", "a whole number, not 2.5"),
        ({"weight": True}, "weight", "a number, not True"),
    ],
)
def test_impossible_points_are_refused_before_the_first_game(
    point: dict[str, Any], place: str, words: str
) -> None:
    with pytest.raises(ConfigError) as error:
        never_played(study_of([1.0]), point)
    assert [fault.place for fault in error.value.faults] == [place]
    assert words in str(error.value)
    assert not Path("results").exists()


def test_a_study_without_a_complete_trial_recommends_nothing() -> None:
    with pytest.raises(ConfigError, match="no complete trial"):
        never_played(study_of([]))
