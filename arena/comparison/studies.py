"""Two studies side by side: what differs, the best values, forecasts and proofs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from arena.comparison.settings import ComparedSettings, Difference, differences, settings_of
from arena.report.verdict import Conclusion
from arena.storage.database import Store
from arena.storage.folder import CONFIG, as_config_error, read_store
from arena.tuning.settings.study_data import tuning_data
from arena.tuning.study import Study

if TYPE_CHECKING:
    from arena.tuning.report.frames import Frames, Reach

Row = Mapping[Any, Any]


@dataclass(frozen=True)
class StudySide:
    """A study as it is compared."""

    label: str
    settings: ComparedSettings
    study: Study
    frames: Frames
    verdict: Conclusion

    @cached_property
    def parameters(self) -> dict[str, Row]:
        """The row of each parameter, by its name: see `Frames.parameters`."""
        rows = self.frames.parameters.to_dict("records")
        return {row["name"]: row for row in rows}


@dataclass(frozen=True)
class FoundValue:
    """A parameter of either study, with its row in each that has it."""

    name: str
    before: Row | None
    after: Row | None

    @property
    def is_apart(self) -> bool:
        """True if both best values have intervals, and these have no value in common."""
        reaches = [interval_of(row) for row in (self.before, self.after) if row]
        ends = [(each.low, each.high) for each in reaches if each]
        return len(ends) == 2 and (ends[0][1] < ends[1][0] or ends[1][1] < ends[0][0])


@dataclass(frozen=True)
class StudyComparison:
    """Two studies."""

    before: StudySide
    after: StudySide

    @cached_property
    def differences(self) -> list[Difference]:
        """The settings that differ."""
        return differences(self.before.settings, self.after.settings)

    @cached_property
    def values(self) -> list[FoundValue]:
        """The parameters of both, those of the first study first."""
        both = self.before.parameters, self.after.parameters
        names = {**both[0], **both[1]}
        return [FoundValue(name, *(each.get(name) for each in both)) for name in names]


def study_side(study: Study, label: str) -> StudySide:
    """A study, for a comparison; no engine is imported."""
    with as_config_error(study.folder / CONFIG):
        facts = read_store(study.folder, Store.facts) or {}
        settings = settings_of({"kind": "study", **tuning_data(study.config)}, facts)
    return StudySide(label, settings, study, study.frames(), study.verdict)


def interval_of(row: Row) -> Reach | None:
    """The interval of a best value; None for a choice, and for a method that knows none."""
    from arena.tuning.report.frames import BEST_VALUE, reach_of

    found = reach_of(row)
    return found if found and found.kind == BEST_VALUE else None
