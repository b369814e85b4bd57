"""A study's settings and its proof's as frozen values, and as the plain data its folder keeps."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal

from annotated_types import Ge, Gt, Le, MinLen

from arena.config.settings import (
    decisive,
    limit_data,
    limit_from_data,
    named_data,
    one_named,
    openings_data,
    player_data,
    player_from_data,
    terms_data,
    terms_from_data,
    value_changes,
)
from arena.errors import ConfigError, Fault, gone_settings
from arena.match.opening import Openings
from arena.match.terms import FREE
from arena.plugins.load import Named, factory, module
from arena.storage.folder import CONFIG, as_config_error, kept_config, kind_of
from arena.tuning.method import Plan, Tuner
from arena.tuning.optuna.sampler import SamplerTuner, make_sampler
from arena.tuning.settings.conditions import (
    CONDITION_PAIRS,
    DEFAULT,
    LIMIT_KEY,
    OPENINGS_KEY,
    OPPONENT_PAIRS,
    ProofConfig,
    Spread,
    Varied,
)
from arena.tuning.space import PROPOSED_DIGITS, Axis, Space, Values
from arena.tuning.trials import BLOCKS

DEFAULT_METHOD = "ascent"  # The method of a new study whose file names none
USERS_STUDY = "optuna.Study"  # A method: a user's own study of Optuna asks for the trials
HUGE = 1e100  # A bound further out than any parameter: infinity is no end of a range


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


def _compares(method: str) -> bool:
    """True if a method's trials are two points that meet; no sampler's, whose name has a dot."""
    return "." not in method and bool(getattr(module("method", method), "COMPARES", False))


@dataclass(frozen=True, slots=True, kw_only=True)
class TuningConfig(ProofConfig):
    """A study, with every default filled in."""

    method: Named
    plan: Plan
    early_stop: float  # Wilcoxon's p below which a trial of one point ends early; 0: never
    start: tuple[Values, ...] = ()  # Points to try after the default, as far as they are given

    @property
    def spread(self) -> Spread:
        conditions = [
            replace(each, openings=each.openings and self.for_trials(each.openings))
            for each in self.conditions
        ]
        return Spread(conditions, self.plan.seed)

    @property
    def is_users(self) -> bool:
        """True if a user's own study of Optuna asks for the trials."""
        return self.method.name == USERS_STUDY

    @property
    def has_sampler(self) -> bool:
        return "." in self.method.name and not self.is_users

    @property
    def command(self) -> str:
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
        return _compares(self.method.name)

    @property
    def rivals(self) -> list[str]:
        """The players that each point of a trial meets; none where two points meet each other."""
        named = [player.name for player in self.opponents]
        return named if named or self.compares else [DEFAULT]

    @property
    def matches(self) -> int:
        return len(self.rivals) * (1 + self.compares) or 1

    @property
    def openings_used(self) -> int:
        each = self.plan.games // (2 * self.matches)
        if self.is_users:
            return each
        return each * (max(self.plan.trials, 1) if self.compares else BLOCKS)


def tuning_data(config: TuningConfig) -> dict[str, Any]:
    search = {
        "method": named_data(config.method),
        "plan": asdict(config.plan),
        "early_stop": config.early_stop,
    }
    start = {"start": [dict(point) for point in config.start]} if config.start else {}
    return {**proof_data(config), **search, **start}


def proof_data(config: ProofConfig) -> dict[str, Any]:
    pairs = {"opponent_pairs": config.opponent_pairs}
    if config.varied:
        pairs["condition_pairs"] = config.condition_pairs
    return {
        "name": config.name,
        **terms_data(config.terms),
        "openings": openings_data(_kept_part(config, config.openings).source),
        "players": [player_data(player) for player in config.players],
        "space": [asdict(axis) | {"choices": list(axis.choices)} for axis in config.space.axes],
        "verification": {**config.verification, **pairs},
        **_vary_data(config),
    }


def _kept_part(config: ProofConfig, openings: Openings) -> Openings:
    """The openings to store: of a source that draws, those for the search, as the test's follow."""
    return config.for_trials(openings) if openings.draws else openings


