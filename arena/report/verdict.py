"""The verdict of runs in one sentence, and the facts and faults that it stands on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from math import ceil, floor, inf, log10
from shlex import quote
from statistics import NormalDist
from typing import TYPE_CHECKING, Literal

from arena.errors import ConfigError, one_line
from arena.format import MANY_FAULTS, ONLY_FAULTS, Row
from arena.formats.swiss import swiss_points
from arena.gomocup.transcript import is_slow
from arena.match.pairs import FirstGames
from arena.match.record import GameRecord
from arena.plugins.load import HUMAN, IMPORTED, Named
from arena.report.numbers import (
    DOUBT,
    OPEN,
    SURE,
    about,
    format_elo,
    format_interval,
    format_los,
    marked,
    unit_of,
    without_home,
)
from arena.report.outlook import sprt_progress
from arena.report.standings import Standing, Tally
from arena.stats.davidson import Floats
from arena.stats.elo import TAIL, elo_difference, elo_interval, superiority
from arena.stats.leads import (
    CHEAPEST_OPENINGS,
    NO_LOOKS,
    LeadViews,
    Looks,
    common_games,
    joined_looks,
    lead_views,
)
from arena.stats.ratings import Rating, Ratings
from arena.stats.rounding import rounded

if TYPE_CHECKING:
    import pandas as pd

MAX_DIGITS = 4  # Most digits of a LOS that a claim takes
MAX_TIMES = 20
MANY_GAMES = 2_000  # A plan of more games than this, and MAX_TIMES those played, is worth nothing
POWER = 0.8  # The chance of a claim that a plan aims at, if the lead is the one that was seen
NOTABLE = 0.1
"""The share of a player's games ended by faults from which these are the first to be mended."""
LEADING = 0.95  # The LOS from which a player leads a run that goes on
FEW_GAMES = 40
"""Games of two players, so few that nothing is known of a lead that is not seen in them."""
MOST_GROUPS = 4  # Groups of players whose leaders are named

ENOUGH = "No more games are needed to tell."
MORE = "Play more games, on several openings."
COUNTS_LATER = "it counts once all are played"

Tone = Literal["good", "bad", "open", "doubtful"]
"""Decided as hoped, or against that; not decided; or not to be decided by these games."""


@dataclass(frozen=True, slots=True)
class Conclusion:
    """The answer to the question that a run or a study is played for."""

    text: str  # The better player, or that there is none yet: a clause that can stand in a title
    basis: str = ""  # The size of the lead, and its certainty
    tone: Tone = "open"
    next_step: str = ""  # The next step, as a sentence; empty where nothing follows

    @property
    def sentence(self) -> str:
        """The verdict without what to do next."""
        return f"{self.text}: {self.basis}." if self.basis else f"{self.text}."

    def __str__(self) -> str:
        return f"{self.sentence} {self.next_step}".strip()

    def __call__(self) -> Conclusion:
        return self


def format_named(kind: str, name: str, verdict: Callable[[], Conclusion]) -> str:
    """A line for who looks at a run or study: what it is, its name, and its verdict, or why there
    is none."""
    try:
        told = verdict().sentence
    except ConfigError as error:
        told = str(error)
    return f"{kind}({name!r}): {one_line(told)}"


