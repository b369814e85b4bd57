"""A tournament's config as frozen values and as plain data, and its changes between two runs."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Annotated, Any, Literal

from annotated_types import Ge, Gt, Le, MinLen

from arena.engine import Limit
from arena.errors import LONGEST_WORDS, ConfigError, Fault, shown_value
from arena.gomocup.protocol import info_mistakes
from arena.match.opening import Openings
from arena.match.terms import FREE, Terms
from arena.plugins.build import free_parameters
from arena.plugins.load import PLAYER_KEYS, Named, names, parse_parameters
from arena.plugins.parameters import fit

TOURNAMENT = "tournament"  # The kind of experiment that `arena run` plays
CLOCK_RANGE = 1e-4, 1e9  # Seconds of a clock: such as are written without an exponent
AnyLimit = str | float | Limit | Mapping[str, Any]
"""A limit as users of Python give it: a number is seconds for a move."""
SHORT_LIMITS = {
    r"(\d+\.?\d*|\.\d+)s": "seconds",
    r"(\d+)n": "nodes",
    r"d(\d+)": "depth",
    r"(\d.*\+.*)": "clock",
}
"""Limits as a command line has them, and their keys."""


@dataclass(frozen=True, slots=True)
class Player:
    """One configuration of an engine, under the name that the reports show."""

    name: str
    engine: Named
    limit: Limit | None = None  # Its own; None: the match's
    place: str = ""  # Place in the file, for faults that only show when the engine is built

    def limit_in(self, terms: Terms) -> Limit:
        return self.limit or terms.limit


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """A tournament, with every default filled in."""

    name: str
    terms: Terms
    openings: Openings
    players: tuple[Player, ...]
    format: Named
    rounds: int = 1
    kind: str = TOURNAMENT
    """The kind of experiment whose games these are: see `arena/experiment.py`."""
    written: str = field(default="", compare=False, repr=False)
    """The file as its user wrote it; empty if it was made otherwise."""

    @property
    def names(self) -> list[str]:
        return [player.name for player in self.players]


def tournament_keys(
    *,
    kind: Literal["tournament"] = "tournament",
    name: Annotated[str, MinLen(1)] = "",
    format: Any = "round_robin",
    openings: Any = "random",
    rounds: Annotated[int, Ge(1), Le(10**6)] = 1,
    engines: list[Any],
) -> None:
    """The keys of a tournament's file beside its terms."""


def limit_keys(
    *,
    depth: Annotated[int, Ge(1), Le(1000)] | None = None,
    nodes: Annotated[int, Ge(1), Le(10**15)] | None = None,
    seconds: Annotated[float, Gt(0), Le(10**6)] | None = None,
    clock: Any = None,
) -> None:
    """The keys of a limit."""


def player_keys(
    *, name: Annotated[str, MinLen(1)] = "", engine: Annotated[str, MinLen(1)], limit: Any = None
) -> None:
    """The keys of every entry of `engines`, beside the engine's own parameters."""


def to_data(config: Config) -> dict[str, Any]:
    kind = {} if config.kind == TOURNAMENT else {"kind": config.kind}
    return {
        **kind,
        "name": config.name,
        **terms_data(config.terms),
        "format": named_data(config.format),
        "openings": openings_data(config.openings.source),
        "rounds": config.rounds,
        "engines": [player_data(player) for player in config.players],
    }


def from_data(data: Mapping[str, Any]) -> Config:
    """The mirror of `to_data`; imports no engine, so that results can be looked at safely."""
    terms = terms_from_data(data)
    return Config(
        name=data["name"],
        terms=terms,
        format=one_named(data["format"]),
        openings=Openings(one_named(data["openings"]), terms.game),
        rounds=data["rounds"],
        players=tuple(map(player_from_data, data["engines"])),
        kind=data.get("kind", TOURNAMENT),
    )


def terms_data(terms: Terms) -> dict[str, Any]:
    """The terms as keys of the YAML; adjudication that is off has no value."""
    values = {field.name: getattr(terms, field.name) for field in fields(terms)}
    values |= dict.fromkeys(names("adjudication"))
    for rule in values.pop("adjudication"):
        values |= openings_data(rule)
    return values | {"game": named_data(terms.game), "limit": limit_data(terms.limit)}


def terms_from_data(data: Mapping[str, Any]) -> Terms:
    rules = [one_named({name: data[name]}) for name in names("adjudication") if data.get(name)]
    read = {
        "game": one_named(data["game"]),
        "limit": limit_from_data(data["limit"]),
        "adjudication": tuple(rules),
    }
    plain = (field.name for field in fields(Terms) if field.name not in read)
    return Terms(**{name: data[name] for name in plain} | read)


def named_data(named: Named) -> dict[str, Any]:
    """`{name: {parameter: value}}`, tuples as lists."""
    values = {
        key: list(value) if isinstance(value, tuple) else value
        for key, value in named.parameters.items()
    }
    return {named.name: values}


