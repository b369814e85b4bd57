"""Scores on a page: win probabilities on one scale, and the players' own units on request."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from support.browsers import SCHEMES, WIDTHS, node_module, opened
from support.game_records import games_of_numbered
from support.reports import Played
from support.scored_games import SIZE, K, scored_games

from arena.match.record import GameRecord
from arena.plugins.load import Named
from arena.report.answer import save
from arena.report.frames import Report, report_of
from arena.report.run_answer import run_answer
from arena.report.verdict import Extras, RunFacts

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.slow


def reported(games: list[Played]) -> Report:
    """The report of a run with these games."""
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
    script = node_module("axe-core/axe.min.js").read_text()
    with opened(browser, file, width, color_scheme=scheme) as page:
        assert page.locator("#scores svg.pane").count() == 2
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        page.evaluate(script)
        found = page.evaluate("axe.run('#scores, #games').then(each => each.violations)")
        assert not [each for each in found if each["impact"] in ("serious", "critical")]
