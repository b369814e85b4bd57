"""The viewer of a page's games, in a real browser: by click, by keyboard, by address."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from support.browsers import SCHEMES, WIDTHS, faults_by_axe, opened
from support.html_outlines import Outline
from support.opening_lines import LINE_WRITERS
from support.pixels import SHADES, colour_at
from support.processes import awaited
from support.samples import player

import arena
from arena.engine import MATE
from arena.report.answer import save
from arena.report.run_answer import run_answer
from arena.tournament.combine import report_runs

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.slow

Pages = dict[str, Path]
Data = dict[str, Any]

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
def fixture_pages(tmp_path_factory: pytest.TempPathFactory) -> Pages:
    folder = tmp_path_factory.mktemp("runs")
    for name, game in GAMES.items():
        is_long = name == "gomoku"
        text = CONFIG.format(
            name=name, game=game, first=FIRST[name], plies=2 * is_long, count=4 if is_long else 1
        )
        (folder / f"{name}.yaml").write_text(text)
        arena.run(folder / f"{name}.yaml", workers=0, results=folder)
    return written_pages(folder)


@pytest.fixture(name="page")
def fixture_page(browser: Browser, pages: Pages) -> Iterator[Page]:
    with opened(browser, pages["gomoku"]) as page:
        yield page


@pytest.fixture(name="data")
def fixture_data(pages: Pages) -> Data:
    return data_of(pages["gomoku"])


def written_pages(folder: Path) -> Pages:
    files = {name: folder / f"{name}.html" for name in [*GAMES, "both"]}
    for name, file in files.items():
        runs = ["gomoku", "again"] if name == "both" else [name]
        save(run_answer(report_runs(runs, results=folder)), "html", None, file)
    return files


def data_of(file: Path) -> Data:
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


def test_it_begins_with_the_end_of_the_first_game_beyond_which_no_step_leads(
    page: Page, data: Data
) -> None:
    game = data["games"][0]
    assert place(page) == ""
    assert page.locator("[data-part=ply]").input_value() == str(len(game["m"]))
    assert page.evaluate("scrollY") == 0
    colours = ["black", "white"]
    assert stones(page) == sorted((cell, colours[i % 2]) for i, cell in enumerate(game["m"]))
    assert page.locator(".board .winning").count() == len(game.get("line", []))
    on = page.get_by_role("button", name="One ply on")
    assert on.get_attribute("aria-disabled") == "true"
    on.click(force=True)
    assert place(page) == f"#game=1&ply={len(game['m'])}"


@pytest.mark.parametrize("name", [name for name in GAMES if name != "again"])
def test_every_game_of_every_kind_can_be_stepped_through(
    name: str, browser: Browser, pages: Pages
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


def test_steps_by_keys_and_by_buttons_are_the_same(page: Page, data: Data) -> None:
    last = len(data["games"][0]["m"])
    steps = [
        ("Home", "To the start", "#game=1&ply=0"),
        ("ArrowRight", "One ply on", "#game=1&ply=1"),
        ("End", "To the end", f"#game=1&ply={last}"),
        ("ArrowLeft", "One ply back", f"#game=1&ply={last - 1}"),
    ]
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


def test_filters_list_just_what_is_asked_for(page: Page, data: Data) -> None:
    player = data["players"].index("one")
    wanted = [
        game
        for game in data["games"]
        if (game["f"] == player and game["w"] == 1) or (game["s"] == player and game["w"] == 2)
    ]
    assert 0 < len(wanted) < len(data["games"])
    page.locator("select[name=player]").select_option(label="one")
    page.locator("select[name=result]").select_option("won")
    assert part(page, "count").endswith(f"of {len(wanted)} games")
    page.locator("select[name=opening]").select_option(str(wanted[0]["oid"]))
    fewer = [game for game in wanted if game["oid"] == wanted[0]["oid"]]
    rows = page.locator("[data-part=rows] button").all_inner_texts()
    assert rows == [str(game["n"]) for game in fewer]
    page.get_by_role("button", name="All games").click()
    page.get_by_text(f"of {len(data['games'])} games").wait_for()


def test_the_list_has_pages(page: Page, data: Data) -> None:
    count = len(data["games"])
    assert count > 12
    assert part(page, "count") == f"1 to 12 of {count} games"
    page.get_by_role("button", name="Later games").click()
    assert part(page, "count") == f"13 to {count} of {count} games"
    page.get_by_role("button", name="Earlier games").click()
    assert part(page, "count") == f"1 to 12 of {count} games"


def test_the_address_names_a_game_and_a_ply(page: Page) -> None:
    at_ply(page, 3, 2)
    assert part(page, "title").startswith("Game 3:")
    page.evaluate("location.hash = '#game=99&ply=2'")
    page.get_by_text("Game 99 is not among those on this page.").wait_for()
    assert part(page, "title").startswith("Game 3:")
    page.evaluate("location.hash = '#game=2&ply=x'")
    page.locator("[data-part=title]:has-text('Game 2:')").wait_for()
    assert re.fullmatch("#game=2&ply=[0-9]+", place(page))


def test_an_address_scrolls_to_what_it_names(pages: Pages, page: Page) -> None:
    page.goto(f"{pages['gomoku'].as_uri()}#game=2&ply=3")
    page.reload()
    box = page.locator("[data-part=game]").bounding_box()
    assert box
    assert box["y"] < 900
    page.goto(f"{pages['gomoku'].as_uri()}#config")
    page.reload()
    assert place(page) == "#config"


def test_of_several_runs_the_address_names_the_run_too(browser: Browser, pages: Pages) -> None:
    with opened(browser, pages["both"]) as page:
        page.locator("select[name=run]").select_option(label="again")
        page.locator("[data-part=rows] button").first.click()
        assert place(page).startswith("#run=1&game=1&ply=")
        page.reload()
        assert part(page, "title").startswith("Game again 1:")


def test_the_graph_tells_the_value_under_the_pointer_and_a_click_goes_to_its_ply(
    page: Page, data: Data
) -> None:
    plies = len(data["games"][0]["m"])
    graph = page.locator(".graph")
    graph.scroll_into_view_if_needed()
    box = graph.bounding_box()
    assert box
    page.mouse.click(box["x"] + 1, box["y"] + 50)
    assert place(page) == "#game=1&ply=1"
    page.mouse.click(box["x"] + box["width"] - 1, box["y"] + 50)
    assert place(page) == f"#game=1&ply={plies}"
    assert page.locator(".pointed-text").inner_text().startswith(f"{plies}. ")
    assert "0" in page.locator(".graph .tick").all_text_contents()


def test_numbers_and_expected_moves_are_drawn_if_asked_for(page: Page, data: Data) -> None:
    game = next(game for game in data["games"] if "l" in game)
    said = next(i for i, line in enumerate(game["l"]) if line)
    ply = game["o"] + said + 1
    at_ply(page, game["n"], ply)
    assert page.locator(".board .number, .board .ghost").count() == 0
    page.get_by_label("Move numbers").check()
    assert page.locator(".board .number").count() == ply
    page.get_by_label("Move numbers").uncheck()
    page.get_by_label("Expected moves").check()
    assert page.locator(".board .ghost").count() == len(game["l"][said])
    assert "expects" in part(page, "remark")


def test_the_line_of_a_proof_is_drawn_after_the_last_move(browser: Browser, tmp_path: Path) -> None:
    text = CONFIG.format(name="proved", game="gomoku", first="balance, depth: 1", plies=6, count=1)
    (tmp_path / "proved.yaml").write_text(text + "proof: {fours: 20}\n")
    run = arena.run(tmp_path / "proved.yaml", workers=0, results=tmp_path)
    number, record = next(each for each in run.records() if each[1].reason == "won by proof")
    found = report_runs(["proved"], results=tmp_path)
    save(run_answer(found), "html", None, tmp_path / "proved.html")
    with opened(browser, tmp_path / "proved.html") as page:
        at_ply(page, number, record.plies)
        line = page.locator(".board .ghost")
        assert line.count() == len(record.detail.split())
        page.locator("[data-coordinates]").select_option("numbers")
        assert f"won by proof ({record.detail})" in part(page, "end")
        at_ply(page, number, record.plies - 1)
        assert line.count() == 0


def copied_text(page: Page, name: str) -> str:
    page.evaluate("document.querySelector('[data-part=said]').textContent = ''")
    page.get_by_text("Copy or save").click()
    page.get_by_role("button", name=name).click()
    page.locator("[data-part=said]:not(:empty)").wait_for()
    return str(page.evaluate("navigator.clipboard.readText()"))


def test_a_game_is_copied_as_sgf(browser: Browser, pages: Pages, data: Data) -> None:
    from sgfmill import sgf

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
    width: int, scheme: Any, browser: Browser, pages: Pages
) -> None:
    options: dict[str, Any] = {"color_scheme": scheme, "bypass_csp": True}
    with opened(browser, pages["gomoku"], width, **options) as page:
        assert page.evaluate("document.documentElement.scrollWidth") == width
        page.get_by_label("Move numbers").check()
        assert not faults_by_axe(page, "#games", is_grave=True)


def test_names_are_text_wherever_they_stand(page: Page) -> None:
    assert page.locator("#games i").count() == 0
    assert "<i>two</i>" in page.locator("[data-part=rows]").inner_text()
    assert "<i>two</i>" in page.locator("select[name=player]").inner_text()


def test_it_is_printed_in_light_colours_and_without_controls(
    browser: Browser, pages: Pages
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


def at_ply(page: Page, game: int, ply: int) -> None:
    """Let the address name a position; returns once it is shown."""
    page.evaluate(f"location.hash = '#game={game}&ply={ply}'")
    page.locator(f"[data-part=title]:has-text('Game {game}:')").wait_for()
    awaited(lambda: page.locator(".board .stone").count() == ply)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_stones_have_their_colours_in_either_scheme_wherever_they_stand(
    scheme: Any, browser: Browser, pages: Pages, data: Data
) -> None:
    one = data["players"].index("one")
    with opened(browser, pages["gomoku"], color_scheme=scheme) as page:
        for seat, colour in enumerate(SHADES):
            # Only this player has told of its moves, so that the graph has its line.
            seats = ("f", "s")
            at_ply(page, next(each["n"] for each in data["games"] if each[seats[seat]] == one), 2)
            for where in ("h3", "tbody", ".moves", ".graph-names"):
                stone = page.locator(f"#viewer {where} .disc .{colour}").first
                assert SHADES[colour](colour_at(stone)), (where, colour)
            page.evaluate("document.querySelectorAll('.board .last').forEach(e => e.remove())")
            assert SHADES[colour](colour_at(page.locator(f".board .stone.{colour}")))
            line = page.locator(f".graph .scores.player-{seat + 1}")
            stroke = str(line.evaluate("line => getComputedStyle(line).stroke"))
            assert SHADES[colour](tuple(map(int, re.findall(r"\d+", stroke))))
        text = page.locator("body").inner_text()
        assert "●" not in text
        assert "○" not in text


def test_points_are_named_as_the_reader_likes_and_the_browser_remembers(
    page: Page, data: Data
) -> None:
    game = data["games"][0]
    row, column = divmod(game["m"][0], 9)
    letters, numbers = f"{'abcdefghi'[column]}{9 - row}", f"{row},{column}"
    at_ply(page, 1, 1)
    assert f" {letters}: " in part(page, "remark")
    assert page.locator(".moves [data-ply='1']").inner_text().startswith(letters)
    assert page.locator(".board .label").all_text_contents()[:2] == ["a", "9"]
    page.locator("select[data-coordinates]").select_option("numbers")
    assert f" {numbers}: " in part(page, "remark")
    assert page.locator(".moves [data-ply='1']").inner_text().startswith(numbers)
    assert page.locator(".board .label").all_text_contents()[:2] == ["0", "0"]
    page.reload()
    assert f" {numbers}: " in part(page, "remark")


def test_no_stone_touches_the_name_of_a_point(browser: Browser, pages: Pages) -> None:
    with opened(browser, pages["renju"]) as page:
        touching = page.evaluate("""() => {
            const edge = [...document.querySelectorAll('.board .grid')][0].getBBox();
            const labels = [...document.querySelectorAll('.board .label')].map(e => e.getBBox());
            return labels.filter(b => b.x + b.width > edge.x - 18 && b.y < edge.y + edge.height + 18
                && b.y + b.height > edge.y - 18).length }""")
        assert touching == 0


@pytest.mark.parametrize("width", WIDTHS)
def test_keys_work_at_once_after_a_deep_link(width: int, browser: Browser, pages: Pages) -> None:
    with closing(browser.new_context(viewport={"width": width, "height": 900})) as context:
        page = context.new_page()
        page.goto(f"{pages['gomoku'].as_uri()}#game=3&ply=4")
        page.wait_for_selector(".board .stone")
        for key, after in (
            ("ArrowRight", "#game=3&ply=5"),
            ("ArrowLeft", "#game=3&ply=4"),
            ("Home", "#game=3&ply=0"),
            ("PageDown", "#game=4&ply="),
            ("PageUp", "#game=3&ply="),
        ):
            page.keyboard.press(key)
            assert place(page).startswith(after), key
        page.locator("select[name=player]").focus()
        before = place(page)
        page.keyboard.press("ArrowRight")
        assert place(page) == before or "ply=4" not in place(page)


def test_keys_that_scroll_are_the_pages_own_where_no_board_is_in_sight(page: Page) -> None:
    page.keyboard.press("PageDown")
    page.wait_for_timeout(500)
    assert page.evaluate("scrollY") > 100
    assert place(page) == ""
    page.evaluate("scrollTo(0, 0)")
    page.keyboard.press("ArrowLeft")
    assert place(page).startswith("#game=1&ply=")


def test_a_game_is_seen_whole_on_one_screen(browser: Browser, pages: Pages) -> None:
    with closing(browser.new_context(viewport={"width": 1400, "height": 900})) as context:
        page = context.new_page()
        page.goto(f"{pages['renju'].as_uri()}#game=1")
        page.wait_for_selector(".board .stone")
        for name in ("title", "board", "moves", "remark", "graph-place", "ply", "copies"):
            box = page.locator(f"[data-part={name}]").bounding_box()
            assert box, name
            assert 0 <= box["y"] <= box["y"] + box["height"] <= 900, name


def test_the_list_of_moves_leads_to_each_ply_and_scrolls_with_it(page: Page, data: Data) -> None:
    game = max(data["games"], key=lambda each: len(each["m"]))
    at_ply(page, game["n"], 0)
    assert page.locator(".moves [data-ply]").count() == len(game["m"])
    page.locator(".moves [data-ply='3']").click()
    assert place(page) == f"#game={game['n']}&ply=3"
    assert page.locator(".moves [aria-current]").get_attribute("data-ply") == "3"
    page.keyboard.press("End")
    assert page.locator(".moves [aria-current]").get_attribute("data-ply") == str(len(game["m"]))
    inside = """() => { const list = document.querySelector('.moves').getBoundingClientRect();
        const move = document.querySelector('.moves [aria-current]').getBoundingClientRect();
        return move.top >= list.top && move.bottom <= list.bottom }"""
    assert page.evaluate(inside)


def test_a_whole_row_leads_to_its_game_and_the_board_follows_a_filter(
    page: Page, data: Data
) -> None:
    page.locator("[data-part=rows] tr").nth(1).locator("td").nth(2).click()
    assert place(page).startswith("#game=2&")
    winner = next(
        i
        for i in range(3)
        if any(i == (g["f"], g["s"])[g["w"] - 1] for g in data["games"] if g["w"])
    )
    page.locator("select[name=player]").select_option(str(winner))
    page.locator("select[name=result]").select_option("won")
    shown = int(place(page).split("=")[1].split("&")[0])
    game = next(each for each in data["games"] if each["n"] == shown)
    assert (game["f"] if game["w"] == 1 else game["s"]) == winner
    page.locator("select[name=result]").select_option("draw")
    if page.locator("[data-part=rows] tr").count() == 0:
        assert f"game {shown} on the board is not among them" in part(page, "count")


def test_expected_moves_are_offered_only_where_they_were_recorded(page: Page, data: Data) -> None:
    mute = next((each for each in data["games"] if "l" not in each), None)
    telling = next(each for each in data["games"] if any(each.get("l", [])))
    page.locator(f"[data-game='{data['games'].index(telling)}']").click()
    assert page.get_by_label("Expected moves").is_enabled()
    if mute:
        page.evaluate(f"location.hash = '#game={mute['n']}'")
        page.get_by_text("(none recorded)").wait_for()
        assert page.get_by_label("Expected moves").is_disabled()


SEEN = f"""
    move = self.game.moves(p)[0]
    return Choice(move, score=[{MATE} - 5, 5 - {MATE}, 700, -{MATE}][p.ply % 4], depth=1)
