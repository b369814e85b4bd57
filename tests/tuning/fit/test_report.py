"""The report of a fit: verdict, caveats, frames and page, from its folder alone."""

from __future__ import annotations

import io
import json
import shutil
from contextlib import closing
from dataclasses import asdict, fields, replace
from math import inf, nan
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pandas as pd
import pytest
from click.testing import CliRunner
from support.browsers import SCHEMES, WIDTHS, node_module, opened
from support.html_outlines import Outline
from support.studies import COIN

import arena
from arena.cli import arena as command
from arena.cluster.places import site_of
from arena.errors import ConfigError
from arena.experiment import open_experiment
from arena.report.answer import report_text, save
from arena.report.table import text_frame
from arena.server.watch.followed_run import snapshot_of
from arena.server.watch.run_list import RunFolders, listed, row_of
from arena.stats.score_scale import Decile
from arena.storage.database import Store
from arena.storage.folder import DATABASE, freeze, make_folder
from arena.tuning.fit.config import fit_data, read_fit
from arena.tuning.fit.fit import RESULT, Fit, open_fit
from arena.tuning.fit.frames import MOST_ROWS, FitFrames, weights_table
from arena.tuning.fit.report import fit_answer
from arena.tuning.fit.result_fit import FitResult, FittedWeight

if TYPE_CHECKING:
    from playwright.sync_api import Browser

FIT = """
kind: fit
game: {gomoku: {size: 9}}
engine: ./coin.py
parameters: [weight, power]
make:
  engines: [{name: a, engine: ./coin.py, weight: 0.3}, {name: b, engine: ./coin.py, weight: 0.4}]
  games: 8
opponents: [{name: rival, engine: ./coin.py, weight: 0.5}, {name: other, engine: random_mover}]
openings: {random: {plies: 3}}
verification: {elo0: -100, elo1: 0, pairs: 300, opponent_pairs: 10}
"""
FOUND = FitResult(
    weights=[
        FittedWeight("weight", 0.2, 0.75, 0.02, 4_000, 0.68, 0.84),
        FittedWeight("power", 10, 12, 3, 150, 5.5, 17.5),
    ],
    fixed=[],
    scale=0.00412,
    scale_error=0.0002,
    is_scale_guessed=False,
    openings=1_000,
    positions=10_000,
    held_out=1_000,
    losses=[(0.69, 0.69), (0.681, 0.682), (0.677, 0.678), (0.676, 0.679)],
    chosen=2,
    gain=0.012,
    gain_reach=0.0039,
    before=[Decile(0.1 + i / 12, 0.05 + i / 10) for i in range(10)],
    after=[Decile(0.06 + i / 10, 0.05 + i / 10) for i in range(10)],
    curve=[(112, 0.684), (225, 0.681), (450, 0.6785), (900, 0.678)],
)


def kept(folder: Path, result: FitResult | None = None, engine: str = COIN, text: str = FIT) -> Fit:
    """A fit whose folder is kept before its first game, and what it found, if that is given."""
    (folder / "coin.py").write_text(engine, encoding="utf-8")
    (folder / "quick.yaml").write_text(text, encoding="utf-8")
    fit = Fit(folder / "results", read_fit(folder / "quick.yaml"))
    make_folder(fit.folder)
    with closing(Store(fit.folder / DATABASE)) as store:
        freeze(fit.folder, fit_data(fit.config), lambda *_: (), store)
        store.note({**store.facts(), RESULT: asdict(result) if result else None})
    return fit


@pytest.fixture(scope="module", name="proved")
def fixture_proved(tmp_path_factory: pytest.TempPathFactory) -> Fit:
    """A fit whose games and proof were played."""
    fit = kept(tmp_path_factory.mktemp("fit"), FOUND)
    with site_of(0, None, None) as site:
        fit.make_games(site)
        fit.matches.play(site)
    return open_fit(fit.folder)


def shown(fit: Fit, *options: str) -> str:
    result = CliRunner().invoke(command, ["report", str(fit.folder), *options])
    assert result.exit_code == 0, result.output
    return result.stdout


def told(fit: Fit) -> str:
    """All sentences of the report."""
    return "\n".join(fit_answer(fit).sentences)


