"""What a terminal shows: boards, remarks, the progress of a test, and lines where it is none."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from io import StringIO
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner
from rich.console import Console
from support.game_records import game

from arena import load_game
from arena.cli import arena as command
from arena.coordinates import Coordinates
from arena.format import Row
from arena.match.play import place_opening
from arena.report import live
from arena.report.board import diagram, last_remarks, remark_lines
from arena.report.live import MAX_LINES, Panel, watching
from arena.report.outlook import (
    LiveTable,
    Progress,
    SprtProgress,
    View,
    expected_games,
    sprt_progress as progress_of,
)
from arena.stats.forecast import Design, at_elo, pair_shares
from arena.stats.sprt import bounds, errors, llr


class Played(Progress):
    def view(self) -> View:
        return View(["a note", LiveTable(("name", "games"), [["alpha", str(self.games)]])])

    @property
    def lines(self) -> list[str]:
        return [f"game {self.games} ended"] if self.games else []


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[float]]:
    now = [0.0]
    with monkeypatch.context() as patch:
        patch.setattr(live.time, "monotonic", lambda: now[0])
        yield now


def told(clock: list[float], total: int | None, seconds: float, games: int) -> list[str]:
    """What is told of so many games, each of which takes so many seconds."""
    lines: list[str] = []
    with watching(Console(file=StringIO()), lines.append, "first") as watch:
        for played in range(games + 1):
            watch(Played(games=played, total=total, record=None))
            clock[0] += seconds
    return [each for each in lines if "games, played before" not in each and "0/" not in each[:2]]


def test_a_short_run_is_told_game_by_game(clock: list[float]) -> None:
    lines = [line for line in told(clock, MAX_LINES, 60, MAX_LINES) if "ended" in line]
    assert lines == [f"{n}/{MAX_LINES} game {n} ended" for n in range(1, MAX_LINES + 1)]


def test_a_long_run_is_told_by_standings_now_and_then(clock: list[float]) -> None:
    lines = told(clock, 10_000, 1, 10_000)
    blocks = [line for line in lines if "alpha" in line]
    assert len([line for line in lines if "ended" in line]) == MAX_LINES
    assert 18 <= len(blocks) <= 20
    assert blocks[0].split() == ["700/10000", "games", "a", "note", "name", "games", "alpha", "700"]


def test_standings_come_no_oftener_than_each_minute_and_within_ten(clock: list[float]) -> None:
    quick = [line for line in told(clock, 10_000, 0.01, 10_000) if "alpha" in line]
    assert len(quick) == 1
    slow = [line for line in told(clock, None, 30, 1_000) if "alpha" in line]
    assert len(slow) == (1_000 - MAX_LINES) * 30 // 600


def test_quiet_shows_the_report_and_nothing_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    two = ("match", "random_mover", "random_mover", "--limit", "d1", "--game", "gomoku:size=7")
    how = ("--openings", "random", "--workers", "0", "--games", "2")
    spoken = CliRunner().invoke(command, [*two, *how, "--name", "spoken"]).stdout.splitlines()
    quiet = CliRunner().invoke(command, [*two, *how, "--name", "quiet", "--quiet"]).stdout
    assert [line for line in spoken if line.startswith("2/2 ")]
    first, second, *_ = quiet.splitlines()
    assert first.startswith("Playing quiet.yaml")
    assert second.startswith("Not decided")


def test_columns_stay_in_line_on_large_boards() -> None:
    rules = load_game("gomoku:size=25")
    board = diagram(rules, place_opening(rules, "24,0"), Coordinates(25, "numbers"))
    tens, ones, *rows = board.splitlines()
    assert len(tens) == len(ones) == len(rows[0])
    assert (tens[-1], ones[-1], rows[0][-1]) == ("2", "4", "┐")
    assert rows[24].startswith("24 (●)┴─")
    assert {len(row) for row in rows[:24]} == {53}


LOST = replace(game("a", "b", 2, "2,2"), reason="illegal move", detail="9,9", plies=3)
SAID = {"times": "0.001 0.25 0.5", "nodes": "1200 0 7", "depths": "4 0 1", "scores": "-5 - 0"}
INFO = '{"second":{"cuts":[3,null]}}'
RECORD = replace(LOST, moves="2,2 1,1 3,3", pv="3,3 0,0||", info=INFO, **SAID)


def test_each_chosen_move_is_shown_with_what_its_player_said_of_it() -> None:
    plain, letters = Coordinates(5, "numbers"), Coordinates(5)
    assert remark_lines(RECORD, plain) == [
        "2. ○ b 1,1: 1.0 ms; score -5; depth 4; 1,200 nodes; expects 3,3 0,0; cuts 3",
        "3. ● a 3,3: 250.0 ms",
        "4. ○ b no move: 500.0 ms; score +0; depth 1; 7 nodes",
    ]
    assert last_remarks(RECORD, plain) == remark_lines(RECORD, plain)[1:]
    assert remark_lines(RECORD, letters)[0].startswith("2. ○ b b4: 1.0 ms")
    assert "1,200 nodes; expects d2 a5;" in remark_lines(RECORD, letters)[0]


def test_players_that_said_nothing_have_no_last_words() -> None:
    mute = replace(RECORD, nodes="0 0 0", depths="0 0 0", scores="- - -", pv="", info="")
    assert last_remarks(mute, Coordinates(5)) == []


def row(counts: list[int], **more: object) -> Row:
    lower, upper = bounds(0.05, 0.05)
    found = llr(counts, 0.0, 10.0, "logistic")
    hypotheses = {"elo0": 0.0, "elo1": 10.0, "model": "logistic"}
    counted = {"pentanomial": " ".join(map(str, counts)), "pairs": sum(counts)}
    return {
        **counted,
        **hypotheses,
        "llr": found,
        "llr_without_faults": found,
        "llr_faults_drawn": found,
        "lower": lower,
        "upper": upper,
        "decision": "",
        **more,
    }


def progress(counts: list[int], most: int = 9_000, **more: object) -> SprtProgress:
    found = progress_of([row(counts, **more)], most)
    assert found
    return found


def test_it_stands_between_the_bounds() -> None:
    even = progress([10, 0, 20, 0, 10])
    assert 0.4 < even.share < 0.5
    assert progress([40, 0, 20, 0, 10]).share < even.share < progress([10, 0, 20, 0, 40]).share
    assert str(even) == "LLR -0.03 between -2.94 (H0) and 2.94 (H1)"


@pytest.mark.parametrize("rows", [[], [{"stage": 1}], [row([1, 0, 0, 0, 1], decision="H1")]])
def test_only_a_test_that_goes_on_has_a_progress(rows: list[Row]) -> None:
    assert progress_of(rows, 100) is None
    assert progress_of([row([1, 0, 0, 0, 1])], None) is None


def test_faults_hold_the_progress_back() -> None:
    counts = [10, 0, 20, 0, 40]
    carried = progress(counts, llr_without_faults=0.2, llr_faults_drawn=0.5)
    assert carried.llr == 0.2
    against = progress(counts[::-1], llr_without_faults=-0.2, llr_faults_drawn=-0.5)
    assert against.llr == -0.2
    assert carried.expected > progress(counts).expected


@pytest.mark.slow
def test_the_games_expected_are_those_that_come() -> None:
    """From the middle of tests of players 10 Elo apart, their means agree within a third."""
    design = Design(0.0, 20.0)
    shares, source = at_elo(pair_shares(0.2, 0.3), 20.0, "logistic"), Random(1)
    lower, upper = bounds(0.05, 0.05)
    expected, came = [], []
    for _ in range(60):
        counts, seen, at = [0] * 5, 0, None
        while lower < (found := llr(counts, 0.0, 20.0, "logistic")) < upper and seen < 3_000:
            if seen == 150:
                at = progress_of([row(counts, elo1=20.0, llr=found)], 2 * (3_000 - seen))
            counts[source.choices(range(5), shares)[0]] += 1
            seen += 1
        if at:
            expected.append(at.expected)
            came.append(2 * (seen - 150))
    assert len(came) > 30
    assert sum(expected) == pytest.approx(sum(came), rel=0.33)
    assert 2 * 400 < expected_games(vars(design)) < 2 * 2_500


def test_errors_are_the_inverse_of_bounds() -> None:
    for given in ((0.05, 0.05), (0.01, 0.2), (0.3, 0.001)):
        assert errors(*bounds(*given)) == pytest.approx(given)


def test_a_terminal_shows_the_bar_from_one_bound_to_the_other() -> None:
    console = Console(file=StringIO(), width=150)
    panel, test = Panel(console), progress([10, 0, 20, 0, 10])

    class Testing(Progress):
        def view(self) -> View:
            return View([], test)

    panel.show(Testing(games=80, total=9_080, record=None))
    with console.capture() as capture:
        console.print(panel.shown())
    (line,) = [each for each in capture.get().splitlines() if "LLR" in each]
    assert line.startswith("H0 ")
    assert f"H1 80 games, {test}; about " in line
    assert "(at most 9,000)" in line
    assert "9080" not in capture.get()
