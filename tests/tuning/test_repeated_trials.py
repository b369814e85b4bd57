"""Trials that would repeat the games of others, and studies that go on with a larger budget."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.samples import Write
from support.studies import COIN, UNPROVED, same, trials_of, tuned

from arena import ConfigError
from arena.storage.database import Store
from arena.storage.folder import read_store
from arena.tuning.study import Study, read
from arena.workers.pool import local

CHOICES = """
game: {gomoku: {size: 7}}
engine: {engine: five_tuple, depth: 1}
vary: {}
parameters: {three: {choices: [100, 1000]}, radius: {choices: [2, 1]}}
method: random
budget: 120
games: 4
openings: {random: {plies: 3, seed: 5}}
max_plies: 20
verification: {elo0: 0, elo1: 200, pairs: 20}
"""


def searched(
    write: Write, text: str, workers: int = 0, place: str = "study.yaml", **more: Any
) -> Study:
    """A study without its test."""
    write(COIN, "coin.py")
    file = write(text, place)
    study = read(file, results=file.parent / "results")
    study.play(local(workers), **more)
    return study


def points_by_openings(study: Study) -> Counter[tuple[str, ...]]:
    """How often each point was played on the same openings, once the first trial was told."""
    told = [each for each in study.trials.told[study.config.plan.lag :] if each.games]
    return Counter((str(each.trial.points), *each.openings) for each in told)


def test_a_trial_that_would_repeat_games_has_their_value_and_plays_none(write: Write) -> None:
    study = searched(write, CHOICES)
    told = study.trials.told
    assert len(told) > 30, "copies spend no budget"
    copies = [each for each in told if each.copy_of is not None]
    assert copies
    for copy in copies:
        first = told[copy.copy_of or 0]
        assert copy.trial.points == first.trial.points
        assert (copy.answer.elo, copy.estimate) == (first.answer.elo, first.estimate)
        assert (copy.games, copy.answer.pairs, copy.openings) == (0, 0, [])
    assert {*points_by_openings(study).values()} == {1}
    assert not any(each.is_stopped for each in copies)
    assert read_store(study.folder, Store.count) == sum(each.games for each in told) <= 120
    kept = [trial.user_attrs.get("copy_of") for trial in trials_of(study)]
    assert kept == [each.copy_of for each in told]
    frames = study.frames()
    assert set(frames.slices["trial"]) == {each.trial.number + 1 for each in told if each.games}


def test_copies_are_no_evidence_for_what_is_recommended(write: Write) -> None:
    study = searched(write, CHOICES)
    alone = study.config.tuner()
    for each in study.trials.told:
        if each.games:
            alone.tell(each.trial, each.answer)
    assert list(study.advice) == list(alone.recommend()), "importances included"


def test_copies_are_the_same_with_any_number_of_workers_and_after_a_stop(
    write: Write, tmp_path: Path
) -> None:
    study = searched(write, CHOICES)
    (tmp_path / "parts").mkdir()
    played = list[object]()
    stopped = searched(
        write, CHOICES, 2, "parts/study.yaml",
        watch=played.append, stop=lambda: len(played) > 30,
    )  # fmt: skip
    assert not stopped.trials.is_over
    assert same(study, searched(write, CHOICES, 2, "parts/study.yaml"))


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text + "limit: {depth: 1, seconds: 30}\n",
        lambda text: text.replace(
            "{engine: five_tuple, depth: 1}", "{engine: ./coin.py, weight: 0.5}"
        ).replace(
            "three: {choices: [100, 1000]}, radius: {choices: [2, 1]}",
            "power: {choices: [10, 20]}, sulks: ",
        ),
    ],
    ids=["time", "lots"],
)
def test_games_that_may_differ_are_played_again(write: Write, change: Callable[[str], str]) -> None:
    study = searched(write, change(CHOICES))
    assert not any(each.copy_of for each in study.trials.told)
    assert len(study.trials.told) == 30
    assert max(points_by_openings(study).values()) > 1


@pytest.mark.parametrize("method", ["random", "{sampler: optuna.samplers.TPESampler}"])
def test_a_larger_budget_goes_on_with_a_method_of_single_points(write: Write, method: str) -> None:
    text = UNPROVED.replace("method: spsa", f"method: {method}").replace("    games: 8\n", "")
    before = searched(write, text).trials.told
    study = searched(write, text.replace("budget: 120", "budget: 160"))
    assert len(before) == 15
    assert study.trials.told[:15] == before
    huge = write(text.replace("budget: 120", "budget: 9000"), "study.yaml")
    assert read(huge, results=huge.parent / "results").config.plan.games == 8, "as it was begun"
    assert len(study.trials.told) == 20
    assert study.trials.is_over
    assert study.advice
    with pytest.raises(ConfigError, match=r"plan.budget: 160 -> 120; .*`start: \[\{weight: "):
        searched(write, text)


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("budget: 120", "budget: 240", "plan.budget: 120 -> 240"),
        ("method: spsa", "method: tpe", "method.tpe: None -> "),
    ],
)
def test_a_study_that_cannot_go_on_says_how_another_begins(
    write: Write, old: str, new: str, told: str
) -> None:
    searched(write, UNPROVED)
    words = rf"{told}.*; .* `start: \[\{{weight: ..., power: ...\}}\]`"
    with pytest.raises(ConfigError, match=words):
        searched(write, UNPROVED.replace(old, new))


@pytest.mark.slow
def test_a_larger_budget_comes_too_late_once_the_test_has_a_game(write: Write) -> None:
    text = UNPROVED.replace("method: spsa", "method: random")
    tuned(write, text)
    with pytest.raises(ConfigError, match=r"(?s)budget: 120 -> 240.*chosen after games were seen"):
        tuned(write, text.replace("budget: 120", "budget: 240"))
