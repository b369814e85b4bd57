"""The analyses of a server's pages: as many at once as the machine bears, each only while its
page asks for it."""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from arena.engine import Limit
from arena.errors import ConfigError
from arena.game import Game, Position
from arena.plugins.load import load_game
from arena.server.analysis.analysis import Analysis, Wish
from arena.server.analysis.engine_lines import FIRST_SECONDS, LONGEST_STEP
from arena.server.analysis.position import position_wanted
from arena.server.play.journal import friendly_terms
from arena.server.play.offer import NO_CHOICE, Offer, choice_at

MOST_AT_ONCE = 4
"""Analyses that may have a process."""
MOST_KEPT = 100
"""Analyses of which something is remembered: one for each tab."""
MOST_LINES = 5
UNSEEN = 2.0
"""Seconds without a question from its page, after which an analysis stops thinking."""
LONGEST_REST = 300.0
"""Seconds without thinking after which a process is ended, and its memory given back."""
CHECK_PAUSE = 0.5
OTHERS_THINK = (
    f"{MOST_AT_ONCE} analyses are thinking already, in other tabs: stop one, or close its tab."
)
MADE_ROOM = "This analysis was ended, since others were begun in other tabs."


class Analyses:
    """Holds the analyses of all tabs."""

    def __init__(self, offer: Offer) -> None:
        self._offer = offer
        self._kept: dict[str, Analysis] = {}
        self._opening = threading.Lock()
        self._is_closed = threading.Event()
        self._watcher: threading.Thread | None = None

    def find(self, id: str) -> Analysis | None:
        """The analysis of an id, whose page has asked for it just now; None if there is none."""
        analysis = self._kept.get(id)
        if analysis:
            analysis.touched = time.monotonic()
        return analysis

    def position(self, wish: Any) -> tuple[Game, Position]:
        """The position of a wish, with its rules; ConfigError if there is none such."""
        rules = load_game(self._offer.game(wish))
        return rules, position_wanted(rules, wish)

    def look(self, wish: Any) -> tuple[str, Game, Position]:
        """Go to the position of a wish, and think of it if an engine is named.

        Returns the id of the analysis, a new one unless the wish has it, and the position with its
        rules. ConfigError says why it cannot be looked at, or thought of.
        """
        rules, p = self.position(wish)
        is_rest = wish.get("engine") is None or rules.outcome(p)
        wanted = None if is_rest else self._wanted(wish, p)
        with self._opening:
            id, analysis = self._opened(wish.get("id"))
            if wanted is None:
                analysis.rest()
            else:
                self._make_room(analysis)
                analysis.think(wanted)
        return id, rules, p

    def _wanted(self, wish: Mapping[str, Any], p: Position) -> Wish:
        """The engine and the lines of a wish; ConfigError if they are not on offer."""
        player = replace(self._offer.player(wish["engine"]), limit=None)
        lines = choice_at(range(1, MOST_LINES + 1), wish.get("lines"))
        terms = friendly_terms(self._offer.game(wish), Limit(seconds=FIRST_SECONDS))
        return Wish(replace(terms, hang=LONGEST_STEP), player, p, lines)

    def _opened(self, id: Any) -> tuple[str, Analysis]:
        if self._is_closed.is_set() or not (id is None or isinstance(id, str)):
            raise ConfigError(NO_CHOICE)
        if id and (analysis := self.find(id)):
            return id, analysis
        if len(self._kept) >= MOST_KEPT:
            oldest = min(self._kept, key=lambda each: self._kept[each].touched)
            self._kept.pop(oldest).end()
        id, analysis = secrets.token_hex(8), Analysis()
        self._kept[id] = analysis
        if self._watcher is None:
            self._watcher = threading.Thread(target=self._watch, daemon=True)
            self._watcher.start()
        return id, analysis

    def _make_room(self, newcomer: Analysis) -> None:
        """End the oldest that is idle, if there are too many; ConfigError if none is."""
        others = [each for each in self._with_process() if each is not newcomer]
        if len(others) < MOST_AT_ONCE:
            return
        idle = [each for each in others if not each.is_thinking]
        if not idle:
            raise ConfigError(OTHERS_THINK)
        min(idle, key=lambda each: each.touched).end(MADE_ROOM)

    def _with_process(self) -> Iterator[Analysis]:
        kept = list(self._kept.values())
        return (each for each in kept if each.has_process or each.is_thinking)

    def _watch(self) -> None:
        while not self._is_closed.wait(CHECK_PAUSE):
            now = time.monotonic()
            for analysis in self._with_process():
                if analysis.is_thinking and now - analysis.touched > UNSEEN:
                    analysis.rest()
                elif not analysis.is_thinking and now - analysis.touched > LONGEST_REST:
                    analysis.end()

    def close(self) -> None:
        """End all processes."""
        self._is_closed.set()
        with self._opening:
            for analysis in self._kept.values():
                analysis.end()
