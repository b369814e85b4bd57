"""Games of other programs brought in as a run: read, judged by our rules, and kept."""

from __future__ import annotations

import hashlib
import shutil
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, fields, replace
from datetime import date
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Protocol

from arena.config.reader import LONGEST_NAME, folder_fault
from arena.engine import Remark
from arena.errors import ConfigError, Fault, one_line, unknown
from arena.game import REASONS, Outcome, Position
from arena.gomocup.protocol import RULES
from arena.match.copies import marks, marks_of_text
from arena.match.opening_rules import check_opening
from arena.match.record import (
    FIELDS,
    PLAIN_FIELDS,
    GameRecord,
    Job,
    columns,
    key,
    record,
    record_from,
    remarks_of,
)
from arena.match.terms import LARGEST
from arena.plugins import load
from arena.plugins.load import Named, checked, load_game, names, parse_named
from arena.records.formats.jsonl import JsonGame
from arena.records.opening_file import unread_format
from arena.records.written import RESULTS, WrittenGame
from arena.storage.database import ImportedFile, Store, keep_files
from arena.storage.folder import (
    CONFIG,
    DATABASE,
    clear,
    keep_config,
    locked,
    make_folder,
    path_text,
)
from arena.text import TITLES, opened, superset, utf8_file
from arena.tournament.replay import BY_RULE, rules_difference
from arena.tournament.run import PathLike
from arena.tournament.schedule import data_of

LEADING_BLANKS = b"\xef\xbb\xbf \t\r\n\f\v\0"
SNIFFED = 4096
DRAFT = "import.db"
"""The database until all games are in: an import that is killed leaves nothing else."""
IF_GOMOKU = "if it is Gomoku, say so, as by --game gomoku:rule=standard"
NO_RULE = "it does not tell its rule: give it, as by --game gomoku:rule=standard"

FoundGame = WrittenGame | JsonGame
Told = Callable[[Fault], object]


@dataclass(frozen=True, slots=True)
class Imported:
    folder: Path
    games: int
    players: int
    left_out: int
    notes: Sequence[str] = ()
    """Sentences on encodings that were taken for files which do not tell theirs."""


def import_games(
    name: str,
    files: Sequence[PathLike],
    *,
    game: str | None = None,
    form: str | None = None,
    encoding: str | None = None,
    fresh: bool = False,
    results: PathLike = "results",
    told: Told = lambda fault: None,
) -> Imported:
    """Make a run of the games in some files: SGF, PSQ or our lines of JSON, known by what is there.

    `game` has the rule where files do not tell it, and `encoding` how their texts are to be read,
    whatever they tell. Every game is played again by our rules; doubtful ones are left out, and
    `told`. `fresh` throws away what was kept under this name. ConfigError if nothing comes in, or
    if a file cannot be read; then nothing changes.
    """
    if fault := folder_fault(name):
        raise ConfigError(f"name {fault}")
    paths = list({Path(file).resolve(): Path(file) for file in files}.values())
    asked = _asked_encoding(encoding)
    forms = [form or _form_of(path, asked) for path in paths]
    folder = Path(results) / name
    if game is not None:
        checked("game", game)
    # A file may tell what was not typed of the game.
    intake = Intake(None if game is None else parse_named(game), told, asked)
    is_new = not folder.exists()
    make_folder(folder)
    try:
        _bring_in(intake, folder, list(zip(paths, forms, strict=True)), fresh)
    except BaseException:
        if is_new:
            shutil.rmtree(folder, ignore_errors=True)
        raise
    notes = list(intake.notes())
    return Imported(folder, intake.games, len(intake.players), intake.left_out, notes)


def _bring_in(intake: Intake, folder: Path, files: Sequence[tuple[Path, str]], fresh: bool) -> None:
    with locked(folder):
        if not fresh and any((folder / each).exists() for each in (CONFIG, DATABASE)):
            message = "games are kept here: choose another name, or throw them away with --fresh"
            raise ConfigError(Fault(str(folder), message))
        try:
            data = _take_in(intake, folder, folder.name, files)
            clear(folder)
            (folder / DRAFT).rename(folder / DATABASE)
            keep_config(folder, data)
        finally:
            _discard(folder)


