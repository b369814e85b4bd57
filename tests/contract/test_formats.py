"""The contract of a format, put to each file in arena/formats."""

from __future__ import annotations

import pytest

from arena.plugins.load import names
from arena.testing import check_format


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.slow if name == "sprt_couples" else ())
        for name in names("format")
    ],
)
def test_it_passes_the_checks_that_users_run_on_theirs(name: str) -> None:
    check_format(name)
