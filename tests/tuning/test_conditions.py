"""Studies whose games are spread over conditions: dealt evenly, proved in the mean and in each."""

from __future__ import annotations

import random
import re
from collections import Counter
from contextlib import closing
from dataclasses import replace
from itertools import count

import pytest
from hypothesis import given, strategies as st
from support.good_files import faults_of
from support.played_trials import OPENINGS, PLAN, SPACE, play, results_of
from support.samples import Write
from support.studies import COIN, STUDY, same, tuned

import arena
from arena import ConfigError
from arena.config.reader import read_config
from arena.engine import Limit
from arena.experiment import open_experiment
from arena.plugins.load import factory
from arena.storage.database import Store
from arena.storage.folder import CONFIG, DATABASE
from arena.tuning.proof.report import proof_notes
from arena.tuning.proof.verification import NAME
from arena.tuning.report.study_answer import study_answer
from arena.tuning.settings.conditions import Condition, Spread, conditions_of
from arena.tuning.settings.config import tuning_data, tuning_from_data
from arena.tuning.settings.reader import read_tuning
from arena.tuning.space import Axis
from arena.tuning.study import open_study, read
from arena.tuning.trials import Trials
from arena.workers.pool import Local

SULKS = "vary: {sulks: [false, true]}"
VARIED = STUDY + f"    {SULKS}\n"


def spread_of(count: int, seed: int = 0) -> Spread:
    return Spread([Condition(f"depth={depth}") for depth in range(count)], seed)


def spread_study(count: int) -> Trials:
    plan = replace(PLAN, games=2 * count, budget=24 * count)
    tuner = factory("method", "spsa")(SPACE, plan)
    return Trials(plan, tuner, (), OPENINGS, None, spread_of(count))


@given(st.integers(1, 7), st.integers(0, 2**32 - 1), st.integers(0, 10**6))
def test_each_condition_comes_once_in_as_many_openings(count: int, seed: int, block: int) -> None:
    spread = spread_of(count, seed)
    dealt = [spread.dealt(OPENINGS, block * count + i) for i in range(count)]
    assert Counter(label for label, _ in dealt) == Counter(f"depth={d}" for d in range(count))
    assert dealt == [spread.dealt(OPENINGS, block * count + i) for i in range(count)]


def test_the_order_is_drawn_from_the_seed() -> None:
    orders = [[spread_of(4, seed).dealt(OPENINGS, i)[0] for i in range(40)] for seed in (1, 1, 2)]
    assert orders[0] == orders[1] != orders[2]
    assert len({tuple(orders[0][i : i + 4]) for i in range(0, 40, 4)}) > 3


@pytest.mark.slow
@pytest.mark.parametrize("count", [2, 3])
def test_games_that_end_in_any_order_make_the_same_study(count: int) -> None:
    alone, together, stopped = (spread_study(count) for _ in range(3))
    games = play(alone, 1)
    assert sorted(map(str, play(together, 5, seed=3))) == sorted(map(str, games))
    stopped.advance(results_of(random.Random(1).sample(games, len(games))))
    assert together.told == alone.told == stopped.told
    assert alone.tuner.recommend() == together.tuner.recommend()
    places = Counter((game.first.partition(" at ")[2], game.round) for game in games)
    assert set(places.values()) == {2}
    assert len(places) == count * len(alone.told)


def test_every_combination_of_values_is_a_condition() -> None:
    limits = [Limit(nodes=100), Limit(nodes=2000, depth=4)]
    found = conditions_of({"depth": [2, 3], "limit": limits})
    assert [each.label for each in found] == [
        "depth=2,nodes=100",
        "depth=2,depth=4,nodes=2000",
        "depth=3,nodes=100",
        "depth=3,depth=4,nodes=2000",
    ]
    assert [each.label for each in conditions_of({})] == [""]


