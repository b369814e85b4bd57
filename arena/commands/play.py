"""`arena play`: one game on the screen, engines or persons."""

from __future__ import annotations

import sys
from contextlib import redirect_stdout
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from arena.commands.options import RESULTS, again, forms

if TYPE_CHECKING:
    from arena.human.host import Terms
    from arena.report.board import Print


@click.command(short_help="Play one game on the screen.")
@click.argument("first")
@click.argument("second")
@click.option("--game", default="gomoku", show_default=True, help="Such as gomoku:size=9.")
@click.option("--limit", default="", help="Of each move, such as depth=4 or nodes=10000,seconds=1.")
@click.option("--opening", default="", help='Moves played before, such as "7,7 7,8".')
@click.option("--seed", default=0, show_default=True, help="Of the engines that draw lots.")
@click.option("--max-plies", type=click.IntRange(1), help="A draw after so many moves.")
@click.option("--scores", is_flag=True, help="For persons: what the engine says of each move.")
@forms("board", "moves", "json", about="The board after each move, one move a line, or the record.")
@RESULTS
def play(
    first: str,
    second: str,
    game: str,
    limit: str,
    opening: str,
    seed: int,
    max_plies: int | None,
    scores: bool,
    form: str,
    results: Path,
) -> None:
    """Play one game of FIRST against SECOND: engines, or `human`.

    Engines and games take parameters after a colon: five_tuple:depth=4,radius=1. An engine is a
    name that `arena engines` shows, or the path of your own: ./my_engine.py.

    A human types moves, at a terminal or through a pipe, and ? for what else can be typed. Such a
    game is kept as one of the run human-GAME, unless it is left: with exit code 0 by `quit`, 1 if
    the input ends, 130 after Ctrl-C.
    """
    from arena.config.reader import parse_limit
    from arena.human.game import is_human
    from arena.human.host import Terms

    terms = Terms(opening=opening, limit=parse_limit(limit), seed=seed, max_plies=max_plies)
    out, err = partial(click.echo, file=sys.stdout), partial(click.echo, err=True)
    # What a program reads from standard output is ours alone: engines print elsewhere.
    with redirect_stdout(sys.stderr):
        if is_human(first) or is_human(second):
            host(game, (first, second), terms, results, form, scores, out, err)
        elif scores:
            raise click.UsageError("--scores is for games with a human")
        else:
            show(game, (first, second), terms, form, out, err)


def show(
    game: str, players: tuple[str, str], terms: Terms, form: str, out: Print, err: Print
) -> None:
    """A game between engines, as it is played."""
    from arena.interrupt import escapable
    from arena.match import single
    from arena.plugins.load import load_game
    from arena.report.board import broadcast, result_text

    rules = load_game(game)
    with escapable(lambda: err("Aborted!")):
        watch = broadcast(form, rules, players, out)
        record = single.play(rules, *players, **terms, watch=watch)
    (err if form == "moves" else out)(result_text(form, record))


def host(
    game: str,
    players: tuple[str, str],
    terms: Terms,
    results: Path,
    form: str,
    scores: bool,
    out: Print,
    err: Print,
) -> None:
    """A game with a person, who is told how to go on with it if it is left."""
    from arena.human.game import UnfinishedError
    from arena.human.host import receive

    context = click.get_current_context()

    def leave(left: UnfinishedError) -> None:
        with context.scope(cleanup=False):
            err(f"\nLeft unfinished, and not kept. To go on: {again(opening=left.moves)}")

    shown = partial(receive, form=form, with_scores=scores, out=out, err=err)
    try:
        shown(game, players, terms, results, leave=leave)
    except UnfinishedError as left:
        leave(left)
        sys.exit(left.code)
