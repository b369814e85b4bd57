"""Templates filled in: every value is escaped, and a name that is missing is an error."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any

from arena.report.answer import Answer
from arena.report.numbers import without_home
from arena.report.page.assets import TEMPLATES, page_script, page_style
from arena.report.page.html_table import html_table
from arena.report.page.kept_games import viewer_games

if TYPE_CHECKING:
    from jinja2 import Environment


def page_of(answer: Answer) -> str:
    """The whole answer as one file of HTML, with its games."""
    viewer = viewer_games(answer.games)
    has_games = viewer is not None
    page = _rendered("report.html", document=answer, viewer=viewer, has_games=has_games)
    # Not in scripts and styles, whose digests a browser compares.
    parts = re.split(r"(<(?:script|style)\b.*?</(?:script|style)>)", page, flags=re.DOTALL)
    return "".join(each if i % 2 else without_home(each) for i, each in enumerate(parts))


def _rendered(template: str, **values: Any) -> str:
    shared = {"script": page_script(), "style": page_style()}
    return environment().get_template(template).render(**shared, **values)


@cache
def environment() -> Environment:
    """The templates, and how they write values."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    found = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    found.globals["html_table"] = html_table
    found.globals["has_games"] = True  # of served pages; tables link to them
    found.globals["kind_of"] = lambda part: type(part).__name__
    found.policies["json.dumps_kwargs"] = {"separators": (",", ":"), "allow_nan": False}
    return found
