"""Bad studies: every fault of a file at once, with its place, before the first game."""

from __future__ import annotations

import re

import pytest
from support.samples import Write

from arena import ConfigError
from arena.config.tournament import read_config
from arena.plugins.load import Named, factory, names
from arena.plugins.parameters import parameters
from arena.tuning.settings.config import TuningConfig
from arena.tuning.settings.reader import read_tuning
from arena.tuning.settings.study_data import study_changes, tuning_data, tuning_from_data

PLAYER = '''
"""A player with one parameter of each kind."""

from typing import Annotated, Literal

from arena import Range

GAMES = ("*",)

def engine(
    game,
    *,
    bold: Annotated[float, Range(0, 1)] = 0.3,
    three: Annotated[int, Range(10, 5000, log=True)] = 100,
    depth: Annotated[int, Range(1, 9, step=2)] = 3,
    bare: float = 1.0,
    wild: bool = False,
    style: Literal["calm", "odd"] = "calm",
    mood: str = "good",
    book: tuple[str, ...] = (),
):
    raise AssertionError("nobody builds it")
'''

GOOD = """\
name: weights
game: {gomoku: {size: 9}}
engine: ./player.py
parameters:
  bold: {low: 0.1, high: 0.9}
  three:
method: tpe
budget: 400
games: 8
openings: {random: {plies: 4}}
verification: {pairs: 500}
vary: {}
"""


def read(write: Write, text: str) -> TuningConfig:
    write(PLAYER, "player.py")
    return read_tuning(write(text, "study.yaml"))


def faults(write: Write, text: str) -> list[str]:
    """The faults of a file, without its folder."""
    with pytest.raises(ConfigError) as caught:
        read(write, text)
    folder = write(text, "study.yaml").parent
    return [str(fault).replace(f"{folder}/", "") for fault in caught.value.faults]


def test_the_good_file_is_good(write: Write) -> None:
    config = read(write, GOOD)
    bold, three = config.space.axes
    assert (bold.low, bold.high, bold.log, bold.is_whole, bold.default) == (
        0.1,
        0.9,
        False,
        False,
        0.3,
    )
    assert (three.low, three.high, three.log, three.is_whole) == (10, 5000, True, True)
    assert config.plan.trials == 50
    assert config.verification["elo1"] == 20
    assert config.opponent_pairs == 100


def test_every_default_is_filled_in(write: Write) -> None:
    few = "budget: 400\nverification: {pairs: 60}\nvary: {}\n"  # openings, whose drawing takes time
    config = read(write, f"game: gomoku\nengine: ./player.py\nparameters: [bold]\n{few}")
    data = tuning_data(config)
    assert data.pop("players")[0].items() >= {"name": "default", "bold": 0.3, "depth": 3}.items()
    assert data == {
        "name": "study",
        "game": {"gomoku": {"size": 15, "rule": "freestyle"}},
        "openings": {"random": {"plies": 4, "count": 200, "seed": 0, "spread": 3, "skip": 0}},
        "limit": {},
        "seed": 0,
        "max_plies": None,
        "resign": None,
        "draw": None,
        "draw_at_empty": None,
        "margin": 0.05,
        "hang": 60.0,
        "memory": None,
        "scale": False,
        "remarks": False,
        "keep_going": False,
        "space": [
            {
                "name": "bold",
                "default": 0.3,
                "low": 0.0,
                "high": 1.0,
                "log": False,
                "within": "",
                "is_whole": False,
                "step": 0.0,
                "choices": [],
            }
        ],
        "method": {"ascent": {}},
        "plan": {"budget": 400, "games": 4, "lag": 4, "seed": 0},
        "early_stop": 0.03,
        "verification": {
            "elo0": 0.0,
            "elo1": 20.0,
            "alpha": 0.05,
            "beta": 0.05,
            "model": "logistic",
            "pairs": 60,
            "opponent_pairs": 100,
        },
    }


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
def test_a_number_has_its_range(
    write: Write, line: str, good: tuple[float, ...], bad: tuple[float, ...]
) -> None:
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
        (fault,) = faults(write, "\n".join(lines.values()))
        assert re.search(f"must be (at least|at most|more than) .*, not {value}$", fault)


