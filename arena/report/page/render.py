"""Templates filled in: every value is escaped, and a name that is missing is an error."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from arena.report.page.assets import TEMPLATES, page_script, page_style

if TYPE_CHECKING:
    from jinja2 import Environment


def rendered(template: str, **values: Any) -> str:
    """The page that a template makes of these values."""
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
    found.policies["json.dumps_kwargs"] = {"separators": (",", ":"), "allow_nan": False}
    return found
