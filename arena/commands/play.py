"""`arena play` and `arena replay`: a game at the terminal, new or stored."""

from __future__ import annotations

import sys
from contextlib import redirect_stdout
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from arena.commands import options
from arena.commands.options import COORDINATES, RESULTS, SEED, again, compiling_noticed, forms

if TYPE_CHECKING:
    from arena.coordinates import Coordinates, Notation
    from arena.game import Game
    from arena.human.in_play import Setup
    from arena.match.record import GameRecord
    from arena.report.board import Print

err = partial(click.echo, err=True)


@click.command(short_help="Play one game on the screen.")
@click.argument("first", shell_complete=options.players)
@click.argument("second", required=False, shell_complete=options.players)
@click.option(
    "--game",
    default="gomoku",
    show_default=True,
    shell_complete=options.named("game"),
    help="Game, such as gomoku:size=9.",
)
@click.option("--limit", help="Limit of each move, such as d4, 0.5s, 10000n or d8,0.5s. [none]")
@click.option(
    "--opening",
    default="",
    shell_complete=options.named("opening rule"),
    help='Moves of the opening, such as "h8 i8" or "7,7 7,8", or a rule by which players make it.',
)
@click.option("--seed", type=SEED, default=0, help="Seed of engines that draw random numbers. [0]")
@click.option(
    "--max-plies", type=click.IntRange(1), help="The game is a draw after this number of moves."
)
@click.option("--scores", is_flag=True, help="Show a person the engine's score after each move.")
@forms("board", "moves", "json", about="The board after each move, one move a line, or the record.")
@COORDINATES
@RESULTS
def play(
    first: str,
    second: str | None,
    game: str,
    limit: str | None,
    opening: str,
    seed: int,
    max_plies: int | None,
    scores: bool,
    form: str,
    coordinates: Notation,
    results: Path,
) -> None:
    """Play one game of FIRST against SECOND: engines, or `human`.

    An engine is a name that `arena engines` lists, or a path such as ./my_engine.py. Engines and
    games take parameters after a colon: five_tuple:depth=4,radius=1.

    `arena play human` is a game against the default opponent, which is strong:level=5 in Gomoku.
    `arena play human strong:level=3` is easier.

    A human types moves, at a terminal or through a pipe; ? lists what else can be typed. A finished
    game is kept in the run human-GAME. The exit code is 0 after `quit`, 1 if the input ends during
    the game, and 130 after Ctrl-C.
    """
    from arena.config.settings import parse_limit
    from arena.coordinates import Coordinates
    from arena.engine import Limit
    from arena.human.in_play import Setup
    from arena.match.terms import Terms
    from arena.plugins.load import checked, load_game

    thinking = Limit() if limit is None else parse_limit(limit)
    out = partial(click.echo, file=sys.stdout)
    # What a program reads from standard output is ours alone: engines print elsewhere.
    with redirect_stdout(sys.stderr), compiling_noticed():
        named = checked("game", game)
        terms = Terms(game=named, limit=thinking, seed=seed, max_plies=max_plies)
        rules = load_game(named)
        players = first, second or _opponent_of(first, rules)
        setup = Setup(rules, players, terms, _wanted_opening(rules, opening, seed), scores)
        if setup.persons:
            host(setup, results, form, out, coordinates)
        elif scores:
            raise click.UsageError("--scores is for games with a human")
        else:
            show(setup, form, out, Coordinates(rules.size, coordinates))


def _wanted_opening(game: Game, typed: str, seed: int) -> str:
    """Turn a typed opening, with moves in either notation, into the form that it has in records;
    the seed suggests the moves of a rule that is typed without any."""
    from arena.coordinates import written
    from arena.errors import ConfigError
    from arena.match.opening import suggested
    from arena.match.record import split_opening

    rule, moves = split_opening(" ".join(typed.split()))
    if rule and not moves:
        return next(suggested(rule, game, count=1, seed=seed))
    try:
        words = [rule] if rule else []
        return " ".join([*words, *(written(word, game.size) for word in moves.split())])
    except ValueError as error:
        raise ConfigError(str(error)) from None


def _opponent_of(first: str, game: Game) -> str:
    from arena.human.in_play import default_opponent, is_human

    if not is_human(first):
        raise click.UsageError("Missing argument 'SECOND'.")
    rule = getattr(game, "rule", None)
    if (opponent := default_opponent(game.name, rule)) is None:
        raise click.UsageError(f"No engine here plays {game.name} by the rule {rule}: name one.")
    return opponent


def show(setup: Setup, form: str, out: Print, coordinates: Coordinates) -> None:
    from arena.match.opening_rules import opening_text
    from arena.match.record import split_opening
    from arena.processes.interrupt import escapable
    from arena.report.board import broadcast, result_text
    from arena.tournament.replay import play

    # Who has which colour is not known before the players have made the opening.
    names = ("Black", "White") if split_opening(setup.opening)[0] else setup.names
    with escapable(lambda: err("Aborted!")):
        record = play(
            setup.game,
            *setup.names,
            opening=setup.opening,
            limit=setup.terms.limit,
            seed=setup.terms.seed,
            max_plies=setup.terms.max_plies,
            watch=broadcast(form, setup.game, names, out, coordinates),
        )
    if record.made and form == "board":
        out(opening_text(record))
    (err if form == "moves" else out)(result_text(form, record))


