"""Weights that make an engine fail: what a study says of the games of its search."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from textwrap import dedent
from types import SimpleNamespace
from typing import Any, cast

import pytest
from click.testing import CliRunner
from support.played_trials import OPENINGS, PLAN, SPACE, played
from support.studies import COIN, trials_of

import arena
from arena.cli import arena as command
from arena.match.game_row import row_of
from arena.match.pairs import Results
from arena.match.record import GameRecord, Job
from arena.plugins.load import factory, parse_parameters
from arena.tuning.report.frames import frames_of, slices_frame, trials_frame
from arena.tuning.report.study_answer import study_answer
from arena.tuning.report.study_charts import history_figure, slices_text
from arena.tuning.report.verdict import faults_texts, study_verdict
from arena.tuning.space import Values
from arena.tuning.study import Study, trial_text
from arena.tuning.trials import Told, Trials

FROM = 5
"""Points with `n` from here on fail in every game."""


def is_failing(name: str) -> bool:
    return "=" in name and parse_parameters(name)["n"] >= FROM


def failing(job: Job, rival: str) -> GameRecord:
    """A game that a point with a large `n` loses by its own fault; else this rival does so."""
    record = played(job)
    for winner, name in ((2, job.first), (1, job.second)):
        if is_failing(name):
            return replace(record, winner=winner, reason="exception")
    for winner, name in ((2, job.first), (1, job.second)):
        if name == rival:
            return replace(record, winner=winner, reason="time")
    return record


def search(
    method: str, rivals: Sequence[str], failing_rival: str = ""
) -> tuple[Trials, list[GameRecord]]:
    """The trials of a study of such points, and their games."""
    trials = Trials(PLAN, factory("method", method)(SPACE, PLAN), rivals, OPENINGS, None)
    results, games = Results(), []
    for job in trials.jobs(results):
        assert job
        games.append(failing(job, failing_rival))
        results.add(row_of(games[-1]))
    return trials, games


def config(rivals: Sequence[str]) -> Any:
    named = [each for each in rivals if each != "default"]
    return SimpleNamespace(
        space=SPACE, rivals=list(rivals), opponents=named, is_users=False, command="arena tune"
    )


KINDS = pytest.mark.parametrize(
    ("method", "rivals"), [("random", ["default"]), ("spsa", []), ("spsa", ["a"]), ("tpe", ["a"])]
)


@KINDS
def test_the_frames_count_the_faults_of_each_trial_and_point(
    method: str, rivals: Sequence[str]
) -> None:
    trials, games = search(method, rivals)
    faulty = Counter(game.round for game in games if game.reason == "exception")
    frame, slices = trials_frame(SPACE, trials.told), slices_frame(trials.told)
    assert dict(zip(frame["trial"], frame["faults"], strict=True)) == {
        trial: faulty[trial] for trial in frame["trial"]
    }
    assert 0 < frame["doubtful"].sum() < len(frame)
    assert list(frame["doubtful"]) == list(frame["faults"] > 0)  # one of eight games is many
    of_n = slices[slices["parameter"] == "n"]
    assert list(of_n["faults"] > 0) == list(of_n["value"] >= FROM)
    assert set(slices.loc[slices["doubtful"], "trial"]) == set(faulty)


@KINDS
def test_a_sentence_says_how_many_and_at_which_values(method: str, rivals: Sequence[str]) -> None:
    trials, games = search(method, rivals)
    faulty = sum(game.reason == "exception" for game in games)
    (text,) = faults_texts(config(rivals), trials.told)
    assert text.startswith(
        f"{faulty} of {len(games)} games of the search ended by faults of the engine, all of them "
        f"with n above {FROM - 1}."
    )


def test_faults_of_opponents_are_told_apart() -> None:
    trials, games = search("tpe", ["a"], "a")
    reasons = Counter(game.reason for game in games)
    (text,) = faults_texts(config(["a"]), trials.told)
    assert text.startswith(
        f"240 of 240 games of the search ended by faults, {reasons['exception']} of the engine "
        f"(all of them with n above 4) and {reasons['time']} of the opponents."
    )


def test_faults_of_opponents_alone_gather_at_no_values() -> None:
    trials, _ = search("tpe", ["a"])
    told = [replace(each, faults=[0, 1]) for each in trials.told]
    (text,) = faults_texts(config(["a"]), told)
    assert text.startswith("30 of 240 games of the search ended by faults of the opponents. ")


def test_the_default_that_fails_as_rival_is_the_engine() -> None:
    trials, _ = search("tpe", ["default"], "default")
    (text,) = faults_texts(config(["default"]), trials.told)
    assert text.startswith("240 of 240 games of the search ended by faults of the engine")
    assert "opponents" not in text


def with_faults(trials: Trials, faults: Callable[[Values], int]) -> list[Told]:
    """The trials of points alone, with other faults of the points."""
    return [replace(told, faults=[faults(told.trial.points[0]), 0]) for told in trials.told]


@pytest.mark.parametrize("seed", range(5))
def test_faults_at_any_values_gather_nowhere(seed: int) -> None:
    trials, _ = search("random", ["a"])
    chance = random.Random(seed)
    told = with_faults(trials, lambda _: chance.randrange(3))
    (text,) = faults_texts(config(["a"]), told)
    assert f"{sum(each.faults[0] for each in told)} of 240 games" in text
    assert "of them with" not in text


def test_faults_may_gather_at_low_values_and_some_elsewhere() -> None:
    trials, _ = search("random", ["a"])
    told = with_faults(trials, lambda point: 5 if point["n"] in (0, 1) else int(point["n"] == 9))
    low = sum(each.faults[0] for each in told if each.trial.points[0]["n"] in (0, 1))
    assert f", {low} of them with n at most 1. " in next(faults_texts(config(["a"]), told))
    assert low < sum(each.faults[0] for each in told)


def test_a_search_without_faults_says_nothing_of_them() -> None:
    trials, _ = search("tpe", ["a"])
    sound = [told for told in trials.told if not told.faulty_games]
    assert list(faults_texts(config(["a"]), sound)) == []


def test_on_the_screen_an_elo_that_rests_on_faults_is_marked() -> None:
    trials, _ = search("random", ["default"])
    for told in trials.told:
        assert ("? Elo at" in trial_text(told)) == (told.faulty_games > 0)
        assert (f", {told.faulty_games} of 8 games ended" in trial_text(told)) == told.is_doubtful


def test_charts_mark_an_elo_that_rests_on_faults_and_count_such_trials() -> None:
    trials, _ = search("random", ["default"])
    faulty = [told.faulty_games > 0 for told in trials.told]
    for end in (faulty.index(True), faulty.index(False)):
        told = trials.told[: end + 1]
        frames = frames_of(SPACE, told, trials.tuner.recommend(), None, None)
        assert history_figure(frames).caption.endswith("?.") == faulty[end]
        count = sum(faulty[: end + 1])
        assert (f" The Elo of {count} trial" in slices_text(frames)) == (count > 0)


def test_the_verdict_on_a_search_counts_its_faults() -> None:
    trials, games = search("random", ["default"])
    faulty = sum(game.reason == "exception" for game in games)
    told = f"{faulty} of 240 games of the search ended by faults"
    study = SimpleNamespace(plan=PLAN, compares=False, **vars(config(["default"])))
    values = {"x": 0.1, "n": 2}
    verdict = study_verdict(cast(Any, study), trials, cast(Any, values), None, Path())
    assert (verdict.tone, verdict.basis) == ("open", f"{len(trials.told)} trials; {told}")
    trials.told[:] = [each for each in trials.told if not each.faulty_games]
    verdict = study_verdict(cast(Any, study), trials, cast(Any, values), None, Path())
    assert (verdict.tone, verdict.basis) == ("open", f"{len(trials.told)} trials")


FAILS = COIN.replace(
    "        if self.random.random() > self.luck:",
    """        if self.bad > 4 and self.random.random() < 0.5:
            raise ValueError("bad")
        if self.random.random() > self.luck:""",
)
FAILS = FAILS.replace(
    "    sulks:", "    bad: Annotated[int, Range(1, 9)] = 2,\n    sulks:"
).replace("return Player(game, ", "player = Player(game, ")
FAILS += "    player.bad = bad\n    return player\n"
SEARCH = """
    game: {gomoku: {size: 9}}
    engine: ./fails.py
    parameters: [weight, bad]
    method: METHOD
    budget: 96
    games: 8
    seed: 3
    openings: {random: {plies: 3}}
    verification: {elo0: -100, elo1: 0, pairs: 10}