def test_names_are_enough_where_the_engine_declares_ranges(write: Write) -> None:
    start = GOOD.index("parameters:")
    end = GOOD.index("method:")
    config = read(write, GOOD[:start] + "parameters: [bold, depth, wild, style]\n" + GOOD[end:])
    bold, depth, wild, style = config.space.axes
    assert (bold.low, bold.high) == (0, 1)
    assert (depth.low, depth.high, depth.step) == (1, 9, 2)
    assert wild.choices == (False, True)
    assert style.choices == ("calm", "odd")


def test_what_the_engine_is_given_is_where_the_study_starts(write: Write) -> None:
    config = read(
        write, GOOD.replace("engine: ./player.py", "engine: {engine: ./player.py, bold: 0.7}")
    )
    assert config.space.default == {"bold": 0.7, "three": 100}


def test_what_its_folder_keeps_is_the_same_study(write: Write) -> None:
    config = read(write, GOOD + "opponents: [{name: other, engine: random_mover}]\n")
    again = tuning_from_data(tuning_data(config))
    assert tuning_data(again) == tuning_data(config)
    assert again.space == config.space


ONE_FAULT = [
    ("bold: {low", "bald: {low", "5:3", "unknown parameter 'bald'; did you mean 'bold'?"),
    ("low: 0.1", "low: 0.9", "5:15", "low must be less than high, 0.9"),
    ("low: 0.1", "low: 0.4", "5:9", "bold is 0.3 now, which is not from 0.4 to 0.9"),
    ("low: 0.1", "low: -0.1", "5:15", "low must be from 0 to 1"),
    ("high: 0.9", "high: 2", "5:26", "high must be from 0 to 1"),
    ("high: 0.9", "high: .inf", "5:26", "high must be a finite number, not inf"),
    ("low: 0.1", "low: .nan", "5:15", "low must be a finite number, not nan"),
    ("low: 0.1", "low: a", "5:15", "low must be a number, not 'a'"),
    ("low: 0.1,", "low: 0, log: true,", "5:15", "low must be more than 0 on a logarithmic scale"),
    ("low: 0.1", "lo: 0.1", "5:10", "unknown key 'lo'; did you mean 'low'?"),
    ("low: 0.1", "step: 2", "5:16", "step must be no more than the range"),
    ("low: 0.1", "step: 0", "5:16", "step must be more than 0, not 0"),
    ("low: 0.1", "step: 0.2", "5:16", "bold is 0.3 now, which is not a step of 0.2 from 0"),
    ("low: 0.1", "log: yes please", "5:15", "log must be true or false, not 'yes please'"),
    ("  three:", "  three: {step: 5}", "6:17", "steps and a logarithmic scale do not go together"),
    ("  three:", "  three: {low: 10.5}", "6:16", "low must be a whole number, as three is"),
    ("  three:", "  three: 5", "6:10", "must be a mapping (key: value), not 5"),
    ("  three:", "  bare:", "6:3", "bare needs low and high: the engine declares no range"),
    ("  three:", "  bare: {low: 0}", "6:9", "bare needs high: the engine declares no range"),
    ("  three:", "  bare: {low: 3, high: 2}", "6:15", "low must be less than high, 2"),
    ("  three:", "  mood:", "6:3", "mood is no number: give its choices"),
    ("  three:", "  book:", "6:3", "book is no number: give its choices"),
    ("  three:", "  mood: {choices: [good]}", "6:19", "choices must be two or more"),
    ("  three:", "  mood: {choices: [good, good]}", "6:19", "choices must differ"),
    (
        "  three:",
        "  mood: {choices: [bad, odd]}",
        "6:19",
        "mood is good now, which is none of them",
    ),
    (
        "  three:",
        "  mood: {choices: [good, 1]}",
        "6:19",
        'a choice must be text: write "1"',
    ),
    (
        "  three:",
        "  mood: {choices: [good, 'a,b']}",
        "6:19",
        "'a,b' cannot be told from its spelling in a name",
    ),
    ("  three:", "  style: {choices: [calm, wild]}", "6:20", "'wild' is none of calm, odd"),
    ("  three:", "  style: {choices: [calm, odd], low: 1}", "6:38", "choices have no low"),
    ("  three:", "  three: {choices: [100, 7]}", "6:20", "a choice must be at least 10, not 7"),
    ("method: tpe", "method: tpee", "7:9", "unknown method 'tpee'; did you mean 'tpe'?"),
    (
        "method: tpe",
        "method: {tpe: {start: 3}}",
        "7:16",
        "unknown key 'start'; did you mean 'startup'?",
    ),
    ("method: tpe", "method: {spsa: {c: 0}}", "7:20", "c must be at least 0.0001, not 0"),
    ("budget: 400", "budget: 6", "8:9", "a budget of 6 is less than one trial's 8 games"),
    ("budget: 400", "budget: 1", "8:9", "budget must be at least 2, not 1"),
    ("budget: 400", "budget: many", "8:9", "budget must be a whole number, not 'many'"),
    ("games: 8", "games: 1", "9:8", "games must be at least 2, not 1"),
    ("games: 8", "lag: 0", "9:6", "lag must be at least 1, not 0"),
    ("games: 8", "seed: -1", "9:7", "seed must be at least 0, not -1"),
    ("games: 8", "early_stop: 0.7", "9:13", "early_stop must be at most 0.5, not 0.7"),
    ("games: 8", "game_s: 8", "9:1", "unknown key 'game_s'; did you mean 'games'?"),
    (
        "{plies: 4}",
        "{plies: 4, count: 3}",
        "10:11",
        "a trial needs 4 openings, and there are 3 for it",
    ),
    (
        "{random: {plies: 4}}",
        '{list: ["4,4", "3,3", "4,5", "5,5"]}',
        "10:11",
        "a trial needs 4 openings, and there are 2 for it (half of the list is for the test)",
    ),
    (
        "{plies: 4}",
        "{plies: 1}",
        "10:11",
        "only 10 quiet openings of 1 plies within 3 cells of the centre were found, not 516: "
        "16 for the trials (`count`), and 500 others for the test (verification: {pairs: 500})",
    ),
    ("pairs: 500", "pairs: 3", "11:15", "3 pairs cannot prove a gain even if all are won; 53 can"),
    ("pairs: 500", "elo1: 0", "11:15", "elo0, 0, must be less than elo1, 0"),
    ("pairs: 500", "elo0: 30", "11:15", "elo0, 30, must be less than elo1, 20"),
    ("pairs: 500", "alpha: 0.5", "11:23", "alpha must be at most 0.49, not 0.5"),
    (
        "pairs: 500",
        "opponent_pair: 5",
        "11:16",
        "unknown key 'opponent_pair'; did you mean 'opponent_pairs'?",
    ),
    ("pairs: 500", "opponent_pairs: 5", "11:32", "opponent_pairs must be at least 10, not 5"),
    ("{pairs: 500}", "none", "11:15", "must be a mapping (key: value), not 'none'"),
    (
        "engine: ./player.py",
        "engine: [a]",
        "3:9",
        "must be {engine: name, parameter: value}, not ['a']",
    ),
    (
        "engine: ./player.py",
        "engine: {engine: ./player.py, name: x}",
        "3:31",
        "its name is default, beside tuned for what is found",
    ),
    (
        "engine: ./player.py",
        "engine: {engine: ./player.py, bold: 3}",
        "3:37",
        "bold must be at most 1, not 3",
    ),
    (
        "name: weights",
        "opponents: [{name: tuned, engine: random_mover}]",
        "1:20",
        "another engine has the name 'tuned' already",
    ),
    (
        "name: weights",
        "opponents: [random_mover]",
        "1:13",
        "must be {name: ..., engine: ...}, not 'random_mover'",
    ),
    ("name: weights", "opponents: 3", "1:12", "opponents must be a list, not 3"),
]


