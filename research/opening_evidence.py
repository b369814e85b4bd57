"""How well sets of openings tell players apart: `python -m opening_evidence RUN...`.

The runs must have equal players. The table has, for each run, the first player's share of the
points, the share of split pairs (each player won one game, both with the same colour), and the
evidence in a pair: by how much two players differ, measured in the noise of a single pair.

The evidence of n pairs for the better of two players grows with n times the square of their lead in
standard deviations, which is normalized Elo. So openings on which that square is twice as large
need half the pairs. Of many meetings, mean squared leads are divided by mean variances.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

import arena
from arena.stats.elo import NORMALIZED_UNIT, half_width

Floats = NDArray[np.float64]


class PairSums(NamedTuple):
    """Sums over the pairs of each meeting (row) on each opening (column)."""

    pairs: Floats
    """Their number."""
    shares: Floats
    """One player's shares of the points less one half."""
    squares: Floats
    """These squared."""


class PairEvidence(NamedTuple):
    """Normalized Elo, squared, and the ends of its 95 % interval; infinite without any noise."""

    value: float
    low: float
    high: float


def pair_evidence(sums: PairSums) -> PairEvidence:
    """The evidence in a pair.

    Leads look larger than they are by what chance adds; leaving out each opening in turn shows by
    how much, which is taken off (jackknife: Efron, 1982). All meetings share the openings, so these
    are what is left out. The interval is the wider one of two at each end: of the square, and of
    normalized Elo, which is squared then.
    """
    plain = float(ratio(whole(sums))[0])
    if not np.isfinite(plain):
        return PairEvidence(plain, 0.0, plain)
    without = ratio(without_each(sums))
    if not np.isfinite(without).all():
        return PairEvidence(plain, 0.0, np.inf)
    value = max(jackknifed(plain, without), 0.0)
    reach, reach_of_root = reach_of(without), reach_of(np.sqrt(without))
    low = min(value - reach, max(np.sqrt(value) - reach_of_root, 0.0) ** 2)
    high = max(value + reach, (np.sqrt(value) + reach_of_root) ** 2)
    return PairEvidence(value, max(float(low), 0.0), float(high))


def jackknifed(plain: float, without: Floats) -> float:
    """A number less its bias, from its values without each opening in turn."""
    return len(without) * plain - (len(without) - 1) * float(without.mean())


def reach_of(without: Floats) -> float:
    """Half the 95 % interval of a number, from its values without each opening in turn."""
    openings = len(without)
    error = (openings - 1) / np.sqrt(openings) * without.std(ddof=1)
    return half_width(float(error), openings)


def whole(sums: PairSums) -> PairSums:
    """The sums over all openings: one row, and a column for each meeting."""
    return PairSums(*(each.sum(axis=1)[None] for each in sums))


def without_each(sums: PairSums) -> PairSums:
    """The sums without each opening in turn: a row for each, and a column for each meeting."""
    return PairSums(*(each.sum(axis=1) - each.T for each in sums))


def ratio(sums: PairSums) -> Floats:
    """The mean squared lead in mean variances, as normalized Elo squared, for each row.

    Columns are meetings; those without pairs are left out. NaN or infinite if there is no variance.
    """
    pairs, shares, squares = sums
    with np.errstate(divide="ignore", invalid="ignore"):
        leads = np.where(pairs > 0, shares / pairs, 0.0)
        variances = np.where(pairs > 0, squares / pairs - leads**2, 0.0)
        found: Floats = (leads**2).sum(axis=1) / variances.sum(axis=1)
    return found * NORMALIZED_UNIT**2 / 2


def pairs_of(games: pd.DataFrame) -> pd.DataFrame:
    """One row a distinct pair of a run: meeting, opening, lead, and whether it is split.

    The lead is one player's share of the points less one half: of each meeting, always of one
    player. Copies of a pair are left out.
    """
    games = games.assign(same=games["digest"].fillna("").where(lambda x: x != "", games["moves"]))
    found, seen = [], set()
    for _, pair in games.groupby("pair", sort=False):
        if len(pair) < 2:
            continue
        identity = frozenset(zip(pair["first"], pair["second"], pair["same"], strict=True))
        if identity in seen:
            continue
        seen.add(identity)
        one, two = sorted((pair["first"].iloc[0], pair["second"].iloc[0]))
        winners = pair["first"].where(pair["winner"] == 1, pair["second"])
        won = winners.where(pair["winner"].notna()) == one
        lead = (won + 0.5 * pair["winner"].isna()).sum() / 2 - 0.5
        colours = set(pair["winner"].dropna())
        is_split = lead == 0 and len(colours) == 1 and pair["winner"].notna().all()
        found.append(((one, two), pair["opening"].iloc[0], lead, is_split))
    return pd.DataFrame(found, columns=["meeting", "opening", "lead", "split"])


def compared(runs: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """One row a run, over the meetings that did not end all their pairs alike in any of them."""
    pairs = {name: pairs_of(games) for name, games in runs.items()}
    telling = [
        {meeting for meeting, leads in each.groupby("meeting")["lead"] if leads.nunique() > 1}
        for each in pairs.values()
    ]
    meetings = set.intersection(*telling)
    rows = []
    for name, games in runs.items():
        points = (games["winner"] == 1).sum() + 0.5 * games["winner"].isna().sum()
        each = pairs[name]
        evidence = pair_evidence(sums_of(each[each["meeting"].isin(meetings)]))
        counts = each["opening"].nunique(), len(games), len(each)
        rows.append((name, *counts, points / len(games), each["split"].mean(), *evidence))
    columns = ["run", "openings", "games", "pairs", "first", "split", "nElo2/pair", "low", "high"]
    return pd.DataFrame(rows, columns=columns)


def sums_of(pairs: pd.DataFrame) -> PairSums:
    """The sums of these pairs, by meeting and opening."""
    pairs = pairs.assign(square=pairs["lead"] ** 2, count=1.0)
    grouped = pairs.groupby(["meeting", "opening"])[["count", "lead", "square"]].sum()
    tables = (grouped[name].unstack(fill_value=0) for name in ("count", "lead", "square"))
    return PairSums(*(table.to_numpy(float) for table in tables))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m opening_evidence", description=__doc__)
    parser.add_argument("runs", nargs="+", metavar="RUN", help="a name under results/")
    names = parser.parse_args().runs
    table = compared({name: arena.open_run(name).games() for name in names})
    formats = {"first": "{:.1%}", "split": "{:.1%}", **dict.fromkeys(table.columns[6:], "{:,.0f}")}
    texts = {name: text.format for name, text in formats.items()}
    print(table.to_string(index=False, formatters=texts))


if __name__ == "__main__":
    main()
