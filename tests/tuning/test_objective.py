"""A study as a user of Optuna has it: `arena.objective` with samplers, pruners and storages."""

from __future__ import annotations

import json
import os
import pickle
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager, nullcontext
from pathlib import Path
from typing import Any

import numpy as np
import optuna
import pytest
from optuna.pruners import BasePruner, MedianPruner, NopPruner, WilcoxonPruner
from optuna.storages import BaseStorage, JournalStorage, RDBStorage
from optuna.storages.journal import JournalFileBackend
from optuna.trial import FrozenTrial, TrialState
from support.processes import running
from support.samples import Write
from support.studies import COIN, STUDY
from support.user_samplers import SAMPLERS, Halton

import arena
from arena import ConfigError
from arena.match.record import GameRecord
from arena.report.answer import report_text
from arena.server.watch.run_list import RunFolders
from arena.stats.elo import elo
from arena.storage.at_play import ask_to_stop
from arena.storage.database import Store
from arena.tuning.report.study_answer import study_answer

FLOATS = STUDY.replace("[weight, power]", "[weight]")
pytestmark = pytest.mark.filterwarnings("ignore::optuna.exceptions.ExperimentalWarning")


@pytest.fixture(autouse=True)
def _in_its_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def coins(write: Write) -> Path:
    """The file of a study of an engine that wins by luck."""
    write(COIN, "coin.py")
    return write(STUDY, "study.yaml")


def games_of(name: str = "study") -> list[GameRecord]:
    """All games that a study's folder has."""
    with closing(Store(Path("results", name, "arena.db"), read_only=True)) as store:
        return store.games()


def points_by_opening(games: list[GameRecord]) -> dict[str, float]:
    """The points of the player that is not the default, of 2, on each opening."""
    found = Counter[str]()
    for game in games:
        won = {1: game.first, 2: game.second}.get(game.winner or 0, "")
        found[game.opening] += 0.5 if not won else won != "default"
    return found


def check_trial(trial: FrozenTrial, sign: int = 1, first: int = 1) -> None:
    """The trial is what its games say: each pair counted once, in the order of the openings."""
    games = [game for game in games_of() if game.round == trial.user_attrs["round"]]
    openings, points = trial.user_attrs["openings"], points_by_opening(games)
    assert max(Counter((g.first, g.second, g.opening) for g in games).values()) == 1
    assert trial.user_attrs["games"] == 2 * len(openings)
    assert trial.user_attrs["faults"] == 0
    steps = range(first, len(openings) + 1)
    assert list(trial.intermediate_values) == list(steps)
    scores = [points[opening] / 2 for opening in openings]
    values = [sign * elo((sum(scores[:n]) + 0.25) / (n + 0.5)) for n in steps]
    assert list(trial.intermediate_values.values()) == pytest.approx(values)
    assert trial.value == pytest.approx(values[-1])


@contextmanager
def storage(kind: str) -> Iterator[BaseStorage | None]:
    """A storage of a kind in this folder; None: the study is in memory."""
    if kind == "sqlite":
        found = RDBStorage("sqlite:///optuna.db")
        try:  # a sampler whose package is missing skips its test
            yield found
        finally:
            found.remove_session()
            found.engine.dispose()
    else:
        yield JournalStorage(JournalFileBackend("optuna.log")) if kind == "journal" else None


@pytest.mark.parametrize("kind", ["sqlite", "journal"])
@pytest.mark.parametrize(
    "name", [pytest.param(each, marks=[pytest.mark.slow] * (each != "own")) for each in SAMPLERS]
)
def test_any_sampler_and_storage_play_paired_games_that_are_kept(
    write: Write, coins: Path, name: str, kind: str
) -> None:
    if name == "hub":
        write(FLOATS, "study.yaml")
    heard = list[int]()
    with storage(kind) as kept:
        study = optuna.create_study(
            sampler=SAMPLERS[name](), storage=kept, direction="maximize", pruner=NopPruner()
        )
        study.enqueue_trial({"weight": 0.8})
        study.optimize(
            arena.objective(coins, workers=0),
            n_trials=6,
            callbacks=[lambda _, trial: heard.append(trial.number)],
        )
        trials = study.trials
    assert heard == list(range(6))
    assert [trial.state for trial in trials] == [TrialState.COMPLETE] * 6
    assert trials[0].params["weight"] == 0.8
    assert len({json.dumps(trial.params) for trial in trials}) > 3
    assert len({tuple(trial.user_attrs["openings"]) for trial in trials}) == 1
    for trial in trials:
        check_trial(trial)
    told = arena.open_study("study").trials.told
    assert [each.answer.elo for each in told] == [trial.value for trial in trials]
    assert [each.trial.points[0] for each in told] == [trial.params for trial in trials]


