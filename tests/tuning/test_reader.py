"""Bad studies: every fault of a file at once, with its place, before the first game."""

from __future__ import annotations

import re

import pytest
from support.good_files import PLAYER, STUDY, study_faults
from support.samples import Write

from arena import ConfigError
from arena.config.reader import read_config
from arena.plugins.load import Named, factory, names
from arena.plugins.parameters import parameters
from arena.tuning.settings.config import TuningConfig, study_changes, tuning_data, tuning_from_data
from arena.tuning.settings.reader import read_tuning
from arena.tuning.space import Axis

pytestmark = pytest.mark.usefixtures("undrawn")


def read(write: Write, text: str) -> TuningConfig:
    write(PLAYER, "player.py")
    return read_tuning(write(text, "study.yaml"))


def with_parameters(text: str) -> str:
    start, end = STUDY.index("parameters:"), STUDY.index("method:")
    return f"{STUDY[:start]}parameters:{text}\n{STUDY[end:]}"


def test_the_good_file_is_good(write: Write) -> None:
    config = read(write, STUDY)
    bold, three = config.space.axes
    assert bold == Axis("bold", 0.3, 0.1, 0.9)
    assert (three.low, three.high, three.log, three.is_whole) == (10, 5000, True, True)
    assert config.plan.trials == 50
    assert config.verification["elo1"] == 20
    assert config.opponent_pairs == 100


def test_every_default_is_filled_in(write: Write) -> None:
    few = "budget: 400\nverification: {pairs: 60}\nvary: {}\n"  # openings, whose drawing takes time
    config = read(write, f"game: gomoku\nengine: ./player.py\nparameters: [bold]\n{few}")
    data = tuning_data(config)
    assert data["players"][0].items() >= {"name": "default", "bold": 0.3, "depth": 3}.items()
    assert data["game"] == {"gomoku": {"size": 15, "rule": "freestyle"}}
    random = {"plies": 4, "count": 200, "seed": 0, "spread": 3, "skip": 0}
    assert data["openings"] == {"random": random}
    (bold,) = config.space.axes
    assert bold == Axis("bold", 0.3)
    assert (data["method"], data["early_stop"]) == ({"ascent": {}}, 0.03)
    assert data["plan"] == {"budget": 400, "games": 4, "lag": 4, "seed": 0}
    test = {"elo0": 0.0, "elo1": 20.0, "alpha": 0.05, "beta": 0.05, "model": "logistic"}
    assert data["verification"] == test | {"pairs": 60, "opponent_pairs": 100}


RANGES = [
    ("budget: {}", (2, 10**8), (1, 10**8 + 1)),
    ("games: {}", (2, 3), (1, 10**6 + 1)),
    ("lag: {}", (1, 1000), (0, 1001)),
    ("early_stop: {}", (0, 0.5), (-0.001, 0.501)),
    ("seed: {}", (0, 2**32 - 1), (-1, 2**32)),
    ("max_plies: {}", (5, 10**9), (0, -1)),
    ("margin: {}", (0, 0.5, 60), (-0.001, 60.001)),
    ("hang: {}", (0.001, 10**6), (0, 10**6 + 1)),
    ("memory: {}", (64, 10**6), (63, 10**6 + 1)),
    ("verification: {{pairs: 60, opponent_pairs: {}}}", (10, 10**6), (9, 10**6 + 1)),
]


@pytest.mark.parametrize(("line", "good", "bad"), RANGES)
def test_ranges(write: Write, line: str, good: tuple[float, ...], bad: tuple[float, ...]) -> None:
    lines = {
        "game": "game: gomoku",
        "engine": "engine: ./player.py",
        "parameters": "parameters: [bold]",
        "budget": "budget: 1000000",
        "games": "games: 2",
        "openings": "openings: {random: {count: 1}}",
        "verification": "verification: {pairs: 60}",
        "vary": "vary: {}",
    }
    for value in good:
        lines[line.split(":")[0]] = line.format(value)
        read(write, "\n".join(lines.values()))
    for value in bad:
        lines[line.split(":")[0]] = line.format(value)
        (fault,) = study_faults(write, "\n".join(lines.values()))
        assert re.search(f"must be (at least|at most|more than) .*, not {value}$", fault)


def test_names_are_enough_where_the_engine_declares_ranges(write: Write) -> None:
    config = read(write, with_parameters(" [bold, depth, wild, style]"))
    bold, depth, wild, style = config.space.axes
    assert (bold.low, bold.high) == (0, 1)
    assert (depth.low, depth.high, depth.step) == (1, 9, 2)
    assert wild.choices == (False, True)
    assert style.choices == ("calm", "odd")


def test_what_the_engine_is_given_is_where_the_study_starts(write: Write) -> None:
    config = read(
        write, STUDY.replace("engine: ./player.py", "engine: {engine: ./player.py, bold: 0.7}")
    )
    assert config.space.default == {"bold": 0.7, "three": 100}


def test_what_its_folder_keeps_is_the_same_study(write: Write) -> None:
    text = STUDY.replace("vary: {}", "vary: {wild: [false, true]}")
    config = read(write, text + "opponents: [{name: other, engine: random_mover}]\n")
    assert tuning_data(config)["vary"] == {"wild": [False, True]}
    again = tuning_from_data(tuning_data(config))
    assert tuning_data(again) == tuning_data(config)
    assert again.space == config.space


