"""`arena openings`: make openings, and check files of them."""

from __future__ import annotations

import sys
import time
from collections import Counter
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from arena.commands import options
from arena.commands.options import AS_JSON, compiling_noticed, workers_option
from arena.commands.playing import interruptible
from arena.records.opening_file import OPENING_FORMATS, OpeningFormat, opening_file

if TYPE_CHECKING:
    from rich.status import Status

    from arena.books import BookProgress
    from arena.match.opening import OpeningCheck


@click.group(short_help="Make openings, or check a file of them.")
def openings() -> None:
    """Make balanced openings, and check files of openings before a tournament."""


@openings.command(short_help="Make balanced openings with an engine.")
@click.argument("config", metavar="FILE", type=click.Path(path_type=Path))
@click.option(
    "--output",
    type=click.Path(path_type=Path),
    help="File of openings to write. [the FILE's name, .txt]",
)
@click.option("--count", type=click.IntRange(1), help="Number of openings. [the FILE's]")
@workers_option
@click.option("--fresh", is_flag=True, help="Throw away the openings in the output file.")
def make(
    config: Path, output: Path | None, count: int | None, workers: int | None, fresh: bool
) -> None:
    """Make balanced openings by the settings in FILE, a YAML file.

    Stones are drawn near each other, and an engine adds one or two moves, so that both players'
    chances are even. No two openings lead to the same position, even turned or mirrored. In none of
    them has either side a win by fours, or by fours and threes as far as a short search sees. Each
    line has the moves, and then the engine's score, depth and nodes.

    The same FILE makes the same openings with any number of workers. The same command goes on with
    a file that is not complete.
    """
    from rich.console import Console

    from arena.books import make_book, read_book

    wanted = read_book(config)
    wanted = replace(wanted, count=count or wanted.count)
    path = output or Path(f"{wanted.name}.txt")
    console = Console(stderr=True)
    with interruptible() as stop, compiling_noticed(), console.status("") as status:
        progress = make_book(
            wanted,
            path,
            workers=workers,
            fresh=fresh,
            watch=partial(_show_progress, status, time.monotonic()),
            stop=stop,
        )
    click.echo(_text_of_book(progress, path))


def _show_progress(status: Status, began: float, progress: BookProgress) -> None:
    from arena.report.numbers import format_duration

    text = f"{progress.openings:,} of {progress.wanted:,} openings"
    if progress.made:
        pace = (time.monotonic() - began) / progress.made
        text += f", {format_duration(pace * (progress.wanted - progress.openings))} left"
    status.update(text)


def _text_of_book(progress: BookProgress, path: Path) -> str:
    from arena.books import refused_text

    lines = [f"{progress.openings:,} openings in {path}"]
    if progress.draws:
        lines.append(f"{progress.draws:,} draws; refused: {refused_text(progress) or 'none'}")
    if progress.is_over:
        lines.append(f"To use them: openings: {{file: {{path: {path}}}}}")
    return "\n".join(lines)


@openings.command(short_help="Look for mistakes, doubles and forced wins in a file.")
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--game",
    shell_complete=options.named("game"),
    help="Game, such as gomoku:size=20. [the one in a book, otherwise gomoku]",
)
@click.option(
    "--format",
    "format",
    type=click.Choice(OPENING_FORMATS),
    help="Format of the file. [found from its content]",
)
@AS_JSON
def check(file: Path, game: str | None, format: OpeningFormat | None, as_json: bool) -> None:
    """Look for mistakes in a FILE of openings: Gomocup's offsets, letters and numbers (h8i9), moves
    as this program writes them, SGF or PSQ.

    These are reported with their lines: openings that cannot be read or played, doubles (also
    turned, mirrored or with their moves in another order), and openings from which the side to move
    wins by continuous fours. The exit code is 1 if there are any, and 0 otherwise.
    """
    from arena.match.opening import check_openings
    from arena.match.openings.book import game_of_book
    from arena.plugins.build import forced_win_search
    from arena.plugins.load import load_game

    game = game or str(game_of_book(file) or "gomoku")
    played = load_game(game)
    whole = opening_file(file, format)
    with compiling_noticed():
        search = forced_win_search(played)
        found = check_openings(played, whole, search)
    click.echo(
        _data_of(found, game) if as_json else _text_of_check(found, game, search is not None)
    )
    sys.exit(1 if found.findings else 0)


def _data_of(result: OpeningCheck, game: str) -> str:
    from arena.report.numbers import json_text  # numpy

    head = {"file": str(result.whole.file), "format": result.whole.format, "game": game}
    counts = {"openings": len(result.whole.parts), "stones": result.stones}
    return json_text({**head, **counts, "findings": [asdict(each) for each in result.findings]})


def _text_of_check(result: OpeningCheck, game: str, has_searched: bool) -> str:
    whole, kinds = result.whole, Counter(each.kind for each in result.findings)
    lines = [f"{whole.file}:{each.line}: {each.kind}: {each.message}" for each in result.findings]
    stones = ", ".join(f"{count} of {plies}" for plies, count in result.stones.items())
    lengths = f" ({stones} moves)" if stones else ""
    noun = "openings" if len(whole.parts) != 1 else "opening"
    rows = ", whose rows count from the top" if whole.format == "pos" else ""
    lines.append(f"{len(whole.parts)} {noun}{lengths} of {game}, format {whole.format}{rows}")
    if not has_searched:
        lines.append("no engine looks for forced wins in this game")
    tally = ", ".join(f"{count} x {kind}" for kind, count in kinds.items())
    return "\n".join([*lines, tally or "nothing found"])