class EndsAtTwo(BasePruner):
    """Ends every trial after its second opening."""

    def prune(self, study: optuna.Study, trial: FrozenTrial) -> bool:
        return trial.last_step == 2


@pytest.mark.parametrize("workers", [0, 2])
def test_a_pruned_trial_ends_early_with_its_games_and_what_they_tell(
    coins: Path, workers: int
) -> None:
    study = optuna.create_study(direction="maximize", pruner=EndsAtTwo(), sampler=Halton())
    study.optimize(arena.objective(coins, workers=workers), n_trials=2)
    for trial in study.trials:
        assert trial.state == TrialState.PRUNED
        assert trial.user_attrs["games"] == 4
        check_trial(trial)
    kept = arena.open_study("study")
    assert [each.games for each in kept.trials.told] == [4, 4]
    assert all(each.is_stopped for each in kept.trials.told)


class StopsAtTwo(BasePruner):
    """Stops the play after the second opening of a study's second trial, once."""

    def __init__(self, stop: Callable[[], object]) -> None:
        self.stop = stop
        self.is_done = False

    def prune(self, study: optuna.Study, trial: FrozenTrial) -> bool:
        if trial.number == 1 and trial.last_step == 2 and not self.is_done:
            self.is_done = True
            self.stop()
        return False


@pytest.mark.parametrize("by", ["page", "key"])
def test_a_stopped_trial_fails_and_is_tried_again_with_the_games_that_it_has(
    coins: Path, by: str
) -> None:
    def stop() -> None:
        if by == "key":
            raise KeyboardInterrupt
        ask_to_stop(Path("results/study"))

    study = optuna.create_study(direction="maximize", pruner=StopsAtTwo(stop), sampler=Halton())
    with pytest.raises(KeyboardInterrupt) if by == "key" else nullcontext():
        study.optimize(arena.objective(coins, workers=0), n_trials=6)
    assert [each.state.name for each in study.trials] == ["COMPLETE", "FAIL", "WAITING"]
    assert 4 <= len(games_of()) - 8 < 8
    assert len(arena.open_study("study").trials.told) == 1
    study.optimize(arena.objective(coins, workers=0), n_trials=2)
    first, stopped, again, last = study.trials
    assert again.params == stopped.params
    assert len(games_of()) == 24
    for trial in (first, again, last):
        assert trial.state == TrialState.COMPLETE
        check_trial(trial)
    told = arena.open_study("study").trials.told
    assert [each.answer.elo for each in told] == [first.value, again.value, last.value]


def test_studies_that_share_a_folder_have_trials_of_their_own(coins: Path) -> None:
    studies = [
        optuna.create_study(direction="maximize", sampler=optuna.samplers.RandomSampler(seed))
        for seed in (1, 2)
    ]
    for study in (*studies, *studies):
        study.optimize(arena.objective(coins, workers=0), n_trials=2)
    trials = [trial for study in studies for trial in study.trials]
    assert [trial.user_attrs["round"] for trial in trials] == [1, 2, 5, 6, 3, 4, 7, 8]
    for trial in trials:
        check_trial(trial)
    told = arena.open_study("study").trials.told
    by_round = sorted(trials, key=lambda trial: int(trial.user_attrs["round"]))
    assert [each.answer.elo for each in told] == [trial.value for trial in by_round]
    assert len(games_of()) == 8 * 8


def test_a_trial_that_is_tried_again_is_told_of_in_any_folder(coins: Path) -> None:
    pruner = StopsAtTwo(lambda: ask_to_stop(Path("results/study")))
    study = optuna.create_study(direction="maximize", pruner=pruner, sampler=Halton())
    study.optimize(arena.objective(coins, workers=0), n_trials=6)
    study.optimize(arena.objective(coins, workers=0, fresh=True), n_trials=2)
    told = arena.open_study("study").trials.told
    assert [each.answer.elo for each in told] == [trial.value for trial in study.trials[2:]]


