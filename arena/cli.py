"""The command line: each command a few lines over the rest."""

from __future__ import annotations

import sys
from contextlib import redirect_stdout
from functools import partial
from pathlib import Path

import click

from arena.faults import ConfigError
from arena.options import RESULTS, forms


def main() -> None:
    """The `arena` script: a ConfigError is a message and exit code 2, never a traceback."""
    try:
        arena()
    except ConfigError as error:
        click.echo(str(error), err=True)
        sys.exit(2)


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="gomoku-arena")
def arena() -> None:
    """Play Gomoku engines against each other, and find out which is best.

    \b
    Start here:
      arena engines                            what can play
      arena play five_tuple random_mover       one game, on the screen
      arena run configs/round.yaml             a tournament
      arena report round                       its results, once more
    """


@arena.command(short_help="Play a tournament, or go on with it.")
@click.argument("config", type=click.Path(path_type=Path))
@click.option(
    "--workers", type=click.IntRange(0), help="Processes that play; 0: this one. [all cores]"
)
@click.option("--fresh", is_flag=True, help="Throw away what this run played before.")
@RESULTS
def run(config: Path, workers: int | None, fresh: bool, results: Path) -> None:
    """Play the tournament that CONFIG, a YAML file, describes.

    Shows live standings while it runs, and the report at the end. The games are kept in
    results/NAME; started again, a run goes on where it stopped.
    """
    from rich.console import Console

    from arena import tournament
    from arena.interrupt import Interrupt
    from arena.live import watching

    hint = f"To go on: {go_on(config, workers, results)}"
    wait = "Ending after the games in flight; Ctrl-C again ends at once."
    try:
        with (
            Interrupt(lambda: click.echo(wait, err=True)) as interrupt,
            watching(Console()) as watch,
        ):
            played = tournament.run(
                config,
                workers=workers,
                fresh=fresh,
                results=results,
                watch=watch,
                stop=lambda: interrupt.pressed,
            )
    except (KeyboardInterrupt, BrokenPipeError):
        click.echo(f"\nStopped. {hint}", err=True)
        sys.exit(130)
    from arena.tables import report_text

    click.echo(report_text(played.report()))
    click.echo(f"\nKept in {played.folder}; to see this again: arena report {played.folder}")
    if interrupt.pressed:
        click.echo(f"Stopped. {hint}", err=True)
        sys.exit(130)


def go_on(config: Path, workers: int | None, results: Path) -> str:
    """The command that goes on with a stopped run."""
    options = "" if workers is None else f" --workers {workers}"
    options += "" if results == Path("results") else f" --results {results}"
    return f"arena run {config}{options}"


@arena.command(short_help="Show the results of a run.")
@click.argument("run")
@forms("table", "csv", "json", about="For people, or for programs.")
@click.option(
    "--frame",
    help="With csv and json: only standings, win_rates, colours, endings or games. "
    "[csv: standings, json: all]",
)
@RESULTS
def report(run: str, form: str, frame: str | None, results: Path) -> None:
    """Show the results of RUN: a name under results/, or a folder.

    Elo is against the field met; its 95 % interval and LOS (the likelihood of being better than
    the field) come from pairs of games with colours swapped, each distinct pair counted once.
    """
    from arena import tables
    from arena.tournament import open_run

    found = open_run(run, results=results).report()
    if form == "csv":
        click.echo(tables.csv_text(found, frame or "standings"), nl=False)
    elif form == "json":
        click.echo(tables.json_text(found, frame))
    else:
        click.echo(tables.report_text(found))


