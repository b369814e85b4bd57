"""A report in the user's browser."""

from __future__ import annotations

import webbrowser
from pathlib import Path

import click


def open_page(page: Path) -> None:
    """Open a page in the browser; where there is none, say so."""
    try:
        is_open = webbrowser.open(page.resolve().as_uri())
    except webbrowser.Error:
        is_open = False
    if not is_open:
        click.echo(f"No browser could be opened for {page}", err=True)
