"""The report of a run: its tables for people, its frames for programs."""

from __future__ import annotations

from collections.abc import Iterator
from math import isfinite, isnan, log

import pandas as pd

from arena.report.fault_texts import mark_meaning
from arena.report.frames import PAIRS, Report, shown_standings
from arena.report.numbers import digits_text, interval_text, marked, share_text, value_text

TITLES = ["LL", "LD", "WL/DD", "WD", "WW"]
SCALES_TITLE = "What the scores are worth"
SCALES_TEXT = (
    "At these scores a player wins 75 % and 95 % of its games against an equal; 95 % interval: of "
    "the first of them. Off by: how far results lay from what the scores let expect, on openings "
    "that the scale was not fitted to. Loss saved: how much less uncertain a result is there to "
    "those who know the scores."
)

SHARES = 0.75, 0.95
"""Shares of games won, whose scores are told."""


def run_tables(report: Report, full: bool = False) -> Iterator[tuple[str, pd.DataFrame]]:
    """The tables that people read, each with its title.

    Of a match of two players, most others tell the same result again: they are for `full`.
    """
    standings = report.standings
    yield standings_title(report), shown_standings(standings)
    if len(report.matches):
        yield "Matches", matches_table(report.matches)
    if len(standings) == 2 and not report.anchor and not full:
        yield "How the games ended", endings_table(report.endings)
        return
    if len(standings) > 2 or report.anchor:
        yield ratings_title(report), ratings_table(standings)
    yield "Distinct pairs by points", pairs_table(report.pairs)
    yield "What the moves took", thinking_table(standings)
    if len(scales := scales_table(report.scales)):
        yield SCALES_TITLE, scales
    yield "Win rates, row against column", named(percent(report.win_rates))
    yield colours_title(report), colours_table(report)
    if report.openings_made:
        rules, told, table = report.openings_made
        yield f"{rules}: {told}", table
    yield "How the games ended", endings_table(report.endings)
    if len(report.machines):
        yield "Machines", machines_table(report.machines)


def run_feet(report: Report) -> dict[str, list[str]]:
    """The lines under the tables in which an Elo or a rating is marked."""
    meaning = mark_meaning(report.standings["doubtful"])
    feet = dict.fromkeys((standings_title(report), ratings_title(report)), meaning)
    return {**feet, SCALES_TITLE: [SCALES_TEXT, *missing_scales(report.scales)]}


def standings_title(report: Report) -> str:
    """The title of the standings: the games behind them."""
    games = f"{report.count} games, {report.distinct_games} of them distinct"
    return f"Standings after {games}"


def ratings_title(report: Report) -> str:
    """The title of the ratings, with the scale that they are on."""
    return f"Ratings: {ratings_scale(report)}"


def ratings_scale(report: Report) -> str:
    """The zero of the ratings' scale, and which of them can be compared."""
    zero = "their mean is 0"
    if report.anchor:
        name, elo = report.anchor
        zero = f"{name} is {elo:+z.12g}"
    apart = ", in each group" if report.standings["group"].nunique() > 1 else ""
    return f"one Elo scale for all that met{apart}; {zero}"


def ratings_table(standings: pd.DataFrame) -> pd.DataFrame:
    """The ratings as people read them, group by group."""
    rated = standings.sort_values(["group", "rating"], ascending=[True, False])
    table = rated[["name"]].copy()
    ratings = zip(rated["rating"], rated["rating_doubtful"], strict=True)
    table["rating"] = [marked(f"{rating:+z.0f}", doubtful) for rating, doubtful in ratings]
    bounds = rated["rating_low"], rated["rating_high"]
    table["95 %"] = list(map(interval_text, *bounds, rated["rating"]))
    if rated["group"].nunique() > 1:
        table["group"] = rated["group"]
    return table


