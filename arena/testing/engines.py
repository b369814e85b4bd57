"""Checks of an engine: `check_engine`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import isfinite
from random import Random
from types import SimpleNamespace
from typing import Any, cast, get_args

from arena.engine import Choice, Engine, Evaluation, Limit, Program
from arena.errors import ConfigError, unknown
from arena.game import FAULTS, Game, Position
from arena.games.gomoku import AnyRule
from arena.match.play import play_game
from arena.match.record import GameRecord, Job, job_of
from arena.match.terms import Terms
from arena.plugins.build import close_engine, evaluation_of, load_engine, rules_in, rules_of_game
from arena.plugins.load import (
    Named,
    checked,
    checked_factory,
    checked_games,
    description,
    load_game,
    names,
)
from arena.plugins.parameters import fit, parameters
from arena.testing.running import name_of, named_checks, names_of, run_checks
from arena.tournament.replay import rules_difference

SMALL = {"gomoku": "gomoku:size=9"}
"""Games on boards that are quick to play; others are played as they are."""
SHALLOW = Limit(depth=2)
PLIES = 60


@dataclass(frozen=True, slots=True)
class EngineUnderTest:
    """An engine: the values that its file declares, and how it is built for a game."""

    name: str
    module: Any
    games: tuple[Game, ...]  # A game of each name, by the first rule that the engine knows
    build: Callable[[Game], Engine]
    evaluation: Callable[[Game], Evaluation | None]

    def players(self) -> Iterator[tuple[Game, Engine]]:
        """A player for each of its games, closed when the next one is asked for."""
        for game in self.games:
            yield from ((game, engine) for engine in self.player(game))

    def player(self, game: Game) -> Iterator[Engine]:
        engine = self.build(game)
        try:
            yield engine
        finally:
            close_engine(engine, self.name)


def check_engine(
    engine: object, *, game: str | None = None, checks: Iterable[str] | None = None
) -> None:
    """Put an engine through the checks of `arena/engine.py`, by default all of `ENGINE_CHECKS`.

    It is a name, a path or a dotted name, with parameters if any (`./my_engine.py:width=5`), or a
    module. `game` is the one to play, in place of a small one of each that the engine names.
    Raises ContractError, which names every check that fails. The engine plays in this process.
    """
    run_checks(name_of(engine), lambda: _engine_under_test(engine, game), CHECKS, checks)


def _engine_under_test(wanted: object, game: str | None = None) -> EngineUnderTest:
    """The engine, built once for each of its games. Raises ConfigError if that fails."""
    is_named = isinstance(wanted, str | Named) or hasattr(wanted, "__fspath__")
    found = _named_engine(wanted) if is_named else _engine_in(wanted)
    games = (load_game(game),) if game else tuple(map(load_game, _small_games(found.module)))
    found = replace(found, games=games)
    for _ in found.players():
        pass
    return found


def _named_engine(wanted: object) -> EngineUnderTest:
    """The engine that a name or path is, with its parameters."""
    named = checked("engine", wanted if isinstance(wanted, Named) else str(wanted))
    return EngineUnderTest(
        name=named.name,
        module=checked_games(named.name, description("engine", named.name)),
        games=(),
        build=lambda game: load_engine(named, game),
        evaluation=lambda game: evaluation_of(named, game),
    )


def _engine_in(module: Any) -> EngineUnderTest:
    name = name_of(module)
    factory = checked_factory("engine", name, checked_games(name, module))
    values, misfits = fit(factory, {})
    if misfits:
        raise ConfigError(*(misfit.message for misfit in misfits))

    def evaluation(game: Game) -> Evaluation | None:
        make = getattr(module, "evaluate", None)
        return cast(Evaluation, make(game, **values)) if make else None

    def build(game: Game) -> Engine:
        engine = factory(game, **values)
        for method in ("new_game", "choose", "close"):
            if not callable(getattr(engine, method, None)):
                raise ConfigError(f"what engine() returns has no {method}()")
        return cast(Engine, engine)

    return EngineUnderTest(name, module, (), build, evaluation)


def _small_games(module: Any) -> Iterator[str]:
    """The games to play, as texts: those that the engine names, by a rule that it knows."""
    wanted = names("game") if "*" in module.GAMES else module.GAMES
    for name in wanted:
        if name not in names("game"):
            raise ConfigError(unknown("game", name, names("game")))
        known = _known_rules(module, name)
        text = SMALL.get(name, name)
        yield f"{text},rule={known[0]}" if known and name in SMALL else text


def _known_rules(module: Any, game: str) -> list[str]:
    """The rules of a game that an engine knows; none where there is nothing to choose from."""
    known = rules_in(cast(SimpleNamespace, module))
    return [rule for rule in rules_of_game(game) if rule in known or "*" in known]


def positions(game: Game, seed: int = 0) -> list[Position]:
    """The positions of a random game that are not over."""
    random, found = Random(seed), [game.start()]
    while len(found) < PLIES and (moves := game.moves(found[-1])):
        found.append(game.play(found[-1], random.choice(moves)))
    return [p for p in found if not game.outcome(p)]


def answers(tested: EngineUnderTest) -> Iterator[tuple[Game, Position, Choice]]:
    """Choices in positions of a random game, within a depth of 2."""
    for game, engine in tested.players():
        engine.new_game(1)
        for p in positions(game)[::7]:
            yield game, p, engine.choose(p, SHALLOW)


def place(game: Game, p: Position) -> str:
    """The place of a fault: the moves before it."""
    return f"in {game.name} after {' '.join(map(game.text, p.moves)) or 'no moves'}"


def played(game: Game, engine: Engine, other: Engine, job: Job, plies: int = 0) -> GameRecord:
    """A game within a depth of 2, to its end or to a number of plies."""
    terms = Terms(game=Named(game.name), max_plies=plies or None)
    return play_game(game, (engine, other), job, limits=(SHALLOW, SHALLOW), terms=terms)


def knows_its_rules(tested: EngineUnderTest) -> Iterator[str]:
    """RULES, if it says any, are rules of gomoku, or "*" for any."""
    rules = (*get_args(AnyRule), "*")
    for rule in getattr(tested.module, "RULES", ()):
        if rule not in rules:
            yield unknown("rule", rule, rules)


def has_parameters_within_their_ranges(tested: EngineUnderTest) -> Iterator[str]:
    """The default of each parameter is in its range, or among its choices."""
    for each in parameters(checked_factory("engine", tested.name, tested.module)):
        if each.range and not each.range.low <= each.default <= each.range.high:
            yield f"the default {each.default} of {each.name} is outside of {each.domain}"
        if each.choices and each.default not in each.choices:
            yield f"the default {each.default!r} of {each.name} is none of {each.domain}"


def chooses_legal_moves(tested: EngineUnderTest) -> Iterator[str]:
    """Each move is legal, and it does not resign in a game that has just begun."""
    for game, p, choice in answers(tested):
        if choice.move is None:
            yield f"it resigns {place(game, p)}"
        elif not game.is_legal(p, choice.move):
            yield f"its move {choice.move} is illegal {place(game, p)}"


def answers_in_plain_numbers(tested: EngineUnderTest) -> Iterator[str]:
    """Moves, depth, nodes and score are Python's own whole numbers; info has plain values."""
    for game, p, choice in answers(tested):
        whole = {"move": choice.move, "depth": choice.depth, "nodes": choice.nodes}
        whole |= {"score": choice.score} if choice.score is not None else {}
        whole |= {f"pv[{i}]": move for i, move in enumerate(choice.pv)}
        for name, value in whole.items():
            if type(value) is not int:
                yield f"{name} is {type(value).__name__} {value!r}, not int, {place(game, p)}"
        for name, info in choice.info.items():
            if type(info) not in (int, float, str):
                yield f"info[{name!r}] is of the type {type(info).__name__}: int, float or str"


