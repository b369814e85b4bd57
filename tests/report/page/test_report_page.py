"""The report of a run as a page: whole, closed in itself, and names are text everywhere."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from support.edited_runs import edit, edited_games
from support.html_outlines import Outline
from support.reports import report, schedule_of, shown
from support.samples import ROUND, Write

import arena
from arena.report.answer import report_text
from arena.report.page.assets import Inline
from arena.report.run_answer import run_answer

TEST = """
    name: test
    game: tictactoe
    format: {sprt: {elo0: 0, elo1: 200, alpha: 0.2, beta: 0.2, pairs: 20}}
    engines:
      - {name: one, engine: random_mover}
      - {name: two, engine: random_mover}
"""
EVIL = "</script></title></style>--><img src=x onerror=alert(1)>'\"&{{ 1 }}"


def page_of(run: arena.Run) -> Outline:
    return Outline(report_text(run_answer(run.report()), "html"))


@pytest.fixture(scope="module", name="played")
def fixture_played(tmp_path_factory: pytest.TempPathFactory) -> arena.Run:
    folder = tmp_path_factory.mktemp("played")
    (folder / "round.yaml").write_text(ROUND)
    return arena.run(folder / "round.yaml", workers=0, results=folder)


@pytest.fixture(scope="module", name="page")
def fixture_page(played: arena.Run) -> Outline:
    return page_of(played)


def test_ids_are_unique_and_every_link_leads_somewhere(page: Outline) -> None:
    assert len(set(page.ids)) == len(page.ids)
    links = {found["href"] for tag, found in page.tags if tag == "a"}
    assert {link[1:] for link in links if not re.match("#(game|player)=", link)} <= set(page.ids)
    labelled = [found["aria-labelledby"] for _, found in page.tags if "aria-labelledby" in found]
    assert set(labelled) <= set(page.ids)


def test_headings_are_in_order_and_the_page_says_its_language(page: Outline) -> None:
    assert page.headings[0] == 1
    assert page.headings.count(1) == 1
    assert all(low <= high + 1 for high, low in zip(page.headings, page.headings[1:], strict=False))
    assert dict(page.tags)["html"]["lang"] == "en"


def test_the_policy_allows_nothing_but_the_scripts_and_styles_of_the_page(page: Outline) -> None:
    (policy,) = [found["content"] for _, found in page.tags if "http-equiv" in found]
    assert policy.startswith("default-src 'none'; ")
    for tag, found, text in page.inline:
        if found.get("type") not in ("application/json", "text/plain"):
            assert f"{tag}-src '{Inline(text).digest}'" in policy
    assert "unsafe" not in policy
    assert not [found for _, found in page.tags if "style" in found]
    assert not [name for _, found in page.tags for name in found if name.startswith("on")]


def test_nothing_is_fetched(page: Outline) -> None:
    sources = [found.get("src") or found.get("href", "") for _, found in page.tags]
    assert not [source for source in sources if source and source[0] != "#" and source != "data:,"]


def test_every_picture_has_words(page: Outline) -> None:
    drawings = [found for tag, found in page.tags if tag == "svg"]
    assert len(drawings) > 10
    assert all(each["role"] == "img" and each["aria-label"] for each in drawings)


def test_several_runs_are_one_page_and_a_faulty_game_is_named_with_its_run(
    write: Write, tmp_path: Path
) -> None:
    for name in ("one", "two"):
        file = write(ROUND + f"    name: {name}\n", f"{name}.yaml")
        run = arena.run(file, workers=0, results=tmp_path)
    edit(run.folder, "UPDATE games SET reason = 'time' WHERE id = 1")
    found = arena.report_runs(["one", "two"], results=tmp_path)
    page = Outline(report_text(run_answer(found), "html"))
    assert page.data["runs"] == ["one", "two"]
    assert [each["run"] for each in page.data["games"]] == [0] * 12 + [1] * 12
    assert "Several runs reported as one" in page.text
    assert "one: as it was written" in page.text
    (link,) = [each["href"] for tag, each in page.tags if tag == "a" and "game=" in each["href"]]
    assert re.fullmatch("#run=1&game=[0-9]+", link)


def test_games_belong_to_their_run_beside_one_without_any(write: Write, tmp_path: Path) -> None:
    for name in ("one", "two"):
        file = write(ROUND + f"    name: {name}\n", f"{name}.yaml")
        arena.run(file, workers=0, results=tmp_path, stop=lambda name=name: name == "one")
    found = arena.report_runs(["one", "two"], results=tmp_path)
    page = Outline(report_text(run_answer(found), "html"))
    assert page.data["runs"] == ["one", "two"]
    assert {each["run"] for each in page.data["games"]} == {1}


@pytest.mark.slow
def test_a_test_is_shown_beside_matches_that_are_none(write: Write, tmp_path: Path) -> None:
    knockout = re.sub(r"sprt: {.*}}", "knockout: {}}", TEST).replace("name: test", "name: cup")
    for text, name in ((knockout, "cup"), (TEST, "test")):
        arena.run(write(text, f"{name}.yaml"), workers=0, results=tmp_path)
    found = arena.report_runs(["cup", "test"], results=tmp_path)
    page = Outline(report_text(run_answer(found), "html"))
    labels = [each["aria-label"] for tag, each in page.tags if tag == "svg"]
    assert len([label for label in labels if "LLR" in label]) == 1
    assert not re.search(r"\bnan\b", page.text)


@pytest.mark.slow
@pytest.mark.parametrize(
    "pairs",
    [
        [("a", "b", None, None)],
        [("a", "b", 1, 2)] * 3,
        [("a", "b", 1, 2), ("b", "c", 1, 2), ("a", "c", 2, 1), ("d", "e", None, 1)],
    ],
    ids=["one draw", "all won", "two groups"],
)
def test_any_results_make_a_page(pairs: list[tuple[str, str, int | None, int | None]]) -> None:
    names = sorted({name for one, other, *_ in pairs for name in (one, other)})
    text = shown(report(names, schedule_of(*pairs)), "html")
    assert not re.search(r"\bnan\b", text.split("<main")[1].split("<script")[0])
    Outline(text)


def test_a_frame_alone_is_a_page_with_one_table(played: arena.Run) -> None:
    page = Outline(report_text(run_answer(played.report()), "html", "games"))
    assert [tag for tag, _ in page.tags].count("table") == 1
    assert "games" not in page.ids


def evil_run(file: Path) -> arena.Run:
    """A run of others, with markup in all that they could write into it."""
    run = arena.run(file, workers=0, results=file.parent)
    evil = {"detail": EVIL, "reason": "time"}
    edited_games(run.folder, lambda game: replace(game, **evil))
    edit(run.folder, "UPDATE games SET reason = ? WHERE id % 2", values=(EVIL,))
    return run


def test_names_are_text_everywhere(write: Write) -> None:
    quoted = "'" + EVIL.replace("'", "''") + "'"
    run = evil_run(write(ROUND.replace("name: one", f"name: {quoted}")))
    page = page_of(run)
    assert "img" not in {tag for tag, _ in page.tags}
    assert "<img" not in run._repr_html_()
    assert [tag for tag, *_ in page.inline if tag == "script"] == ["script"] * 2
    assert EVIL in page.text
    assert EVIL in page.data["players"]
    assert {each["detail"] for each in page.data["games"]} == {EVIL}


def test_the_config_is_what_its_user_wrote_then_every_default(write: Write, tmp_path: Path) -> None:
    file = write(ROUND + "    rounds: 1  # my own words\n")
    run = arena.run(file, workers=0, results=tmp_path)
    text = page_of(run).text
    own, whole = text.index("round: as it was written"), text.index("round: with every default")
    assert own < text.index("# my own words") < whole < text.index("max_plies", whole)
    arena.run(replace(run.config, written=""), workers=0, results=tmp_path)
    assert "as it was written" not in page_of(run).text, "not of a file that was read before"
