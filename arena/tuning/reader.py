"""The check of a study's YAML: all its faults at once, each with its place."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from arena import load
from arena.config import Config, Player
from arena.document import Document
from arena.engine import Limit
from arena.faults import ConfigError, unknown
from arena.keys import axis_keys, tuning_keys
from arena.llr import bounds, llr
from arena.load import Named
from arena.parameters import Parameter, parameters
from arena.reader import Reader, line_and_column
from arena.tuning.axes import read_axis
from arena.tuning.config import DEFAULT, TUNED, TuningConfig
from arena.tuning.space import Axis, Space
from arena.tuning.tuner import Plan

VERIFICATION = {"elo1": 20.0}
"""Where a gain worth the trouble begins."""


def read_tuning(file: Path) -> TuningConfig:
    """Read a study; ConfigError with all faults of the file at once."""
    reader = TuningReader(Document(file))
    config = reader.tuning()
    if reader.faults:
        raise ConfigError(*sorted(reader.faults, key=line_and_column))
    return config


class TuningReader(Reader):
    """Goes through a study's file once, and holds the faults found on the way."""

    def tuning(self) -> TuningConfig:
        """The whole file; worth nothing if there are faults."""
        top = self.fit(tuning_keys, self.document.data, ())
        game = self.named("game", top["game"])
        default = self.tuned_player(top["engine"], game.name)
        opponents = list(self.opponents(top["opponents"], game.name))
        method = self.named("tuner", top["method"])
        config = TuningConfig(
            base=self.base(top, game, (default, *opponents)),
            space=Space(tuple(self.axes(top["parameters"], default))),
            method=method,
            plan=Plan(top["budget"], top["games"] or 2, top["lag"], top["seed"]),
            early_stop=top["early_stop"],
            verification=self.verification(top["verification"]),
        )
        if self.faults:
            return config
        config = replace(config, plan=replace(config.plan, games=self.games(config, top["games"])))
        self.check_plan(config)
        return self.with_openings(config)

    def base(self, top: dict[str, Any], game: Named, players: tuple[Player, ...]) -> Config:
        """What all games have in common."""
        return Config(
            name=self.run_name(top["name"]),
            game=game,
            format=Named("round_robin"),
            openings=self.openings(top["openings"], Named("")),
            limit=self.limit(top["limit"], ("limit",)) or Limit(),
            seed=top["seed"],
            rounds=1,
            max_plies=top["max_plies"],
            margin=top["margin"],
            hang=top["hang"],
            memory=top["memory"],
            players=players,
        )

    def tuned_player(self, value: object, game: str) -> Player:
        """The engine, with the parameters that stay as they are."""
        entry = {"engine": value} if isinstance(value, str) else value
        if not isinstance(entry, dict) or "engine" not in entry:
            if "engine" in self.document.data:
                message = f"must be {{engine: name, parameter: value}}, not {value!r}"
                self.fault(message, ("engine",))
            return Player(DEFAULT, Named(""))
        return self.player({**entry, "name": DEFAULT}, game, ("engine",), set())

    def opponents(self, entries: list[Any] | None, game: str) -> Iterator[Player]:
        """Other engines that a point must do well against."""
        names = {DEFAULT, TUNED}
        for i, entry in enumerate(entries or []):
            if isinstance(entry, dict):
                yield self.player(entry, game, ("opponents", i), names)
            else:
                self.fault(f"must be {{name: ..., engine: ...}}, not {entry!r}", ("opponents", i))

    def axes(self, value: object, default: Player) -> Iterator[Axis]:
        """The free parameters: a list of names, or a mapping from names to ranges."""
        if not default.engine.name:
            return
        wanted = dict.fromkeys(value) if isinstance(value, list) else value
        if not isinstance(wanted, dict) or not wanted:
            if "parameters" in self.document.data:
                self.fault("parameters must be names with their ranges", ("parameters",))
            return
        factory = load.factory("engine", default.engine.name)
        known = {each.name: each for each in parameters(factory)}
        for i, name in enumerate(wanted):
            path = ("parameters", i if isinstance(value, list) else name)
            if name not in known:
                self.fault(unknown("parameter", str(name), known), path, is_key=True)
            elif axis := self.axis(known[name], wanted[name], default, path):
                yield axis

    def axis(
        self, parameter: Parameter, value: object, default: Player, path: tuple[str | int, ...]
    ) -> Axis | None:
        """One free parameter."""
        faults = len(self.faults)
        given = self.fit(axis_keys, {} if value is None else value, path)
        if len(self.faults) > faults:
            return None
        axis, found = read_axis(parameter, given, default.engine.parameters[parameter.name])
        for fault in found:
            self.fault(fault.message, (*path, *filter(None, [fault.key])))
        return axis

    def verification(self, value: object) -> dict[str, Any]:
        """The parameters of the test at the end; one that could never pass is a fault."""
        path = ("verification",)
        test = load.factory("format", "sprt")
        faults = len(self.faults)
        found = self.fit(test, VERIFICATION if value is None else value, path)
        if isinstance(value, dict):
            found = {**found, **{k: v for k, v in VERIFICATION.items() if k not in value}}
        if len(self.faults) > faults:
            return found
        if found["elo0"] >= found["elo1"]:
            self.fault("elo0 must be less than elo1", path)
            return found
        best = llr([0, 0, 0, 0, found["pairs"]], found["elo0"], found["elo1"], found["model"])
        if best < bounds(found["alpha"], found["beta"])[1]:
            self.fault(f"{found['pairs']} pairs cannot prove a gain, even if all are won", path)
        return found

    def games(self, config: TuningConfig, wanted: int | None) -> int:
        """Of one trial: as many as fill its matches on whole openings."""
        each = 2 * config.matches
        if wanted is None:
            suggest = getattr(load.module("tuner", config.method.name), "games", usual_games)
            wanted = max(suggest(config.plan.budget), each)
        if wanted < each:
            self.fault(f"games must be at least {each}: a pair in each match", ("games",))
        return wanted // each * each

    def check_plan(self, config: TuningConfig) -> None:
        """Whether the method can search this space, and the budget is enough for it."""
        plan = config.plan
        if plan.budget < plan.games:
            message = f"a budget of {plan.budget} is less than one trial's {plan.games} games"
            self.fault(message, ("budget",))
        try:
            config.tuner()
        except ConfigError as error:
            self.fault(str(error), ("method",))

    def with_openings(self, config: TuningConfig) -> TuningConfig:
        """Enough openings for the trials, unless their number is given, and for the test."""
        source = config.base.openings
        given = self.one_name("openings", self.document.data.get("openings", "random"))[1]
        if source.name != "list" and not (isinstance(given, dict) and "count" in given):
            count = max(config.openings_used, 1)
            source = Named(source.name, {**source.parameters, "count": count})
        config = replace(config, base=replace(config.base, openings=source))
        if not self.faults:
            self.check_openings(config.base)
            self.check_count(config)
        return config

    def check_count(self, config: TuningConfig) -> None:
        """Whether a trial's openings differ, and some are left for the test."""
        count, needed = len(config.openings), config.plan.games // (2 * config.matches)
        if count < needed:
            message = f"a trial needs {needed} openings, and there are {count} for it"
            self.fault(message, ("openings",))


def usual_games(budget: int) -> int:
    """Of a trial that is measured alone: a hundred trials, of at least 8 games."""
    return max(8, budget // 100 // 2 * 2)
