"""The pages in a real browser: without complaints, on every screen, by mouse and by keyboard."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import pytest
from support.browsers import SCHEMES, WIDTHS, faults_by_axe, opened
from support.game_records import games_of_numbered, results_of
from support.reports import Played, report, schedule_of, shown, two_games
from support.samples import ROUND, Write
from support.scored_games import SIZE, K, scored_games
from support.studies import tuned

import arena
from arena.format import Field
from arena.formats import sprt
from arena.match.record import GameRecord
from arena.plugins.load import Named
from arena.report.answer import save
from arena.report.frames import Report, report_of
from arena.report.run_answer import run_answer
from arena.report.verdict import Extras, RunFacts
from arena.tuning.report.study_answer import study_answer

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.slow

NAMES = ["one", "two", "a name of " + "many " * 20 + "words", "x" * 200, "<b>bold</b>"]

PAGES = ["run", "cup", "none", "study", "long"]


@pytest.fixture(scope="module", name="files")
def fixture_files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("pages")

    def write(text: str = ROUND, name: str = "round.yaml") -> Path:
        (folder / name).write_text(text)
        return folder / name

    run = arena.run(write(), workers=0, results=folder)
    knockout = ROUND.replace("openings", "format: {knockout: {pairs: 1}}\n    openings")
    cup = arena.run(write(knockout, "cup.yaml"), workers=0, results=folder)
    none = arena.run(write(name="none.yaml"), workers=0, results=folder, stop=lambda: True)
    study = tuned(textual(write))
    pairs = [(one, other, 1, None) for one in NAMES for other in NAMES if one < other]
    (folder / "long.html").write_text(shown(report(NAMES, schedule_of(*pairs)), "html"))
    for name, contents in (
        ("run", run_answer(run.report())),
        ("cup", run_answer(cup.report())),
        ("none", run_answer(none.report())),
        ("study", study_answer(study)),
    ):
        save(contents, "html", None, folder / f"{name}.html")
    return {name: folder / f"{name}.html" for name in PAGES}


@pytest.fixture(name="page")
def fixture_page(browser: Browser, files: dict[str, Path]) -> Iterator[Page]:
    with opened(browser, files["run"]) as page:
        yield page


def textual(write: Write) -> Write:
    from textwrap import dedent

    return lambda text, name: write(dedent(text).lstrip("\n"), name)


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", PAGES)
def test_no_page_is_wider_than_its_screen(
    name: str, width: int, scheme: Any, browser: Browser, files: dict[str, Path]
) -> None:
    with opened(browser, files[name], width, color_scheme=scheme) as page:
        assert page.evaluate("document.documentElement.scrollWidth") == width
        assert page.locator("h1").is_visible()


@pytest.mark.parametrize("scheme", SCHEMES)
def test_colours_follow_the_scheme(scheme: Any, browser: Browser, files: dict[str, Path]) -> None:
    with opened(browser, files["run"], color_scheme=scheme) as page:
        colour = page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert (colour == "rgb(255, 255, 255)") == (scheme == "light")


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", ["run", "cup", "study"])
def test_axe_finds_no_fault(
    name: str, width: int, scheme: Any, browser: Browser, files: dict[str, Path]
) -> None:
    with opened(browser, files[name], width, color_scheme=scheme, bypass_csp=True) as page:
        assert not faults_by_axe(page)


@pytest.fixture(scope="module", name="asked")
def fixture_asked(tmp_path_factory: pytest.TempPathFactory, files: dict[str, Path]) -> list[Path]:
    """Pages of each kind of question, with a verdict of each tone."""
    folder = tmp_path_factory.mktemp("asked")
    won: list[tuple[str, str, int | None, int | None]] = [("new", "old", 1, 2)] * 30
    names = ["one", "two", "three", "four", "five", "six"]
    every = [(a, b, 1, 1 + i % 2) for i in range(9) for a, b in combinations(names, 2)]
    crashes = [(n, replace(record, reason="crash")) for n, record in schedule_of(*won)]
    for name, found in (
        ("good", judged(won, "new", "old")),
        ("bad", judged(won, "old", "new")),
        ("open", report(names, schedule_of(*every))),
        ("doubtful", report(["new", "old"], crashes)),
    ):
        save(run_answer(found), "html", None, folder / f"{name}.html")
    return [*sorted(folder.iterdir()), files["study"]]


def judged(pairs: Sequence[tuple[str, str, int | None, int | None]], *names: str) -> Report:
    games = schedule_of(*pairs)
    field = Field(names, [str(i) for i in range(len(pairs))], 1)
    values = {"elo0": 0.0, "elo1": 50.0, "alpha": 0.05, "beta": 0.05, "model": "logistic"}
    rows = sprt.matches(field, results_of(record for _, record in games), **values, pairs=500)
    return report(names, games, extras=Extras(matches=rows))


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("width", [390, 768, 1400])
def test_the_verdict_and_elo_are_on_the_first_screen_and_easy_to_read(
    width: int, scheme: Any, browser: Browser, asked: list[Path]
) -> None:
    """Each is wholly to be seen without scrolling either way; axe checks contrasts, too."""
    height = 844 if width == 390 else 900
    tones = set()
    for file in asked:
        with opened(browser, file, width, color_scheme=scheme, bypass_csp=True) as page:
            page.set_viewport_size({"width": width, "height": height})
            verdict = page.locator(".verdict")
            tones.add(verdict.get_attribute("class"))
            assert page.title().startswith(verdict.locator("strong").inner_text() + " - ")
            places = [verdict.locator("p").last, page.locator("main section").first.locator("h2")]
            if "Elo" not in verdict.inner_text():
                cells = page.locator("#standings tbody tr").first.locator("td")
                places += [cells.nth(i) for i in range(4)]
            for place in places:
                box = place.bounding_box()
                assert box
                assert box["y"] + box["height"] <= height, (file.name, place)
                assert box["x"] + box["width"] <= width, (file.name, place)
            assert not faults_by_axe(page, "header"), file.name
    assert len(tones) >= 4


def test_the_verdict_and_warnings_come_before_what_it_rests_on_then_the_notes(
    browser: Browser, asked: list[Path]
) -> None:
    for file in asked:
        with opened(browser, file) as page:
            parts = (".verdict", ".facts", ".warning", "main section", ".notes", "#config")
            found = [page.locator(each).all()[:1] for each in parts]
            boxes = [each.bounding_box() for first in found for each in first]
            places = [box["y"] for box in boxes if box]
            assert places == sorted(places), file.name


def column(page: Page, section: str, index: int) -> list[str]:
    cells = page.locator(f"#{section} table").first.locator(f"tbody tr > :nth-child({index})")
    return cells.all_inner_texts()


def test_a_table_is_sorted_by_click(page: Page) -> None:
    head = page.locator("#standings th", has_text="wins").first
    head.get_by_role("button").click()
    assert head.get_attribute("aria-sort") == "descending"
    wins = [int(text) for text in column(page, "standings", 7)]
    assert wins == sorted(wins, reverse=True)
    head.get_by_role("button").click()
    assert head.get_attribute("aria-sort") == "ascending"
    assert [int(text) for text in column(page, "standings", 7)] == wins[::-1]


def test_a_table_is_sorted_by_the_keyboard(page: Page) -> None:
    button = page.locator("#standings th").first.get_by_role("button")
    button.focus()
    page.keyboard.press("Enter")
    assert column(page, "standings", 1) == sorted(["one", "two", "three"])
    page.keyboard.press("Space")
    assert column(page, "standings", 1) == sorted(["one", "two", "three"])[::-1]
    assert page.locator("#standings [aria-sort]").count() == 1
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Elo"


def downloaded(page: Page, table: str) -> pd.DataFrame:
    """A table as its button gives it, every value as it is written."""
    with page.expect_download() as kept:
        page.get_by_role("button", name=f"{table} as CSV", exact=True).click()
    assert kept.value.suggested_filename == f"{table}.csv"
    return pd.read_csv(kept.value.path(), dtype=str)


def test_every_table_is_downloaded_as_it_is_sorted(page: Page) -> None:
    """Numbers have all their digits, and drawings are left out."""
    page.locator("#standings th", has_text="wins").get_by_role("button").click()
    frame = downloaded(page, "Standings")
    assert list(frame["name"]) == column(page, "standings", 1)
    cells = page.locator("#standings td[data-value]").all()
    given = {float(cell.get_attribute("data-value") or "nan") for cell in cells}
    numbers = {float(each) for each in frame[["score", "wins"]].to_numpy().ravel()}
    assert numbers <= given
    assert "Elo with 95 %" not in frame
    tables, buttons = page.locator("main table[data-csv]"), page.locator("main .csv")
    assert tables.count() == buttons.count() > 5
    page.emulate_media(media="print")
    assert not buttons.first.is_visible()


def test_names_in_a_download_are_as_they_are_and_a_bound_has_its_sign(
    browser: Browser, tmp_path: Path
) -> None:
    names = ['a, "b"', "007"]
    games = schedule_of(*[(names[0], names[1], 1, 2)] * 12)
    (tmp_path / "page.html").write_text(shown(report(names, games), "html"))
    with opened(browser, tmp_path / "page.html") as page:
        frame = downloaded(page, "Standings")
        assert list(frame["name"]) == names
        assert [elo[0] for elo in frame["Elo"]] == [">", "<"]


@pytest.mark.parametrize("width", WIDTHS)
def test_a_folded_section_is_open_if_it_is_named_and_on_paper(
    width: int, browser: Browser, files: dict[str, Path]
) -> None:
    with opened(browser, files["run"], width) as page:
        tables = [page.locator(f"#{name} table") for name in ("pairs", "colours")]
        assert [each.is_visible() for each in tables] == [False, False]
        page.locator("nav a", has_text="Colours").click()
        assert [each.is_visible() for each in tables] == [False, True]
        page.goto(f"{files['run'].as_uri()}#pairs")
        page.reload()
        assert [each.is_visible() for each in tables] == [True, False]
        count = "document.querySelectorAll('section > details[open] > summary > h2').length"
        page.evaluate(f"addEventListener('beforeprint', () => {{ document.title = {count}; }})")
        page.pdf(format="A4")
        assert page.title() == "3", "the other Elo, too"
        assert [each.is_visible() for each in tables] == [True, False]


def test_what_is_not_known_comes_last_either_way(browser: Browser, tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    found = two_games()
    file.write_text(shown(found, "html", "win_rates"))
    with opened(browser, file) as page:
        assert page.locator("tbody tr").count() == 2
    file.write_text(shown(found, "html"))
    with opened(browser, file) as page:
        button = page.locator("#thinking th", has_text="ms/move").get_by_role("button")
        for _ in range(2):
            button.click()
            assert column(page, "thinking", 2)[-1] == "-"


def test_the_first_key_leads_past_the_links(page: Page) -> None:
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "To the contents"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"


def test_a_script_that_is_not_the_pages_does_not_run(
    browser: Browser, files: dict[str, Path], tmp_path: Path
) -> None:
    text = files["run"].read_text(encoding="utf-8")
    file = tmp_path / "page.html"
    file.write_text(text.replace("<main", "<script>document.title = 'run'</script><main"))
    context = browser.new_context()
    page = context.new_page()
    page.goto(file.as_uri())
    assert page.title().endswith(" - round - gomoku-arena")
    context.close()


@pytest.mark.parametrize("name", ["run", "study"])
def test_it_is_printed_without_what_only_a_screen_needs(
    name: str, browser: Browser, files: dict[str, Path]
) -> None:
    with opened(browser, files[name], color_scheme="dark") as page:
        assert page.pdf(format="A4").startswith(b"%PDF")
        page.emulate_media(media="print")
        assert not page.locator("nav").first.is_visible()
        colour = page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert colour == "rgb(255, 255, 255)"
        shown = [each.is_visible() for each in page.locator("#config pre").all()]
        assert shown == [True, False], "what its user wrote, and not every default"


def reported(games: list[Played]) -> Report:
    game, format = Named("gomoku", {"size": SIZE}), Named("round_robin")
    facts = RunFacts("run", game, format, "name: run", is_over=True)
    return report_of(list(K), {"run": games_of_numbered(games)}, extras=Extras(runs=[facts]))


def page_of(found: Report, folder: Path) -> Path:
    save(run_answer(found), "html", None, folder / "report.html")
    return folder / "report.html"


@pytest.fixture(scope="module", name="found")
def fixture_found() -> Report:
    return reported(scored_games(60, 2))


@pytest.fixture(scope="module", name="file")
def fixture_file(found: Report, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return page_of(found, tmp_path_factory.mktemp("page"))


def told(page: Page) -> str:
    return page.locator("[data-part=remark]").inner_text()


def caption(page: Page) -> str:
    return page.locator("figcaption [data-part=scale]").inner_text()


def heights(page: Page, seat: int) -> list[float]:
    """The height of a player's line at each of its moves: 0 for the bottom, 1 for the top."""
    drawn = str(page.locator(f".graph .scores.player-{seat}").get_attribute("d"))
    return [(134 - float(y)) / 120 for y in re.findall(r" ([\d.]+)", drawn)]