def test_one_point_under_one_number_is_shared_once_it_is_whole(coins: Path) -> None:
    point = {"weight": 0.8, "power": 10}
    rounds = []
    for pruner in (EndsAtTwo(), NopPruner(), NopPruner()):
        study = optuna.create_study(direction="maximize", pruner=pruner, sampler=Halton())
        study.enqueue_trial(point)
        study.optimize(arena.objective(coins, workers=0), n_trials=1)
        rounds.append(study.trials[0].user_attrs["round"])
    assert rounds == [1, 2, 3]
    told = arena.open_study("study").trials.told
    assert [each.games for each in told] == [4, 8, 8]


def test_a_whole_trial_stays_whole_where_another_study_ends_it_early(coins: Path) -> None:
    for pruner in (NopPruner(), EndsAtTwo()):
        study = optuna.create_study(direction="maximize", pruner=pruner, sampler=Halton())
        study.optimize(arena.objective(coins, workers=0), n_trials=1)
    assert study.trials[0].user_attrs["games"] == 4
    assert [each.games for each in arena.open_study("study").trials.told] == [8]


def test_a_study_that_begins_anew_has_the_games_of_its_points(coins: Path) -> None:
    values = []
    for _ in range(2):
        study = optuna.create_study(direction="maximize", sampler=Halton())
        study.optimize(arena.objective(coins, workers=0), n_trials=3)
        values.append([trial.value for trial in study.trials])
    assert values[0] == values[1]
    assert len(games_of()) == 3 * 8
    assert len(arena.open_study("study").trials.told) == 3


@pytest.mark.parametrize(
    ("pruner", "report"),
    [
        (lambda: MedianPruner(n_startup_trials=2, n_warmup_steps=9), "mean"),
        pytest.param(
            # Fewer steps have a test that takes half a second.
            lambda: WilcoxonPruner(p_threshold=0.05, n_startup_steps=14),
            "opening",
            marks=pytest.mark.slow,
        ),
    ],
)
def test_pruners_end_trials_of_a_point_that_loses_where_others_won(
    write: Write, coins: Path, pruner: Callable[[], BasePruner], report: Any
) -> None:
    write(STUDY.replace("games: 8", "games: 60"), "study.yaml")
    write(COIN.replace("0.1 if sulks else 0.9", "0.1 if weight < 0.1 else 0.95"), "coin.py")
    study = optuna.create_study(direction="maximize", pruner=pruner(), sampler=Halton())
    for weight in (0.8, 0.7, 0.75, 0.01, 0.02):
        study.enqueue_trial({"weight": weight, "power": 10})
    study.optimize(arena.objective(coins, workers=0, report=report), n_trials=5)
    states = [trial.state for trial in study.trials]
    assert states[3:] == [TrialState.PRUNED] * 2
    assert states[0] == TrialState.COMPLETE


def test_the_score_of_each_opening_is_reported_with_its_number(coins: Path) -> None:
    for direction, turned in (("maximize", lambda x: x), ("minimize", lambda x: 1 - x)):
        study = optuna.create_study(direction=direction, sampler=Halton())
        study.optimize(arena.objective(coins, workers=0, report="opening"), n_trials=1)
        (trial,) = study.trials
        points = points_by_opening(games_of())
        scores = [turned(points[opening] / 2) for opening in trial.user_attrs["openings"]]
        assert trial.intermediate_values == dict(enumerate(scores, start=1))


def test_a_study_that_minimizes_is_told_the_elo_that_was_lost(coins: Path) -> None:
    study = optuna.create_study(sampler=Halton())
    study.optimize(arena.objective(coins, workers=0), n_trials=3)
    for trial in study.trials:
        check_trial(trial, sign=-1)
    assert study.best_value == -max(trial.user_attrs["elo"] for trial in study.trials)


@pytest.mark.filterwarnings("ignore:`constraints_func` has been deprecated:FutureWarning")
def test_constraints_see_the_games_of_a_trial(coins: Path) -> None:
    def constraints(trial: FrozenTrial) -> list[float]:
        return [trial.user_attrs["games"] - 8, 0.5 - trial.params["weight"]]

    sampler = optuna.samplers.TPESampler(seed=0, n_startup_trials=2, constraints_func=constraints)
    study = optuna.create_study(direction="maximize", sampler=sampler)
    study.optimize(arena.objective(coins, workers=0), n_trials=6)
    assert study.best_params["weight"] >= 0.5


