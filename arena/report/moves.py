"""Moves in numbers: what they cost each player, and how reliable the players' scores are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from itertools import chain

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from arena.engine import CERTAIN
from arena.errors import ConfigError, Fault
from arena.game import FAULTS
from arena.match.game_row import cluster_text
from arena.match.record import HALF_POINTS, MICROSECONDS, Effort, GameRecord
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
    folds,
)
from arena.storage.database import Games


def thinking_frame(names: Sequence[str], runs: Iterable[Games]) -> pd.DataFrame:
    """One row a player: mean plies of its games, what its choices cost on average, and its time.

    Nodes and depth are of the moves that were searched, of which forced and instant ones are none.
    An overrun is what a move took over its limit, or over what its clock had left: negative if it
    ended before. A move is near the limit of a clock if a tenth of the whole time is left after it.
    Both are NaN for players whose time is not limited, or that never moved.
    """
    efforts = [
        {"name": each.player, "games": each.games, "plies": each.plies, **each.effort._asdict()}
        for games in runs
        for each in games.efforts()
    ]
    columns = ["name", "games", "plies", *Effort._fields]
    by_player = pd.DataFrame(efforts, columns=columns).astype({"overrun": float}).groupby("name")
    sums = by_player.sum().assign(overrun=by_player["overrun"].max()).reindex(list(names))
    sums = sums.astype(float).reset_index(drop=True)
    with np.errstate(divide="ignore", invalid="ignore"):
        searched, deep = (
            sums["searched_depths"] / sums["searched"],
            sums["deep_depths"] / sums["deep"],
        )
        frame = {
            "name": list(names),
            "plies": sums["plies"] / sums["games"],
            "seconds_per_move": sums["time"] / MICROSECONDS / sums["choices"],
            "nodes_per_second": MICROSECONDS * sums["nodes"] / sums["time_with_nodes"],
            "depth": searched.where(sums["nodes"] > 0, deep),
            "greatest_overrun": sums["overrun"] / MICROSECONDS,
            "near_limit": (sums["near"] / sums["choices"]).where(sums["overrun"].notna()),
        }
    return pd.DataFrame(frame)


def total_seconds(runs: Iterable[Games]) -> float | None:
    """The time of all choices of games; None if it was not kept."""
    efforts = [each.effort for games in runs for each in games.efforts()]
    time = sum(effort.time for effort in efforts) / MICROSECONDS
    return time if any(effort.choices for effort in efforts) else None


MIN_OPENINGS = 5
"""Openings, or pairs where there are none, with fewer of which an error would mean nothing."""
MAX_GAMES = 4_000  # Games that are read; of more, this many are drawn
RELIABILITY = ["name", "decile", "expected", "scored"]
MOVES = ["game", "ply", "name", "move", "seconds", "nodes", "depth", "score", "win_probability"]
POINTS_BY_WINNER = {1: 1.0, 2: 0.0}
NO_SCORE = "-"


@dataclass(frozen=True, slots=True)
class PlayerScale:
    """The scale of a player's scores; NaN for all that is not known."""

    name: str
    games: int  # Games that the scale is fitted to
    positions: int  # Scores in them, without seen wins and losses
    k: float = np.nan
    """The log odds to win that one unit of its scores is worth, against an equal opponent."""
    k_error: float = np.nan
    k_low: float = np.nan
    """The lower end of the 95 % interval of K, which is shown even if it holds 0: K of those alone
    whose interval does not would be too high."""
    k_high: float = np.nan
    offset: float = np.nan  # The log odds to win at a score of 0, against the opponents that it met
    calibration_error: float = np.nan
    """The mean distance of what was scored from what was expected, by tenths of positions. This and
    the losses are of openings that were left out of the fit, a part at a time."""
    log_loss: float = np.nan  # The mean cross entropy of expected and true results, in nats
    blind_log_loss: float = np.nan
    """The loss of expecting the player's mean result on the other openings of every position."""
    seen: int = 0  # Moves with a seen win or loss
    seen_true: float = np.nan  # The share of these that ended so
    no_scale: str = ""
    """The reason why its scores stay in their own units: no K, or one that is not above 0."""


@dataclass(frozen=True, slots=True)
class ScoreColumns:
    values: Floats
    results: Floats  # The game's result for the player: 0, one half or 1
    groups: Groups  # The opening, or the pair where there is none
    games: Groups

    def __len__(self) -> int:
        return len(self.values)

    def part(self, chosen: NDArray[np.bool_]) -> ScoreColumns:
        values, results = self.values[chosen], self.results[chosen]
        return ScoreColumns(values, results, self.groups[chosen], self.games[chosen])


