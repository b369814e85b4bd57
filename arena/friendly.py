"""One game outside any tournament."""

from __future__ import annotations

from contextlib import ExitStack, closing

from arena.engine import Limit
from arena.faults import ConfigError
from arena.game import Game
from arena.load import load_engine, load_game
from arena.match import GameRecord, Job, Watch, place_opening, play_game


def play(
    game: str | Game,
    first: str,
    second: str,
    *,
    opening: str = "",
    limit: Limit | None = None,
    seed: int = 0,
    max_plies: int | None = None,
    watch: Watch | None = None,
) -> GameRecord:
    """Play one game: `play("gomoku:size=15", "five_tuple:depth=4", "random_mover", seed=1)`.

    `watch` sees every position from the opening on. ConfigError if a name, a parameter or the
    opening is wrong; whatever an engine does wrong later is in the record.
    """
    rules = load_game(game) if isinstance(game, str) else game
    try:
        place_opening(rules, opening)
    except ValueError as error:
        raise ConfigError(f"opening {opening!r}: {error}") from None
    with ExitStack() as stack:
        engines = (
            stack.enter_context(closing(load_engine(first, rules))),
            stack.enter_context(closing(load_engine(second, rules))),
        )
        return play_game(
            rules,
            engines,
            Job(first, second, opening=opening, seed=seed),
            limits=(limit or Limit(),) * 2,
            max_plies=max_plies,
            watch=watch,
        )
