"""A whole fit, as users see it: its file, its games, its folder, its proof, and going on."""

from __future__ import annotations

import json
import pickle
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from support.samples import ROOT, Write

import arena
from arena import ConfigError
from arena.cli import arena as command
from arena.storage.database import Store
from arena.storage.folder import CONFIG, DATABASE, clear
from arena.tuning.fit.config import fit_data, fit_from_data, read_fit
from arena.tuning.fit.fit import RESULT, Fit, fit, open_fit
from arena.tuning.fit.result_fit import FitResult

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
def test_it_goes_on_where_it_stopped_and_fits_anew_only_for_other_games_or_settings(
    file: Path, write: Write
) -> None:
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
def test_a_file_that_is_wrong_is_refused_with_the_place(
    change: tuple[str, str], words: str, file: Path
) -> None:
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
def test_an_engine_that_cannot_be_fitted_is_told(
    old: str, new: str, words: str, file: Path
) -> None:
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
    round = write(
        """
        game: {gomoku: {size: 9}}
        engines:
        - {name: one, engine: random_mover}
        - {name: two, engine: random_mover}
        openings: {random: {plies: 3, count: 1}}
        """,
        "other.yaml",
    )
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


def test_what_was_found_is_there_at_every_moment(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
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
def test_the_command_says_where_it_goes_on_and_what_came_of_it(file: Path) -> None:
    results = ["--results", str(file.parent / "results")]
    done = CliRunner().invoke(command, ["fit", str(file), "--workers", "1", *results])
    assert done.exit_code == 0, done.output
    assert "Making 300 games to fit to." in done.output
    assert "Kept in" in done.output
    shown = CliRunner().invoke(command, ["report", "fitted", *results])
    kept = open_fit("fitted", results=file.parent / "results")
    assert shown.output.splitlines()[0] == str(kept.verdict)
    assert (file.parent / "results/fitted" / CONFIG).exists()
