"""The verdict on two players in one sentence: the better one, by how much, and how sure that is."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from typing import Any

import pandas as pd

from arena.match.pairs import is_doubtful
from arena.report.frames import Report
from arena.report.numbers import OPEN, interval_text
from arena.report.tables import nothing_played

SURE = 0.999
"""The highest LOS that is shown: how far out more would lie is not known."""

Row = Mapping[Hashable, Any]


def verdict_text(report: Report) -> str:
    """The verdict on a test, or else on two players; empty where there is no single question."""
    if report.games.empty:
        return nothing_played(report)
    is_test = "llr" in report.matches and len(report.matches) == 1
    if not is_test and len(report.standings) != 2:
        return ""
    if faults := "; ".join(faults_told(report.standings)):
        return f"Not decided: {faults}, which are no measure of strength."
    if is_test:
        return f"{verdict_on_test(report, report.matches.to_dict('records')[0])}."
    return f"{verdict_on_match(report)}."


def verdict_on_match(report: Report) -> str:
    """The verdict on two players by their Elo: decided if its 95 % interval leaves out 0."""
    ranked = report.standings.sort_values("elo", ascending=False, kind="stable")
    best, other = ranked.to_dict("records")
    is_over = all(facts.is_over for facts in report.runs)
    if is_unknown(best):
        pairs = f"{best['distinct_pairs']} distinct pair{'s' * (best['distinct_pairs'] != 1)}"
        return f"Not decided: {games_told(report)} with {pairs} on one opening are too few to tell"
    told = f"LOS {los_told(best['los'])}, {games_told(report)}{alike_told(best)}"
    if best["elo_low"] > 0:
        better = f"{best['name']} is better than {other['name']}: {elo_told(best)}, {told}"
        return better if is_over else f"So far {better}"
    yet = "" if is_over else " yet"
    return f"Not decided{yet}: {elo_told(best)} for {best['name']} against {other['name']}, {told}"


def verdict_on_test(report: Report, test: Row) -> str:
    """The verdict on a test of two hypotheses, with the Elo of its games if two players met."""
    played = games_told(report, of_total=False)
    ones = report.standings[report.standings["name"] == test["one"]].to_dict("records")
    told = f"{played}{''.join(f', {elo_told(one)}' for one in ones if not is_unknown(one))}"
    if test["decision"] in ("H0", "H1"):
        shown = f"{test['one']} is {relation(test)} {test['other']}"
        return f"{shown}: {test['decision']} accepted after {told}"
    if test["decision"] == "no new games":
        return f"Not decided: the players only repeat games that were played before, {told}"
    yet = "" if test["decision"] else " yet"
    bounds = f"LLR {test['llr']:.2f} between {test['lower']:.2f} (H0) and {test['upper']:.2f} (H1)"
    return f"Not decided{yet}: {bounds} after {told}"


def relation(test: Row) -> str:
    """The accepted hypothesis in words: H1 excludes elo0 and less, H0 excludes elo1 and more."""
    is_more = test["decision"] == "H1"
    bound = test["elo0"] if is_more else test["elo1"]
    if not bound:
        return "better than" if is_more else "worse than"
    unit = "Elo" if test["model"] == "logistic" else "nElo"
    size = "more than" if is_more == (bound > 0) else "not"
    return f"{size} {abs(bound):g} {unit} {'better' if bound > 0 else 'worse'} than"


def is_unknown(player: Row) -> bool:
    """True if its games leave any Elo possible."""
    return bool(player["elo_low"] <= -OPEN and player["elo_high"] >= OPEN)


def elo_told(player: Row) -> str:
    """Elo with its 95 % interval, or the one bound that is known."""
    low, high = player["elo_low"], player["elo_high"]
    if low > -OPEN and high < OPEN:
        return f"{round(player['elo']):+d} Elo ({interval_text(low, high)})"
    return interval_text(low, high).replace(" or ", " Elo or ")


def los_told(los: float) -> str:
    """The likelihood of superiority."""
    return f"{los:.1%}".replace("%", " %") if los < SURE else f"above {SURE:.1%}".replace("%", " %")


def games_told(report: Report, of_total: bool = True) -> str:
    """The number of games, and if some are missing, of how many."""
    games, totals = len(report.games), [facts.total for facts in report.runs if not facts.is_over]
    if of_total and len(totals) == 1 and totals[0] is not None:
        return f"{games} of {totals[0]} games"
    return f"{games} game{'s' * (games != 1)}"


def alike_told(player: Row) -> str:
    """The result of all games, if they all had one."""
    kinds = {"won": "wins", "drawn": "draws", "lost": "losses"}
    found = [kind for kind, column in kinds.items() if player[column] == player["games"]]
    return f", all {found[0]}" if found else ""


def faults_told(standings: pd.DataFrame) -> Iterator[str]:
    """A clause on each player that lost many of its games by its own faults."""
    for player in standings.to_dict("records"):
        if is_doubtful(player["faults"], player["games"]):
            lost = f"{player['faults']} of its {player['games']} games"
            yield f"{player['name']} lost {lost} by its own faults"
