"""The static files: put together as one script, typed, and in no form that would break there."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import shutil
from collections import Counter
from pathlib import Path

import pytest
from support.browsers import node_module
from support.processes import finished

from arena.report.page.assets import (
    COMMENT_LINE,
    STATIC,
    Inline,
    assembled,
    chart_style,
    page_script,
    page_style,
    sources,
)

MAIN = 'import { one, two } from "./a.js";\none(two);\n'
A = 'import { three } from "./b.js";\nexport const two = 2;\nexport function one() { three(); }\n'
B = "export async function three() {}\n"


def test_a_module_comes_after_those_that_it_imports() -> None:
    text = assembled({"main.js": MAIN, "a.js": A, "b.js": B, "other.js": "never();"}, "main.js")
    assert re.findall(r"^// (.*)", text, re.MULTILINE) == ["b.js", "a.js", "main.js"]
    assert "never" not in text


def test_nothing_of_imports_and_exports_is_left() -> None:
    text = assembled({"main.js": MAIN, "a.js": A, "b.js": B}, "main.js")
    assert "import" not in text
    assert "export" not in text
    assert "\nasync function three() {}\n" in text
    assert "\nconst two = 2;\nfunction one() { three(); }\n" in text


def test_comments_are_left_as_they_are_since_they_hold_types() -> None:
    main = '/** @typedef {import("./a.js").Board} Board */\n// export default\nrun();\n'
    assert 'import("./a.js").Board' in assembled({"main.js": main}, "main.js")


IMPORT = re.compile(r'import \{ (\w+(?:, \w+)*) \} from "\./([\w-]+\.js)";')
EXPORT = re.compile(r"export ((?:async )?function|const|class) (\w+)")
DECLARED = re.compile(r"(?:export )?(?:async )?(?:function\*?|const|let|var|class) +(\w+)")
MODULE_WORD = re.compile(r"^\s*(import|export)\b|\bimport\s*[(.]")


def code_of(name: str) -> list[str]:
    """The lines of a script that are no comment: types in comments import, too."""
    return [line for line in sources(STATIC)[name].splitlines() if not COMMENT_LINE.match(line)]


@pytest.mark.parametrize("name", sources(STATIC))
def test_a_script_imports_and_exports_in_forms_that_are_known(name: str) -> None:
    for line in code_of(name):
        assert IMPORT.fullmatch(line) or EXPORT.match(line) or not MODULE_WORD.search(line), line


@pytest.mark.parametrize("name", sources(STATIC))
def test_what_a_script_imports_is_exported_there(name: str) -> None:
    for taken, module in (found.groups() for found in map(IMPORT.match, code_of(name)) if found):
        exported = {found[2] for found in map(EXPORT.match, code_of(module)) if found}
        assert set(taken.split(", ")) <= exported


@pytest.mark.parametrize("entry", sources(STATIC))
def test_no_name_is_given_twice_among_scripts_that_come_together(entry: str) -> None:
    modules = re.findall(r"^// ([\w-]+\.js)$", assembled(sources(STATIC), entry), re.MULTILINE)
    assert entry in modules
    lines = (line for name in modules for line in code_of(name))
    names = Counter(found[1] for found in map(DECLARED.match, lines) if found)
    assert names.most_common(1)[0][1] == 1


def test_no_script_or_style_ends_its_own_element() -> None:
    for tag, inline in (("script", page_script()), ("style", page_style())):
        assert not re.search(rf"</{tag}|<!--", inline.text, re.IGNORECASE)


def test_the_digest_is_that_of_the_text() -> None:
    digest = base64.b64encode(hashlib.sha256("zwölf".encode()).digest()).decode()
    assert Inline("zwölf").digest == f"sha256-{digest}"


def test_the_scripts_of_the_project_can_be_put_together() -> None:
    assert "function sortable(" in page_script().text
    assert "function startViewer(" in page_script().text


def test_the_style_has_every_sheet_the_common_one_first() -> None:
    sheets = sorted(STATIC.glob("*.css"))
    assert page_style().text.startswith((STATIC / "page.css").read_text(encoding="utf-8"))
    assert all(sheet.read_text(encoding="utf-8") in page_style().text for sheet in sheets)


def test_a_chart_of_its_own_has_colours_in_place_of_variables() -> None:
    assert "svg .zero { stroke: #b4bac2; }" in chart_style().splitlines()
    assert "--" not in chart_style()


def test_nothing_comes_from_the_network() -> None:
    for file in STATIC.iterdir():
        assert not re.search(r"https?://(?!www\.w3\.org/)", file.read_text(encoding="utf-8")), file


OPTIONS = {
    "allowJs": True,
    "checkJs": True,
    "noEmit": True,
    "strict": True,
    "noUncheckedIndexedAccess": True,
    "target": "es2022",
    "module": "es2022",
    "lib": ["es2022", "dom", "dom.iterable"],
    "types": [],
}


@pytest.mark.slow
def test_the_types_of_all_scripts_hold(tmp_path: Path) -> None:
    compiler, node = node_module("typescript/bin/tsc"), shutil.which("node")
    if not node:
        pytest.skip("no node")
    project = tmp_path / "tsconfig.json"
    scripts = [str(file) for file in sorted(STATIC.glob("*.js"))]
    project.write_text(json.dumps({"compilerOptions": OPTIONS, "files": scripts}))
    done = finished([node, str(compiler), "-p", str(project)])
    assert done.returncode == 0, done.stdout.decode()