@pytest.mark.parametrize(
    ("changes", "place", "words"),
    [
        ({"parameters": ["wait"]}, "parameters[0]", "did you mean 'weight'"),
        ({"limit": {"depth": "x"}}, "limit.depth", "whole number"),
        ({"name": None}, "name", "text"),
        ({"games": 1}, "games", "at least 2"),
    ],
)
def test_faults_of_a_dict_are_told_before_the_first_game(
    coins: Path, changes: Mapping[str, Any], place: str, words: str
) -> None:
    given = {
        "name": "given",
        "game": {"gomoku": {"size": 9}},
        "engine": {"engine": "./coin.py"},
        "parameters": ["weight"],
        "games": 4,
        "verification": {"pairs": 60},
    }
    arena.objective(given, workers=0)
    with pytest.raises(ConfigError) as error:
        arena.objective(given | changes, workers=0)
    assert [fault.place for fault in error.value.faults] == [place]
    assert words in str(error.value)


def test_faults_of_a_file_have_their_line_and_column(write: Write, coins: Path) -> None:
    write(STUDY.replace("weight, power", "wait, power"), "study.yaml")
    with pytest.raises(ConfigError, match=r"study.yaml:3:14: unknown parameter 'wait'"):
        arena.objective(coins)
    assert not Path("results").exists()


def test_a_folder_of_other_games_is_refused_and_another_study_s_way_to_search_is_not(
    write: Write, coins: Path
) -> None:
    study = optuna.create_study(sampler=Halton())
    study.optimize(arena.objective(coins, workers=0), n_trials=1)
    write(STUDY.replace("method: spsa", "method: tpe").replace("budget: 120", "budget: 80"))
    arena.objective(coins, workers=0)
    write(STUDY.replace("size: 9", "size: 8"), "study.yaml")
    with pytest.raises(ConfigError, match="size: 9 -> 8"):
        arena.objective(coins, workers=0)
    write(STUDY, "study.yaml")
    with pytest.raises(ConfigError, match=r"method.optuna.Study: \{\} -> None"):
        arena.tune(coins, workers=0)
    write(STUDY.replace("method: spsa", ""), "study.yaml")
    with pytest.raises(ConfigError, match="Optuna"):
        arena.tune(coins, workers=0)


def test_elo_may_be_one_of_several_objectives(coins: Path) -> None:
    elo = arena.objective(coins, workers=0)

    def both(trial: optuna.Trial) -> tuple[float, float]:
        return elo(trial), trial.user_attrs["seconds_a_move"]

    study = optuna.create_study(directions=["maximize", "minimize"], sampler=Halton())
    study.optimize(both, n_trials=4)
    for trial in study.trials:
        assert trial.values == [trial.user_attrs["elo"], trial.user_attrs["seconds_a_move"]]
        assert trial.values[1] > 0
        assert trial.user_attrs["games"] == 8
        assert not trial.intermediate_values
    assert study.best_trials
    with pytest.raises(ConfigError, match=r"study.best_trials\[0\]"):
        arena.prove(study, coins)
    only_least = optuna.create_study(directions=["minimize", "minimize"], sampler=Halton())
    only_least.optimize(both, n_trials=1)
    assert only_least.trials[0].values[0] == -only_least.trials[0].user_attrs["elo"]


def test_a_stopped_trial_of_several_objectives_fails_and_is_tried_again(coins: Path) -> None:
    elo = arena.objective(coins, workers=0)

    def both(trial: optuna.Trial) -> tuple[float, float]:
        if trial.number == 1:
            ask_to_stop(Path("results/study"))
        return elo(trial), trial.user_attrs["seconds_a_move"]

    study = optuna.create_study(directions=["maximize", "minimize"], sampler=Halton())
    study.optimize(both, n_trials=6)
    assert [each.state.name for each in study.trials] == ["COMPLETE", "FAIL", "WAITING"]


IMPOSSIBLE = [
    ({"weight": 1.5}, "weight: must be from 0 to 1, not 1.5"),
    ({"weight": float("nan")}, "weight: must be from 0 to 1, not nan"),
    ({"weight": "much"}, "weight: must be a number, not 'much'"),
    ({"power": 101}, "power: must be from 1 to 100 in steps of 1, not 101"),
    ({"power": 2.5}, "power: must be a whole number, not 2.5"),
    ({"power": None, "weight": 3}, "weight: must be from 0 to 1, not 3"),
]


