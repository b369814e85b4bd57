"""A match as a command line has it, and the YAML file that plays it."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from itertools import chain, islice
from pathlib import Path
from typing import Any

from arena.config.reader import read_config
from arena.config.settings import (
    Config,
    limit_data,
    named_data,
    parse_infos,
    parse_limit,
    rule_data,
    with_preset,
)
from arena.config.shipped import BALANCED
from arena.config.typed_player import TypedPlayer, typed_players
from arena.config.yaml_file import flow_text
from arena.errors import ConfigError, Fault, expanded, no_such_file, one_line
from arena.match.copies import marks
from arena.match.openings import book, random
from arena.match.play import place_opening
from arena.plugins.engine_names import is_path
from arena.plugins.load import Named, checked, load_game, names, parse_named
from arena.records.opening_file import opening_file

COMMAND = "arena match"
GAME, LIMIT = "gomoku", "0.1s"  # Those of a match without a preset
GAMES = 100  # Games of each two, if their number is not given
BALANCED_GAME = Named("gomoku", {"size": 15, "rule": "freestyle"})
"""The game that the balanced openings are of."""
BALANCED_BOOK = "freestyle15"  # The book of openings that go on where the balanced ones end
MAX_GAMES = 100_000
"""Games of each two that meet, whose openings are all written to the file before the first."""
MAX_RANDOM = 1_000_000  # Random openings after those of the book

_Line = tuple[str, str]  # A line of the file, and the words of the command that it comes from


@dataclass(frozen=True)
class TypedMatch:
    """Words and options of the command; those that are None follow from the others."""

    typed: tuple[str | Mapping[str, Any], ...]
    """The players, as they were typed; in Python also as entries of `engines`."""
    games: int | None = None  # Games of each two that meet; of a test, at most
    sprt: tuple[float, float] | None = None
    limit: str | None = None
    openings: str | Mapping[str, Any] | None = None
    """A source as it was typed, or in Python as a file has it."""
    game: str | None = None
    seed: int = 0
    name: str | None = None
    memory: int | None = None
    margin: float | None = None
    info: tuple[str, ...] = ()
    resign: str | None = None
    draw: str | None = None
    preset: str | None = None
    gauntlet: bool = False

    @cached_property
    def players(self) -> tuple[TypedPlayer, ...]:
        """The players; ConfigError for a folder without an engine, and for less than two."""
        players = typed_players(*self.typed)
        if len(players) < 2:
            message = "a match needs at least two players"
            if not players:
                raise ConfigError(message)
            (player,) = players
            if is_path(player.engine) and not expanded(player.engine).exists():
                message = no_such_file(Path(player.engine))
            raise ConfigError(Fault(player.typed, message))
        return players

    @cached_property
    def run_name(self) -> str:
        first, second, *others = (each.name for each in self.players)
        if self.name is not None:
            return re.sub(r"(?<=.)\.ya?ml$", "", self.name)
        return f"{first}-vs-{len(others) + 1}-others" if others else f"{first}-vs-{second}"

    @property
    def pairs(self) -> int:
        return (self.games or GAMES) // 2

    @property
    def file(self) -> Path:
        return Path(f"{self.run_name}.yaml")

    @property
    def words(self) -> str:
        """The command, without options that are as by default."""
        words = [COMMAND, shlex.join(map(_as_typed, self.typed))]
        for each in fields(self)[1:]:
            value = getattr(self, each.name)
            if each.name == "sprt" and value:
                words.append("--sprt {:g} {:g}".format(*value))
            elif value is True:
                words.append(f"--{each.name}")
            elif value != each.default:
                given = value if isinstance(value, tuple) else [value]
                words += [f"--{each.name} {shlex.quote(_as_typed(text))}" for text in given]
        return one_line(" ".join(words))

    @property
    def played(self) -> Named:
        """The game; ConfigError for one that cannot be."""
        typed = checked("game", GAME if self.game is None else self.game)
        if self.preset is None:
            return typed
        given = {} if self.game is None else {"game": named_data(parse_named(self.game))}
        ((name, parameters),) = with_preset(self.preset, given)["game"].items()
        return checked("game", Named(name, parameters))


def _as_typed(value: object) -> str:
    return value if isinstance(value, str) else flow_text(value)


def read_match(match: TypedMatch) -> tuple[Config, str]:
    """The match's config and the text of its file; ConfigError with all faults, by their words."""
    lines = list(file_lines(match))
    text = "".join(f"{line}\n" for line, _ in lines)
    try:
        return read_config(match.file, text=text), text
    except ConfigError as error:
        error.faults = [by_words(fault, lines) for fault in error.faults]
        raise


