"""One rating list over all runs of a folder, and how people read it."""

from __future__ import annotations

import re
import shutil
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from itertools import chain, combinations
from pathlib import Path
from random import Random
from typing import Any

import pytest
from support.edited_runs import edit
from support.game_records import game, games_of
from support.samples import player
from support.told_runs import Typed, make, play_with_person

import arena
from arena import ConfigError
from arena.engine import Limit
from arena.match.record import GameRecord
from arena.ratings.rating_answer import player_answer, ratings_answer
from arena.ratings.rating_list import (
    RatedPlayer,
    RatedRun,
    RatingList,
    RatingRow,
    VersionRow,
    limit_class,
    player_of,
    rated_pool,
    rating_list,
)
from arena.report.answer import Answer
from arena.report.table import Figure, Section, Table, text_frame
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
OWN = player("return Choice(self.game.moves(p)[0])").replace(
    "(game):", "(game, *, width: int = 1):"
)


def played(folder: Path, name: str, code: str = "", one: str = "one", **facts: int) -> arena.Run:
    (folder / "own.py").write_text(OWN + code)
    file = folder / f"{name}.yaml"
    file.write_text(FILE.format(one=one, **{"seed": 0, "depth": 1, **facts}))
    return arena.run(file, workers=0, results=folder / "results")


def test_a_player_is_one_in_all_runs_by_any_name_and_versions_are_apart(tmp_path: Path) -> None:
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
HALF = Limit(seconds=0.5)


@pytest.mark.parametrize(
    ("one", "other", "limit", "is_same"),
    [
        ({"limit": {"seconds": 0.01}}, {"limit": {"seconds": 1.0}}, HALF, False),
        ({"limit": {"seconds": 0.01}}, {"limit": {"nodes": 100}}, HALF, False),
        ({"limit": {"nodes": 100}}, {}, HALF, False),
        ({"limit": {"clock": "60+0.5"}}, {"limit": {"clock": "60+1"}}, HALF, False),
        ({"limit": {"nodes": 100}}, {}, Limit(nodes=100), True),
        ({"limit": {"clock": "60+0.5"}}, {}, Limit(time_left=60, increment=0.5), True),
    ],
)
def test_a_limit_of_its_own_that_is_not_the_run_s_makes_another_player(
    one: dict[str, Any], other: dict[str, Any], limit: Limit, is_same: bool
) -> None:
    assert (player_of(ENTRY | one, limit) == player_of(ENTRY | other, limit)) is is_same


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


POOL = ("gomoku:size=15,rule=freestyle", "0.1 to 1 s a move")
DAY = 86400.0
MAY = 1_777_593_600.0  # 2026-05-01, in Greenwich's time


def row_named(name: str, elo: float, *met: str) -> RatingRow:
    own = RatedPlayer("e", "4f09a2")
    figures, counts = (elo, elo - 20, elo + 20), (100, 0, 0)
    told = *POOL, name, own.version, own.engine, *figures, False, 1, *counts, "2026-05-09"
    return RatingRow(*told, ", ".join(met), "", own, len(met), MAY)


def version(mark: str, day: float, elo: float, group: int = 1, reach: float = 20.0) -> RatingRow:
    row = replace(
        row_named("own", elo), version=mark, engine="/home/me/own.py:width=3", group=group
    )
    return replace(row, elo_low=elo - reach, elo_high=elo + reach, first_played=MAY + day * DAY)


def list_of(*history: RatingRow, players: int = 2) -> RatingList:
    names = [f"p{i}" for i in range(players)]
    rows = [row_named(each, 10.0, *(n for n in names if n != each)) for each in names]
    change = VersionRow(
        *POOL, "/home/me/own.py:width=3", "aaaaaa", "bbbbbb", 23.0, 5.0, 41.0, False
    )
    return RatingList(rows, [change] if history else [], history)


def section_of(ratings: RatingList) -> Section:
    (section,) = ratings_answer(ratings).sections
    return section


def figures_of(ratings: RatingList) -> list[Figure]:
    return [part for part in section_of(ratings).parts if isinstance(part, Figure)]


def test_versions_have_a_table_of_their_differences_and_a_chart_that_says_all_in_words() -> None:
    ratings = list_of(version("aaaaaa", 0, -12.0), version("bbbbbb", 8, 11.0))
    (figure,) = figures_of(ratings)
    words = (
        "own.py: width=3: rating of its versions, with 95 % intervals, by their first games: "
        "aaaaaa -12 (-32 to +8) since 2026-05-01; bbbbbb +11 (-9 to +31) since 2026-05-09"
    )
    assert figure.caption == f"{words}."
    assert f'aria-label="{words}"' in figure.drawing
    assert ">2026-05-03<" in figure.drawing  # a mark of the axis
    _, table = section_of(ratings).tables
    told = ["own.py: width=3", "aaaaaa", "bbbbbb", "+23", "+5 to +41"]
    assert text_frame(table).iloc[0].tolist()[:5] == told


