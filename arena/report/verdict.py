"""The verdict of runs in one sentence: the better player, by how much, and how sure that is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any, Literal

import numpy as np

from arena.format import MANY_FAULTS, ONLY_FAULTS
from arena.match.pairs import is_doubtful
from arena.plugins.load import HUMAN, IMPORTED
from arena.report.facts import Extras
from arena.report.numbers import OPEN, about, interval_text, unit_of
from arena.report.standings import Standing, Tally
from arena.stats.clustered import superiority
from arena.stats.elo import QUANTILE, TAIL, elo_difference, elo_interval
from arena.stats.ratings import Rating, Ratings

SURE = 0.999
"""The highest LOS that is shown, and its like at the other end: all beyond is not known."""
MOST_TIMES = 20
"""The most times the games played that a guess tells; of more it is worth nothing."""
MOST_GROUPS = 4
"""Groups of players whose leaders are named."""

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
        return all(facts.is_over or facts.format.name == HUMAN for facts in self.extras.runs)

    @property
    def left(self) -> int | None:
        """Games that are missing at most; None where results decide that."""
        totals = [facts.total for facts in self.extras.runs]
        return None if None in totals else sum(filter(None, totals)) - self.tally.games

    def standing(self, name: str) -> Standing | None:
        """A player's row; None if it has none, as both of a couple together."""
        return next((row for row in self.standings if row.name == name), None)


def verdict_of(runs: PlayedRuns) -> Conclusion:
    """The verdict on the games of runs."""
    rows, tests = runs.extras.matches, [row for row in runs.extras.matches if "llr" in row]
    if not runs.tally.games:
        return nothing_played(runs)
    sound = [row for row in runs.standings if not is_doubtful(row.faults, row.games)]
    is_test = len(rows) == len(tests) == 1
    if len(sound) < 2 or (len(sound) < len(runs.standings) and is_test):
        return faulty_verdict(runs)
    if is_test:
        return test_verdict(runs, tests[0])
    if len(runs.standings) == 2:
        return match_verdict(runs)
    return tournament_verdict(runs, [row.name for row in sound])


def nothing_played(runs: PlayedRuns) -> Conclusion:
    """The verdict before the first game."""
    counts = " that counts" if runs.extras.uncounted else ""
    return Conclusion(f"No game{counts} was played yet", next_step=going_on_told(runs))


def faulty_verdict(runs: PlayedRuns) -> Conclusion:
    """The verdict where too many games were lost by faults."""
    faults = "; ".join(faults_told(runs.standings))
    told = f"{faults}, which are no measure of strength"
    return Conclusion("Not decided", told, "doubtful", "First find the cause of the faults.")


def match_verdict(runs: PlayedRuns) -> Conclusion:
    """The verdict on two players by their Elo: decided if its 95 % interval leaves out 0."""
    best, other = sorted(runs.standings, key=lambda row: -row.elo)
    yet = "" if runs.is_over else " yet"
    if is_unknown(best):
        few = "openings " if best.distinct_pairs > 1 else ""
        pairs = f"{best.distinct_pairs:,} distinct pair{'s' * (best.distinct_pairs != 1)}"
        told = f"too few {few}to tell, {pairs} in {games_told(runs)}"
        return Conclusion(f"Not decided{yet}", told, next_step=more_told(runs, None))
    told = f"LOS {los_told(best.los)}, {games_told(runs)}{alike_told(best)}"
    if best.elo_low > 0:
        better = f"{best.name} is better than {other.name}"
        return decided(runs, better, f"{elo_told(best)}, {told}")
    basis = f"{elo_told(best)} for {best.name} against {other.name}, {told}"
    return Conclusion(f"Not decided{yet}", basis, next_step=more_told(runs, best.los))


def decided(runs: PlayedRuns, text: str, basis: str, tone: Tone = "good") -> Conclusion:
    """The verdict on what the games so far leave no doubt of."""
    if not runs.is_over:
        return Conclusion(f"So far {text}", basis, "open", going_on_told(runs))
    return Conclusion(text, basis, tone, "No more games are needed to tell.")


def test_verdict(runs: PlayedRuns, test: Row) -> Conclusion:
    """The verdict on a test of two hypotheses, with the Elo of its games."""
    decision, pairs = test["decision"], f"{test['pairs']:,} pair{'s' * (test['pairs'] != 1)}"
    told = ", ".join(filter(None, [pairs, test_elo_told(runs, test)]))
    if decision in ("H0", "H1"):
        shown = f"{test['one']} is {relation(test)} {test['other']}"
        is_won = decision == "H1"
        over = f"The test is over: keep {test['one'] if is_won else test['other']}."
        return Conclusion(shown, f"{decision} after {told}", "good" if is_won else "bad", over)
    if decision in (MANY_FAULTS, ONLY_FAULTS):
        over = "First find the cause of the faults."
        return Conclusion("Not decided", f"{decision}, after {told}", "doubtful", over)
    if decision == "no new games":
        repeated = f"the players only repeat games that were played before, {told}"
        return Conclusion("Not decided", repeated, next_step="New games need more openings.")
    evidence = f"{evidence_told(runs, test)}, {pairs}"
    if decision:
        over = f"Keep {test['other']}, or allow more pairs and start the test again."
        return Conclusion("Not decided", evidence, next_step=over)
    return Conclusion("Not decided yet", evidence, next_step=going_on_told(runs))