@arena.command(short_help="Play a stored game again: does it come out the same?")
@click.argument("run")
@click.argument("game", type=click.IntRange(1))
@RESULTS
def replay(run: str, game: int, results: Path) -> None:
    """Play game number GAME of RUN once more, and say whether it comes out the same.

    First from its record, by the rules; then, unless time was limited, by its engines. Exit code 1
    if anything differs. `arena report RUN --format csv --frame games` has the numbers.
    """
    from arena import rerun
    from arena.diagram import diagram
    from arena.load import load_game
    from arena.record import summary
    from arena.tournament import open_run

    found = open_run(run, results=results)
    record = rerun.find_game(found, game)
    rules = load_game(found.config.game)
    click.echo(summary(record))
    differs, same = rerun.rules_difference(rules, record), "Played again: the same game."
    if not differs:
        click.echo(diagram(rules, rerun.last_position(rules, record.moves)))
        if rerun.is_timed(found, record):
            same = "By the rules, the same; time was limited, so it is not played again."
        else:
            differs = rerun.difference(record, rerun.play_again(found, record))
    click.echo(f"Not the same: {differs}." if differs else same)
    sys.exit(1 if differs else 0)


@arena.command(short_help="Play one game on the screen.")
@click.argument("first")
@click.argument("second")
@click.option("--game", default="gomoku", show_default=True, help="Such as gomoku:size=9.")
@click.option("--limit", default="", help="Of each move, such as depth=4 or nodes=10000,seconds=1.")
@click.option("--opening", default="", help='Moves played before, such as "7,7 7,8".')
@click.option("--seed", default=0, show_default=True, help="Of the engines that draw lots.")
@click.option("--max-plies", type=click.IntRange(1), help="A draw after so many moves.")
@forms("board", "moves", "json", about="The board after each move, one move a line, or the record.")
def play(
    first: str,
    second: str,
    game: str,
    limit: str,
    opening: str,
    seed: int,
    max_plies: int | None,
    form: str,
) -> None:
    """Play one game of the engine FIRST against the engine SECOND.

    Engines and games take parameters after a colon: five_tuple:depth=4,radius=1. An engine is a
    name that `arena engines` shows, or the path of your own: ./my_engine.py.
    """
    from arena import friendly
    from arena.broadcast import broadcast, result_text
    from arena.load import load_game
    from arena.reader import parse_limit

    rules, out = load_game(game), partial(click.echo, file=sys.stdout)
    # What a program reads from standard output is ours alone: engines print elsewhere.
    with redirect_stdout(sys.stderr):
        record = friendly.play(
            rules,
            first,
            second,
            opening=opening,
            limit=parse_limit(limit),
            seed=seed,
            max_plies=max_plies,
            watch=broadcast(form, rules, (first, second), out),
        )
    click.echo(result_text(form, record), err=form == "moves")


@arena.command(short_help="List the engines, or describe one.")
@click.argument("name", required=False)
def engines(name: str | None) -> None:
    """List the engines, or describe the one of this NAME (or path): its games and parameters."""
    from arena.catalogue import describe, listing

    click.echo(describe("engine", name) if name else listing("engine"))


@arena.command(short_help="List the games, or describe one.")
@click.argument("name", required=False)
def games(name: str | None) -> None:
    """List the games, or describe the one of this NAME: its parameters."""
    from arena.catalogue import describe, listing

    click.echo(describe("game", name) if name else listing("game"))


@arena.command(short_help="Measure searches, the referee, the workers.")
@click.argument("name", required=False)
@click.option("--json", "as_json", is_flag=True, help="The rows as json.")
@click.option(
    "--repeat",
    type=click.IntRange(1),
    default=3,
    show_default=True,
    help="Times that each is run; the median counts.",
)
@click.option("--against", help="A program (with its arguments) to time in turn with each search.")
def bench(name: str | None, as_json: bool, repeat: int, against: str | None) -> None:
    """Measure, here and now: an engine's searches, `match` (the referee), `pool` (the workers),
    `endurance` (100 000 games) or `tune` (how much Elo the tuner leaves).

    Without NAME, all of them. Seconds are of CPU time; ratios are between things that were run in
    turn, because a machine's speed drifts.
    """
    from arena.bench import rows_text, run_bench

    click.echo(rows_text(run_bench(name, repeat, against), as_json))
