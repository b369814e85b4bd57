"""The form that plans a test, in a real browser: it tells what the command tells."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from support.browsers import opened
from support.reports import report, schedule_of, shown

from arena.report.frames import Report
from arena.report.numbers import about
from arena.report.planning.plan import played
from arena.stats.forecast import Design, forecast

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.slow

KINDS: list[tuple[int | None, int | None]] = [(1, 2), (1, 1), (2, 1), (2, 2), (1, None), (1, 1)]
"""Winners of the two games of a pair."""


def two_players() -> Report:
    return report(["a", "b"], schedule_of(*[("a", "b", *winners) for winners in KINDS * 3]))


@pytest.fixture(name="file")
def fixture_file(tmp_path: Path) -> Path:
    (tmp_path / "two.html").write_text(shown(two_players(), "html"))
    return tmp_path / "two.html"


@pytest.mark.parametrize(
    "design",
    [
        Design(0, 10),
        Design(-5, 0, 0.01, 0.2),
        Design(0, 120),
        Design(-300, 500, 0.1, 0.1),
    ],
)
def test_it_tells_the_pairs_that_the_command_tells(
    design: Design, file: Path, browser: Browser
) -> None:
    basis = played(two_players())
    assert basis
    found = [
        forecast(Design(design.elo0, design.elo1, design.alpha, design.beta, pairs=10**7), *asked)
        for asked in [(basis.shares, elo) for elo in (design.elo1, design.midway, design.elo0)]
    ]
    with opened(browser, file) as page:
        for name in ("elo0", "elo1", "alpha", "beta"):
            page.fill(f".plan input[name={name}]", str(getattr(design, name)))
        told = page.locator(".plan output").inner_text()
    assert re.findall(r"[Aa]bout ([\d,]+)|and ([\d,]+) if", told) == [
        (about(found[0].mean), ""),
        (about(found[1].mean), ""),
        ("", about(found[2].mean)),
    ]
    assert f"accepted in {100 * found[0].h1:.0f} %" in told


@pytest.mark.parametrize(
    ("name", "value", "fault"),
    [
        ("elo0", "10", "elo0 must be less than elo1."),
        ("elo1", "much", "elo0 and elo1 must be from -1000 to 1000."),
        ("alpha", "0.5", "alpha and beta must be from 1e-9 to 0.49."),
        ("beta", "", "alpha and beta must be from 1e-9 to 0.49."),
        ("workers", "0", "workers must be 1 or more."),
    ],
)
def test_it_says_what_is_wrong(
    name: str, value: str, fault: str, file: Path, browser: Browser
) -> None:
    with opened(browser, file) as page:
        page.fill(f".plan input[name={name}]", value)
        assert page.locator(".plan output").inner_text() == fault
