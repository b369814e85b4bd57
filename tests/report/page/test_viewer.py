"""The viewer of a page's games, in a real browser: by click, by keyboard, by address."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from support.browsers import SCHEMES, WIDTHS, node_module, opened
from support.html_outlines import Outline

import arena
from arena.report.contents import run_contents
from arena.report.export import save
from arena.tournament.combine import report_runs

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.slow

GAMES = {
    "gomoku": "{gomoku: {size: 9}}",
    "again": "{gomoku: {size: 9}}",
    "renju": "renju",
    "tictactoe": "tictactoe",
    "two_eat_one": "two_eat_one",
}
CONFIG = """
name: {name}
game: {game}
openings: {{random: {{plies: {plies}, count: {count}, seed: 1}}}}
remarks: true
max_plies: 40
engines:
  - {{name: one, engine: {first}}}
  - {{name: "<i>two</i>", engine: random_mover}}
  - {{name: three, engine: random_mover}}
"""
FIRST = {
    "gomoku": "balance, depth: 3",
    "again": "balance, depth: 3",
    "renju": "live_dead, depth: 1",
    "tictactoe": "minimax",
    "two_eat_one": "piece_count, depth: 2",
}


@pytest.fixture(scope="module", name="pages")
def fixture_pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The page of a run of each game, and one of two runs."""
    folder = tmp_path_factory.mktemp("runs")
    for name, game in GAMES.items():
        is_long = name == "gomoku"
        text = CONFIG.format(
            name=name, game=game, first=FIRST[name], plies=2 * is_long, count=4 if is_long else 1
        )
        (folder / f"{name}.yaml").write_text(text)
        arena.run(folder / f"{name}.yaml", workers=0, results=folder)
    return written_pages(folder)


def written_pages(folder: Path) -> dict[str, Path]:
    """Each run's page, as the command writes it, and that of two together."""
    files = {name: folder / f"{name}.html" for name in [*GAMES, "both"]}
    for name, file in files.items():
        runs = ["gomoku", "again"] if name == "both" else [name]
        save(run_contents(report_runs(runs, results=folder)), "html", None, file)
    return files


def data_of(file: Path) -> dict[str, Any]:
    return dict(Outline(file.read_text(encoding="utf-8")).data)


def part(page: Page, name: str) -> str:
    return page.locator(f"[data-part={name}]").inner_text()


def place(page: Page) -> str:
    return str(page.evaluate("location.hash"))


def stones(page: Page) -> list[tuple[int, str]]:
    """The stones of the drawing: cells of a board of 9, in order, with their colours."""
    script = """[...document.querySelectorAll('.board .stone')].map(each => [
        Math.round((each.cy.baseVal.value - 34) / 40) * 9 +
        Math.round((each.cx.baseVal.value - 34) / 40), each.classList[1]])"""
    return sorted((cell, colour) for cell, colour in page.evaluate(script))


def test_it_begins_with_the_end_of_the_first_game(browser: Browser, pages: dict[str, Path]) -> None:
    game = data_of(pages["gomoku"])["games"][0]
    with opened(browser, pages["gomoku"]) as page:
        assert place(page) == ""
        assert page.locator("[data-part=ply]").input_value() == str(len(game["m"]))
        assert page.evaluate("scrollY") == 0
        colours = ["black", "white"]
        assert stones(page) == sorted((cell, colours[i % 2]) for i, cell in enumerate(game["m"]))
        assert page.locator(".board .winning").count() == len(game.get("line", []))


@pytest.mark.parametrize("name", [name for name in GAMES if name != "again"])
def test_every_game_of_every_kind_can_be_stepped_through(
    name: str, browser: Browser, pages: dict[str, Path]
) -> None:
    data = data_of(pages[name])
    with opened(browser, pages[name]) as page:
        for index, game in enumerate(data["games"][:3]):
            page.locator(f"[data-game='{index}']").click()
            page.get_by_role("button", name="To the start").click()
            started = page.locator(".board .stone").count()
            for ply in range(1, len(game["m"]) + 1):
                page.get_by_role("button", name="One ply on").click()
                assert place(page) == f"#game={game['n']}&ply={ply}"
                assert f"{ply}. " in part(page, "remark")
                if data["boards"][0]["kind"] == "place":
                    assert page.locator(".board .stone").count() == started + ply


