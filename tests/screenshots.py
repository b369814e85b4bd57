"""Pictures of the report in a browser, for the pages: `python tests/screenshots.py RUN`.

They are written to docs/, and need Chromium and `pip install -e '.[browser]'`.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from support.browsers import chromium, opened

from arena.report.contents import run_contents
from arena.report.export import save
from arena.tournament.run import open_run

DOCS = Path(__file__).parents[1] / "docs"
WIDTH, HEIGHT = 1100, 900


def main(run: str) -> None:
    """Take a picture of the head of a run's page, light, and of its games, dark."""
    with tempfile.TemporaryDirectory() as folder, chromium() as browser:
        file = Path(folder) / "report.html"
        save(run_contents(open_run(run).report()), "html", None, file)
        with opened(browser, file, WIDTH, color_scheme="light") as page:
            page.set_viewport_size({"width": WIDTH, "height": HEIGHT})
            page.screenshot(path=DOCS / "report.png")
        with opened(browser, file, 1400, color_scheme="dark") as page:
            page.get_by_role("button", name="One ply back").click()
            page.locator("#games").screenshot(path=DOCS / "games.png")


if __name__ == "__main__":
    main(*sys.argv[1:])
