"""`arena report`: results as tables, for people and for programs."""

from __future__ import annotations

from pathlib import Path

import click

from arena.commands import completion
from arena.commands.completion import FIT_FRAMES, STUDY_FRAMES, either
from arena.commands.options import RESULTS, forms
from arena.commands.playing import report_shown
from arena.errors import ConfigError
from arena.plugins.load import names
from arena.report import export
from arena.report.export import FRAMES


@click.command(short_help="Show the results of a run, or of several together.")
@click.argument("runs", nargs=-1, required=True, metavar="RUN...", shell_complete=completion.runs)
@forms(
    "table",
    *(form for form in names("form") if form != "table"),
    about="Form of the report: for people, or for programs.",
)
@click.option(
    "--frame",
    shell_complete=completion.frames,
    help=f"Only this frame: {either(FRAMES)}; for a study, {either(STUDY_FRAMES)}; for a fit, "
    f"{either(FIT_FRAMES)}. [csv: the first]",
)
@click.option(
    "--anchor",
    metavar="NAME[=ELO]",
    help="A player, and the rating that it is given. [the mean is 0]",
)
@click.option("--full", is_flag=True, help="All tables, also of a match of two players.")
@click.option("-o", "--output", type=click.Path(path_type=Path), help="File or folder to write.")
@RESULTS
def report(
    runs: tuple[str, ...],
    form: str,
    frame: str | None,
    anchor: str | None,
    full: bool,
    output: Path | None,
    results: Path,
) -> None:
    """Show the results of each RUN: a name under results/, or a folder.

    Elo is a player's lead over the opponents that it met. Its 95 % interval and LOS (the
    probability of being better than these) come from pairs of games with colours swapped; each
    distinct pair counts once. Ratings put all players that met on one scale. If several runs are
    given, equal players with equal names are one player.

    A tuning study or a fit of weights must be given alone. Its report shows the values found, how
    sure they are, and the test. The games of the test are a run of their own, NAME/verification.
    """
    contents = contents_of(runs, results, anchor, full)
    if output:
        for file in export.save(contents, form, frame, output):
            click.echo(f"Wrote {file}")
    elif form == "table" and not frame:
        click.echo(report_shown(contents))
    else:
        click.echo(export.report_text(contents, form, frame))
    if frame or not export.shows_notes(form):
        # No place for them among the rows, and figures without them mislead.
        for note in contents.sentences:
            click.echo(note, err=True)


def contents_of(
    runs: tuple[str, ...], results: Path, anchor: str | None, full: bool = False
) -> export.Contents:
    """The contents of the report of runs, or of a study or a fit."""
    from arena.storage.folder import KIND_NAMES, kept_kind

    kinds = [(name, kept_kind(name, results)) for name in runs]
    name, kind = next((each for each in kinds if each[1] in ("study", "fit")), ("", "tournament"))
    if not name:
        from arena.report.contents import run_contents
        from arena.tournament.combine import report_runs

        return run_contents(report_runs(runs, results=results, anchor=anchor), full)
    if len(runs) > 1:
        raise ConfigError(f"{name} is a {KIND_NAMES[kind]}, which is reported by itself")
    if anchor:
        raise ConfigError(f"{name} is a {KIND_NAMES[kind]}: its Elo is over the default weights")
    if kind == "fit":
        from arena.tuning.fit.fit import open_fit
        from arena.tuning.fit.report.fit_contents import fit_contents

        return fit_contents(open_fit(name, results=results))
    from arena.tuning.report.contents import study_contents
    from arena.tuning.study import open_study

    return study_contents(open_study(name, results=results))
