"""Sentences on a fit: what speaks against it, and what it leaves as it is."""

from __future__ import annotations

from collections.abc import Iterator
from math import isinf

from arena.tuning.fit.fit import Fit
from arena.tuning.fit.found_weights import FoundWeights
from arena.tuning.fit.report.fit_frames import MOST_ROWS
from arena.tuning.fit.report.fit_verdict import COMMAND, saving_told
from arena.tuning.fit.result_fit import FitResult
from arena.tuning.proof.report import edge_texts, proof_notes

MOST_NAMED = 10
LEAST_SEEN = 100
"""Positions of which a weight is hardly known if it is seen in fewer."""
STILL_FALLING = 0.1
"""The share of all that was saved which the last doubling of the openings saves if more help."""


def fit_warnings(fit: Fit) -> list[str]:
    """The reason why the games stopped by themselves, and that nothing may be saved.

    Each only where it is so.
    """
    result, stopped = fit.result, fit.stopped
    found = [f"{fit.config.name} stopped by itself. {stopped}"] if stopped else []
    if result and result.is_changed and result.gain_low <= 0:
        found.append(
            f"The fit may be of chance alone: it {saving_told(result)}, {_doubt_on(result, fit)}."
        )
    return found


def _doubt_on(result: FoundWeights, fit: Fit) -> str:
    if isinf(result.gain_reach):
        return "and too few openings tell no interval. Take games on more openings"
    or_fewer = ", or fit fewer weights" if fit.config.space.axes else ""
    return f"and its interval is not above 0. Make more games{or_fewer}"


def fit_notes(fit: Fit) -> Iterator[str]:
    """The caveats beside the numbers, and what else the proof tells."""
    if not (result := fit.result):
        if not fit.is_over:
            yield f"The fit is not over: it goes on when `{COMMAND}` is given its file again."
    else:
        yield from proof_notes(fit.matches)
        yield from _scale_texts(result)
        yield from weight_notes(result)
        yield from edge_texts(fit.matches)
        yield from _fixed_texts(result)
    yield from fit.config.openings.notes()


def _scale_texts(result: FitResult) -> Iterator[str]:
    """A sentence if the scale is a guess."""
    if result.is_scale_guessed:
        yield (
            "With the default weights, positions of higher value do not have better results: "
            "beside weights that are not fitted, the size of the fitted ones is a guess."
        )


def _fixed_texts(result: FitResult) -> Iterator[str]:
    """A sentence if there are weights that cannot be fitted."""
    if result.fixed:
        fixed = ", ".join(result.fixed)
        why = "they are choices or have one value, or the engine's value is not linear in them"
        yield f"Left as they are, since {why}: {fixed}."


def weight_notes(result: FoundWeights) -> Iterator[str]:
    """The caveats on the weights found: what more games would do, and which are hardly known."""
    if result.gain_low > 0:
        yield from _curve_texts(result)
    yield from _many_texts(result)
    yield from _rare_texts(result)


def _curve_texts(result: FoundWeights) -> Iterator[str]:
    """A sentence if the last openings still saved much of the loss."""
    if len(result.curve) < 2:
        return
    (_, before), (openings, after) = result.curve[-2:]
    share = (before - after) / max(result.losses[0][1] - after, 1e-12)
    if before > after and share > STILL_FALLING:
        yield (
            f"The loss held out still falls with more games: the last half of the {openings:,} "
            f"openings fitted saved {before - after:.4f} nats. More games are likely to help."
        )


def _many_texts(result: FoundWeights) -> Iterator[str]:
    """A sentence if tables for people have some of the weights only."""
    if len(result.weights) > MOST_ROWS:
        yield (
            f"The {MOST_ROWS} weights that changed most are shown, of {len(result.weights):,}; all "
            "are in the frame `weights`."
        )


def _rare_texts(result: FoundWeights) -> Iterator[str]:
    rare = [f"{each.name} ({each.seen})" for each in result.weights if each.seen < LEAST_SEEN]
    if len(rare) > MOST_NAMED:
        rare = [*rare[:MOST_NAMED], f"and {len(rare) - MOST_NAMED:,} others"]
    if rare:
        yield (
            f"Hardly known, since fewer than {LEAST_SEEN} of the "
            f"{result.positions - result.held_out:,} positions fitted depend on them: "
            f"{', '.join(rare)}."
        )
