"""A whole fit to moves, as users see it: its file, its folder, its proof, and going on."""

from __future__ import annotations

import io
import json
from contextlib import closing
from dataclasses import fields, replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from support.html_outlines import Outline
from support.samples import Write

from arena import ConfigError
from arena.cli import arena as command
from arena.report.export import report_text
from arena.server.watch.snapshot import snapshot_of
from arena.storage.database import Store
from arena.storage.folder import DATABASE, clear, read_store
from arena.tuning.fit.config import MADE, fit_data, fit_from_data
from arena.tuning.fit.fit import GAMES_MARK, RESULT, Fit, fit, open_fit
from arena.tuning.fit.move_fit import MoveFitResult
from arena.tuning.fit.reader import read_fit
from arena.tuning.fit.report.fit_answer import fit_answer
from arena.tuning.fit.report.fit_frames import MoveFrames
from arena.tuning.fit.softmax import FIRST

DRAWER = '''
"""Moves drawn by their worths: a weight for the ring of a cell, and one for stones beside it."""
from math import exp
from random import Random
from typing import Annotated
from arena.engine import Choice, FilePath, Range

GAMES = ("gomoku",)
TRUE = [-80.0, 0.0, 50.0, 150.0, -60.0, 0.0, 90.0, 130.0, 160.0, 0.0]
"""Of rings from the edge, of 0 to 3 stones beside or 4 and more, and one that no move has."""


class Worths:
    size = len(TRUE)
    unit = 100.0

    def __init__(self, start):
        self.start = start

    def of(self, p):
        cells = [cell for cell, stone in enumerate(p.cells) if not stone]
        return cells, [[ring(cell), 4 + min(beside(p, cell), 4)] for cell in cells]


def ring(cell):
    return min(cell // 7, cell % 7, 6 - cell // 7, 6 - cell % 7)


def beside(p, cell):
    rows = range(max(cell // 7 - 1, 0), min(cell // 7 + 2, 7))
    columns = range(max(cell % 7 - 1, 0), min(cell % 7 + 2, 7))
    return sum(p.cells[row * 7 + column] > 0 for row in rows for column in columns)


def move_features(game, *, moves="", **others):
    import numpy
    return Worths(numpy.load(moves)["worths"] if moves else numpy.zeros(len(TRUE)))


def engine(
    game, *,
    warmth: Annotated[float, Range(0.1, 10)] = 1.0,
    moves: Annotated[str, FilePath()] = "",
):
    return Drawer(warmth)


class Drawer:
    def __init__(self, warmth):
        self.warmth, self.worths = warmth, Worths(TRUE)

    def new_game(self, seed):
        self.random = Random(seed)

    def choose(self, p, limit):
        moves, rows = self.worths.of(p)
        worths = [sum(TRUE[number] for number in row) for row in rows]
        chances = [exp(worth / 100 / self.warmth) for worth in worths]
        return Choice(self.random.choices(moves, chances)[0])

    def close(self):
        pass
'''
FIT = """
    kind: fit
    target: moves
    game: {gomoku: {size: 7}}
    engine: ./drawer.py
    make:
      engines:
      - {name: one, engine: ./drawer.py}
      - {name: two, engine: ./drawer.py, warmth: 1.001}
      games: 200
    openings: {random: {plies: 3}}
    opponents:
    - {name: mover, engine: random_mover}
    - {name: calm, engine: ./drawer.py, warmth: 2}
    verification: {elo0: -400, elo1: -200, pairs: 40, opponent_pairs: 10}
    vary: {}
"""
TRUE = np.array([-80.0, 0.0, 50.0, 150.0, -60.0, 0.0, 90.0, 130.0, 160.0, 0.0])
RINGS, BESIDE, ABSENT = slice(0, 4), slice(4, 9), 9


@pytest.fixture(name="file")
def fixture_file(write: Write) -> Path:
    write(DRAWER, "drawer.py")
    return write(FIT, "sorted.yaml")


def made(file: Path, **options: object) -> Fit:
    return fit(file, workers=0, results=file.parent / "results", **options)  # type: ignore[arg-type]


@pytest.fixture(scope="module", name="done")
def fixture_done(tmp_path_factory: pytest.TempPathFactory) -> Fit:
    """A fit whose games were made and whose gain was proved."""
    folder = tmp_path_factory.mktemp("moves")
    (folder / "drawer.py").write_text(DRAWER, encoding="utf-8")
    (folder / "sorted.yaml").write_text(FIT, encoding="utf-8")
    return made(folder / "sorted.yaml")