"""


def test_a_seen_win_is_told_as_one_and_never_as_its_number(
    browser: Browser, tmp_path: Path
) -> None:
    (tmp_path / "seer.py").write_text(player(SEEN))
    text = CONFIG.format(name="seen", game="tictactoe", first="./seer.py", plies=0, count=1)
    (tmp_path / "seen.yaml").write_text(text.replace("random_mover", "./seer.py"))
    run = arena.run(tmp_path / "seen.yaml", workers=0, results=tmp_path)
    save(run_answer(run.report()), "html", None, tmp_path / "seen.html")
    with opened(browser, tmp_path / "seen.html") as page:
        told = []
        for ply in range(1, 5):
            at_ply(page, 1, ply)
            told.append(part(page, "remark").split(": ")[1].split(",")[0])
        assert told == ["win in 5", "loss in 5", "score +700", "loss in 0"]
        assert not re.search(r"[0-9]{5}", page.locator("#viewer").inner_text())


def test_a_position_is_copied_as_other_programs_read_it(
    browser: Browser, pages: Pages, data: Data
) -> None:
    from arena import load_game
    from arena.records.written import LINE_READERS

    rules, moves = load_game("gomoku:size=9"), data["games"][0]["m"][:5]
    permissions = ["clipboard-read", "clipboard-write"]
    with opened(browser, pages["gomoku"], permissions=permissions) as page:
        at_ply(page, 1, 5)
        for name, form in (
            ("Position as pos", "pos"),
            ("Position as offsets", "offset"),
            ("Moves to here", "lines"),
        ):
            text = copied_text(page, name)
            assert text == LINE_WRITERS[form](rules, moves)
            assert list(LINE_READERS[form](rules, text)) == moves
        assert copied_text(page, "Link to this").endswith("#game=1&ply=5")
        page.get_by_role("button", name="To the start").click()
        page.get_by_text("Copy or save").click()
        page.get_by_role("button", name="Position as pos").click()
        page.get_by_text("The empty board has nothing to copy.").wait_for()


@pytest.mark.parametrize("scheme", SCHEMES)
def test_the_picture_of_a_position_is_kept_with_its_colours(
    scheme: Any, browser: Browser, pages: Pages, tmp_path: Path
) -> None:
    with opened(browser, pages["gomoku"], color_scheme=scheme) as page:
        at_ply(page, 1, 2)
        for suffix in ("svg", "png"):
            page.get_by_text("Copy or save").click()
            with page.expect_download() as download:
                page.get_by_role("button", name=f"Picture as {suffix.upper()}").click()
            assert download.value.suggested_filename == f"game-1-ply-2.{suffix}"
            download.value.save_as(tmp_path / f"board.{suffix}")
        page.goto((tmp_path / "board.svg").as_uri())
        page.evaluate("document.querySelectorAll('circle[r=\"5\"]').forEach(e => e.remove())")
        stones = page.locator("circle[r='17']")
        assert SHADES["black"](colour_at(stones.nth(0)))
        assert SHADES["white"](colour_at(stones.nth(1)))
    content = (tmp_path / "board.png").read_bytes()
    assert content.startswith(b"\x89PNG")
    assert int.from_bytes(content[16:20]) == 1200


def test_on_paper_a_board_stands_with_its_title(browser: Browser, pages: Pages) -> None:
    with opened(browser, pages["gomoku"], width=700) as page:
        page.emulate_media(media="print")
        title = page.locator("[data-part=title]").bounding_box()
        board = page.locator("[data-part=board]").bounding_box()
        moves = page.locator("[data-part=moves]").bounding_box()
        assert title
        assert board
        assert moves
        assert 0 < board["y"] - title["y"] < 120
        assert moves["x"] > board["x"] + board["width"] / 2
        assert (
            page.evaluate("getComputedStyle(document.querySelector('.game')).breakInside")
            == "avoid"
        )
