"""The check of `vary`: what a study spreads its games over."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from arena.config.reader import Reader
from arena.config.settings import Player
from arena.errors import unknown
from arena.match.opening import Openings
from arena.match.terms import Terms
from arena.plugins import load
from arena.plugins.load import Named
from arena.plugins.parameters import fit
from arena.tuning.settings.conditions import LIMIT_KEY, OPENINGS_KEY, Varied, set_within

VARY = "vary"
DEPTH_PARAMETER = "depth"
"""The parameter of which weights that gain are known to lose one step away."""


def read_varied(
    reader: Reader, value: object, default: Player, terms: Terms, searched: object
) -> Varied:
    """The values of what varies, by their keys."""
    if VARY not in reader.document.data:
        return {}
    if not isinstance(value, dict):
        message = "must be {parameter: [value, value]}, or {} if nothing varies"
        reader.fault(f"{message}, not {value!r}", (VARY,))
        return {}
    found = {}
    names = searched if isinstance(searched, Collection) else ()
    for key, values in value.items():
        if fault := _fault_of_key(key, default, names):
            reader.fault(fault, (VARY, key), is_key=True)
        elif not isinstance(values, list) or len(values) < 2:
            reader.fault(f"{key} must be a list of two values or more", (VARY, key))
        elif any(values[i] in values[:i] for i in range(len(values))):
            reader.fault(f"{key}: its values must differ", (VARY, key))
        else:
            found[key] = list(_values_of(reader, key, values, default, terms))
    return found


def main_openings(reader: Reader, value: object, game: Named, varied: Varied) -> Openings:
    """The openings of the file, or the first of those that vary."""
    if OPENINGS_KEY not in varied:
        return reader.openings(value, game, Named(""))
    if OPENINGS_KEY in reader.document.data:
        reader.fault("the openings stand in vary: leave this key out", (OPENINGS_KEY,), is_key=True)
    first: Openings = varied[OPENINGS_KEY][0]
    return first


def _values_of(
    reader: Reader, key: str, values: list[Any], default: Player, terms: Terms
) -> Iterator[Any]:
    """The values of one key; their faults are noted."""
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
    """Note a fault if the file does not say for which depths the weights are."""
    depth = default.engine.parameters.get(DEPTH_PARAMETER)
    if VARY in reader.document.data or depth is None or DEPTH_PARAMETER in searched:
        return
    reader.fault(
        f"{default.engine.name} has a depth, and weights that gain at one may lose at the "
        f"next: add vary: {{depth: {_depths_around(depth)}}} to tune for several, or "
        f"vary: {{}} for {depth} alone",
        ("engine",),
    )


def _depths_around(depth: object) -> list[int]:
    middle = max(depth, 2) if isinstance(depth, int) else 2
    return [middle - 1, middle, middle + 1]


def _fault_of_key(key: object, default: Player, searched: Collection[object]) -> str | None:
    """The reason that a key cannot vary; None if it can."""
    own = default.engine.parameters
    inner = [name for each in own.values() if isinstance(each, Mapping) for name in each]
    known = [*own, *inner, LIMIT_KEY, OPENINGS_KEY]
    if key in searched:
        return f"{key} is among the parameters that are searched: it cannot vary as well"
    if key not in known and default.engine.name:
        return unknown("parameter", str(key), known)
    return None
