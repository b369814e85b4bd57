"""`arena serve`: the page; and `arena submit`, which sends a test to one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from arena.commands.options import CLUSTER, check_workers
from arena.errors import ConfigError, Fault
from arena.queue.order import PRIORITIES

if TYPE_CHECKING:
    from arena.queue.runner import OwnerRules
    from arena.server.serving import Endpoint

FILE = click.Path(path_type=Path)
RESULTS = Path("results")


@click.command(short_help="Watch runs, look at games and play in a browser.")
@click.argument("results", default=RESULTS, type=FILE)
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
    help="A tournament's file, whose engines can be played against; may be given again.",
)
@click.option(
    "--public-url", metavar="URL", help="https://NAME of the reverse proxy before this server."
)
@click.option("--certificate", metavar="FILE", type=FILE, help="Encrypt by this certificate (PEM).")
@click.option(
    "--key", metavar="FILE", type=FILE, help="Its private key. [in the certificate's file]"
)
@click.option("--queue", is_flag=True, help="Accept tests of other people, and play them in turn.")
@click.option("--cores", type=click.IntRange(1), help="With --queue: cores that play. [all]")
@CLUSTER
@click.option("--new-links", is_flag=True, help="Make new links, and lock out the old ones.")
def serve(
    results: Path,
    port: int | None,
    host: str,
    engines: tuple[Path, ...],
    public_url: str | None,
    certificate: Path | None,
    key: Path | None,
    new_links: bool,
    queue: bool,
    **options: Any,
) -> None:
    """Show the runs and studies of the folder RESULTS in a browser, and play there.

    A run that is being played, by any command, is shown live: all boards, the standings, the
    time left. The command prints two addresses. The first has a token that lets a browser in for 30
    days; with the second, people can watch, but neither play nor stop a run. Without --host no
    other machine is let in. Ctrl-C ends the server, but no run.

    With --queue, a third address lets people submit tests. Their code is run on this machine: read
    docs/queue.md before you give the address away. Tests wait while no server runs.
    """
    from arena.server.serving import check_packages

    check_packages()
    if not host:
        raise click.UsageError("--host needs an address, such as 0.0.0.0.")
    if key and not certificate:
        raise click.UsageError("--key needs --certificate.")
    from arena.queue.queue_file import QueueFile
    from arena.queue.runner import RunnerProcess
    from arena.server.app import application
    from arena.server.keys import forget_secret, public_origin
    from arena.server.play.games import LiveGames
    from arena.server.queue import ServedQueue
    from arena.server.serving import encryption, endpoint, listening, serve_until_stopped
    from arena.server.watch.run_list import RunFolders

    rules = _owner_rules(options, queue)
    if not rules:
        check_folder(results)
    public = public_origin(public_url) if public_url else ""
    encrypted = encryption(certificate, key) if certificate else None
    games = LiveGames(results, engines)  # a fault in a file comes before a port is taken
    sockets = listening(host, port)
    served = ServedQueue(QueueFile(results), rules.cores) if rules else None
    if new_links:
        forget_secret()
    here = endpoint(sockets, host, public, encrypted is not None)
    tell(here, queue)
    app = application(RunFolders(results), games, here.keys, here.origins, served)
    if rules:
        RunnerProcess(results, rules)
    serve_until_stopped(app, here.sockets, encrypted)


def check_folder(results: Path) -> None:
    """Raise a ConfigError if there is no folder of results.

    The one that is served by default may come later, with the first run.
    """
    if results == RESULTS and not results.exists():
        click.echo(f"There is no {results}/ here yet: the first `arena run` makes it.")
    elif not results.is_dir():
        raise ConfigError(Fault(str(results), "is no folder of results"))


def _owner_rules(options: dict[str, Any], is_wanted: bool) -> OwnerRules | None:
    """The rules of a queue, if it is wanted; ConfigError for rules that cannot be.

    UsageError for rules of a queue where there is none.
    """
    given = [name for name, value in options.items() if value]
    if given and not is_wanted:
        raise click.UsageError(f"--{given[0].replace('_', '-')} needs --queue.")
    if not is_wanted:
        return None
    from arena.cluster.places import check_cluster, refuse_processes
    from arena.queue.runner import OwnerRules
    from arena.storage.history import cores

    check_workers(options["cores"], "--cores", "")
    if cluster := options["cluster"]:
        refuse_processes(options["cores"], "--cores")
        check_cluster(cluster)
    return OwnerRules(None if cluster else options["cores"] or cores(), cluster)


def tell(here: Endpoint, has_queue: bool) -> None:
    from arena.server.keys import Role, is_loopback

    if not is_loopback(here.host) and here.origins.scheme == "http":
        click.echo(f"Other machines can reach this page at {here.host}, unencrypted.", err=True)
    if here.has_links:
        click.echo(f"The page: {here.link(Role.PLAY)}")
        click.echo(f"To look only: {here.link(Role.LOOK)}")
        if has_queue:
            click.echo(f"To submit tests: {here.link(Role.SUBMIT)}")
    else:
        click.echo(f"The page: {here.origin}/")
        click.echo(f"Its password, with any name: {here.keys.token(Role.PLAY)}")
        click.echo(f"To look only: {here.keys.token(Role.LOOK)}")
        if has_queue:
            click.echo(f"To submit tests: {here.keys.token(Role.SUBMIT)}")
    click.echo("Ctrl-C ends it.")


@click.command(short_help="Send a test to the queue of arena serve --queue.")
@click.argument("file", type=FILE, required=False)
@click.option(
    "--to",
    "address",
    required=True,
    metavar="URL",
    help="The link for submitting, as arena serve prints it.",
)
@click.option(
    "--token",
    envvar="ARENA_TOKEN",
    show_envvar=True,
    help="The token for submitting. [that of the link]",
)
@click.option(
    "--priority",
    type=click.IntRange(*PRIORITIES),
    default=0,
    show_default=True,
    help="Tests of higher priority are played first.",
)
@click.option("--list", "is_list", is_flag=True, help="List the tests of the queue, and send none.")
def submit(
    file: Path | None, address: str, token: str | None, priority: int, is_list: bool
) -> None:
    """Send the tournament or test of FILE to a queue, with the files that it names.

    FILE is a file for `arena run`. It is checked in the same way, here and by the server. The code
    of its engines is sent with it, and the server runs this code. Only the link for submitting lets
    you do this.
    """
    from arena.commands.options import compiling_noticed
    from arena.queue.submission import send, server_at, submission_of, tests_at

    if is_list != (file is None):
        raise click.UsageError("give either a FILE to send, or --list")
    server = server_at(address, token)
    if file is None:
        lines = [listed(test) for test in tests_at(server)]
        click.echo("\n".join(lines or ["The queue has no tests."]))
        return
    with compiling_noticed():
        submission = submission_of(file, priority)
    click.echo(f"{told(send(server, submission))}: {server.origin}/queue")


def told(test: dict[str, Any]) -> str:
    total, time = test.get("total"), test.get("time")
    games = f", at most {total} games" if total else ""
    return f"{test.get('name')} is in the queue{games}{f', about {time}' if time else ''}"


def listed(test: dict[str, Any]) -> str:
    from arena.errors import one_line

    name, state, games, verdict = map(test.get, ("name", "state", "games", "verdict"))
    return one_line(f"{state!s:<8} {games!s:>7} games  {name}  {verdict or ''}".rstrip())