def _take_in(
    intake: Intake, folder: Path, name: str, files: Sequence[tuple[Path, str]]
) -> dict[str, Any]:
    _discard(folder)
    taken = []
    with closing(Store(folder / DRAFT)) as rows:
        for path, form in files:
            games, left_out = intake.games, intake.left_out
            intake.read(path, form, rows)
            games, left_out = intake.games - games, intake.left_out - left_out
            with opened(path) as stream:
                digest = hashlib.file_digest(stream, "sha256").hexdigest()
            taken.append(ImportedFile(path_text(path), form, digest, games, left_out))
        if not intake.judge or not intake.games:
            were = "was" if intake.left_out == 1 else "were"
            raise ConfigError(f"no game came in; {intake.left_out} {were} left out")
        rows.flush()
        keep_files(rows, taken)
        data = data_of(name, intake.judge.named, intake.players, str(date.today()))
        rows.note(data)
    return data


def _discard(folder: Path) -> None:
    for end in ("", "-wal", "-shm"):
        (folder / f"{DRAFT}{end}").unlink(missing_ok=True)


class Intake:
    def __init__(self, asked: Named | None, told: Told, encoding: str | None) -> None:
        self.judge: ImportedGameCheck | None = None
        self.games = 0
        self.left_out = 0
        self.players: dict[str, None] = {}
        self._asked = asked
        self._told = told
        self._encoding = encoding
        self._guessed: dict[Path, set[tuple[str, str]]] = defaultdict(set)
        """The encodings that were taken for each file, each with the one that it tells wrongly."""

    def read(self, path: Path, form: str, rows: Store) -> None:
        with utf8_file(path, self._encoding) as stream:
            for game in load.module("record format", form).read(stream, str(path)):
                if isinstance(game, Fault):
                    self._leave_out(game)
                    continue
                place = f"{path}:{game.line}"
                if isinstance(game, WrittenGame) and game.guessed:
                    self._guessed[path].add((game.guessed, game.misdeclared))
                try:
                    record = self._record(game, place)
                except ValueError as error:
                    self._leave_out(Fault(place, str(error)))
                    continue
                is_known = isinstance(game, JsonGame) or game.opening is not None
                rows.add(_placed(record, is_known, rows))
                self.games += 1
                self.players |= {record.first: None, record.second: None}

    def notes(self) -> Iterator[str]:
        for path, pairs in self._guessed.items():
            guessed, declared = ({*filter(None, names)} for names in zip(*pairs, strict=True))
            told = f"other than it tells ({', '.join(sorted(declared))})"
            reason = told if declared else "which the file does not tell"
            others = ", ".join(title for title in TITLES.values() if title not in guessed)
            yield (
                f"{path}: names and results were read as {' and '.join(sorted(guessed))}, "
                f"{reason}; to read them otherwise: --encoding ENCODING ({others})"
            )

    def _leave_out(self, fault: Fault) -> None:
        self.left_out += 1
        self._told(fault)

    def _record(self, game: FoundGame, place: str) -> GameRecord:
        """The record of a game; ValueError if it is doubtful."""
        try:
            named = self._game_of(game)
        except ConfigError as error:
            raise ValueError(str(error)) from None
        if named is None:
            if self.judge or isinstance(game, JsonGame):
                raise ValueError(NO_RULE)
            raise ConfigError(Fault(place, NO_RULE))
        if self.judge is None:
            self.judge = ImportedGameCheck(named)
        if named != self.judge.named:
            raise ValueError(f"it is of {named}, and not of {self.judge.named} as others")
        if isinstance(game, JsonGame):
            return self.judge.record_from(game)
        return self.judge.record_of(game)

    def _game_of(self, game: FoundGame) -> Named | None:
        """The game that is played there; None if neither the file nor the user has told."""
        if isinstance(game, JsonGame):
            rules = game.fields.get("rules")
            named = checked("game", rules) if isinstance(rules, str) else None
        else:
            named = _told_game(game.rule, game.size)
        if self._asked is None:
            if isinstance(game, WrittenGame) and game.other_game:
                raise ConfigError(f"it is of another game, {game.other_game}: {IF_GOMOKU}")
            return named
        sizes = named.parameters if named else {}
        size = sizes.get("size", 0) if isinstance(game, JsonGame) else game.size
        asked = _asked_game(self._asked, size)
        if named and named != asked:
            raise ConfigError(f"it is of {named}, and not of {asked}")
        return asked


def _placed(record: GameRecord, is_known: bool, rows: Store) -> GameRecord:
    """The record in a round of its own; with another for a pair only if their openings are told."""
    first, second, opening, round = key(record)
    wanted = first, second, opening, max(round, 1) if is_known else 1
    return replace(record, round=rows.free_round(wanted, is_for_both=not is_known))


def _asked_encoding(encoding: str | None) -> str | None:
    """The encoding that `--encoding` names; ConfigError if there is none."""
    known = superset(encoding) if encoding else None
    if encoding and not known:
        raise ConfigError(Fault("--encoding", unknown("encoding", encoding, TITLES.values())))
    return known


