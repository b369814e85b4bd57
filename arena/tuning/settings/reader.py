"""The check of a study's YAML: all its faults at once, each with its place."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from arena.config.reader import Location
from arena.config.settings import Player
from arena.config.yaml_file import Document
from arena.errors import ConfigError, Fault, unknown
from arena.match.opening import Openings
from arena.plugins import load
from arena.plugins.load import Named
from arena.plugins.parameters import parameters
from arena.tuning.method import Plan, suggested_games
from arena.tuning.settings.axes import Candidate, candidates, read_axis
from arena.tuning.settings.conditions import OPENINGS_KEY
from arena.tuning.settings.config import DEFAULT, TUNED, TuningConfig, axis_keys, study_keys
from arena.tuning.settings.proof_reader import ProofReader
from arena.tuning.settings.vary_reader import VARY, VaryReader
from arena.tuning.space import Axis, Space


def read_tuning(file: Path, begun: Callable[[str], Named | None] = lambda _: None) -> TuningConfig:
    """Read a study; ConfigError with all faults of the file at once.

    `begun` is the method of a study of this name that was begun before, if one was: its file need
    not say what varies, and where it names no method, it goes on with that one.
    """
    unlike = "parameters", "engines", "a tournament: arena run"
    reader = TuningReader(Document(file, unlike=unlike), begun)
    config = reader.tuning()
    if not reader.begun:
        reader.check_depth(config.default, config.space.default)
    reader.raise_faults()
    return config


class TuningReader(VaryReader, ProofReader):
    """Goes through a study's file once, and holds the faults found on the way."""

    def __init__(self, document: Document, begun_of: Callable[[str], Named | None]) -> None:
        super().__init__(document)
        self._begun_of = begun_of
        self.begun: Named | None = None

    def tuning(self) -> TuningConfig:
        """The whole file; worth nothing if there are faults."""
        terms, top = self.top(study_keys)
        name = self.run_name(top["name"])
        default = self.tuned_player(top["engine"], terms.game)
        opponents = self.opponents(top["opponents"], terms.game)
        verification = self.verification(top["verification"])
        varied = self.varied(top["vary"], default, terms, top["parameters"])
        config = TuningConfig(
            name=name,
            terms=terms,
            openings=self.main_openings(top["openings"], terms.game, varied),
            trial_openings=0,
            players=(default, *opponents),
            space=Space(tuple(self.axes(top["parameters"], default))),
            method=self.method(name, top["method"]),
            plan=Plan(top["budget"], 2, top["lag"], top["seed"]),
            early_stop=top["early_stop"],
            opponent_pairs=verification.pop("opponent_pairs"),
            condition_pairs=verification.pop("condition_pairs"),
            verification=verification,
            varied=varied,
            aim=top["aim"],
        )
        if self.faults:
            return config
        config = replace(config, plan=replace(config.plan, games=self.games(config, top["games"])))
        self.check_plan(config)
        return self.with_openings(config)

    def method(self, name: str, value: object) -> Named:
        """The method of the file, or the one that the study of this name was begun with."""
        self.begun = self._begun_of(name)
        goes_on = self.begun if "method" not in self.document.data else None
        return goes_on or self.named("method", value)

    def tuned_player(self, value: object, game: Named) -> Player:
        """The engine, with the parameters that stay as they are."""
        entry = {"engine": value} if isinstance(value, str) else value
        if not isinstance(entry, dict) or "engine" not in entry:
            if "engine" in self.document.data:
                self.fault(
                    f"must be {{engine: name, parameter: value}}, not {value!r}", ("engine",)
                )
            return Player(DEFAULT, Named(""))
        if "name" in entry:
            self.fault(
                f"its name is {DEFAULT}, beside {TUNED} for what is found",
                ("engine", "name"),
                is_key=True,
            )
        return self.player({**entry, "name": DEFAULT}, game, ("engine",), set())

    def opponents(self, entries: list[Any] | None, game: Named) -> Iterator[Player]:
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
        if not isinstance(value, list | dict) or not value:
            if "parameters" in self.document.data:
                self.fault(
                    "parameters must be a list of names, or {name: {low: ..., high: ...}}",
                    ("parameters",),
                )
            return
        declared = parameters(load.factory("engine", default.engine.name))
        known = candidates(declared, default.engine.parameters)
        for i, name in enumerate(value):
            path = ("parameters", i if isinstance(value, list) else name)
            given = value[name] if isinstance(value, dict) else None
            if isinstance(name, dict | list):
                self.fault(
                    "a list has names only; ranges go without the dashes: name: {low: ...}", path
                )
            elif isinstance(value, list) and name in value[:i]:
                self.fault(f"{name} stands here twice", path)
            elif name not in known:
                self.fault(unknown("parameter", str(name), known), path, is_key=True)
            elif axis := self.axis(known[name], given, path):
                yield axis

    def axis(self, candidate: Candidate, value: object, path: tuple[str | int, ...]) -> Axis | None:
        """One free parameter."""
        faults = len(self.faults)
        given = self.fit(axis_keys, {} if value is None else value, path)
        if len(self.faults) > faults:
            return None
        axis, found = read_axis(candidate, given)
        for fault in found:
            # An empty value stands where the next one does; its key is what users see.
            self.fault(fault.message, (*path, *filter(None, [fault.key])), is_key=value is None)
        return axis

    def games(self, config: TuningConfig, wanted: int | None) -> int:
        """The games of one trial: as many as fill its matches on whole openings."""
        each = 2 * config.matches * config.round
        if wanted is None:
            most = self.most_openings(config)
            suggested = suggested_games(config.method.name, config.plan.budget)
            wanted = max(min(suggested, 2 * config.matches * most), each)
        if wanted < each:
            under = " under each condition" if config.varied else ""
            self.fault(f"games must be at least {each}: a pair in each match{under}", ("games",))
        return wanted // each * each

    def most_openings(self, config: TuningConfig) -> int:
        """The openings that a trial can have at most."""
        if sources := config.varied.get(OPENINGS_KEY):
            counts = [len(each) // 2 for each in sources if not each.draws]
            return min(counts, default=config.plan.budget)
        return self.given_count(config.openings) or config.plan.budget

    def check_plan(self, config: TuningConfig) -> None:
        """Note if the method cannot search this space, or the budget is too small for it."""
        plan = config.plan
        if message := fault_of_aim(config):
            self.fault(message, ("aim",))
        if plan.budget < plan.games:
            self.fault(
                f"a budget of {plan.budget} is less than one trial's {plan.games} games",
                ("budget",),
            )
        try:
            config.tuner()
        except ConfigError as error:
            self.fault(str(error), ("method",))

    def with_openings(self, config: TuningConfig) -> TuningConfig:
        """Openings for the trials, as many as they need or as are given, and for the test."""
        needed, varied = config.plan.games // (2 * config.matches), config.varied.get(OPENINGS_KEY)
        given = self.given_count(config.openings) if not varied else None
        count = max(config.openings_used, 1) if given is None else given
        found = [
            self.source(config, each, count, needed, path)
            for each, path in places_of(varied or [config.openings], bool(varied))
        ]
        changed = replace(config, openings=found[0], trial_openings=count)
        if not varied:
            return changed
        return replace(changed, varied={**config.varied, OPENINGS_KEY: found})

    def source(
        self, config: TuningConfig, starts: Openings, count: int, needed: int, path: Location
    ) -> Openings:
        """One source, for trials and test; what is wrong with it is noted."""
        pairs = config.verification["pairs"]
        there = count if starts.draws else len(starts) // 2
        if there < needed:
            half = "" if starts.draws else " (half of the list is for the test)"
            self.fault(f"a trial needs {needed} openings, and there are {there} for it{half}", path)
        if starts.draws:
            starts = starts.part(0, count + pairs)
        if self.faults:
            return starts
        self.check_openings(starts, config.terms, path)
        if starts.draws and self.faults:
            self.faults[-1] = told_apart(self.faults[-1], count, pairs)
        return starts

    def given_count(self, starts: Openings) -> int | None:
        """The openings that the file gives to the trials; None for as many as they need."""
        if not starts.draws:
            return len(starts) // 2
        given = self.one_name("openings", self.document.data.get("openings"))[1]
        return len(starts) if isinstance(given, dict) and "count" in given else None


def fault_of_aim(config: TuningConfig) -> str | None:
    """The reason that there is no least gain to aim for; None if there is."""
    if config.aim == "worst" and not config.varied:
        return "aim: worst is the least gain of several conditions, and nothing varies"
    if config.aim == "worst" and config.opponents and not config.compares:
        return f"{config.method.name} measures no gain against opponents, so none is the least"
    return None


def places_of(sources: Sequence[Openings], are_varied: bool) -> Iterator[tuple[Openings, Location]]:
    """The sources, each with its place in the file."""
    for i, each in enumerate(sources):
        yield each, (VARY, OPENINGS_KEY, i) if are_varied else (OPENINGS_KEY,)


def told_apart(fault: Fault, count: int, pairs: int) -> Fault:
    """The fault of openings that cannot all be drawn, with what they are wanted for."""
    wanted = f"{count} for the trials (`count`), and {pairs} others for the test"
    return Fault(fault.place, f"{fault.message}: {wanted} (verification: {{pairs: {pairs}}})")