def test_steps_by_keys_and_by_buttons_are_the_same(
    browser: Browser, pages: dict[str, Path]
) -> None:
    last = len(data_of(pages["gomoku"])["games"][0]["m"])
    steps = [
        ("Home", "To the start", "#game=1&ply=0"),
        ("ArrowRight", "One ply on", "#game=1&ply=1"),
        ("End", "To the end", f"#game=1&ply={last}"),
        ("ArrowLeft", "One ply back", f"#game=1&ply={last - 1}"),
    ]
    with opened(browser, pages["gomoku"]) as page:
        for _, name, after in steps:
            page.get_by_role("button", name=name).click()
            assert place(page) == after
        for key, _, after in steps:
            page.keyboard.press(key)
            assert place(page) == after
        page.keyboard.press("PageDown")
        assert place(page).startswith("#game=2&")
        page.keyboard.press("PageUp")
        assert place(page).startswith("#game=1&")
        page.locator("[data-part=ply]").focus()
        page.keyboard.press("Home")
        page.keyboard.press("ArrowRight")
        assert place(page) == "#game=1&ply=1"


def test_a_step_beyond_either_end_stays_there(browser: Browser, pages: dict[str, Path]) -> None:
    last = len(data_of(pages["gomoku"])["games"][0]["m"])
    with opened(browser, pages["gomoku"]) as page:
        on = page.get_by_role("button", name="One ply on")
        assert on.get_attribute("aria-disabled") == "true"
        on.click(force=True)
        assert place(page) == f"#game=1&ply={last}"


def test_filters_list_just_what_is_asked_for(browser: Browser, pages: dict[str, Path]) -> None:
    data = data_of(pages["gomoku"])
    player = data["players"].index("one")
    wanted = [
        game
        for game in data["games"]
        if (game["f"] == player and game["w"] == 1) or (game["s"] == player and game["w"] == 2)
    ]
    assert 0 < len(wanted) < len(data["games"])
    with opened(browser, pages["gomoku"]) as page:
        page.locator("select[name=player]").select_option(label="one")
        page.locator("select[name=result]").select_option("won")
        assert part(page, "count").endswith(f"of {len(wanted)} games")
        page.locator("select[name=opening]").select_option(str(wanted[0]["oid"]))
        fewer = [game for game in wanted if game["oid"] == wanted[0]["oid"]]
        rows = page.locator("[data-part=rows] button").all_inner_texts()
        assert rows == [str(game["n"]) for game in fewer]
        page.get_by_role("button", name="All games").click()
        page.get_by_text(f"of {len(data['games'])} games").wait_for()


def test_the_list_has_pages(browser: Browser, pages: dict[str, Path]) -> None:
    count = len(data_of(pages["gomoku"])["games"])
    assert count > 12
    with opened(browser, pages["gomoku"]) as page:
        assert part(page, "count") == f"1 to 12 of {count} games"
        page.get_by_role("button", name="Later games").click()
        assert part(page, "count") == f"13 to {count} of {count} games"
        page.get_by_role("button", name="Earlier games").click()
        assert part(page, "count") == f"1 to 12 of {count} games"


def test_the_address_names_a_game_and_a_ply(browser: Browser, pages: dict[str, Path]) -> None:
    with opened(browser, pages["gomoku"]) as page:
        page.evaluate("location.hash = '#game=3&ply=2'")
        page.wait_for_function("document.querySelector('.stone') !== null")
        assert page.locator(".board .stone").count() == 2
        assert part(page, "title").startswith("Game 3:")
        page.evaluate("location.hash = '#game=99&ply=2'")
        page.get_by_text("Game 99 is not among those on this page.").wait_for()
        assert part(page, "title").startswith("Game 3:")
        page.evaluate("location.hash = '#game=2&ply=x'")
        page.wait_for_function("/^#game=2&ply=[0-9]+$/.test(location.hash)")


def test_an_address_scrolls_to_what_it_names(browser: Browser, pages: dict[str, Path]) -> None:
    with opened(browser, pages["gomoku"]) as page:
        page.goto(f"{pages['gomoku'].as_uri()}#game=2&ply=3")
        page.reload()
        box = page.locator("[data-part=game]").bounding_box()
        assert box
        assert box["y"] < 900
        page.goto(f"{pages['gomoku'].as_uri()}#config")
        page.reload()
        assert place(page) == "#config"


def test_of_several_runs_the_address_names_the_run_too(
    browser: Browser, pages: dict[str, Path]
) -> None:
    with opened(browser, pages["both"]) as page:
        page.locator("select[name=run]").select_option(label="again")
        page.locator("[data-part=rows] button").first.click()
        assert place(page).startswith("#run=1&game=1&ply=")
        page.reload()
        assert part(page, "title").startswith("Game again 1:")


