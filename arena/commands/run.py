"""`arena run`: a tournament, and everything around it that a person sees."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from arena.commands.browser import open_page
from arena.commands.compiling import compiling_noticed
from arena.commands.ending import exit_stopped, interruptible, saying, served
from arena.commands.options import playing

if TYPE_CHECKING:
    from arena.config.settings import Config
    from arena.report.frames import Report
    from arena.tournament.run import Run


@click.command(short_help="Play a tournament, or go on with it.")
@click.argument("config", type=click.Path(path_type=Path))
@playing
def run(config: Path, **options: Any) -> None:
    """Play the tournament that CONFIG, a YAML file, describes.

    Shows live standings while it runs, and the report at the end. The games are kept in
    results/NAME, with report.html, the report for a browser; started again, a run goes on
    where it stopped, unless the code of its engines has changed since. With --exit-status,
    the exit status is the verdict of a test (format sprt); 2 is a mistake in the file, 130 a
    run that was stopped, by Ctrl-C or on its page. With --serve, its address is printed: a page
    with all boards, the standings and every game, which can neither slow the games nor break them.
    """
    play_tournament(config, **options)


def play_tournament(
    file: Path,
    config: Config | None = None,
    *,
    workers: int | None,
    cluster: str | None,
    fresh: bool,
    accept_changes: bool,
    exit_status: bool,
    serve: bool,
    in_browser: bool,
    results: Path,
) -> None:
    """Play a file, or the config that was read from it; of a match, tell the verdict at the end."""
    from rich.console import Console

    from arena.tournament import run as tournament
    from arena.tournament.live import watching_run

    console = Console()
    with served(results, serve, file), interruptible() as stop:
        with compiling_noticed(), watching_run(console, click.echo) as watch:
            played = tournament.run(
                config or file,
                workers=workers,
                cluster=cluster,
                fresh=fresh,
                accept_changes=accept_changes,
                tests=exit_status,
                results=results,
                watch=watch,
                say=saying(console),
                stop=stop,
            )
        report = show_report(played, in_browser)
        if config:
            show_verdict(report)

    from arena.storage.at_play import is_asked_to_stop

    if is_asked_to_stop(played.folder) and not report.runs[0].is_over:
        exit_stopped()
    if exit_status:
        sys.exit(played.status())


def show_report(played: Run, in_browser: bool) -> Report:
    """Print the report, write its page, and say where they are; open it, if no game is missing."""
    from arena.report.contents import run_contents
    from arena.report.export import report_text, save
    from arena.storage.folder import REPORT_PAGE

    report = played.report()
    contents = run_contents(report)
    click.echo(report_text(contents, "table"))
    (page,) = save(contents, "html", None, played.folder / REPORT_PAGE)
    click.echo(f"\nKept in {played.folder}; to see this again: arena report {played.folder}")
    click.echo(f"To look at it in a browser, with its games: {page}")
    if in_browser and report.runs[0].is_over:
        open_page(page)
    return report


def show_verdict(report: Report) -> None:
    """Print who is better, in one sentence."""
    from arena.report.verdict import verdict_text

    click.echo(f"\n{verdict_text(report)}")
