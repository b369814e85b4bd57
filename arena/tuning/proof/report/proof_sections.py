"""The proof of new weights in a report: its sections."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import pandas as pd

from arena.config.settings import limit_data
from arena.report.numbers import (
    format_elo,
    format_interval,
    format_rating,
    format_share,
)
from arena.report.page.llr_path import llr_figure
from arena.report.section import AnyPart, Section
from arena.report.table import Column, Table
from arena.report.verdict import Conclusion
from arena.tuning.proof.matches import ProofMatches
from arena.tuning.proof.report.proof_frames import ProofFrames
from arena.tuning.proof.verification import NAME
from arena.tuning.settings.proof_config import ProofConfig

_ELO = (
    Column("elo", "Elo", format_elo, ("elo_low", "elo_high", "doubtful")),
    Column("elo_low", "95 %", format_interval, ("elo_high",), is_number=False),
)


def limit_text(config: ProofConfig) -> str:
    """The limit of the games."""
    limit = limit_data(config.terms.limit)
    return ", ".join(f"{key} {value}" for key, value in limit.items()) or "none"


def weights_title(frames: ProofFrames, verdict: Conclusion) -> str:
    """The title of the weights found: they are recommended only once their gain is proved."""
    kind = "Recommended" if frames.name_of_values == "tuned" else "Candidate"
    return f"{kind} weights ({verdict.text[:1].lower()}{verdict.text[1:]})"


def proof_section(matches: ProofMatches, frames: ProofFrames) -> Iterator[Section]:
    """The proof, once it has begun: the test, pair by pair, and what else tells of the gain;
    and the proofs before it."""
    if not len(frames.verification):
        return
    parts: list[AnyPart] = []
    if proof := matches.proof:
        parts.append(partial(llr_figure, matches.test.counted().games, proof.row))
    parts.append(_test_table(frames))
    parts += [_conditions_table(frames.conditions)] if len(frames.conditions) else []
    parts += [_gains_table(frames.gains)] if len(frames.gains) else []
    where = f"arena report {matches.folder / NAME} shows its games."
    yield Section("proof", "Test", parts, where)
    if len(frames.attempts):
        yield Section("attempts", "Earlier attempts", [_attempts_table(frames.attempts)])


def _test_table(frames: ProofFrames) -> Table:
    """The test: one row."""
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


def _conditions_table(conditions: pd.DataFrame) -> Table:
    columns = [
        Column("condition"),
        Column("pairs"),
        Column("score", "score", format_share),
        *_ELO,
    ]
    return Table("Gain by condition", conditions, columns)


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
