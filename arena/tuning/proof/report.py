"""The proof of new weights as people read it: frames, tables, sentences, its part of a page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from functools import partial
from math import isfinite, prod
from pathlib import Path
from typing import Any

import pandas as pd

from arena.config.settings import limit_data
from arena.format import MANY_FAULTS, ONLY_FAULTS
from arena.report.numbers import (
    format_digits,
    format_elo,
    format_interval,
    format_number,
    format_rating,
    format_share,
    unit_of,
)
from arena.report.page.charts import llr_figure
from arena.report.table import AnyPart, Column, Section, Table
from arena.report.verdict import FAULTS_FIRST, Conclusion, range_told, relation
from arena.storage.folder import path_text
from arena.tuning.proof.matches import ProofMatches
from arena.tuning.proof.verification import (
    NAME,
    Attempt,
    ConditionGain,
    Gain,
    Proof,
    condition_text,
    contents_beside,
    gain_text,
)
from arena.tuning.settings.conditions import DEFAULT, TUNED, TUNED_FILE, ProofConfig

TEST = ["pairs", "pentanomial", "elo0", "elo1", "model", "llr", "lower", "upper", "decision"]
PROOF_STANDING = ["games", "elo", "elo_low", "elo_high", "doubtful"]


@dataclass(frozen=True, kw_only=True, repr=False)
class ProofFrames:
    """The frames of a proof."""

    verification: pd.DataFrame
    """One row, or none before the test: `games`, `elo` of the tuned player with its 95 % interval,
    true if faults carry it (`doubtful`); distinct `pairs` and their `pentanomial`, the test's
    hypotheses, `llr` with its bounds, `decision`, and whether it `passed`."""
    gains: pd.DataFrame
    """One row for each opponent of the file that tuned and default weights met: `opponent`,
    `pairs` of either, `tuned_score` and `default_score`, `elo` of the tuned weights less that of
    the default ones, with its 95 % interval (`elo_low`, `elo_high`)."""
    conditions: pd.DataFrame
    """One row for each condition of the test, if there are several: `condition`, `pairs`, the tuned
    weights' `score`, `elo` with its 95 % interval."""
    attempts: pd.DataFrame
    """One row for each proof of this engine in the same results folder that had begun before, as it
    was then: `attempt` (from 1), its `study`, `games`, `elo` with its 95 % interval, `decision`,
    whether it `passed`, and the `chance` that such a test of equals does."""

    def __repr__(self) -> str:
        return f"{type(self).__name__}: {', '.join(self.by_name)}"

    @property
    def is_proved(self) -> bool:
        return bool(self.verification["passed"].any())

    @property
    def name_of_values(self) -> str:
        """The name of the values that were found: `tuned` only once their gain is proved."""
        return "tuned" if self.is_proved else "candidate"

    @property
    def by_name(self) -> dict[str, pd.DataFrame]:
        """All frames by their names: those of a subclass before those of the proof."""
        frames, names_of_proof = vars(self), {each.name for each in fields(ProofFrames)}
        own = {name: frame for name, frame in frames.items() if name not in names_of_proof}
        return {**own, **frames}


def proof_frames(proof: Proof | None) -> dict[str, pd.DataFrame]:
    return {
        "verification": _verification_frame(proof),
        "gains": _rows_frame(Gain, proof.gains if proof else ()),
        "conditions": _rows_frame(ConditionGain, proof.conditions if proof else ()),
        "attempts": _rows_frame(Attempt, proof.earlier if proof else ()),
    }


def _verification_frame(proof: Proof | None) -> pd.DataFrame:
    columns = [*PROOF_STANDING, *TEST, "passed"]
    if proof is None:
        return pd.DataFrame(columns=columns)
    standing = {name: getattr(proof.standing, name) for name in PROOF_STANDING}
    return pd.DataFrame([{**standing, **proof.row, "passed": proof.has_passed}])[columns]


def _rows_frame(kind: type[Any], rows: Sequence[object]) -> pd.DataFrame:
    return pd.DataFrame(rows, columns=[each.name for each in fields(kind)])


def proof_notes(matches: ProofMatches) -> Iterator[str]:
    if (proof := matches.proof) is None:
        return
    row = proof.row
    if proof.has_passed:
        yield "The test stopped when it was sure, so its Elo is biased upwards."
    elif proof.is_pending:
        yield f"{path_text(matches.folder / TUNED_FILE)} comes only if the test passes."
    else:
        if row["decision"] == "H0":
            gain = f"{row['elo0']:g} {unit_of(row['model'])}"
            yield f"H0: a gain of {gain} fits better than one of {row['elo1']:g}."
        yield f"No {TUNED_FILE} is written."
    yield from map(condition_text, proof.conditions)
    yield from map(gain_text, proof.gains)
    if proof.has_passed:
        yield f"To play it again: arena run {path_text(matches.folder / TUNED_FILE)}"
        for file in contents_beside(matches.folder, matches.config.default):
            if file.exists():
                yield f"Filled in with the tuned values: {file}"


def edge_texts(matches: ProofMatches) -> Iterator[str]:
    for axis in matches.config.space.axes:
        value = matches.values.get(axis.name, axis.default)
        if matches.values and (end := axis.edge(value)):
            bounds = f"{format_number(axis.low)} to {format_number(axis.high)}"
            yield (
                f"{axis.name}: {format_number(value)} stands at the {end} end of its range, "
                f"{bounds}, and the best value may lie beyond: make {end} "
                f"{'less' if end == 'low' else 'more'} if the engine allows that, and tune again."
            )


