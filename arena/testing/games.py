"""Checks of a game: `check_game`."""

from __future__ import annotations

import pickle
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any, cast

from arena.errors import ConfigError
from arena.game import REASONS, Game, Position, Symmetric
from arena.plugins.engine_names import is_path
from arena.plugins.load import Named, checked_factory, module, parse_named
from arena.plugins.parameters import fit
from arena.plugins.source_files import import_file
from arena.testing.running import name_of, named_checks, names_of, run_checks

LONGEST = 300  # Plies after which a random game is left


@dataclass(frozen=True, slots=True)
class GameUnderTest:
    """A game, and random games that were played by its rules."""

    game: Game
    walks: tuple[tuple[Position, ...], ...]


def check_game(game: object, *, checks: Iterable[str] | None = None) -> None:
    """Put a game through the checks of `arena/game.py`, by default all of `GAME_CHECKS`.

    It is the name of a game, with parameters if any (`gomoku:size=9`), the path of a file, a
    module, or an object with the rules. Raises ContractError, which names every check that fails.
    """
    run_checks(name_of(game), lambda: _game_under_test(game), CHECKS, checks)


def _game_under_test(wanted: object) -> GameUnderTest:
    game = cast(Game, wanted) if callable(getattr(wanted, "start", None)) else _made_game(wanted)
    return GameUnderTest(game, tuple(walk(game, seed) for seed in range(5)))


def _made_game(wanted: object) -> Game:
    if isinstance(wanted, str | Path | Named):
        named = wanted if isinstance(wanted, Named) else parse_named(str(wanted))
        found: Any = (
            _module_at(Path(named.name)) if is_path(named.name) else module("game", named.name)
        )
    else:
        named, found = Named(name_of(wanted)), wanted
    factory = checked_factory("game", named.name, found)
    values, misfits = fit(factory, named.parameters)
    if misfits:
        raise ConfigError(*(misfit.message for misfit in misfits))
    return cast(Game, factory(**values))


def _module_at(path: Path) -> ModuleType:
    """The module of a user's file. Raises ConfigError if there is no such file."""
    if not path.is_file():
        raise ConfigError(f"no such file: {path}")
    return import_file(path.resolve())


def walk(game: Game, seed: int) -> tuple[Position, ...]:
    """The positions of a random game; no longer than 300 plies."""
    random, positions = Random(seed), [game.start()]
    while len(positions) <= LONGEST and (moves := game.moves(positions[-1])):
        positions.append(game.play(positions[-1], random.choice(moves)))
    return tuple(positions)


def after(p: Position) -> str:
    """The place of a fault: the moves before it."""
    return f"after the moves {p.moves}" if p.moves else "at the start"


def starts_with_the_first_player(tested: GameUnderTest) -> Iterator[str]:
    """The start is an empty history, with player 1 to move, and the game goes on from it."""
    game, p = tested.game, tested.game.start()
    if (p.turn, p.moves) != (1, ()):
        yield f"its start has turn {p.turn} and moves {p.moves}, not 1 and ()"
    if len(p.cells) != game.size**2:
        yield f"its start has {len(p.cells)} cells, not size * size = {game.size**2}"
    if game.outcome(p) is not None or not game.moves(p):
        yield "it is over at its start"


def comes_to_an_end(tested: GameUnderTest) -> Iterator[str]:
    """Random games end by the rules, or a limit of repetitions or plies ends them."""
    game = tested.game
    if game.repetitions is not None and game.repetitions <= 1:
        yield f"its repetitions are {game.repetitions}: more than 1, or None"
    if game.longest is not None and game.longest <= 0:
        yield f"its longest is {game.longest}: more than 0, or None"
    if game.longest is None and game.repetitions is None:
        for *_, last in tested.walks:
            if game.outcome(last) is None:
                yield f"it has no outcome {after(last)[:100]}, and neither longest nor repetitions"


def keeps_the_history(tested: GameUnderTest) -> Iterator[str]:
    """Players alternate, and each position has the moves before it and one more."""
    for steps in tested.walks:
        for before, now in pairwise(steps):
            if now.turn != 3 - before.turn:
                yield f"the turn stays {now.turn} {after(now)}"
            if now.moves[:-1] != before.moves or len(now.moves) != len(before.moves) + 1:
                yield f"the moves {before.moves} became {now.moves}"
            if not set(now.cells) <= {0, 1, 2}:
                yield f"a cell is none of 0, 1, 2 {after(now)}"


