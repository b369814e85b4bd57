"""A study as pandas frames and tables (trials, what it recommends, its test), and its verdict."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from math import isnan, nan
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd
from markupsafe import Markup

from arena.report.numbers import format_estimate, format_number, format_share
from arena.report.page.charts import part_bar, range_mark
from arena.report.page.render import NO_MARK
from arena.report.table import Column, Row, Table
from arena.report.verdict import FAULTS_FIRST, Conclusion
from arena.stats.elo import bounded
from arena.stats.rounding import rounded
from arena.tuning.method import Advice, Forecast
from arena.tuning.proof.report import ProofFrames, proof_frames, proof_verdict
from arena.tuning.proof.verification import Proof
from arena.tuning.report.search_faults import count_text, faulty_games
from arena.tuning.settings.config import TuningConfig
from arena.tuning.space import Axis, Space, Values
from arena.tuning.trials import Told, Trials

RANGES = {
    ("low", "high"): True,
    ("spread_low", "spread_high"): True,
    ("flat_low", "flat_high"): False,
}
"""The ends of an advice's ranges, and if they are moved outwards to possible values: what may be
the best value is left in, what may lose more than an Elo is left out."""
ADVICE = [*(end for ends in RANGES for end in ends), "importance"]


@dataclass(frozen=True, kw_only=True, repr=False)
class Frames(ProofFrames):
    """All frames of a study, under one name in every format."""

    parameters: pd.DataFrame
    """One row a parameter: `name`, `default`, `tuned` (as recommended so far; unknown before the
    first trial), `low` and `high` (95 % interval of the best value by the
    model) or `spread_low` and `spread_high` (spread of the best tenth of the trials), `flat_low`
    and `flat_high` (between which less than an Elo is lost), `importance` (its share of all); the
    searched range (`range_low`, `range_high`, `log`), unknown for a choice; `edge`, the end of it
    (low or high) that the value stands at."""
    trials: pd.DataFrame
    """One row a trial that is over: `trial` (from 1), `centre_NAME` for each parameter (numbers
    not rounded), `plus_NAME` and `minus_NAME` where two points met; `elo` of the point against its
    opponents, or of plus against minus, `score` likewise; `estimate` of the centre over the
    default, as of then; `pairs` of two points that say as much, `games` and `games_so_far`,
    `pentanomial` (pairs by points from 0 to 2; matches one after the other), `stopped_early`;
    `faults`, the games that ended by a fault of either side, and true if the result rests on them
    and is `doubtful`."""
    slices: pd.DataFrame
    """One row for each parameter of each point played: `trial`, `side` (point, plus or minus),
    `parameter`, `value`, and the point's `elo` and `score` in that trial, `pairs`; `faults`, the
    games that the point lost by its own, and true if the trial is `doubtful`."""
    shapes: pd.DataFrame
    """One row for each shape of strength, once a method with models is at its end: `shape`, `share`
    by what it predicted; of all together, the Elo that the values found are expected to lie
    below the best ones (`expected_loss`); the last `trials`, which they predicted: the `slope`,
    leads that came in predicted leads, with its 95 % interval; the Elo that the values found
    `gain` by trials against the default values, with its 95 % interval (NaN for a method without
    such trials); and if values are `doubtful`."""


def frames_of(
    space: Space,
    told: Sequence[Told],
    advice: Sequence[Advice],
    forecast: Forecast | None,
    proof: Proof | None,
) -> Frames:
    return Frames(
        parameters=parameters_frame(space, advice),
        trials=trials_frame(space, told),
        slices=slices_frame(told),
        shapes=shapes_frame(forecast),
        **proof_frames(proof),
    )


def shapes_frame(forecast: Forecast | None) -> pd.DataFrame:
    prediction = ["trials", "slope", "slope_low", "slope_high"]
    gains = ["gain", "gain_low", "gain_high"]
    columns = ["shape", "share", "expected_loss", *prediction, *gains, "doubtful"]
    if forecast is None:
        return pd.DataFrame(columns=columns)
    predicted = forecast.trials, forecast.slope, *forecast.interval
    gain = forecast.gain
    gained = map(bounded, (gain.elo, *gain.interval)) if gain else (nan, nan, nan)
    of_all = bounded(forecast.loss), *predicted, *gained, forecast.is_doubtful
    likeliest_first = sorted(forecast.shares, key=lambda each: -rounded(each[1]))
    return pd.DataFrame([(*each, *of_all) for each in likeliest_first], columns=columns)


def parameters_frame(space: Space, advice: Sequence[Advice]) -> pd.DataFrame:
    by_name = {each.name: each for each in advice}
    frame = pd.DataFrame([_parameter_row(axis, by_name.get(axis.name)) for axis in space.axes])
    frame = frame.astype(dict.fromkeys([*ADVICE, "range_low", "range_high"], float))
    return frame.assign(**{name: uniform(frame[name]) for name in ("default", "tuned")})


def _parameter_row(axis: Axis, advice: Advice | None) -> dict[str, Any]:
    return {
        "name": axis.name,
        "default": axis.default,
        "tuned": advice and advice.value,
        **(_shown_ends(axis, advice) if advice else dict.fromkeys(ADVICE)),
        "importance": advice and advice.importance,
        "range_low": None if axis.choices else axis.low,
        "range_high": None if axis.choices else axis.high,
        "log": axis.log,
        "edge": axis.edge(advice.value) if advice else "",
    }


def _shown_ends(axis: Axis, advice: Advice) -> dict[str, float | None]:
    """The ends of all ranges as possible values, each range widened to hold the value found."""
    shown: dict[str, float | None] = {}
    for (low_name, high_name), is_outwards in RANGES.items():
        low, high = getattr(advice, low_name), getattr(advice, high_name)
        if low is not None:
            value = float(advice.value)
            low, high = axis.possible(low, high, is_outwards)
            low, high = min(low, value), max(high, value)
        shown |= {low_name: low, high_name: high}
    return shown


def uniform(values: Iterable[object]) -> pd.Series[Any]:
    """A column of one type: numbers, or if any value is none, texts."""
    column = pd.Series(list(values), dtype=object)
    known = column.dropna()
    if all(isinstance(value, int | float) and not isinstance(value, bool) for value in known):
        return column.astype(float) if len(known) < len(column) else column.infer_objects()
    return column.map(str, na_action="ignore")


def trials_frame(space: Space, told: Sequence[Told]) -> pd.DataFrame:
    so_far = accumulate(each.games for each in told)
    if not told:
        centre = [f"centre_{axis.name}" for axis in space.axes]
        results = ["elo", "score", "estimate", "pairs", "games", "games_so_far", "pentanomial"]
        marks = ["stopped_early", "faults", "doubtful"]
        frame = pd.DataFrame([], columns=["trial", *centre, *results, *marks])
    else:
        rows = [_trial_row(each, games) for each, games in zip(told, so_far, strict=True)]
        frame = pd.DataFrame(rows)
    for name in frame.columns:
        if name.startswith(("centre_", "plus_", "minus_")):
            frame[name] = uniform(frame[name])
    return frame


def _trial_row(told: Told, so_far: int) -> dict[str, Any]:
    points = {
        f"{side}_{name}": value
        for side, point in told.trial.sides.items()
        if side != "point"
        for name, value in point.items()
    }
    return {
        "trial": told.trial.number + 1,
        **{f"centre_{name}": value for name, value in told.trial.centre.items()},
        **points,
        "elo": told.answer.elo,
        "score": told.answer.score,
        "estimate": told.estimate,
        "pairs": told.answer.pairs,
        "games": told.games,
        "games_so_far": so_far,
        "pentanomial": " / ".join(" ".join(map(str, counts)) for counts in told.pentanomial),
        "stopped_early": told.is_stopped,
        "faults": told.faulty_games,
        "doubtful": told.is_doubtful,
    }


def slices_frame(told: Sequence[Told]) -> pd.DataFrame:
    columns = ["trial", "side", "parameter", "value", "elo", "score", "pairs", "faults", "doubtful"]
    frame = pd.DataFrame(
        [row for each in told if each.answer.pairs for row in _slice_rows(each)], columns=columns
    )
    return frame.assign(value=uniform(frame["value"]))


def _slice_rows(told: Told) -> Iterator[tuple[Any, ...]]:
    """The values of a trial's points; points that one of two won, the other lost."""
    number, answer = told.trial.number + 1, told.answer
    won, lost = (answer.elo, answer.score), (-answer.elo, 1 - answer.score)
    for (side, point), faults in zip(told.trial.sides.items(), told.faults, strict=False):
        elo, score = lost if side == "minus" else won
        for name, value in point.items():
            yield number, side, name, value, elo, score, answer.pairs, faults, told.is_doubtful


