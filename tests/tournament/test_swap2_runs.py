"""Runs whose openings the players make: gone on with, tested, reported, exported and replayed."""

from __future__ import annotations

from pathlib import Path

import pytest

import arena
from arena.config.reader import read_config
from arena.errors import ConfigError
from arena.match.record import key
from arena.records.formats import sgf
from arena.records.written import WrittenGame
from arena.tournament.exchange.exporting import export
from arena.tournament.exchange.importing import import_games
from arena.tournament.replay import difference, play_again
from arena.tournament.run import Run

ENGINE = """
import random
from arena import Choice

GAMES = ("gomoku",)

class Player:
    def new_game(self, seed):
        self.random = random.Random(seed)

    def open(self, p, limit):
        free = [cell for cell, stone in enumerate(p.cells) if not stone]
        counts = {0: [3], 3: [0, 1, 2], 5: [0, 1]}[p.ply]
        return self.random.sample(free, self.random.choice(counts)) or "swap"

    def choose(self, p, limit):
        free = [cell for cell, stone in enumerate(p.cells) if not stone]
        return Choice(self.random.choice(free), 1)

    def close(self):
        pass

def engine(game):
    return Player()
"""


def round_of(folder: Path, keys: str = "format: round_robin", count: int = 12) -> Path:
    (folder / "maker.py").write_text(ENGINE, encoding="utf-8")
    file = folder / "round.yaml"
    file.write_text(
        f"game: {{gomoku: {{size: 7}}}}\nopenings: {{swap2: {{count: {count}}}}}\n{keys}\n"
        "engines:\n  - {name: maker, engine: ./maker.py}\n  - {name: scorer, engine: live_dead}\n",
        encoding="utf-8",
    )
    return file


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = tmp_path_factory.mktemp("swap2")
    return arena.run(round_of(folder), workers=1, results=folder)


def test_a_run_goes_on_with_the_games_that_are_missing(tmp_path: Path, played: Run) -> None:
    file, seen = round_of(tmp_path), list[int]()
    arena.run(
        file,
        workers=0,
        results=tmp_path,
        watch=lambda _: seen.append(1),
        stop=lambda: len(seen) > 5,
    )
    begun = arena.open_run(tmp_path / "round").records()
    assert 0 < len(begun) < 24
    again = arena.run(file, workers=1, results=tmp_path).records()
    assert [(key(record), record.moves, record.first) for _, record in again] == [
        (key(record), record.moves, record.first) for _, record in played.records()
    ]


def test_every_game_counts_in_a_pair_and_each_player_proposes_once(played: Run) -> None:
    games = played.report().games
    assert len(games) == 24
    proposers = games["first"].where(games["proposer"] == 1, games["second"])
    assert (proposers.groupby(games["pair"]).nunique() == 2).all()
    assert played.report().pairs[["ll", "ld", "wl_dd", "wd", "ww"]].to_numpy().sum() == 24


def test_the_report_has_proposals_and_choices(played: Run) -> None:
    report = played.report()
    games, frame = report.games, report.swap2.set_index("name")
    assert (frame["proposed"] == 12).all()
    assert (frame["chose"] == frame[["swap", "stay", "two"]].sum(axis=1)).all()
    for name, row in frame.iterrows():
        seat = games["proposer"]
        own = games[games["first"].where(seat == 1, games["second"]) == name]
        points = (own["winner"] == own["proposer"]).sum() + own["winner"].isna().sum() / 2
        assert row["proposer_score"] == pytest.approx(points / 12)
    assert frame.loc["maker", ["swap", "stay", "two"]].min() > 0
    at_five = frame[["swap_at_five", "stay_at_five"]].sum(axis=1)
    assert at_five["scorer"] == frame.loc["maker", "two"]


@pytest.mark.slow
def test_games_are_played_again_the_same(played: Run) -> None:
    for _, record in played.records()[:6]:
        assert difference(record, play_again(played, record)) is None


def test_sgf_tells_how_the_opening_was_made(played: Run, tmp_path: Path) -> None:
    file = tmp_path / "games.sgf"
    export(played.folder, output=file)
    text = file.read_text(encoding="utf-8")
    assert text.count("C[Swap2: ") == 24
    with file.open("rb") as stream:
        games = list(sgf.read(stream, "games"))
    assert {game.opening for game in games if isinstance(game, WrittenGame)} == {3, 5}


def test_lines_of_json_come_back_with_all_of_it(played: Run, tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    export(played.folder, output=file, form="jsonl")
    import_games("back", [file], results=tmp_path)
    back = arena.open_run(tmp_path / "back").report()
    assert (
        back.swap2.set_index("name")
        .loc[["maker", "scorer"]]
        .equals(played.report().swap2.set_index("name").loc[["maker", "scorer"]])
    )
    assert back.verdict.sentence.split(":")[0] == played.report().verdict.sentence.split(":")[0]


def test_a_test_takes_pairs(tmp_path: Path) -> None:
    keys = "format: {sprt: {elo0: 0, elo1: 200, pairs: 30}}"
    run = arena.run(round_of(tmp_path, keys, 30), workers=1, results=tmp_path)
    report = run.report()
    (match,) = report.matches.to_dict("records")
    assert match["decision"] in ("H0", "H1", "")
    assert match["pairs"] == report.pairs[["ll", "ld", "wl_dd", "wd", "ww"]].to_numpy().sum() / 2


def test_pieces_that_move_have_no_such_opening(tmp_path: Path) -> None:
    file = round_of(tmp_path)
    text = file.read_text(encoding="utf-8").replace("{gomoku: {size: 7}}", "two_eat_one")
    text = text.replace("engine: ./maker.py", "engine: random_mover")
    file.write_text(text.replace("live_dead", "piece_count"), encoding="utf-8")
    with pytest.raises(ConfigError, match="swap2 is no opening of two_eat_one"):
        read_config(file)
