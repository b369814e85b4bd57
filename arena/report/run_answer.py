"""The answer on runs: what their games say of the players, for every form of a report."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from functools import partial

import pandas as pd

from arena.coordinates import Coordinates
from arena.errors import ConfigError
from arena.match.record import GameRecord
from arena.plugins.load import HUMAN, IMPORTED, Named, load_game
from arena.report.answer import FRAMES, PLAYED, Answer, ConfigText, GameSource
from arena.report.frames import Report
from arena.report.numbers import format_share, unit_of
from arena.report.openings import opening_counts
from arena.report.page.bracket import bracket_figure
from arena.report.page.charts import PANE, llr_figure, reliability_plot
from arena.report.plan import plan_section
from arena.report.table import AnyPart, Figure, FigureGrid, Level, Section
from arena.report.tables import (
    SCALES_TITLE,
    cross_table,
    endings_table,
    faults_table,
    knockout_stages,
    knockout_table,
    machines_table,
    matches_table,
    openings_table,
    other_elo_table,
    pairs_table,
    scales_table,
    seats_table,
    standings_table,
    swiss_table,
    thinking_table,
)
from arena.stats.rounding import DECIMALS

SOME = ("swap2", "machines")  # Frames that most runs have nothing in, and then are left out
STOPPED = "stopped by faults"  # The state of what a player stopped that only lost by its own faults
MAX_CHARTS = 12  # Players whose charts are drawn, the best ones
MAX_OPENINGS = 10  # Openings that a page shows at once
MAX_ROWS = 100  # Openings that it has at all, since it must stay small
CHARTS_TEXT = (
    "Each dot is a tenth of the player's moves. On the diagonal, games came out as its scores, and "
    "the strength of its opponents, let expect."
)


def run_answer(report: Report) -> Answer:
    return Answer(
        title=", ".join(facts.name for facts in report.runs) or "Report",
        subtitle=_subtitle(report),
        facts=list(_facts(report)),
        verdict=report.verdict,
        warnings=report.warnings,
        notes=report.notes,
        make_sections=partial(_sections, report) if report.count else tuple,
        make_details=partial(_details, report) if report.count else tuple,
        frames={name: partial(getattr, report, name) for name in FRAMES}
        | {"win_rates": _long(report.win_rates)}
        | {name: frame for name in SOME if len(frame := getattr(report, name))},
        on_request={"moves": report.moves},
        head={"distinct_games": report.distinct_games},
        configs=[ConfigText(facts.name, facts.config, facts.written) for facts in report.runs],
        games=game_source(report) if report.runs and report.count else None,
    )


def game_source(report: Report) -> GameSource:
    def played() -> Iterator[tuple[str, int, GameRecord]]:
        for run, games in zip(report.runs, report.played.values(), strict=True):
            for number, record in zip(games.numbers, games.records(), strict=True):
                yield run.name, number, record

    names = list(report.standings["name"])
    runs = {facts.name: facts.game for facts in report.runs}
    return GameSource(runs, names, played, report.known_scales)


def _long(matrix: pd.DataFrame) -> pd.DataFrame:
    """One row for each two players that met: players' names are values, never columns."""
    rows = [
        (name, opponent, score)
        for name, row in matrix.iterrows()
        for opponent, score in row.items()
        if not pd.isna(score)
    ]
    return pd.DataFrame(rows, columns=["name", "opponent", "score"])


def _subtitle(report: Report) -> str:
    if len(report.runs) > 1:
        return "Several runs reported as one"
    if any(facts.format.name == IMPORTED for facts in report.runs):
        return "Imported games"
    if "llr" in report.decided:
        return "Test"
    return "Match" if len(report.standings) == 2 else "Tournament"


def _facts(report: Report) -> Iterator[tuple[str, str]]:
    copies = report.count - report.distinct_games
    yield "Games", f"{report.count:,}{f', {report.distinct_games:,} distinct' * bool(copies)}"
    yield "Players", str(len(report.standings))
    for title, texts in (
        ("Game", [format_spec(facts.game) for facts in report.runs]),
        ("Format", [format_format(facts.format) for facts in report.runs]),
    ):
        if texts:
            yield title, ", ".join(dict.fromkeys(texts))
    began = [facts.began for facts in report.runs if facts.began is not None]
    ended = [facts.ended for facts in report.runs if facts.ended is not None]
    if began and ended:
        yield PLAYED, format_span(min(began), max(ended))
    if any(facts.format.name != HUMAN for facts in report.runs):
        yield "State", _state_text(report)


def format_format(format: Named) -> str:
    bounds = [format.parameters.get(each) for each in ("elo0", "elo1")]
    words = format.name.replace("_", " ").replace("sprt", "SPRT")
    if None in bounds:
        return words
    unit = unit_of(format.parameters.get("model", "logistic"))
    return f"{words} of {bounds[0]:g} against {bounds[1]:g} {unit}"


def format_spec(named: Named) -> str:
    """A name with its parameters, which a narrow page may break between them."""
    return str(named).replace(":", ": ", 1).replace(",", ", ")


def format_span(began: float, ended: float) -> str:
    """Two moments, in Greenwich's time, as a reader may be anywhere."""
    first, last = (time.strftime("%Y-%m-%d %H:%M", time.gmtime(each)) for each in (began, ended))
    if first == last:
        return f"{first} UTC"
    return f"{first} to {last[11:] if first[:10] == last[:10] else last} UTC"


def _state_text(report: Report) -> str:
    if any(facts.stopped for facts in report.runs):
        return STOPPED
    if all(facts.is_over for facts in report.runs):
        return "complete"
    totals = [facts.total for facts in report.runs]
    if None in totals:
        return "not complete"
    return f"not complete: {report.count:,} of at most {sum(map(int, filter(None, totals))):,}"


