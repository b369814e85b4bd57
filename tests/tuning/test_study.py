"""A whole study, as users see it: its folder, Optuna's tables, the proof, and going on."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import random
import shutil
import signal
import subprocess
import sys
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

import optuna
import psutil
import pytest
from support.processes import running
from support.samples import ROUND, Write
from support.studies import (
    COIN,
    OPPONENT,
    STUDY,
    UNPROVED,
    after,
    facts,
    mirrored,
    same,
    trials_of,
    tuned,
)

import arena
from arena import ConfigError, load_game
from arena.config.yaml_file import Document
from arena.game import Outcome
from arena.match.opening import Openings
from arena.match.openings.random import openings
from arena.match.record import Job, record
from arena.stats.elo import elo
from arena.stats.leads import FaultViews, alike
from arena.storage.database import Store
from arena.storage.folder import CONFIG, DATABASE, freeze, keep_config, locked, read_store
from arena.tuning.optuna.mirror import Mirror
from arena.tuning.proof.report import proof_notes
from arena.tuning.proof.verification import Gain, gain, gauntlet_of
from arena.tuning.report.study_answer import study_answer, time_text
from arena.tuning.settings.config import DEFAULT_METHOD, study_changes, tuning_data
from arena.tuning.settings.reader import read_tuning
from arena.tuning.study import Pace, Study, StudyReferee, open_study, read
from arena.workers.pool import Local, local

OTHER_OPENINGS = OPPONENT.replace("plies: 3", "plies: 3, seed: 9")


@pytest.mark.slow
@pytest.mark.parametrize("text", [STUDY, OPPONENT.replace("spsa", "tpe")], ids=["spsa", "tpe"])
def test_one_worker_two_or_none_make_the_same_study(write: Write, text: str) -> None:
    write(COIN, "coin.py")
    file = write(text, "study.yaml")
    studies = [
        arena.tune(file, workers=workers, results=file.parent / f"results{workers}")
        for workers in (0, 1, 2)
    ]
    assert same(studies[0], studies[1])
    assert same(studies[0], studies[2])
    assert len(facts(studies[0])) == 15


@pytest.mark.slow
def test_optuna_has_every_trial_with_all_that_was_played(write: Write) -> None:
    study = tuned(write)
    trials = trials_of(study)
    assert [trial.number for trial in trials] == list(range(15))
    for trial, told in zip(trials, study.trials.told, strict=True):
        assert trial.state == optuna.trial.TrialState.COMPLETE
        assert trial.params == pytest.approx(told.trial.centre)
        assert trial.value == told.estimate
        assert trial.user_attrs["elo"] == told.answer.elo
        assert trial.user_attrs["games"] == told.games == 8
        assert sum(map(sum, trial.user_attrs["pentanomial"])) == trial.user_attrs["pairs"] == 4
        assert trial.user_attrs["openings"] == list(told.openings)
        assert trial.user_attrs["seed"] == 3
        assert (trial.user_attrs["plus"], trial.user_attrs["minus"]) == told.trial.points


@pytest.mark.parametrize(
    ("text", "is_proved"), [(UNPROVED, False), pytest.param(STUDY, True, marks=pytest.mark.slow)]
)
def test_optuna_has_what_is_proved_and_lucky(write: Write, text: str, is_proved: bool) -> None:
    study = tuned(write, text.replace("budget: 120", "budget: 40"))
    with mirrored(study) as loaded:
        assert loaded.user_attrs["recommended"] == study.values
        assert loaded.user_attrs.get("proved") == (study.values if is_proved else None)
        for told in (loaded, loaded.best_trial):
            assert "luck" in told.user_attrs["best_trial"]
    assert len(trials_of(tuned(write, text.replace("budget: 120", "budget: 40")))) == 5


@pytest.mark.slow
@pytest.mark.parametrize("method", ["spsa", "random"])
def test_the_study_is_one_that_optuna_can_work_on(write: Write, method: str) -> None:
    study = tuned(write, UNPROVED.replace("spsa", method))
    evaluator = optuna.importance.PedAnovaImportanceEvaluator  # others need more than we install
    with mirrored(study) as loaded, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        importance = optuna.importance.get_param_importances(loaded, evaluator=evaluator())
        assert set(importance) == {"weight", "power"}
        optuna.visualization.matplotlib.plot_optimization_history(loaded)
        optuna.visualization.matplotlib.plot_slice(loaded)
        optuna.visualization.matplotlib.plot_contour(loaded)


@pytest.mark.parametrize("skip", [0, 7])
def test_the_proof_s_openings_follow_those_of_the_trials(write: Write, skip: int) -> None:
    write(COIN, "coin.py")
    file = write(OPPONENT.replace("plies: 3", f"plies: 3, skip: {skip}"))
    config = read(file).config
    proof = config.test_openings(300)
    assert (config.trial_openings, len(config.openings), len(proof)) == (30, 330, 300)
    again = openings(load_game("gomoku:size=9"), plies=3, skip=skip, count=330)
    assert list(again) == list(config.openings) == [*config.openings[:30], *proof]
    assert list(gauntlet_of(config, config.space.default, proof).openings) == list(proof[:20])
    drawn_anew = Openings(proof.source, config.terms.game)
    assert list(drawn_anew) == list(proof)


@pytest.mark.slow
def test_of_a_list_the_second_half_is_for_the_proof(write: Write) -> None:
    listed = '{list: ["4,4", "4,5", "4,6", "4,7", "5,4", "5,5", "5,6", "5,7"]}'
    study = tuned(write, STUDY.replace("{random: {plies: 3}}", listed))
    met = {opening for told in study.trials.told for opening in told.openings}
    assert met == {"4,4", "4,5", "4,6", "4,7"}
    rest = ["5,4", "5,5", "5,6", "5,7"]
    assert study.config.openings[4:] == rest
    assert list(study.config.openings.part(4, 2)) == rest[:2]
    assert {record.opening for _, record in study.matches.test.records()} <= {*rest}


def test_a_gain_that_is_not_proved_leaves_no_file(write: Write) -> None:
    study = tuned(write, UNPROVED)
    assert not (study.folder / "tuned.yaml").exists()
    assert study.verdict.text == "A loss, not a gain"
    assert list(proof_notes(study.matches)) == [
        "H0: a gain of 400 Elo fits better than one of 500.",
        "No tuned.yaml is written.",
    ]


@pytest.mark.slow
def test_a_proof_that_was_stopped_is_not_one_that_failed(write: Write) -> None:
    seen: list[object] = []
    study = tuned(write, watch_verification=seen.append, stop=lambda: len(seen) > 2)
    assert study.proof is not None
    assert study.proof.is_pending
    assert study.verdict.text == "Gain not proved yet"
    (note,) = proof_notes(study.matches)
    assert note.endswith("results/study/tuned.yaml comes only if the test passes.")
    assert tuned(write).verdict.tone == "good"


@pytest.mark.slow
def test_bounds_are_looked_at_only_by_who_plays_alone(write: Write) -> None:
    study = tuned(write, UNPROVED)
    lax = replace(study.config, verification={**study.config.verification, "alpha": 0.4})
    with locked(study.folder):
        for play in (Study(study.folder, lax).play, Study(study.folder, lax).matches.play):
            with pytest.raises(ConfigError, match=r"is playing|being played"):
                play(Local(0))


@pytest.mark.slow
def test_both_weights_meet_every_opponent_on_the_same_fresh_openings(write: Write) -> None:
    study = tuned(write, OPPONENT)
    assert study.proof is not None
    (rival,) = study.proof.gains
    assert (rival.opponent, rival.pairs) == ("rival", 20)
    assert rival.elo_low < rival.elo < rival.elo_high
    met = {opening for told in study.trials.told for opening in told.openings}
    seen: dict[str, set[str]] = {"tuned": set(), "default": set()}
    points = {"tuned": 0.0, "default": 0.0}
    for _, game in study.matches.gauntlet.records():
        (name,) = {game.first, game.second} - {"rival"}
        seen[name].add(game.opening)
        won = {1: game.first, 2: game.second}.get(game.winner or 0)
        points[name] += 0.5 if won is None else won == name
    assert (rival.tuned_score, rival.default_score) == pytest.approx(
        (points["tuned"] / 40, points["default"] / 40)
    )
    assert seen["tuned"] == seen["default"]
    assert len(seen["tuned"]) == 20
    assert not met & seen["tuned"]
    assert study.proof.has_passed


def test_a_loss_to_one_opponent_is_no_pass(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    worse = gain("rival", alike([(0.0, 1.0)] * 20))
    monkeypatch.setattr("arena.tuning.proof.verification.gain", lambda *_: worse)
    study = tuned(write, OPPONENT)
    assert study.verdict.basis.endswith("; weaker against rival")
    assert not (study.folder / "tuned.yaml").exists()


@pytest.mark.slow
def test_nobody_meets_the_opponents_for_a_gain_that_is_not_proved(write: Write) -> None:
    study = tuned(write, OPPONENT.replace("elo0: -100, elo1: 0", "elo0: 400, elo1: 500"))
    assert study.proof is not None
    assert not study.proof.is_pending
    assert not (study.folder / "opponents" / "arena.db").exists()


def test_equal_play_against_an_opponent_is_no_loss() -> None:
    for scores in ([(1.0, 1.0)] * 30, [(0.0, 0.0)] * 30, [(0.5, 0.5)] * 30):
        found = gain("x", alike(scores))
        assert found.elo_low <= found.elo == 0 <= found.elo_high
        assert not found.is_loss


def test_a_loss_that_faults_hide_is_a_loss_and_one_that_they_make_is_none() -> None:
    even, worse = [(0.5, 0.5), (0.75, 0.75), (0.25, 0.25)] * 20, [(0.25, 0.5)] * 60
    hidden = gain("x", FaultViews(even, worse, even))
    assert hidden.is_loss
    assert hidden.elo == 0
    better = gain("x", FaultViews([(0.75, 0.5)] * 60, even, even))
    assert better.doubtful
    assert not better.is_loss


def test_openings_shared_by_both_narrow_the_interval() -> None:
    together = [(each, each) for each in (0.0, 1.0, 0.25, 0.75) * 10]
    crossed = [(each, 1 - each) for each in (0.0, 1.0, 0.25, 0.75) * 10]
    assert gain("x", alike(together)).elo_high < gain("x", alike(crossed)).elo_high


def test_results_that_are_all_alike_leave_some_doubt() -> None:
    few, many = (gain("x", alike([(1.0, 0.0)] * pairs)) for pairs in (5, 50))
    assert few.elo_low < many.elo_low < many.elo
    assert many.elo - many.elo_low > 100


def test_the_interval_of_a_gain_is_that_of_the_difference_on_each_opening() -> None:
    draw = random.Random(1)
    scores = []
    for _ in range(2000):
        easy = draw.choice([0, 1, 1, 2])
        scores.append(((easy + draw.choice([0, 1, 2])) / 4, (easy + draw.choice([0, 0, 1])) / 4))
    found = gain("x", alike(scores))
    tuned, default = (fmean(column) for column in zip(*scores, strict=True))
    assert (found.tuned_score, found.default_score) == pytest.approx((tuned, default))
    assert found.elo == pytest.approx(elo(tuned) - elo(default), abs=0.1)
    rises = [(elo(mean + 1e-4) - elo(mean - 1e-4)) / 2e-4 for mean in (tuned, default)]
    apart = stdev(one * rises[0] - other * rises[1] for one, other in scores)
    reach = 1.96 * apart / len(scores) ** 0.5
    assert found.elo_high - found.elo == pytest.approx(reach, rel=0.01)
    assert found.elo - found.elo_low == pytest.approx(reach, rel=0.01)


@pytest.mark.slow
def test_a_study_goes_on_with_the_method_that_it_was_begun_with(write: Write) -> None:
    unsaid = UNPROVED.replace("    method: spsa\n", "")
    begun = tuned(write, UNPROVED)
    again = tuned(write, unsaid)
    assert again.config.method.name == "spsa"
    assert facts(again) == facts(begun)
    file, results = begun.folder.parent.parent / "study.yaml", begun.folder.parent
    assert read(file, results=results, fresh=True).config.method.name == DEFAULT_METHOD


@pytest.mark.slow
def test_a_study_by_a_method_that_is_gone_says_so_and_stays_as_it_is(write: Write) -> None:
    folder, method = tuned(write, UNPROVED).folder, {"method": {"surface": {}}}
    keep_config(folder, Document(folder / CONFIG).data | method)
    with closing(Store(folder / DATABASE)) as store:
        store.note(store.facts() | method)
    before = (folder / DATABASE).read_bytes()
    gone = "method 'surface' is gone: use ascent"
    with pytest.raises(ConfigError, match=f"{CONFIG}: {gone}$"):
        open_study(folder)
    for line, message in {
        "": rf"study.yaml:1:1: {gone}, under another name or with fresh=True$",
        "    method: surface\n": rf"study.yaml:4:9: {gone}$",
        "    method: ascent\n": "method.surface: {} -> None",
    }.items():
        with pytest.raises(ConfigError, match=message):
            tuned(write, UNPROVED.replace("    method: spsa\n", line))
    assert (folder / DATABASE).read_bytes() == before


@pytest.mark.slow
def test_a_folder_whose_config_was_damaged_is_a_fault(write: Write) -> None:
    study = tuned(write, UNPROVED)
    (study.folder / "config.yaml").write_text("kind: study\nplan: {}\n", encoding="utf-8")
    with pytest.raises(ConfigError, match="is not what a run keeps: KeyError: 'method'"):
        read(study.folder.parent.parent / "study.yaml", results=study.folder.parent)


def test_all_but_the_proof_decides_what_the_trials_are(write: Write, tmp_path: Path) -> None:
    write(COIN, "coin.py")
    config = read_tuning(write(STUDY, "study.yaml"))
    with closing(Store(tmp_path / "arena.db")) as store:
        freeze(tmp_path, tuning_data(config), study_changes, store)
        store.append(record(Job("default", "trial-1"), Outcome(1, "line"), "", ""))
        kept, free = store.facts(), []
        assert {"seed", "margin", "players", "plan", "early_stop"} < kept.keys()
        for part in kept.keys() - {"kind"}:
            store.note({**kept, part: "otherwise"})
            try:
                freeze(tmp_path, tuning_data(config), study_changes, store)
                free.append(part)
            except ConfigError as error:
                change, advice = error.faults
                assert change.message.startswith(f"{part}: otherwise -> ")
                assert "--fresh" in advice.message
        assert sorted(free) == ["hang", "keep_going", "memory", "remarks", "verification"]


def test_a_study_is_pickled_by_its_folder_and_told_in_a_line(write: Write, tmp_path: Path) -> None:
    write(COIN, "coin.py")
    study = Study(tmp_path, read_tuning(write(STUDY, "study.yaml")))
    with closing(Store(tmp_path / "arena.db")) as store:
        freeze(tmp_path, tuning_data(study.config), study_changes, store)
    again = pickle.loads(pickle.dumps(study))
    assert (again.folder, tuning_data(again.config)) == (tmp_path, tuning_data(study.config))
    assert repr(again) == f"Study('study'): {study.verdict.sentence}"


def test_a_process_without_children(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(COIN, "coin.py")
    monkeypatch.setitem(multiprocessing.current_process()._config, "daemon", True)  # type: ignore[attr-defined]
    with pytest.raises(ConfigError, match="workers=0"):
        arena.tune(write(STUDY, "study.yaml"), workers=2, results=tmp_path / "results")
    assert not (tmp_path / "results").exists()


@pytest.mark.slow
def test_fresh_throws_the_proof_away_even_if_nothing_is_played_after(write: Write) -> None:
    study = tuned(write)
    other = read(write(OTHER_OPENINGS, "study.yaml"), results=study.folder.parent)
    other.play(Local(0), fresh=True, stop=lambda: True)
    assert not (study.folder / "tuned.yaml").exists()
    assert not (study.folder / "verification/arena.db").exists()


@pytest.mark.slow
def test_fresh_keeps_all_if_none_is_built(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    study = tuned(write, UNPROVED)
    monkeypatch.setattr(StudyReferee, "fault_of", lambda *_: "coin.py: Nobody is there")
    with pytest.raises(ConfigError, match="Nobody"):
        study.play(Local(0), fresh=True)
    assert len(facts(study)) == 15
    assert not (study.folder / "attempts").exists()
    assert (study.folder / "verification/arena.db").exists()


@pytest.mark.slow
def test_an_edited_engine_is_refused_unless_that_is_accepted_and_said(write: Write) -> None:
    tuned(write, UNPROVED)
    write(COIN + "\n# edited\n", "coin.py")
    file, told = write(UNPROVED, "study.yaml"), "changed after 120 of its games"
    results = file.parent / "results"
    with pytest.raises(ConfigError, match=rf"the code of default {told}: coin\.py"):
        arena.tune(file, workers=0, results=results)
    with pytest.raises(ConfigError, match=r"(?s)code of tuned changed.*a proof is of one code"):
        arena.tune(file, workers=0, results=results, accept_changes=True)
    shutil.rmtree(results / "study/verification")
    study = arena.tune(file, workers=0, results=results, accept_changes=True)
    for each in (study, arena.open_study(study.folder)):
        (note,) = [note for note in study_answer(each).notes if "code" in note]
        assert note.startswith(f"The code of default {told}, and those before and after count")


@pytest.mark.slow
def test_edited_code_of_an_opponent_is_no_part_of_a_proof_either(write: Write) -> None:
    text = OPPONENT.replace("./coin.py, weight", "./rival.py, weight")
    write(COIN, "rival.py")
    study = tuned(write, text)
    write(COIN + "\n# edited\n", "rival.py")
    with pytest.raises(ConfigError, match=r"opponents: the code of rival changed after 80 of its"):
        tuned(write, text, accept_changes=True)
    assert (study.folder / "tuned.yaml").exists()


@pytest.mark.slow
def test_an_engine_edited_while_its_trials_run_is_proved_by_the_code_they_had(write: Write) -> None:
    def edit(progress: object) -> None:
        write(COIN.replace('"""A player', '"""Another player') + "\n1 / 0\n", "coin.py")

    study = tuned(write, watch=edit)
    assert study.proof
    assert study.proof.has_passed, "and not lost by an exception"
    with closing(Store(study.folder / "arena.db")) as one:
        trials = {entry["name"]: entry["files"] for entry in one.facts()["players"]}
    with closing(Store(study.matches.test.folder / "arena.db")) as other:
        proof = [entry["files"] for entry in other.facts()["engines"]]
    assert proof == [trials["default"]] * 2


@pytest.mark.slow
def test_a_folder_holds_a_study_or_a_tournament(write: Write) -> None:
    study = tuned(write, UNPROVED)
    results = study.folder.parent
    with pytest.raises(ConfigError, match="a tuning study is kept here"):
        arena.run(write(name="study.yaml"), workers=0, results=results)
    with pytest.raises(ConfigError, match="no run: arena report"):
        arena.open_run(study.folder)
    run = arena.run(write(), workers=0, results=results)
    with pytest.raises(ConfigError, match="a tournament is kept here"):
        tuned(write, UNPROVED, name="round.yaml")
    assert len(run.games()) == 12


def test_an_engine_that_cannot_be_built_is_a_fault_before_the_first_game(write: Write) -> None:
    write(COIN.replace("return Player(game,", "return Nobody(game,"), "coin.py")
    file = write(STUDY, "study.yaml")
    for workers in (0, 2):
        with pytest.raises(ConfigError, match=r"study.yaml:2:9: .*Nobody"):
            arena.tune(file, workers=workers, results=file.parent / "results")


def test_an_engine_that_fails_at_some_weights_loses_there(write: Write) -> None:
    write(COIN.replace("return Player(", "weight > 0.5 and 1 / 0\n    return Player("), "coin.py")
    file = write(STUDY.replace("spsa", "random"), "study.yaml")
    study = arena.tune(file, workers=0, results=file.parent / "results")
    for told in study.trials.told:
        if float(str(told.trial.points[0]["weight"])) > 0.5:
            assert told.pentanomial[0][0] == 4
    assert float(str(study.values["weight"])) <= 0.5


@pytest.mark.slow
def test_the_default_needs_no_proof(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Study, "values", property(lambda self: self.config.space.default))
    study = tuned(write)
    assert study.proof is None
    assert not (study.folder / "tuned.yaml").exists()
    assert not (study.folder / "verification").exists()
    assert study.verdict.text == "No gain found"
    assert list(proof_notes(study.matches)) == []


@pytest.mark.slow
def test_before_the_first_game_it_says_how_many_and_how_long(write: Write) -> None:
    write(COIN, "coin.py")
    file = write(OPPONENT, "study.yaml")
    study = read(file, results=file.parent / "results")
    paces: list[Pace] = []
    study.play(Local(0), announce=paces.append)
    (pace,) = paces
    assert pace.seconds > 0
    assert pace.played == 0
    assert "s a game, 1 at once" in time_text(study, pace)
    assert "the trials take about 2 min, the proof at most 11 min" in time_text(
        study, Pace(1, 1, 0)
    )
    study.play(Local(2), announce=paces.append)
    study.play(Local(0), fresh=True, announce=paces.append, stop=lambda: True)
    assert [pace.played for pace in paces] == [0, 120, 0]


SLOW = COIN.replace(
    "def choose(self, p, limit):",
    "def choose(self, p, limit):\n        __import__('time').sleep(0.02)",
)


@pytest.mark.slow
def test_ctrl_c_says_how_to_go_on(write: Write) -> None:
    write(SLOW, "coin.py")
    file = write(STUDY.replace("budget: 120", "budget: 4000"), "study.yaml")
    words = [sys.executable, "-m", "arena", "tune", "study.yaml", "--workers", "2"]
    with running(
        words,
        cwd=file.parent,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(Path(arena.__file__).parents[1])},
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        for line in process.stdout:
            if "trial 2:" in line:
                break
        process.send_signal(signal.SIGINT)
        time.sleep(0.1)
        said = process.stderr.read()
        process.stdout.read()
        process.wait(60)
    assert process.returncode == 130
    assert "To go on: arena tune study.yaml --workers 2" in said


def test_the_engines_of_the_game_at_hand_are_kept_and_old_ones_make_room(write: Write) -> None:
    write(COIN, "coin.py")
    referee = StudyReferee(read_tuning(write(STUDY, "study.yaml")))
    points = [f"weight=0.{i},power=10" for i in range(1, 6)]
    engines = {each: referee.engine(each) for each in points[:4]}
    assert referee.engine(points[0]) is engines[points[0]]
    referee.engine(points[4])
    assert referee.engine(points[0]) is engines[points[0]]
    assert referee.engine(points[1]) is not engines[points[1]]


@pytest.mark.slow
def test_fresh_leaves_alone_what_others_keep_within_a_study(write: Write) -> None:
    study = tuned(write, UNPROVED)
    inner = arena.run(write(name="inner.yaml"), workers=0, results=study.folder)
    tuned(write, UNPROVED.replace("plies: 3", "plies: 3, seed: 9"), fresh=True)
    assert len(inner.games()) == 12


@pytest.mark.parametrize(("high", "is_loss"), [(-0.01, True), (0.0, False), (0.01, False)])
def test_a_loss_is_one_if_its_whole_interval_is_below_nought(high: float, is_loss: bool) -> None:
    assert Gain("rival", 10, 0.4, 0.5, -5.0, -10.0, high).is_loss is is_loss


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


def test_copies_are_the_same_with_any_workers_and_a_stop(write: Write, tmp_path: Path) -> None:
    study = searched(write, CHOICES)
    (tmp_path / "parts").mkdir()
    stopped = searched(write, CHOICES, 2, "parts/study.yaml", **after(30))
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
def test_what_cannot_go_on_says_how_to_begin(write: Write, old: str, new: str, told: str) -> None:
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


@pytest.fixture
def closed(tmp_path: Path) -> Iterator[None]:
    yield
    opened = psutil.Process().open_files()
    assert not [file.path for file in opened if file.path.startswith(str(tmp_path))]


@pytest.mark.usefixtures("closed")
def test_all_files_are_closed_after_a_run_and_its_report(write: Write) -> None:
    file = write(ROUND)
    arena.run(file, workers=0, results=file.parent / "results").report()


@pytest.mark.slow
@pytest.mark.usefixtures("closed")
def test_all_files_are_closed_after_a_study_and_what_optuna_reads_of_it(write: Write) -> None:
    assert facts(tuned(write))


@pytest.mark.usefixtures("closed")
def test_all_files_are_closed_after_a_study_that_was_left_in_the_middle(write: Write) -> None:
    def leave(_: object) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        tuned(write, watch=leave)


@pytest.mark.slow
@pytest.mark.usefixtures("closed")
def test_all_files_are_closed_without_tables(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    study = tuned(write, STUDY.replace("budget: 120", "budget: 40"))
    monkeypatch.setattr(optuna, "create_study", lambda **_: {}["odd"])
    with pytest.raises(ConfigError, match="its copy for Optuna cannot be used: KeyError"):
        Mirror(study.folder / "arena.db", study.config)
    monkeypatch.setattr(optuna, "create_study", lambda **_: 1 // 0)
    with pytest.raises(ZeroDivisionError):
        Mirror(study.folder / "arena.db", study.config)
