"""Games that a fault ended are shown as such wherever a number rests on them."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import replace
from io import StringIO

import pandas as pd
import pytest
from rich.console import Console
from support.game_records import game, games_of_numbered
from support.reports import Played, report, schedule_of, shown
from support.samples import Write, player

import arena
from arena.game import Reason
from arena.match.record import GameRecord
from arena.report.frames import Report
from arena.report.live import Panel
from arena.report.standings import tally_of
from arena.report.verdict import advice_text, fault_heads, first_step
from arena.tournament.run import Run, RunProgress

ALWAYS_LATE = player("""
    from arena.engine import ProgramError
    raise ProgramError("time", "was late", "rapfi")
""")
FORTY = """
    name: forty
    game: {gomoku: {size: 7}}
    openings: {random: {plies: 2, count: 20, seed: 1}}
    engines:
      - {name: carbon, engine: random_mover}
      - {name: rapfi, engine: ./late.py}
"""
VERDICT = (
    "Not decided: rapfi lost on time in 40 of 40 games; on that rests +288? Elo or more for carbon "
    "against rapfi, LOS above 99.9 %, 40 games, all won by carbon."
)
LOST = "rapfi lost on time in 40 of 40 games"
MEANING = (
    "?: faults carry this number. Without the games that they ended, or with these as draws, it "
    "would be another."
)


@pytest.fixture(name="forty", scope="module")
def fixture_forty(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """40 - 0 against a player that is always late, played to the end."""
    folder = tmp_path_factory.mktemp("forty")
    (folder / "late.py").write_text(ALWAYS_LATE)
    (folder / "forty.yaml").write_text(FORTY.replace("\n    ", "\n").lstrip())
    return arena.run(folder / "forty.yaml", workers=0, keep_going=True, results=folder)


def test_forty_to_nought_on_time_is_no_strength_in_the_text(forty: Run) -> None:
    text = shown(forty.report())
    assert text.startswith(f"{VERDICT} Mend that first.\n\nGames: 40; ")
    assert text.count(LOST) == 1
    table = text.split("\n\n")[2].splitlines()
    assert table[0].startswith("Standings after 40 games")
    assert table[1].split()[-1] == "faults"
    carbon, rapfi = table[2].split(), table[3].split()
    assert carbon[-5:] == ["40", "40", "0", "0", "0"]
    assert rapfi[-5:] == ["40", "0", "0", "40", "40"]
    assert carbon[1].startswith(">+")
    assert all(row[1].endswith("?") for row in (carbon, rapfi))
    assert table[4] == MEANING
    anchored = shown(forty.report(("carbon", 0.0))).split("\n\n")[2].splitlines()
    assert [row.split()[1][-1] for row in anchored[2:4]] == ["0", "?"], "the anchor is as it is"
    assert anchored[4:] == ["Elo on one scale for all that met; carbon is +0.", MEANING]


def test_nor_is_it_in_markdown(forty: Run) -> None:
    text = shown(forty.report(), "markdown")
    assert text.startswith(f"**{VERDICT}** Mend that first.\n\nGames: 40; ")
    assert "| losses | faults |" in text
    assert f"\n\n{MEANING}\n\n## " in text


def test_nor_on_the_page_and_the_live_page(forty: Run) -> None:
    page = shown(forty.report(), "html")
    assert '<p class="warning">' not in page
    assert page.index(f"</strong>: {LOST}") < page.index("<table")
    (standings,) = re.findall('<section id="standings".*?</section>', page, re.DOTALL)
    assert re.findall('data-sort="number">(Elo|faults)<', standings) == ["Elo", "faults"]
    elo = re.findall(r'data-value="([0-9.-]+)">&[gl]t;[+-]288\?<', standings)
    assert [round(float(each)) for each in elo] == [1200, -1200], "still sorted as numbers"
    assert MEANING in standings


def test_programs_read_it_from_the_frames(forty: Run) -> None:
    whole = json.loads(shown(forty.report(), "json"))
    assert whole["verdict"]["basis"].startswith(LOST)
    found = {row["name"]: row for row in whole["standings"]}
    columns = ["faults", "won_by_faults", "doubtful"]
    assert [found["rapfi"][each] for each in columns] == [40, 0, True]
    assert [found["carbon"][each] for each in columns] == [0, 40, True]
    table = pd.read_csv(StringIO(shown(forty.report(), "csv"))).set_index("name")
    assert list(table.loc["rapfi", columns]) == [40, 0, True]


def test_a_notebook_shows_it_too(forty: Run) -> None:
    text = forty._repr_html_()
    assert text.startswith(f"<p><b>{VERDICT}</b></p>\n")
    assert "<th>faults</th>" in text


def screen(found: RunProgress) -> str:
    """The live part of a terminal."""
    console = Console(file=StringIO(), width=150)
    panel = Panel(console)
    panel.show(found)
    with console.capture() as capture:
        console.print(panel.shown())
    return capture.get()


def test_the_screen_shows_it_while_games_are_played(write: Write) -> None:
    write(ALWAYS_LATE, "late.py")
    file, seen = write(FORTY.replace("count: 20", "count: 3"), "forty.yaml"), list[str]()
    arena.run(file, workers=0, results=file.parent, watch=lambda found: seen.append(screen(found)))
    assert "faults" not in seen[0]
    assert "rapfi lost on time in 1 of 1 games: mend that before you trust its Elo." in seen[1]
    assert LOST.replace("40", "6") in seen[-1]
    assert re.search("losses +faults", seen[-1])


def season(faults: int, games: int = 40) -> Report:
    """Wins and losses in turn of `a` against `b`, of which `a` lost some by a crash."""
    played: list[Played] = schedule_of(*[("a", "b", 1, 1)] * (games // 2))
    lost = [i for i, (_, each) in enumerate(played) if each.first == "b"][:faults]
    for i in lost:
        played[i] = (i + 1, replace(played[i][1], reason="crash"))
    return report("ab", played)


def test_faults_that_change_little_are_counted_and_doubt_nothing() -> None:
    found = season(3)
    assert list(found.standings["faults"].sort_values()) == [0, 3]
    assert not found.standings["doubtful"].any()
    assert not found.warnings
    assert " faults" in shown(found)
    assert "?" not in shown(found)


def test_faults_that_make_an_elo_are_told_with_what_is_left_without_them() -> None:
    """Of 20 split pairs eight are lost: what `a` won in them, it loses by a crash."""
    played = schedule_of(*[("a", "b", 1, 1)] * 20)
    for i in range(0, 16, 2):
        played[i] = (i + 1, replace(played[i][1], winner=2, reason="crash"))
    found = report("ab", played)
    rows = found.standings.set_index("name")
    assert rows["doubtful"].all()
    assert rows["rating_doubtful"].all()
    assert rows.loc["a", "elo"] == pytest.approx(-147, abs=1)
    assert rows.loc["a", "elo_without_faults"] == 0
    assert rows.loc["a", "elo_faults_drawn"] == pytest.approx(-70, abs=1)
    assert found.verdict.basis.startswith("a crashed in 8 of 40 games; on that rests +147? Elo")
    assert not found.warnings
    folded = shown(found).split("Games that a fault ended")[1].split("\n\n")[0]
    assert folded.splitlines()[-1] == (
        "a, against those that it met: +0 Elo without the pairs in which a fault ended a game, -70 "
        "Elo with these games as draws."
    )


def test_only_the_players_concerned_are_marked() -> None:
    sound = schedule_of(*[("c", "d", 1, 2)] * 10)
    pairs = schedule_of(*[("a", "b", 1, 2)] * 10)
    faulty = [replace(each, reason="hang") for _, each in pairs]
    found = report("abcd", [*sound, *enumerate(faulty, start=21)])
    doubtful = found.standings.set_index("name")["doubtful"]
    assert dict(doubtful) == {"a": True, "b": True, "c": False, "d": False}


@pytest.mark.parametrize("form", ["table", "markdown"])
def test_a_run_without_faults_has_no_such_column_for_people(form: str) -> None:
    text = shown(report("ab", schedule_of(("a", "b", 1, None))), form)
    assert "faults" not in text
    assert "?" not in text


def lost_game(reason: Reason, detail: str, plies: int) -> GameRecord:
    """A game that `late` has lost, second on an opening of two plies, after so many plies."""
    texts = [f"{i // 15},{i % 15}" for i in range(plies)]
    made = game("sound", "late", 1, " ".join(texts[:2]), moves=" ".join(texts))
    return replace(made, reason=reason, detail=detail, plies=plies)


def test_an_example_of_a_fault_is_told_and_how_to_see_it_and_to_find_its_cause() -> None:
    lost = [(7, lost_game("illegal move", "on a stone [> TURN 1,1 | < 1,1]", 17))]
    assert advice_text("late", lost, "my runs/cup", "arena check ./late").splitlines() == [
        "late lost game 7, at its move 8: illegal move, on a stone [> TURN 1,1 | < 1,1].",
        "To see it: arena replay 'my runs/cup' 7",
        "To find the cause: arena check ./late",
    ]
    assert len(advice_text("late", lost, "cup", "").splitlines()) == 2


@pytest.mark.parametrize(
    ("reason", "plies", "detail", "is_slow"),
    [
        ("time", 3, "", True),
        ("time", 5, "", False),
        ("crash", 3, "", False),
        ("time", 3, "its program wrote an error (KeyError: 7), and did not move", False),
    ],
)
def test_a_player_that_never_moved_may_need_more_time(
    reason: Reason, plies: int, detail: str, is_slow: bool
) -> None:
    lost = [(1, lost_game("time", "", 3)), (2, lost_game(reason, detail, plies))]
    assert ("--limit 6s" in advice_text("late", lost, "cup", "")) == is_slow


def test_a_busy_machine_is_named_where_all_were_late() -> None:
    late: list[Played] = [
        (number, replace(each, reason="time") if number % 2 else each)
        for number, each in schedule_of(*[("sound", "late", 1, 2)] * 2)
    ]
    rows = tally_of(["sound", "late"], {"": games_of_numbered(late)}).standings()

    def head(load: float, *more: str) -> str:
        return fault_heads(rows, {"late": Counter(["time", "time", *more])}, load)

    assert head(1.0) == "late lost on time in 2 of 4 games"
    assert head(4.0) == f"{head(1.0)} on a busy machine, up to 4.0 processes a core"
    assert head(4.0, "crash") == "late lost on time in 2 and crashed in 1 of 4 games"
    quiet = "Play it again on a quiet machine, or with more time."
    assert first_step([["time"], ["time"]], 4.0) == quiet
    assert first_step([["time"], ["crash"]], 4.0) == "Mend that first."


WRITES_AN_ERROR = player("""
    from arena.engine import ProgramError
    raise ProgramError("time", "wrote an error (KeyError: 7), and did not move", "rapfi")
""")


@pytest.mark.parametrize(("text", "is_machine"), [(ALWAYS_LATE, True), (WRITES_AN_ERROR, False)])
def test_the_machine_is_blamed_only_where_the_talk_has_no_other_cause(
    write: Write, monkeypatch: pytest.MonkeyPatch, text: str, is_machine: bool
) -> None:
    monkeypatch.setattr("arena.tournament.run.load_of", lambda sessions: 3.0)
    write(text, "late.py")
    file = write(FORTY.replace("20", "4"), "forty.yaml")
    found = arena.run(file, workers=0, results=file.parent).report()
    assert ("busy machine" in found.runs[0].stopped) == is_machine
    assert ("busy machine" in found.verdict.basis) == is_machine
    assert ("quiet machine" in found.verdict.next_step) == is_machine


def test_a_resignation_is_no_fault() -> None:
    given_up = [(1, replace(game("a", "b", 1), reason="resignation"))]
    assert not report("ab", given_up).standings["faults"].any()