def test_a_graph_has_the_first_players_win_probability_by_the_scales_of_both(
    found: Report, file: Path, browser: Browser
) -> None:
    k = found.scales.set_index("name")["k"]
    game = found.games.iloc[0]
    scores = list(map(int, game["scores"].split()))
    own, other = (
        1 / (1 + np.exp(-k[game[seat]] * scores[i])) for i, seat in enumerate(("first", "second"))
    )
    with opened(browser, file) as page:
        page.goto(f"{file.as_uri()}#game=1&ply=3")
        assert f"win probability {own:.0%},".replace("%", " %") in told(page)
        assert heights(page, 1) == pytest.approx([own] * 6, abs=0.01)
        assert heights(page, 2) == pytest.approx([1 - other] * 6, abs=0.01)
        ticks = page.locator(".graph .tick.of-1").all_text_contents()[1:]
        assert ticks == ["0 %", "25 %", "50 %", "75 %", "100 %"]
        assert "The first player's win probability" in caption(page)


def test_the_units_of_the_players_are_shown_on_request_and_the_browser_remembers(
    found: Report, file: Path, browser: Browser
) -> None:
    score = int(found.games.iloc[0]["scores"].split()[0])
    with opened(browser, file) as page:
        page.goto(f"{file.as_uri()}#game=1&ply=3")
        page.get_by_label("Scores in own units").check()
        assert f"score {score:+,}" in told(page)
        assert f"{score:+,}" in page.locator(".moves [data-ply='3']").inner_text()
        assert "%" not in "".join(page.locator(".graph .tick").all_text_contents())
        assert "own units" in caption(page)
        page.reload()
        assert page.get_by_label("Scores in own units").is_checked()
        assert f"score {score:+,}" in told(page)
        page.get_by_label("Scores in own units").uncheck()
        assert "win probability" in told(page)
        assert "%" in page.locator(".moves [data-ply='3']").inner_text()


