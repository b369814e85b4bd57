"""The first games of each player by the schedule, to stop for one that only loses by its faults."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable

from arena.format import Pairing
from arena.match.game_row import keys_of
from arena.match.pairs import PairResult, Results
from arena.match.record import GameRecord, key

FIRST_GAMES = 8
"""Games of a player after which a run stops, if all of them ended by its own faults."""


class FirstGames:
    """Holds the first pairs of players that did nothing but lose by faults of their own.

    A pair counts when all before it are in, so that games which end later change nothing, however
    many workers play.
    """

    def __init__(
        self, players: Iterable[str], player_of: Callable[[str], str] = lambda name: name
    ) -> None:
        """Look at these players; `player_of` tells which of them a name in a pairing stands for."""
        self.faulty = ""
        """The player whose first games all ended by its own faults; empty as long as none did."""
        self._pairs: dict[str, list[Pairing]] = {player: [] for player in players}
        self._player_of = player_of
        self._due: deque[Pairing] = deque()

    @property
    def is_settled(self) -> bool:
        """True if no pair that may follow changes anything, or one is not in yet."""
        return bool(self.faulty or self._due or not self._pairs)

    @property
    def are_sound(self) -> bool:
        """True once every player has a game that ended otherwise: then nothing is counted."""
        return not self._pairs

    @property
    def last(self) -> Pairing:
        """The pair with the last of the faulty player's first games."""
        return self._pairs[self.faulty][-1]

    def add(self, pairing: Pairing) -> None:
        """Take in a pairing, in the order of the schedule."""
        if self._pairs:
            self._due.append(pairing)

    def look(self, results: Results) -> bool:
        """Take in the pairs that are in; True once there is a faulty player."""
        while self._due and not self.faulty and (result := results.get(self._due[0])):
            self._take(self._due.popleft(), result)
        return bool(self.faulty)

    def _take(self, pairing: Pairing, result: PairResult) -> None:
        """Count a pair; a player with a game that ended otherwise is looked at no more."""
        faults: Counter[str] = Counter()
        for name, count in zip((pairing.one, pairing.other), result.faults, strict=True):
            faults[self._player_of(name)] += count
        for player, count in faults.items():
            if count < 2:
                self._pairs.pop(player, None)
            elif player in self._pairs:
                self._pairs[player].append(pairing)
                if 2 * len(self._pairs[player]) == FIRST_GAMES:
                    self.faulty = player

    @property
    def keys(self) -> set[int]:
        """The keys of the faulty player's first games."""
        return {key for pair in self._pairs[self.faulty] for key in keys_of(pair)}

    def games(self, records: Iterable[GameRecord]) -> list[GameRecord]:
        """The faulty player's first games, in the order of the schedule."""
        kept = {key(record): record for record in records}
        return [
            kept[first, second, pair.opening, pair.round]
            for pair in self._pairs[self.faulty]
            for first, second in ((pair.one, pair.other), (pair.other, pair.one))
        ]
