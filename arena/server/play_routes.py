"""The routes of games that people play."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.server.play_tables import Tables

if TYPE_CHECKING:
    from starlette.routing import Route


def play_routes(tables: Tables) -> list[Route]:
    """All of them."""
    return []
