"""The conditions that a study spreads its games over, and the settings of its proof."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import filterfalse, product
from typing import Any, Self

import numpy as np

from arena.config.settings import Player, limit_data
from arena.engine import Limit
from arena.errors import ConfigError
from arena.match.opening import Openings
from arena.match.terms import Terms
from arena.plugins.load import Named
from arena.tuning.space import Space, Values

LIMIT_KEY, OPENINGS_KEY = "limit", "openings"  # Keys of `vary` that are no parameters of the engine
AT = " at "

Varied = Mapping[str, Sequence[Any]]  # By keys: parameters' values as they are, Limits, Openings


@dataclass(frozen=True, slots=True)
class Condition:
    """One of those under which weights are to be good; without a label: things as they are."""

    label: str = ""
    parameters: Mapping[str, Any] = field(default_factory=dict)  # Parameters of the tuned engine
    limit: Limit | None = None  # The limit in the place of the file's
    openings: Openings | None = None  # The openings in the place of the file's

    def tuned(self, player: Player) -> Player:
        engine = Named(player.engine.name, set_within(player.engine.parameters, self.parameters))
        limit = self.limit or player.limit
        return replace(player, name=named_at(player.name, self.label), engine=engine, limit=limit)

    def rival(self, player: Player) -> Player:
        """Another engine: it keeps its parameters, and a limit of its own."""
        limit = player.limit or self.limit
        return replace(player, name=named_at(player.name, self.label), limit=limit)


def conditions_of(varied: Varied) -> tuple[Condition, ...]:
    """Every combination of the values, the last key's first; one without a label if none vary."""
    labelled = (
        zip(_label_texts(key, values), values, strict=True) for key, values in varied.items()
    )
    conditions = []
    for combination in product(*labelled):
        label = ",".join(text for text, _ in combination)
        values = {key: value for key, (_, value) in zip(varied, combination, strict=True)}
        limit, openings = values.pop(LIMIT_KEY, None), values.pop(OPENINGS_KEY, None)
        conditions.append(Condition(label, values, limit, openings))
    return tuple(conditions)


def _label_texts(key: str, values: Sequence[Any]) -> list[str]:
    if key == LIMIT_KEY:
        return [",".join(f"{name}={each}" for name, each in limit_data(v).items()) for v in values]
    if key == OPENINGS_KEY:
        return _sources_told_apart([value.source for value in values])
    return [f"{key}={value}" for value in values]


def _sources_told_apart(sources: Sequence[Named]) -> list[str]:
    kept = [key for key in sources[0].parameters if key not in ("count", "skip", "list", "file")]
    differ = [key for key in kept if len({str(each.parameters.get(key)) for each in sources}) > 1]
    if len({each.name for each in sources}) == len(sources):
        return [each.name for each in sources]
    texts = [",".join(f"{key}={each.parameters.get(key)}" for key in differ) for each in sources]
    if all(texts) and len(set(texts)) == len(texts):
        return texts
    return [f"{OPENINGS_KEY}={number}" for number, _ in enumerate(sources, start=1)]


def set_within(parameters: Mapping[str, Any], values: Mapping[str, Any]) -> dict[str, Any]:
    """Parameters with other values; a name that a parameter's own mapping has is set in there."""
    changed = dict(parameters)
    for name, value in values.items():
        holders = [key for key, own in changed.items() if isinstance(own, Mapping) and name in own]
        if name in changed or not holders:
            changed[name] = value
        else:
            changed[holders[0]] = {**changed[holders[0]], name: value}
    return changed


def named_at(name: str, label: str) -> str:
    return f"{name}{AT}{label}" if label else name


@dataclass(frozen=True, slots=True)
class Spread:
    """The conditions, as they are dealt to openings that are counted through."""

    conditions: Sequence[Condition] = (Condition(),)
    seed: int = 0

    def dealt(self, openings: Sequence[str], number: int) -> tuple[str, str]:
        """The label and the opening of this number; each source is gone through again and again."""
        block, place = divmod(number, len(self.conditions))
        condition = self.conditions[_order_of(len(self.conditions), self.seed, block)[place]]
        source = openings if condition.openings is None else condition.openings
        return condition.label, source[number % len(source)]


