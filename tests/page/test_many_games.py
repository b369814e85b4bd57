"""A page of very many games: its size, and the time that it takes to make and to open."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from browsers import chromium, opened
from outlines import Outline

from arena.game import Outcome
from arena.match.record import GameRecord, Job, record
from arena.page.kept import kept_games
from arena.plugins.load import Named
from arena.report.contents import run_contents
from arena.report.export import report_text
from arena.report.facts import RunFacts
from arena.report.frames import Extras, report_of

PLAYERS = [f"player {i}" for i in range(6)]
PLIES, OPENING = 60, 4


def job_texts(chance: random.Random) -> tuple[str, str]:
    """An opening, and the moves of a whole game."""
    moves = [f"{cell // 15},{cell % 15}" for cell in chance.sample(range(225), PLIES)]
    return " ".join(moves[:OPENING]), " ".join(moves)


def games(count: int) -> Iterator[GameRecord]:
    """Pairs of games of sixty plies, with the times and the nodes of ordinary engines."""
    chance, choices = random.Random(1), PLIES - OPENING
    for i in range(count // 2):
        one, other = chance.sample(PLAYERS, 2)
        opening, moves = job_texts(chance)
        for first, second in ((one, other), (other, one)):
            late = chance.random() < 0.02
            yield record(
                Job(first, second, opening, i),
                Outcome(chance.choice([1, 2]), "time" if late else "line"),
                "took 1.2 s of 1 s" if late else "",
                moves,
                ("", f"{i} {first}"),
                times=" ".join(f"{chance.expovariate(50):.6f}" for _ in range(choices)),
                nodes=" ".join(str(chance.randrange(100_000)) for _ in range(choices)),
                depths=" ".join(str(chance.randint(3, 9)) for _ in range(choices)),
                scores=" ".join(str(chance.randint(-3000, 3000)) for _ in range(choices)),
            )


def page_of(records: list[GameRecord]) -> str:
    facts = RunFacts("many", Named("gomoku", {"size": 15}), Named("round_robin"), "name: many")
    numbered = list(enumerate(records, start=1))
    found = report_of(PLAYERS, {"many": numbered}, extras=Extras(runs=[facts]))
    return report_text(run_contents(found), "html")


@pytest.mark.slow
def test_a_thousand_games_are_all_there_in_less_than_a_megabyte() -> None:
    page = page_of(list(games(1000)))
    assert len(page.encode()) < 1_000_000
    found = Outline(page).data
    assert [game["n"] for game in found["games"]] == list(range(1, 1001))
    assert all(len(game["m"]) == PLIES for game in found["games"])
    assert "left out" not in page.split("<script")[0]


@pytest.mark.slow
def test_ten_thousand_are_made_in_seconds_and_opened_in_less(tmp_path: Path) -> None:
    records = list(games(10_000))
    began = time.process_time()
    page = page_of(records)
    assert time.process_time() - began < 5
    assert len(page.encode()) < 1_000_000
    found = Outline(page)
    assert f"Of 10,000 games, {len(found.data['games']):,} are kept" in found.text
    assert found.data["left_out"] == 10_000 - len(found.data["games"])
    assert len(found.data["games"]) >= 1000
    late = [game for game in records if game.reason == "time"]
    assert len([game for game in found.data["games"] if game["r"] == "time"]) == len(late)
    file = tmp_path / "page.html"
    file.write_text(page, encoding="utf-8")
    with chromium() as browser, opened(browser, file) as shown:
        took = shown.evaluate("performance.getEntriesByType('navigation')[0].loadEventEnd")
        assert took < 5000  # less than 1000 where nothing else runs


def test_there_is_room_for_a_thousand_games() -> None:
    one = next(games(2))
    assert len(kept_games([one] * 1000)) == 1000
