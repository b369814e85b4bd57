"""`arena run`: a tournament, and everything around it that a person sees."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from arena.commands.compiling import compiling_noticed
from arena.commands.ending import (
    FAULTY,
    exit_faulty,
    exit_stopped,
    going_on,
    interruptible,
    open_page,
    report_shown,
    saying,
    served,
    verdict_line,
)
from arena.commands.options import playing

if TYPE_CHECKING:
    from arena.config.settings import Config
    from arena.report.frames import Report
    from arena.tournament.run import Run, RunProgress
    from arena.workers.runner import Stop

MAX_EXAMPLES = 20
"""Games lost by faults that are looked at for their cause."""


@click.command(short_help="Play a tournament, or go on with it.")
@click.argument("config", type=click.Path(path_type=Path))
@playing
def run(config: Path, **options: Any) -> None:
    """Play the tournament that CONFIG, a YAML file, describes.

    Live standings are shown while it runs, and the report at the end. The games are kept in
    results/NAME, with report.html, the report for a browser. The same command goes on with a
    run that was stopped, unless the code of its engines has changed.

    With --serve, the command prints the address of a page with all boards, the standings and
    every game. The page can neither slow the games nor break them.

    \b
    Exit status:
      0    the run is over; with --exit-status, H1 was accepted
      1    with --exit-status: H0 was accepted
      2    a mistake in the file
      3    with --exit-status: the test is undecided
      4    stopped: a player lost its first eight games by its own faults
      5    the disk is full: the games so far are kept, and the same command goes on
      130  stopped by Ctrl-C, or on its page
    """
    play_tournament(config, **options)


def play_tournament(
    file: Path,
    config: Config | None = None,
    *,
    note: str = "",
    exit_status: bool,
    serve: bool,
    in_browser: bool,
    results: Path,
    **how: Any,
) -> None:
    """Play a file, or the config that was read from it, and show its report.

    The `note` is the first line, once nothing is wrong. `how` is for `arena.run`: its workers, and
    what it does with games that are kept.
    """
    with served(results, serve, file), interruptible() as stop:
        played = play(config or file, stop, note, tests=exit_status, results=results, **how)
        report = show_report(played, in_browser)
    exit_as(played, report.runs[0].is_over, played.status() if exit_status else None)


def play(wanted: Path | Config, stop: Stop, note: str = "", **options: Any) -> Run:
    """Play a tournament with what it comes to on the screen, a `note` before all else."""
    from rich.console import Console

    from arena.tournament import run as tournament
    from arena.tournament.live import watching_run

    console = Console()
    with compiling_noticed(), watching_run(console, click.echo) as show:

        def watch(progress: RunProgress) -> None:
            notes = [note, *progress.notes] if note else progress.notes
            show(replace(progress, notes=notes))

        return tournament.run(wanted, watch=watch, say=saying(console), stop=stop, **options)


def exit_as(played: Run, is_over: bool, status: int | None) -> NoReturn:
    """Exit with the verdict of a test; if the run was stopped, or did so by itself, say so."""
    from arena.storage.at_play import is_asked_to_stop

    if is_asked_to_stop(played.folder) and not is_over:
        exit_stopped()
    if stopped := played.stopped(going_on()):
        exit_faulty(stopped, FAULTY if status is None else status)
    sys.exit(status)


def show_report(played: Run, in_browser: bool) -> Report:
    """Print the report, write its page, say where they are, and tell the verdict; open the page,
    if no game is missing."""
    from arena.report.export import save
    from arena.report.fault_texts import advice_text
    from arena.report.run_answer import run_answer
    from arena.storage.folder import REPORT_PAGE
    from arena.tournament.run import check_commands

    report = played.report()
    answer = run_answer(report)
    click.echo(report_shown(answer))
    (page,) = save(answer, "html", None, played.folder / REPORT_PAGE)
    commands, load = check_commands(played.config), report.runs[0].load
    (games,) = report.played.values()
    lost: dict[str, list[int]] = {name: [] for row in games.rows for name in row.result[:2]}
    for place, row in enumerate(games.rows):
        if loser := row.result.loser_by_fault:
            lost[loser].append(place)
    for name, places in lost.items():
        if places:
            examples = games.at(places[:MAX_EXAMPLES]).numbered()
            command = commands.get(name, "")
            text = advice_text(name, len(places), examples, str(played.folder), command, load)
            click.echo(f"\n{text}")
    more = " --full" if len(played.config.names) == 2 else ""
    shown = "see more" if more else "see this again"
    click.echo(f"\nKept in {played.folder}; to {shown}: arena report {played.folder}{more}")
    click.echo(f"To look at it in a browser, with its games: {page}")
    # Again, since the first lines of a long report are out of sight.
    click.echo(f"\n{verdict_line(report.verdict)}")
    if in_browser and report.runs[0].is_over:
        open_page(page)
    return report
