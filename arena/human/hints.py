"""Words of engines to a person: hints, scores, and the play that they expect."""

from __future__ import annotations

from arena.coordinates import Coordinates
from arena.engine import Choice, Engine, choice_in_new_game, mate_text
from arena.errors import ConfigError, own_words
from arena.game import Game, Move, Position
from arena.human.opponents import default_opponent
from arena.human.setup import Seated, Setup, engine_named, seat_name
from arena.match.play import move_text
from arena.plugins import build


class Adviser:
    """An engine that is asked for hints; built when first asked, and not the one that plays."""

    def __init__(self, setup: Setup) -> None:
        """The opponent's kind of engine; of two persons, the first one made for the game."""
        self._asked = adviser_of(setup)
        self.name = None if self._asked is None else seat_name(self._asked)
        self._setup = setup
        self._engine: Engine | None = None

    def hint(self, p: Position, coordinates: Coordinates) -> str:
        """The move that it would play, in words; or the reason why there is none."""
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
        """Let the engine go, if there is one."""
        if self._engine and self.name:
            build.close_engine(self._engine, self.name)


def adviser_of(setup: Setup) -> Seated | None:
    """The engine that is asked for hints; None if there is none for the game."""
    return setup.engine or default_opponent(setup.game.name, getattr(setup.game, "rule", None))


def no_adviser(game: Game) -> str:
    """The sentence on a hint that there is no engine for."""
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
    """The move that an engine would play, and the whole line that it expects, in words."""
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


def score_text(name: str, choice: Choice) -> str:
    """The score of an engine's own move, from the person's side."""
    if choice.score is None:
        return f"{name} gave no score."
    return f"{name} scored {_signed(-int(choice.score))} for you, at depth {choice.depth}."


def line_text(game: Game, name: str, choice: Choice, coordinates: Coordinates) -> str:
    """The play that an engine expects, its own move first."""
    if not choice.pv:
        return f"{name} gave no line."
    return f"{name} expects {coordinates.text(line(game, choice))}."


def line(game: Game, choice: Choice) -> str:
    """The expected moves."""
    return " ".join(move_text(game, move) for move in choice.pv)


def _signed(score: int) -> str:
    return mate_text(score) or (f"{score:+d}" if score else "0")
