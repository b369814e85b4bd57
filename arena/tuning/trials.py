"""The games of a tuning study, in turn: which trial plays whom on what, and when it is told."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from statistics import fmean

from arena.format import Pairing
from arena.match.pairs import Results
from arena.match.record import Job
from arena.stats.elo import elo, expected_score
from arena.tournament.schedule import jobs_of
from arena.tuning.early_stopping import Stopping
from arena.tuning.method import Answer, Plan, Trial, Tuner
from arena.tuning.space import Values

BLOCKS = 4
"""Sets of openings, one after the other, for trials that are measured alone. Trials on one set
share their luck with openings; new sets keep the weights from being tuned to one."""


@dataclass
class Running:
    """Holds a trial under way: its pairs in order, and those that are in."""

    trial: Trial
    pairings: list[list[Pairing]]
    """For each opening, one pair for each match."""
    stopping: Stopping | None
    scores: list[list[float]] = field(default_factory=list)
    """The share of the points in each match, for each opening that is counted."""
    is_over: bool = False

    def take(self, results: Results) -> None:
        """Take in the openings that follow those taken before, up to the end or an early one."""
        while not self.is_over and len(self.scores) < len(self.pairings):
            points = results.points(self.pairings[len(self.scores)])
            if points is None:
                return
            self.scores.append([each / 4 for each in points])
            self.is_over = self.stopping is not None and self.stopping.is_due(self.scores)
        self.is_over = True

    @property
    def games(self) -> int:
        """The number of games that are counted."""
        return sum(2 * len(scores) for scores in self.scores)


@dataclass(frozen=True, slots=True)
class Told:
    """A trial that is over."""

    trial: Trial
    answer: Answer
    estimate: float
    """The tuner's estimate at that time: Elo of the trial's centre over the default."""
    games: int
    openings: Sequence[str]
    pentanomial: Sequence[Sequence[int]]
    """Pairs by points, in each match."""
    is_stopped: bool


class Trials:
    """Holds a study as it is played."""

    def __init__(
        self,
        plan: Plan,
        tuner: Tuner,
        opponents: Sequence[str],
        openings: Sequence[str],
        stopping: Stopping | None,
    ) -> None:
        self.plan = plan
        self.told: list[Told] = []
        self._running: deque[Running] = deque()
        self._waiting: deque[Running] = deque()
        """Running trials whose games are still to be given out."""
        self.tuner = tuner
        self._opponents = opponents
        self._openings = openings
        self._stopping = stopping
        self._spent = 0
        self._skipped = 0
        """Trials whose points were the same."""

    def jobs(self, results: Results) -> Iterator[Job | None]:
        """All games of the study; None as long as results are missing on which the next depends."""
        self.advance(results)
        while self._running:
            if self._waiting:
                yield from self._games(self._waiting.popleft(), results)
            else:
                yield None
            self.advance(results)

    def _games(self, run: Running, results: Results) -> Iterator[Job]:
        """The games of one trial, up to an early end."""
        for pairings in run.pairings:
            run.take(results)
            if run.is_over:
                return
            for pairing in pairings:
                yield from jobs_of(pairing, self.plan.seed)

    def advance(self, results: Results) -> None:
        """Tell the tuner of the trials that are over, in turn, and ask for those that follow.

        A trial is asked for once the one `lag` before is told, and before any later one is: so the
        study does not depend on who plays, how fast, and how often this is called.
        """
        while True:
            while self._running and (len(self._running) >= self.plan.lag or self._is_spent):
                self._running[0].take(results)
                if not self._running[0].is_over:
                    return
                self._tell(self._running.popleft())
            if self._is_spent:
                return
            run = self._start(self.tuner.ask())
            self._running.append(run)
            self._waiting.append(run)

    @property
    def is_over(self) -> bool:
        """True once all trials are told."""
        return self._is_spent and not self._running

    @property
    def _is_spent(self) -> bool:
        """True if the budget has no room for one more trial."""
        if self._skipped > self.plan.trials:
            return True  # a method that finds no two points any more
        return self._spent + (len(self._running) + 1) * self.plan.games > self.plan.budget

    def _start(self, trial: Trial) -> Running:
        """A trial with its games; none, if both its points are the same."""
        matches = list(self._matches(trial))
        count = self.plan.games // (2 * len(matches)) if matches else 0
        openings = self._openings_of(trial, count)
        pairings = [
            [Pairing(*match, start, trial.number + 1) for match in matches] for start in openings
        ]
        stopping = self._stopping if len(trial.points) == 1 else None
        return Running(trial, pairings, stopping and stopping.against(openings))

    def _matches(self, trial: Trial) -> Iterator[tuple[str, str]]:
        """The pairs of players: two points, or every point with every opponent."""
        names = [point_name(point) for point in trial.points]
        if len(set(names)) < len(names):
            return
        if self._opponents:
            yield from ((name, opponent) for opponent in self._opponents for name in names)
        else:
            yield names[0], names[1]

    def _openings_of(self, trial: Trial, count: int) -> list[str]:
        """New ones for points that are compared; a block's for points that are measured."""
        if len(trial.points) == 2:
            first = trial.number * count
        else:
            block = min(trial.number * BLOCKS // max(self.plan.trials, 1), BLOCKS - 1)
            first = block * count
        return [self._openings[i % len(self._openings)] for i in range(first, first + count)]

    def _tell(self, run: Running) -> None:
        """Hand a trial's answer to the tuner, and keep it."""
        if self._waiting and self._waiting[0] is run:
            self._waiting.popleft()  # its games were there: the study goes on from a stop
        self._spent += run.games
        self._skipped += not run.pairings
        answer = answer_to(run)
        estimate = self.tuner.tell(run.trial, answer)
        openings = [pairings[0].opening for pairings in run.pairings[: len(run.scores)]]
        is_stopped = len(run.scores) < len(run.pairings)
        counts = [counts_of(scores) for scores in zip(*run.scores, strict=True)]
        self.told.append(Told(run.trial, answer, estimate, run.games, openings, counts, is_stopped))
        if run.stopping and not is_stopped:
            run.stopping.learn(openings, run.scores, answer.elo)


def answer_to(run: Running) -> Answer:
    """The answer that a trial's pairs give.

    The difference of two points' Elo against an opponent has four times the variance of that of as
    many pairs between them.
    """
    if not run.scores:
        return Answer(0.0, 0.5, 0)
    matches = list(zip(*run.scores, strict=True))
    elos = list(map(smoothed, matches))
    pairs = len(matches) * len(run.scores)
    if len(run.trial.points) == 1:
        found = fmean(elos)
        return Answer(found, expected_score(found), pairs)
    if len(matches) == 1:
        return Answer(elos[0], fmean(matches[0]), pairs)
    found = fmean(one - other for one, other in zip(elos[::2], elos[1::2], strict=True))
    return Answer(found, expected_score(found), max(1, pairs // 4))


def smoothed(scores: Sequence[float]) -> float:
    """Elo of these pairs' scores and half a pair more that is split."""
    return elo((sum(scores) + 0.25) / (len(scores) + 0.5))


def counts_of(scores: Sequence[float]) -> list[int]:
    """Pairs by points, 0 to 4 halves."""
    return [sum(round(4 * score) == points for score in scores) for points in range(5)]


def point_name(values: Values) -> str:
    """A point as the name of its player: `three=120,four=9000`."""
    return ",".join(f"{name}={value}" for name, value in values.items())
