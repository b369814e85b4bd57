"""Keys, options and names that were taken away: each is refused with what to use instead."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Gone:
    """One thing that was taken away."""

    instead: str
    """What to use, or to do, in its place."""
    beside: str = ""
    """A key that is known wherever this one was, the command of an option, or the module of a name;
    empty: any."""
    kept: object = None
    """The one value with which a key is still taken, without a word; None: there is none."""


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


def gone(kind: str, name: object, known: Collection[str] = ()) -> str:
    """The message on a thing that was taken away; empty for any other.

    `known` are the keys that are known where it stands, or the command or module that it was
    asked of.
    """
    found = _found(kind, name, known)
    return f"{kind} {name!r} is gone: {found.instead}" if found else ""


def is_taken(key: object, value: object, known: Collection[str]) -> bool:
    """True for a key that was taken away, with the one value that says what is done anyway."""
    found = _found("key", key, known)
    if found is None or found.kept is None:
        return False
    return isinstance(value, bool) == isinstance(found.kept, bool) and bool(value == found.kept)


def gone_settings(kept: Mapping[str, Any]) -> Iterator[str]:
    """The messages on settings of games that were played, by which none can be played any more."""
    for key, value in kept.items():
        if (message := gone("key", key, kept)) and not is_taken(key, value, kept):
            yield message


def _found(kind: str, name: object, known: Collection[str]) -> Gone | None:
    """What was taken away by this name from this place."""
    found = GONE.get((kind, str(name)))
    return found if found and (not found.beside or found.beside in known) else None
