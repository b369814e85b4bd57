"""A tuning method beside plain SPSA, where the best values are known."""

from __future__ import annotations

from pathlib import Path

import click


@click.command(short_help="A tuning method beside plain SPSA.")
@click.argument("cells", nargs=-1)
@click.option("--method", help="The tuning method; else that of `arena tune`.")
@click.option(
    "--studies", type=click.IntRange(2), default=24, show_default=True, help="Studies of each cell."
)
@click.option(
    "--first",
    type=click.IntRange(0),
    default=4000,
    show_default=True,
    help="Landscape of the first study; those from 4000 to 4999 chose no method.",
)
@click.option("--processes", type=click.IntRange(1), default=2, show_default=True)
@click.option(
    "--keep",
    type=click.Path(dir_okay=False, path_type=Path),
    default=Path("tune_cells.jsonl"),
    show_default=True,
    help="A file of finished studies, which are not done again: a new one for new code.",
)
def tune_cells(
    cells: tuple[str, ...], method: str | None, studies: int, first: int, processes: int, keep: Path
) -> None:
    """Tune on landscapes, and print a table with the losses of a method and of the baseline.

    CELLS are patterns of kind/parameters/games/draws, as '*/6/4000/few'; without any, a sample of
    24. benchmarks/README.md explains the table.
    """
    from arena.tuning.settings.config import DEFAULT_METHOD
    from benchmarks.cases import beside_baseline, cell_lines, cells_like

    method = method or DEFAULT_METHOD
    seeds = range(first, first + studies)
    done = beside_baseline(method, cells_like(cells), seeds, keep, processes)
    for line in cell_lines(method, done):
        click.echo(line)