@pytest.mark.parametrize(("old", "new", "place", "message"), ONE_FAULT)
def test_one_fault_is_named_with_its_place(
    write: Write, old: str, new: str, place: str, message: str
) -> None:
    assert GOOD.count(old) == 1
    assert faults(write, GOOD.replace(old, new)) == [f"study.yaml:{place}: {message}"]


def test_the_place_of_no_player(write: Write) -> None:
    assert "no such engine file" in faults(write, GOOD.replace("player.py", "plyer.py"))[0]


@pytest.mark.parametrize("method", ["cmaes", "spsa", "surface"])
def test_a_choice_is_refused_by_methods_that_move(write: Write, method: str) -> None:
    text = GOOD.replace("  three:", "  wild:").replace("method: tpe", f"method: {method}")
    message = f"{method} moves through numbers, and cannot choose wild: see tpe"
    assert faults(write, text) == [f"study.yaml:7:9: {message}"]


def test_a_name_in_a_list_stands_there_once(write: Write) -> None:
    start, end = GOOD.index("parameters:"), GOOD.index("method:")
    text = GOOD[:start] + "parameters: [bold, three, bold, 7]\n" + GOOD[end:]
    assert faults(write, text) == [
        "study.yaml:4:27: bold stands here twice",
        "study.yaml:4:33: unknown parameter '7'; there is bare, bold, book, depth, mood, style, "
        "three, wild",
    ]


