"""Calls from Python: arguments, engines that are objects, verdicts, messages and interrupts."""

from __future__ import annotations

import copy
import inspect
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path
from threading import Barrier
from typing import Any

import numpy as np
import optuna
import pytest
from support.studies import FIT as FIT_FILE

import arena
from arena import arguments
from arena.config.settings import to_data
from arena.match.record import Job

Call = tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]
TWO = ("random_mover", "random_mover:name=other")
GAME = {"game": {"gomoku": {"size": 7}}}
ENGINES = [{"name": name, "engine": "random_mover"} for name in "ab"]
ROUND = {**GAME, "name": "round", "openings": {"random": {"plies": 2, "count": 2}}}
ROUND |= {"engines": ENGINES}
STUDY = {**GAME, "name": "study", "openings": {"random": {"plies": 2, "seed": 3}}, "vary": {}}
STUDY |= {"engine": {"engine": "five_tuple", "depth": 1}, "parameters": ["three"]}
STUDY |= {"method": "random", "budget": 8, "games": 4}
STUDY |= {"verification": {"elo0": 0, "elo1": 200, "pairs": 10}}
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
}  # by words of an annotation: values that are meant so, nearly so, and otherwise


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
    two = "random_mover", "random_mover"
    needed: dict[str, tuple[Any, ...]] = {"Choice": (1,), "Range": (1, 2), "match": TWO}
    needed |= {"run": (ROUND,), "tune": (STUDY,), "objective": (STUDY,), "load_game": ("gomoku",)}
    needed |= {"open_run": ("round",), "open_study": ("study",), "open_fit": ("fit",)}
    needed |= {"Run": (Path("results/round"), run.config), "report_runs": (["round"],)}
    needed |= {"Study": (Path("results/study"), study.config), "Fit": (Path("results"), None)}
    needed |= {"GameRecord": ("a", "b", "", 1, 1, 1, "line", "", 0, *[""] * 5)}
    needed |= {"draw_game": (record, "gomoku:size=7"), "load_engine": ("random_mover", game)}
    needed |= {"play": (game, *two), "play_game": (game, (engine, engine), Job("a", "b"))}
    needed |= {"prove": (optuna.create_study(), STUDY), "fit": ("fit.yaml",)}
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
    assert not [each for each in found if each.startswith("raw")]
    assert len(found) >= 150
    options = [each for each in told if " --" in each.replace("arena init --wrap", "")]
    assert not options
    assert "told: " not in told
    assert min(len(told), len(found) - len(told)) > len(found) // 10


QUICK: dict[str, Any] = {"games": 2, "game": "gomoku:size=7", "limit": "d1", "workers": 0}


@pytest.mark.parametrize(
    "options",
    [
        {"games": 2.0, "limit": arena.Limit(depth=1)},
        {"games": np.int64(2), "limit": {"depth": np.int32(1)}},
        {"games": "2", "game": {"gomoku": {"size": np.int64(7)}}},
        {"workers": "0", "seed": 0.0, "fresh": np.True_},
    ],
)
def test_what_is_plain_means_what_its_words_mean(options: dict[str, Any]) -> None:
    plain = arena.match(*TWO, **QUICK, results="plain")
    run = arena.match([*TWO], **{**QUICK, **options}, results="other")
    assert to_data(run.config) == to_data(plain.config)
    assert run.games()["moves"].equals(plain.games()["moves"])


def test_players_limits_and_openings_are_given_as_a_file_has_them() -> None:
    entry = {"engine": "five_tuple", "depth": 1, "limit": 0.5, "name": "five"}
    starts = ["3,3 3,4", "2,2 4,4"]
    run = arena.match(entry, TWO[0], **{**QUICK, "games": 4, "limit": 2}, openings=starts)
    first, _ = run.config.players
    assert (first.name, first.engine.parameters["depth"]) == ("five", 1)
    limits = arena.Limit(seconds=0.5), arena.Limit(seconds=2)
    assert (first.limit, run.config.terms.limit) == limits
    assert [*run.config.openings] == starts
    again = arena.report_runs([run])
    assert again.standings.equals(run.report().standings)


@pytest.mark.parametrize(
    ("told", "in_python"),
    [
        (
            "with --fresh, by --accept-changes, which",
            "with fresh=True, by accept_changes=True, which",
        ),
        ("give either --workers or --cluster", "give either workers or cluster"),
        ("use --workers 0", "use workers=0"),
        ("as in --game gomoku:size=20", "as in game='gomoku:size=20'"),
        ("more time, such as --limit 1s.", "more time, such as limit='1s'."),
        ("look: arena check --seconds 5 ./brain", "look: arena check --seconds 5 ./brain"),
        ("a dash -- as here", "a dash -- as here"),
    ],
)
def test_options_are_arguments_in_python(told: str, in_python: str) -> None:
    assert arguments.in_python(told) == in_python


