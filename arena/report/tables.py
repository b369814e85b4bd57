"""The tables of a report of runs, each defined once, with those of swiss and knockout stages."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from math import isfinite, isnan, log
from typing import Any
from urllib.parse import urlencode

import pandas as pd
from markupsafe import Markup

from arena.formats.swiss import swiss_points
from arena.game import FAULTS
from arena.match.record import at_fault
from arena.report.frames import PAIRS, Report
from arena.report.numbers import (
    format_digits,
    format_rating,
    format_share,
    format_value,
    without_home,
)
from arena.report.page.charts import elo_intervals, heat_style, part_bar, results_bar, share_bar
from arena.report.standings import LOS, standings_columns
from arena.report.table import Column, Row, Table
from arena.report.verdict import carried_texts, mark_meaning

SCALES_TITLE = "What the scores are worth"
SCALES_TEXT = (
    "At these scores a player wins 75 % and 95 % of its games against an equal; 95 % interval: of "
    "the first of them. Off by: how far results lay from what the scores let expect, on openings "
    "that the scale was not fitted to. Loss saved: how much less uncertain a result is there to "
    "those who know the scores."
)
AGAINST_MET = "against the players that each met"
MAX_FAULTS = 200  # Faulty games that the table lists
_TITLES = ["LL", "LD", "WL/DD", "WD", "WW"]
_SEATS = {"first seat": "as first", "second seat": "as second"}
_SHARES = 0.75, 0.95  # Shares of games won, whose scores are told


def standings_table(report: Report) -> Table:
    games = f"{report.count} game{'s' * (report.count != 1)}"
    title = f"Standings after {games}, {report.distinct_games} of them distinct"
    return _elo_table(title, report.ranking, report.is_rated, _elo_scale(report), is_whole=True)


def other_elo_table(report: Report) -> Table:
    """The Elo that the standings do not show: against the players met, or on one scale."""
    scale = AGAINST_MET if report.is_rated else _ratings_scale(report)
    return _elo_table(f"Elo {scale}", report.ranking, not report.is_rated, [])


def _elo_table(
    title: str, frame: pd.DataFrame, is_rated: bool, notes: list[str], is_whole: bool = False
) -> Table:
    name, elo, interval, *others = standings_columns(bool(frame["faults"].any()), is_rated)
    value = str(elo.name)
    mark = elo.beside[-1]
    bars = elo_intervals(frame, f"{value}_low", value, f"{value}_high", mark, is_bar=is_whole)
    groups = [Column("group")] * (is_rated and frame["group"].nunique() > 1)
    los = [LOS] * (not is_rated and not is_whole)
    columns = [name, elo, interval, bars, *(others if is_whole else los), *groups]
    return Table(title, frame, columns, [*notes, *mark_meaning(frame[mark])])


def _elo_scale(report: Report) -> list[str]:
    if report.is_rated:
        return [f"Elo {_ratings_scale(report)}."]
    return [f"Elo {AGAINST_MET}."] * (len(report.standings) > 2)


def _ratings_scale(report: Report) -> str:
    """The zero of the ratings' scale, and which of them can be compared."""
    zero = "their mean is 0"
    if report.anchor:
        name, elo = report.anchor
        zero = f"{name} is {elo:+z.12g}"
    apart = ", in each group" if report.standings["group"].nunique() > 1 else ""
    return f"on one scale for all that met{apart}; {zero}"


def pairs_table(pairs: pd.DataFrame) -> Table:
    """The pairs by points; one kind of result alone says nothing of variance."""
    counts, lost = pairs[PAIRS], pairs[["ll", "ld"]].sum(axis=1) > 0
    frame = pairs.assign(
        draw_ratio=pairs["draw_ratio"].where(counts.sum(axis=1) > 0),
        pair_ratio=pairs["pair_ratio"].where(lost),
        nelo=pairs["nelo"].where((counts > 0).sum(axis=1) > 1),
    )
    columns = [
        Column("name"),
        *map(Column, PAIRS, _TITLES),
        Column("draw_ratio", "even", format_share),
        Column("pair_ratio", "won:lost", "{:.2f}"),
        Column("nelo", "nElo", format_rating, ("doubtful",)),
        Column("nelo_low", "95 %", _format_ends, ("nelo_high",), is_number=False),
    ]
    return _without_blanks(Table("Distinct pairs by points", frame, columns))