@dataclass(frozen=True, slots=True)
class PlayedRuns:
    tally: Tally
    standings: Sequence[Standing]  # The best score first
    ratings: Ratings
    extras: Extras

    @property
    def is_over(self) -> bool:
        """True if no game is missing; there are none to miss of games with persons."""
        runs = self.extras.runs
        return all(
            (each.is_over and not each.stopped) or each.format.name == HUMAN for each in runs
        )

    @property
    def goes_on(self) -> bool:
        """True if games are missing, and none of the runs stopped by itself."""
        return not self.is_over and not any(facts.stopped for facts in self.extras.runs)

    @property
    def load(self) -> float:
        return max((facts.load for facts in self.extras.runs), default=0.0)

    @property
    def looks(self) -> Looks:
        return joined_looks(facts.looks for facts in self.extras.runs)

    @property
    def left(self) -> int | None:
        """Games that are missing at most; None where results decide that."""
        totals = [facts.total for facts in self.extras.runs]
        return None if None in totals else sum(filter(None, totals)) - self.tally.games

    def lead_on_field(self, row: Standing) -> LeadViews:
        """The lead of a player on all that it met; theirs, if its Elo is below 0."""
        is_behind = rounded(row.elo) < 0

        def los(clusters: tuple[Floats, Floats]) -> float:
            found = float(superiority(*clusters)[0])
            return 1 - found if is_behind else found

        return self.tally.lead(self.tally.clusters([row.name]).map(los), self.looks, row.name)

    def lead_of(self, one: str, other: str) -> LeadViews:
        """The lead of `one` on `other`, by the games of both."""
        group = {each.name: each.group for each in self.ratings.players}
        rivals = [name for name in group if name != one and group[name] == group[one]]
        views = lead_views(self.tally.evidence_views, one, other, rivals)
        return self.tally.lead(views, self.looks, one, other)

    def rows_of(self, *names: str) -> Iterator[Standing]:
        return filter(None, map(self.standing, names))

    def standing(self, name: str) -> Standing | None:
        """A player's row; None if it has none, as both of a couple together."""
        return next((row for row in self.standings if row.name == name), None)


def verdict_of(runs: PlayedRuns) -> Conclusion:
    """The verdict on the games of runs.

    A player is better, leads or wins only by games that were all planned: whoever looks at a match
    that goes on, and stops it when it looks well, finds differences where there are none.
    """
    rows, tests = runs.extras.matches, [row for row in runs.extras.matches if "llr" in row]
    if not runs.tally.games:
        counts = " that counts" if runs.extras.uncounted else ""
        return Conclusion(f"No game{counts} was played yet", next_step=_going_on_text(runs))
    if {facts.format.name for facts in runs.extras.runs} == {HUMAN}:
        return _persons_verdict(runs)
    if len(rows) == len(tests) == 1:
        return _test_verdict(runs, tests[0])
    if len(runs.standings) == 2:
        best, other = sorted(runs.standings, key=lambda row: -rounded(row.elo))
        return _elo_verdict(runs, best, f"{best.name} is better than {other.name}", other.name)
    if candidate := _candidate_of(runs):
        return _candidate_verdict(runs, candidate)
    return _tournament_verdict(runs)


def _persons_verdict(runs: PlayedRuns) -> Conclusion:
    """The games that a person won, and against whom: who chooses each game proves nothing."""
    names = runs.tally.names
    person = next((name for name in names if name == HUMAN), names[0])
    _, drawn, won = all_games = runs.tally.results_of(person)
    results = {name: runs.tally.meetings(person, name) for name in names}
    met = [f"{of[-1]:,} of {sum(of):,} against {name}" for name, of in results.items() if any(of)]
    games = f"{sum(all_games):,} game{'s' * (sum(all_games) != 1)}"
    told = f", and drew {drawn:,}" if drawn else ""
    return Conclusion(f"{person} won {won:,} of {games}{told}", ", ".join(met))


def _candidate_of(runs: PlayedRuns) -> Standing | None:
    if len(runs.extras.runs) != 1 or runs.extras.runs[0].format.name != "gauntlet":
        return None
    first = runs.extras.runs[0].format.parameters.get("candidates") or runs.tally.names[:1]
    return runs.standing(first[0]) if len(first) == 1 else None


