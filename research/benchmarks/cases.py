"""Cells, each a kind of landscape, a size of study and draws: a method beside the baseline."""

from __future__ import annotations

import json
import multiprocessing
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from fnmatch import fnmatch
from itertools import product
from math import inf, sqrt
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from arena.errors import ConfigError, unknown
from arena.stats.elo import QUANTILE
from arena.tuning.method import Plan, suggested_games
from arena.tuning.model.posterior import Array
from benchmarks.baseline import Baseline, best_of_gains
from benchmarks.landscapes import DRAWISH, KINDS, Landscape
from benchmarks.simulated import StudyEnd, simulated

CELL_SIZES = ((6, 4_000), (12, 4_000), (6, 20_000), (12, 20_000))
"""Numbers of parameters and of games."""
UNDER_WAY = 4
"""Trials under way at once."""
SAMPLE, SAMPLED, SAMPLE_SEED = 24, 96, 16
"""Cells of the sample, those that it was drawn from, which are the first, and its seed."""
FORECAST = "forecast of the gain: wrong by | holds the true gain"
"""Titles of two columns."""
LOSS_BOUNDS = {
    "lose 10 or more: warn": (10.0, inf),
    "5 to 10: warn": (5.0, 10.0),
    "less than 5: warn": (-inf, 5.0),
}
"""Losses of Elo by which warnings are counted: the least, and what is more."""


@dataclass(frozen=True, slots=True)
class TuneCell:
    """One kind of landscape, size of a study and share of draws."""

    kind: str
    parameters: int
    games: int
    draws: str

    def __str__(self) -> str:
        return f"{self.kind}/{self.parameters}/{self.games}/{self.draws}"


class BesideBaseline(NamedTuple):
    """A method's studies of a cell, beside the baseline's on equal landscapes."""

    cell: TuneCell
    told: Sequence[StudyEnd]
    baseline: Baseline


CELLS = [TuneCell(kind, *size, draws) for kind, size, draws in product(KINDS, CELL_SIZES, DRAWISH)]


def sample_of_cells() -> list[TuneCell]:
    """The cells of the sample, drawn from a seed that was fixed before any was tried.

    Of kinds that were added since then there is none.
    """
    chosen = np.random.default_rng(SAMPLE_SEED).choice(SAMPLED, SAMPLE, replace=False)
    return [CELLS[i] for i in sorted(chosen)]


def cells_like(patterns: Sequence[str]) -> list[TuneCell]:
    """The cells whose names match, in their own order; without patterns, those of the sample."""
    for pattern in patterns:
        if not any(fnmatch(str(cell), pattern) for cell in CELLS):
            raise ConfigError(unknown("cell", pattern, list(map(str, CELLS))))
    matching = [cell for cell in CELLS if any(fnmatch(str(cell), each) for each in patterns)]
    return matching if patterns else sample_of_cells()


def cell_study(method: str, cell: TuneCell, seed: int) -> StudyEnd:
    """One study."""
    landscape = Landscape(cell.parameters, seed, cell.kind, draws=cell.draws)
    plan = Plan(cell.games, suggested_games(method, cell.games), UNDER_WAY, seed)
    return simulated(landscape, method, plan)


def study_name(method: str, cell: TuneCell, seed: int) -> str:
    """The name by which a study is kept."""
    return f"{method}/{cell}/{seed}"


def kept_studies(file: Path) -> dict[str, StudyEnd]:
    """Studies that are done, by their names, from a file with a line of JSON for each."""
    lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    done = map(json.loads, lines)
    return {each.pop("study"): StudyEnd(**tuples(each)) for each in done}


def tuples(study: Mapping[str, Any]) -> dict[str, Any]:
    """A study as it was, with tuples where JSON has lists."""
    return {name: tuple(part) if isinstance(part, list) else part for name, part in study.items()}


def cell_ends(
    method: str, cells: Sequence[TuneCell], seeds: Sequence[int], file: Path, processes: int
) -> Iterator[list[StudyEnd]]:
    """The studies of each cell, in turn; those that the file keeps are not done again."""
    done = kept_studies(file)
    jobs = [(method, cell, seed) for cell, seed in product(cells, seeds)]
    missing = [job for job in jobs if study_name(*job) not in done]
    new = studies_done(missing, processes)
    for cell in cells:
        names = [study_name(method, cell, seed) for seed in seeds]
        for name in names:
            if name not in done:
                done[name] = next(new)
                add_kept(file, name, done[name])
        yield [done[name] for name in names]


