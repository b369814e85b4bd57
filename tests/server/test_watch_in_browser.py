"""Runs that are watched in a real browser: from the first game to the last, through faults."""

from __future__ import annotations

import os
import re
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from pathlib import Path
from subprocess import Popen
from typing import TYPE_CHECKING, Any

import pytest
from support.browsers import SCHEMES, WIDTHS, complaints_of, faults_by_axe
from support.foreign_runs import MARKUP, foreign_run
from support.page_requests import Served, serving
from support.processes import workers_of
from support.samples import Write
from support.watched_run import watched_run

from arena.server.watch.run_list import RunFolders
from arena.storage.folder import is_asked_to_stop

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

pytestmark = pytest.mark.slow

Visit = Callable[[str], AbstractContextManager["Page"]]
PATIENCE = 60_000  # Milliseconds; the machine may be busy


@contextmanager
def entered(browser: Browser, page: Served, **options: Any) -> Iterator[BrowserContext]:
    """A browser that was given the address."""
    context = browser.new_context(**options)
    context.set_default_timeout(PATIENCE)
    try:
        tab = context.new_page()
        tab.goto(page.address)
        tab.close()
        yield context
    finally:
        context.close()


@contextmanager
def tab_at(context: BrowserContext, page: Served, path: str, width: int = 1400) -> Iterator[Page]:
    """A page of the server; AssertionError if it complained about anything."""
    tab = context.new_page()
    complaints = complaints_of(tab)
    tab.set_viewport_size({"width": width, "height": 900})
    tab.on("dialog", lambda each: complaints.append(each.message))
    tab.goto(page.origin + path)
    yield tab
    assert not complaints
    tab.close()


@contextmanager
def watched_tab(
    browser: Browser, write: Write, folder: Path, openings: int, seconds: float
) -> Iterator[tuple[Page, Popen[Any]]]:
    """A run at play, in a tab, and the process that plays it: see `watched_run`."""
    results = folder / "results"
    with (
        serving(results, folder / "state") as page,
        entered(browser, page) as context,
        watched_run(write, results, openings, seconds) as process,
        tab_at(context, page, path_of(results)) as tab,
    ):
        tab.locator(".live-board .stone").first.wait_for()
        yield tab, process


def path_of(results: Path, name: str = "watched") -> str:
    return next(f"/runs/{each.id}" for each in RunFolders(results).runs() if each.name == name)


def stones(tab: Page, board: int = 0) -> int:
    return tab.locator(".live-board").nth(board).locator(".stone").count()


def until(tab: Page, script: str) -> None:
    """Wait until this is true; the page's policy does not allow playwright's own way."""
    end = time.monotonic() + PATIENCE / 1000
    while not tab.evaluate(script):
        assert time.monotonic() < end, script
        tab.wait_for_timeout(50)


def test_a_run_is_watched_from_its_first_game_to_its_last_while_a_worker_is_killed(
    browser: Browser, write: Write, tmp_path: Path
) -> None:
    with watched_tab(browser, write, tmp_path, 10, 0.25) as (tab, process):
        tab.locator(".live-board").nth(1).wait_for()
        until(tab, "/^[0-9]+[/]20 .+ - watched - gomoku-arena$/.test(document.title)")
        before = stones(tab)
        until(tab, f"document.querySelectorAll('.live-board .stone').length > {before + 2}")
        remark = tab.locator(".live-board .remark").first
        assert re.search(r"score [+-]?\d+, depth 3, 900 nodes", remark.inner_text())
        os.kill(workers_of(process)[-1], signal.SIGKILL)
        look_back(tab)
        until(tab, "parseInt(document.querySelector('[data-part=pulse]').textContent) >= 3")
        tab.locator("#colours summary").click()
        assert process.wait(120) == 0
        tab.locator("#live").wait_for(state="hidden")
        verdict = tab.locator(".verdict strong")
        # The last games are told at once, the verdict on them with the next report.
        until(tab, "/^(?!.* yet)[^0-9].+ - watched - gomoku-arena$/.test(document.title)")
        assert tab.title() == f"{verdict.inner_text()} - watched - gomoku-arena"
        assert tab.locator(".verdict .next").is_visible()
        count = "document.querySelector('#games [data-part=count]').textContent"
        until(tab, f"{count}.endsWith('20 games')")
        until(tab, "document.querySelector('#report').textContent.includes('complete')")
        assert tab.locator("#colours table").is_visible(), "what was opened stays open"
        rows = tab.locator("#standings tbody").first.locator("tr")
        assert [row.split("\t")[6] for row in rows.all_inner_texts()] == ["20", "20"]


