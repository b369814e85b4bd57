"""Games in play as files, which outlive the server: how they began, and the answers so far."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
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
from arena.engine import Limit, Remark
from arena.errors import ConfigError
from arena.files import read_regular
from arena.game import Move
from arena.human.in_play import Help, Seated, Setup, first_job, game_after
from arena.match.opening import fault_of
from arena.match.opening_rules import check_opening
from arena.match.play import GameInPlay
from arena.match.record import GameRecord, Job, OpeningMade, key
from arena.match.terms import Terms
from arena.plugins.load import HUMAN, checked, load_game
from arena.storage.folder import keep_text

TIMED_MARGIN = 1.0
"""Seconds over a limit of time that are forgiven here, where a browser and others share the machine
with the engine."""
NOT_THERE = "The engine of this game is not among those that this server was started with."


@dataclass(frozen=True, slots=True)
class Storage:
    journal: Callable[[GameInPlay, Help], object]  # Keeps the game in play, after each change
    archive: Callable[[GameRecord], Mapping[str, Any]]
    """Keeps the game once it is over, and tells where."""
    forget: Callable[[], object]  # Throws away the game in play


def friendly_terms(game: Any, limit: Limit, seed: int = 0) -> Terms:
    named = checked("game", game)
    if limit.seconds is None and limit.time_left is None:
        return Terms(game=named, limit=limit, seed=seed)
    return Terms(game=named, limit=limit, seed=seed, margin=TIMED_MARGIN)


def write_journal(file: Path, setup: Setup, play: GameInPlay, taken: Help) -> None:
    """Keep a game in play, whole or not at all."""
    kept = {
        "game": named_data(setup.terms.game),
        "players": [each if isinstance(each, str) else player_data(each) for each in setup.players],
        "limit": limit_data(setup.terms.limit),
        "seed": setup.terms.seed,
        "opening": setup.opening,
        "job": asdict(play.job),
        "taken": asdict(taken),
        "answers": [[move, *said] for move, said in play.answers],
    }
    keep_text(file, json.dumps(kept))


def read_journal(file: Path, known: Iterable[Player]) -> tuple[Setup, GameInPlay, Help]:
    """A game that was kept in play, as `game_after` has it.

    Its engines are looked up among those that are known: a file names none by itself. Raises
    ConfigError if the game cannot be gone on with.
    """
    try:
        kept = json.loads(read_regular(file))
        players = [_known_player(each, known) for each in kept["players"]]
        first, second = players
        terms = friendly_terms(
            one_named(kept["game"]), limit_from_data(kept["limit"]), int(kept["seed"])
        )
        setup = Setup(load_game(terms.game), (first, second), terms, str(kept["opening"]))
        if message := fault_of(setup.game, setup.opening, terms):
            raise ConfigError(message)
        answers = [_read_answer(*answer) for answer in kept["answers"]]
        play = game_after(setup, answers, _known_job(setup, kept["job"]))
        return setup, play, Help(int(kept["taken"]["take_backs"]), int(kept["taken"]["hints"]))
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise ConfigError(f"This game cannot be read any more: {type(error).__name__}") from None


def _known_job(setup: Setup, data: Mapping[str, Any]) -> Job:
    """The game that was kept so; ValueError or TypeError if it is not one of this setup."""
    made = data["made"] and OpeningMade(**data["made"])
    job = Job(**{**data, "made": made})
    if key(job) != key(first_job(setup)):
        raise ValueError("another game")
    check_opening(job)
    return job


def _known_player(data: Any, known: Iterable[Player]) -> Seated:
    """The player that was kept so; ConfigError if there is none like it any more."""
    if data == HUMAN:
        return HUMAN
    for player in known:
        if json.loads(json.dumps(player_data(player))) == data:
            return player
    raise ConfigError(NOT_THERE)


def _read_answer(
    move: Move, seat: Any, seconds: Any, nodes: Any, depth: Any, score: Any, line: Any, info: Any
) -> tuple[Move, Remark]:
    """An answer that was kept; TypeError or ValueError if it is none."""
    score = None if score is None else int(score)
    said = Remark(int(seat), float(seconds), int(nodes), int(depth), score, str(line), dict(info))
    return move, said