def test_what_cannot_be_compared_or_has_no_time_is_in_no_chart() -> None:
    first, second = version("aaaaaa", 0, -12.0), version("bbbbbb", 8, 11.0)
    assert figures_of(list_of(first, replace(second, group=2))) == []
    assert figures_of(list_of(replace(first, first_played=0.0), second)) == []
    (figure,) = figures_of(list_of(first, replace(second, elo_high=1e9, elo_low=-1e9)))
    assert "bbbbbb - (-) since" in figure.caption


def test_a_chart_can_hold_versions_of_one_moment_and_very_many() -> None:
    (figure,) = figures_of(list_of(version("aaaaaa", 0, -12.0), version("bbbbbb", 0, 11.0)))
    assert "nan" not in figure.drawing
    many = [version(f"v{number:05}", number, float(number)) for number in range(40)]
    (figure,) = figures_of(list_of(*many))
    assert ">v00003<" not in figure.drawing
    assert "v00039 +39" in figure.caption


@pytest.mark.parametrize(
    ("days", "marks"),
    [
        (0.1, "05-01 00:00|05-01 01:00|05-01 02:00"),
        (0.5, "05-01 00:00|05-01 03:00|05-01 06:00|05-01 09:00|05-01 12:00"),
        (4, "2026-05-01|2026-05-02|2026-05-03|2026-05-04|2026-05-05"),
        (30, "2026-04-30|2026-05-07|2026-05-14|2026-05-21|2026-05-28"),
        (4000, "2027-10-29|2030-03-27|2032-08-23|2035-01-20|2037-06-18"),
    ],
)
def test_an_axis_of_time_has_a_few_marks_at_round_moments(days: float, marks: str) -> None:
    (figure,) = figures_of(list_of(version("aaaaaa", 0, -12.0), version("bbbbbb", days, 11.0)))
    told = re.findall(r">(\d{4}-\d\d-\d\d|\d\d-\d\d \d\d:\d\d)<", figure.drawing)
    assert "|".join(told) == marks


GOMOKU = "gomoku:size=7,rule=freestyle"
OPENINGS = ["2,2 3,3", "4,4 3,4", "1,1 2,1"]


def pairs(one: str, other: str, points: Sequence[int], round: int = 1) -> list[GameRecord]:
    winners = {2: (1, 2), 1: (1, 1), 0: (2, 1)}
    return [
        game(*seats, winner, opening, round, moves=f"{opening} {round} {seats[0]}")
        for opening, taken in zip(OPENINGS, points, strict=False)
        for seats, winner in zip(((one, other), (other, one)), winners[taken], strict=True)
    ]


def rated(limit: str, games: Sequence[GameRecord], place: str = "a", **engines: str) -> RatingList:
    names = {name for each in games for name in (each.first, each.second)}
    players = {name: RatedPlayer(engines.get(name, name), "") for name in sorted(names)}
    run = RatedRun(place, (GOMOKU, limit), players, games_of(games), 1.0, 86400.0)
    return rated_pool(run.pool, [run])


def together(*lists: RatingList) -> RatingList:
    return RatingList(
        [row for each in lists for row in each.players],
        [],
        [],
        meetings=[row for each in lists for row in each.meetings],
        leads={pool: lead for each in lists for pool, lead in each.leads.items()},
    )


def shown(table: Table) -> list[dict[str, object]]:
    return text_frame(table).to_dict("records")  # type: ignore[return-value]


def tables_of(list_of: RatingList, name: str) -> dict[str, list[dict[str, object]]]:
    id = next(row.id for row in list_of.players if row.name == name)
    answer = player_answer(list_of, id, {"a": ("the run", "/runs/0")}, "/player/")
    return {table.title: shown(table) for section in answer.sections for table in section.tables}


def test_a_player_has_its_results_in_each_run_and_against_each_opponent() -> None:
    few = rated("depth 1", pairs("x", "y", [2, 1]), "a")
    many = rated("depth 2", [*pairs("x", "y", [2, 0, 2]), *pairs("x", "z", [1, 2, 2])], "b")
    tables = tables_of(together(few, many), "x")
    lists = [(row["list"], row["games"]) for row in tables["Ratings"]]
    assert [games for _, games in lists] == ["12", "4"]  # most games first
    assert str(lists[0][0]).endswith("; depth 2")
    counts = ["games", "wins", "draws", "losses", "score"]
    runs = {row["run"]: [row[name] for name in counts] for row in tables["Runs"]}
    assert runs == {"the run": ["4", "3", "0", "1", "75.0 %"], "b": ["12", "9", "0", "3", "75.0 %"]}
    met = [(row["opponent"], *(row[name] for name in counts[:4])) for row in tables["Opponents"]]
    assert met == [("y", "6", "4", "0", "2"), ("z", "6", "5", "0", "1"), ("y", "4", "3", "0", "1")]
    assert ("engine", "x") in [(row["setting"], row["value"]) for row in tables["Settings"]]


