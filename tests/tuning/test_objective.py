"""A study as a user of Optuna has it: `arena.objective` with any sampler, and `arena.prove`."""

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
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, nullcontext
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np
import optuna
import pytest
from optuna.distributions import FloatDistribution, IntDistribution
from optuna.pruners import BasePruner, MedianPruner, NopPruner, WilcoxonPruner
from optuna.storages import BaseStorage, JournalStorage, RDBStorage
from optuna.storages.journal import JournalFileBackend
from optuna.trial import FrozenTrial, TrialState, create_trial
from support.processes import running
from support.samples import Write
from support.studies import COIN, STUDY, UNPROVED
from support.user_samplers import SAMPLERS, Halton

import arena
from arena import ConfigError
from arena.config.reader import read_config
from arena.match.record import GameRecord
from arena.report.answer import report_text
from arena.server.watch.run_list import RunFolders
from arena.stats.elo import elo
from arena.storage.database import Store
from arena.storage.folder import ask_to_stop
from arena.tuning.report.study_answer import study_answer
from arena.tuning.settings.reader import read_users_study
from arena.tuning.trials import Told

FLOATS = STUDY.replace("[weight, power]", "[weight]")
pytestmark = pytest.mark.filterwarnings("ignore::optuna.exceptions.ExperimentalWarning")


