"""`arena dashboard`: the trials of studies in optuna-dashboard."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path
from socketserver import ThreadingMixIn
from typing import TYPE_CHECKING
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

import click

from arena.errors import ConfigError, Fault, install_command

if TYPE_CHECKING:
    from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

    from arena.tuning.optuna.mirror import Copies

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
