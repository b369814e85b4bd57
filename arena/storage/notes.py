"""What readers of a run's report must know beside its numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from arena.config.settings import Config
from arena.storage.history import Session, load_text


def notes_of(config: Config, sessions: Sequence[Session], uncounted: int) -> Iterator[str]:
    """One sentence each; `uncounted` games are kept that the schedule has no place for."""
    if is_timed(config):
        load = f" ({load_text(list(sessions))})" if sessions else ""
        yield f"Time was limited, so that results depend on the machine and its load{load}."
    if uncounted:
        games = "games are" if uncounted > 1 else "game is"
        yield (
            f"{uncounted} more {games} kept but not counted: under way as a test was decided, or "
            "of players, openings or pairs that the config has no longer."
        )


def is_timed(config: Config) -> bool:
    """Whether time is limited for any player: then no game need come out the same."""
    limits = [player.limit or config.limit for player in config.players]
    return any(limit.seconds is not None or limit.time_left is not None for limit in limits)
