"""A game with persons at a terminal: what they may type, and what they are shown."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, redirect_stdout, suppress
from dataclasses import dataclass
from time import perf_counter
from typing import TextIO

from arena.coordinates import Coordinates, Notation, written
from arena.engine import Choice, Engine, choice_in_new_game, mate_text
from arena.errors import ConfigError, own_words, unknown
from arena.game import Forbids, Game, Move, Position
from arena.human.in_play import (
    Help,
    Seated,
    Setup,
    answer,
    answer_opening,
    default_opponent,
    engine_named,
    game_after,
    persons_at,
    record_of,
    seat_name,
    taken_back,
)
from arena.match.opening import fault_of
from arena.match.opening_rules import due, opening_text
from arena.match.play import ask, begin, log_error, move_text, moves_text
from arena.match.record import GameRecord
from arena.plugins import build
from arena.plugins.build import close_engine, load_engine
from arena.processes.interrupt import escapable
from arena.report.board import STONES, diagram, title

COMMANDS = {
    "undo": "take back your last move, and what came after it",
    "hint": "ask {adviser} for a move",
    "score": "what the engine's last search made of the game, from your side",
    "line": "the play that it expects, its own move first",
    "board": "show the board again",
    "resign": "lose the game",
    "quit": "leave the game unfinished; nothing is kept of it",
    "help": "show this; so does ?",
}


class QuitError(Exception):
    """The person wants to leave."""


EXIT_CODES: dict[type[BaseException], int] = {QuitError: 0, EOFError: 1, KeyboardInterrupt: 130}
"""Ways to leave a game, and the exit codes that tell a script of them."""


class UnfinishedError(Exception):
    """The game was left after these moves; with the exit code for it."""

    def __init__(self, moves: str, code: int) -> None:
        super().__init__(moves, code)
        self.moves = moves
        self.code = code


Leave = Callable[[UnfinishedError], object]


def play_with_persons(setup: Setup, talk: Talk, leave: Leave | None = None) -> GameRecord:
    """Play a game to its end; moves may be taken back on the way.

    Raises ConfigError as `single.play` does, and UnfinishedError if the game is left. `leave`, if
    given, is called with that where Ctrl-C meets a search that does not return; then the process
    ends.
    """
    if message := fault_of(setup.game, setup.opening, setup.terms):
        raise ConfigError(message)
    with closing(Adviser(setup)) as adviser, _engine_of(setup) as engine:
        game = TerminalGame(setup, talk, adviser, engine)
        with _leaving(game, leave):
            return game.play()


@contextmanager
def _engine_of(setup: Setup) -> Iterator[Engine | None]:
    """The engine that plays, closed at the end; ConfigError if it cannot be built."""
    if setup.engine is None:
        yield None
        return
    engine = load_engine(engine_named(setup.engine), setup.game)
    try:
        yield engine
    finally:
        close_engine(engine, setup.names[setup.players.index(setup.engine)])


@contextmanager
def _leaving(game: TerminalGame, leave: Leave | None) -> Iterator[None]:
    """Turn the ways to leave a game into an UnfinishedError; `leave` as in `play_with_persons`."""

    def unfinished(why: type[BaseException]) -> UnfinishedError:
        return UnfinishedError(game.moves, EXIT_CODES[why])

    try:
        if leave is None:
            yield
        else:
            with escapable(lambda: leave(unfinished(KeyboardInterrupt))):
                yield
    except tuple(EXIT_CODES) as error:
        raise unfinished(type(error)) from None


class TerminalGame:
    """A game in play at a terminal, and the position that was shown last."""

    def __init__(self, setup: Setup, talk: Talk, adviser: Adviser, engine: Engine | None) -> None:
        self._setup = setup
        self._talk = talk
        self._coordinates = Coordinates(setup.game.size, talk.notation)
        self._adviser = adviser
        self._engine = engine
        self._play = game_after(setup)
        self._choices: list[Choice] = []  # For each remark, with the line that was expected
        self._taken = Help()
        self._shown = setup.game.start()
        self._began = 0.0  # The time when the person was asked

    @property
    def moves(self) -> str:
        """The opening to go on from: the moves so far, unless the players were to make it."""
        if self._play.job.made:
            return self._setup.opening
        return moves_text(self._setup.game, self._play.p.moves)

    @property
    def _names(self) -> tuple[str, str]:
        return self._play.job.first, self._play.job.second

    def play(self) -> GameRecord:
        self._talk.say(self._title(self._shown))
        self._talk.say(f"Write a move such as {self._form()}; ? shows what else.\n")
        self._begin()
        while not self._play.outcome:
            if self._is_persons(self._play.p.turn):
                self._ask_person()
            else:
                self._ask_engine()
        log_error(self._play)
        record = record_of(self._play, self._taken)
        if record.reason != "resignation":  # then it is still there to see
            self._board()
        return record

    def _begin(self) -> None:
        if self._engine is None or begin(self._play, self._engine, 3 - self._setup.persons[0]):
            self._show()

    def _ask_engine(self) -> None:
        assert self._engine
        is_open = self._play.is_open
        choice = ask(self._play, self._engine)
        if choice and len(self._play.remarks) > len(self._choices):
            self._choices.append(choice)
        if is_open:
            self._talk.say(opening_text(self._play.job))
        if not self._play.verdict:
            self._show()

    def _is_persons(self, seat: int) -> bool:
        return seat in persons_at(self._setup, self._play.job)

    def _ask_person(self) -> None:
        """Show the board, and converse until there is an answer; a person is never hurried."""
        self._board()
        self._began = perf_counter()
        seat = self._play.p.turn
        prompt = f"{STONES[seat - 1]} {self._names[seat - 1]}> "
        if self._play.is_open:
            answers = due(self._play.job)
            wishes = [
                each.wish if each.stones else f"{each.wish} ({each.word})" for each in answers
            ]
            self._talk.say(f"You may {', or '.join(wishes)}.")
        while not self._obey(self._talk.ask(prompt).strip()):
            pass

    def _obey(self, text: str) -> bool:
        """Carry out a typed line. Returns True if that was a move, or ended the turn else."""
        command = "help" if text == "?" else text.lower()
        if not text:
            return False
        if command in COMMANDS:
            run: Callable[[], bool | None] = getattr(self, f"_{command}")
            return bool(run())
        try:
            if self._play.is_open:
                self._open(command)
            elif text.isalpha():
                raise ValueError(unknown("word", text, COMMANDS))
            else:
                game, p = self._setup.game, self._play.p
                self._answer(read_move(game, p, text, self._coordinates))
        except ValueError as error:
            self._talk.say(str(error))
            return False
        self._show()
        return True

    def _answer(self, move: Move | None) -> None:
        answer(self._play, move, perf_counter() - self._began)
        self._choices.append(Choice(move))

    def _open(self, text: str) -> None:
        """Take the person's answer in the opening: stones, or a word; ValueError for another."""
        words = {each.word for each in due(self._play.job) if not each.stones}
        stones, p, game = list[Move](), self._play.p, self._setup.game
        typed_stones = [] if text in words else text.split()
        for typed in typed_stones:
            if typed.isalpha():
                raise ValueError(unknown("word", typed, [*COMMANDS, *words]))
            stones.append(read_move(game, p, typed, self._coordinates))
            p = game.play(p, stones[-1])
        if refusal := answer_opening(self._play, stones, perf_counter() - self._began):
            raise ValueError(refusal)
        if len(self._play.remarks) > len(self._choices):
            self._choices.append(Choice(stones[0]))
        self._talk.say(opening_text(self._play.job))

    def _undo(self) -> bool:
        before = taken_back(self._setup, self._play)
        if before is None:
            self._talk.say("There is nothing to take back.")
            return False
        self._taken.take_backs += 1
        self._talk.say("Taken back.")
        self._play = before
        del self._choices[len(before.remarks) :]
        self._begin()
        return True

    def _hint(self) -> None:
        if self._play.is_open:
            self._talk.say("Make the opening first.")
            return
        self._taken.hints += 1
        self._talk.say(self._adviser.hint(self._play.p, self._coordinates))

    def _score(self) -> None:
        self._talk.say(self._opinion(_score_text))

    def _line(self) -> None:
        self._talk.say(self._opinion(self._line_text))

    def _opinion(self, words: Callable[[str, Choice], str]) -> str:
        if self._engine is None:
            return "No engine is playing; hint asks one."
        seat = 3 - self._play.p.turn
        name = self._names[seat - 1]
        answers = zip(self._play.remarks, self._choices, strict=True)
        choices = [choice for said, choice in answers if said.seat == seat]
        return words(name, choices[-1]) if choices else f"{name} has not moved yet."

    def _board(self) -> None:
        self._talk.say(f"{diagram(self._setup.game, self._shown, self._coordinates)}\n")

    def _resign(self) -> bool:
        self._answer(None)
        return True

    def _quit(self) -> None:
        raise QuitError

    def _help(self) -> None:
        adviser = self._adviser.name or "nobody"
        self._talk.say(
            f"{'a move':<8}such as {self._form()}, as on the board's edges; or row,column from 0"
        )
        for name, about in COMMANDS.items():
            self._talk.say(f"{name:<8}{about.format(adviser=adviser)}")

    def _show(self) -> None:
        names, before = self._names, self._shown
        self._shown = p = self._play.p
        if p.last is None or p == before:
            return
        self._talk.say(self._title(p) + captures(before, p, self._coordinates))
        is_engines = not self._is_persons(3 - p.turn)
        # An opening's moves were chosen by no player.
        if self._setup.with_scores and is_engines and self._choices:
            name, choice = names[2 - p.turn], self._choices[-1]
            self._talk.say(f"   {_score_text(name, choice)}")
            self._talk.say(f"   {self._line_text(name, choice)}")

    def _form(self) -> str:
        return self._coordinates.text(example(self._setup.game, self._play.p))

    def _title(self, p: Position) -> str:
        return title(self._setup.game, p, self._names, self._coordinates)

    def _line_text(self, name: str, choice: Choice) -> str:
        if not choice.pv:
            return f"{name} gave no line."
        return f"{name} expects {self._coordinates.text(line(self._setup.game, choice))}."