def expects_its_own_move(tested: EngineUnderTest) -> Iterator[str]:
    """The line that it expects begins with its move, or is empty."""
    for game, p, choice in answers(tested):
        if choice.pv and choice.pv[0] != choice.move:
            move = f"its pv begins with {choice.pv[0]}, and its move is {choice.move}"
            yield f"{move} {place(game, p)}"


def keeps_to_the_depth(tested: EngineUnderTest) -> Iterator[str]:
    """It searches no deeper than the limit."""
    for game, p, choice in answers(tested):
        if choice.depth > 2:
            yield f"it searched {choice.depth} plies within Limit(depth=2) {place(game, p)}"


def draws_from_its_seed_only(tested: EngineUnderTest) -> Iterator[str]:
    """Two engines of equal parameters play equal games from equal seeds."""
    for game in tested.games:
        first, second = (lines(game, each, [4]) for _ in range(2) for each in tested.player(game))
        if first != second:
            yield f"in {game.name}, it plays another game from the seed that it had before"


def lines(game: Game, engine: Engine, seeds: Sequence[int]) -> list[str]:
    """The moves of short games against random moves, one for each seed."""
    other = load_engine("random_mover", game)
    return [played(game, engine, other, Job("it", "other", seed=seed), 12).moves for seed in seeds]


