"""`python -m benchmarks`: its commands are files of benchmarks/measures; what these measure."""

from __future__ import annotations

import importlib
import json
import shutil
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from click.testing import CliRunner
from support.samples import ROOT, Write

from arena.books import read_book
from arena.config.shipped import CONFIGS
from arena.engine import Choice, Limit
from arena.game import Position
from arena.plugins import load
from arena.plugins.load import Named, names
from benchmarks.__main__ import main, measure_command
from benchmarks.landscapes import GAP
from benchmarks.measures import adjudication, brain, openings, search
from benchmarks.measures.adjudication import compared, games, tournament
from benchmarks.measures.pruners import found_row, pruner_row

MINE = """
'Nothing at all.'

def rows(repeat):
    yield {"name": "mine", "runs": repeat, "seconds": 0.5}
"""


def row_of(*words: str) -> dict[str, Any]:
    done = CliRunner().invoke(main, words, catch_exceptions=False)
    (found,) = json.loads(done.stdout)
    return dict(found)


def test_a_new_benchmark_is_one_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mine.py").write_text(MINE, encoding="utf-8")
    measures = importlib.import_module("benchmarks.measures")
    monkeypatch.setattr(measures, "__path__", [*measures.__path__, str(tmp_path)])
    importlib.invalidate_caches()
    command = measure_command(tmp_path / "mine.py")
    assert command.help == "Nothing at all."
    done = CliRunner().invoke(command, ["--repeat", "7", "--json"])
    assert json.loads(done.stdout) == [{"name": "mine", "runs": 7, "seconds": 0.5}]


@pytest.mark.parametrize("name", sorted(main.commands))
def test_the_page_names_every_benchmark(name: str) -> None:
    assert f"\n`{name}` " in (ROOT / "research/benchmarks/README.md").read_text(encoding="utf-8")


@pytest.mark.slow
def test_the_referee_is_measured() -> None:
    assert row_of("match", "--repeat", "1", "--json")["microseconds_per_ply"] > 0
    assert row_of("renju", "--repeat", "1", "--json")["milliseconds_per_board"] > 0
    found = row_of("ratings", "--repeat", "1", "--json")
    assert (found["players"], found["games"]) == (20, 100_320)
    assert found["seconds"] > 0


RULES = (Named("resign", {"score": 1, "moves": 2}), Named("draw_at_empty", {"draw_at_empty": 200}))


@pytest.mark.slow
def test_a_run_with_rules_has_the_same_games_up_to_where_they_act() -> None:
    config = tournament({"five_tuple": 1, "balance": 1}, 3)
    whole, ended = games(config), games(config, RULES)
    assert len(whole) == len(ended) == 6
    for each, record in ended.items():
        assert whole[each].moves.startswith(record.moves)
        assert whole[each].scores.startswith(record.scores)
    assert any(record.reason == "won by scores" for record in ended.values())
    assert compared(whole, ended)["plies_saved"] > 0


@pytest.mark.slow
def test_nothing_is_saved_where_nothing_acts() -> None:
    config = tournament({"five_tuple": 1, "balance": 1}, 1)
    whole = games(config)
    figures = compared(whole, games(config, (Named("draw_at_empty", {"draw_at_empty": 1}),)))
    assert figures["ended_early"] == figures["plies_saved"] == figures["verdicts_changed"] == 0
    (one, other) = whole.values()
    short = replace(other, moves="", plies=0, times="", winner=None, reason="few cells left")
    figures = compared(whole, dict(zip(whole, (one, short), strict=True)))
    assert (figures["games"], figures["ended_early"], figures["verdicts_changed"]) == (2, 1, 1)
    assert figures["plies_saved"] == other.plies / (one.plies + other.plies)


def test_it_tries_every_rule_there_is() -> None:
    assert sorted(rule.name for rule in adjudication.RULES_TRIED) == [*names("adjudication")]


NO_COMPILER = not any(map(shutil.which, brain.COMPILERS))


def test_without_a_compiler_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None)
    (row,) = brain.rows(1)
    assert row == {"name": "brain", "not_measured": "no C compiler here (cc, gcc, clang)"}


