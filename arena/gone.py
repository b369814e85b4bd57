"""Keys, options and names that were taken away, and words of other programs: each is refused with
what to use instead."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Gone:
    """One thing that was taken away."""

    instead: str  # What to use, or to do, in its place
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
    found = [(word, hint) for word in options if (hint := _hint(word, known))]
    return dict(found or [(word, hint) for word in keys if (hint := _hint(word, known))])


def _hint(word: str, known: Collection[str]) -> str:
    """What to write for one word; empty for one that is right, or that nobody knows."""
    key = re.split(r"[=.]", word.lstrip("-").lower())[0]
    own = f"--{key}" if f"--{key}" in known else ""
    hint = "" if word.partition("=")[0] in known else OTHERS.get(key, own)
    missing = {*re.findall("--[a-z]+", hint)} - {*known}
    return f"{'in arena match' if missing else 'here'} it is {hint}" if hint else ""


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
    found = GONE.get((kind, str(name)))
    return found if found and (not found.beside or found.beside in known) else None