def test_games_lost_by_own_faults_are_counted_for_the_player_at_fault() -> None:
    lost = [
        replace(game("x", "y", 2, OPENINGS[0], 2, moves="a"), reason="time"),
        replace(game("y", "x", 1, OPENINGS[0], 2, moves="b"), reason="crash"),
    ]
    list_of = rated("depth 1", [*pairs("x", "y", [2, 2]), *lost])
    assert [row["faults"] for row in tables_of(list_of, "x")["Runs"]] in (["2"], [2])
    assert "faults" not in tables_of(list_of, "y")["Opponents"][0]


def answer_on(list_of: RatingList, name: str) -> Answer:
    id = next(row.id for row in list_of.players if row.name == name)
    return player_answer(list_of, id, {}, "")


def test_a_rank_is_one_of_those_that_can_be_compared() -> None:
    list_of = rated("depth 1", [*pairs("x", "y", [1, 2]), *pairs("u", "v", [2, 2, 1])])
    ranks = [answer_on(list_of, name).frame("ratings").loc[0, ["rank", "of"]] for name in "xyuv"]
    assert [(rank, of) for rank, of in ranks] == [(1, 2), (2, 2), (1, 2), (2, 2)]


def test_a_players_chart_has_the_versions_of_its_own_engine() -> None:
    names = {
        f"{engine}{version}": RatedPlayer(engine, version) for engine in "ef" for version in "12"
    }
    games = games_of(chain.from_iterable(pairs(*each, [1, 2]) for each in combinations(names, 2)))
    list_of = rated_pool(("g", "l"), [RatedRun("a", ("g", "l"), names, games, 1.0, 86400.0)])
    (first, *_) = answer_on(list_of, "e1").sections
    (figure,) = [part for part in first.drawn_parts if isinstance(part, Figure)]
    assert figure.caption.startswith("e: ")


NESTED = {"info": {"level": 1, "rule": "x, y"}}, {"info": {"level": 2}}


@pytest.mark.parametrize(
    ("engines", "told"),
    [
        (({"depth": 6, "width": 2}, {"depth": 4, "width": 2}), ["depth 6", "depth 4"]),
        (({"depth": 6}, {}), ["depth 6", "no depth"]),
        (({"engine": "./a,b:c=d"}, {"engine": "./b"}), ["engine ./a,b:c=d", "engine ./b"]),
        (NESTED, ["info {'level': 1, 'rule': 'x, y'}", "info {'level': 2}"]),
        (({"limit": {"depth": 2}}, {"limit": {"depth": 3}}), ["limit.depth 2", "limit.depth 3"]),
    ],
)
def test_players_of_one_name_are_told_apart_by_what_differs(
    engines: tuple[dict[str, Any], ...], told: list[str]
) -> None:
    runs = [
        RatedRun(
            place,
            (GOMOKU, "depth 1"),
            {"x": player_of({"engine": "e"} | own, Limit()), "y": RatedPlayer("y", "")},
            games_of(pairs("x", "y", [2, 0, 1])),
            0.0,
            played,
        )
        for place, own, played in zip("ab", engines, (1.0, 2.0), strict=True)
    ]
    (section,) = ratings_answer(rated_pool(runs[0].pool, runs)).sections
    by_name = {row["name"]: row["differs by"] for row in shown(section.tables[0])}
    assert [by_name["x (1)"], by_name["x (2)"], by_name["y"]] == [*told, "-"]


def test_the_leader_of_a_list_pays_for_every_run_that_it_played_in() -> None:
    games = [
        each
        for i in range(30)
        for each in (
            game("x", "y", 1, f"{i}", 1, moves=f"{i}"),
            game("y", "x", 2 if i < 8 else 1, f"{i}", 1, moves=f"{i}"),
        )
    ]
    players = {name: RatedPlayer(name, "") for name in "xyz"}
    whole = RatedRun("a", (GOMOKU, "depth 1"), players, games_of(games), 1.0, 2.0)
    halves = [
        replace(whole, place=place, games=games_of(part))
        for place, part in (("a", games[:30]), ("b", games[30:]))
    ]
    others = replace(whole, place="c", games=games_of(pairs("z", "w", [1, 1, 1])))
    others = replace(others, players={name: RatedPlayer(name, "") for name in "zw"})
    for runs, text in (
        ([whole], "x leads"),
        ([whole, others], "x leads"),
        (halves, "No clear leader"),
        ([replace(whole, looks=Looks(is_any_moment=True))], "No clear leader"),
    ):
        list_of = ratings_answer(rated_pool(whole.pool, runs)).verdict
        assert list_of
        assert list_of.text == text
