"""An engine's evaluation as a sum, and positions sampled from games to fit it to."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, partial
from itertools import combinations, islice
from operator import index
from typing import TYPE_CHECKING, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from arena.engine import Evaluation, Features
from arena.errors import ConfigError, one_line, own_words
from arena.game import FAULTS, Game, Move, Position
from arena.match.copies import is_symmetric
from arena.match.game_row import cluster_text
from arena.match.play import moves_text
from arena.match.record import GameRecord
from arena.plugins.build import ForcedWin
from arena.stats.score_scale import Floats
from arena.tuning.space import Axis, Space, Value, Values

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Ints = NDArray[np.int64]
Evaluate = Callable[[Values], Evaluation]  # The evaluation with these values of the free parameters

TRIED = 2_000  # Positions in which a weight is tried for being linear
PRECISION = 1e-9  # The error of values in floating point, as a share of the greatest at hand


@dataclass(frozen=True, slots=True, eq=False)
class Linear:
    """An evaluation that is linear in some weights."""

    names: tuple[str, ...]  # The names of the weights; of tables, their numbers
    start: Floats  # The weights that the engine has
    game: Game
    evaluation: Evaluation  # With these weights
    counted: Callable[[Sequence[Position]], csr_array]  # The coefficients, not checked
    probe: Floats  # Other weights, with which the sum is held against the engine's own evaluation
    probed: Evaluation
    rounding: float = 0.0  # The sum's error by values rounded to whole numbers; 0 if none is

    def values(self, positions: Sequence[Position]) -> Floats:
        """The value of each position with the weights that the engine has; ConfigError if none."""
        return _values_of(self.evaluation, positions, self.game)

    def counts(self, positions: Sequence[Position]) -> csr_array:
        """Each weight's coefficient in each value; ConfigError if their sum is not that value."""
        counts, values = self.counted(positions), self.values(positions)
        own = _values_of(self.probed, positions, self.game)
        terms = counts @ (self.probe - self.start)
        errors = np.abs(values + terms - own)
        bound = self.rounding + PRECISION * np.abs([values, terms, own]).max(initial=0.0)
        if wrong := np.flatnonzero(errors > bound)[:1].tolist():
            message = f"the engine's evaluation is no sum of its weights: off by {errors[wrong[0]]}"
            raise ConfigError(message + _at(positions[wrong[0]], self.game))
        return counts


@dataclass(frozen=True, slots=True, eq=False)
class LinearityTest:
    """Values of some positions with the parameters as they are, and with each at its far end."""

    changed: Callable[[Mapping[str, Value]], Floats]  # The values with some parameters changed
    base: Floats
    ends: Mapping[str, Floats]

    @property
    def rounding(self) -> float:
        """The error of a value because it is rounded: 1 if all are whole numbers, or 0."""
        return float(
            all((each == np.rint(each)).all() for each in (self.base, *self.ends.values()))
        )

    def is_sum(self, values: Mapping[str, Value], share: float = 1.0) -> bool:
        """True if these values change the positions' by this share of what their far ends do."""
        own = self.changed(values)
        parts = [share * (self.ends[name] - self.base) for name in values]
        size = np.abs([own, self.base, *parts]).max(initial=0.0)
        bound = self.rounding * _rounding_units(share, len(parts)) + PRECISION * size
        return bool((np.abs(self.base + sum(parts) - own) <= bound).all())


def _rounding_units(share: float, count: int) -> float:
    """The greatest error of a sum that foretells a value, if each value is cut to a whole number.

    The sum is base + share * (end - base) + ..., with this number of ends.
    """
    return 1 + abs(1 - share * count) + abs(share) * count


def linear_terms(
    evaluate: Evaluate, space: Space, positions: Sequence[Position], game: Game
) -> tuple[Linear, list[str]]:
    """The parameters in which an evaluation is linear, within their ranges, and names of others.

    A parameter is linear if half its change to the farther end of its range changes each value by
    half as much, its change to the nearer end in proportion, and if other values of the others do
    not alter these changes; those with which the most others interact are left out first. The
    others stay as they are. A choice is not linear.
    """
    default = space.default
    axes = {axis.name: axis for axis in space.axes if not axis.choices and _reach_of(axis)}
    far = {name: _ends_of(axis)[0] for name, axis in axes.items()}
    middle = {name: _middle_value(axis) for name, axis in axes.items()}

    def changed(values: Mapping[str, Value]) -> Floats:
        return _values_of(evaluate({**default, **values}), positions[:TRIED], game)

    ends = {name: changed({name: value}) for name, value in far.items()}
    test = LinearityTest(changed, changed({}), ends)
    linear_alone = [
        name
        for name, axis in axes.items()
        if all(
            test.is_sum({name: value}, change(axis, value) / _reach_of(axis))
            for value in (middle[name], _ends_of(axis)[1])
            if value != axis.default
        )
    ]
    names = _without_clashes(
        linear_alone, lambda some: test.is_sum({name: far[name] for name in some})
    )
    evaluation = evaluate(default)
    steps = [(_reach_of(axes[name]), evaluate({**default, name: far[name]})) for name in names]
    linear = Linear(
        names=tuple(names),
        start=np.array([number(axes[name].default) for name in names]),
        game=game,
        evaluation=evaluation,
        counted=partial(differences, evaluation, steps, game),
        probe=np.array([number(middle[name]) for name in names]),
        probed=evaluate({**default, **{name: middle[name] for name in names}}),
        rounding=test.rounding * _rounding_units(1.0, len(names)),
    )
    return linear, [axis.name for axis in space.axes if axis.name not in names]