def weight_text(row: Mapping[Any, Any], column: str) -> str:
    """A parameter's value as people read it; beside choices the numbers of a frame are texts."""
    value = row[column]
    if pd.isna(value):
        return "-"
    has_range = pd.notna(row.get("range_low"))
    return format_number(float(value) if has_range and isinstance(value, str) else value)


def ends_text(row: Mapping[Any, Any], low: float, high: float) -> str:
    """The ends of a range, with the digits of the value found, which lies within it."""
    kind = int if isinstance(row["tuned"], int) else float
    return f"{format_number(kind(low))} to {format_number(kind(high))}"


BEST_VALUE = "95 % by the model"  # It covers less where strength is not like the model
BEST_TENTH = "spread of the best tenth"  # Middle eight tenths, of methods without an interval


class Reach(NamedTuple):
    """A range of values."""

    kind: str
    low: float
    high: float


def reach_of(row: Mapping[Any, Any] | pd.Series[Any]) -> Reach | None:
    """A parameter's interval; else the spread of the best tenth; None of a choice."""
    for kind, ends in ((BEST_VALUE, ("low", "high")), (BEST_TENTH, ("spread_low", "spread_high"))):
        low, high = (row[end] for end in ends)
        if pd.notna(low) and (kind == BEST_VALUE or low < high):  # one trial has no spread
            return Reach(kind, float(low), float(high))
    return None


