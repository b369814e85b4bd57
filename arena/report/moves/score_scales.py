"""Scales of the players' scores, and how reliable these are, from the games of a run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from arena.engine import CERTAIN
from arena.game import FAULTS
from arena.match.record import SWAP2
from arena.report.moves.costs import NO_SCORE, all_numbers, choice_plies, score_numbers
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
TOLD = ["run", "pair", "first", "second", "opening", "start", "suggested", "winner", "scores"]
"""The columns of games that scales are fitted to: the others may be large."""
POINTS_BY_WINNER = {1: 1.0, 2: 0.0}
EMPTY = f"{NO_SCORE} "


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
    offset: float = np.nan
    """The log odds to win at a score of 0, against the opponents that it met."""
    calibration_error: float = np.nan
    """The mean distance of what was scored from what was expected, by tenths of positions."""
    log_loss: float = np.nan
    """The mean cross entropy of expected and true results, in nats."""
    blind_log_loss: float = np.nan
    """That of expecting the player's mean result of every position."""
    seen: int = 0
    """Moves with a seen win or loss."""
    seen_true: float = np.nan
    """The share of these that ended so."""
    no_scale: str = ""
    """The reason why the player has no K; empty if it has one."""


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
    names: Sequence[str], games: pd.DataFrame, is_copy: pd.Series[bool]
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """One row a player: its `PlayerScale`; and one for each tenth of its positions.

    Games that a fault ended are left out, and copies. Raises ValueError for a score that is no
    number.
    """
    whole, player = all_scores(names, told_games(games, is_copy))
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
        scale = sure_scale(own)
    except ValueError as error:
        return replace(found, no_scale=str(error)), []
    odds, mean = scale.odds(own.values), own.results.mean()
    expected = expectation(odds)
    told = replace(
        found,
        k=scale.factor,
        k_error=scale.error,
        offset=scale.offset,
        calibration_error=calibration_error(expected, own.results),
        log_loss=float(np.mean(cross_entropies(odds, own.results))),
        blind_log_loss=float(-mean * np.log(mean) - (1 - mean) * np.log1p(-mean)),
    )
    return told, deciles(expected, own.results)


def sure_scale(scores: ScoreColumns) -> ScoreScale:
    """The scale of some scores; ValueError says why there is none."""
    if not len(scores):
        raise ValueError("no scores")
    openings = len(np.unique(scores.groups))
    if openings < FEWEST_OPENINGS:
        raise ValueError(f"too few openings: {openings}")
    scale = fitted_scale(scores.values, scores.results, scores.groups)
    if not scale.is_sure:
        raise ValueError("the scores do not tell who wins")
    return scale


def told_games(games: pd.DataFrame, is_copy: pd.Series[bool]) -> pd.DataFrame:
    """The distinct games that were played out and have scores; of too many, some that are drawn."""
    has_scores = np.array([bool(text.strip(EMPTY)) for text in games["scores"]], dtype=bool)
    is_left_out = games["reason"].isin(FAULTS) | is_copy
    places = np.flatnonzero(has_scores & ~is_left_out.to_numpy())
    if len(places) > MOST_GAMES:
        places = np.sort(np.random.default_rng(0).choice(places, MOST_GAMES, replace=False))
    return games[[name for name in TOLD if name in games]].iloc[places]


def all_scores(names: Sequence[str], games: pd.DataFrame) -> tuple[ScoreColumns, Groups]:
    """All scores of some games, and the number of the player that gave each."""
    code = {name: i for i, name in enumerate(names)}
    seats = np.array([games["first"].map(code), games["second"].map(code)], dtype=int)
    game, ply = choice_plies(games["scores"], games["opening"])
    seat = ply % 2
    values = score_numbers(games["scores"])
    points = np.array([POINTS_BY_WINNER.get(each, 0.5) for each in games["winner"].fillna(0)])
    results = np.where(seat == 0, points[game], 1 - points[game])
    groups, _ = pd.factorize(openings_of(games))
    is_given = ~np.isnan(values)
    scores = ScoreColumns(values, results, groups[game], game).part(is_given)
    return scores, seats[seat, game][is_given]


def openings_of(games: pd.DataFrame) -> pd.Series[str]:
    """A mark of what the results of games share, as in `standings.cluster_of`."""
    run = games["run"] + " " if "run" in games else ""
    openings = games["start"].where(games["start"] != "", games["opening"])
    # What is laid on the suggested stones may differ between the games of a pair: see there.
    openings = openings.where(games["suggested"] == "", SWAP2 + games["suggested"])
    return openings.where(games["opening"] != "", run + games["pair"].astype(str))


def moves_frame(games: pd.DataFrame, scales: pd.DataFrame) -> pd.DataFrame:
    """One row for each choice of these games, with its win probability by the player's scale."""
    game, ply = choice_plies(games["times"], games["opening"])
    players = games[["first", "second"]].to_numpy()[game, ply % 2]
    scores = score_numbers(games["scores"])
    k = scales.set_index("name")["k"].reindex(players).to_numpy()
    columns = {name: games[name].to_numpy()[game] for name in ("run", "game") if name in games}
    return pd.DataFrame(
        {
            **columns,
            "ply": ply + 1,
            "name": players,
            "move": chosen_moves(games),
            "seconds": all_numbers(games["times"]),
            "nodes": all_numbers(games["nodes"]).astype(int),
            "depth": all_numbers(games["depths"]).astype(int),
            "score": scores,
            "win_probability": win_probability(scores, k),
        }
    )


def chosen_moves(games: pd.DataFrame) -> list[str]:
    """The move of each choice; empty for a last one that was none."""
    found = list[str]()
    for moves, opening, times in games[["moves", "opening", "times"]].itertuples(index=False):
        chosen, count = moves.split()[len(opening.split()) :], len(times.split())
        found += [*chosen, *[""] * count][:count]
    return found


def win_probability(scores: Floats, k: Floats) -> Floats:
    """The expected results at these scores against an equal; NaN where one is not known."""
    is_seen = np.abs(scores) >= CERTAIN
    return np.where(is_seen, (scores > 0).astype(float), expectation(k * scores))
