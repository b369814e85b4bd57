"""Knockouts and swisses as their readers know them: a bracket, and a ranking by points."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pandas as pd
import pytest
from click.testing import CliRunner
from support.html_outlines import Outline
from support.samples import Write

import arena
from arena.cli import arena as command
from arena.report.page.bracket import bracket_figure
from arena.report.table import text_frame
from arena.report.tables import knockout_table, swiss_table

PLAYERS = """
    game: tictactoe
    format: {format}
    openings: {{random: {{plies: 2, count: 6, seed: 1}}}}
    engines:
      - {{name: one, engine: random_mover}}
      - {{name: two, engine: random_mover}}
      - {{name: three, engine: random_mover}}
      - {{name: four, engine: random_mover}}
      - {{name: five, engine: random_mover}}
"""
LONG = "a name of " + "many " * 10 + "words"


def played(write: Write, format: str) -> arena.Run:
    file = write(PLAYERS.format(format=format))
    return arena.run(file, workers=0, results=file.parent)


def shown(run: arena.Run, *options: str) -> str:
    done = CliRunner().invoke(command, ["report", str(run.folder), *options])
    assert done.exit_code == 0, done.output
    return done.stdout


def first_section(page: Outline) -> str:
    return next(found["id"] for tag, found in page.tags if tag == "section")


def matches(*rows: tuple[int, str, str, int, float, str]) -> pd.DataFrame:
    return pd.DataFrame(rows, columns=["stage", "one", "other", "pairs", "score", "winner"])


CUP = matches(
    (1, "d", "e", 2, 0.375, "e"),
    (2, "a", "e", 3, 0.5, "a"),
    (2, "b", "c", 2, 0.25, "c"),
    (3, "a", "c", 1, 0.75, ""),
)
"""Five players; the final goes on."""


def texts(drawing: str) -> list[tuple[str, bool]]:
    """The texts of a drawing stage by stage, and whether they are bold."""
    found = ElementTree.fromstring(drawing).iter("text")
    return [(each.text, each.get("class") == "won") for each in found if each.text]


def test_a_bracket_has_byes_points_and_bold_winners() -> None:
    figure = bracket_figure("abcde", CUP)
    found = texts(figure.drawing)
    words = [text for text, _ in found]
    assert [each for each in words if "final" in each] == ["quarter-final", "semi-final", "final"]
    assert words.count("bye") == 3
    assert [text for text, is_bold in found if is_bold] == ["e", "2.5", "a", "3", "c", "3"]
    assert {"1.5", "1"} <= set(words)
    assert "won" not in figure.caption, "the final goes on"
    over = CUP.assign(winner=[*CUP["winner"][:3], "a"])
    assert bracket_figure("abcde", over).caption.startswith(
        "a won the final against c, 1.5\xa0-\xa00.5."
    )


@pytest.mark.parametrize("count", [2, 3, 8, 9, 33])
def test_a_bracket_is_whole_before_its_first_match(count: int) -> None:
    names = [f"player {i}" for i in range(count)]
    root = ElementTree.fromstring(bracket_figure(names, CUP[:0]).drawing)
    boxes = list(root.iter("rect"))
    byes = [each for each in root.iter("text") if each.text == "bye"]
    assert len(boxes) == count - 1 + len(byes), "each match puts one player out"
    for box in boxes:
        x, y, width, height = (
            float(box.get(each, "nan")) for each in ("x", "y", "width", "height")
        )
        assert x >= 0 <= y
        assert x + width <= float(root.get("width", 0))
        assert y + height <= float(root.get("height", 0))


def test_a_long_name_is_cut_and_whole_under_the_mouse() -> None:
    drawing = bracket_figure([LONG, "b"], matches((1, LONG, "b", 1, 0.5, LONG))).drawing
    (name,) = [each for each in ElementTree.fromstring(drawing).iter("text") if len(each)]
    assert str(name.text).endswith("\u2026")
    assert name[0].text == LONG


def test_the_matches_of_a_knockout_are_told_by_their_stages_and_points() -> None:
    table = knockout_table(CUP, {1: "quarter-final", 2: "semi-final", 3: "final"})
    rows = text_frame(table)[["stage", "one", "points", "other", "winner"]].to_numpy().tolist()
    assert rows[0] == ["quarter-final", "d", "1.5 - 2.5", "e", "e"]
    assert rows[3] == ["final", "a", "1.5 - 0.5", "c", "none yet"]
    (note,) = table.notes
    assert "higher in the file" in note, "the semi-final of a and e was tied"
    assert not knockout_table(CUP[2:], {2: "semi-final", 3: "final"}).notes


def test_a_swiss_ranks_by_points_then_by_the_file() -> None:
    """Thirds of points add up to halves; a bye is worth a draw."""
    rows = matches(
        (1, "c", "b", 3, 1 / 12, ""),
        (1, "d", "e", 3, 0.5, ""),
        (2, "b", "a", 3, 5 / 12, ""),
        (2, "c", "d", 0, 0.5, ""),
    )
    table = swiss_table("cabde", rows)
    assert text_frame(table).astype(str).to_numpy().tolist() == [
        ["1", "b", "8", "5.5 - 0.5 c", "2.5 - 3.5 a"],
        ["2", "a", "6.5", "bye 3", "3.5 - 2.5 b"],
        ["3", "e", "6", "3 - 3 d", "bye 3"],
        ["4", "d", "3", "3 - 3 e", "c"],
        ["5", "c", "0.5", "0.5 - 5.5 b", "d"],
    ]
    assert len(table.notes) == 2
    assert len(swiss_table("abcd", rows[rows["one"] != "d"]).notes) == 1, "nobody rests"


def test_a_knockout_begins_with_its_bracket(write: Write) -> None:
    run = played(write, "{knockout: {pairs: 1, tie_breaks: 1}}")
    page = Outline(shown(run, "--format", "html"))
    assert first_section(page) == "matches"
    row = run.report().matches.iloc[-1]
    (label,) = [a["aria-label"] for tag, a in page.tags if tag == "svg" and a["class"] == "bracket"]
    assert label.startswith(f"{row['winner']} won the final")
    text = shown(run)
    assert [*re.findall(r"quarter-final|semi-final|\bfinal ", text)][-1] == "final "
    assert "score" in shown(run, "--frame", "matches", "--format", "csv"), "frames stay"


def test_a_swiss_begins_with_its_ranking(write: Write, tmp_path: Path) -> None:
    run = played(write, "{swiss: {stages: 2}}")
    page = Outline(shown(run, "--format", "html"))
    assert first_section(page) == "ranking"
    links = {found["href"] for tag, found in page.tags if tag == "a"}
    assert any(link.startswith("#player=one&opponent=") for link in links)
    text = shown(run)
    assert text.index("Ranking after stage 2") < text.index("Standings")
    assert "Matches" not in text, "the ranking has them"
    assert "Matches" in shown(run, "--full")