def kind_of_reach(parameters: pd.DataFrame) -> str:
    kinds = (reach.kind for _, row in parameters.iterrows() if (reach := reach_of(row)))
    return next(kinds, "")


MAX_TRIALS = 1000  # Trials that the table lists


def games_played(frames: Frames) -> int:
    return int(frames.trials["games"].sum())


def parameters_table(parameters: pd.DataFrame, name_of_values: str, title: str = "") -> Table:
    frame = parameters.assign(
        **{name: _as_numbers(parameters, name) for name in ("default", "tuned")}
    )
    most = float(parameters["importance"].max())
    kind = kind_of_reach(parameters)
    low, high = ("spread_low", "spread_high") if kind == BEST_TENTH else ("low", "high")

    def share_bar(row: Row) -> Markup:
        share = row["importance"]
        return NO_MARK if isnan(share) else part_bar(share, most, format_share(share), width=60)

    columns = [
        Column("name", "parameter"),
        Column("default", "default", format_number),
        Column("tuned", name_of_values, format_number),
        *([Column(low, kind, _format_ends, (high, "tuned"), is_number=False)] if kind else []),
        Column("flat_low", "within 1 Elo", _format_ends, ("flat_high", "tuned"), is_number=False),
        Column("importance", "importance", format_share),
        Column("within its range", draw=_range_mark),
        Column("share", draw=share_bar),
    ]
    return Table(title, frame, columns)


def _as_numbers(parameters: pd.DataFrame, name: str) -> pd.Series[Any]:
    numbers = [
        float(value) if isinstance(value, str) and pd.notna(low) else value
        for value, low in zip(parameters[name], parameters["range_low"], strict=True)
    ]
    return pd.Series(numbers, parameters.index, dtype=object)


def _format_ends(low: float, high: float, tuned: object) -> str:
    return ends_text({"tuned": tuned}, low, high)


def _range_mark(row: Row) -> Markup:
    if (reach := reach_of(row)) is None:
        return NO_MARK
    ends = ends_text(row, reach.low, reach.high)
    values = float(row["default"]), reach.low, float(row["tuned"]), reach.high
    return range_mark(row, *values, ends)


