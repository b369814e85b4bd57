"""Two folders of results side by side: both runs, or both studies."""

from __future__ import annotations

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
    labels = labels_of(folders)
    if kinds == ["study", "study"]:
        studies = [open_study(folder) for folder in folders]
        return StudyComparison(*map(study_side, studies, labels))
    if not all(kind in RUN_KINDS for kind in kinds):
        told = " beside ".join(KIND_NAMES[kind] for kind in kinds)
        message = f"cannot show a {told}: two runs can be compared, and two tuning studies"
        raise ConfigError(Fault(path_text(folders[1]), message))
    return RunComparison(*map(run_side, map(open_run, folders), labels))


def labels_of(folders: list[Path]) -> list[str]:
    """The names of both folders; their paths where these are one."""
    resolved = [path_text(folder.resolve()) for folder in folders]
    names = [path_text(Path(folder.resolve().name)) for folder in folders]
    return resolved if names[0] == names[1] else names
