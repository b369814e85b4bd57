"""The page of names in Python: it has every public name, and its examples run."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from support.samples import ROOT

import arena

PAGE = (ROOT / "docs/api.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)


def test_it_has_every_public_name() -> None:
    described = re.findall(r"^\.\. auto\w+:: arena\.(\w+)", PAGE, re.MULTILINE)
    assert sorted(described) == sorted(arena.__all__)


@pytest.mark.parametrize("name", arena.__all__)
def test_every_public_name_has_an_example(name: str) -> None:
    assert re.search(rf"\barena\.{name}\b", "".join(EXAMPLES))


@pytest.mark.slow
def test_its_examples_run_from_the_first_to_the_last(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    for code in EXAMPLES:
        exec(code, names)
    assert {"run", "record", "choice", "study", "fit"} <= names.keys()


@pytest.mark.parametrize("page", ["api.md", "gallery.md"])
def test_code_that_is_shown_is_python(page: str) -> None:
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    for code in re.findall(r"```python\n(.*?)```", text, re.DOTALL):
        compile(code, page, "exec")
