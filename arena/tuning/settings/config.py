"""A tuning study as frozen values: its keys, with every default filled in."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import Annotated, Any, Literal

from annotated_types import Ge, Gt, Le, MinLen

from arena.plugins.load import Named, factory, module
from arena.tuning.method import Plan, Tuner
from arena.tuning.optuna.sampler import SamplerTuner, make_sampler
from arena.tuning.settings.conditions import Spread
from arena.tuning.settings.proof_config import (
    CONDITION_PAIRS,
    DEFAULT,
    OPPONENT_PAIRS,
    ProofConfig,
)
from arena.tuning.space import PROPOSED_DIGITS, Values
from arena.tuning.trials import BLOCKS

DEFAULT_METHOD = "ascent"
"""The method of a new study whose file names none."""
USERS_STUDY = "optuna.Study"
"""In place of a method: trials that a user's own study of Optuna asks for."""
HUGE = 1e100
"""A bound further out than any parameter: infinity is no end of a range."""


def study_keys(
    *,
    kind: Literal["study"] = "study",
    name: Annotated[str, MinLen(1)] = "",
    engine: Any,
    parameters: Any,
    vary: Any = None,
    opponents: list[Any] | None = None,
    method: Any = DEFAULT_METHOD,
    budget: Annotated[int, Ge(2), Le(10**8)] = 20_000,
    games: Annotated[int, Ge(2), Le(10**6)] | None = None,
    lag: Annotated[int, Ge(1), Le(1000)] = 4,
    early_stop: Annotated[float, Ge(0), Le(0.5)] = 0.03,
    openings: Any = "random",
    seed: Annotated[int, Ge(0), Le(2**32 - 1)] = 0,
    start: Any = None,
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
    """The keys of a free parameter; those not given are as the engine declares them."""


def compares(method: str) -> bool:
    """True if a method's trials are two points that meet; no sampler's, whose name has a dot."""
    return "." not in method and bool(getattr(module("method", method), "COMPARES", False))


@dataclass(frozen=True, slots=True, kw_only=True)
class TuningConfig(ProofConfig):
    """A study, with every default filled in."""

    method: Named
    plan: Plan
    early_stop: float
    """Wilcoxon's p below which a trial that is measured alone ends early; 0: never."""
    start: tuple[Values, ...] = ()
    """Points to be tried after the default; the sampler chooses what they leave out."""

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

    @property
    def is_users(self) -> bool:
        """True if a user's own study of Optuna asks for the trials."""
        return self.method.name == USERS_STUDY

    @property
    def has_sampler(self) -> bool:
        """True if the method is a sampler by the name of its class, which is for players only."""
        return "." in self.method.name and not self.is_users

    @property
    def command(self) -> str:
        """The command, or the function, that tests what was found."""
        return "arena.prove" if self.is_users else "arena tune"

    @property
    def starts(self) -> list[tuple[str, str]]:
        """The condition and the opening of each pair of a match, where all trials share them."""
        spread, openings = self.spread, self.openings.part(0, self.trial_openings)
        return [spread.dealt(openings, i) for i in range(self.plan.games // (2 * self.matches))]

    def tuner(self, digits: int = PROPOSED_DIGITS) -> Tuner:
        """The method, at its start; it proposes floats of this many digits, or if 0, of all."""
        space = replace(self.space, digits=digits)
        tuner: Tuner
        if self.has_sampler:
            tuner = SamplerTuner(space, partial(make_sampler, self.method, self.plan.seed))
        else:
            make_tuner = factory("method", self.method.name)
            tuner = make_tuner(space, self.plan, **self.method.parameters)
        if isinstance(tuner, SamplerTuner):
            tuner.enqueue(self.start)
        return tuner

    @property
    def compares(self) -> bool:
        """True if a trial is two points that meet, rather than one that meets the opponents."""
        return compares(self.method.name)

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
    def openings_used(self) -> int:
        """The number of openings that the trials can use, one after the other."""
        each = self.plan.games // (2 * self.matches)
        if self.is_users:
            return each
        return each * (max(self.plan.trials, 1) if self.compares else BLOCKS)
