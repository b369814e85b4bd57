"""The version that `arena --version` prints, with the commit that it was built from."""

from __future__ import annotations

import subprocess
from pathlib import Path

import click

from arena.errors import DISTRIBUTION

PACKAGE = Path(__file__).parents[1]
GIT = ("git", "describe", "--always", "--dirty", "--exclude", "*")


def commit() -> str:
    """The commit that setup.py wrote, or that of a checkout, `-dirty` if files were changed."""
    kept = PACKAGE / "commit.txt"
    if kept.is_file():
        return kept.read_text(encoding="utf-8").strip()
    if not (PACKAGE.parent / ".git").exists():
        return ""
    try:
        answer = subprocess.run(
            GIT, cwd=PACKAGE.parent, capture_output=True, text=True, check=True, timeout=10
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    return answer.stdout.strip()


def _show_version(context: click.Context, parameter: click.Parameter, is_wanted: bool) -> None:
    if is_wanted and not context.resilient_parsing:
        from importlib.metadata import version  # takes a while, and few commands want it

        revision = commit()
        words = f" (commit {revision})" if revision else ""
        click.echo(f"arena {version(DISTRIBUTION)}{words}")
        context.exit()


version_option = click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_version,
    help="Show the version, with the commit that it was built from.",
)
