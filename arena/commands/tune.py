"""`arena tune`: weights searched, and what was found proved."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from arena.commands.playing import (
    PlayOptions,
    PlaySession,
    exit_as,
    going_on,
    playing,
    verdict_line,
)

if TYPE_CHECKING:
    from arena.tuning.study import Study


@click.command(short_help="Search for better weights of an engine, and test them.")
@click.argument("config", type=click.Path(path_type=Path))
@playing()
def tune(config: Path, how: PlayOptions) -> None:
    """Tune the engine that CONFIG, a YAML file, names.

    The trials are matches like those of a tournament. At the end, a test on openings that were
    not used before tells whether the values found are better than the default. If they are,
    tuned.yaml is written; for a Gomocup brain with a template, the filled-in template too.

    Everything is kept in results/NAME: the games, pictures (history.svg, slices.svg and
    importance.svg) and report.html, the report for a browser. The same command goes on with a
    study that was stopped, unless the code of its engines has changed. With --serve, the command
    prints the address of a page that shows the study while it runs.

    The exit status is 4 if the study stopped because the engine or an opponent lost its first eight
    games by its own faults (see --keep-going).
    """
    from arena.tuning.report.study_answer import plan_text, stopped_text, time_text
    from arena.tuning.study import read

    study = read(config, results=how.results, fresh=how.fresh, keep_going=how.keep_going)
    with how.session() as session:
        click.echo(plan_text(study))
        session.play(
            study.play, **how.changes, announce=lambda pace: click.echo(time_text(study, pace))
        )
        if study.advice:
            _prove(study, session)
        _show_end(study, session)
    exit_as(study.folder, study.is_over, stopped_text(study, going_on()))


def _prove(study: Study, session: PlaySession) -> None:
    from arena.tuning.proof.report import edge_texts, proof_notes
    from arena.tuning.report.search_faults import faults_texts
    from arena.tuning.report.study_answer import (
        advice_text,  # pandas: not before the first game
        shape_texts,
        warnings_first,
    )

    frames = study.frames()
    models = shape_texts(frames.shapes, frames.is_proved)
    remarks = warnings_first([*models, *edge_texts(study.matches)])
    faults = faults_texts(study.config, study.trials.told)
    click.echo("\n".join(["", advice_text(study), *faults, *remarks, ""]))
    session.play(study.prove)
    for note in proof_notes(study.matches):
        click.echo(note)


def _show_end(study: Study, session: PlaySession) -> None:
    from arena.tuning.report.search_faults import faults_texts
    from arena.tuning.report.study_answer import study_answer

    drawn = "\n".join(f"Drew {file}" for file in study.draw())
    answer = study_answer(study)
    last = [*faults_texts(study.config, study.trials.told)]
    if answer.verdict:
        last.append(verdict_line(answer.verdict))
    session.show_end(study.folder, answer, drawn, *last)
