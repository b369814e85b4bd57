"""Sentences on games that a player's own fault ended: they tell nothing of strength."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from arena.match.first_games import FirstGames
from arena.match.pairs import is_doubtful
from arena.match.record import GameRecord
from arena.report.numbers import DOUBT
from arena.report.standings import Standing

GO_ON = "start it again with --keep-going"
"""The way on after a stop, where the command is not known."""
MARK_MEANING = (
    f"{DOUBT}: more than a twentieth of the player's games were lost, or won, by faults, which "
    "say nothing about strength."
)


def mark_meaning(doubtful: Iterable[bool]) -> list[str]:
    """The line that tells the meaning of the mark, for a table in which it stands."""
    return [MARK_MEANING] if any(doubtful) else []


def fault_sentences(
    rows: Sequence[Standing], reasons: Mapping[str, Mapping[str, int]]
) -> Iterator[str]:
    """A sentence for each player with many faults, and one on the players that won by them.

    `reasons` are those of the faults of each player: see `Tally.faults`.
    """
    for row in rows:
        if is_doubtful(row.faults, row.games):
            yield faults_text(row, reasons[row.name])
    if winners := [row for row in rows if is_doubtful(row.won_by_faults, row.games)]:
        yield winners_text(winners)


def faults_text(row: Standing, reasons: Mapping[str, int]) -> str:
    """The sentence on a player's own faults."""
    partly = "" if row.faults == row.games else ", and its Elo and rating rest partly on them"
    return (
        f"{row.name} lost {row.faults} of its {row.games} games by faults of its own "
        f"({reasons_text(reasons)}): these results say nothing about its strength{partly}."
    )


def winners_text(winners: Sequence[Standing]) -> str:
    """The sentence on the players that won by faults of others."""
    shares = [f"{row.name} ({row.won_by_faults} of its {row.games} games)" for row in winners]
    listed = " and ".join(filter(None, [", ".join(shares[:-1]), shares[-1]]))
    partly = "partly " if any(row.won_by_faults < row.games for row in winners) else ""
    return (
        f"The Elo and rating of {listed} rest {partly}on games that opponents lost by faults of "
        "their own."
    )


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
