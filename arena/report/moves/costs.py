"""The plies, time, nodes and depth of each player's moves, from the columns of a run's games."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from arena.engine import Limit
from arena.errors import ConfigError, Fault
from arena.match.columns import Games, Integers
from arena.match.packed import PACKED, choice_numbers
from arena.match.record import GameRecord

Floats = NDArray[np.float64]

NO_SCORE = "-"
NEAR = 0.1
"""Share of a limit of time that is left after a move, below which the move was near it."""
SUMS = (
    *("choices", "seconds", "nodes", "seconds with nodes"),
    *("searched", "depths of searched", "deeper than a ply", "depths of deeper than a ply"),
)
"""The sums over each player's choices, in the order in which `sums_of`, its kernel and `Costs` have
them: those searched are a search by their nodes."""
NODES, DEEP = SUMS.index("nodes"), SUMS.index("deeper than a ply")
MANY_GAMES = 500_000
"""Games from which on kernels are worth their loading."""
FEWEST_NODES, FEWEST_A_PLY = 10, 2
"""Nodes of a search, in all and for each ply of its depth, that had a choice to make."""


@dataclass(frozen=True)
class Choices:
    """All choices of some games, game by game, as columns."""

    game: Integers
    """The place of the game of each choice."""
    ply: Integers
    """From 0, with those of the opening."""
    player: Integers
    seconds: Floats
    nodes: Floats
    depths: Floats
    scores: Floats | None = None
    """NaN where the engine gave none; None if they were not read."""


class Costs:
    """Holds the costs of players' moves, which grow as choices are added."""

    def __init__(self, limits: Sequence[Limit], *, compiled: bool = False) -> None:
        """Count for players with these limits, by kernels if there are many choices to come."""
        self._limits = limits
        self._compiled = compiled
        count = len(limits)
        self.sums = np.zeros((len(SUMS), count))
        """The rows are `SUMS`; the deep ones grow only while a player told no nodes."""
        self.overruns, self.near = np.full(count, np.nan), np.zeros(count)

    def add(self, choices: Choices, *, is_owed: bool = True) -> None:
        """Count some choices, all of each game, whose clock's overdraft is owed or forgiven."""
        sums = sums_of(choices, len(self._limits), compiled=self._compiled)
        self.sums[:DEEP] += sums[:DEEP]
        if not self.sums[NODES].all():
            self.sums[DEEP:] += sums[DEEP:]
        for player, limit in enumerate(self._limits):
            if limit.seconds is not None or limit.time_left is not None:
                self._add_overruns(choices, player, limit, is_owed)

    def _add_overruns(self, choices: Choices, player: int, limit: Limit, is_owed: bool) -> None:
        """Count a player's moves over its limit of time, and near it."""
        mine = choices.player == player
        if mine.any():
            over, near = overrun(choices.game[mine], choices.seconds[mine], limit, is_owed)
            self.overruns[player] = np.fmax(self.overruns[player], over.max())
            self.near[player] += near.sum()

    def columns(self) -> dict[str, Floats]:
        """The columns of `thinking_frame`; NaN for what is not known."""
        choices, seconds, nodes, telling_seconds, searched, searched_sum, deep, deep_sum = self.sums
        with np.errstate(divide="ignore", invalid="ignore"):
            return {
                "seconds_per_move": seconds / choices,
                "nodes_per_second": nodes / telling_seconds,
                "depth": np.where(nodes > 0, searched_sum / searched, deep_sum / deep),
                "greatest_overrun": self.overruns,
                "near_limit": np.where(np.isnan(self.overruns), np.nan, self.near / choices),
            }


def thinking_frame(
    names: Sequence[str],
    runs: Iterable[Games],
    limits: Mapping[str, Limit],
    forgiven: Sequence[Games] = (),
) -> pd.DataFrame:
    """One row a player: mean plies of its games, what its choices cost on average, and its time.

    Nodes and depth are of the moves that were searched, of which forced and instant ones are none.
    An overrun is what a move took over its limit, or over what its clock had left: negative if it
    ended before. A move is near the limit of a clock if a tenth of the whole time is left after it.
    Both are NaN for players whose time is not limited, or that never moved. Clocks of the runs that
    are `forgiven` never showed less than nought. ValueError if a game has not as many nodes, or
    depths, as times.
    """
    owed = [(games, True) for games in runs]
    every = [*owed, *((games, False) for games in forgiven)]
    compiled = sum(len(games) for games, _ in every) >= MANY_GAMES
    costs = Costs([limits.get(name, Limit()) for name in names], compiled=compiled)
    played, plies = np.zeros((2, len(names)))
    for games, is_owed in every:
        seats = seats_of(names, games)
        played += np.bincount(seats.ravel(), minlength=len(names))
        plies += np.bincount(seats.ravel(), np.tile(games.plies, 2), minlength=len(names))
        for choices in choices_of(games, seats, compiled=compiled):
            costs.add(choices, is_owed=is_owed)
    with np.errstate(divide="ignore", invalid="ignore"):
        return pd.DataFrame({"name": list(names), "plies": plies / played, **costs.columns()})


def seats_of(names: Sequence[str], games: Games) -> Integers:
    """The numbers of the players in both seats of each game, by their names."""
    code = {name: i for i, name in enumerate(names)}
    players = np.array([code.get(name, -1) for name in games.players], dtype=np.int64)
    return np.stack([players[games.first], players[games.second]])


