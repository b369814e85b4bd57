"""Faults in users' texts, what the system refuses, and what was taken away: words and statuses."""

from __future__ import annotations

import difflib
import errno
import os
import re
import sqlite3
import traceback
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from datetime import date
from math import isfinite
from pathlib import Path
from typing import Any, NamedTuple

DISTRIBUTION = "gomoku-arena"
IMPORT_CODE = ("<", str(Path(__file__).parent / "plugins" / "source_files.py"))
"""Beginnings of the paths of code that imports: the fault lies where the import stands."""
NEAR = 0.6  # Likeness (see `difflib`) from which on a known word can be the one that was meant
OTHER_WORDS = {
    **dict.fromkeys(("players", "bots", "participants", "programs"), "engines"),
    **dict.fromkeys(("player", "bot", "program"), "engine"),
    **dict.fromkeys(("time", "movetime"), "seconds"),
    **dict.fromkeys(("board", "variant", "rules"), "game"),
    **dict.fromkeys(("n_jobs", "processes", "threads"), "workers"),
    "random_state": "seed",
}
"""Words that others use, and ours."""
LONGEST_WORDS = 300  # Characters of others' text, values and exceptions, in a message


class Fault(NamedTuple):
    """One thing wrong, and its place (`file:line:column`, a command's argument, or nothing)."""

    place: str
    message: str

    def __str__(self) -> str:
        return f"{self.place}: {self.message}" if self.place else self.message


class ConfigError(Exception):
    """A mistake in a file or an argument; it lists every mistake that was found."""

    status = 2
    """The exit status of a command that ends by it."""

    def __init__(self, *faults: Fault | str) -> None:
        self.faults = [Fault("", fault) if isinstance(fault, str) else fault for fault in faults]
        super().__init__(*faults)

    def __str__(self) -> str:
        return "\n".join(map(str, self.faults))


@contextmanager
def placed(place: str, kind: type[ConfigError] = ConfigError) -> Iterator[None]:
    """Give the faults of errors of this kind this place, unless they have one of their own."""
    try:
        yield
    except kind as error:
        error.faults = [each if each.place else Fault(place, each.message) for each in error.faults]
        raise