def result_of(found: Fit) -> MoveFitResult:
    assert isinstance(found.result, MoveFitResult)
    return found.result


@pytest.mark.slow
def test_the_worths_by_which_moves_were_drawn_are_found(done: Fit) -> None:
    result = result_of(done)
    after = np.array([each.after for each in result.weights])
    errors = np.array([each.error for each in result.weights])
    for part in (RINGS, BESIDE):  # a number added to all of a part changes nothing
        misses = after[part] - TRUE[part]
        assert (np.abs(misses - misses.mean()) < 4 * errors[part] + 5).all()
    assert result.weights[ABSENT].after == 0
    assert result.weights[ABSENT].seen == 0
    assert (errors[:ABSENT] < 40).all()
    assert result.gain_low > 0
    assert result.before[0] == pytest.approx(1 / 40, abs=0.01), "all moves were alike"
    assert all(np.array(result.after) > np.array(result.before))
    assert result.missed == 0
    assert 0 < result.unsorted < 20, "one cell is left on the board"
    (told,) = (each for each in fit_answer(done).notes if "Left out" in each)
    assert f"{result.unsorted} (" in told
    assert told.endswith("since fewer than two moves are sorted there.")


@pytest.mark.slow
def test_what_is_found_is_kept_as_a_file_played_and_proved(done: Fit) -> None:
    (file,) = done.folder.glob("moves-*.npz")
    kept = np.load(file)
    assert sorted(kept) == ["game", "rule", "worths"]
    assert kept["worths"].tolist() == [each.after for each in result_of(done).weights]
    assert (str(kept["game"]), str(kept["rule"])) == ("gomoku", "freestyle")
    tuned, default = done.matches.test.config.players[:2]
    assert tuned.engine.parameters["moves"] == str(file.resolve())
    assert default.engine.parameters["moves"] == ""
    assert done.proof
    assert [gain.opponent for gain in done.proof.gains] == ["mover", "calm"]
    assert done.proof.has_passed
    assert str(file.resolve()) in (done.folder / "tuned.yaml").read_text(encoding="utf-8")


@pytest.mark.slow
def test_the_same_games_are_fitted_once_and_a_changed_game_anew(file: Path) -> None:
    assert not made(file, stop=lambda: True).has_games
    said: list[str] = []
    first = made(file, say=said.append)
    kept = result_of(first)
    assert any("positions" in each for each in said)
    said.clear()
    assert made(file, say=said.append).result == kept
    assert open_fit("sorted", results=file.parent / "results").result == kept
    assert not said, "nothing was fitted anew"
    fresh = Fit(first.results, read_fit(file))
    records = list(first.records())
    fresh.records = lambda: iter(records[1:])  # type: ignore[method-assign]
    assert fresh.mark() != first.mark()
    with pytest.raises(ConfigError, match="other weights are being tested here"):
        fresh.fit()
    assert first.result == kept
    clear(first.folder / "verification")
    assert result_of_fit(fresh) != kept
    lost = replace(records[0], winner=3 - (records[0].winner or 1))
    fresh.records = lambda: iter([lost, *records[1:]])  # type: ignore[method-assign]
    assert fresh.mark() != first.mark(), "a result was another"


def result_of_fit(found: Fit) -> MoveFitResult:
    result = found.fit()
    assert isinstance(result, MoveFitResult)
    return result


WRONG = {
    "parameters": ("make:", "parameters: [warmth]\nmake:", 5, "fits the engine's move_features"),
    "score_share": ("make:", "score_share: 0.3\nmake:", 5, "to no scores: leave it out"),
    "no target": ("target: moves", "target: move", 2, "must be 'results' or 'moves'"),
    "no worths": (
        "engine: ./drawer.py\nmake",
        "engine: five_tuple\nmake",
        4,
        "no parameter `moves`",
    ),
}


@pytest.mark.parametrize(("old", "new", "line", "words"), WRONG.values(), ids=list(WRONG))
def test_a_file_that_is_wrong_is_refused_with_the_place(
    old: str, new: str, line: int, words: str, file: Path
) -> None:
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new, 1))
    with pytest.raises(ConfigError, match=words) as found:
        made(file)
    assert f"{file}:{line}:" in str(found.value)
    assert not (file.parent / "results").exists()


