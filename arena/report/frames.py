"""Results as pandas frames: games, standings, pairs, win rates, and how the games ended."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import pandas as pd

from arena.arguments import checks_calls
from arena.errors import ConfigError, unknown
from arena.format import Row
from arena.match.game_row import GameRow
from arena.match.record import FIELDS, values_of
from arena.report.answer import Answer
from arena.report.moves import moves_frame, scale_frames, thinking_frame
from arena.report.numbers import bridge_text, text_type
from arena.report.openings import made_frame, made_table
from arena.report.standings import (
    Standing,
    Tally,
    is_rated,
    rated_rows,
    standings_columns,
    tally_of,
)
from arena.report.table import Section, Table
from arena.report.verdict import (
    Conclusion,
    Extras,
    PlayedRuns,
    RunFacts,
    fault_sentences,
    format_named,
    verdict_of,
)
from arena.stats.elo import (
    draw_ratio,
    elo_difference,
    elo_interval,
    los,
    normalized_elo,
    normalized_interval,
    score,
    win_ratio,
)
from arena.stats.ratings import Anchor, Ratings
from arena.stats.rounding import DECIMALS
from arena.storage.database import Games

PAIRS = ["ll", "ld", "wl_dd", "wd", "ww"]
"""Pairs by the player's points, as others name them: two losses, ..., two wins."""
OF_PAIRS = ["draw_ratio", "pair_ratio", "elo", "elo_low", "elo_high", "los"]
OF_PAIRS += ["nelo", "nelo_low", "nelo_high", "doubtful"]
"""Numbers that follow from these, pairs taken as independent."""

_MATCHES = "stage:Int64 one other pairs:Int64 score:float64 winner pentanomial elo0:float64 "
_MATCHES += "elo1:float64 model llr:float64 llr_without_faults:float64 llr_faults_drawn:float64 "
_MATCHES += "lower:float64 upper:float64 decision"
MATCHES = {
    name: kind or text_type()
    for name, _, kind in (each.partition(":") for each in _MATCHES.split())
}
"""Columns of the matches of all formats, with their types."""


