"""Games with persons, kept in folders that can be read like those of any run."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

from arena.config.changes import changes
from arena.config.settings import Config, Player, from_data, to_data
from arena.engine import Limit
from arena.errors import ConfigError
from arena.human.setup import Seated, Setup, is_human
from arena.match.opening import Openings
from arena.match.record import GameRecord, key
from arena.plugins.engine_names import is_path
from arena.plugins.load import HUMAN, Named, checked
from arena.refusals import expanded
from arena.storage.database import Store
from arena.storage.folder import DATABASE, as_config_error, freeze, kind_of, locked, make_folder
from arena.storage.sources import without_digests


def config_of(setup: Setup) -> Config:
    """The config of a run of this one game; its opening and seed are in its record only."""
    game = setup.terms.game
    return Config(
        name=f"{HUMAN}-{game.name}",
        terms=replace(setup.terms, seed=0),
        format=Named(HUMAN),
        openings=Openings(Named("list", {"list": []}), game),
        players=tuple(map(player_of, setup.names, setup.players)),
    )


def player_of(name: str, player: Seated) -> Player:
    """One player as configs have it; a person is under no limit."""
    if is_human(player):
        return Player(name, Named(HUMAN), Limit())
    if isinstance(player, Player):
        return player
    engine = checked("engine", player)
    if is_path(engine.name):
        engine = replace(engine, name=str(expanded(engine.name).resolve()))
    return Player(name, engine)


def keep(record: GameRecord, config: Config, results: Path) -> tuple[Path, int]:
    """Keep a game beside those on equal terms: the folder, and the game's number there.

    A game on other terms (another size, limit, or version of an engine) begins another folder.
    """
    for number in count(1):
        name = config.name if number == 1 else f"{config.name}-{number}"
        folder = results / name
        make_folder(folder)
        with locked(folder, wait=True), closing(Store(folder / DATABASE)) as store:
            with as_config_error(folder / DATABASE):
                wider = _with_players_of(store.facts(), replace(config, name=name))
            if wider is None:
                continue
            try:
                freeze(folder, to_data(wider), changes, store)
            except ConfigError:
                continue
            store.append(replace(record, round=store.free_round((*key(record)[:3], 1))))
            return folder, sum(store.meetings().values())
    raise AssertionError("there is always another folder")


def _with_players_of(facts: dict[str, Any], config: Config) -> Config | None:
    """The config with the players of the games kept here; None if no games with persons are."""
    if not facts:
        return config
    if kind_of(facts) != "tournament":
        return None
    kept = from_data(facts | {"engines": list(map(without_digests, facts["engines"]))})
    if kept.format != config.format:
        return None
    players = {player.name: player for player in (*kept.players, *config.players)}
    return replace(config, players=tuple(players.values()))
