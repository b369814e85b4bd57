"""A tuning study as frozen values: its keys, with every default filled in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, Literal

from annotated_types import Ge, Gt, Le, MinLen

from arena.config.settings import Player
from arena.match.opening import Openings
from arena.match.terms import Terms
from arena.plugins.load import Named, factory, module
from arena.tuning.aim import Aggregate, Aim, Mean, Worst
from arena.tuning.method import Plan, Tuner
from arena.tuning.settings.conditions import Condition, Spread, Varied, conditions_of, interleaved
from arena.tuning.space import Space, Values
from arena.tuning.trials import BLOCKS

DEFAULT, TUNED = "default", "tuned"
"""Names of the engine's players: with the weights it has, and with those found."""
TUNED_FILE = f"{TUNED}.yaml"
"""A tournament of the tuned weights against the default ones, once the gain is proved."""
OPPONENT_PAIRS = 100
"""Default number of pairs of either weights against each opponent."""
CONDITION_PAIRS = 100
"""Default number of pairs, at least, of the test under each condition."""
DEFAULT_METHOD = "ascent"
"""The method of a new study whose file names none."""
HUGE = 1e100
"""A bound further out than any parameter: infinity is no end of a range."""


def study_keys(
    *,
    kind: Literal["study"] = "study",
    name: Annotated[str, MinLen(1)] = "",
    engine: Any,
    parameters: Any,
    vary: Any = None,
    aim: Aim = "mean",
    opponents: list[Any] | None = None,
    method: Any = DEFAULT_METHOD,
    budget: Annotated[int, Ge(2), Le(10**8)] = 20_000,
    games: Annotated[int, Ge(2), Le(10**6)] | None = None,
    lag: Annotated[int, Ge(1), Le(1000)] = 4,
    early_stop: Annotated[float, Ge(0), Le(0.5)] = 0.03,
    openings: Any = "random",
    seed: Annotated[int, Ge(0), Le(2**32 - 1)] = 0,
    verification: Any = None,
) -> None:
    """The keys of a study's file beside its terms; a seed of random numbers has bounds."""


def verification_keys(
    *,
    opponent_pairs: Annotated[int, Ge(10), Le(10**6)] = OPPONENT_PAIRS,
    condition_pairs: Annotated[int, Ge(10), Le(10**6)] = CONDITION_PAIRS,
) -> None:
    """The keys of a study's `verification`, beside the parameters of `formats/sprt`."""


def axis_keys(
    *,
    low: Annotated[float, Ge(-HUGE), Le(HUGE)] | None = None,
    high: Annotated[float, Ge(-HUGE), Le(HUGE)] | None = None,
    log: bool | None = None,
    step: Annotated[float, Gt(0), Le(HUGE)] | None = None,
    choices: list[Any] | None = None,
) -> None:
    """The keys of a free parameter; what is not given is as the engine declares it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TuningConfig:
    """A study, with every default filled in."""

    name: str
    terms: Terms
    openings: Openings
    """Openings of the trials, then those of the test; none is in both."""
    trial_openings: int
    """The number of openings that are for trials."""
    players: tuple[Player, ...]
    """The engine with its default weights, and its opponents."""
    space: Space
    method: Named
    plan: Plan
    early_stop: float
    """Wilcoxon's p below which a trial that is measured alone ends early; 0: never."""
    verification: Mapping[str, Any]
    """The parameters of the test that proves a gain: see `formats/sprt`."""
    opponent_pairs: int
    """Pairs against each opponent, of the tuned weights and of the default ones, after the test."""
    varied: Varied = field(default_factory=dict)
    """The values of what varies from condition to condition."""
    aim: Aim = "mean"
    """The gain to be as large as can be: the mean of all conditions, or the least of them."""
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

    @property
    def spread(self) -> Spread:
        """The conditions as the trials have them: with their part of the openings."""
        return Spread(
            [
                replace(each, openings=each.openings and self.for_trials(each.openings))
                for each in self.conditions
            ],
            self.plan.seed,
        )

    def for_trials(self, openings: Openings) -> Openings:
        """The part of a source that is for trials."""
        return openings.part(0, self.trial_openings if openings.draws else len(openings) // 2)

    def for_test(self, openings: Openings, count: int) -> Openings:
        """The part of a source that is for the test: `count` openings, if it has them."""
        start = self.trial_openings if openings.draws else len(openings) // 2
        return openings.part(start, count)

    def test_openings(self, count: int) -> Openings:
        """The openings of the test; where they vary, each condition's in turn."""
        own = [each.openings for each in self.conditions if each.openings is not None]
        if not own:
            return self.for_test(self.openings, count)
        return interleaved([self.for_test(each, count) for each in own], count)

    @property
    def labels(self) -> list[str]:
        """The labels of the conditions."""
        return [condition.label for condition in self.conditions]

    @property
    def aggregate(self) -> Aggregate:
        """The way to one answer from all conditions."""
        if self.aim == "mean":
            return Mean()
        models = {} if not self.compares else {c.label: self.model() for c in self.conditions}
        return Worst(models)

    def model(self) -> Tuner:
        """A model of what is gained under one condition; it asks for nothing."""
        model: Tuner = factory("method", "surface")(self.space, self.plan)
        return model

    def going_on(self, keep_going: bool) -> TuningConfig:
        """The study, or a copy of it that is to keep going."""
        return replace(self, terms=self.terms.going_on(keep_going))

    def player(self, name: str, values: Values) -> Player:
        """The engine with other weights."""
        engine = self.default.engine
        tuned = Named(engine.name, self.space.merged(engine.parameters, values))
        return replace(self.default, name=name, engine=tuned)

    def tuner(self) -> Tuner:
        """The method, at its start."""
        tuner: Tuner = factory("method", self.method.name)(
            self.space, self.plan, **self.method.parameters
        )
        return tuner

    @property
    def compares(self) -> bool:
        """True if a trial is two points that meet, rather than one that meets the opponents."""
        return bool(getattr(module("method", self.method.name), "COMPARES", False))

    @property
    def rivals(self) -> list[str]:
        """The players that each point of a trial meets; none where two points meet each other."""
        named = [player.name for player in self.opponents]
        return named if named or self.compares else [DEFAULT]

    @property
    def matches(self) -> int:
        """The number of matches of a trial on each opening."""
        return len(self.rivals) * (1 + self.compares) or 1

    @property
    def round(self) -> int:
        """The number of openings on which a trial has every condition once."""
        return len(self.conditions)

    @property
    def openings_used(self) -> int:
        """The number of openings that the trials can use, one after the other."""
        each = self.plan.games // (2 * self.matches)
        return each * (max(self.plan.trials, 1) if self.compares else BLOCKS)