def host(setup: Setup, results: Path, form: str, out: Print, notation: Notation) -> None:
    """Play a game with a person, and keep it; one that is left can be gone on with.

    The talk goes to `out`, unless what a program reads is wanted there: the moves, or the record.
    """
    from arena.human.game import Talk, UnfinishedError, line_reader, play_with_persons
    from arena.match.record import split_opening
    from arena.report.board import result_text
    from arena.storage.folder import make_folder

    context = click.get_current_context()

    def leave(left: UnfinishedError) -> None:
        # The thread that leaves a search which does not return has no context of its own.
        with context.scope(cleanup=False):
            way = "begin again" if split_opening(left.moves)[0] else "go on"
            err(f"\nLeft unfinished, and not kept. To {way}: {again(opening=left.moves)}")

    make_folder(results)  # a fault here should not wait for the end of the game
    say, shown = (out, sys.__stdout__) if form == "board" else (err, sys.__stderr__)
    try:
        record = play_with_persons(setup, Talk(line_reader(shown), say, notation), leave)
    except UnfinishedError as left:
        leave(left)
        sys.exit(left.code)
    if form == "moves":
        out(record.moves.replace(" ", "\n"))
    (err if form == "moves" else out)(result_text(form, record))
    keep(record, setup, results, say)


def keep(record: GameRecord, setup: Setup, results: Path, say: Print) -> None:
    """Keep a game under `results`, and say where; if that fails, its moves are shown."""
    # The database takes a while to import, in which a person would wait for the first prompt.
    from arena.errors import ConfigError
    from arena.human import in_play

    try:
        config = in_play.config_of(setup)
        folder, number = in_play.keep(record, config, results)
    except ConfigError:
        err(f"This game could not be kept: {record.moves}")
        raise
    say(f"Kept as game {number} of {folder}; to see it again: arena replay {folder} {number}")


@click.command(short_help="Play a stored game again, and tell if it comes out the same.")
@click.argument("run", shell_complete=options.runs)
@click.argument("game", type=click.IntRange(1))
@click.option(
    "--remarks", is_flag=True, help="Show the engines' reports on all moves, not only the last two."
)
@click.option(
    "--ply", type=click.IntRange(0), help="Show the game after this number of moves, and no more."
)
@COORDINATES
@RESULTS
def replay(
    run: str, game: int, remarks: bool, ply: int | None, coordinates: Notation, results: Path
) -> None:
    """Play game number GAME of RUN again, and tell whether its record comes out equal.

    First the record is checked by the rules. Then the engines play the game again, unless time was
    limited or a person played. Below the board is what the players reported with their last moves:
    time, score, depth, nodes, the expected line, and info. The exit code is 1 if anything differs.
    `arena report RUN --frame games` lists the numbers of games.
    """
    from arena.coordinates import WRITTEN_POINT, Coordinates
    from arena.match.opening_rules import opening_text
    from arena.match.record import summary
    from arena.plugins.load import load_game
    from arena.report.board import diagram, last_remarks, remark_lines
    from arena.tournament.replay import (
        difference,
        edits,
        find_game,
        last_position,
        play_again,
        rules_difference,
        unrepeatable,
    )
    from arena.tournament.run import open_run

    opened = open_run(run, results=results)
    record = find_game(opened, game)
    rules = load_game(opened.config.terms.game)
    names = Coordinates(rules.size, coordinates)
    detail = record.detail
    if not WRITTEN_POINT.sub("", detail).strip(" -"):
        detail = names.text(detail)  # a line of proof; all else is others' words, as a brain's
    click.echo(summary(replace(record, detail=detail)))
    if record.made:
        click.echo(names.text(opening_text(record)))
    differs, same = rules_difference(rules, record), "Played again: the same game."
    if ply is not None and not differs:
        moves = record.moves.split()
        if ply > len(moves):
            raise click.UsageError(f"--ply {ply}: the game has {len(moves)} moves")
        shown = replace(record, moves=" ".join(moves[:ply]))
        click.echo(diagram(rules, last_position(rules, shown.moves), names))
        lines = remark_lines(shown, names)[: max(ply - len(record.opening.split()), 0)]
        shown_lines = lines if remarks else lines[-2:]
        for line in shown_lines:
            click.echo(line)
        return
    if not differs:
        click.echo(diagram(rules, last_position(rules, record.moves), names))
        lines_of = remark_lines if remarks else last_remarks
        for line in lines_of(record, names):
            click.echo(line)
        if why := unrepeatable(opened, record):
            same = f"By the rules, the same; {why}, so it is not played again."
        else:
            with compiling_noticed():
                differs = difference(record, play_again(opened, record))
            if differs:
                differs = names.text(differs) + edits(opened, record)
    click.echo(f"Not the same: {differs}." if differs else same)
    sys.exit(1 if differs else 0)