def _without_clashes(
    names: Sequence[str], is_additive: Callable[[Sequence[str]], bool]
) -> list[str]:
    """The names without those that interact; of these, the one with the most others goes first."""
    left = list(names)
    if is_additive(left):
        return left
    clashes = [set(pair) for pair in combinations(left, 2) if not is_additive(pair)]
    while clashes:
        worst = max(reversed(left), key=lambda name: sum(name in pair for pair in clashes))
        left.remove(worst)
        clashes = [pair for pair in clashes if worst not in pair]
    return left


def table_terms(features: Features, evaluation: Evaluation | None, game: Game) -> Linear:
    """The weights of an engine's tables, whose sum must be its `evaluation` if it has one."""
    with _engine_faults("features()"):
        size, start = index(features.size), np.asarray(features.start, np.float64)
    if start.shape != (size,) or not np.isfinite(start).all():
        raise ConfigError(f"features(): start must be {size} finite numbers")
    if not start.any():
        raise ConfigError("features(): start is all 0, so that its values tell no scale to keep")

    def total(p: Position) -> float:
        places, counts = _counted_in(features, game, p)
        return float(start[places] @ counts)

    return Linear(
        names=tuple(map(str, range(size))),
        start=start,
        game=game,
        evaluation=evaluation or total,
        counted=partial(_table_counts, features, game),
        probe=np.zeros(size),
        probed=lambda p: 0.0,
    )


def _ends_of(axis: Axis) -> Sequence[Value]:
    """The two ends of the axis's range, the one farther from the default first."""
    ends = axis.value(0.0), axis.value(1.0)
    return sorted(ends, key=lambda end: abs(change(axis, end)), reverse=True)


def _middle_value(axis: Axis) -> Value:
    return axis.value(axis.unit(number(axis.default) + _reach_of(axis) / 2))


def _reach_of(axis: Axis) -> float:
    """The change from the default to the farther end of the range; negative if it is the lower."""
    far_end, _ = _ends_of(axis)
    return change(axis, far_end)


def change(axis: Axis, value: Value) -> float:
    return number(value) - number(axis.default)


def number(value: Value) -> float:
    assert isinstance(value, int | float)
    return float(value)


def _values_of(evaluation: Evaluation, positions: Sequence[Position], game: Game) -> Floats:
    """The values of positions. Raises ConfigError for what an engine does wrong, and where."""
    with _engine_faults():
        values = np.fromiter(map(evaluation, positions), np.float64, len(positions))
    if wrong := np.flatnonzero(~np.isfinite(values))[:1].tolist():
        message = f"the engine's evaluation is {values[wrong[0]]}"
        raise ConfigError(message + _at(positions[wrong[0]], game))
    return values


def differences(
    evaluation: Evaluation,
    steps: Sequence[tuple[float, Evaluation]],
    game: Game,
    positions: Sequence[Position],
) -> csr_array:
    from scipy.sparse import csr_array

    values = _values_of(evaluation, positions, game)
    counts = np.empty((len(positions), len(steps)))
    for column, (reach, changed) in enumerate(steps):
        counts[:, column] = (_values_of(changed, positions, game) - values) / reach
    return csr_array(counts)


def _table_counts(features: Features, game: Game, positions: Sequence[Position]) -> csr_array:
    """The coefficients that tables say: positions x weights. Raises as `_counted_in` does."""
    from scipy.sparse import csr_array

    rows = [_counted_in(features, game, p) for p in positions]
    starts = np.cumsum([0, *(len(weights) for weights, _ in rows)])
    weights = np.concatenate([np.empty(0, np.int64), *(weights for weights, _ in rows)])
    counts = np.concatenate([np.empty(0), *(counts for _, counts in rows)])
    return csr_array((counts, weights, starts), shape=(len(positions), features.size))


def _counted_in(features: Features, game: Game, p: Position) -> tuple[Ints, Floats]:
    """The numbers of the weights that count in a position, and their counts."""
    with _engine_faults("features()"):
        numbers, times = features.of(p)
        weights, counts = np.asarray(numbers), np.asarray(times, np.float64)
    if not len(weights) and not len(counts):
        return np.empty(0, np.int64), np.empty(0)
    if weights.shape != counts.shape or weights.ndim != 1:
        fault = f"{weights.size} weights count, and there are {counts.size} counts"
    elif weights.dtype.kind not in "iu":
        fault = "the numbers of the weights must be whole"
    elif len(wrong := weights[(weights < 0) | (weights >= features.size)]):
        fault = f"there is no weight {wrong[0]}"
    elif len(wrong := np.flatnonzero(~np.isfinite(counts))):
        fault = f"the count of weight {weights[wrong[0]]} is {counts[wrong[0]]}"
    else:
        return weights.astype(np.int64, copy=False), counts
    raise ConfigError(f"features(): {fault}{_at(p, game)}")