def thinking_table(standings: pd.DataFrame) -> Table:
    frame = standings.assign(
        milliseconds=standings["seconds_per_move"] * 1e3,
        overrun=standings["greatest_overrun"] * 1e3,
    )
    most = max(filter(isfinite, frame["milliseconds"]), default=0.0)

    def bar(row: Row) -> Markup:
        cost = row["milliseconds"]
        return part_bar(cost, most, "not known" if isnan(cost) else f"{cost:.2f} ms a move")

    is_timed = frame["milliseconds"].notna().any()
    columns = [
        Column("name"),
        Column("milliseconds", "ms/move", "{:.2f}"),
        *([Column("time", draw=bar)] if is_timed else []),
        Column("nodes_per_second", "nodes/s", "{:,.0f}"),
        Column("depth", "depth", "{:.1f}"),
        Column("plies", "plies", "{:.1f}"),
    ]
    if standings["greatest_overrun"].notna().any():
        columns += [
            Column("overrun", "overrun ms", "{:+.1f}"),
            Column("near_limit", "near limit", format_share),
        ]
    return _without_blanks(Table("What the moves took", frame, columns))


def scales_table(scales: pd.DataFrame) -> Table:
    told = scales[scales["positions"] + scales["seen"] > 0]
    k = told["k"].where(told["k"] > 0)
    frame = told.assign(
        likely=_log_odds(_SHARES[0]) / k,
        nearly_sure=_log_odds(_SHARES[1]) / k,
        saved=1 - told["log_loss"] / told["blind_log_loss"],
    )
    columns = [
        Column("name"),
        Column("likely", f"{_SHARES[0]:.0%} at".replace("%", " %"), _format_score),
        Column("nearly_sure", f"{_SHARES[1]:.0%} at".replace("%", " %"), _format_score),
        Column("k_low", "95 % interval", _format_scores, ("k_high",), is_number=False),
        Column("calibration_error", "off by", format_share),
        Column("saved", "loss saved", format_share),
        Column("positions", "scores", "{:,}"),
    ]
    if told["seen"].any():
        columns += [
            Column("seen", "seen ends", "{:,}"),
            Column("seen_true", "came true", format_share),
        ]
    is_known = told["k"].notna().any() or told["seen"].any()
    notes = [*([SCALES_TEXT] if is_known else []), *_missing_scales(scales)]
    return _without_blanks(Table(SCALES_TITLE, frame, columns, notes))


def _missing_scales(scales: pd.DataFrame) -> list[str]:
    missing = scales[(scales["no_scale"] != "") & (scales["positions"] > 0)]
    reasons = zip(missing["name"], missing["no_scale"], strict=True)
    words = "; ".join(f"{name}, {reason}" for name, reason in reasons)
    return [f"Left in their own units: {words}."] if words else []


def cross_table(report: Report) -> Table:
    """The score of each player against each other, and in either seat, the best player first.

    The more a score is above or below one half, the more of one colour it has on a page, where it
    leads to its games.
    """
    names = list(report.standings["name"])
    # The columns are numbers, since players may have any name.
    rates = report.win_rates.loc[names, names].set_axis(range(len(names)), axis=1)
    seats = report.colours.pivot(index="name", columns="seat", values="score").loc[names]
    frame = rates.join(seats.set_axis(_SEATS.keys(), axis=1)).reset_index(names="name")
    for j, other in enumerate(names):
        links = [_games_link(name, other) for name in names]
        frame[f"link {j}"] = pd.Series(links).where(frame[j].notna(), "")
    columns = [
        Column(j, name, format_share, unknown="", style=heat_style, link=f"link {j}")
        for j, name in enumerate(names)
    ]
    columns += [Column(key, title, format_share, unknown="") for key, title in _SEATS.items()]
    columns = [Column("name", ""), *columns]
    return Table("Win rates, row against column", frame, columns, [_first_move_text(report)])


def _games_link(player: str, opponent: str) -> str:
    return f"#{urlencode({'player': player, 'opponent': opponent})}"


def seats_table(report: Report) -> Table:
    place = {name: i for i, name in enumerate(report.standings["name"])}
    frame = report.colours.assign(place=report.colours["name"].map(place))
    columns = [
        Column("name"),
        Column("seat", "plays", {1: "first", 2: "second"}.__getitem__, is_number=False),
        Column("score", "score", format_share, unknown=""),
        Column(
            "won, drawn, lost",
            draw=lambda row: results_bar(row["wins"], row["draws"], row["losses"]),
        ),
        *(Column(name, name, "{:,}") for name in ("games", "wins", "draws", "losses")),
    ]
    return Table("Colours", frame.sort_values(["place", "seat"]), columns)