def test_before_the_fit_its_report_says_how_many_games_are_made(tmp_path: Path) -> None:
    fit = kept(tmp_path)
    assert not fit.is_over
    assert str(fit.verdict) == "Not fitted yet: 0 of 8 games made. arena fit goes on."
    with site_of(0, None, None) as site:
        fit.make_games(site)
    assert fit.verdict.sentence == "Not fitted yet: all games are there."
    assert all(frame.empty for frame in fit.frames().by_name.values())
    page = Outline(report_text(fit_answer(fit), "html"))
    assert "8 of 8" in page.text
    assert "weights" not in page.ids


def test_a_fit_to_moves_of_an_earlier_version_is_listed_with_its_games_and_left_alone(
    tmp_path: Path,
) -> None:
    fit = kept(tmp_path)
    with site_of(0, None, None) as site:
        fit.make_games(site)
    to_moves = {"target": "moves", RESULT: {"weights": [], "unit": 100.0}}
    with closing(Store(fit.folder / DATABASE)) as store:
        store.note({**store.facts(), **to_moves})
    with (fit.folder / "config.yaml").open("a", encoding="utf-8") as config:
        config.write("target: moves\n")
    files = {file: file.read_bytes() for file in fit.folder.rglob("*") if file.is_file()}
    earlier, snapshot = open_fit(fit.folder), snapshot_of(fit.folder)
    told = "A fit to the moves that were played, which this version does not report"
    assert fit_answer(earlier).sentences == [told + "."]
    assert "target: moves" in fit_answer(earlier).configs[0].whole
    assert shown(earlier).startswith(told)
    assert (len(snapshot.games), snapshot.status.state) == (8, "complete")
    for again in (fit.begin, earlier.fit):
        with pytest.raises(ConfigError, match="a fit to moves is kept here: choose another name"):
            again()
    assert {file: file.read_bytes() for file in files} == files


def test_a_fit_to_games_of_other_runs_names_them_without_a_look(tmp_path: Path) -> None:
    begin, end = FIT.index("make:"), FIT.index("opponents:")
    fit = kept(tmp_path, FOUND, text=f"{FIT[:begin]}games: [round, league]\n{FIT[end:]}")
    page = Outline(report_text(fit_answer(fit), "html"))
    assert "Games of round, league" in " ".join(page.text.split())
    assert "Games made" not in page.text
    snapshot = snapshot_of(fit.folder)
    assert (snapshot.games, snapshot.status.total) == ([], 0)


def test_a_fit_without_a_test_tells_what_it_saves(tmp_path: Path) -> None:
    fit = kept(tmp_path, FOUND)
    saved = "saves 0.0120 (+0.0081 to +0.0159) nats a position"
    assert fit.verdict.sentence == f"Fitted, not tested yet: {saved}."
    assert not fit.is_over
    assert "chance" not in told(fit)


def test_too_few_openings_tell_no_interval(tmp_path: Path) -> None:
    fit = kept(tmp_path, replace(FOUND, gain_reach=inf))
    assert fit.verdict.sentence.endswith("saves 0.0120 (-) nats a position.")
    assert "alone: it saves 0.0120 (-) nats a position, and too few openings" in told(fit)
    assert "inf" not in shown(fit)


def test_weights_that_stay_are_no_gain(tmp_path: Path) -> None:
    same = [replace(each, after=each.before) for each in FOUND.weights]
    fit = kept(tmp_path, replace(FOUND, weights=same, gain=0.0, gain_reach=0.0))
    assert (fit.verdict.text, fit.verdict.tone) == ("No gain found", "bad")
    assert fit.is_over


TABLES = """

class Tables:
    size = 3
    start = [1.0, 2.0, 3.0]

    def of(self, p):
        return [0], [p.cells.count(p.turn)]


def features(game, **others):
    return Tables()
"""


def test_tables_that_stay_are_no_gain_and_before_the_fit_nothing_is_over(tmp_path: Path) -> None:
    engine = COIN.replace("power:", 'tables: str = "",\n    power:', 1) + TABLES
    text = FIT.replace("parameters: [weight, power]\n", "")
    fit = kept(tmp_path, engine=engine, text=text)
    assert not fit.is_over
    same = [FittedWeight(str(i), float(i), float(i), 0.1, 500) for i in (1, 2, 3)]
    fit = kept(tmp_path, replace(FOUND, weights=same), engine=engine, text=text)
    assert fit.is_over
    assert fit.verdict.text == "No gain found"


def test_a_proof_has_the_last_word(proved: Fit) -> None:
    assert proved.proof
    assert proved.verdict.text == "tuned is not 100 Elo worse than default"
    assert proved.verdict.next_step == f"Take the weights in {proved.folder / 'tuned.yaml'}."
    assert proved.is_over
    first = shown(proved).splitlines()[0]
    assert first.startswith(proved.verdict.sentence)