def test_words_of_other_libraries_are_known() -> None:
    with pytest.raises(arena.ConfigError, match=r"match\(\): .*'n_jobs'; did you mean 'workers'"):
        arena.match(*TWO, n_jobs=2)  # type: ignore[call-arg]


WIDTH = 3


def few(moves: Any) -> Any:
    return moves[:WIDTH]


class Sequential:
    def __init__(self, game: Any, *, skip: int = 0) -> None:
        self.game, self.skip, self.is_closed = game, skip, False

    def new_game(self, seed: int) -> None:
        pass

    def choose(self, p: Any, limit: Any) -> arena.Choice:
        return arena.Choice(few(self.game.moves(p))[self.skip])

    def close(self) -> None:
        self.is_closed = True


def sequential(game: Any, *, skip: int = 0) -> Sequential:
    return Sequential(game, skip=skip)


def choose(p: Any, limit: Any) -> arena.Choice:
    return arena.Choice(few(arena.load_game("gomoku:size=7").moves(p))[0])


def test_a_function_a_class_and_an_object_play_in_this_process() -> None:
    player = Sequential(arena.load_game("gomoku:size=7"))
    options = {key: each for key, each in QUICK.items() if key != "workers"}
    runs = [
        arena.match({"engine": each, "name": "a"}, TWO[0], **options, name=f"by{i}")
        for i, each in enumerate([sequential, Sequential, player, choose])
    ]
    assert all(run.games()["moves"].equals(runs[0].games()["moves"]) for run in runs)
    assert not player.is_closed, "who made it goes on with it"
    both = arena.match(player, {"engine": Sequential, "skip": 1}, **options)
    assert both.config.names == ["Sequential", "Sequential_2-skip-1"]
    mover = lambda p, limit: choose(p, limit)  # noqa: E731
    assert arena.match(mover, TWO[0], **QUICK, name="it").config.names == ["lambda", TWO[0]]
    entries = [{"engine": Sequential}, {"engine": sequential}, {"engine": mover}]
    run = arena.run({**ROUND, "name": "given", "engines": entries})
    assert run.config.names == ["Sequential", "sequential", "lambda"]
    study = arena.tune(
        {**STUDY, "name": "given study", "engine": {"engine": Sequential},
         "parameters": {"skip": {"low": 0, "high": 2}}}, stop=lambda: True,
    )  # fmt: skip
    assert study.config.default.engine.parameters == {"skip": 0}


def test_an_object_whose_code_changed_is_another_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    run = arena.match(Sequential, TWO[0], **QUICK, name="edited")
    assert len(arena.match(Sequential, TWO[0], **{**QUICK, "games": 4}, name="edited").games()) == 4
    monkeypatch.setitem(few.__globals__, "WIDTH", 2)
    with pytest.raises(arena.ConfigError) as caught:
        arena.match(Sequential, TWO[0], **{**QUICK, "games": 6}, name="edited")
    assert "the code of Sequential changed after 4 of its games" in str(caught.value)
    assert "fresh=True, or go on with accept_changes=True" in str(caught.value)
    assert len(arena.open_run(run).games()) == 4


def made(value: Any) -> Any:
    def engine(game: Any, *, skip: int = 0) -> Sequential:
        return Sequential(game, skip=skip or value is None)

    return engine


class Valued(Sequential):
    def __init__(self, value: Any) -> None:
        super().__init__(arena.load_game("gomoku:size=7"))
        self.value, self.self = value, self


@pytest.mark.parametrize("make", [made, Valued])
@pytest.mark.parametrize(
    ("value", "other"),
    [
        (1, 20),
        ((1.5, {"a": [None, b"x"]}), (1.5, {"a": [None, b"y"]})),
        (np.arange(2000), np.arange(2000)[::-1]),
        ({"a", "b"}, {"a", "c"}),
        (np.array([1, None]), np.array([2, None])),
        (Sequential(None, skip=0), Sequential(None, skip=1)),
    ],
)
def test_an_object_made_with_other_values_is_another_engine(
    make: Any, value: Any, other: Any, tmp_path: Path
) -> None:
    options = {**QUICK, "name": "valued", "results": str(tmp_path)}
    arena.match(make(value), TWO[0], **options)
    again = arena.match(make(copy.deepcopy(value)), TWO[0], **{**options, "games": 4})
    assert len(again.games()) == 4
    with pytest.raises(arena.ConfigError, match=r"the code of \w+ changed after 4 of its games"):
        arena.match(make(other), TWO[0], **options)


def test_ratings_keep_objects_with_other_values_apart() -> None:
    runs = [arena.match(Valued(i), TWO[0], **QUICK, name=f"apart{i}") for i in (1, 2, 1)]
    assert len(arena.report_runs(runs[:2]).standings) == 3
    assert len(arena.report_runs(runs[::2]).standings) == 2