@pytest.fixture(autouse=True)
def _in_its_folder(write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    monkeypatch.chdir(tmp_path)
    write(COIN, "coin.py")
    write(STUDY, "study.yaml")


def new_study(**more: Any) -> optuna.Study:
    return optuna.create_study(**{"direction": "maximize", "sampler": Halton(), **more})


def play(study: optuna.Study, trials: int, **more: Any) -> optuna.Study:
    study.optimize(arena.objective("study.yaml", **{"workers": 0, **more}), n_trials=trials)
    return study


def games_of(name: str = "study") -> list[GameRecord]:
    with closing(Store(Path("results", name, "arena.db"), read_only=True)) as store:
        return store.games()


def told_trials() -> list[Told]:
    return arena.open_study("study").trials.told


def points_by_opening(games: list[GameRecord]) -> dict[str, float]:
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
def test_any_sampler_and_storage_play_pairs_to_keep(write: Write, name: str, kind: str) -> None:
    if name == "hub":
        write(FLOATS, "study.yaml")
    heard = list[int]()
    with storage(kind) as kept:
        study = optuna.create_study(
            sampler=SAMPLERS[name](), storage=kept, direction="maximize", pruner=NopPruner()
        )
        study.enqueue_trial({"weight": 0.8})
        study.optimize(
            arena.objective("study.yaml", workers=0),
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
    assert [each.answer.elo for each in told_trials()] == [trial.value for trial in trials]
    assert [each.trial.points[0] for each in told_trials()] == [trial.params for trial in trials]


class EndsAtTwo(BasePruner):
    """Ends every trial after its second opening."""

    def prune(self, study: optuna.Study, trial: FrozenTrial) -> bool:
        return trial.last_step == 2


@pytest.mark.parametrize("workers", [0, 2])
def test_a_pruned_trial_ends_early_with_its_games_and_what_they_tell(workers: int) -> None:
    study = play(new_study(pruner=EndsAtTwo()), 2, workers=workers)
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
def test_a_stopped_trial_fails_and_is_tried_again_with_the_games_that_it_has(by: str) -> None:
    def stop() -> None:
        if by == "key":
            raise KeyboardInterrupt
        ask_to_stop(Path("results/study"))

    study = new_study(pruner=StopsAtTwo(stop))
    with pytest.raises(KeyboardInterrupt) if by == "key" else nullcontext():
        play(study, 6)
    assert [each.state.name for each in study.trials] == ["COMPLETE", "FAIL", "WAITING"]
    assert 4 <= len(games_of()) - 8 < 8
    assert len(told_trials()) == 1
    play(study, 2)
    first, stopped, again, last = study.trials
    assert again.params == stopped.params
    assert len(games_of()) == 24
    for trial in (first, again, last):
        assert trial.state == TrialState.COMPLETE
        check_trial(trial)
    assert [each.answer.elo for each in told_trials()] == [first.value, again.value, last.value]


def test_studies_that_share_a_folder_have_trials_of_their_own() -> None:
    studies = [new_study(sampler=optuna.samplers.RandomSampler(seed)) for seed in (1, 2)]
    for study in (*studies, *studies):
        play(study, 2)
    trials = [trial for study in studies for trial in study.trials]
    assert [trial.user_attrs["round"] for trial in trials] == [1, 2, 5, 6, 3, 4, 7, 8]
    for trial in trials:
        check_trial(trial)
    told = told_trials()
    by_round = sorted(trials, key=lambda trial: int(trial.user_attrs["round"]))
    assert [each.answer.elo for each in told] == [trial.value for trial in by_round]
    assert len(games_of()) == 8 * 8


def test_a_trial_that_is_tried_again_is_told_of_in_any_folder() -> None:
    pruner = StopsAtTwo(lambda: ask_to_stop(Path("results/study")))
    study = play(new_study(pruner=pruner), 6)
    play(study, 2, fresh=True)
    assert [each.answer.elo for each in told_trials()] == [
        trial.value for trial in study.trials[2:]
    ]


def test_one_point_under_one_number_is_shared_once_it_is_whole() -> None:
    point = {"weight": 0.8, "power": 10}
    rounds = []
    for pruner in (EndsAtTwo(), NopPruner(), NopPruner()):
        study = new_study(pruner=pruner)
        study.enqueue_trial(point)
        play(study, 1)
        rounds.append(study.trials[0].user_attrs["round"])
    assert rounds == [1, 2, 3]
    assert [each.games for each in told_trials()] == [4, 8, 8]


def test_a_whole_trial_stays_whole_where_another_study_ends_it_early() -> None:
    for pruner in (NopPruner(), EndsAtTwo()):
        study = play(new_study(pruner=pruner), 1)
    assert study.trials[0].user_attrs["games"] == 4
    assert [each.games for each in told_trials()] == [8]


def test_a_study_that_begins_anew_has_the_games_of_its_points() -> None:
    values = []
    for _ in range(2):
        study = play(new_study(), 3)
        values.append([trial.value for trial in study.trials])
    assert values[0] == values[1]
    assert len(games_of()) == 3 * 8
    assert len(told_trials()) == 3


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
    write: Write, pruner: Callable[[], BasePruner], report: Any
) -> None:
    write(STUDY.replace("games: 8", "games: 60"), "study.yaml")
    write(COIN.replace("0.1 if sulks else 0.9", "0.1 if weight < 0.1 else 0.95"), "coin.py")
    study = new_study(pruner=pruner())
    for weight in (0.8, 0.7, 0.75, 0.01, 0.02):
        study.enqueue_trial({"weight": weight, "power": 10})
    play(study, 5, report=report)
    states = [trial.state for trial in study.trials]
    assert states[3:] == [TrialState.PRUNED] * 2
    assert states[0] == TrialState.COMPLETE


def test_the_score_of_each_opening_is_reported_with_its_number() -> None:
    for direction, turned in (("maximize", lambda x: x), ("minimize", lambda x: 1 - x)):
        study = play(new_study(direction=direction), 1, report="opening")
        (trial,) = study.trials
        points = points_by_opening(games_of())
        scores = [turned(points[opening] / 2) for opening in trial.user_attrs["openings"]]
        assert trial.intermediate_values == dict(enumerate(scores, start=1))


def test_a_study_that_minimizes_is_told_the_elo_that_was_lost() -> None:
    study = play(new_study(direction="minimize"), 3)
    for trial in study.trials:
        check_trial(trial, sign=-1)
    assert study.best_value == -max(trial.user_attrs["elo"] for trial in study.trials)


@pytest.mark.filterwarnings("ignore:`constraints_func` has been deprecated:FutureWarning")
def test_constraints_see_the_games_of_a_trial() -> None:
    def constraints(trial: FrozenTrial) -> list[float]:
        return [trial.user_attrs["games"] - 8, 0.5 - trial.params["weight"]]

    sampler = optuna.samplers.TPESampler(seed=0, n_startup_trials=2, constraints_func=constraints)
    study = play(new_study(sampler=sampler), 6)
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
def test_faults_of_a_dict_are_told(changes: Mapping[str, Any], place: str, words: str) -> None:
    given = {"name": "given", "game": {"gomoku": {"size": 9}}, "engine": {"engine": "./coin.py"}}
    given |= {"parameters": ["weight"], "games": 4, "verification": {"pairs": 60}}
    arena.objective(given, workers=0)
    with pytest.raises(ConfigError) as error:
        arena.objective(given | changes, workers=0)
    assert [fault.place for fault in error.value.faults] == [place]
    assert words in str(error.value)


def test_other_games_are_refused_and_another_study_s_way_to_search_is_not(write: Write) -> None:
    play(new_study(direction="minimize"), 1)
    write(STUDY.replace("method: spsa", "method: tpe").replace("budget: 120", "budget: 80"))
    arena.objective("study.yaml", workers=0)
    write(STUDY.replace("size: 9", "size: 8"), "study.yaml")
    with pytest.raises(ConfigError, match="size: 9 -> 8"):
        arena.objective("study.yaml", workers=0)
    write(STUDY, "study.yaml")
    with pytest.raises(ConfigError, match=r"method.optuna.Study: \{\} -> None"):
        arena.tune("study.yaml", workers=0)
    write(STUDY.replace("method: spsa", ""), "study.yaml")
    with pytest.raises(ConfigError, match="Optuna"):
        arena.tune("study.yaml", workers=0)


def elo_and_seconds() -> Callable[[optuna.Trial], tuple[float, float]]:
    elo = arena.objective("study.yaml", workers=0)
    return lambda trial: (elo(trial), trial.user_attrs["seconds_a_move"])


def test_elo_may_be_one_of_several_objectives() -> None:
    study = optuna.create_study(directions=["maximize", "minimize"], sampler=Halton())
    study.optimize(elo_and_seconds(), n_trials=4)
    for trial in study.trials:
        assert trial.values == [trial.user_attrs["elo"], trial.user_attrs["seconds_a_move"]]
        assert trial.values[1] > 0
        assert trial.user_attrs["games"] == 8
        assert not trial.intermediate_values
    assert study.best_trials
    with pytest.raises(ConfigError, match=r"study.best_trials\[0\]"):
        arena.prove(study, "study.yaml")
    only_least = optuna.create_study(directions=["minimize", "minimize"], sampler=Halton())
    only_least.optimize(elo_and_seconds(), n_trials=1)
    assert only_least.trials[0].values[0] == -only_least.trials[0].user_attrs["elo"]


def test_a_stopped_trial_of_several_objectives_fails_and_is_tried_again() -> None:
    both = elo_and_seconds()

    def stopped(trial: optuna.Trial) -> tuple[float, float]:
        if trial.number == 1:
            ask_to_stop(Path("results/study"))
        return both(trial)

    study = optuna.create_study(directions=["maximize", "minimize"], sampler=Halton())
    study.optimize(stopped, n_trials=6)
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
def test_a_point_that_no_engine_can_play_is_refused(point: dict[str, Any], words: str) -> None:
    objective = arena.objective("study.yaml", workers=0)
    study = new_study()
    study.enqueue_trial(point)
    with pytest.raises(ConfigError, match=words):
        study.optimize(objective, n_trials=1)
    with pytest.raises(ConfigError, match=words):
        objective(optuna.trial.FixedTrial(point))  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match=words):
        arena.prove(study, "study.yaml", point)
    assert [trial.state for trial in study.trials] == [TrialState.FAIL]
    assert not games_of()


