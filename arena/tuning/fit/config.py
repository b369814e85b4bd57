"""A fit of weights to games as frozen values: its keys, with every default filled in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Annotated, Any, Literal

from annotated_types import Ge, Gt, Le, Lt, MinLen

from arena.config.settings import (
    Config,
    Player,
    limit_data,
    limit_from_data,
    player_data,
    player_from_data,
)
from arena.engine import Limit
from arena.plugins.load import Named
from arena.tuning.settings.proof_config import ProofConfig
from arena.tuning.settings.study_data import proof_data, proof_from_data

MADE = "games"
"""Name of the run of games that are made, and of its folder within the fit's."""


def fit_keys(
    *,
    kind: Literal["fit"],
    name: Annotated[str, MinLen(1)] = "",
    engine: Any,
    parameters: Any = None,
    games: list[Any] | None = None,
    make: Any = None,
    holdout: Annotated[float, Gt(0), Lt(1)] = 0.1,
    score_share: Annotated[float, Ge(0), Le(1)] = 0.0,
    l2: Annotated[float, Ge(0), Le(1e6)] = 1e-5,
    vary: Any = None,
    opponents: list[Any] | None = None,
    openings: Any = "random",
    seed: Annotated[int, Ge(0), Le(2**32 - 1)] = 0,
    verification: Any = None,
) -> None:
    """The keys of a fit's file beside its terms."""


def make_keys(
    *, engines: list[Any], limit: Any = None, games: Annotated[int, Ge(2), Le(10**7)]
) -> None:
    """The keys of `make`."""


@dataclass(frozen=True, slots=True)
class GamesToMake:
    """Games that are played for the fit."""

    players: tuple[Player, ...]
    limit: Limit | None  # None: the test's
    games: int

    @property
    def openings(self) -> int:
        """The openings that all couples of players need for these games, two on each."""
        count = len(self.players)
        return -(-self.games // max(count * (count - 1), 1))


@dataclass(frozen=True, slots=True)
class FitSettings:
    """The way from games to weights."""

    holdout: float  # The share of the openings whose games are held out
    score_share: float
    """The share of a player's score, as an expected result, in what is fitted to; else results."""
    l2: float  # The weakest penalty for a weight that changes by its own size, in nats a position
    seed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FitConfig(ProofConfig):
    """A fit, with every default filled in."""

    games: tuple[str, ...]  # Runs whose games are taken: folders, or names under `results`
    make: GamesToMake | None
    settings: FitSettings
    place_of_games: str = field(default="", compare=False)
    """Place in the file of `games`, or else of `make`, for faults of the games."""
    gone_target: str = ""
    """What an earlier version fitted to in place of results, `moves`: nothing goes on with it."""

    def made(self) -> Config:
        """The run of the games that are made. None of its openings is the test's."""
        assert self.make
        terms = replace(self.terms, limit=self.make.limit or self.terms.limit)
        return Config(
            name=MADE,
            terms=terms,
            format=Named("round_robin"),
            openings=self.for_trials(self.openings).part(0, self.make.openings),
            players=self.make.players,
        )


def fit_data(config: FitConfig) -> dict[str, Any]:
    """The config as its folder keeps it, every default written out."""
    made = None
    if config.make:
        limit = config.make.limit and limit_data(config.make.limit)
        players = list(map(player_data, config.make.players))
        made = {"engines": players, "limit": limit, "games": config.make.games}
    own = {"games": list(config.games), "make": made, "settings": asdict(config.settings)}
    gone = {"target": config.gone_target} if config.gone_target else {}
    return {"kind": "fit", **proof_data(config), **own, **gone}


def fit_from_data(data: Mapping[str, Any]) -> FitConfig:
    """The mirror of `fit_data`; imports no engine."""
    made = data["make"]
    if made:
        players = tuple(map(player_from_data, made["engines"]))
        limit = made["limit"] and limit_from_data(made["limit"])
        made = GamesToMake(players, limit, made["games"])
    return FitConfig(
        **proof_from_data(data),
        games=tuple(data["games"]),
        make=made,
        settings=FitSettings(**data["settings"]),
        gone_target=data.get("target", ""),
    )