@pytest.mark.parametrize("parameters", ["", " []", " {}", " bold", " 3"])
def test_no_parameters_are_a_fault(write: Write, parameters: str) -> None:
    start, end = GOOD.index("parameters:"), GOOD.index("method:")
    (fault,) = faults(write, f"{GOOD[:start]}parameters:{parameters}\n{GOOD[end:]}")
    assert fault.endswith("parameters must be a list of names, or {name: {low: ..., high: ...}}")


@pytest.mark.parametrize("entry", ["{three: {low: 1}}", "[three]"])
def test_ranges_in_a_list_are_a_fault(write: Write, entry: str) -> None:
    start, end = GOOD.index("parameters:"), GOOD.index("method:")
    text = f"{GOOD[:start]}parameters: [bold, {entry}]\n{GOOD[end:]}"
    assert faults(write, text) == [
        "study.yaml:4:20: a list has names only; ranges go without the dashes: name: {low: ...}"
    ]


def test_no_choices_are_a_fault(write: Write) -> None:
    start, end = GOOD.index("parameters:"), GOOD.index("method:")
    text = f"{GOOD[:start]}parameters:\n  bold: {{choices: []}}\n{GOOD[end:]}"
    (fault,) = faults(write, text)
    assert fault.endswith("choices must be two or more")


def test_all_faults_come_at_once_in_the_order_of_the_file(write: Write) -> None:
    text = GOOD.replace("low: 0.1", "low: 0.95").replace("  three:", "  threee:")
    text = text.replace("size: 9", "size: 99").replace("budget: 400", "budget: -1")
    text = text.replace("pairs: 500", "pears: 3")
    places = [fault.split(": ")[0] for fault in faults(write, text)]
    assert places == [f"study.yaml:{place}" for place in ("2:23", "5:15", "6:3", "8:9", "11:16")]


def test_missing_keys_are_all_named(write: Write) -> None:
    found = faults(write, "name: x\n")
    assert [fault.split(": ", 1)[1] for fault in found] == [
        f"missing key {key!r}" for key in ("game", "engine", "parameters")
    ]


def test_each_file_knows_its_command(write: Write) -> None:
    study, run = write(GOOD, "study.yaml"), write()
    with pytest.raises(ConfigError, match=r"study.yaml:4:1: this is a tuning study: arena tune "):
        read_config(study)
    with pytest.raises(ConfigError, match=r"round.yaml:3:1: this is a tournament: arena run "):
        read_tuning(run)


@pytest.mark.parametrize("method", ["surface", "spsa", "tpe"])
def test_the_games_of_a_trial_fill_its_matches(write: Write, method: str) -> None:
    two = "opponents: [{name: a, engine: random_mover}, {name: b, engine: random_mover}]\n"
    text = GOOD.replace("method: tpe", f"method: {method}").replace("games: 8", "games: 13")
    config = read(write, text + two)
    assert config.matches == (2 if method == "tpe" else 4)
    assert config.plan.games == (12 if method == "tpe" else 8)


def test_a_trial_asks_for_no_more_openings_than_there_are(write: Write) -> None:
    text = GOOD.replace("games: 8\n", "").replace("method: tpe", "method: surface")
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
    config = read(write, GOOD + "draw_at_empty: 9\n")
    assert config.terms.adjudication == (Named("draw_at_empty", {"draw_at_empty": 9}),)
    data = tuning_data(config)
    assert tuning_from_data(data).terms == config.terms
    (change,) = study_changes(data, {**data, "draw_at_empty": 8}, set())
    assert change == "draw_at_empty: 9 -> 8"