@checks_calls
@dataclass(frozen=True)
class Report:
    """All frames of a run, under one name in every format."""

    played: Mapping[str, Games]
    """The games that count, by their runs."""
    standings: pd.DataFrame
    """One row a player, the best score first: results, Elo against the field met with its 95 %
    interval, LOS (both by openings: see `score_ends`), distinct pairs (the evidence behind
    these); games lost by own faults and won by others', its Elo without the pairs in which a fault
    ended a game, and with these games drawn, and true if faults carry its Elo (`doubtful`); its
    rating on the one scale of its group (see `ratings.rate`), with a 95 % interval, and likewise
    `rating_doubtful`; and what its moves cost."""
    pairs: pd.DataFrame
    """One row a player: its distinct pairs by points, the share of even ones, those won for each
    lost; Elo and LOS as fishtest has them, and normalized Elo, each with its 95 % interval. These
    take pairs as independent of each other, even if they share openings; `doubtful` as in the
    standings."""
    win_rates: pd.DataFrame
    """One row and one column a player: the row's score against the column; NaN if never met."""
    colours: pd.DataFrame
    """One row a player and seat (1: first): results and score."""
    swap2: pd.DataFrame
    """One row a player, where players made the openings: games that it proposed, and its score in
    them; games in which it chose at three stones, by its choice, and its choices at five."""
    endings: pd.DataFrame
    """One row for each reason and winner that came: games."""
    summary: pd.DataFrame
    """One row: games, those that are no copies of others, the share of drawn ones; the first
    player's score, wins for each loss, and advantage between equals, in Elo."""
    matches: pd.DataFrame
    """One row a match that the format decides (a test's LLR, a stage's results), if it does."""
    uncounted: pd.DataFrame
    """One row a game that is kept but not counted, in the order in which they ended."""
    scales: pd.DataFrame
    """One row a player, the best first: what its scores are worth: see `PlayerScale`."""
    reliability: pd.DataFrame
    """One row a player and tenth of its positions, by what its scores let expect: the mean that was
    `expected`, and `scored`."""
    verdict: Conclusion
    """The better player, by how much, and how sure that is."""
    anchor: Anchor | None = None
    """The player whose rating is given, and that rating."""
    notes: Sequence[str] = ()
    """Sentences that readers must know beside the numbers."""
    warnings: Sequence[str] = ()
    """Sentences that they must know before: on faults, which say nothing of strength."""
    runs: Sequence[RunFacts] = ()
    """The runs, in the order of their games."""
    machines: pd.DataFrame = field(default_factory=pd.DataFrame)
    """One row for each machine of a cluster that played: its cores and memory, its games and those
    lost on time. Empty for runs at home."""

    def __repr__(self) -> str:
        names = ", ".join(each.name for each in self.runs)
        return format_named("Report", names, lambda: self.verdict)

    def _repr_html_(self) -> str:
        columns = standings_columns(bool(self.standings["faults"].any()), self.is_rated)
        table = Table("Standings", self.ranking, columns)
        section = Section("standings", table.title, [table], level="main")
        answer = Answer({}, lambda: [section], verdict=self.verdict, warnings=self.warnings)
        return answer._repr_html_()

    @property
    def is_rated(self) -> bool:
        formats = [facts.format.name for facts in self.runs]
        return bool(self.anchor) or is_rated(len(self.standings), formats)

    @property
    def ranking(self) -> pd.DataFrame:
        """The standings as people are shown them: group by group by their ratings, if these are
        shown; equals stay in order."""
        if not self.is_rated:
            return self.standings
        found = self.standings.assign(behind=-self.standings["rating"].round(DECIMALS))
        return found.sort_values(["group", "behind"], kind="stable").drop(columns="behind")

    @cached_property
    def games(self) -> pd.DataFrame:
        """One row a game, in the order of the schedule: `run` if there are several, `game` and
        `pair` (numbers in the schedule), then the fields of `GameRecord`.

        They are read when they are asked for; ConfigError if they were thrown away meanwhile.
        """
        return _games_frame(self.played)

    def games_of(self, name: str) -> pd.DataFrame:
        """The games of one player as it sees them: those of `games`, with its `opponent`, its
        `colour` (first or second) and its `points` (1, 0.5 or 0).

        Raises ConfigError if there is no such player.
        """
        names = list(self.standings["name"])
        if name not in names:
            raise ConfigError(unknown("player", name, names))
        games = self.games
        games = games[(games["first"] == name) | (games["second"] == name)].reset_index(drop=True)
        is_first = games["first"] == name
        opponent = games["second"].where(is_first, games["first"])
        colour = is_first.map({True: "first", False: "second"})
        won = (games["winner"] == is_first.map({True: 1, False: 2})).astype(float)
        points = won.where(games["winner"].notna(), 0.5)
        place = list(games).index("opening")
        for column, values in (("points", points), ("colour", colour), ("opponent", opponent)):
            games.insert(place, column, values)
        return games

    def moves(self) -> pd.DataFrame:
        """One row for each move that a player chose: what it cost, its score, and the win
        probability that this is by the player's scale."""
        return moves_frame(list(self.standings["name"]), self.played, self.scales)

    @property
    def openings_made(self) -> tuple[str, str, Table] | None:
        """What players made of openings as people read it: the rules, a sentence, and a table; None
        if they made none."""
        return None if self.swap2.empty else made_table(self.swap2, self.played)

    @property
    def decided(self) -> pd.DataFrame:
        """The matches, with the columns of their formats alone."""
        return self.matches.dropna(axis=1, how="all")

    @property
    def count(self) -> int:
        """The number of games that count."""
        return sum(map(len, self.played.values()))

    @property
    def known_scales(self) -> dict[str, float]:
        """K of each player whose scores it turns into probabilities: see `PlayerScale`."""
        known = self.scales[self.scales["no_scale"] == ""]
        return {name: float(f"{k:.4g}") for name, k in zip(known["name"], known["k"], strict=True)}

    @property
    def distinct_games(self) -> int:
        """Games that are no copies of others: see `match/copies.py`."""
        return int(self.summary["distinct_games"].iloc[0])


