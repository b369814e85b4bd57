"""The matches that prove a gain under each condition, and the files of what is proved."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import isclose, sqrt
from pathlib import Path
from typing import Any

import numpy as np

from arena.config.settings import Config, Player, from_data, to_data
from arena.config.yaml_file import dump
from arena.files import refuse_other
from arena.format import Pairing, Row
from arena.match.opening import Openings
from arena.match.pairs import Results, results_of
from arena.plugins.build import filled_files
from arena.plugins.load import Named
from arena.report.numbers import format_elo, format_interval, format_share, marked
from arena.report.standings import Standing, Tally
from arena.stats.elo import ELO_LIMIT, QUANTILE, elo
from arena.stats.leads import Estimate, FaultViews, as_marked
from arena.storage.database import Games
from arena.storage.folder import CONFIG, as_config_error, keep_bytes, keep_text, kept_config
from arena.tournament.run import Run
from arena.tuning.settings.conditions import DEFAULT, TUNED, TUNED_FILE, ProofConfig, named_at
from arena.tuning.space import Space, Value, Values

NAME, OPPONENTS = "verification", "opponents"  # Runs, and their folders within the study's


def tested_values(folder: Path, space: Space) -> Values | None:
    file = folder / NAME / CONFIG
    if not file.exists():
        return None
    with as_config_error(file):
        tuned = from_data(kept_config(folder / NAME)).players[0].engine.parameters
        held = {axis.name: tuned[axis.within] if axis.within else tuned for axis in space.axes}
        return {name: values[name] for name, values in held.items()}


def as_tested(folder: Path, space: Space, values: Values) -> Values:
    """These weights as they were tested, if they differ in last digits only, as processors do."""
    tested = tested_values(folder, space)
    is_same = tested and all(_is_close(tested[name], value) for name, value in values.items())
    return tested if tested and is_same else values


def _is_close(one: Value, other: Value) -> bool:
    if isinstance(one, float) and isinstance(other, float):
        return isclose(one, other, rel_tol=1e-6)
    return one == other


def match_of(config: ProofConfig, values: Values, openings: Openings) -> Config:
    tuned, parameters, turns = config.player(TUNED, values), config.verification, config.round
    test = Named("sprt", parameters)
    if config.varied:
        least = min(config.condition_pairs, parameters["pairs"] // turns)
        test = Named("sprt_couples", {**parameters, "least": least})
    players = [c.tuned(each) for c in config.conditions for each in (tuned, config.default)]
    return Config(
        name=NAME, terms=config.terms, format=test, openings=openings, players=tuple(players)
    )


def gauntlet_of(config: ProofConfig, values: Values, openings: Openings) -> Config:
    """Both weights against every opponent: the first of the test's openings, once each."""
    count = len(config.test_openings(min(config.opponent_pairs, config.verification["pairs"])))
    both = config.player(TUNED, values), config.default
    players = [c.tuned(each) for c in config.conditions for each in both]
    players += [c.rival(each) for c in config.conditions for each in config.opponents]
    return Config(
        name=OPPONENTS,
        terms=config.terms,
        format=_gauntlet_format(config),
        openings=openings.part(0, count),
        players=tuple(players),
    )


def _gauntlet_format(config: ProofConfig) -> Named:
    if not config.varied:
        return Named("gauntlet", {"candidates": [TUNED, DEFAULT]})
    couples = [
        [named_at(each, label), named_at(player.name, label)]
        for player in config.opponents
        for each in (TUNED, DEFAULT)
        for label in config.labels
    ]
    return Named("couples", {"of": couples, "pairs": [], "turns": config.round})


@dataclass(frozen=True, slots=True)
class Attempt:
    """Another proof of the engine's weights, as it was when a test began."""

    attempt: int  # Its number, from 1, in the order in which they began
    study: str  # Its folder within the results folder
    games: int
    elo: float
    elo_low: float  # A 95 % interval
    elo_high: float
    decision: str
    passed: bool
    chance: float | None = None  # See `chance_of`
    doubtful: bool = False  # True if faults carry its Elo: see `arena.stats.leads`


def chance_of(test: Mapping[str, Any]) -> float | None:
    """The chance that a test proves a gain of equals; None for one that proves no gain."""
    return float(test["alpha"]) if test["elo0"] >= 0 else None


