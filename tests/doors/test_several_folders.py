"""What a user gets of several folders together: reports, comparisons, ratings, a server's pages."""

from __future__ import annotations

import os
from collections import defaultdict
from pathlib import Path

import pyarrow as pa
import pytest
from support.doors import COMPARED, NOON, PLAYED, VERSION, hold, inside, masked, typed
from support.page_requests import ask, page_of
from support.page_texts import page_text

from arena.commands.report import answer_of
from arena.comparison.compare import compare
from arena.comparison.comparison_answer import comparison_answer
from arena.ratings.rating_answer import ratings_answer
from arena.ratings.rating_list import rating_list
from arena.server.watch import across

TOGETHER = {
    "report": ["report", "round", "gauntlet"],
    "report_anchored": ["report", "round", "gauntlet", "--anchor", "random=0"],
    "report_study_and_run": ["report", "study", "round"],
    "compare": ["compare", "round", "gauntlet"],
    "compare_markdown": ["compare", "round", "gauntlet", "--format", "markdown"],
    "compare_json": ["compare", "round", "gauntlet", "--json"],
    "compare_deep": ["compare", "shallow", "deep"],
    "compare_deep_gains": [
        "compare",
        "shallow",
        "deep",
        "--format",
        "csv",
        "--frame",
        "gains",
    ],
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
