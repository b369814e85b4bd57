"""The verdict of runs in one sentence: the better player, by how much, and how sure that is."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil, log10
from statistics import NormalDist
from typing import Any, Literal

from arena.errors import ConfigError, one_line
from arena.format import MANY_FAULTS, ONLY_FAULTS
from arena.plugins.load import HUMAN, IMPORTED
from arena.report.facts import Extras
from arena.report.fault_texts import blame_text, carried_text
from arena.report.numbers import OPEN, SURE, about, format_interval, format_los, unit_of
from arena.report.planning.outlook import sprt_progress
from arena.report.standings import Standing, Tally
from arena.stats.clustered import superiority
from arena.stats.davidson import Floats
from arena.stats.elo import TAIL, elo_difference, elo_interval
from arena.stats.leads import LeadViews, lead_views
from arena.stats.looks import NARROWEST, Looks, joined_looks
from arena.stats.ratings import Rating, Ratings
from arena.stats.rounding import rounded

MAX_TIMES = 20
MANY_GAMES = 2_000
"""A plan of more games than this, and MAX_TIMES those played, is worth nothing."""
POWER = 0.8
"""The chance of a claim that a plan aims at, if the lead is the one that was seen."""
MOST_GROUPS = 4
"""Groups of players whose leaders are named."""

ENOUGH = "No more games are needed to tell."
FAULTS_FIRST = "First find the cause of the faults."

Tone = Literal["good", "bad", "open", "doubtful"]
"""Decided as hoped, or against that; not decided; or not to be decided by these games."""
Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Conclusion:
    """The answer to the question that a run or a study is played for."""

    text: str
    """The better player, or that there is none yet: a clause that can stand in a title."""
    basis: str = ""
    """The size of the lead, and its certainty."""
    tone: Tone = "open"
    next_step: str = ""
    """The next step, as a sentence; empty where nothing follows."""

    @property
    def sentence(self) -> str:
        """The verdict without what to do next."""
        return f"{self.text}: {self.basis}." if self.basis else f"{self.text}."

    def __str__(self) -> str:
        return f"{self.sentence} {self.next_step}".strip()


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
    """All that a verdict on runs rests on."""

    tally: Tally
    standings: Sequence[Standing]
    """The best score first."""
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
    def load(self) -> float:
        """The load of the busiest machine: see `RunFacts`."""
        return max((facts.load for facts in self.extras.runs), default=0.0)

    @property
    def find_cause(self) -> str:
        """The next step where faults carry a result."""
        reasons = {reason for counts in self.tally.faults.values() for reason in counts}
        if reasons == {"time"} and self.load > 1:
            return "Play it again on a quiet machine, or with more time."
        return FAULTS_FIRST

    @property
    def looks(self) -> Looks:
        """The looks before this one."""
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
        return _nothing_played(runs)
    if len(rows) == len(tests) == 1:
        return _test_verdict(runs, tests[0])
    if len(runs.standings) == 2:
        return _match_verdict(runs)
    if candidate := _candidate_of(runs):
        return _candidate_verdict(runs, candidate)
    return _tournament_verdict(runs)


def _nothing_played(runs: PlayedRuns) -> Conclusion:
    """The verdict before the first game."""
    counts = " that counts" if runs.extras.uncounted else ""
    return Conclusion(f"No game{counts} was played yet", next_step=_going_on_told(runs))


def _match_verdict(runs: PlayedRuns) -> Conclusion:
    """The verdict on two players by their Elo: decided if its interval leaves out 0."""
    best, other = sorted(runs.standings, key=lambda row: -rounded(row.elo))
    better = f"{best.name} is better than {other.name}"
    return _elo_verdict(runs, best, better, f" for {best.name} against {other.name}")


def _candidate_of(runs: PlayedRuns) -> Standing | None:
    """The one candidate of a gauntlet; None for all else."""
    if len(runs.extras.runs) != 1 or runs.extras.runs[0].format.name != "gauntlet":
        return None
    first = runs.extras.runs[0].format.parameters.get("candidates") or runs.tally.names[:1]
    return runs.standing(first[0]) if len(first) == 1 else None


def _candidate_verdict(runs: PlayedRuns, row: Standing) -> Conclusion:
    """The verdict on the candidate of a gauntlet against its opponents."""
    opponents = f"its {len(runs.standings) - 1} opponents together"
    relation = "weaker" if rounded(row.elo) < 0 else "better"
    text = f"{row.name} is {relation} than {opponents}"
    found = _elo_verdict(runs, row, text, f" for {row.name} against {opponents}")
    # The mean of the field hides those that do better than it.
    stronger = []
    for each in runs.standings:
        lost, _, won = runs.tally.meetings(row.name, each.name)
        if lost > won:
            stronger.append(each.name)
    if not stronger or rounded(row.elo) < 0:
        return found
    told = f"It lost to {', '.join(stronger)} all the same."
    return replace(found, next_step=f"{found.next_step} {told}".strip())


def _elo_verdict(runs: PlayedRuns, row: Standing, claim: str, against: str) -> Conclusion:
    """The verdict on one player's Elo: the claim, if it is sure, or what is known `against`."""
    yet = "" if runs.is_over else " yet"
    if _is_unknown(row):
        few = "openings " if row.distinct_pairs > 1 else ""
        pairs = f"{row.distinct_pairs:,} distinct pair{'s' * (row.distinct_pairs != 1)}"
        told = f"too few {few}to tell, {pairs} in {_games_told(runs)}{_alike_told(row)}"
        if row.faults or row.won_by_faults:
            told = f"{told}; {_faults_told(runs, row)}"
            return Conclusion(f"Not decided{yet}", told, "doubtful", runs.find_cause)
        return Conclusion(f"Not decided{yet}", told, next_step=_more_told(runs, None))
    told = f"LOS {format_los(row.los)}, {_games_told(runs)}{_alike_told(row)}"
    elo = _elo_told(row)
    tone: Tone = "open"
    known = f"{elo}{against}, {told}" if elo else f"too few to say by how much, {told}"
    is_carried = row.doubtful or (not elo and bool(row.faults or row.won_by_faults))
    faults = f"; {_faults_told(runs, row)}" if is_carried else ""
    lead = runs.lead_on_field(row)
    if not runs.is_over:
        step = runs.find_cause if is_carried else _going_on_told(runs)
        tone = "doubtful" if is_carried else "open"
        return Conclusion("Not decided yet", f"{known}{faults}", tone, step)
    if lead.is_sure:
        tone = "bad" if rounded(row.elo) < 0 else "good"
        return Conclusion(claim, f"{elo}, {told}{faults}", tone, ENOUGH)
    if is_carried or lead.is_carried:
        return Conclusion(
            "Not decided", f"{known}; {_faults_told(runs, row)}", "doubtful", runs.find_cause
        )
    return Conclusion(
        "Not decided", f"{known}{price_text(lead)}", next_step=_more_told(runs, lead.los.played)
    )


