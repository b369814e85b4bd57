"""Games from files, played again by our rules: their records, or the reason why they are doubtful.

Only what the moves do not show is taken from the file: which player broke off, and why.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from functools import cache
from typing import Protocol

from arena.config.reader import LONGEST_NAME
from arena.engine import Remark
from arena.errors import ConfigError, one_line
from arena.game import REASONS, Outcome, Position
from arena.match.copies import marks, marks_of_text
from arena.match.opening_rules import check_opening
from arena.match.record import (
    FIELDS,
    PLAIN_FIELDS,
    GameRecord,
    Job,
    columns,
    record,
    record_from,
    remarks_of,
)
from arena.match.terms import LARGEST
from arena.plugins.load import Named, load_game
from arena.records.formats.jsonl import JsonGame
from arena.records.written import RESULTS, WrittenGame
from arena.tournament.replay import BY_RULE, rules_difference

LOST_REASONS = (
    *("won by proof", "won by scores", "resignation", "illegal move"),
    *("time", "hang", "exception", "crash", "memory"),
)
DRAWN_REASONS = (
    *("full board", "repetition", "ply cap"),
    *("drawn by scores", "few cells left", "agreement"),
)
"""Reasons for which a game cannot be drawn, or cannot be won."""
LONGEST_RESULT = 60
MAX_SECONDS = 10**9
"""Characters of a result that is not understood, in a message."""
BY_FILE = "by the word of its file"
WINNERS = {result: winner for winner, result in RESULTS.items()}

WHOLE_FIELDS = [field.name for field in fields(GameRecord) if field.type == "int"] + ["proposer"]
OPTIONAL: Mapping[str, object] = {
    **dict.fromkeys(["start", "digest", "pv", "info", *FIELDS[len(PLAIN_FIELDS) :]], ""),
    "proposer": 0,
}
"""Fields that a line need not have, and what they are without."""
BESIDE = ("rules", "run", "game", "pair")
"""Keys of a line that are no fields of the record."""
ROUND_DIGITS = 18


class HasPlayers(Protocol):
    """A game with the names of its players."""

    @property
    def first(self) -> str: ...

    @property
    def second(self) -> str: ...


class ImportedGameCheck:
    """Holds the rules of a game, for one file's game after the other."""

    def __init__(self, named: Named) -> None:
        """ConfigError if there is no such game."""
        self.named = named
        self.game = load_game(named)
        self._text, self._parse = cache(self.game.text), cache(self.game.parse)

    def record_of(self, written: WrittenGame) -> GameRecord:
        """The record of a game of stones; ValueError says what is doubtful."""
        first, second = _players_of(written)
        if written.size != self.game.size:
            raise ValueError(f"its board is of {written.size}, not of {self.game.size}")
        opening, p = self._played(written)
        outcome, detail = self._ending(written, p)
        texts = list(map(self._text, p.moves))
        return record(
            Job(first, second, " ".join(texts[: opening.ply]), _round_of(written)),
            outcome,
            detail,
            " ".join(texts),
            marks(self.game, opening, p),
            **columns(_remarks_after(opening.ply, written)),
        )

    def _played(self, written: WrittenGame) -> tuple[Position, Position]:
        """The position after the opening, and the last one."""
        game, plies = self.game, written.opening or 0
        p = opening = game.start()
        for i, (row, column) in enumerate(written.moves):
            move = row * game.size + column
            if outcome := game.outcome(p):
                over = f"by the rules of {self.named} it is over after move {i}"
                raise ValueError(f"{over} ({outcome.reason}), but has {len(written.moves)}")
            if not game.is_legal(p, move):
                raise ValueError(f"move {i + 1}, {row},{column}, is not legal")
            p = game.play(p, move)
            if i + 1 == plies:
                opening = p
        return opening, p

    def _ending(self, written: WrittenGame, p: Position) -> tuple[Outcome, str]:
        """The end, by the rules or else by the file's word; and its detail, for people."""
        outcome, detail = self.game.outcome(p), one_line(written.detail)
        if outcome:
            ours = RESULTS[outcome.winner]
            if written.result not in ("unknown", ours):
                raise ValueError(
                    f"its result is {written.result}, but {ours} by the rules of {self.named} "
                    f"({outcome.reason})"
                )
            return outcome, detail if written.reason == outcome.reason else ""
        if written.result == "unknown":
            unread = one_line(written.unread_result)[:LONGEST_RESULT]
            told = f"its result [{unread}] is not understood" if unread else "it has no result"
            raise ValueError(f"{told}, and it goes on by the rules of {self.named}")
        outcome = _outcome_by_word(WINNERS[written.result], written.reason)
        return outcome, detail if outcome.reason == written.reason else BY_FILE

    def record_from(self, line: JsonGame) -> GameRecord:
        """The record in a line of JSON; ValueError says what is doubtful."""
        record = _plain_record(line)
        if _players_of(record) != (record.first, record.second):
            raise ValueError("the players' names have blanks around them, or what cannot be shown")
        opening, moves = record.opening.split(), record.moves.split()
        if moves[: len(opening)] != opening or record.plies != len(moves):
            raise ValueError("its moves are not its opening and as many more as it says")
        if " ".join(self._text(self._parse(move)) for move in moves) != record.moves:
            raise ValueError("its moves are not written as they are here")
        _check_remarks(record)
        check_opening(record)
        if found := rules_difference(self.game, record):
            raise ValueError(f"{found} ({self.named})")
        if record.reason not in BY_RULE:
            _outcome_by_word(record.winner, record.reason)
        start, digest = marks_of_text(self.game, record.opening, record.moves, self._parse)
        return replace(record, start=start, digest=digest)