def _candidate_verdict(runs: PlayedRuns, row: Standing) -> Conclusion:
    opponents = f"its {len(runs.standings) - 1} opponents together"
    is_weaker = rounded(row.elo) < 0
    claim = f"{row.name} is {'weaker' if is_weaker else 'better'} than {opponents}"
    verdict = _elo_verdict(runs, row, claim, opponents)
    # The mean of the field hides those that are better than the candidate.
    names = [each.name for each in runs.standings if each is not row]
    leads = {name: runs.lead_of(name, row.name) for name in names}
    stronger = [name for name in names if leads[name].is_sure_among(len(names))]
    if not stronger or not runs.is_over or is_weaker:
        return verdict
    verb = "is" if len(stronger) == 1 else "are"
    but = f"{', '.join(stronger)} {verb} better than {row.name} all the same."
    return replace(verdict, next_step=f"{verdict.next_step} {but}".strip())


def _elo_verdict(runs: PlayedRuns, row: Standing, claim: str, rival: str) -> Conclusion:
    text = f"Not decided{'' if runs.is_over else ' yet'}"
    if _is_unknown(row):
        few = "openings " if row.distinct_pairs > 1 else ""
        pairs = f"{row.distinct_pairs:,} distinct pair{'s' * (row.distinct_pairs != 1)}"
        told = f"too few {few}to tell, {pairs} in {_games_text(runs)}{_alike_text(row)}"
        if row.faults or row.won_by_faults:
            return _carried_verdict(runs, text, told)
        return Conclusion(text, told, next_step=_more_text(runs, None))
    told = f"LOS {format_los(row.los)}, {_games_text(runs)}{_alike_text(row)}"
    elo = _elo_text(row)
    size = f"{elo} for {row.name} against {rival}" if elo else "too few to say by how much"
    known = f"{size}, {told}"
    lead = runs.lead_on_field(row)
    if runs.is_over and lead.is_sure:
        tone: Tone = "bad" if rounded(row.elo) < 0 else "good"
        return Conclusion(claim, f"{elo}, {told}", tone, ENOUGH)
    if _is_made_by_faults(row) or (runs.is_over and lead.is_carried):
        rests = "on that rests " if elo and lead.is_less_sure else ""
        return _carried_verdict(runs, text, f"{rests}{known}{price_text(lead)}")
    if runs.goes_on and lead.los.played >= LEADING:
        place = "leads" if rounded(row.elo) > 0 else "trails"
        known = ", ".join(filter(None, [elo, told]))
        text, basis = f"{row.name} {place} {rival} so far", f"{known}; {COUNTS_LATER}"
        return Conclusion(text, basis, next_step=_going_on_text(runs))
    return Conclusion(
        text, f"{known}{price_text(lead)}", next_step=_more_text(runs, lead.los.played)
    )


def _carried_verdict(runs: PlayedRuns, text: str, known: str) -> Conclusion:
    faults = fault_heads(runs.standings, runs.tally.faults, runs.load)
    mend = first_step(runs.tally.faults.values(), runs.load)
    return Conclusion(text, f"{faults}; {known}", "doubtful", mend)


def _is_made_by_faults(row: Standing) -> bool:
    faults = row.faults + row.won_by_faults
    is_known = bool(_elo_text(row)) and not row.doubtful
    return bool(faults) and (not is_known or faults >= NOTABLE * row.games)


def price_text(lead: LeadViews) -> str:
    """A clause on the LOS that a claim takes, and why; empty where that is no more than usual, or
    far off."""
    if lead.tail >= TAIL or min(lead.los) < 1 - TAIL:
        return ""
    looks = lead.looks
    if looks.is_chosen:
        return "; but openings were left out after they were played"
    times = {1: "once", 2: "twice"}.get(looks.earlier, f"{looks.earlier} times")
    why = f"as the result was seen {times} before"
    if looks.runs > 1:
        why = f"as {looks.runs} runs are read together"
    if looks.is_any_moment:
        why = "as the games may have ended because of their results"
    if lead.tail < looks.tail(lead.openings):
        why = "as faults ended more than one game in a hundred"
    digits = min(max(1, 1 + ceil(-log10(100 * lead.tail))), MAX_DIGITS)
    return f"; {why}, it takes LOS {floor(10 ** (digits + 2) * (1 - lead.tail)) / 10**digits:g} %"


