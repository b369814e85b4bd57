"""An AI of another program, wrapped as an engine: `arena init --wrap`.

How it wants the board, and what its answer means, is found by trying: each guess is the text of an
engine, which is run on boards whose right answers are known.
"""

from __future__ import annotations

import ast
import inspect
import re
import signal
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cache, partial
from itertools import product
from keyword import iskeyword
from math import isqrt
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any, NamedTuple

import numpy

from arena.engine import Limit
from arena.errors import ConfigError, Fault, no_such_file, one_line, own_words
from arena.game import Position
from arena.plugins.source_files import Tree, import_file, root_of
from arena.plugins.user_engines import is_mover
from arena.processes.child import Question, answer_of

MOVE_SECONDS, TRY_SECONDS, PATIENCE, MEGABYTES = 10.0, 60.0, 90.0, 4096
"""Seconds of a move, until nothing more is tried, and until the process is ended."""
SIZES = (15, 8, 9, 10, 19, 20)
MAIN = '; put the loop that plays a game below `if __name__ == "__main__":`'
UNTRIED = "only these were tried, and SIZES allows others, too"
FREE = "[divmod(i, size) for i, c in enumerate(cells) if c == EMPTY]"
ARGUMENTS = {
    "name": "'ai'",
    "legal|valid|avail|possible|moves": FREE,
    "last|prev": "divmod(p.last, size) if p.moves else None",
    "size|^n$|rows?$|cols?$|columns?$|width|height|^dim": "size",
    "board|grid|state|matrix": "board",
    "opp|enemy|other|human|rival": "other",
    "blank|empty": "EMPTY",
    "line|inrow|win|connect|^k$": "5",
    "colou?r|player|symbol|piece|stone|mark|side|turn|^me$|^id$|^role$": "own",
    "depth|level": "2",
    "time|limit|second": "1",
}
"""What an argument is given, by a part of its name; the first one counts."""
ALWAYS_GIVEN = {"size", "other", "EMPTY", "own"}  # What is given even if the argument has a default
BOARDS = {
    "list of lists": "[cells[row * size :][:size] for row in range(size)]",
    "numpy array": "numpy.array(cells).reshape(size, size)",
    "flat list": "list(cells)",
}
ANSWERS = ("{}", "({}, self.ai.candidate_list[-1])[1]", "{}[0]", "{}[1]")
"""Where the move stands in what comes back; or beside it, as some courses want it."""
CELL, RAW = "int(answer)", "(answer, board, cells)"
POINTS = {
    "row, column": "int(answer[0]) * size + int(answer[1])",
    "x, y (column, row)": "int(answer[1]) * size + int(answer[0])",
    "the number of a cell, row by row": CELL,
    "a changed board": "[a != b for a, b in zip(numpy.ravel(board), cells)].index(True)",
}
NUMBERS = ((0, 1, -1), (0, 1, 2), (0, 2, 1), (0, -1, 1))
LETTERS = (
    (empty, *each) for empty in (*".-_ ", "", None) for each in ("XO", "OX", "bw", "wb", "BW", "WB")
)
ENGINE = '''"""{call} of {file} as an engine, written by `arena init --wrap`.

It was tried, and this was found; correct what is wrong:
{words}
"""
import random

import numpy
from arena import Choice

{importing}

GAMES = ("gomoku",)
SIZES = {sizes}
EMPTY = {empty!r}


def engine(game):
    if game.size not in SIZES:
        raise ValueError(f"{name} does not play on {{game.size}} x {{game.size}} points")
    return Wrapped(game)


class Wrapped:
    def __init__(self, game):
        self.game, self.ai = game, None

    def new_game(self, seed):
        random.seed(seed)
        numpy.random.seed(seed % 2**32)
        self.ai = None

    def choose(self, p, limit):
        size = self.game.size
        own, other = {colours}
        codes = {{0: EMPTY, p.turn: own, 3 - p.turn: other}}
        cells = [codes[each] for each in p.cells]
        board = {board}
        self.ai = {making}
        answer = {answer}
        return Choice({point})

    def close(self):
        pass
'''