def test_matches_in_threads_play_the_objects_that_they_were_given() -> None:
    calls: dict[str, int] = {}
    together = Barrier(2)

    def given(key: str, at: int) -> Any:
        def engine(p: Any, limit: Any) -> arena.Choice:
            if key not in calls:
                together.wait(20)  # by now both are given
            calls[key] = calls.get(key, 0) + 1
            return arena.Choice([i for i, cell in enumerate(p.cells) if not cell][at])

        return engine

    def play(key: str, at: int, name: str) -> Any:
        game = "gomoku:size=9"
        run = arena.match(given(key, at), TWO[0], games=6, game=game, name=name, progress=False)
        return run.games()["moves"]

    with ThreadPoolExecutor(2) as pool:
        first, last = pool.map(play, "ab", (0, -1), ("first", "last"))
    together_calls = dict(calls)
    assert first.equals(play("a", 0, "first alone"))
    assert last.equals(play("b", -1, "last alone"))
    assert not first.equals(last)
    assert calls == {key: 2 * each for key, each in together_calls.items()}


@pytest.mark.parametrize(
    ("player", "options", "words"),
    [
        (Sequential, {"workers": 2}, "%%writefile"),
        (type("GomokuAI", (), {"get_move": None}), {}, "arena init --wrap"),
        (type("GomokuAI", (), {"get_move": None})(), {}, "choose(position, limit)"),
        ({"engine": 3}, {}, "is no engine"),
    ],
)
def test_who_cannot_play_is_told_why(player: Any, options: dict[str, Any], words: str) -> None:
    with pytest.raises(arena.ConfigError) as caught:
        arena.match(player, TWO[0], **{**QUICK, **options}, name="never")
    assert words in str(caught.value)
    assert not Path("results/never").exists()


def test_a_verdict_may_be_called_and_a_report_shows_it() -> None:
    run = arena.match(*TWO, **QUICK)
    assert run.verdict() is not None
    assert run.verdict().sentence == run.verdict.sentence
    assert repr(run.report()) == f"Report('{run.config.name}'): {run.verdict.sentence}"
    study = arena.tune(STUDY, workers=0, stop=lambda: True)
    assert study.verdict() == study.verdict
    assert repr(study.frames()).startswith("Frames: parameters, trials, ")


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda run: arena.report_runs([]), "runs must name at least one run"),
        (lambda run: run.report(["a"]), r"anchor must be \(text, a number\) or None, not \['a'\]"),
        (lambda run: run.report("csv"), r"anchor must be \(text, a number\) or None, not 'csv'"),
        (lambda run: run.report({0: "a", 1: 2}), r"anchor must be \(text, a number\) or None"),
        (lambda run: run.draw_game(1, coordinates="x"), "coordinates must be '.*', not 'x'"),
        (lambda run: arena.load_game(3), "^game must be text or a dict, not 3$"),
        (lambda run: arena.Limit(0.1), "^depth must be a whole number or None, not 0.1$"),
        (lambda run: arena.Limit(seconds="a"), "^seconds must be a number or None, not 'a'$"),
        (lambda run: arena.Limit(depth=-1), "^depth must be at least 0, not -1$"),
        (lambda run: arena.Limit(seconds=float("nan")), "^seconds must be at least 0, not nan$"),
        (lambda run: arena.Range(5, 1), r"^high must be at least low \(5\), not 1$"),
        (lambda run: arena.Range("a", 2), "^low must be a number, not 'a'$"),
        (lambda run: arena.open_run(None), "^run must be text or a path, not None$"),
    ],
)
def test_a_wrong_value_is_refused_in_pythons_words(call: Callable[[Any], Any], words: str) -> None:
    run = arena.run(ROUND, workers=0)
    with pytest.raises(arena.ConfigError, match=words):
        call(run)


def test_interrupts_change_how_exceptions_are_told_once() -> None:
    def stop() -> bool:
        raise KeyboardInterrupt

    hooks = []
    for _ in range(2):
        with pytest.raises(KeyboardInterrupt, match="Interrupted"):
            arena.tune({**STUDY, "name": "interrupted"}, workers=0, stop=stop)
        hooks.append(sys.excepthook)
    assert hooks[0] is hooks[1]


def test_an_interrupt_ends_a_script_in_two_lines_and_as_shells_expect() -> None:
    script = """
import arena, os, signal
signal.signal(signal.SIGINT, signal.default_int_handler)
def stop(at):
    if at.games == 2: os.kill(os.getpid(), signal.SIGINT)
arena.match("random_mover", "random_mover:name=b", games=100, limit="d1", workers=0,
            name="stopped", watch=stop)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.returncode == -signal.SIGINT
    assert len(done.stderr.splitlines()) == 2
    assert "the games are kept" in done.stderr
    assert 2 <= len(arena.open_run("stopped").games()) < 100