@dataclass(frozen=True, slots=True)
class Proof:
    """The result of the matches."""

    row: Row  # The test: see `formats/sprt`
    standing: Standing  # Its Elo is biased, as in all tests that end when sure
    gains: Sequence[Gain] = ()  # Gains against each opponent, as far as these matches were played
    is_over: bool = True  # True once every condition has its pairs, and every opponent was met
    conditions: Sequence[ConditionGain] = ()  # Gains under each condition, if there are several
    chance: float | None = None  # See `chance_of`
    earlier: Sequence[Attempt] = ()  # Proofs of this engine in the same results, begun before

    @property
    def is_proved(self) -> bool:
        return bool(self.row["decision"] == "H1")

    @property
    def is_pending(self) -> bool:
        """True while games that may change it are to come."""
        return not self.row["decision"] or (self.is_proved and not self.is_over)

    @property
    def losses(self) -> Sequence[Gain]:
        return [gain for gain in self.gains if gain.is_loss]

    @property
    def lost(self) -> Sequence[ConditionGain]:
        return [gain for gain in self.conditions if gain.is_loss]

    @property
    def has_passed(self) -> bool:
        return self.is_proved and self.is_over and not self.losses and not self.lost


def proof_of(test: Run, labels: Sequence[str], gauntlet: Run | None = None) -> Proof:
    games, is_over = test.counted()
    (row,) = test.schedule.matches(results_of(games.rows))
    is_over = is_over or len(labels) == 1
    proof = Proof(row, standing_of(games, labels), (), is_over, _condition_gains(games, labels))
    if gauntlet is None:
        return proof
    met = gauntlet.counted().games
    gains = list(_gains_of(gauntlet, labels, results_of(met.rows)))
    return replace(proof, gains=gains, is_over=is_over and len(met) == gauntlet.schedule.total)


def standing_of(games: Games, labels: Sequence[str]) -> Standing:
    return _tally_at(games, labels).standing(TUNED)


def _tally_at(games: Games, labels: Sequence[str]) -> Tally:
    tally = Tally([TUNED, DEFAULT])
    names = {named_at(name, label): name for name in (TUNED, DEFAULT) for label in labels}
    tally.add(games.of_players(names).renamed(names).rows)
    return tally


def _condition_gains(games: Games, labels: Sequence[str]) -> list[ConditionGain]:
    """The gain or loss under each condition; empty if there is only one condition."""
    if len(labels) < 2:
        return []
    gains = []
    for label in labels:
        tally = _tally_at(games, [label])
        row = tally.standing(TUNED)
        pairs, is_loss = row.distinct_pairs, any(v.high < 0 for v in tally.elo_views(TUNED))
        condition_gain = ConditionGain(
            label, pairs, row.score, row.elo, row.elo_low, row.elo_high, row.doubtful, is_loss
        )
        gains.append(condition_gain)
    return gains


