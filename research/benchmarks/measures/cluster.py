"""A cluster: games beside those of the local pool, and what many workers can be fed."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from arena.bench import Measurement, seconds_of, spin
from arena.cluster.places import site_of
from arena.config.settings import Config, Player
from arena.errors import install_command
from arena.match.opening import Openings
from arena.match.terms import Terms
from arena.plugins.load import Named
from arena.storage.history import cores
from arena.tournament.run import Run, RunProgress
from arena.workers.pool import Local, Site

if TYPE_CHECKING:
    from arena.cluster.connect import Cluster

GAME_PLIES = 20
TRIED_ROUNDS = 100_000
BLOCK_SECONDS = 6.0
"""Length of a block of games, on one place."""
STEADY = 0.25, 0.9
"""Part of a block's games in which time is taken: first processes start, in the end some idle."""
CROWDS = 10, 50, 100, 200
"""Numbers of workers that only sleep."""
SLEEPS = (1.0, 1), (0.2, None)
"""Seconds of their pairs, and pairs of a task; None: as many as on any cluster."""
EACH_SLEEPS = 8
"""Pairs for each of them."""


def rows(repeat: int) -> Iterator[Measurement]:
    """Games of 40 ms by pairs, and of 5 ms in batches, beside the local pool; then many workers.

    Blocks of both places alternate, because cores are shared; each figure is a median over them.
    """
    if find_spec("distributed") is None:
        yield {"name": "cluster", "needs": install_command("cluster")}
        return
    with site_of(None, f"local:{cores()}") as site:
        cluster: Cluster = site  # type: ignore[assignment]
        yield beside_pool("pairs of 40 ms games", replace(cluster, pairs=1), 0.04, repeat)
        yield beside_pool("batches of 5 ms games", cluster, 0.005, repeat)
    for seconds, pairs in SLEEPS:
        for workers in CROWDS:
            yield workers_row(workers, seconds, pairs)


def beside_pool(name: str, cluster: Site, seconds: float, repeat: int) -> Measurement:
    """Games a second of the pool, and of a cluster on its cores."""
    spins = round(TRIED_ROUNDS * seconds / GAME_PLIES / spin_seconds())
    games = round(BLOCK_SECONDS * cores() / seconds)
    config = busy_games(spins, games)
    turns = [
        (games_a_second(config, Local(cores())), games_a_second(config, cluster))
        for _ in range(repeat)
    ]
    return {
        "name": name,
        "pool_games_a_second": median(pool for pool, _ in turns),
        "cluster_games_a_second": median(far for _, far in turns),
        "ratio": median(far / pool for pool, far in turns),
    }


def spin_seconds() -> float:
    """The least seconds that the kernel takes for `TRIED_ROUNDS` rounds."""
    spin(0)
    return min(seconds_of(lambda: spin(TRIED_ROUNDS)) for _ in range(20))


def busy_games(spins: int, games: int) -> Config:
    """A run whose moves take the kernel `spins` rounds each."""
    engine, game = Named(spin.__module__, {"rounds": spins}), Named("gomoku")
    drawn = {"plies": 2, "count": 20, "seed": 0, "spread": 7}
    return Config(
        name="busy",
        terms=Terms(game=game, max_plies=2 + GAME_PLIES, margin=0.0),
        format=Named("round_robin"),
        openings=Openings(Named("random", drawn), game),
        rounds=max(1, games // 40),
        players=(Player("one", engine), Player("two", engine)),
    )


def games_a_second(config: Config, site: Site) -> float:
    """Games a second of a whole run, once all processes are at work."""
    games, (seconds,) = steady_part(config, site, [time.perf_counter])
    return games / seconds


def steady_part(
    config: Config, site: Site, clocks: Sequence[Callable[[], float]]
) -> tuple[int, list[float]]:
    """Games after those of the start, and what clocks have counted meanwhile."""
    first, last = (round(config.rounds * 40 * share) for share in STEADY)
    moments: dict[int, list[float]] = {}

    def watch(progress: RunProgress) -> None:
        if progress.tally.games in (first, last):
            moments[progress.tally.games] = [clock() for clock in clocks]

    with tempfile.TemporaryDirectory() as folder:
        Run(Path(folder) / "run", config).play(site, watch=watch)
    counted = zip(moments[first], moments[last], strict=True)
    return last - first, [end - begin for begin, end in counted]


def workers_row(workers: int, seconds: float, pairs: int | None) -> Measurement:
    """Pairs a second of workers that sleep as long as a pair takes, and what these cost."""
    from benchmarks.many_workers import sleeping_workers

    wanted = workers / seconds
    with sleeping_workers(workers, seconds / 2, pairs) as cluster:
        clocks = time.perf_counter, time.process_time, cluster.scheduler_seconds
        played, counted = steady_part(busy_games(0, 2 * EACH_SLEEPS * workers), cluster, clocks)
    elapsed, driver, scheduler = counted
    rate = played / 2 / elapsed
    return {
        "name": f"pairs of {seconds:g} s, " + ("each a task" if pairs else "in batches"),
        "workers": workers,
        "pairs_a_second": rate,
        "wanted": wanted,
        "share": rate / wanted,
        "driver_ms_a_pair": 2000 * driver / played,
        "scheduler_ms_a_pair": 2000 * scheduler / played,
    }
