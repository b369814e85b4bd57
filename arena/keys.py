"""The keys of a tournament's file, as signatures: types, bounds and defaults are theirs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from annotated_types import Ge, Gt, Le

from arena.clock import MARGIN
from arena.parameters import parameters


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