def captures(before: Position, p: Position, coordinates: Coordinates) -> str:
    if p.ply != before.ply + 1:
        return ""
    captured = [
        coordinates.point(cell)
        for cell, stone in enumerate(before.cells)
        if stone == p.turn and p.cells[cell] != stone
    ]
    return f" takes {' and '.join(captured)}" if captured else ""


@dataclass(frozen=True, slots=True)
class Talk:
    """Functions to speak with a person."""

    ask: Callable[[str], str]  # A line typed at this prompt; EOFError when there are no more
    say: Callable[[str], None]
    notation: Notation = "letters"  # The names of points that the person reads


def line_reader(out: TextIO | None) -> Callable[[str], str]:
    """A function that reads a line at a prompt, shown on `out`; EOFError when there is none."""
    with suppress(AttributeError):
        sys.stdin.reconfigure(errors="replace")  # type: ignore[union-attr]
    if not (sys.stdin and sys.stdin.isatty()):
        return _piped_line
    with suppress(ImportError):
        import readline  # noqa: F401  (gives `input` editing and history)

    def ask(prompt: str) -> str:
        with redirect_stdout(out):
            return input(prompt)

    return ask


def _piped_line(prompt: str) -> str:
    """The next line of a file or pipe; the prompt is not shown. EOFError when there is none."""
    if not (line := sys.stdin.readline() if sys.stdin else ""):
        raise EOFError
    return line


