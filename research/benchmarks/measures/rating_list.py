"""One rating list over 200 kept runs of 20 players: CPU seconds and memory of `arena ratings`."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from random import Random

from arena.bench import Measurement
from arena.config.settings import Config, Player, to_data
from arena.match.opening import Openings
from arena.match.terms import Terms
from arena.plugins.load import Named
from arena.storage.database import Store
from arena.storage.folder import DATABASE, keep_config, make_folder
from benchmarks.measures.million import command_cost, random_moves, records, templates

RUNS, PLAYERS = 200, 20


def rows(repeat: int, *, runs: int = RUNS) -> Iterator[Measurement]:
    """Make up the runs, of 760 games each, and rate all players; `repeat` is ignored."""
    with tempfile.TemporaryDirectory() as results:
        games = sum(keep_run(Path(results), number) for number in range(runs))
        cost = command_cost("ratings", "--results", results)
    yield {
        "name": "rating_list",
        "runs": runs,
        "games": games,
        "cpu_seconds": cost.cpu,
        "megabytes": cost.peak,
    }


def keep_run(results: Path, number: int) -> int:
    """Make up a run on two openings of its own; its games."""
    random, game = Random(number), Named("gomoku")
    laid = [" ".join(random_moves(random, 3)) for _ in range(2)]
    config = Config(
        name=f"run{number}",
        terms=Terms(game=game),
        format=Named("round_robin"),
        openings=Openings(Named("list", {"list": laid}), game),
        players=tuple(
            Player(f"p{i}", Named("random_mover", {"strength": i})) for i in range(PLAYERS)
        ),
    )
    folder, data = results / config.name, {"kind": "tournament", **to_data(config)}
    make_folder(folder)
    keep_config(folder, data)
    count = 0
    with closing(Store(folder / DATABASE)) as store:
        store.note(data)
        for record in records(config, 10**6, templates()):
            store.add(replace(record, digest=f"{number}-{count}"))
            count += 1
        store.flush()
    return count
