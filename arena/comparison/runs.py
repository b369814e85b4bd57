"""Two runs side by side: what differs, whose Elo rose, and which openings changed sides."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property

from arena.comparison.changed_openings import (
    OpeningTally,
    SharedOpenings,
    shared_openings,
    tally_of_openings,
)
from arena.comparison.leads import Lead, leads
from arena.comparison.settings import ComparedSettings, Difference, differences, settings_of
from arena.config.settings import to_data
from arena.config.yaml_file import Document
from arena.plugins.load import IMPORTED
from arena.report.verdict import Conclusion, PlayedRuns, verdict_of
from arena.storage.database import Store
from arena.storage.folder import CONFIG, as_config_error, read_store
from arena.tournament.run import Run, played_of


@dataclass(frozen=True)
class RunSide:
    """A run as it is compared."""

    label: str
    settings: ComparedSettings
    played: PlayedRuns
    openings: OpeningTally
    verdict: Conclusion

    @property
    def names(self) -> list[str]:
        """Its players."""
        return self.played.tally.names


@dataclass(frozen=True)
class RunComparison:
    """Two runs."""

    before: RunSide
    after: RunSide

    @cached_property
    def differences(self) -> list[Difference]:
        """The settings that differ."""
        return differences(self.before.settings, self.after.settings)

    @cached_property
    def common(self) -> list[str]:
        """The names that both have, in the order of the first run."""
        return [name for name in self.before.names if name in self.after.names]

    @cached_property
    def games_among(self) -> tuple[Counter[str], Counter[str]]:
        """The games of each common player with the others, in the first run and in the second."""
        common, found = set(self.common), (Counter[str](), Counter[str]())
        for side, counts in zip((self.before, self.after), found, strict=True):
            for (first, second, _, _), games in side.played.tally.evidence.items():
                if first in common and second in common:
                    counts.update({first: games, second: games})
        return found

    @cached_property
    def leads(self) -> list[Lead]:
        """The common players' Elo in both; most gain first."""
        both = self.before.played.tally, self.after.played.tally
        return leads(self.common, *(each.evidence_views for each in both))

    @cached_property
    def openings(self) -> SharedOpenings | None:
        """The openings that both have; None where they are of different games."""
        games = [each.played.extras.runs[0].game for each in (self.before, self.after)]
        if games[0] != games[1]:
            return None
        return shared_openings(self.before.openings, self.after.openings)

    @property
    def is_over(self) -> bool:
        """True if no game of either run is missing."""
        return self.before.played.is_over and self.after.played.is_over

    @cached_property
    def sure(self) -> list[Lead]:
        """The players that changed more than chance explains, by gains that no faults carry."""
        return [each for each in self.leads if each.is_sure and not each.doubtful]


def run_side(run: Run, label: str) -> RunSide:
    """A run, for a comparison; no engine is imported."""
    games, extras = run.evidence()
    played = played_of(run, games, extras)
    config, is_imported = run.config, run.config.format.name == IMPORTED
    data = Document(run.folder / CONFIG).data if is_imported else to_data(config)
    with as_config_error(run.folder / CONFIG):
        settings = settings_of(data, read_store(run.folder, Store.facts) or {})
    openings = tally_of_openings(games)
    return RunSide(label, settings, played, openings, verdict_of(played))
