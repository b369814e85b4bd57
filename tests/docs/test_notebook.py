"""The notebook's page: its code runs as it stands, and its table has every frame."""

from __future__ import annotations

import ast
import json
import re
from dataclasses import fields
from functools import partial
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


def example_cells() -> list[str]:
    cells = json.loads((ROOT / "docs/example.ipynb").read_text(encoding="utf-8"))["cells"]
    assert not any(cell.get("outputs") for cell in cells)
    return ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]


def run_cell(source: str, names: dict[str, object]) -> object:
    """Run a cell; the value of its last expression, once it was shown as notebooks show it."""
    *body, last = ast.parse(source).body
    exec(compile(ast.Module(body, []), "cell", "exec"), names)
    if not isinstance(last, ast.Expr):
        exec(compile(ast.Module([last], []), "cell", "exec"), names)
        return None
    value = eval(compile(ast.Expression(last.value), "cell", "eval"), names)
    return getattr(value, "_repr_html_", partial(repr, value))()


@pytest.mark.slow
def test_the_example_goes_from_a_match_to_a_proof(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("agg")
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    shown = [run_cell(cell, names) for cell in example_cells()]
    assert len(shown) >= 20
    assert "v1 is better than v2" in str(shown[4])
    run, study, end = (str(names[name]) for name in ("run", "study", "end"))
    assert "40 games" in run
    assert study.startswith("Study('search'): Gain proved")
    assert "v1 is better than v2: H1" in end
    assert study in capsys.readouterr().out


def test_its_table_has_every_frame() -> None:
    frames = {field.name for field in fields(Report) if field.type == "pd.DataFrame"}
    assert frames | {"games"} == set(re.findall(r"^\| `(\w+)` \|", PAGE, re.MULTILINE))
