"""Forms of a report: notes, runs without games, what cannot be written, and portable paths."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pandas as pd
import pytest
from click.testing import CliRunner
from support.page_texts import page_data, page_text
from support.reports import report, schedule_of, shown, two_games
from support.samples import ROUND, Write, player

import arena
from arena import ConfigError
from arena.cli import arena as command
from arena.plugins.load import names
from arena.ratings.rating_list import MeetingRow, VersionRow
from arena.report.answer import Answer, report_text, save, shows_notes
from arena.report.frames import PAIRS
from arena.report.numbers import (
    format_elo,
    format_interval,
    format_rated,
    shaped,
    text_type,
    without_home,
)
from arena.report.page.render import page_of
from arena.report.run_answer import run_answer
from arena.report.table import text_frame
from arena.report.tables import pairs_table
from arena.report.verdict import Extras
from arena.tournament.combine import report_runs
from arena.tuning.proof.verification import Attempt, ConditionGain, Gain


@pytest.mark.parametrize("form", [name for name in names("form") if shows_notes(name)])
def test_notes_are_shown_wherever_a_form_has_a_place_for_them(form: str) -> None:
    noted = report("ab", schedule_of(("a", "b", 1, 1)), extras=Extras(notes=["Mind the gap."]))
    assert "Mind the gap." in shown(noted, form)


def test_a_bar_in_a_name_is_no_end_of_a_cell_of_markdown() -> None:
    text = shown(report(["a|b", "c"], schedule_of(("a|b", "c", 1, 1))), "markdown")
    assert re.search(r"^\| a\\\|b \|.*\| 2 \| 1 \| 0 \| 1 \|$", text, re.MULTILINE)


def test_rows_leave_no_place_for_notes() -> None:
    assert not shows_notes("csv")
    assert not shows_notes("parquet")


def test_parquet_says_what_it_needs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ConfigError, match="say where to with -o"):
        shown(two_games(), "parquet")
    monkeypatch.setattr("arena.report.forms.parquet.find_spec", lambda name: None)
    with pytest.raises(ConfigError, match=r"pip install pyarrow$"):
        save(run_answer(two_games()), "parquet", None, tmp_path / "frames")


def test_one_frame_is_kept_in_the_file_of_this_name(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    found = two_games()
    (file,) = save(run_answer(found), "parquet", "pairs", tmp_path / "one.parquet")
    pd.testing.assert_frame_equal(pd.read_parquet(file), found.pairs)


def test_what_cannot_be_written_is_a_fault(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="No such file or directory"):
        save(run_answer(two_games()), "csv", None, tmp_path / "none/standings.csv")


def test_an_unknown_form_is_a_fault() -> None:
    with pytest.raises(ConfigError, match="unknown form 'jsn'; did you mean 'json'"):
        shown(two_games(), "jsn")


NOTHING = "No game was played yet."


@pytest.fixture
def run(write: Write) -> arena.Run:
    return arena.run(write(), workers=0, results=write().parent, stop=lambda: True)


@pytest.mark.parametrize("kind", [Gain, ConditionGain, Attempt, MeetingRow, VersionRow])
@pytest.mark.parametrize("count", [0, 2])
def test_columns_without_a_value_have_the_types_that_values_would_give(
    kind: type, count: int
) -> None:
    hints = {name: str(hint).split(" | ")[0] for name, hint in kind.__annotations__.items()}
    of_empty = {"int": "int64", "float": "float64", "bool": "bool", "str": text_type()}
    of_unknown = {**of_empty, "int": "Int64", "bool": "boolean"}
    frame = shaped(pd.DataFrame([[None] * len(hints)] * count, columns=list(hints), dtype=object))
    types = of_unknown if count else of_empty
    assert dict(frame.dtypes.map(str)) == {name: types[hint] for name, hint in hints.items()}
    assert frame.isna().all().all()


@pytest.mark.parametrize("frame", ["matches", "endings", "games", "uncounted", "win_rates"])
def test_a_frame_without_rows_has_its_columns(run: arena.Run, frame: str) -> None:
    done = CliRunner().invoke(command, ["report", str(run.folder), "--frame", frame])
    assert done.stderr.strip() == NOTHING
    assert done.stdout.split() == list(run_answer(run.report()).frame(frame).columns)


def test_games_that_do_not_count_are_told_from_none(write: Write) -> None:
    file = write(ROUND)
    arena.run(file, workers=0, results=file.parent)
    write(ROUND.replace("name: one", "name: new").replace("name: two", "name: old"))
    run = arena.run(file, workers=0, results=file.parent, stop=lambda: True)
    contents = run_answer(run.report())
    told = "No game that counts was played yet"
    assert contents.verdict
    assert contents.verdict.text == told
    assert contents.notes[0] == (
        "12 games are kept but not counted: of players that the config has no longer."
    )


def test_so_do_several_runs_together(run: arena.Run, write: Write) -> None:
    other = arena.run(
        write(name="other.yaml"), workers=0, results=run.folder.parent, stop=lambda: True
    )
    found = report_runs([run.folder, other.folder])
    assert report_text(run_answer(found), "table").startswith(NOTHING)


def test_no_game_has_a_number(run: arena.Run) -> None:
    done = CliRunner().invoke(command, ["replay", str(run.folder), "1"])
    assert "no game was played yet" in str(done.exception)


def test_no_number_is_minus_zero() -> None:
    assert format_elo(-0.4, -0.3, 0.3, False) == "+0"
    assert format_interval(-0.2, 0.2) == "+0 to +0"
    assert format_rated(-0.4, -0.4, 0.4, 2, False) == "+0"
    assert format_interval(-0.4, 0.4, -0.4) == "+0 to +0"
    lost = dict.fromkeys(PAIRS, 1) | {"draw_ratio": 0.5, "pair_ratio": 1.0}
    nelo = {"nelo": -0.4, "nelo_low": -0.4, "nelo_high": 0.4, "doubtful": False}
    pairs = text_frame(pairs_table(pd.DataFrame([{"name": "a", **lost, **nelo}])))
    assert pairs["nElo"].item() == "+0"


FILE = """
    game: {gomoku: {size: 7}}
    openings: {random: {plies: 2, count: 4, seed: 1}}
    engines:
      - {name: own, engine: ./sub/own.py}
      - {name: other, engine: random_mover}