def unknown(what: str, word: object, known: Iterable[str], files: Iterable[str] = ()) -> str:
    """A message: `unknown engine 'balence'; did you mean 'balance'?`, or all names.

    One of the `files`, too, can be what was meant. What was taken away is told with what is to be
    used instead: see `arena/errors.py`.
    """
    known = sorted(known)
    if message := gone(what, word, known):
        return message
    if near := nearest(str(word), [*known, *files]):
        return f"unknown {what} {word!r}; did you mean {near!r}?"
    return f"unknown {what} {word!r}; there is {', '.join(known) or 'none'}"


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known word that an unknown one was probably meant to be; None if none is near."""
    words = {each.lower(): each for each in known}
    word = word.lower()
    if (ours := OTHER_WORDS.get(word)) in words:
        return words[str(ours)]
    near = difflib.get_close_matches(word, words, n=1, cutoff=NEAR)
    return words[near[0]] if near else None


def near_file(missing: Path, suffixes: Collection[str] = ()) -> Path | None:
    try:
        files = sorted(each for each in missing.parent.iterdir() if not each.name.startswith("."))
    except OSError:
        return None
    if suffixes:
        files = [file for file in files if file.suffix in suffixes]
    # Of files that differ in their suffixes only, the one with the same suffix.
    files.sort(key=lambda file: file.suffix == missing.suffix)
    by_stem = {file.stem: file for file in files}
    stem = nearest(missing.stem, by_stem)
    return by_stem[stem] if stem else None


def no_such_file(missing: Path, suffixes: Collection[str] = (), *folders: str) -> str:
    """A message; the file that is near may be in one of the `folders` beside the missing one."""
    places = (missing.parent / folder / missing.name for folder in ("", *folders))
    near = next(filter(None, (near_file(place, suffixes) for place in places)), None)
    return f"no such file; did you mean {near}?" if near else "no such file"


def install_command(extra: str) -> str:
    """The command that installs what an extra brings: an index need not have this project."""
    from importlib.metadata import requires  # takes a while, and few commands lack a package

    marker = re.compile(rf"extra == ['\"]{extra}['\"]")
    needed = [line for line in requires(DISTRIBUTION) or () if marker.search(line)]
    return " ".join(["pip install", *(re.split(r"[^\w.-]", line)[0] for line in needed)])


def reworded_together(errors: Sequence[Any]) -> str:
    """Pydantic errors about one value; of a union, which has one for each type, what it may be."""
    value = errors[0]["input"]
    kinds = {each["type"] for each in errors if each["input"] is value}
    if not 1 < len(kinds) == len(errors) or not kinds <= WANTED.keys():
        return "; ".join(map(_reworded, errors))
    if "float_type" in kinds:
        kinds.discard("int_type")  # a number, too
    wanted = " or ".join(WANTED[each["type"]] for each in errors if each["type"] in kinds)
    return f"must be {wanted}, not {shown_value(value)}"


def _reworded(error: Any) -> str:
    kind, value, context = error["type"], error["input"], error.get("ctx", {})
    shown = shown_value(value)
    match kind:
        case _ if isinstance(value, float) and not isfinite(value):
            return f"must be {WANTED.get(kind, 'a finite number')}, not {shown}"
        case "string_type" if isinstance(value, int | float | date):
            return unquoted(value)
        case "string_too_short":
            return "must not be empty"
        case "greater_than_equal":
            return f"must be at least {context['ge']:.12g}, not {shown}"
        case "greater_than":
            return f"must be more than {context['gt']:.12g}, not {shown}"
        case "less_than_equal":
            return f"must be at most {context['le']:.12g}, not {shown}"
        case "less_than":
            return f"must be less than {context['lt']:.12g}, not {shown}"
        case "literal_error":
            return f"must be {context['expected']}, not {shown}"
        case _ if kind in WANTED:
            return f"must be {WANTED[kind]}, not {shown}"
        case _:
            return f"is wrong: {error['msg']}"


def unquoted(value: float | date, typed: str = "") -> str:
    """A message on a value that must be text, and in a file stands there as it was typed."""
    return f'must be text: write "{typed or value}"'


def shown_value(value: object) -> str:
    """A value as its file has it, unless it is very long."""
    if value is None:
        return "nothing"
    text = str(value) if isinstance(value, date) else repr(value)
    return text if len(text) <= LONGEST_WORDS else f"{text[:LONGEST_WORDS]}..."


WANTED = {
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "string_type": "text",
    "string_unicode": "a line of text",
    "bool_type": "true or false",
    "list_type": "a list",
    "sequence_str": "a list",
    "is_instance_of": "a list",
    "dict_type": "a mapping (key: value)",
    "finite_number": "a finite number",
}


def own_words(error: BaseException) -> str:
    """An exception in one printable line, with the file and line where it arose."""
    try:
        text = f"{type(error).__name__}: {error}"
    except Exception:
        text = type(error).__name__  # its own __str__ raises
    if isinstance(error, ModuleNotFoundError) and str(error.name).split(".")[0] == "engines":
        text += ": the engines are a part of arena; import arena.engines"
    frames = [] if isinstance(error, SyntaxError) else traceback.extract_tb(error.__traceback__)
    where = [frame for frame in frames if not frame.filename.startswith(IMPORT_CODE)]
    place = f" ({where[-1].filename}:{where[-1].lineno})" if where else ""
    return one_line(text)[:LONGEST_WORDS] + one_line(place)


def one_line(text: str) -> str:
    """The text with everything escaped that would break a line, a terminal or a database."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


