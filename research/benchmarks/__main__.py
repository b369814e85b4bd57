"""`cd research && python -m benchmarks NAME`: one benchmark of the harness or the tuner."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import sys
from pathlib import Path

import click

from arena.bench import bench_lines
from arena.commands.options import AS_JSON
from arena.errors import ConfigError
from benchmarks import measures
from benchmarks.tune_cells import tune_cells


@click.group()
def main() -> None:
    """Measure the costs and gains of the harness and its tuner, here and now.

    benchmarks/README.md explains the rows. `arena bench` times engines and this machine's workers.
    """


def measure_command(file: Path) -> click.Command:
    """The command of a benchmark, which imports its file only when it is run."""

    def measure(as_json: bool, repeat: int) -> None:
        rows = importlib.import_module(f"{measures.__name__}.{file.stem}").rows(repeat)
        for line in bench_lines(rows, as_json):
            click.echo(line)

    times = click.Option(["--repeat"], type=click.IntRange(1), default=3, show_default=True)
    times.help = "Times that each is measured; the median counts. endurance and tune run once."
    about = ast.get_docstring(ast.parse(file.read_text(encoding="utf-8")))
    return AS_JSON(click.Command(file.stem, callback=measure, params=[times], help=about))


main.add_command(tune_cells)
for folder in measures.__path__:
    for found in pkgutil.iter_modules([folder]):
        main.add_command(measure_command(Path(folder, f"{found.name}.py")))

if __name__ == "__main__":
    try:
        main(prog_name="python -m benchmarks")
    except ConfigError as error:
        sys.exit(str(error))