@pytest.mark.parametrize(("point", "words"), IMPOSSIBLE)
def test_a_point_that_the_engine_cannot_play_is_refused_before_a_game(
    coins: Path, point: dict[str, Any], words: str
) -> None:
    objective = arena.objective(coins, workers=0)
    study = optuna.create_study(direction="maximize", sampler=Halton())
    study.enqueue_trial(point)
    with pytest.raises(ConfigError, match=words):
        study.optimize(objective, n_trials=1)
    with pytest.raises(ConfigError, match=words):
        objective(optuna.trial.FixedTrial(point))  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match=words):
        arena.prove(study, coins, point)
    assert [trial.state for trial in study.trials] == [TrialState.FAIL]
    assert not games_of()


def test_a_point_of_other_distributions_counts_if_the_engine_can_play_it(coins: Path) -> None:
    objective = arena.objective(coins, workers=0)
    study = optuna.create_study(direction="maximize")
    own = {"weight": optuna.distributions.FloatDistribution(0.4, 0.6)}
    trial = study.ask(own)
    study.tell(trial, objective(trial))
    told = arena.open_study("study").trials.told
    assert told[0].trial.points[0] == study.trials[0].params
    trial = study.ask({"weight": optuna.distributions.FloatDistribution(2, 3)})
    with pytest.raises(ConfigError, match="weight: must be from 0 to 1"):
        objective(trial)
    assert len(games_of()) == 8


def test_numbers_of_numpy_and_names_of_no_parameter_can_be_queued(coins: Path) -> None:
    study = optuna.create_study(direction="maximize", sampler=Halton())
    study.enqueue_trial({"power": np.int64(12), "weight": np.float64(0.5)})
    study.enqueue_trial({"power": 12.0, "weigt": 0.5})
    objective = arena.objective(coins, workers=0)
    study.optimize(objective, n_trials=1)
    with pytest.warns(UserWarning, match="unknown parameter 'weigt'; did you mean 'weight'"):
        study.optimize(objective, n_trials=1)
    assert [trial.params["power"] for trial in study.trials] == [12, 12]


def test_a_trial_that_is_over_is_queued_or_proved_not_played(coins: Path) -> None:
    objective = arena.objective(coins, workers=0)
    study = optuna.create_study(direction="maximize", sampler=Halton())
    study.optimize(objective, n_trials=1)
    with pytest.raises(ConfigError, match=r"study.enqueue_trial.*arena.prove"):
        objective(study.best_trial)  # type: ignore[arg-type]
    proved = arena.prove(study, coins, study.best_trial, workers=0, stop=lambda: True)
    assert proved.values == study.best_params


def test_a_trial_tells_what_its_moves_cost_what_is_recommended_and_where_its_games_are(
    write: Write, coins: Path
) -> None:
    write(COIN.replace("(p)))", "(p)), nodes=len(p.moves))"), "coin.py")
    study = optuna.create_study(direction="maximize", sampler=Halton(), pruner=NopPruner())
    study.optimize(arena.objective(coins, workers=0), n_trials=12)
    for number, trial in enumerate(study.trials):
        games = [game for game in games_of() if game.round == trial.user_attrs["round"]]
        own = [
            (float(time), float(nodes))
            for game in games
            for ply, (time, nodes) in enumerate(
                zip(game.times.split(), game.nodes.split(), strict=True), start=3
            )
            if (game.first, game.second)[ply % 2] != "default"
        ]
        times, nodes = zip(*own, strict=True)
        told = trial.user_attrs
        assert told["seconds_a_move"] == pytest.approx(sum(times) / len(own), rel=0.01)
        assert told["nodes_a_move"] == pytest.approx(sum(nodes) / len(own))
        assert games_of()[8 * number] == games[0]
    last = study.trials[-1].user_attrs
    assert last["recommended"] == arena.open_study("study").values
    (served,) = RunFolders(Path("results")).runs()
    assert last["page"] == f"/runs/{served.id}#game=89"


FIVES = """
game: {gomoku: {size: 7}}
engine: {engine: five_tuple, depth: 1}
vary: {}
parameters: {three: {low: 10, high: 10000}, other_three: {low: 100, high: 100000}}
games: 8
openings: {random: {plies: 4, seed: 1}}
verification: {elo0: -100, elo1: 0, pairs: 300}
"""