class Adviser:
    """An engine that is asked for hints; built when first asked, and not the one that plays."""

    def __init__(self, setup: Setup) -> None:
        """The opponent's kind of engine; of two persons, the first one made for the game."""
        self._asked = adviser_of(setup)
        self.name = None if self._asked is None else seat_name(self._asked)
        self._setup = setup
        self._engine: Engine | None = None

    def hint(self, p: Position, coordinates: Coordinates) -> str:
        game = self._setup.game
        if self.name is None:
            return no_adviser(game)
        try:
            choice = self._choice(p)
            expected = line(game, choice) if len(choice.pv) > 1 else ""
            move, score = choice.move, choice.score
            return hint_text(game, p, self.name, move, score, expected, coordinates)
        except ConfigError as error:
            return str(error)
        except (Exception, SystemExit) as error:
            return f"{self.name} has no hint: {own_words(error)}"

    def _choice(self, p: Position) -> Choice:
        """Its choice here, which does not depend on when it is asked."""
        assert self._asked
        if self._engine is None:
            self._engine = build.load_engine(engine_named(self._asked), self._setup.game)
        terms = self._setup.terms
        return choice_in_new_game(self._engine, terms.seed, p, terms.limit)

    def close(self) -> None:
        if self._engine and self.name:
            build.close_engine(self._engine, self.name)


