"""The files that an engine is made of: those of its own tree that it imports, and no others."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.samples import ROOT, Write

from arena.plugins.load import files_of
from arena.plugins.source_files import Home, engine_files

ENGINE = "\nGAMES = ('*',)\nclass E:\n    new_game = choose = close = print\ndef engine(game):\n"
BODY = f"{ENGINE}    return E()\n"
IMPORTS = [
    ("import helper", ["helper.py"]),
    ("from helper import N", ["helper.py"]),
    ("if 1: import helper; import other", ["helper.py", "other.py"]),
    ("try:\n    import helper\nexcept ImportError:\n    pass", ["helper.py"]),
    ("import pkg.deep", ["pkg/__init__.py", "pkg/deep.py", "pkg/below.py"]),
    ("from pkg import (  # 1\n deep,\n)", ["pkg/__init__.py", "pkg/deep.py", "pkg/below.py"]),
    ("from pkg import \\\n    below", ["pkg/__init__.py", "pkg/below.py"]),
    ("import importlib\nimportlib.import_module(f'{__package__}.other')", ["other.py"]),
    ("import bare.thing", ["bare/thing.py"]),
    ("import json, arena.game", []),
    ("# import helper", []),
    ("'''\nimport helper\n'''", []),
    ("if 0:\n    from.helper import pick", ["helper.py"]),
    ("if 0: from . import (other, # see f(x)\n helper)", ["helper.py", "other.py"]),
    ("if 0:\n    N = 1\n\f    import helper", ["helper.py"]),
    ("if 0: __import__('helper')", ["helper.py"]),
    ("import importlib\nif 0: importlib.import_module('helper')", ["helper.py"]),
    ("if 0: import_module('.helper', __package__)", ["helper.py"]),
    ("# coding: latin-1\nimport helper", ["helper.py"]),
]


@pytest.fixture
def tree(write: Write, tmp_path: Path) -> Write:
    for folder in ("pkg", "bare", "site-packages"):
        (tmp_path / folder).mkdir()
    for name in ("helper", "other", "alone", "arena", "bare/thing", "pkg/below"):
        write("N = 1\n", f"{name}.py")
    write("", "pkg/__init__.py")
    write("from . import below\nfrom .. import alone\n", "pkg/deep.py")
    return write


def own_files(write: Write, source: str) -> list[str]:
    return [*files_of(str(write(source, "own.py")))]


@pytest.mark.parametrize(("source", "expected"), IMPORTS, ids=lambda text: str(text)[:30])
def test_what_an_engine_imports_from_beside_it_is_part_of_it(
    tree: Write, source: str, expected: list[str]
) -> None:
    source = source.replace("from .. import alone", "")
    tree("from . import below\n", "pkg/deep.py")
    assert own_files(tree, source + BODY) == sorted(["own.py", *expected])
    if "if 0" not in source and "coding" not in source:
        late = "".join(f"    {line}\n" for line in source.splitlines())
        found = own_files(tree, f"{ENGINE}{late}    return E()\n")
        assert found == sorted(["own.py", *expected]), "an import within a function counts, too"


UNREADABLE = ["1 +", "\0", "(" * 9999, "-" * 99_999 + "1", "1" + "+1" * 99_999, "x = '\\d'"]


@pytest.mark.parametrize("text", UNREADABLE, ids=lambda text: text[:5])
@pytest.mark.filterwarnings("error")
def test_a_text_that_is_no_python_imports_nothing(tmp_path: Path, text: str) -> None:
    (tmp_path / "odd.py").write_text(text, encoding="utf-8")
    home = Home(tmp_path, tmp_path / "odd.py")
    assert [*engine_files(home)] == ["odd.py"]


def test_the_kit_or_its_copy_is_part_of_what_uses_it(write: Write, tmp_path: Path) -> None:
    found = files_of(str(write("from arena.engines.kit.bits import *" + BODY, "own.py")))
    assert {"own.py", "arena/engines/__init__.py", "arena/engines/kit/bits.py"} <= found.keys()
    assert found["arena/engines/kit/bits.py"] == ROOT / "arena/engines/kit/bits.py"
    (tmp_path / "engines/kit").mkdir(parents=True)
    for name in ("engines/__init__.py", "engines/kit/__init__.py", "engines/kit/bits.py"):
        write("", name)
    own = str(write("from engines.kit import bits" + BODY, "engines/own.py"))
    assert files_of(own)["engines/kit/bits.py"] == tmp_path / "engines/kit/bits.py"


def test_an_engine_of_the_project_has_the_kit_that_it_imports_and_no_other_engine() -> None:
    found = [*files_of("balance")]
    assert {"arena/engines/balance.py", "arena/engines/kit/shapes/search.py"} <= set(found)
    own, *others = ["arena/engines/__init__.py", "arena/engines/balance.py"]
    assert [name for name in found if name.count("/") == 2] == [own, *others]
    assert [*files_of("arena.engines.random_mover")] == [own, "arena/engines/random_mover.py"]


def test_an_engine_by_its_dotted_name_has_its_packages(
    tree: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    tree("import helper\nfrom pkg import below" + BODY, "pkg/player.py")
    expected = ["helper.py", "pkg/__init__.py", "pkg/below.py", "pkg/player.py"]
    assert [*files_of("pkg.player")] == expected