def test_a_point_that_would_play_the_same_games_has_its_value_from_before(write: Write) -> None:
    file = write(FIVES, "fives.yaml")
    study = optuna.create_study(direction="maximize", sampler=Halton())
    for three in (900, 40, 900, 900):
        study.enqueue_trial({"three": three, "other_three": 5000})
    study.optimize(arena.objective(file, workers=0), n_trials=4)
    first, _, *copies = study.trials
    assert len(games_of("fives")) == 16
    for copy in copies:
        assert copy.value == first.value
        assert copy.user_attrs["copy_of"] == 0
        assert copy.user_attrs["games"] == 0
        for name in ("round", "seconds_a_move", "page"):
            assert copy.user_attrs[name] == first.user_attrs[name]
    assert len(arena.open_study("fives").trials.told) == 2
    recommended = [trial.user_attrs["recommended"] for trial in study.trials]
    assert recommended[1] == recommended[3]


@pytest.mark.parametrize("change", ["lots", "time", "elsewhere"])
def test_a_point_whose_games_may_differ_is_played_again(
    write: Write, coins: Path, change: str
) -> None:
    text = FIVES if change == "elsewhere" else STUDY
    file = write(text + "    limit: {seconds: 5}\n" * (change == "time"), "again.yaml")
    point = {"three": 900, "other_three": 5000} if change == "elsewhere" else {"weight": 0.8}
    study = optuna.create_study(direction="maximize", sampler=Halton())
    for _ in range(2):
        study.enqueue_trial(point | ({} if change == "elsewhere" else {"power": 10}))
    results = "results"
    for _ in range(2):
        study.optimize(arena.objective(file, workers=0, results=results), n_trials=1)
        results = "others" if change == "elsewhere" else results
    assert [trial.user_attrs["games"] for trial in study.trials] == [8, 8]
    assert not any("copy_of" in trial.user_attrs for trial in study.trials)


def test_an_objective_is_sent_by_its_folder(
    coins: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    objective = arena.objective(coins, workers=0, report="opening")
    (tmp_path / "elsewhere").mkdir()
    kept = pickle.dumps(objective)
    assert pickle.loads(pickle.dumps(arena)) is arena, "which functions that are sent may name"
    monkeypatch.chdir(tmp_path / "elsewhere")
    sent = pickle.loads(kept)
    study = optuna.create_study(direction="maximize", sampler=Halton())
    study.optimize(sent, n_trials=1)
    monkeypatch.chdir(tmp_path)
    study.optimize(objective, n_trials=1)
    assert [trial.user_attrs["round"] for trial in study.trials] == [1, 2]
    assert len(games_of()) == 16
    shutil.rmtree("results")
    with pytest.raises(ConfigError, match="results/study: is not here"):
        study.optimize(pickle.loads(kept), n_trials=1)


def test_an_engine_that_only_fails_stops_the_study(write: Write, coins: Path) -> None:
    write(COIN.replace("        if self", "        1 / 0\n        if self"), "coin.py")
    study = optuna.create_study(sampler=Halton())
    with pytest.warns(UserWarning, match="keep_going: true"):
        study.optimize(arena.objective(coins, workers=0), n_trials=5)
    assert len(study.trials) == 1
    assert study.trials[0].user_attrs["faults"] == 8


def test_its_folder_is_read_and_reported_without_optuna_s_study(coins: Path) -> None:
    study = optuna.create_study(direction="maximize", sampler=Halton())
    study.optimize(arena.objective(coins, workers=0), n_trials=3)
    kept = arena.open_study("study")
    assert list(kept.frames().trials["games"]) == [8, 8, 8]
    assert report_text(study_answer(kept), "table").startswith("Gain not tested yet: 3 trials.")
    assert "arena.prove" in kept.verdict.next_step


SCRIPT = """
import sys
import optuna
import arena

kind, trials = sys.argv[1], int(sys.argv[2])
if kind == "sqlite":
    storage = optuna.storages.RDBStorage(
        "sqlite:///optuna.db", engine_kwargs={"connect_args": {"timeout": 60}}
    )
else:
    backend = optuna.storages.journal.JournalFileBackend("optuna.log")
    storage = optuna.storages.JournalStorage(backend)
optuna.logging.set_verbosity(optuna.logging.WARNING)
study = optuna.create_study(
    study_name="mine", storage=storage, direction="maximize", load_if_exists=True,
    sampler=optuna.samplers.RandomSampler(), pruner=optuna.pruners.NopPruner(),
)
study.optimize(arena.objective("study.yaml", workers=1), n_trials=trials)
"""


@contextmanager
def optimizing(kind: str, trials: int, script: str = SCRIPT) -> Iterator[subprocess.Popen[bytes]]:
    """A process of its own that plays trials of the study `mine`."""
    path = os.pathsep.join([str(Path(arena.__file__).parents[1]), os.environ.get("PYTHONPATH", "")])
    command = [sys.executable, "-c", script, kind, str(trials)]
    with running(command, env={**os.environ, "PYTHONPATH": path}) as process:
        yield process


def trials_in(kind: str) -> list[FrozenTrial]:
    """The trials of the study `mine`; none before it is there."""
    with storage(kind) as kept:
        assert kept
        found = [each for each in optuna.get_all_study_names(kept) if each == "mine"]
        return optuna.load_study(study_name="mine", storage=kept).trials if found else []


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["sqlite", "journal"])
def test_two_processes_play_one_study_and_every_game_counts_once(coins: Path, kind: str) -> None:
    with storage(kind) as kept:
        optuna.create_study(study_name="mine", storage=kept, direction="maximize")
    with optimizing(kind, 8) as one, optimizing(kind, 8) as other:
        assert (one.wait(120), other.wait(120)) == (0, 0)
    trials = trials_in(kind)
    assert [trial.number for trial in trials] == list(range(16))
    assert len({trial.user_attrs["process"] for trial in trials}) == 2
    for trial in trials:
        assert trial.state == TrialState.COMPLETE
        check_trial(trial)
    assert len(games_of()) == 16 * 8
    told = arena.open_study("study").trials.told
    assert [each.answer.elo for each in told] == [trial.value for trial in trials]
    assert not list(Path("results/study/under_way").iterdir())