@pytest.mark.slow
def test_a_study_spreads_its_games_proves_each_condition_and_tells_of_it(write: Write) -> None:
    study = tuned(write, VARIED.replace("pairs: 300", "pairs: 300, condition_pairs: 12"))
    proof = study.proof
    assert proof is not None
    labels = ["sulks=False", "sulks=True"]
    assert [each.condition for each in proof.conditions] == labels
    assert min(each.pairs for each in proof.conditions) > 5
    assert proof.is_over
    seen = {opening for told in study.trials.told for opening in told.openings}
    assert not seen & {game.opening for _, game in study.matches.test.records()}
    frames = study.frames()
    assert list(frames.conditions["condition"]) == labels
    assert any(note.startswith("At sulks=True: ") for note in proof_notes(study.matches))
    tables = {table.title: table.frame for table in study_answer(study).tables}
    assert list(tables["Gain by condition"]["condition"]) == labels
    again = open_study(study.folder)
    assert same(study, again)
    if proof.has_passed:
        text = (study.folder / "tuned.yaml").read_text(encoding="utf-8")
        assert text.startswith("# At sulks=False: ")
        assert read_config(study.folder / "tuned.yaml").names == [
            f"{name} at {label}" for label in labels for name in ("tuned", "default")
        ]


@pytest.mark.slow
@pytest.mark.parametrize("line", ["", "    opponents: [{name: rival, engine: ./coin.py}]\n"])
@pytest.mark.parametrize("method", ["spsa", "tpe"])
def test_all_kinds_of_trials_are_spread_and_go_on(write: Write, line: str, method: str) -> None:
    text = VARIED.replace("method: spsa", f"method: {method}").replace("budget: 120", "budget: 64")
    text = text.replace("pairs: 300", "pairs: 300, opponent_pairs: 12, condition_pairs: 10") + line
    whole = tuned(write, text, name="whole.yaml")
    write(COIN, "coin.py")
    file = write(text, "whole.yaml")
    part, looks = read(file, results=file.parent / "other"), count()
    part.play(Local(0), stop=lambda: next(looks) > 24)
    assert not part.trials.is_over
    found = arena.tune(file, workers=0, results=file.parent / "other")
    assert same(whole, found)
    if line and found.proof and found.proof.is_proved:
        (rival,) = found.proof.gains
        assert (rival.opponent, rival.pairs) == ("rival", 12)


@pytest.mark.slow
def test_openings_and_limits_vary_too(write: Write) -> None:
    text = STUDY.replace("    openings: {random: {plies: 3}}\n", "") + (
        "    vary:\n"
        "      limit: [{nodes: 10}, {nodes: 20}]\n"
        "      openings: [{random: {plies: 3}}, {random: {plies: 4}}]\n"
    )
    study = tuned(write, text.replace("pairs: 300", "pairs: 300, condition_pairs: 10"))
    labels = [f"nodes={nodes},plies={plies}" for nodes in (10, 20) for plies in (3, 4)]
    assert study.config.labels == labels
    plies = {
        (game.first[-1], len(game.opening.split())) for _, game in study.matches.test.records()
    }
    assert plies == {("3", 3), ("4", 4)}
    assert tuning_data(tuning_from_data(tuning_data(study.config))) == tuning_data(study.config)
    assert len(study.config.test_openings(300)) == len(set(study.config.test_openings(300)))


@pytest.mark.slow
def test_what_was_never_put_to_a_test_is_no_attempt(write: Write) -> None:
    write(COIN, "coin.py")
    file = write(STUDY, "study.yaml")
    for fresh in (False, True):
        read(file, results=file.parent / "results").play(Local(0), fresh=fresh)
    assert not (file.parent / "results" / "study" / "attempts").exists()


@pytest.mark.parametrize(
    ("value", "end"),
    [(10.0, "low"), (10.9, "low"), (11.0, ""), (910.0, ""), (930.0, "high"), (1000.0, "high")],
)
def test_the_last_fiftieth_of_a_range_is_its_edge(value: float, end: str) -> None:
    assert Axis("x", 100.0, 10.0, 1000.0, log=True).edge(value) == end
    assert Axis("x", 1, choices=(1, 2)).edge(1) == ""


DEPTH = COIN.replace("sulks: bool = False,", "sulks: bool = False,\n    depth: int = 3,")