def _test_verdict(runs: PlayedRuns, test: Row) -> Conclusion:
    """The verdict on a test of two hypotheses, with the Elo of its games."""
    decision, pairs = test["decision"], f"{test['pairs']:,} pair{'s' * (test['pairs'] != 1)}"
    told = ", ".join(filter(None, [pairs, _test_elo_told(runs, test)]))
    if decision in ("H0", "H1"):
        shown = f"{test['one']} is {relation(test)} {test['other']}"
        is_won = decision == "H1"
        over = f"The test is over: keep {test['one'] if is_won else test['other']}."
        return Conclusion(shown, f"{decision} after {told}", "good" if is_won else "bad", over)
    if decision in (MANY_FAULTS, ONLY_FAULTS):
        lost = [
            f"{row.name} lost {row.faults:,} of its {row.games:,} games by faults of its own"
            for row in runs.standings
            if row.faults
        ]
        shown = ", ".join(
            [*lost, *([_evidence_told(runs, test)] if decision == MANY_FAULTS else [])]
        )
        return Conclusion("Not decided", f"{shown}, {pairs}", "doubtful", runs.find_cause)
    if decision == "no new games":
        repeated = f"the players only repeat games that were played before, {told}"
        return Conclusion("Not decided", repeated, next_step="New games need more openings.")
    evidence = f"{_evidence_told(runs, test)}, {pairs}"
    if decision:
        over = f"Keep {test['other']}, or allow more pairs, and the test goes on from here."
        return Conclusion("Not decided", evidence, next_step=over)
    return Conclusion("Not decided yet", evidence, next_step=_going_on_told(runs))


def _evidence_told(runs: PlayedRuns, test: Row) -> str:
    """The Elo, where it is known, and the LLR of a test that is not decided."""
    llr = f"LLR {test['llr']:.2f} of {test['lower']:.2f} (H0) to {test['upper']:.2f} (H1)"
    views = test["llr_without_faults"], test["llr_faults_drawn"]
    if {*map(rounded, views)} != {rounded(test["llr"])}:
        llr += (
            f", but {views[0]:.2f} without the pairs in which a fault ended a game and "
            f"{views[1]:.2f} with these games as draws"
        )
    elo = _test_elo_told(runs, test)
    return f"{elo} for {test['one']} against {test['other']}, {llr}" if elo else llr


