"""The check of a study's YAML: all its faults at once, each with its place."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, RootModel, StrictBool, StrictFloat, StrictInt, StrictStr

from arena.config.reader import Location, Reader
from arena.config.settings import Player
from arena.config.yaml_file import ConfigSource, document
from arena.errors import ConfigError, Fault, gone, unknown
from arena.formats.sprt import MIN_GAP, are_apart
from arena.match.opening import Openings
from arena.match.terms import Terms
from arena.plugins import load
from arena.plugins.load import Named
from arena.plugins.parameters import adapter, fit, fit_value, parameters
from arena.stats.sprt import bounds, llr
from arena.tuning.method import Plan, suggested_games
from arena.tuning.optuna.sampler import SAMPLER, rehearse
from arena.tuning.settings.conditions import (
    DEFAULT,
    LIMIT_KEY,
    OPENINGS_KEY,
    TUNED,
    ProofConfig,
    Varied,
    set_within,
)
from arena.tuning.settings.config import (
    USERS_STUDY,
    TuningConfig,
    axis_keys,
    study_keys,
    verification_keys,
)
from arena.tuning.space import Axis, Candidate, Space, Values, candidates, point_faults, read_axis

P = TypeVar("P", bound=ProofConfig)

VERIFICATION = {"elo1": 20.0}  # The default of the test: a gain worth the trouble begins here
OWN_KEYS = [parameter.name for parameter in parameters(verification_keys)]
"""Keys of `verification` that are no parameters of the test."""

UNLIKE = "parameters", "engines", "a tournament", "run"


def read_tuning(
    source: ConfigSource, begun: Callable[[str], tuple[Named, int] | None] = lambda _: None
) -> TuningConfig:
    """Read a study from a file or its keys; ConfigError with all faults at once.

    `begun` tells of a study of this name that was begun before, if one was: its file need not say
    what varies, and where it names no method, or games, it goes on with those.
    """
    reader = Reader(document(source, UNLIKE))
    config = _config_in(reader, begun)
    if not begun(config.name):
        check_depth(reader, config.default, config.space.default)
    reader.raise_faults()
    return config


def read_users_study(source: ConfigSource) -> TuningConfig:
    """Read a study whose trials Optuna asks for; its keys that say how to search do not count."""
    reader = Reader(document(source, UNLIKE))
    config = _config_in(reader, lambda _: None, Named(USERS_STUDY))
    check_depth(reader, config.default, config.space.default)
    reader.raise_faults()
    plan = Plan(config.plan.games, config.plan.games, 1, config.plan.seed)
    return replace(config, plan=plan, early_stop=0.0)


def _config_in(
    reader: Reader, begun: Callable[[str], tuple[Named, int] | None], method: Named | None = None
) -> TuningConfig:
    """The whole file, with a `method` in place of its own; worth nothing if there are faults."""
    terms, top = reader.top(study_keys)
    name = reader.run_name(top["name"])
    default = tuned_player(reader, top["engine"], terms.game)
    opponents = read_opponents(reader, top["opponents"], terms.game)
    verification = read_verification(reader, top["verification"])
    before, games = begun(name) or (Named(""), None)
    varied = read_varied(reader, top["vary"], default, terms, top["parameters"])
    config = TuningConfig(
        name=name,
        terms=terms,
        openings=main_openings(reader, top["openings"], terms.game, varied),
        trial_openings=0,
        players=(default, *opponents),
        space=Space(tuple(read_axes(reader, top["parameters"], default))),
        method=method or _read_method(reader, before, top["method"]),
        plan=Plan(top["budget"], 2, top["lag"], top["seed"]),
        early_stop=top["early_stop"],
        opponent_pairs=verification.pop("opponent_pairs"),
        condition_pairs=verification.pop("condition_pairs"),
        verification=verification,
        varied=varied,
        written=reader.document.text,
    )
    if reader.faults:
        return config
    goes_on = config.method.name == before.name and not config.compares
    games = _games_of_trial(reader, config, top["games"] or (games if goes_on else None))
    config = replace(config, plan=replace(config.plan, games=games))
    if not config.is_users:
        config = replace(config, start=_read_start(reader, config, top["start"]))
    _check_plan(reader, config)
    needed = config.plan.games // (2 * config.matches)
    return with_openings(reader, config, config.openings_used, needed, "a trial needs")


def _read_method(reader: Reader, begun: Named, value: object) -> Named:
    if begun.name and "method" not in reader.document.data:
        if message := gone("method", begun.name):
            reader.fault(f"{message}, under another name or with --fresh", ("method",))
        return begun
    if isinstance(value, dict) and SAMPLER in value:
        return _read_sampler(reader, value)
    return reader.named("method", value)


def _read_sampler(reader: Reader, value: dict[str, Any]) -> Named:
    entry, faults = fit_value(adapter(SamplerEntry), value)
    for path, message in faults:
        reader.fault(f"{SAMPLER} {message}", ("method", *path))
    if faults:
        return Named("")
    name = entry.sampler
    if not all(part.isidentifier() for part in name.split(".")) or "." not in name:
        known = "such as optuna.samplers.TPESampler"
        reader.fault(f"{SAMPLER} must be a class with its package, {known}", ("method", SAMPLER))
    return Named(name, entry.model_extra)


def _read_start(reader: Reader, config: TuningConfig, value: object) -> tuple[Values, ...]:
    if value is None:
        return ()
    if config.compares:
        message = f"{config.method.name} compares points: start needs a method such as tpe"
        reader.fault(message, ("start",), is_key=True)
        return ()
    start, faults = fit_value(adapter(StartPoints), value)
    for path, message in faults:
        reader.fault(f"start{message}" if path else f"start {message}", ("start", *path))
    points: list[Values] = [] if faults else start.root
    for i, point in enumerate(points):
        for fault in point_faults(config.space, point):
            is_strange = fault.key not in config.space.default
            reader.fault(f"{fault.key} {fault.message}", ("start", i, fault.key), is_strange)
    return tuple(points)


def tuned_player(reader: Reader, value: object, game: Named) -> Player:
    entry = reader.engine_entry(value)
    if entry is None:
        return Player(DEFAULT, Named(""))
    if "name" in entry:
        reader.fault(
            f"its name is {DEFAULT}, beside {TUNED} for what is found",
            ("engine", "name"),
            is_key=True,
        )
    return reader.player({**entry, "name": DEFAULT}, game, ("engine",), set())


def read_opponents(reader: Reader, entries: list[Any] | None, game: Named) -> Iterator[Player]:
    names = {DEFAULT, TUNED}
    for i, entry in enumerate(entries or []):
        yield from reader.entry(entry, game, ("opponents", i), names)


def read_axes(reader: Reader, value: object, default: Player) -> Iterator[Axis]:
    """The free parameters: a list of names, or a mapping from names to ranges."""
    if not default.engine.name:
        return
    if not isinstance(value, list | dict) or not value:
        if "parameters" in reader.document.data:
            reader.fault(
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
            reader.fault(
                "a list has names only; ranges go without the dashes: name: {low: ...}", path
            )
        elif isinstance(value, list) and name in value[:i]:
            reader.fault(f"{name} stands here twice", path)
        elif name not in known:
            reader.fault(unknown("parameter", str(name), known), path, is_key=True)
        elif axis := _free_axis(reader, known[name], given, path):
            yield axis


def _free_axis(
    reader: Reader, candidate: Candidate, value: object, path: tuple[str | int, ...]
) -> Axis | None:
    faults = len(reader.faults)
    keys = reader.fit(axis_keys, {} if value is None else value, path)
    if len(reader.faults) > faults:
        return None
    axis, axis_faults = read_axis(candidate, keys)
    for fault in axis_faults:
        # An empty value stands where the next one does; its key is what users see.
        reader.fault(fault.message, (*path, *filter(None, [fault.key])), is_key=value is None)
    return axis


def _games_of_trial(reader: Reader, config: TuningConfig, games: int | None) -> int:
    fewest = 2 * config.matches * config.round
    if games is None:
        most = _most_openings(reader, config)
        suggested = suggested_games(config.method.name, config.plan.budget)
        games = max(min(suggested, 2 * config.matches * most), fewest)
    if games < fewest:
        under = " under each condition" if config.varied else ""
        reader.fault(f"games must be at least {fewest}: a pair in each match{under}", ("games",))
    return games // fewest * fewest


def _most_openings(reader: Reader, config: TuningConfig) -> int:
    if sources := config.varied.get(OPENINGS_KEY):
        counts = [len(each) // 2 for each in sources if not each.draws]
        return min(counts, default=config.plan.budget)
    return _given_count(reader, config.openings) or config.plan.budget


def _check_plan(reader: Reader, config: TuningConfig) -> None:
    plan = config.plan
    if plan.budget < plan.games:
        reader.fault(
            f"a budget of {plan.budget} is less than one trial's {plan.games} games", ("budget",)
        )
    try:
        if config.has_sampler and not reader.faults:
            rehearse(config.method, config.space, plan.seed)
        elif not (config.has_sampler or config.is_users):
            config.tuner()
    except ConfigError as error:
        for place, message in error.faults:
            reader.fault(message, ("method", *filter(None, [place])), place not in ("", SAMPLER))


def with_openings(reader: Reader, config: P, used: int, needed: int, words: str) -> P:
    """Openings for search and test; a fault that begins with `words` if too few are there."""
    varied = config.varied.get(OPENINGS_KEY)
    if not varied:
        given = _given_count(reader, config.openings)
        count = max(used, 1) if given is None else given
        path: Location = (OPENINGS_KEY,)
        openings = source(reader, config, config.openings, count, needed, words, path)
        return replace(config, openings=openings, trial_openings=count)
    count = max(used, 1)
    sources = [
        source(reader, config, each, count, needed, words, (VARY, OPENINGS_KEY, i))
        for i, each in enumerate(varied)
    ]
    varied_sources = {**config.varied, OPENINGS_KEY: sources}
    return replace(config, openings=sources[0], trial_openings=count, varied=varied_sources)


def source(
    reader: Reader,
    config: ProofConfig,
    starts: Openings,
    count: int,
    needed: int,
    words: str,
    path: Location,
) -> Openings:
    pairs = config.verification["pairs"]
    for_search = count if starts.draws else len(starts) // 2
    if for_search < needed:
        half = "" if starts.draws else " (half of the list is for the test)"
        reader.fault(f"{words} {needed} openings, and there are {for_search} for it{half}", path)
    if starts.draws:
        starts = starts.part(0, count + pairs)
    if reader.faults:
        return starts
    reader.check_openings(starts, config.terms, path)
    if starts.draws and reader.faults:
        last = reader.faults[-1]
        uses = f"{count} for the search (`count`), and {pairs} others for the test"
        message = f"{last.message}: {uses} (verification: {{pairs: {pairs}}})"
        reader.faults[-1] = Fault(last.place, message)
    return starts


def _given_count(reader: Reader, starts: Openings) -> int | None:
    """The openings that the file gives to the trials; None for as many as they need."""
    if not starts.draws:
        return len(starts) // 2
    keys = reader.one_name("openings", reader.document.data.get("openings"))[1]
    return len(starts) if isinstance(keys, dict) and "count" in keys else None


def read_verification(reader: Reader, value: object) -> dict[str, Any]:
    path = ("verification",)
    faults = len(reader.faults)
    given = VERIFICATION if value is None else value
    if not isinstance(given, dict):
        reader.fault(f"must be a mapping (key: value), not {value!r}", path)
        given = {}
    of_test = {key: each for key, each in given.items() if key not in OWN_KEYS}
    own = {key: each for key, each in given.items() if key in OWN_KEYS}
    test = reader.fit(load.factory("format", "sprt"), VERIFICATION | of_test, path, also=OWN_KEYS)
    verification = {**test, **reader.fit(verification_keys, own, path)}
    if len(reader.faults) == faults:
        _check_test(reader, test)
    return verification


def _check_test(reader: Reader, test: dict[str, Any]) -> None:
    path, elo0, elo1, pairs = ("verification",), test["elo0"], test["elo1"], test["pairs"]
    if not are_apart(test):
        order = f"must be less than elo1, {elo1:g}, by {MIN_GAP} at least"
        reader.fault(f"elo0, {elo0:g}, {order}", path)
    elif pairs < (least := _least_pairs(test)):
        reader.fault(f"{pairs} pairs cannot prove a gain even if all are won; {least} can", path)


def _least_pairs(test: dict[str, Any]) -> int:
    _, upper = bounds(test["alpha"], test["beta"])

    def evidence(pairs: int) -> float:
        return llr([0, 0, 0, 0, pairs], test["elo0"], test["elo1"], test["model"])

    return 1 + bisect_left(range(1, 10**6), upper, key=evidence)


VARY = "vary"
DEPTH_PARAMETER = "depth"  # Weights that gain are known to lose one step of it away


def read_varied(
    reader: Reader, value: object, default: Player, terms: Terms, searched: object
) -> Varied:
    if VARY not in reader.document.data:
        return {}
    if not isinstance(value, dict):
        message = "must be {parameter: [value, value]}, or {} if nothing varies"
        reader.fault(f"{message}, not {value!r}", (VARY,))
        return {}
    varied = {}
    names = searched if isinstance(searched, Collection) else ()
    for key, values in value.items():
        if fault := _fault_of_key(key, default, names):
            reader.fault(fault, (VARY, key), is_key=True)
        elif not isinstance(values, list) or len(values) < 2:
            reader.fault(f"{key} must be a list of two values or more", (VARY, key))
        elif any(values[i] in values[:i] for i in range(len(values))):
            reader.fault(f"{key}: its values must differ", (VARY, key))
        else:
            varied[key] = list(_values_of(reader, key, values, default, terms))
    return varied


def main_openings(reader: Reader, value: object, game: Named, varied: Varied) -> Openings:
    if OPENINGS_KEY not in varied:
        return reader.openings(value, game, Named(""))
    if OPENINGS_KEY in reader.document.data:
        reader.fault("the openings stand in vary: leave this key out", (OPENINGS_KEY,), is_key=True)
    first: Openings = varied[OPENINGS_KEY][0]
    return first


def _values_of(
    reader: Reader, key: str, values: list[Any], default: Player, terms: Terms
) -> Iterator[Any]:
    for i, value in enumerate(values):
        path = (VARY, key, i)
        if key == LIMIT_KEY:
            yield reader.limit(value, path)
        elif key == OPENINGS_KEY:
            yield reader.openings_at(value, terms.game, path)
        else:
            yield _varied_parameter(reader, key, value, default, path)


def _varied_parameter(
    reader: Reader, key: str, value: object, default: Player, path: tuple[str | int, ...]
) -> object:
    engine = default.engine
    if not engine.is_checked:
        return value
    factory = load.factory("engine", engine.name)
    fitted, misfits = fit(factory, set_within(engine.parameters, {key: value}))
    for misfit in misfits:
        reader.fault(misfit.message, path)
    return fitted.get(key, value)


def check_depth(reader: Reader, default: Player, searched: Collection[str]) -> None:
    depth = default.engine.parameters.get(DEPTH_PARAMETER)
    if VARY in reader.document.data or depth is None or DEPTH_PARAMETER in searched:
        return
    middle = max(depth, 2) if isinstance(depth, int) else 2
    reader.fault(
        f"{default.engine.name} has a depth, and weights that gain at one may lose at the "
        f"next: add vary: {{depth: {[middle - 1, middle, middle + 1]}}} to tune for several, or "
        f"vary: {{}} for {depth} alone",
        ("engine",),
    )


def _fault_of_key(key: object, default: Player, searched: Collection[object]) -> str | None:
    own = default.engine.parameters
    inner = [name for each in own.values() if isinstance(each, Mapping) for name in each]
    known = [*own, *inner, LIMIT_KEY, OPENINGS_KEY]
    if key in searched:
        return f"{key} is among the parameters that are searched: it cannot vary as well"
    if key not in known and default.engine.name:
        return unknown("parameter", str(key), known)
    return None


class SamplerEntry(BaseModel):
    """`method: {sampler: package.Class, parameter: value}`; parameters are the class's own."""

    model_config = ConfigDict(extra="allow", frozen=True)

    sampler: StrictStr


class StartPoints(RootModel[list[dict[str, StrictInt | StrictFloat | StrictBool | StrictStr]]]):
    """`start: [{parameter: value}]`: what a point leaves out, the sampler chooses."""
