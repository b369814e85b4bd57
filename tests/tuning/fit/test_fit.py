"""A whole fit, as users see it: its file, games, folder, proof, and its report."""

from __future__ import annotations

import json
import pickle
import shutil
from contextlib import closing
from dataclasses import asdict, replace
from math import inf, nan
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from support.browsers import SCHEMES, WIDTHS, node_module, opened
from support.html_outlines import Outline
from support.samples import ROOT, ROUND, Write, player
from support.studies import COIN

import arena
from arena import ConfigError
from arena.cli import arena as command
from arena.cluster.places import site_of
from arena.experiment import open_experiment
from arena.report.answer import report_text, save
from arena.report.table import text_frame
from arena.server.watch.followed_run import snapshot_of
from arena.server.watch.run_list import RunFolders, listed, row_of
from arena.stats.score_scale import Decile
from arena.storage.database import Store
from arena.storage.folder import DATABASE, clear, freeze, make_folder
from arena.tuning.fit.config import fit_data, fit_from_data, read_fit
from arena.tuning.fit.fit import RESULT, Fit, fit, open_fit
from arena.tuning.fit.frames import MOST_ROWS, weights_table
from arena.tuning.fit.report import fit_answer
from arena.tuning.fit.result_fit import FitResult, FittedWeight

if TYPE_CHECKING:
    from playwright.sync_api import Browser

MOODY = (ROOT / "tests/data/moody.py").read_text(encoding="utf-8")
FIT = """
    kind: fit
    game: {gomoku: {size: 7}}
    engine: ./moody.py
    parameters: [centre, edge, unused]
    make:
      engines:
      - {name: one, engine: ./moody.py}
      - {name: two, engine: ./moody.py, nerves: 300}
      games: 300
    openings: {random: {plies: 3}}
    opponents:
    - {name: mover, engine: random_mover}
    - {name: calm, engine: ./moody.py, nerves: 50}
    verification: {elo0: -400, elo1: -200, pairs: 40, opponent_pairs: 10}
    vary: {}
"""


@pytest.fixture(name="file")
def fixture_file(write: Write) -> Path:
    write(MOODY, "moody.py")
    return write(FIT, "fitted.yaml")


def made(file: Path, **options: object) -> Fit:
    return fit(file, workers=0, results=file.parent / "results", **options)  # type: ignore[arg-type]


@pytest.mark.slow
def test_games_are_made_weights_fitted_and_proved(file: Path) -> None:
    said: list[str] = []
    found = made(file, say=said.append)
    result = found.result
    assert result
    assert [each.name for each in result.weights] == ["centre", "edge", "unused"]
    centre, edge, unused = result.weights
    ratio = float(centre.after) / float(edge.after)
    assert -6 < ratio < -1.5, "the engines give up by 300 and -100"
    assert (unused.after, unused.seen) == (unused.before, 0)
    assert result.losses[result.chosen][1] == min(loss for _, loss in result.losses)
    assert result.positions > result.held_out > 0
    assert any("positions" in each for each in said)
    proof = found.proof
    assert proof
    used = {game.opening for game in found.records()}
    assert used.isdisjoint(game.opening for _, game in found.matches.test.records())
    assert [gain.opponent for gain in proof.gains] == ["mover", "calm"]
    assert (found.folder / "tuned.yaml").exists() == proof.has_passed


