"""Studies played before, found by their folders: nobody's code runs to look at them."""

from __future__ import annotations

from arena.config.yaml_file import Document
from arena.errors import ConfigError, Fault
from arena.storage.folder import CONFIG, find_folder, reading
from arena.tournament.run import PathLike
from arena.tuning.config import tuning_from_data
from arena.tuning.study import Study


def is_study(name: PathLike, *, results: PathLike = "results") -> bool:
    """Whether a study is kept in this folder, or under this name; ConfigError if nothing is."""
    return "plan" in Document(find_folder(name, results) / CONFIG).data


def open_study(name: PathLike, *, results: PathLike = "results") -> Study:
    """A study played before, by its folder, or by its name under `results`."""
    folder = find_folder(name, results)
    data = Document(folder / CONFIG).data
    if "plan" not in data:
        raise ConfigError(Fault(str(folder), "is no tuning study"))
    with reading(folder / CONFIG):
        study = Study(folder, tuning_from_data(data))
        study.config.tuner()  # faults of its parameters show here
    return study
