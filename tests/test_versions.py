"""The versions that pyproject.toml promises, and that they are tried."""

from __future__ import annotations

import re
import tomllib

from support.samples import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
PYTHON = "Programming Language :: Python :: "


def test_every_dependency_has_a_lowest_version_and_ci_tries_it() -> None:
    extras = PROJECT["optional-dependencies"]
    for needed in [*PROJECT["dependencies"], *extras["parquet"]]:
        assert re.fullmatch(r"[\w.-]+>=[\d.]+", needed)
    assert "--resolution lowest-direct" in (ROOT / ".ci/run").read_text(encoding="utf-8")


def test_every_python_from_the_lowest_on_is_named() -> None:
    pythons = [each for each in PROJECT["classifiers"] if each.startswith(PYTHON)]
    named = [each.removeprefix(PYTHON) for each in pythons]
    first, last = (int(version.removeprefix("3.")) for version in (named[0], named[-1]))
    assert PROJECT["requires-python"] == f">={named[0]}"
    assert named == [f"3.{minor}" for minor in range(first, last + 1)]
