"""A study on the screen while it is played: its points by their sides, with few digits."""

from __future__ import annotations

import re
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any, cast

import pytest
from support.played_trials import OPENINGS, PLAN, SPACE, played

from arena.match.game_row import row_of
from arena.match.pairs import Results
from arena.plugins.load import factory
from arena.tuning.settings.conditions import Condition, Spread
from arena.tuning.study import StudyProgress, trial_text
from arena.tuning.trials import Trials


@pytest.mark.parametrize(
    ("method", "rivals", "label", "lines"),
    [
        ("spsa", [], "", {"plus - minus: ", "minus - plus: "}),
        ("spsa", [], "depth=3", {"plus at depth=3 - minus at depth=3: "}),
        ("spsa", ["a"], "", {"plus - a: ", "a - minus: "}),
        ("random", ["default"], "", {"point - default: ", "default - point: "}),
    ],
)
def test_the_players_of_a_game_are_named_by_their_sides(
    method: str, rivals: Sequence[str], label: str, lines: set[str]
) -> None:
    tuner, spread = factory("method", method)(SPACE, PLAN), Spread([Condition(label)])
    trials = Trials(PLAN, tuner, rivals, OPENINGS, None, spread)
    config: Any = SimpleNamespace(plan=PLAN, space=SPACE)
    results, shown = Results(), set[str]()
    for number, job in enumerate(trials.jobs(results), start=1):
        assert job
        record = played(job)
        results.add(row_of(record))
        trials.advance(results)
        sides = trials.sides(record.round)
        progress = StudyProgress(
            games=number, total=24, record=record, config=config, told=trials.told, sides=sides
        )
        shown.add(re.split("1-0|0-1|draw", progress.last_game)[0])
    assert lines <= shown
    assert not any("=" in line.replace("depth=3", "") for line in shown)


def test_parameters_have_four_significant_digits() -> None:
    told = SimpleNamespace(
        trial=SimpleNamespace(number=0, centre={"x": 0.123456, "n": 12345}),
        estimate=12.4,
        games=8,
        is_doubtful=False,
        faulty_games=0,
        copy_of=None,
    )
    assert trial_text(cast(Any, told)) == "trial 1: +12 Elo at x=0.1235 n=12,345"