def _form_of(path: Path, encoding: str | None = None) -> str:
    """The format of a file by its beginning; ConfigError if it has none of those that are known."""
    with utf8_file(path, encoding) as stream:
        beginning = stream.read(SNIFFED)
    first = beginning.lstrip(LEADING_BLANKS)[:1]
    for form in load.names("record format"):
        if first == load.module("record format", form).BEGINNING:
            return form
    unknown = "does not begin as SGF, PSQ or our lines of JSON do: give --format"
    message = unread_format(path, beginning) or unknown
    raise ConfigError(Fault(str(path), message))


LOST_REASONS = (
    *("won by proof", "won by scores", "resignation", "illegal move"),
    *("time", "hang", "exception", "crash", "memory"),
)
DRAWN_REASONS = (
    *("full board", "repetition", "ply cap"),
    *("drawn by scores", "few cells left", "agreement"),
)
"""Reasons for which a game cannot be drawn, or cannot be won."""
LONGEST_RESULT = 60  # Characters of a result that is not understood, in a message
MAX_SECONDS = 10**9
BY_FILE = "by the word of its file"
WINNERS = {result: winner for winner, result in RESULTS.items()}

WHOLE_FIELDS = [field.name for field in fields(GameRecord) if field.type == "int"] + ["proposer"]
OPTIONAL: Mapping[str, object] = {
    **dict.fromkeys(["start", "digest", "pv", "info", *FIELDS[len(PLAIN_FIELDS) :]], ""),
    "proposer": 0,
}
"""Fields that a line need not have, and what they are without."""
BESIDE = ("rules", "run", "game", "pair")  # Keys of a line that are no fields of the record
ROUND_DIGITS = 18


class HasPlayers(Protocol):
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
            words = f"its result [{unread}] is not understood" if unread else "it has no result"
            raise ValueError(f"{words}, and it goes on by the rules of {self.named}")
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
        if fault := rules_difference(self.game, record):
            raise ValueError(f"{fault} ({self.named})")
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


def _outcome_by_word(winner: int | None, word: str) -> Outcome:
    """The end of a game that the rules would let go on; ValueError for one that cannot be."""
    if word == "forbidden":  # by a move that was left out
        return Outcome(winner, "illegal move")
    if word in BY_RULE:
        raise ValueError(f"its end is said to be {word!r}, but by the rules it goes on")
    if word in (DRAWN_REASONS if winner else LOST_REASONS):
        raise ValueError(f"its end is said to be {word!r}, but its result is {RESULTS[winner]}")
    for reason in REASONS:
        if reason == word:
            return Outcome(winner, reason)
    return Outcome(winner, "resignation" if winner else "agreement")


def _plain_record(line: JsonGame) -> GameRecord:
    """The record with the fields of a line; ValueError if they are others, or of other types."""
    values = {key: value for key, value in line.fields.items() if key not in BESIDE}
    if lacking := [name for name in FIELDS if name not in values and name not in OPTIONAL]:
        raise ValueError(f"missing key {lacking[0]!r}")
    for name, value in values.items():
        if name not in FIELDS:
            raise ValueError(f"unknown key {one_line(name[:40])!r}")
        if not _fits_field(name, value):
            raise ValueError(f"{name} is {value!r:.60}, which cannot be")
    values = {**OPTIONAL, **values}
    record = record_from([values[name] for name in FIELDS])
    if not record.made and any(values[name] for name in FIELDS[len(PLAIN_FIELDS) :]):
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


WITH_RULES = "gomoku"
RULE_OF_CODE = {str(code): name for name, code in RULES.items()}


@lru_cache
def _told_game(rule: str, size: int) -> Named | None:
    """The game of a file's rule and size; None for an unknown rule, ConfigError for a bad size."""
    word = " ".join(rule.lower().split())
    word = RULE_OF_CODE.get(word, word)
    if word in names("game") and word != WITH_RULES:
        return checked("game", Named(word))
    if word not in RULES:
        return None
    return checked("game", Named(WITH_RULES, {"size": size, "rule": word}))


def _asked_game(game: Named, size: int) -> Named:
    """The game that was asked for; without a size, on a file's board (0: not told). ConfigError."""
    if size and game.name == WITH_RULES and "size" not in game.parameters:
        game = Named(game.name, {**game.parameters, "size": size})
    return checked("game", game)


def rule_text(game: Named) -> str:
    """The mirror of `_told_game`: the rule of Gomoku, or the name of the game."""
    return str(game.parameters["rule"]) if game.name == WITH_RULES else game.name