def _first_move_text(report: Report) -> str:
    row = report.summary.iloc[0]
    return (
        f"The first player took {format_share(row['first_score'])} of the points, "
        f"{row['advantage']:+z.0f} Elo between equals; {format_share(row['draw_ratio'])} draws."
    )


def endings_table(endings: pd.DataFrame) -> Table:
    result = endings["winner"].map({1: "first wins", 2: "second wins"}).fillna("draw")
    most = float(endings["games"].max()) if len(endings) else 0.0
    columns = [
        Column("reason"),
        Column("result"),
        Column("games"),
        Column("share", draw=lambda row: part_bar(row["games"], most, f"{row['games']} games")),
    ]
    return Table("How the games ended", endings.assign(result=result), columns)


def matches_table(matches: pd.DataFrame) -> Table:
    """The matches: of a test, the decision and its evidence first."""
    if "llr" not in matches:
        return Table("Matches", matches, [Column(each, "", format_value) for each in matches])
    columns = [
        *(Column(each) for each in ("run", "one", "other") if each in matches),
        Column("decision", "decision", lambda decision: decision or "none yet"),
        Column("llr", "LLR", format_value),
        Column("lower", "H0 at", format_value),
        Column("upper", "H1 at", format_value),
        Column("pairs"),
        Column("pentanomial", " ".join(_TITLES)),
    ]
    views = {"llr_without_faults": "LLR without faults", "llr_faults_drawn": "LLR, faults drawn"}
    told = {column.name for column in columns}
    told |= {each for each in views if matches[each].equals(matches["llr"])}
    more = [each for each in matches if each not in told]
    columns += [Column(each, views.get(str(each), ""), format_value) for each in more]
    return Table("Matches", matches, columns)


def machines_table(machines: pd.DataFrame, title: str = "Machines") -> Table:
    cores = machines["cores"].where(machines["cores"] > 0)
    frame = machines.assign(cores=cores, gigabytes=(machines["megabytes"] / 1024).where(cores > 0))
    columns = [
        *(Column(each) for each in ("run", "name") if each in machines),
        Column("cores", "cores", "{:.0f}"),
        Column("gigabytes", "GB", "{:.0f}"),
        Column("games"),
        Column("late", "lost on time"),
    ]
    return Table(title, frame, columns)


def openings_table(openings: pd.DataFrame, names: Callable[[str], str] = str) -> Table:
    def bar(row: Row) -> Markup:
        return share_bar(row["first_score"], format_share(row["first_score"]))

    columns = [
        Column("opening", "opening", "{:,}"),
        Column("moves", "moves", names),
        Column("games", "games", "{:,}"),
        Column("first_score", "first's share", format_share),
        Column("by_colour", "won by colour", "{:,}"),
        Column("by_player", "by player", "{:,}"),
        Column("drawn", "drawn pairs", "{:,}"),
        Column("share", draw=bar),
    ]
    return Table("Openings", openings, columns)


def faults_table(report: Report) -> Table:
    several = len(report.played) > 1
    rows: list[dict[str, object]] = []
    count = 0
    for place, (run, games) in enumerate(report.played.items()):
        faulty = games.part(lambda row: row.result.reason in FAULTS)
        count += len(faulty)
        first = faulty.at(range(min(len(faulty), MAX_FAULTS - len(rows))))
        for number, record in first.numbered():
            link = f"#run={place}&game={number}" if several else f"#game={number}"
            detail = without_home(record.detail)
            told = {"reason": record.reason, "detail": detail, "link": link}
            rows.append({"run": run, "game": number, "player": at_fault(record), **told})
    columns = [
        *([Column("run")] if several else []),
        Column("game", link="link"),
        Column("player"),
        Column("reason", "fault"),
        Column("detail"),
    ]
    more = f", the first {MAX_FAULTS} of {count:,}" if count > MAX_FAULTS else ""
    carried = [*carried_texts(report.standings)]
    return Table(f"Games that a fault ended{more}", pd.DataFrame(rows), columns, carried)


