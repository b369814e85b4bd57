"""Games with persons, kept in folders that can be read like those of any run."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from itertools import count
from pathlib import Path

from arena.config.changes import changes
from arena.config.settings import Config, Player, from_data, to_data
from arena.engine import Limit
from arena.errors import ConfigError
from arena.human.setup import Seated, Setup, is_human
from arena.match.opening import Openings
from arena.match.record import GameRecord, key
from arena.plugins.engine_names import is_path
from arena.plugins.load import HUMAN, Named, checked
from arena.storage.database import Store
from arena.storage.folder import DATABASE, freeze, kind_of, locked, make_folder, reading
from arena.storage.sources import without_digests
from arena.tournament.run import Run

FORMAT = Named("gauntlet", {"candidates": [HUMAN]})


def config_of(setup: Setup, opening: str) -> Config:
    """The config of a run of this one game; its seed is in its record only."""
    game = setup.terms.game
    return Config(
        name=f"{HUMAN}-{game.name}",
        terms=replace(setup.terms, seed=0),
        format=FORMAT,
        openings=Openings(Named("list", {"list": [opening]}), game),
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
        engine = replace(engine, name=str(Path(engine.name).expanduser().resolve()))
    return Player(name, engine)


def keep(record: GameRecord, config: Config, results: Path) -> tuple[Path, int]:
    """Keep a game where those on the same terms are: the folder, and the game's number there.

    A game on other terms (another size, limit, or version of an engine) begins another folder.
    """
    for number in count(1):
        name = config.name if number == 1 else f"{config.name}-{number}"
        folder = results / name
        make_folder(folder)
        with locked(folder, wait=True), closing(Store(folder / DATABASE)) as store:
            with reading(folder / DATABASE):
                wider, found = widened(replace(config, name=name), record, store)
            if wider is None:
                continue
            try:
                freeze(folder, to_data(wider), changes, store)
            except ConfigError:
                continue
            store.append(found)
        records = Run(folder, wider).records()
        return folder, next(number for number, game in records if key(game) == key(found))
    raise AssertionError("there is always another folder")


def widened(config: Config, record: GameRecord, store: Store) -> tuple[Config | None, GameRecord]:
    """The config of all games here and this one too, and the record in a round of its own.

    No config if the games here are not with persons.
    """
    same = [game.round for game in store.games() if key(game)[:3] == key(record)[:3]]
    record = replace(record, round=max(same, default=0) + 1)
    if not (facts := store.facts()):
        return config, record
    if kind_of(facts) != "tournament":
        return None, record
    kept = from_data(facts | {"engines": list(map(without_digests, facts["engines"]))})
    if kept.format != FORMAT or kept.openings.source.name != "list":
        return None, record
    ours = {player.name: player for player in kept.players}
    return replace(
        config,
        openings=Openings(
            Named("list", {"list": list(dict.fromkeys([*kept.openings, *config.openings]))}),
            config.terms.game,
        ),
        rounds=max(kept.rounds, record.round),
        players=tuple((ours | {player.name: player for player in config.players}).values()),
    ), record
