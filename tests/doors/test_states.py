"""What a user reads of runs in all states: in the terminal, in JSON, and at the head of the page.

Games are told, not played: see `support.told_runs`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from textwrap import dedent

import pytest
from support.doors import VERSION, hold, inside, masked, padded, typed
from support.page_texts import page_text
from support.studies import COIN
from support.told_runs import Results, Typed, by_chance, make, play_with_person, stopping, told

import arena
from arena.experiment import open_experiment
from arena.report.answer import Answer, report_text

SPOKEN = ("matches",)  # Frames that verdicts rest on; the other doors keep all of them


@dataclass(frozen=True)
class Made:
    """A run as it was typed, with the results of its games."""

    results: Results
    files: Sequence[Typed]


Together = tuple[Mapping[str, Made], *tuple[str, ...]]
"""Runs by their names, and the commands that read them together."""


def pairs(won: int = 0, split: int = 0, lost: int = 0, **others: int) -> list[str]:
    """So many pairs of each kind, in an order that tells nothing; `others` by their letters."""
    counts = {"WW": won, "WL": (split + 1) // 2, "LW": split // 2, "LL": lost, **others}
    found = [pair for pair, count in counts.items() for _ in range(count)]
    return Random(len(found)).sample(found, len(found))


def match(found: Sequence[str], *files: Typed) -> Made:
    """A match of two: by default, all of these pairs are played."""
    return Made({"a b": found}, files or [Typed("a b", len(found))])


def of(players: str, openings: int, results: Results, **more: object) -> Made:
    return Made(results, [Typed(players, openings, **more)])  # type: ignore[arg-type]


def sprt(found: Sequence[str], most: int = 100, games: int | None = None) -> Made:
    return of(
        "a b", most, {"a b": found}, format={"sprt": {"elo1": 50, "pairs": most}}, games=games
    )


FIELD = "a b c d"
CUP = {"knockout": {"pairs": 4, "tie_breaks": 2}}
BETTER, SLIGHTLY = pairs(12, 12, 2), pairs(6, 18, 4)
CRASHING = pairs(won=2, split=6, wL=4, wW=4)  # Without the crashes of the other, this is no lead
CLEAR = {"a b": BETTER, "a c": BETTER, "a d": BETTER}

RUNS: dict[str, Made] = {
    # Two players.
    "match won": match(pairs(20, 20)),
    "match won narrowly": match(pairs(6, 20)),
    "match lost narrowly": match(pairs(0, 20, 6)),
    "match even": match(pairs(3, 20, 3)),
    "match half a point ahead": match(pairs(0, 9, WD=1)),
    "match all won": match(pairs(20)),
    "match of four games, all won": match(pairs(2)),
    "match drawn": match(pairs(DD=20)),
    "match of one game": match(pairs(1), Typed("a b", 20, games=1)),
    "match of two games": match(pairs(0, 1)),
    "match without a game": match(pairs(1), Typed("a b", 20, games=0)),
    "match live": match(pairs(20, 20), Typed("a b", 100, games=60)),
    "match extended": match(pairs(6, 20), Typed("a b", 20), Typed("a b", 26)),
    "match extended twice, won": match(pairs(20, 20), *(Typed("a b", n) for n in (20, 30, 40))),
    "match made smaller": match(pairs(8, 21, 1), Typed("a b", 200, games=60), Typed("a b", 30)),
    "match made smaller than its games": match(
        pairs(8, 21, 1), Typed("a b", 200, games=80), Typed("a b", 30)
    ),
    "match 2-2 with two faults": match(["Cw", "WL"]),
    "match led by faults": match(CRASHING),
    "match lost by faults": match(pairs(0, 12, CL=8, CC=2)),
    "match won without faults too": match(pairs(20, 10, wW=4)),
    "match with a fault of the weaker": match(pairs(20, 20, Ww=1)),
    "match with losses on time": match(
        pairs(4, 12, TL=6), Typed("a b", 22, seconds=0.1)
    ),
    "match stopped by faults": match(pairs(ww=20)),
    # More players.
    "round won": of(FIELD, 26, CLEAR),
    "round even": of(FIELD, 10, {}),
    "round live": of(FIELD, 60, CLEAR, games=300),
    "round tied at the top": of(
        FIELD, 20, {f"{one} {other}": pairs(12, 8) for one in "ab" for other in "cd"}
    ),
    "round whose rival crashes": of(
        FIELD, 24,
        {"a b": pairs(2, 14, wL=8), "a c": pairs(12, 12), "a d": pairs(12, 12)}
        | {"b c": pairs(8, 10, CL=6), "b d": pairs(8, 10, CL=6)},
    ),
    "round whose third crashes": of(
        "a b c", 26,
        {"a b": pairs(18, 8), "a c": pairs(0, 10, wW=16), "b c": pairs(lost=6, wW=20)},
    ),
    "round led by faults": of(FIELD, 16, {f"a {other}": CRASHING for other in "bcd"}),
    "round with faults of the last": of(
        FIELD, 26, {**CLEAR, "b d": pairs(10, 10, wW=6), "c d": pairs(10, 10, wW=6)}
    ),
    "round with a player without games": Made(
        {"a b": pairs(8, 4)}, [Typed("a b", 12), Typed("a b c", 12, games=0)]
    ),
    "round drawn": of("a b c", 10, {each: ["DD"] for each in ("a b", "a c", "b c")}),
    "round all won": of("a b c", 10, {"a b": ["WW"], "a c": ["WW"]}),
    "gauntlet won": of(FIELD, 26, CLEAR, format="gauntlet"),
    "gauntlet with a narrow loss": of(
        FIELD, 26,
        {"a b": pairs(12, 12), "a c": pairs(12, 12), "a d": pairs(0, 25, LD=1)},
        format="gauntlet",
    ),
    "gauntlet lost": of(
        FIELD, 16, {f"a {other}": pairs(2, 6, 8) for other in "bcd"}, format="gauntlet"
    ),
    "gauntlet live": of(FIELD, 26, CLEAR, format="gauntlet", games=70),
    "gauntlet led by faults": of(
        FIELD, 16, {f"a {other}": CRASHING for other in "bcd"}, format="gauntlet"
    ),
    "gauntlet lost by faults": of(
        FIELD, 16, {f"a {other}": pairs(2, 4, 2, CL=8) for other in "bcd"}, format="gauntlet"
    ),
    "gauntlet of two candidates": of(
        FIELD, 26,
        {"a c": SLIGHTLY, "a d": SLIGHTLY, "b c": pairs(16, 10), "b d": pairs(16, 10)},
        format={"gauntlet": {"candidates": ["a", "b"]}},
    ),
    "swiss of eight": of(
        "a b c d e f g h", 6, {f"a {other}": pairs(4, 2) for other in "bcdefgh"}, format="swiss"
    ),
    "swiss of five": of(
        "a b c d e", 6, {f"b {other}": pairs(3, 3) for other in "acde"}, format="swiss"
    ),
    "swiss hardly met": of(
        "a b c d e f", 2,
        {"a b": ["WW", "WL"], "c d": ["WW"], "e f": ["WL", "WD"], "a c": ["WL"], "a e": ["WL"]},
        format={"swiss": {"stages": 2}},
    ),
    "swiss live": of(
        "a b c d e f g h", 6, {f"a {other}": pairs(4, 2) for other in "bcdefgh"},
        format="swiss", games=70,
    ),
    "knockout won": of(FIELD, 4, {f"a {other}": pairs(3, 1) for other in "bcd"}, format=CUP),
    "knockout won by the weaker": of(
        FIELD, 12, {"a d": ["WW"], "b c": ["WW"], "a b": pairs(lost=5, ww=7)},
        format={"knockout": {"pairs": 12}},
    ),
    "knockout won by the seeding": of(FIELD, 8, {"a d": ["WW"], "b c": ["WW"]}, format=CUP),
    "knockout live": of(FIELD, 4, {"a d": ["WW"]}, format=CUP, games=18),
    "knockout won by faults": of(
        FIELD, 4, {"a d": ["WW"], "a b": ["wL", "WL"], "b c": ["WW"]}, format=CUP
    ),
    "couples": of(FIELD, 12, {"a b": pairs(8, 4), "c d": pairs(2, 10)}, format="couples"),
    "test that accepted H1": sprt(pairs(24, 30)),
    "test that accepted H0": sprt(pairs(2, 20, 10)),
    "test live": sprt(pairs(8, 20, 2), games=40),
    "test undecided": sprt(pairs(8, 20, 4), most=32),
    "test led by faults": sprt(pairs(2, 10, wL=10), most=60),
    "test stopped by faults": sprt(pairs(CC=10)),
    "test of couples": of(
        FIELD, 60, {"a b": pairs(10, 10), "c d": pairs(10, 10)},
        format={"sprt_couples": {"elo1": 50, "pairs": 60}},
    ),
}  # fmt: skip
ALL = "report one two", "ratings", "compare one two"
RIVAL = RUNS["round whose rival crashes"]
TOGETHER: dict[str, Together] = {
    "two runs of equals": (
        {"one": match(pairs(8, 21, 1)), "two": match(pairs(3, 20, 3))}, *ALL
    ),
    "two runs, the second made since the first was seen": (
        {"one": match(pairs(3, 20, 2)), "two": match(pairs(8, 21, 2))}, *ALL
    ),
    "two runs with faults": (
        {"one": match(pairs(3, 10, 3)), "two": match(CRASHING)}, *ALL
    ),
    "two tournaments": (
        {"one": of(FIELD, 12, {}), "two": of(FIELD, 12, {"b c": ["WW", "WL"], "a d": CRASHING})},
        "compare one two",
    ),
    "a run whose rival crashes": ({"one": RIVAL}, "ratings"),
    "a match led by faults": ({"one": RUNS["match led by faults"]}, "ratings", "plan one"),
    "a match made smaller": ({"one": RUNS["match made smaller"]}, "ratings", "plan one"),
    "a match won": ({"one": RUNS["match won"]}, "ratings", "plan one"),
}  # fmt: skip


@pytest.mark.parametrize("state", RUNS)
def test_a_run(state: str, tmp_path: Path, update: bool) -> None:
    folder = laid(tmp_path)
    with inside(folder):
        make(folder, "run", RUNS[state].results, *RUNS[state].files)
        hold(
            f"states/{state}.txt",
            masked(read_by_all(open_experiment("run").answer()), folder),
            update,
        )


@pytest.mark.parametrize("state", TOGETHER)
def test_runs_together(state: str, tmp_path: Path, update: bool) -> None:
    folder = laid(tmp_path)
    made, *commands = TOGETHER[state]
    shown = []
    with inside(folder):
        for name, run in made.items():
            make(folder, name, run.results, *run.files)
        for command in commands:
            shown += [str(typed(*command.split()))]
            if found := spoken(typed(*command.split(), "--json").output):
                shown += ["=== JSON", found]
    hold(f"states/{state}.txt", VERSION.sub("MARK", masked("\n\n".join(shown), folder)), update)


def laid(folder: Path) -> Path:
    """A folder below this one, whose path is always as long."""
    found = padded(folder / "states")
    found.mkdir()
    return found


def read_by_all(answer: Answer) -> str:
    """The report as a terminal, a program and a browser get it; of the page, its head and first
    table, with the titles of the other sections."""
    spoken = replace(answer, frames={n: answer.frames[n] for n in SPOKEN if n in answer.frames})
    titles = [replace(section, parts=()) for section in answer.sections[1:]]
    first = [replace(section, parts=section.tables[:1]) for section in answer.sections[:1]]
    page = replace(answer, make_sections=lambda: [*first, *titles], configs=())
    page = replace(page, make_details=tuple, games=None)
    shown = page_text(report_text(page, "html")).partition("Made by gomoku-arena")[0]
    parts = ["=== the terminal", report_text(answer, "table"), "=== JSON"]
    parts += [report_text(spoken, "json"), "=== the page", shown]
    return re.sub(r"\[data-value=\S+\] ", "", "\n".join(parts))


def spoken(text: str) -> str:
    """The sentences of an answer in JSON; empty where it has none."""
    found = json.loads(text)
    names = [name for name in ("verdict", "warnings", "notes") if name in found]
    return json.dumps({name: found[name] for name in names}, indent=1) if names else ""


def test_imported_games(tmp_path: Path, update: bool) -> None:
    folder = laid(tmp_path)
    run = of("a b c", 3, {"a b": ["WL", "WW"], "a c": ["WW"]}, games=14)
    with inside(folder):
        make(folder, "run", run.results, *run.files)
        typed("export", "run", "--format", "sgf", "-o", "run.sgf")
        typed("import", "imported", "run.sgf", "--game", "gomoku")
        answer = open_experiment("imported").answer()
        hold("states/imported.txt", masked(read_by_all(answer), folder), update)


@pytest.mark.parametrize("ends", ["W", "LLWLLLLL"])
def test_games_with_a_person(ends: str, tmp_path: Path, update: bool) -> None:
    folder = laid(tmp_path)
    with inside(folder):
        play_with_person(folder, ends)
        answer = open_experiment("human-gomoku").answer()
        hold(f"states/person {ends}.txt", masked(read_by_all(answer), folder), update)


STUDY = """
    game: {gomoku: {size: 15}}
    engine: ./coin.py
    parameters: [weight, power]
    method: spsa
    budget: 64
    games: 8
    seed: 3
    openings: {random: {plies: 3}}
    verification: {elo0: 50, elo1: 100, pairs: 60}
"""
"""A study of a player whose parameters change nothing."""


@pytest.mark.parametrize("games", [0, 20, None])
def test_a_study(games: int | None, tmp_path: Path, update: bool) -> None:
    folder = laid(tmp_path)
    (folder / "coin.py").write_text(COIN, encoding="utf-8")
    (folder / "study.yaml").write_text(dedent(STUDY), encoding="utf-8")
    watch, stop = stopping(games)
    with inside(folder), told(by_chance):
        arena.tune("study.yaml", workers=0, progress=False, watch=watch, stop=stop)
        answer = open_experiment("study").answer()
        state = "over" if games is None else f"after {games} games"
        hold(f"states/study {state}.txt", masked(read_by_all(answer), folder), update)
