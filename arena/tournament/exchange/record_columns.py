"""Games of stones between a file and a record: names, rounds, and the numbers beside moves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from arena.config.names import LONGEST_NAME
from arena.errors import one_line
from arena.match.record import GameRecord
from arena.match.remarks import remarks_of
from arena.records.sgf_words import NO_FACTS
from arena.records.written import MoveFacts, Point, Result, WrittenGame

ROUND_DIGITS = 18
RESULT_OF: dict[int | None, Result] = {1: "first", 2: "second", None: "draw"}


class HasPlayers(Protocol):
    """A game with the names of its players."""

    @property
    def first(self) -> str: ...

    @property
    def second(self) -> str: ...


def players_of(game: HasPlayers) -> tuple[str, str]:
    """The players' names, as they can be shown; ValueError if two players are not told."""
    first, second = (one_line(name.strip()) for name in (game.first, game.second))
    if not (first and second):
        raise ValueError("it does not tell the names of both players")
    if first == second:
        raise ValueError(f"{first[:40]} plays against itself, which tells nothing of it")
    if max(len(first), len(second)) > LONGEST_NAME:
        raise ValueError(f"a player's name has more than {LONGEST_NAME} characters")
    return first, second


def round_of(written: WrittenGame) -> int:
    """The round that a file tells, for games on a known opening; 0 if none."""
    text = written.round.strip()
    is_number = text.isascii() and text.isdigit() and len(text) <= ROUND_DIGITS
    return int(text) if is_number and written.opening is not None else 0


def columns_of(answers: Sequence[MoveFacts]) -> dict[str, str]:
    """The columns of a record: nothing where nothing is told of any choice."""
    if not any(answer != NO_FACTS for answer in answers):
        return dict.fromkeys(("times", "nodes", "depths", "scores"), "")
    return {
        "times": " ".join([f"{answer.seconds or 0:.6f}" for answer in answers]),
        "nodes": " ".join([str(answer.nodes or 0) for answer in answers]),
        "depths": " ".join([str(answer.depth or 0) for answer in answers]),
        "scores": " ".join(["-" if each.score is None else str(each.score) for each in answers]),
    }


def written_of(
    record: GameRecord,
    point: Callable[[str], Point],
    *,
    size: int,
    rule: str,
    event: str,
    date: str,
) -> WrittenGame:
    """The game as files have it; ConfigError if what is kept of its choices cannot be read."""
    opening, moves = len(record.opening.split()), record.moves.split()
    told = [
        MoveFacts(
            seconds=remark.seconds,
            score=remark.score,
            depth=remark.depth or None,
            nodes=remark.nodes or None,
        )
        for remark in remarks_of(record)[: len(moves) - opening]
    ]
    before, after = (NO_FACTS,) * opening, (NO_FACTS,) * (len(moves) - opening - len(told))
    return WrittenGame(
        size=size,
        moves=tuple(map(point, moves)),
        opening=opening,
        first=record.first,
        second=record.second,
        rule=rule,
        result=RESULT_OF[record.winner],
        reason=record.reason,
        detail=record.detail,
        answers=(*before, *told, *after) if told else (),
        event=event,
        round=str(record.round),
        date=date,
    )
