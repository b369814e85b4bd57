"""Books of openings: their config, openings made and balanced, and the file that keeps them."""

from __future__ import annotations

import fcntl
import re
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import tanh
from pathlib import Path
from random import Random
from typing import Annotated, Any, BinaryIO, Literal

from annotated_types import Ge, Gt, Le, Lt, MinLen

from arena.config.reader import Reader
from arena.config.settings import Player, limit_data, named_data, player_data
from arena.config.yaml_file import Document, flow_text
from arena.engine import Choice, Conditions, Engine, Limit, choice_in_new_game, mate_text
from arena.errors import ConfigError, Fault, own_words, refused
from arena.files import refuse_other
from arena.game import Forbids, Game, Move, Position
from arena.match.copies import marks, marks_of_text
from arena.match.openings.book import HEAD
from arena.match.openings.random import KnowsQuiet
from arena.match.play import moves_text
from arena.match.terms import LARGEST, WORKER_MEMORY
from arena.plugins.build import (
    ForcedWin,
    ThreatWin,
    forced_win_search,
    load_engine,
    threat_win_search,
)
from arena.plugins.engine_names import is_foreign
from arena.plugins.load import Named, load_game
from arena.processes.child import Question, answer_of
from arena.processes.in_order import in_order
from arena.stats.rounding import rounded
from arena.workers.pool import local

HANG = 300.0  # Seconds that a user's engine may take to be built and to search once
MOST_IN_VAIN = 5000  # Draws in a row without a new opening, after which no more are made


@dataclass
class BookProgress:
    """The openings that a book has, and what became of the draws since it was opened."""

    openings: int
    wanted: int
    made: int = 0  # Openings that are new since then
    draws: int = 0
    in_vain: int = 0  # Draws since the last new opening
    refused: Counter[Refusal] = field(default_factory=Counter)

    @property
    def is_over(self) -> bool:
        return self.openings >= self.wanted

    def count(self, result: BookLine | Refusal, book: BookFile) -> None:
        self.draws += 1
        refusal = result if isinstance(result, str) else None
        if isinstance(result, BookLine) and not book.add(result):
            refusal = "double"
        if refusal:
            self.in_vain += 1
            self.refused[refusal] += 1
        else:
            self.in_vain, self.openings = 0, len(book.lines)
            self.made += 1


def make_book(
    config: BookConfig,
    path: Path,
    *,
    workers: int | None = None,
    fresh: bool = False,
    watch: Callable[[BookProgress], object] = lambda progress: None,
    stop: Callable[[], bool] = lambda: False,
) -> BookProgress:
    """Make openings into a file, or go on with one, alike by any number of workers.

    `workers` processes make them, by default one for each core. `watch` sees the progress after
    each draw; once `stop` says so, nothing more is drawn. Raises ConfigError for an engine that
    cannot be built or gives no scores, for a file that holds something else, and if draw after
    draw gives nothing new.
    """
    maker = OpeningMaker(config)
    with opened_book(path, config, maker.game, fresh) as book:
        progress = BookProgress(len(book.lines), config.count)
        if len(book.lines) >= config.count:
            return progress
        workers = local(workers).workers
        _check_maker(maker, workers)
        with (
            closing(maker),
            closing(in_order(maker, book.next_draw, workers, WORKER_MEMORY)) as results,
        ):
            for _, result in results:
                progress.count(result, book)
                watch(progress)
                if progress.is_over or stop():
                    break
                if progress.in_vain >= MOST_IN_VAIN:
                    few = f"only {progress.openings} openings were found, not {progress.wanted}"
                    last = f"the last {progress.in_vain} draws gave nothing new"
                    message = f"{few}: {last} ({refused_text(progress)})"
                    raise ConfigError(Fault(str(path), message))
    return progress


def _check_maker(maker: OpeningMaker, workers: int) -> None:
    """Let the engine search once, a user's own in another process. Raises as `check` does."""
    name = maker.config.player.engine.name
    if workers and is_foreign(name):
        patience = HANG, WORKER_MEMORY
        answer_of(Question(maker.check, f"engine {name}", "tried", *patience))
    else:
        maker.check()


def refused_text(progress: BookProgress) -> str:
    return ", ".join(f"{count} {kind}" for kind, count in progress.refused.most_common())


QUICK = 1 / 16  # The part of the limit that the quick look at the stones drawn has
LOOKS = ((1 / 128, 8), (1 / 16, 6))
"""The part of the limit that a look at each candidate has, and how many of them are kept. Those
that are left are searched with the whole limit, until one lies in the window."""
NEAR = 2  # Rows and columns from the next stone within which a move may balance an opening

Refusal = Literal["loud", "decided", "uneven", "forced win", "double"]
"""The reason why nothing came of a draw: a threat among the stones drawn; a seen win; no move that
leads into the window; a win by force of either side; an opening that is there already."""


