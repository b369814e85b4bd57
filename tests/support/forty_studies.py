"""Forty small studies, played in one place and gone on with in another.

    PYTHONPATH=tests python tests/support/forty_studies.py play FOLDER
    PYTHONPATH=tests python tests/support/forty_studies.py go_on FOLDER

`play` plays them, every second one to its middle only; `go_on` reads each, goes on with it, proves
it, and prints what it found as JSON. Copy the folder in between, and run the second command with
another Python, other libraries, or by `plain.py` as on another processor.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from dataclasses import asdict
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import optuna
from support.studies import COIN

import arena
from arena.storage.database import Store
from arena.storage.folder import read_store
from arena.tuning.study import Study

PLAYER = COIN.replace(
    "    sulks:", "    scale: Annotated[float, Range(0.1, 10.0, log=True)] = 1.0,\n    sulks:"
).replace("abs(weight - 0.8)", "abs(weight - 0.8) - 0.02 * abs(scale - 2)")
COMPARING = "ascent", "spsa"
ALONE = "tpe", "random", "qmc", "{sampler: optuna.samplers.TPESampler, multivariate: true}", "gp"
USERS = "optuna.Study"
NUMBERS, CHOICES = "[weight, scale, power]", "[weight, scale, sulks]"
RIVALS = (
    "opponents: [{name: a, engine: ./player.py, weight: 0.5}, {name: b, engine: ./player.py}]\n"
)
TRIALS, GAMES = 8, 8


def studies() -> dict[str, str]:
    methods = [*COMPARING, "cmaes", *ALONE, USERS]
    if find_spec("torch") is None:
        methods.remove("gp")
    kinds = [(NUMBERS, ""), (NUMBERS, ""), (NUMBERS, RIVALS), (NUMBERS, RIVALS), (CHOICES, "")]
    return {
        f"{_short(method)}{k}": _text(method, *kind)
        for method in methods
        for k, kind in enumerate(kinds)
        if not (kind[0] == CHOICES and method in (*COMPARING, "cmaes"))
    }


def _short(method: str) -> str:
    return {USERS: "users"}.get(method, "named" if "{" in method else method)


def _text(method: str, parameters: str, rivals: str) -> str:
    search = f"method: {method}\nbudget: {TRIALS * GAMES}\nlag: 2\n" if method != USERS else ""
    return (
        f"game: {{gomoku: {{size: 9}}}}\nengine: ./player.py\nparameters: {parameters}\n"
        f"{search}{rivals}games: {GAMES}\nseed: 3\nopenings: {{random: {{plies: 3}}}}\n"
        "verification: {elo0: -200, elo1: 0, pairs: 40}\n"
    )


def play(folder: Path) -> None:
    folder.mkdir(parents=True)
    (folder / "player.py").write_text(PLAYER)
    for number, (name, text) in enumerate(studies().items()):
        (folder / f"{name}.yaml").write_text(text)
        _go_on(folder, name, text, is_whole=number % 2 == 0)


def _go_on(folder: Path, name: str, text: str, is_whole: bool) -> Study:
    results, file = folder / "results", folder / f"{name}.yaml"
    if "method" in text:
        seen = list[object]()
        half = TRIALS * GAMES // 2 + 3
        stop = None if is_whole else lambda: len(seen) > half
        return arena.tune(file, workers=0, results=results, watch=seen.append, stop=stop)
    file_, sampler = f"sqlite:///{folder / name}.db", optuna.samplers.TPESampler(seed=1)
    there = {"storage": file_, "study_name": name, "load_if_exists": True}
    study = optuna.create_study(direction="maximize", sampler=sampler, **there)
    wanted = TRIALS if is_whole else TRIALS // 2
    study.optimize(
        arena.objective(file, workers=0, results=results), n_trials=wanted - len(study.trials)
    )
    if is_whole:
        arena.prove(study, file, workers=0, results=results)
    return arena.open_study(results / name)


def facts(study: Study) -> dict[str, Any]:
    told = study.trials.told
    return {
        "asked": [trial.points for trial in study.trials.asked],
        "told": [(each.trial.number, each.estimate, each.games) for each in told],
        "games": Counter(read_store(study.folder, Store.rounds) or ()),
        "test": read_store(study.folder / "verification", Store.count),
        "values": study.values,
        # What Optuna's own study recommends is computed by each reader: its trials may go on.
        "advice": [] if study.config.is_users else [asdict(each) for each in study.advice],
        "verdict": str(study.verdict),
    }


def go_on(folder: Path) -> dict[str, Any]:
    found = {}
    for name, text in studies().items():
        before = facts(arena.open_study(folder / "results" / name))
        _go_on(folder, name, text, is_whole=True)
        after = facts(arena.open_study(folder / "results" / name))
        found[name] = {"before": before, "after": after}
    return found


if __name__ == "__main__":
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    if sys.argv[1] == "play":
        play(Path(sys.argv[2]).absolute())
    else:
        print(json.dumps(go_on(Path(sys.argv[2]).absolute())))
