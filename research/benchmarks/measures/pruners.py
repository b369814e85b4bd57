"""Studies of Optuna's own with simulated games: which trials its pruners end, and what is found."""

from __future__ import annotations

import random
from collections.abc import Callable, Generator, Iterable, Iterator
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory

import numpy as np
import optuna
from optuna.pruners import BasePruner
from optuna.trial import TrialState

from arena.bench import Measurement
from arena.game import Outcome
from arena.match.record import GameRecord, Job, record
from arena.plugins.load import parse_parameters
from arena.storage.database import Machine
from arena.tuning.method import Plan
from arena.tuning.model.posterior import Array
from arena.tuning.optuna.objective import Objective, Report, prepare
from arena.tuning.optuna.sampler import found_by, quiet
from arena.tuning.settings.reader import read_users_study
from arena.workers.logs import LogFile
from arena.workers.referee import Referee
from benchmarks.landscapes import DRAWISH, OPENING, Landscape
from benchmarks.simulated import tuned_loss

PRUNERS: dict[str, tuple[Callable[[], BasePruner], Report]] = {
    "MedianPruner": (lambda: optuna.pruners.MedianPruner(n_warmup_steps=10), "mean"),
    "PercentilePruner 75 %": (
        lambda: optuna.pruners.PercentilePruner(75.0, n_warmup_steps=10),
        "mean",
    ),
    "SuccessiveHalvingPruner": (
        lambda: optuna.pruners.SuccessiveHalvingPruner(min_resource=10, reduction_factor=3),
        "mean",
    ),
    "WilcoxonPruner 0.03": (
        lambda: optuna.pruners.WilcoxonPruner(p_threshold=0.03, n_startup_steps=14),
        "opening",
    ),
    "WilcoxonPruner 0.1": (
        lambda: optuna.pruners.WilcoxonPruner(p_threshold=0.1, n_startup_steps=14),
        "opening",
    ),
}
STUDIES, BEFORE, GAMES = 20, 12, 100
"""Studies for each pruner; trials at random points before the two that are looked at; games of a
trial."""
BAD = 0.9
"""Share of random points that are stronger than a bad one; a good one is the strongest."""
TRIALS, LANDSCAPES = 40, 8
PARAMETERS = 2
ENGINE = """
from typing import Annotated
from arena import Range

GAMES = ("gomoku",)


class Simulated:
    def new_game(self, seed): ...
    def choose(self, position, limit): ...
    def close(self): ...


def engine(
    game, *, p0: Annotated[float, Range(0, 1)] = 0.5, p1: Annotated[float, Range(0, 1)] = 0.5
):
    return Simulated()
"""


class SimulatedSite:
    """Games by the strengths of a landscape, on openings that favour a side, for all alike."""

    workers, slots = 0, 1

    def __init__(self, landscape: Landscape) -> None:
        self._shape = landscape.shape

    def play(
        self, jobs: Iterable[Job | None], referee: Referee, log: LogFile
    ) -> Generator[GameRecord]:
        """The game of each job; its result depends on the job alone."""
        for job in jobs:
            assert job
            yield record(job, Outcome(self._winner(job), "line"), "", str(job))

    def _winner(self, job: Job) -> int | None:
        lead = float(self._shape.lead(self._point(job.first), self._point(job.second), 0))
        lead += random.Random(job.opening).gauss(0, OPENING)
        chance, drawish = random.Random(job.seed).random(), DRAWISH["few"]
        if chance < 1 / (1 + 10 ** ((drawish - lead) / 400)):
            return 1
        return 2 if chance > 1 - 1 / (1 + 10 ** ((drawish + lead) / 400)) else None

    def _point(self, name: str) -> Array:
        if name == "default":
            return self._shape.start
        return np.array([float(str(value)) for value in parse_parameters(name).values()])

    def check(self, referee: Referee) -> None: ...

    def machines(self) -> list[Machine]:
        return []

    def at_most(self, games: int) -> SimulatedSite:
        return self

    def lines(self) -> list[str]:
        return []


def rows(repeat: int) -> Iterator[Measurement]:
    """A row for each pruner, and one that compares what is found with our own `tpe`; `repeat` is
    ignored."""
    for name in PRUNERS:
        yield pruner_row(name, range(STUDIES))
    yield found_row(range(LANDSCAPES))


