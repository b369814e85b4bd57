"""The matches of a proof, its attempts counted, and what must stay once it has games."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import closing, suppress
from dataclasses import asdict, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from arena.config.reader import listed
from arena.config.settings import one_named, to_data, value_changes
from arena.errors import ConfigError, Fault
from arena.game import Game
from arena.match.copies import start_mark
from arena.match.game_row import digest_of
from arena.match.opening import Openings
from arena.match.pairs import results_of
from arena.plugins.load import load_game
from arena.plugins.parameters import adapter
from arena.report.outlook import ExpectedPairs, tosses
from arena.report.verdict import GO_ON
from arena.storage.database import Store
from arena.storage.folder import (
    DATABASE,
    WRITTEN_FILES,
    as_config_error,
    games_of,
    locked,
    read_store,
)
from arena.storage.history import change_text, code_changes, with_digests
from arena.tournament.run import Run, RunWatcher, open_run
from arena.tuning.proof.verification import (
    NAME,
    OPPONENTS,
    Attempt,
    Proof,
    chance_of,
    condition_text,
    contents_beside,
    gauntlet_of,
    match_of,
    proof_of,
    remove_tuned,
    standing_of,
    write_tuned,
)
from arena.tuning.settings.conditions import AT, TUNED, TUNED_FILE, ProofConfig
from arena.tuning.settings.config import TuningConfig, proof_data
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
        openings = _openings_of_test(self.folder, self.config, self._played)
        return Run(self.folder / NAME, match_of(self.config, self.values, openings))

    @cached_property
    def gauntlet(self) -> Run:
        config = gauntlet_of(self.config, self.values, self.test.config.openings)
        return Run(self.folder / OPPONENTS, config)

    @property
    def proof(self) -> Proof | None:
        if not self.values or not (self.folder / NAME / DATABASE).exists():
            return None
        gauntlet = self.gauntlet if self.config.opponents else None
        proof = proof_of(self.test, self.config.labels, gauntlet)
        chance = chance_of(self.config.verification)
        return replace(proof, chance=chance, earlier=_attempts_of(self.folder))

    @property
    def is_over(self) -> bool:
        if self.values == self.config.space.default:
            return True
        return bool((proof := self.proof) and not proof.is_pending)

    def stopped(self, go_on: str = GO_ON) -> str:
        """The reason why the proof stopped by itself, and how to `go_on`; empty if it did not."""
        if not self.proof:
            return ""
        stopped = self.test.stopped(go_on)
        if not stopped and self.config.opponents:
            stopped = self.gauntlet.stopped(go_on)
        return stopped

    def play(
        self, site: Site, *, watch: RunWatcher | None = None, stop: Stop | None = None
    ) -> None:
        """Play the missing games; write a file of the new weights only if the gain is proved."""
        play = partial(Run.play, site=site, watch=watch, stop=stop)
        with locked(self.folder):
            _check_bounds(self.folder, self.config)
            if self.values != self.config.space.default:
                self._play(play)
            if (proof := self.proof) and proof.has_passed:
                gains = list(map(condition_text, proof.conditions))
                write_tuned(self.folder, self.config.name, self.test.config, gains)
            else:
                remove_tuned(self.folder, self.config)

    def _play(self, play: Callable[..., None]) -> None:
        _check_code(self.test)
        _begin_attempt(self.folder, self.config, self.test.config.openings)
        play(self.test, expected=self._expected())
        if (proof := self.proof) and proof.is_proved and self.config.opponents:
            _check_code(self.gauntlet)
            play(self.gauntlet)


ATTEMPTS = "attempts"
"""Folder within the study's, which has a folder for each attempt by its number; and the name under
which a study keeps what proofs there were before its own began."""

Played = Callable[[], Collection[int]]  # Clusters of openings that were played outside of proofs


def _attempts_of(folder: Path) -> list[Attempt]:
    """The proofs that had begun before this study's, in order; only those under its own name, if it
    is older than the count of others."""
    kept = (read_store(folder, Store.search_facts) or {}).get(ATTEMPTS)
    if kept is None:
        own = [file.parents[1] for file in folder.glob(f"{ATTEMPTS}/*/{NAME}/{DATABASE}")]
        return _attempts_in(sorted(own, key=lambda each: (len(each.name), each)), folder.parent)
    with as_config_error(folder / DATABASE):
        attempts: list[Attempt] = adapter(list[Attempt]).validate_python(json.loads(kept))
        return attempts


def _begin_attempt(folder: Path, config: ProofConfig, openings: Openings) -> None:
    _check_left(folder, config, openings)
    if not is_begun(folder):
        earlier = _attempts_in(_proofs_in_results(folder, config), folder.parent)
        with closing(Store(folder / DATABASE)) as store:
            store.keep_search({ATTEMPTS: json.dumps(list(map(asdict, earlier)))})


def is_begun(folder: Path) -> bool:
    return bool(read_store(folder / NAME, Store.players))


def _proofs_in_results(folder: Path, config: ProofConfig) -> list[Path]:
    """The proofs of this engine that share a parameter, in the order in which they began."""
    tests = (f"*/{NAME}/{DATABASE}", f"*/{ATTEMPTS}/*/{NAME}/{DATABASE}")
    folders = {file.parents[1] for each in tests for file in folder.parent.glob(each)}
    began = {each: _began(each, config) for each in folders}
    return sorted((each for each in folders if began[each]), key=lambda each: began[each])


def _began(folder: Path, config: ProofConfig) -> float:
    """The time at which a proof of this engine began, by any code; 0 if none did here."""
    with suppress(ConfigError), as_config_error(folder / DATABASE):
        facts: Mapping[str, Any] = read_store(folder, Store.facts) or {}
        (player, *_), engine = facts["players"], config.default.engine
        theirs, own = {axis["name"] for axis in facts["space"]}, {*config.space.default}
        program = engine.name, engine.parameters.get("command")
        is_same = (player["engine"], player.get("command")) == program
        if is_same and (theirs & own or theirs == own):
            return read_store(folder / NAME, _beginning) or 0.0
    return 0.0


def _beginning(store: Store) -> float:
    times = [each.began for each in store.sessions()]
    return min(times, default=1.0) if store.players() else 0.0


def _attempts_in(folders: Iterable[Path], results: Path) -> list[Attempt]:
    attempts: list[Attempt] = []
    for folder in folders:
        with suppress(ConfigError), as_config_error(folder / NAME):
            test = open_run(folder / NAME)
            games = test.counted().games
            labels = [name.removeprefix(TUNED).removeprefix(AT) for name in test.config.names[::2]]
            standing = standing_of(games, labels)
            (row,) = test.schedule.matches(results_of(games.rows))
            attempts.append(
                Attempt(
                    attempt=1 + len(attempts),
                    study=folder.relative_to(results).as_posix(),
                    games=standing.games,
                    elo=standing.elo,
                    elo_low=standing.elo_low,
                    elo_high=standing.elo_high,
                    decision=row["decision"] or "not over",
                    passed=(folder / TUNED_FILE).exists(),
                    chance=chance_of(test.config.format.parameters),
                    doubtful=standing.doubtful,
                )
            )
    return attempts


def _openings_of_test(
    folder: Path, config: ProofConfig, played: Played = tuple, *, fresh: bool = False
) -> Openings:
    """The openings of the test: those that it began with, then ones that no proof has played, as
    far as there are any.

    `played` gives openings that were played elsewhere; `fresh` is for a test begun anew.
    """
    plain = config.test_openings(config.verification["pairs"])
    kept = None
    if is_begun(folder) and not fresh:
        with as_config_error(folder / NAME / DATABASE):
            facts = read_store(folder / NAME, Store.facts) or {}
            kept = Openings(one_named(facts["openings"]), config.terms.game)
        if len(kept) >= len(plain):
            return kept
    seen = set(played()).union(*map(seen_in, _proofs_in_results(folder, config)))
    if not seen and kept is None:
        return plain
    begun, game = list(kept or ()), load_game(config.terms.game)
    seen.update(cluster_of(game, each) for each in begun)
    missing = len(plain) - len(begun)
    unseen = config.test_openings(missing, lambda each: cluster_of(game, each) in seen)
    openings = [*begun, *unseen]
    return plain if openings == list(plain) else listed(openings, config.terms.game)


def _check_left(folder: Path, config: ProofConfig, openings: Openings) -> None:
    needed = len(config.test_openings(config.verification["pairs"]))
    if len(openings) < needed:
        message = (
            f"only {len(openings)} of {needed} openings are left for the test that no trial and no "
            "earlier proof of this engine has played: give `openings` of which there are more, or "
            "fewer `pairs` of `verification`"
        )
        raise ConfigError(Fault(str(folder), message))


def seen_in(folder: Path) -> set[int]:
    clusters = set[int]()
    for file in (folder / DATABASE, *folder.glob(f"*/{DATABASE}")):
        with suppress(ConfigError):
            clusters |= read_store(file.parent, Store.clusters) or set()
    return clusters


def cluster_of(game: Game, opening: str) -> int:
    """The cluster of games on an opening, as `GameRow` has it; ValueError if it is none."""
    return digest_of(start_mark(game, opening)) if opening else 0


def check_proof(folder: Path, config: ProofConfig, played: Played = tuple) -> None:
    _check_bounds(folder, config)
    _check_left(folder, config, _openings_of_test(folder, config, played))


def keep_attempt(folder: Path, config: ProofConfig, played: Played = tuple) -> None:
    """Keep the study that is to be thrown away, if its proof was begun.

    ConfigError, and nothing is changed, if too few openings are left for the new one.
    """
    _check_left(folder, config, _openings_of_test(folder, config, played, fresh=True))
    if is_begun(folder):
        numbers = (each.name for each in (folder / ATTEMPTS).glob("*"))
        number = 1 + max((int(each) for each in numbers if each.isdecimal()), default=0)
        folders = folder, folder / NAME, folder / OPPONENTS
        files = [each / name for each in folders for name in WRITTEN_FILES]
        for file in (*files, folder / TUNED_FILE, *contents_beside(folder, config.default)):
            if file.exists():
                target = folder / ATTEMPTS / str(number) / file.relative_to(folder)
                target.parent.mkdir(parents=True, exist_ok=True)
                file.replace(target)


FROZEN = "verification", "openings", "vary", "plan"  # What must stay once the test has a game

ANOTHER_TEST = "for a new test, tune with --fresh: this attempt stays kept, and is counted"


def _check_bounds(folder: Path, config: ProofConfig) -> None:
    """Raise ConfigError if the test of this study has games, and is asked for by other bounds or
    openings.

    What is chosen after the games proves nothing. More `pairs` go on with a
    sequential test, and take no decision back.
    """
    played = read_store(folder / NAME, Store.players)
    with as_config_error(folder / DATABASE):
        before, after = read_store(folder, Store.facts) or {}, proof_data(config)
        after["plan"] = asdict(config.plan) if isinstance(config, TuningConfig) else None
        bounds = after["verification"]
        bounds["pairs"] = min(bounds["pairs"], before.get("verification", bounds)["pairs"])
        frozen = FROZEN if "verification" in before else ()
        parts = ((part, before.get(part), after.get(part)) for part in frozen)
        changed = [change for each in parts for change in value_changes(*each)]
    if changed and played:
        raise ConfigError(
            *(Fault(str(folder / NAME), change) for change in changed),
            "what is chosen after games were seen proves nothing, so the test keeps what it began "
            f"with; {ANOTHER_TEST}",
        )


def _check_code(run: Run) -> None:
    """ConfigError if these matches of a proof have games, and their engines' code has changed."""
    after = list(map(with_digests, to_data(run.config)["engines"]))
    with as_config_error(run.folder / DATABASE):
        before = (read_store(run.folder, Store.facts) or {}).get("engines", [])
        names = [entry["name"] for entry in before]
        count = read_store(run.folder, lambda store: games_of(names, "tournament", store))
        rows = list(code_changes(before, after, count or {}))
    if faults := [Fault(str(run.folder), change_text(row)) for row in rows]:
        raise ConfigError(
            *faults,
            "a proof is of one code, so the test keeps the code that it began with; "
            f"{ANOTHER_TEST}",
        )
