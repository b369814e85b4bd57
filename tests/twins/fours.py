"""Wins by continuous fours, slowly and by the referee's rules alone."""

from __future__ import annotations

from twins.threats import legal, winning_moves

from arena.game import Game, Move, Position


def check_win(game: Game, p: Position, line: tuple[Move, ...]) -> None:
    """Own moves leave the other side nothing but the reply; the last makes a line.

    Or it is the reply, forbidden to Black.
    """
    player = p.turn
    for number, move in enumerate(line):
        assert game.is_legal(p, move)
        assert not game.outcome(p)
        if p.turn != player:
            threats = winning_moves(game, p, player)
            assert not winning_moves(game, p, 3 - player)
            assert move in threats
            assert len(threats) == 1 or number >= len(line) - 2
        p = game.play(p, move)
    outcome = game.outcome(p)
    assert outcome
    assert outcome.winner == player


def is_forbidden(game: Game, p: Position) -> bool:
    """True if the last move was forbidden to Black."""
    outcome = game.outcome(p)
    return outcome is not None and outcome.reason == "forbidden"


def twin_wins(game: Game, p: Position, fours: int) -> bool:
    """True if at most this number of fours wins, by the referee's rules alone."""
    if winning_moves(game, p, p.turn):
        return True
    theirs = winning_moves(game, p, 3 - p.turn)
    if fours == 0 or len(theirs) > 1:
        return False
    for move in theirs or legal(p):
        after = game.play(p, move)
        threats = [] if game.outcome(after) else winning_moves(game, after, p.turn)
        if len(threats) > 1:
            return True
        if threats:
            replied = game.play(after, threats[0])
            if is_forbidden(game, replied) or twin_wins(game, replied, fours - 1):
                return True
    return False
