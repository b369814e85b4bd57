"""Scales of the players' scores, and how reliable these are, from the games of a run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from arena.engine import CERTAIN
from arena.match.columns import Chosen, Games
from arena.match.packed import choice_numbers
from arena.match.record import GameRecord
from arena.report.moves.costs import Choices, choice_plies, choices_of, opening_plies, seats_of
from arena.report.standings import clusters_of
from arena.stats.cross_validation import folds
from arena.stats.score_scale import (
    Decile,
    Floats,
    Groups,
    ScoreScale,
    calibration_error,
    cross_entropies,
    deciles,
    expectation,
    fitted_scale,
)

FEWEST_OPENINGS = 5
"""Openings, or pairs where there are none, with fewer of which an error would mean nothing."""
MOST_GAMES = 4_000
"""Games that are read; of more, this many are drawn."""
RELIABILITY = ["name", "decile", "expected", "scored"]
MOVES = ["game", "ply", "name", "move", "seconds", "nodes", "depth", "score", "win_probability"]
POINTS_BY_WINNER = {1: 1.0, 2: 0.0}


@dataclass(frozen=True, slots=True)
class PlayerScale:
    """The scale of a player's scores; NaN for all that is not known."""

    name: str
    games: int
    """Games that the scale is fitted to."""
    positions: int
    """Scores in them, without seen wins and losses."""
    k: float = np.nan
    """The log odds to win that one unit of its scores is worth, against an equal opponent."""
    k_error: float = np.nan
    k_low: float = np.nan
    """The lower end of the 95 % interval of K, which is shown even if it holds 0: K of those alone
    whose interval does not would be too high."""
    k_high: float = np.nan
    offset: float = np.nan
    """The log odds to win at a score of 0, against the opponents that it met."""
    calibration_error: float = np.nan
    """The mean distance of what was scored from what was expected, by tenths of positions. This and
    the losses are of openings that were left out of the fit, a part at a time."""
    log_loss: float = np.nan
    """The mean cross entropy of expected and true results, in nats."""
    blind_log_loss: float = np.nan
    """The loss of expecting the player's mean result on the other openings of every position."""
    seen: int = 0
    """Moves with a seen win or loss."""
    seen_true: float = np.nan
    """The share of these that ended so."""
    no_scale: str = ""
    """The reason why its scores stay in their own units: no K, or one that is not above 0."""


@dataclass(frozen=True, slots=True)
class ScoreColumns:
    """One player's scores, as columns."""

    values: Floats
    results: Floats
    """The game's result for the player: 0, one half or 1."""
    groups: Groups
    """The opening, or the pair where there is none."""
    games: Groups

    def __len__(self) -> int:
        return len(self.values)

    def part(self, chosen: NDArray[np.bool_]) -> ScoreColumns:
        """Some of them."""
        values, results = self.values[chosen], self.results[chosen]
        return ScoreColumns(values, results, self.groups[chosen], self.games[chosen])


