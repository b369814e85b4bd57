"""Calls from Python: arguments, engines that are objects, verdicts, messages and interrupts."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import optuna
import pytest
from support.studies import FIT as FIT_FILE

import arena
from arena.match.record import Job

Call = tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]

TWO = ("random_mover", "random_mover:name=other")
ROUND = {
    "name": "round",
    "game": {"gomoku": {"size": 7}},
    "openings": {"random": {"plies": 2, "count": 2}},
    "engines": [{"name": "a", "engine": "random_mover"}, {"name": "b", "engine": "random_mover"}],
}
STUDY = {
    "name": "study",
    "game": {"gomoku": {"size": 7}},
    "engine": {"engine": "five_tuple", "depth": 1},
    "vary": {},
    "parameters": ["three"],
    "openings": {"random": {"plies": 2, "seed": 3}},
    "method": "random",
    "budget": 8,
    "games": 4,
    "verification": {"elo0": 0, "elo1": 200, "pairs": 10},
}
VALUES: dict[str, list[Any]] = {
    "bool": [1, np.True_, "yes", 2.5, []],
    "int": ["2", 2.0, np.int64(2), 2.5, "two", True, [2], float("nan"), -(10**30)],
    "float": ["0.5", 1, np.float32(0.5), "fast", float("inf"), {"seconds": 1}],
    "str": [Path("there"), 5, b"there", ["there"], "\0", ""],
    "PathLike": [Path("there"), 5, b"there", ["there"], "no\0where", {"a": 1}],
    "Mapping": [{"a": 1}, {1: {}}, {}, [("a", 1)]],
    "Sequence": ["there", np.array(["there"]), 5, {"there"}, {"a": 1}],
    "tuple": [(0, 10), [0.0, "10"], 10, "ab", (1, 2, 3)],
    "Callable": [print, 5, "print"],
    "Literal": ["mean", "letter", 1, None],
    "Any": [5, object(), {"engine": 3}, {"engin": "random_mover"}, "there", len, type, 1.5, b"x"],
}
"""By words of an annotation: values that are meant so, nearly so, and otherwise."""


@pytest.fixture(scope="module", autouse=True)
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    before, found = Path.cwd(), tmp_path_factory.mktemp("calls")
    os.chdir(found)
    Path("fit.yaml").write_text(FIT_FILE)
    yield found
    os.chdir(before)


def subjects() -> Iterator[tuple[Callable[..., Any], tuple[Any, ...]]]:
    """Each function, class and method, with arguments that it can be called with."""
    run, study = arena.run(ROUND, workers=0), arena.tune(STUDY, workers=0, stop=lambda: True)
    game = arena.load_game("gomoku:size=7")
    record = arena.play(game, "random_mover", "random_mover")
    engine = arena.load_engine("random_mover", game)
    needed: dict[str, tuple[Any, ...]] = {
        "Choice": (1,),
        "Fit": (Path("results"), None),
        "GameRecord": ("a", "b", "", 1, 1, 1, "line", "", 0, *[""] * 5),
        "Range": (1, 2),
        "Run": (Path("results/round"), run.config),
        "Study": (Path("results/study"), study.config),
        "draw_game": (record, "gomoku:size=7"),
        "fit": ("fit.yaml",),
        "load_engine": ("random_mover", game),
        "load_game": ("gomoku",),
        "match": TWO,
        "objective": (STUDY,),
        "open_fit": ("fit",),
        "open_run": ("round",),
        "open_study": ("study",),
        "play": (game, "random_mover", "random_mover"),
        "play_game": (game, (engine, engine), Job("a", "b")),
        "prove": (optuna.create_study(), STUDY),
        "report_runs": (["round"],),
        "run": (ROUND,),
        "tune": (STUDY,),
    }
    for name in sorted({*arena.__all__} - {"ConfigError"}):
        yield getattr(arena, name), needed.get(name, ())
    for each in (run, study, run.report(), record):
        for name, _ in inspect.getmembers(type(each), inspect.isfunction):
            if not name.startswith("_") and name not in ("play", "prove", "played"):
                yield getattr(each, name), (1,) if name in ("draw_game", "player") else ()


def calls(every: int) -> Iterator[Call]:
    """Calls with an argument too few, too many or unknown, and each `every`-th with one changed."""
    turn = count()
    for call, needed in subjects():
        known = inspect.signature(call).parameters
        quick = {"workers": 0, "stop": lambda: True} if "stop" in known else {}
        yield call, needed[:-1], quick
        yield call, (*needed, *[5] * 30), quick
        yield call, needed, {**quick, "worker": 2}
        for i, (name, each) in enumerate(known.items()):
            kinds = [kind for kind in VALUES if kind in str(each.annotation)]
            values = (value for kind in kinds for value in VALUES[kind])
            for value in (value for value in values if next(turn) % every == 0):
                if i < len(needed):
                    yield call, (*needed[:i], value, *needed[i + 1 :]), quick
                else:
                    yield call, needed, {**quick, name: value}


def outcome(call: Callable[..., Any], args: tuple[Any, ...], options: dict[str, Any]) -> str:
    """What a call comes to: `taken`, the words of a refusal, or an exception as it is."""
    try:
        call(*args, **options)
    except arena.ConfigError as error:
        return f"told: {error}"
    except Exception as error:
        return f"raw: {call} {args} {options} {error!r}"
    return "taken"


@pytest.mark.parametrize("every", [12, pytest.param(1, marks=pytest.mark.slow)])
def test_a_call_is_taken_or_refused_in_words(every: int) -> None:
    found = [outcome(*each) for each in calls(every)]
    told = [each for each in found if each.startswith("told")]
    print(len(found), len(told), sum(each.startswith("raw") for each in found))
    assert not [each for each in found if each.startswith("raw")]
    assert len(found) >= 150
    assert not [each for each in told if " --" in each or each == "told: "]
    assert min(len(told), len(found) - len(told)) > len(found) // 10
