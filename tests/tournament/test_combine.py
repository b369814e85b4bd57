"""Several runs as one report: which players count as one, and which do not."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from support.reports import shown
from support.samples import ROUND, Write, player

import arena
from arena import ConfigError
from arena.report.frames import Report
from arena.tournament.combine import report_runs

Play = Callable[..., None]
OTHER_OPENINGS = ("seed: 1", "seed: 2")
TWO = "name: two, engine: random_mover"


@pytest.fixture
def play(write: Write, tmp_path: Path) -> Play:
    """Plays a run of this name; `changes` (old, new) are made to its file before."""

    def play(name: str, *changes: tuple[str, str]) -> None:
        text = ROUND
        for old, new in changes:
            assert old in text
            text = text.replace(old, new)
        arena.run(write(text, f"{name}.yaml"), workers=0, results=tmp_path)

    return play


@pytest.fixture
def pooled(tmp_path: Path) -> Callable[..., Report]:
    return lambda *runs, anchor=None: report_runs(runs, results=tmp_path, anchor=anchor)


def test_one_run_is_that_run(play: Play, pooled: Callable[..., Report], tmp_path: Path) -> None:
    play("round")
    found = pooled("round", str(tmp_path / "round"))
    assert found.games.equals(arena.open_run("round", results=tmp_path).games())
    assert "run" not in found.games


def test_each_player_has_its_own_limit_in_all_runs(
    play: Play, pooled: Callable[..., Report]
) -> None:
    play("first", (TWO, f"{TWO}, limit: {{seconds: 5}}"))
    play("second", OTHER_OPENINGS)
    overruns = pooled("first", "second").standings.set_index("name")["greatest_overrun"]
    assert -5 < overruns["two (first)"] < -4
    assert overruns.drop("two (first)").isna().all()


def test_who_is_the_same_everywhere_is_one_player(
    play: Play, pooled: Callable[..., Report]
) -> None:
    play("first")
    play("second", OTHER_OPENINGS)
    found = pooled("first", "second")
    assert set(found.standings["name"]) == {"one", "two", "three"}
    assert set(found.standings["games"]) == {16}
    assert list(found.games.columns[:3]) == ["run", "game", "pair"]
    assert found.games["run"].value_counts().to_dict() == {"first": 12, "second": 12}


def test_a_run_that_holds_the_same_games_again_adds_no_evidence(
    play: Play, pooled: Callable[..., Report]
) -> None:
    play("first")
    play("again")
    once, twice = pooled("first").standings, pooled("first", "again").standings
    assert list(twice["games"]) == [2 * games for games in once["games"]]
    for column in ("elo", "elo_low", "rating", "rating_low", "distinct_pairs"):
        assert list(twice[column]) == pytest.approx(list(once[column]))


@pytest.mark.slow
@pytest.mark.parametrize(
    "change",
    [
        (TWO, "name: two, engine: five_tuple, depth: 1"),
        (TWO, f"{TWO}, limit: {{nodes: 5}}"),
    ],
)
def test_one_name_for_different_players_is_two(
    play: Play, pooled: Callable[..., Report], change: tuple[str, str]
) -> None:
    play("first")
    play("second", change, OTHER_OPENINGS)
    found = pooled("first", "second", anchor="two (first)=100")
    games = found.standings.set_index("name")["games"]
    assert games.to_dict() == {"one": 16, "three": 16, "two (first)": 8, "two (second)": 8}
    assert set(found.games["first"]) == set(games.index)
    assert "two (first) is +100" in shown(found)


def test_two_versions_of_a_users_engine_are_two_players(
    play: Play, pooled: Callable[..., Report], write: Write
) -> None:
    own = (TWO, "name: two, engine: ./own.py")
    write(player("return Choice(self.game.moves(p)[0])"), "own.py")
    play("first", own)
    write(player("return Choice(self.game.moves(p)[-1])"), "own.py")
    play("second", own)
    assert len(pooled("first", "second").standings) == 4


def test_the_limit_of_the_match_is_part_of_a_player(
    play: Play, pooled: Callable[..., Report]
) -> None:
    play("first")
    play("second", ("openings:", "limit: {nodes: 7}\n    openings:"))
    assert len(pooled("first", "second").standings) == 6


def test_different_games_are_a_fault(play: Play, pooled: Callable[..., Report]) -> None:
    play("first")
    play("second", ("size: 7", "size: 9"))
    with pytest.raises(ConfigError, match=r"different games together: .*size=7.*size=9"):
        pooled("first", "second")


@pytest.mark.parametrize(
    ("anchor", "fault"),
    [
        ("ona", "unknown player 'ona'; did you mean 'one'"),
        ("ona=3", "unknown player 'ona'; did you mean 'one'"),
        ("one=high", "'high' is no Elo"),
        ("one=nan", "'nan' is no Elo"),
        ("one=٣", "'٣' is no Elo"),
        ("", "unknown player ''"),
    ],
)
def test_what_is_no_anchor_is_a_fault(
    play: Play, pooled: Callable[..., Report], anchor: str, fault: str
) -> None:
    play("first")
    with pytest.raises(ConfigError, match=fault):
        pooled("first", anchor=anchor)


@pytest.mark.slow
def test_a_run_with_limited_time_says_so_and_under_which_load(
    play: Play, pooled: Callable[..., Report]
) -> None:
    timed = (
        "name: two, engine: random_mover",
        "name: two, engine: random_mover, limit: {seconds: 9}",
    )
    play("first")
    play("second", timed, OTHER_OPENINGS)
    assert pooled("first").notes == []
    (note,) = pooled("second").notes
    assert note.startswith("Time was limited")
    assert "load average" in note
    assert pooled("first", "second").notes == [f"second: {note}"]


@pytest.mark.slow
def test_a_run_begun_again_once_it_was_over_tells_no_more_of_the_machine(
    write: Write, tmp_path: Path, pooled: Callable[..., Report]
) -> None:
    timed = ROUND.replace(
        "name: two, engine: random_mover", "name: two, engine: random_mover, limit: {seconds: 9}"
    )
    file = write(timed, "first.yaml")
    notes = []
    for _ in range(2):
        arena.run(file, workers=1, results=tmp_path)
        notes.append(pooled("first").notes)
    assert notes[0] == notes[1]
    assert "1 worker on" in notes[0][0]


def test_the_sides_of_a_test_of_couples_have_their_names(
    play: Play, pooled: Callable[..., Report]
) -> None:
    three = "- {name: three, engine: random_mover}"
    four = (three, f"{three}\n      - {{name: four, engine: random_mover}}")
    test = "format: {sprt_couples: {elo1: 400, pairs: 2}}\n    openings:"
    play("first", ("openings:", test), four)
    play("second", OTHER_OPENINGS, (TWO, f"{TWO}, limit: {{seconds: 5}}"))
    sides = pooled("first", "second").matches[["one", "other"]].to_numpy().tolist()
    assert sides == [["one / three", "two (first) / four"]]
