"""Games that a fault ended are shown as such wherever a number rests on them."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from io import StringIO

import pandas as pd
import pytest
from rich.console import Console, Group
from support.game_records import game
from support.reports import Played, report, schedule_of, shown
from support.samples import Write, player

import arena
from arena.report.fault_texts import advice_lines
from arena.report.frames import Report
from arena.report.page.render import rendered
from arena.report.progress_bar import Panel
from arena.report.run_page import document_of_runs
from arena.tournament.live import run_parts
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
    "Not decided: rapfi lost 40 of its 40 games by its own faults, which are no measure of "
    "strength."
)
LOST = (
    "rapfi lost 40 of its 40 games by faults of its own (40 time): these results say nothing "
    "about its strength."
)
WON = (
    "The Elo and rating of carbon (40 of its 40 games) rest on games that opponents lost by faults "
    "of their own."
)
MEANING = (
    "?: more than a twentieth of the player's games were lost, or won, by faults, which say "
    "nothing about strength."
)


@pytest.fixture(name="forty", scope="module")
def fixture_forty(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """40 - 0 against a player that is always late, played to the end."""
    folder = tmp_path_factory.mktemp("forty")
    (folder / "late.py").write_text(ALWAYS_LATE)
    (folder / "forty.yaml").write_text(FORTY.replace("\n    ", "\n").lstrip())
    return arena.run(folder / "forty.yaml", workers=0, keep_going=True, results=folder)


def test_forty_to_nought_on_time_is_no_strength_in_the_text(forty: Run) -> None:
    text = shown(forty.report(("carbon", 0.0)))
    assert text.startswith(f"{VERDICT} First find the cause of the faults.\n\n{LOST}\n{WON}\n\n")
    table = text.split("\n\n")[2].splitlines()
    assert table[0].startswith("Standings after 40 games")
    assert table[1].split()[-1] == "faults"
    carbon, rapfi = table[2].split(), table[3].split()
    assert carbon[-5:] == ["40", "40", "0", "0", "0"]
    assert rapfi[-5:] == ["40", "0", "0", "40", "40"]
    assert carbon[1].startswith(">+")
    assert all(row[1].endswith("?") for row in (carbon, rapfi))
    assert table[4] == MEANING
    ratings = next(part for part in text.split("\n\n") if part.startswith("Ratings")).splitlines()
    assert [row.split()[1][-1] for row in ratings[2:4]] == ["?", "?"]
    assert ratings[4] == MEANING


def test_nor_is_it_in_markdown(forty: Run) -> None:
    text = shown(forty.report(), "markdown")
    assert text.startswith(f"**{VERDICT}** First")
    assert f"\n\n**{LOST}**\n\n**{WON}**\n\n## Standings" in text
    assert "| losses | faults |" in text
    assert f"\n\n{MEANING}\n\n## " in text


def test_nor_on_the_page_and_the_live_page(forty: Run) -> None:
    document = document_of_runs(forty.report())
    page = rendered("report.html", document=document)
    assert f'<p class="warning">{LOST}</p>' in page
    assert f'<p class="warning">{WON}</p>' in page
    told = page.index("rapfi lost 40 of its 40 games by its own faults")
    assert told < page.index("<table") < page.index(LOST)
    table = document.sections[0].parts[0]
    assert [column.title for column in table.columns][1::9] == ["Elo", "faults"]
    elo = [row[1] for row in table.rows]
    assert all(cell.text.endswith("?") for cell in elo)
    assert all(isinstance(cell.value, float) for cell in elo), "still sorted as numbers"
    assert MEANING in document.sections[0].text


def test_programs_read_it_from_the_frames(forty: Run) -> None:
    whole = json.loads(shown(forty.report(), "json"))
    assert whole["notes"][:2] == [LOST, WON]
    found = {row["name"]: row for row in whole["standings"]}
    columns = ["faults", "won_by_faults", "doubtful"]
    assert [found["rapfi"][each] for each in columns] == [40, 0, True]
    assert [found["carbon"][each] for each in columns] == [0, 40, True]
    table = pd.read_csv(StringIO(shown(forty.report(), "csv"))).set_index("name")
    assert list(table.loc["rapfi", columns]) == [40, 0, True]


def test_a_notebook_shows_it_too(forty: Run) -> None:
    text = forty._repr_html_()
    assert text.startswith(f"<p><b>{VERDICT}</b></p>\n<p>{LOST}</p>")
    assert "<th>faults</th>" in text


def screen(found: RunProgress) -> str:
    """The live part of a terminal."""
    console = Console(file=StringIO(), width=150)
    with console.capture() as capture:
        console.print(Group(*run_parts(Panel(console), found)))
    return capture.get()


def test_the_screen_shows_it_while_games_are_played(write: Write) -> None:
    write(ALWAYS_LATE, "late.py")
    file, seen = write(FORTY.replace("count: 20", "count: 3"), "forty.yaml"), list[str]()
    arena.run(file, workers=0, results=file.parent, watch=lambda found: seen.append(screen(found)))
    assert "faults" not in seen[0]
    assert "rapfi lost 1 of its 1 games by faults of its own (1 time)" in seen[1]
    assert LOST.replace("40", "6") in seen[-1]
    assert re.search("losses +faults", seen[-1])
    assert MEANING in seen[-1]


def season(faults: int, games: int = 40) -> Report:
    """Wins and losses in turn of `a` against `b`, of which `a` lost some by a crash."""
    played: list[Played] = schedule_of(*[("a", "b", 1, 1)] * (games // 2))
    played = [(n, replace(each, opening=str(n))) for n, each in played]
    lost = [i for i, (_, each) in enumerate(played) if each.first == "b"][:faults]
    for i in lost:
        played[i] = (i + 1, replace(played[i][1], reason="crash"))
    return report("ab", played)


def test_a_twentieth_is_no_more_than_a_twentieth() -> None:
    two, three = season(2), season(3)
    assert list(two.standings["faults"].sort_values()) == [0, 2]
    assert not two.standings["doubtful"].any()
    assert not two.warnings
    assert " faults" in shown(two)
    assert "?" not in shown(two)
    assert three.standings["doubtful"].all()
    assert three.warnings == [
        "a lost 3 of its 40 games by faults of its own (3 crash): these results say nothing about "
        "its strength, and its Elo and rating rest partly on them.",
        "The Elo and rating of b (3 of its 40 games) rest partly on games that opponents lost by "
        "faults of their own.",
    ]


def test_only_the_players_concerned_are_marked() -> None:
    sound = schedule_of(*[("c", "d", 1, 2)] * 10)
    faulty = [replace(each, reason="hang") for _, each in schedule_of(("a", "b", 1, 2))]
    found = report("abcd", [*sound, *enumerate(faulty, start=21)])
    doubtful = found.standings.set_index("name")["doubtful"]
    assert dict(doubtful) == {"a": True, "b": True, "c": False, "d": False}


@pytest.mark.parametrize("form", ["table", "markdown"])
def test_a_run_without_faults_has_no_such_column_for_people(form: str) -> None:
    text = shown(report("ab", schedule_of(("a", "b", 1, None))), form)
    assert "faults" not in text
    assert "?" not in text


def test_a_program_that_lost_by_faults_is_to_be_checked() -> None:
    commands = {"sound": "arena check ./sound", "late": "arena check ./late"}
    assert advice_lines([("sound", 0), ("late", 1), ("engine", 2)], commands) == [
        "late lost 1 game by faults of its own. To find the cause: arena check ./late"
    ]


def test_a_resignation_is_no_fault() -> None:
    given_up = [(1, replace(game("a", "b", 1), reason="resignation"))]
    assert not report("ab", given_up).standings["faults"].any()
