"""What is kept of games is read back equal, in any order, with what their moves cost."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from random import Random

import pandas as pd
import pytest
from hypothesis import given, settings, strategies as st
from support.edited_runs import edit, edited_games
from support.game_records import game, games_of
from support.made_up_games import made_up

from arena import ConfigError
from arena.engine import Limit
from arena.match.game_row import read_efforts, row_of
from arena.match.record import Effort, GameRecord, OpeningMade, key
from arena.report.moves import thinking_frame, total_seconds
from arena.storage import database
from arena.storage.database import Games, Store

LIMITS = {"a": Limit(seconds=0.1), "b": Limit(time_left=0.5, increment=0.01)}
texts = st.text(
    st.characters(exclude_characters="\0", exclude_categories=()), max_size=20
) | st.sampled_from(["\ud800", "é\udcff", "\r\n"])
names = texts.filter(lambda name: not any("\ud800" <= each <= "\udfff" for each in name))
whole = st.integers(0, 2**63 - 1)
rules, makers = st.sampled_from(["swap2", "swap"]), st.sampled_from([1, 2])
made = st.builds(OpeningMade, rules, makers, texts, st.just("three:0.5 stay"))
FIELDS = {
    **dict.fromkeys(("first", "second", "reason", "machine"), names),
    **dict.fromkeys(
        ("opening", "detail", "moves", "scores", "start", "digest", "pv", "info"), texts
    ),
    **dict.fromkeys(("round", "seed", "plies"), whole),
}
FIELDS |= {"winner": st.sampled_from([1, 2, None]), "made": st.none() | made}
COSTS = {"times": "0.25 1.000001", "nodes": "9 0", "depths": "3 1"}
records = st.builds(GameRecord, **FIELDS, **{name: st.just(each) for name, each in COSTS.items()})


@given(st.lists(records, max_size=20, unique_by=key))
@settings(max_examples=6)
def test_games_are_read_back_equal(kept: list[GameRecord]) -> None:
    games = games_of(kept)
    with closing(Store(games.file or Path())) as store:
        assert store.games() == kept == list(games.records())
        assert list(games.rows) == [row_of(each, i) for i, each in enumerate(kept, start=1)]
        for each in kept:
            assert store.find(key(each)) == each


@pytest.fixture(scope="module", name="played")
def fixture_played() -> tuple[list[GameRecord], Games]:
    records = made_up(1)
    return records, games_of(records, LIMITS)


def test_games_are_read_in_any_order(
    played: tuple[list[GameRecord], Games], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "BATCH", 5)
    records, games = played
    for count in (0, 1, 5, 17, len(records)):
        places = Random(count).sample(range(len(records)), count)
        part = games.at(places)
        assert list(part.records()) == [records[place] for place in places]
        assert part.numbered() == [(place + 1, records[place]) for place in places]
    some = games.of_players({"a", "b"}).part(lambda row: row.result.winner == 1)
    won = [each for each in records if {each.first, each.second} == {*"ab"} and each.winner == 1]
    assert list(some.records()) == won


def test_a_free_round_is_one_of_the_same_seats_in_the_schedule() -> None:
    """Players made some openings, and changed their colours."""
    swapped = replace(game("b", "a", 1), made=OpeningMade("swap", 2, "7,7"))
    there = [game("a", "b", 1, "o", round) for round in (*range(1, 12), 20)]
    others = game("b", "a", 1, "o", 12), swapped, replace(swapped, round=2)
    games = games_of([*there, *others])
    with closing(Store(games.file or Path())) as store:
        assert store.free_round(("a", "b", "o", 1)) == 12
        assert store.free_round(("a", "b", "o", 1), is_for_both=True) == 13
        assert store.free_round(("a", "b", "o", 20)) == 21
        assert store.free_round(("b", "a", "o", 3)) == 3
        assert store.free_round(("b", "a", "o", 3), is_for_both=True) == 13
        assert store.free_round(("a", "b", "swap 7,7", 1)) == 3
        assert store.free_round(("b", "a", "swap 7,7", 1)) == 1


THROWN_AWAY = "were thrown away, or changed, while they were read"


@pytest.mark.parametrize(
    "change",
    [
        lambda folder: edit(folder, "DELETE FROM games WHERE id = 2"),
        lambda folder: edited_games(folder, lambda each: replace(each, digest="other")),
    ],
)
def test_games_that_are_gone_or_changed_since_are_told(change: Callable[[Path], None]) -> None:
    games = games_of(made_up(3))
    assert games.file
    change(games.file.parent)
    with pytest.raises(ConfigError, match=THROWN_AWAY):
        list(games.records())


Sums = dict[tuple[str, int], tuple[int, int, Effort]]
"""By player and seat: games, their plies, and what the player's moves in them cost."""