def _players_of(game: HasPlayers) -> tuple[str, str]:
    """The players' names, as they can be shown; ValueError if two players are not told."""
    first, second = (one_line(name.strip()) for name in (game.first, game.second))
    if not (first and second):
        raise ValueError("it does not tell the names of both players")
    if first == second:
        raise ValueError(f"{first[:40]} plays against itself, which tells nothing of it")
    if max(len(first), len(second)) > LONGEST_NAME:
        raise ValueError(f"a player's name has more than {LONGEST_NAME} characters")
    return first, second


def _round_of(written: WrittenGame) -> int:
    """The round that a file tells, for games on a known opening; 0 if none."""
    text = written.round.strip()
    is_number = text.isascii() and text.isdigit() and len(text) <= ROUND_DIGITS
    return int(text) if is_number and written.opening is not None else 0


def _remarks_after(opening: int, written: WrittenGame) -> list[Remark]:
    """A remark for each move after the opening; none if the file tells nothing of any."""
    if not any(written.remarks[opening:]):
        return []
    numbered = list(enumerate(written.remarks))[opening:]
    return [remark or Remark(ply % 2 + 1) for ply, remark in numbered]


def _outcome_by_word(winner: int | None, told: str) -> Outcome:
    """The end of a game that the rules would let go on; ValueError for one that cannot be."""
    if told == "forbidden":  # by a move that was left out
        return Outcome(winner, "illegal move")
    if told in BY_RULE:
        raise ValueError(f"its end is said to be {told!r}, but by the rules it goes on")
    if told in (DRAWN_REASONS if winner else LOST_REASONS):
        raise ValueError(f"its end is said to be {told!r}, but its result is {RESULTS[winner]}")
    for reason in REASONS:
        if reason == told:
            return Outcome(winner, reason)
    return Outcome(winner, "resignation" if winner else "agreement")


def _plain_record(line: JsonGame) -> GameRecord:
    """The record with the fields of a line; ValueError if they are others, or of other types."""
    found = {key: value for key, value in line.fields.items() if key not in BESIDE}
    if lacking := [name for name in FIELDS if name not in found and name not in OPTIONAL]:
        raise ValueError(f"missing key {lacking[0]!r}")
    for name, value in found.items():
        if name not in FIELDS:
            raise ValueError(f"unknown key {one_line(name[:40])!r}")
        if not _fits_field(name, value):
            raise ValueError(f"{name} is {value!r:.60}, which cannot be")
    found = {**OPTIONAL, **found}
    record = record_from([found[name] for name in FIELDS])
    if not record.made and any(found[name] for name in FIELDS[len(PLAIN_FIELDS) :]):
        raise ValueError("the proposer of its opening is none of the two players")
    return record


def _fits_field(name: str, value: object) -> bool:
    if name == "winner":
        return value is None or (type(value) is int and value in (1, 2))
    if name in WHOLE_FIELDS:
        # Of games of the same round, the second goes into the one after it.
        most = LARGEST if name == "round" else 2**63 - 1
        return type(value) is int and -(2**63) <= value <= most
    if not isinstance(value, str) or "\0" in value:
        return False
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return name != "reason" or value in REASONS


def _check_remarks(record: GameRecord) -> None:
    """ValueError if the players' kept choices cannot be read."""
    try:
        remarks = remarks_of(record)
    except ConfigError as error:
        raise ValueError(str(error)) from None
    if not all(0 <= remark.seconds <= MAX_SECONDS for remark in remarks):
        raise ValueError("a time is no number of seconds")
    for remark in remarks:
        numbers = remark.nodes, remark.depth, remark.score or 0
        if any(number.bit_length() > 63 for number in numbers):
            raise ValueError("what is kept of its choices has a number of more than 64 bits")
