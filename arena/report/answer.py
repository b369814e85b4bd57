"""What an experiment tells its readers: one `Answer`, which every form of a report renders."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from arena.errors import ConfigError, unknown
from arena.files import written
from arena.plugins import load
from arena.report.table import Section, Table

if TYPE_CHECKING:
    import pandas as pd

    from arena.match.record import GameRecord
    from arena.plugins.load import Named
    from arena.report.verdict import Conclusion

PLAYED = "Played"  # The name of the fact of when games were played


@dataclass(frozen=True)
class ConfigText:
    name: str
    whole: str  # Every default written out
    written: str = ""  # The file as its user wrote it; empty where it is not known


@dataclass(frozen=True)
class GameSource:
    """The games of an answer, for viewers."""

    runs: Mapping[str, Named]  # The game of each run, by the run's name
    players: Sequence[str]
    played: Callable[[], Iterable[tuple[str, int, GameRecord]]]
    """Reads the games: of each its run, its number there, and its record."""
    scales: Mapping[str, float] = field(default_factory=dict)
    """K of the players whose games tell it: see `report/moves.py`."""


@dataclass(frozen=True)
class Answer:
    """A report on runs, on a study, or on several experiments together."""

    frames: Mapping[str, pd.DataFrame | Callable[[], pd.DataFrame]]
    """Frames for programs, without an index, or functions that make them; csv shows the first if
    none is named."""
    make_sections: Callable[[], Iterable[Section]]
    """The sections for people, those first that the verdict rests on."""
    title: str = "Report"
    subtitle: str = ""
    verdict: Conclusion | None = None
    """The first that a reader sees; None where there is no question."""
    warnings: Sequence[str] = ()  # Sentences that readers must know before they see a number
    notes: Sequence[str] = ()
    facts: Sequence[tuple[str, str]] = ()  # What stands at the top of a page, in one line
    head: Mapping[str, Any] = field(default_factory=dict)
    """Facts that stand in json beside the frames."""
    on_request: Mapping[str, Callable[[], pd.DataFrame]] = field(default_factory=dict)
    """Frames that are made only if they are named, since they are large."""
    make_details: Callable[[], Iterable[Section]] = tuple
    """Sections for pages only, for which every game is read, or much is reckoned."""
    configs: Sequence[ConfigText] = ()
    games: GameSource | None = None  # The games that a page shows
    is_full: bool = False  # True if text has the folded sections, too

    @cached_property
    def sections(self) -> list[Section]:
        """The sections, folded ones last."""
        return _folded_last(self.make_sections())

    @cached_property
    def page_sections(self) -> list[Section]:
        return _folded_last([*self.sections, *self.make_details()])

    def _repr_html_(self) -> str:
        from arena.report.notebook import notebook_html

        return notebook_html(self.verdict, self.sections, self.warnings)

    def prepared(self) -> Answer:
        """The answer, once all sections of its page are drawn, which may take seconds."""
        drawn = [replace(section, parts=section.drawn_parts) for section in self.page_sections]
        vars(self)["page_sections"] = drawn
        return self

    @property
    def tables(self) -> list[Table]:
        shown = (each for each in self.sections if self.is_full or each.level != "folded")
        return [table for section in shown for table in section.tables]

    @property
    def facts_line(self) -> str:
        """The facts as text, but for when games were played: the same games have the same text."""
        return "; ".join(f"{name}: {value}" for name, value in self.facts if name != PLAYED)

    @property
    def sentences(self) -> list[str]:
        first = [self.verdict.sentence] if self.verdict else []
        return [*first, *self.warnings, *self.notes]

    def frame(self, name: str) -> pd.DataFrame:
        """One of the frames; ConfigError for any other name."""
        from arena.report.numbers import shaped  # with numpy, for which `--help` would wait

        found = self.frames.get(name, self.on_request.get(name))
        if found is None:
            raise ConfigError(unknown("frame", name, [*self.frames, *self.on_request]))
        return shaped(found() if callable(found) else found)


def _folded_last(sections: Iterable[Section]) -> list[Section]:
    return sorted(sections, key=lambda section: section.level == "folded")


FRAMES = (
    *("standings", "pairs", "win_rates", "colours", "endings", "summary", "matches", "scales"),
    *("reliability", "games", "uncounted"),
)
"""Frames of a run, in the order in which programs are given them."""


def report_text(answer: Answer, form: str, frame: str | None = None) -> str:
    """The report, or one frame of it; ConfigError for a form that is no text, or an unknown one."""
    return str(load.module("form", form).text(answer, frame))


def save(answer: Answer, form: str, frame: str | None, path: Path) -> list[Path]:
    """Write the report, or one frame of it, and return the files; ConfigError if that fails."""
    module = load.module("form", form)
    if hasattr(module, "save"):
        return list(module.save(answer, frame, path))
    text = report_text(answer, form, frame).rstrip("\n") + "\n"
    with written(path, form, text.partition("\n")[0]) as out:
        out.write(text.encode())
    return [path]


def keep_page(answer: Answer, folder: Path) -> Path:
    """Write the page of a report into the folder of its games. Raises OSError."""
    from arena.storage.folder import REPORT_PAGE, keep_text

    keep_text(folder / REPORT_PAGE, report_text(answer, "html").rstrip("\n") + "\n")
    return folder / REPORT_PAGE


def shows_notes(form: str) -> bool:
    return getattr(load.module("form", form), "SHOWS_NOTES", True)
