"""What a person meets who plays: the talk, the game, and where it is kept."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict

from arena.errors import ConfigError
from arena.human.game import UnfinishedError, sit
from arena.human.player import Talk
from arena.human.terminal import asking
from arena.plugins.load import load_game
from arena.report.board import result_text
from arena.storage.folder import make_folder

if TYPE_CHECKING:
    from arena.engine import Limit

Print = Callable[[str], None]


class Terms(TypedDict):
    """What a game is played on, beside its players."""

    opening: str
    limit: Limit
    seed: int
    max_plies: int | None


def receive(
    game: str,
    players: tuple[str, str],
    terms: Terms,
    results: Path,
    *,
    form: str,
    with_scores: bool,
    leave: Callable[[UnfinishedError], object],
    out: Print,
    err: Print,
) -> None:
    """Play a game in which somebody is `human`, and keep it under `results`.

    The talk goes to `out`, unless what a program reads is wanted there: the moves, or the record.
    `leave` as in `sit`.
    """
    is_board = form == "board"
    say = out if is_board else err
    make_folder(results)  # a fault here should not wait for the end of the game
    talk = Talk(asking(sys.__stdout__ if is_board else sys.__stderr__), say)
    record = sit(load_game(game), *players, talk, **terms, with_scores=with_scores, leave=leave)
    if form == "moves":
        out(record.moves.replace(" ", "\n"))
    (err if form == "moves" else out)(result_text(form, record))
    # The database takes a while to import, in which a person would wait for the first prompt.
    from arena.human.archive import config_of, keep

    try:
        config = config_of(game, *players, record.opening, terms["limit"], terms["max_plies"])
        folder, number = keep(record, config, results)
    except ConfigError:
        err(f"This game could not be kept: {record.moves}")
        raise
    say(f"Kept as game {number} of {folder}; to see it again: arena replay {folder} {number}")
