"""A tuning study as frozen values, and as the plain data that its folder keeps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from arena.config.settings import Config, Player, from_data, to_data
from arena.plugins.load import Named, factory, module
from arena.tuning.method import Plan, Tuner
from arena.tuning.space import Axis, Space, Values
from arena.tuning.trials import BLOCKS

DEFAULT, TUNED = "default", "tuned"
"""What the engine's players are called: with the weights it has, and with those found."""


@dataclass(frozen=True, slots=True)
class TuningConfig:
    """A study, with every default filled in."""

    base: Config
    """What every game of it has in common; its players are the default, and the opponents."""
    space: Space
    method: Named
    plan: Plan
    early_stop: float
    """Wilcoxon's p below which a trial that is measured alone ends early; 0: never."""
    verification: Mapping[str, Any]
    """The parameters of the test that proves a gain: see `formats/sprt`."""
    opponent_pairs: int
    """After it, those of the tuned and of the default weights against each opponent."""

    @property
    def default(self) -> Player:
        """The engine as it is now."""
        return self.base.players[0]

    @property
    def opponents(self) -> tuple[Player, ...]:
        """Whom the config names beside the engine itself."""
        return self.base.players[1:]

    def player(self, name: str, values: Values) -> Player:
        """The engine with other weights."""
        engine = Named(self.default.engine.name, {**self.default.engine.parameters, **values})
        return replace(self.default, name=name, engine=engine)

    def tuner(self) -> Tuner:
        """The method, at its start."""
        tuner: Tuner = factory("method", self.method.name)(
            self.space, self.plan, **self.method.parameters
        )
        return tuner

    @property
    def compares(self) -> bool:
        """Whether a trial is two points that meet, rather than one that meets the opponents."""
        return bool(getattr(module("method", self.method.name), "COMPARES", False))

    @property
    def rivals(self) -> list[str]:
        """Whom each point of a trial meets; nobody where two points meet each other."""
        named = [player.name for player in self.opponents]
        return named if named or self.compares else [DEFAULT]

    @property
    def matches(self) -> int:
        """Of a trial, on each opening."""
        return len(self.rivals) * (1 + self.compares) or 1

    @property
    def openings(self) -> Sequence[str]:
        """Those of the trials: of a list, half; the others are for the test at the end."""
        starts = self.base.starts()
        return starts[: len(starts) // 2] if self.base.openings.name == "list" else starts

    @property
    def openings_used(self) -> int:
        """How many openings the trials can use, one after the other."""
        each = self.plan.games // (2 * self.matches)
        return each * (max(self.plan.trials, 1) if self.compares else BLOCKS)


def tuning_data(config: TuningConfig) -> dict[str, Any]:
    """The config as its folder keeps it, every default written out."""
    base = to_data(config.base)
    return {
        **{key: value for key, value in base.items() if key not in ("format", "rounds", "engines")},
        "players": base["engines"],
        "space": [asdict(axis) | {"choices": list(axis.choices)} for axis in config.space.axes],
        "method": {config.method.name: dict(config.method.parameters)},
        "plan": asdict(config.plan),
        "early_stop": config.early_stop,
        "verification": {**config.verification, "opponent_pairs": config.opponent_pairs},
    }


def tuning_from_data(data: Mapping[str, Any]) -> TuningConfig:
    """The mirror of `tuning_data`; imports no engine."""
    rest = {"format": {"round_robin": {}}, "rounds": 1, "engines": data["players"]}
    ((method, parameters),) = data["method"].items()
    verification = dict(data["verification"])
    return TuningConfig(
        base=from_data({**data, **rest}),
        space=Space(
            tuple(Axis(**axis | {"choices": tuple(axis["choices"])}) for axis in data["space"])
        ),
        method=Named(method, parameters),
        plan=Plan(**data["plan"]),
        early_stop=data["early_stop"],
        opponent_pairs=verification.pop("opponent_pairs"),
        verification=verification,
    )
