"""What many tests need: a tournament's file, made from a few lines."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest
from hypothesis import settings
from samples import ROUND, Write

# A machine that others use, too, makes any example slow now and then. The same examples each time,
# so that who changes nothing sees nothing fail; to look for more: --hypothesis-profile=searching,
# and for still more rubbish that might be handed to us: --hypothesis-profile=thorough.
settings.register_profile("steady", deadline=None, derandomize=True)
settings.register_profile("searching", deadline=None)
settings.register_profile("thorough", deadline=None, max_examples=20_000)
settings.load_profile("steady")


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Writes a file into the test's folder: `write(text, "round.yaml")`."""

    def write(text: str = ROUND, name: str = "round.yaml") -> Path:
        file = tmp_path / name
        file.write_text(dedent(text).lstrip("\n"), encoding="utf-8")
        return file

    return write


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--golden-update", action="store_true", help="write the golden files anew")
