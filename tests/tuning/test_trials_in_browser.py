"""The trials of a study in a real browser: read by mouse and by keys, sorted and filtered."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count, pairwise
from pathlib import Path
from textwrap import dedent
from typing import TYPE_CHECKING, Any

import pytest
from support.browsers import SCHEMES, complaints_of, node_module, opened
from support.page_requests import Served, serving
from support.studies import COIN, STUDY

import arena
from arena.report.export import save
from arena.server.watch.run_folders import RunFolders
from arena.tuning.report.study_answer import study_answer

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

pytestmark = pytest.mark.slow

MARKUP = "</script><img src=x onerror=document.title='run'>"
HOSTILE = COIN.replace("sulks: bool = False", f'sulks: Literal["no", "{MARKUP}"] = "no"').replace(
    "0.1 if sulks", '0.1 if sulks != "no"'
)
HOSTILE = HOSTILE.replace("from typing import Annotated", "from typing import Annotated, Literal")
MANY = STUDY.replace("games: 8", "games: 4")
CHOICES = STUDY.replace("[weight, power]", "[weight, power, sulks]").replace("spsa", "random")


@pytest.fixture(scope="module", name="folder")
def fixture_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three studies with their pages: of points that met, some or many, and of single ones with
    choices."""
    folder = tmp_path_factory.mktemp("studies")
    (folder / "coin.py").write_text(HOSTILE)
    for name, text in (("met", STUDY), ("single", CHOICES), ("many", MANY)):
        (folder / f"{name}.yaml").write_text(dedent(text).lstrip("\n"))
        study = arena.tune(folder / f"{name}.yaml", workers=0, results=folder / "results")
        save(study_answer(study), "html", None, folder / f"{name}.html")
    return folder


def rows(page: Page) -> list[list[str]]:
    """The rows of the table, as far as they are shown."""
    found = page.locator("#trials tbody tr").all()
    return [row.locator("th, td").all_inner_texts() for row in found]


def dots(page: Page) -> list[tuple[str | None, str | None]]:
    found = page.locator("#trials circle.played").all()
    return [(dot.get_attribute("cx"), dot.get_attribute("cy")) for dot in found]


def words(page: Page) -> str:
    return page.locator("#trials .tip").inner_text()


def shown_at(page: Page, row: list[str]) -> None:
    """Check that the words beside a point are those of its row of the table."""
    heads = page.locator("#trials thead th").all_inner_texts()
    told = dict(zip(heads, row, strict=True))
    said = words(page)
    weight, power = (told[name].partition(" : ")[0] for name in ("weight", "power"))
    assert said.startswith(f"trial {told['trial']}, plus, Elo {told['Elo']}, ")
    assert said.endswith(f": weight={weight}, power={power}")


def over(dot: Locator, page: Page) -> None:
    box = dot.bounding_box()
    assert box
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def test_a_point_says_what_it_is_by_mouse_and_in_the_words_of_the_table(
    browser: Browser, folder: Path
) -> None:
    with opened(browser, folder / "met.html") as page:
        assert page.locator("#trials .tip").is_hidden()
        page.locator("#trials").scroll_into_view_if_needed()
        page.locator("#trials select[name=across]").select_option("trial")
        page.locator("#trials select[name=upwards]").select_option("Elo")
        over(page.locator("#trials circle.played").nth(2), page)
        shown_at(page, rows(page)[1])
        page.mouse.move(2, 2)
        assert page.locator("#trials .tip").is_hidden()


def test_the_points_of_a_slice_say_what_they_are_and_can_be_chosen(
    browser: Browser, folder: Path
) -> None:
    with opened(browser, folder / "met.html") as page:
        place = page.locator("#slices .chart-place").first
        place.focus()
        page.keyboard.press("Home")
        said = place.locator(".tip").inner_text()
        assert "weight=" in said
        ring = place.locator(".pointed").bounding_box()
        assert ring
        page.mouse.move(2, 2)
        page.mouse.move(ring["x"] + ring["width"] / 2, ring["y"] + ring["height"] / 2)
        assert place.locator(".tip").inner_text() == said
        page.keyboard.press("Enter")
        assert page.locator("#trials [data-part=point]").inner_text() == said