NO_ROOM = {errno.ENOSPC, errno.EDQUOT}
NO_ROOM_NAMES = ("SQLITE_IOERR", "SQLITE_CANTOPEN", "SQLITE_READONLY")
"""Beginnings of SQLite's names for what a disk without room, or without inodes, comes to."""
NOT_TAKEN_NAMES = (
    "SQLITE_IOERR_WRITE",
    "SQLITE_IOERR_FSYNC",
    "SQLITE_IOERR_TRUNCATE",
    "SQLITE_IOERR_SHMOPEN",
    "SQLITE_IOERR_SHMSIZE",
    "SQLITE_IOERR_SHMMAP",
)
NOT_OPENED_NAMES = ("SQLITE_CANTOPEN", "SQLITE_IOERR_SHMOPEN")
DATABASE_FILES = 4  # Files that SQLite has open for a database, with the folder
OWN_WORDS = {
    errno.EMFILE: "this process may open no more files: raise `ulimit -n`",
    errno.ENFILE: "this system can open no more files",
    errno.ENOMEM: "there is not enough memory",
    errno.EAGAIN: "this system starts no more processes: raise `ulimit -u`",
}
"""Words for what is refused whatever file it is of."""
OWN_FILES = Path(__file__).parent
REFUSALS = (OSError, MemoryError, RuntimeError, UnicodeEncodeError, sqlite3.Error)
"""The exceptions by which the system refuses something."""


class DiskFullError(ConfigError):
    """No room on a disk, or one that takes no more: what was kept before stays."""

    status = 5

    def __init__(self, place: object = "", why: str = "", games: int | None = None) -> None:
        self.place, self.why = place, why or "the disk is full"
        kept = "what was kept before stays" if games is None else f"{games:,} games are kept"
        more = "Make room and type the same command"
        super().__init__(Fault(shown_path(place), f"{self.why}: {kept}. {more}"))


def refused(error: OSError | ValueError, place: object) -> ConfigError:
    if why := _why_full(error, place):
        return DiskFullError(place, why)
    words = getattr(error, "strerror", None) or one_line(str(error))
    if getattr(error, "errno", None) == errno.ENXIO:
        words = "nobody reads from it"  # a pipe, or a socket
    return ConfigError(Fault(shown_path(place), words))


def refusal_of(error: BaseException, place: object = "") -> ConfigError | None:
    """What the system refused, at a place or where the error says; None for a fault of ours."""
    error = getattr(error, "orig", None) or error  # of SQLAlchemy
    if isinstance(error, RuntimeError) and isinstance(error.__context__, OSError):
        error = error.__context__  # of Path.resolve, for a link that leads to itself
    if getattr(error, "sqlite_errorname", "").startswith(NOT_OPENED_NAMES) and _has_no_files():
        return ConfigError(Fault(shown_path(place), OWN_WORDS[errno.EMFILE]))
    if why := _why_full(error, place):
        return DiskFullError(getattr(error, "filename", None) or place, why)
    if isinstance(error, OSError):
        return _refusal_of_file(error, place)
    if isinstance(error, MemoryError):
        return ConfigError(OWN_WORDS[errno.ENOMEM])
    if isinstance(error, UnicodeEncodeError) and error.reason == "surrogates not allowed":
        return ConfigError(Fault(shown_path(error.object), "is no text of UTF-8"))
    return None


def _refusal_of_file(error: OSError, place: object) -> ConfigError | None:
    if words := OWN_WORDS.get(error.errno or 0):
        return ConfigError(Fault(shown_path(place), words))
    if isinstance(error.filename, str | bytes | os.PathLike):
        path = Path(os.fsdecode(error.filename))
        return None if path.is_relative_to(OWN_FILES) else refused(error, path)
    if isinstance(error, FileNotFoundError) and _is_nowhere():  # of os.getcwd
        return ConfigError("the current folder was removed: go to another one")
    return None


def _is_nowhere() -> bool:
    try:
        os.getcwd()
    except FileNotFoundError:
        return True
    return False


