"""A game in play as a page shows it: plain data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from arena.game import Forbids, Game, Position
from arena.human.in_play import Setup, persons_at
from arena.match.opening_rules import due, opening_text
from arena.match.play import GameInPlay, moves_text
from arena.match.record import GameRecord
from arena.report.page.games import MoveReader, board_data

Phase = Literal["prepares", "yours", "thinks", "advises", "over", "left", "asleep", "failed"]
"""The state of a game: an engine gets ready, a person is to move, an engine thinks of its move or
of a hint; it is over, was left, or rests until it is wanted again; or it could not be played."""

WHY_FORBIDDEN: Mapping[str, str] = {
    "overline": "it would make six or more in a row",
    "double-four": "it would make two fours at once",
    "double-three": "it would make two open threes at once",
}
"""Black's fouls in words; exactly five in a row would be no foul."""


def view(setup: Setup, play: GameInPlay, phase: Phase, result: GameRecord | None) -> dict[str, Any]:
    """The game so far, in the form of the viewer's data, and what can be done now."""
    is_turn = phase == "yours"
    return {
        "phase": phase,
        "turn": play.p.turn,
        "persons": persons_at(setup, play.job),
        "opens": play.is_open,
        "answers": [
            {"stones": each.stones, "wish": each.wish, "button": each.button}
            for each in due(play.job)
        ],
        "made": opening_text(play.job),
        "data": _shown_game(play, result),
        "moves": list(play.game.moves(play.p)) if is_turn else [],
        "forbidden": forbidden_points(play.game, play.p) if is_turn else [],
        "clocks": [clock.limit.time_left for clock in play.clocks],
    }


def _shown_game(play: GameInPlay, result: GameRecord | None) -> dict[str, Any]:
    """The game as the viewer has it; one in play has no reason of its end."""
    reader, job = MoveReader(play.game), play.job
    moves = moves_text(play.game, play.p.moves)
    found = reader.game(result) if result else reader.game_so_far(job.opening, moves, play.remarks)
    return {
        "runs": [""],
        "boards": [board_data(play.game)],
        # Two players may be of one name.
        "players": [job.first, job.second],
        "games": [{"n": 1, "run": 0, "b": 0, "f": 0, "s": 1, "oid": 0, **found}],
        "left_out": 0,
        "scales": [None, None],
    }


def forbidden_points(game: Game, p: Position) -> list[list[Any]]:
    """The moves that would lose at once, each with its rule and why."""
    if not isinstance(game, Forbids):
        return []
    found = ((move, game.forbidden(p, move)) for move in game.moves(p))
    return [[move, kind, WHY_FORBIDDEN.get(kind, "")] for move, kind in found if kind]
