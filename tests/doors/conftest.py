"""The folder in which everything is played, shared by all processes of pytest."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

import pytest
from support.doors import COMPARED, PLAYED, lay_out, made, padded


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    base = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        base = base.parent
    found = padded(base / "doors")
    with open(base / "doors.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not found.exists():
            found.mkdir()
            lay_out(found)
    return found


@pytest.fixture
def update(request: pytest.FixtureRequest) -> bool:
    """True if the texts are to be kept anew."""
    return bool(request.config.getoption("--golden-update"))


@pytest.fixture(scope="session")
def all_played(folder: Path) -> Path:
    for name in (*PLAYED, *COMPARED):
        made(folder, name)
    return folder
