"""The matches that prove a gain: the weights found against those before, on openings of their own.

First a sequential test of the one against the other. Strength is not transitive: where a study has
opponents, both then meet each of them, on the same openings.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np

from arena.config.settings import Config
from arena.format import Pairing, Row
from arena.match.pairs import Results, results_of
from arena.plugins.load import Named
from arena.report.standings import Standing, Tally
from arena.stats.elo import ELO_LIMIT, QUANTILE, elo
from arena.tournament.run import Run
from arena.tuning.config import DEFAULT, TUNED, TuningConfig
from arena.tuning.space import Values

NAME, OPPONENTS = "verification", "opponents"
"""Names of the runs, and of their folders within the study's."""


def match_of(config: TuningConfig, values: Values) -> Config:
    """The test: its terms are those of the study, and no trial met its openings."""
    return Config(
        name=NAME,
        terms=config.terms,
        format=Named("sprt", config.verification),
        openings=config.openings.part(config.trial_openings, config.verification["pairs"]),
        players=(config.player(TUNED, values), config.default),
    )


def gauntlet_of(config: TuningConfig, values: Values) -> Config:
    """Both weights against every opponent: the first of the test's openings, once each."""
    pairs = min(config.opponent_pairs, config.verification["pairs"])
    return Config(
        name=OPPONENTS,
        terms=config.terms,
        format=Named("gauntlet", {"candidates": [TUNED, DEFAULT]}),
        openings=config.openings.part(config.trial_openings, pairs),
        players=(config.player(TUNED, values), config.default, *config.opponents),
    )


@dataclass(frozen=True, slots=True)
class Gain:
    """The gain of the tuned weights against one opponent."""

    opponent: str
    pairs: int
    """Pairs of the tuned weights; the default ones played as many, on the same openings."""
    tuned_score: float
    default_score: float
    elo: float
    """Elo of the tuned weights against this opponent, less that of the default ones."""
    elo_low: float
    """A 95 % interval: openings that are easy are so for both, which narrows it."""
    elo_high: float

    @property
    def is_loss(self) -> bool:
        """True for a significant loss."""
        return self.elo_high < 0


@dataclass(frozen=True, slots=True)
class Proof:
    """The result of the matches."""

    row: Row
    """The test: see `formats/sprt`."""
    standing: Standing
    """Standing of the tuned weights. Its Elo is biased, as in all tests that end when sure."""
    gains: Sequence[Gain] = ()
    """Gains against each opponent, as far as these matches were played."""
    is_over: bool = True
    """True once every opponent was met."""

    @property
    def is_proved(self) -> bool:
        """True if the test found the tuned weights stronger than the default ones."""
        return bool(self.row["decision"] == "H1")

    @property
    def is_pending(self) -> bool:
        """True while games that may change it are to come."""
        return not self.row["decision"] or (self.is_proved and not self.is_over)

    @property
    def losses(self) -> Sequence[Gain]:
        """The opponents against whom the tuned weights are weaker."""
        return [gain for gain in self.gains if gain.is_loss]

    @property
    def has_passed(self) -> bool:
        """True if the gain is proved, and no opponent profits from it."""
        return self.is_proved and self.is_over and not self.losses


def proof_of(test: Run, gauntlet: Run | None = None) -> Proof:
    """The proof after the games played so far; the gauntlet only where there is one."""
    tally = Tally(test.config.names)
    for _, record in test.records():
        tally.add(record)
    (row,) = test.schedule.matches(tally.results)
    standing = tally.standing(TUNED)
    if gauntlet is None:
        return Proof(row, standing)
    records = gauntlet.records()
    results = results_of(record for _, record in records)
    is_over = len(records) == gauntlet.schedule.total
    return Proof(row, standing, list(gains_of(gauntlet, results)), is_over)


def gains_of(gauntlet: Run, results: Results) -> Iterator[Gain]:
    """Against each opponent that both weights met."""
    for player in gauntlet.config.players[2:]:
        scores = []
        for opening in gauntlet.schedule.field.openings:
            both = [Pairing(name, player.name, opening, 1) for name in (TUNED, DEFAULT)]
            if points := results.points(both):
                scores.append([each / 4 for each in points])
        if scores:
            yield gain(player.name, scores)


def gain(opponent: str, scores: Sequence[Sequence[float]]) -> Gain:
    """The gain by both scores (tuned, default) on each opening, 0 to 1.

    Elo is smoothed by half a pair that is split, and its variance is that of the difference of both
    on an opening, to first order in the scores.
    """
    found, n = np.asarray(scores, dtype=float), len(scores)
    mean = (found.sum(0) + 0.25) / (n + 0.5)
    slope = 400 / np.log(10) / (mean * (1 - mean))
    # Half a pair that is split keeps some variance where all scores are alike.
    apart = (np.vstack([found, [[0.5, 0.5]]]) - mean) @ (slope * [1, -1])
    variance = float(apart**2 @ [*[1.0] * n, 0.5]) / (n + 0.5)
    difference = elo(float(mean[0])) - elo(float(mean[1]))
    reach = QUANTILE * sqrt(variance / n)
    return Gain(
        opponent=opponent,
        pairs=n,
        tuned_score=float(found[:, 0].mean()),
        default_score=float(found[:, 1].mean()),
        elo=difference,
        elo_low=max(difference - reach, -2 * ELO_LIMIT),
        elo_high=min(difference + reach, 2 * ELO_LIMIT),
    )