class Wrapping(NamedTuple):
    """The text of an engine, and what was found by trying it."""

    text: str
    words: str
    size: int  # The size to play on; 0: any, or the default
    seconds: float  # The longest time of a move


def wrap(path: Path, wanted: str = "") -> tuple[Path, Wrapping]:
    """Write the engine beside the AI's file, and return it with what was found.

    The AI is imported and tried in a process of its own. ConfigError if that fails, if nothing
    plays, or if the engine's file is there already.
    """
    target = path.with_name(f"{path.stem}_engine.py")
    if not path.exists():
        raise ConfigError(Fault(str(path), no_such_file(path, {".py"})))
    if not path.is_file() or path.suffix != ".py" or "." in path.stem:
        raise ConfigError(Fault(str(path), "must be a Python file that can be imported by name"))
    there = ConfigError(Fault(str(target), "is there already; nothing was written"))
    if target.exists():
        raise there
    ask = partial(found, path.resolve(), wanted)
    answer = answer_of(Question(ask, str(path), "tried", PATIENCE, MEGABYTES))
    if not isinstance(answer, Wrapping):
        raise ConfigError(Fault(str(path), "answered in place of the process that tries it"))
    try:
        with target.open("x", encoding="utf-8") as stream:
            stream.write(answer.text)
    except FileExistsError:
        raise there from None
    return target, answer


def found(file: Path, wanted: str) -> Wrapping:
    """The engine that plays best, in the process that may import the AI."""
    signal.signal(signal.SIGALRM, _end_import)
    signal.setitimer(signal.ITIMER_REAL, TRY_SECONDS)
    try:
        module = import_file(file)
    except BaseException as error:
        cure = MAIN if isinstance(error, EOFError | SystemExit | TimeoutError) else ""
        raise ConfigError(f"{file} cannot be imported: {own_words(error)}{cure}") from None
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    trial = _Trial(file)
    most, best = len(_fours(SIZES[0])), (-99, dict[str, Any]())
    for score, guess in trial.scores(module, wanted):
        best = (score, guess) if score > best[0] else best
        if score == most or time.monotonic() > trial.end:
            break
    score, guess = best
    if not guess:
        fault = next(iter(trial.faults), f"no {wanted or 'class or function'} has get_move(board)")
        raise ConfigError(f"{file}: {fault}; to write the engine by hand: docs/writing_engines.md")
    tries = {each: trial.run(guess, _fours(each)[0][0]) for each in SIZES if each != guess["size"]}
    faults = [f"not {size}: {each}" for size, each in tries.items() if isinstance(each, str)]
    plays = sorted({*SIZES} - {size for size, each in tries.items() if isinstance(each, str)})
    empty, own, other = map(repr, guess["codes"])
    who = "the first player's, the second's" if guess["is_fixed"] else "its own, the other's"
    words = (
        f"- the call: {guess['call']}\n"
        f"- the board: {guess['board']}; {empty} is an empty cell; {own}, {other}: {who}. "
        f"It made or stopped a five on {max(score, 0)} of {most} boards"
        f"{'' if score == most else '; by no other codes on more, so look at them'}\n"
        f"- its answer: {guess['point']}. It was legal where only cells above the diagonal were\n"
        f"- its sizes: {', '.join(map(str, plays))}; {next(iter(faults), UNTRIED)}"
    )
    sizes = str(tuple(plays)) if faults else "range(100)"
    text = trial.text(guess | {"words": words, "sizes": sizes})
    return Wrapping(text, words, 0 if SIZES[0] in plays else guess["size"], trial.slowest)


def _end_import(*_: object) -> None:
    raise TimeoutError(f"it took more than {TRY_SECONDS:g} s")


def _end_move(*_: object) -> None:
    raise TimeoutError(f"it took more than {MOVE_SECONDS:g} s for a move")


