"""Messages of a study to people: its plan before, and notes on its models."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from math import isnan
from typing import TYPE_CHECKING, Any

from arena.report.numbers import MOST_SHOWN, format_duration, format_estimate, format_share
from arena.report.verdict import GO_ON
from arena.storage.database import Store
from arena.storage.folder import read_store
from arena.tuning.method import LARGE_LOSS
from arena.tuning.study import Pace, Study, trials_stopped

if TYPE_CHECKING:
    import pandas as pd

DISTRUST = "do not trust"


def plan_text(study: Study) -> str:
    """The number of games that are going to be played."""
    config, plan = study.config, study.config.plan
    names = ", ".join(axis.name for axis in config.space.axes)
    whom = (
        "two points against each other"
        if config.compares and not config.opponents
        else f"against {', '.join(config.rivals)}"
    )
    more = f", and {_rival_games(study)} with each opponent," if config.opponents else ""
    return (
        f"Tuning {names} of {config.default.engine.name} by {config.method.name}: "
        f"{plan.budget} games, {plan.games} in each trial, {whom}.\n"
        f"Then a match of at most {2 * config.verification['pairs']} games{more} tests the gain."
        + _spread_text(study)
        + "".join(f"\n{note}" for note in config.openings.notes())
    )


def time_text(study: Study, pace: Pace) -> str:
    """The time that the games will take, roughly."""
    config, each = study.config, pace.seconds / pace.workers
    trials = max(0, config.plan.budget - pace.played) * each
    proof = (2 * config.verification["pairs"] + len(config.opponents) * _rival_games(study)) * each
    more = " more" if pace.played else ""
    return (
        f"At {format_duration(pace.seconds)} a game, {pace.workers} at once, the trials take about "
        f"{format_duration(trials)}{more}, the proof at most {format_duration(proof)}."
    )


def _spread_text(study: Study) -> str:
    """The conditions that the games are spread over; empty if there is but one."""
    config = study.config
    if not config.varied:
        return ""
    return f"\nThe mean gain counts, of these conditions: {'; '.join(config.labels)}."


def shape_texts(shapes: pd.DataFrame, is_proved: bool = False) -> Iterator[str]:
    """The gain that is expected, the shapes of strength that the results speak for, and what their
    predictions are worth. Once a gain is proved, none warns: the proof has the last word."""
    if len(shapes):
        of_all = shapes.to_dict("records")[0]
        if not isnan(of_all["gain"]):
            yield _gain_text(of_all, is_proved)
        named = zip(shapes["shape"], shapes["share"], strict=True)
        likeliest_first = ", ".join(f"{shape} {format_share(share)}" for shape, share in named)
        yield f"Shape of strength, by what each predicted of results to come: {likeliest_first}."
        yield prediction_text(of_all, is_proved)
        yield loss_text(of_all["expected_loss"], is_proved)


def warnings_first(notes: Iterable[str]) -> list[str]:
    """Notes on values, those first that say not to trust them."""
    return sorted(notes, key=lambda note: DISTRUST not in note)


def _gain_text(found: Mapping[Any, Any], is_proved: bool = False) -> str:
    """The sentence on the gain that trials against the default values show."""
    gain, low, high = (
        format_estimate(found[each], False) for each in ("gain", "gain_low", "gain_high")
    )
    lost = f": {DISTRUST} them" if found["gain_high"] < 0 and not is_proved else ""
    return (
        "By the trials against the default values, the values found gain about "
        f"{gain} Elo ({low} to {high}){lost}."
    )


def loss_text(loss: float, is_proved: bool = False) -> str:
    """The sentence on how far the values found are expected to lie below the best ones."""
    far = f"{MOST_SHOWN:,} Elo or more" if loss >= MOST_SHOWN else f"about {loss:.0f} Elo"
    expected = f"The values found are expected to lie {far} below the best ones"
    if loss >= LARGE_LOSS and not is_proved:
        return f"{expected}: {DISTRUST} them. Tune fewer parameters, or with more games."
    return f"{expected}, if strength is like the models."


def prediction_text(found: Mapping[Any, Any], is_proved: bool = False) -> str:
    """The sentence on what the models predicted of the last trials, and if they can be trusted."""
    if isnan(found["slope"]):
        return f"The models predicted next to no leads for the last {found['trials']} trials."
    if found["slope_high"] < 0:
        told = "mislead" if is_proved else f"mislead, so {DISTRUST} values that rest on them"
    elif found["slope_low"] > 0:
        told = "know which points are better"
    else:
        told = "cannot be judged yet: too few games"
    slope = f"{found['slope']:.2f}, {found['slope_low']:.2f} to {found['slope_high']:.2f}"
    return (
        f"What the models predicted of the last {found['trials']} trials: they {told} (slope of "
        f"the results on the predictions {slope}; 1 if they are right)."
    )


def _rival_games(study: Study) -> int:
    """Games with each opponent to prove the gain: pairs of the tuned and of the default weights."""
    config = study.config
    return 4 * min(config.opponent_pairs, int(config.verification["pairs"]))


def stopped_text(study: Study, go_on: str = GO_ON) -> str:
    """The reason why the trials or the proof stopped by themselves, and how to `go_on`; or none."""
    kept = read_store(study.folder, Store.games) or []
    if found := trials_stopped(study.config, study.trials.first_games, kept, go_on):
        return found
    return study.matches.stopped(go_on)
