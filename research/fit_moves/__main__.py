"""`cd research && python -m fit_moves`: the worths by which `patterns` sorts moves."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import cast

import click
from rich.console import Console

from arena.commands.options import RESULTS, workers_option
from arena.errors import ConfigError, placed
from arena.games.gomoku import Gomoku
from arena.plugins.load import load_game
from arena.report.answer import report_text
from arena.report.live import watching
from arena.storage.folder import make_folder
from arena.tuning.fit.config import read_fit
from arena.tuning.fit.descent import Say
from arena.tuning.fit.fit import Fit, check_apart
from arena.tuning.proof.matches import ProofMatches
from arena.workers.pool import local
from fit_moves.move_fit import MoveFitResult, fit_moves
from fit_moves.move_report import move_answer
from fit_moves.pattern_moves import pattern_moves

OURS = Path("configs/fit_moves.yaml")


@click.command()
@click.argument("config", type=click.Path(path_type=Path), default=OURS)
@workers_option
@RESULTS
def main(config: Path, workers: int | None, results: Path) -> None:
    """Fit the worths by which `patterns` sorts moves to the games that CONFIG names, and test them.

    CONFIG, by default configs/fit_moves.yaml, is a file of `arena fit` without `parameters`. The
    worths and the games of the test are kept in results/NAME. The same command goes on with a test
    that was stopped.
    """
    fit, console = Fit(results, read_fit(config)), Console()
    with console.status("") as status:
        result = fitted(fit, status.update)
    make_folder(fit.folder)
    fit.write_weights(result)
    matches = ProofMatches(fit.folder, fit.config, fit.values(result))
    with watching(console, click.echo) as watch:
        matches.play(local(workers), watch=watch)
    click.echo(report_text(move_answer(result, matches), "table"))


def fitted(fit: Fit, say: Say) -> MoveFitResult:
    """The worths with which the moves of a config's games are likeliest."""
    config = fit.config
    engine = config.default.engine
    with placed(config.default.place):
        if engine.name != "patterns":
            raise ConfigError(f"only patterns sorts moves by worths, not {engine.name}")
    with placed(config.place_of_games):
        check_apart(fit.sources(), config)
    game = cast(Gomoku, load_game(config.terms.game))
    features = pattern_moves(game, **engine.parameters)
    return fit_moves(fit.positions(), features, config.settings, say)


if __name__ == "__main__":
    try:
        main(prog_name="python -m fit_moves")
    except ConfigError as error:
        sys.exit(str(error))