def test_a_click_on_the_graph_goes_to_that_ply(browser: Browser, pages: dict[str, Path]) -> None:
    plies = len(data_of(pages["gomoku"])["games"][0]["m"])
    with opened(browser, pages["gomoku"]) as page:
        graph = page.locator(".graph")
        graph.scroll_into_view_if_needed()
        box = graph.bounding_box()
        assert box
        page.mouse.click(box["x"] + 1, box["y"] + 50)
        assert place(page) == "#game=1&ply=1"
        page.mouse.click(box["x"] + box["width"] - 1, box["y"] + 50)
        assert place(page) == f"#game=1&ply={plies}"


def test_numbers_and_expected_moves_are_drawn_if_asked_for(
    browser: Browser, pages: dict[str, Path]
) -> None:
    game = next(game for game in data_of(pages["gomoku"])["games"] if "l" in game)
    said = next(i for i, line in enumerate(game["l"]) if line)
    ply = game["o"] + said + 1
    with opened(browser, pages["gomoku"]) as page:
        page.evaluate(f"location.hash = '#game={game['n']}&ply={ply}'")
        page.wait_for_function(f"document.querySelectorAll('.board .stone').length === {ply}")
        assert page.locator(".board .number, .board .ghost").count() == 0
        page.get_by_label("Move numbers").check()
        assert page.locator(".board .number").count() == ply
        page.get_by_label("Move numbers").uncheck()
        page.get_by_label("Expected moves").check()
        assert page.locator(".board .ghost").count() == len(game["l"][said])
        assert "expects" in part(page, "remark")


def copied_text(page: Page, name: str) -> str:
    """The clipboard after a choice of the menu."""
    page.evaluate("document.querySelector('[data-part=said]').textContent = ''")
    page.get_by_text("Copy or save").click()
    page.get_by_role("button", name=name).click()
    page.wait_for_function("document.querySelector('[data-part=said]').textContent !== ''")
    return str(page.evaluate("navigator.clipboard.readText()"))


def test_a_game_is_copied_as_sgf(browser: Browser, pages: dict[str, Path]) -> None:
    from sgfmill import sgf

    data = data_of(pages["gomoku"])
    game = next(each for each in data["games"] if data["players"][each["s"]] == "<i>two</i>")
    permissions = ["clipboard-read", "clipboard-write"]
    with opened(browser, pages["gomoku"], permissions=permissions) as page:
        page.locator(f"[data-game='{data['games'].index(game)}']").click()
        copied = sgf.Sgf_game.from_string(copied_text(page, "Game as SGF"))
    assert copied.get_player_name("w") == "<i>two</i>"
    assert copied.get_root().get("RU") == "freestyle"
    points = [node.get_move()[1] for node in copied.get_main_sequence()[1:]]
    assert [(8 - row) * 9 + column for row, column in points] == game["m"]


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("width", WIDTHS)
def test_it_fits_every_screen_and_axe_finds_no_serious_fault(
    width: int, scheme: Any, browser: Browser, pages: dict[str, Path]
) -> None:
    script = node_module("axe-core/axe.min.js").read_text(encoding="utf-8")
    options: dict[str, Any] = {"color_scheme": scheme, "bypass_csp": True}
    with opened(browser, pages["gomoku"], width, **options) as page:
        assert page.evaluate("document.documentElement.scrollWidth") == width
        page.get_by_label("Move numbers").check()
        page.evaluate(script)
        found = page.evaluate("axe.run('#games').then(each => each.violations)")
        grave = [each for each in found if each["impact"] in ("serious", "critical")]
        assert not [(each["id"], [node["html"] for node in each["nodes"]]) for each in grave]


def test_names_are_text_wherever_they_stand(browser: Browser, pages: dict[str, Path]) -> None:
    with opened(browser, pages["gomoku"]) as page:
        assert page.locator("#games i").count() == 0
        assert "<i>two</i>" in page.locator("[data-part=rows]").inner_text()
        assert "<i>two</i>" in page.locator("select[name=player]").inner_text()


def test_it_is_printed_in_light_colours_and_without_controls(
    browser: Browser, pages: dict[str, Path]
) -> None:
    colour = "getComputedStyle(document.querySelector('.board .wood')).fill"
    with opened(browser, pages["gomoku"]) as page:
        light = page.evaluate(colour)
    with opened(browser, pages["gomoku"], color_scheme="dark") as page:
        assert page.evaluate(colour) != light
        page.emulate_media(media="print")
        assert page.evaluate(colour) == light
        assert not page.locator(".steps").is_visible()
        assert page.locator(".board").is_visible()
