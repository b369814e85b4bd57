"""A sequential test of a mean: the first of each two players against the second, in turn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, Any

from arena.engine import Range
from arena.format import TOGETHER, Field, Pairing, Row
from arena.formats import sprt
from arena.formats.couples import couples_of
from arena.match.pairs import Results
from arena.stats.sprt import Model

STATUS = sprt.STATUS


def pairings(
    field: Field,
    results: Results,
    *,
    elo0: Annotated[float, Range(-1000, 1000), "the mean gain if H0 is true"] = 0.0,
    elo1: Annotated[float, Range(-1000, 1000), "the mean gain if H1 is true"] = 10.0,
    alpha: Annotated[float, Range(1e-9, 0.49), "chance of H1 where H0 is true"] = 0.05,
    beta: Annotated[float, Range(1e-9, 0.49), "chance of H0 where H1 is true"] = 0.05,
    model: Annotated[Model, "what elo0 and elo1 are measured in"] = "logistic",
    pairs: Annotated[int, Range(1, 1_000_000), "after which it ends undecided"] = 5000,
    least: Annotated[int, Range(0, 1_000_000), "pairs of each couple once H1 is accepted"] = 0,
) -> Iterator[Pairing]:
    """One opening after the other, each for the couple whose turn it is, until it is decided.

    Games after H1, for the interval of each couple, change no decision.
    """
    parameters = {"elo0": elo0, "elo1": elo1, "alpha": alpha, "beta": beta, "model": model}
    test = sprt.Test(field, couples_of(field), **parameters, pairs=pairs)
    wanted = least * len(couples_of(field))
    for number in range(max(pairs, wanted)):
        test.take(results, min(number, pairs))
        if test.decision and not (test.decision == "H1" and number < wanted):
            return
        yield test.pairing(number)


def total(field: Field, **parameters: Any) -> int:
    """The most pairs there can be; ConfigError for a player without another, or elo0 above elo1."""
    couples = couples_of(field)
    sprt.check_hypotheses(parameters)
    return max(int(parameters["pairs"]), int(parameters["least"]) * len(couples))


def openings(**parameters: Any) -> int:
    return int(parameters["pairs"])


def matches(field: Field, results: Results, **parameters: Any) -> list[Row]:
    """The test as it stands: the first players of all couples together against the others."""
    couples = couples_of(field)
    test = sprt.Test(field, couples, **parameters)
    test.take(results, parameters["pairs"])
    one, other = (TOGETHER.join(names) for names in zip(*couples, strict=True))
    return [sprt.row_of(test, one, other, parameters)]


def notes(field: Field, results: Results, **parameters: Any) -> Sequence[str]:
    return sprt.warnings_of(field, *matches(field, results, **parameters))
