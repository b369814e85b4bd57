"""Terms of matches that many play by, each under a name: those of Gomocup's leagues.

Sources: gomocup.org/news/gomocup-2024-announcement and live.gomocup.org/schedule (sizes, times of
the final leagues and of the fast one, memory), gomocup.org/results/gomocup-result-2023 (caro: five
exactly, not blocked at both ends, on 15 x 15) and gomocup.org/news/gomocup-2016-announcement
(renju: drawn after 200 moves).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_FINAL = {"limit": {"seconds": 300, "clock": "1000+0"}, "memory": 350}
_FAST = {"limit": {"seconds": 5, "clock": "120+0"}, "memory": 350}

PRESETS: Mapping[str, Mapping[str, Any]] = {
    "gomocup-freestyle": {"game": {"gomoku": {"size": 20, "rule": "freestyle"}}, **_FINAL},
    "gomocup-standard": {"game": {"gomoku": {"size": 15, "rule": "standard"}}, **_FINAL},
    "gomocup-renju": {"game": {"renju": {}}, **_FINAL, "draw_at_empty": 25},
    "gomocup-caro": {"game": {"gomoku": {"size": 15, "rule": "caro_exact"}}, **_FINAL},
    "gomocup-fast": {"game": {"gomoku": {"size": 20, "rule": "freestyle"}}, **_FAST},
}
"""The keys of a file that each stands for."""


def with_preset(name: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """The keys of a preset, with those given in their place; of the same game, each parameter.

    >>> with_preset("gomocup-standard", {"game": {"gomoku": {"size": 19}}})["game"]
    {'gomoku': {'size': 19, 'rule': 'standard'}}
    """
    keys = {**PRESETS[name], **given}
    ((game, parameters),) = PRESETS[name]["game"].items()
    own = {game: None} if keys["game"] == game else keys["game"]
    if isinstance(own, dict) and own.keys() == {game} and isinstance(own[game], dict | None):
        keys["game"] = {game: {**parameters, **(own[game] or {})}}
    return keys
