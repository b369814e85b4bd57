"""Runs whose openings players make, by each rule: played, gone on with, reported and exported."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from support.samples import opener

import arena
from arena.cli import arena as command
from arena.match.game_row import cluster_text
from arena.match.record import GameRecord, key
from arena.plugins.load import names
from arena.records.formats import sgf
from arena.records.written import WrittenGame
from arena.report.table import text_frame
from arena.tournament.exchange.exporting import export
from arena.tournament.exchange.importing import import_games
from arena.tournament.run import Run

RULES = names("opening rule")
BRAIN = Path(__file__).parents[1] / "data" / "brain_swap2.py"
HOW = {"swap2": "swap"}
"""Answers of the brain to the command of a rule; it refuses all that it should not be asked."""
OPEN = {"swap2": "return 'swap' if p.ply else [20, 30, 40]"}


def config_of(folder: Path, rule: str, more: str = "", count: int = 2) -> Path:
    folder.mkdir(exist_ok=True)
    opens = OPEN.get(rule, "raise ValueError('was asked')")
    source = opener(opens, "return Choice(p.cells.index(0), p.cells[0] - 1)")
    (folder / "opener.py").write_text(source, encoding="utf-8")
    brain = f"engine: gomocup, command: [{sys.executable}, -S, {BRAIN}, {HOW.get(rule, 'unknown')}]"
    file = folder / "made.yaml"
    file.write_text(
        f"game: {{gomoku: {{size: 9}}}}\nopenings: {{{rule}: {{count: {count}}}}}\n{more}\n"
        f"engines:\n  - {{name: brain, {brain}}}\n"
        "  - {name: scorer, engine: live_dead, depth: 1}\n"
        "  - {name: opener, engine: ./opener.py}\n  - {name: random, engine: random_mover}\n",
        encoding="utf-8",
    )
    return file


@pytest.fixture(scope="module", params=RULES)
def played(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = tmp_path_factory.mktemp(request.param)
    return arena.run(config_of(folder, request.param), workers=1, results=folder)


def rule_of(run: Run) -> str:
    return run.config.openings.source.name


def timeless(run: Run) -> list[GameRecord]:
    return [
        replace(
            record,
            times="",
            made=record.made and replace(record.made, answers=" ".join(record.made.words)),
        )
        for _, record in run.records()
    ]


def told(run: Run) -> str:
    assert run.report().openings_made
    rules, text, table = run.report().openings_made
    return f"{rules}: {text}\n{text_frame(table).to_string()}"


def test_all_kinds_of_players_make_openings_without_a_fault(played: Run) -> None:
    games = played.report().games
    assert len(games) == 24
    assert {*games["reason"]} <= {"line", "full board"}
    for _, record in played.records():
        assert record.made
        assert record.made.rule == rule_of(played)
        assert record.made.words in {("three", "stay"), ("three", "swap")}
        assert cluster_text(record) == key(record)[2] == f"{rule_of(played)} {record.suggested}"
    chosen = {record.made.words[1] for _, record in played.records() if record.made}
    assert chosen == {"stay", "swap"}


def test_the_same_games_with_two_workers_and_after_a_stop(played: Run, tmp_path: Path) -> None:
    file, seen = config_of(tmp_path, rule_of(played)), list[Any]()
    two = arena.run(file, workers=2, results=tmp_path / "two")
    assert timeless(two) == timeless(played)
    stopped = {"watch": seen.append, "stop": lambda: len(seen) > 5}
    arena.run(file, workers=0, results=tmp_path, **stopped)  # type: ignore[arg-type]
    assert 0 < len(arena.open_run(tmp_path / "made").records()) < 24
    assert timeless(arena.run(file, workers=1, results=tmp_path)) == timeless(played)


def test_they_come_back_from_lines_of_json(played: Run, tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    assert export(played.folder, output=file) == 24
    import_games("back", [file], results=tmp_path)
    back = arena.open_run(tmp_path / "back")
    assert [record for _, record in back.records()] == [record for _, record in played.records()]
    assert told(back) == told(played)
    export(back.folder, output=tmp_path / "again.jsonl")
    again = (tmp_path / "again.jsonl").read_text(encoding="utf-8")
    assert again.replace('"run":"back"', '"run":"made"') == file.read_text(encoding="utf-8")


@pytest.mark.parametrize("form", ["sgf", "psq"])
def test_other_programs_get_them(form: str, played: Run, tmp_path: Path) -> None:
    export(played.folder, output=tmp_path / "games", form=form)
    text = (tmp_path / "games").read_text(encoding="utf-8")
    if form == "sgf":
        assert text.count(f"C[{rule_of(played).capitalize()}: ") == 24
    file = (tmp_path / "games").rename(tmp_path / f"games.{form}")
    import_games("back", [file], game="gomoku:size=9", results=tmp_path)
    moves = [record.moves for _, record in arena.open_run(tmp_path / "back").records()]
    assert sorted(moves) == sorted(record.moves for _, record in played.records())


def test_they_are_played_again_the_same(played: Run) -> None:
    found = CliRunner().invoke(command, ["replay", str(played.folder), "2"])
    assert (found.exit_code, found.exception) == (0, None)
    assert f"{rule_of(played).capitalize()}: " in found.output
    assert "Played again: the same game." in found.output


def test_the_report_has_what_the_rule_has(played: Run) -> None:
    report, rule = played.report(), rule_of(played)
    assert list(report.swap2["proposed"]) == [6] * 4
    assert told(played).startswith(f"{rule.capitalize()}: the proposer took ")
    assert ("two more" in told(played)) == (rule == "swap2")
    assert (report.games["swap2"].str.startswith("three:")).all() == (rule == "swap2")
    assert (report.games["swap2"].str.startswith(f"{rule} three:")).all() == (rule != "swap2")


@pytest.mark.parametrize("rule", RULES)
def test_games_on_one_suggestion_are_one_opening_and_copies_count_once(
    rule: str, tmp_path: Path
) -> None:
    file = config_of(tmp_path, rule, "rounds: 2", 1)
    text = file.read_text(encoding="utf-8")
    file.write_text(text[: text.index("  - {name: random")], encoding="utf-8")
    report = arena.run(file, workers=1, results=tmp_path).report()
    assert 0 < report.distinct_games <= 6 < report.count == 12


MAKER = opener(
    """
    free = [cell for cell, stone in enumerate(p.cells) if not stone]
    counts = {0: [3], 3: [0, 1, 2], 5: [0, 1]}[p.ply]
    return self.random.sample(free, self.random.choice(counts)) or "swap"
    """,
    "return Choice(self.random.choice(self.game.moves(p)), 1)",
    "self.random = random.Random(seed)",
)


def round_of(folder: Path, keys: str = "format: round_robin", count: int = 12) -> Path:
    (folder / "maker.py").write_text(MAKER, encoding="utf-8")
    file = folder / "round.yaml"
    file.write_text(
        f"game: {{gomoku: {{size: 7}}}}\nopenings: {{swap2: {{count: {count}}}}}\n{keys}\n"
        "engines:\n  - {name: maker, engine: ./maker.py}\n  - {name: scorer, engine: live_dead}\n",
        encoding="utf-8",
    )
    return file


@pytest.fixture(scope="module")
def swap2_run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = tmp_path_factory.mktemp("swap2")
    return arena.run(round_of(folder), workers=1, results=folder)


def test_every_game_counts_in_a_pair_and_each_player_proposes_once(swap2_run: Run) -> None:
    games = swap2_run.report().games
    assert len(games) == 24
    proposers = games["first"].where(games["proposer"] == 1, games["second"])
    assert (proposers.groupby(games["pair"]).nunique() == 2).all()
    assert swap2_run.report().pairs[["ll", "ld", "wl_dd", "wd", "ww"]].to_numpy().sum() == 24


def test_the_report_has_proposals_and_choices(swap2_run: Run) -> None:
    report = swap2_run.report()
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


def test_sgf_tells_how_the_opening_was_made(swap2_run: Run, tmp_path: Path) -> None:
    file = tmp_path / "games.sgf"
    export(swap2_run.folder, output=file)
    text = file.read_text(encoding="utf-8")
    assert text.count("C[Swap2: ") == 24
    with file.open("rb") as stream:
        games = list(sgf.read(stream, "games"))
    assert {game.opening for game in games if isinstance(game, WrittenGame)} == {3, 5}


def test_a_test_takes_pairs(tmp_path: Path) -> None:
    keys = "format: {sprt: {elo0: 0, elo1: 200, pairs: 30}}"
    run = arena.run(round_of(tmp_path, keys, 30), workers=1, results=tmp_path)
    report = run.report()
    (match,) = report.matches.to_dict("records")
    assert match["decision"] in ("H0", "H1", "")
    assert match["pairs"] == report.pairs[["ll", "ld", "wl_dd", "wd", "ww"]].to_numpy().sum() / 2
