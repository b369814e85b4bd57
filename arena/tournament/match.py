"""A match in one call, as `arena match` is in one line."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

from arena.cluster.places import Say
from arena.config.settings import PRESETS, AnyLimit, limit_data, limit_of
from arena.config.typed_match import MAX_GAMES, TypedMatch, read_match
from arena.config.yaml_file import plain
from arena.errors import ConfigError, unknown
from arena.plugins.load import named_of
from arena.tournament.progress import RunWatcher
from arena.tournament.run import PathLike, Run, run
from arena.workers.runner import Stop


def match(
    *players: Any,
    games: int | None = None,
    sprt: tuple[float, float] | None = None,
    limit: AnyLimit | None = None,
    openings: PathLike | Mapping[str, Any] | Sequence[str] | None = None,
    game: str | Mapping[str, Any] | None = None,
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
    defaults, or as in a dict for `arena.run`; a player may also be a function, class or object that
    is an engine, and a limit seconds. The only file written is that of the games. The same call
    goes on with a match that was stopped, and one with more `games` plays only those that are
    missing. Any other change needs another `name`. A test ends by itself, or undecided after so
    many `games`. The other arguments are as in `arena.run`.

    Raises ConfigError if anything is wrong before the first game.

        arena.match("balance:depth=4", "./my_engine.py", games=200, limit="0.1s")
    """
    if games is not None and (games % 2 or not 2 <= games <= MAX_GAMES):
        raise ConfigError(f"games must be even, from 2 to {MAX_GAMES:,}, not {games}")
    if preset is not None and preset not in PRESETS:
        raise ConfigError(unknown("preset", preset, PRESETS))
    if len(players) == 1 and isinstance(players[0], list | tuple):
        (players,) = players
    known = dict[str, Any]()
    game = None if game is None else str(named_of("game", plain(game)))
    wanted = TypedMatch(
        tuple(_player(each, known) for each in players), games, sprt, _limit_text(limit),
        _source_of(openings), game, seed, name, memory, margin,
        resign=resign, draw=draw, preset=preset, gauntlet=gauntlet,
    )  # fmt: skip
    config, _ = read_match(wanted)
    # Faults of engines name these; they are at no place of a file.
    config = replace(config, players=tuple(replace(each, place="") for each in config.players))
    return run(
        config, workers=workers, cluster=cluster, fresh=fresh, accept_changes=accept_changes,
        keep_going=keep_going, log=log, results=results, progress=progress, watch=watch, say=say,
        stop=stop,
    )  # fmt: skip


def _player(given: Any, engines: dict[str, Any]) -> str | dict[str, Any]:
    """A player as it is typed, or as an entry of `engines`, whose objects are known by names."""
    if isinstance(given, str | os.PathLike):
        return os.fspath(given)
    entry = given if isinstance(given, Mapping) else {"engine": given}
    return cast(dict[str, Any], plain(entry, ("players",), engines))


def _limit_text(limit: AnyLimit | None) -> str | None:
    if limit is None or isinstance(limit, str):
        return limit
    return ",".join(f"{key}={value}" for key, value in limit_data(limit_of(plain(limit))).items())


def _source_of(openings: PathLike | Mapping[str, Any] | Sequence[str] | None) -> Any:
    is_list = isinstance(openings, Sequence) and not isinstance(openings, str)
    return plain({"list": openings} if is_list else openings, ("openings",))
