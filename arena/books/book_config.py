"""A file that tells how openings are to be made, and the check of it: all its faults at once."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from annotated_types import Ge, Gt, Le, Lt, MinLen

from arena.config.reader import Reader
from arena.config.settings import Player, limit_data, named_data, player_data
from arena.config.yaml_file import Document, flow_text
from arena.engine import Limit
from arena.errors import ConfigError
from arena.match.terms import LARGEST
from arena.plugins.load import Named, load_game

MAKER = "maker"
"""The name of the engine that makes the openings, where its entry has none."""
MOST_STONES = 40
WINDOW, STONES = (0.45, 0.55), (2, 8)
"""Ranges that a file need not give."""

Share = Annotated[float, Gt(0), Lt(1)]
Stones = Annotated[int, Ge(1), Le(MOST_STONES)]


def _book_keys(
    *,
    kind: Literal["openings"],
    name: Annotated[str, MinLen(1)] = "",
    game: Any,
    engine: Any,
    limit: Any,
    scale: Annotated[float, Gt(0), Lt(1e9)],
    window: list[Share] | None = None,
    stones: list[Stones] | None = None,
    square: Annotated[int, Ge(2), Le(25)] = 6,
    count: Annotated[int, Ge(1), Le(10**7)] = 1000,
    seed: Annotated[int, Ge(-LARGEST), Le(LARGEST)] = 0,
) -> None:
    """The keys of a file that makes openings."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BookConfig:
    """The way to make openings, with every default filled in."""

    name: str
    game: Named
    player: Player
    limit: Limit  # Of the search that decides on an opening; those before it have a part of it
    scale: float  # The log odds of a win that one unit of the engine's score is worth
    window: tuple[float, float]  # The least and greatest expected score of the first player
    stones: tuple[int, int]
    """The fewest and most stones that are drawn, to which one or two moves are added."""
    square: int  # Side of the square, in points, in which the stones of an opening are drawn
    count: int
    seed: int

    @property
    def settings(self) -> str:
        """All that decides which openings are made, in one line of YAML; not how many."""
        engine = {key: each for key, each in player_data(self.player).items() if key != "name"}
        return flow_text(
            {
                "game": named_data(self.game),
                "engine": engine,
                "limit": limit_data(self.limit),
                "scale": self.scale,
                "window": list(self.window),
                "stones": list(self.stones),
                "square": self.square,
                "seed": self.seed,
            }
        )


def read_book(file: Path) -> BookConfig:
    """Read a file that makes openings; ConfigError with all its faults at once."""
    unlike = "scale", "engines", "a tournament", "run"
    reader = Reader(Document(file, unlike=unlike))
    found = reader.fit(_book_keys, reader.document.data, ())
    game = reader.named("game", found["game"])
    config = BookConfig(
        name=reader.run_name(found["name"]),
        game=game,
        player=_read_maker(reader, found["engine"], game),
        limit=_read_limit(reader, found["limit"]),
        scale=found["scale"],
        window=_read_range(reader, "window", found["window"], WINDOW),
        stones=_read_range(reader, "stones", found["stones"], STONES),
        square=found["square"],
        count=found["count"],
        seed=found["seed"],
    )
    if not reader.faults:
        _check_room(reader, config)
    reader.raise_faults()
    return config


def _read_maker(reader: Reader, value: object, game: Named) -> Player:
    entry = {"engine": value} if isinstance(value, str) else value
    if not isinstance(entry, dict) or "engine" not in entry:
        if "engine" in reader.document.data:
            reader.fault(f"must be {{engine: name, parameter: value}}, not {value!r}", ("engine",))
        return Player(MAKER, Named(""))
    if "limit" in entry:
        reader.fault("the limit stands beside the engine", ("engine", "limit"), is_key=True)
    return reader.player({"name": MAKER, **entry}, game, ("engine",), set())


def _read_limit(reader: Reader, value: object) -> Limit:
    limit = reader.limit(value, ("limit",)) or Limit()
    if limit.time_left is not None:
        reader.fault("a clock is for whole games: give nodes, depth or seconds", ("limit", "clock"))
    elif limit == Limit() and isinstance(value, dict):
        reader.fault("give nodes, depth or seconds", ("limit",))
    return limit


def _read_range(
    reader: Reader, key: str, given: list[Any] | None, default: tuple[Any, Any]
) -> tuple[Any, Any]:
    """The two ends of a range, of which the first may not be the larger one."""
    if given is None:
        return default
    if len(given) != 2 or given[0] > given[1]:
        reader.fault(f"{key} must be [least, greatest], not {given}", (key,))
        return default
    return given[0], given[1]


def _check_room(reader: Reader, config: BookConfig) -> None:
    """Note a game without stones to put down, and a square that has no room for them."""
    try:
        game = load_game(config.game)
    except ConfigError as error:
        reader.fault(str(error), ("game",))
        return
    if not game.is_legal(game.start(), 0):
        reader.fault(f"openings are of stones that are put down, as not in {game.name}", ("game",))
    elif config.square > game.size:
        reader.fault(f"square must be at most {game.size}, the board's size", ("square",))
    elif config.stones[1] > config.square**2 // 2:
        message = f"{config.stones[1]} stones leave less than half of a square of {config.square}"
        reader.fault(f"{message} x {config.square} points", ("stones",))
