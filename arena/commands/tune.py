"""`arena tune`: weights searched, and what was found proved."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from arena.commands.compiling import compiling_noticed
from arena.commands.ending import (
    exit_faulty,
    exit_stopped,
    going_on,
    interruptible,
    open_page,
    saying,
    served,
    verdict_line,
)
from arena.commands.options import (
    ACCEPT_CHANGES,
    CLUSTER,
    FRESH,
    KEEP_GOING,
    OPEN,
    RESULTS,
    SERVE,
    workers_option,
)

if TYPE_CHECKING:
    from rich.console import Console

    from arena.tuning.study import Study
    from arena.workers.runner import Stop
    from arena.workers.site import Site


@click.command(short_help="Search for better weights of an engine, and test them.")
@click.argument("config", type=click.Path(path_type=Path))
@workers_option
@CLUSTER
@FRESH
@ACCEPT_CHANGES
@KEEP_GOING
@SERVE
@OPEN
@RESULTS
def tune(
    config: Path,
    workers: int | None,
    cluster: str | None,
    fresh: bool,
    accept_changes: bool,
    keep_going: bool,
    serve: bool,
    in_browser: bool,
    results: Path,
) -> None:
    """Tune the engine that CONFIG, a YAML file, names.

    The trials are matches like those of a tournament. At the end, a test on openings that were
    not used before tells whether the values found are better than the default. If they are,
    tuned.yaml is written; for a Gomocup brain with a template, the filled-in template too.

    Everything is kept in results/NAME: the games, pictures (history.svg, slices.svg and
    importance.svg) and report.html, the report for a browser. The same command goes on with a
    study that was stopped, unless the code of its engines has changed. With --serve, the command
    prints the address of a page that shows the study while it runs.

    The exit status is 4 if the study stopped because the engine or an opponent lost its first eight
    games by its own faults (see --keep-going).
    """
    from rich.console import Console

    from arena.cluster.places import site_of
    from arena.tuning import study

    console = Console()
    wanted = study.read(config, results=results, fresh=fresh, keep_going=keep_going)
    with (
        served(results, serve),
        interruptible() as stop,
        site_of(workers, cluster, saying(console)) as site,
    ):
        play_trials(wanted, site, console, stop, fresh, accept_changes)
        if wanted.advice:
            prove(wanted, site, console, stop)
        show_end(wanted, in_browser)
    exit_if_stopped(wanted)


def play_trials(
    study: Study, site: Site, console: Console, stop: Stop, fresh: bool, accept_changes: bool
) -> None:
    """Show the plan, and play the trials that are missing."""
    from arena.tuning.report import live, messages

    click.echo(messages.plan_text(study))
    with compiling_noticed(), live.watching_study(console, click.echo) as watch:
        study.play(
            site,
            fresh=fresh,
            accept_changes=accept_changes,
            announce=lambda pace: click.echo(messages.time_text(study, pace)),
            watch=watch,
            stop=stop,
        )


def exit_if_stopped(study: Study) -> None:
    """Exit with the status of a study that was stopped, or stopped by itself."""
    from arena.storage.at_play import is_asked_to_stop
    from arena.tuning.report.messages import stopped_text

    if any(map(is_asked_to_stop, (study.folder, *study.folder.iterdir()))):
        exit_stopped()
    if stopped := stopped_text(study, going_on()):
        exit_faulty(stopped)


def prove(study: Study, site: Site, console: Console, stop: Stop) -> None:
    """Show the advice, and play what is to prove its gain."""
    from arena.tournament.live import watching_run
    from arena.tuning.proof.report.proof_notes import edge_texts, proof_notes
    from arena.tuning.report import messages
    from arena.tuning.report.contents import advice_text  # pandas: not before the first game
    from arena.tuning.report.search_faults import faults_texts

    frames = study.frames()
    models = messages.shape_texts(frames.shapes, frames.is_proved)
    remarks = messages.warnings_first([*models, *edge_texts(study.matches)])
    faults = faults_texts(study.config, study.trials.told)
    click.echo("\n".join(["", advice_text(study), *faults, *remarks, ""]))
    with watching_run(console, click.echo) as watch:
        study.prove(site, watch=watch, stop=stop)
    for note in proof_notes(study.matches):
        click.echo(note)


def show_end(study: Study, in_browser: bool) -> None:
    """Draw the study's pictures and its page, say where they are, and tell the verdict; open the
    page, if wanted."""
    from arena.report.export import save
    from arena.storage.folder import REPORT_PAGE
    from arena.tuning.report.contents import study_contents
    from arena.tuning.report.search_faults import faults_texts

    for file in study.draw():
        click.echo(f"Drew {file}")
    contents = study_contents(study)
    (page,) = save(contents, "html", None, study.folder / REPORT_PAGE)
    click.echo(f"\nKept in {study.folder}; to see this again: arena report {study.folder}")
    click.echo(f"To look at it in a browser: {page}")
    for note in faults_texts(study.config, study.trials.told):
        click.echo(f"\n{note}")
    if contents.verdict:
        click.echo(f"\n{verdict_line(contents.verdict)}")
    if in_browser:
        open_page(page)