def pairs_table(pairs: pd.DataFrame) -> pd.DataFrame:
    """The pairs as people read them; one kind of result alone says nothing of variance."""
    table = pairs[["name", *PAIRS]].set_axis(["name", *TITLES], axis=1)
    varied = (pairs[PAIRS] > 0).sum(axis=1) > 1
    played = pairs[PAIRS].sum(axis=1) > 0
    lost = pairs[["ll", "ld"]].sum(axis=1) > 0
    table["even"] = pairs["draw_ratio"].map(share_text).where(played, "-")
    table["won:lost"] = pairs["pair_ratio"].map("{:.2f}".format).where(lost, "-")
    table["nElo"] = pairs["nelo"].map("{:+z.0f}".format).where(varied, "-")
    table["95 %"] = [
        f"{round(low):+d} to {round(high):+d}" if isfinite(low) else "-"
        for low, high in zip(pairs["nelo_low"], pairs["nelo_high"], strict=True)
    ]
    return table


def thinking_table(standings: pd.DataFrame) -> pd.DataFrame:
    """The cost of the players' moves."""
    table = standings[["name"]].copy()
    table["ms/move"] = written(standings["seconds_per_move"] * 1e3, "{:.2f}")
    table["nodes/s"] = written(standings["nodes_per_second"], "{:,.0f}")
    table["depth"] = written(standings["depth"], "{:.1f}")
    table["plies"] = written(standings["plies"], "{:.1f}")
    if standings["greatest_overrun"].notna().any():
        table["overrun ms"] = written(standings["greatest_overrun"] * 1e3, "{:+.1f}")
        table["near limit"] = written(standings["near_limit"] * 100, "{:.1f} %")
    return table


def scales_table(scales: pd.DataFrame) -> pd.DataFrame:
    """The scales of the players that gave scores, as people read them."""
    told = scales[scales["positions"] + scales["seen"] > 0]
    table = told[["name"]].copy()
    for share in SHARES:
        at = log(share / (1 - share)) / told["k"].where(told["k"] > 0)
        table[f"{share:.0%} at".replace("%", " %")] = [score_text(each) for each in at]
    ends = zip(told["k_low"], told["k_high"], strict=True)
    table["95 % interval"] = [score_range_text(*each) for each in ends]
    table["off by"] = percentages(told["calibration_error"])
    table["loss saved"] = percentages(1 - told["log_loss"] / told["blind_log_loss"])
    table["scores"] = [f"{count:,}" for count in told["positions"]]
    if told["seen"].any():
        table["seen ends"] = [f"{count:,}" for count in told["seen"]]
        table["came true"] = percentages(told["seen_true"])
    return table


def score_range_text(k_low: float, k_high: float) -> str:
    """The scores at which three of four games are won, by the ends of the interval of K.

    Such a score may be as great as you like if K may be 0; there is none if no K is above 0.
    """
    odds = log(SHARES[0] / (1 - SHARES[0]))
    if not k_high > 0:
        return "-"
    least = score_text(odds / k_high)
    return f"{least} to {score_text(odds / k_low)}" if k_low > 0 else f"{least} or more"


def missing_scales(scales: pd.DataFrame) -> list[str]:
    """The sentence on the players whose scores stay in their own units, if there are any."""
    missing = scales[(scales["no_scale"] != "") & (scales["positions"] > 0)]
    reasons = zip(missing["name"], missing["no_scale"], strict=True)
    words = "; ".join(f"{name}, {reason}" for name, reason in reasons)
    return [f"Left in their own units: {words}."] if words else []


def score_text(score: float) -> str:
    """A score in a player's own units, with three digits; a dash for one that is not known."""
    return "-" if isnan(score) else f"{'+' if score > 0 else ''}{digits_text(score, 3)}"


def percentages(shares: pd.Series[float]) -> list[str]:
    """Shares of one as per cent; a dash for those that are not known."""
    return ["-" if isnan(share) else share_text(share) for share in shares]