def _has_no_files() -> bool:
    """True if this process can open no more files than SQLite needs, which keeps the reason."""
    with ExitStack() as stack:
        try:
            for _ in range(DATABASE_FILES):
                stack.callback(os.close, os.open(os.devnull, os.O_RDONLY))
        except OSError as error:
            return error.errno == errno.EMFILE
    return False


def _why_full(error: BaseException, place: object) -> str:
    number, name = getattr(error, "errno", None), getattr(error, "sqlite_errorname", "")
    if number in NO_ROOM or name == "SQLITE_FULL":
        return "the disk is full"
    if name.startswith(NO_ROOM_NAMES) and _has_no_room(place):
        return "the disk is full"
    if number == errno.EFBIG or name.startswith(NOT_TAKEN_NAMES):
        return f"the disk takes no more ({error})"
    return ""


def _has_no_room(place: object) -> bool:
    """True if a file's disk has no room for another block, or for another file."""
    with suppress(OSError):
        disk = os.statvfs(os.path.dirname(str(place)) or ".")
        has_no_inode = bool(disk.f_files and not disk.f_favail)
        return not disk.f_bavail or has_no_inode
    return False


@contextmanager
def refusals_told() -> Iterator[None]:
    """Turn what the system refuses into an error in words; a fault of ours passes as it is."""
    try:
        yield
    except REFUSALS as error:
        if refusal := refusal_of(error):
            raise refusal from None
        raise


def expanded(path: str | os.PathLike[str]) -> Path:
    try:
        return Path(path).expanduser()
    except RuntimeError:
        user = Path(path).parts[0]
        raise ConfigError(Fault(shown_path(path), f"there is no home of {user} here")) from None


def shown_path(path: object) -> str:
    text = one_line(str(path))
    return text if len(text) <= LONGEST_WORDS else f"{text[:LONGEST_WORDS]}..."


@dataclass(frozen=True, slots=True)
class Gone:
    """One thing that was taken away."""

    instead: str  # What to use, or to do, in its place
    beside: str = ""
    """A key that is known wherever this one was, the command of an option, or the module of a name;
    empty: any."""
    kept: object = None  # The one value with which a key is still taken; None: there is none


_CRON = Gone("let cron ask arena report --json, or the address /queue/tests", beside="serve")
_CONTRACT = Gone("tests/contract of a checkout has these checks", beside="arena.testing")
GONE: dict[tuple[str, str], Gone] = {
    ("benchmark", "openings"): Gone(
        "in research/ of a checkout, python -m benchmarks openings measures it"
    ),
    ("check", "sorts_legal_moves"): Gone("leave it out, as fits to moves are gone"),
    ("key", "aim"): Gone(
        "the mean gain counts, and a loss under any condition fails the proof",
        beside="early_stop",
        kept="mean",
    ),
    ("key", "scale"): Gone(
        "leave slow machines out of the cluster, or limit nodes", beside="hang", kept=False
    ),
    ("key", "share"): Gone("give the test a priority", beside="priority", kept=1.0),
    ("key", "target"): Gone(
        "leave it out, or fit to the moves of patterns by `python -m fit_moves` in research/",
        beside="holdout",
        kept="results",
    ),
    ("key", "tests"): Gone(
        "a queue is not exported any more: submit each test by its file", beside="engines"
    ),
    ("method", "surface"): Gone("use ascent"),
    ("name", "FORMAT_CHECKS"): _CONTRACT,
    ("name", "METHOD_CHECKS"): _CONTRACT,
    ("name", "check_format"): _CONTRACT,
    ("name", "check_method"): _CONTRACT,
    ("option", "--cluster"): Gone(
        "one machine makes the same file, with --workers", beside="openings make"
    ),
    ("option", "--hours"): Gone(
        "start and end arena serve by cron; its queue goes on where it was", beside="serve"
    ),
    ("option", "--on-end"): _CRON,
    ("option", "--share"): Gone("give the test a --priority", beside="submit"),
    ("option", "--shares"): Gone(
        "tests are played by their --priority, one after the other", beside="serve"
    ),
    ("option", "--web-hook"): _CRON,
}
"""By the kind of thing, as messages name it, and by its name as users type it."""