def evidence_told(runs: PlayedRuns, test: Row) -> str:
    """The Elo, where it is known, and the LLR of a test that is not decided."""
    llr = f"LLR {test['llr']:.2f} of {test['lower']:.2f} (H0) to {test['upper']:.2f} (H1)"
    elo = test_elo_told(runs, test)
    return f"{elo} for {test['one']} against {test['other']}, {llr}" if elo else llr


def test_elo_told(runs: PlayedRuns, test: Row) -> str:
    """The Elo of a test's first side; that of its pairs where it is several players together."""
    if one := runs.standing(test["one"]):
        return "" if is_unknown(one) else elo_told(one)
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


def tournament_verdict(runs: PlayedRuns, sound: Sequence[str]) -> Conclusion:
    """The verdict on many players: the leader, of those without many faults, and how sure it is."""
    rated = sorted((one for one in runs.ratings.players if one.name in sound), key=place_of)
    groups = {one.group: [each for each in rated if each.group == one.group] for one in rated}
    contests = [group for group in groups.values() if len(group) > 1]
    yet = "" if runs.is_over else " yet"
    faults = [f"without {each}" for each in faults_told(runs.standings, ", which")]
    played = "; ".join([games_told(runs), *faults])
    if final := final_of_knockout(runs):
        return knockout_verdict(runs, final, sound)
    if not contests:
        return Conclusion(f"No clear leader{yet}", played, next_step=more_told(runs, None))
    if len(contests) > 1:
        return parted_verdict(runs, contests, sound, played)
    best, second = contests[0][:2]
    los = lead_los(runs.tally, best.name, second.name, sound)
    told = f"LOS {los_told(los)} against it, {played}"
    if los >= 1 - TAIL:
        tone: Tone = "doubtful" if faults else "good"
        return decided(runs, f"{best.name} leads", f"{lead_told(best, second)}, {told}", tone)
    # Ratings count all games, the LOS those against opponents of both: they may disagree.
    but = f", but {second.name} did better against those that both met" if los < 0.5 else ""
    basis = f"{best.name} is {lead_told(best, second)}{but}, {told}"
    more = more_told(runs, los if los > 0.5 else None)
    return Conclusion(f"No clear leader{yet}", basis, "doubtful" if faults else "open", more)


def place_of(rating: Rating) -> float:
    """The key that sorts ratings, the best first."""
    return -rating.elo


def parted_verdict(
    runs: PlayedRuns, contests: Sequence[Sequence[Rating]], sound: Sequence[str], played: str
) -> Conclusion:
    """The verdict on players that fall into groups that cannot be compared."""
    leads = []
    for best, second, *_ in contests[:MOST_GROUPS]:
        los = los_told(lead_los(runs.tally, best.name, second.name, sound))
        leads.append(f"{best.name} is {lead_told(best, second)} (LOS {los})")
    more = ["..."] if len(contests) > MOST_GROUPS else []
    told = "; ".join([*leads, *more, played])
    over = going_on_told(runs)
    return Conclusion("No single leader, as not all can be compared", told, next_step=over)


def final_of_knockout(runs: PlayedRuns) -> Row | None:
    """The last match of a knockout that is over; None for all else."""
    if not runs.is_over or len(runs.extras.runs) != 1 or not runs.extras.matches:
        return None
    final = runs.extras.matches[-1]
    return final if final.get("winner") else None


def knockout_verdict(runs: PlayedRuns, final: Row, sound: Sequence[str]) -> Conclusion:
    """The verdict on a knockout: its winner, and how sure it is better than the other finalist."""
    winner = final["winner"]
    other = final["other"] if winner == final["one"] else final["one"]
    los = los_told(lead_los(runs.tally, winner, other, sound))
    faults = list(faults_told(runs.standings))
    told = "; ".join([f"LOS {los} against {other}, {games_told(runs)}", *faults])
    return decided(runs, f"{winner} wins the knockout", told, "doubtful" if faults else "good")