@pytest.mark.slow
def test_it_goes_on_and_fits_anew_for_other_games_or_settings(file: Path, write: Write) -> None:
    stopped = made(file, stop=lambda: True)
    assert not stopped.has_games
    assert stopped.result is None
    said: list[str] = []
    calm = made(file, say=said.append)
    kept = calm.result
    assert kept
    assert said
    said.clear()
    assert made(file, say=said.append).result == kept
    assert not said, "nothing was fitted anew"
    other = read_fit(write(FIT.replace("vary: {}", "vary: {}\n    l2: 0.1"), "fitted.yaml"))
    with pytest.raises(ConfigError, match="other weights are being tested here"):
        Fit(calm.results, other).fit()
    assert calm.result == kept
    for change in (("vary: {}", "vary: {}\n    l2: 0.1"), ("games: 300", "games: 400")):
        with pytest.raises(ConfigError, match="other weights are being tested here"):
            made(write(FIT.replace(*change), "fitted.yaml"))
    assert calm.games_made == (300, 300)
    said.clear()
    assert made(write(FIT, "fitted.yaml"), say=said.append).result == kept
    assert not said, "the test goes on"
    clear(calm.folder / "verification")
    shrunk = Fit(calm.results, other).fit()
    for less, more in zip(shrunk.weights[:2], kept.weights, strict=False):
        assert abs(float(less.after) - float(less.before)) < abs(
            float(more.after) - float(more.before)
        )


@pytest.mark.slow
def test_a_new_attempt_is_on_other_openings_and_keeps_the_proof_before(file: Path) -> None:
    first = made(file)
    games = [record.moves for record in first.records()]
    before = {record.opening for _, record in first.matches.test.records()}
    second = made(file, fresh=True)
    assert [record.moves for record in second.records()] == games
    after = {record.opening for _, record in second.matches.test.records()}
    assert before
    assert after
    assert after.isdisjoint(before | {record.opening for record in second.records()})
    assert list(second.frames().attempts["study"]) == [f"{first.folder.name}/attempts/1"]
    assert "; 2nd attempt" in second.verdict.sentence


