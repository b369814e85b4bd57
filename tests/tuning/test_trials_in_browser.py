"""The trials of a study in a real browser: where it is served, they lead to their games."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from support.browsers import complaints_of
from support.page_requests import serving
from support.samples import Write
from support.studies import tuned

from arena.server.watch.run_list import RunFolders

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.slow


def test_a_trial_leads_to_its_games_and_the_study_to_its_proof(
    browser: Browser, write: Write, tmp_path: Path
) -> None:
    results = tuned(write).folder.parent
    ids = {each.name: each.id for each in RunFolders(results).runs()}
    (study,) = (name for name in ids if "/" not in name)
    context = browser.new_context()
    context.set_default_timeout(60_000)
    page = context.new_page()
    complaints = complaints_of(page)
    with serving(results, tmp_path / "state") as server:
        page.goto(server.address)
        page.goto(f"{server.origin}/runs/{ids[study]}#trials")
        page.locator("#viewer .board .stone").first.wait_for(state="attached")
        page.get_by_role("link", name="9 to 16", exact=True).click()
        page.locator("#games h3", has_text="Game 9: ").wait_for()
        page.get_by_role("link", name="verification").click()
        page.wait_for_url(re.compile(f"/runs/{ids[f'{study}/verification']}"))
        context.close()
    assert not complaints