def choices_of(
    games: Games, seats: Integers, *, with_scores: bool = False, compiled: bool = False
) -> Iterator[Choices]:
    """The choices of games, whose players are the `seats`, in parts."""
    opened, names = opening_plies(games), PACKED if with_scores else PACKED[:3]
    read = partial(choice_numbers, compiled=compiled)
    for places, columns in games.packed(names):
        (counts, seconds), *others = map(read, names, columns)
        if any((each != counts).any() for each, _ in others):
            raise ValueError("not as many nodes, depths or scores as times")
        found = placed(places, counts, opened, seats, compiled=compiled)
        yield Choices(*found, seconds, *(values for _, values in others))


def placed(
    places: Integers, counts: Integers, opened: Integers, seats: Integers, *, compiled: bool
) -> tuple[Integers, Integers, Integers]:
    """The place of the game, the ply and the player of each choice of the games at some places."""
    if compiled:
        from arena.report.moves.counting import place_choices

        found = np.empty((3, int(counts.sum())), np.int64)
        place_choices(places, counts, opened, seats, found)
        return found[0], found[1], found[2]
    game, ply = choice_plies(counts, opened[places])
    game = places[game]
    return game, ply, seats.ravel()[game + seats.shape[1] * (ply & 1)]


def sums_of(choices: Choices, players: int, *, compiled: bool = False) -> Floats:
    """Sums over the choices of each player: a row for each of `SUMS`."""
    player, seconds, nodes, depths = choices.player, choices.seconds, choices.nodes, choices.depths
    is_searched = is_search(nodes, depths)
    if compiled:
        from arena.report.moves.counting import add_choices

        sums = np.zeros((players, len(SUMS)))
        add_choices(player, seconds, nodes, depths, is_searched, sums)
        return sums.T
    is_deep = depths > 1
    known = [seconds, nodes, seconds * (nodes > 0)]
    deep = [is_searched, depths * is_searched, is_deep, depths * is_deep]
    weights = (None, *known, *deep)
    return np.array([np.bincount(player, each, minlength=players) for each in weights], float)


def opening_plies(games: Games) -> Integers:
    """The plies of each game's opening."""
    plies = [text.count(" ") + 1 if text else 0 for text in games.words]
    return np.array(plies, dtype=np.int64)[games.opening]


def choice_plies(counts: Integers, opening: Integers) -> tuple[Integers, Integers]:
    """The place of the game, and the ply from 0, of each choice; games have these `counts`."""
    game = np.repeat(np.arange(len(counts)), counts)
    ply = np.arange(len(game))
    ply += np.repeat(opening - (np.cumsum(counts) - counts), counts)
    return game, ply


def is_search(nodes: Floats, depths: Floats) -> NDArray[np.bool_]:
    """True for each choice by a search that, by its nodes, had more than one move to look at."""
    return (depths > 0) & (nodes >= np.maximum(FEWEST_NODES, FEWEST_A_PLY * depths))


def overrun(
    game: np.ndarray, seconds: np.ndarray, limit: Limit, is_owed: bool
) -> tuple[np.ndarray, np.ndarray]:
    """For each choice of a player the seconds over its limit, and whether it came near it."""
    over, near = np.full(len(seconds), -np.inf), np.zeros(len(seconds), dtype=bool)
    if limit.seconds is not None:
        over, near = seconds - limit.seconds, seconds > (1 - NEAR) * limit.seconds
    if limit.time_left is not None:
        left = left_after(game, seconds, limit.time_left, limit.increment or 0.0, is_owed)
        over, near = np.maximum(over, -left), near | (left < NEAR * limit.time_left)
    return over, near


def left_after(
    game: np.ndarray, seconds: np.ndarray, time_left: float, increment: float, is_owed: bool
) -> np.ndarray:
    """The time left on the clock after each choice of a player, negative where it was overdrawn.

    Where that is not owed, the clock without that rule, less the least that it ever showed below
    nought, is the clock.
    """
    is_first = np.ones(len(game), dtype=bool)
    is_first[1:] = game[1:] != game[:-1]
    gained = np.where(is_first, time_left, increment)
    left = pd.Series(gained - seconds).groupby(game).cumsum()
    if not is_owed:
        debt = left.groupby(game).cummin().groupby(game).shift(fill_value=0.0).clip(upper=0.0)
        left -= debt
    return left.to_numpy()


def total_seconds(runs: Iterable[Games]) -> float | None:
    """The time of all choices of games; None if it was not kept."""
    total, choices = 0.0, 0
    for games in runs:
        for _, (times,) in games.packed(("times",)):
            counts, seconds = choice_numbers("times", times)
            total, choices = total + float(seconds.sum()), choices + int(counts.sum())
    return total if choices else None


def score_numbers(texts: Iterable[str]) -> NDArray[np.float64]:
    """The scores in all texts, one after the other; NaN where an engine gave none."""
    words = " ".join(filter(None, texts)).split()
    return np.array(["nan" if word == NO_SCORE else word for word in words], dtype=float)


def check_costs(runs: Mapping[str, Games]) -> None:
    """Raise ConfigError for the first game without as many nodes, depths and scores as times, or
    whose scores are no numbers. It may have no scores at all."""
    for run, games in runs.items():
        for number, record in zip(games.number, games.records(), strict=True):
            if not has_costs(record):
                message = "its times, nodes, depths and scores are not as many numbers each"
                raise ConfigError(Fault(f"{run}, game {number}", message))


def has_costs(record: GameRecord) -> bool:
    """True if a game's kept choices can be read."""
    try:
        scores = score_numbers([record.scores])
        counts = {
            len([float(word) for word in text.split(" ")]) if text else 0
            for text in (record.times, record.nodes, record.depths)
        }
    except ValueError:
        return False
    return counts == {len(scores)} or (len(counts) == 1 and not len(scores))
