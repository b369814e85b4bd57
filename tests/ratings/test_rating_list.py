"""One rating list over all runs of a folder."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner
from support.edited_runs import edit
from support.game_records import game, games_of
from support.told_runs import Typed, make, play_with_person

import arena
from arena import ConfigError
from arena.cli import arena as command
from arena.engine import Limit
from arena.match.record import GameRecord
from arena.ratings.rating_list import (
    RatedPlayer,
    RatedRun,
    limit_class,
    player_of,
    rated_pool,
    rating_list,
)
from arena.stats.leads import Looks
from arena.storage.database import Store
from arena.storage.folder import DATABASE

FILE = """
game: {{gomoku: {{size: 7}}}}
openings: {{random: {{plies: 2, count: 3, seed: 1}}}}
limit: {{depth: {depth}}}
seed: {seed}
engines:
  - {{name: {one}, engine: ./own.py, width: 3}}
  - {{name: two, engine: random_mover}}
"""
OWN = """
from random import Random
from arena import Choice
GAMES = ("gomoku",)
class Own:
    def __init__(self, game, width):
        self.game = game
    def new_game(self, seed):
        self.random = Random(seed)
    def choose(self, p, limit):
        return Choice(self.random.choice(list(self.game.moves(p))))
    def close(self):
        pass
def engine(game, *, width: int = 1):
    return Own(game, width)
