"""A single game outside any tournament, and a stored game once more."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, field, fields
from html import escape
from pathlib import Path
from typing import Any

from arena.config.settings import AnyLimit, limit_of, to_data
from arena.coordinates import Coordinates
from arena.engine import Conditions, Engine, Limit
from arena.errors import ConfigError
from arena.game import Game, Position
from arena.match.adjudication import draw_after
from arena.match.opening import fault_of
from arena.match.play import Spectator, play_game
from arena.match.record import GameRecord, job_of, key, summary
from arena.match.terms import Terms
from arena.plugins.build import close_engine, load_engine
from arena.plugins.load import HUMAN, IMPORTED, Named, load_game, named_of
from arena.storage.database import Store
from arena.storage.folder import DATABASE, as_config_error, read_store
from arena.storage.history import changed_files, with_digests
from arena.tournament.run import Run
from arena.workers.logs import logging_to
from arena.workers.pool import Local
from arena.workers.referee import Referee

BY_RULE = ("line", "forbidden", "few pieces", "no move", "full board", "repetition")
"""Reasons that the moves alone show."""


def find_game(run: Run, number: int) -> GameRecord:
    """A game of a run by its number in the report; ConfigError if none has it."""
    games = dict(run.records())
    if number not in games:
        known = f"the last one is game {max(games)}" if games else "no game was played yet"
        raise ConfigError(f"there is no game {number} in {run.folder}; {known}")
    return games[number]


def last_position(game: Game, moves: str) -> Position:
    """The position after these moves; ValueError if one is not legal, or comes after the end."""
    p = game.start()
    for text in moves.split():
        move = game.parse(text)
        if game.outcome(p) or not game.is_legal(p, move):
            raise ValueError(f"{text} cannot be played after {p.ply} moves")
        p = game.play(p, move)
    return p


def rules_difference(game: Game, record: GameRecord) -> str | None:
    try:
        p = last_position(game, record.moves)
    except ValueError as error:
        return f"by the rules, {error}"
    outcome = game.outcome(p) or draw_after(game, p)
    if record.reason in BY_RULE or outcome:
        ending = (outcome.winner, outcome.reason) if outcome else None
        if ending != (record.winner, record.reason):
            return f"by the rules, its end is {outcome}"
    return None


def unrepeatable(run: Run, record: GameRecord) -> str | None:
    players = {player.name: player for player in run.config.players}
    both = [players[name] for name in (record.first, record.second)]
    engines = {player.engine.name for player in both}
    if IMPORTED in engines:
        return "it was imported, and its players are not known here"
    if HUMAN in engines:
        return "a person played"
    if any(player.limit_in(run.config.terms).is_timed for player in both):
        return "time was limited"
    return None


def play_again(run: Run, record: GameRecord) -> GameRecord:
    """Play the job again, by its engines, in a worker that they may take down."""
    job = job_of(key(record), record.seed)
    referee = Referee(run.config.terms, run.config.players)
    with closing(referee), logging_to(Path(os.devnull)) as log:
        (again,) = Local(1).play([job], referee, log)
    return again


def edits(run: Run, record: GameRecord) -> str:
    facts, both = read_store(run.folder, Store.facts) or {}, (record.first, record.second)
    players = [entry for entry in to_data(run.config)["engines"] if entry["name"] in both]
    now = {entry["name"]: with_digests(entry) for entry in players}
    with as_config_error(run.folder / DATABASE):
        changes = [
            (entry["name"], changed_files(entry, now[entry["name"]]))
            for entry in facts.get("engines", [])
            if entry["name"] in now
        ]
    return "".join(
        f"; the code of {name} has changed since: {', '.join(files)}"
        for name, files in changes
        if files
    )


def difference(before: GameRecord, after: GameRecord) -> str | None:
    old, new = before.moves.split(), after.moves.split()
    for ply, (then, now) in enumerate(zip(old, new, strict=False), start=1):
        if then != now:
            return f"move {ply} was {then}, and is now {now}"
    if len(old) != len(new):
        return f"it had {len(old)} moves, and has now {len(new)}"
    if before.first != after.first:
        return f"{before.first} had Black, and now {after.first}"
    if (before.winner, before.reason) != (after.winner, after.reason):
        return f"it ended by {before.reason}, and ends now by {after.reason}"
    return None


@dataclass(frozen=True, slots=True)
class SingleGame(GameRecord):
    """A record with the rules that the game was played by, so that notebooks can show it."""

    rules: Game = field(kw_only=True, repr=False, compare=False)

    def _repr_html_(self) -> str:
        from arena.report.page.games import draw_game

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
        played = play_game(
            rules,
            (engines[0], engines[1]),
            job_of((names[0], names[1], opening, 1), seed),
            limits=(limit, limit),
            terms=terms,
            watch=watch,
        )
        return SingleGame(*(getattr(played, each.name) for each in fields(played)), rules=rules)
    finally:
        for name, engine in zip(names, engines, strict=False):
            close_engine(engine, name)
