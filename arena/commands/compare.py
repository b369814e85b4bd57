"""`arena compare`: two runs side by side."""

from __future__ import annotations

from pathlib import Path

import click

from arena.commands import completion
from arena.commands.options import RESULTS, forms
from arena.plugins.load import names


@click.command(short_help="Show two runs side by side.")
@click.argument("before", shell_complete=completion.runs)
@click.argument("after", shell_complete=completion.runs)
@forms(
    "table",
    *(form for form in names("form") if form != "table"),
    about="Form of the report: for people, or for programs.",
)
@click.option(
    "--frame",
    help="Only this frame: gains, openings, differences or runs. [csv: gains]",
)
@click.option("-o", "--output", type=click.Path(path_type=Path), help="File or folder to write.")
@RESULTS
def compare(
    before: str, after: str, form: str, frame: str | None, output: Path | None, results: Path
) -> None:
    """Show two runs side by side: names under results/, or folders.

    The first table has the gain of each player in Elo, with its 95 % interval, from games of
    players that are in both runs. Then come the differences of the configs, and the openings on
    which the other player became the better one.

    The test of a tuning study or a fit is a run, too: STUDY/verification.
    """
    from arena.comparison.compare import compare as compared
    from arena.comparison.comparison_answer import comparison_answer
    from arena.report.answer import report_text, save, shows_notes

    answer = comparison_answer(compared(before, after, results=results))
    if output:
        for file in save(answer, form, frame, output):
            click.echo(f"Wrote {file}")
    else:
        click.echo(report_text(answer, form, frame))
    if frame or not shows_notes(form):
        for note in answer.sentences:
            click.echo(note, err=True)