def _test_elo_told(runs: PlayedRuns, test: Row) -> str:
    """The Elo of a test's first side; that of its pairs where it is several players together."""
    if one := runs.standing(test["one"]):
        return "" if _is_unknown(one) else _elo_told(one)
    counts = [int(each) for each in test["pentanomial"].split()]
    low, high = elo_interval(counts)
    return range_told(elo_difference(counts), low, high)


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
    """The verdict on many players: the leader, and how sure it is."""
    rated = sorted(runs.ratings.players, key=lambda rating: -rounded(rating.elo))
    groups = {one.group: [each for each in rated if each.group == one.group] for one in rated}
    contests = [group for group in groups.values() if len(group) > 1]
    yet = "" if runs.is_over else " yet"
    if final := _final_of_knockout(runs):
        return _knockout_verdict(runs, final)
    if not contests:
        told = _games_told(runs)
        return Conclusion(f"No clear leader{yet}", told, next_step=_more_told(runs, None))
    if len(contests) > 1:
        return _parted_verdict(runs, contests)
    best, second = contests[0][:2]
    evidence = runs.lead_of(best.name, second.name)
    los = evidence.los.played
    told = f"LOS {format_los(los)} against it, {_games_told(runs)}"
    lead = _lead_told(best, second)
    if evidence.is_carried:
        basis = f"{best.name} is {lead}, {told}; but {doubt_text(evidence)}"
        return Conclusion(f"No clear leader{yet}", basis, "doubtful", runs.find_cause)
    if runs.is_over and evidence.is_sure:
        return Conclusion(f"{best.name} leads", f"{lead}, {told}", "good", ENOUGH)
    # Ratings count all games, the LOS those against opponents of both: they may disagree.
    is_behind = rounded(los) < 0.5
    but = f", but {second.name} did better against those that both met" if is_behind else ""
    more = _more_told(runs, None if is_behind else los)
    return Conclusion(
        f"No clear leader{yet}", f"{best.name} is {lead}{but}, {told}", next_step=more
    )


def doubt_text(lead: LeadViews) -> str:
    """The reason why faults keep a lead from being claimed."""
    if min(lead.los) >= 1 - TAIL:
        return price_text(lead).removeprefix("; ")
    return (
        f"faults carry the lead: LOS {format_los(lead.los.without)} without the pairs in which "
        f"they ended a game, {format_los(lead.los.drawn)} with these games as draws"
    )


def price_text(lead: LeadViews) -> str:
    """The LOS that a claim takes, and why, where more than that of one look at all games."""
    if lead.tail >= TAIL or lead.los.played < 1 - TAIL:
        return ""
    looks = lead.looks
    why = f"after {looks.earlier} earlier look{'s' * (looks.earlier != 1)}"
    if looks.is_any_moment:
        why = "as it may have ended because it looked well"
    if lead.tail < looks.tail(lead.openings):
        why = "beside so many faults"
    digits = max(1, 1 + ceil(-log10(100 * lead.tail)))
    bar, least = (f"{100 * each:.{digits}f}".rstrip("0") for each in (1 - lead.tail, min(lead.los)))
    return f"; {why}, it takes LOS {bar} %{f', and this is {least} %' * (min(lead.los) >= SURE)}"


def _parted_verdict(runs: PlayedRuns, contests: Sequence[Sequence[Rating]]) -> Conclusion:
    """The verdict on players that fall into groups that cannot be compared."""
    leads = []
    for best, second, *_ in contests[:MOST_GROUPS]:
        evidence = runs.lead_of(best.name, second.name)
        but = f", but {doubt_text(evidence)}" if evidence.is_carried else ""
        los = format_los(evidence.los.played)
        leads.append(f"{best.name} is {_lead_told(best, second)} (LOS {los}{but})")
    more = ["..."] if len(contests) > MOST_GROUPS else []
    told = "; ".join([*leads, *more, _games_told(runs)])
    over = "Games between the groups would tell." if runs.is_over else _going_on_told(runs)
    return Conclusion("No single leader, as not all can be compared", told, next_step=over)


def _final_of_knockout(runs: PlayedRuns) -> Row | None:
    """The last match of a knockout that is over; None for all else."""
    if not runs.is_over or len(runs.extras.runs) != 1 or not runs.extras.matches:
        return None
    final = runs.extras.matches[-1]
    return final if final.get("winner") else None


