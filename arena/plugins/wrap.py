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
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import chain, groupby, product
from math import isqrt
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy

from arena.engine import Limit
from arena.errors import ConfigError, Fault, one_line, own_words
from arena.game import Position
from arena.plugins.source_tree import Tree, import_file, root_of
from arena.plugins.user_engines import is_mover
from arena.processes.question import Question, answer_of

MOVE_SECONDS, TRY_SECONDS, PATIENCE, MEGABYTES = 10.0, 60.0, 90.0, 4096
"""Seconds of a move, until nothing more is tried, and until the process is ended."""
Cell = tuple[int, ...]

SIZES, OTHER_SIZES = (15, 8, 9, 10, 19, 20), (9, 20)
FREE = "[divmod(i, size) for i in range(size**2) if cells[i] == EMPTY]"
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
ALWAYS_GIVEN = {"size", "other", "EMPTY", "own"}
"""What is given even if the argument has a default."""
BOARDS = {
    "list of lists": "[cells[row * size :][:size] for row in range(size)]",
    "numpy array": "numpy.array(cells).reshape(size, size)",
    "flat list": "list(cells)",
}
ANSWERS = ("{}", "({}, self.ai.candidate_list[-1])[1]", "{}[0]", "{}[1]")
"""Where the move stands in what comes back; or beside it, as some courses want it."""
CELL = "int(answer)"
POINTS = {
    "row, column": "int(answer[0]) * size + int(answer[1])",
    "x, y (column, row)": "int(answer[1]) * size + int(answer[0])",
    "the number of a cell, row by row": CELL,
    "a changed board": "[a != b for a, b in zip(numpy.ravel(board), cells)].index(True)",
    "": "(answer, board, cells)",
}
"""How a move stands for a cell; the last is for what is not known yet."""
NUMBERS = ((0, 1, -1), (0, 1, 2), (0, 2, 1), (0, -1, 1))
LETTERS = ("XO", "OX", "bw", "wb", "BW", "WB")
CODES = (*NUMBERS, *((empty, *each) for empty in (*".-_ ", "", None) for each in LETTERS))
"""What stands for an empty cell, its own stones and the other's."""
FOURS = 4
"""Boards with a four."""
ENGINE = '''"""{call} of {file.name} as an engine, written by `arena init --wrap`.

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


@dataclass(frozen=True)
class Wrapping:
    """What is guessed of an AI: a class or function of this name in a file."""

    file: Path
    name: str
    making: str
    """The object to ask, and the call of it."""
    asking: str
    board: str = ""
    codes: tuple[Any, Any, Any] = NUMBERS[0]
    is_fixed: bool = False
    """True if the codes of stones are the first and the second player's."""
    answer: str = ANSWERS[0]
    point: str = ""
    size: int = SIZES[0]
    plays_any: bool = True
    """False if it plays only on boards of this size."""
    words: str = ""

    @property
    def call(self) -> str:
        """How it is asked for a move."""
        return f"{self.making.removeprefix('self.ai or ')}{self.asking.removeprefix('self.ai')}"

    def text(self) -> str:
        """The file of the engine."""
        module = ".".join(self.file.relative_to(root_of(self.file)).with_suffix("").parts)
        importing = f"from {module} import {self.name}"
        if not all(map(str.isidentifier, module.split("."))):
            importing = f"{self.name} = __import__({module!r}).{self.name}"
        empty, own, other = self.codes
        seats = f"({own!r}, {other!r}) if p.turn == 1 else ({other!r}, {own!r})"
        told = {key: getattr(self, key) for key in ("call", "words", "making", "file", "name")}
        return ENGINE.format(
            **told,
            sizes="range(100)" if self.plays_any else f"({self.size},)",
            importing=importing,
            empty=empty,
            colours=seats if self.is_fixed else f"{own!r}, {other!r}",
            board=BOARDS[self.board],
            answer=self.answer.format(self.asking),
            point=POINTS[self.point],
        )


def wrap(path: Path, wanted: str = "") -> tuple[Path, Wrapping, float]:
    """Write the engine beside the AI's file; return it, what was guessed, and its longest seconds.

    The AI is imported and tried in a process of its own. ConfigError if that fails, if nothing
    plays, or if the engine's file is there already.
    """
    target = path.with_name(f"{path.stem}_engine.py")
    if not path.is_file() or path.suffix != ".py" or "." in path.stem:
        raise ConfigError(Fault(str(path), "must be a Python file that can be imported by name"))
    there = ConfigError(Fault(str(target), "is there already; nothing was written"))
    if target.exists():
        raise there
    ask = partial(found, path.resolve(), wanted)
    answer = answer_of(Question(ask, str(path), "tried", PATIENCE, MEGABYTES))
    if not (isinstance(answer, tuple) and isinstance(answer[0], Wrapping)):
        raise ConfigError(Fault(str(path), "answered in place of the process that tries it"))
    try:
        with target.open("x", encoding="utf-8") as stream:
            stream.write(answer[0].text())
    except FileExistsError:
        raise there from None
    return target, *answer


def found(file: Path, wanted: str) -> tuple[Wrapping, float]:
    """The guess that plays best, and its longest seconds, in the process that may import the AI."""
    try:
        module = import_file(file)
    except BaseException as error:
        raise ConfigError(f"{file} cannot be imported: {own_words(error)}") from None
    trial = _Trial(file.read_bytes())
    for guess in trial.targets(module, file, wanted):
        trial.take(guess)
        if trial.score == FOURS or trial.is_over():
            break
    if not trial.best:
        fault = next(iter(trial.faults), f"no {wanted or 'class or function'} has get_move(board)")
        raise ConfigError(f"{file}: {fault}; to write the engine by hand: docs/writing_engines.md")
    return trial.best, trial.slowest


def _end_move(*_: object) -> None:
    raise TimeoutError(f"it took more than {MOVE_SECONDS:g} s for a move")


class _Trial:
    """Asks an AI by guesses, until the time for that is over, and holds the best of them."""

    def __init__(self, source: bytes) -> None:
        told = {
            each.value for each in ast.walk(ast.parse(source)) if isinstance(each, ast.Constant)
        }
        self.sizes = sorted(SIZES, key=lambda each: each not in told)

        def rank(codes: Sequence[Any]) -> int:
            """Letters that the source has come first, those that it has not last."""
            letters = [each for each in codes if not isinstance(each, int)]
            return 2 * (not told.issuperset(letters)) + (not letters)

        self.codings = [[*each] for _, each in groupby(sorted(CODES, key=rank), key=rank)]
        self.end = time.monotonic() + TRY_SECONDS
        signal.signal(signal.SIGALRM, _end_move)
        self.best: Wrapping | None = None
        self.score, self.slowest = -FOURS - 1, 0.0
        self.faults: list[str] = []

    def is_over(self) -> bool:
        """True once nothing more is to be tried."""
        return time.monotonic() > self.end

    def targets(self, module: ModuleType, file: Path, wanted: str) -> Iterator[Wrapping]:
        """What may answer with a move: the methods of classes, and functions."""
        for name, thing in vars(module).items():
            is_own = callable(thing) and getattr(thing, "__module__", "") == module.__name__
            is_class = inspect.isclass(thing)
            if not is_own or wanted not in ("", name) or not (is_class or wanted or is_mover(name)):
                continue
            for method in filter(is_mover, dir(thing)) if is_class else [""]:
                call, making = f"self.ai.{method}".rstrip("."), name
                try:
                    if is_class:
                        making = f"{name}({_arguments(inspect.signature(thing), is_asked=False)})"
                        making = making if "board" in making else f"self.ai or {making}"
                    asked = inspect.signature(getattr(thing, method) if is_class else thing)
                    is_bound = inspect.isfunction(inspect.getattr_static(thing, method, None))
                    arguments = _arguments(asked, "board" not in making, is_bound)
                    yield Wrapping(file, name, making, f"{call}({arguments})")
                except (TypeError, ValueError) as error:
                    self.faults.append(f"{name} {method}: {error}")

    def take(self, guess: Wrapping) -> None:
        """Find how it is to be asked, if it can be; hold it if it is best."""
        for size in self.sizes:
            readable = next(self.readable(guess, size), None)
            for coding in self.codings_like(readable) if readable else ():
                score = self.score_of(coding, size)
                if score > self.score:
                    self.score, self.best = score, self.described(coding, score, size)
                if score == FOURS or self.is_over():
                    return

    def readable(self, guess: Wrapping, size: int) -> Iterator[Wrapping]:
        """The guesses by which it chooses one of the few moves that are legal."""
        for codes, board in product(chain.from_iterable(self.codings), BOARDS):
            tried = replace(guess, codes=codes, board=board)
            first, *more = _upper_boards(size)
            for each in self.readings(tried, *first):
                if all(each in self.readings(tried, *board) for board in more):
                    yield each

    def codings_like(self, guess: Wrapping) -> Iterator[Wrapping]:
        """The guess with all codes that go with its code of an empty cell, itself first."""
        (codes,) = (each for each in self.codings if guess.codes in each)
        codes = [each for each in codes if repr(each[0]) == repr(guess.codes[0])]
        for is_fixed, each in product((False, True), sorted(codes, key=guess.codes.__ne__)):
            yield replace(guess, codes=each, is_fixed=is_fixed)

    def readings(self, guess: Wrapping, p: Position, right: set[int]) -> list[Wrapping]:
        """The guesses of what it answers by which that is one of these cells."""
        tried = self.run(guess, p)
        if isinstance(tried, str):
            self.faults.append(f"{guess.call} does not play: {tried}")
            return []
        engine, (raw, board, cells) = tried
        names = {"self": engine, "board": board, "cells": cells, "size": isqrt(len(cells))}
        read = []
        for source, (point, expression) in product(ANSWERS, POINTS.items()):
            with suppress(Exception):
                answer = eval(source.format("raw"), names | {"raw": raw})
                is_number = hasattr(answer, "__index__") and not isinstance(answer, bool)
                is_apt = expression != CELL or (is_number and source in ANSWERS[:2])
                if is_apt and eval(expression, names | {"answer": answer, "numpy": numpy}) in right:
                    read.append(replace(guess, answer=source, point=point))
        if not read:
            self.faults.append(f"{guess.call} answers {one_line(repr(raw))[:60]}, no legal move")
        return read

    def score_of(self, guess: Wrapping, size: int) -> int:
        """The boards on which it makes its five, or stops the other's; less those that it fails."""
        score = 0
        for p, right in _fours(size):
            tried = self.run(guess, p)
            move = -1 if isinstance(tried, str) else tried[1]
            is_legal = move in range(size**2) and not p.cells[move]
            score += move in right if is_legal else -1
        return score

    def run(self, guess: Wrapping, p: Position) -> tuple[Any, Any] | str:
        """The player that a guess makes, and its move; or what is wrong."""
        names: dict[str, Any] = {"__builtins__": Tree.at(root_of(guess.file)).builtins}
        began = time.monotonic()
        if self.is_over():
            return f"nothing was found within {TRY_SECONDS:g} s"
        signal.setitimer(signal.ITIMER_REAL, MOVE_SECONDS)
        try:
            exec(guess.text(), names)
            player = names["engine"](SimpleNamespace(size=isqrt(len(p.cells))))
            player.new_game(0)
            move = player.choose(p, Limit()).move
        except BaseException as error:
            return own_words(error)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
        self.slowest = max(self.slowest, time.monotonic() - began)
        return player, move

    def described(self, guess: Wrapping, score: int, size: int) -> Wrapping:
        """The guess with the words on it, once it is known on which boards it plays."""
        others = {
            each: self.run(guess, next(_fours(each))[0]) for each in OTHER_SIZES if each != size
        }
        fault = next(
            (f"not {n}: {each}" for n, each in others.items() if isinstance(each, str)), ""
        )
        who = (
            ("the first player's", "the second's") if guess.is_fixed else ("its own", "the other's")
        )
        doubt = "" if score == FOURS else "; by no other codes on more, so look at them"
        words = (
            f"the call: {guess.call}",
            f"the board: {guess.board}; {guess.codes[0]!r} is an empty cell, {guess.codes[1]!r} "
            f"{who[0]}, {guess.codes[2]!r} {who[1]}. "
            f"It made or stopped a five on {max(score, 0)} of {FOURS} boards{doubt}",
            f"its answer: {guess.point}. It was legal where only cells above the diagonal were",
            f"its sizes: {fault or 'any; these were tried'}",
        )
        text = "\n".join(f"- {each}" for each in words)
        return replace(guess, size=size, plays_any=not fault, words=text)


def _arguments(signature: inspect.Signature, is_asked: bool, is_bound: bool = False) -> str:
    """What is given to a function's arguments; ValueError for one that nobody knows."""
    given: list[str] = []
    for each in list(signature.parameters.values())[is_bound:]:
        word = each.name.lower().replace("_", "")
        value = next((found for part, found in ARGUMENTS.items() if re.search(part, word)), "")
        value = value or ("board" if is_asked and not given else "")
        is_left = each.default is not each.empty and value not in ALWAYS_GIVEN
        if each.kind in (each.VAR_POSITIONAL, each.VAR_KEYWORD) or (
            is_left and not (is_asked and value == "board")
        ):
            continue
        if not value:
            raise ValueError(f"what is its argument {each.name!r}? Give it a default")
        given.append(value if value == "board" and not given else f"{each.name}={value}")
    return ", ".join(given)


@cache
def _upper_boards(size: int) -> Sequence[tuple[Position, set[int]]]:
    """Two boards on which only a few cells above the diagonal are empty, and these."""
    boards = []
    for start in (2, 3):
        free = {(r, c) for r in range(1, size - 3, 3) for c in range(r + start, size, 3)}
        stones = [each for each in product(range(size), repeat=2) if each not in free]
        sides = ([(r, c) for r, c in stones if (c // 2 + r) % 2 == i] for i in (0, 1))
        boards.append((_position(size, *sides), {r * size + c for r, c in free}))
    return boards


def _fours(size: int) -> Iterator[tuple[Position, set[int]]]:
    """Boards with fours: the side to move, each in turn, makes a five, or must stop one."""
    m = size // 2
    four, far = ([(row, m + i) for i in range(-2, 2)] for row in (m, m - 3))
    one_end, lone = m * size + m + 2, [(m, m - 3), (m - 3, m - 2), (m - 2, m + 2), (m + 3, m)]
    for own, other, right in ((four, far, {one_end, one_end - 5}), (lone, four, {one_end})):
        yield _position(size, own, other), right
        yield _position(size, [*other, (m + 2, m - 2)], own), right


def _position(size: int, first: Sequence[Cell], second: Sequence[Cell]) -> Position:
    """The position with these stones of the two players."""
    codes = {**dict.fromkeys(first, 1), **dict.fromkeys(second, 2)}
    cells = bytes(codes.get(each, 0) for each in product(range(size), repeat=2))
    moves = tuple(row * size + column for row, column in codes)
    return Position(cells, 1 + (len(first) > len(second)), moves)
