"""A tuning study as frozen values, and as the plain data that its folder keeps."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Annotated, Any, Literal

from annotated_types import Ge, Gt, Le, MinLen

from arena.config.changes import decisive, value_changes
from arena.config.settings import (
    Player,
    named_data,
    one_named,
    openings_data,
    player_data,
    player_from_data,
    terms_data,
    terms_from_data,
)
from arena.match.opening import Openings
from arena.match.terms import Terms
from arena.plugins.load import Named, factory, module
from arena.tuning.method import Plan, Tuner
from arena.tuning.space import Axis, Space, Values
from arena.tuning.trials import BLOCKS

DEFAULT, TUNED = "default", "tuned"
"""Names of the engine's players: with the weights it has, and with those found."""
TUNED_FILE = f"{TUNED}.yaml"
"""A tournament of the tuned weights against the default ones, once the gain is proved."""
OPPONENT_PAIRS = 100
"""Default number of pairs of either weights against each opponent."""
HUGE = 1e100
"""A bound further out than any parameter: infinity is no end of a range."""


def study_keys(
    *,
    kind: Literal["study"] = "study",
    name: Annotated[str, MinLen(1)] = "",
    engine: Any,
    parameters: Any,
    opponents: list[Any] | None = None,
    method: Any = "surface",
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
    *, opponent_pairs: Annotated[int, Ge(10), Le(10**6)] = OPPONENT_PAIRS
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

    @property
    def default(self) -> Player:
        """The engine as it is now."""
        return self.players[0]

    @property
    def opponents(self) -> tuple[Player, ...]:
        """The players that the config names beside the engine itself."""
        return self.players[1:]

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
        """The players whom each point of a trial meets; none where two points meet each other."""
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
        return each * (max(self.plan.trials, 1) if self.compares else BLOCKS)


def tuning_data(config: TuningConfig) -> dict[str, Any]:
    """The config as its folder keeps it, every default written out."""
    starts = config.openings
    if starts.draws:
        starts = starts.part(0, config.trial_openings)
    return {
        "name": config.name,
        **terms_data(config.terms),
        "openings": openings_data(starts.source),
        "players": [player_data(player) for player in config.players],
        "space": list(map(axis_data, config.space.axes)),
        "method": named_data(config.method),
        "plan": asdict(config.plan),
        "early_stop": config.early_stop,
        "verification": {**config.verification, "opponent_pairs": config.opponent_pairs},
    }


def axis_data(axis: Axis) -> dict[str, Any]:
    """A free parameter; folders of older studies know of none that stand within another."""
    data = asdict(axis) | {"choices": list(axis.choices)}
    return data if axis.within else {key: data[key] for key in data if key != "within"}


def tuning_from_data(data: Mapping[str, Any]) -> TuningConfig:
    """The mirror of `tuning_data`; imports no engine."""
    terms, verification = terms_from_data(data), dict(data["verification"])
    starts = Openings(one_named(data["openings"]), terms.game)
    trial_openings = len(starts) if starts.draws else len(starts) // 2
    if starts.draws:
        starts = starts.part(0, trial_openings + verification["pairs"])
    return TuningConfig(
        name=data["name"],
        terms=terms,
        openings=starts,
        trial_openings=trial_openings,
        players=tuple(map(player_from_data, data["players"])),
        space=Space(
            tuple(Axis(**axis | {"choices": tuple(axis["choices"])}) for axis in data["space"])
        ),
        method=one_named(data["method"]),
        plan=Plan(**data["plan"]),
        early_stop=data["early_stop"],
        opponent_pairs=verification.pop("opponent_pairs"),
        verification=verification,
    )


LATER = ("kind", "remarks", "verification")
"""Parts of the config that may change, since no trial depends on them."""
ADDED_PARTS = {"scale": False}
"""Parts that folders of older studies lack."""


def study_changes(before: dict[str, Any], after: dict[str, Any], played: set[str]) -> Iterator[str]:
    """Changes that would make trials differ, each as `key: old -> new`."""
    before, after = ADDED_PARTS | before, ADDED_PARTS | after
    for part in after:
        if part not in LATER:
            old, new = (decisive_part(part, data.get(part)) for data in (before, after))
            yield from value_changes(part, old, new)


def decisive_part(part: str, value: Any) -> Any:
    """A part of the config, of players without what decides no game."""
    is_players = part == "players" and isinstance(value, list)
    return list(map(decisive, value)) if is_players else value
