"""The match that proves a gain: the weights found against those before, on openings of its own."""

from __future__ import annotations

from dataclasses import dataclass, replace

from arena.config import Config
from arena.load import Named
from arena.pairing import Row
from arena.tally import Standing, Tally
from arena.tournament import Run
from arena.tuning.config import TUNED, TuningConfig
from arena.tuning.space import Values

NAME = "verification"
"""Of the run, and of its folder within the study's."""


def match_of(config: TuningConfig, values: Values) -> Config:
    """As every game of the study, but for the openings: none was met before."""
    return replace(
        config.base,
        name=NAME,
        format=Named("sprt", config.verification),
        openings=fresh_openings(config),
        players=(config.player(TUNED, values), config.default),
    )


def fresh_openings(config: TuningConfig) -> Named:
    """Those that follow the study's own, from the same source; of a list, its second half."""
    source = config.base.openings
    if source.name == "list":
        return Named("list", {"list": source.parameters["list"][len(config.openings) :]})
    used = source.parameters["skip"] + source.parameters["count"]
    wanted = {"skip": used, "count": config.verification["pairs"]}
    return Named(source.name, {**source.parameters, **wanted})


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the match says."""

    row: Row
    """The test: see `formats/sprt`."""
    standing: Standing
    """Of the tuned weights; its Elo is biased, as of all tests that end when they are sure."""

    @property
    def has_passed(self) -> bool:
        """Whether the gain is proved."""
        return bool(self.row["decision"] == "H1")


def verdict(run: Run) -> Verdict:
    """What the match says as far as it was played."""
    tally = Tally(run.config.names)
    for _, record in run.records():
        tally.add(record)
    (row,) = run.schedule.matches(tally.results)
    return Verdict(row, tally.standing(TUNED))