def test_the_place_of_no_player(write: Write) -> None:
    assert "no such engine file" in study_faults(write, STUDY.replace("player.py", "plyer.py"))[0]


@pytest.mark.parametrize("method", ["ascent", "cmaes", "spsa"])
def test_a_choice_is_refused_by_methods_that_move(write: Write, method: str) -> None:
    text = STUDY.replace("  three:", "  wild:").replace("method: tpe", f"method: {method}")
    message = f"{method} moves through numbers, and cannot choose wild: see tpe"
    assert study_faults(write, text) == [f"study.yaml:7:9: {message}"]


def test_a_name_in_a_list_stands_there_once(write: Write) -> None:
    assert study_faults(write, with_parameters(" [bold, three, bold, 7]")) == [
        "study.yaml:4:27: bold stands here twice",
        "study.yaml:4:33: unknown parameter '7'; there is bare, bold, book, depth, mood, style, "
        "three, wild",
    ]


@pytest.mark.parametrize("parameters", ["", " []", " {}", " bold", " 3"])
def test_no_parameters_are_a_fault(write: Write, parameters: str) -> None:
    (fault,) = study_faults(write, with_parameters(parameters))
    assert fault.endswith("parameters must be a list of names, or {name: {low: ..., high: ...}}")


@pytest.mark.parametrize("entry", ["{three: {low: 1}}", "[three]"])
def test_ranges_in_a_list_are_a_fault(write: Write, entry: str) -> None:
    assert study_faults(write, with_parameters(f" [bold, {entry}]")) == [
        "study.yaml:4:20: a list has names only; ranges go without the dashes: name: {low: ...}"
    ]


def test_all_faults_come_at_once_in_the_order_of_the_file(write: Write) -> None:
    text = STUDY.replace("low: 0.1", "low: 0.95").replace("  three:", "  threee:")
    text = text.replace("size: 9", "size: 99").replace("budget: 400", "budget: -1")
    text = text.replace("pairs: 500", "pears: 3")
    places = [fault.split(": ")[0] for fault in study_faults(write, text)]
    assert places == [f"study.yaml:{place}" for place in ("2:23", "5:15", "6:3", "8:9", "11:16")]


def test_missing_keys_are_all_named(write: Write) -> None:
    found = study_faults(write, "name: x\n")
    assert [fault.split(": ", 1)[1] for fault in found] == [
        f"missing key {key!r}" for key in ("game", "engine", "parameters")
    ]


def test_each_file_knows_its_command(write: Write) -> None:
    study, run = write(STUDY, "study.yaml"), write()
    with pytest.raises(ConfigError, match=r"study.yaml:4:1: this is a tuning study: arena tune "):
        read_config(study)
    fit = write("name: f\nkind: fit\nengine: patterns\n", "fit.yaml")
    with pytest.raises(ConfigError, match=r"fit.yaml:2:7: this is a fit of weights: arena fit "):
        read_config(fit)
    with pytest.raises(ConfigError, match=r"round.yaml:3:1: this is a tournament: arena run "):
        read_tuning(run)


@pytest.mark.parametrize("method", ["ascent", "spsa", "tpe"])
def test_the_games_of_a_trial_fill_its_matches(write: Write, method: str) -> None:
    two = "opponents: [{name: a, engine: random_mover}, {name: b, engine: random_mover}]\n"
    text = STUDY.replace("method: tpe", f"method: {method}").replace("games: 8", "games: 13")
    config = read(write, text + two)
    assert config.matches == (2 if method == "tpe" else 4)
    assert config.plan.games == (12 if method == "tpe" else 8)


def test_a_trial_asks_for_no_more_openings_than_there_are(write: Write) -> None:
    text = STUDY.replace("games: 8\n", "").replace("method: tpe", "method: ascent")
    text = text.replace("budget: 400", "budget: 20000")
    listed = text.replace("{random: {plies: 4}}", '{list: ["4,4", "4,5", "4,6", "4,7"]}')
    assert read(write, text).plan.games == 8
    assert read(write, listed).plan.games == 4
    assert read(write, text.replace("plies: 4", "plies: 4, count: 3")).plan.games == 6


def test_the_methods_parameters_have_their_ranges() -> None:
    found = {
        f"{method}.{each.name}": (each.range.low, each.range.high)
        for method in names("method")
        for each in parameters(factory("method", method))
        if each.range
    }
    assert found == {"spsa.c": (1e-4, 0.5), "spsa.r": (1e-5, 1), "tpe.startup": (1, 10**5)}


def test_a_study_may_end_its_games_early(write: Write) -> None:
    config = read(write, STUDY + "draw_at_empty: 9\n")
    assert config.terms.adjudication == (Named("draw_at_empty", {"draw_at_empty": 9}),)
    data = tuning_data(config)
    assert tuning_from_data(data).terms == config.terms
    (change,) = study_changes(data, {**data, "draw_at_empty": 8}, set())
    assert change == "draw_at_empty: 9 -> 8"