"""


def searched(folder: Path, method: str) -> Study:
    """A study of the engine that fails at some values of `bad`."""
    (folder / "fails.py").write_text(FAILS)
    (folder / "study.yaml").write_text(dedent(SEARCH).replace("METHOD", method))
    return arena.tune(folder / "study.yaml", workers=0, results=folder / "results")


@pytest.fixture(scope="module", name="alone")
def fixture_alone(tmp_path_factory: pytest.TempPathFactory) -> Study:
    """A study of points that meet the default."""
    return searched(tmp_path_factory.mktemp("alone"), "random")


@pytest.mark.slow
def test_a_point_that_met_the_default_is_worth_its_own_result(alone: Study) -> None:
    trials = alone.frames().trials
    assert trials["elo"].iloc[0] != 0
    assert list(trials["estimate"]) == list(trials["elo"])
    assert [trial.value for trial in trials_of(alone)] == list(trials["elo"])


@pytest.mark.slow
def test_a_report_begins_its_notes_with_them_and_the_terminal_ends_with_them(alone: Study) -> None:
    records = [each for told in alone.trials.told for each in told.faults]
    contents = study_answer(alone)
    count = f"{sum(records)} of 96 games of the search ended by faults"
    assert contents.notes[0].startswith(f"{count} of the engine, all of them with bad above 4.")
    assert contents.verdict
    assert contents.verdict.basis.endswith(f"; {count}")
    assert (alone.frames().trials["faults"].sum(), trials_of(alone)[1].user_attrs["faults"]) == (
        sum(records),
        sum(alone.trials.told[1].faults),
    )
    folder = alone.folder.parent
    words = ["tune", str(folder.parent / "study.yaml"), "--workers", "0", "--results", str(folder)]
    shown = CliRunner().invoke(command, words, catch_exceptions=False).stdout
    last = shown[shown.index("To look at it in a browser") :]
    assert last.count(count) == 2, "in a sentence, and in the verdict"