"""


def played(folder: Path, name: str, code: str = "", one: str = "one", **facts: int) -> arena.Run:
    (folder / "own.py").write_text(OWN + code)
    file = folder / f"{name}.yaml"
    file.write_text(FILE.format(one=one, **{"seed": 0, "depth": 1, **facts}))
    return arena.run(file, workers=0, results=folder / "results")


def test_a_player_is_one_in_all_runs_whatever_its_name_and_versions_are_apart(
    tmp_path: Path,
) -> None:
    results = tmp_path / "results"
    played(tmp_path, "a")
    played(tmp_path, "b", one="uno", seed=1)
    found = rating_list(results)
    assert {row.name: row.games for row in found.players} == {"uno": 12, "two": 12}
    assert not found.versions
    played(tmp_path, "c", "# later\n", seed=2)
    found = rating_list(results)
    games = {row.name: (row.games, row.against) for row in found.players}
    assert games == {"uno": (12, "two"), "one": (6, "two"), "two": (18, "one, uno")}
    ratings = {row.name: row for row in found.players}
    (change,) = found.versions
    assert (change.before, change.after) == (ratings["uno"].version, ratings["one"].version)
    assert change.before != change.after
    assert change.elo == pytest.approx(ratings["one"].elo - ratings["uno"].elo, abs=0.01)
    assert change.elo_low < change.elo < change.elo_high
    early, late = found.history
    assert (early.name, late.name) == ("uno", "one")
    assert early.first_played < late.first_played <= time.time()
    assert (late.elo, late.elo_low, late.games) == (ratings["one"].elo, ratings["one"].elo_low, 6)
    (results / "c" / "arena.db").write_bytes(b"rubbish" * 200)
    found = rating_list(results)
    assert [row.games for row in found.players] == [12, 12]
    assert "c is left out: " in found.notes[0]


def test_lists_are_apart_by_limit_and_the_command_shows_them(tmp_path: Path) -> None:
    results = tmp_path / "results"
    with pytest.raises(ConfigError, match="no games to be rated"):
        rating_list(results)
    played(tmp_path, "a")
    played(tmp_path, "b", depth=2)
    found = CliRunner().invoke(command, ["ratings", "--results", str(results)])
    assert found.exit_code == 0
    for title in ("depth 1", "depth 2"):
        assert f"gomoku:size=7,rule=freestyle, {title}\n" in found.output
    found = CliRunner().invoke(command, ["ratings", "--results", str(results), "--format", "csv"])
    header, *rows = found.stdout.splitlines()
    assert header.startswith(
        "game,limit,name,version,engine,elo,elo_low,elo_high,doubtful,group,games"
    )
    assert len(rows) == 4


@pytest.mark.parametrize(
    ("limit", "expected"),
    [
        (Limit(), "no limit"),
        (Limit(depth=3, nodes=20_000), "depth 3, 20,000 nodes"),
        (Limit(nodes=5, seconds=0.05), "below 0.1 s a move"),
        (Limit(seconds=0.1), "0.1 to 1 s a move"),
        (Limit(time_left=60.0, increment=0.5), "1 to 10 s a move"),
        (Limit(time_left=39.0), "0.1 to 1 s a move"),
        (Limit(time_left=40.0), "1 to 10 s a move"),
        (Limit(seconds=0.5, time_left=600.0), "0.1 to 1 s a move"),
        (Limit(seconds=30.0), "10 s a move or more"),
    ],
)
def test_a_limit_has_a_class(limit: Limit, expected: str) -> None:
    assert limit_class(limit) == expected


ENTRY = {"name": "e", "engine": "balance", "depth": 4}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"seconds": 0.01}, {"seconds": 1.0}),
        ({"seconds": 0.01}, {"nodes": 100}),
        ({"nodes": 100}, None),
        ({"clock": "60+0.5"}, {"clock": "60+1"}),
    ],
)
def test_a_limit_of_its_own_makes_another_player(
    one: dict[str, object], other: dict[str, object] | None
) -> None:
    limit = Limit(seconds=0.5)
    players = [player_of({**ENTRY, "limit": own} if own else ENTRY, limit) for own in (one, other)]
    assert players[0] != players[1]


@pytest.mark.parametrize(
    ("own", "limit"),
    [
        ({"nodes": 100}, Limit(nodes=100)),
        ({"clock": "60+0.5"}, Limit(time_left=60, increment=0.5)),
    ],
)
def test_the_limit_of_the_run_is_none_of_a_players_own(
    own: dict[str, object], limit: Limit
) -> None:
    assert player_of({**ENTRY, "limit": own}, limit) == player_of(ENTRY, limit)


def test_a_copied_folder_counts_once_but_equal_games_played_again_do_not(tmp_path: Path) -> None:
    results = tmp_path / "results"
    played(tmp_path, "a")
    alone = rating_list(results)
    shutil.copytree(results / "a", results / "copy")
    found = rating_list(results)
    assert found.players == alone.players
    assert len(found.notes) == 1
    assert "copy" in found.notes[0]
    played(tmp_path, "b")
    assert {row.games for row in rating_list(results).players} == {12}


def test_games_of_other_settings_or_of_an_unknown_time_are_no_copies(tmp_path: Path) -> None:
    results = tmp_path / "results"
    played(tmp_path, "a")
    shutil.copytree(results / "a", results / "b")
    with closing(Store(results / "b" / DATABASE)) as store:
        store.note(store.facts() | {"max_plies": 40})
    assert {row.games for row in rating_list(results).players} == {12}
    shutil.copytree(results / "a", results / "b", dirs_exist_ok=True)
    for name in ("a", "b"):
        edit(results / name, "DELETE FROM sessions")
    assert {row.games for row in rating_list(results).players} == {12}


def test_games_with_persons_are_not_rated(tmp_path: Path) -> None:
    play_with_person(tmp_path, "LW")
    with pytest.raises(ConfigError, match="no games to be rated"):
        rating_list(tmp_path / "results")


def test_a_copy_from_before_the_end_of_a_run_counts_nothing(tmp_path: Path) -> None:
    file, results = tmp_path / "a.yaml", tmp_path / "results"
    (tmp_path / "own.py").write_text(OWN)
    file.write_text(FILE.format(one="one", seed=0, depth=1))
    seen: list[object] = []
    arena.run(file, workers=0, results=results, watch=seen.append, stop=lambda: len(seen) > 4)
    shutil.copytree(results / "a", results / "copy")
    arena.run(file, workers=0, results=results)
    found = rating_list(results)
    assert {row.games for row in found.players} == {6}
    assert "copy is left out: it is a copy of " in found.notes[0]


STRENGTHS = {"a": -150.0, "b": -60.0, "c": 0.0, "d": 60.0, "e": 150.0}


def drawn_games(random: Random, number: int) -> Iterator[GameRecord]:
    """A round robin on 20 openings by players of known strength, each run with its own."""
    for one in STRENGTHS:
        for other in STRENGTHS:
            chance = 1 / (1 + 10 ** ((STRENGTHS[other] - STRENGTHS[one]) / 400))
            for opening in range(20 if one != other else 0):
                winner = 1 if random.random() < chance else 2
                text = f"{number} {opening}"
                yield game(one, other, winner, text, moves=f"{text} {one} {other}")


@pytest.mark.slow
def test_intervals_over_several_runs_contain_the_truth_as_often_as_promised() -> None:
    random, inside, tried = Random(3), 0, 0
    players = {name: RatedPlayer("engine:" + name, "v") for name in STRENGTHS}
    for _ in range(40):
        runs = [
            RatedRun(str(i), ("g", "l"), players, games_of([*drawn_games(random, i)]), 1.0, 1.0 + i)
            for i in range(3)
        ]
        rows = rated_pool(("g", "l"), runs).players
        inside += sum(row.elo_low <= STRENGTHS[row.name] <= row.elo_high for row in rows)
        tried += len(rows)
    assert tried == 200
    assert 0.90 <= inside / tried <= 0.995


def test_a_version_is_as_old_as_the_first_beginning_of_a_run_that_it_played_in() -> None:
    versions = {name: RatedPlayer("engine:e", name) for name in ("old", "new")}
    games = games_of([game("old", "new", 1), game("new", "old", 1, moves="other")])
    runs = [
        RatedRun("quick", ("g", "l"), versions, games, began=7.0, played=8.0),
        RatedRun("long", ("g", "l"), versions, games, began=1.0, played=10.0),
        RatedRun("last", ("g", "l"), versions, games, began=11.0, played=12.0),
    ]
    assert {row.first_played for row in rated_pool(("g", "l"), runs).history} == {1.0}


def test_the_own_runs_of_a_study_count_only_if_they_are_wanted(tmp_path: Path) -> None:
    played(tmp_path, "mine")
    results = tmp_path / "results"
    before = rating_list(results)
    study = results / "study"
    study.mkdir()
    (study / "arena.db").touch()
    shutil.copytree(results / "mine", study / "verification")
    found = rating_list(results)
    assert found.players == before.players
    assert found.notes == ["1 run of studies and fits is left out: arena ratings --candidates"]
    (note,) = rating_list(results, candidates=True).notes
    assert note.startswith(f"{study / 'verification'} is left out: it is a copy of ")
    (study / "arena.db").unlink()
    assert rating_list(results).notes == [note], "in a folder that people made it is no study's"


def test_settings_that_tell_players_apart_are_short() -> None:
    games = games_of([game("tuned", "old", 1), game("old", "tuned", 1, moves="other")])
    runs = [
        RatedRun(
            weight, ("g", "l"), {"tuned": player, "old": RatedPlayer("o", "")}, games, 1.0, 2.0
        )
        for weight in ("0.12345678901234567", "-41.0000712")
        for player in [RatedPlayer("e", "", (("weight", weight),))]
    ]
    found = rated_pool(("g", "l"), runs).players
    assert {row.settings for row in found} == {"weight 0.12346", "weight -41", ""}
    assert "e:weight=-41.0000712" in {row.engine for row in found}, "programs have all digits"


def test_versions_that_nothing_connects_are_not_compared() -> None:
    players = {name: RatedPlayer("e", name) for name in ("old", "new")}
    players |= {name: RatedPlayer(name, "") for name in ("x", "y")}
    apart = [
        game(*seats, 1, moves=f"{seats}")
        for one, other in (("old", "x"), ("new", "y"))
        for seats in ((one, other), (other, one))
    ]
    run = RatedRun("run", ("g", "l"), players, games_of(apart), began=1.0, played=2.0)
    assert not rated_pool(run.pool, [run]).versions
    met = [*apart, game("x", "y", 1, moves="1"), game("y", "x", 1, moves="2")]
    run = replace(run, games=games_of(met))
    assert [row.after for row in rated_pool(run.pool, [run]).versions] in (["new"], ["old"])


@pytest.mark.parametrize(
    ("format", "is_any_moment"),
    [({"knockout": {"pairs": 2}}, False), ({"sprt": {"elo1": 200, "pairs": 60}}, True)],
)
def test_a_cup_is_a_whole_plan_and_a_test_may_end_at_any_moment(
    format: dict[str, Any], is_any_moment: bool, tmp_path: Path
) -> None:
    make(tmp_path, "run", {"a b": ["WW", "WW", "WL"]}, Typed("a b", 60, format=format))
    results = tmp_path / "results"
    (lead,) = rating_list(results).leads.values()
    assert lead.looks == Looks(is_any_moment=is_any_moment)
    assert arena.open_run("run", results=results).report().runs[0].looks == lead.looks
