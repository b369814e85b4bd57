"""Options that commands share, the completion of their values, and kernels made before a start."""

from __future__ import annotations

import os
import shlex
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click import Context, Parameter
from click.shell_completion import CompletionItem

from arena.coordinates import NOTATIONS

if TYPE_CHECKING:
    from arena.plugins.load import Kind

RESULTS = click.option(
    "--results",
    default="results",
    show_default=True,
    type=click.Path(path_type=Path),
    help="Folder with the folders of runs.",
)

STOPPED = 130  # The exit status after Ctrl-C

Command = Callable[..., Any]
MOST_WORKERS = 2
"""Workers for each core; more take time from each other, and from every limit of time."""
FORCE = ", or any number with --force"


def workers_option(command: Command) -> Command:
    @click.option(
        "--workers",
        type=click.IntRange(0),
        help="Processes that play; 0: only this one. [all cores]",
    )
    @click.option("--force", is_flag=True, help="Play with more workers than twice the cores.")
    @wraps(command)
    def checked(*, workers: int | None, force: bool, **values: Any) -> Any:
        if not force:
            check_workers(workers)
        return command(workers=workers, **values)

    return checked


def check_workers(workers: int | None, option: str = "--workers", way_out: str = FORCE) -> None:
    """Raise a ConfigError for more than two workers for each core; `way_out`: how to have more."""
    if workers is None:
        return
    from arena.errors import ConfigError, Fault
    from arena.storage.history import cores

    most = MOST_WORKERS * cores()
    if workers > most:
        message = f"{workers} would take each other's time on {cores()} cores: at most {most}"
        raise ConfigError(Fault(option, f"{message}{way_out}"))


CLUSTER = click.option(
    "--cluster",
    metavar="ADDRESS",
    help="Play on a dask cluster: the address or file of its scheduler, or local:4 to try it here.",
)

FRESH = click.option("--fresh", is_flag=True, help="Throw away the games that were played before.")

ACCEPT_CHANGES = click.option(
    "--accept-changes",
    is_flag=True,
    help="Go on although the code of engines has changed; the report will say so.",
)

KEEP_GOING = click.option(
    "--keep-going",
    is_flag=True,
    help="Play on although a player lost its first eight games by its own faults.",
)

QUIET = click.option(
    "--quiet", is_flag=True, help="Show no games and no standings until the report at the end."
)

SERVE = click.option(
    "--serve",
    is_flag=True,
    help="Show it in a browser while it runs; in a terminal, until Ctrl-C after the end.",
)

OPEN = click.option("--open", "in_browser", is_flag=True, help="Open the report in a browser.")

COORDINATES = click.option(
    "--coordinates",
    type=click.Choice(NOTATIONS),
    default="letters",
    show_default=True,
    envvar="ARENA_COORDINATES",
    show_envvar=True,
    help="Points as h8, or as 7,7: row and column from 0 at the top left.",
)

EXIT_STATUS = click.option(
    "--exit-status",
    is_flag=True,
    help="For a test: exit status 0 for H1, 1 for H0, 3 if it is undecided.",
)

SEED = click.IntRange(-(10**18), 10**18)
"""The seeds that the YAML takes too: they are kept in a database."""

AS_JSON = click.option("--json", "as_json", is_flag=True, help="Print json, for programs.")

MEMORY = click.option(
    "--memory",
    type=click.IntRange(64, 10**6),
    metavar="MB",
    help="Megabytes of memory that each brain is told, and ended above. [told 350]",
)
INFO = click.option(
    "--info",
    multiple=True,
    metavar="KEY=VALUE",
    help="A further INFO line for brains; may be given again.",
)


def forms(*names: str, about: str) -> Callable[[Command], Command]:
    """The options `--format` (the first is the default) and `--json`."""
    form = click.option("--format", "form", type=click.Choice(names), default=names[0], help=about)
    json = click.option("--json", "form", flag_value="json", help="Like --format json.")
    return lambda command: form(json(command))