@dataclass(frozen=True, slots=True)
class BookLine:
    """An opening that was made, and the last search of it."""

    moves: str
    mark: str  # Equal for one position, turned or mirrored: see `match/copies.py`
    value: int  # To the side to move, in the engine's units
    depth: int
    nodes: int
    draw: int  # The number that it was made from


class OpeningMaker:
    """Makes openings from numbers; it holds the engine of one process, once it was asked for."""

    def __init__(self, config: BookConfig) -> None:
        self.config = config
        self.game: Game = load_game(config.game)

    def __call__(self, number: int) -> BookLine | Refusal:
        """The opening of a number, or why it gives none. Raises ConfigError as `look` does."""
        source = Random(f"{self.config.seed} {number}")
        p = self.drawn(source)
        if p is None:
            return "loud"
        choice = self.look(p, QUICK)
        if is_decided(choice):
            return "decided"
        if self.is_behind(p, choice):
            p = self.game.play(p, self.legal(p, choice))
        return self.balanced(p, number, source)

    @cached_property
    def engine(self) -> Engine:
        return load_engine(self.config.player.engine, self.game, Conditions(self.config.limit))

    @cached_property
    def forced_win(self) -> ForcedWin | None:
        return forced_win_search(self.game)

    @cached_property
    def threat_win(self) -> ThreatWin | None:
        return threat_win_search(self.game)

    def check(self) -> None:
        """Search once, which warms the kernels that processes to be forked will need.

        The engine is not kept: it may hold a process or a file, which must not cross a fork. Raises
        ConfigError for one that cannot be built, or gives no score.
        """
        p = self.game.start()
        for move in self.game.moves(p)[:2]:
            p = self.game.play(p, move)
        self.look(p, LOOKS[0][0])
        self.is_forced(p)
        self.close()

    def drawn(self, source: Random) -> Position | None:
        """Stones within a square anywhere on the board; None if they make a threat already."""
        game, config, p = self.game, self.config, self.game.start()
        row, column = (source.randrange(game.size - config.square + 1) for _ in range(2))
        area = [
            (row + down) * game.size + column + right
            for down in range(config.square)
            for right in range(config.square)
        ]
        for move in source.sample(area, source.randint(*config.stones)):
            if game.outcome(p) or not self.is_playable(p, move):
                return None
            p = game.play(p, move)
        is_loud = isinstance(game, KnowsQuiet) and not game.is_quiet(p)
        return None if is_loud or game.outcome(p) else p

    def is_behind(self, p: Position, choice: Choice) -> bool:
        low, high = self.config.window
        expected = self.expected(p, choice)
        return expected < low if p.turn == 1 else expected > high

    def balanced(self, p: Position, number: int, source: Random) -> BookLine | Refusal:
        candidates = self.candidates(p)
        source.shuffle(candidates)  # of those that are equally near, not always the first
        for part, count in LOOKS:
            by_distance = [(self.distance(q, self.look(q, part)), q) for q in candidates]
            by_distance.sort(key=lambda each: rounded(each[0]))
            candidates = [q for _, q in by_distance[:count]]
        refusal: Refusal = "forced win"
        for q in candidates:
            if self.is_forced(q):
                continue
            choice, refusal = self.look(q, 1), "uneven"
            low, high = self.config.window
            if not is_decided(choice) and low <= self.expected(q, choice) <= high:
                return self.line(q, choice, number)
        return refusal

    def candidates(self, p: Position) -> list[Position]:
        """The positions after each move near the stones that ends no game."""
        size = self.game.size
        stones = [divmod(cell, size) for cell, stone in enumerate(p.cells) if stone]
        positions = []
        for move in self.game.moves(p):
            row, column = divmod(move, size)
            is_near = any(max(abs(row - r), abs(column - c)) <= NEAR for r, c in stones)
            if is_near and self.is_playable(p, move):
                q = self.game.play(p, move)
                if not self.game.outcome(q):
                    positions.append(q)
        return positions

    @cached_property
    def forbids(self) -> Forbids | None:
        return self.game if isinstance(self.game, Forbids) else None

    def is_playable(self, p: Position, move: Move) -> bool:
        is_legal = self.game.is_legal(p, move)
        return is_legal and not (self.forbids and self.forbids.forbidden(p, move))

    def is_forced(self, p: Position) -> bool:
        """True if either side, were it to move, is seen to win by force, or might by fours."""
        for q in (p, replace(p, turn=3 - p.turn)):
            if self.forced_win and self.forced_win(q) != ():
                return True
            if self.threat_win and self.threat_win(q):
                return True
        return False

    def look(self, p: Position, part: float) -> Choice:
        """The answer within a part of the limit; ConfigError if there is none, or no score."""
        name = self.config.player.engine.name
        try:
            choice = choice_in_new_game(self.engine, 0, p, _part_of(self.config.limit, part))
        except (Exception, SystemExit) as error:
            where = moves_text(self.game, p.moves)
            raise ConfigError(f"engine {name} fails after {where}: {own_words(error)}") from error
        if choice.score is None:
            raise ConfigError(f"engine {name} gives no score with its move, so it balances nothing")
        return choice

    def legal(self, p: Position, choice: Choice) -> Move:
        move = choice.move
        if move is None or not self.game.is_legal(p, move):
            name, where = self.config.player.engine.name, moves_text(self.game, p.moves)
            raise ConfigError(f"engine {name} has no legal move after {where}")
        return move

    def expected(self, p: Position, choice: Choice) -> float:
        """The first player's expected score, by the score of the side to move."""
        odds = self.config.scale * (choice.score or 0) * (1 if p.turn == 1 else -1)
        return (1 + tanh(odds / 2)) / 2  # the logistic function, which never overflows so

    def distance(self, p: Position, choice: Choice) -> float:
        return abs(self.expected(p, choice) - sum(self.config.window) / 2)

    def line(self, p: Position, choice: Choice, number: int) -> BookLine:
        mark, _ = marks(self.game, p, p)
        text = moves_text(self.game, p.moves)
        return BookLine(text, mark, int(choice.score or 0), choice.depth, choice.nodes, number)

    def close(self) -> None:
        if "engine" in vars(self):
            self.engine.close()
            del self.engine