def with_wrong_signs(record: GameRecord) -> GameRecord:
    """The game as if `two` told its opponent's scores for its own."""
    own = 0 if record.first == "two" else 1
    words = record.scores.split()
    words[own::2] = [str(-int(each)) for each in words[own::2]]
    return replace(record, scores=" ".join(words))


def test_a_player_without_a_scale_keeps_its_units_beside_the_other(
    browser: Browser, tmp_path: Path
) -> None:
    mute = [(number, with_wrong_signs(each)) for number, each in scored_games(60, 2)]
    file = page_of(reported(mute), tmp_path)
    with opened(browser, file) as page:
        page.goto(f"{file.as_uri()}#game=1&ply=3")
        assert "win probability" in told(page)
        page.goto(f"{file.as_uri()}#game=1&ply=4")
        assert "score " in told(page)
        assert "the scores of two are in its own units" in caption(page)
        assert "two, the scores do not tell who wins" in page.locator("#scores").text_content()


def test_a_move_keeps_the_focus_while_scales_change(file: Path, browser: Browser) -> None:
    with opened(browser, file) as page:
        page.goto(f"{file.as_uri()}#game=1&ply=3")
        page.locator(".moves [data-ply='3']").focus()
        page.evaluate("document.dispatchEvent(new CustomEvent('score-units'))")
        assert page.evaluate("document.activeElement.dataset.ply") == "3"


def test_where_no_game_tells_the_choice_is_shut(browser: Browser, tmp_path: Path) -> None:
    file = page_of(reported(scored_games(3, 2)), tmp_path)
    with opened(browser, file) as page:
        assert page.get_by_label("Scores in own units").is_disabled()
        assert "no win probability known" in page.locator("[data-part=unscaled]").inner_text()
        assert "too few openings: 3" in page.locator("#scores").text_content()


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("width", WIDTHS)
def test_the_section_fits_and_has_no_barrier(
    scheme: Any, width: int, file: Path, browser: Browser
) -> None:
    with opened(browser, file, width, color_scheme=scheme) as page:
        assert page.locator("#scores svg.pane").count() == 2
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert not faults_by_axe(page, "#scores, #games", is_grave=True)
