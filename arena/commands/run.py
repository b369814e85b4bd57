"""`arena run`: a tournament, and everything around it that a person sees."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import click

from arena.commands.options import EXIT_STATUS
from arena.commands.playing import (
    SEE_AGAIN,
    PlayOptions,
    exit_as,
    going_on,
    playing,
    report_shown,
    verdict_line,
)

if TYPE_CHECKING:
    from arena.config.settings import Config
    from arena.storage.database import Games
    from arena.tournament.run import Run

MAX_EXAMPLES = 20  # Games lost by faults that are looked at for their cause


@click.command(short_help="Play a tournament, or go on with it.")
@click.argument("config", type=click.Path(path_type=Path))
@playing(EXIT_STATUS)
def run(config: Path, how: PlayOptions) -> None:
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
    play_tournament(config, config, how)


def play_tournament(
    file: Path, wanted: Path | Config, how: PlayOptions, note: str = "", log: Path | None = None
) -> NoReturn:
    """Play a file, or the config that was read from it, show its report, and exit.

    The `note` is the first line, once nothing is wrong.
    """
    from arena.experiment import open_experiment
    from arena.tournament.run import read, talk_log

    tests = how.exit_status
    run = read(wanted, results=how.results, keep_going=how.keep_going, tests=tests)
    talk = talk_log(log, run.config, how.cluster, how.fresh) if log else None
    with how.session(file) as session:
        session.play(run.play, note, **how.changes, talk=talk)
        answer = open_experiment(run.folder).answer()
        games, extras = run.evidence()
        (facts,) = extras.runs
        again = "see more: arena report {} --full" if len(run.config.names) == 2 else SEE_AGAIN
        session.show_end(
            run.folder,
            answer,
            "\n\n".join([report_shown(answer), *_advice(run, games)]),
            # Again, since the first lines of a long report are out of sight.
            *([verdict_line(answer.verdict)] if answer.verdict else []),
            again=again,
            page_has=", with its games",
            is_over=facts.is_over,
        )
    exit_as(run.folder, facts.is_over, run.stopped(going_on()), run.status() if tests else None)


def _advice(run: Run, games: Games) -> Iterator[str]:
    from arena.report.verdict import advice_text
    from arena.tournament.run import check_commands

    commands = check_commands(run.config)
    lost: dict[str, list[int]] = {name: [] for row in games.rows for name in row.result[:2]}
    for place, row in enumerate(games.rows):
        if loser := row.result.loser_by_fault:
            lost[loser].append(place)
    for name, places in lost.items():
        if places:
            examples = games.at(places[:MAX_EXAMPLES]).numbered()
            command = commands.get(name, "")
            yield advice_text(name, examples, str(run.folder), command)
