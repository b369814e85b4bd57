"""What a user gets of a folder, in every form, and of several together; and a server's pages."""

from __future__ import annotations

import json
import os
import re
from collections import defaultdict
from math import inf
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pytest
from support.doors import COMPARED, NOON, PLAYED, VERSION, hold, inside, made, masked, typed
from support.page_requests import ask, page_of
from support.page_texts import page_data, page_text

from arena.commands.report import answer_of
from arena.comparison.compare import compare
from arena.comparison.comparison_answer import comparison_answer
from arena.plugins.load import names
from arena.ratings.rating_answer import ratings_answer
from arena.ratings.rating_list import rating_list
from arena.report.answer import report_text
from arena.server.watch import across

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


TOGETHER = {
    "report": ["report", "round", "gauntlet"],
    "report_anchored": ["report", "round", "gauntlet", "--anchor", "random=0"],
    "report_study_and_run": ["report", "study", "round"],
    "compare": ["compare", "round", "gauntlet"],
    "compare_markdown": ["compare", "round", "gauntlet", "--format", "markdown"],
    "compare_json": ["compare", "round", "gauntlet", "--json"],
    "compare_deep": ["compare", "shallow", "deep"],
    "compare_deep_gains": ["compare", "shallow", "deep", "--format", "csv", "--frame", "gains"],
    "compare_strangers": ["compare", "imported", "sprt"],
    "compare_study_and_run": ["compare", "study", "round"],
    "compare_study_and_fit": ["compare", "study", "fit"],
    "compare_tests": [
        "compare",
        "study/verification",
        "fit/verification",
        "--format",
        "csv",
        "--frame",
        "gains",
    ],
    "ratings": ["ratings"],
    "ratings_markdown": ["ratings", "--format", "markdown"],
    "ratings_json": ["ratings", "--json"],
    "ratings_players": ["ratings", "--format", "csv", "--frame", "players"],
    "ratings_versions": ["ratings", "--format", "csv", "--frame", "versions"],
    "ratings_history": ["ratings", "--format", "csv", "--frame", "history"],
    "replay": ["replay", "round", "5"],
}


@pytest.mark.parametrize("name", TOGETHER)
def test_the_command(name: str, all_played: Path, update: bool) -> None:
    with inside(all_played):
        text = masked(str(typed(*TOGETHER[name])), all_played)
    hold(f"together/{name}.txt", VERSION.sub("MARK", text) if "ratings" in name else text, update)


def test_a_comparison_as_a_page(all_played: Path, update: bool) -> None:
    with inside(all_played):
        page = typed("compare", "round", "gauntlet", "--format", "html").output
    hold("together/compare_page.txt", masked(page_text(page), all_played), update)


def test_every_frame_has_one_schema_whatever_is_in_it(all_played: Path) -> None:
    with inside(all_played):
        results = Path("results")
        answers = [answer_of([name], results, None) for name in PLAYED]
        answers += [comparison_answer(compare(one, "round")) for one in ("gauntlet", "imported")]
        answers += [comparison_answer(compare("shallow", "deep"))]
        answers += [ratings_answer(rating_list(results))]
        found = defaultdict[str, set[str]](set)
        for answer in answers:
            for name in [*answer.frames, *answer.on_request]:
                schema = pa.Schema.from_pandas(answer.frame(name), preserve_index=False)
                # Two frames of this name: of a run's scores, and of what a fit's weights expect.
                kind = "fit" if name == "reliability" and "weights" in schema.names else ""
                for column, type_ in zip(schema.names, schema.types, strict=True):
                    found[f"{kind}{name}.{column}"].add(str(type_))
    assert len(found) > 200
    assert {name: types for name, types in found.items() if len(types) > 1} == {}
    assert {name for name, types in found.items() if types == {"null"}} == set()


@pytest.mark.parametrize("address", ["/", "/ratings"])
def test_a_page_of_the_server(
    address: str, all_played: Path, update: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(across, "LONGEST_WAIT", 300.0)
    for minute, name in enumerate([*PLAYED, *COMPARED]):
        for file in (all_played / "results" / name).rglob("*"):
            os.utime(file, (NOON, NOON + 60 * minute))  # the list goes by when files were changed
    with inside(all_played), page_of(all_played / "results") as app:
        text = VERSION.sub("MARK", page_text(ask(app, address).text))
    title = address.strip("/") or "runs"
    hold(f"together/server_{title}.txt", masked(text, all_played), update)
