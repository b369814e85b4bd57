"""A page of very many games: its size, and the games that it keeps."""

from __future__ import annotations

import pytest
from support.html_outlines import Outline

from arena.report.page.games import kept_games
from benchmarks.measures.page import PAGE_PLIES, games_of_page, page_of


@pytest.mark.slow
def test_a_thousand_games_are_all_there_in_less_than_a_megabyte() -> None:
    page = page_of(list(games_of_page(1000)))
    assert len(page.encode()) < 1_000_000
    found = Outline(page).data
    assert [game["n"] for game in found["games"]] == list(range(1, 1001))
    assert all(len(game["m"]) == PAGE_PLIES for game in found["games"])
    assert "left out" not in page.split("<script")[0]


@pytest.mark.slow
def test_of_ten_thousand_those_that_matter_are_kept() -> None:
    records = list(games_of_page(10_000))
    page = page_of(records)
    assert len(page.encode()) < 1_000_000
    found = Outline(page)
    assert f"Of 10,000 games, {len(found.data['games']):,} are kept" in found.text
    assert found.data["left_out"] == 10_000 - len(found.data["games"])
    assert len(found.data["games"]) >= 1000
    late = [game for game in records if game.reason == "time"]
    assert len([game for game in found.data["games"] if game["r"] == "time"]) == len(late)


def test_there_is_room_for_a_thousand_games() -> None:
    one = next(games_of_page(2))
    assert len(kept_games([one] * 1000)) == 1000
