"""A single game, outside any tournament."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from html import escape
from typing import Any

from arena.config.settings import AnyLimit, limit_of
from arena.coordinates import Coordinates
from arena.engine import Conditions, Engine, Limit
from arena.errors import ConfigError
from arena.game import Game
from arena.match.opening import fault_of
from arena.match.play import Spectator, play_game
from arena.match.record import GameRecord, job_of, summary
from arena.match.terms import Terms
from arena.plugins.build import close_engine, load_engine
from arena.plugins.load import Named, load_game, named_of


@dataclass(frozen=True, slots=True)
class SingleGame(GameRecord):
    """A record with the rules that the game was played by, so that notebooks can show it."""

    rules: Game = field(kw_only=True, repr=False, compare=False)

    def _repr_html_(self) -> str:
        from arena.report.page.board import draw_game

        board, moves = (
            draw_game(self, self.rules).svg,
            Coordinates(self.rules.size).text(self.moves),
        )
        return f"<p><b>{escape(summary(self))}</b></p>\n{board}\n<p>{escape(moves)}</p>"


def play(
    game: str | Mapping[str, Any] | Game,
    first: Any,
    second: Any,
    *,
    opening: str = "",
    limit: AnyLimit | None = None,
    seed: int = 0,
    max_plies: int | None = None,
    watch: Spectator | None = None,
) -> SingleGame:
    """Play one game: `play("gomoku:size=15", "five_tuple:depth=4", "random_mover", seed=1)`.

    `watch` is called with every position from the opening on. Raises ConfigError if a name, a
    parameter or the opening is wrong. Later faults of an engine are in the record.
    """
    rules = load_game(game) if isinstance(game, str | Mapping) else game
    limit = Limit() if limit is None else limit_of(limit)
    terms = Terms(game=Named(rules.name), limit=limit, seed=seed, max_plies=max_plies)
    if message := fault_of(rules, opening, terms):
        raise ConfigError(message)
    conditions = Conditions(limit, terms.margin, terms.hang, terms.memory)
    players = first, second
    named = [each if isinstance(each, str) else named_of("engine", each) for each in players]
    names, engines = list(map(str, named)), list[Engine]()
    try:
        for each in named:
            engines.append(load_engine(each, rules, conditions))
        found = play_game(
            rules,
            (engines[0], engines[1]),
            job_of((names[0], names[1], opening, 1), seed),
            limits=(limit, limit),
            terms=terms,
            watch=watch,
        )
        return SingleGame(*(getattr(found, each.name) for each in fields(found)), rules=rules)
    finally:
        for name, engine in zip(names, engines, strict=False):
            close_engine(engine, name)