def matches_table(matches: pd.DataFrame) -> pd.DataFrame:
    """The matches as people read them: of a test, the decision and its evidence first."""
    if "llr" not in matches:
        return matches.map(value_text)
    table = matches[[each for each in ("run", "one", "other") if each in matches]].copy()
    table["decision"] = matches["decision"].replace("", "none yet")
    table["LLR"] = matches["llr"].map(value_text)
    table["H0 at"], table["H1 at"] = (matches[each].map(value_text) for each in ("lower", "upper"))
    table["pairs"], table[" ".join(TITLES)] = matches["pairs"], matches["pentanomial"]
    others = ["lower", "upper", "decision", "llr", "pairs", "pentanomial"]
    views = ["llr_without_faults", "llr_faults_drawn"]
    others += [each for each in views if matches[each].equals(matches["llr"])]
    more = matches.drop(columns=[*others, *(each for each in table if each in matches)])
    names = {"llr_without_faults": "LLR without faults", "llr_faults_drawn": "LLR, faults drawn"}
    return table.join(more.map(value_text).rename(columns=names))


def endings_table(endings: pd.DataFrame) -> pd.DataFrame:
    """The ends of the games as people read them."""
    result = endings["winner"].map({1: "first wins", 2: "second wins"}).fillna("draw")
    return endings.assign(winner=result).rename(columns={"winner": "result"})


def colours_title(report: Report) -> str:
    """The title of the win rates by colour, with the worth of the first move."""
    return ": ".join(filter(None, ["Win rates by colour", first_move_text(report)]))


def first_move_text(report: Report) -> str:
    """The worth of the first move; nothing before the first game."""
    row = report.summary.iloc[0]
    if not row["games"]:
        return ""
    return (
        f"the first player took {share_text(row['first_score'])} of the points, "
        f"{row['advantage']:+z.0f} Elo between equals; {share_text(row['draw_ratio'])} draws"
    )


def colours_table(report: Report) -> pd.DataFrame:
    """Each player's score in either seat."""
    colours = report.colours.pivot(index="name", columns="seat", values="score")
    ordered = colours.reindex(report.win_rates.index)
    return named(percent(ordered.set_axis(["as first", "as second"], axis=1)))


def machines_table(machines: pd.DataFrame) -> pd.DataFrame:
    """The machines of a cluster as people read them."""
    table = machines[[name for name in ("run", "name") if name in machines]].copy()
    table["cores"] = written(machines["cores"].where(machines["cores"] > 0), "{:.0f}")
    table["GB"] = written(machines["megabytes"].where(machines["cores"] > 0) / 1024, "{:.0f}")
    if machines["speed"].notna().any():
        table["speed"] = written(machines["speed"].astype(float), "{:.2f}")
        ends = [machines[name].astype(float) for name in ("slowest", "fastest")]
        table["range"] = [
            "-" if isnan(low) else f"{low:.2f} to {high:.2f}"
            for low, high in zip(*ends, strict=True)
        ]
    table["games"], table["lost on time"] = machines["games"], machines["late"]
    return table


def named(table: pd.DataFrame) -> pd.DataFrame:
    """The index as a first column without a title, beside columns of any names."""
    return table.reset_index(names="", allow_duplicates=True)


def long(matrix: pd.DataFrame) -> pd.DataFrame:
    """One row for each two players that met: players' names are values, never columns."""
    rows = [
        (name, opponent, score)
        for name, row in matrix.iterrows()
        for opponent, score in row.items()
        if not pd.isna(score)
    ]
    return pd.DataFrame(rows, columns=["name", "opponent", "score"])


def written(figures: pd.Series[float], form: str) -> list[str]:
    """Figures as text; a dash for those that are not known."""
    return ["-" if isnan(figure) else form.format(figure) for figure in figures]


def percent(frame: pd.DataFrame) -> pd.DataFrame:
    """Shares as per cent; nothing where there is none."""
    return frame.map(share_text, na_action="ignore").astype(object).fillna("")