def scale_frames(
    names: Sequence[str], runs: Mapping[str, Games], is_copy: Sequence[bool]
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """One row a player: its `PlayerScale`; and one for each tenth of its positions.

    Games that a fault ended are left out, and copies, of the games of all runs one after the other.
    Raises ConfigError for a score that is no number.
    """
    whole, player = _all_scores(names, _scored_games(runs, is_copy))
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
        scale = _known_scale(own)
    except ValueError as error:
        return replace(found, no_scale=str(error)), []
    odds, blind = _validated_odds(own)
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


def _known_scale(scores: ScoreColumns) -> ScoreScale:
    """The scale of some scores; ValueError says why there is none."""
    if not len(scores):
        raise ValueError("no scores")
    openings = len(np.unique(scores.groups))
    if openings < MIN_OPENINGS:
        raise ValueError(f"too few openings: {openings}")
    return fitted_scale(scores.values, scores.results, scores.groups)


def _validated_odds(scores: ScoreColumns) -> tuple[Floats, Floats]:
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


def _scored_games(runs: Mapping[str, Games], is_copy: Sequence[bool]) -> dict[str, Games]:
    """The distinct games that were played out and have scores; of too many, some that are drawn."""
    rows = chain.from_iterable(games.rows for games in runs.values())
    sound = (
        i
        for i, row in enumerate(rows)
        if row.scored and row.result.reason not in FAULTS and not is_copy[i]
    )
    places = np.fromiter(sound, np.int64)
    if len(places) > MAX_GAMES:
        places = np.sort(np.random.default_rng(0).choice(places, MAX_GAMES, replace=False))
    scored, start = {}, 0
    for run, games in runs.items():
        end = start + len(games)
        is_in_run = (places >= start) & (places < end)
        scored[run] = games.at((places[is_in_run] - start).tolist())
        start = end
    return scored


def _all_scores(names: Sequence[str], runs: Mapping[str, Games]) -> tuple[ScoreColumns, Groups]:
    """All scores of some games, and the number of the player that gave each."""
    code = {name: i for i, name in enumerate(names)}
    clusters = list[str]()
    parts = [(np.empty(0), np.empty(0), np.empty(0, np.int64), np.empty(0, np.int64))]
    for run, run_games in runs.items():
        label = f"{run} " if len(runs) > 1 else ""
        told = zip(run_games.pair_numbers, run_games.numbers, run_games.records(), strict=True)
        for game, (pair, number, record) in enumerate(told, start=len(clusters)):
            scores = _numbers_in(run, number, record, "scores")
            seats = (len(record.opening.split()) + np.arange(len(scores))) % 2
            points = HALF_POINTS[record.winner] / 2
            results = np.where(seats == 0, points, 1 - points)
            players = np.array([code.get(name, -1) for name in (record.first, record.second)])
            parts.append((scores, results, np.full(len(scores), game), players[seats]))
            clusters.append(cluster_text(record) or f"{label}pair {pair}")
    groups, _ = pd.factorize(np.array(clusters, dtype=object), sort=True)  # in any order of games
    values, all_results, games, all_players = map(np.concatenate, zip(*parts, strict=True))
    is_given = ~np.isnan(values)
    columns = ScoreColumns(values, all_results, groups[games], games)
    return columns.part(is_given), all_players[is_given]


def _numbers_in(run: str, number: int, record: GameRecord, name: str) -> Floats:
    """The numbers of a game's choices in a field of its record; NaN for a score that is none.

    ConfigError if the field has anything else.
    """
    words = getattr(record, name).split()
    try:
        return np.array(["nan" if word == NO_SCORE else word for word in words], dtype=float)
    except ValueError:
        place = f"{run}, game {number}"
        raise ConfigError(Fault(place, f"its {name} are not numbers")) from None


def moves_frame(
    names: Sequence[str], runs: Mapping[str, Games], scales: pd.DataFrame
) -> pd.DataFrame:
    """One row for each choice of these games, with its win probability by the player's scale.

    ConfigError for a game without as many nodes, depths and scores as times.
    """
    known = scales[scales["no_scale"] == ""].set_index("name")["k"]
    frames = [_run_moves(run, games, known).assign(run=run) for run, games in runs.items()]
    columns = ["run", *MOVES] if len(runs) > 1 else MOVES
    return pd.concat(frames, ignore_index=True)[columns]


def _run_moves(run: str, games: Games, k: pd.Series[float]) -> pd.DataFrame:
    words, numbers = [list[str]() for _ in range(2)], [list[Floats]() for _ in range(6)]
    for number, record in zip(games.numbers, games.records(), strict=True):
        costs = _costs_in(run, number, record)
        count, laid = len(costs[0]), len(record.opening.split())
        plies = np.arange(laid, laid + count)
        words[0] += [record.player(1 + ply % 2) for ply in plies.tolist()]
        # A last choice may be no move: an illegal one, or a resignation.
        words[1] += [*record.moves.split()[laid:], *[""] * count][:count]
        own = np.full(count, number), plies + 1, *costs
        for column, values in zip(numbers, own, strict=True):
            column.append(values)
    names, moves = words
    game, ply, seconds, nodes, depth, score = (
        np.concatenate([np.empty(0), *column]) for column in numbers
    )
    return pd.DataFrame(
        {
            "game": game.astype(int),
            "ply": ply.astype(int),
            "name": pd.Series(names, dtype=str),
            "move": pd.Series(moves, dtype=str),
            "seconds": seconds,
            "nodes": nodes.astype(int),
            "depth": depth.astype(int),
            "score": score,
            "win_probability": _win_probability(score, np.asarray(k.reindex(names), float)),
        }
    )


def _costs_in(run: str, number: int, record: GameRecord) -> list[Floats]:
    costs = [
        _numbers_in(run, number, record, name) for name in ("times", "nodes", "depths", "scores")
    ]
    if not record.scores:
        costs[-1] = np.full(len(costs[0]), np.nan)
    if len(set(map(len, costs))) > 1:
        message = "its times, nodes, depths and scores are not as many numbers each"
        raise ConfigError(Fault(f"{run}, game {number}", message))
    return costs


def _win_probability(scores: Floats, k: Floats) -> Floats:
    is_seen = np.abs(scores) >= CERTAIN
    return np.where(is_seen, (scores > 0).astype(float), expectation(k * scores))
