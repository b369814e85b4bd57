"""The engine of a fit: the weights that it offers, fitted to results of games."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from arena.engine import Evaluation
from arena.errors import ConfigError
from arena.game import Game, Position
from arena.plugins.build import evaluation_of, features_of
from arena.plugins.load import Named
from arena.tuning.fit.config import FitConfig
from arena.tuning.fit.descent import Say
from arena.tuning.fit.positions import Labelled
from arena.tuning.fit.result_fit import FitResult, Terms, fit_weights
from arena.tuning.fit.terms import linear_terms, table_terms
from arena.tuning.space import Values


@dataclass(frozen=True, slots=True)
class FittedEngine:
    """The engine of a config, whose evaluation is to foretell results."""

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
