"""`arena ratings`: one list of ratings over all runs of a folder."""

from __future__ import annotations

from pathlib import Path

import click

from arena.commands.options import RESULTS, forms


@click.command(short_help="Rate all players of all runs together.")
@forms("table", "csv", "json", "markdown", about="For people, or for programs.")
@click.option("--frame", help="Only this frame: players, versions or history. [csv: players]")
@click.option("--candidates", is_flag=True, help="Also the own runs of studies and fits.")
@RESULTS
def ratings(form: str, frame: str | None, candidates: bool, results: Path) -> None:
    """Rate all players of the runs in a folder: one list for each game with its rule, and for each
    class of limits.

    Players with the same engine, parameters, limit and code count as one player. If the code of an
    engine changed between runs, each version is rated, and a second table shows the differences.
    Imported games and games with persons are left out, and without --candidates the runs that
    studies and fits play with their own weights.
    """
    from arena.ratings.rating_answer import ratings_answer
    from arena.ratings.rating_list import rating_list
    from arena.report.answer import report_text, shows_notes

    answer = ratings_answer(rating_list(results, candidates))
    click.echo(report_text(answer, form, frame))
    if frame or not shows_notes(form):
        for note in answer.sentences:
            click.echo(note, err=True)
