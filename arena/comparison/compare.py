"""Two folders of results side by side: both runs, or both studies."""

from __future__ import annotations

import os
from pathlib import Path

from arena.comparison.runs import RunComparison, run_side
from arena.comparison.studies import StudyComparison, study_side
from arena.errors import ConfigError, Fault
from arena.storage.folder import KIND_NAMES, FolderKind, find_folder, kept_kind, path_text
from arena.tournament.run import PathLike, open_run
from arena.tuning.study import open_study

Comparison = RunComparison | StudyComparison
RUN_KINDS: tuple[FolderKind, ...] = ("tournament", "imported")


def compare(before: PathLike, after: PathLike, *, results: PathLike = "results") -> Comparison:
    """Two runs or two studies, by their folders or names; no engine is imported.

    Raises ConfigError if there is no such folder, for a run beside a study, and for fits.
    """
    folders = [find_folder(each, results) for each in (before, after)]
    kinds = [kept_kind(folder, results) for folder in folders]
    labels = _labels(folders)
    if kinds == ["study", "study"]:
        studies = [open_study(folder) for folder in folders]
        return StudyComparison(*map(study_side, studies, labels))
    if not all(kind in RUN_KINDS for kind in kinds):
        told = " and ".join(
            f"{label} ({KIND_NAMES[kind]})" for label, kind in zip(labels, kinds, strict=True)
        )
        message = f"two runs can be compared, or two tuning studies, but not {told}"
        raise ConfigError(Fault(path_text(folders[1]), message))
    return RunComparison(*map(run_side, map(open_run, folders), labels))


def _labels(folders: list[Path]) -> list[str]:
    """The names of both folders; with the folders around them, if these names are equal."""
    places = [folder.resolve() for folder in folders]
    if len({place.name for place in places}) > 1:
        return [path_text(Path(place.name)) for place in places]
    around = os.path.commonpath([place.parent for place in places])
    return [path_text(place.relative_to(around)) for place in places]