def _test_verdict(runs: PlayedRuns, test: Row) -> Conclusion:
    decision, pairs = test["decision"], f"{test['pairs']:,} pair{'s' * (test['pairs'] != 1)}"
    told = ", ".join(filter(None, [pairs, _test_elo_text(runs, test)]))
    if decision in ("H0", "H1"):
        shown = f"{test['one']} is {relation(test)} {test['other']}"
        is_won = decision == "H1"
        over = f"The test is over: keep {test['one'] if is_won else test['other']}."
        return Conclusion(shown, f"{decision} after {told}", "good" if is_won else "bad", over)
    if decision in (MANY_FAULTS, ONLY_FAULTS):
        shown = f"{_evidence_text(runs, test)}, {pairs}" if decision == MANY_FAULTS else pairs
        return _carried_verdict(runs, "Not decided", shown)
    if decision == "no new games":
        repeated = f"the players only repeat games that were played before, {told}"
        return Conclusion("Not decided", repeated, next_step="New games need more openings.")
    evidence = f"{_evidence_text(runs, test)}, {pairs}"
    if decision:
        over = f"Keep {test['other']}, or allow more pairs, and the test goes on from here."
        return Conclusion("Not decided", evidence, next_step=over)
    return Conclusion("Not decided yet", evidence, next_step=_going_on_text(runs))


def _evidence_text(runs: PlayedRuns, test: Row) -> str:
    llr = f"LLR {test['llr']:.2f} of {test['lower']:.2f} (H0) to {test['upper']:.2f} (H1)"
    views = test["llr_without_faults"], test["llr_faults_drawn"]
    if {*map(rounded, views)} != {rounded(test["llr"])}:
        llr += (
            f", {views[0]:.2f} without the pairs in which a fault ended a game and "
            f"{views[1]:.2f} with these games as draws"
        )
    elo = _test_elo_text(runs, test)
    return f"{elo} for {test['one']} against {test['other']}, {llr}" if elo else llr


def _test_elo_text(runs: PlayedRuns, test: Row) -> str:
    """The Elo of a test's first side; that of its pairs where it is several players together."""
    if one := runs.standing(test["one"]):
        return "" if _is_unknown(one) else _elo_text(one)
    counts = [int(each) for each in test["pentanomial"].split()]
    low, high = elo_interval(counts)
    return range_told(elo_difference(counts), low, high, False)


def relation(test: Row) -> str:
    """The accepted hypothesis in words: H1 excludes elo0 and less, H0 excludes elo1 and more."""
    is_more = test["decision"] == "H1"
    bound = test["elo0"] if is_more else test["elo1"]
    if not bound:
        return "better than" if is_more else "worse than"
    size = "more than" if is_more == (bound > 0) else "not"
    return (
        f"{size} {abs(bound):g} {unit_of(test['model'])} {'better' if bound > 0 else 'worse'} than"
    )


def _tournament_verdict(runs: PlayedRuns) -> Conclusion:
    """The verdict on many players: who won, where that is settled; the leader, and how sure it is.

    Ratings count all games, the LOS those against opponents of both: they may disagree.
    """
    if final := _final_of_knockout(runs):
        return _knockout_verdict(runs, final)
    found = _leader_verdict(runs)
    if won := _swiss_text(runs):
        sure = f"{found.text} in strength, {found.basis}" if found.tone == "good" else found.basis
        return replace(found, text=won, basis=sure)
    return found