@pytest.mark.slow
def test_two_studies_at_once_may_ask_for_one_point_under_one_number(coins: Path) -> None:
    """Each has games of its own: no other process plays them, too."""
    script = SCRIPT.replace('"mine", storage=storage', "None")
    script = script.replace("RandomSampler()", "RandomSampler(seed=1)")
    with optimizing("journal", 8, script) as one, optimizing("journal", 8, script) as other:
        assert (one.wait(120), other.wait(120)) == (0, 0)
    trials = arena.open_study("study").trials.told
    assert 8 <= len(trials) <= 16
    assert len(games_of()) == 8 * len(trials)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["sqlite", "journal"])
def test_a_killed_trial_is_tried_again_with_its_games_and_the_others_stay(
    write: Write, coins: Path, kind: str
) -> None:
    slow = COIN.replace("limit):", "limit):\n        __import__('time').sleep(0.01)")
    write(slow, "coin.py")
    write(STUDY.replace("games: 8", "games: 24"), "study.yaml")
    with storage(kind) as kept:
        optuna.create_study(study_name="mine", storage=kept, direction="maximize")
    log = Path("results/study/arena.log")
    with optimizing(kind, 50) as process:
        while not log.exists() or log.read_text().count(" plies") < 3 * 24 + 10:
            assert process.poll() is None
            time.sleep(0.01)
        process.send_signal(signal.SIGKILL)
        process.wait(60)
    before, games = trials_in(kind), games_of()
    *whole, killed = before
    assert killed.state == TrialState.RUNNING
    begun = [game for game in games if game.round == killed.number + 1]
    assert 0 < len(begun) < 24
    with optimizing(kind, 2) as process:
        assert process.wait(120) == 0
    after = trials_in(kind)
    assert after[: len(whole)] == whole
    assert after[killed.number].state == TrialState.FAIL
    again = after[-1]
    assert again.params == killed.params
    assert again.user_attrs["round"] == killed.number + 1
    for trial in (*whole, *after[len(before) :]):
        assert trial.state == TrialState.COMPLETE
        check_trial(trial, first=3)  # of 12 openings
    kept_games = games_of()
    assert kept_games[: len(games)] == games
    assert len(kept_games) == 24 * (len(whole) + 2)
