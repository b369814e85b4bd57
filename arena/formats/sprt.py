"""A sequential test of the first player against the second: it ends as soon as it is sure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Annotated, Any, Literal

from arena.engine import Range
from arena.errors import ConfigError
from arena.format import MANY_FAULTS, Field, Pairing, Row
from arena.match.pairs import PairResult, Results
from arena.stats.leads import FaultViews
from arena.stats.sprt import Model, bounds, llr

FEWEST_COPIES = 10
"""Fewest copies in a row that end a test: players that vary repeat a game by chance."""

MIN_GAP = 0.01
"""Elo between H0 and H1 at least; to tell less apart takes more games than anybody has."""
ORDER = f"must be less than elo1, by {MIN_GAP} at least"

STATUS = {"H1": 0, "H0": 1}

Decision = Literal["H0", "H1", "no new games", "no more pairs", "too many faults", ""]


@lru_cache(maxsize=2**16)
def llr_of(counts: tuple[int, ...], elo0: float, elo1: float, model: Model) -> float:
    """`llr`, cached: live standings ask for equal counts again and again."""
    return llr(counts, elo0, elo1, model)


class Test:
    """The evidence of a test: distinct pairs, in the order of the schedule.

    A hypothesis is accepted only where faults do not carry it: see `arena.stats.leads`.
    """

    def __init__(self, field: Field, couples: Sequence[tuple[str, str]], **parameters: Any) -> None:
        self._field = field
        self._couples = couples
        self._hypotheses = parameters["elo0"], parameters["elo1"], parameters["model"]
        self._pairs = parameters["pairs"]
        self._seen: set[int] = set()
        self._since_new = 0
        self.bounds = bounds(parameters["alpha"], parameters["beta"])
        self._counts = FaultViews([0] * 5, [0] * 5, [0] * 5)
        self.taken = 0  # Pairs looked at, copies included

    def pairing(self, number: int) -> Pairing:
        one, other = self._couples[number % len(self._couples)]
        return Pairing(one, other, *self._field.start(number))

    def take(self, results: Results, end: int) -> None:
        """Take in the pairs that follow those taken before, up to a decision or the pair `end`.

        A pair counts when all before it are in: as they come, short games would come first, and
        they are not won as often as long ones.
        """
        while self.taken < end and not self.decision:
            result = results.get(self.pairing(self.taken))
            if result is None:
                return
            self.taken += 1
            self._add(result)

    def _add(self, result: PairResult) -> None:
        """Count a pair, unless it is a copy of one before."""
        if result.games in self._seen:
            self._since_new += 1
            return
        self._since_new = 0
        self._seen.add(result.games)
        self.counts[result.points] += 1
        self._counts.drawn[result.points_faults_drawn] += 1
        if not any(result.faults):
            self._counts.without[result.points] += 1

    @property
    def counts(self) -> list[int]:
        """Distinct pairs by the points of the first side, as they were played."""
        return self._counts.played

    @property
    def llrs(self) -> FaultViews[float]:
        return FaultViews(*(llr_of(tuple(each), *self._hypotheses) for each in self._counts))

    @property
    def decision(self) -> Decision:
        """The hypothesis accepted, or why neither will be; empty while games are to come."""
        lower, upper = self.bounds
        llrs = self.llrs
        if min(llrs) >= upper:
            return "H1"
        if max(llrs) <= lower:
            return "H0"
        is_turned = max(llrs) >= upper and min(llrs) <= lower
        are_most_faulty = sum(self.counts) > 2 * sum(self._counts.without)
        if is_turned or (are_most_faulty and not lower < llrs.played < upper):
            return MANY_FAULTS
        has_copies = self._since_new >= max(len(self._field.openings), FEWEST_COPIES)
        if not has_copies and self.taken < self._pairs:
            return ""
        if not lower < llrs.played < upper:
            return MANY_FAULTS
        return "no new games" if has_copies else "no more pairs"


def pairings(
    field: Field,
    results: Results,
    *,
    elo0: Annotated[float, Range(-1000, 1000), "the gain if H0 is true"] = 0.0,
    elo1: Annotated[float, Range(-1000, 1000), "the gain if H1 is true"] = 10.0,
    alpha: Annotated[float, Range(1e-9, 0.49), "chance of H1 where H0 is true"] = 0.05,
    beta: Annotated[float, Range(1e-9, 0.49), "chance of H0 where H1 is true"] = 0.05,
    model: Annotated[Model, "what elo0 and elo1 are measured in"] = "logistic",
    pairs: Annotated[int, Range(1, 1_000_000), "after which it ends undecided"] = 5000,
) -> Iterator[Pairing]:
    """One opening after the other, without waiting for results, until the test is decided."""
    parameters = {"elo0": elo0, "elo1": elo1, "alpha": alpha, "beta": beta, "model": model}
    test = Test(field, _couple_of(field), **parameters, pairs=pairs)
    for number in range(pairs):
        test.take(results, number)
        if test.decision:
            return
        yield test.pairing(number)


def total(field: Field, **parameters: Any) -> int:
    """The most pairs there can be; ConfigError for other than two players, or elo0 above elo1."""
    if len(field.players) != 2:
        raise ConfigError(f"a test needs two engines, not {len(field.players)}")
    check_hypotheses(parameters)
    return int(parameters["pairs"])


def check_hypotheses(parameters: Mapping[str, Any]) -> None:
    if not are_apart(parameters):
        raise ConfigError(f"elo0 {ORDER}")


def are_apart(parameters: Mapping[str, Any]) -> bool:
    """True if H0 is less than H1, by what games could tell."""
    return bool(parameters["elo1"] - parameters["elo0"] >= MIN_GAP)


def _couple_of(field: Field) -> list[tuple[str, str]]:
    one, other = field.players
    return [(one, other)]


def openings(**parameters: Any) -> int:
    """The number of pairs: played again, an opening is evidence only of players that vary."""
    return int(parameters["pairs"])


def matches(field: Field, results: Results, **parameters: Any) -> list[Row]:
    """The test as it stands: distinct pairs from the first player's side, LLR and its bounds."""
    test = Test(field, _couple_of(field), **parameters)
    test.take(results, parameters["pairs"])
    one, other = field.players
    return [row_of(test, one, other, parameters)]


def row_of(test: Test, one: str, other: str, parameters: Mapping[str, Any]) -> Row:
    return {
        "one": one,
        "other": other,
        "pairs": sum(test.counts),
        "pentanomial": " ".join(map(str, test.counts)),
        "elo0": parameters["elo0"],
        "elo1": parameters["elo1"],
        "model": parameters["model"],
        "llr": test.llrs.played,
        "llr_without_faults": test.llrs.without,
        "llr_faults_drawn": test.llrs.drawn,
        "lower": test.bounds[0],
        "upper": test.bounds[1],
        "decision": test.decision,
    }


def notes(field: Field, results: Results, **parameters: Any) -> Sequence[str]:
    return warnings_of(field, *matches(field, results, **parameters))


def warnings_of(field: Field, row: Row) -> Sequence[str]:
    found = []
    if row["decision"] in ("H0", "H1"):
        found.append(
            "The test stopped when its result was clear, so Elo and its interval are biased away "
            "from the hypothesis it rejected. A match of a fixed number of pairs measures it."
        )
    if row["pairs"] > len(field.openings):
        found.append(
            f"More distinct pairs ({row['pairs']}) than openings ({len(field.openings)}): the test "
            "takes pairs as independent, so what it shows holds for these openings alone."
        )
    return found
