"""A tournament as frozen values, and as the plain data that its folder keeps."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from arena.engine import Limit
from arena.match import openings
from arena.plugins.load import Named, load_game


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
    margin: float
    """Seconds over a limit of time that are forgiven."""
    hang: float
    """Seconds for an answer where time is not limited."""
    memory: int
    """Megabytes that a worker may take, more than it has at its start."""
    players: tuple[Player, ...]

    @property
    def names(self) -> list[str]:
        """The players' names, in the order of the file."""
        return [player.name for player in self.players]

    def starts(self) -> Sequence[str]:
        """The openings, as moves' texts; ConfigError as they are drawn, if they cannot be."""
        parameters = self.openings.parameters
        if self.openings.name == "list":
            return list(parameters["list"])
        source = openings.SOURCES[self.openings.name]
        return openings.Drawn(source(load_game(self.game), **parameters), parameters["count"])


def to_data(config: Config) -> dict[str, Any]:
    """The config as it stands in YAML, every default written out."""
    return {
        "name": config.name,
        "game": named_data(config.game),
        "format": named_data(config.format),
        "openings": openings_data(config.openings),
        "limit": limit_data(config.limit),
        "seed": config.seed,
        "rounds": config.rounds,
        "max_plies": config.max_plies,
        "margin": config.margin,
        "hang": config.hang,
        "memory": config.memory,
        "engines": [player_data(player) for player in config.players],
    }


def named_data(named: Named) -> dict[str, Any]:
    """`{name: {parameter: value}}`, tuples as lists."""
    values = {
        key: list(value) if isinstance(value, tuple) else value
        for key, value in named.parameters.items()
    }
    return {named.name: values}


def openings_data(source: Named) -> dict[str, Any]:
    """A list stands as such, a generator with its parameters."""
    if source.name == "list":
        return {"list": list(source.parameters["list"])}
    return named_data(source)


def limit_data(limit: Limit) -> dict[str, Any]:
    """The limits that are set; the time of the whole game as `clock`."""
    data = {key: value for key, value in asdict(limit).items() if value is not None}
    if limit.time_left is not None:
        time_left, increment = data.pop("time_left"), data.pop("increment", 0.0)
        data["clock"] = f"{time_left:.12g}+{increment:.12g}"
    return data


def limit_from_data(data: Mapping[str, Any]) -> Limit:
    """The mirror of `limit_data`; ValueError for a clock that is none."""
    rest = {key: value for key, value in data.items() if key != "clock"}
    if data.get("clock") is None:
        return Limit(**rest)
    time_left, increment = parse_clock(data["clock"])
    return Limit(**rest, time_left=time_left, increment=increment)


def parse_clock(clock: object) -> tuple[float, float]:
    """Read `60+0.5` or `60`: seconds for the game, and after each move."""
    text = str(clock)
    numbers = re.fullmatch(r"(\d+\.?\d*)(?:\+(\d+\.?\d*))?", text.replace(" ", ""))
    if not numbers or not float(numbers[1]):
        raise ValueError(f"clock must be written like 60+0.5 (seconds), not {text!r}")
    return float(numbers[1]), float(numbers[2] or 0)


def player_data(player: Player) -> dict[str, Any]:
    """One entry of `engines`."""
    own = {} if player.limit is None else {"limit": limit_data(player.limit)}
    return {
        "name": player.name,
        "engine": player.engine.name,
        **named_data(player.engine)[player.engine.name],
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
        limit=limit_from_data(data["limit"]),
        seed=data["seed"],
        rounds=data["rounds"],
        max_plies=data["max_plies"],
        margin=data["margin"],
        hang=data["hang"],
        memory=data["memory"],
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
    limit = limit_from_data(data["limit"]) if "limit" in data else None
    return Player(data["name"], Named(data["engine"], parameters), limit)


FIXED = ("game", "limit", "seed", "max_plies", "margin")
"""What decides each game; players, openings, rounds and format decide which games there are."""


def changes(
    before: Mapping[str, Any], after: Mapping[str, Any], played: Collection[str]
) -> Iterator[str]:
    """What would make games of these players differ, each as `key: old -> new`.

    Openings, too, may only be added or left out: others in their place are another experiment.
    """
    for key in FIXED:
        yield from value_changes(key, before[key], after[key])
    if before["openings"] != after["openings"]:
        old_starts, new_starts = (set(from_data(data).starts()) for data in (before, after))
        if not (old_starts <= new_starts or new_starts <= old_starts):
            yield from value_changes("openings", before["openings"], after["openings"])
    old = {entry["name"]: entry for entry in before["engines"] if entry["name"] in played}
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
