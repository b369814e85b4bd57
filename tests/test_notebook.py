"""The notebook's page: its code runs as it stands."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from samples import ROOT, Write

PAGE = (ROOT / "docs/notebook.md").read_text(encoding="utf-8")


def test_its_code_makes_a_picture(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("agg")
    (tmp_path / "configs").mkdir()
    write(name="configs/round.yaml")
    monkeypatch.chdir(tmp_path)
    (code,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    exec(code, {})
    picture = matplotlib.image.imread(tmp_path / "round.png")
    assert picture.shape[:2] == (400, 1000)
    assert picture.min() < picture.max()