def add(found: Sums, player: str, seat: int, games: int, plies: int, effort: Effort) -> None:
    many, more, sums = found.get((player, seat), (0, 0, Effort()))
    over = [each.overrun for each in (sums, effort) if each.overrun is not None]
    pairs = zip(sums._replace(overrun=0), effort._replace(overrun=0), strict=True)
    both = Effort(*map(sum, pairs))._replace(overrun=max(over, default=None))
    found[player, seat] = many + games, more + plies, both


def by_hand(records: list[GameRecord]) -> Sums:
    found: Sums = {}
    for each in records:
        limits = [LIMITS.get(name, Limit()) for name in (each.first, each.second)]
        for seat, effort in enumerate(read_efforts(each, limits), start=1):
            add(found, each.player(seat), seat, 1, each.plies, effort)
    return found


def test_sums_over_some_games_are_those_by_hand(played: tuple[list[GameRecord], Games]) -> None:
    """Those of uncounted games, which are kept as well, are left out."""
    records, games = played
    for count in (0, 1, 2, 40, len(records) - 1, len(records)):
        places, found = Random(count).sample(range(len(records)), count), Sums()
        for i, each in enumerate(games.at(places).efforts()):
            add(found, each.player, 1 + i % 2, each.games, each.plies, each.effort)
        assert found == by_hand([records[place] for place in places])


def test_the_frame_of_two_runs_has_all_their_games(played: tuple[list[GameRecord], Games]) -> None:
    others, new = made_up(2), {"a": "x", "b": "a"}

    def renamed_by_hand(each: GameRecord) -> GameRecord:
        first, second = (new.get(name, name) for name in (each.first, each.second))
        return replace(each, first=first, second=second)

    renamed = games_of(others, LIMITS).renamed(new)
    assert list(renamed.records()) == [*map(renamed_by_hand, others)]
    runs = [played[1], renamed]
    frame = thinking_frame("abcx", runs).set_index("name")
    both = Sums()
    for (player, _), sums in [*by_hand(played[0]).items(), *by_hand(others).items()]:
        add(both, player, 0, *sums)
    seconds = sum(each.time for _, _, each in both.values()) / 1e6
    assert total_seconds(runs) == pytest.approx(seconds)
    for name, own in (("c", both["c", 0]), ("x", sums_of(others, "a"))):
        games, plies, effort = own
        row = frame.loc[name]
        assert row["plies"] == plies / games
        assert row["seconds_per_move"] == pytest.approx(effort.time / 1e6 / effort.choices)
        assert row["nodes_per_second"] == pytest.approx(1e6 * effort.nodes / effort.time_with_nodes)
        assert row["depth"] == pytest.approx(effort.searched_depths / effort.searched)
    assert pd.isna(frame.loc["c", "greatest_overrun"])
    assert frame.loc["x", "greatest_overrun"] == (sums_of(others, "a")[2].overrun or 0) / 1e6


def sums_of(records: list[GameRecord], name: str) -> tuple[int, int, Effort]:
    found = Sums()
    for (player, _), sums in by_hand(records).items():
        add(found, player, 0, *sums)
    return found[name, 0]


def test_a_game_that_cannot_be_kept_whole_is_not_kept_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second, third = (game("a", name, 1) for name in "bcd")
    with closing(Store(tmp_path / "arena.db")) as store:
        store.append(first)
        with monkeypatch.context() as patch:
            # As where the disk is full, SQLite takes back all that is not committed.
            insert = database.INSERT_GAME.replace("INSERT", "INSERT OR ROLLBACK")
            patch.setattr(database, "INSERT_GAME", insert)
            with pytest.raises(ConfigError):
                store.append(replace(second, seed=None))  # type: ignore[arg-type]
        store.append(third)
        store.append(second)
        assert store.games() == [first, third, second]
        assert [row.result.second for row in store.game_rows()] == ["b", "d", "c"]


def test_the_rows_of_games_are_the_same_in_every_process() -> None:
    row = row_of(game("é", "b", 1, "7,7"))
    code = "from support.game_records import game; from arena.match.game_row import row_of; "
    code += r"print(ascii(tuple(row_of(game('\xe9', 'b', 1, '7,7')))))"
    paths = os.pathsep.join(map(str, (Path(__file__).parents[1], Path(__file__).parents[2])))
    environment = os.environ | {"PYTHONHASHSEED": "7", "PYTHONPATH": paths}
    told = subprocess.check_output([sys.executable, "-c", code], env=environment, text=True)
    assert told.strip() == ascii(tuple(row))
