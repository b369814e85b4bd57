"""The board to think with in a real browser: every control, failures, and clicks at random."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs

import pytest
from support.browsers import SCHEMES, complaints_of, faults_by_axe
from support.page_requests import Served, serving
from support.processes import awaited, children_of
from support.samples import engines_file
from support.sweep import cases

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.slow
PATIENCE = 60_000
CLICKS = 20_000
ENGINES = {
    "quick": "moves = self.game.moves(p)\nreturn Choice(moves[0], len(p.moves), 1, 5, moves[:3])",
    "busy": "while True: pass",
    "dying": "os._exit(3)",
}
SMALL = "game=gomoku&size=7&rule=freestyle"

CLICK_AT_RANDOM = """async (count) => {
  let state = 7;
  const random = (most) => (state = (state * 48271) % 2147483647) % most;
  window.prompt = () => null;
  for (const details of document.querySelectorAll("details")) details.open = true;
  for (let i = 0; i < count; i++) {
    const kind = ["[data-cell]", "button:not([data-cell])", "select", "input", ".move"][random(5)];
    const all = [...document.querySelectorAll(`#analysis ${kind}`)];
    const found = all.filter((each) => each.checkVisibility());
    const one = found[random(found.length || 1)];
    if (one instanceof HTMLSelectElement) {
      const options = [...one.options].filter((each) => !each.disabled);
      one.value = options[random(options.length || 1)]?.value ?? "";
      one.dispatchEvent(new Event("change", { bubbles: true }));
    } else if (one) one.click();
    if (random(50) === 0) history.back();
    if (random(3) === 0) await new Promise((done) => setTimeout(done, random(40)));
  }
}"""


@pytest.fixture(scope="module", name="served")
def fixture_served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("analysed")
    options = ("--engine", str(engines_file(folder, ENGINES)))
    with serving(folder / "results", folder / "state", *options) as served:
        yield served


@contextmanager
def visiting(
    browser: Browser, served: Served, start: str = SMALL, width: int = 1400, **options: Any
) -> Iterator[Page]:
    """The analysis of a position; AssertionError if the page complained about anything."""
    context = browser.new_context(viewport={"width": width, "height": 900}, **options)
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    complaints = complaints_of(page)
    try:
        page.goto(served.address.replace("/?", "/analysis?") + f"#{start}")
        page.wait_for_selector(".board")
        yield page
        assert not complaints
    finally:
        context.close()


@pytest.fixture(name="page")
def fixture_page(browser: Browser, served: Served) -> Iterator[Page]:
    with visiting(browser, served) as page:
        yield page


def click(page: Page, cell: int) -> None:
    """Click a point, and wait until the server has said what can be played there."""
    before = page.get_attribute(".cells", "data-plies")
    page.click(f"[data-cell='{cell}']")
    page.wait_for_function(
        "before => document.querySelector('.cells').dataset.plies !== before"
        " && document.querySelector('.cells .target')",
        arg=before,
    )


def words(page: Page) -> dict[str, list[str]]:
    return parse_qs(page.url.partition("#")[2])


def moves(page: Page) -> list[str]:
    return [
        re.sub(r"\s+", "", text) for text in page.locator(".variations .move").all_inner_texts()
    ]


def stones(page: Page) -> int:
    return page.locator(".board .stone").count()


def thinkers(served: Served) -> list[int]:
    return [pid for warm in children_of(served.process.pid) for pid in children_of(warm)]


def until_nothing_thinks(served: Served) -> None:
    """Half a second, on a machine that does nothing else."""
    awaited(lambda: not thinkers(served), 10)


def test_moves_make_variations_that_keys_and_a_reload_lead_back_to(page: Page) -> None:
    for cell in (24, 25, 17):
        click(page, cell)
    page.keyboard.press("ArrowLeft")
    page.wait_for_selector(".variations [aria-current]:has-text('2.')")
    click(page, 31)
    assert moves(page) == ["1.d4", "2.e4", "3.d5", "3.d3"]
    assert page.locator(".variation .move").all_inner_texts() == ["3. d3"]
    page.keyboard.press("Home")
    page.wait_for_function("() => !document.querySelector('.board .stone')")
    page.keyboard.press("End")
    page.wait_for_function("() => document.querySelectorAll('.board .stone').length === 3")
    page.click(".variation .move")
    page.wait_for_url("**moves=24.25.31&ply=3*")
    page.reload()
    page.wait_for_selector(".variation [aria-current]")
    assert moves(page) == ["1.d4", "2.e4", "3.d5", "3.d3"]
    page.click("text=Delete from here")
    page.wait_for_function("() => !document.querySelector('.variation')")
    assert moves(page) == ["1.d4", "2.e4", "3.d5"]
    page.select_option("[data-coordinates]", "numbers")
    assert moves(page) == ["1.3,3", "2.3,4", "3.2,3"]


def test_an_address_leads_to_its_position_in_a_new_tab(browser: Browser, served: Served) -> None:
    with visiting(browser, served, f"{SMALL}&moves=24.25.31&ply=2") as page:
        page.wait_for_function("() => document.querySelectorAll('.board .stone').length === 2")
        assert moves(page) == ["1.d4", "2.e4", "3.d3"]
        link = page.get_attribute("[data-part=play-on]", "href") or ""
        assert link == f"/play#{SMALL}&moves=24.25"
    with visiting(browser, served, f"{SMALL}&moves=24.24") as page:
        page.wait_for_selector(".failure:has-text('cannot be played as move 2')")
        assert stones(page) == 0


def test_lines_are_marked_and_can_be_played(browser: Browser, served: Served) -> None:
    with visiting(browser, served, f"{SMALL}&moves=24.25&engine=quick&lines=3") as page:
        page.wait_for_selector(".doing:has-text('as far as it does')")
        rows = page.locator(".lines tbody tr").all_inner_texts()
        assert [row.split() for row in rows] == [
            ["1", "+2", "1", "a7b7c7"],
            ["2", "-3", "2", "b7a7c7d7"],
            ["3", "-3", "2", "c7a7b7d7"],
        ]
        assert page.locator(".board .ghost").count() == 3
        page.hover(".lines tbody tr:nth-child(2)")
        assert page.locator(".board .ghost").count() == 4
        page.click(".lines tbody tr:nth-child(2) button:has-text('c7')")
        page.wait_for_url("**moves=24.25.1.0.2&ply=5*")
        assert words(page)["engine"] == ["quick"]


def test_a_position_is_set_up_by_stones_and_by_text(page: Page) -> None:
    page.click("summary:has-text('Set up')")
    page.check("text=puts a white stone")
    page.click("[data-cell='8']")
    page.wait_for_selector(".said:has-text('Black needs 1 more')")
    page.check("text=puts a black stone")
    assert stones(page) == 0, "stones that make no position are given up with the choice"
    page.click("[data-cell='9']")
    page.wait_for_url("**moves=9&**")
    page.check("text=plays a move")
    click(page, 10)
    page.select_option("[data-part=paste] select", "offset")
    page.fill("textarea", "0,0, 1,-1")
    page.click("text=Go there")
    page.wait_for_url("**moves=24.18&**")
    page.fill("textarea", "0,0, 0,0")
    page.click("text=Go there")
    page.wait_for_selector("text=d4 cannot be played as move 2")
    page.go_back()
    page.wait_for_url("**moves=9.10&**")


def test_an_engine_that_fails_is_named_and_the_page_goes_on(page: Page) -> None:
    page.select_option("[data-part=engine]", label="dying")
    page.click("text=Think")
    page.wait_for_selector(".failure:has-text('dying failed: crash: exit code 3')")
    page.select_option("[data-part=engine]", label="quick")
    page.wait_for_selector(".doing:has-text('as far as it does')")
    assert page.locator(".failure").inner_text() == ""


@pytest.mark.parametrize("leave", ["stop", "move", "hide", "close"])
def test_thinking_ends_with_what_it_was_for(leave: str, browser: Browser, served: Served) -> None:
    with visiting(browser, served, f"{SMALL}&engine=busy") as page:
        before = awaited(lambda: thinkers(served), 30)
        if leave == "stop":
            page.click("text=Stop")
        elif leave == "move":
            page.select_option("[data-part=engine]", label="quick")
        elif leave == "hide":
            page.evaluate(
                """() => {
                Object.defineProperty(document, "hidden", { value: true });
                document.dispatchEvent(new Event("visibilitychange"));
                }"""
            )
        else:
            page.goto(served.origin + "/play")
            page.wait_for_selector("text=Begin")
        awaited(lambda: not set(before) & set(thinkers(served)), 30)
    until_nothing_thinks(served)


def test_a_game_in_play_leads_to_its_analysis(served: Served, page: Page) -> None:
    page.goto(f"{served.origin}/play#{SMALL}&moves=24.25")
    page.wait_for_selector("text=It starts from a position after 2 moves")
    page.select_option("select[name=second]", label="You")
    page.click("text=Begin")
    page.click("text=Analyse from here")
    page.wait_for_url("**/analysis#**moves=24.25&ply=2*")
    page.wait_for_function("() => document.querySelectorAll('.board .stone').length === 2")


def test_pieces_that_move_are_led_by_arrows(browser: Browser, served: Served) -> None:
    with visiting(browser, served, "game=two_eat_one&engine=random_mover") as page:
        page.wait_for_selector(".board .arrow")
        page.locator(".cells .target").first.click()
        page.locator(".cells .end").first.click()
        page.wait_for_selector(".variations .move:has-text('1. ')")
        page.wait_for_selector(".stand:has-text('after 1 ply')")
        assert not page.is_visible("text=Copy as SGF")
        page.keyboard.press("ArrowLeft")
        page.wait_for_selector(".stand:has-text('after 0 plies')")


def test_renju_shows_what_is_forbidden_and_offers_who_knows_it(
    browser: Browser, served: Served
) -> None:
    moves = "111.0.113.2.97.4.127.6"
    with visiting(browser, served, f"game=renju&moves={moves}") as page:
        page.wait_for_selector(".cells .forbidden[data-cell='112']")
        offered = page.locator("[data-part=engine] option").all_inner_texts()
        assert "strong" in offered
        assert "five_tuple" not in offered


@pytest.mark.parametrize("count", [200, pytest.param(CLICKS, marks=pytest.mark.sweep)])
def test_clicks_at_random_leave_no_process_and_no_complaint(
    count: int, browser: Browser, served: Served
) -> None:
    with visiting(browser, served, f"{SMALL}&engine=quick") as page:
        page.evaluate(CLICK_AT_RANDOM, count if count < CLICKS else cases(CLICKS))
        page.wait_for_selector("#analysis .board")
    until_nothing_thinks(served)


@pytest.mark.parametrize("width", [390, 768, 1400])
@pytest.mark.parametrize("scheme", SCHEMES)
def test_nothing_is_cut_off_or_hard_to_reach(
    width: int, scheme: Any, browser: Browser, served: Served
) -> None:
    start = f"{SMALL}&moves=24.25&engine=quick"
    with visiting(browser, served, start, width, color_scheme=scheme, bypass_csp=True) as page:
        page.wait_for_selector(".doing:has-text('as far as it does')")
        page.click("summary:has-text('Set up')")
        assert not faults_by_axe(page)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        board = page.locator(".play-board").bounding_box()
        assert board
        assert board["y"] + board["height"] < 900


def test_an_engines_scores_are_win_probabilities_if_the_address_has_its_scale(
    browser: Browser, served: Served
) -> None:
    start = f"{SMALL}&moves=24.17&k=0.1+quick&engine=quick&lines=1"
    with visiting(browser, served, start) as page:
        cell = page.locator("tbody[data-part=lines] tr:first-child td").first
        page.locator(".lines td", has_text="55 %").wait_for()
        assert "Win probability for Black" in page.locator("[data-part=score-title]").inner_text()
        page.get_by_label("Scores in own units").check()
        assert cell.inner_text() == "+2"
        assert page.locator("[data-part=score-title]").inner_text() == "Score for Black"
        assert words(page)["k"] == ["0.1 quick"]
        page.locator("[data-part=engine]").select_option(label="busy")
        assert not page.get_by_label("Scores in own units").is_visible()
