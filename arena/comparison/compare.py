"""Two runs side by side: what differs, and whose Elo rose."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from arena.comparison.differences import Difference, differences, settings_of, with_points
from arena.comparison.leads import Lead, leads
from arena.errors import ConfigError
from arena.report.run_answer import point_names
from arena.report.verdict import Conclusion, PlayedRuns, verdict_of
from arena.stats.leads import joined_looks
from arena.storage.database import Store
from arena.storage.folder import CONFIG, as_config_error, kept_kind, path_text, read_store
from arena.tournament.run import PathLike, Run, config_data, open_run, played_of
from arena.tuning.proof.verification import NAME as TEST


@dataclass(frozen=True)
class ComparedRun:
    """A run as it is compared."""

    label: str
    settings: Mapping[str, Any]
    played: PlayedRuns
    verdict: Conclusion


@dataclass(frozen=True)
class Comparison:
    """Two runs."""

    before: ComparedRun
    after: ComparedRun

    @cached_property
    def differences(self) -> list[Difference]:
        """The settings that differ."""
        return differences(self.before.settings, self.after.settings)

    @cached_property
    def shown_differences(self) -> list[Difference]:
        """The same for people, with points as boards name them."""
        return differences(
            *(
                with_points(run.settings, point_names([run.played.extras.runs[0].game]))
                for run in (self.before, self.after)
            )
        )

    @cached_property
    def common(self) -> list[str]:
        """The names that both have, in the order of the first run."""
        before, after = self.before.played.tally.names, self.after.played.tally.names
        return [name for name in before if name in after]

    @cached_property
    def games_among(self) -> tuple[Counter[str], Counter[str]]:
        """The games of each common player with the others, in the first run and in the second."""
        common, found = set(self.common), (Counter[str](), Counter[str]())
        for run, counts in zip((self.before, self.after), found, strict=True):
            for (first, second, _, _), games in run.played.tally.evidence.items():
                if first in common and second in common:
                    counts.update({first: games, second: games})
        return found

    @cached_property
    def leads(self) -> list[Lead]:
        """The common players' Elo in both; most gain first."""
        runs = self.before.played, self.after.played
        before, after = (each.tally for each in runs)
        looks = joined_looks(each.looks for each in runs)
        looks = replace(looks, earlier=looks.earlier - 1)  # one question is asked of both
        counts = [each.evidence_of(self.common) for each in (before, after)]
        openings, faulty = min(n for n, _ in counts), max(share for _, share in counts)
        tail = looks.tail(openings, faulty)
        return leads(self.common, before.evidence_views, after.evidence_views, tail)

    @property
    def is_over(self) -> bool:
        """True if no game of either run is missing."""
        return self.before.played.is_over and self.after.played.is_over

    @cached_property
    def sure(self) -> list[Lead]:
        """The players that changed more than chance explains, by gains that no faults carry."""
        return [each for each in self.leads if each.is_sure and not each.gain.doubtful]


def compare(before: PathLike, after: PathLike, *, results: PathLike = "results") -> Comparison:
    """Two runs, by their folders or names; no engine is imported.

    Raises ConfigError if there is no such folder, and for studies and fits.
    """
    _check_kinds([path_text(Path(each)) for each in (before, after)], results)
    runs = [open_run(each, results=results) for each in (before, after)]
    return Comparison(*map(_compared_run, runs, _labels([run.folder for run in runs])))


def _check_kinds(names: list[str], results: PathLike) -> None:
    """Raise ConfigError if a study or a fit is named; it says which run to take instead."""
    kinds = {name: kept_kind(name, results) for name in names}
    if found := [name for name, kind in kinds.items() if not kind.COMBINES]:
        tests = " and ".join(f"{name}/{TEST}" for name in found)
        reports = " and ".join(f"`arena report {name}`" for name in found)
        raise ConfigError(
            "only runs can be compared, but the test of a study or a fit is a run: take "
            f"{tests}, and see what was found with {reports}"
        )


def _labels(folders: list[Path]) -> list[str]:
    """The names of both folders; with the folders around them, if these names are equal."""
    places = [folder.resolve() for folder in folders]
    if len({place.name for place in places}) > 1:
        return [path_text(Path(place.name)) for place in places]
    around = os.path.commonpath([place.parent for place in places])
    return [path_text(place.relative_to(around)) for place in places]


def _compared_run(run: Run, label: str) -> ComparedRun:
    games, extras = run.evidence()
    played = played_of(run, games, extras)
    data = config_data(run.folder, run.config)
    with as_config_error(run.folder / CONFIG):
        settings = settings_of(data, read_store(run.folder, Store.facts) or {})
    return ComparedRun(label, settings, played, verdict_of(played))
