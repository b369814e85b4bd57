"""Games in play as text, so that they outlive the server: what they are, and the notes so far."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from arena.config.settings import (
    Player,
    limit_data,
    limit_from_data,
    named_data,
    one_named,
    player_data,
)
from arena.engine import Choice, Limit
from arena.errors import ConfigError
from arena.game import Position
from arena.human.setup import Seated, Setup
from arena.human.take_back import Help, Note
from arena.match.opening import fault_of
from arena.match.play import place_opening
from arena.match.record import GameRecord
from arena.match.terms import Terms
from arena.plugins.load import HUMAN, checked, load_game
from arena.server.play.thinking import choice_of
from arena.storage.folder import keep_text

TIMED_MARGIN = 1.0
"""Seconds over a limit of time that are forgiven here, where a browser and others share the machine
with the engine."""
NOT_THERE = "The engine of this game is not among those that this server was started with."


@dataclass(frozen=True, slots=True)
class Keeper:
    """Functions that keep a game; they are called in the thread that plays it."""

    journal: Callable[[list[Note], Help], object]
    """Keeps a game in play, after each change."""
    archive: Callable[[GameRecord], Mapping[str, Any]]
    """Keeps a game that is over, and tells where."""
    forget: Callable[[], object]
    """Throws away what is kept of it in play."""


def friendly_terms(game: Any, limit: Limit, seed: int = 0) -> Terms:
    """The terms of a game that is played on a page."""
    named = checked("game", game)
    if limit.seconds is None and limit.time_left is None:
        return Terms(game=named, limit=limit, seed=seed)
    return Terms(game=named, limit=limit, seed=seed, margin=TIMED_MARGIN)


def write_journal(file: Path, setup: Setup, notes: Sequence[Note], taken: Help) -> None:
    """Keep a game in play, whole or not at all."""
    kept = {
        "game": named_data(setup.terms.game),
        "players": [each if isinstance(each, str) else player_data(each) for each in setup.players],
        "limit": limit_data(setup.terms.limit),
        "seed": setup.terms.seed,
        "opening": setup.opening,
        "taken": asdict(taken),
        "notes": [note_data(note) for note in notes],
    }
    keep_text(file, json.dumps(kept))


def read_journal(file: Path, known: Iterable[Player]) -> tuple[Setup, list[Note], Help]:
    """A game that was kept in play; ConfigError if it cannot be gone on with.

    Its engines are looked up among those that are known: a file names none by itself.
    """
    try:
        kept = json.loads(file.read_text(encoding="utf-8"))
        players = [known_player(each, known) for each in kept["players"]]
        first, second = players
        terms = friendly_terms(
            one_named(kept["game"]), limit_from_data(kept["limit"]), int(kept["seed"])
        )
        setup = Setup(load_game(terms.game), (first, second), terms, str(kept["opening"]))
        if message := fault_of(setup.game, setup.opening, terms):
            raise ConfigError(message)
        notes = read_notes(setup, kept["notes"])
        return setup, notes, Help(int(kept["taken"]["take_backs"]), int(kept["taken"]["hints"]))
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise ConfigError(f"This game cannot be read any more: {type(error).__name__}") from None


def known_player(data: Any, known: Iterable[Player]) -> Seated:
    """The player that was kept so; ConfigError if there is none like it any more."""
    if data == HUMAN:
        return HUMAN
    for player in known:
        if json.loads(json.dumps(player_data(player))) == data:
            return player
    raise ConfigError(NOT_THERE)


def note_data(note: Note) -> dict[str, Any]:
    """A note as plain data; its position follows from those before."""
    choice = note.choice
    return {
        "move": choice.move,
        "score": choice.score,
        "depth": choice.depth,
        "nodes": choice.nodes,
        "pv": list(choice.pv),
        "info": dict(choice.info),
        "limit": limit_data(note.limit),
        "seconds": note.seconds,
    }


def read_notes(setup: Setup, rows: Sequence[Mapping[str, Any]]) -> list[Note]:
    """The mirror of `note_data`, as long as the game goes on: what ended it is chosen again."""
    notes, p = list[Note](), place_opening(setup.game, setup.opening)
    for row in rows:
        choice: Choice = choice_of(row)
        if choice.move is None or not setup.game.is_legal(p, choice.move):
            break
        after: Position = setup.game.play(p, choice.move)
        moves = " ".join(map(setup.game.text, after.moves))
        if setup.game.outcome(after) or fault_of(setup.game, moves, setup.terms):
            break
        notes.append(Note(p, limit_from_data(row["limit"]), choice, float(row["seconds"])))
        p = after
    return notes
