"""The matches of a proof in the folder of what they prove, played and read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path

from arena.report.outlook import ExpectedPairs, tosses
from arena.report.verdict import GO_ON
from arena.storage.folder import DATABASE, locked
from arena.tournament.run import Run, RunWatcher
from arena.tuning.proof.attempts import Played, attempts_of, begin_attempt, openings_of_test
from arena.tuning.proof.gains import condition_text
from arena.tuning.proof.kept_bounds import check_bounds, check_code
from arena.tuning.proof.tuned_file import remove_tuned, write_tuned
from arena.tuning.proof.verification import (
    NAME,
    OPPONENTS,
    Proof,
    chance_of,
    gauntlet_of,
    match_of,
    proof_of,
)
from arena.tuning.settings.proof_config import ProofConfig
from arena.tuning.space import Values
from arena.workers.pool import Site
from arena.workers.runner import Stop


class ProofMatches:
    """Holds the runs that prove new weights, each made once: openings take seconds to draw."""

    def __init__(
        self,
        folder: Path,
        config: ProofConfig,
        values: Values,
        expected: Callable[[], ExpectedPairs] = tosses,
        played: Played = tuple,
    ) -> None:
        """`values` are the new weights; none before they are found. `expected` tells what pairs the
        test is expected to have, `played` which openings it may not have beside other proofs'."""
        self.folder, self.config, self.values = folder, config, values
        self._expected, self._played = expected, played

    @cached_property
    def test(self) -> Run:
        """The match of the new weights against the default ones."""
        openings = openings_of_test(self.folder, self.config, self._played)
        return Run(self.folder / NAME, match_of(self.config, self.values, openings))

    @cached_property
    def gauntlet(self) -> Run:
        """The matches of both against every opponent."""
        config = gauntlet_of(self.config, self.values, self.test.config.openings)
        return Run(self.folder / OPPONENTS, config)

    @property
    def proof(self) -> Proof | None:
        """The proof so far; None before its first game."""
        if not self.values or not (self.folder / NAME / DATABASE).exists():
            return None
        gauntlet = self.gauntlet if self.config.opponents else None
        proof = proof_of(self.test, self.config.labels, gauntlet)
        chance = chance_of(self.config.verification)
        return replace(proof, chance=chance, earlier=attempts_of(self.folder))

    @property
    def is_over(self) -> bool:
        """True once nothing is left to be played."""
        if self.values == self.config.space.default:
            return True
        return bool((proof := self.proof) and not proof.is_pending)

    def stopped(self, go_on: str = GO_ON) -> str:
        """The reason why the proof stopped by itself, and how to `go_on`; empty if it did not."""
        if not self.proof:
            return ""
        runs = [self.test, *([self.gauntlet] if self.config.opponents else [])]
        return next(filter(None, (each.stopped(go_on) for each in runs)), "")

    def play(
        self, site: Site, *, watch: RunWatcher | None = None, stop: Stop | None = None
    ) -> None:
        """Play the missing games; only if the gain is proved, write a file of the new weights.

        The matches' code stays as it is once they have games, as their bounds do.
        """
        play = partial(Run.play, site=site, watch=watch, stop=stop)
        with locked(self.folder):
            check_bounds(self.folder, self.config)
            if self.values != self.config.space.default:
                self._play(play)
            if (proof := self.proof) and proof.has_passed:
                gains = list(map(condition_text, proof.conditions))
                write_tuned(self.folder, self.config.name, self.test.config, gains)
            else:
                remove_tuned(self.folder, self.config)

    def _play(self, play: Callable[..., None]) -> None:
        """Play the test, and if it proves the gain, the matches against the opponents."""
        check_code(self.test)
        begin_attempt(self.folder, self.config, self.test.config.openings)
        play(self.test, expected=self._expected())
        if (proof := self.proof) and proof.is_proved and self.config.opponents:
            check_code(self.gauntlet)
            play(self.gauntlet)
