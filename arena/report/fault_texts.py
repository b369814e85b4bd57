"""Sentences on games that a player's own fault ended: they tell nothing of strength."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import isnan

from arena.match.first_games import FirstGames
from arena.match.record import GameRecord
from arena.report.numbers import DOUBT, OPEN, elo_text
from arena.report.standings import Standing

GO_ON = "start it again with --keep-going"
"""The way on after a stop, where the command is not known."""
MARK_MEANING = (
    f"{DOUBT}: faults carry this number. Without the games that they ended, or with these as "
    "draws, it would be another."
)


def mark_meaning(doubtful: Iterable[bool]) -> list[str]:
    """The line that tells the meaning of the mark, for a table in which it stands."""
    return [MARK_MEANING] if any(doubtful) else []


def fault_sentences(
    rows: Sequence[Standing], reasons: Mapping[str, Mapping[str, int]]
) -> Iterator[str]:
    """A sentence for each player whose Elo faults carry, or keep from being known.

    Of two players, only for those at fault. `reasons` are those of the faults of each player: see
    `Tally.faults`.
    """
    for row in rows:
        is_unknown = elo_text(row.elo, row.elo_low, row.elo_high) == "-"
        if (row.faults and (row.doubtful or is_unknown)) or (row.doubtful and len(rows) > 2):
            carried = f": {carried_text(row)}" if len(rows) > 2 else ""  # else the verdict has it
            yield f"{_faults_of(row, reasons[row.name])}{carried}."


def _faults_of(row: Standing, reasons: Mapping[str, int]) -> str:
    """The games that a player lost and won by faults."""
    lost = f"lost {row.faults:,}" if row.faults else ""
    won = f"won {row.won_by_faults:,}" if row.won_by_faults else ""
    own = f" by faults of its own ({reasons_text(reasons)})" if row.faults else ""
    others = " by faults of its opponents" if row.won_by_faults else ""
    games = f" of its {row.games:,} games"
    if row.faults and row.won_by_faults:
        return f"{row.name} {lost}{games}{own} and {won}{others}"
    return f"{row.name} {lost}{won}{games}{own}{others}"


def carried_text(row: Standing) -> str:
    """The Elo of a player without the games that a fault ended."""
    if isnan(row.elo_without_faults):
        return "without them nothing is left"
    without, drawn = _elo_words(row.elo_without_faults), _elo_words(row.elo_faults_drawn)
    return f"without their pairs {row.name} is at {without} Elo, with them as draws at {drawn}"


def _elo_words(elo: float) -> str:
    """Elo in a sentence; beyond what scores can tell, only that all was won or lost."""
    if abs(elo) < OPEN:
        return f"{elo:+z.0f}"
    return f"an unknown (all {'won' if elo > 0 else 'lost'})"


def reasons_text(reasons: Mapping[str, int]) -> str:
    """The numbers of faults of each kind, most first: `3 time, 1 crash`."""
    return ", ".join(f"{games} {reason}" for reason, games in Counter(reasons).most_common())


def stop_text(
    first: FirstGames, kept: Sequence[GameRecord], name: str, command: str, go_on: str
) -> str:
    """The reason why a run stopped for the first games of the player of this name, and the cure.

    The `command` checks the player's program; empty if it plays by none.
    """
    games = first.games(kept)
    counts = reasons_text(Counter(game.reason for game in games))
    last = ", ".join(filter(None, [games[-1].reason, games[-1].detail]))
    check = f"Check it with `{command}`; to" if command else "To"
    return (
        f"{name}: its first {len(games)} games all ended by its own faults ({counts}); "
        f"the last: {last}. {check} play on all the same: {go_on}"
    )


def advice_lines(standings: Sequence[tuple[str, int]], commands: Mapping[str, str]) -> list[str]:
    """The command for each program that lost games by faults, as (player, faults) tells."""
    return [
        f"{name} lost {faults} game{'s' * (faults != 1)} by faults of its own. To find the cause: "
        f"{commands[name]}"
        for name, faults in standings
        if faults and name in commands
    ]
