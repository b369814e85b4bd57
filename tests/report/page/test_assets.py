"""The static files: put together as one script, and refused in any form that would break there."""

from __future__ import annotations

import base64
import hashlib
import re

import pytest

from arena.report.page.assets import (
    STATIC,
    AssetError,
    Inline,
    assembled,
    chart_style,
    checked_text,
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


@pytest.mark.parametrize(
    "line",
    [
        'import one from "./a.js";',
        'import * as a from "./a.js";',
        'import { one as other } from "./a.js";',
        'import { one } from "../a.js";',
        'import { one } from "https://example.org/a.js";',
        "import {",
        'import "./a.js";',
        'const a = await import("./a.js");',
        "console.log(import.meta.url);",
        "export default one;",
        "export { one };",
        'export * from "./a.js";',
        "export let one = 1;",
        "  export const one = 1;",
    ],
)
def test_any_other_form_is_refused(line: str) -> None:
    with pytest.raises(AssetError, match=r"main\.js: not of a form that can be assembled"):
        assembled({"main.js": f"{line}\n", "a.js": A, "b.js": B}, "main.js")


@pytest.mark.parametrize(
    ("files", "told"),
    [
        ({"main.js": MAIN}, "there is no a.js"),
        ({"main.js": MAIN, "a.js": "export const two = 2;\n"}, "a.js does not export one"),
        (
            {"main.js": 'import { b } from "./b.js";', "b.js": 'import { c } from "./main.js";'},
            "imports in a circle",
        ),
        ({"main.js": MAIN, "a.js": A, "b.js": f"{B}const two = 3;\n"}, "a name in b.js already"),
    ],
)
def test_what_would_fail_in_the_browser_fails_here(files: dict[str, str], told: str) -> None:
    with pytest.raises(AssetError, match=told):
        assembled(files, "main.js")


@pytest.mark.parametrize("text", ["a = '</script>'", "a = '</SCRIPT '", "a = '<!--'"])
def test_a_script_may_not_end_its_own_element(text: str) -> None:
    with pytest.raises(AssetError, match="may not hold its own end"):
        checked_text("script", text)


def test_the_digest_is_that_of_the_text() -> None:
    digest = base64.b64encode(hashlib.sha256("zwölf".encode()).digest()).decode()
    assert Inline("zwölf").digest == f"sha256-{digest}"


def test_the_scripts_of_the_project_can_be_put_together() -> None:
    for name in sources(STATIC):
        assembled(sources(STATIC), name)
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