def trials_table(frames: Frames, rounds: Iterable[int]) -> Table:
    """`rounds` are those of all games, in the order in which they ended."""
    trials = frames.trials[frames.trials["pairs"] > 0]
    shown, numbers = trials.tail(MAX_TRIALS), game_numbers(rounds)
    own = [numbers.get(trial, []) for trial in shown["trial"]]
    frame = shown.assign(
        numbers=[_numbers_text(each) for each in own],
        link=[f"#game={each[0][0]}" if each else "" for each in own],
    )
    columns = [
        Column("trial"),
        Column("elo", "Elo", format_estimate, ("doubtful",)),
        Column("estimate", "estimate", format_estimate, ("doubtful",)),
        *(_weight_column(str(name), shown) for name in frames.parameters["name"]),
        Column("games"),
        *([Column("faults", "by faults")] if shown["faults"].any() else []),
        *([Column("stopped_early", "ended early")] if shown["stopped_early"].any() else []),
        Column("numbers", "numbers of the games", link="link"),
    ]
    last = f", the last {MAX_TRIALS:,} of {len(trials):,}" if len(trials) > MAX_TRIALS else ""
    return Table(f"Trials{last}", frame, columns)


def _weight_column(name: str, trials: pd.DataFrame) -> Column:
    if f"plus_{name}" not in trials:
        return Column(f"centre_{name}", name, format_number)
    return Column(f"plus_{name}", name, _format_both, (f"minus_{name}",))


def _format_both(plus: object, minus: object) -> str:
    return f"{format_number(plus)} : {format_number(minus)}"


def game_numbers(rounds: Iterable[int]) -> dict[int, list[tuple[int, int]]]:
    """The games of each round: first and last of each run of numbers without a gap."""
    numbers: dict[int, list[tuple[int, int]]] = {}
    for number, round_ in enumerate(rounds, start=1):
        runs = numbers.setdefault(round_, [])
        first = runs.pop()[0] if runs and runs[-1][1] == number - 1 else number
        runs.append((first, number))
    return numbers


def _numbers_text(runs: Iterable[tuple[int, int]]) -> str:
    """Runs of numbers as people read them: `1 to 7, 9`."""
    return ", ".join(f"{one}" if one == last else f"{one} to {last}" for one, last in runs)


def study_verdict(
    config: TuningConfig, trials: Trials, values: Values, proof: Proof | None, folder: Path
) -> Conclusion:
    """The verdict on a study as it stands; `values` are those found, once all trials are over."""
    if trials.first_games.faulty:
        reason = f"{trials.first_games.faulty} only lost by its own faults"
        return Conclusion("Nothing found", reason, "doubtful", FAULTS_FIRST)
    verdict = _verdict_on_values(config, trials, values, proof, folder)
    if not faulty_games(trials.told):
        return verdict
    # A search claims nothing, and what the test proves, faults of the search do not undo.
    parts = verdict.basis, count_text(trials.told)
    return replace(verdict, basis="; ".join(filter(None, parts)))


def _verdict_on_values(
    config: TuningConfig, trials: Trials, values: Values, proof: Proof | None, folder: Path
) -> Conclusion:
    if not trials.is_over:
        played = sum(told.games for told in trials.told)
        last = trials.told[-1] if trials.told else None
        lead = f"{format_estimate(last.estimate, last.is_doubtful)} Elo so far, " if last else ""
        progress = f"{lead}{played:,} of {config.plan.budget:,} games"
        goes_on = "" if config.is_users else "arena tune goes on."
        return Conclusion("Still searching", progress, next_step=goes_on)
    if values == config.space.default:
        basis = f"the default weights are the best of {len(trials.told)} trials"
        return Conclusion("No gain found", basis, "bad", "Keep the default weights.")
    if proof is None:
        over = f"{config.command} plays the test of it."
        return Conclusion("Gain not tested yet", f"{len(trials.told)} trials", next_step=over)
    return proof_verdict(proof, config.command, folder)
