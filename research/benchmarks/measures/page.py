"""The report in a browser of very many games: its size, and the time to make, open and use it."""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from random import Random
from typing import Any

from arena.bench import Measurement
from arena.game import Outcome
from arena.match.record import GameRecord, Job, record
from arena.plugins.load import Named
from arena.report.answer import report_text
from arena.report.frames import report_of
from arena.report.run_answer import run_answer
from arena.report.verdict import Extras, RunFacts
from arena.storage.database import Store, kept_games
from arena.storage.folder import DATABASE

GAME_COUNTS = (1_000, 10_000)
FIELD_OF_PAGE = [f"player {i}" for i in range(6)]
PAGE_PLIES, PAGE_OPENING = 60, 4
CLICKS = 100
SHOW_GAMES = """() => {
const took = [];
for (let i = 0; i < %d; i++) {
    const began = performance.now();
    document.querySelector("[data-act=after]").click();
    document.querySelector("[data-part=board]").getBoundingClientRect();
    took.push(performance.now() - began);
}
return took.sort((a, b) => a - b)[Math.floor(0.95 * took.length)];
}"""
"""The time within which a click shows the next game, laid out, in 95 of 100 clicks: ms."""


def rows(repeat: int) -> Iterator[Measurement]:
    """A row for each number of games, in Chromium if that is there; `repeat` is ignored."""
    for count in GAME_COUNTS:
        records = list(games_of_page(count))
        began = time.process_time()
        page = page_of(records)
        yield {
            "name": f"page/{count}",
            "games": count,
            "seconds": time.process_time() - began,
            "kilobytes": len(page.encode()) / 1000,
            **used(page),
        }


def page_of(records: Sequence[GameRecord]) -> str:
    """The page of a run of such games."""
    facts = RunFacts("many", Named("gomoku", {"size": 15}), Named("round_robin"), "name: many")
    with tempfile.TemporaryDirectory() as folder, closing(Store(Path(folder) / DATABASE)) as store:
        for each in records:
            store.add(each)
        store.flush()
        games = {"many": kept_games(store)}
        found = report_of(FIELD_OF_PAGE, games, extras=Extras(runs=[facts]))
        return report_text(run_answer(found), "html")


def games_of_page(count: int) -> Iterator[GameRecord]:
    """Pairs of games of sixty plies, with the times and the nodes of ordinary engines."""
    chance, choices = Random(1), PAGE_PLIES - PAGE_OPENING
    for i in range(count // 2):
        one, other = chance.sample(FIELD_OF_PAGE, 2)
        moves = [f"{cell // 15},{cell % 15}" for cell in chance.sample(range(225), PAGE_PLIES)]
        for first, second in ((one, other), (other, one)):
            late = chance.random() < 0.02
            yield record(
                Job(first, second, " ".join(moves[:PAGE_OPENING]), i),
                Outcome(chance.choice([1, 2]), "time" if late else "line"),
                "took 1.2 s of 1 s" if late else "",
                " ".join(moves),
                ("", f"{i} {first}"),
                times=" ".join(f"{chance.expovariate(50):.6f}" for _ in range(choices)),
                nodes=" ".join(str(chance.randrange(100_000)) for _ in range(choices)),
                depths=" ".join(str(chance.randint(3, 9)) for _ in range(choices)),
                scores=" ".join(str(chance.randint(-3000, 3000)) for _ in range(choices)),
            )


def used(page: str) -> dict[str, float]:
    """Milliseconds to open a page, and to show a game of it; nothing without a browser."""
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    if not program or not find_spec("playwright"):
        return {}
    playwright: Any = import_module("playwright.sync_api")
    with tempfile.TemporaryDirectory() as folder, playwright.sync_playwright() as play:
        file = Path(folder) / "page.html"
        file.write_text(page, encoding="utf-8")
        browser = play.chromium.launch(executable_path=program, args=["--no-sandbox"])
        shown = browser.new_page()
        shown.goto(file.as_uri())
        shown.wait_for_selector(".board .stone")
        opened = shown.evaluate("performance.now()")
        clicked = shown.evaluate(SHOW_GAMES % CLICKS)
        browser.close()
    return {"open_ms": float(opened), "show_ms": float(clicked)}
