"""What engines tell a person: hints, scores, and the play that they expect."""

from __future__ import annotations

from arena.engine import Choice, Engine, Limit
from arena.errors import ConfigError, own_words
from arena.game import Game, Position
from arena.match.play import move_text
from arena.plugins import load
from arena.plugins.parameters import parameters


class Adviser:
    """Holds the engine that is asked for hints, which is not the one that plays."""

    def __init__(self, game: Game, wanted: str | None, limit: Limit, seed: int) -> None:
        """`wanted`: the opponent; if that is a person too, the game has an engine of its own."""
        self.name = wanted or house_engine(game.name)
        self._game = game
        self._limit = limit
        self._seed = seed
        self._engine: Engine | None = None

    def hint(self, p: Position) -> str:
        """The move that it would play, in words; or why it has none."""
        if self.name is None:
            return f"There is no engine that could give a hint on {self._game.name}."
        try:
            choice = self._ask(self.name, p)
            if choice.move is None:
                return f"{self.name} would resign."
            if not self._game.is_legal(p, choice.move):
                return f"{self.name} would play something illegal."
        except ConfigError as error:
            return str(error)
        except (Exception, SystemExit) as error:
            return f"{self.name} has no hint: {own_words(error)}"
        words = [f"{self.name} would play {self._game.text(choice.move)}"]
        if choice.score is not None:
            words.append(f"score {signed(choice.score)} for you")
        if len(choice.pv) > 1:
            words.append(f"and expects {line(self._game, choice)}")
        return ", ".join(words) + "."

    def _ask(self, name: str, p: Position) -> Choice:
        """What it chooses here: the same whenever it is asked."""
        if self._engine is None:
            self._engine = load.load_engine(name, self._game)
        self._engine.new_game(self._seed)
        return self._engine.choose(p, self._limit)

    def close(self) -> None:
        """Let the engine go, if there is one."""
        if self._engine and self.name:
            load.close_engine(self._engine, self.name)


def house_engine(game: str) -> str | None:
    """The first engine made for this game that needs no parameters."""
    for name in load.names("engine"):
        if game in load.playable_games(name):
            found = parameters(load.factory("engine", name))
            if not any(parameter.is_required for parameter in found):
                return name
    return None


def score_text(name: str, choice: Choice, is_own: bool) -> str:
    """An engine's score from the side of the person, who may be the one to move or the other."""
    if choice.score is None:
        return f"{name} gave no score."
    score = int(choice.score) if is_own else -int(choice.score)
    return f"{name} scored {signed(score)} for you, at depth {choice.depth}."


def line_text(game: Game, name: str, choice: Choice) -> str:
    """The play that an engine expects, its own move first."""
    return f"{name} expects {line(game, choice)}." if choice.pv else f"{name} gave no line."


def line(game: Game, choice: Choice) -> str:
    """The expected moves."""
    return " ".join(move_text(game, move) for move in choice.pv)


def signed(score: int) -> str:
    """A score with its sign, so that nobody asks whose it is."""
    return f"{score:+d}" if score else "0"
