"""Earlier studies under a name whose proof was begun: kept, shown, and never proved again.

Sets of weights that are proved one after another on the same openings end with the set that suits
these openings. So a study that is thrown away after its proof had a game is kept as an attempt, and
a new one needs openings for its test that no attempt has seen.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from arena.config.settings import from_data
from arena.config.yaml_file import Document
from arena.errors import ConfigError, Fault
from arena.match.pairs import results_of
from arena.match.record import key
from arena.storage.database import Store
from arena.storage.folder import CONFIG, DATABASE, LOG, REPORT_PAGE, as_config_error, read_store
from arena.tournament.run import Run
from arena.tuning.proof.kept_bounds import check_bounds
from arena.tuning.proof.tuned_file import contents_beside
from arena.tuning.proof.verification import NAME, OPPONENTS, standing_of
from arena.tuning.settings.conditions import AT
from arena.tuning.settings.proof_config import TUNED, TUNED_FILE, ProofConfig

ATTEMPTS = "attempts"
"""Folder within the study's, which has a folder for each attempt by its number."""
BY_CHANCE = 0.1
"""Share of openings that two draws may have in common by chance: where few are possible."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """The test of an earlier study under this name."""

    attempt: int
    """The number of the attempt, from 1."""
    games: int
    elo: float
    elo_low: float
    """A 95 % interval."""
    elo_high: float
    decision: str
    passed: bool


def _folders_of(folder: Path) -> list[Path]:
    """The attempts' folders, the first attempt first."""
    found = (folder / ATTEMPTS).glob(f"*/{NAME}/{DATABASE}")
    return sorted((file.parents[1] for file in found), key=lambda each: int(each.name))


def attempts_of(folder: Path) -> list[Attempt]:
    """The earlier attempts under a study's name, the first one first."""
    return list(map(_attempt_in, _folders_of(folder)))


def _attempt_in(folder: Path) -> Attempt:
    """The test of one attempt, as it is kept."""
    with as_config_error(folder / NAME / CONFIG):
        test = Run(folder / NAME, from_data(Document(folder / NAME / CONFIG).data))
    games = test.counted().games
    labels = [name.removeprefix(TUNED).removeprefix(AT) for name in test.config.names[::2]]
    standing = standing_of(games, labels)
    (row,) = test.schedule.matches(results_of(games.rows))
    return Attempt(
        attempt=int(folder.name),
        games=standing.games,
        elo=standing.elo,
        elo_low=standing.elo_low,
        elo_high=standing.elo_high,
        decision=row["decision"] or "not over",
        passed=(folder / TUNED_FILE).exists(),
    )


def check_proof(folder: Path, config: ProofConfig) -> None:
    """ConfigError for other bounds than the test began with, or openings that were seen before."""
    check_bounds(folder, config)
    _check_unseen(_folders_of(folder), config)


def _check_unseen(folders: Iterable[Path], config: ProofConfig) -> None:
    """ConfigError if an attempt saw the openings on which this study is to be proved."""
    folders = list(folders)
    if not folders:
        return
    test = set(config.test_openings(config.verification["pairs"]))
    for folder in folders:
        for seen in (openings_in(folder), openings_in(folder / NAME)):
            if len(seen & test) > BY_CHANCE * min(len(seen), len(test)):
                message = (
                    "the test would be on openings that an earlier attempt under this name saw, "
                    "which proves nothing: give the openings another seed"
                )
                raise ConfigError(Fault(str(folder), message))


def openings_in(folder: Path) -> set[str]:
    """The openings of the games kept in a folder."""
    return {key(game)[2] for game in read_store(folder, Store.games) or []}


def keep_attempt(folder: Path, config: ProofConfig) -> None:
    """Keep the study that is to be thrown away, if its proof was begun.

    ConfigError, and nothing is changed, if the new one would be proved on openings seen before.
    """
    earlier = _folders_of(folder)
    is_proof = bool(read_store(folder / NAME, Store.players))
    _check_unseen([*earlier, *[folder][:is_proof]], config)
    if is_proof:
        place = folder / ATTEMPTS / str(1 + max((int(each.name) for each in earlier), default=0))
        for file in _played_files(folder, config):
            there = place / file.relative_to(folder)
            there.parent.mkdir(parents=True, exist_ok=True)
            file.replace(there)


def _played_files(folder: Path, config: ProofConfig) -> Iterator[Path]:
    """The files that a study and its proof have written."""
    names = CONFIG, DATABASE, f"{DATABASE}-wal", f"{DATABASE}-shm", LOG, REPORT_PAGE
    own = [each / name for each in (folder, folder / NAME, folder / OPPONENTS) for name in names]
    beside = [folder / TUNED_FILE, *contents_beside(folder, config.default)]
    yield from (file for file in (*own, *beside) if file.exists())
