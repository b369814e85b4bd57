"""Games of other programs brought in as a run: read from files one by one, judged, and kept."""

from __future__ import annotations

import hashlib
import shutil
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any

from arena.charset import TITLES, superset
from arena.config.reader import folder_fault
from arena.errors import ConfigError, Fault, unknown
from arena.match.record import GameRecord, key
from arena.plugins import load
from arena.plugins.load import Named, checked, parse_named
from arena.records.formats.jsonl import JsonGame
from arena.records.opening_file import unread_format
from arena.records.written import WrittenGame
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
from arena.text import opened, utf8_file
from arena.tournament.exchange.judging import ImportedGameCheck
from arena.tournament.exchange.rule_codes import asked_game, told_game
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
    """The outcome of an import."""

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
    intake = Intake(_parse_asked(game), told, asked)
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
            discard(folder)


def _take_in(
    intake: Intake, folder: Path, name: str, files: Sequence[tuple[Path, str]]
) -> dict[str, Any]:
    """Bring all files into a draft of the database; the run's config."""
    discard(folder)
    taken = []
    with closing(Store(folder / DRAFT)) as rows:
        for path, form in files:
            games, left_out = intake.games, intake.left_out
            intake.read(path, form, rows)
            games, left_out = intake.games - games, intake.left_out - left_out
            digest = _digest_of_bytes(path)
            taken.append(ImportedFile(path_text(path), form, digest, games, left_out))
        if not intake.judge or not intake.games:
            were = "was" if intake.left_out == 1 else "were"
            raise ConfigError(f"no game came in; {intake.left_out} {were} left out")
        rows.flush()
        keep_files(rows, taken)
        data = data_of(name, intake.judge.named, intake.players, str(date.today()))
        rows.note(data)
    return data


def discard(folder: Path) -> None:
    """Throw away the rest of a draft."""
    for end in ("", "-wal", "-shm"):
        (folder / f"{DRAFT}{end}").unlink(missing_ok=True)


class Intake:
    """Holds the counts of an import, and the rules by which its games are judged."""

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
        """Bring in the games of one file."""
        with utf8_file(path, self._encoding) as stream:
            for found in load.module("record format", form).read(stream, str(path)):
                if isinstance(found, Fault):
                    self._leave_out(found)
                    continue
                place = f"{path}:{found.line}"
                if isinstance(found, WrittenGame) and found.guessed:
                    self._guessed[path].add((found.guessed, found.misdeclared))
                try:
                    record = self._record(found, place)
                except ValueError as error:
                    self._leave_out(Fault(place, str(error)))
                    continue
                rows.add(_placed(record, _is_on_known_opening(found), rows))
                self.games += 1
                self.players |= {record.first: None, record.second: None}

    def notes(self) -> Iterator[str]:
        """Sentences on the encodings that were taken for files that tell none, or a wrong one."""
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

    def _record(self, found: FoundGame, place: str) -> GameRecord:
        """The record of a game; ValueError if it is doubtful."""
        try:
            named = self._game_of(found)
        except ConfigError as error:
            raise ValueError(str(error)) from None
        if named is None:
            if self.judge or isinstance(found, JsonGame):
                raise ValueError(NO_RULE)
            raise ConfigError(Fault(place, NO_RULE))
        if self.judge is None:
            self.judge = ImportedGameCheck(named)
        if named != self.judge.named:
            raise ValueError(f"it is of {named}, and not of {self.judge.named} as others")
        if isinstance(found, JsonGame):
            return self.judge.record_from(found)
        return self.judge.record_of(found)

    def _game_of(self, found: FoundGame) -> Named | None:
        """The game that is played there; None if neither the file nor the user has told."""
        if isinstance(found, JsonGame):
            rules = found.fields.get("rules")
            named = checked("game", rules) if isinstance(rules, str) else None
        else:
            named = told_game(found.rule, found.size)
        if self._asked is None:
            if isinstance(found, WrittenGame) and found.other_game:
                raise ConfigError(f"it is of another game, {found.other_game}: {IF_GOMOKU}")
            return named
        sizes = named.parameters if named else {}
        size = sizes.get("size", 0) if isinstance(found, JsonGame) else found.size
        asked = asked_game(self._asked, size)
        if named and named != asked:
            raise ConfigError(f"it is of {named}, and not of {asked}")
        return asked


def _is_on_known_opening(found: FoundGame) -> bool:
    """True if the file tells on which opening a game was played."""
    return isinstance(found, JsonGame) or found.opening is not None


def _placed(record: GameRecord, is_known: bool, rows: Store) -> GameRecord:
    """The record in a round of its own; with another for a pair only if their openings are told."""
    first, second, opening, round = key(record)
    wanted = first, second, opening, max(round, 1) if is_known else 1
    return replace(record, round=rows.free_round(wanted, is_for_both=not is_known))


def _parse_asked(game: str | None) -> Named | None:
    """The game that `--game` names, without what was not typed; ConfigError if there is none."""
    if game is None:
        return None
    checked("game", game)
    return parse_named(game)


def _asked_encoding(encoding: str | None) -> str | None:
    """The encoding that `--encoding` names; ConfigError if there is none."""
    found = superset(encoding) if encoding else None
    if encoding and not found:
        raise ConfigError(Fault("--encoding", unknown("encoding", encoding, TITLES.values())))
    return found


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


def _digest_of_bytes(path: Path) -> str:
    """The digest of a file, as sha256sum prints it."""
    with opened(path) as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
