"""What a user gets of one folder: on the screen, in every form of report, on its page, exported."""

from __future__ import annotations

import json
import re
from math import inf
from pathlib import Path

import pandas as pd
import pytest
from support.doors import PLAYED, hold, inside, made, masked, typed
from support.page_texts import page_data, page_text

from arena.commands.report import answer_of
from arena.plugins.load import names
from arena.report.answer import report_text

RUNS = [name for name, (command, *_) in PLAYED.items() if command in ("run", "import")]
folders = pytest.mark.parametrize("name", PLAYED)
runs = pytest.mark.parametrize("name", RUNS)


@folders
def test_the_command_that_plays(name: str, folder: Path, update: bool) -> None:
    hold(f"{name}/played.txt", masked(made(folder, name), folder), update)


@folders
@pytest.mark.parametrize("form", ["table", "markdown", "json"])
def test_the_report(name: str, form: str, folder: Path, update: bool) -> None:
    made(folder, name)
    with inside(folder):
        hold(
            f"{name}/report.{form}.txt",
            masked(str(typed("report", name, "--format", form)), folder),
            update,
        )


def test_the_full_report_of_a_test(folder: Path, update: bool) -> None:
    made(folder, "sprt")
    with inside(folder):
        hold("sprt/report.full.txt", masked(str(typed("report", "sprt", "--full")), folder), update)


@folders
def test_every_frame_as_csv(name: str, folder: Path, update: bool) -> None:
    made(folder, name)
    with inside(folder):
        shown = [str(typed("report", name, "--format", "csv"))]
        contents = answer_of([name], Path("results"), None)
        frames = [*contents.frames, *contents.on_request]
        shown += [f"{each}\n{report_text(contents, 'csv', each)}" for each in frames]
    hold(f"{name}/frames.csv.txt", masked("\n\n".join(shown), folder), update)


@folders
def test_parquet_has_the_rows_of_json_with_their_types(
    name: str, folder: Path, tmp_path: Path, update: bool
) -> None:
    made(folder, name)
    with inside(folder):
        done = typed("report", name, "--format", "parquet", "-o", str(tmp_path))
        rows = json.loads(typed("report", name, "--json").output)
    lines = []
    for line in done.output.splitlines():
        file = Path(line.removeprefix("Wrote "))
        frame = pd.read_parquet(file)
        known = frame.astype(object).where(frame.notna() & ~frame.isin([inf, -inf]), None)
        assert json.loads(json.dumps(known.to_dict("records"))) == rows[file.stem]
        lines += [f"{file.stem}.{column}: {kind}" for column, kind in frame.dtypes.items()]
    hold(f"{name}/parquet.txt", "\n".join(lines) + "\n", update)


@folders
def test_the_page(name: str, folder: Path, update: bool) -> None:
    made(folder, name)
    with inside(folder):
        page = typed("report", name, "--format", "html").output
    assert (folder / "results" / name / "report.html").is_file()
    hold(f"{name}/page.txt", masked(page_text(page), folder), update)
    hold(f"{name}/page_data.txt", masked(page_data(page), folder), update)


@runs
@pytest.mark.parametrize("form", [*names("record format"), "openings"])
def test_the_games_for_other_programs(name: str, form: str, folder: Path, update: bool) -> None:
    made(folder, name)
    with inside(folder):
        hold(
            f"{name}/export.{form}.txt",
            masked(str(typed("export", name, "--format", form)), folder),
            update,
        )


@pytest.mark.parametrize("name", ["round", "sprt", "gauntlet", "study", "fit"])
def test_a_folder_that_is_over_is_shown_again(name: str, folder: Path, update: bool) -> None:
    made(folder, name)
    with inside(folder):
        again = typed(*PLAYED[name], "--workers", "0", FORCE_COLOR="1")
    words = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]|\r|[\u2800-\u28ff]", "", str(again))
    words = re.sub(r"[\d.]+/s,.*left", "... left", words)
    hold(f"{name}/again.txt", masked(words, folder), update)