_ROWS = """
engine cmd conf fcp scp quick arg args | a word a player: arena match ./new "./old -v :name=old"
each both | --limit 10+0.1, --info thread_num=4 and the like, for all players
tc st nodes depth movetime time | --limit 10+0.1 (clock), or of a move 0.1s, 20000n (nodes), d4
timemargin tolerance | --margin 0.05 (seconds)
option thread threads | --info thread_num=4 for brains, ./new.py:depth=4 for engines in Python
maxmemory | --memory 350 (megabytes)
concurrency force-concurrency | --workers 4
rounds games repeat | --games 100: all games of each two, in pairs with colours swapped
srand | --seed 7
tournament seeds | --gauntlet, or nothing for a round robin
sprt elo0 elo1 alpha beta model | --sprt 0 5
openings file order book bookdepth | --openings book.txt
resign twosided | --resign 600,moves=3
draw movecount movenumber score | --draw 10,moves=8,after=60 and --resign 600,moves=3
maxmoves drawafter | max_plies: 200 in a file for arena run
variant rule boardsize size | --game gomoku:size=20,rule=standard, or --preset gomocup-renju
pgnout pgn sgf epdout msg | arena export NAME -o games.sgf
output ratinginterval scoreinterval report | nothing, or --quiet: standings are shown now and then
log debug | --log FOLDER
config event site autosaveinterval recover | nothing: all is kept, and the same command goes on
noswap reverse wait restart fatalerror loseonly transform sendbyboard proto dir | nothing
"""
OTHERS = {
    word: hint
    for words, _, hint in (row.partition(" | ") for row in _ROWS.strip().splitlines())
    for word in words.split()
}
"""Words of fastchess, cutechess-cli and c-gomoku-cli, and what to write here."""


def others_hints(typed: Sequence[str], known: Collection[str]) -> dict[str, str]:
    """What to write for words of other programs in a command that has the `known` options: for its
    options, or else for what is like `tc=10`."""
    options = [word for word in typed if word.startswith("-")]
    keys = [word for word in typed if "=" in word and word[0] != "-"]
    hints = {word: hint for word in options if (hint := _hint(word, known))}
    return hints or {word: hint for word in keys if (hint := _hint(word, known))}


def _hint(word: str, known: Collection[str]) -> str:
    if word.partition("=")[0] in known:
        return ""
    key = re.split(r"[=.]", word.lstrip("-").lower())[0]
    own = f"--{key}" if f"--{key}" in known else ""
    hint = OTHERS.get(key, own)
    if not hint:
        return ""
    is_here = {*re.findall("--[a-z]+", hint)} <= {*known}
    return f"{'here' if is_here else 'in arena match'} it is {hint}"


def gone(kind: str, name: object, known: Collection[str] = ()) -> str:
    """The message on a thing that was taken away; empty for any other.

    `known` are the keys that are known where it stands, or the command or module that it was
    asked of.
    """
    thing = _gone_thing(kind, name, known)
    return f"{kind} {name!r} is gone: {thing.instead}" if thing else ""


def is_taken(key: object, value: object, known: Collection[str]) -> bool:
    """True for a key that was taken away, if its value asks for what is done anyway."""
    thing = _gone_thing("key", key, known)
    if thing is None or thing.kept is None:
        return False
    return isinstance(value, bool) == isinstance(thing.kept, bool) and bool(value == thing.kept)


def gone_settings(kept: Mapping[str, Any]) -> Iterator[str]:
    """The messages on the keys of a run's kept config that no longer have any effect."""
    for key, value in kept.items():
        message = gone("key", key, kept)
        if message and not is_taken(key, value, kept):
            yield message


def _gone_thing(kind: str, name: object, known: Collection[str]) -> Gone | None:
    thing = GONE.get((kind, str(name)))
    if thing and thing.beside and thing.beside not in known:
        return None
    return thing
