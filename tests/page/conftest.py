"""The browser that all tests of pages share."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from browsers import chromium

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture(scope="session", name="browser")
def fixture_browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser
