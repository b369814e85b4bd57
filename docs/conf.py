"""The site of these pages: `python -m sphinx -W --keep-going docs site` builds it."""

from __future__ import annotations

import os
import re
from importlib.metadata import version as installed
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)\s#]+)(#[^)\s]*)?\)")
"""A link, or a picture by its mark: its text, its path, its heading."""

project = "gomoku-arena"
version = release = installed("gomoku-arena")
author = "the authors of gomoku-arena"
html_show_copyright = html_show_sphinx = False
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx_click"]
exclude_patterns = ["_static"]

myst_heading_anchors = 4
myst_enable_extensions = ["colon_fence"]
suppress_warnings = ["myst.header"]  # a page may begin a list of short parts at any depth

nitpicky = True
# Only what `arena` exports is documented; annotations also name what stands deeper, or elsewhere.
nitpick_ignore_regex = [("py:.*", r"(?!arena\.[A-Za-z_]+$).*")]
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_preserve_defaults = True

html_theme = "furo"
html_title = "gomoku-arena"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_copy_source = False
pygments_style = "a11y-high-contrast-light"
pygments_dark_style = "a11y-high-contrast-dark"
highlight_language = "text"


def sources() -> dict[Path, Path]:
    """For each page of project/, the file outside docs/ that it links to and shows on the site."""
    pages = (HERE / "project").glob("*.md")
    return {page: (page.parent / LINK.findall(page.read_text())[0][2]).resolve() for page in pages}


def led_inside(app: Any, name: str, content: list[str]) -> None:
    """Fill the pages of project/, and lead links to files outside docs/ to places on the site."""
    page, shown = Path(app.env.doc2path(name)), sources()
    homes = {file: home for home, file in shown.items()}
    source = shown.get(page, page)
    if source != page:
        content[0] = source.read_text(encoding="utf-8")
        app.env.note_dependency(str(source))

    def led(found: re.Match[str]) -> str:
        mark, text, path, heading = found.groups()
        target = (source.parent / path).resolve()
        if ":" in path or not target.exists():
            return found[0]
        is_left_out = target.suffix == ".md" and target not in homes and HERE not in target.parents
        if target.is_dir() or is_left_out:
            return text
        place = os.path.relpath(homes.get(target, target), page.parent)
        return f"{mark}[{text}]({place}{heading or ''})"

    content[0] = LINK.sub(led, content[0])


def with_further_pages(app: Any, name: str, content: list[str]) -> None:
    """Add the pages that no list of the index names to its list of tasks, by their names."""
    if name == "index":
        named = set(re.findall(r"^([\w/]+)$", content[0], re.MULTILINE))
        further = sorted({page.stem for page in HERE.glob("*.md")} - named - {"index"})
        content[0] = content[0].replace("FURTHER_PAGES", "\n".join(further))


def with_columns_kept(app: Any, context: Any, lines: list[str]) -> None:
    """Show the tables in a command's help as they are typed: in columns."""
    kept = list[str]()
    for line in lines:
        is_row, was_row = line.startswith("| "), bool(kept) and kept[-1].startswith("    ")
        if is_row and not was_row:
            kept += ["", "::", ""]
        elif was_row and line and not is_row:
            kept.append("")
        kept.append(f"    {line[2:]}" if is_row else line)
    lines[:] = kept


NAMED = {
    '<p class="caption" role="heading">': '<p class="caption" role="heading" aria-level="2">',
    '<aside class="sidebar-drawer">': '<aside class="sidebar-drawer" aria-label="All pages">',
    '<th class="head"><p></p></th>': "<td></td>",
    '<div class="table-wrapper': '<div tabindex="0" class="table-wrapper',
    "<pre>": '<pre tabindex="0">',  # long lines scroll, by keys too
    '<div id="search-results"></div>': '<h1>Search</h1><div id="search-results"></div>',
    '<aside class="toc-drawer': '<aside aria-label="This page" class="toc-drawer',
}
"""Parts of the theme's pages to which screen readers need a level or a name, and with these."""


def named_for_screen_readers(app: Any, error: Exception | None) -> None:
    """Complete the parts of all pages that screen readers would not tell apart."""
    for page in [] if error else Path(app.outdir).glob("**/*.html"):
        text = page.read_text(encoding="utf-8")
        for old, new in NAMED.items():
            text = text.replace(old, new)
        page.write_text(text, encoding="utf-8")


def setup(app: Any) -> None:
    app.connect("sphinx-click-process-description", with_columns_kept)
    app.connect("build-finished", named_for_screen_readers)
    app.connect("source-read", led_inside)
    app.connect("source-read", with_further_pages)
