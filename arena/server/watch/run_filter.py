"""The filter of the list of runs, as its address has it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from math import inf
from urllib.parse import urlencode

LONGEST_WORDS = 100
"""Characters of a search that are read."""
STATES = ("being played", "complete", "not complete")
"""States that the list can be filtered by."""


@dataclass(frozen=True, slots=True)
class RunFilter:
    """The runs that are asked for; an empty field asks for all."""

    search: str = ""  # Words that are all in a run's name
    player: str = ""  # Words that are all in the name of one of its players
    state: str = ""
    since: str = ""  # The first day, such as 2026-11-25, in this machine's time
    until: str = ""  # The last day

    @property
    def span(self) -> tuple[float, float]:
        """The seconds since 1970 from which, and before which, a run was last played."""
        start = _day_start(self.since) if self.since else -inf
        return start, _day_start(self.until, 1) if self.until else inf

    @property
    def told(self) -> str:
        """The filter as the end of a sentence on runs: `is complete and was played with x`."""
        is_so = {"is": self.state, "is named": self.search, "was played with": self.player}
        days = {"was played from": self.since, "was played until": self.until}
        told = [f"{verb} {word}" for verb, word in (is_so | days).items() if word]
        return " and ".join(told) or "is shown"

    def query(self, page: int = 1) -> str:
        """The part of an address that asks for a page of these runs."""
        words = {
            "search": self.search,
            "player": self.player,
            "state": self.state,
            "from": self.since,
            "to": self.until,
            "page": str(page) if page > 1 else "",
        }
        return urlencode({name: word for name, word in words.items() if word})


def asked_filter(words: Mapping[str, str]) -> RunFilter:
    """The filter that an address has; a field with a mistake filters nothing."""
    search, player = (words.get(name, "")[:LONGEST_WORDS] for name in ("search", "player"))
    state = words.get("state", "")
    days = [_day_of(words.get(name, "")) for name in ("from", "to")]
    return RunFilter(search, player, state if state in STATES else "", *days)


def _day_of(text: str) -> str:
    """A day as browsers write it; empty for anything else."""
    try:
        return text if date.fromisoformat(text).isoformat() == text else ""
    except ValueError:
        return ""


def _day_start(day: str, later: int = 0) -> float:
    """The moment at which a day begins, `later` days after this one; infinite beyond time."""
    try:
        start = date.fromisoformat(day) + timedelta(days=later)
        return datetime.combine(start, datetime.min.time()).timestamp()
    except (OverflowError, OSError, ValueError):
        return inf if later else -inf


def has_words(name: str, words: list[str]) -> bool:
    """True if all words, which are in lower case, are in the name, in upper or lower case."""
    folded = name.casefold()
    return all(word in folded for word in words)