def is_decided(choice: Choice) -> bool:
    return mate_text(choice.score or 0) is not None


def _part_of(limit: Limit, part: float) -> Limit:
    """A limit with this part of its nodes and seconds; a depth stays."""
    return replace(
        limit,
        nodes=limit.nodes and max(1, round(limit.nodes * part)),
        seconds=limit.seconds and limit.seconds * part,
    )


LINE = re.compile(r"([0-9, ]+) # (-?\d+) (\d+) (\d+) (\d+)")


def header(config: BookConfig) -> str:
    """The first lines of a book, which differ wherever its openings would."""
    low, high = config.window
    return (
        f"{HEAD} `arena openings make`. The first player's expected score in each is "
        f"{low:g} to {high:g}.\n"
        f"# {config.settings}\n"
        "# moves # value to the side to move, depth and nodes of its search, number of the draw\n"
    )


def _line_text(line: BookLine) -> str:
    return f"{line.moves} # {line.value} {line.depth} {line.nodes} {line.draw}\n"


class BookFile:
    """Holds the file while openings are added, and those that it has."""

    def __init__(self, path: Path, stream: BinaryIO, lines: list[BookLine]) -> None:
        self.path = path
        self.lines = lines
        self._stream = stream
        self._marks = {line.mark for line in lines}

    @property
    def next_draw(self) -> int:
        return self.lines[-1].draw + 1 if self.lines else 0

    def add(self, line: BookLine) -> bool:
        """Write an opening at the end; False if it is in the book, perhaps turned or mirrored."""
        if line.mark in self._marks:
            return False
        self._marks.add(line.mark)
        self.lines.append(line)
        self._stream.write(_line_text(line).encode())
        self._stream.flush()
        return True


