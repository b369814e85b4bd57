"""The games of a tuning study, in turn: trials, their results, and those that stop early."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from math import nan
from statistics import fmean
from typing import NamedTuple, Protocol, cast

from arena.format import Pairing
from arena.match.pairs import FirstGames, PairResult, Results
from arena.match.record import Job
from arena.plugins.load import parse_parameters
from arena.stats.elo import bounded, elo, expected_score
from arena.tournament.schedule import jobs_of
from arena.tuning.method import Advice, Forecast, Plan, Trial, TrialResult, Tuner
from arena.tuning.settings.conditions import DEFAULT, Spread, named_at
from arena.tuning.space import Values

BLOCKS = 4
"""Sets of openings, one after the other, for trials that are measured alone. Trials on one set
share their luck with openings; new sets keep the weights from being tuned to one."""


class EarlyEnd(Protocol):
    """A way to end a trial before all its openings are played."""

    def is_due(self, scores: Sequence[Sequence[float]]) -> bool:
        """True if a trial is to end after these openings; asked once after each."""
        ...


class EndAt(NamedTuple):
    """The end of a trial after as many openings as it had when it was played."""

    openings: int

    def is_due(self, scores: Sequence[Sequence[float]]) -> bool:
        return len(scores) == self.openings


@dataclass(frozen=True, slots=True)
class TrialEnd:
    """The end of a trial, and what the tuner made of it."""

    openings: int  # The openings after which it ended
    estimate: float  # Elo of the trial's centre over the default
    error: float | None  # The standard error of that; None for a method that does not know it


@dataclass(frozen=True, slots=True)
class KeptTrial:
    """A trial as a study's folder keeps it, from before its first game on."""

    trial: Trial
    starts: tuple[tuple[str, str], ...]  # Condition and opening of each pair; none before dealt
    end: TrialEnd | None = None  # None before the tuner is told
    copy_of: int | None = None  # The trial whose games it would repeat, so that it has none


@dataclass
class Running:
    """Holds a trial under way: its pairs in order, and those that are in."""

    trial: Trial
    pairings: list[list[Pairing]]  # For each opening, one pair for each match
    stopping: EarlyEnd | None
    kept: KeptTrial | None = None  # The trial as it is kept; None of a trial that only Optuna knows
    scores: list[list[float]] = field(default_factory=list)
    """The share of the points in each match, for each opening that is counted."""
    faults: Counter[int] = field(default_factory=Counter)
    """Games lost by faults of a point, by its place in the trial; those of players that are no
    points of it are at the place after the last."""
    repeats: bool = True  # True if both games of each pair were one game
    is_over: bool = False

    def take(self, results: Results) -> None:
        while not self.is_over and len(self.scores) < len(self.pairings):
            pairings = self.pairings[len(self.scores)]
            pairs = list(filter(None, map(results.get, pairings)))
            if len(pairs) < len(pairings):
                return
            self.scores.append([each.points / 4 for each in pairs])
            self.repeats &= all(each.is_one_game for each in pairs)
            self._count_faults(pairs)
            self.is_over = self.stopping is not None and self.stopping.is_due(self.scores)
        self.is_over = True

    def _count_faults(self, pairs: Sequence[PairResult]) -> None:
        """Count the faults on one opening: see `matches_of` for who plays in each match."""
        points = len(self.trial.points)
        for match, pair in enumerate(pairs):
            self.faults[match % points] += pair.faults[0]
            self.faults[1 if len(pairs) < points else points] += pair.faults[1]

    @property
    def games(self) -> int:
        return sum(2 * len(scores) for scores in self.scores)

    @property
    def is_stopped(self) -> bool:
        return len(self.scores) < len(self.pairings)

    def told(self, answer: TrialResult, end: TrialEnd) -> Told:
        return Told(
            trial=self.trial,
            answer=replace(answer, elo=bounded(answer.elo)),
            estimate=end.estimate,
            error=nan if end.error is None else end.error,
            games=self.games,
            openings=[pairings[0].opening for pairings in self.pairings[: len(self.scores)]],
            pentanomial=[_counts_of(scores) for scores in zip(*self.scores, strict=True)],
            is_stopped=self.is_stopped,
            faults=[self.faults[place] for place in range(len(self.trial.points) + 1)],
            copy_of=self.kept.copy_of if self.kept else None,
        )