class _Trial:
    """Asks an AI by guesses: the values of the names in ENGINE, and of what these follow from."""

    def __init__(self, file: Path) -> None:
        nodes = ast.walk(ast.parse(file.read_bytes()))
        told = {each.value for each in nodes if isinstance(each, ast.Constant)}
        self.file = file
        self.sizes = sorted(SIZES, key=lambda each: each not in told)
        self.codes = [*(each for each in LETTERS if told.issuperset(each)), *NUMBERS]
        self.end = time.monotonic() + TRY_SECONDS
        self.slowest = 0.0
        self.faults: list[str] = []
        signal.signal(signal.SIGALRM, _end_move)

    def targets(self, module: ModuleType, wanted: str) -> Iterator[dict[str, Any]]:
        for name, thing in vars(module).items():
            is_own = callable(thing) and getattr(thing, "__module__", "") == module.__name__
            is_class = inspect.isclass(thing)
            if not is_own or wanted not in ("", name) or not (is_class or wanted or is_mover(name)):
                continue
            methods = filter(is_mover, dir(thing)) if is_class else [""]
            for method in methods:
                try:
                    made = _arguments(inspect.signature(thing), False) if is_class else ""
                    call = f"{name}({made})" if is_class else name
                    asked = inspect.signature(getattr(thing, method) if is_class else thing)
                    is_bound = inspect.isfunction(inspect.getattr_static(thing, method, None))
                    told = _arguments(asked, "board" not in made, is_bound)
                    ask = f"{'.' * is_class}{method}({told})"
                    making = call if "board" in made or not is_class else f"self.ai or {call}"
                    yield {"name": name, "call": call + ask, "making": making, "ask": ask}
                except (TypeError, ValueError) as error:
                    self.faults.append(f"{name} {method}: {error}")

    def scores(self, module: ModuleType, wanted: str) -> Iterator[tuple[int, dict[str, Any]]]:
        """The guesses that are legal, each with the fours on which it is right less its faults."""
        for target, size in product([*self.targets(module, wanted)], self.sizes):
            if (readable := next(self.readable(target | {"size": size}), None)) is None:
                continue
            empty, own, _ = readable["codes"]
            like = [each for each in self.codes if each[0] == empty and type(each[1]) is type(own)]
            for is_fixed, codes in product((False, True), like):
                guess, score = readable | {"codes": codes, "is_fixed": is_fixed}, 0
                for p, right in _fours(size):
                    tried = self.run(guess, p)
                    move = -1 if isinstance(tried, str) else tried[1]
                    is_legal = move in range(size**2) and not p.cells[move]
                    score += move in right if is_legal else -1
                yield score, guess

    def readable(self, guess: dict[str, Any]) -> Iterator[dict[str, Any]]:
        """The guesses by which it chooses one of the few moves that are legal, on two boards."""
        for codes, board in product(self.codes, BOARDS):
            tried = guess | {"codes": codes, "board": board, "is_fixed": False}
            first, second = (self.readings(tried, *each) for each in _upper_boards(guess["size"]))
            yield from (each for each in first if each in second)

    def readings(self, guess: dict[str, Any], p: Position, right: set[int]) -> list[dict[str, Any]]:
        """The ways to read the engine's answer by which it means one of the `right` cells."""
        tried = self.run(guess | {"answer": ANSWERS[0], "point": RAW}, p)
        if isinstance(tried, str):
            self.faults.append(f"{guess['call']} does not play: {tried}")
            return []
        engine, (raw, board, cells) = tried
        names = {"self": engine, "board": board, "cells": cells, "size": guess["size"]}
        read = []
        for answer, (point, expression) in product(ANSWERS, POINTS.items()):
            with suppress(Exception):
                value = eval(answer.format("raw"), names | {"raw": raw})
                is_number = hasattr(value, "__index__") and not isinstance(value, bool)
                is_apt = expression != CELL or (is_number and answer in ANSWERS[:2])
                if is_apt and eval(expression, names | {"answer": value, "numpy": numpy}) in right:
                    read.append(guess | {"answer": answer, "point": point})
        if not read:
            self.faults.append(f"{guess['call']} answers {one_line(repr(raw))[:60]}, no legal move")
        return read

    def text(self, guess: dict[str, Any]) -> str:
        name, (empty, own, other) = guess["name"], guess["codes"]
        module = ".".join(self.file.relative_to(root_of(self.file)).with_suffix("").parts)
        importing = f"from {module} import {name}"
        if not all(each.isidentifier() and not iskeyword(each) for each in module.split(".")):
            importing = f"{name} = __import__({module!r}, fromlist=[{name!r}]).{name}"
        fixed = f"({own!r}, {other!r}) if p.turn == 1 else ({other!r}, {own!r})"
        said = guess.get("words", "").replace("\\", "\\\\").replace('"', "'")
        return ENGINE.format_map(
            {"sizes": "range(100)", **guess, "words": said}
            | {"file": self.file.name.replace('"', "'"), "importing": importing, "empty": empty}
            | {"colours": fixed if guess["is_fixed"] else f"{own!r}, {other!r}"}
            | {"board": BOARDS[guess["board"]], "point": POINTS.get(guess["point"], RAW)}
            | {"answer": guess["answer"].format(f"self.ai{guess['ask']}")}
        )

    def run(self, guess: dict[str, Any], p: Position) -> tuple[Any, Any] | str:
        """The player that a guess makes, and its move; or what is wrong."""
        names: dict[str, Any] = {"__builtins__": Tree.at(root_of(self.file)).builtins}
        began = time.monotonic()
        if began > self.end:
            return f"nothing was found within {TRY_SECONDS:g} s"
        signal.setitimer(signal.ITIMER_REAL, MOVE_SECONDS)
        try:
            exec(self.text(guess), names)
            player = names["engine"](SimpleNamespace(size=isqrt(len(p.cells))))
            player.new_game(0)
            move = player.choose(p, Limit()).move
        except BaseException as error:
            return str(error) if isinstance(error, TimeoutError) else own_words(error)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
        self.slowest = max(self.slowest, time.monotonic() - began)
        return player, move


