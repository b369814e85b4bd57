"""`arena serve`: the page on this machine, to watch, look at games and play."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from arena.server.serving import Endpoint

FILE = click.Path(path_type=Path)


@click.command(short_help="Watch, look at games and play, in a browser.")
@click.argument("results", default="results", type=FILE)
@click.option(
    "--port", type=click.IntRange(0, 65535), help="Port of the page. [8765, or any that is free]"
)
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen at.")
@click.option(
    "--engine",
    "engines",
    multiple=True,
    metavar="CONFIG",
    type=FILE,
    help="File of a tournament whose engines can be played against, too; may be given again.",
)
@click.option(
    "--public-url", metavar="URL", help="https://NAME of the reverse proxy before this server."
)
@click.option("--certificate", metavar="FILE", type=FILE, help="Encrypt by this certificate (PEM).")
@click.option(
    "--key", metavar="FILE", type=FILE, help="Its private key. [in the certificate's file]"
)
@click.option("--new-links", is_flag=True, help="Lock out every browser and link of before.")
def serve(
    results: Path,
    port: int | None,
    host: str,
    engines: tuple[Path, ...],
    public_url: str | None,
    certificate: Path | None,
    key: Path | None,
    new_links: bool,
) -> None:
    """Show the runs and studies of the folder RESULTS in a browser, and play there.

    A run that is played at this moment, by whichever command, is shown live: all boards, the
    standings, the time left. The address that is printed has a token, by which a browser is let in
    for 30 days; a second one lets people look on, but neither play nor stop a run.
    Without --host no other machine is let in. Ctrl-C ends the server, and no run.
    """
    from arena.server.serving import check_packages

    check_packages()
    from arena.server.app import application
    from arena.server.keys import forget_secret
    from arena.server.origins import public_origin
    from arena.server.play.games import LiveGames
    from arena.server.serving import (
        encryption,
        endpoint,
        folder_of_results,
        listening,
        serve_until_stopped,
    )
    from arena.server.watch.run_folders import RunFolders

    if not host:
        raise click.UsageError("--host needs an address, such as 0.0.0.0.")
    if key and not certificate:
        raise click.UsageError("--key needs --certificate.")
    folder = folder_of_results(results)
    public = public_origin(public_url) if public_url else ""
    encrypted = encryption(certificate, key) if certificate else None
    games = LiveGames(folder, engines)  # a fault in a file comes before a port is taken
    sockets = listening(host, port)
    if new_links:
        forget_secret()
    here = endpoint(sockets, host, public, encrypted is not None)
    tell(here)
    app = application(RunFolders(folder), games, here.keys, here.origins)
    serve_until_stopped(app, here.sockets, encrypted)


def tell(here: Endpoint) -> None:
    """Print how browsers come in."""
    from arena.server.keys import Role
    from arena.server.origins import is_loopback

    if not is_loopback(here.host) and here.origins.scheme == "http":
        click.echo(f"Other machines can reach this page at {here.host}, unencrypted.", err=True)
    if here.has_links:
        click.echo(f"The page: {here.link(Role.PLAY)}")
        click.echo(f"To look only: {here.link(Role.LOOK)}")
    else:
        click.echo(f"The page: {here.origin}/")
        click.echo(f"Its password, with any name: {here.keys.token(Role.PLAY)}")
        click.echo(f"To look only: {here.keys.token(Role.LOOK)}")
    click.echo("Ctrl-C ends it.")