def look_back(tab: Page) -> None:
    """Earlier moves can be looked at while the game goes on."""
    board = tab.locator(".live-board").nth(1)
    steps = board.get_by_role("group")
    until(tab, "document.querySelectorAll('.live-board')[1].querySelectorAll('.stone').length > 4")
    steps.get_by_role("button", name="One ply back").click()
    steps.get_by_role("button", name="One ply back").press("Enter")
    shown = board.locator(".stone").count()
    assert re.search(r"of \d+ plies", board.locator(".remark").inner_text())
    tab.wait_for_timeout(700)
    if "held" in (board.get_attribute("class") or ""):
        assert board.locator(".stone").count() == shown
    steps.get_by_role("button", name="To the newest move").click(force=True)
    assert "held" not in (board.get_attribute("class") or "")


def test_seven_tabs_at_once_all_show_the_boards(
    browser: Browser, write: Write, tmp_path: Path
) -> None:
    results = tmp_path / "results"
    with (
        serving(results, tmp_path / "state") as page,
        entered(browser, page) as context,
        watched_run(write, results, 40, 0.1),
    ):
        tabs = [context.new_page() for _ in range(7)]
        for tab in tabs:
            tab.goto(page.origin + path_of(results))
        for tab in tabs:
            tab.locator(".live-board .stone").first.wait_for()
            until(tab, "document.title.includes('/80 ')")


def test_a_page_goes_on_by_itself_once_its_server_is_back(
    browser: Browser, write: Write, tmp_path: Path
) -> None:
    results, state = tmp_path / "results", tmp_path / "state"
    with (
        watched_run(write, results, 60, 0.1),
        serving(results, state) as page,
        entered(browser, page) as context,
    ):
        tab = context.new_page()
        tab.goto(page.origin + path_of(results))
        tab.locator(".live-board .stone").first.wait_for()
        page.process.kill()
        until(tab, "document.querySelector('#trouble').textContent !== ''")
        assert "goes on by itself" in tab.locator("#trouble").inner_text()
        before = tab.locator("[data-part=pulse]").inner_text()
        with serving(results, state, "--port", str(page.port)):
            until(tab, "document.querySelector('#trouble').textContent === ''")
            until(tab, f"document.querySelector('[data-part=pulse]').textContent !== {before!r}")


def test_the_button_stops_the_run_after_the_games_in_flight(
    browser: Browser, write: Write, tmp_path: Path
) -> None:
    with watched_tab(browser, write, tmp_path, 60, 0.02) as (tab, process):
        button = tab.get_by_role("button", name="Stop after the games in flight")
        button.focus()
        tab.keyboard.press("Enter")
        until(tab, "document.querySelector('[data-part=stopped]').textContent !== ''")
        assert is_asked_to_stop(tmp_path / "results" / "watched")
        assert process.wait(60) == 130
        tab.locator("#live").wait_for(state="hidden")


REFUSED = """
    const asked = window.fetch;
    const words = () => new Response('{"error": "Not ours."}', {status: 409, headers});
    const headers = {"content-type": "application/json"};
    window.fetch = (to, options) => (`${to}`.endsWith("/stop") ? words() : asked(to, options));
"""
UNSEEN = """
    Object.defineProperty(document, "hidden", {get: () => true});
    document.title = "before";
    document.dispatchEvent(new Event("visibilitychange"));
"""


def test_a_refusal_to_stop_stays_and_a_tab_that_nobody_sees_tells_the_progress(
    browser: Browser, write: Write, tmp_path: Path
) -> None:
    with watched_tab(browser, write, tmp_path, 60, 0.05) as (tab, _):
        tab.evaluate(f"() => {{ {REFUSED} }}")
        tab.get_by_role("button", name="Stop after the games in flight").click()
        tab.wait_for_timeout(1500)
        assert tab.locator("[data-part=stopped]").inner_text() == "Not ours."
        tab.evaluate(f"() => {{ {UNSEEN} }}")
        until(tab, "document.title.includes('/120 ')")


