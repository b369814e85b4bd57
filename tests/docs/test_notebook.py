"""The notebook's page: its code runs as it stands, and its table has every frame."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import pytest
from support.samples import ROOT, Write

from arena.report.frames import Report

PAGE = (ROOT / "docs/notebook.md").read_text(encoding="utf-8")


@pytest.mark.slow
def test_its_code_makes_pictures(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("agg")
    (tmp_path / "configs").mkdir()
    write(name="configs/round.yaml")
    monkeypatch.chdir(tmp_path)
    shared: dict[str, object] = {}
    for code in re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL):
        exec(code, shared)
    picture = matplotlib.image.imread(tmp_path / "round.png")
    assert picture.shape[:2] == (400, 1000)
    assert picture.min() < picture.max()
    assert "games" in (tmp_path / "live.svg").read_text(encoding="utf-8")


def test_its_table_has_every_frame() -> None:
    frames = {field.name for field in fields(Report) if field.type == "pd.DataFrame"}
    assert frames | {"games"} == set(re.findall(r"^\| `(\w+)` \|", PAGE, re.MULTILINE))