def forgets_earlier_games(tested: EngineUnderTest) -> Iterator[str]:
    """`new_game` forgets all: the first game comes again after another one."""
    for game, engine in tested.players():
        first, _, again = lines(game, engine, [1, 2, 1])
        if first != again:
            yield f"in {game.name}, a game depends on those that it has played before"


def leaves_the_position_alone(tested: EngineUnderTest) -> Iterator[str]:
    """It changes nothing of the position that it is given."""
    for game, engine in tested.players():
        engine.new_game(3)
        p = positions(game)[len(positions(game)) // 2]
        before = replace(p, cells=bytes(p.cells))
        engine.choose(p, SHALLOW)
        if p != before:
            yield f"it changed the position {place(game, before)}"


def takes_the_last_cell(tested: EngineUnderTest) -> Iterator[str]:
    """On a board with one empty cell it plays there, in games of stones that are laid."""
    for game, engine in tested.players():
        if game.name not in ("gomoku", "tictactoe"):
            continue
        stripes = ("112" * game.size, "221" * game.size)  # no five of either colour
        cells = bytes(
            int(stripes[row // 2 % 2][column])
            for row in range(game.size)
            for column in range(game.size)
        )
        last = game.size**2 - 1
        engine.new_game(0)
        choice = engine.choose(Position(cells[:-1] + b"\0", 1, tuple(range(last))), SHALLOW)
        if choice.move != last:
            yield f"in {game.name}, it plays {choice.move} where only {last} is empty"


def plays_by_its_rules(tested: EngineUnderTest) -> Iterator[str]:
    """Against random moves, it plays to the end by each rule that it knows."""
    for game in _ruled_games(tested):
        other = load_engine("random_mover", game)
        for engine in tested.player(game):
            record = played(game, engine, other, Job("it", "random_mover", seed=1))
            rule = getattr(game, "rule", "")
            if record.reason in FAULTS and record.winner == 2:
                yield f"in {game.name} {rule}, it loses by {record.reason}: {record.detail}"
            elif record.reason not in FAULTS and (wrong := rules_difference(game, record)):
                yield f"in {game.name} {rule}, {wrong}"


def _ruled_games(tested: EngineUnderTest) -> Iterator[Game]:
    for game in tested.games:
        rules = _known_rules(tested.module, game.name) if game.name == "gomoku" else []
        for rule in rules:
            yield load_game(f"gomoku:size=7,rule={rule}")
        if not rules:
            yield game


def opens_by_swap2(tested: EngineUnderTest) -> Iterator[str]:
    """If it has `open` and is no program, it makes openings against itself without a fault."""
    for game in tested.games:
        for engine, other in zip(tested.player(game), tested.player(game), strict=True):
            # Whether a program knows swap2 is seen when it is asked: `arena check` does.
            if game.name != "gomoku" or not hasattr(engine, "open") or isinstance(engine, Program):
                continue
            corner = " ".join(map(game.text, (0, 1, 2)))
            job = job_of(("one", "other", f"swap2 {corner}", 1), seed=2)
            record = played(game, engine, other, job, 12)
            if record.reason in FAULTS:
                yield f"it loses in an opening by swap2, by {record.reason}: {record.detail}"


def evaluates_the_board_alone(tested: EngineUnderTest) -> Iterator[str]:
    """If it has `evaluate`, values are finite numbers of the board and the side to move."""
    for game in tested.games:
        if not (value := tested.evaluation(game)):
            continue
        boards = [p for seed in range(5) for p in positions(game, seed)[::5]]
        found: list[object] = [value(p) for p in boards]
        for p, number in zip(reversed(boards), reversed(found), strict=True):
            if not (isinstance(number, int | float) and isfinite(number)):
                yield f"evaluate() gives {number!r} {place(game, p)}"
            if (again := value(replace(p, moves=p.moves[::-1]))) != number:
                yield f"evaluate() gives {number!r}, and then {again!r} {place(game, p)}"


CHECKS = named_checks(
    knows_its_rules,
    has_parameters_within_their_ranges,
    chooses_legal_moves,
    answers_in_plain_numbers,
    expects_its_own_move,
    keeps_to_the_depth,
    draws_from_its_seed_only,
    forgets_earlier_games,
    leaves_the_position_alone,
    takes_the_last_cell,
    plays_by_its_rules,
    opens_by_swap2,
    evaluates_the_board_alone,
)
ENGINE_CHECKS = names_of(CHECKS)
"""The names of the checks of an engine, in the order in which they run."""