@pytest.fixture(scope="module", name="page")
def fixture_page(results: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("shown")
    if not (results / "foreign").exists():  # this module may begin again
        foreign_run(results / "foreign", one=MARKUP, detail=MARKUP, reason=MARKUP)
    with serving(results, folder) as page:
        yield page


@pytest.fixture(name="context")
def fixture_context(browser: Browser, page: Served) -> Iterator[BrowserContext]:
    with entered(browser, page) as context:
        yield context


@pytest.fixture(name="visit")
def fixture_visit(context: BrowserContext, page: Served) -> Visit:
    return partial(tab_at, context, page)


PLACES = ["shelf", "round", "half_done_study", "foreign", "compared", "ratings"]


def place(results: Path, name: str) -> str:
    if name == "compared":
        both = [path_of(results, each).removeprefix("/runs/") for each in ("round", "foreign")]
        return f"/compare/{'/'.join(both)}"
    return {"shelf": "/", "ratings": "/ratings"}.get(name) or path_of(results, name)


def wait_for_games(tab: Page) -> None:
    if tab.locator("#run").count():
        tab.locator("#viewer .board .stone").first.wait_for()


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("width", WIDTHS)
def test_no_page_is_wider_than_its_screen_and_none_has_a_fault(
    width: int, scheme: Any, browser: Browser, page: Served, results: Path
) -> None:
    with entered(browser, page, color_scheme=scheme, bypass_csp=True) as context:
        for name in PLACES:
            with tab_at(context, page, place(results, name), width) as tab:
                wait_for_games(tab)
                assert tab.evaluate("document.documentElement.scrollWidth") == width, name
                assert not faults_by_axe(tab), name


def test_boards_at_play_fit_the_screen_and_have_no_grave_fault(
    browser: Browser, write: Write, tmp_path: Path
) -> None:
    results = tmp_path / "results"
    with serving(results, tmp_path / "state") as page, watched_run(write, results, 60, 0.1):
        for scheme in SCHEMES:
            options: Any = {"color_scheme": scheme, "bypass_csp": True}
            with entered(browser, page, **options) as context:
                for width in WIDTHS:
                    with tab_at(context, page, path_of(results), width) as tab:
                        tab.locator(".live-board .stone").first.wait_for()
                        tab.locator("#standings table").first.wait_for()
                        assert tab.evaluate("document.documentElement.scrollWidth") == width
                        assert not faults_by_axe(tab, "#live", is_grave=True)
                        assert is_beside_the_report(tab) == (width > 1000)


def is_beside_the_report(tab: Page) -> bool:
    """True if a lone board stands beside the report, and not above it."""
    return bool(
        tab.evaluate("""() => {
        document.querySelectorAll('.live-board').forEach((each, i) => i && each.remove());
        const board = document.querySelector('.live-board').getBoundingClientRect();
        const table = document.querySelector('#standings table').getBoundingClientRect();
        return table.top < board.bottom && table.left > board.right }""")
    )


def test_the_list_is_searched_as_one_types_and_filtered_by_state_player_and_day(
    visit: Visit, results: Path
) -> None:
    rows = "[...document.querySelectorAll('#run-list tbody th a')].map(each => each.textContent)"
    with visit("/") as tab:
        assert len(tab.evaluate(rows)) > 2
        tab.get_by_role("searchbox", name="Search").press_sequentially("HALF done", delay=20)
        until(tab, "location.search === '?search=HALF+done'")
        until(tab, f"{rows}.join() === 'half_done_study'")
        assert tab.url.endswith("/?search=HALF+done")
        assert tab.evaluate("document.activeElement.name") == "search"
        tab.get_by_label("State").select_option("being played")
        tab.get_by_text("No run here is being played and is named HALF done.").wait_for()
        tab.reload()
        assert tab.get_by_role("searchbox", name="Search").input_value() == "HALF done"
        assert tab.get_by_label("State").input_value() == "being played"
        tab.get_by_role("searchbox", name="Search").fill("")
        tab.get_by_text("No run here is being played.").wait_for()
        tab.get_by_label("State").select_option("complete")
        until(tab, f"{rows}.includes('round')")
        tab.get_by_role("searchbox", name="Search").focus()
        tab.keyboard.press("Enter")
        assert tab.url.endswith("/?state=complete")
        tab.goto(tab.url.partition("?")[0])
        tab.get_by_label("Player").fill("two")
        until(tab, f"{rows}.includes('round') && !{rows}.includes('half_done_study')")
        tab.get_by_label("From").fill("2999-01-01")
        tab.get_by_text(
            "No run here was played with two and was played from 2999-01-01."
        ).wait_for()
        tab.reload()
        assert tab.url.endswith("/?player=two&from=2999-01-01")
        assert tab.get_by_label("From").input_value() == "2999-01-01"
        assert tab.get_by_label("Player").input_value() == "two"


def test_names_that_are_markup_run_nothing(visit: Visit, results: Path) -> None:
    with visit(path_of(results, "foreign")) as tab:
        wait_for_games(tab)
        tab.locator("#games tbody button").first.click()
        assert MARKUP in tab.locator("#games h3").inner_text()
        assert tab.locator("#run img").count() == 0


def test_every_control_of_a_run_works_by_keyboard(visit: Visit, results: Path) -> None:
    with visit("/") as tab:
        head = tab.get_by_role("button", name="Games")
        head.focus()
        tab.keyboard.press("Enter")
        assert tab.locator("th[aria-sort]").inner_text() == "Games"
        tab.get_by_role("link", name="round").focus()
        tab.keyboard.press("Enter")
        tab.wait_for_url(f"**{path_of(results, 'round')}*")
        wait_for_games(tab)
        tab.locator("#games tbody button").nth(1).focus()
        tab.keyboard.press("Enter")
        tab.keyboard.press("Home")
        assert tab.locator("#viewer .board .stone").count() == 0
        tab.keyboard.press("ArrowRight")
        assert tab.locator("#viewer .board .stone").count() == 1
        link = tab.get_by_role("link", name="Play on from here")
        start = r"/play#game=gomoku&size=7&rule=freestyle&moves=\d+"  # one stone
        assert re.fullmatch(start, link.get_attribute("href") or "")
        link = tab.get_by_role("link", name="Analyse from here")
        start = r"/analysis#game=gomoku&size=7&rule=freestyle&moves=[\d.]+&ply=1"  # the whole game
        assert re.fullmatch(start, link.get_attribute("href") or "")
        tab.locator("#config summary").last.focus()
        tab.keyboard.press("Enter")
        assert tab.locator("#config pre").last.is_visible()


def test_an_address_may_name_a_game(visit: Visit, results: Path) -> None:
    path = f"{path_of(results, 'round')}#game=5&ply=3"
    with visit(path) as tab:
        wait_for_games(tab)
        assert tab.locator("#games h3").inner_text().startswith("Game 5:")
        assert tab.locator("#viewer .board .stone").count() == 3


def test_a_run_that_is_not_there_yet_comes_up_by_itself(
    context: BrowserContext, page: Served, results: Path
) -> None:
    tab = context.new_page()
    foreign_run(results / "later")
    path = path_of(results, "later")
    (results / "later" / "config.yaml").rename(results / "later" / "hidden")
    tab.goto(page.origin + path)
    assert "shows it by itself" in tab.locator("main").inner_text()
    (results / "later" / "hidden").rename(results / "later" / "config.yaml")
    tab.locator("#viewer .board .stone").first.wait_for()


def test_two_ticked_runs_are_compared_and_ticks_outlive_a_new_list(
    visit: Visit, results: Path
) -> None:
    with visit("/") as tab:
        tab.get_by_label("Compare round").check()
        tab.get_by_label("Compare foreign").check()
        tab.evaluate("document.querySelector('#run-list table').dataset.old = 'yes'")
        (results / "round" / "config.yaml").touch()  # a later moment is listed
        os.utime(results / "round" / "arena.db", (1e9, 1e9))
        until(tab, "!document.querySelector('#run-list table').dataset.old")
        assert tab.get_by_label("Compare round").is_checked()
        tab.get_by_role("button", name="Compare the two").click()
        tab.wait_for_url("**/compare/*/*")
        tab.get_by_role("heading", name="Side by side", exact=True).wait_for()
        tab.get_by_role("button", name="after").first.click()
        assert tab.locator("th[aria-sort]").count() == 1
        assert tab.locator("img").count() == 0
        tab.get_by_role("link", name="The other way round").click()
        tab.get_by_role("heading", name="Side by side", exact=True).wait_for()
        tab.get_by_role("link", name="Runs").click()
        tab.get_by_role("link", name="Ratings").click()
        tab.get_by_role("heading", name="Ratings over all runs By").wait_for()