def _arguments(signature: inspect.Signature, is_asked: bool, is_bound: bool = False) -> str:
    """What is given to a function's arguments; ValueError for one that nobody knows."""
    given: list[str] = []
    for each in list(signature.parameters.values())[is_bound:]:
        word = each.name.lower().replace("_", "")
        value = next((text for part, text in ARGUMENTS.items() if re.search(part, word)), "")
        if not value and is_asked and not given:
            value = "board"
        wanted = ALWAYS_GIVEN | {"board"} if is_asked else ALWAYS_GIVEN
        is_many = each.kind in (each.VAR_POSITIONAL, each.VAR_KEYWORD)
        if is_many or (each.default is not each.empty and value not in wanted):
            continue
        if not value:
            raise ValueError(f"what is its argument {each.name!r}? Give it a default")
        given.append(value if value == "board" and not given else f"{each.name}={value}")
    return ", ".join(given)


@cache
def _upper_boards(size: int) -> list[tuple[Position, set[int]]]:
    """Two boards on which only a few cells above the diagonal are empty."""
    boards = []
    for start in (2, 3):
        free = {(r, c) for r in range(1, size - 3, 3) for c in range(r + start, size, 3)}
        stones = [each for each in product(range(size), repeat=2) if each not in free]
        sides = ([(r, c) for r, c in stones if (c // 2 + r) % 2 == i] for i in (0, 1))
        boards.append((_position(size, *sides), {r * size + c for r, c in free}))
    return boards


@cache
def _fours(size: int) -> list[tuple[Position, set[int]]]:
    """Boards with fours: the side to move, each in turn, makes a five, or must stop one."""
    m, boards = size // 2, []
    four, far = ([(row, m + i) for i in range(-2, 2)] for row in (m, m - 3))
    end, lone = m * size + m + 2, [(m, m - 3), (m - 3, m - 2), (m - 2, m + 2), (m + 3, m)]
    for own, other, right in ((four, far, {end, end - 5}), (lone, four, {end})):
        boards.append((_position(size, own, other), right))
        boards.append((_position(size, [*other, (m + 2, m - 2)], own), right))
    return boards


def _position(size: int, first: Sequence[Any], second: Sequence[Any]) -> Position:
    codes = {**dict.fromkeys(first, 1), **dict.fromkeys(second, 2)}
    cells = bytes(codes.get(each, 0) for each in product(range(size), repeat=2))
    moves = tuple(row * size + column for row, column in codes)
    return Position(cells, 1 + (len(first) > len(second)), moves)