def test_keys_go_from_point_to_point_and_choose_one(browser: Browser, folder: Path) -> None:
    with opened(browser, folder / "met.html") as page:
        page.locator("#trials select[name=across]").select_option("trial")
        page.locator("#trials select[name=upwards]").select_option("Elo")
        page.get_by_role("group", name="Points").focus()
        page.keyboard.press("ArrowRight")
        assert words(page).startswith("trial 1, ")
        page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowRight")
        assert words(page).startswith("trial 2, ")
        page.keyboard.press("End")
        assert words(page).startswith("trial 15, ")
        page.keyboard.press("Home")
        page.keyboard.press("Enter")
        chosen = page.locator("#trials tr[aria-current]").locator("th, td").all_inner_texts()
        shown_at(page, chosen)
        assert page.locator("#trials [data-part=point]").inner_text() == words(page)
        games = page.locator("#trials [data-part=games]").inner_text()
        assert games == "Its games: 1 to 8 of the study. arena serve shows them."
        page.keyboard.press("Escape")
        assert page.locator("#trials .tip").is_hidden()


def test_both_lists_change_the_chart(browser: Browser, folder: Path) -> None:
    with opened(browser, folder / "met.html") as page:
        seen = [dots(page)]
        for name, axis in (("across", "trial"), ("upwards", "Elo"), ("across", "power")):
            page.locator(f"#trials select[name={name}]").select_option(axis)
            seen.append(dots(page))
        assert [len(each) for each in seen] == [30] * 4
        assert all(one != other for one, other in pairwise(seen))
        labels = page.locator("#trials svg .label").all_text_contents()
        assert labels == ["power", "Elo"]
        assert page.locator("#trials .square").count() == 0
        page.locator("#trials select[name=upwards]").select_option("weight")
        assert page.locator("#trials .square").count() > 0


def test_two_points_that_met_have_one_row(browser: Browser, folder: Path) -> None:
    with opened(browser, folder / "met.html") as page:
        found = rows(page)
        assert [row[0] for row in found] == [str(number) for number in range(1, 16)]
        ends = [tuple(map(float, row[-2].split(" : "))) for row in found]
        assert any(one != other for one, other in ends)
        page.locator("#trials thead").get_by_role("button", name="weight").click()
        largest = [float(row[-2].partition(" : ")[0]) for row in rows(page)]
        assert largest == sorted(map(max, ends), reverse=True)


def test_a_column_sorts_all_points_and_not_only_those_shown(browser: Browser, folder: Path) -> None:
    with opened(browser, folder / "many.html") as page:
        assert len(rows(page)) == 20
        button = page.locator("#trials thead").get_by_role("button", name="weight")
        button.click()
        weights = [float(row[-2].partition(" : ")[0]) for row in rows(page)]
        assert weights == sorted(weights, reverse=True)
        button.press("Enter")
        page.get_by_role("button", name="More rows").click()
        weights = [float(row[-2].partition(" : ")[0]) for row in rows(page)]
        assert weights == sorted(weights)
        assert len(weights) == 30
        assert page.get_by_role("button", name="More rows").is_hidden()


def test_filters_reduce_the_rows_and_the_dots(browser: Browser, folder: Path) -> None:
    with opened(browser, folder / "met.html") as page:
        page.locator("#trials summary").click()
        page.get_by_label("Elo, at least").fill("1")
        page.get_by_label("trial, at most").fill("9")
        found = rows(page)
        assert found
        assert all(row[1].startswith("+") and int(row[0]) <= 9 for row in found)
        assert len(dots(page)) == len(found)
        count = page.locator("#trials [data-part=count]")
        assert count.inner_text() == f"{len(found)} of 30 points, of {len(found)} trials"
        page.get_by_label("Elo, at least").fill("100000")
        assert rows(page) == []
        page.get_by_role("button", name="All points").click()
        until(page, lambda: len(dots(page)) == 30)


def until(page: Page, is_so: Callable[[], bool]) -> None:
    for _ in range(600):
        if is_so():
            return
        page.wait_for_timeout(50)
    raise AssertionError("it is still not so")


