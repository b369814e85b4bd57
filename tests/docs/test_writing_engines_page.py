"""The page on engines: its engine is the one that `arena init` writes."""

from __future__ import annotations

from support.samples import ROOT

from arena.config.shipped import STARTER


def test_its_engine_is_the_one_that_init_writes() -> None:
    page = (ROOT / "docs/writing_engines.md").read_text(encoding="utf-8")
    assert f"```python\n{(STARTER / 'my_engine.py').read_text(encoding='utf-8')}```" in page