CURVE = [(225, 0.684), (450, 0.681), (900, 0.678)]


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"gain": 0.003}, "The fit may be of chance alone: it saves 0.0030 (-0.0009 to +0.0069)"),
        ({"gain": -0.003}, "The fit may be of chance alone: it saves -0.0030 (-0.0069 to +0.0009)"),
        ({"curve": CURVE}, "the last half of the 900 openings fitted saved 0.0030 nats."),
        ({"fixed": ["sulks"]}, "the engine's value is not linear in them: sulks."),
        (
            {"weights": [replace(FOUND.weights[0], after=0.999)]},
            "weight: 0.999 stands at the high end of its range, 0 to 1,",
        ),
        (
            {"weights": [replace(FOUND.weights[0], seen=99), FOUND.weights[1]]},
            "fewer than 100 of the 9,000 positions fitted depend on them: weight (99).",
        ),
    ],
)
def test_what_speaks_against_a_fit_is_said(
    changed: dict[str, Any], words: str, tmp_path: Path
) -> None:
    assert words not in told(kept(tmp_path, FOUND))
    shutil.rmtree(tmp_path / "results")
    assert words in told(kept(tmp_path, replace(FOUND, **changed)))


def test_a_sound_fit_has_no_caveat(tmp_path: Path) -> None:
    assert fit_answer(kept(tmp_path, FOUND)).sentences[1:] == []


def test_a_saving_by_chance_says_nothing_of_more_games(tmp_path: Path) -> None:
    by_chance = replace(FOUND, gain_reach=0.0196, curve=CURVE)
    assert "still falls" not in told(kept(tmp_path, by_chance))


def test_tables_say_that_they_leave_weights_out(tmp_path: Path) -> None:
    weights = [
        FittedWeight(str(i), 0.0, i + 0.5, 362.04, 4_000, -700.26, 750)
        for i in range(MOST_ROWS + 1)
    ]
    weights[-1] = replace(weights[-1], error=inf, low=-inf, high=inf)
    fit = kept(tmp_path, replace(FOUND, weights=weights))
    table = text_frame(weights_table(fit.frames()))
    assert list(table["weight"])[-1] == "1"
    assert list(table["games alone, 95 %"])[:2] == ["-", "-700.3 to 750"]
    assert f"The {MOST_ROWS} weights that changed most are shown, of {MOST_ROWS + 1}" in told(fit)


def test_a_weight_is_drawn_with_its_default_and_whole_ones_have_whole_ends() -> None:
    rows = [
        ("free", 0.2, 0.75, 0.02, 4000, 0.68, 0.84, 0.0, 1.0, False, ""),
        ("whole", 10, 12, 3.0, 150, 5.5, 17.5, 1.0, 100.0, True, ""),
        ("table", 0.5, 1.5, 0.1, 150, 1.25, 1.75, nan, nan, False, ""),
        ("unseen", 7, 7, inf, 0, -inf, inf, 1.0, 100.0, False, ""),
    ]
    names = ["name", "before", "after", "error", "seen", "low", "high"]
    names += ["range_low", "range_high", "log", "edge"]
    frames: Any = SimpleNamespace(weights=pd.DataFrame(rows, columns=names), name_of_values="tuned")
    table = weights_table(frames)
    intervals = ["0.68 to 0.84", "5 to 18", "1.25 to 1.75", "-"]
    assert list(text_frame(table)["games alone, 95 %"]) == intervals
    (draw,) = (column.draw for column in table.columns if column.draw)
    for row in table.rows:
        assert draw(row).count('class="default"') == 1
        assert draw(row).count('class="point"') == 1


def test_a_player_that_only_faults_stops_the_fit(tmp_path: Path) -> None:
    lucky = "if self.random.random() > self.luck"
    assert lucky in COIN
    fit = kept(tmp_path, engine=COIN.replace(lucky, "assert self.luck > 0.71\n        if False"))
    with site_of(0, None, None) as site:
        fit.make_games(site)
    assert (fit.verdict.text, fit.verdict.tone) == ("Not fitted", "doubtful")
    assert "quick stopped by itself. " in told(fit)
    assert open_experiment(fit.folder).status().state == "stopped by faults"