def test_a_point_of_other_distributions_counts_if_the_engine_can_play_it() -> None:
    objective = arena.objective("study.yaml", workers=0)
    study = optuna.create_study(direction="maximize")
    own = {"weight": optuna.distributions.FloatDistribution(0.4, 0.6)}
    trial = study.ask(own)
    study.tell(trial, objective(trial))
    told = told_trials()
    assert told[0].trial.points[0] == study.trials[0].params
    trial = study.ask({"weight": optuna.distributions.FloatDistribution(2, 3)})
    with pytest.raises(ConfigError, match="weight: must be from 0 to 1"):
        objective(trial)
    assert len(games_of()) == 8


def test_numbers_of_numpy_and_names_of_no_parameter_can_be_queued() -> None:
    study = new_study()
    study.enqueue_trial({"power": np.int64(12), "weight": np.float64(0.5)})
    study.enqueue_trial({"power": 12.0, "weigt": 0.5})
    objective = arena.objective("study.yaml", workers=0)
    study.optimize(objective, n_trials=1)
    with pytest.warns(UserWarning, match="unknown parameter 'weigt'; did you mean 'weight'"):
        study.optimize(objective, n_trials=1)
    assert [trial.params["power"] for trial in study.trials] == [12, 12]


def test_a_trial_that_is_over_is_queued_or_proved_not_played() -> None:
    objective = arena.objective("study.yaml", workers=0)
    study = new_study()
    study.optimize(objective, n_trials=1)
    with pytest.raises(ConfigError, match=r"study.enqueue_trial.*arena.prove"):
        objective(study.best_trial)  # type: ignore[arg-type]
    proved = arena.prove(study, "study.yaml", study.best_trial, workers=0, stop=lambda: True)
    assert proved.values == study.best_params


