"""A fit, the folder that keeps it and the engine it gives: games, weights, and the proof."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from arena.arguments import checks_calls
from arena.cluster.places import site_of
from arena.config.settings import player_data
from arena.engine import Evaluation
from arena.errors import ConfigError, Fault, placed
from arena.experiment import open_experiment
from arena.game import Game, Position
from arena.match.record import GameRecord
from arena.plugins.build import evaluation_of, features_of, forced_win_search
from arena.plugins.load import Named, load_game
from arena.storage.database import Store
from arena.storage.folder import (
    CONFIG,
    DATABASE,
    as_config_error,
    clear,
    find_folder,
    freeze,
    keep_written,
    kept_config,
    kind_of,
    locked,
    make_folder,
    read_store,
)
from arena.storage.history import with_digests
from arena.tournament.run import PathLike, Run, RunWatcher, interactive, open_run
from arena.tuning.fit.config import GAINED_FROM, MADE, FitConfig, fit_data, fit_from_data, read_fit
from arena.tuning.fit.descent import Say
from arena.tuning.fit.result_fit import (
    FitResult,
    FoundWeights,
    Terms,
    fit_weights,
    result_from_data,
)
from arena.tuning.fit.terms import Labelled, UselessGamesError, linear_terms, sampled, table_terms
from arena.tuning.proof.matches import ProofMatches, check_proof, is_begun, keep_attempt, seen_in
from arena.tuning.proof.verification import Proof, remove_tuned
from arena.tuning.space import Values
from arena.workers.pool import Site
from arena.workers.runner import Stop

if TYPE_CHECKING:
    from arena.report.verdict import Conclusion
    from arena.tuning.fit.frames import FitFrames


def _say_nothing(words: str) -> None:
    """Do nothing."""


RESULT, GAMES_MARK = "fit", "fit_of"  # Facts: the weights found, and the mark of their sources
FITTED_BY = ("games", "make", "settings")  # Keys that may not change while their weights are tested


def fit(
    config: PathLike | Mapping[str, Any],
    *,
    workers: int | None = None,
    cluster: str | None = None,
    fresh: bool = False,
    results: PathLike = "results",
    progress: bool | None = None,
    watch: RunWatcher | None = None,
    say: Say | None = None,
    stop: Stop | None = None,
) -> Fit:
    """Fit the weights that a YAML file, or a dict with its keys, names, and test the weights found.

    The arguments are as in `arena.run`; `say` is told the steps of the fit as well. Raises
    ConfigError if anything is wrong before the first game.
    """
    fit = Fit(Path(results), read_fit(config))
    with interactive(progress, stop) as (shown, stop), site_of(workers, cluster, say) as site:
        fit.begin(fresh=fresh)
        with shown(watch) as watcher:
            fit.make_games(site, watch=watcher, stop=stop)
        if fit.has_games:
            fit.fit(say or _say_nothing)
            with shown(watch) as watcher:
                fit.matches.play(site, watch=watcher, stop=stop)
    return fit


def open_fit(name: PathLike, *, results: PathLike = "results") -> Fit:
    """A fit that was made, by its folder or its name under `results`. Runs no engine."""
    folder = find_folder(name, results)
    data = kept_config(folder)
    if kind_of(data) != "fit":
        raise ConfigError(Fault(str(folder), "is no fit of weights"))
    with as_config_error(folder / CONFIG):
        return Fit(folder.parent, fit_from_data(data), folder)


def check_apart(sources: Sequence[Run], config: FitConfig) -> None:
    """ConfigError if games to be fitted to are an opponent's."""
    for run in sources:
        engines = [player.engine for player in run.config.players]
        for opponent in config.opponents:
            if opponent.engine in engines:
                message = f"{opponent.name} plays here, so it cannot be an opponent: {GAINED_FROM}"
                raise ConfigError(f"{run.folder}: {message}")


def _check_target(folder: Path) -> None:
    if (read_store(folder, Store.facts) or {}).get("target"):
        raise ConfigError(Fault(str(folder), "a fit to moves is kept here: choose another name"))


def _check_untested(folder: Path) -> None:
    if is_begun(folder):
        message = "other weights are being tested here: take another name, or --fresh"
        raise ConfigError(Fault(str(folder), message))


