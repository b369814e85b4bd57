"""Several runs reported as one, and how their players are matched up."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from arena.config.settings import to_data
from arena.errors import ConfigError, Fault, unknown
from arena.format import TOGETHER, Row
from arena.match.record import GameRecord
from arena.storage.database import Store
from arena.storage.folder import DATABASE, as_config_error, path_text, read_store
from arena.tournament.run import PathLike, Run, open_run

if TYPE_CHECKING:
    from arena.report.frames import Report
    from arena.report.verdict import Extras
    from arena.stats.ratings import Anchor


def report_runs(
    runs: Sequence[PathLike], *, results: PathLike = "results", anchor: str | None = None
) -> Report:
    """The report of one run, or of several together; `anchor` is NAME or NAME=ELO.

    A name is one player if it has the same engine, parameters, source and limit in all runs.
    Otherwise it is shown as several players, `NAME (RUN)`. Raises ConfigError if the runs are of
    different games.
    """
    opened = [open_run(run, results=results) for run in runs]
    opened = list({run.folder.resolve(): run for run in opened}.values())
    if not opened:
        raise ConfigError("runs must name at least one run")
    if len(opened) == 1:
        (run,) = opened
        return run.report(_anchor_of(anchor, run.config.names))
    from arena.report.frames import report_of

    _check_games(opened)
    labels = _labels_of(opened)
    names = _names_of(opened, labels)
    players = list(dict.fromkeys(name for named in names for name in named.values()))
    evidence = [run.evidence() for run in opened]
    games = {
        label: own.renamed(named)
        for label, named, (own, _) in zip(labels, names, evidence, strict=True)
    }
    extras = _joined([extras for _, extras in evidence], labels, names)
    return report_of(players, games, anchor=_anchor_of(anchor, players), extras=extras)


def _joined(
    own: Sequence[Extras], labels: Sequence[str], names: Sequence[Mapping[str, str]]
) -> Extras:
    from arena.report.verdict import Extras

    matches: list[Row] = []
    uncounted, notes, facts, machines = [], [], [], []
    singles = [label for label, extras in zip(labels, own, strict=True) if extras.singles]
    for extras, label, named in zip(own, labels, names, strict=True):
        for row in extras.matches:
            players = {seat: _side(row[seat], named) for seat in ("one", "other")}
            matches.append({"run": label, **row, **players})
        uncounted += [_renamed(record, named) for record in extras.uncounted]
        notes += [f"{label}: {note}" for note in extras.notes]
        facts += [replace(each, name=label) for each in extras.runs]
        machines += [{"run": label, **row} for row in extras.machines]
    return Extras(matches, uncounted, notes, singles, facts, machines)


def _side(side: str, names: Mapping[str, str]) -> str:
    if side in names:
        return names[side]
    return TOGETHER.join(names.get(name, name) for name in side.split(TOGETHER))


def _check_games(runs: Sequence[Run]) -> None:
    first = runs[0]
    for run in runs:
        if run.config.terms.game != first.config.terms.game:
            raise ConfigError(
                f"cannot report on different games together: {first.folder} is of "
                f"{first.config.terms.game}, {run.folder} of {run.config.terms.game}"
            )


def _labels_of(runs: Sequence[Run]) -> list[str]:
    names = [run.config.name for run in runs]
    return [
        path_text(run.folder) if names.count(name) > 1 else name
        for run, name in zip(runs, names, strict=True)
    ]


def _names_of(runs: Sequence[Run], labels: Sequence[str]) -> list[dict[str, str]]:
    entries = [{entry["name"]: entry for entry in _entries_of(run)} for run in runs]

    def shown(name: str, entry: dict[str, Any], label: str) -> str:
        same = all(others.get(name, entry) == entry for others in entries)
        return name if same else f"{name} ({label})"

    return [
        {name: shown(name, entry, label) for name, entry in mine.items()}
        for mine, label in zip(entries, labels, strict=True)
    ]


def _entries_of(run: Run) -> list[dict[str, Any]]:
    data, kept = to_data(run.config), read_store(run.folder, Store.facts) or {}
    with as_config_error(run.folder / DATABASE):
        noted = {entry["name"]: {**entry} for entry in kept.get("engines", [])}
    entries = (noted.get(entry["name"], entry) for entry in data["engines"])
    return [{"limit": data["limit"], **entry} for entry in entries]


def _renamed(record: GameRecord, names: Mapping[str, str]) -> GameRecord:
    first, second = (names.get(name, name) for name in (record.first, record.second))
    return replace(record, first=first, second=second)


def _anchor_of(text: str | None, names: Sequence[str]) -> Anchor | None:
    """NAME (of Elo 0) or NAME=ELO; names may have any characters. ConfigError for neither."""
    if text is None:
        return None
    if text in names:
        return text, 0.0
    name, equals, elo = text.rpartition("=")
    if name not in names:
        raise ConfigError(Fault("--anchor", unknown("player", name if equals else text, names)))
    if not re.fullmatch(r"[+-]?[0-9]+(\.[0-9]+)?", elo):
        raise ConfigError(Fault("--anchor", f"{elo!r} is no Elo: write NAME or NAME=ELO"))
    return name, float(elo)
