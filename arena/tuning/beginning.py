"""A study at its start: its trials, and the players whose first games may stop it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from arena.config.typed_player import check_command
from arena.match.pairs import FirstGames
from arena.match.record import GameRecord
from arena.report.verdict import stop_text
from arena.tuning.early_stopping import Stopping
from arena.tuning.method import Tuner
from arena.tuning.settings.conditions import named_at
from arena.tuning.settings.config import TuningConfig
from arena.tuning.trials import KeptTrial, Trials, point_name


def trials_of(
    config: TuningConfig,
    tuner: Tuner | None,
    kept: Mapping[int, KeptTrial] | None = None,
    keep: Callable[[KeptTrial], object] = lambda kept: None,
    asks: bool = True,
) -> Trials:
    """The trials of a study, before the first game; other arguments are as in `Trials`."""
    own = [each.limit for each in config.players] + [each.limit for each in config.conditions]
    is_timed = any((each or config.terms.limit).is_timed for each in own)
    return Trials(
        config.plan,
        tuner,
        config.rivals,
        config.openings.part(0, config.trial_openings),
        Stopping(config.early_stop) if config.early_stop else None,
        config.spread,
        first_games_of(config),
        kept=kept,
        keep=keep,
        asks=asks,
        default="" if is_timed else point_name(config.space.default),
    )


def first_games_of(config: TuningConfig) -> FirstGames:
    """The first games of the engine, with any weights, and of its opponents."""
    if config.terms.keep_going:
        return FirstGames([])
    opponents = {
        named_at(player.name, label): player.name
        for player in config.opponents
        for label in config.labels
    }
    engine = config.default.name
    return FirstGames([each.name for each in config.players], lambda x: opponents.get(x, engine))


def trials_stopped(
    config: TuningConfig, first: FirstGames, kept: Sequence[GameRecord], go_on: str
) -> str:
    """The reason why the trials stopped by themselves, and how to go on; empty if they did not."""
    if not first.faulty:
        return ""
    (player,) = (each for each in config.players if each.name == first.faulty)
    name = player.engine.name if player is config.default else player.name
    limit = player.limit_in(config.terms)
    command = check_command(player.engine, limit, config.terms)
    return stop_text(first, kept, name, command, go_on)
