"""A match in one call, as `arena match` is in one line, and the file that it writes."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any, cast

from arena.cluster.places import Say
from arena.config.reader import read_config
from arena.config.settings import (
    PRESETS,
    AnyLimit,
    Config,
    limit_data,
    limit_of,
    openings_changes,
    to_data,
    value_changes,
)
from arena.config.typed_match import (
    COMMAND,
    MAX_GAMES,
    TypedMatch,
    by_words,
    file_lines,
    read_match,
)
from arena.config.yaml_file import plain, read_text
from arena.errors import ConfigError, Fault, unknown
from arena.plugins.load import named_of
from arena.storage.database import Store
from arena.storage.folder import DATABASE, keep_text, read_store
from arena.tournament.run import PathLike, Run, RunWatcher, run
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
    typed = TypedMatch(
        tuple(_player(each, known) for each in players), games, sprt, _limit_text(limit),
        _source_of(openings), game, seed, name, memory, margin,
        resign=resign, draw=draw, preset=preset, gauntlet=gauntlet,
    )  # fmt: skip
    config, _ = read_match(typed)
    # Faults of engines name these; they are at no place of a file.
    config = replace(config, players=tuple(replace(each, place="") for each in config.players))
    return run(
        config, workers=workers, cluster=cluster, fresh=fresh, accept_changes=accept_changes,
        keep_going=keep_going, log=log, results=results, progress=progress, watch=watch, say=say,
        stop=stop,
    )  # fmt: skip


def _player(given: Any, engines: dict[str, Any]) -> str | dict[str, Any]:
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


PAIRS = "pairs"
"""The parameter of formats that says how many games there are: a match may go on with more."""


def match_config(
    match: TypedMatch, results: Path, *, fresh: bool, renamed: Callable[[str], str]
) -> Config:
    """The config of a match, whose file is written unless it is there; ConfigError for any fault.

    And for a file of another match, unless no game was played by it, only the number of games
    differs, or it is to begin `fresh`; a file of the user's own is never touched. `renamed` gives
    the command of the match with another name.
    """
    config, text = read_match(match)
    if not match.file.exists():
        keep_text(match.file, text)
        return config
    before, other = read_text(match.file), renamed(_free_name(match.run_name, results))
    if not before.startswith(f"# {COMMAND} "):
        message = f"is not a file of `{COMMAND}`; to leave it alone: {other}"
        raise ConfigError(Fault(str(match.file), message))
    players = read_store(results / match.run_name, Store.players)
    if players and not fresh:
        try:
            config, text = _gone_on(match, config, text)
        except ConfigError as error:
            advice = f"its games are of another match; to keep them: {other} (or else: --fresh)"
            error.faults.append(Fault(str(match.file), advice))
            raise
    if text != before:
        keep_text(match.file, text)
    return config


def _free_name(name: str, results: Path) -> str:
    others = (f"{name}-{number}" for number in count(2))
    return next(
        other
        for other in others
        if not Path(f"{other}.yaml").exists() and not (results / other).exists()
    )


@contextmanager
def kept_if_begun(match: TypedMatch, results: Path) -> Iterator[None]:
    """Throw away a new file if its match is refused; its faults are told by the command's words."""
    is_new = not match.file.exists()
    try:
        yield
    except ConfigError as error:
        if is_new and not (results / match.run_name / DATABASE).exists():
            if any(fault.place.startswith(f"{match.file}:") for fault in error.faults):
                lines = list(file_lines(match))
                error.faults = [by_words(fault, lines) for fault in error.faults]
            match.file.unlink(missing_ok=True)
        raise


def _gone_on(match: TypedMatch, config: Config, text: str) -> tuple[Config, str]:
    """The config and text to go on with; ConfigError if more differs than the number of games."""
    kept = read_config(match.file)
    source = kept.openings.source
    if match.openings is None and match.sprt is None and source.name == "random":
        # Earlier versions had random openings in each match of more than 230 games.
        seed = source.parameters["seed"]
        config, text = read_match(replace(match, openings=f"random:seed={seed}"))
    if to_data(kept) == to_data(config):
        return kept, kept.written
    if changes := list(_changes_of_match(kept, config)):
        raise ConfigError(*(Fault(str(match.file), change) for change in changes))
    return config, text


def _changes_of_match(kept: Config, config: Config) -> Iterator[str]:
    before, after = to_data(kept), to_data(config)
    for data in (before, after):
        for parameters in data["format"].values():
            parameters.pop(PAIRS, None)
    for key in before:
        if key != "openings":
            yield from value_changes(key, before[key], after[key])
    yield from openings_changes(before, after)
