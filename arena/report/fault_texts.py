"""Sentences on games that a player's own fault ended: they tell nothing of strength."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from shlex import quote
from typing import TYPE_CHECKING

from arena.gomocup.transcript import is_slow
from arena.match.pairs import FirstGames
from arena.match.record import GameRecord
from arena.report.numbers import DOUBT, OPEN, format_elo
from arena.report.portable import without_home
from arena.report.standings import Standing

if TYPE_CHECKING:
    import pandas as pd

SLOW_LIMIT = "6s"
"""A limit in which brains move that read no clock: most of them take five seconds."""
GO_ON = "start it again with --keep-going (in Python, keep_going=True)"
"""The way on after a stop, where the command is not known."""
FAULTS_FIRST = "First find the cause of the faults."
DID = {
    "illegal move": "moved illegally",
    "time": "lost on time",
    "hang": "hung",
    "exception": "raised an exception",
    "crash": "crashed",
    "memory": "ran out of memory",
}
"""What a player did that ended a game by its own fault."""
MAX_HEADS = 3
"""Players at fault that a verdict names."""
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
    """A sentence for each player at fault whose Elo faults carry, or keep from being known.

    `reasons` are those of the faults of each player: see `Tally.faults`; `load` is that of the
    machine: see `RunFacts`.
    """
    for row in rows:
        is_unknown = format_elo(row.elo, row.elo_low, row.elo_high, row.doubtful) == "-"
        if row.faults and (row.doubtful or is_unknown):
            yield f"{fault_heads([row], reasons, load)}: mend that before you trust its Elo."


def fault_heads(
    rows: Sequence[Standing], reasons: Mapping[str, Mapping[str, int]], load: float
) -> str:
    """What players did in how many games, the most first: `new crashed in 10 of 36 games`."""
    faulty = sorted((row for row in rows if row.faults), key=lambda row: -row.faults)
    alike: dict[str, list[str]] = {}
    for row in faulty[:MAX_HEADS]:
        did = _did_text(reasons[row.name], f"{row.games:,}", load)
        alike.setdefault(did, []).append(row.name)
    heads = [f"{_listed(names)} {did}{' each' * (len(names) > 1)}" for did, names in alike.items()]
    more = [f"{len(faulty) - MAX_HEADS:,} more likewise"] if len(faulty) > MAX_HEADS else []
    return ", ".join([*heads, *more])


def _listed(names: Sequence[str]) -> str:
    """Names in a sentence: `a, b and c`."""
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


def _did_text(reasons: Mapping[str, int], games: str, load: float) -> str:
    did = [f"{DID[reason]} in {count:,}" for reason, count in Counter(reasons).most_common()]
    return f"{' and '.join(did)} of {games} games{_busy_text(reasons, load)}"


def first_step(reasons: Iterable[Iterable[str]], load: float) -> str:
    """The next step where these faults carry a result."""
    if _busy_text(chain.from_iterable(reasons), load):
        return "Play it again on a quiet machine, or with more time."
    return "Mend that first."


def carried_texts(standings: pd.DataFrame) -> Iterator[str]:
    """A sentence for each player whose Elo faults carry: what it would be without them."""
    doubtful = standings[standings["doubtful"] & standings["elo_without_faults"].notna()]
    for row in doubtful.to_dict("records"):
        without, drawn = _elo_words(row["elo_without_faults"]), _elo_words(row["elo_faults_drawn"])
        yield (
            f"{row['name']}, against those that it met: {without} without the pairs in which a "
            f"fault ended a game, {drawn} with these games as draws."
        )


def _elo_words(elo: float) -> str:
    """Elo in a sentence; beyond what scores can tell, only that all was won or lost."""
    return f"{elo:+z.0f} Elo" if abs(elo) < OPEN else f"all {'won' if elo > 0 else 'lost'}"


def _busy_text(reasons: Iterable[str], load: float) -> str:
    """A clause on the machine, if all were late and it was busy."""
    is_busy = {*reasons} == {"time"} and load > 1
    return f" on a busy machine, up to {load:.1f} processes a core" * is_busy


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
    did = _did_text(counts, f"its first {len(games)}", load)
    return (
        f"{name} {did}; the last{_fault_text(games[-1])}.{_slow_text(games)} {check} play on all "
        f"the same: {go_on}"
    )


def advice_text(
    name: str, lost: Sequence[tuple[int, GameRecord]], folder: str, command: str
) -> str:
    """What to do about the games that a player lost by faults: `lost` has the first, with numbers.

    They are kept in the `folder`. The `command` checks its program; empty if it plays by none.
    """
    number, example = lost[0]
    slow = _slow_text(game for _, game in lost)
    return "\n".join(
        [
            f"{name} lost game {number}{_fault_text(example)}.{slow}",
            f"To see it: arena replay {quote(folder)} {number}",
            *([f"To find the cause: {command}"] if command else []),
        ]
    )


def _fault_text(game: GameRecord) -> str:
    words = without_home(", ".join(filter(None, [game.reason, game.detail])))
    return f", at its move {_own_moves(game) + 1}: {words}"


def _own_moves(game: GameRecord) -> int:
    """The moves of the player at fault, which was to move, after the opening."""
    return (game.plies - len(game.opening.split())) // 2


def _slow_text(games: Iterable[GameRecord]) -> str:
    """Advice for a player that never moved in time, and wrote no error that tells why."""
    if all(is_slow(each.reason, each.detail) and not _own_moves(each) for each in games):
        return f" It never moved: it may need more time, such as --limit {SLOW_LIMIT}."
    return ""