def studies_done(jobs: Sequence[tuple[str, TuneCell, int]], processes: int) -> Iterator[StudyEnd]:
    """The studies in the order of the jobs, computed by `processes` processes, or by this one."""
    if processes == 1:
        yield from (cell_study(*job) for job in jobs)
        return
    pool = ProcessPoolExecutor(processes, mp_context=multiprocessing.get_context("fork"))
    try:
        for study in [pool.submit(cell_study, *job) for job in jobs]:
            yield study.result()
    finally:
        pool.shutdown(cancel_futures=True)


def add_kept(file: Path, name: str, told: StudyEnd) -> None:
    """Add a study to the file."""
    with file.open("a", encoding="utf-8") as lines:
        lines.write(json.dumps({"study": name, **told._asdict()}) + "\n")


def beside_baseline(
    method: str, cells: Sequence[TuneCell], seeds: Sequence[int], file: Path, processes: int = 1
) -> Iterator[BesideBaseline]:
    """Each cell, as soon as all its studies are done."""
    told = cell_ends(method, cells, seeds, file, processes)
    for cell, each in zip(cells, told, strict=True):
        best = best_of_gains(cell.kind, cell.parameters, cell.games, seeds, cell.draws)
        yield BesideBaseline(cell, each, best)


def cell_lines(method: str, done: Iterable[BesideBaseline]) -> Iterator[str]:
    """A table in Markdown, a line for each cell; then intervals and warnings by kinds."""
    yield f"| cell | `{method}` | plain SPSA | its c, r | worse by | intervals | CPU seconds |"
    yield "|---|---|---|---|---|---|---|"
    by_kind: dict[str, list[StudyEnd]] = {}
    for each in done:
        yield cell_line(each)
        by_kind.setdefault(each.cell.kind, []).extend(each.told)
    yield ""
    yield f"| kind | intervals | hold the best value | {' | '.join(LOSS_BOUNDS)} | {FORECAST} |"
    yield f"|---|---|---{'|---' * len(LOSS_BOUNDS)}|---|---|"
    by_kind["all"] = [each for some in by_kind.values() for each in some]
    for kind, told in by_kind.items():
        held = held_of(told)
        warned = " | ".join(warnings_text(told, *losses) for losses in LOSS_BOUNDS.values())
        gains = forecast_text(told)
        yield f"| {kind} | {len(held)} | {share_held(held)} | {warned} | {gains} |"


def forecast_text(told: Iterable[StudyEnd]) -> str:
    """The mean error of forecasts of the gain, and the share whose intervals hold the true one."""
    found = [(each.forecast[0] - each.gained, each.forecast[1]) for each in told if each.forecast]
    if not found:
        return "- | -"
    wrong, error = np.array(found).T
    hold = list(np.abs(wrong) <= QUANTILE * error)
    return f"{wrong.mean():+.1f} ± {error_of(wrong):.1f} | {share_held(hold)}"


def warnings_text(told: Iterable[StudyEnd], least: float, below: float) -> str:
    """The number of studies above a loss, and of those among them that warn."""
    warned = [each.is_doubtful for each in told if least <= each.loss < below]
    return f"{sum(warned)} of {len(warned)}"


def cell_line(beside: BesideBaseline) -> str:
    """A row of the table: mean losses with their standard errors, and how they differ."""
    lost = np.array([told.loss for told in beside.told])
    base = beside.baseline.losses
    c, r = beside.baseline.gain
    seconds = np.mean([told.seconds for told in beside.told])
    cells = (
        str(beside.cell).replace("/", ", "),
        f"{lost.mean():.1f} ± {error_of(lost):.1f}",
        f"{base.mean():.1f} ± {error_of(base):.1f}",
        f"{c:g}, {r:g}",
        f"{standard_errors(lost - base):+.1f}",
        share_held(held_of(beside.told)),
        f"{seconds:.1f}",
    )
    return f"| {' | '.join(cells)} |"


def held_of(told: Iterable[StudyEnd]) -> list[bool]:
    """For each interval of studies, True if it holds the best value."""
    return [held for each in told for held in each.held if held is not None]


def error_of(losses: Array) -> float:
    """The standard error of a mean."""
    return float(losses.std(ddof=1)) / sqrt(len(losses))


def standard_errors(differences: Array) -> float:
    """The mean difference between studies of equal landscapes, in standard errors."""
    return float(differences.mean()) / (error_of(differences) or 1.0)


def share_held(held: Sequence[bool]) -> str:
    """The share of intervals that hold the best value; a dash without any."""
    return f"{np.mean(held):.2f}" if held else "-"