def _sections(report: Report) -> Iterator[Section]:
    standings = report.standings
    is_match = len(standings) == 2 and not report.anchor
    yield from _matches_sections(report)
    shown = standings_table(report)
    yield Section("standings", "Standings", [shown], " ".join(shown.notes), "main")
    text = (
        "Each row's share of the points against each column: above one half blue, below orange. "
        "Each share leads to its games."
    )
    rates = cross_table(report)
    level: Level = "folded" if is_match else "more"
    yield Section("head-to-head", "Cross table", [rates], " ".join([text, *rates.notes]), level)
    if not is_match:
        other = other_elo_table(report)
        yield Section("elo", other.title, [other], " ".join(other.notes), "folded")
    if made := report.openings_made:
        rules, words, table = made
        text = f"{words[0].upper()}{words[1:]}."
        yield Section(rules.lower().replace(" ", "-"), rules, [table], text)
    yield Section("endings", "How the games ended", [endings_table(report.endings)])
    faults = faults_table(report)
    if len(faults.frame):
        yield Section("faults", faults.title, [faults], " ".join(faults.notes), "folded")
    thinking = thinking_table(standings)
    if len(thinking.columns) > 2:  # more than plies
        text = "Means of the moves that the players chose; nodes and depth where they searched."
        yield Section("thinking", "Time and depth", [thinking], text, level)
    if len(report.machines):
        yield Section("machines", "Machines", [machines_table(report.machines)])
    yield from _folded_sections(report)


def _matches_sections(report: Report) -> Iterator[Section]:
    matches = report.decided
    if not len(matches):
        return
    players = list(map(str, report.win_rates))  # in the order of the file
    format = report.runs[0].format.name if len(report.runs) == 1 else ""
    if format == "knockout":
        table = knockout_table(matches, knockout_stages(len(players)))
        parts: list[AnyPart] = [partial(bracket_figure, players, matches), table]
        yield Section("matches", "Bracket", parts, " ".join(table.notes), "main")
        return
    if format == "swiss":
        table = swiss_table(players, matches)
        yield Section("ranking", "Ranking", [table], " ".join(table.notes), "main")
        yield Section("matches", "Matches", [matches_table(matches)], level="folded")
        return
    figures: list[Callable[[], Figure]] = []
    if "llr" in matches:
        # Of runs of several formats, not every match is a test.
        for test in matches[matches["llr"].notna()].to_dict("records"):
            (only, *others) = report.played.values()
            games = report.played[test["run"]] if others else only
            figures.append(partial(llr_figure, games, test))
    title = "Test" if figures else "Matches"
    yield Section("matches", title, [*figures, matches_table(matches)])


def _folded_sections(report: Report) -> Iterator[Section]:
    pairs = pairs_table(report.pairs)
    if report.standings["distinct_pairs"].any():
        yield Section("pairs", pairs.title, [pairs], level="folded")
    yield Section("colours", "Colours", [seats_table(report)], level="folded")
    scales = scales_table(report.scales)
    if len(scales.frame):
        figures = partial(_reliability_figures, report)
        has_figures = len(report.reliability) > 0
        text = " ".join([*scales.notes, *([CHARTS_TEXT] if has_figures else [])])
        parts: list[AnyPart] = [scales, *([figures] if has_figures else [])]
        yield Section("scores", SCALES_TITLE, parts, text, "folded")


def _reliability_figures(report: Report) -> FigureGrid:
    errors = report.scales.set_index("name")["calibration_error"]
    figures = []
    for name, tenths in [*report.reliability.groupby("name", sort=False)][:MAX_CHARTS]:
        caption = f"{name}: off by {format_share(errors[name])}"
        plot = reliability_plot(PANE)
        plot.dots(zip(tenths["expected"], tenths["scored"], strict=True), radius=3.5)
        figures.append(Figure(plot.drawn(caption, "pane"), caption))
    return FigureGrid(figures)


def _details(report: Report) -> Iterator[Section]:
    yield from openings_sections(report)
    if plan := plan_section(report):
        yield plan


def openings_sections(report: Report) -> Iterator[Section]:
    """Which of the openings decide: those that favour a side most, and all others folded."""
    found = opening_counts(report.games)
    if found.empty:
        return
    pairs = int(found[["by_colour", "by_player", "drawn"]].to_numpy().sum())
    by_colour, by_player = int(found["by_colour"].sum()), int(found["by_player"].sum())
    text = (
        f"Of {pairs:,} pairs of games, {by_colour:,} were won by the same colour twice, so by the "
        f"opening, {by_player:,} by the same player, and {pairs - by_colour - by_player:,} had a "
        "draw."
    )
    lean = ((found["first_score"] - 0.5).abs() * found["games"]).round(DECIMALS)
    ranked = found.loc[lean.sort_values(ascending=False, kind="stable").index]
    names = point_names(facts.game for facts in report.runs)
    if len(found) > MAX_OPENINGS:
        text += f" Of {len(found):,} openings, the {MAX_OPENINGS} that favoured a side most:"
    shown = ranked[:MAX_OPENINGS].sort_values("opening")
    yield Section("openings", "Openings", [openings_table(shown, names)], text)
    if len(others := ranked[MAX_OPENINGS:MAX_ROWS].sort_values("opening")):
        title = f"The next {len(others)} openings"
        yield Section("other-openings", title, [openings_table(others, names)], level="folded")


def point_names(games: Iterable[Named]) -> Callable[[str], str]:
    """A function that writes moves with points as boards name them; they stay if boards differ."""
    try:
        sizes = {load_game(game).size for game in games}
    except ConfigError:  # of a user's file that is there no longer
        return str
    return Coordinates(sizes.pop()).text if len(sizes) == 1 else str
