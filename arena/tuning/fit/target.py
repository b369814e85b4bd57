"""The targets of a fit: results of games, or the moves that were played in them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from arena.engine import Evaluation
from arena.errors import ConfigError
from arena.game import Game, Position
from arena.plugins.build import evaluation_of, features_of, move_features_of
from arena.plugins.load import Named, load_game
from arena.tuning.fit.config import MOVES, FitConfig
from arena.tuning.fit.descent import Say
from arena.tuning.fit.found_weights import FoundWeights
from arena.tuning.fit.move_fit import MoveFitResult, fit_moves, move_result_from_data
from arena.tuning.fit.move_terms import MoveTerms, move_terms
from arena.tuning.fit.positions import Labelled
from arena.tuning.fit.result_fit import FitResult, Terms, fit_weights, result_from_data
from arena.tuning.fit.terms import linear_terms, table_terms
from arena.tuning.space import Values


class Target(Protocol):
    """The results or the moves that the weights of a config's engine are fitted to."""

    def check(self) -> None:
        """Raise ConfigError if the engine offers nothing to be fitted."""

    def fit(self, positions: Iterable[Labelled], say: Say) -> FoundWeights:
        """The weights that positions tell."""


def weights_from_data(target: str, data: Mapping[str, Any]) -> FoundWeights:
    """The weights that a fit to this target found, from their `data`."""
    return move_result_from_data(data) if target == MOVES else result_from_data(data)


def target_of(config: FitConfig) -> Target:
    """The target that a config names."""
    game = load_game(config.terms.game)
    return MoveTarget(config, game) if config.target == MOVES else ResultTarget(config, game)


@dataclass(frozen=True, slots=True)
class ResultTarget:
    """Results of games, which an evaluation is to foretell."""

    config: FitConfig
    game: Game

    def check(self) -> None:
        """Raise ConfigError if the engine has neither parameters nor tables to be fitted."""
        self.terms_in([])

    def fit(self, positions: Iterable[Labelled], say: Say) -> FitResult:
        """The weights with which the evaluation foretells results best."""
        config = self.config
        return fit_weights(positions, self.terms_in, config.space, config.settings, say)

    def evaluation(self, values: Values) -> Evaluation:
        """The engine's static evaluation with these values of its free weights.

        ConfigError if it has none.
        """
        engine = self._engine(values)
        if found := evaluation_of(engine, self.game):
            return found
        message = "cannot be fitted by its parameters: its file has no evaluate()"
        raise ConfigError(f"{engine.name} {message}")

    def _engine(self, values: Values) -> Named:
        """The engine with these values."""
        engine = self.config.default.engine
        return Named(engine.name, self.config.space.merged(engine.parameters, values))

    def terms_in(self, positions: Sequence[Position]) -> Terms:
        """The weights to fit: the free parameters, or without any, those of the engine's tables.

        ConfigError if the engine offers neither.
        """
        space = self.config.space
        if space.axes:
            return linear_terms(self.evaluation, space, positions, self.game)
        engine = self._engine({})
        if not (features := features_of(engine, self.game)):
            message = f"{engine.name} has no tables, features(): name its `parameters` to be fitted"
            raise ConfigError(message)
        if FitResult.parameter not in engine.parameters:
            message = f"has no parameter `{FitResult.parameter}` that takes fitted tables"
            raise ConfigError(f"{engine.name} {message}")
        return table_terms(features, evaluation_of(engine, self.game), self.game), []


@dataclass(frozen=True, slots=True)
class MoveTarget:
    """Moves that were played, which the search is to sort first."""

    config: FitConfig
    game: Game

    def check(self) -> None:
        """Raise ConfigError if the engine says no worths of moves, or wrong ones."""
        self.terms()

    def terms(self) -> MoveTerms:
        """The weights to fit."""
        engine = self.config.default.engine
        if not (features := move_features_of(engine, self.game)):
            game = self.game.name
            raise ConfigError(f"{engine.name} sorts no moves of {game}: move_features() gives none")
        return move_terms(features, self.game)

    def fit(self, positions: Iterable[Labelled], say: Say) -> MoveFitResult:
        """The worths with which the moves played are likeliest."""
        return fit_moves(positions, self.terms(), self.config.settings, say)
