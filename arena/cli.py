"""The command line: its commands, and the end of one that is at fault."""

from __future__ import annotations

import logging
import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedWriter, FileIO, TextIOWrapper
from typing import Any

import click

from arena.commands import (
    bench,
    catalogue,
    check,
    exchange,
    init,
    match,
    openings,
    plan,
    play,
    report,
    run,
    serve,
    tune,
)
from arena.commands.options import STOPPED, command_names
from arena.commands.version import version_option
from arena.errors import ConfigError, Fault, gone, others_hints, refusals_told

TYPED = "arena.typed"  # The key of the words that were typed


def main() -> None:
    """Only a fault of ours is a traceback, and has a status that tells nothing else."""
    # There is a process for each core already, and small matrices are slower on several threads.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    _prepare_streams()
    if logging.lastResort:  # a run has a log of its own, which would be all that tells of a wait
        logging.getLogger("arena.storage").addHandler(logging.lastResort)
    try:
        with refusals_told(), _output_written():
            arena()
    except ConfigError as error:
        click.echo(str(error), err=True)
        sys.exit(error.status)
    except Exception:
        sys.excepthook(*sys.exc_info())
        sys.exit(os.EX_SOFTWARE)


class _Standard(FileIO):
    """Standard output, whose faults tell its name; or standard error, whose faults nobody sees."""

    def write(self, data: Any) -> int | None:  # type: ignore[override]
        try:
            return super().write(data)
        except OSError as error:
            if self.fileno() == 2:
                return len(data)
            raise OSError(error.errno, error.strerror, "standard output") from None


def _prepare_streams() -> None:
    for number, name in enumerate(("stdout", "stderr"), start=1):
        if (stream := getattr(sys, name)) and stream is getattr(sys, f"__{name}__"):
            raw = _Standard(number, "wb", closefd=False)
            buffer = raw if stream.write_through else BufferedWriter(raw)
            words = stream.encoding, stream.errors, None, stream.line_buffering
            stream = TextIOWrapper(buffer, *words, stream.write_through)
            vars(sys).update({name: stream, f"__{name}__": stream})
        # Characters that a terminal lacks become marks: no game is lost for one of them.
        # In the locale C, Python lets through the bytes of names, and no other character.
        if isinstance(stream, TextIOWrapper) and (
            stream.errors == "strict" or stream.encoding.lower() != "utf-8"
        ):
            stream.reconfigure(errors="replace")
    for standard in range(3):
        try:
            os.fstat(standard)
        except OSError:  # closed: a pipe of ours must not get its number
            os.open(os.devnull, os.O_RDWR)


@contextmanager
def _output_written() -> Iterator[None]:
    try:
        yield
    finally:
        try:
            if sys.stdout:
                sys.stdout.flush()
        except OSError:
            nothing = os.open(os.devnull, os.O_WRONLY)  # Python would try once more
            os.dup2(nothing, 1)
            raise


@contextmanager
def _told_what_to_write(ctx: click.Context) -> Iterator[None]:
    try:
        yield
    except click.UsageError as error:
        where = error.ctx or ctx
        name = error.option_name if isinstance(error, click.NoSuchOption) else ""
        message = gone("option", name, [" ".join(command_names(where))])
        hints = _hints(where.command, ctx.meta[TYPED])
        lines = [f"{word}: {hint}" for word, hint in hints.items() if name or word in str(error)]
        if message or lines:
            raise click.UsageError(message or "\n".join(lines), where) from None
        raise
    except ConfigError as error:
        command = arena.get_command(ctx, ctx.invoked_subcommand or "") or arena
        # A brain's INFO may have any key, and a limit has two that are words of others as well.
        typed = re.sub(r"--info \S+|--limit (depth|nodes)=\S+", "", " ".join(ctx.meta[TYPED]))
        words = [word for word in typed.split() if word[0] != "-"]
        for word, hint in _hints(command, words).items():
            error.faults = [
                Fault(each.place, hint) if word in str(each) else each for each in error.faults
            ]
        raise


def _hints(command: click.Command, typed: list[str]) -> dict[str, str]:
    command = match.match if command is arena else command
    known = {each for parameter in command.params for each in parameter.opts}
    return others_hints(typed, known) if known & {"--limit", "--workers"} else {}


class _Commands(click.Group):
    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ctx.meta[TYPED] = [*args]
        for word in args:  # which click takes for numbers as Python does
            if not word.isascii() and re.fullmatch(r"(--[a-z-]+=)?[-+]?[\d.,+]+", word):
                raise click.UsageError(f"{word}: a number is written with the digits 0 to 9", ctx)
        with _told_what_to_write(ctx):
            return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> object:
        try:
            with _told_what_to_write(ctx):
                return super().invoke(ctx)
        except KeyboardInterrupt:
            click.echo("\nAborted!", err=True)
            sys.exit(STOPPED)


@click.group(
    cls=_Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
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
    tune.dashboard,
    tune.fit,
    report.report,
    report.compare,
    report.ratings,
    play.replay,
    exchange.export,
    exchange.import_,
    serve.serve,
    serve.submit,
    play.play,
    catalogue.engines,
    catalogue.games,
    catalogue.formats,
    openings.openings,
    bench.bench,
    check.check,
    check.brain,
):
    arena.add_command(command)