@dataclass(frozen=True, slots=True)
class Told:
    """A trial that is over."""

    trial: Trial
    answer: TrialResult
    estimate: float  # The tuner's estimate at that time: Elo of the trial's centre over the default
    games: int
    openings: Sequence[str]
    pentanomial: Sequence[Sequence[int]]  # Pairs by points, in each match
    is_stopped: bool
    faults: Sequence[int]  # Lost by each point, then by the other players that the points met
    error: float = nan  # The standard error of the estimate; NaN for a method that does not know it
    copy_of: int | None = None  # The trial whose games it would repeat, so that it has none

    @property
    def faulty_games(self) -> int:
        return sum(self.faults)

    @property
    def is_doubtful(self) -> bool:
        """True if the result rests on games that a fault ended: a trial has few games."""
        return self.faulty_games > 0


class Trials:
    """Holds a study as it is played."""

    def __init__(
        self,
        plan: Plan,
        tuner: Tuner | None,
        opponents: Sequence[str],
        openings: Sequence[str],
        stopping: Stopping | None,
        spread: Spread | None = None,
        first_games: FirstGames | None = None,
        *,
        kept: Mapping[int, KeptTrial] | None = None,
        keep: Callable[[KeptTrial], object] = lambda kept: None,
        asks: bool = True,
        default: str = "",
    ) -> None:
        """Trials that are `kept`, by their numbers, are not asked for again. New ones, if the study
        still `asks` for any, go to `keep` before their first games, and once they are told.

        The tuner may be missing where nothing is to be asked or recommended. The `default` is the
        name of its point, or empty where a game may differ from one time to the next.
        """
        self.plan = plan
        self._kept = kept or {}
        self._keep = keep
        self._asks = asks and tuner is not None
        self.told: list[Told] = []
        self._kept_told: list[KeptTrial] = []
        self._running: deque[Running] = deque()
        self._waiting: deque[Running] = deque()  # Those with games still to be given out
        self.tuner = tuner
        self._opponents = opponents
        self._openings = openings
        self._stopping = stopping
        self._spread = spread or Spread()
        self.first_games = first_games or FirstGames([])
        """First games of the engine and its opponents: the study stops if all are faults."""
        self._spent = 0
        self._skipped = 0  # Trials without games
        self._default = default
        self._repeats = False  # True once the default's two games against itself were alike
        self._first: dict[object, int] = {}  # The first trial of points on openings

    def jobs(self, results: Results) -> Iterator[Job | None]:
        """All games of the study; None as long as results are missing on which the next depends.

        There are no more once the first ones of a player all ended by its own faults.
        """
        self.advance(results)
        while self._running and not self.first_games.look(results):
            if self._waiting:
                yield from self._games(self._waiting.popleft(), results)
            else:
                yield None
            self.advance(results)

    def _games(self, run: Running, results: Results) -> Iterator[Job]:
        for pairings in run.pairings:
            run.take(results)
            if run.is_over or self.first_games.look(results):
                return
            for pairing in pairings:
                yield from jobs_of(pairing, self.plan.seed)

    def advance(self, results: Results) -> None:
        """Tell the tuner of the trials that are over, in turn, and ask for those that follow.

        A trial is asked for once the one `lag` before is told, and before any later one is: so the
        study does not depend on where it is played, how fast, and how often this is called. The
        trial with the last of the first games of a player that only lost by its own faults is never
        told.
        """
        while True:
            while self._running and (len(self._running) >= self.plan.lag or self._has_no_next):
                run = self._running[0]
                run.take(results)
                has_stopped = self.first_games.look(results)
                if has_stopped and self.first_games.last.round == round_of_trial(run.trial):
                    return
                if not run.is_over:
                    return
                self._tell(self._running.popleft())
            if self._has_no_next:
                return
            run = self._start()
            self._running.append(run)
            self._waiting.append(run)

    @property
    def is_at_end(self) -> bool:
        return self.is_over or bool(self.first_games.faulty)

    @property
    def is_over(self) -> bool:
        return self._is_spent and not self._running

    @property
    def _has_no_next(self) -> bool:
        return self._is_spent or not (self._asks or self._next_number in self._kept)

    @property
    def _next_number(self) -> int:
        return len(self.told) + len(self._running)

    @property
    def _is_spent(self) -> bool:
        if self._skipped > self.plan.trials:
            return True  # a method that finds no two points any more
        return self._spent + (len(self._running) + 1) * self.plan.games > self.plan.budget

    def _start(self) -> Running:
        """The next trial with its games; none if both its points are equal."""
        kept = self._kept.get(self._next_number)
        if kept is None:
            assert self.tuner
            kept = KeptTrial(self.tuner.ask(), ())
        elif self.tuner:
            self.tuner.repeat(kept.trial)
        matches = list(matches_of(kept.trial, self._opponents))
        if not kept.starts:
            kept = replace(kept, starts=self._starts_of(kept.trial, len(matches)))
            if self._repeats:
                kept = replace(kept, copy_of=self._first.get((str(kept.trial.points), kept.starts)))
            self._keep(kept)
        if kept.copy_of is None:
            self._first.setdefault((str(kept.trial.points), kept.starts), kept.trial.number)
        starts = kept.starts if kept.copy_of is None else ()
        run = begun(kept.trial, matches, starts, self._end_of(kept))
        run.kept = kept
        for pairing in chain(*run.pairings):
            self.first_games.add(pairing)
        return run

    def _end_of(self, kept: KeptTrial) -> EarlyEnd | None:
        if kept.end:
            return EndAt(kept.end.openings)
        if self._stopping is None or len(kept.trial.points) == 2:
            return None
        return self._stopping.against([opening for _, opening in kept.starts])

    @property
    def asked(self) -> list[Trial]:
        return [*(told.trial for told in self.told), *(run.trial for run in self._running)]

    @property
    def all_kept(self) -> list[KeptTrial]:
        under_way = [run.kept for run in self._running if run.kept]
        return [*self._kept_told, *under_way]

    def sides(self, round: int) -> dict[str, str]:
        trial = next(each for each in reversed(self.asked) if round_of_trial(each) == round)
        return {point_name(point): side for side, point in trial.sides.items()}

    def _starts_of(self, trial: Trial, matches: int) -> tuple[tuple[str, str], ...]:
        """Conditions with openings: new ones for points that are compared, else a block's."""
        count = self.plan.games // (2 * matches) if matches else 0
        if len(trial.points) == 2:
            first = trial.number * count
        else:
            block = min(trial.number * BLOCKS // max(self.plan.trials, 1), BLOCKS - 1)
            first = block * count
        return tuple(self._spread.dealt(self._openings, i) for i in range(first, first + count))

    def _tell(self, run: Running) -> None:
        if self._waiting and self._waiting[0] is run:
            self._waiting.popleft()  # its games were there: the study goes on from a stop
        self._spent += run.games
        self._skipped += not run.pairings
        answer = answer_to(len(run.trial.points), run.scores)
        is_alone = len(run.trial.points) == 1
        answer = replace(answer, meets_default=is_alone and list(self._opponents) == [DEFAULT])
        if run.kept and run.kept.copy_of is not None:
            answer = replace(self.told[run.kept.copy_of].answer, pairs=0)
        told = run.told(answer, self._told_end(run, answer))
        self.told.append(told)
        if run.kept and told.faulty_games:
            self._first.pop((str(run.trial.points), run.kept.starts), None)
        if not is_alone or told.is_stopped or not run.scores:
            return
        if self._stopping:
            self._stopping.learn(told.openings, run.scores, answer.elo)
        if answer.meets_default and point_name(run.trial.points[0]) == self._default:
            self._repeats = run.repeats

    def _told_end(self, run: Running, answer: TrialResult) -> TrialEnd:
        kept = run.kept
        estimate = self.tuner.tell(run.trial, answer) if self.tuner else nan
        if kept and kept.end:
            self._kept_told.append(kept)
            return kept.end
        error = getattr(self.tuner, "error", lambda trial: None)(run.trial)
        end = TrialEnd(len(run.scores), bounded(estimate), error)
        if kept:
            self._kept_told.append(replace(kept, end=end))
            self._keep(self._kept_told[-1])
        return end

    def recommend(self) -> Sequence[Advice]:
        return self.tuner.recommend() if self.tuner else ()

    def forecast(self) -> Forecast | None:
        return self.tuner.forecast() if self.tuner else None


def begun(
    trial: Trial,
    matches: Sequence[tuple[str, str]],
    starts: Sequence[tuple[str, str]],
    stopping: EarlyEnd | None,
) -> Running:
    number = round_of_trial(trial)
    pairings = [
        [
            Pairing(named_at(one, label), named_at(other, label), opening, number)
            for one, other in matches
        ]
        for label, opening in starts
    ]
    return Running(trial, pairings, stopping)


def matches_of(trial: Trial, opponents: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The pairs of players: two points, or every point with every opponent."""
    names = [point_name(point) for point in trial.points]
    if len(set(names)) < len(names):
        return
    if opponents:
        yield from ((name, opponent) for opponent in opponents for name in names)
    else:
        yield names[0], names[1]


def round_of_trial(trial: Trial) -> int:
    return trial.number + 1


def point_name(values: Values) -> str:
    """A point as the name of its player: `three=120,four=9000`."""
    return ",".join(f"{name}={value}" for name, value in values.items())


def point_named(name: str) -> Values:
    return cast(Values, parse_parameters(name))


FIRST_TEST = 20  # Openings before the first test: fewer are ties too often to tell
EVERY = 10  # Openings from one test to the next


@dataclass(frozen=True, slots=True)
class Stopping:
    """The best trial so far on each set of openings, which a new one is tested against.

    Wilcoxon's signed-rank test of the two trials' scores on each opening. Testing again and again
    with p = 0.1 was measured to drop a fifth of trials that are 20 Elo better; from 0.02 to 0.05
    hardly any.
    """

    p: float
    best: dict[str, tuple[float, list[float]]] = field(default_factory=dict)
    """Elo and scores, by the openings."""
    rival: Sequence[float] = ()  # Scores of the trial to test against

    def against(self, openings: Sequence[str]) -> Stopping:
        """The test of a trial that starts now, against the best one known now."""
        return replace(self, rival=self.best.get(" / ".join(openings), (0.0, []))[1])

    def is_due(self, scores: Sequence[Sequence[float]]) -> bool:
        n = len(scores)
        if n < FIRST_TEST or n % EVERY or len(self.rival) <= n:
            return False
        gains = [fmean(own) - rival for own, rival in zip(scores, self.rival[:n], strict=True)]
        if not any(gains):
            return False
        from scipy.stats import wilcoxon

        return float(wilcoxon(gains, alternative="less", zero_method="zsplit").pvalue) < self.p

    def learn(self, openings: Sequence[str], scores: Sequence[Sequence[float]], elo: float) -> None:
        key, elo = " / ".join(openings), round(elo, 6)  # the last bits hang on the processor
        if key not in self.best or elo > self.best[key][0]:
            self.best[key] = elo, [fmean(own) for own in scores]


Scores = Sequence[Sequence[float]]  # The share of the points in each match, for each opening


def answer_to(points: int, scores: Scores) -> TrialResult:
    """The answer that the pairs of a trial of one or two points give, all with equal weight.

    The difference of two points' Elo against an opponent has four times the variance of that of as
    many pairs between them.
    """
    if not scores:
        return TrialResult(0.0, 0.5, 0)
    matches = list(zip(*scores, strict=True))
    elos = list(map(smoothed, matches))
    pairs = len(matches) * len(scores)
    if points == 1:
        mean = fmean(elos)
        return TrialResult(mean, expected_score(mean), pairs)
    if len(matches) == 1:
        return TrialResult(elos[0], fmean(matches[0]), pairs)
    lead = fmean(one - other for one, other in zip(elos[::2], elos[1::2], strict=True))
    return TrialResult(lead, expected_score(lead), max(1, pairs // 4))


def smoothed(scores: Sequence[float]) -> float:
    """Elo of these pairs' scores and half a pair more that is split."""
    return elo((sum(scores) + 0.25) / (len(scores) + 0.5))


def _counts_of(scores: Sequence[float]) -> list[int]:
    """Pairs by points, 0 to 4 halves."""
    return [sum(round(4 * score) == points for score in scores) for points in range(5)]