def lead_los(tally: Tally, one: str, other: str, names: Sequence[str]) -> float:
    """The likelihood that `one` is better than `other`, by their games with these players.

    It rests on their points against each other, and against opponents that both met, opening by
    opening: a point that `other` lost counts as one that `one` won. Where one of the two met
    an opponent more often, its games count for less, so that both sides weigh as much.
    """
    common = {*opponents(tally, one)} & {*opponents(tally, other)} & {*names} | {one, other}
    views = [
        (*seen, cluster, games)
        for (first, second, cluster, half_points), games in tally.evidence.items()
        for seen in ((first, second, half_points / 2), (second, first, 1 - half_points / 2))
        if seen[0] in (one, other) and seen[1] in common
    ]
    met = Counter[tuple[str, str]]()
    for player, opponent, _, _, games in views:
        met[player, opponent] += games
    found: dict[str, list[float]] = {}
    for player, opponent, points, cluster, games in views:
        fewest = min(n for each in (one, other) if (n := met[each, opponent]))
        # Half: each game of both with each other is seen from both sides.
        weight = games / 2 * fewest / met[player, opponent]
        counts = found.setdefault(cluster, [0.0, 0.0])
        counts[0] += weight * (points if player == one else 1 - points)
        counts[1] += weight
    won, played = np.array(list(found.values()) or [[0.0, 0.0]]).T
    return float(superiority(won[None, :], played[None, :])[0])


def opponents(tally: Tally, name: str) -> Iterator[str]:
    """The players that one has met."""
    for first, second, *_ in tally.evidence:
        if name in (first, second):
            yield second if name == first else first


def lead_told(best: Rating, second: Rating) -> str:
    """The lead of the best player on the second."""
    lead = round(best.elo - second.elo)
    return f"{lead} Elo ahead of {second.name}" if lead else f"level with {second.name}"


def is_unknown(player: Standing) -> bool:
    """True if its games leave any Elo possible."""
    return bool(player.elo_low <= -OPEN and player.elo_high >= OPEN)


def elo_told(player: Standing) -> str:
    """A player's Elo with its 95 % interval, or the one bound that is known."""
    return range_told(player.elo, player.elo_low, player.elo_high)


def range_told(elo: float, low: float, high: float) -> str:
    """Elo with its 95 % interval, or the one bound that is known."""
    if low > -OPEN and high < OPEN:
        return f"{round(elo):+d} Elo ({interval_text(low, high)})"
    return interval_text(low, high).replace(" or ", " Elo or ")


def los_told(los: float) -> str:
    """The likelihood of superiority."""
    if los >= SURE:
        return f"above {100 * SURE:.1f} %"
    return f"below {100 - 100 * SURE:.1f} %" if los <= 1 - SURE else f"{100 * los:.1f} %"


def games_told(runs: PlayedRuns) -> str:
    """The number of games, and if some are missing, of how many."""
    games, left = runs.tally.games, runs.left
    if not runs.is_over and left:
        return f"{games:,} of {games + left:,} games"
    kinds = {facts.format.name for facts in runs.extras.runs}
    return f"{games:,} {'imported ' * (kinds == {IMPORTED})}game{'s' * (games != 1)}"


def alike_told(player: Standing) -> str:
    """The result of all games, if they all had one."""
    kinds = {"won": player.wins, "drawn": player.draws, "lost": player.losses}
    return next((f", all {kind}" for kind, n in kinds.items() if n == player.games), "")


def faults_told(standings: Sequence[Standing], which: str = "") -> Iterator[str]:
    """A clause on each player that lost many of its games by its own faults."""
    for row in standings:
        if is_doubtful(row.faults, row.games):
            lost = f"lost {row.faults} of its {row.games} games by its own faults"
            yield f"{row.name}{which} {lost}"


def going_on_told(runs: PlayedRuns) -> str:
    """The sentence on the games that are missing; empty if none can be played."""
    if runs.is_over:
        return ""
    may_end_early = any("decision" in row for row in runs.extras.matches)
    most = "At most " if may_end_early else ""
    if (left := runs.left) == 1:
        return f"{most}1 game is missing; arena run goes on with it."
    missing = f"{most}{left:,} games are missing" if left else "Games are missing"
    return f"{missing}; arena run goes on with them."


def more_told(runs: PlayedRuns, los: float | None) -> str:
    """The sentence on the games that may tell what those played do not; None: no LOS is known.

    Errors shrink with the root of the games: a lead that stays as it is will be sure in time.
    """
    if not runs.is_over:
        return going_on_told(runs)
    if los is None:
        return "Play more games, on several openings."
    reach = NormalDist().inv_cdf(min(max(los, 0.5), SURE))
    times = (QUANTILE / reach) ** 2 - 1 if reach > 0 else MOST_TIMES + 1
    if times > MOST_TIMES:
        return f"To tell so small a lead would take more than {MOST_TIMES} times as many games."
    games = max(times * runs.tally.evidence.total(), 2)
    return f"About {about(games)} more games on new openings would tell, if the lead stays."
