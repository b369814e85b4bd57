"""Faults in users' texts: the place, the fault, and the likely correction."""

from __future__ import annotations

import difflib
import re
import traceback
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import date
from math import isfinite
from pathlib import Path
from typing import Any, NamedTuple

from arena.gone import gone

DISTRIBUTION = "gomoku-arena"
IMPORT_CODE = ("<", str(Path(__file__).parent / "plugins" / "source_tree.py"))
"""Beginnings of the paths of code that imports: the fault lies where the import stands."""
NEAR = 0.6
"""Likeness (see `difflib`) from which on a known word can be the one that was meant."""
OTHER_WORDS = {
    **dict.fromkeys(("players", "bots", "participants", "programs"), "engines"),
    **dict.fromkeys(("player", "bot", "program"), "engine"),
    **dict.fromkeys(("time", "movetime"), "seconds"),
    **dict.fromkeys(("board", "variant", "rules"), "game"),
    **dict.fromkeys(("n_jobs", "processes", "threads"), "workers"),
    "random_state": "seed",
}
"""Words that others use, and ours."""
LONGEST_WORDS = 300
"""Characters of others' text, values and exceptions, in a message."""


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
    used instead: see `arena/gone.py`.
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
    """The file, of one of these suffixes, that a path which leads nowhere was probably meant to be.

    It is in the folder of that path; None if none is near.
    """
    try:
        there = [each.name for each in missing.parent.iterdir() if not each.name.startswith(".")]
    except OSError:
        return None
    names = [name for name in sorted(there) if not suffixes or Path(name).suffix in suffixes]
    # Of files that differ in their suffixes only, the one with the same suffix.
    names.sort(key=lambda name: Path(name).suffix == missing.suffix)
    words = {Path(name).stem: name for name in names}
    found = nearest(missing.stem, words)
    return missing.parent / words[found] if found else None


def no_such_file(missing: Path, suffixes: Collection[str] = (), *folders: str) -> str:
    """A message on a file that is not there; the one that is near may be in one of the `folders`
    beside it.
    """
    places = (missing.parent / folder / missing.name for folder in ("", *folders))
    near = next(filter(None, (near_file(place, suffixes) for place in places)), None)
    return f"no such file; did you mean {near}?" if near else "no such file"


def install_command(extra: str) -> str:
    """The command that installs what an extra of pyproject.toml brings: `pip install pyarrow`.

    It names those packages, since an index need not have this project.
    """
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
    """A pydantic error (an item of `ValidationError.errors()`) in the words of this project."""
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