@pytest.mark.slow
@pytest.mark.parametrize("name", [field.name for field in fields(FitFrames)])
def test_csv_and_json_use_the_names_of_the_frames(proved: Fit, name: str) -> None:
    frame = getattr(proved.frames(), name)
    table = pd.read_csv(io.StringIO(shown(proved, "--format", "csv", "--frame", name)))
    assert list(table.columns) == list(frame.columns)
    assert len(table) == len(frame)
    rows = json.loads(shown(proved, "--json"))[name]
    assert rows == json.loads(shown(proved, "--json", "--frame", name))
    assert [list(row) for row in rows] == [list(frame.columns)] * len(frame)


def test_json_tells_what_was_found_beside_the_frames(proved: Fit) -> None:
    found = json.loads(shown(proved, "--json"))
    assert found["fit"]["scale_error"] == FOUND.scale_error
    assert found["games_made"] == found["games_to_make"] == 8
    assert [row["chosen"] for row in found["losses"]] == [False, False, True, False]
    assert found["weights"][0]["after"] == 0.75


def test_the_report_is_for_people_too(proved: Fit) -> None:
    assert "loss before" not in shown(proved)
    text = shown(proved, "--full")
    for words in ("loss before", "0.6900", "+0.0120", "0.00412", "0.68 to 0.84", "4,000"):
        assert words in text
    assert "## Loss" in shown(proved, "--full", "--format", "markdown")


def test_its_page_begins_with_the_weights_and_their_picture(proved: Fit) -> None:
    page = Outline(report_text(fit_answer(proved), "html"))
    sections = ["weights", "proof", "loss", "config"]
    assert [each for each in page.ids if each in sections] == sections
    assert len(set(page.ids)) == len(page.ids)
    assert [given["class"] for tag, given in page.tags if tag == "svg"].count("pane") == 3
    assert "Fit of the weights of" in page.text
    assert "nan" not in page.text
    assert "held out 0.6900 before the fit, 0.6780 at epoch 2" in " ".join(page.text.split())


def test_notebooks_show_it(proved: Fit) -> None:
    html = proved._repr_html_()
    assert proved.verdict.sentence in html
    assert "0.68 to 0.84" in html


def test_a_fit_is_no_run_and_stands_alone(proved: Fit) -> None:
    folder = str(proved.folder)
    with pytest.raises(arena.ConfigError, match="a fit of weights is kept here") as found:
        arena.open_run(folder)
    for name in ("games", "verification", "opponents"):
        assert f"a run of its games: {proved.folder / name}" in str(found.value)
        assert arena.open_run(proved.folder / name).records()
    for arguments in ([folder, f"{folder}/games"], [folder, "--anchor", "tuned"]):
        with pytest.raises(arena.ConfigError, match="is a fit of weights"):
            CliRunner().invoke(command, ["report", *arguments], catch_exceptions=False)


def test_a_server_lists_it_and_shows_its_page(proved: Fit) -> None:
    snapshot = snapshot_of(proved.folder)
    assert snapshot.document.subtitle.startswith("Fit of the weights of")
    assert [record for _, record in snapshot.games] == list(proved.records())
    assert (len(snapshot.games), snapshot.status.total, snapshot.players) == (8, 8, ["a", "b"])
    verdict = open_experiment(proved.folder).verdict()
    assert (snapshot.status.state, verdict) == ("complete", proved.verdict)
    with closing(RunFolders(proved.results)) as folders:
        rows = {each.name: row_of(listed(each)).kind for each in folders.runs()}
    within = dict.fromkeys(["quick/games", "quick/opponents", "quick/verification"], "tournament")
    assert rows == {"quick": "fit of weights", **within}


@pytest.fixture(scope="module", name="file")
def fixture_file(proved: Fit, tmp_path_factory: pytest.TempPathFactory) -> Path:
    (file,) = save(fit_answer(proved), "html", None, tmp_path_factory.mktemp("page") / "fit.html")
    return file


@pytest.mark.slow
@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("width", WIDTHS)
def test_it_fits_every_screen_and_axe_finds_no_serious_fault(
    width: int, scheme: Any, browser: Browser, file: Path
) -> None:
    script = node_module("axe-core/axe.min.js").read_text(encoding="utf-8")
    with opened(browser, file, width, color_scheme=scheme, bypass_csp=True) as page:
        assert page.evaluate("document.documentElement.scrollWidth") == width
        page.evaluate(script)
        found = page.evaluate("axe.run().then(each => each.violations)")
        grave = [each for each in found if each["impact"] in ("serious", "critical")]
        assert not [(each["id"], [node["html"] for node in each["nodes"]]) for each in grave]
