"""A tournament as frozen values, and as the plain data that its folder keeps."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from arena import openings
from arena.engine import Limit
from arena.load import Named, load_game


@dataclass(frozen=True, slots=True)
class Player:
    """One configuration of an engine, under the name that the reports show."""

    name: str
    engine: Named
    limit: Limit | None = None
    """Its own; None: the match's."""
    place: str = ""
    """Where it was written, for faults that only show when it is built."""


@dataclass(frozen=True, slots=True)
class Config:
    """A tournament, with every default filled in."""

    name: str
    game: Named
    format: Named
    openings: Named
    limit: Limit
    seed: int
    rounds: int
    max_plies: int | None
    players: tuple[Player, ...]

    @property
    def names(self) -> list[str]:
        """The players' names, in the order of the file."""
        return [player.name for player in self.players]

    def starts(self) -> list[str]:
        """The openings, as moves' texts."""
        parameters = self.openings.parameters
        if self.openings.name == "list":
            return list(parameters["list"])
        source = openings.SOURCES[self.openings.name]
        return list(source(load_game(self.game), **parameters))


def to_data(config: Config) -> dict[str, Any]:
    """The config as it stands in YAML, every default written out."""
    return {
        "name": config.name,
        "game": {config.game.name: dict(config.game.parameters)},
        "format": {config.format.name: dict(config.format.parameters)},
        "openings": openings_data(config.openings),
        "limit": limit_data(config.limit),
        "seed": config.seed,
        "rounds": config.rounds,
        "max_plies": config.max_plies,
        "engines": [player_data(player) for player in config.players],
    }


def openings_data(source: Named) -> dict[str, Any]:
    """A list stands as such, a generator with its parameters."""
    if source.name == "list":
        return {"list": list(source.parameters["list"])}
    return {source.name: dict(source.parameters)}


def limit_data(limit: Limit) -> dict[str, Any]:
    """The limits that are set."""
    return {key: value for key, value in asdict(limit).items() if value is not None}


def player_data(player: Player) -> dict[str, Any]:
    """One entry of `engines`."""
    own = {} if player.limit is None else {"limit": limit_data(player.limit)}
    return {
        "name": player.name,
        "engine": player.engine.name,
        **player.engine.parameters,
        **own,
    }


def from_data(data: Mapping[str, Any]) -> Config:
    """The mirror of `to_data`: imports no engine, so that looking at results runs nobody's code."""
    return Config(
        name=data["name"],
        game=one_named(data["game"]),
        format=one_named(data["format"]),
        openings=Named("list", data["openings"])
        if "list" in data["openings"]
        else one_named(data["openings"]),
        limit=Limit(**data["limit"]),
        seed=data["seed"],
        rounds=data["rounds"],
        max_plies=data["max_plies"],
        players=tuple(map(player_from_data, data["engines"])),
    )


def one_named(data: Mapping[str, Any]) -> Named:
    """`{name: {parameter: value}}`."""
    ((name, parameters),) = data.items()
    return Named(name, parameters)


def player_from_data(data: Mapping[str, Any]) -> Player:
    """The mirror of `player_data`."""
    own = {"name", "engine", "limit"}
    parameters = {key: value for key, value in data.items() if key not in own}
    limit = Limit(**data["limit"]) if "limit" in data else None
    return Player(data["name"], Named(data["engine"], parameters), limit)


FIXED = ("game", "openings", "limit", "seed", "max_plies")
"""What decides each game; players, rounds and format only decide which games there are."""


def changes(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[str]:
    """What would make games already played differ, each as `key: old -> new`."""
    for key in FIXED:
        yield from value_changes(key, before[key], after[key])
    old = {entry["name"]: entry for entry in before["engines"]}
    for entry in after["engines"]:
        name = entry["name"]
        if name in old:
            yield from value_changes(f"engines.{name}", old[name], entry)


def value_changes(path: str, before: object, after: object) -> Iterator[str]:
    """The leaves that differ between two nested mappings."""
    if isinstance(before, Mapping) and isinstance(after, Mapping):
        for key in {**before, **after}:
            yield from value_changes(f"{path}.{key}", before.get(key), after.get(key))
    elif before != after:
        yield f"{path}: {before} -> {after}"
