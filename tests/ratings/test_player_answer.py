"""One player over all runs, and what its list says of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain, combinations
from typing import Any

import pytest
from support.game_records import game, games_of

from arena.engine import Limit
from arena.match.record import GameRecord
from arena.ratings.rating_answer import player_answer, ratings_answer
from arena.ratings.rating_list import RatedPlayer, RatedRun, RatingList, player_of, rated_pool
from arena.report.answer import Answer
from arena.report.table import Figure, Table, text_frame
from arena.stats.leads import Looks

GOMOKU = "gomoku:size=7,rule=freestyle"
OPENINGS = ["2,2 3,3", "4,4 3,4", "1,1 2,1"]


def pairs(one: str, other: str, points: Sequence[int], round: int = 1) -> list[GameRecord]:
    """Both games on each opening, of which the first player takes so many points."""
    winners = {2: (1, 2), 1: (1, 1), 0: (2, 1)}
    return [
        game(*seats, winner, opening, round, moves=f"{opening} {round} {seats[0]}")
        for opening, taken in zip(OPENINGS, points, strict=False)
        for seats, winner in zip(((one, other), (other, one)), winners[taken], strict=True)
    ]


def rated(limit: str, games: Sequence[GameRecord], place: str = "a", **engines: str) -> RatingList:
    """The list of one run, whose players have these engines, or ones of their names."""
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


def tables_of(found: RatingList, name: str) -> dict[str, list[dict[str, object]]]:
    id = next(row.id for row in found.players if row.name == name)
    answer = player_answer(found, id, {"a": ("the run", "/runs/0")}, "/player/")
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
    found = rated("depth 1", [*pairs("x", "y", [2, 2]), *lost])
    assert [row["faults"] for row in tables_of(found, "x")["Runs"]] in (["2"], [2])
    assert "faults" not in tables_of(found, "y")["Opponents"][0]


def answer_on(found: RatingList, name: str) -> Answer:
    id = next(row.id for row in found.players if row.name == name)
    return player_answer(found, id, {}, "")


def test_a_rank_is_one_of_those_that_can_be_compared() -> None:
    found = rated("depth 1", [*pairs("x", "y", [1, 2]), *pairs("u", "v", [2, 2, 1])])
    ranks = [answer_on(found, name).frame("ratings").loc[0, ["rank", "of"]] for name in "xyuv"]
    assert [(rank, of) for rank, of in ranks] == [(1, 2), (2, 2), (1, 2), (2, 2)]


def test_a_players_chart_has_the_versions_of_its_own_engine() -> None:
    names = {
        f"{engine}{version}": RatedPlayer(engine, version) for engine in "ef" for version in "12"
    }
    games = games_of(chain.from_iterable(pairs(*each, [1, 2]) for each in combinations(names, 2)))
    found = rated_pool(("g", "l"), [RatedRun("a", ("g", "l"), names, games, 1.0, 86400.0)])
    (first, *_) = answer_on(found, "e1").sections
    (figure,) = [part for part in first.drawn_parts if isinstance(part, Figure)]
    assert figure.caption.startswith("e: ")


def test_the_list_with_most_games_is_first_and_its_leader_is_named_only_if_that_is_sure() -> None:
    few = rated("depth 1", pairs("x", "y", [2, 1]))
    many = rated("depth 2", pairs("x", "y", [2, 0, 1]))
    answer = ratings_answer(together(few, many))
    assert [section.title.rpartition("; ")[2] for section in answer.sections] == [
        "depth 2",
        "depth 1",
    ]
    assert answer.verdict
    assert answer.verdict.text == "No clear leader"
    assert list(answer.frame("players")["limit"]) == ["depth 1"] * 2 + ["depth 2"] * 2


@pytest.mark.parametrize(
    ("engines", "told"),
    [
        (({"depth": 6, "width": 2}, {"depth": 4, "width": 2}), ["depth 6", "depth 4"]),
        (({"depth": 6}, {}), ["depth 6", "no depth"]),
        (
            ({"engine": "./a,b:c=d"}, {"engine": "./a,b:c=e"}),
            ["engine ./a,b:c=d", "engine ./a,b:c=e"],
        ),
        (
            ({"info": {"level": 1, "rule": "x, y"}}, {"info": {"level": 2}}),
            ["info {'level': 1, 'rule': 'x, y'}", "info {'level': 2}"],
        ),
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
        found = ratings_answer(rated_pool(whole.pool, runs)).verdict
        assert found
        assert found.text == text
