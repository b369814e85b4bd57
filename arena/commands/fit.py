"""`arena fit`: weights fitted to games, and proved."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from arena.commands.playing import PlayOptions, PlaySession, exit_as, playing, report_shown

if TYPE_CHECKING:
    from arena.tuning.fit.fit import Fit


@click.command(short_help="Fit an engine's weights to games, and test them.")
@click.argument("config", type=click.Path(path_type=Path))
@playing()
def fit(config: Path, how: PlayOptions) -> None:
    """Fit the weights of the engine that CONFIG, a YAML file, names to games.

    The games are those of earlier or imported runs, or are played first. The fit finds the weights
    with which the engine's values of positions predict the results best (Texel's method). Games
    that are held out tell when to stop. At the end, a test on openings that were not used before,
    and matches against engines that took no part, tell whether the fitted weights are better. If
    they are, tuned.yaml is written.

    Everything is kept in results/NAME, with report.html, the report for a browser. The same command
    goes on with a fit that was stopped. The exit status is 4 if it stopped because a player lost
    its first eight games by its own faults (see --keep-going).
    """
    from arena.tuning.fit.config import read_fit
    from arena.tuning.fit.fit import Fit
    from arena.tuning.fit.report import fit_answer

    experiment = Fit(how.results, read_fit(config).going_on(how.keep_going))
    with how.session() as session:
        experiment.begin(fresh=how.fresh)
        if experiment.config.make:
            click.echo(f"Making {experiment.config.make.games:,} games to fit to.")
            session.play(experiment.make_games, accept_changes=how.accept_changes)
        if experiment.has_games:
            _find_weights(experiment, session)
            if not experiment.proof:
                click.echo(report_shown(fit_answer(experiment)))
            session.play(experiment.matches.play)
        answer = fit_answer(experiment)
        session.show_end(experiment.folder, answer, report_shown(answer))
    exit_as(experiment.folder, experiment.is_over, experiment.stopped)


def _find_weights(fit: Fit, session: PlaySession) -> None:
    with session.console.status("") as status:

        def say(words: str) -> None:
            if session.stop():
                raise KeyboardInterrupt
            status.update(words)

        fit.fit(say)
