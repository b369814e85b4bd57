"""Openings that the players make by a rule, and the contract of the files beside this.

A file's name is that of its rule. The players answer in turn, the proposer first; the one that is
asked always sits where the side to move does. An answer is the stones that it lays, or none, so
that each number of stones is one answer at most.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import cycle
from typing import Protocol, cast

from arena.engine import Choice, Engine, Limit
from arena.errors import ConfigError
from arena.game import Game, Move, Position
from arena.match.record import GameRecord, Job, OpeningMade, whole
from arena.plugins import load

MOST_ANSWERS, MOST_STONES = 8, 5
"""Answers in one opening, and stones of an answer, for which a worker's shared memory has room."""


@dataclass(frozen=True, slots=True)
class OpeningAnswer:
    word: str
    stones: int
    wish: str  # What a person may do, in words; `told` when it is done
    told: str
    button: str = ""  # The words on a page's button for it, where it is not the only answer
    changes_seats: bool = False
    is_move: bool = False
    """True if its stone is the first move of the game, and not one of the opening."""


THREE = OpeningAnswer(
    "three",
    3,
    "lay three stones: black, white, black. The other player then chooses a side",
    "laid three stones",
)
STAY = OpeningAnswer(
    "stay", 1, "stay White and put down your next stone", "stayed White", "Stay White", is_move=True
)
SWAP = OpeningAnswer("swap", 0, "take Black", "took Black", "Take Black", changes_seats=True)
"""Answers of more than one rule; the word of the last is also what an engine's `open` says."""


class OpeningRule(Protocol):
    COMMAND: str
    """The Gomocup command by which programs are asked, as engines are by their method `open`; empty
    if no player can be asked, and the harness answers for engines: see `opening_answer`."""
    ANSWERS: Mapping[tuple[str, ...], Sequence[OpeningAnswer]]
    """The answers to choose from, by the words of those before; none once the opening is made. The
    first is what a page expects, and lays stones."""


def rule_named(name: str) -> OpeningRule:
    return cast(OpeningRule, load.module("opening rule", name))


def due(game: Job | GameRecord) -> Sequence[OpeningAnswer]:
    """The answers from which the player to move may choose; none unless the opening is in play."""
    made = game.made
    return rule_named(made.rule).ANSWERS.get(made.words, ()) if made else ()


def answer_by(game: Job | GameRecord, stones: int) -> OpeningAnswer | None:
    """The answer that is due and lays this number of stones."""
    return next((each for each in due(game) if each.stones == stones), None)


def after(job: Job, stones: Sequence[str], seconds: float) -> Job:
    """The job after an answer that laid these stones; ValueError if the rule has none such."""
    answer = answer_by(job, len(stones))
    if not (job.made and answer):
        raise ValueError(f"{len(stones)} stones are no answer here")
    timed = answer.word if answer.is_move else f"{answer.word}:{seconds:.6f}"
    made = replace(job.made, answers=f"{job.made.answers} {timed}".strip())
    opening = job.opening if answer.is_move else " ".join([*job.opening.split(), *stones])
    if not answer.changes_seats:
        return replace(job, opening=opening, made=made)
    made = replace(made, proposer=3 - made.proposer)
    return replace(job, first=job.second, second=job.first, opening=opening, made=made)


def opening_seconds(game: Job | GameRecord) -> list[float]:
    """The seconds of the answers that were no move of the game, in turn."""
    parts = game.made.parts if game.made else []
    return [float(seconds) for _, colon, seconds in parts if colon]


def answers_of(made: OpeningMade) -> list[OpeningAnswer]:
    """The answers that were given; ConfigError if they cannot have been."""
    steps, found = rule_named(made.rule).ANSWERS, list[OpeningAnswer]()
    for word, colon, seconds in made.parts:
        possible = steps.get(tuple(each.word for each in found), ())
        answer = next((each for each in possible if each.word == word), None)
        form = "" if answer and answer.is_move else r":\d{1,9}(\.\d{1,9})?"
        if answer is None or not re.fullmatch(form, colon + seconds):
            raise ConfigError(f"its opening was not made so: {made.text:.60}")
        found.append(answer)
    return found


def opening_text(game: Job | GameRecord) -> str:
    """The opening in a sentence for people; empty if the players did not make it."""
    if not (made := game.made):
        return ""
    players = game.player(made.proposer), game.player(3 - made.proposer)
    told = [f"{name} {each.told}" for name, each in zip(cycle(players), answers_of(made))]
    if not told:
        wish, _, _ = due(game)[0].wish.partition(":")
        told = [f"{players[0]} was to {wish}"]
    return f"{made.rule.capitalize()}: {', '.join(told)}."


def check_opening(game: Job | GameRecord) -> None:
    """ValueError if an opening cannot have been made as its record says."""
    if not (made := game.made):
        return
    if made.proposer not in (1, 2):
        raise ValueError("the proposer of its opening is none of the two players")
    try:
        laid = sum(each.stones for each in answers_of(made) if not each.is_move)
    except ConfigError as error:
        raise ValueError(str(error)) from None
    if laid != len(game.opening.split()):
        raise ValueError(f"its opening was not made so: {made.text:.60}")


def opening_answer(
    engine: Engine, game: Game, job: Job, p: Position, limit: Limit
) -> tuple[Sequence[Move], Choice]:
    """The stones that an engine lays, and the choice behind them.

    An engine that cannot be asked lays the stones that are suggested, and takes by its own score
    the side that it thinks better; without a score, it stays White.
    """
    assert job.made
    make = getattr(engine, "open", None) if rule_named(job.made.rule).COMMAND else None
    if callable(make):
        answer = make(p, limit)
        is_word = isinstance(answer, str) and answer == SWAP.word
        stones = () if is_word else tuple(map(whole, answer))
        return stones, Choice(stones[0] if stones else None)
    if not p.ply:
        return tuple(map(game.parse, job.made.suggested.split())), Choice(None)
    choice = engine.choose(p, limit)
    if choice.move is None or (choice.score or 0) < 0:
        return (), choice
    return (whole(choice.move),), choice
