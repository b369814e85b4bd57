"""A game in play as a page shows it: plain data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from arena.game import Forbids, Outcome, Position
from arena.human.parts import job_of, limits_after
from arena.human.setup import Setup
from arena.human.take_back import Note, thoughts
from arena.match.play import moves_text
from arena.match.record import GameRecord, record
from arena.report.page.games import Played, games_data

Phase = Literal["prepares", "yours", "thinks", "advises", "over", "left", "asleep", "failed"]
"""The state of a game: an engine gets ready, a person is to move, an engine thinks of its move or
of a hint; it is over, was left, or rests until it is wanted again; or it could not be played."""

WHY_FORBIDDEN: Mapping[str, str] = {
    "overline": "it would make six or more in a row",
    "double-four": "it would make two fours at once",
    "double-three": "it would make two open threes at once",
}
"""Black's fouls in words; exactly five in a row would be no foul."""


def view(
    setup: Setup,
    p: Position,
    notes: Sequence[Note],
    phase: Phase,
    result: GameRecord | None,
) -> dict[str, Any]:
    """The game so far, in the form of the viewer's data, and what can be done now."""
    is_turn = phase == "yours"
    return {
        "phase": phase,
        "turn": p.turn,
        "persons": setup.persons,
        "data": shown_game(setup, p, notes, result),
        "moves": list(setup.game.moves(p)) if is_turn else [],
        "forbidden": forbidden_points(setup, p) if is_turn else [],
        "clocks": [limit.time_left for limit in limits_after(notes, setup.limits)],
    }


def shown_game(
    setup: Setup, p: Position, notes: Sequence[Note], result: GameRecord | None
) -> dict[str, Any]:
    """The game as the viewer has it; one in play has no reason of its end."""
    rules = setup.game
    shown = result or record(
        job_of(setup),
        Outcome(None, "agreement"),
        "",
        moves_text(rules, p.moves),
        ("", ""),
        **thoughts(rules, notes),
    )
    data = games_data({"": rules}, setup.names, [Played(0, 1, shown, 0)], 0)
    (game,) = data["games"]
    # Two players may be of one name.
    game |= {"f": 0, "s": 1} | ({} if result else {"r": ""})
    return data


def forbidden_points(setup: Setup, p: Position) -> list[list[Any]]:
    """The moves that would lose at once, each with its rule and why."""
    if not isinstance(setup.game, Forbids):
        return []
    found = ((move, setup.game.forbidden(p, move)) for move in setup.game.moves(p))
    return [[move, kind, WHY_FORBIDDEN.get(kind, "")] for move, kind in found if kind]