_ELO = (
    Column("elo", "Elo", format_elo, ("elo_low", "elo_high", "doubtful")),
    Column("elo_low", "95 %", format_interval, ("elo_high",), is_number=False),
)


def limit_text(config: ProofConfig) -> str:
    limit = limit_data(config.terms.limit)
    return ", ".join(f"{key} {value}" for key, value in limit.items()) or "none"


def weights_title(frames: ProofFrames, verdict: Conclusion) -> str:
    kind = "Recommended" if frames.name_of_values == "tuned" else "Candidate"
    return f"{kind} weights ({verdict.text[:1].lower()}{verdict.text[1:]})"


def proof_section(matches: ProofMatches, frames: ProofFrames) -> Iterator[Section]:
    if not len(frames.verification):
        return
    parts: list[AnyPart] = []
    if proof := matches.proof:
        parts.append(partial(llr_figure, matches.test.counted().games, proof.row))
    parts.append(_test_table(frames))
    if len(frames.conditions):
        score = Column("score", "score", format_share)
        columns = [Column("condition"), Column("pairs"), score, *_ELO]
        parts.append(Table("Gain by condition", frames.conditions, columns))
    if len(frames.gains):
        parts.append(_gains_table(frames.gains))
    where = f"arena report {matches.folder / NAME} shows its games."
    yield Section("proof", "Test", parts, where)
    if len(frames.attempts):
        yield Section("attempts", "Earlier attempts", [_attempts_table(frames.attempts)])


def _test_table(frames: ProofFrames) -> Table:
    columns = [
        Column("games"),
        Column("pairs"),
        Column("pentanomial", "LL LD WL/DD WD WW"),
        *_ELO,
        Column("llr", "LLR", "{:.2f}"),
        Column("lower", "bounds", "{:.2f} to {:.2f}", ("upper",), is_number=False),
        Column("decision", "decision", lambda decision: decision or "not over"),
        Column("passed"),
    ]
    title = f"Test of the {frames.name_of_values} weights against the default ones"
    return Table(title, frames.verification, columns)


def _attempts_table(attempts: pd.DataFrame) -> Table:
    columns = [
        Column("attempt"),
        Column("study", is_number=False),
        Column("games"),
        *_ELO,
        Column("decision"),
        Column("passed"),
    ]
    return Table("Earlier attempts", attempts, columns)


def _gains_table(gains: pd.DataFrame) -> Table:
    columns = [
        Column("opponent"),
        Column("pairs"),
        Column("default_score", "before", format_share),
        Column("tuned_score", "now", format_share),
        Column("elo", "Elo", format_rating, ("doubtful",)),
        Column("elo_low", "95 %", format_interval, ("elo_high", "elo"), is_number=False),
    ]
    return Table("Against each opponent, by tuning", gains, columns)


_NUMBERS = {2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven", 8: "eight", 9: "nine"}
_ENDINGS = {1: "st", 2: "nd", 3: "rd"}


def proof_verdict(proof: Proof, command: str, folder: Path) -> Conclusion:
    parts = _gain_told(proof), _failure_told(proof), _attempts_told(proof)
    told = "; ".join(filter(None, parts))
    if proof.has_passed:
        # A test from below 0 tells no gain, but that little or nothing is lost.
        is_gain = proof.row["elo0"] >= 0
        text = "Gain proved" if is_gain else f"{TUNED} is {relation(proof.row)} {DEFAULT}"
        take = f"Take the weights in {path_text(folder / TUNED_FILE)}."
        return Conclusion(text, told, "good", take)
    if proof.is_pending:
        return Conclusion("Gain not proved yet", told, next_step=f"{command} goes on.")
    if proof.row["decision"] in (MANY_FAULTS, ONLY_FAULTS):
        return Conclusion("Gain not proved", told, "doubtful", FAULTS_FIRST)
    text = "A loss, not a gain" if proof.standing.elo_high < 0 else "Gain not proved"
    return Conclusion(text, told, "bad", "Keep the default weights.")


def _gain_told(proof: Proof) -> str:
    standing, decision = proof.standing, proof.row["decision"]
    pairs = standing.distinct_pairs if proof.conditions else proof.row["pairs"]
    after = f"{decision} after {pairs:,} pairs" if decision in ("H0", "H1") else f"{pairs:,} pairs"
    if not isfinite(standing.elo):
        return after
    elo = range_told(standing.elo, standing.elo_low, standing.elo_high, standing.doubtful)
    return ", ".join(filter(None, [elo, after]))


def _failure_told(proof: Proof) -> str:
    if proof.is_pending:
        return ""
    if proof.lost:
        return f"weaker at {'; '.join(loss.condition for loss in proof.lost)}"
    if proof.losses:
        return f"weaker against {', '.join(loss.opponent for loss in proof.losses)}"
    return "" if proof.row["decision"] in ("H0", "H1") else str(proof.row["decision"])


def _attempts_told(proof: Proof) -> str:
    chances = [*(each.chance for each in proof.earlier), proof.chance]
    if (number := len(chances)) == 1:
        return ""
    ending = "th" if number % 100 in (11, 12, 13) else _ENDINGS.get(number % 10, "th")
    attempt = f"{number}{ending} attempt"
    if None in chances:
        return attempt
    many = _NUMBERS.get(number, number)
    share = format_digits(100 * (1 - prod(1 - (each or 0) for each in chances)), 2)
    return f"{attempt}: of {many} such tests of equals one proves a gain in {share} %"