@pytest.mark.slow
@pytest.mark.skipif(NO_COMPILER, reason="needs a C compiler")
def test_the_parts_are_those_of_the_whole() -> None:
    whole, parts = brain.rows(1, games=40)
    assert sum(map(float, list(parts.values())[1:])) == pytest.approx(
        whole["microseconds_per_ply"], rel=0.5
    )
    assert whole["ping_pong"] < whole["microseconds_per_ply"]
    assert whole["ratio"] > 1
    assert whole["spread"] > whole["ping_pong"]
    assert whole["speed_up_ratio"] > 0.3


@pytest.mark.slow
def test_openings_are_timed_as_the_files_that_come_along_make_them(write: Write) -> None:
    text = (CONFIGS / "book_freestyle15.yaml").read_text().replace("nodes: 10000", "nodes: 400")
    row = openings.made(read_book(write(text, "book.yaml")), draws=4)
    assert row["draws"] == 4
    assert 0 < row["openings"] <= 4
    assert row["made_an_hour"] == pytest.approx(3600 * row["openings"] / row["seconds"])


@pytest.mark.slow
@pytest.mark.parametrize("name", ["MedianPruner", "WilcoxonPruner 0.03"])
def test_bad_trials_end_early_in_most_studies_and_good_ones_in_few(name: str) -> None:
    row = pruner_row(name, range(5))
    assert row["bad_ended"] >= 3
    assert row["good_ended"] <= 1
    assert row["bad_games"] < row["good_games"]


@pytest.mark.slow
def test_the_strongest_point_is_found_as_by_our_own_method() -> None:
    row = found_row(range(3))
    assert row["loss"] < GAP / 2
    assert row["loss_of_tpe"] < GAP / 2


INFO = {"cutoffs": 40, "first_cutoffs": 30, "forced_nodes": 500}


def player(info: dict[str, int]) -> Any:
    """An engine that finishes a depth for each power of two of its nodes."""

    def choose(p: Position, limit: Limit) -> Choice:
        nodes = limit.nodes or 0
        depth = min(limit.depth or 99, nodes.bit_length() - 1)
        return Choice(0, depth=depth, nodes=nodes, info=info)

    return SimpleNamespace(new_game=lambda seed: None, choose=choose, close=lambda: None)


def figures(monkeypatch: pytest.MonkeyPatch, info: dict[str, int]) -> dict[str, Any]:
    """The figures of that engine, whose pilot shows 400 000 nodes a second."""
    game = load.load_game("gomoku")
    ticks = iter(range(10_000))
    monkeypatch.setattr(search, "process_time", lambda: next(ticks) / 4)
    monkeypatch.setattr(search, "searcher", lambda *_: (game, player(info)))
    return search.quiet_figures("balance", {}, 1)


def test_a_second_has_as_many_nodes_as_the_pilot_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    found = figures(monkeypatch, INFO)
    assert found["positions"] == 20
    assert found["depth"] == 18
    assert found["branching"] == pytest.approx(400_000 ** (1 / 18))
    assert found["nodes_per_second"] == 400_000 / 0.25
    assert found["seconds_to_6"] == found["seconds_to_12"] == pytest.approx(0.25)


@pytest.mark.parametrize(
    ("info", "shares"),
    [(INFO, (0.75, 500 / 400_000)), ({}, (None,) * 2), ({"cutoffs": 40}, (None,) * 2)],
)
def test_shares_are_of_all_positions_and_blank_where_nothing_is_counted(
    info: dict[str, int], shares: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search, "DEPTHS", (18, 19))
    found = figures(monkeypatch, info)
    assert (found["first_cutoffs"], found["forced_nodes"]) == shares
    assert found["seconds_to_18"] is not None
    assert found["seconds_to_19"] is None, "a second does not reach it"


@pytest.mark.slow
@pytest.mark.parametrize("name", search.SEARCHED)
def test_the_engines_search_the_positions_of_the_bench(name: str) -> None:
    for options in search.searches_of(name):
        game, engine = search.searcher(name, options)
        first, *others = search.quiet_positions(game)
        assert len(others) == 19
        answer = search.searched(engine, first, Limit(nodes=1000))
        assert answer.choice.nodes
        assert answer.choice.depth


def test_known_wins_by_fours_are_there_under_two_rules() -> None:
    cases = search.known_fours()
    assert {case.rule for case in cases} == {"freestyle", "renju"}
    assert len(cases) == 60