@pytest.mark.slow
def test_without_parameters_the_tables_of_the_engine_are_fitted(file: Path) -> None:
    file.write_text(file.read_text().replace("parameters: [centre, edge, unused]\n", ""))
    found = made(file)
    result = found.result
    assert result
    assert len(result.weights) == 49
    after = np.array([each.after for each in result.weights], float)
    inner = [row * 7 + column for row in (2, 3, 4) for column in (2, 3, 4)]
    outer = [cell for cell in range(49) if {cell // 7, cell % 7} & {0, 6}]
    assert after[inner].mean() > 0 > after[outer].mean()
    (tables,) = found.folder.glob("tables-*.npz")
    kept = np.load(tables)
    assert kept["weights"] == pytest.approx(after)
    assert (str(kept["game"]), str(kept["rule"])) == ("gomoku", "freestyle")
    tuned, default = found.matches.test.config.players[:2]
    assert tuned.engine.parameters["tables"] == str(tables.resolve())
    assert default.engine.parameters["tables"] == ""


MAKE = """make:
  engines:
  - {name: one, engine: ./moody.py}
  - {name: two, engine: ./moody.py, nerves: 300}
  games: 300
"""
WRONG = {
    "no games": ((MAKE, ""), "give `games`, a list of runs, or `make`"),
    "one opponent": (("- {name: calm, engine: ./moody.py, nerves: 50}", ""), "name 2 opponents"),
    "an opponent that makes the games": (
        ("{name: calm, engine: ./moody.py, nerves: 50}", "{name: calm, engine: ./moody.py}"),
        "calm makes the games as well",
    ),
    "no such weight": (("[centre, edge", "[center, edge"), "did you mean 'centre'"),
    "to moves": (("game:", "target: moves\ngame:"), "key 'target' is gone: leave it out, or fit"),
    "no engine to meet": (("- {name: two, engine: ./moody.py, nerves: 300}", ""), "two engines"),
}


@pytest.mark.parametrize(("change", "words"), WRONG.values(), ids=list(WRONG))
def test_a_wrong_file_has_its_place(change: tuple[str, str], words: str, file: Path) -> None:
    text = file.read_text()
    assert change[0] in text
    file.write_text(text.replace(*change))
    with pytest.raises(ConfigError, match=words) as found:
        made(file)
    assert f"{file}:" in str(found.value)
    assert not (file.parent / "results").exists()


USELESS = {
    "not linear": ("return centre * inner", "return centre ** 2 * inner", "linear in none"),
    "no number": ("return centre * inner", "return float('nan') * inner", "evaluation is nan"),
    "none": ("def evaluate", "def other", "has no evaluate"),
    "always 0": ("return centre * inner", "return 0 * centre * inner", "all scores are equal"),
}


@pytest.mark.slow
@pytest.mark.parametrize(("old", "new", "words"), USELESS.values(), ids=list(USELESS))
def test_an_engine_that_cannot_be_fitted(old: str, new: str, words: str, file: Path) -> None:
    source = MOODY.replace(old, new).replace("edge * outer * power", "0 * outer")
    # What it plays by is not what is fitted.
    source = source.replace("evaluate(game, **TRUE)", "lambda p: p.ply % 7 - 3")
    (file.parent / "moody.py").write_text(source)
    file.write_text(file.read_text().replace("[centre, edge, unused]", "[centre]"))
    with pytest.raises(ConfigError, match=words) as found:
        made(file)
    assert str(found.value).startswith(f"{file}:3:9: "), "the engine's place"


def test_games_with_one_result_tell_nothing(file: Path) -> None:
    drawn = file.read_text().replace("vary: {}", "vary: {}\nmax_plies: 12")
    file.write_text(drawn)
    with pytest.raises(ConfigError, match=r"fitted.yaml:6:3: all positions have one result, 0.5"):
        made(file)


def test_runs_that_are_not_there_are_told_with_the_place(file: Path) -> None:
    file.write_text(file.read_text().replace(MAKE, "games: [nosuch]\n"))
    with pytest.raises(ConfigError, match=r"fitted.yaml:5:8: unknown run 'nosuch'"):
        made(file)


def test_games_of_a_run_of_another_game_are_refused(file: Path, write: Write) -> None:
    round = write(ROUND.replace("size: 7", "size: 9"), "other.yaml")
    arena.run(round, workers=0, results=file.parent / "results")
    file.write_text(file.read_text().replace(MAKE, "games: [other]\n"))
    with pytest.raises(ConfigError, match=r"fitted.yaml:5:8: .*its game is gomoku:size=9.*"):
        made(file)


def fitted_to(file: Path, write: Write, one: str, openings: str) -> Fit:
    """A fit to the games of an earlier run of moody against another engine."""
    earlier = f"""
        game: {{gomoku: {{size: 7}}}}
        engines: [{{name: one, engine: {one}}}, {{name: two, engine: ./moody.py, nerves: 1}}]
        openings: {openings}
    """
    run = write(earlier, "earlier.yaml")
    arena.run(run, workers=0, results=file.parent / "results")
    return made(file)


def test_an_opponent_takes_no_part_in_the_games(file: Path, write: Write) -> None:
    file.write_text(file.read_text().replace(MAKE, "games: [earlier]\n"))
    with pytest.raises(ConfigError, match="mover plays here, so it cannot be an opponent"):
        fitted_to(file, write, "random_mover", "{random: {plies: 3, count: 3, seed: 9}}")


def test_the_openings_of_the_test_are_not_those_of_the_games(file: Path, write: Write) -> None:
    file.write_text(file.read_text().replace(MAKE, "games: [earlier]\n"))
    own = list(read_fit(file).test_openings(40))
    found = fitted_to(file, write, "./moody.py", json.dumps({"list": own}))
    kept = found.matches.test.config.openings
    assert not {*own} & {*kept}
    assert len(kept) == found.config.verification["pairs"]


@pytest.mark.slow
def test_scores_of_the_players_can_stand_for_results(file: Path) -> None:
    plain = made(file)
    blended = read_fit(file)
    blended = replace(blended, settings=replace(blended.settings, score_share=0.9))
    clear(plain.folder / "verification")
    before = plain.result
    found = Fit(file.parent / "results", blended).fit()
    assert isinstance(before, FitResult)
    assert isinstance(found, FitResult)
    assert sum(each.result for each in found.before) == pytest.approx(
        sum(each.result for each in before.before)
    ), "what is held out are results"
    centre, edge, _ = found.weights
    assert -6 < float(centre.after) / float(edge.after) < -1.5
    assert edge.error < 6, "scores say more than results do"


def test_a_fit_is_pickled_by_its_folder_and_told_in_a_line(file: Path) -> None:
    begun = Fit(file.parent / "results", read_fit(file))
    begun.begin()
    again = pickle.loads(pickle.dumps(begun))
    assert again.folder == begun.folder
    assert json.dumps(fit_data(again.config)) == json.dumps(fit_data(begun.config))
    assert repr(again) == f"Fit('fitted'): {begun.verdict.sentence}"


def test_what_was_found_is_there_at_any_moment(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A report may be made, or the process be killed, while a fit that is over is begun again."""
    again, kept = Fit(file.parent / "results", read_fit(file)), list[bool]()
    again.begin()
    with closing(Store(again.folder / DATABASE)) as store:
        store.note(store.facts() | {RESULT: {}})

    def note(self: Store, facts: dict[str, Any], note: Any = Store.note) -> None:
        note(self, facts)
        kept.append(RESULT in self.facts())

    monkeypatch.setattr(Store, "note", note)
    again.begin()
    assert kept
    assert all(kept)


def test_the_config_is_kept_as_it_was_read(file: Path) -> None:
    config = read_fit(file)
    data = json.loads(json.dumps(fit_data(config)))
    assert json.loads(json.dumps(fit_data(fit_from_data(data)))) == data
    file.write_text(file.read_text().replace("kind: fit", "kind: fit\ntarget: results"))
    assert json.loads(json.dumps(fit_data(read_fit(file)))) == data, "all that is left of a key"


@pytest.mark.slow
def test_it_stops_for_a_player_that_only_has_faults(write: Write, file: Path) -> None:
    write(player('raise ValueError("boom")'), "bad.py")
    bad = FIT.replace(
        "{name: two, engine: ./moody.py, nerves: 300}", "{name: bad, engine: ./bad.py}"
    )
    file = write(bad.replace("games: 300", "games: 12"), "fitted.yaml")
    call = ["fit", str(file), "--workers", "0", "--results", str(file.parent / "results")]
    stopped = CliRunner().invoke(command, call)
    assert stopped.exit_code == 4
    assert "Stopped: bad raised an exception in 8 of its first 8 games" in stopped.output
    going_on = CliRunner().invoke(command, [*call, "--keep-going"])
    assert "the games have 0 positions to fit to" in str(going_on.exception)


TO_REPORT = """
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


def kept(
    folder: Path, result: FitResult | None = None, engine: str = COIN, text: str = TO_REPORT
) -> Fit:
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
    fit = kept(tmp_path_factory.mktemp("fit"), FOUND)
    with site_of(0, None, None) as site:
        fit.make_games(site)
        fit.matches.play(site)
    return open_fit(fit.folder)


def shown(fit: Fit, *options: str) -> str:
    result = CliRunner().invoke(command, ["report", str(fit.folder), *options])
    assert result.exit_code == 0, result.output
    return result.stdout


def sentences_of(fit: Fit) -> str:
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


def test_a_fit_to_moves_of_an_earlier_version_is_listed_and_left_alone(tmp_path: Path) -> None:
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
    sentences_of = "A fit to the moves that were played, which this version does not report"
    assert fit_answer(earlier).sentences == [sentences_of + "."]
    assert "target: moves" in fit_answer(earlier).configs[0].whole
    assert shown(earlier).startswith(sentences_of)
    assert (len(snapshot.games), snapshot.status.state) == (8, "complete")
    for again in (fit.begin, earlier.fit):
        with pytest.raises(ConfigError, match="a fit to moves is kept here: choose another name"):
            again()
    assert {file: file.read_bytes() for file in files} == files


def test_a_fit_to_games_of_other_runs_names_them_without_a_look(tmp_path: Path) -> None:
    begin, end = TO_REPORT.index("make:"), TO_REPORT.index("opponents:")
    fit = kept(
        tmp_path, FOUND, text=f"{TO_REPORT[:begin]}games: [round, league]\n{TO_REPORT[end:]}"
    )
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
    assert "chance" not in sentences_of(fit)


def test_too_few_openings_tell_no_interval(tmp_path: Path) -> None:
    fit = kept(tmp_path, replace(FOUND, gain_reach=inf))
    assert fit.verdict.sentence.endswith("saves 0.0120 (-) nats a position.")
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
    text = TO_REPORT.replace("parameters: [weight, power]\n", "")
    fit = kept(tmp_path, engine=engine, text=text)
    assert not fit.is_over
    same = [FittedWeight(str(i), float(i), float(i), 0.1, 500) for i in (1, 2, 3)]
    fit = kept(tmp_path, replace(FOUND, weights=same), engine=engine, text=text)
    assert fit.is_over
    assert fit.verdict.text == "No gain found"


CURVE = [(225, 0.684), (450, 0.681), (900, 0.678)]


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"gain": 0.003}, "The fit may be of chance alone: it saves 0.0030 (-0.0009 to +0.0069)"),
        ({"gain": -0.003}, "The fit may be of chance alone: it saves -0.0030 (-0.0069 to +0.0009)"),
        ({"gain_reach": inf}, "alone: it saves 0.0120 (-) nats a position, and too few openings"),
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
def test_what_speaks_against_a_fit(changed: dict[str, Any], words: str, tmp_path: Path) -> None:
    assert fit_answer(kept(tmp_path, FOUND)).sentences[1:] == []
    shutil.rmtree(tmp_path / "results")
    assert words in sentences_of(kept(tmp_path, replace(FOUND, **changed)))


def test_a_saving_by_chance_says_nothing_of_more_games(tmp_path: Path) -> None:
    by_chance = replace(FOUND, gain_reach=0.0196, curve=CURVE)
    assert "still falls" not in sentences_of(kept(tmp_path, by_chance))


def test_tables_say_that_they_leave_weights_out(tmp_path: Path) -> None:
    numbers = 362.04, 4_000, -700.26, 750
    weights = [FittedWeight(str(i), 0.0, i + 0.5, *numbers) for i in range(MOST_ROWS + 1)]
    weights[-1] = replace(weights[-1], error=inf, low=-inf, high=inf)
    fit = kept(tmp_path, replace(FOUND, weights=weights))
    table = text_frame(weights_table(fit.frames()))
    assert list(table["weight"])[-1] == "1"
    assert list(table["games alone, 95 %"])[:2] == ["-", "-700.3 to 750"]
    assert (
        f"The {MOST_ROWS} weights that changed most are shown, of {MOST_ROWS + 1}"
        in sentences_of(fit)
    )


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
    assert "quick stopped by itself. " in sentences_of(fit)
    assert open_experiment(fit.folder).status().state == "stopped by faults"


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


@pytest.fixture(scope="module", name="page")
def fixture_page(proved: Fit, tmp_path_factory: pytest.TempPathFactory) -> Path:
    (found,) = save(fit_answer(proved), "html", None, tmp_path_factory.mktemp("page") / "fit.html")
    return found


@pytest.mark.slow
@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("width", WIDTHS)
def test_its_page_on_every_screen(width: int, scheme: Any, browser: Browser, page: Path) -> None:
    script = node_module("axe-core/axe.min.js").read_text(encoding="utf-8")
    with opened(browser, page, width, color_scheme=scheme, bypass_csp=True) as shown_page:
        assert shown_page.evaluate("document.documentElement.scrollWidth") == width
        shown_page.evaluate(script)
        found = shown_page.evaluate("axe.run().then(each => each.violations)")
        grave = [each for each in found if each["impact"] in ("serious", "critical")]
        assert not [(each["id"], [node["html"] for node in each["nodes"]]) for each in grave]