def scale_frames(
    names: Sequence[str], runs: Mapping[str, Games], is_copy: Chosen
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """One row a player: its `PlayerScale`; and one for each tenth of its positions.

    Games that a fault ended are left out, and copies, of the games of all runs one after the other.
    Raises ValueError for a score that is no number.
    """
    whole, player = all_scores(names, told_games(runs, is_copy))
    scales, rows = [], list[tuple[object, ...]]()
    for number, name in enumerate(names):
        scale, tenths = scale_of(name, whole.part(player == number))
        scales.append(scale)
        rows += [(name, i, each.expected, each.result) for i, each in enumerate(tenths, start=1)]
    return pd.DataFrame(map(asdict, scales)), pd.DataFrame(rows, columns=RELIABILITY)


def scale_of(name: str, scores: ScoreColumns) -> tuple[PlayerScale, list[Decile]]:
    """A player's scale, with the tenths of its positions if it has one."""
    is_seen = np.abs(scores.values) >= CERTAIN
    seen, own = scores.part(is_seen), scores.part(~is_seen)
    found = PlayerScale(
        name,
        games=len(np.unique(own.games)),
        positions=len(own),
        seen=len(seen),
        seen_true=float(np.mean((seen.values > 0) == (seen.results == 1))) if len(seen) else np.nan,
    )
    try:
        scale = known_scale(own)
    except ValueError as error:
        return replace(found, no_scale=str(error)), []
    odds, blind = validated_odds(own)
    expected = expectation(odds)
    found = replace(
        found,
        k=scale.factor,
        k_error=scale.error,
        k_low=scale.factor - scale.reach,
        k_high=scale.factor + scale.reach,
        offset=scale.offset,
        no_scale="" if scale.factor > 0 else "the scores do not tell who wins",
        calibration_error=calibration_error(expected, own.results),
        log_loss=float(np.mean(cross_entropies(odds, own.results))),
        blind_log_loss=float(np.mean(cross_entropies(blind, own.results))),
    )
    return found, deciles(expected, own.results)


def known_scale(scores: ScoreColumns) -> ScoreScale:
    """The scale of some scores; ValueError says why there is none."""
    if not len(scores):
        raise ValueError("no scores")
    openings = len(np.unique(scores.groups))
    if openings < FEWEST_OPENINGS:
        raise ValueError(f"too few openings: {openings}")
    return fitted_scale(scores.values, scores.results, scores.groups)


def validated_odds(scores: ScoreColumns) -> tuple[Floats, Floats]:
    """The log odds of each score by the scale of the other openings, and by their mean result.

    Where these tell no scale, both are the mean's, with half a win and half a loss added.
    """
    odds, blind = np.empty((2, len(scores)))
    for is_left_out in folds(scores.groups):
        rest = scores.part(~is_left_out)
        won = float(rest.results.sum())
        blind[is_left_out] = odds[is_left_out] = np.log((won + 0.5) / (len(rest) - won + 0.5))
        with suppress(ValueError):
            scale = fitted_scale(rest.values, rest.results, rest.groups)
            odds[is_left_out] = scale.odds(scores.values[is_left_out])
    return odds, blind


def told_games(runs: Mapping[str, Games], is_copy: Chosen) -> dict[str, Games]:
    """The distinct games that were played out and have scores; of too many, some that are drawn."""
    told = [games.scored & ~games.faulty for games in runs.values()]
    places = np.flatnonzero(np.concatenate([np.empty(0, np.bool_), *told]) & ~is_copy)
    if len(places) > MOST_GAMES:
        places = np.sort(np.random.default_rng(0).choice(places, MOST_GAMES, replace=False))
    ends = np.cumsum([len(games) for games in runs.values()])
    parts = np.split(places, places.searchsorted(ends))
    starts = [0, *ends.tolist()]
    return {
        run: games.part(part - start)
        for (run, games), part, start in zip(runs.items(), parts, starts, strict=False)
    }


def all_scores(names: Sequence[str], runs: Mapping[str, Games]) -> tuple[ScoreColumns, Groups]:
    """All scores of some games, and the number of the player that gave each."""
    parts, players, done = [], [np.empty(0, np.int64)], 0
    nothing = np.empty(0)
    for games in runs.values():
        seats, opened = seats_of(names, games), opening_plies(games)
        for places, (scores,) in games.packed(("scores",)):
            counts, values = choice_numbers("scores", scores)
            game, ply = choice_plies(counts, opened[places])
            game, seat = places[game], ply % 2
            points = games.points[game] / 2
            parts.append((values, np.where(seat == 0, points, 1 - points), game + done))
            players.append(seats[seat, game])
        done += len(games)
    columns = zip((nothing, nothing, np.empty(0, np.int64)), *parts, strict=True)
    values, results, game = map(np.concatenate, columns)
    marks = np.array(list(openings_of(runs)), dtype=object)
    groups, _ = pd.factorize(marks, sort=True)  # whatever the order of games
    is_given = ~np.isnan(values)
    found = ScoreColumns(values, results, groups[game], game).part(is_given)
    return found, np.concatenate(players)[is_given]


def openings_of(runs: Mapping[str, Games]) -> Iterator[str]:
    """A mark of what the result of each game shares with others, as in `standings.cluster_of`."""
    for run, games in runs.items():
        clusters, name = clusters_of(games, np.arange(len(games)), games.pair.astype(np.uint64))
        label = f"{run} " if len(runs) > 1 else ""
        for opened, cluster in zip(games.is_opened, clusters, strict=True):
            yield name(cluster) if opened else f"{label}{name(cluster)}"


def moves_frame(
    names: Sequence[str], runs: Mapping[str, Games], scales: pd.DataFrame
) -> pd.DataFrame:
    """One row for each choice of these games, with its win probability by the player's scale."""
    known = scales[scales["no_scale"] == ""].set_index("name")["k"]
    k = known.reindex(list(names)).to_numpy(float)
    frames = [run_moves(names, games, k).assign(run=run) for run, games in runs.items()]
    columns = ["run", *MOVES] if len(runs) > 1 else MOVES
    return pd.concat(frames, ignore_index=True)[columns] if frames else pd.DataFrame(columns=MOVES)


def run_moves(names: Sequence[str], games: Games, k: Floats) -> pd.DataFrame:
    """The rows of a run, in the order of its schedule: they are read in that of their ends."""
    parts = [
        moves_part(names, games, choices, k)
        for choices in choices_of(games, seats_of(names, games), with_scores=True)
    ]
    if not parts:
        return pd.DataFrame(columns=MOVES)
    return pd.concat(parts, ignore_index=True).sort_values("game", kind="stable")


def moves_part(names: Sequence[str], games: Games, choices: Choices, k: Floats) -> pd.DataFrame:
    """The rows of some choices."""
    places, counts = np.unique(choices.game, return_counts=True)
    records = zip(games.part(places).records(), counts.tolist(), strict=True)
    scores = np.asarray(choices.scores, float)
    return pd.DataFrame(
        {
            "game": games.number[choices.game],
            "ply": choices.ply + 1,
            "name": np.array(names, dtype=object)[choices.player],
            "move": [move for record, count in records for move in chosen_moves(record, count)],
            "seconds": choices.seconds,
            "nodes": choices.nodes.astype(int),
            "depth": choices.depths.astype(int),
            "score": scores,
            "win_probability": win_probability(scores, k[choices.player]),
        }
    )


def chosen_moves(record: GameRecord, count: int) -> list[str]:
    """The move of each choice of a game; empty for a last one that was none."""
    chosen = record.moves.split()[len(record.opening.split()) :]
    return [*chosen, *[""] * count][:count]


def win_probability(scores: Floats, k: Floats) -> Floats:
    """The expected results at these scores against an equal; NaN where one is not known."""
    is_seen = np.abs(scores) >= CERTAIN
    return np.where(is_seen, (scores > 0).astype(float), expectation(k * scores))