def test_a_trial_tells_what_moves_cost_what_to_take_and_where_its_games_are(write: Write) -> None:
    write(COIN.replace("(p)))", "(p)), nodes=len(p.moves))"), "coin.py")
    study = play(new_study(pruner=NopPruner()), 12)
    for number, trial in enumerate(study.trials):
        games = [game for game in games_of() if game.round == trial.user_attrs["round"]]
        times, nodes = list[str](), list[str]()
        for game in games:
            own = slice((game.first, game.second).index("default"), None, 2)  # after three plies
            times += game.times.split()[own]
            nodes += game.nodes.split()[own]
        told = trial.user_attrs
        assert told["seconds_a_move"] == pytest.approx(fmean(map(float, times)), rel=0.01)
        assert told["nodes_a_move"] == pytest.approx(fmean(map(float, nodes)))
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
    study = new_study()
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


LUCK = {"weight": 0.8, "power": 10}


@pytest.mark.parametrize(
    ("text", "point", "results"),
    [
        (STUDY, LUCK, "results"),
        (STUDY + "    limit: {seconds: 5}\n", LUCK, "results"),
        (FIVES, {"three": 900, "other_three": 5000}, "others"),
    ],
    ids=["lots", "time", "elsewhere"],
)
def test_a_point_whose_games_may_differ_is_played_again(
    write: Write, text: str, point: dict[str, Any], results: str
) -> None:
    file, study = write(text, "again.yaml"), new_study()
    for place in ("results", results):
        study.enqueue_trial(point)
        study.optimize(arena.objective(file, workers=0, results=place), n_trials=1)
    assert [trial.user_attrs["games"] for trial in study.trials] == [8, 8]
    assert not any("copy_of" in trial.user_attrs for trial in study.trials)


def test_an_objective_is_sent_by_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    objective = arena.objective("study.yaml", workers=0, report="opening")
    (tmp_path / "elsewhere").mkdir()
    kept = pickle.dumps(objective)
    assert pickle.loads(pickle.dumps(arena)) is arena, "which functions that are sent may name"
    monkeypatch.chdir(tmp_path / "elsewhere")
    sent = pickle.loads(kept)
    study = new_study()
    study.optimize(sent, n_trials=1)
    monkeypatch.chdir(tmp_path)
    study.optimize(objective, n_trials=1)
    assert [trial.user_attrs["round"] for trial in study.trials] == [1, 2]
    assert len(games_of()) == 16
    shutil.rmtree("results")
    with pytest.raises(ConfigError, match="results/study: is not here"):
        study.optimize(pickle.loads(kept), n_trials=1)