"""


@pytest.mark.parametrize(("home", "shown_as"), [(".", "sub/own.py"), ("..", "~/{name}/sub/own.py")])
def test_pages_and_texts_have_paths_from_where_people_work(
    write: Write, monkeypatch: pytest.MonkeyPatch, home: str, shown_as: str
) -> None:
    file = write(FILE, "run.yaml")
    (file.parent / "sub").mkdir()
    (file.parent / "sub" / "own.py").write_text(player('raise ValueError("lost")'))
    run = arena.run(file, workers=0, results=file.parent / "results")
    folder = file.parent if home == "." else file.parent / "results"
    monkeypatch.chdir(folder)
    monkeypatch.setenv("HOME", str((file.parent / home).resolve()))
    path = shown_as.format(name=file.parent.name)
    found = run.report()
    for form in ("table", "markdown", "html"):
        text = shown(found, form)
        page = page_text(text) + page_data(text) if form == "html" else text
        assert path in page
        assert str(file.parent) not in page
    assert str(file.parent) in json.loads(shown(found, "json"))["games"][0]["detail"]
    assert str(file.parent) in (run.folder / "config.yaml").read_text()


def test_only_whole_folders_are_shortened(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", "/home/ada")
    text = f"{tmp_path}/a.py, /other{tmp_path}/a.py, {tmp_path}s/a.py, /home/ada/b.py, /home/adam/b"
    assert without_home(text) == text.replace(f"{tmp_path}/a.py", "a.py", 1).replace(
        "/home/ada/", "~/"
    )
    assert re.match("a.py, /other/", without_home(text))


def test_the_root_is_no_folder_to_be_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.getcwd", lambda: "/")
    monkeypatch.setenv("HOME", "/")
    for text in ("x = 1; // a comment", "/tmp/a.py failed"):
        assert without_home(text) == text


def test_scripts_of_a_page_stay_as_their_digests_say(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.getcwd", lambda: "/nowhere")
    script = re.findall("<script.*?</script>", page_of(Answer({}, list)), re.DOTALL)
    word = next(found[1] for found in re.finditer(r"(/[^/\n]+)/", script[-1]))
    monkeypatch.setattr("os.getcwd", lambda: word)
    assert without_home(script[-1]) != script[-1], "a text that is no script"
    assert re.findall("<script.*?</script>", page_of(Answer({}, list)), re.DOTALL) == script
