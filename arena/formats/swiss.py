"""Stage by stage, players of about equal scores meet; no two meet twice."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import ceil, log2
from typing import Annotated, Any, NamedTuple

from arena.engine import Range
from arena.errors import ConfigError
from arena.format import Field, Pairing, Row
from arena.match.pairs import Results, in_phases

Stages = Annotated[int, Range(0, 1000), "how often a player meets another; 0: log2 of the players"]
REST = ""  # The opponent of the player left over, where their number is odd: worth a draw


class Meeting(NamedTuple):
    one: str
    other: str
    pairs: list[Pairing]


def pairings(field: Field, results: Results, *, stages: Stages = 0) -> Iterator[Pairing | None]:
    """All meetings of a stage at once, opening by opening; the next stage waits for all results."""
    phases = (
        [pair for at_once in zip(*(each.pairs for each in stage), strict=True) for pair in at_once]
        for stage in _played_stages(field, results, stages)
    )
    return in_phases(phases, results)


def total(field: Field, *, stages: int = 0) -> int:
    """Stages x meetings x openings x rounds; ConfigError for more stages than can be paired."""
    meetings = len(field.players) // 2
    return _stages_of(field, stages) * meetings * len(field.openings) * field.rounds


def matches(field: Field, results: Results, *, stages: int) -> list[Row]:
    """One row a meeting that has begun: its stage, players, pairs, and the share of `one`."""
    rows = []
    for number, stage in enumerate(_played_stages(field, results, stages), start=1):
        for one, other, pairs in stage:
            points = [result.points for pair in pairs if (result := results.get(pair))]
            row = {"stage": number, "one": one, "other": other, "pairs": len(points)}
            rows.append(row | {"score": share(points)})
    return rows


def _stages_of(field: Field, stages: int) -> int:
    """The number of stages; ConfigError for more than half as many as players.

    Up to there all can be paired once more after any pairings (Dirac's theorem).
    """
    most = (len(field.players) + 1) // 2
    if stages > most:
        raise ConfigError(f"{len(field.players)} players can meet in at most {most} stages")
    return stages or min(ceil(log2(len(field.players))), most)


def _played_stages(field: Field, results: Results, stages: int) -> Iterator[list[Meeting]]:
    """The meetings of each stage, as far as the results of those before are in."""
    score = dict.fromkeys([*field.players, REST], 0.0)
    met: set[frozenset[str]] = set()
    for _ in range(_stages_of(field, stages)):
        ranked = sorted(field.players, key=lambda name: -score[name])
        couples = matched([*ranked, *[REST] * (len(ranked) % 2)], met)
        met.update(map(frozenset, couples))
        meetings = [meeting(field, *couple) for couple in couples]
        yield [meeting for meeting in meetings if meeting.other != REST]
        for one, other, pairs in meetings:
            points = results.points(pairs)
            if points is None:
                return
            score[one] += share(points)
            score[other] += 1 - share(points)


def meeting(field: Field, one: str, other: str) -> Meeting:
    """All pairs of two players; none for a player without an opponent."""
    rounds = range(1, field.rounds + 1 if other != REST else 1)
    starts = [(start, round) for round in rounds for start in field.openings]
    return Meeting(one, other, [Pairing(one, other, *start) for start in starts])


def matched(ranked: Sequence[str], met: set[frozenset[str]]) -> list[tuple[str, str]]:
    """Neighbours in the ranking, as far as no two meet again."""
    couples: list[tuple[str, str]] = []
    left: list[str] = []
    rest = list(ranked)
    while rest:
        one = rest.pop(0)
        other = next((other for other in rest if frozenset((one, other)) not in met), None)
        if other is None:
            left.append(one)
        else:
            rest.remove(other)
            couples.append((one, other))
    for one, other in zip(left[::2], left[1::2], strict=True):
        _make_room(couples, one, other, met)
    place = {name: i for i, name in enumerate(ranked)}
    ordered = [sorted(couple, key=place.__getitem__) for couple in couples]
    return sorted(((one, other) for one, other in ordered), key=lambda couple: place[couple[0]])


def _make_room(
    couples: list[tuple[str, str]], one: str, other: str, met: set[frozenset[str]]
) -> None:
    """Part the lowest couple that can be, for two that are left over and have met each other.

    Up to `_stages_of` there is one: on average, more than two of the four meetings between a
    couple and these two are new, so that each player of some couple can meet one of the two anew.
    """
    for i in reversed(range(len(couples))):
        for upper, lower in (couples[i], couples[i][::-1]):
            if met.isdisjoint((frozenset((upper, one)), frozenset((lower, other)))):
                couples[i : i + 1] = [(upper, one), (lower, other)]
                return


def share(points: Sequence[int]) -> float:
    """The share of the points in some pairs; one half for none."""
    return sum(points) / (4 * len(points)) if points else 0.5


def swiss_points(
    names: Sequence[str], rows: Sequence[Mapping[Any, Any]]
) -> tuple[dict[str, float], float]:
    """The points of each player in all games of these matches, and the most that one can have.

    Who is left over in a stage has half of what it could win there.
    """
    stages = {row["stage"] for row in rows}
    pairs = max(row["pairs"] for row in rows)
    points = dict.fromkeys(names, float(pairs * len(stages)))
    for row in rows:
        won = 2 * row["pairs"] * row["score"]
        points[row["one"]] += won - pairs
        points[row["other"]] += 2 * row["pairs"] - won - pairs
    return {name: round(each, 6) for name, each in points.items()}, 2.0 * pairs * len(stages)