def test_an_engine_that_only_fails_stops_the_study(write: Write) -> None:
    write(COIN.replace("        if self", "        1 / 0\n        if self"), "coin.py")
    study = new_study(direction="minimize")
    with pytest.warns(UserWarning, match="keep_going: true"):
        play(study, 5)
    assert len(study.trials) == 1
    assert study.trials[0].user_attrs["faults"] == 8


def test_its_folder_is_read_and_reported_without_optuna_s_study() -> None:
    play(new_study(), 3)
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
    with storage(kind) as kept:
        assert kept
        found = [each for each in optuna.get_all_study_names(kept) if each == "mine"]
        return optuna.load_study(study_name="mine", storage=kept).trials if found else []


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["sqlite", "journal"])
def test_two_processes_play_one_study_and_every_game_counts_once(kind: str) -> None:
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
    assert [each.answer.elo for each in told_trials()] == [trial.value for trial in trials]
    assert not list(Path("results/study/under_way").iterdir())


@pytest.mark.slow
def test_two_studies_at_once_may_ask_for_one_point_under_one_number() -> None:
    """Each has games of its own: no other process plays them, too."""
    script = SCRIPT.replace('"mine", storage=storage', "None")
    script = script.replace("RandomSampler()", "RandomSampler(seed=1)")
    with optimizing("journal", 8, script) as one, optimizing("journal", 8, script) as other:
        assert (one.wait(120), other.wait(120)) == (0, 0)
    trials = told_trials()
    assert 8 <= len(trials) <= 16
    assert len(games_of()) == 8 * len(trials)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["sqlite", "journal"])
def test_a_killed_trial_is_tried_again_with_its_games(write: Write, kind: str) -> None:
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


def study_of(elos: Sequence[float], direction: str = "maximize", **attributes: Any) -> optuna.Study:
    """Trials at the weights 0.00, 0.01 and so on had these values."""
    axes = read_users_study("study.yaml").space.axes
    study = optuna.create_study(direction=direction)
    for number, value in enumerate(elos):
        study.add_trial(
            create_trial(
                params={"weight": number / 100, "power": 10},
                distributions={axis.name: axis.distribution() for axis in axes},
                value=value,
                **attributes,
            )
        )
    return study


def never_played(study: optuna.Study, point: Any = None) -> dict[str, Any]:
    found = arena.prove(study, "study.yaml", point, workers=0, stop=lambda: True)
    return dict(found.values)


@pytest.mark.slow
def test_a_point_that_is_chosen_is_proved_on_openings_that_no_trial_has_played() -> None:
    study = play(new_study(), 3)
    proved = arena.prove(study, "study.yaml", {"weight": 0.8}, workers=0)
    assert proved.values == {"weight": 0.8, "power": 10}
    assert proved.proof
    assert proved.proof.has_passed
    assert study.user_attrs["proved"] == proved.values
    tuned = read_config(proved.folder / "tuned.yaml")
    assert tuned.players[0].engine.parameters.items() >= proved.values.items()
    met = {opening for trial in study.trials for opening in trial.user_attrs["openings"]}
    assert not met & {record.opening for _, record in proved.matches.test.records()}
    assert len(told_trials()) == 3
    assert arena.prove(study, "study.yaml", {"weight": 0.8}, workers=0).proof == proved.proof
    with pytest.raises(
        ConfigError, match=r"the test of another point, weight=0.8,power=10, not of weight=0.7"
    ):
        arena.prove(study, "study.yaml", {"weight": 0.7}, workers=0)


def test_a_point_whose_gain_is_not_proved_leaves_no_file(write: Write) -> None:
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
    study = play(new_study(pruner=pruner), 24)
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
        ({"weight": True}, "weight", "a number, not True"),
    ],
)
def test_impossible_points_are_not_proved(point: dict[str, Any], place: str, words: str) -> None:
    with pytest.raises(ConfigError) as error:
        never_played(study_of([1.0]), point)
    assert [fault.place for fault in error.value.faults] == [place]
    assert words in str(error.value)
    assert not Path("results").exists()


def test_a_study_without_a_complete_trial_recommends_nothing() -> None:
    with pytest.raises(ConfigError, match="no complete trial"):
        never_played(study_of([]))