def _leader_verdict(runs: PlayedRuns) -> Conclusion:
    rated = sorted(runs.ratings.players, key=lambda rating: -rounded(rating.elo))
    groups = {one.group: [each for each in rated if each.group == one.group] for one in rated}
    contests = [group for group in groups.values() if len(group) > 1]
    text = f"No clear leader{'' if runs.is_over else ' yet'}"
    if not contests:
        return Conclusion(text, _games_text(runs), next_step=_more_text(runs, None))
    if len(contests) > 1:
        return _parted_verdict(runs, contests)
    best, second = contests[0][:2]
    evidence = runs.lead_of(best.name, second.name)
    los = evidence.los.played
    lead = _lead_text(best, second)
    games = common_games(runs.tally.evidence, best.name, second.name)
    if not games:
        basis = f"{best.name} is {lead}, but their games do not compare the two"
        more = _going_on_text(runs) or "Let the two meet, or the same opponents."
        return Conclusion(text, f"{basis}, {_games_text(runs)}", next_step=more)
    told = f"LOS {format_los(los)} against it, {_games_text(runs)}"
    if evidence.is_carried:
        rests = "on that rests the lead: " if evidence.is_less_sure else ""
        carried = f"{rests}{best.name} is {lead}, {told}{price_text(evidence)}"
        return _carried_verdict(runs, text, carried)
    if runs.is_over and evidence.is_sure:
        return Conclusion(f"{best.name} leads", f"{lead}, {told}", "good", ENOUGH)
    if runs.goes_on and los >= LEADING:
        basis, more = f"{lead}, {told}; {COUNTS_LATER}", _going_on_text(runs)
        return Conclusion(f"{best.name} leads so far", basis, next_step=more)
    if any(map(_is_made_by_faults, runs.rows_of(best.name, second.name))):
        return _carried_verdict(runs, text, f"{best.name} is {lead}, {told}")
    is_behind = rounded(los) < 0.5 or (rounded(los) == 0.5 and round(best.elo - second.elo) > 0)
    better = "better" if rounded(los) < 0.5 else "as well"
    but = f", but {second.name} did {better} in the games that compare them" if is_behind else ""
    more = _more_text(runs, None if is_behind else los, games)
    basis = f"{best.name} is {lead}{but}, {told}{price_text(evidence)}"
    return Conclusion(text, basis, next_step=more)


def _swiss_text(runs: PlayedRuns) -> str:
    kinds = [facts.format.name for facts in runs.extras.runs]
    if not runs.is_over or kinds != ["swiss"] or not runs.extras.matches:
        return ""
    points, most = swiss_points(runs.tally.names, runs.extras.matches)
    best = max(points.values())
    first = [name for name in points if points[name] == best]
    told = f"with {best:g} of {most:g} points"
    if len(first) == 1:
        return f"{first[0]} wins the swiss {told}"
    return f"{', '.join(first[:-1])} and {first[-1]} share the first place of the swiss {told}"


def _parted_verdict(runs: PlayedRuns, contests: Sequence[Sequence[Rating]]) -> Conclusion:
    leads = []
    for best, second, *_ in contests[:MOST_GROUPS]:
        evidence = runs.lead_of(best.name, second.name)
        but = ", but faults carry it" if evidence.is_carried else ""
        los = format_los(evidence.los.played)
        leads.append(f"{best.name} is {_lead_text(best, second)} (LOS {los}{but})")
    more = ["..."] if len(contests) > MOST_GROUPS else []
    told = "; ".join([*leads, *more, _games_text(runs)])
    over = "Games between the groups would tell." if runs.is_over else _going_on_text(runs)
    return Conclusion("No single leader, as not all can be compared", told, next_step=over)


def _final_of_knockout(runs: PlayedRuns) -> Row | None:
    if not runs.is_over or len(runs.extras.runs) != 1 or not runs.extras.matches:
        return None
    final = runs.extras.matches[-1]
    return final if final.get("winner") else None