def again(**changed: object) -> str:
    """The command that is running, as it would be typed with these values instead."""
    context = click.get_current_context()
    values, words = context.params | changed, ["arena", *command_names(context)]
    for parameter in context.command.params:
        value = values[str(parameter.name)]
        if value is None:
            continue
        if isinstance(parameter, click.Argument):
            words += map(str, value if parameter.nargs != 1 else [value])
        elif isinstance(parameter, click.Option) and str(value) != str(
            parameter.get_default(context)
        ):
            if parameter.multiple:
                words += [word for each in value for word in (parameter.opts[0], str(each))]
            elif not parameter.is_flag:
                words += [parameter.opts[0], *map(str, value if parameter.nargs > 1 else [value])]
            elif value is True:
                words.append(parameter.opts[0])
    return shlex.join(words)


def command_names(context: click.Context) -> list[str]:
    """The names of a command and of the groups that it is in: `openings`, `make`."""
    names = [str(context.info_name)]
    while context.parent and context.parent.parent:
        context = context.parent
        names.insert(0, str(context.info_name))
    return names


Completion = Callable[[Context, Parameter, str], list[CompletionItem]]


def _beginning_with(incomplete: str, words: Iterable[str]) -> list[CompletionItem]:
    return [CompletionItem(word) for word in dict.fromkeys(words) if word.startswith(incomplete)]


def named(kind: Kind) -> Completion:
    def complete(context: Context, parameter: Parameter, incomplete: str) -> list[CompletionItem]:
        from arena.plugins.load import names

        return _beginning_with(incomplete, names(kind))

    return complete


def engines(context: Context, parameter: Parameter, incomplete: str) -> list[CompletionItem]:
    """The names of engines, or files once a path has begun."""
    if incomplete.startswith((".", "/", "~")):
        return [CompletionItem(incomplete, type="file")]
    return named("engine")(context, parameter, incomplete)


def players(context: Context, parameter: Parameter, incomplete: str) -> list[CompletionItem]:
    return _beginning_with(incomplete, ["human"]) + engines(context, parameter, incomplete)


def runs(context: Context, parameter: Parameter, incomplete: str) -> list[CompletionItem]:
    if incomplete.startswith((".", "/", "~")):
        return [CompletionItem(incomplete, type="dir")]
    results = Path(context.params.get("results") or "results")
    configs = results.glob("*/config.yaml") if results.is_dir() else ()
    return _beginning_with(incomplete, sorted(file.parent.name for file in configs))


def frames(context: Context, parameter: Parameter, incomplete: str) -> list[CompletionItem]:
    from arena.plugins.load import module, names

    kinds = [module("experiment", kind) for kind in names("experiment")]
    return _beginning_with(incomplete, [frame for kind in kinds for frame in kind.FRAMES])


def either(names: tuple[str, ...]) -> str:
    return f"{', '.join(names[:-1])} or {names[-1]}"


NOTICE = "Compiling kernels"
HOW_LONG = "once after installation, about half a second each"
EVERY = 10  # Kernels after which it is said how many there are so far


@contextmanager
def compiling_noticed() -> Iterator[None]:
    """Say on standard error while kernels are compiled, for which engine, and how many so far."""
    # numba takes a while to import, in which `--help` would wait.
    from arena.jit import announcing

    if sys.stderr is None:
        yield
        return
    # Engines are built in processes of their own, too, whose output is not for the screen.
    screen, began = os.dup(2), time.monotonic()

    def tell(engine: str, count: int, is_first: bool) -> None:
        with suppress(OSError):  # of a standard error that takes no more
            if is_first:
                of_engine = f" for {Path(engine).name}" if engine else ""
                os.write(screen, f"{NOTICE}{of_engine} ({HOW_LONG}) ...\n".encode())
            elif count % EVERY == 0:
                so_far = f"... {count} kernels compiled, {time.monotonic() - began:.0f} s"
                os.write(screen, f"{so_far}\n".encode())

    try:
        with announcing(tell):
            yield
    finally:
        os.close(screen)
