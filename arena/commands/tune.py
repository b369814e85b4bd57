"""`arena tune` and `arena fit`, and `arena dashboard`, which shows studies."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path
from socketserver import ThreadingMixIn
from typing import TYPE_CHECKING
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

import click

from arena.commands.playing import (
    PlayOptions,
    PlaySession,
    exit_as,
    going_on,
    playing,
    report_shown,
    verdict_line,
)
from arena.errors import ConfigError, Fault, install_command

if TYPE_CHECKING:
    from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

    from arena.tuning.fit.fit import Fit
    from arena.tuning.optuna.mirror import Copies
    from arena.tuning.study import Study


@click.command(short_help="Search for better weights of an engine, and test them.")
@click.argument("config", type=click.Path(path_type=Path))
@playing()
def tune(config: Path, how: PlayOptions) -> None:
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
    from arena.tuning.report.study_answer import plan_text, stopped_text, time_text
    from arena.tuning.study import read

    study = read(config, results=how.results, fresh=how.fresh, keep_going=how.keep_going)
    with how.session() as session:
        click.echo(plan_text(study))
        session.play(
            study.play, **how.changes, announce=lambda pace: click.echo(time_text(study, pace))
        )
        if study.advice:
            _prove(study, session)
        _show_end(study, session)
    exit_as(study.folder, study.is_over, stopped_text(study, going_on()))


def _prove(study: Study, session: PlaySession) -> None:
    from arena.tuning.proof.report import edge_texts, proof_notes
    from arena.tuning.report.search_faults import faults_texts
    from arena.tuning.report.study_answer import (
        advice_text,  # pandas: not before the first game
        shape_texts,
        warnings_first,
    )

    frames = study.frames()
    models = shape_texts(frames.shapes, frames.is_proved)
    remarks = warnings_first([*models, *edge_texts(study.matches)])
    faults = faults_texts(study.config, study.trials.told)
    click.echo("\n".join(["", advice_text(study), *faults, *remarks, ""]))
    session.play(study.prove)
    for note in proof_notes(study.matches):
        click.echo(note)


def _show_end(study: Study, session: PlaySession) -> None:
    from arena.tuning.report.search_faults import faults_texts
    from arena.tuning.report.study_answer import study_answer

    drawn = "\n".join(f"Drew {file}" for file in study.draw())
    answer = study_answer(study)
    last = [*faults_texts(study.config, study.trials.told)]
    if answer.verdict:
        last.append(verdict_line(answer.verdict))
    session.show_end(study.folder, answer, drawn, *last)


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


HOST = "127.0.0.1"


@click.command(short_help="Show the trials of studies in optuna-dashboard.")
@click.argument("results", default="results", type=click.Path(path_type=Path))
@click.option("--port", type=click.IntRange(1, 65535), default=8080, show_default=True)
def dashboard(results: Path, port: int) -> None:
    """Show all studies of the folder RESULTS, or the one in it, in optuna-dashboard.

    Studies that are being played go on there. The dashboard has copies of them: what it deletes or
    notes is not written to the folder, and is gone with the command, which Ctrl-C ends.

    It draws the highest value as the best trial. That one owes much to luck: take the values that
    `arena report` recommends.
    """
    if not find_spec("optuna_dashboard"):
        raise ConfigError(f"the dashboard needs more packages: {install_command('dashboard')}")
    if not results.is_dir():
        raise ConfigError(Fault(str(results), "no such folder"))
    from arena.tuning.optuna.mirror import Copies

    application = _followed(Copies(results))
    try:
        server = make_server(HOST, port, application, _Server, _SilentHandler)
    except OSError as error:
        raise ConfigError(Fault(f"{HOST}:{port}", f"cannot be listened at: {error}")) from None
    click.echo(f"http://{HOST}:{port} shows the studies. Ctrl-C ends it.")
    server.serve_forever()


def _followed(copies: Copies) -> WSGIApplication:
    from optuna_dashboard import wsgi

    shown: WSGIApplication = wsgi(copies.storage)

    def answer(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        copies.update()
        return shown(environ, start_response)

    return answer


class _Server(ThreadingMixIn, WSGIServer):
    """A server whose readers do not wait for each other."""

    daemon_threads = True


class _SilentHandler(WSGIRequestHandler):
    """Prints nothing of requests."""

    def log_message(self, *_: object) -> None:
        pass
