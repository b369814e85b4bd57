"""A fit of weights to games as frozen values, and the check of its YAML."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Annotated, Any, Literal

from annotated_types import Ge, Gt, Le, Lt, MinLen

from arena.config.reader import Reader
from arena.config.settings import (
    Config,
    Player,
    limit_data,
    limit_from_data,
    player_data,
    player_from_data,
)
from arena.config.yaml_file import ConfigSource, document
from arena.engine import Limit
from arena.plugins.load import Named
from arena.tuning.settings.conditions import ProofConfig
from arena.tuning.settings.config import proof_data, proof_from_data
from arena.tuning.settings.reader import (
    check_depth,
    main_openings,
    read_axes,
    read_opponents,
    read_varied,
    read_verification,
    tuned_player,
    with_openings,
)
from arena.tuning.space import Space

MADE = "games"  # Name of the run of games that are made, and of its folder within the fit's


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
    score_share: float  # The share of a player's score in what is fitted to; else results
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
    gone_target: str = ""  # What an earlier version fitted to, `moves`: nothing goes on with it

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


LEAST_OPPONENTS = 2  # Engines without part in the games that the weights must do well against
GAINED_FROM = "fits gain in their own arena only, unless others that took no part are met"


def read_fit(source: ConfigSource) -> FitConfig:
    """Read a fit from a file or its keys; ConfigError with all faults at once."""
    unlike = "engine", "engines", "a tournament", "run"
    reader = Reader(document(source, unlike))
    config = _config_in(reader)
    check_depth(reader, config.default, config.space.default)
    reader.raise_faults()
    return config


def _config_in(reader: Reader) -> FitConfig:
    """The whole file; worth nothing if there are faults."""
    terms, top = reader.top(fit_keys)
    default = tuned_player(reader, top["engine"], terms.game)
    verification = read_verification(reader, top["verification"])
    varied = read_varied(reader, top["vary"], default, terms, top["parameters"])
    made = _read_make(reader, top["make"], terms.game)
    config = FitConfig(
        name=reader.run_name(top["name"]),
        terms=terms,
        openings=main_openings(reader, top["openings"], terms.game, varied),
        trial_openings=0,
        players=(default, *read_opponents(reader, top["opponents"], terms.game)),
        space=Space(tuple(read_axes(reader, top["parameters"], default))),
        opponent_pairs=verification.pop("opponent_pairs"),
        condition_pairs=verification.pop("condition_pairs"),
        verification=verification,
        varied=varied,
        games=tuple(map(str, top["games"] or ())),
        place_of_games=reader.document.place(("games",) if top["games"] else ("make",)),
        make=made,
        settings=FitSettings(top["holdout"], top["score_share"], top["l2"], top["seed"]),
        written=reader.document.text,
    )
    _check_games(reader, config)
    _check_opponents(reader, config)
    if reader.faults:
        return config
    needed = made.openings if made else 0
    return with_openings(reader, config, needed, needed, "the games to make need")


def _read_make(reader: Reader, value: object, game: Named) -> GamesToMake | None:
    if value is None:
        return None
    keys: dict[str, Any] = reader.fit(make_keys, value, ("make",))
    names, players = set[str](), []
    for i, entry in enumerate(keys.get("engines") or []):
        path = ("make", "engines", i)
        if isinstance(entry, dict):
            players.append(reader.player(entry, game, path, names))
        else:
            reader.fault(f"must be {{name: ..., engine: ...}}, not {entry!r}", path)
    if len(players) < 2 and isinstance(value, dict) and "engines" in value:
        reader.fault("two engines or more make games", ("make", "engines"))
    limit = reader.limit(keys.get("limit"), ("make", "limit"))
    return GamesToMake(tuple(players), limit, keys.get("games") or 2)


def _check_games(reader: Reader, config: FitConfig) -> None:
    if not config.games and not config.make and "engine" in reader.document.data:
        reader.fault("give `games`, a list of runs, or `make`, games to be played", ())


def _check_opponents(reader: Reader, config: FitConfig) -> None:
    keys = reader.document.data
    # A file without `engine` is hardly a fit: that it lacks one is told alone.
    if len(config.opponents) < LEAST_OPPONENTS and "engine" in keys:
        message = f"name {LEAST_OPPONENTS} opponents or more: {GAINED_FROM}"
        reader.fault(message, ("opponents",) if "opponents" in keys else ())
    players = config.make.players if config.make else ()
    makers = [player.engine for player in players if player.engine.name]  # others have a fault
    for i, opponent in enumerate(config.opponents):
        if opponent.engine in makers:
            message = f"{opponent.name} makes the games as well: {GAINED_FROM}"
            reader.fault(message, ("opponents", i))
