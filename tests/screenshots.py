"""Pictures of pages for the gallery: `python tests/screenshots.py ROUND TEST STUDY [NAME...]`.

ROUND, TEST and STUDY are runs, by name or folder: a tournament, an SPRT and a study. The pictures
are written to docs/, or only those that are named. They need Chromium and
`pip install -e '.[browser]' pillow`.
"""

from __future__ import annotations

import io
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from subprocess import DEVNULL
from typing import TYPE_CHECKING, NamedTuple

from support.browsers import chromium, opened
from support.page_requests import Served, serving
from support.processes import finished, running

import arena
from arena.commands.report import answer_of
from arena.report.answer import save
from arena.server.watch.run_list import RunFolders

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

DOCS = Path(__file__).parents[1] / "docs"
WIDTH, HEIGHT = 1100, 700
COLOURS = 48  # of a picture, so that it is small
PATIENCE = 240_000  # milliseconds that a page may take on a machine that has much else to do
LONG = """
name: {name}
game: {{gomoku: {{size: 15}}}}
format: {format}
openings: {{random: {{plies: 4, count: 100, seed: 7}}}}
limit: {{nodes: 400000}}
engines:
  - {{name: deeper, engine: balance, depth: 7}}
  - {{name: before, engine: balance, depth: 6}}
"""  # a run that is still played when its picture is taken


class Runs(NamedTuple):
    round: str
    test: str
    study: str


Picture = Callable[["Browser", Runs], bytes]


def main(round_: str, test: str, study: str, *names: str) -> None:
    runs = Runs(round_, test, study)
    with chromium() as browser:
        for name in names or PICTURES:
            (DOCS / f"{name}.png").write_bytes(small(PICTURES[name](browser, runs)))
            print(f"{name}.png: {(DOCS / f'{name}.png').stat().st_size} bytes")


def small(png: bytes) -> bytes:
    from PIL import Image

    packed = io.BytesIO()
    picture = Image.open(io.BytesIO(png)).convert("RGB")
    picture.quantize(COLOURS, dither=Image.Dither.NONE).save(packed, "png", optimize=True)
    return packed.getvalue()


@contextmanager
def report_page(browser: Browser, run: str, scheme: str) -> Iterator[Page]:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "report.html"
        save(answer_of((run,), Path("results"), None), "html", None, file)
        with opened(browser, file, WIDTH, color_scheme=scheme) as page:
            page.set_viewport_size({"width": WIDTH, "height": HEIGHT})
            yield page


def whole(run: str, scheme: str, place: str = "") -> Picture:
    """A picture of a report, or of a part of it."""

    def taken(browser: Browser, runs: Runs) -> bytes:
        with report_page(browser, getattr(runs, run), scheme) as page:
            return page.locator(place).screenshot() if place else page.screenshot()

    return taken


def games(browser: Browser, runs: Runs) -> bytes:
    with report_page(browser, runs.round, "dark") as page:
        page.get_by_role("button", name="One ply back").click()
        return page.locator("#games").screenshot()


def study(browser: Browser, runs: Runs) -> bytes:
    with report_page(browser, runs.study, "dark") as page:
        page.evaluate("document.getElementById('parameters').scrollIntoView()")
        return page.screenshot()


@contextmanager
def served_page(
    browser: Browser, scheme: str, *options: str
) -> Iterator[tuple[Page, Served, Path]]:
    """A page that was let in by `arena serve` of a new folder, and that folder."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "results").mkdir()
        with serving(folder / "results", folder / "state", *options) as served:
            view = {"width": WIDTH, "height": HEIGHT}
            context = browser.new_context(viewport=view, color_scheme=scheme)
            context.set_default_timeout(PATIENCE)
            page = context.new_page()
            page.goto(served.address)
            yield page, served, folder
            context.close()


def live(browser: Browser, runs: Runs) -> bytes:
    with served_page(browser, "light") as (page, served, folder):
        file = folder / "live.yaml"
        file.write_text(LONG.format(name="live", format="round_robin"))
        results = folder / "results"
        command = [sys.executable, "-m", "arena", "run", file, "--results", results]
        with running([*command, "--workers", "2"], stdout=DEVNULL, stderr=DEVNULL):
            while not list(RunFolders(results).runs()):
                time.sleep(0.2)
            (run,) = RunFolders(results).runs()
            page.goto(f"{served.origin}/runs/{run.id}")
            played = "document.querySelectorAll('#games tbody tr, .game-list tr').length > 1"
            moved = "document.querySelectorAll('.live-board .stone').length > 24"
            page.wait_for_function(f"() => {played} && {moved}")
            page.evaluate("document.getElementById('live').scrollIntoView()")
            return page.screenshot()


def start_of(run: str, plies: int) -> str:
    """A position of a run's first game, as the pages name it."""
    record = next(record for _, record in arena.open_run(run).records())
    cells = (tuple(map(int, move.split(","))) for move in record.moves.split()[:plies])
    return f"game=gomoku&size=15&rule=freestyle&moves={'.'.join(f'{r * 15 + c}' for r, c in cells)}"


def analysis(browser: Browser, runs: Runs) -> bytes:
    with served_page(browser, "light") as (page, served, _):
        page.goto(f"{served.origin}/analysis#{start_of(runs.round, 11)}&engine=strong&lines=3")
        page.locator(".lines tbody tr").nth(2).wait_for()
        page.wait_for_timeout(8_000)
        return page.screenshot()


def play(browser: Browser, runs: Runs) -> bytes:
    with served_page(browser, "dark") as (page, served, _):
        page.goto(f"{served.origin}/play#{start_of(runs.round, 10)}")
        page.get_by_role("button", name="Begin").click()
        page.locator(".cells .target").first.wait_for()
        page.get_by_role("button", name="Hint", exact=True).click()
        page.locator(".cells .hint").wait_for()
        page.evaluate("document.getElementById('table').scrollIntoView()")
        return page.screenshot()


def queue(browser: Browser, runs: Runs) -> bytes:
    with served_page(browser, "light", "--queue", "--cores", "1") as (page, served, folder):
        assert served.process.stdout
        link = served.process.stdout.readline().split()[-1]
        for name, format_, priority in (
            ("deeper-search", "round_robin", "0"),
            ("new-weights", "{sprt: {elo0: 0, elo1: 10}}", "1"),
            ("nightly", "round_robin", "-1"),
        ):
            file = folder / f"{name}.yaml"
            file.write_text(LONG.format(name=name, format=format_))
            command = [sys.executable, "-m", "arena", "submit", str(file), "--to", link]
            finished([*command, "--priority", priority], check=True, text=True)
        page.goto(f"{served.origin}/queue")
        page.locator("tbody tr", has_text="playing").wait_for()
        page.wait_for_timeout(30_000)
        return page.screenshot(clip={"x": 0, "y": 0, "width": WIDTH, "height": HEIGHT // 2})


PICTURES = {each.__name__: each for each in (games, study, live, play, analysis, queue)}
PICTURES |= {"report": whole("round", "light"), "test": whole("test", "light")}
PICTURES |= {"openings": whole("round", "light", "#openings")}

if __name__ == "__main__":
    main(*sys.argv[1:])