def by_words(fault: Fault, lines: Sequence[_Line]) -> Fault:
    """A fault of the file, with the words that it comes from in place of its line, if any."""
    *_, line, column = f"::{fault.place}".rsplit(":", 2)
    if not (line.isdecimal() and column.isdecimal()):
        return fault
    return Fault(lines[int(line) - 1][1], fault.message)


def file_lines(match: TypedMatch) -> Iterator[_Line]:
    """The lines of the file; ConfigError for words that cannot become any."""
    sprt = "" if match.sprt is None else "--sprt {:g} {:g}".format(*match.sprt)
    yield f"# {match.words}", COMMAND
    yield f"name: {flow_text(match.run_name)}", f"--name {match.run_name}"
    if match.preset is not None:
        yield f"preset: {match.preset}", f"--preset {match.preset}"
    if match.game is not None or match.preset is None:
        game = match.played
        yield (
            f"game: {flow_text(named_data(game))}",
            f"--game {GAME if match.game is None else match.game}",
        )
    yield f"format: {flow_text(_format_data(match))}", sprt or f"--games {match.games or GAMES}"
    if match.limit is not None or match.preset is None:
        limit = LIMIT if match.limit is None else match.limit
        yield f"limit: {flow_text(limit_data(parse_limit(limit)))}", f"--limit {limit}"
    yield f"seed: {match.seed}", f"--seed {match.seed}"
    for key in ("margin", "memory"):
        if (value := getattr(match, key)) is not None:
            yield f"{key}: {flow_text(value)}", f"--{key} {value}"
    for key in ("resign", "draw"):
        if (text := getattr(match, key)) is not None:
            yield f"{key}: {flow_text(rule_data(key, text))}", f"--{key} {text}"
    yield "engines:", COMMAND
    infos = parse_infos(match.info)
    if infos and not any(player.is_program for player in match.players):
        raise ConfigError(Fault("--info", "no player is a Gomocup brain"))
    for player in match.players:
        entry = player.entry
        if infos and player.is_program:
            entry["info"] = {**infos, **entry.get("info", {})}
        yield f"  - {flow_text(entry)}", player.typed
    yield from _opening_lines(match)


def _format_data(match: TypedMatch) -> dict[str, Any]:
    if match.sprt is not None:
        if len(match.players) > 2:
            option = "--sprt {:g} {:g}".format(*match.sprt)
            message = f"a test is of two players, not of {len(match.players)}"
            raise ConfigError(Fault(option, message))
        most = {} if match.games is None else {"pairs": match.pairs}
        return {"sprt": {**dict(zip(("elo0", "elo1"), match.sprt, strict=True)), **most}}
    if len(match.players) == 2:
        return {"couples": {"pairs": [match.pairs]}}
    return {"gauntlet" if match.gauntlet else "round_robin": {"pairs": match.pairs}}


def _opening_lines(match: TypedMatch) -> Iterator[_Line]:
    """The openings, by default one for each pair: balanced ones of the game that has some, or
    random.

    A test has random ones: it takes pairs as independent, and may need thousands.
    """
    if isinstance(match.openings, Mapping):
        yield f"openings: {flow_text(match.openings)}", "--openings"
    elif match.openings is not None:
        named = parse_named(match.openings)
        if named.name not in names("source of openings"):
            named = Named("file", {"path": match.openings})
        yield f"openings: {flow_text(named_data(named))}", f"--openings {match.openings}"
    elif match.played == BALANCED_GAME and match.sprt is None:
        yield "openings:", COMMAND
        yield f"  list: # of {BALANCED.name}, then the book {BALANCED_BOOK}, then random", COMMAND
        openings = islice(balanced_openings(match.seed), match.pairs)
        yield from ((f"  - {text}", COMMAND) for text in openings)
    else:
        source = f"random:seed={match.seed}"
        yield f"openings: {flow_text(named_data(parse_named(source)))}", f"--openings {source}"


def balanced_openings(seed: int) -> Iterator[str]:
    """Distinct openings of `BALANCED_GAME`: the balanced ones, those of their book, then random
    ones of this seed. A longer match begins with the same. ConfigError if there are no more."""
    game, seen = load_game(BALANCED_GAME), set[str]()
    first = (part.text for part in opening_file(BALANCED).parts)
    more = book.openings(game, name=BALANCED_BOOK)
    for text in chain(first, more, random.openings(game, count=MAX_RANDOM, seed=seed)):
        p = place_opening(game, text)
        start, _ = marks(game, p, p)
        if start not in seen:
            seen.add(start)
            yield text