@contextmanager
def opened_book(path: Path, config: BookConfig, game: Game, fresh: bool) -> Iterator[BookFile]:
    """Open a book, for this process alone, at the end of what it has; `fresh` throws that away."""
    try:
        refuse_other(path, "book")
        stream = path.open("r+b" if path.exists() else "x+b")
    except OSError as error:
        raise refused(error, path) from None
    with stream:
        try:
            fcntl.lockf(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise ConfigError(Fault(str(path), "another process is making it")) from None
        yield BookFile(path, stream, begun(path, stream, header(config), game, fresh))


def begun(path: Path, stream: BinaryIO, head: str, game: Game, fresh: bool) -> list[BookLine]:
    """The openings of a book that was begun, what is half written cut off; or begin it."""
    content = b"" if fresh else stream.read()
    if head.encode().startswith(content):
        stream.seek(0)
        stream.truncate()
        stream.write(head.encode())
        stream.flush()
        return []
    if not content.startswith(head.encode()):
        message = "holds openings by other settings: give another --output"
        raise ConfigError(Fault(str(path), f"{message}, or throw it away with --fresh"))
    whole = content[: content.rfind(b"\n") + 1]
    lines = whole.decode(errors="replace").splitlines()
    heads = head.count("\n")
    kept = [
        _read_line(game, f"{path}:{number}", line)
        for number, line in enumerate(lines[heads:], start=heads + 1)
    ]
    stream.seek(len(whole))
    stream.truncate()
    return kept


def _read_line(game: Game, place: str, text: str) -> BookLine:
    """The mirror of `_line_text`. Raises ConfigError, with the place, for any other text."""
    try:
        parts = LINE.fullmatch(text)
        if not parts:
            raise ValueError("is no line of a book: moves # value depth nodes draw")
        moves, numbers = parts[1], map(int, parts.groups()[1:])
        return BookLine(moves, marks_of_text(game, moves, moves)[0], *numbers)
    except ValueError as error:
        raise ConfigError(Fault(place, str(error))) from None


MAKER = "maker"  # The name of the engine that makes the openings, where its entry has none
MOST_STONES = 40
WINDOW, STONES = (0.45, 0.55), (2, 8)  # Ranges that a file need not give

Share = Annotated[float, Gt(0), Lt(1)]
Stones = Annotated[int, Ge(1), Le(MOST_STONES)]


def _book_keys(
    *,
    kind: Literal["openings"],
    name: Annotated[str, MinLen(1)] = "",
    game: Any,
    engine: Any,
    limit: Any,
    scale: Annotated[float, Gt(0), Lt(1e9)],
    window: list[Share] | None = None,
    stones: list[Stones] | None = None,
    square: Annotated[int, Ge(2), Le(25)] = 6,
    count: Annotated[int, Ge(1), Le(10**7)] = 1000,
    seed: Annotated[int, Ge(-LARGEST), Le(LARGEST)] = 0,
) -> None:
    """The keys of a file that makes openings."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BookConfig:
    """The way to make openings, with every default filled in."""

    name: str
    game: Named
    player: Player
    limit: Limit  # Of the search that decides on an opening; those before it have a part of it
    scale: float  # The log odds of a win that one unit of the engine's score is worth
    window: tuple[float, float]  # The least and greatest expected score of the first player
    stones: tuple[int, int]  # The fewest and most that are drawn; one or two moves follow
    square: int  # Side of the square, in points, in which the stones of an opening are drawn
    count: int
    seed: int

    @property
    def settings(self) -> str:
        """All that decides which openings are made, in one line of YAML; not how many."""
        engine = {key: each for key, each in player_data(self.player).items() if key != "name"}
        return flow_text(
            {
                "game": named_data(self.game),
                "engine": engine,
                "limit": limit_data(self.limit),
                "scale": self.scale,
                "window": list(self.window),
                "stones": list(self.stones),
                "square": self.square,
                "seed": self.seed,
            }
        )


def read_book(file: Path) -> BookConfig:
    unlike = "scale", "engines", "a tournament", "run"
    reader = Reader(Document(file, unlike=unlike))
    keys = reader.fit(_book_keys, reader.document.data, ())
    game = reader.named("game", keys["game"])
    config = BookConfig(
        name=reader.run_name(keys["name"]),
        game=game,
        player=_read_maker(reader, keys["engine"], game),
        limit=_read_limit(reader, keys["limit"]),
        scale=keys["scale"],
        window=_read_range(reader, "window", keys["window"], WINDOW),
        stones=_read_range(reader, "stones", keys["stones"], STONES),
        square=keys["square"],
        count=keys["count"],
        seed=keys["seed"],
    )
    if not reader.faults:
        _check_room(reader, config)
    reader.raise_faults()
    return config


def _read_maker(reader: Reader, value: object, game: Named) -> Player:
    entry = reader.engine_entry(value)
    if entry is None:
        return Player(MAKER, Named(""))
    if "limit" in entry:
        reader.fault("the limit stands beside the engine", ("engine", "limit"), is_key=True)
    return reader.player({"name": MAKER, **entry}, game, ("engine",), set())


def _read_limit(reader: Reader, value: object) -> Limit:
    limit = reader.limit(value, ("limit",)) or Limit()
    if limit.time_left is not None:
        reader.fault("a clock is for whole games: give nodes, depth or seconds", ("limit", "clock"))
    elif limit == Limit() and isinstance(value, dict):
        reader.fault("give nodes, depth or seconds", ("limit",))
    return limit


def _read_range(
    reader: Reader, key: str, given: list[Any] | None, default: tuple[Any, Any]
) -> tuple[Any, Any]:
    if given is None:
        return default
    if len(given) != 2 or given[0] > given[1]:
        reader.fault(f"{key} must be [least, greatest], not {given}", (key,))
        return default
    return given[0], given[1]


def _check_room(reader: Reader, config: BookConfig) -> None:
    try:
        game = load_game(config.game)
    except ConfigError as error:
        reader.fault(str(error), ("game",))
        return
    if not game.is_legal(game.start(), 0):
        reader.fault(f"openings are of stones that are put down, as not in {game.name}", ("game",))
    elif config.square > game.size:
        reader.fault(f"square must be at most {game.size}, the board's size", ("square",))
    elif config.stones[1] > config.square**2 // 2:
        message = f"{config.stones[1]} stones leave less than half of a square of {config.square}"
        reader.fault(f"{message} x {config.square} points", ("stones",))
