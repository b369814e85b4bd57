"""The settings of a proof of new weights, which a study and a fit share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Self

from arena.config.settings import Player
from arena.match.opening import Openings
from arena.match.terms import Terms
from arena.plugins.load import Named
from arena.tuning.settings.conditions import Condition, Varied, conditions_of, interleaved
from arena.tuning.space import Space, Values

_ENOUGH = 10**6
"""More openings than any test has."""
DEFAULT, TUNED = "default", "tuned"
"""Names of the engine's players: with the weights it has, and with those found."""
TUNED_FILE = f"{TUNED}.yaml"
"""A tournament of the tuned weights against the default ones, once the gain is proved."""
OPPONENT_PAIRS = 100
"""Default number of pairs of either weights against each opponent."""
CONDITION_PAIRS = 100
"""Default number of pairs, at least, of the test under each condition."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProofConfig:
    """The engine, what may change of it, and the test that new weights must pass."""

    name: str
    terms: Terms
    openings: Openings
    """Openings of the search for weights, then those of the test; none is in both."""
    trial_openings: int  # The number of openings that are for the search
    players: tuple[Player, ...]  # The engine with its default weights, and its opponents
    space: Space
    verification: Mapping[str, Any]
    """The parameters of the test that proves a gain: see `formats/sprt`."""
    opponent_pairs: int
    """Pairs against each opponent, of the tuned weights and of the default ones, after the test."""
    varied: Varied = field(default_factory=dict)
    """The values of what varies from condition to condition."""
    condition_pairs: int = CONDITION_PAIRS
    """Pairs under each condition, at least, once the test has found a gain."""
    written: str = field(default="", compare=False, repr=False)
    """The file as its user wrote it; empty if it was made otherwise."""

    @property
    def default(self) -> Player:
        """The engine as it is now."""
        return self.players[0]

    @property
    def opponents(self) -> tuple[Player, ...]:
        """The players that the config names beside the engine itself."""
        return self.players[1:]

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """The conditions; one without a label if nothing varies."""
        return conditions_of(self.varied)

    def for_trials(self, openings: Openings) -> Openings:
        """The part of a source that is for the search."""
        return openings.part(0, self.trial_openings if openings.draws else len(openings) // 2)

    def for_test(self, openings: Openings, count: int) -> Openings:
        """The part of a source that is for the test: `count` openings, if it has them."""
        start = self.trial_openings if openings.draws else len(openings) // 2
        return openings.part(start, count)

    def test_openings(self, count: int, is_seen: Callable[[str], bool] | None = None) -> Openings:
        """The openings of the test, as far as there are, without those that were seen; where they
        vary, each condition's in turn."""
        own = [each.openings for each in self.conditions if each.openings is not None]
        if not own and not is_seen:
            return self.for_test(self.openings, count)
        reach = _ENOUGH if is_seen else count
        sources = [self.for_test(each, reach) for each in own or [self.openings]]
        return interleaved(sources, count, is_seen)

    @property
    def labels(self) -> list[str]:
        """The labels of the conditions."""
        return [condition.label for condition in self.conditions]

    def going_on(self, keep_going: bool) -> Self:
        """The config, or a copy of it that is to keep going."""
        return replace(self, terms=self.terms.going_on(keep_going))

    def player(self, name: str, values: Values) -> Player:
        """The engine with other weights."""
        engine = self.default.engine
        tuned = Named(engine.name, self.space.merged(engine.parameters, values))
        return replace(self.default, name=name, engine=tuned)

    @property
    def round(self) -> int:
        """The number of openings on which every condition has its turn once."""
        return len(self.conditions)