def test_choices_are_told_by_name_and_none_of_them_is_markup(
    browser: Browser, folder: Path
) -> None:
    with opened(browser, folder / "single.html") as page:
        page.locator("#trials select[name=upwards]").select_option("sulks")
        page.locator("#trials summary").click()
        page.locator("#trials").get_by_label("sulks", exact=True).select_option(MARKUP)
        found = rows(page)
        assert found
        assert {row[-1] for row in found} == {MARKUP}
        page.get_by_role("group", name="Points").focus()
        page.keyboard.press("ArrowRight")
        assert words(page).endswith(f"sulks={MARKUP}")
        assert page.locator("img").count() == 0
        assert page.title() != "run"


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("width", [390, 768, 1400])
def test_it_fits_every_screen_and_axe_finds_no_fault(
    width: int, scheme: Any, browser: Browser, folder: Path
) -> None:
    script = node_module("axe-core/axe.min.js").read_text(encoding="utf-8")
    page_options: dict[str, Any] = {"color_scheme": scheme, "bypass_csp": True}
    with opened(browser, folder / "single.html", width, **page_options) as page:
        page.locator("#trials summary").click()
        page.locator("#trials tbody button").first.click()
        page.get_by_role("group", name="Points").focus()
        page.keyboard.press("End")
        assert page.evaluate("document.documentElement.scrollWidth") == width
        for chart in page.locator("svg.plot, svg.pane").all():
            box = chart.bounding_box()
            assert box
            assert box["x"] >= 0
            assert box["x"] + box["width"] <= width
        page.evaluate(script)
        found = page.evaluate("axe.run('#trials').then(each => each.violations)")
        assert not [(each["id"], [node["html"] for node in each["nodes"]]) for each in found]


def test_trials_that_are_added_leave_what_a_reader_has_asked(
    browser: Browser, folder: Path, tmp_path: Path
) -> None:
    file, results = folder / "grows.yaml", tmp_path / "results"
    file.write_text(dedent(STUDY).lstrip("\n"))
    looks = count()
    arena.tune(file, workers=0, results=results, stop=lambda: next(looks) >= 60)
    with serving(results, tmp_path / "state") as server, entered(browser, server) as page:
        page.goto(f"{server.origin}/runs/{RunFolders(results).runs()[0].id}")
        told = page.locator("#trials [data-part=count]")
        until(page, lambda: " of 14 points" in told.inner_text())
        page.locator("#trials select[name=across]").select_option("trial")
        page.locator("#trials summary").click()
        page.get_by_label("trial, at least").fill("5")
        page.get_by_role("button", name="Trial 6", exact=True).click()
        before = page.locator("#trials [data-part=point]").inner_text()
        arena.tune(file, workers=0, results=results)
        until(page, lambda: told.inner_text() == "22 of 30 points, of 11 trials")
        assert page.locator("#trials select[name=across] >> option:checked").inner_text() == "trial"
        chosen = page.locator("#trials tr[aria-current]").locator("th, td").all_inner_texts()
        assert chosen[0] == "6"
        assert page.locator("#trials [data-part=point]").inner_text() == before


@contextmanager
def entered(browser: Browser, server: Served) -> Iterator[Page]:
    """A tab that was given the address; AssertionError if it complained about anything."""
    context = browser.new_context()
    context.set_default_timeout(60_000)
    page = context.new_page()
    complaints = complaints_of(page)
    try:
        page.goto(server.address)
        yield page
        assert not complaints
    finally:
        context.close()


def test_where_it_is_served_a_point_leads_to_its_games_and_the_study_to_its_proof(
    browser: Browser, folder: Path, tmp_path: Path
) -> None:
    results = folder / "results"
    ids = {each.name: each.id for each in RunFolders(results).runs()}
    with serving(results, tmp_path) as server, entered(browser, server) as page:
        page.goto(f"{server.origin}/runs/{ids['met']}")
        page.locator("#viewer .board .stone").first.wait_for(state="attached")
        page.get_by_role("button", name="Trial 2", exact=True).click()
        links = page.locator("#trials [data-part=games] a")
        assert links.all_inner_texts() == [str(number) for number in range(9, 17)]
        links.nth(2).click()
        until(page, lambda: page.locator("#games h3").first.inner_text().startswith("Game 11"))
        page.get_by_role("link", name="verification").click()
        page.wait_for_url(re.compile(f"/runs/{ids['met/verification']}"))
