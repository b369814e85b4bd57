"""A match in one call, as `arena match` is in one line."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from arena.cluster.places import Say
from arena.config.presets import PRESETS
from arena.config.typed_match import MAX_GAMES, TypedMatch, read_match
from arena.errors import ConfigError, Fault, unknown
from arena.tournament.progress import RunWatcher
from arena.tournament.run import PathLike, Run, run
from arena.workers.runner import Stop


def match(
    *players: PathLike,
    games: int | None = None,
    sprt: tuple[float, float] | None = None,
    limit: str | None = None,
    openings: PathLike | None = None,
    game: str | None = None,
    seed: int = 0,
    name: str | None = None,
    preset: str | None = None,
    gauntlet: bool = False,
    margin: float | None = None,
    memory: int | None = None,
    resign: str | None = None,
    draw: str | None = None,
    workers: int | None = None,
    cluster: str | None = None,
    fresh: bool = False,
    accept_changes: bool = False,
    keep_going: bool = False,
    log: PathLike | None = None,
    results: PathLike = "results",
    progress: bool | None = None,
    watch: RunWatcher | None = None,
    say: Say | None = None,
    stop: Stop | None = None,
) -> Run:
    """Play every two of these players, by default 100 games each, or what is missing of that.

    Players and all arguments up to `draw` are as in the command `arena match`, with the same
    defaults; but the only file that is written is that of the games, in `results`. The same call
    goes on with a match that was stopped, and one with more `games` plays only those that are
    missing. Any other change needs another `name`. A test ends by itself, or undecided after so
    many `games`. The other arguments are as in `arena.run`.

    Raises ConfigError if anything is wrong before the first game.

        arena.match("balance:depth=4", "./my_engine.py", games=200, limit="0.1s")
    """
    if sprt is not None and len(sprt) != 2:
        raise ConfigError(f"sprt must be two numbers, such as (0, 10), not {sprt!r}")
    if games is not None and (games % 2 or not 2 <= games <= MAX_GAMES):
        raise ConfigError(f"games must be even, from 2 to {MAX_GAMES:,}, not {games}")
    if preset is not None and preset not in PRESETS:
        raise ConfigError(unknown("preset", preset, PRESETS))
    wanted = TypedMatch(
        tuple(os.fspath(each) for each in players), games, sprt, limit,
        None if openings is None else os.fspath(openings), game, seed, name, memory, margin,
        resign=resign, draw=draw, preset=preset, gauntlet=gauntlet,
    )  # fmt: skip
    with _told_by_arguments():
        config, _ = read_match(wanted)
    return run(
        config, workers=workers, cluster=cluster, fresh=fresh, accept_changes=accept_changes,
        keep_going=keep_going, log=log, results=results, progress=progress, watch=watch, say=say,
        stop=stop,
    )  # fmt: skip


# `arena.match` is this function, and modules of the package `arena.match` are found in it as well:
# `import arena.match.record as record` asks for them there.
match.__dict__ = vars(sys.modules["arena.match"])


@contextmanager
def _told_by_arguments() -> Iterator[None]:
    """Name arguments in faults, in place of the command's options."""
    try:
        yield
    except ConfigError as error:
        places = [each.place.removeprefix("--") for each in error.faults]
        told = zip(places, error.faults, strict=True)
        error.faults = [Fault(place, fault.message) for place, fault in told]
        raise