def _knockout_verdict(runs: PlayedRuns, final: Row) -> Conclusion:
    winner = final["winner"]
    other = final["other"] if winner == final["one"] else final["one"]
    text, games = f"{winner} wins the knockout{_final_text(final, other)}", _games_text(runs)
    for one, rival, too in ((winner, other, ", too"), (other, winner, " all the same")):
        evidence = runs.lead_of(one, rival)
        told = f"LOS {format_los(evidence.los.played)} against {rival}, {games}"
        if evidence.is_sure:
            return Conclusion(text, f"{one} is the stronger finalist{too}, {told}", "good")
        if evidence.is_carried:
            rests = f"on that rests the lead of {one}, " * evidence.is_less_sure
            return _carried_verdict(runs, text, f"{rests}{told}{price_text(evidence)}")
    los = runs.lead_of(winner, other).los.played
    basis = f"LOS {format_los(los)} against {other}, {games}"
    if any(map(_is_made_by_faults, runs.rows_of(winner, other))):
        return _carried_verdict(runs, text, basis)
    return Conclusion(text, basis, next_step="Which finalist is the stronger one is not decided.")


def _final_text(final: Row, other: str) -> str:
    if not final.get("pairs"):
        return ""
    points = 2 * final["pairs"]
    lost = round(final["score"] * points, 6)
    lost = lost if other == final["one"] else points - lost
    tied = ", a tie that the order of the file broke" if 2 * lost == points else ""
    return f", the final {points - lost:g} - {lost:g}{tied}"


def _lead_text(best: Rating, second: Rating) -> str:
    lead = round(best.elo - second.elo)
    shown = marked(str(lead), best.doubtful or second.doubtful)
    return f"rated {shown} Elo above {second.name}" if lead else f"rated level with {second.name}"


def _is_unknown(player: Standing) -> bool:
    return bool(player.elo_low <= -OPEN and player.elo_high >= OPEN)


def _elo_text(player: Standing) -> str:
    return range_told(player.elo, player.elo_low, player.elo_high, player.doubtful)


def range_told(elo: float, low: float, high: float, is_doubtful: bool) -> str:
    if low > -OPEN and high < OPEN:
        return f"{marked(f'{round(elo):+d}', is_doubtful)} Elo ({format_interval(low, high)})"
    bound = format_interval(low, high)
    return "" if bound == "-" else bound.replace(" or ", f"{DOUBT * is_doubtful} Elo or ")


def _games_text(runs: PlayedRuns) -> str:
    games, left = runs.tally.games, runs.left
    if not runs.is_over and left:
        return f"{games:,} of {games + left:,} games"
    formats = {facts.format.name for facts in runs.extras.runs}
    imported = "imported " if formats == {IMPORTED} else ""
    return f"{games:,} {imported}game{'s' * (games != 1)}"


def _alike_text(player: Standing) -> str:
    by = f" by {player.name}"
    kinds = {f"won{by}": player.wins, "drawn": player.draws, f"lost{by}": player.losses}
    return next((f", all {kind}" for kind, n in kinds.items() if n == player.games), "")


def _going_on_text(runs: PlayedRuns) -> str:
    """The sentence on the games that are missing; empty if none can be played."""
    if runs.is_over:
        return ""
    if not runs.goes_on:
        return "Mend first what stopped it."  # started again, it stops again
    if progress := sprt_progress(runs.extras.matches, runs.left):
        games = progress.games_text
        return f"{games[0].upper()}{games[1:]} until it is decided; arena run goes on with them."
    may_end_early = any("decision" in row for row in runs.extras.matches)
    most = "At most " if may_end_early else ""
    if (left := runs.left) == 1:
        return f"{most}1 game is still to come; arena run goes on with it."
    missing = f"{most}{left:,} games are still to come" if left else "Games are still to come"
    return f"{missing}; arena run goes on with them."


