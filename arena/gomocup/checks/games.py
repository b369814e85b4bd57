"""Whole games, by the player of tournaments: what fails late in one, or only in a later one."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from random import Random

from arena.engine import Conditions, Limit, ProgramError
from arena.game import Position
from arena.gomocup.check import (
    Check,
    Finding,
    Lack,
    Subject,
    UnmetError,
    defending_move,
    game_under,
    random_position,
)
from arena.gomocup.protocol import RULES, Settings
from arena.gomocup.talk.checked_game import plain_words, restart_of, slow_cure
from arena.gomocup.talk.player import Brain
from arena.gomocup.transcript import Entry, folded, is_slow

STONES_AT_FIRST = 4


def checks(_: Subject) -> tuple[Check, ...]:
    return (Check("whole games", "mandatory", _played_out),)


def _played_out(subject: Subject) -> Finding:
    """Play with each colour against a player that lets no five be made, and against itself."""
    game, now = game_under(subject.rule, subject.size), time.monotonic()
    # What is begun may take as long as a start and a move.
    last = subject.end - subject.allowance.startup - subject.patience
    end = min(now + subject.allowance.games, max(last, now))
    first, later = (random_position(game, n, seed=n) for n in (1, STONES_AT_FIRST))
    one, other = _CheckedPlayer(subject), _CheckedPlayer(subject)
    with closing(one.brain), closing(other.brain):
        one.start()
        other.start()
        for opponent, p in ((None, game.start()), (None, first), (other, later)):
            try:
                one.play(opponent, p, end)
            except ProgramError:
                one.play(opponent, p, end)
    if (over := time.monotonic()) < end:
        return Finding()
    return Finding(said=f"not to their end, within {over - now:.0f} s")


class _CheckedPlayer:
    """Holds the brain as tournaments have it, and all that was said."""

    def __init__(self, subject: Subject) -> None:
        self.limit = Limit(seconds=subject.seconds)
        self._game = game_under(subject.rule, subject.size)
        self._subject, allowance, self._talk = subject, subject.allowance, list[Entry]()
        settings = Settings(
            subject.command, subject.folder, subject.info, board=False,
            fresh=restart_of(subject).grade != "pass", knock=False,
            startup=allowance.startup, exit=allowance.exit, newline=subject.newline,
            owners=False, pattern=None, patience=subject.patience,
        )  # fmt: skip
        margin, memory = allowance.margin, subject.memory
        self._conditions = Conditions(self.limit, margin, memory=memory, talk=self._hear)
        self.brain = Brain(self._game, RULES[subject.rule], settings)

    def start(self) -> None:
        with self._judged("before its first game"):
            self.brain.start(self._conditions)

    def play(self, other: _CheckedPlayer | None, p: Position, end: float) -> None:
        """Play a game from a position to its end, or to this time; None is the defending player.

        Raises UnmetError if a tournament would end it by a fault, and ProgramError if it would play
        it again in a new process.
        """
        random, seats = Random(self._game.size), {p.turn: self, 3 - p.turn: other}
        subject = self._subject
        opponent = "itself" if other else "a player that defends itself"
        for player in filter(None, seats.values()):
            with player._judged("before a game"):
                player.brain.new_game(0)
        while not self._game.outcome(p) and time.monotonic() < end:
            if mover := seats[p.turn]:
                place = f"at its move {p.ply // 2 + 1} of a game against {opponent}"
                with mover._judged(place):
                    began = time.monotonic()
                    move = mover.brain.choose(p, self.limit).move
                took = time.monotonic() - began
                if took > subject.seconds + subject.allowance.margin:
                    words = f"moved after {took:.3f} s, not within {subject.seconds:.3f} s"
                    raise mover._unmet("late", f"{words}, {place}", slow_cure(took))
            else:
                move = defending_move(self._game, p, random)
            if move is None:
                return
            p = self._game.play(p, move)

    @contextmanager
    def _judged(self, place: str) -> Iterator[None]:
        try:
            yield
        except ProgramError as error:
            if error.is_new_game_at_fault:
                raise
            words = plain_words(error)
            is_blind = is_slow(error.reason, words)
            cure = slow_cure(self.brain.settings.patience) if is_blind else ""
            lack: Lack = "late" if error.reason in ("time", "hang") else "answer"
            raise self._unmet(lack, f"{words}, {place}", cure) from None

    def _unmet(self, lack: Lack, words: str, cure: str) -> UnmetError:
        sent = next((each.line for each in reversed(self._talk) if each.mark == ">"), b"")
        expected = "an answer that goes on with the game"
        talk = folded(self._talk)
        return UnmetError(lack, Finding("fail", sent.decode(), f"({words})", expected, cure, talk))

    def _hear(self, mark: str, data: bytes) -> None:
        self._talk += (Entry(mark, line) for line in data.splitlines() if line.strip())
