"""The page to play in a real browser: whole games, every control, and a server that goes away."""

from __future__ import annotations

import re
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from support.browsers import SCHEMES, WIDTHS, complaints_of, faults_by_axe
from support.page_requests import Served, serving
from support.pixels import SHADES, colour_at

import arena

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.slow
PATIENCE = 60_000
SEATS = ("first", "second")


@pytest.fixture(scope="module", name="served")
def fixture_served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("played")
    with serving(folder / "results", folder / "state") as served:
        yield served


@contextmanager
def visiting(browser: Browser, served: Served, width: int = 1400, **options: Any) -> Iterator[Page]:
    """The page to play; AssertionError if it complained about anything."""
    context = browser.new_context(viewport={"width": width, "height": 900}, **options)
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    complaints = complaints_of(page)
    page.on("dialog", lambda dialog: dialog.accept())
    try:
        page.goto(served.address.replace("/?", "/play?"))
        page.wait_for_selector("button:text('Begin')")
        yield page
        assert not complaints
    finally:
        context.close()


@pytest.fixture(name="page")
def fixture_page(browser: Browser, served: Served) -> Iterator[Page]:
    with visiting(browser, served) as page:
        yield page


def begin(page: Page, game: str, first: str, second: str, **values: str) -> None:
    page.select_option("select[name=game]", game)
    for name, value in values.items():
        page.select_option(f"select[name=value-{name}]", value)
    page.select_option("select[name=first]", label=first)
    page.select_option("select[name=second]", label=second)
    page.select_option("select[name=limit]", label="2 plies deep")
    page.click("text=Begin")
    ready(page)


def ready(page: Page) -> str:
    """Wait until the person is to move, or the game is over: how it stands."""
    words = "Your move|to move|wins|draw|Stay White|Lay three"
    place = page.locator(f"[data-part=stand]:text-matches('{words}')")
    place.wait_for()
    return place.inner_text()


def plies(page: Page) -> int:
    return page.locator(".board .stone").count()


def move(page: Page) -> None:
    """Click a move that can be played, and wait until the page has heard of it."""
    before = page.get_attribute(".cells", "data-plies")
    target = page.locator(".cells .target:not(.forbidden)")
    target.nth(target.count() // 2).click()
    if page.locator(".cells .from").count():
        chosen = page.locator(".cells .from").get_attribute("data-cell")
        ends = page.locator(".cells .target")
        stones = {each.get_attribute("data-cell") for each in ends.all()}
        origins = set(
            page.evaluate("""() => [...document.querySelectorAll(".cells .target")]
            .filter((each) => !each.getAttribute("aria-label").includes("empty"))
            .map((each) => each.dataset.cell)""")
        )
        end = min(stones - origins - {chosen})
        page.click(f"[data-cell='{end}']")
    page.wait_for_function(
        "before => document.querySelector('.cells').dataset.plies !== before", arg=before
    )


@pytest.mark.parametrize(
    ("game", "engine", "values"),
    [
        ("gomoku", "balance", {"size": "9"}),
        ("renju", "balance", {}),
        ("tictactoe", "minimax", {}),
        ("two_eat_one", "piece_count", {}),
    ],
)
def test_a_whole_game_is_played_to_its_end_by_clicks(
    game: str, engine: str, values: dict[str, str], browser: Browser, served: Served
) -> None:
    with visiting(browser, served) as page:
        begin(page, game, "You", engine, **values)
        while "move" in ready(page):
            move(page)
        kept = page.locator("[data-part=kept]").inner_text()
        end = page.locator("[data-part=stand]").inner_text()
        page.click("text=Look at it")
        page.wait_for_selector(f"#viewer [data-part=end]:text-is('{end}')")
        page.click("text=Play on from here")
        page.wait_for_selector("text=It starts from a position after")
    found = re.match(r"Kept as game (\d+) of (human-\w+); to see it again: arena replay", kept)
    assert found
    assert found[2] == f"human-{game}"


def test_the_form_proposes_the_opponent_of_each_game(page: Page) -> None:
    def seats() -> list[str]:
        chosen = "select => select.selectedOptions[0].text"
        return [page.eval_on_selector(f"select[name={seat}]", chosen) for seat in SEATS]

    assert seats() == ["You", "strong:level=5"]
    page.select_option("select[name=game]", "tictactoe")
    assert seats() == ["You", "minimax"]
    page.select_option("select[name=game]", "renju")
    assert seats() == ["You", "strong:level=5"]


def test_every_control_works_by_keyboard(page: Page) -> None:
    page.focus("select[name=game]")
    page.keyboard.type("tic")
    page.focus("select[name=second]")
    page.keyboard.type("minimax")
    page.focus("text=Begin")
    page.keyboard.press("Enter")
    ready(page)
    page.focus(".cells [tabindex='0']")
    for key in ("ArrowUp", "ArrowLeft", "ArrowLeft", "Enter"):
        page.keyboard.press(key)
    page.wait_for_selector(".cells[data-plies='2']")
    assert page.get_attribute("[data-cell='0']", "aria-label") == "a3, first"
    ready(page)
    press(page, "Hint")
    page.wait_for_selector("text=minimax would play")
    page.wait_for_selector(".cells .hint")
    press(page, "Take back")
    page.wait_for_selector(".cells[data-plies='0']")
    page.wait_for_selector("text=Taken back.")
    assert "1 take-back, 1 hint" in page.inner_text("[data-part=help]")
    ready(page)
    page.focus(".cells [tabindex='0']")
    page.keyboard.press("Enter")
    page.wait_for_selector(".cells[data-plies='2']")
    for name, ply in (("To the start", 0), ("One ply on", 1), ("One ply back", 0)):
        press(page, name)
        assert plies(page) == ply
    press(page, "To the present")
    assert plies(page) == 2
    for name in ("Move numbers", "Evaluation"):
        page.get_by_label(name).focus()
        page.keyboard.press("Space")
    assert page.locator(".board .number").count() == 2
    assert not page.locator("[data-part=scores]").is_visible()
    page.get_by_label("Evaluation").check()
    press(page, "Resign")
    page.wait_for_selector("[data-part=stand]:has-text('minimax wins: resignation')")
    press(page, "New game from here")
    page.wait_for_selector("text=It starts from a position after 2 moves.")
    press(page, "Begin")
    ready(page)
    assert plies(page) == 2
    press(page, "Leave")
    page.wait_for_selector("button:text('Begin')")


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).focus()
    page.keyboard.press("Enter")


