"""The command line: its commands, and the end of one that is at fault."""

from __future__ import annotations

import os
import sys

import click

from arena.commands import (
    bench,
    brain,
    catalogue,
    check,
    compare,
    exchange,
    fit,
    init,
    match,
    openings,
    plan,
    play,
    ratings,
    replay,
    report,
    run,
    serve,
    submit,
    tune,
)
from arena.commands.version import version_option
from arena.errors import ConfigError


def main() -> None:
    """The `arena` script: a ConfigError is a message and exit code 2, never a traceback."""
    # There is a process for each core already, and small matrices are slower on several threads.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        arena()
    except ConfigError as error:
        click.echo(str(error), err=True)
        sys.exit(2)


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@version_option
def arena() -> None:
    """Play Gomoku engines against each other, and find out which is best.

    \b
    Start here:
      arena init                               write configs and an engine of your own
      arena engines                            list the engines
      arena play five_tuple random_mover       play one game on the screen
      arena match five_tuple live_dead         find out which of two is better
      arena run configs/round.yaml             play a tournament
      arena report round                       show its results again
      arena tune configs/study.yaml            search for better weights, and test them
      arena fit FILE                           fit weights to games, and test them
    """


for command in (
    init.init,
    match.match,
    plan.plan,
    run.run,
    tune.tune,
    fit.fit,
    report.report,
    compare.compare,
    ratings.ratings,
    replay.replay,
    exchange.export,
    exchange.import_,
    serve.serve,
    submit.submit,
    play.play,
    catalogue.engines,
    catalogue.games,
    catalogue.formats,
    openings.openings,
    bench.bench,
    check.check,
    brain.brain,
):
    arena.add_command(command)
