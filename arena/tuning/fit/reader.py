"""The check of a fit's YAML: all its faults at once, each with its place."""

from __future__ import annotations

from typing import Any

from arena.config.reader import Reader
from arena.config.yaml_file import ConfigSource, document
from arena.plugins.load import Named
from arena.tuning.fit.config import FitConfig, FitSettings, GamesToMake, fit_keys, make_keys
from arena.tuning.settings.reader import (
    read_axes,
    read_opponents,
    read_verification,
    tuned_player,
    with_openings,
)
from arena.tuning.settings.vary_reader import check_depth, main_openings, read_varied
from arena.tuning.space import Space

LEAST_OPPONENTS = 2
"""Engines that took no part in the games, which the fitted weights must do well against."""
GAINED_FROM = "fits gain in their own arena only, unless others that took no part are met"


def read_fit(source: ConfigSource) -> FitConfig:
    """Read a fit from a file or its keys; ConfigError with all faults at once."""
    unlike = "engine", "engines", "a tournament", "run"
    reader = Reader(document(source, unlike))
    config = _config_in(reader)
    check_depth(reader, config.default, config.space.default)
    reader.raise_faults()
    return config


def _config_in(reader: Reader) -> FitConfig:
    """The whole file; worth nothing if there are faults."""
    terms, top = reader.top(fit_keys)
    default = tuned_player(reader, top["engine"], terms.game)
    verification = read_verification(reader, top["verification"])
    varied = read_varied(reader, top["vary"], default, terms, top["parameters"])
    made = _read_make(reader, top["make"], terms.game)
    config = FitConfig(
        name=reader.run_name(top["name"]),
        terms=terms,
        openings=main_openings(reader, top["openings"], terms.game, varied),
        trial_openings=0,
        players=(default, *read_opponents(reader, top["opponents"], terms.game)),
        space=Space(tuple(read_axes(reader, top["parameters"], default))),
        opponent_pairs=verification.pop("opponent_pairs"),
        condition_pairs=verification.pop("condition_pairs"),
        verification=verification,
        varied=varied,
        games=tuple(map(str, top["games"] or ())),
        place_of_games=reader.document.place(("games",) if top["games"] else ("make",)),
        make=made,
        settings=FitSettings(top["holdout"], top["score_share"], top["l2"], top["seed"]),
        written=reader.document.text,
    )
    _check_games(reader, config)
    _check_opponents(reader, config)
    if reader.faults:
        return config
    needed = made.openings if made else 0
    return with_openings(reader, config, needed, needed, "the games to make need")


def _read_make(reader: Reader, value: object, game: Named) -> GamesToMake | None:
    """The games to be played for the fit, if any."""
    if value is None:
        return None
    found: dict[str, Any] = reader.fit(make_keys, value, ("make",))
    entries, names, players = found.get("engines") or [], set[str](), []
    for i, entry in enumerate(entries):
        path = ("make", "engines", i)
        if isinstance(entry, dict):
            players.append(reader.player(entry, game, path, names))
        else:
            reader.fault(f"must be {{name: ..., engine: ...}}, not {entry!r}", path)
    if len(players) < 2 and isinstance(value, dict) and "engines" in value:
        reader.fault("two engines or more make games", ("make", "engines"))
    limit = reader.limit(found.get("limit"), ("make", "limit"))
    return GamesToMake(tuple(players), limit, found.get("games") or 2)


def _check_games(reader: Reader, config: FitConfig) -> None:
    """Note if there is nothing to fit to."""
    if not config.games and not config.make and "engine" in reader.document.data:
        reader.fault("give `games`, a list of runs, or `make`, games to be played", ())


def _check_opponents(reader: Reader, config: FitConfig) -> None:
    """Note opponents that are too few, or that make the games themselves."""
    if len(config.opponents) < LEAST_OPPONENTS and "engine" in reader.document.data:
        message = f"name {LEAST_OPPONENTS} opponents or more: {GAINED_FROM}"
        reader.fault(message, ("opponents",) if "opponents" in reader.document.data else ())
    makers = [player.engine for player in config.make.players] if config.make else []
    for i, opponent in enumerate(config.opponents):
        if opponent.engine in makers and opponent.engine.name:
            message = f"{opponent.name} makes the games as well: {GAINED_FROM}"
            reader.fault(message, ("opponents", i))