def _vary_data(config: ProofConfig) -> dict[str, Any]:
    if not config.varied:
        return {}
    data = {key: list(values) for key, values in config.varied.items()}
    if LIMIT_KEY in data:
        data[LIMIT_KEY] = list(map(limit_data, data[LIMIT_KEY]))
    if OPENINGS_KEY in data:
        data[OPENINGS_KEY] = [
            openings_data(_kept_part(config, s).source) for s in data[OPENINGS_KEY]
        ]
    return {"vary": data}


def _varied_from_data(data: Mapping[str, Any], game: Named, pairs: int) -> Varied:
    varied: dict[str, list[Any]] = {key: list(values) for key, values in data.items()}
    if LIMIT_KEY in varied:
        varied[LIMIT_KEY] = list(map(limit_from_data, varied[LIMIT_KEY]))
    if OPENINGS_KEY in varied:
        sources = [Openings(one_named(each), game) for each in varied[OPENINGS_KEY]]
        varied[OPENINGS_KEY] = [
            each.part(0, len(each) + pairs) if each.draws else each for each in sources
        ]
    return varied


def tuning_from_data(data: Mapping[str, Any]) -> TuningConfig:
    """The mirror of `tuning_data`; no engine is imported. ConfigError if a key is gone."""
    led_by = {key: data[key] for key in ("aim", "early_stop") if key in data}
    if messages := list(gone_settings(led_by)):
        raise ConfigError(*(Fault("", message) for message in messages))
    return TuningConfig(
        **proof_from_data(data),
        method=one_named(data["method"]),
        plan=Plan(**data["plan"]),
        early_stop=data["early_stop"],
        start=tuple(map(dict, data.get("start", ()))),
    )


def proof_from_data(data: Mapping[str, Any]) -> dict[str, Any]:
    terms, verification = terms_from_data(data), dict(data["verification"])
    starts = Openings(one_named(data["openings"]), terms.game)
    trial_openings = len(starts) if starts.draws else len(starts) // 2
    if starts.draws:
        starts = starts.part(0, trial_openings + verification["pairs"])
    return {
        "name": data["name"],
        "terms": terms,
        "openings": starts,
        "trial_openings": trial_openings,
        "players": tuple(map(player_from_data, data["players"])),
        "space": Space(
            tuple(Axis(**axis | {"choices": tuple(axis["choices"])}) for axis in data["space"])
        ),
        "opponent_pairs": verification.pop("opponent_pairs"),
        "condition_pairs": verification.pop("condition_pairs", CONDITION_PAIRS),
        "varied": _varied_from_data(data.get("vary", {}), terms.game, verification["pairs"]),
        "verification": verification,
    }


def begun_with(results: Path | None, name: str) -> tuple[Named, int] | None:
    """The method of a study that was begun, and the games of its trials; None of a new one."""
    if results is None:
        return None
    file = results / name / CONFIG
    with as_config_error(file):
        data = kept_config(file.parent) if file.exists() else {}
        is_study = kind_of(data) == "study"
        return (one_named(data["method"]), data["plan"]["games"]) if is_study else None


LATER = ("kind", "verification", *FREE)  # What may change, since no trial depends on it


def study_changes(before: dict[str, Any], after: dict[str, Any], played: set[str]) -> Iterator[str]:
    """Changes that would make trials differ, each as `key: old -> new`."""
    for part in {**after, "vary": None, "start": None}:  # which many studies lack
        if part in LATER:
            continue
        old, new = (_decisive_part(part, data.get(part)) for data in (before, after))
        changes = list(value_changes(part, old, new))
        if [change.partition(":")[0] for change in changes] == ["plan.budget"]:
            is_planned = _compares(one_named(before["method"]).name)
            if not is_planned and new["budget"] >= old["budget"]:
                changes = []
        if changes and part in ("plan", "method"):
            values = ", ".join(f"{axis['name']}: ..." for axis in before["space"])
            changes[-1] += f"; another study can begin with what it found: `start: [{{{values}}}]`"
        yield from changes


def _decisive_part(part: str, value: Any) -> Any:
    """A part of the config, of players without what decides no game."""
    is_players = part == "players" and isinstance(value, list)
    return list(map(decisive, value)) if is_players else value