def test_an_engine_that_says_no_worths_is_refused_with_the_place(file: Path) -> None:
    (file.parent / "drawer.py").write_text(DRAWER.replace("def move_features", "def others"))
    with pytest.raises(ConfigError, match=r"its file has no move_features\(\)") as found:
        made(file)
    assert f"{file}:4:9:" in str(found.value)


def test_an_engine_whose_unit_is_none_is_refused_before_the_first_game(file: Path) -> None:
    (file.parent / "drawer.py").write_text(DRAWER.replace("unit = 100.0", "unit = 0.0"))
    with pytest.raises(ConfigError, match="unit must be a number above 0"):
        made(file)
    assert not (file.parent / "results").exists()


def test_the_config_is_kept_as_it_was_read(file: Path) -> None:
    config = read_fit(file)
    data = json.loads(json.dumps(fit_data(config)))
    assert data["target"] == "moves"
    assert json.loads(json.dumps(fit_data(fit_from_data(data)))) == data
    file.write_text(file.read_text().replace("target: moves", "parameters: [warmth]"))
    assert "target" not in fit_data(read_fit(file))


def test_a_result_of_another_target_is_forgotten(file: Path, write: Write) -> None:
    """The games that were made stay."""
    found = Fit(file.parent / "results", read_fit(file))
    found.begin()
    with closing(Store(found.folder / DATABASE)) as store:
        store.note({**store.facts(), RESULT: {"weights": []}, GAMES_MARK: "those"})
    (found.folder / MADE).mkdir()
    found.begin()
    assert {RESULT, GAMES_MARK} <= {*read_store(found.folder, Store.facts)}
    write(DRAWER + "\n\ndef evaluate(game, **_):\n    return lambda p: 1.0\n", "drawer.py")
    other = write(FIT.replace("target: moves", "parameters: [warmth]"), "sorted.yaml")
    second = Fit(file.parent / "results", read_fit(other))
    second.begin()
    assert not {RESULT, GAMES_MARK} & {*read_store(found.folder, Store.facts)}
    assert (found.folder / MADE).is_dir()


@pytest.mark.slow
def test_the_report_leads_with_the_answer_and_the_place_of_the_move_played(done: Fit) -> None:
    before, after = (
        f"{100 * shares[0]:.1f} %" for shares in (done.result.before, done.result.after)
    )
    verdict, first, *_ = fit_answer(done).sentences
    assert verdict == done.verdict.sentence
    assert "Elo" in verdict
    assert first == (
        f"Of the positions held out, the move played is first in the sorting in {before} before "
        f"the fit, in {after} after it."
    )
    page = Outline(report_text(fit_answer(done), "html"))
    sections = ["weights", "proof", "ranks", "loss", "config"]
    assert [each for each in page.ids if each in sections] == sections
    assert [given["class"] for tag, given in page.tags if tag == "svg"].count("pane") == 3
    assert "Fit of the sorting of moves of" in page.text
    assert "nan" not in page.text
    assert first in " ".join(page.text.split())
    text = report_text(fit_answer(done), "table")
    for words in ("in the first 3", after, "95 %"):
        assert words in text
    assert done._repr_html_().count("<table") == 1
    assert snapshot_of(done.folder).status.state == "complete"


@pytest.mark.slow
@pytest.mark.parametrize("name", [field.name for field in fields(MoveFrames)])
def test_csv_and_json_use_the_names_of_the_frames(done: Fit, name: str) -> None:
    frame = getattr(done.frames(), name)
    table = pd.read_csv(io.StringIO(shown(done, "--format", "csv", "--frame", name)))
    assert list(table.columns) == list(frame.columns)
    found = json.loads(shown(done, "--json"))
    assert len(found[name]) == len(frame)
    assert found["target"] == "moves"
    assert found["fit"]["unit"] == 100
    assert "before" not in found["fit"]


def shown(found: Fit, *options: str) -> str:
    result = CliRunner().invoke(command, ["report", str(found.folder), *options])
    assert result.exit_code == 0, result.output
    return result.stdout


@pytest.mark.slow
def test_the_frame_of_places_has_each_number_of_first_moves(done: Fit) -> None:
    frames = done.frames()
    assert isinstance(frames, MoveFrames)
    assert frames.ranks["first"].tolist() == [*FIRST, *FIRST]
    assert frames.ranks["weights"].tolist() == ["before"] * 4 + ["after"] * 4
