"""The position that a page looks at: from its moves or a text, to all that the page shows of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from arena.coordinates import written
from arena.errors import ConfigError
from arena.game import Game, Move, Position
from arena.match.play import moves_text
from arena.records.lines import LINE_READERS, LineReader, read_moves
from arena.report.page.games import MoveReader, board_data, won_line
from arena.server.play.live_game import forbidden_points
from arena.server.play.offer import MOST_OPENING, NO_CHOICE, moves_wanted

LONGEST_TEXT = 10_000

TEXT_FORMS = {"moves": read_moves, "pos": LINE_READERS["pos"], "offset": LINE_READERS["offset"]}
"""The forms of moves as text, of which only the first has those of pieces."""


def position_wanted(game: Game, wish: Mapping[str, Any]) -> Position:
    """The position that a page wants to look at, by `text` or by `moves`.

    ConfigError if these are none of the game's.
    """
    text = wish.get("text")
    if text is None:
        return position_after(game, moves_wanted(game, wish.get("moves")))
    forms = {"moves": read_moves} if any(game.start().cells) else TEXT_FORMS
    form = forms.get(str(wish.get("form")))
    if not isinstance(text, str) or len(text) > LONGEST_TEXT or form is None:
        raise ConfigError(NO_CHOICE)
    return position_after(game, _moves_of_text(game, form, text)[:MOST_OPENING])


def position_after(game: Game, moves: Sequence[Move]) -> Position:
    """The position after these moves, maybe the last; ConfigError if they cannot be played."""
    p = game.start()
    for move in moves:
        if game.outcome(p):
            raise ConfigError(f"The game is over before move {p.ply + 1}.")
        if not game.is_legal(p, move):
            raise ConfigError(f"{game.text(move)} cannot be played as move {p.ply + 1}.")
        p = game.play(p, move)
    return p


def _moves_of_text(game: Game, read: LineReader, text: str) -> tuple[Move, ...]:
    """The moves of a pasted text; ConfigError if it is none of this form."""
    try:
        if read is read_moves:
            text = " ".join(written(word, game.size) for word in text.split())
        return read(game, text.strip().lower())
    except ValueError as error:
        raise ConfigError(f"These are no moves of the game: {error}.") from None


def shown_position(game: Game, p: Position) -> dict[str, Any]:
    outcome = game.outcome(p)
    found = MoveReader(game).game_so_far("", moves_text(game, p.moves), ())
    k = getattr(game, "k", None)
    if outcome and outcome.reason == "line" and k and p.last is not None:
        found["line"] = won_line(p.cells, game.size, k, p.last)
    return {
        "board": board_data(game),
        "game": found,
        "legal": list(game.moves(p)),
        "forbidden": [] if outcome else forbidden_points(game, p),
        "outcome": {"winner": outcome.winner or 0, "reason": outcome.reason} if outcome else None,
    }
