"""The keys of a tournament's file, as signatures: types, bounds and defaults are theirs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from annotated_types import Ge, Gt, Le

from arena.match.verdicts import MARGIN
from arena.plugins.parameters import parameters

HUGE = 1e100
"""Further out than any parameter: infinity is no end of a range."""
OPPONENT_PAIRS = 100
"""Against each opponent, of the weights found, and of the default ones."""


def run_keys(
    *,
    name: str = "",
    game: Any,
    format: Any = "round_robin",
    openings: Any = "random",
    limit: Any = None,
    seed: int = 0,
    rounds: Annotated[int, Ge(1), Le(10**6)] = 1,
    max_plies: Annotated[int, Ge(1)] | None = None,
    margin: Annotated[float, Ge(0), Le(60)] = MARGIN,
    hang: Annotated[float, Gt(0), Le(10**6)] = 60.0,
    memory: Annotated[int, Ge(64), Le(10**6)] = 4096,
    engines: list[Any],
) -> None:
    """The keys of a tournament's file, with their types and defaults."""


def tuning_keys(
    *,
    name: str = "",
    game: Any,
    engine: Any,
    parameters: Any,
    opponents: list[Any] | None = None,
    method: Any = "surface",
    budget: Annotated[int, Ge(2), Le(10**8)] = 20_000,
    games: Annotated[int, Ge(2), Le(10**6)] | None = None,
    lag: Annotated[int, Ge(1), Le(1000)] = 4,
    early_stop: Annotated[float, Ge(0), Le(0.5)] = 0.03,
    openings: Any = "random",
    limit: Any = None,
    seed: Annotated[int, Ge(0), Le(2**32 - 1)] = 0,
    max_plies: Annotated[int, Ge(1)] | None = None,
    margin: Annotated[float, Ge(0), Le(60)] = MARGIN,
    hang: Annotated[float, Gt(0), Le(10**6)] = 60.0,
    memory: Annotated[int, Ge(64), Le(10**6)] = 4096,
    verification: Any = None,
) -> None:
    """The keys of a study's file, with their types and defaults."""


def verification_keys(
    *, opponent_pairs: Annotated[int, Ge(10), Le(10**6)] = OPPONENT_PAIRS
) -> None:
    """The keys of a study's `verification`, beside the parameters of `formats/sprt`."""


def axis_keys(
    *,
    low: Annotated[float, Ge(-HUGE), Le(HUGE)] | None = None,
    high: Annotated[float, Ge(-HUGE), Le(HUGE)] | None = None,
    log: bool | None = None,
    step: Annotated[float, Gt(0)] | None = None,
    choices: list[Any] | None = None,
) -> None:
    """The keys of a free parameter; what is not given is as the engine declares it."""


def limit_keys(
    *,
    depth: Annotated[int, Ge(1), Le(1000)] | None = None,
    nodes: Annotated[int, Ge(1), Le(10**15)] | None = None,
    seconds: Annotated[float, Gt(0), Le(10**6)] | None = None,
    clock: Any = None,
) -> None:
    """The keys of a limit."""


def player_keys(*, name: str = "", engine: str, limit: Any = None) -> None:
    """The keys of every entry of `engines`, beside the engine's own parameters."""


def list_keys(*, list: Sequence[str]) -> None:
    """The key of openings that are written out."""


PLAYER_KEYS = {parameter.name for parameter in parameters(player_keys)}
