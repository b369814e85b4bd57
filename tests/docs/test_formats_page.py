"""The page about formats: what it shows can be typed, and it shows all there are."""

from __future__ import annotations

import re

from ruamel.yaml import YAML
from support.samples import ROOT

from arena.plugins.load import factory, names
from arena.plugins.parameters import fit

PAGE = (ROOT / "docs/formats.md").read_text(encoding="utf-8")


def test_its_lines_are_formats_and_their_parameters() -> None:
    (block,) = re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)
    shown = []
    for line in block.splitlines():
        value = YAML(typ="safe").load(line)["format"]
        ((name, parameters),) = (value if isinstance(value, dict) else {value: {}}).items()
        _, misfits = fit(factory("format", name), parameters)
        assert not misfits
        shown.append(name)
    assert sorted(shown) == [*names("format")]
