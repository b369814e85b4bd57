"""`arena replay`: a stored game once more."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from arena.commands import options
from arena.commands.options import COORDINATES, RESULTS, compiling_noticed

if TYPE_CHECKING:
    from arena.coordinates import Notation


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
    told = record.detail
    if not WRITTEN_POINT.sub("", told).strip(" -"):
        told = names.text(told)  # the line of a proof; all else is others' words, such as a brain's
    click.echo(summary(replace(record, detail=told)))
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
        for line in lines if remarks else lines[-2:]:
            click.echo(line)
        return
    if not differs:
        click.echo(diagram(rules, last_position(rules, record.moves), names))
        for line in (remark_lines if remarks else last_remarks)(record, names):
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