def _without_blanks(table: Table) -> Table:
    columns = [
        each
        for each in table.columns
        if each.draw or any(each.text(row) != each.unknown for row in table.rows)
    ]
    return replace(table, columns=columns)


def _log_odds(share: float) -> float:
    return log(share / (1 - share))


def _format_ends(low: float, high: float) -> str:
    """The ends of an interval of normalized Elo, if there are any."""
    return f"{round(low):+d} to {round(high):+d}" if isfinite(low) else "-"


def _format_score(score: float) -> str:
    return f"{'+' if score > 0 else ''}{format_digits(score, 3)}"


def _format_scores(k_low: float, k_high: float) -> str:
    """The scores at which three of four games are won, by the ends of the interval of K.

    Such a score may be as great as you like if K may be 0; there is none if no K is above 0.
    """
    odds = _log_odds(_SHARES[0])
    if not k_high > 0:
        return "-"
    least = _format_score(odds / k_high)
    return f"{least} to {_format_score(odds / k_low)}" if k_low > 0 else f"{least} or more"


SEEDED_TEXT = "A tie that no more pairs broke went to the player that is higher in the file."
BYE_TEXT = "A bye is worth a draw."
RANK_TEXT = "Players with equal points rank in the order of the file."


def knockout_stages(players: int) -> dict[int, str]:
    """The names of the stages of a knockout.

    >>> knockout_stages(5)
    {1: 'quarter-final', 2: 'semi-final', 3: 'final'}
    """
    last = (players - 1).bit_length()
    names = {0: "final", 1: "semi-final", 2: "quarter-final"}
    return {n: names.get(last - n, f"round of {2 ** (last - n + 1)}") for n in range(1, last + 1)}


def match_points(row: Mapping[Any, Any]) -> tuple[float, float]:
    games = 2 * row["pairs"]
    own = round(row["score"] * games, 6)
    return own, games - own


def format_match(own: float, others: float) -> str:
    """The score of a match in points, such as `2.5 - 1.5`."""
    return f"{own:g} - {others:g}"


def knockout_table(matches: pd.DataFrame, stages: Mapping[int, str]) -> Table:
    rows = matches.to_dict("records")
    frame = matches.assign(
        points=[format_match(*match_points(row)) if row["pairs"] else "-" for row in rows],
        link=[_games_link(row["one"], row["other"]) for row in rows],
    )
    columns = [
        Column("stage", "stage", stages.__getitem__, is_number=False),
        Column("one"),
        Column("points", link="link"),
        Column("other"),
        Column("pairs"),
        Column("winner", "winner", lambda winner: winner or "none yet"),
    ]
    is_seeded = bool(((matches["score"] == 0.5) & (matches["winner"] != "")).any())
    return Table("Matches", frame, columns, [SEEDED_TEXT] * is_seeded)


def swiss_table(players: Sequence[str], matches: pd.DataFrame) -> Table:
    """The players by points, and whom they met in each stage.

    `players` in the order that ranks those with equal points.
    """
    stages = list(matches["stage"].unique())
    bye = float(matches["pairs"].max())
    met: dict[tuple[str, Any], tuple[str, str]] = {}  # The text and the link of a cell
    match_rows: list[dict[Any, Any]] = matches.to_dict("records")
    for row in match_rows:
        one, other, (own, others) = row["one"], row["other"], match_points(row)
        for name, rival, points in ((one, other, (own, others)), (other, one, (others, own))):
            text = f"{format_match(*points)} {rival}" if row["pairs"] else rival
            met[name, row["stage"]] = text, _games_link(name, rival)
    all_points, _ = swiss_points(players, match_rows)
    rows = []
    for name in players:
        cells: dict[str, object] = {"name": name, "points": all_points[name]}
        for stage in stages:
            text, link = met.get((name, stage), (f"bye {bye:g}", ""))
            cells |= {f"stage {stage}": text, f"link {stage}": link}
        rows.append(cells)
    frame = pd.DataFrame(rows).sort_values("points", ascending=False, kind="stable")
    columns = [
        Column("rank"),
        Column("name", style=lambda _: "pinned"),
        Column("points", "points", "{:g}"),
        *(Column(f"stage {stage}", link=f"link {stage}") for stage in stages),
    ]
    title = f"Ranking after stage {stages[-1]}"
    notes = [*[BYE_TEXT] * (len(players) % 2), RANK_TEXT]
    return Table(title, frame.assign(rank=range(1, len(frame) + 1)), columns, notes)