def test_forbidden_points_are_shown_and_explained(page: Page) -> None:
    cells = [(7, 6), (0, 0), (7, 8), (0, 2), (6, 7), (0, 4), (8, 7), (0, 6)]
    moves = ".".join(str(row * 15 + column) for row, column in cells)
    page.evaluate("start => location.hash = start", f"game=renju&size=15&moves={moves}")
    page.wait_for_selector("text=It starts from a position after 8 moves.")
    page.select_option("select[name=second]", label="You")
    page.click("text=Begin")
    ready(page)
    assert page.locator(".cells .forbidden").count() == 1
    assert "h8 (double-three: it would make two open threes" in page.inner_text("[data-part=why]")
    page.locator("select[data-coordinates]").select_option("numbers")
    assert "7,7 (double-three" in page.inner_text("[data-part=why]")
    page.locator("select[data-coordinates]").select_option("letters")
    page.click("[data-cell='112']")
    page.wait_for_selector("text=h8 is forbidden here: double-three. It would lose the game.")
    page.get_by_label("Forbidden points").uncheck()
    assert page.locator(".cells .forbidden").count() == 0
    press(page, "Leave")


def test_two_engines_are_watched_and_stopped(page: Page) -> None:
    page.select_option("select[name=game]", "gomoku")
    page.select_option("select[name=first]", label="random_mover")
    page.select_option("select[name=second]", label="random_mover")
    page.click("text=Begin")
    page.wait_for_function("() => Number(document.querySelector('.cells').dataset.plies) > 2")
    assert page.locator(".cells .target").count() == 0
    assert not page.locator("text=Take back").is_visible()
    press(page, "Stop")
    page.wait_for_selector("button:text('Begin')")


