"""The engines of a game on the page: they think in a process of its own, and are judged."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from time import perf_counter

from arena.config.settings import Player
from arena.coordinates import Coordinates
from arena.errors import ConfigError
from arena.game import Move, Position
from arena.human.game import adviser_of, hint_text, no_adviser
from arena.human.in_play import Setup, is_human, limit_of, player_of, seat_name
from arena.match.play import GameInPlay, move_text
from arena.match.record import swapped
from arena.match.terms import Clock
from arena.match.verdicts import GRACE, KILLED_FROM_OUTSIDE, Verdict, crashed, not_built, unanswered
from arena.server.engine_process import BUILDING, DeathError, EngineProcess, SilenceError, WakeUp
from arena.server.play.engine_tasks import READY, Answer, Task, Thought, think

LONGEST_REASON = 300
ADVISER = "adviser"
"""The adviser's name in the process; those of the others are the numbers of their seats."""


class EngineHost:
    """The process of a game's engines: it is started when it is needed, and again after its end.

    Once its `wake_up` is set, all that is asked for is given up, and the process ended.
    """

    def __init__(self, setup: Setup) -> None:
        self._game = setup.game
        self._terms = setup.terms
        self._adviser = adviser_of(setup)
        self._process = EngineProcess(think, Answer, setup.terms, _engine_players(setup))
        self._told: dict[int, int] = {}
        """The number of the process in which the engine of a seat was told of the game."""
        self._kills = Counter[int]()
        self.wake_up = WakeUp()

    def prepare(self, play: GameInPlay, seat: int) -> None:
        """Tell the engine of a seat of the game, unless it was told; it may lose by what it does.

        Raises ConfigError if it cannot be built for the first time: then the game has no loser.
        """
        while not (self._is_told(seat) or play.outcome or self.wake_up.wait()):
            if self._answer(play, seat, Task(str(seat), play.job.seed + seat), BUILDING):
                self._told[seat] = self._process.number

    def forget(self) -> None:
        """Let the engines be told of the game once more, before their next moves."""
        self._told = dict.fromkeys(self._told, 0)

    def move(self, play: GameInPlay) -> None:
        seat, terms = swapped(play.job, play.p.turn), self._terms
        clock = play.clocks[play.p.turn - 1]
        budget = clock.budget()
        patience, margin = (terms.hang, None) if budget is None else (budget, clock.margin)
        while not (play.outcome or self.wake_up.wait()):
            if not self._is_told(seat):
                self.prepare(play, seat)  # and no clock runs
                continue
            began = perf_counter()
            job = play.job if play.is_open else None
            task = Task(str(seat), None, play.p, clock.limit, job)
            answer = self._answer(play, seat, task, patience, margin)
            if isinstance(answer, Thought):
                said = answer.said._replace(seconds=perf_counter() - began)
                if job:
                    play.opened(answer.stones, said)
                else:
                    play.answered(answer.move, said)
                return

    def hint(self, p: Position) -> tuple[str, Move | None] | None:
        """The adviser's hint in words, and its move; None if it was given up.

        It does not depend on when it is asked for. A failure costs nothing but the hint.
        """
        if self._adviser is None:
            return no_adviser(self._game), None
        limit = limit_of(self._adviser, self._terms)
        budget = Clock(limit, self._terms.margin).budget()
        patience = (self._terms.hang if budget is None else budget) + GRACE
        try:
            answer = self._asked(Task(ADVISER, self._terms.seed), BUILDING)
            if answer == READY:
                answer = self._asked(Task(ADVISER, None, p, limit), patience)
        except SilenceError:
            return "The engine gave no hint in time.", None
        except DeathError as death:
            return f"The engine gave no hint: exit code {death.code}.", None
        if answer is None:
            return None
        if isinstance(answer, Verdict):
            return f"The engine gave no hint: {answer.reason}: {answer.detail}", None
        if not isinstance(answer, Thought):
            return f"The engine gave no hint: {answer}", None
        move, said, _ = answer
        line = (
            f"{move_text(self._game, move)} {said.line}" if said.line and move is not None else ""
        )
        # The page itself knows the notation of the person who reads it.
        plain = Coordinates(self._game.size, "numbers")
        name = seat_name(self._adviser)
        return hint_text(self._game, p, name, move, said.score, line, plain), move

    def end(self) -> None:
        self._process.end()

    def _is_told(self, seat: int) -> bool:
        """True if the engine of a seat knows of the game, in the process that runs now."""
        return self._process.is_running and self._told.get(seat) == self._process.number

    def _answer(
        self, play: GameInPlay, seat: int, task: Task, patience: float, margin: float | None = None
    ) -> Answer | None:
        """The answer of an engine; None if it was given up, has lost, or is to be asked again.

        `seat` is that of the setup. `margin` is that of the limit of time; None without one.
        """
        began, place = perf_counter(), swapped(play.job, seat)
        try:
            answer = self._asked(task, patience + GRACE)
        except SilenceError:
            overdue = max(perf_counter() - began - patience, 0.0)
            play.lose(unanswered(place, overdue, margin))
            return None
        except DeathError as death:
            self._kills[seat] += death.code in KILLED_FROM_OUTSIDE
            if verdict := crashed(place, death.code, self._kills[seat]):
                play.lose(verdict)
            return None
        if isinstance(answer, ConfigError):
            if seat not in self._told:
                raise answer
            play.lose(not_built(place, answer))
            return None
        if isinstance(answer, Verdict):
            play.lose(Verdict(place, answer.reason, answer.detail[:LONGEST_REASON]))
            return None
        return answer

    def _asked(self, task: Task, patience: float) -> Answer | None:
        """The answer to a task; None if it was given up, and the process ended.

        Raises SilenceError, DeathError.
        """
        if not self._process.is_running:
            self._process.start()
        self._process.tell(task)
        answer: Answer | None = self._process.heard(patience, self.wake_up.fileno())
        if answer is None:
            self._process.end()
        return answer


def _engine_players(setup: Setup) -> tuple[Player, ...]:
    players = [
        replace(player_of("", player), name=str(seat))
        for seat, player in enumerate(setup.players, 1)
        if not is_human(player)
    ]
    if setup.persons and (adviser := adviser_of(setup)) is not None:
        players.append(replace(player_of("", adviser), name=ADVISER))
    return tuple(players)