@contextmanager
def _engine_faults(what: str = "evaluation") -> Iterator[None]:
    try:
        yield
    except ConfigError:
        raise
    except Exception as error:
        raise ConfigError(one_line(f"the engine's {what}: {own_words(error)}")) from error


def _at(p: Position, game: Game) -> str:
    return f", after {moves_text(game, p.moves)}" if p.moves else ", on the empty board"


MOST_OF_GAME = 10  # Positions of one game, at most: those of one game have one result
CHUNK = 5_000  # Positions that are held as objects at once
LEAST_POSITIONS = 100


class UselessGamesError(ConfigError):
    """Games that no weights can be fitted to."""


@runtime_checkable
class KnowsForced(Protocol):
    """A game that can tell if a move decides a position, or if a loss at once must be avoided."""

    def is_forced(self, p: Position) -> bool:
        """True if so: see the game."""


@dataclass(frozen=True, slots=True)
class Labelled:
    """A position from a game."""

    position: Position
    result: float  # The mover's: 1 for a win, 0 for a loss, and a half for a draw
    move: Move  # The move that was played
    opening: str  # The name of the game's opening: see `cluster_text`
    player: str  # The player that was to move
    score: int | None  # What it gave with its move, from its own side; None if nothing


def sampled(
    records: Iterable[GameRecord], game: Game, forced_win: ForcedWin | None, seed: int
) -> Iterator[Labelled]:
    """At most ten positions of each game, drawn by the seed, no two of them alike.

    Left out are moves of the opening, positions with a five or an open four at hand or a five to be
    stopped, those from a proven win on, and games that a fault ended. Positions that are equal once
    the board is turned or mirrored count once, wherever they come from: so copies of games add
    none. The other positions drawn from a game depend on the game and the seed alone. Games are
    read as positions are asked for.
    """
    seen: set[int] = set()
    parse, fingerprint = cache(game.parse), fingerprint_in(game)
    is_forced = game.is_forced if isinstance(game, KnowsForced) else lambda p: False
    for number, record in enumerate(records):
        if record.reason in FAULTS:
            continue
        line = _positions_of(record, game, parse)
        first = len(record.opening.split())
        plies = list(range(first, _decided_from(line, first, record.winner, forced_win)))
        random.Random(f"{seed} {record.digest or record.moves}").shuffle(plies)
        free = (line[ply] for ply in plies if not is_forced(line[ply]))
        for p in islice(free, MOST_OF_GAME):
            mark = fingerprint(p)
            if mark not in seen:
                seen.add(mark)
                yield _labelled(record, p, cluster_text(record) or f"pair {number}", parse)


def _positions_of(record: GameRecord, game: Game, parse: Callable[[str], Move]) -> list[Position]:
    line = [game.start()]
    for text in record.moves.split():
        line.append(game.play(line[-1], parse(text)))
    return line[:-1]


def _decided_from(
    line: Sequence[Position], first: int, winner: int | None, forced_win: ForcedWin | None
) -> int:
    """The ply from which on the winner had a forced win on each turn; else the line's length."""
    decided = len(line)
    if forced_win:
        for ply in range(len(line) - 1, first - 1, -1):
            if line[ply].turn == winner:
                if not forced_win(line[ply]):
                    break
                decided = ply
    return decided


def _labelled(
    record: GameRecord, p: Position, opening: str, parse: Callable[[str], Move]
) -> Labelled:
    result = 0.5 if record.winner is None else float(record.winner == p.turn)
    player = record.first if p.turn == 1 else record.second
    choice = p.ply - len(record.opening.split())
    scores = record.scores.split()
    text = scores[choice] if choice < len(scores) else "-"
    score = None if text == "-" else int(text)
    move = parse(record.moves.split()[p.ply])
    return Labelled(p, result, move, opening, player, score)


def fingerprint_in(game: Game) -> Callable[[Position], int]:
    """A function that gives equal positions of the game equal numbers, turned or mirrored, too.

    Other positions differ, but for chance: two of a million once in 30 million times.
    """
    turns = [*game.symmetries] if is_symmetric(game) else [[*range(len(game.start().cells))]]
    images = np.array(turns)

    def fingerprint(p: Position) -> int:
        turned = np.frombuffer(p.cells, np.uint8)[images]
        return hash((min(map(bytes, turned)), p.turn))

    return fingerprint


def chunks(positions: Iterable[Labelled]) -> Iterator[list[Labelled]]:
    """The positions, a few thousand at a time. Raises UselessGamesError if they are too few."""
    positions = iter(positions)
    chunk = list(islice(positions, CHUNK))
    if len(chunk) < LEAST_POSITIONS:
        raise UselessGamesError(
            f"the games have {len(chunk)} positions to fit to, once openings, fives and open "
            f"fours at hand, and what comes after a proven win are left out: at least "
            f"{LEAST_POSITIONS} are needed"
        )
    while chunk:
        yield chunk
        chunk = list(islice(positions, CHUNK))