def openings_data(source: Named) -> dict[str, Any]:
    """The source with its parameters; of a single one of its own name, the value alone."""
    data = named_data(source)
    return data[source.name] if set(data[source.name]) == {source.name} else data


def one_named(data: Mapping[str, Any]) -> Named:
    ((name, value),) = data.items()
    return Named(name, value if isinstance(value, Mapping) else {name: value})


def limit_data(limit: Limit) -> dict[str, Any]:
    """The limits that are set; the time of the whole game as `clock`."""
    data = {key: value for key, value in asdict(limit).items() if value is not None}
    if limit.time_left is not None:
        time_left, increment = data.pop("time_left"), data.pop("increment", 0.0)
        data["clock"] = f"{time_left:.12g}+{increment:.12g}"
    return data


def limit_from_data(data: Mapping[str, Any]) -> Limit:
    """The mirror of `limit_data`; ValueError for a clock that is none."""
    limits = {key: value for key, value in data.items() if key != "clock"}
    if data.get("clock") is not None:
        limits |= _parse_clock(data["clock"])
    return Limit(**limits)


def parse_limit(text: str) -> Limit:
    """Read `depth=4,nodes=10000,seconds=0.5`, or `d4,10000n,0.5s`; a clock is `60+0.5`.

    ConfigError for anything else.
    """
    words = [_long_limit(text, word.strip()) for word in text.split(",")]
    return limit_of(parse_parameters(",".join(words)), text)


def limit_of(given: AnyLimit, place: str = "limit") -> Limit:
    """A limit as users of Python give it; ConfigError if it is none."""
    if isinstance(given, str):
        return parse_limit(given)
    data = limit_data(given) if isinstance(given, Limit) else given
    data = data if isinstance(data, Mapping) else {"seconds": data}
    fitted, misfits = fit(limit_keys, data)
    if misfits:
        raise ConfigError(*(Fault(place, misfit.message) for misfit in misfits))
    try:
        return given if isinstance(given, Limit) else limit_from_data(fitted)
    except ValueError as error:
        raise ConfigError(Fault(place, str(error))) from None


def rule_data(key: str, text: str) -> dict[str, Any]:
    """The parameters of a rule that ends games early, from `600` or `score=600,moves=3`."""
    try:
        return parse_parameters(text if "=" in text.partition(",")[0] else f"score={text}")
    except ConfigError as error:
        error.faults = [Fault(f"--{key} {text}".strip(), each.message) for each in error.faults]
        raise


def parse_infos(texts: Iterable[str]) -> dict[str, int | str]:
    """INFO lines for brains, each as `key=value`. ConfigError for what cannot be sent so."""
    infos = dict[str, int | str]()
    for text in texts:
        key, _, value = map(str.strip, text.partition("="))
        if key in infos:
            messages = [f"{key!r} is given twice"]
        elif not (key and value):
            messages = ["must be written key=value"]
        else:
            messages = [message for _, message in info_mistakes({key: value})]
        if messages:
            raise ConfigError(*(Fault(f"--info {text}", each) for each in messages))
        infos[key] = int(value) if re.fullmatch("0|-?[1-9][0-9]{0,17}", value) else value
    return infos


def _long_limit(text: str, word: str) -> str:
    """One limit of a text as `key=value`; ConfigError for what is no limit."""
    if "=" in word:
        return word
    for pattern, key in SHORT_LIMITS.items():
        if match := re.fullmatch(pattern, word, re.ASCII):
            return f"{key}={match[1]}"
    message = "a limit is written 0.1s, 20000n or d4 (for each move), or 10+0.1 (a clock)"
    raise ConfigError(Fault(text.strip() or "a blank limit", message))


def _parse_clock(clock: object) -> dict[str, float]:
    """Read `60+0.5` or `60`: seconds for the game, and after each move."""
    text = str(clock)
    numbers = re.fullmatch(r"(\d+\.?\d*)(?:\+(\d+\.?\d*))?", text.replace(" ", ""), re.ASCII)
    if not numbers or not float(numbers[1]):
        raise ValueError(f"clock must be written like 60+0.5 (seconds), not {shown_value(text)}")
    time_left, increment = float(numbers[1]), float(numbers[2] or 0)
    low, high = CLOCK_RANGE
    if any(each and not low <= each <= high for each in (time_left, increment)):
        raise ValueError(f"a clock's seconds must be {low:g} to {high:g}, not {shown_value(text)}")
    return {"time_left": time_left, "increment": increment}


def player_data(player: Player) -> dict[str, Any]:
    own = {} if player.limit is None else {"limit": limit_data(player.limit)}
    return {
        "name": player.name,
        "engine": player.engine.name,
        **named_data(player.engine)[player.engine.name],
        **own,
    }


