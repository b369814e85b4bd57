"""Every file of `configs/` and `research/configs/` is read without a fault."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.samples import ROOT

from arena.books import read_book
from arena.config.reader import read_config
from arena.tuning.fit.config import read_fit
from arena.tuning.settings.reader import read_tuning

READERS = {"tune": read_tuning, "book": read_book, "fit": read_fit}
"""Readers by the first word of a file's name; any other is a tournament's."""
USERS = sorted(ROOT.glob("configs/*.yaml"))
MAINTAINERS = sorted(ROOT.glob("research/configs/*.yaml"))


@pytest.mark.parametrize("file", USERS, ids=lambda file: file.stem)
def test_a_users_config_can_be_read(file: Path, undrawn: None) -> None:
    assert_readable(file)


@pytest.mark.slow
@pytest.mark.parametrize("file", USERS + MAINTAINERS, ids=lambda file: file.stem)
def test_every_config_finds_as_many_openings_as_it_asks_for(file: Path) -> None:
    assert_readable(file)


def assert_readable(file: Path) -> None:
    assert READERS.get(file.stem.split("_")[0], read_config)(file).name == file.stem
