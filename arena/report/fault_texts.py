"""Sentences on games that a player's own fault ended: they tell nothing of strength."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import isnan
from shlex import quote

from arena.match.first_games import FirstGames
from arena.match.record import GameRecord
from arena.report.numbers import DOUBT, OPEN, format_elo
from arena.report.standings import Standing

SLOW_LIMIT = "6s"
"""A limit in which brains move that read no clock: most of them take five seconds."""
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
    rows: Sequence[Standing], reasons: Mapping[str, Mapping[str, int]], load: float = 0.0
) -> Iterator[str]:
    """A sentence for each player whose Elo faults carry, or keep from being known.

    Of two players, only for those at fault. `reasons` are those of the faults of each player: see
    `Tally.faults`; `load` is that of the machine: see `RunFacts`.
    """
    for row in rows:
        is_unknown = format_elo(row.elo, row.elo_low, row.elo_high, row.doubtful) == "-"
        if (row.faults and (row.doubtful or is_unknown)) or (row.doubtful and len(rows) > 2):
            carried = f": {carried_text(row)}" if len(rows) > 2 else ""  # else the verdict has it
            yield f"{_faults_of(row, reasons[row.name], load)}{carried}."


def _faults_of(row: Standing, reasons: Mapping[str, int], load: float) -> str:
    """The games that a player lost and won by faults."""
    lost = f"lost {row.faults:,}" if row.faults else ""
    won = f"won {row.won_by_faults:,}" if row.won_by_faults else ""
    own = f" {blame_text(reasons, load)} ({_reasons_text(reasons)})" if row.faults else ""
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


def blame_text(reasons: Iterable[str], load: float) -> str:
    """By what a player lost games: its own faults, or, if all were late, perhaps the machine."""
    if {*reasons} == {"time"} and load > 1:
        return f"on a busy machine, up to {load:.1f} processes a core"
    return "by faults of its own"


def _reasons_text(reasons: Mapping[str, int]) -> str:
    return ", ".join(f"{games} {reason}" for reason, games in Counter(reasons).most_common())


def stop_text(
    first: FirstGames,
    kept: Sequence[GameRecord],
    name: str,
    command: str,
    go_on: str,
    load: float = 0.0,
) -> str:
    """The reason why a run stopped for the first games of the player of this name, and the cure.

    The `command` checks the player's program; empty if it plays by none.
    """
    games = first.games(kept)
    counts = Counter[str](game.reason for game in games)
    check = f"Check it with `{command}`; to" if command else "To"
    return (
        f"{name}: its first {len(games)} games all ended {blame_text(counts, load)} "
        f"({_reasons_text(counts)}); the last{_fault_text(games[-1])}.{_slow_text(games)} {check} "
        f"play on all the same: {go_on}"
    )


def advice_text(
    name: str,
    count: int,
    lost: Sequence[tuple[int, GameRecord]],
    folder: str,
    command: str,
    load: float,
) -> str:
    """What to do about the games that a player lost by faults: `lost` has the first, with numbers.

    They are kept in the `folder`. The `command` checks its program; empty if it plays by none.
    """
    number, example = lost[0]
    games = [game for _, game in lost]
    blame = blame_text({game.reason for game in games}, load)
    return "\n".join(
        [
            f"{name} lost {count:,} game{'s' * (count != 1)} {blame}. Game {number}"
            f"{_fault_text(example)}.{_slow_text(games)}",
            f"To see it: arena replay {quote(folder)} {number}",
            *([f"To find the cause: {command}"] if command else []),
        ]
    )


def _fault_text(game: GameRecord) -> str:
    """The end of a game by a fault, in words behind its number."""
    words = ", ".join(filter(None, [game.reason, game.detail]))
    return f", at its move {_own_moves(game) + 1}: {words}"


def _own_moves(game: GameRecord) -> int:
    """The moves of the player at fault, which was to move, after the opening."""
    return (game.plies - len(game.opening.split())) // 2


def _slow_text(games: Iterable[GameRecord]) -> str:
    """Advice for a player that never moved in time."""
    if all(game.reason == "time" and not _own_moves(game) for game in games):
        return f" It never moved: it may need more time, such as --limit {SLOW_LIMIT}."
    return ""