def _gains_of(gauntlet: Run, labels: Sequence[str], results: Results) -> Iterator[Gain]:
    openings = gauntlet.schedule.field.openings
    players = gauntlet.config.players[2 * len(labels) :]
    for player in players[: len(players) // len(labels)]:
        name = player.name.removesuffix(named_at("", labels[0]))
        scores = FaultViews[list[Sequence[float]]]([], [], [])
        for number, opening in enumerate(openings):
            label = labels[number % len(labels)]
            rival = named_at(name, label)
            both = [Pairing(named_at(own, label), rival, opening, 1) for own in (TUNED, DEFAULT)]
            pairs = [pair for pair in map(results.get, both) if pair]
            if len(pairs) < len(both):
                continue
            scores.played.append([pair.points / 4 for pair in pairs])
            scores.drawn.append([pair.points_faults_drawn / 4 for pair in pairs])
            if not any(any(pair.faults) for pair in pairs):
                scores.without.append(scores.played[-1])
        if scores.played:
            yield gain(name, scores)


@dataclass(frozen=True, slots=True)
class Gain:
    """The gain of the tuned weights against one opponent."""

    opponent: str
    pairs: int  # Pairs of the tuned weights; the default ones played as many, on equal openings
    tuned_score: float
    default_score: float
    elo: float  # Elo of the tuned weights against this opponent, less that of the default ones
    elo_low: float  # A 95 % interval: openings that are easy are so for both, which narrows it
    elo_high: float
    doubtful: bool = False  # True if faults carry the gain: see `arena.stats.leads`
    has_hidden_loss: bool = False  # A loss in a view without the help of faults

    @property
    def is_loss(self) -> bool:
        return self.elo_high < 0 or self.has_hidden_loss


@dataclass(frozen=True, slots=True)
class ConditionGain:
    """The gain of the tuned weights over the default ones under one condition."""

    condition: str
    pairs: int  # Distinct pairs
    score: float
    elo: float
    elo_low: float  # A 95 % interval
    elo_high: float
    doubtful: bool = False  # True if faults carry the gain: see `arena.stats.leads`
    has_hidden_loss: bool = False  # A loss in a view without the help of faults

    @property
    def is_loss(self) -> bool:
        return self.elo_high < 0 or self.has_hidden_loss


def gain(opponent: str, scores: FaultViews[list[Sequence[float]]]) -> Gain:
    """The gain by both scores (tuned, default) on each opening, 0 to 1."""
    tuned, default = np.mean(scores.played, axis=0).tolist()
    views = scores.map(_difference)
    pairs = len(scores.played)
    is_loss = any(view.high < 0 for view in views)
    return Gain(opponent, pairs, tuned, default, *as_marked(views), is_loss)


def _difference(scores: Sequence[Sequence[float]]) -> Estimate:
    """The Elo of the first scores less that of the second ones.

    Elo is smoothed by half a pair that is split, and its variance is that of the difference of both
    on an opening, to first order in the scores.
    """
    if not scores:
        return Estimate(0.0, -2 * ELO_LIMIT, 2 * ELO_LIMIT)
    rows, n = np.asarray(scores, dtype=float), len(scores)
    mean = (rows.sum(0) + 0.25) / (n + 0.5)
    slope = 400 / np.log(10) / (mean * (1 - mean))
    # Half a pair that is split keeps some variance where all scores are alike.
    apart = (np.vstack([rows, [[0.5, 0.5]]]) - mean) @ (slope * [1, -1])
    variance = float(apart**2 @ [*[1.0] * n, 0.5]) / (n + 0.5)
    difference = elo(float(mean[0])) - elo(float(mean[1]))
    reach = QUANTILE * sqrt(variance / n)
    low, high = max(difference - reach, -2 * ELO_LIMIT), min(difference + reach, 2 * ELO_LIMIT)
    return Estimate(difference, low, high)


def condition_text(gain: ConditionGain) -> str:
    elo = format_elo(gain.elo, gain.elo_low, gain.elo_high, gain.doubtful)
    interval = format_interval(gain.elo_low, gain.elo_high)
    loss = ", a loss" if gain.is_loss else ""
    return f"At {gain.condition}: {elo} Elo ({interval}), {gain.pairs} pairs{loss}"


def gain_text(gain: Gain) -> str:
    return (
        f"Against {gain.opponent}: {marked(f'{gain.elo:+z.0f}', gain.doubtful)} Elo "
        f"({format_interval(gain.elo_low, gain.elo_high, gain.elo)}), "
        f"{format_share(gain.default_score)} before, {format_share(gain.tuned_score)} now, "
        f"{gain.pairs} pairs each"
    )


def write_tuned(folder: Path, study: str, test: Config, gains: Sequence[str]) -> None:
    refuse_other(folder / TUNED_FILE, "tuned")
    for file, content in contents_beside(folder, test.players[0]).items():
        keep_bytes(file, content)
    data = to_data(replace(test, name=f"{study}_{TUNED}"))
    keep_text(folder / TUNED_FILE, "".join(f"# {each}\n" for each in gains) + dump(data))


def remove_tuned(folder: Path, config: ProofConfig) -> None:
    refuse_other(folder / TUNED_FILE, "tuned")
    for file in (folder / TUNED_FILE, *contents_beside(folder, config.default)):
        file.unlink(missing_ok=True)


def contents_beside(folder: Path, player: Player) -> Mapping[Path, bytes]:
    """The contents that a player's program is given, by the files that are to keep them."""
    contents = filled_files(player.engine.name, player.engine.parameters)
    return {folder / f"{TUNED}_{name}": content for name, content in contents.items()}