def pruner_row(name: str, seeds: Iterable[int]) -> Measurement:
    """In how many studies a bad trial and a good one end early, and the games that they have."""
    ended = [ends_of(*PRUNERS[name], seed) for seed in seeds]
    row: Measurement = {"name": f"pruners/{name}", "studies": len(ended)}
    for place, kind in enumerate(("bad", "good")):
        trials = [pair[place] for pair in ended]
        row[f"{kind}_ended"] = sum(trial.state == TrialState.PRUNED for trial in trials)
        row[f"{kind}_games"] = fmean(trial.user_attrs["games"] for trial in trials)
    return row


def ends_of(
    make: Callable[[], BasePruner], report: Report, seed: int
) -> list[optuna.trial.FrozenTrial]:
    """The last trials of a study: a bad point, and the strongest one."""
    landscape = Landscape(PARAMETERS, seed)
    with TemporaryDirectory() as folder, quiet():
        optimize = study_in(Path(folder), landscape, make(), report, seed)
        study = optimize(BEFORE)
        for point in (bad_point(landscape, seed), landscape.shape.best):
            study.enqueue_trial({f"p{i}": float(unit) for i, unit in enumerate(point)})
        return optimize(2).trials[-2:]


def bad_point(landscape: Landscape, seed: int) -> Array:
    """The point, of many at random, than which a share of `BAD` is stronger."""
    points = np.random.default_rng(seed).random((1000, PARAMETERS))
    found: Array = sorted(points, key=landscape.elo, reverse=True)[round(BAD * len(points))]
    return found


def study_in(
    folder: Path, landscape: Landscape, pruner: BasePruner, report: Report, seed: int
) -> Callable[[int], optuna.Study]:
    """A function that plays some trials more, at random points unless others are enqueued."""
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    sampler = optuna.samplers.RandomSampler(seed=seed)
    study = optuna.create_study(direction="maximize", sampler=sampler, pruner=pruner)
    objective = objective_in(folder, landscape, report, seed)

    def optimize(trials: int) -> optuna.Study:
        study.optimize(objective, n_trials=trials)
        return study

    return optimize


def objective_in(folder: Path, landscape: Landscape, report: Report, seed: int) -> Objective:
    """The objective of a study with simulated games."""
    (folder / "simulated.py").write_text(ENGINE)
    config = read_users_study(
        {
            "name": "simulated",
            "game": "gomoku",
            "engine": str(folder / "simulated.py"),
            "parameters": ["p0", "p1"],
            "games": GAMES,
            "seed": seed,
            "verification": {"pairs": 100},
        }
    )
    site = SimulatedSite(landscape)
    prepare(folder / "results", config, site, fresh=False, accept_changes=False)
    made = Objective(folder / "results", config, report, 0, None)
    made.site = site
    return made


def found_row(seeds: Iterable[int]) -> Measurement:
    """Elo lost at the point that `arena.prove` would test, beside that of our method of equal
    trials."""
    losses = [(loss_of_optuna(seed), loss_of_ours(seed)) for seed in seeds]
    theirs, ours = map(fmean, zip(*losses, strict=True))
    return {"name": "pruners/found", "studies": len(losses), "loss": theirs, "loss_of_tpe": ours}


def loss_of_optuna(seed: int) -> float:
    """The loss of a study of Optuna's."""
    landscape = Landscape(PARAMETERS, seed)
    with TemporaryDirectory() as folder, quiet():
        objective = objective_in(Path(folder), landscape, "mean", seed)
        sampler = optuna.samplers.TPESampler(seed=seed, multivariate=False)
        study = optuna.create_study(
            direction="maximize", sampler=sampler, pruner=optuna.pruners.NopPruner()
        )
        study.enqueue_trial(objective.config.space.default)
        study.optimize(objective, n_trials=TRIALS)
        found = found_by(study, objective.config.space)
    return -landscape.elo(objective.config.space.units(found))


def loss_of_ours(seed: int) -> float:
    """The loss of `method: tpe` with as many trials and games."""
    plan = Plan(TRIALS * GAMES, GAMES, 1, seed)
    return tuned_loss(Landscape(PARAMETERS, seed), "tpe", plan)
