"""`arena serve`: the page on this machine, to watch, look at games and play."""

from __future__ import annotations

from pathlib import Path

import click


@click.command(short_help="Watch, look at games and play, in a browser.")
@click.argument("results", default="results", type=click.Path(path_type=Path))
@click.option(
    "--port", type=click.IntRange(0, 65535), help="Port of the page. [8765, or any that is free]"
)
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen at.")
@click.option(
    "--engine",
    "engines",
    multiple=True,
    metavar="CONFIG",
    type=click.Path(path_type=Path),
    help="File of a tournament whose engines can be played against, too; may be given again.",
)
def serve(results: Path, port: int | None, host: str, engines: tuple[Path, ...]) -> None:
    """Show the runs and studies of the folder RESULTS in a browser, and play there.

    A run that is played at this moment, by whichever command, is shown live: all boards, the
    standings, the time left. The address that is printed has a token, by which a browser is let
    in; nobody else is, nor any other machine. Ctrl-C ends the server, and no run.
    """
    from arena.server.serving import (
        check_packages,
        folder_of_results,
        listening,
        serve_until_stopped,
    )

    check_packages()
    from arena.server.access import is_loopback, known_hosts
    from arena.server.app import application
    from arena.server.keys import keys_for
    from arena.server.play.games import LiveGames
    from arena.server.serving import page_address
    from arena.server.watch.run_folders import RunFolders

    folder = folder_of_results(results)
    games = LiveGames(folder, engines)  # a fault in a file comes before a port is taken
    sock = listening(host, port)
    run_folders = RunFolders(folder)
    keys = keys_for(sock.getsockname()[1])
    if not is_loopback(host):
        click.echo(f"Other machines can reach this page at {host}, unencrypted.", err=True)
    click.echo(f"The page: {page_address(sock, keys)}\nCtrl-C ends it.")
    serve_until_stopped(application(run_folders, games, keys, known_hosts(host)), sock)
