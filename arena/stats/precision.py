"""The precision of ratings, by what openings give, and parts of a field that hardly met."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from arena.stats.davidson import (
    Booleans,
    DavidsonFit,
    Floats,
    Groups,
    Integers,
    Meetings,
    Sample,
    chances,
    closure,
    information,
    leads,
    leads_design,
    parts_of,
    restricted,
    rows_of,
    steepness,
)
from arena.stats.elo import TAIL
from arena.stats.rounding import greatest, is_at_least, least

HEAVY = 0.04  # The share of a variance from which an opening is left out by a step of its own
KNOWN = 2.0
"""The openings behind a difference, in effect, below which nothing is known of it: of one opening,
the fit takes up all that it says, and leaves nothing to tell how far to trust it."""


@dataclass(frozen=True)
class Evidence:
    """The information about leads that a fit finds on each opening (row) in each meeting."""

    fitted: DavidsonFit
    weights: Floats
    design: Floats  # Meetings by strengths and advantage

    @property
    def covariance(self) -> Floats:
        found: Floats = self.fitted.covariance[:-1, :-1]
        return found

    def told(self, contrasts: Floats) -> tuple[Floats, Floats]:
        """The variance of each contrast of strengths (column) by each opening (row), in the model.

        Then the leads of each meeting that the contrasts feel.
        """
        pulled = contrasts @ self.covariance[:-1]
        felt: Floats = self.design @ pulled.T
        return self.weights @ felt**2, felt

    def openings(self, contrasts: Floats) -> Floats:
        """The number of openings behind each contrast of strengths (row), in effect.

        As many equal ones would share the variance so unevenly, or would leave as much of it to be
        seen: of n equal ones, the fit takes up one part in n.
        """
        variances, felt = self.told(contrasts)
        total = variances.sum(axis=0)
        taken = np.zeros_like(total)  # of the variance, by the fit
        for opening in np.flatnonzero(heavy(variances)):
            pull = (self.design.T * self.weights[opening]) @ felt
            taken += ((self.covariance @ pull) * pull).sum(axis=0)
        with np.errstate(divide="ignore", invalid="ignore"):
            even, left = total**2 / (variances**2).sum(axis=0), total / taken
        return np.where(total > 0, np.minimum(even, left), 0.0)


def evidence_of(sample: Sample, fitted: DavidsonFit) -> Evidence:
    results, players = sample.results, sample.players
    points, draw = chances(leads(results, fitted.strengths, fitted.advantage), fitted.tie)
    information = results.games * ((1 - draw) / 4 - (points - 0.5) ** 2)
    met, meeting = np.unique(results.first * players + results.second, return_inverse=True)
    weights = np.zeros((sample.openings, len(met)))
    np.add.at(weights, (sample.opening, meeting), information)
    none = np.zeros(len(met))
    each = Meetings(met // players, met % players, none, none, none)
    return Evidence(fitted, weights, leads_design(each, players))


def heavy(variances: Floats) -> Booleans:
    """The openings (rows) that give much of some variance (column)."""
    is_light = is_at_least(HEAVY * variances.sum(axis=0), variances)
    found: Booleans = np.any(~is_light, axis=1)
    return found


def spreads(sample: Sample, evidence: Evidence, contrasts: Floats) -> Floats:
    """Half the width of the 95 % interval of each contrast of ratings, in natural units of Elo.

    Student's t times the standard error; infinite where nothing is known.
    """
    # Most of a second to import all of scipy's distributions; this one function is quick.
    from scipy.special import stdtrit

    openings = evidence.openings(contrasts)
    degrees = np.maximum(openings, KNOWN) - 1
    is_heavy = heavy(evidence.told(contrasts)[0])
    moves = moved(sample, evidence.fitted, np.flatnonzero(is_heavy))
    squares = np.square(_rescaled(moves, evidence.fitted) @ contrasts.T)
    # Of n openings, squares of steps to first order are too small by (n - 1) / n, and those of
    # openings that are really left out, as in a jackknife, too large by n / (n - 1).
    more = (degrees + 1) / degrees
    variance = squares[is_heavy].sum(axis=0) / more + squares[~is_heavy].sum(axis=0) * more
    found: Floats = np.sqrt(variance) * stdtrit(degrees, 1 - TAIL)
    return np.where(is_at_least(openings, KNOWN), found, np.inf)


def _rescaled(moves: Floats, fitted: DavidsonFit) -> Floats:
    """Moves of the ratings by each opening: their scale depends on advantage and tie."""
    # The rating is 4 * rise * strength, and the rise moves, too: the rule of products.
    rise, by_advantage, by_tie = steepness(fitted.advantage, fitted.tie)
    scaled = moves[:, -2] * by_advantage + moves[:, -1] * by_tie
    found: Floats = 4 * (rise * moves[:, :-2] + np.outer(scaled, fitted.strengths))
    return found


def moved(sample: Sample, fitted: DavidsonFit, heavy: Integers) -> Floats:
    """The move of each parameter (column) by each opening (row), to first order if not heavy."""
    found = sample.results
    points, draw = chances(leads(found, fitted.strengths, fitted.advantage), fitted.tie)
    surplus = found.points - found.games * points
    draws = found.draws - found.games * draw
    pull = np.zeros((sample.openings, sample.players + 2))
    np.add.at(pull, (sample.opening, found.first), surplus)
    np.subtract.at(pull, (sample.opening, found.second), surplus)
    np.add.at(pull[:, -2], sample.opening, surplus)
    np.add.at(pull[:, -1], sample.opening, draws)
    # One step of Newton's method towards the fit without an opening. To first order, the curvature
    # is that of all openings; a heavy one has so much of it that it has to be subtracted.
    moves = pull @ fitted.covariance
    bend = np.linalg.inv(fitted.covariance)
    for opening in heavy:
        here = sample.opening == opening
        design = leads_design(rows_of(found, here), sample.players)
        less = information(design, found.games[here], points[here], draw[here])
        moves[opening] = np.linalg.lstsq(bend - less, pull[opening], rcond=None)[0]
    return moves


FIRM = 16.0
"""The openings behind a difference, in effect, from which two players are well connected; half of
the most that any two have, if that is less."""


@dataclass(frozen=True)
class Bridge:
    """The few meetings that join some players to those whose mean is the zero of a scale."""

    players: Sequence[int]
    meetings: Sequence[tuple[int, int]]  # One of these players and another
    openings: int  # Openings of these meetings
    is_apart: bool
    """True if these players are a group of their own: nothing is known of the difference."""


@dataclass
class Scale:
    """Players rated on one scale, and those whose mean rating is its zero."""

    players: Booleans
    firm: Booleans

    def shares(self) -> Floats:
        found: Floats = self.firm / self.firm.sum()
        return found


def cut(sample: Sample) -> tuple[Sample, list[Bridge]]:
    """The sample without few results that all went one way between parts of several players.

    Such results say nothing of how far the parts are from each other, and inside them the
    likeliest ratings do not depend on them. Parts that met on many openings stay together: one is
    known to be better.
    """
    found, bridges = sample.results, list[Bridge]()
    kept = np.ones(len(found.first), dtype=bool)
    _, *others = _largest_first(parts_of(sample.players, found))
    for inside in others:
        across = inside[found.first] != inside[found.second]
        openings = len(np.unique(sample.opening[across]))
        if inside.sum() > 1 and 0 < openings < _firm_openings(sample.openings):
            bridges.append(_bridge(inside, ~inside, sample, is_apart=True))
            kept &= ~across
    return restricted(sample, kept), bridges


def _firm_openings(most: float) -> float:
    """The openings from which two players, or parts, are well connected, of at most `most`."""
    return min(FIRM, most / 2)


def parted(groups: Groups, sample: Sample, evidence: Evidence) -> tuple[Groups, list[Bridge]]:
    """The groups with zeros over players that are well connected, and what joins the others.

    Several players of whose difference from all others nothing is known become a group. One alone
    stays where it is known best; its interval says that it is not known.
    """
    of, zero = groups.of.copy(), groups.zero.copy()
    bridges: list[Bridge] = []
    for group in range(groups.of.max() + 1):
        members = groups.of == group
        firm = members & ~groups.loose
        if not firm.any():
            continue
        first, *others = _firm_parts(firm, evidence)
        scales = [Scale(first, first)]
        for part in others:
            is_apart = join(part, scales, evidence)
            bridges.append(_bridge(part, firm & ~part, sample, is_apart))
        bridges += _join_loose(members & groups.loose, scales, sample)
        for number, scale in enumerate(scales):
            # A number that no group has yet, for all but the first.
            of[scale.players] = group if number == 0 else of.max() + 1
            zero[scale.players] = scale.shares()
    return replace(groups, of=_renumbered(of), zero=zero), bridges


def _firm_parts(firm: Booleans, evidence: Evidence) -> list[Booleans]:
    """The parts in which all are well connected, if only by way of others: the largest first."""
    players = np.flatnonzero(firm)
    reached = np.eye(len(firm), dtype=bool)
    if len(players) > 1:
        pairs, each = np.array(list(combinations(players, 2))), np.eye(len(firm))
        openings = evidence.openings(each[pairs[:, 0]] - each[pairs[:, 1]])
        near = pairs[is_at_least(openings, _firm_openings(openings.max()))]
        reached[near[:, 0], near[:, 1]] = reached[near[:, 1], near[:, 0]] = True
        reached = closure(reached)
    return _largest_first(reached[players])


def _largest_first(rows: Booleans) -> list[Booleans]:
    """The parts among these rows, each once; of equally large ones that of the first player."""
    by_bytes = {row.tobytes(): row for row in rows}
    return sorted(by_bytes.values(), key=lambda part: -part.sum())


def join(part: Booleans, scales: list[Scale], evidence: Evidence) -> bool:
    """Put a part on the scale on which most is known of it; true if that is one of its own."""
    mean = part / part.sum()
    contrasts = np.array([mean - scale.shares() for scale in scales])
    openings = evidence.openings(contrasts)
    best = greatest(openings)
    if not is_at_least(openings[best], KNOWN):
        if part.sum() > 1:
            scales.append(Scale(part, part))
            return True
        best = least(evidence.told(contrasts)[0].sum(axis=0))
    scales[best].players = scales[best].players | part
    return False


def _join_loose(loose: Booleans, scales: list[Scale], sample: Sample) -> Iterator[Bridge]:
    """Put each loose player on the scale that it met most; the bridges of those that met few."""
    for player in np.flatnonzero(loose):
        alone = np.arange(len(loose)) == player
        met = [_bridge(alone, scale.players, sample, is_apart=False) for scale in scales]
        best = int(np.argmax([each.openings for each in met]))
        scales[best].players = scales[best].players | alone
        if met[best].openings < _firm_openings(sample.openings):
            # Who met none of them met others that are loose.
            none = not met[best].meetings
            yield _bridge(alone, loose & ~alone, sample, is_apart=False) if none else met[best]


def _bridge(part: Booleans, others: Booleans, sample: Sample, is_apart: bool) -> Bridge:
    first, second = sample.results.first, sample.results.second
    across = (part[first] & others[second]) | (others[first] & part[second])
    meetings = {
        (int(one), int(other)) if part[one] else (int(other), int(one))
        for one, other in zip(first[across], second[across], strict=True)
    }
    openings = len(np.unique(sample.opening[across]))
    return Bridge(np.flatnonzero(part).tolist(), sorted(meetings), openings, is_apart)


def _renumbered(of: Integers) -> Integers:
    """The numbers of groups in the order of their first players, from 0."""
    _, first, place = np.unique(of, return_index=True, return_inverse=True)
    found: Integers = first.argsort().argsort()[place]
    return found