def lists_what_is_legal(tested: GameUnderTest) -> Iterator[str]:
    """`moves` is sorted, without doubles, and holds the moves that `is_legal` allows."""
    game = tested.game
    for steps in tested.walks:
        for p in steps[:-1]:
            listed = list(game.moves(p))
            if listed != sorted(set(listed)):
                yield f"moves() is not in ascending order, each move once, {after(p)}"
            tried = {*range(-2, game.size**2 + 2), *listed}
            legal = {move for move in tried if game.is_legal(p, move)}
            if wrong := legal ^ set(listed):
                yield f"moves() and is_legal() differ on {sorted(wrong)[:5]} {after(p)}"


def ends_for_a_known_reason(tested: GameUnderTest) -> Iterator[str]:
    """The last position alone has an outcome, with a reason of REASONS, and no moves."""
    game = tested.game
    for *before, last in tested.walks:
        if early := [p for p in before if game.outcome(p) is not None]:
            yield f"it has an outcome and goes on {after(early[0])}"
        if not (outcome := game.outcome(last)):
            if not game.moves(last):
                yield f"it has no moves and no outcome {after(last)}"
            continue
        if outcome.reason not in REASONS:
            yield f"its reason {outcome.reason!r} is none of arena.game.REASONS"
        if outcome.winner not in (1, 2, None):
            yield f"its winner is {outcome.winner!r}, not 1, 2 or None"
        if game.moves(last):
            yield f"it is over and has moves {after(last)}"


def reads_what_it_writes(tested: GameUnderTest) -> Iterator[str]:
    """`parse` is the mirror of `text`, which has no spaces."""
    game = tested.game
    for p in tested.walks[0][:-1]:
        for move in game.moves(p):
            text = game.text(move)
            if " " in text:
                yield f"the text {text!r} of a move has a space"
            if game.parse(text) != move:
                yield f"the move {move} is read as {game.parse(text)} from its text {text!r}"


def has_positions_that_are_values(tested: GameUnderTest) -> Iterator[str]:
    """A position can be pickled, compared and hashed."""
    for *_, p in tested.walks:
        copy = pickle.loads(pickle.dumps(p))
        if copy != p or hash(copy) != hash(p):
            yield f"a copy of a position differs from it {after(p)}"


def changes_no_position(tested: GameUnderTest) -> Iterator[str]:
    """`play` returns a new position, and gives it again; the one before stays as it was."""
    game, p = tested.game, tested.game.start()
    move, before = game.moves(p)[0], pickle.dumps(p)
    if game.play(p, move) != game.play(p, move):
        yield f"the move {move} leads to two positions"
    if pickle.dumps(p) != before or p != game.start():
        yield f"the move {move} changed the position before it, or the start"


def keeps_its_symmetries(tested: GameUnderTest) -> Iterator[str]:
    """If it has `symmetries`, a turned game is the game turned; they are a group."""
    game = tested.game
    if not isinstance(game, Symmetric):
        return
    known = [tuple(each) for each in game.symmetries]
    if tuple(range(game.size**2)) not in known:
        yield "its symmetries lack that of doing nothing"
    for symmetry in known:
        if tuple(sorted(symmetry, key=symmetry.__getitem__)) not in known:
            yield f"its symmetries lack what undoes {symmetry[:5]}..."
        for steps in tested.walks[:3]:
            yield from differences(game, game, symmetry, steps)


def differences(
    game: Game, turns: Symmetric, symmetry: tuple[int, ...], steps: Iterable[Position]
) -> Iterator[str]:
    """The places where a game and its turned image differ."""
    image = game.start()
    for p in steps:
        if p.last is not None:
            image = game.play(image, turns.turned(p.last, symmetry))
        stones = enumerate(p.cells)
        is_equal = (
            image.turn == p.turn
            and game.outcome(image) == game.outcome(p)
            and all(image.cells[symmetry[cell]] == stone for cell, stone in stones)
        )
        turned = sorted(turns.turned(move, symmetry) for move in game.moves(p))
        if not is_equal or list(game.moves(image)) != turned:
            yield f"turned by {symmetry[:5]}..., it is another game {after(p)}"


CHECKS = named_checks(
    starts_with_the_first_player,
    comes_to_an_end,
    keeps_the_history,
    lists_what_is_legal,
    ends_for_a_known_reason,
    reads_what_it_writes,
    has_positions_that_are_values,
    changes_no_position,
    keeps_its_symmetries,
)
GAME_CHECKS = names_of(CHECKS)  # The names of the checks of a game, in the order in which they run