def _more_text(runs: PlayedRuns, los: float | None, games: float = inf) -> str:
    """The sentence on what would decide; None: no LOS is known. It rests on at most `games`.

    Who adds a few games until a match looks decided finds a winner among equals. So the advice is a
    number of games that the next verdict is due at, and which pays for the looks before it: see
    `stats.leads.Looks`. Errors shrink with the root of the games.
    """
    if not runs.is_over:
        return _going_on_text(runs)
    if los is None:
        return MORE
    if {facts.format.name for facts in runs.extras.runs} == {IMPORTED}:
        return "More games on other openings would tell."
    normal = NormalDist()
    reach = normal.inv_cdf(min(max(los, 1 - los), SURE))
    later = replace(runs.looks, earlier=runs.looks.earlier + 1)
    need = -normal.inv_cdf(later.tail(CHEAPEST_OPENINGS)) + normal.inv_cdf(POWER)
    if need > reach * max(MAX_TIMES, MANY_GAMES / runs.tally.games) ** 0.5:
        is_small = min(games, runs.tally.games) >= FEW_GAMES
        return "So small a lead, if any, takes far more games to tell." if is_small else MORE
    planned = 2 * ceil((need / reach) ** 2 * runs.tally.games / 2)
    return (
        f"Plan for {about(planned)} games in all, on new openings: if the difference is real, they "
        "tell in four of five cases."
    )


SLOW_LIMIT = "6s"  # A limit in which brains move that read no clock: most of them take five seconds
GO_ON = "start it again with --keep-going (in Python, keep_going=True)"
"""The way on after a stop, where the command is not known."""
FAULTS_FIRST = "First find the cause of the faults."
DID = {
    "illegal move": "moved illegally",
    "time": "lost on time",
    "hang": "hung",
    "exception": "raised an exception",
    "crash": "crashed",
    "memory": "ran out of memory",
}
"""What a player did that ended a game by its own fault."""
MAX_HEADS = 3  # Players at fault that a verdict names
MARK_MEANING = (
    f"{DOUBT}: faults carry this number. Without the games that they ended, or with these as "
    "draws, it would be another."
)


def mark_meaning(doubtful: Iterable[bool]) -> list[str]:
    """The line that tells the meaning of the mark, for a table in which it stands."""
    return [MARK_MEANING] if any(doubtful) else []


def fault_sentences(
    rows: Sequence[Standing], reasons: Mapping[str, Mapping[str, int]], load: float = 0.0
) -> Iterator[str]:
    """A sentence for each player at fault whose Elo faults carry, or keep from being known.

    `reasons` are those of the faults of each player: see `Tally.faults`; `load` is that of the
    machine: see `RunFacts`.
    """
    for row in rows:
        is_unknown = format_elo(row.elo, row.elo_low, row.elo_high, row.doubtful) == "-"
        if row.faults and (row.doubtful or is_unknown):
            yield f"{fault_heads([row], reasons, load)}: mend that before you trust its Elo."


def fault_heads(
    rows: Sequence[Standing], reasons: Mapping[str, Mapping[str, int]], load: float
) -> str:
    """What players did in how many games, the most first: `new crashed in 10 of 36 games`."""
    faulty = sorted((row for row in rows if row.faults), key=lambda row: -row.faults)
    alike: dict[str, list[str]] = {}
    for row in faulty[:MAX_HEADS]:
        did = _did_text(reasons[row.name], f"{row.games:,}", load)
        alike.setdefault(did, []).append(row.name)
    heads = [f"{_listed(names)} {did}{' each' * (len(names) > 1)}" for did, names in alike.items()]
    more = [f"{len(faulty) - MAX_HEADS:,} more likewise"] if len(faulty) > MAX_HEADS else []
    return ", ".join([*heads, *more])


def _listed(names: Sequence[str]) -> str:
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


def _did_text(reasons: Mapping[str, int], games: str, load: float) -> str:
    did = [f"{DID[reason]} in {count:,}" for reason, count in Counter(reasons).most_common()]
    return f"{' and '.join(did)} of {games} games{_busy_text(reasons, load)}"


def first_step(reasons: Iterable[Iterable[str]], load: float) -> str:
    if _busy_text(chain.from_iterable(reasons), load):
        return "Play it again on a quiet machine, or with more time."
    return "Mend that first."