def test_a_study_of_an_engine_with_a_depth_says_what_varies(write: Write) -> None:
    write(DEPTH, "coin.py")
    file = write(STUDY, "study.yaml")
    with pytest.raises(ConfigError, match=r"study.yaml:2:9: .*depth: \[2, 3, 4\].*vary: {} for 3"):
        read_tuning(file)
    bare = read_tuning(write(STUDY + "    vary: {}\n", "study.yaml"))
    assert "vary" not in tuning_data(bare)
    found = read_tuning(write(STUDY + "    vary: {depth: [2, 5]}\n", "study.yaml"))
    assert found.labels == ["depth=2", "depth=5"]
    searched = STUDY.replace("[weight, power]", "{weight: , depth: {low: 1, high: 9}}")
    assert read_tuning(write(searched, "study.yaml")).labels == [""]


@pytest.mark.slow
def test_a_study_that_was_begun_before_goes_on_without(write: Write) -> None:
    write(DEPTH, "coin.py")
    file = write(STUDY + "    vary: {}\n", "study.yaml")
    results = file.parent / "results"
    done = arena.tune(file, workers=0, results=results)
    assert same(done, arena.tune(write(STUDY, "study.yaml"), workers=0, results=results))
    with pytest.raises(ConfigError, match="vary"):
        arena.tune(
            write(STUDY + "    vary: {depth: [2, 3]}\n", "study.yaml"), workers=0, results=results
        )


FAULTS = [
    ("vary: {sulk: [1, 2]}", "unknown parameter 'sulk'; did you mean 'sulks'?"),
    ("vary: {power: [1, 2]}", "power is among the parameters that are searched"),
    ("vary: {sulks: [true]}", "sulks must be a list of two values or more"),
    ("vary: {sulks: [true, true]}", "sulks: its values must differ"),
    ("vary: {sulks: [true, 7]}", "sulks must be true or false, not 7"),
    ("vary: {limit: [{nodes: 0}, {nodes: 5}]}", "nodes must be at least 1, not 0"),
    ("vary: {openings: [random, randoom]}", "unknown source of openings 'randoom'"),
    ("vary: {openings: [random, 3]}", "must be a name, or name: {key: value}, not 3"),
    ("vary: [sulks]", "must be {parameter: [value, value]}, or {} if nothing varies"),
    ("vary: {openings: [{random: {plies: 2}}, random]}", "the openings stand in vary"),
    ("aim: worst", "key 'aim' is gone: the mean gain counts"),
]


@pytest.mark.parametrize(("line", "message"), FAULTS)
def test_faults_of_vary_have_their_place(write: Write, line: str, message: str) -> None:
    write(COIN, "coin.py")
    text = STUDY + f"    {line}\n"
    if "stand in vary" not in message and "openings" in line:
        text = text.replace("    openings: {random: {plies: 3}}\n", "")
    (fault,) = faults_of(read_tuning, write(text, "study.yaml"))
    assert message in fault
    assert re.match(r"study.yaml:\d+:\d+: ", fault)


@pytest.mark.slow
def test_a_folder_that_was_led_by_an_aim_is_told_by_the_mean_alone(write: Write) -> None:
    study = tuned(write, VARIED)
    kept = study.folder / CONFIG
    text, verdict = kept.read_text(encoding="utf-8"), study.verdict
    for aim in ("mean", "worst"):
        with closing(Store(study.folder / DATABASE)) as store:
            store.note({**store.facts(), "aim": aim})
        kept.write_text(f"{text}aim: {aim}\n", encoding="utf-8")
        if aim == "mean":
            assert open_study(study.folder).verdict == verdict
            assert same(tuned(write, VARIED), study)
    with pytest.raises(ConfigError, match=f"{CONFIG}: key 'aim' is gone: the mean gain counts"):
        open_study(study.folder)
    with pytest.raises(ConfigError, match="key 'aim' is gone: the mean gain counts"):
        tuned(write, VARIED)
    assert kept.read_text(encoding="utf-8") == f"{text}aim: worst\n"
    test = open_experiment(study.folder / NAME)
    assert test.verdict() == study.matches.test.verdict()