def test_a_game_survives_a_reload_and_a_server_that_is_killed(
    browser: Browser, tmp_path: Path
) -> None:
    with serving(tmp_path / "results", tmp_path / "state") as served:
        context = browser.new_context()
        context.set_default_timeout(PATIENCE)
        page = context.new_page()
        page.goto(served.address.replace("/?", "/play?"))
        page.wait_for_selector("button:text('Begin')")
        begin(page, "tictactoe", "You", "minimax")
        page.click("[data-cell='4']")
        page.wait_for_selector(".cells[data-plies='2']")
        page.reload()
        page.wait_for_selector(".cells[data-plies='2']")
        port = str(served.port)
        served.process.send_signal(signal.SIGKILL)
        served.process.wait()
        page.wait_for_selector("text=The server does not answer.")
    with serving(tmp_path / "results", tmp_path / "state", "--port", port):
        page.wait_for_selector("#trouble:empty", state="attached")
        ready(page)
        while "move" in ready(page):
            move(page)
        page.wait_for_selector("text=Kept as game 1 of human-tictactoe")
        context.close()
    games = arena.open_run("human-tictactoe", results=tmp_path / "results").games()
    assert len(games) == 1


def test_seven_tabs_play_at_once(page: Page) -> None:
    begin(page, "tictactoe", "You", "random_mover")
    others = [page.context.new_page() for _ in range(6)]
    for each in others:
        each.goto(page.url)
        each.wait_for_selector(".cells[data-plies='0']")
    page.bring_to_front()
    page.click("[data-cell='4']")
    for each in [page, *others]:
        each.bring_to_front()
        each.wait_for_selector(".cells[data-plies='2']")
    press(page, "Leave")


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("width", WIDTHS)
def test_it_fits_and_has_no_serious_fault(
    width: int, scheme: str, browser: Browser, served: Served
) -> None:
    with visiting(browser, served, width, color_scheme=scheme) as page:
        for is_table in (False, True):
            if is_table:
                begin(page, "renju", "You", "You")
                for cell in (112, 113):
                    page.click(f"[data-cell='{cell}']")
                    page.wait_for_selector(f"[data-cell='{cell}']:not(.target)")
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            assert not faults_by_axe(page, is_grave=True)
        for colour, is_right in SHADES.items():
            for where in ("[data-part=title]", ".board"):
                stone = page.locator(f"#table {where} .stone.{colour}").first
                stone.scroll_into_view_if_needed()
                page.evaluate("document.querySelectorAll('.board .last').forEach(e => e.remove())")
                assert is_right(colour_at(stone)), (where, colour)
        cell = page.locator("[data-cell='0']").bounding_box()
        assert cell
        assert min(cell["width"], cell["height"]) >= 24
        press(page, "Leave")
        page.wait_for_selector("button:text('Begin')")


def lay(page: Page, *cells: int) -> None:
    for cell in cells:
        page.click(f"[data-cell='{cell}']")


@pytest.mark.parametrize("way", ["swap", "stay", "two"])
def test_a_person_chooses_in_an_opening_by_swap2(way: str, page: Page) -> None:
    page.select_option("select[name=opening]", "swap2")
    begin(page, "gomoku", "balance", "You", size="9")
    page.wait_for_selector("text=/Stay White and put down/")
    assert plies(page) == 3
    assert page.locator("[data-part=hint]").is_disabled()
    free = [each for each in range(81) if page.locator(f"[data-cell='{each}'].target").count()]
    if way == "swap":
        page.click("button:text('Take Black')")
        page.wait_for_selector("[data-part=made]:text('human took Black')")
    elif way == "stay":
        lay(page, free[0])
        page.wait_for_selector("[data-part=made]:text('human stayed White')")
    else:
        page.click("button:text('Lay two more')")
        lay(page, free[0])
        page.click("text=Lay anew")
        lay(page, free[1], free[2])
        page.wait_for_selector("[data-part=made]:text('human laid two more')")
    while "move" in ready(page):
        move(page)
    assert "Swap2: balance laid three stones" in page.inner_text("[data-part=stand]")


def test_a_person_lays_the_stones_of_an_opening(browser: Browser, served: Served) -> None:
    with visiting(browser, served, width=390) as page:
        page.select_option("select[name=opening]", "swap2")
        begin(page, "gomoku", "You", "balance", size="9")
        page.wait_for_selector("text=/Lay three stones/")
        lay(page, 40, 30)
        assert plies(page) == 2
        page.reload()
        page.wait_for_selector("text=/Lay three stones/")
        lay(page, 40, 30, 51)
        page.wait_for_selector("[data-part=made]:text('balance')")
        move(page)
        ready(page)
        page.click("text=Take back")
        page.wait_for_selector("text=Taken back")
