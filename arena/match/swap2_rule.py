"""The opening rule swap2: three stones, a choice of sides, and perhaps two stones more.

The proposer lays black, white, black. The other player stays White and moves (`stay`), takes Black
(`swap`), or lays white and black (`two`): then the proposer has the choice to stay or to swap.
The player that is asked always sits at the second seat, White's, until it swaps.

The answers of a game are kept as a text, such as `three:0.012000 two:0.200000 stay`: each with its
seconds but `stay`, whose move has them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Literal, get_args

from arena.engine import Choice, Engine, Limit
from arena.game import Game, Move, Position
from arena.match.record import GameRecord, Job
from arena.match.remarks import whole

Answer = Literal["three", "swap", "two", "stay"]
ANSWERS: tuple[Answer, ...] = get_args(Answer)
TIME = r":\d{1,9}(\.\d{1,9})?"
MADE = re.compile(rf"(three{TIME}( two{TIME})?( swap{TIME}| stay)?)?")
"""The answers of an opening, as a text; those of a game that ended in it are fewer."""
SWAP = "swap"
"""The word by which an engine's `open` takes Black."""
BY_STONES: Mapping[int, Mapping[int, Answer]] = {
    0: {3: "three"},
    3: {0: "swap", 1: "stay", 2: "two"},
    5: {0: "swap", 1: "stay"},
}
"""The answers by the stones on the board, and by the stones that are laid."""


def is_open(job: Job) -> bool:
    """True as long as the players are to make the opening."""
    return bool(job.proposer) and not {*answers_of(job)} & {"swap", "stay"}


def answers_of(game: Job | GameRecord) -> list[str]:
    """The answers in a game's opening."""
    return [word.partition(":")[0] for word in game.swap2.split()]


def opening_seconds(game: Job | GameRecord) -> list[float]:
    """The seconds of the answers that were no move of the game."""
    return [float(seconds) for _, colon, seconds in parts_of(game.swap2) if colon]


def parts_of(swap2: str) -> list[tuple[str, str, str]]:
    """Each answer, its colon and its seconds; the last two are empty where it has none."""
    return [word.partition(":") for word in swap2.split()]


def opening_text(game: Job | GameRecord) -> str:
    """The opening in a sentence for people; empty if the players did not make it."""
    if not game.proposer:
        return ""
    proposer, other = game.player(game.proposer), game.player(3 - game.proposer)
    words = {
        "three": f"{proposer} laid three stones",
        "two": f"{other} laid two more",
        "swap": f"{game.first} took Black",
        "stay": f"{game.second} stayed White",
    }
    told = [words[answer] for answer in answers_of(game)] or [f"{proposer} was to lay three stones"]
    return f"Swap2: {', '.join(told)}."


def check_opening(game: Job | GameRecord) -> None:
    """ValueError if an opening cannot have been made as its record says."""
    stones = len(game.opening.split())
    if game.proposer not in (0, 1, 2) or bool(game.suggested or game.swap2) > bool(game.proposer):
        raise ValueError("the proposer of its opening is none of the two players")
    if game.proposer and not (MADE.fullmatch(game.swap2) and stones == stones_laid(game)):
        raise ValueError(f"its opening was not made so: {game.swap2:.60}")


def stones_laid(game: Job | GameRecord) -> int:
    """The stones of the opening by the answers in it."""
    return sum({"three": 3, "two": 2}.get(answer, 0) for answer in answers_of(game))


def scaled_answers(swap2: str, factor: float) -> str:
    """The answers with their seconds divided by a factor."""
    parts = parts_of(swap2)
    return " ".join(f"{word}:{float(at) / factor:.6f}" if at else word for word, _, at in parts)


def opened(job: Job, answer: Answer, stones: str, seconds: float) -> Job:
    """The job after an answer that laid these stones; `two` and `swap` change the seats."""
    timed = answer if answer == "stay" else f"{answer}:{seconds:.6f}"
    after = replace(job, swap2=f"{job.swap2} {timed}".strip())
    if answer in ("three", "two"):
        after = replace(after, opening=f"{job.opening} {stones}".strip())
    if answer in ("two", "swap"):
        other = 3 - job.proposer
        after = replace(after, first=job.second, second=job.first, proposer=other)
    return after


def opening_answer(
    engine: Engine, game: Game, job: Job, p: Position, limit: Limit
) -> tuple[Sequence[Move], Choice]:
    """The stones that an engine lays (none: it swaps), and the choice behind them.

    An engine without `open` lays the stones that are suggested, and takes by its own score the side
    that it thinks better; without a score, it stays White.
    """
    if callable(make := getattr(engine, "open", None)):
        answer = make(p, limit)
        stones = () if isinstance(answer, str) and answer == SWAP else tuple(map(whole, answer))
        return stones, Choice(stones[0] if stones else None)
    if not p.ply:
        return tuple(map(game.parse, job.suggested.split())), Choice(None)
    choice = engine.choose(p, limit)
    if choice.move is None or (choice.score or 0) < 0:
        return (), choice
    return (whole(choice.move),), choice