def report_of(
    names: Sequence[str],
    runs: Mapping[str, Games],
    *,
    anchor: Anchor | None = None,
    extras: Extras | None = None,
) -> Report:
    """All frames of the games of these runs, numbered as in their schedules.

    Players of one name are one player. Raises ConfigError for an anchor that is none of them.
    """
    if anchor and anchor[0] not in names:
        raise ConfigError(unknown("player", anchor[0], names))
    extras = extras or Extras()
    tally = tally_of(names, runs, extras.singles)
    is_copy = _copies(row for games in runs.values() for row in games.rows)
    standings = tally.standings()
    ratings = tally.ratings(anchor)
    bridges = [bridge_text(tally.names, bridge) for bridge in ratings.bridges]
    table = _standings_frame(standings, ratings, runs)
    scales, reliability = scale_frames(list(table["name"]), runs, is_copy)
    played = PlayedRuns(tally, standings, ratings, extras)
    verdict = verdict_of(played)
    stops = [f"{run.name} stopped by itself. {run.stopped}" for run in extras.runs if run.stopped]
    is_told = verdict.tone == "doubtful"
    faults = () if is_told else fault_sentences(standings, tally.faults, played.load)
    return Report(
        played=runs,
        standings=table,
        pairs=_pairs_frame(tally, standings),
        win_rates=_win_rates_frame(tally),
        colours=_colours_frame(tally),
        swap2=made_frame(tally.names, runs),
        endings=_endings_frame(tally),
        summary=_summary_frame(tally, ratings, is_copy.count(False)),
        matches=_matches_frame(extras.matches),
        uncounted=typed(pd.DataFrame(map(values_of, extras.uncounted), columns=FIELDS)),
        scales=scales,
        reliability=reliability,
        verdict=verdict,
        anchor=anchor,
        notes=[*extras.notes, *bridges],
        warnings=[*stops, *faults],
        runs=extras.runs,
        machines=pd.DataFrame(list(extras.machines)),
    )


def _copies(rows: Iterable[GameRow]) -> list[bool]:
    seen, is_copy = set[int](), list[bool]()
    for row in rows:
        is_copy.append(row.identity in seen)
        seen.add(row.identity)
    return is_copy


def _matches_frame(rows: Sequence[Row]) -> pd.DataFrame:
    runs = ["run"] if any("run" in row for row in rows) else []
    return pd.DataFrame(rows, columns=[*runs, *MATCHES]).astype(MATCHES)


def _standings_frame(
    standings: Sequence[Standing], ratings: Ratings, runs: Mapping[str, Games]
) -> pd.DataFrame:
    frame = pd.DataFrame(rated_rows(standings, ratings))
    return frame.merge(thinking_frame(list(frame["name"]), runs.values()), on="name")


def _pairs_frame(tally: Tally, standings: Sequence[Standing]) -> pd.DataFrame:
    rows = []
    for standing in standings:
        counts = tally.pairs(standing.name)
        ratios = draw_ratio(counts), win_ratio(counts)
        elo = elo_difference(counts), *elo_interval(counts), los(counts)
        nelo = normalized_elo(counts), *normalized_interval(counts)
        rows.append((standing.name, *counts, *ratios, *elo, *nelo, standing.doubtful))
    return pd.DataFrame(rows, columns=["name", *PAIRS, *OF_PAIRS])


def _summary_frame(tally: Tally, ratings: Ratings, distinct_games: int) -> pd.DataFrame:
    first = tally.results_of(None, seat=1)
    return pd.DataFrame(
        [
            {
                "games": tally.games,
                "distinct_games": distinct_games,
                "draw_ratio": draw_ratio(first),
                "first_score": score(first),
                "colour_ratio": win_ratio(first),
                "advantage": ratings.advantage,
            }
        ]
    )


def _win_rates_frame(tally: Tally) -> pd.DataFrame:
    return pd.DataFrame(
        [[_share_of(tally.meetings(row, column)) for column in tally.names] for row in tally.names],
        index=pd.Index(tally.names, name="name"),
        columns=tally.names,
    )


def _colours_frame(tally: Tally) -> pd.DataFrame:
    rows = []
    for seat in (1, 2):
        for name in tally.names:
            losses, draws, wins = results = tally.results_of(name, seat)
            rows.append((name, seat, sum(results), wins, draws, losses, _share_of(results)))
    return pd.DataFrame(rows, columns=["name", "seat", "games", "wins", "draws", "losses", "score"])


def _endings_frame(tally: Tally) -> pd.DataFrame:
    rows = [(*ending, games) for ending, games in tally.endings.most_common()]
    frame = pd.DataFrame(rows, columns=["reason", "winner", "games"])
    return frame.astype({"winner": "Int64", "games": int})


def _share_of(results: Sequence[int]) -> float:
    return score(results) if sum(results) else float("nan")


def _games_frame(runs: Mapping[str, Games]) -> pd.DataFrame:
    rows = [
        (run, number, pair, *values_of(record))
        for run, games in runs.items()
        for number, pair, record in zip(
            games.numbers, games.pair_numbers, games.records(), strict=True
        )
    ]
    games = typed(pd.DataFrame(rows, columns=["run", "game", "pair", *FIELDS]))
    return games if len(runs) > 1 else games.drop(columns="run")


def typed(games: pd.DataFrame) -> pd.DataFrame:
    """The frame with its columns' types, which an empty frame would lack."""
    whole = ["game", "pair", "round", "seed", "plies"]
    types = {column: "int64" for column in whole if column in games}
    return games.astype({**types, "winner": "Int64"})
