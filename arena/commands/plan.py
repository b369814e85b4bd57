"""`arena plan`: the pairs and hours that a test, or a match, would take."""

from __future__ import annotations

from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from arena.commands.options import RESULTS, compiling_noticed, forms
from arena.errors import ConfigError, Fault
from arena.files import is_pipe

if TYPE_CHECKING:
    from arena.config.settings import Config
    from arena.report.plan import Basis
    from arena.stats.forecast import Design

SUFFIXES = (".yaml", ".yml")
LONGEST = 1e9  # More seconds, or openings, than there can be


@click.command(short_help="Tell how many pairs and hours a test would take.")
@click.argument("source", required=False, metavar="[RUN|FILE]")
@click.option("--elo0", type=float, help="The gain if H0 is true. [0]")
@click.option("--elo1", type=float, help="The gain if H1 is true. [10]")
@click.option("--alpha", type=float, help="Chance of H1 where H0 is true. [0.05]")
@click.option("--beta", type=float, help="Chance of H0 where H1 is true. [0.05]")
@click.option("--model", help="Kind of Elo of elo0 and elo1: logistic or normalized.")
@click.option("--pairs", type=int, help="Pairs after which the test ends undecided. [5000]")
@click.option("--draws", type=float, help="Share of drawn games, from 0 to 1. [0]")
@click.option(
    "--split", type=float, help="Share of pairs in which each player wins one game. [0.5]"
)
@click.option("--seconds", type=float, help="Seconds that a game takes. [as in RUN]")
@click.option("--openings", type=int, help="Number of openings. [as in RUN or FILE]")
@click.option("--workers", type=click.IntRange(1), help="Games at once. [all cores]")
@forms("table", "csv", "json", "markdown", about="For people, or for programs.")
@RESULTS
def plan(source: str | None, form: str, results: Path, **options: Any) -> None:
    """Print the pairs and hours that a test (format sprt) takes, and its chance to accept H1.

    \b
      arena plan --elo1 20 --seconds 6      a test of +20 Elo, with games of 6 s
      arena plan round --elo0 -5 --elo1 0   with the pairs and times of a run that was played
      arena plan test.yaml                  the test of a file, before it is played

    A RUN must be of two players, or of one test. It gives its pairs, the time of its games and the
    parameters of its test. A FILE gives the parameters of its test. Options replace these. The
    more pairs are split (each player wins one game), the fewer pairs a test of Elo takes, but the
    smaller the lead in Elo becomes.

    The second table is about matches of a fixed number of pairs: the pairs after which the 95 %
    interval is +-Elo, and the pairs after which it leaves out 0 as often as the power of the test.
    """
    from arena.report.answer import report_text, shows_notes
    from arena.report.plan import plan_answer

    given = {name: value for name, value in options.items() if value is not None}
    config, basis = _read_source(source, results)
    design = _checked_design(config, given)
    answer = plan_answer(design, _basis_of(config, basis, given))
    click.echo(report_text(answer, form))
    if not shows_notes(form):
        for note in answer.sentences:
            click.echo(note, err=True)


def _read_source(source: str | None, results: Path) -> tuple[Config | None, Basis | None]:
    """The config of a file or a run, and what the run's games tell; ConfigError if they cannot."""
    if source is None:
        return None, None
    if source.endswith(SUFFIXES) or is_pipe(Path(source)):
        from arena.config.reader import is_test, read_config

        with compiling_noticed():
            config = read_config(Path(source))
        if len(config.names) != 2 and not is_test(config.format.name):
            raise _unplannable(source, f"this has {len(config.names)} players")
        return config, None
    from arena.report.plan import played
    from arena.tournament.run import open_run

    run = open_run(source, results=results)
    if (basis := played(run.report())) is None:
        played_by = ", ".join(run.config.names)
        raise _unplannable(source, f"no such games are kept here, but those of {played_by}")
    return run.config, basis


def _unplannable(source: str, reason: str) -> ConfigError:
    message = f"a plan is of two players, or of one test; {reason}"
    return ConfigError(
        Fault(source, f"{message}: give --seconds, --draws and --split in its place")
    )


def _checked_design(config: Config | None, given: dict[str, Any]) -> Design:
    """The test that the options ask for, else the config's; ConfigError for what cannot be."""
    from arena.config.reader import is_test
    from arena.formats import sprt
    from arena.plugins.parameters import fit
    from arena.report.outlook import design_of

    kept = config.format.parameters if config and is_test(config.format.name) else {}
    design = design_of({**kept, **given})
    values, misfits = fit(sprt.pairings, asdict(design))
    if misfits:
        raise ConfigError(*(f"--{misfit.message}" for misfit in misfits))
    if not sprt.are_apart(values):
        raise ConfigError(Fault("--elo0", sprt.ORDER))
    return design


def _basis_of(config: Config | None, known_basis: Basis | None, given: dict[str, Any]) -> Basis:
    """The facts that the plan rests on; ConfigError for shares or times that cannot be."""
    from arena.report.outlook import DRAWS, SPLIT
    from arena.report.plan import assumed
    from arena.storage.history import cores

    if known_basis is None or "draws" in given or "split" in given:
        try:
            basis = assumed(given.get("draws", DRAWS), given.get("split", SPLIT))
        except ValueError as error:
            raise ConfigError(Fault("--draws, --split", str(error))) from None
        basis = replace(basis, one=config.names[0]) if config else basis
        known_basis = (
            replace(basis, seconds=known_basis.seconds, one=known_basis.one)
            if known_basis
            else basis
        )
    if config:
        # None where more openings can be drawn, or none is known.
        openings = None if config.openings.draws else len(config.openings) or None
        known_basis = replace(known_basis, openings=openings)
    for name in ("seconds", "openings"):
        if not 0 < given.get(name, 1) < LONGEST:
            message = f"must be more than 0 and less than {LONGEST:g}, not {given[name]:g}"
            raise ConfigError(Fault(f"--{name}", message))
    known = {name: given[name] for name in ("seconds", "openings") if name in given}
    return replace(known_basis, workers=given.get("workers", cores()), **known)