def adviser_of(setup: Setup) -> Seated | None:
    return setup.engine or default_opponent(setup.game.name, getattr(setup.game, "rule", None))


def no_adviser(game: Game) -> str:
    return f"There is no engine that could give a hint on {game.name}."


def hint_text(
    game: Game,
    p: Position,
    name: str,
    move: Move | None,
    score: int | None,
    expected: str,
    coordinates: Coordinates,
) -> str:
    if move is None:
        return f"{name} would resign."
    if not game.is_legal(p, move):
        return f"{name} would play something illegal."
    words = [f"{name} would play {coordinates.text(game.text(move))}"]
    if score is not None:
        words.append(f"score {_signed(score)} for you")
    if expected:
        words.append(f"and expects {coordinates.text(expected)}")
    return ", ".join(words) + "."


def _score_text(name: str, choice: Choice) -> str:
    if choice.score is None:
        return f"{name} gave no score."
    return f"{name} scored {_signed(-int(choice.score))} for you, at depth {choice.depth}."


def line(game: Game, choice: Choice) -> str:
    return " ".join(move_text(game, move) for move in choice.pv)


def _signed(score: int) -> str:
    return mate_text(score) or (f"{score:+d}" if score else "0")


NUMBER = re.compile("[0-9]+")
SEPARATOR = r"\s*(?:,|;|->|-|\s)\s*"
NUMBERS = re.compile(rf"\(?\s*[0-9]+(?:{SEPARATOR}[0-9]+)*\s*\)?")


def read_move(game: Game, p: Position, text: str, coordinates: Coordinates) -> Move:
    """The move that is meant, as `h8` or as `7,7`; ValueError says why it cannot be played.

    The words have `coordinates`. A forbidden move is refused: it would lose the game on the spot,
    which is hardly ever meant.
    """
    move = _parsed(game, p, text, coordinates)
    if not game.is_legal(p, move):
        raise ValueError(coordinates.text(_refusal(game, p, move)))
    if isinstance(game, Forbids) and (kind := game.forbidden(p, move)):
        name = coordinates.text(game.text(move))
        raise ValueError(f"{name} is forbidden here: {kind}. It would lose the game.")
    return move


def _parsed(game: Game, p: Position, typed: str, coordinates: Coordinates) -> Move:
    text = written(typed, game.size)
    with suppress(ValueError):
        return game.parse(text)
    form = example(game, p)
    is_numbers = NUMBERS.fullmatch(text.strip()) and not re.search("[^0-9,-]", form)
    numbers = NUMBER.findall(text)
    if is_numbers and len(numbers) == len(NUMBER.findall(form)):
        in_turn = iter(numbers)
        return game.parse(NUMBER.sub(lambda _: next(in_turn), form))
    form = coordinates.text(form)
    raise ValueError(f"{typed!r} is no move. Write one such as {form}, or ? for help.")


def example(game: Game, p: Position) -> str:
    moves = game.moves(p)
    return game.text(moves[len(moves) // 2])


def _refusal(game: Game, p: Position, move: Move) -> str:
    text, area = game.text(move), game.size**2
    *origin, target = text.split("-")
    if not origin:
        return f"{text} is occupied." if p.cells[move] else f"{text} cannot be played here."
    cell, to = divmod(move, area)
    if p.cells[cell] != p.turn:
        return f"{text}: no piece of yours stands on {origin[0]}."
    if p.cells[to]:
        return f"{text}: {target} is occupied."
    steps = [game.text(step) for step in game.moves(p) if step // area == cell]
    return f"{text}: the piece cannot go there, only: {', '.join(steps) or 'nowhere'}."
