"""Sentences on the weights found and on their proof."""

from __future__ import annotations

from collections.abc import Iterator

from arena.report.numbers import format_number, unit_of
from arena.storage.folder import path_text
from arena.tuning.proof.gains import condition_text, gain_text
from arena.tuning.proof.matches import ProofMatches
from arena.tuning.proof.tuned_file import filled_in
from arena.tuning.settings.proof_config import TUNED_FILE


def proof_notes(matches: ProofMatches) -> Iterator[str]:
    """Sentences on the proof, if it has begun, beside the verdict."""
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
        for file in filled_in(matches.folder, matches.config):
            yield f"Filled in with the tuned values: {file}"


def edge_texts(matches: ProofMatches) -> Iterator[str]:
    """A sentence for each value found that stands at the edge of its range."""
    for axis in matches.config.space.axes:
        value = matches.values.get(axis.name, axis.default)
        if matches.values and (end := axis.edge(value)):
            bounds = f"{format_number(axis.low)} to {format_number(axis.high)}"
            yield (
                f"{axis.name}: {format_number(value)} stands at the {end} end of its range, "
                f"{bounds}, and the best value may lie beyond: make {end} "
                f"{'less' if end == 'low' else 'more'} if the engine allows that, and tune again."
            )
