"""`arena report`, `arena compare` and `arena ratings`: what runs tell, separately or together."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from arena.commands import options
from arena.commands.options import RESULTS, either, forms
from arena.commands.playing import report_shown
from arena.errors import ConfigError, unknown
from arena.experiments import fit, study, tournament
from arena.plugins.load import names
from arena.report.answer import Answer, report_text, save, shows_notes

if TYPE_CHECKING:
    import pandas as pd

GAMES = "games"  # The frame of which one player's can be had


@click.command(short_help="Show the results of a run, or of several together.")
@click.argument("runs", nargs=-1, required=True, metavar="RUN...", shell_complete=options.runs)
@forms(
    "table",
    *(form for form in names("form") if form != "table"),
    about="Form of the report: for people, or for programs.",
)
@click.option(
    "--frame",
    shell_complete=options.frames,
    help=f"Only this frame: {either(tournament.FRAMES)}; for a study, {either(study.FRAMES)}; "
    f"for a fit, {either(fit.FRAMES)}. [csv: the first]",
)
@click.option("--of", "player", metavar="NAME", help="Of the frame games, those of this player.")
@click.option("--lost", "came", flag_value="lost", help="With --of: those that it lost.")
@click.option("--won", "came", flag_value="won", help="With --of: those that it won.")
@click.option("--drawn", "came", flag_value="drawn", help="With --of: those that were drawn.")
@click.option(
    "--anchor",
    metavar="NAME[=ELO]",
    help="A player, and the rating that it is given. [the mean is 0]",
)
@click.option("--full", is_flag=True, help="All tables, also those that a page folds.")
@click.option("-o", "--output", type=click.Path(path_type=Path), help="File or folder to write.")
@RESULTS
def report(
    runs: tuple[str, ...],
    form: str,
    frame: str | None,
    player: str | None,
    came: str | None,
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
    if (player or came) and (not player or frame not in (None, GAMES)):
        raise click.UsageError("--of NAME is of the frame games, and --lost and the like are of it")
    answer = replace(answer_of(runs, results, anchor), is_full=full)
    if player:
        games, frame = games_of(answer.frame(GAMES), player, came), GAMES
        answer = replace(answer, frames={GAMES: games}, on_request={})
    if output:
        for file in save(answer, form, frame, output):
            click.echo(f"Wrote {file}")
    elif form == "table" and not frame:
        click.echo(report_shown(answer))
    else:
        click.echo(report_text(answer, form, frame))
    _print_notes(answer, form, frame)


def _print_notes(answer: Answer, form: str, frame: str | None) -> None:
    if frame or not shows_notes(form):
        # No place for them among the rows, and figures without them mislead.
        for note in answer.sentences:
            click.echo(note, err=True)


def games_of(games: pd.DataFrame, player: str, came: str | None) -> pd.DataFrame:
    """The games of a player, or those that it lost, won or drew; ConfigError if it has none."""
    seats = games["second"].eq(player) + 1
    mine = games["first"].eq(player) | games["second"].eq(player)
    if not mine.any():
        raise ConfigError(unknown("player", player, {*games["first"], *games["second"]}))
    decided = games["winner"].notna()
    is_won = decided & games["winner"].eq(seats)
    results = {"won": is_won, "lost": decided & ~is_won, "drawn": ~decided}
    return games[mine & results[came]] if came else games[mine]


def answer_of(names: tuple[str, ...], results: Path, anchor: str | None) -> Answer:
    from arena.experiment import open_experiment
    from arena.storage.folder import kept_kind

    kinds = [(name, kept_kind(name, results)) for name in names]
    if alone := [(name, kind.NAME) for name, kind in kinds if not kind.COMBINES]:
        name, kind_name = alone[0]
        if len(names) > 1:
            raise ConfigError(f"{name} is a {kind_name}, which is reported by itself")
        if anchor:
            raise ConfigError(f"{name} is a {kind_name}: its Elo is over the default weights")
    if len(names) == 1 and not anchor:
        return open_experiment(names[0], results=results).answer()
    from arena.report.run_answer import run_answer
    from arena.tournament.combine import report_runs

    return run_answer(report_runs(names, results=results, anchor=anchor))


@click.command(short_help="Show two runs side by side.")
@click.argument("before", shell_complete=options.runs)
@click.argument("after", shell_complete=options.runs)
@forms(
    "table",
    *(form for form in names("form") if form != "table"),
    about="Form of the report: for people, or for programs.",
)
@click.option("--frame", help="Only this frame: gains, differences or runs. [csv: gains]")
@click.option("-o", "--output", type=click.Path(path_type=Path), help="File or folder to write.")
@RESULTS
def compare(
    before: str, after: str, form: str, frame: str | None, output: Path | None, results: Path
) -> None:
    """Show two runs side by side: names under results/, or folders.

    The first table has the gain of each player in Elo, with its 95 % interval, from games of
    players that are in both runs. Then come the differences of the configs.

    The test of a tuning study or a fit is a run, too: STUDY/verification.
    """
    from arena.comparison.compare import compare as compared
    from arena.comparison.comparison_answer import comparison_answer

    answer = comparison_answer(compared(before, after, results=results))
    if output:
        for file in save(answer, form, frame, output):
            click.echo(f"Wrote {file}")
    else:
        click.echo(report_text(answer, form, frame))
    _print_notes(answer, form, frame)


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

    answer = ratings_answer(rating_list(results, candidates))
    click.echo(report_text(answer, form, frame))
    _print_notes(answer, form, frame)