@checks_calls
class Fit:
    """A fit of weights: its config, and its folder among other results."""

    def __init__(self, results: Path, config: FitConfig, folder: Path | None = None) -> None:
        self.results = results
        self.config = config
        self.folder = folder or results / config.name
        self._matches: ProofMatches | None = None

    def __reduce__(self) -> tuple[object, tuple[Path]]:
        """The folder, which is opened again: what was played stays there."""
        return open_fit, (self.folder.resolve(),)

    def __repr__(self) -> str:
        from arena.report.verdict import format_named

        return format_named("Fit", self.config.name, lambda: self.verdict)

    def begin(self, *, fresh: bool = False) -> None:
        """Check all that can be checked before the first game, and keep the config.

        With `fresh`, the games that were made and what they told are thrown away. ConfigError
        for runs of other games, for an engine without weights to fit, and for what
        `check_apart` and `check_proof` refuse.
        """
        if not fresh:
            _check_target(self.folder)
        with placed(self.config.place_of_games):
            check_apart(self.sources(), self.config)
        with placed(self.config.default.place):
            self._engine.check()
        make_folder(self.folder)
        with locked(self.folder):
            before = {} if fresh else read_store(self.folder, Store.facts) or {}
            result = {key: before[key] for key in (RESULT, GAMES_MARK) if key in before}
            now = json.loads(json.dumps(fit_data(self.config)))
            if not fresh and any(before.get(key) != now.get(key) for key in FITTED_BY):
                _check_untested(self.folder)
            check = keep_attempt if fresh else check_proof
            check(self.folder, self.config, self._openings_fitted_to)
            with closing(Store(self.folder / DATABASE)) as store:
                # At once: others may read the folder meanwhile.
                freeze(self.folder, fit_data(self.config), lambda *_: (), store, found=result)
                keep_written(store, self.config.written)
                if fresh:
                    clear(self.folder / MADE)
                    remove_tuned(self.folder, self.config)

    @property
    def _engine(self) -> FittedEngine:
        return FittedEngine(self.config, load_game(self.config.terms.game))

    @property
    def made(self) -> Run | None:
        """The run of the games that are made for the fit; None if none are."""
        return Run(self.folder / MADE, self.config.made()) if self.config.make else None

    def sources(self) -> list[Run]:
        """The runs whose games are taken as they are. ConfigError for those of another game."""
        runs = [open_run(name, results=self.results) for name in self.config.games]
        game = self.config.terms.game
        for run in runs:
            if run.config.terms.game != game:
                message = f"its game is {run.config.terms.game}, and the fit is of {game}"
                raise ConfigError(f"{run.folder}: {message}")
        return runs

    def _openings_fitted_to(self) -> set[int]:
        return set[int]().union(*(seen_in(run.folder) for run in self.sources()))

    def make_games(
        self,
        site: Site,
        *,
        accept_changes: bool = False,
        watch: RunWatcher | None = None,
        stop: Stop | None = None,
    ) -> None:
        """Play those of the games to be made that are missing; the arguments are as in `run`."""
        if made := self.made:
            made.play(site, accept_changes=accept_changes, watch=watch, stop=stop)

    @property
    def has_games(self) -> bool:
        """True if no game that is to be made is missing."""
        played, total = self.games_made
        return played >= total

    @property
    def games_made(self) -> tuple[int, int]:
        """The games made so far, and all that are to be made."""
        made = self.made
        return (len(made.records()), made.schedule.total or 0) if made else (0, 0)

    def records(self) -> Iterator[GameRecord]:
        """The games that are fitted to, in the order of the config, those to be made last."""
        for run in self.sources():
            with closing(Store(run.folder / DATABASE, read_only=True)) as store:
                yield from store.each()
        if made := self.made:
            yield from made.counted().games.records()

    def positions(self) -> Iterator[Labelled]:
        """The positions that are fitted to, sampled from the games."""
        game = load_game(self.config.terms.game)
        search, seed = forced_win_search(game), self.config.settings.seed
        return sampled(self.records(), game, search, seed)

    def fit(self, say: Say = _say_nothing) -> FitResult:
        """The fitted weights: those found before, if no game and no setting is another since.

        Raises ConfigError if the games or the engine tell nothing of its weights, or if other
        weights are being tested.
        """
        _check_target(self.folder)
        mark = self.mark()
        facts: Mapping[str, Any] = read_store(self.folder, Store.facts) or {}
        before = self.result
        if facts.get(GAMES_MARK) == mark and before:
            return before
        config = self.config
        with placed(config.default.place), placed(config.place_of_games, UselessGamesError):
            result = self._engine.fit(self.positions(), say)
        if self.values(result) != self.values(before):
            _check_untested(self.folder)
        with locked(self.folder), closing(Store(self.folder / DATABASE)) as store:
            if not self.config.space.axes:
                self.write_weights(result)
            store.note({**store.facts(), RESULT: result.data(), GAMES_MARK: mark})
        self._matches = None
        return result

    def mark(self) -> str:
        """A digest of the games, the settings and the engine's code that a fit depends on."""
        config = self.config
        engine = with_digests(player_data(config.default))
        settings = [engine, config.space, config.settings, config.terms.game]
        digest = sha256(repr(settings).encode())
        for game in self.records():
            result = game.winner, game.reason, game.first, game.second, game.scores
            digest.update(repr((game.opening, game.digest or game.moves, *result)).encode())
        return digest.hexdigest()

    @property
    def result(self) -> FitResult | None:
        """The fitted weights as they are kept; None before the fit."""
        data = (read_store(self.folder, Store.facts) or {}).get(RESULT)
        with as_config_error(self.folder / DATABASE):
            return result_from_data(data) if data and not self.config.gone_target else None

    def values(self, weights: FoundWeights | None) -> Values:
        """The free parameters of the engine that is to be proved; none before the fit."""
        if not weights:
            return {}
        space = self.config.space
        if not weights.is_changed:
            return space.default
        if not space.axes:
            return {weights.parameter: str(self.weights_file(weights).resolve())}
        return {**space.default, **weights.values}

    def write_weights(self, weights: FoundWeights) -> None:
        """Write the file of fitted weights, which names their game, and its rule if it has one."""
        game = load_game(self.config.terms.game)
        np.savez(
            self.weights_file(weights),
            **weights.arrays(),
            game=np.array(game.name),
            rule=np.array(getattr(game, "rule", "")),
        )

    def weights_file(self, weights: FoundWeights) -> Path:
        """The file of fitted weights; its name has a digest of them, so it never changes."""
        content = b"".join(each.tobytes() for each in weights.arrays().values())
        return self.folder / f"{weights.parameter}-{sha256(content).hexdigest()[:12]}.npz"

    @property
    def matches(self) -> ProofMatches:
        """The matches that prove the gain of the fitted weights."""
        if self._matches is None:
            values = self.values(self.result)
            played = self._openings_fitted_to
            self._matches = ProofMatches(self.folder, self.config, values, played=played)
        return self._matches

    @property
    def proof(self) -> Proof | None:
        """The proof so far; None before its first game."""
        return self.matches.proof

    @property
    def is_over(self) -> bool:
        """True once the weights are fitted, and nothing of their proof is left to be played."""
        if self.config.gone_target:
            return True
        return self.result is not None and self.matches.is_over

    @property
    def stopped(self) -> str:
        """The reason why its games or its proof stopped by themselves; empty if they did not."""
        if self.result:
            return self.matches.stopped()
        return made.stopped() if (made := self.made) else ""

    @property
    def verdict(self) -> Conclusion:
        """The sentence that says whether a gain is proved, and how large it is."""
        from arena.tuning.fit.frames import fit_verdict, gone_verdict, unfitted_verdict

        if self.config.gone_target:
            return gone_verdict(self.matches)
        if result := self.result:
            return fit_verdict(result, self.proof, self.folder)
        return unfitted_verdict(self.games_made, self.stopped)

    def frames(self) -> FitFrames:
        """Weights, losses and test as pandas frames: see `FitFrames`."""
        from arena.tuning.fit.frames import fit_frames

        return fit_frames(self.config.space, self.result, self.proof)

    def _repr_html_(self) -> str:
        return open_experiment(self.folder).answer()._repr_html_()


@dataclass(frozen=True, slots=True)
class FittedEngine:
    """The engine of a config, whose evaluation is to foretell results."""

    config: FitConfig
    game: Game

    def check(self) -> None:
        self.terms_in([])

    def fit(self, positions: Iterable[Labelled], say: Say) -> FitResult:
        config = self.config
        return fit_weights(positions, self.terms_in, config.space, config.settings, say)

    def evaluation(self, values: Values) -> Evaluation:
        """The engine's static evaluation with these values; ConfigError if it has none."""
        engine = self._engine(values)
        if evaluation := evaluation_of(engine, self.game):
            return evaluation
        message = "cannot be fitted by its parameters: its file has no evaluate()"
        raise ConfigError(f"{engine.name} {message}")

    def _engine(self, values: Values) -> Named:
        engine = self.config.default.engine
        return Named(engine.name, self.config.space.merged(engine.parameters, values))

    def terms_in(self, positions: Sequence[Position]) -> Terms:
        """The free parameters, or else the tables' weights; ConfigError if it has neither."""
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