def carried_texts(standings: pd.DataFrame) -> Iterator[str]:
    """A sentence for each player whose Elo faults carry: what it would be without them."""
    doubtful = standings[standings["doubtful"] & standings["elo_without_faults"].notna()]
    for row in doubtful.to_dict("records"):
        without, drawn = _elo_words(row["elo_without_faults"]), _elo_words(row["elo_faults_drawn"])
        yield (
            f"{row['name']}, against those that it met: {without} without the pairs in which a "
            f"fault ended a game, {drawn} with these games as draws."
        )


def _elo_words(elo: float) -> str:
    """Elo in a sentence; beyond what scores can tell, only that all was won or lost."""
    return f"{elo:+z.0f} Elo" if abs(elo) < OPEN else f"all {'won' if elo > 0 else 'lost'}"


def _busy_text(reasons: Iterable[str], load: float) -> str:
    """A clause on the machine, if all were late and it was busy."""
    is_busy = {*reasons} == {"time"} and load > 1
    return f" on a busy machine, up to {load:.1f} processes a core" * is_busy


def stop_text(
    first: FirstGames,
    kept: Sequence[GameRecord],
    name: str,
    command: str,
    go_on: str,
    load: float = 0.0,
) -> str:
    """The reason why a run stopped for the first games of the player of this name, and the cure.

    The `command` checks the player's program; empty if it plays by none.
    """
    games = first.games(kept)
    counts = Counter[str](game.reason for game in games)
    check = f"Check it with `{command}`; to" if command else "To"
    did = _did_text(counts, f"its first {len(games)}", load)
    return (
        f"{name} {did}; the last{_fault_text(games[-1])}.{_slow_text(games)} {check} play on all "
        f"the same: {go_on}"
    )


def advice_text(
    name: str, lost: Sequence[tuple[int, GameRecord]], folder: str, command: str
) -> str:
    """What to do about the games that a player lost by faults: `lost` has the first, with numbers.

    They are kept in the `folder`. The `command` checks its program; empty if it plays by none.
    """
    number, example = lost[0]
    slow = _slow_text(game for _, game in lost)
    return "\n".join(
        [
            f"{name} lost game {number}{_fault_text(example)}.{slow}",
            f"To see it: arena replay {quote(folder)} {number}",
            *([f"To find the cause: {command}"] if command else []),
        ]
    )


def _fault_text(game: GameRecord) -> str:
    words = without_home(", ".join(filter(None, [game.reason, game.detail])))
    return f", at its move {_own_moves(game) + 1}: {words}"


def _own_moves(game: GameRecord) -> int:
    return (game.plies - len(game.opening.split())) // 2


def _slow_text(games: Iterable[GameRecord]) -> str:
    """Advice for a player that never moved in time, and wrote no error that tells why."""
    if all(is_slow(each.reason, each.detail) and not _own_moves(each) for each in games):
        return f" It never moved: it may need more time, such as --limit {SLOW_LIMIT}."
    return ""


@dataclass(frozen=True, slots=True)
class RunFacts:
    name: str
    game: Named
    format: Named
    config: str  # Its config, as YAML, every default written out
    total: int | None = None  # Games at most; None where results decide that
    is_over: bool = False  # True if no game is missing
    looks: Looks = NO_LOOKS  # The looks at its games before this plan of it
    began: float | None = None
    """Seconds since 1970; None where nothing was noted, as of imported games."""
    ended: float | None = None
    load: float = 0.0
    """Processes that ran, or were ready to, for each core of its machine, at most; 0 if unknown, or
    if a game that was lost on time has another cause."""
    stopped: str = ""
    """The reason why the run stopped by itself, and how to go on; empty if it did not."""
    written: str = ""
    """The file as its user wrote it; empty where it is not known, as of imported games."""


@dataclass(frozen=True, slots=True)
class Extras:
    matches: Sequence[Row] = ()
    uncounted: Sequence[GameRecord] = ()
    notes: Sequence[str] = ()
    singles: Collection[str] = ()
    """Runs in which games without another of their pair are evidence, too: those imported."""
    runs: Sequence[RunFacts] = ()
    machines: Sequence[Row] = ()
    """One row for each machine of a cluster that played; none for runs at home."""