@lru_cache(maxsize=2**14)
def _order_of(count: int, seed: int, block: int) -> tuple[int, ...]:
    order = np.random.default_rng([seed, block]).permutation(count)
    return tuple(map(int, order))


def _interleaved(
    sources: Sequence[Openings], count: int, is_seen: Callable[[str], bool] | None = None
) -> Openings:
    """About `count` openings, of each source in turn, written out: none twice, none seen."""
    is_seen = is_seen or (lambda _: False)
    left = {str(source.source): filterfalse(is_seen, _all_in(source)) for source in sources}
    texts: dict[str, None] = {}
    while len(texts) < count:
        turn = [next((t for t in left[str(s.source)] if t not in texts), None) for s in sources]
        if None in turn or len(set(turn)) < len(turn):
            break
        texts |= dict.fromkeys(filter(None, turn))
    return Openings(Named("list", {"list": list(texts)}, is_checked=True), sources[0].game)


def _all_in(source: Openings) -> Iterator[str]:
    with suppress(ConfigError):
        yield from source


_ENOUGH = 10**6  # More openings than any test has
DEFAULT, TUNED = "default", "tuned"  # The engine's players: as it is, and with what was found
TUNED_FILE = f"{TUNED}.yaml"  # A tournament of both, once the gain is proved
OPPONENT_PAIRS = 100  # Default number of pairs of either weights against each opponent
CONDITION_PAIRS = 100  # Default number of pairs, at least, of the test under each condition


@dataclass(frozen=True, slots=True, kw_only=True)
class ProofConfig:
    """The engine, what may change of it, and the test that new weights must pass."""

    name: str
    terms: Terms
    openings: Openings  # Those of the search for weights, then those of the test
    trial_openings: int  # The number of openings that are for the search
    players: tuple[Player, ...]  # The engine with its default weights, and its opponents
    space: Space
    verification: Mapping[str, Any]  # The parameters of the test: see `formats/sprt`
    opponent_pairs: int  # Pairs of either weights against each opponent, after the test
    varied: Varied = field(default_factory=dict)  # What varies from condition to condition
    condition_pairs: int = CONDITION_PAIRS  # Pairs under each condition, at least, for a gain
    written: str = field(default="", compare=False, repr=False)
    """The file as its user wrote it; empty if it was made otherwise."""

    @property
    def default(self) -> Player:
        return self.players[0]

    @property
    def opponents(self) -> tuple[Player, ...]:
        return self.players[1:]

    @property
    def conditions(self) -> tuple[Condition, ...]:
        return conditions_of(self.varied)

    def for_trials(self, openings: Openings) -> Openings:
        return openings.part(0, self.trial_openings if openings.draws else len(openings) // 2)

    def for_test(self, openings: Openings, count: int) -> Openings:
        start = self.trial_openings if openings.draws else len(openings) // 2
        return openings.part(start, count)

    def test_openings(self, count: int, is_seen: Callable[[str], bool] | None = None) -> Openings:
        """As far as there are, without those seen; where they vary, each condition's in turn."""
        own = [each.openings for each in self.conditions if each.openings is not None]
        if not own and not is_seen:
            return self.for_test(self.openings, count)
        reach = _ENOUGH if is_seen else count
        sources = [self.for_test(each, reach) for each in own or [self.openings]]
        return _interleaved(sources, count, is_seen)

    @property
    def labels(self) -> list[str]:
        return [condition.label for condition in self.conditions]

    def going_on(self, keep_going: bool) -> Self:
        return replace(self, terms=self.terms.going_on(keep_going))

    def player(self, name: str, values: Values) -> Player:
        engine = self.default.engine
        tuned = Named(engine.name, self.space.merged(engine.parameters, values))
        return replace(self.default, name=name, engine=tuned)

    @property
    def round(self) -> int:
        """The number of openings on which every condition has its turn once."""
        return len(self.conditions)