def _knockout_verdict(runs: PlayedRuns, final: Row) -> Conclusion:
    """The verdict on a knockout: its winner, and whether that is the stronger finalist."""
    winner = final["winner"]
    other = final["other"] if winner == final["one"] else final["one"]
    evidence = runs.lead_of(winner, other)
    text = f"{winner} wins the knockout"
    told = f"LOS {format_los(evidence.los.played)} against {other}"
    basis = f"{told}, {_games_told(runs)}"
    if evidence.is_sure:
        return Conclusion(text, basis, "good", "It is the stronger of the two, too.")
    if evidence.is_carried:
        basis = f"{basis}; but {doubt_text(evidence)}"
        return Conclusion(text, basis, "doubtful", runs.find_cause)
    return Conclusion(text, basis, next_step="Who of the two is stronger is not decided.")


def _lead_told(best: Rating, second: Rating) -> str:
    """The lead of the best player on the second."""
    lead = round(best.elo - second.elo)
    return f"rated {lead} Elo above {second.name}" if lead else f"rated level with {second.name}"


def _is_unknown(player: Standing) -> bool:
    """True if its games leave any Elo possible."""
    return bool(player.elo_low <= -OPEN and player.elo_high >= OPEN)


def _elo_told(player: Standing) -> str:
    """A player's Elo with its 95 % interval, or the one bound that is known."""
    return range_told(player.elo, player.elo_low, player.elo_high)


def range_told(elo: float, low: float, high: float) -> str:
    """Elo with its 95 % interval, or the one bound that is known; empty if there is none."""
    if low > -OPEN and high < OPEN:
        return f"{round(elo):+d} Elo ({format_interval(low, high)})"
    bound = format_interval(low, high)
    return "" if bound == "-" else bound.replace(" or ", " Elo or ")


def _games_told(runs: PlayedRuns) -> str:
    """The number of games, and if some are missing, of how many."""
    games, left = runs.tally.games, runs.left
    if not runs.is_over and left:
        return f"{games:,} of {games + left:,} games"
    kinds = {facts.format.name for facts in runs.extras.runs}
    return f"{games:,} {'imported ' * (kinds == {IMPORTED})}game{'s' * (games != 1)}"


def _alike_told(player: Standing) -> str:
    """The result of all games, if they all had one."""
    by = f" by {player.name}"
    kinds = {f"won{by}": player.wins, "drawn": player.draws, f"lost{by}": player.losses}
    return next((f", all {kind}" for kind, n in kinds.items() if n == player.games), "")


def _faults_told(runs: PlayedRuns, row: Standing) -> str:
    """A clause on the games that faults ended, and on a player's Elo without their help."""
    blame = blame_text(runs.tally.faults.get(row.name, ()), runs.load)
    kinds = {"won by faults of others": row.won_by_faults, f"lost {blame}": row.faults}
    counts = [f"{count:,} {kind}" for kind, count in kinds.items() if count]
    return f"{' and '.join(counts)}: {carried_text(row)}"


def _going_on_told(runs: PlayedRuns) -> str:
    """The sentence on the games that are missing; empty if none can be played."""
    if runs.is_over:
        return ""
    if any(facts.stopped for facts in runs.extras.runs):
        return runs.find_cause  # started again, it stops again
    if progress := sprt_progress(runs.extras.matches, runs.left):
        games = progress.games_text
        return f"{games[0].upper()}{games[1:]} until it is decided; arena run goes on with them."
    may_end_early = any("decision" in row for row in runs.extras.matches)
    most = "At most " if may_end_early else ""
    if (left := runs.left) == 1:
        return f"{most}1 game is still to come; arena run goes on with it."
    missing = f"{most}{left:,} games are still to come" if left else "Games are still to come"
    return f"{missing}; arena run goes on with them."


def _more_told(runs: PlayedRuns, los: float | None) -> str:
    """The sentence on what would decide; None: no LOS is known.

    Who adds a few games until a match looks decided finds a winner among equals. So the advice is a
    number of games that the next verdict is due at, and which pays for the looks before it: see
    `stats.looks`. Errors shrink with the root of the games.
    """
    if not runs.is_over:
        return _going_on_told(runs)
    if los is None:
        return "Play more games, on several openings."
    normal = NormalDist()
    reach = normal.inv_cdf(min(max(los, 0.5), SURE))
    later = replace(runs.looks, earlier=runs.looks.earlier + 1)
    need = -normal.inv_cdf(later.tail(NARROWEST)) + normal.inv_cdf(POWER)
    if need > reach * max(MAX_TIMES, MANY_GAMES / runs.tally.games) ** 0.5:
        return "So small a lead, if any, takes far more games to tell."
    games = 2 * ceil((need / reach) ** 2 * runs.tally.games / 2)
    return (
        f"Plan for {about(games)} games in all, on new openings: if the lead is real, they tell in "
        "four of five cases."
    )