def player_from_data(data: Mapping[str, Any]) -> Player:
    parameters = {key: value for key, value in data.items() if key not in PLAYER_KEYS}
    limit = limit_from_data(data["limit"]) if "limit" in data else None
    return Player(data["name"], Named(data["engine"], parameters), limit)


LONGEST_VALUE = 60  # Characters of each value of a change


def changes(
    before: Mapping[str, Any], after: Mapping[str, Any], played: Collection[str]
) -> Iterator[str]:
    """Changes that would make games of these players differ, each as `key: old -> new`.

    Openings, too, may only be added or left out: others in their place are another experiment.
    """
    yield from _terms_changes(before, after)
    yield from openings_changes(before, after)
    old = {entry["name"]: entry for entry in before["engines"] if entry["name"] in played}
    for entry in after["engines"]:
        name = entry["name"]
        if name in old:
            yield from value_changes(f"engines.{name}", decisive(old[name]), decisive(entry))


def openings_changes(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[str]:
    """The changes of openings, unless some were only added, or left out."""
    old, new = before["openings"], after["openings"]
    if old == new:
        return
    old_starts, new_starts = (set(from_data(data).openings) for data in (before, after))
    if old_starts <= new_starts or new_starts <= old_starts:
        return
    if "list" in (*old, *new):
        both = f", {len(old_starts & new_starts)} of them in both"
        yield f"openings: {_openings_text(old)} -> {_openings_text(new)}{both}"
    else:
        yield from value_changes("openings", old, new)


def _openings_text(data: Mapping[str, Any]) -> str:
    """A source of openings, of a list only how many there are."""
    return f"a list of {len(data['list']):,}" if "list" in data else str(one_named(data))


def decisive(entry: Mapping[str, Any]) -> dict[str, Any]:
    """A player without the parameters on which none of its games depends."""
    free = free_parameters(entry["engine"])
    return {key: value for key, value in entry.items() if key not in free}


def _terms_changes(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[str]:
    old, new = (terms_data(terms_from_data(data)) for data in (before, after))
    for key in new:
        if key not in FREE:
            yield from value_changes(key, old[key], new[key])


def value_changes(path: str, before: object, after: object) -> Iterator[str]:
    """The leaves that differ between two nested values; lists of named entries count as mappings.

    Their order counts, too.
    """
    old, new = by_name(before), by_name(after)
    if isinstance(old, Mapping) and isinstance(new, Mapping) and _in_same_order(old, new):
        for key in {**old, **new}:
            yield from value_changes(f"{path}.{key}", old.get(key), new.get(key))
    elif before != after:
        shown = (cut_short(value, LONGEST_VALUE) for value in (before, after))
        yield f"{path}: {' -> '.join(shown)}"


def by_name(value: object) -> object:
    """A list of entries that all have a name, by their names; anything else as it is."""
    if isinstance(value, list) and value and all(isinstance(each, Mapping) for each in value):
        names = [each.get("name") for each in value]
        if None not in names and len(set(names)) == len(names):
            return dict(zip(names, value, strict=True))
    return value


def _in_same_order(before: Mapping[Any, Any], after: Mapping[Any, Any]) -> bool:
    return [key for key in before if key in after] == [key for key in after if key in before]


def cut_short(value: object, most: int = LONGEST_WORDS) -> str:
    """A value in a message: the list of a run's openings may be very long."""
    text = str(value)
    return text if len(text) <= most else f"{text[:most]}..."


_FINAL = {"limit": {"seconds": 300, "clock": "1000+0"}, "memory": 350}
_FAST = {"limit": {"seconds": 5, "clock": "120+0"}, "memory": 350}

PRESETS: Mapping[str, Mapping[str, Any]] = {
    "gomocup-freestyle": {"game": {"gomoku": {"size": 20, "rule": "freestyle"}}, **_FINAL},
    "gomocup-standard": {"game": {"gomoku": {"size": 15, "rule": "standard"}}, **_FINAL},
    "gomocup-renju": {"game": {"renju": {}}, **_FINAL, "draw_at_empty": 25},
    "gomocup-caro": {"game": {"gomoku": {"size": 15, "rule": "caro_exact"}}, **_FINAL},
    "gomocup-fast": {"game": {"gomoku": {"size": 20, "rule": "freestyle"}}, **_FAST},
}
"""The keys of a file that each stands for."""


def with_preset(name: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """The keys of a preset, with those given in their place; of the same game, each parameter.

    >>> with_preset("gomocup-standard", {"game": {"gomoku": {"size": 19}}})["game"]
    {'gomoku': {'size': 19, 'rule': 'standard'}}
    """
    keys = {**PRESETS[name], **given}
    ((game, parameters),) = PRESETS[name]["game"].items()
    own = {game: None} if keys["game"] == game else keys["game"]
    if isinstance(own, dict) and own.keys() == {game} and isinstance(own[game], dict | None):
        keys["game"] = {game: {**parameters, **(own[game] or {})}}
    return keys
