"""Wins by fours and live threes, slowly and by the referee's rules; and the kernel's claims."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from twins.boards import random_cells, twin_code

from arena.engine import Limit
from arena.engines.kit.clock import begin
from arena.engines.kit.record import new_board
from arena.engines.kit.shapes.board import put
from arena.engines.kit.shapes.table import moves_of
from arena.engines.kit.threats.prediction import attacks
from arena.game import Game, Move, Position

LIVE_THREE = 6
Line = tuple[Move, ...]


class Attack:
    """Holds a board for the kernel, which tells if the side to move wins, and how."""

    def __init__(self, game: Any, nodes: int = 20_000) -> None:
        self.size = game.size
        self.nodes = nodes
        self.board = new_board(game.size, game.rule, with_classes=True)

    def line(self, p: Position, moves: int) -> Line:
        """The line of a win with at most this number of moves before the five; empty if none."""
        board = self.board
        put(board, p.cells, ())
        begin(board, Limit(nodes=self.nodes))
        if not attacks(board, p.turn - 1, moves):
            return ()
        return moves_of(board["line"], self.size)


def random_position(seed: int, game: Any, stones: int, turn: int = 0) -> Position:
    """A board that neither side has won yet; either is to move, unless one is named."""
    for tried in range(seed, seed + 100_000_000, 1_000_000):
        cells = random_cells(tried, game.size, stones)
        ends = (game.outcome(Position(cells, 3 - s, (m,))) for m, s in enumerate(cells) if s)
        if not any(end and end.reason == "line" for end in ends):
            return Position(cells, turn or random.Random(seed).randint(1, 2))
    raise AssertionError("every board was won")


def board_with(game: Any, black: str, white: str, turn: int = 1) -> Position:
    cells = bytearray(game.size**2)
    for stone, moves in enumerate((black, white), 1):
        for move in moves.split():
            cells[game.parse(move)] = stone
    return Position(bytes(cells), turn)


def legal(p: Position) -> list[Move]:
    return [move for move, stone in enumerate(p.cells) if not stone]


def winning_moves(game: Game, p: Position, player: int) -> list[Move]:
    """The moves that would win at once, were it the player's turn."""
    turned = Position(p.cells, player, p.moves)
    outcomes = {move: game.outcome(game.play(turned, move)) for move in legal(p)}
    return [move for move, end in outcomes.items() if end and end.winner == player]


def check_claim(game: Game, p: Position, moves: int, attack: Attack) -> int:
    """Plays a claimed win against every legal defence; returns how many positions it met.

    Each ends with the attacker as winner, by the referee, after this number of moves, or one more.
    """
    line = attack.line(p, moves)
    assert line, f"{p} is claimed to be won, and then not"
    after, met = game.play(p, line[0]), 1
    end = game.outcome(after)
    if end:
        assert end.winner == p.turn
        return met
    assert moves > 0
    for reply in legal(after):
        answered = game.play(after, reply)
        end = game.outcome(answered)
        if end:
            assert end.winner == p.turn, f"{reply} wins for the defender"
        else:
            met += check_claim(game, answered, moves - 1, attack)
    return met


def check_line(game: Game, p: Position, line: Line) -> None:
    """A line of play is legal to its end, which the attacker wins."""
    player = p.turn
    for move in line:
        assert not game.outcome(p)
        assert game.is_legal(p, move)
        p = game.play(p, move)
    end = game.outcome(p)
    assert end
    assert end.winner == player


def twin_wins(game: Any, p: Position, moves: int) -> bool:
    """True if fours and live threes win with at most this number of moves before the five.

    Every reply is tried to every move that makes a live three or more, or blocks a five.
    """
    if winning_moves(game, p, p.turn):
        return True
    theirs = winning_moves(game, p, 3 - p.turn)
    if moves == 0 or len(theirs) > 1:
        return False
    return any(
        wins_after(game, game.play(p, move), lambda q: twin_wins(game, q, moves - 1))
        for move in theirs or legal(p)
        if theirs or is_threat(game, p, move)
    )


def wins_after(game: Game, p: Position, goes_on: Callable[[Position], bool]) -> bool:
    """True if the side that has just moved wins against every reply."""
    end = game.outcome(p)
    if end:
        return end.winner == 3 - p.turn
    for reply in legal(p):
        answered = game.play(p, reply)
        end = game.outcome(answered)
        if end:
            if end.winner != 3 - p.turn:
                return False
        elif not goes_on(answered):
            return False
    return True


def is_threat(game: Any, p: Position, move: Move) -> bool:
    """True if a stone makes a live three or more, by the shapes' twin."""
    codes = (twin_code(p.cells, game.size, move, d, p.turn - 1, game.rule) for d in range(4))
    return max(codes) >= LIVE_THREE


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


def twin_fours(game: Game, p: Position, fours: int) -> bool:
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
            end = game.outcome(replied)
            if (end and end.reason == "forbidden") or twin_fours(game, replied, fours - 1):
                return True
    return False
