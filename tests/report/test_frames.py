"""Frames: every number in a report can be counted by hand."""

from __future__ import annotations

import io
import json
import re
from dataclasses import replace
from itertools import permutations
from pathlib import Path

import pandas as pd
import pytest
from records import game

from arena import ConfigError
from arena.match.record import GameRecord
from arena.report.export import FRAMES, csv_text, json_text, save, sheets_of, text_of
from arena.report.frames import PAIRS, Extras, Report, report, report_of
from arena.report.tables import report_text


def thought(record: GameRecord, times: str, nodes: str, depths: str) -> GameRecord:
    return replace(record, times=times, nodes=nodes, depths=depths, plies=len(times.split()) + 1)


@pytest.fixture
def two_games() -> Report:
    """One pair from an opening of one ply, so that player 2 is asked first."""
    there = thought(game("a", "b", 1, "4,4"), "0.1 0.2 0.3", "10 200 30", "1 5 2")
    back = thought(game("b", "a", None, "4,4"), "0.4 0.5", "400 50", "6 3")
    return report(["a", "b", "c"], [(1, there), (2, back)])


def row(frame: pd.DataFrame, name: str) -> pd.Series:
    return frame.set_index("name").loc[name]


def test_games_have_their_numbers_in_the_schedule(two_games: Report) -> None:
    games = two_games.games
    assert list(games["game"]) == [1, 2]
    assert list(games["pair"]) == [1, 1]
    assert list(games.columns[:2]) == ["game", "pair"]
    assert games["winner"].isna().tolist() == [False, True]


def test_a_player_is_charged_for_its_own_choices(two_games: Report) -> None:
    # In the first game b chose first (0.1, 0.3), then a; in the second a (0.4), then b.
    a, b = (row(two_games.standings, name) for name in "ab")
    assert a["seconds_per_move"] == pytest.approx((0.2 + 0.4) / 2)
    assert b["seconds_per_move"] == pytest.approx((0.1 + 0.3 + 0.5) / 3)
    assert a["nodes_per_second"] == pytest.approx((200 + 400) / (0.2 + 0.4))
    assert b["depth"] == pytest.approx((1 + 2 + 3) / 3)
    assert a["plies"] == pytest.approx((4 + 3) / 2)


def test_standings_and_win_rates(two_games: Report) -> None:
    a = row(two_games.standings, "a")
    assert (a["games"], a["wins"], a["draws"], a["losses"]) == (2, 1, 1, 0)
    assert a["score"] == 0.75
    assert two_games.win_rates.loc["a", "b"] == 0.75
    assert two_games.win_rates.loc["b", "a"] == 0.25
    assert pd.isna(two_games.win_rates.loc["a", "c"])
    by_seat = two_games.colours.set_index(["name", "seat"])["score"]
    assert by_seat["a", 1] == 1
    assert by_seat["a", 2] == 0.5


def test_one_who_has_not_played_is_unknown_not_wrong(two_games: Report) -> None:
    c = row(two_games.standings, "c")
    assert c["games"] == 0
    assert pd.isna(c["seconds_per_move"])
    assert c["elo_low"] < -1000
    assert c["elo_high"] > 1000
    assert c["rating_high"] - c["rating_low"] > 2000
    text = report_text(two_games)
    assert re.search(r"\n *c +0 +0 +0 +0 +50\.0% +- +- +50\.0%\n", text)
    assert re.search(r"\n *c +\+0 +- +2\n", text), "its rating, in a group of its own"
    assert re.search(r"\n *c +0 +0 +0 +0 +0 +- +- +- +-\n", text), "its pairs"
    assert re.search(r"\n *c +- +- +- +-\n", text), "its moves"


def test_a_report_without_games_is_a_report() -> None:
    empty = report(["a", "b"], [])
    assert empty.games.empty
    assert "Standings after 0 games" in report_text(empty)
    assert json.loads(json_text(sheets_of(empty)))["games"] == []


def test_all_wins_show_a_bound_in_the_table() -> None:
    pairs = [
        (2 * i + seat, game(*players, winner, opening=str(i)))
        for i in range(10)
        for seat, players, winner in ((1, "ab", 1), (2, "ba", 2))
    ]
    text = report_text(report(["a", "b"], pairs))
    assert re.search(r">\+140 +\+140 or more", text)
    assert re.search(r"<-140 +-140 or less", text)
    assert "inf" not in text
    assert "nan" not in text


def test_csv_and_json_use_the_names_of_the_frames(two_games: Report) -> None:
    sheets = sheets_of(two_games)
    whole = json.loads(json_text(sheets))
    for name in FRAMES:
        columns = list(getattr(two_games, name).columns)
        if name == "win_rates":
            columns = ["name", "opponent", "score"]
        assert list(pd.read_csv(io.StringIO(csv_text(sheets, name))).columns) == columns
        rows = whole[name]
        assert not rows if name in ("matches", "uncounted") else list(rows[0]) == columns
        assert json.loads(json_text(sheets, name)) == whole[name]


def test_pairs_and_ratios_can_be_counted_by_hand(two_games: Report) -> None:
    a, b = (row(two_games.pairs, name) for name in "ab")
    assert list(a[PAIRS]) == [0, 0, 0, 1, 0]
    assert list(b[PAIRS]) == [0, 1, 0, 0, 0]
    assert (a["draw_ratio"], a["pair_ratio"], b["pair_ratio"]) == (0, 1000, 0.001)
    summary = two_games.summary.iloc[0]
    assert (summary["games"], summary["distinct_games"], summary["draw_ratio"]) == (2, 2, 0.5)
    assert summary["first_score"] == 0.75


def schedule_of(*pairs: tuple[str, str, int | None, int | None]) -> list[tuple[int, GameRecord]]:
    """(one, other, winner, winner with colours swapped), each on an opening of its own."""
    games = [
        each
        for i, (one, other, there, back) in enumerate(pairs)
        for each in (game(one, other, there, str(i)), game(other, one, back, str(i)))
    ]
    return list(enumerate(games, start=1))


def test_ratings_stand_in_the_standings_and_an_anchor_moves_them() -> None:
    records = schedule_of(("a", "b", 1, 1), ("a", "b", 1, 2), ("b", "c", 1, None), ("c", "a", 1, 1))
    free = report("abc", records)
    held = report("abc", records, anchor=("c", 1500))
    ratings = [frame.standings.set_index("name")["rating"] for frame in (free, held)]
    assert ratings[0].sum() == pytest.approx(0, abs=1e-6)
    assert ratings[1]["c"] == 1500
    assert ratings[1]["a"] - ratings[1]["b"] == pytest.approx(ratings[0]["a"] - ratings[0]["b"])
    assert "c is +1500" in report_text(held)
    with pytest.raises(ConfigError, match="unknown player 'd'"):
        report("abc", records, anchor=("d", 0))


def test_two_players_have_an_elo_and_need_no_ratings() -> None:
    assert "Ratings" not in report_text(report("ab", schedule_of(("a", "b", 1, 1))))


def test_who_never_met_is_shown_apart() -> None:
    text = report_text(report("abcd", schedule_of(("a", "b", 1, 1), ("c", "d", 1, None))))
    assert "in each group" in text
    assert re.search(r"\n *c +\+\d+ .* 2\n", text)


def test_notes_are_shown_in_every_form_but_csv(tmp_path: Path) -> None:
    shown = report("ab", schedule_of(("a", "b", 1, 1)), extras=Extras(notes=["Mind the gap."]))
    found = sheets_of(shown)
    assert text_of(found, "table").endswith("\n\nMind the gap.")
    assert text_of(found, "markdown").endswith("\n\n- Mind the gap.")
    assert json.loads(text_of(found, "json"))["notes"] == ["Mind the gap."]


def test_what_a_format_decides_and_what_counts_nowhere_are_frames() -> None:
    match = {"one": "a", "other": "b", "pairs": 1, "llr": 0.25}
    late = game("a", "b", 2, round=2)
    found = report("ab", schedule_of(("a", "b", 1, 1)), extras=Extras([match], [late]))
    assert found.matches.to_dict("records") == [match]
    assert "0.25" in text_of(sheets_of(found), "table")
    assert list(found.uncounted["round"]) == [2]
    assert len(found.games) == 2


def test_markdown_has_the_tables_of_the_text() -> None:
    records = schedule_of(("a|b", "c", 1, 1), ("c", "d", 1, None))
    found = sheets_of(report(["a|b", "c", "d"], records))
    text = text_of(found, "markdown")
    titles = re.findall(r"^## (.*)", text, re.MULTILINE)
    assert all(title in text_of(found, "table") for title in titles)
    assert len(titles) == 7
    assert re.search(r"^\| name \| games \| wins", text, re.MULTILINE)
    assert r"| a\|b | 2 | 1 | 0 | 1 |" in text
    rows = [line for line in text.splitlines() if line.startswith("|")]
    assert all(line.endswith("|") for line in rows)


def test_parquet_keeps_every_frame_and_its_types(two_games: Report, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    files = save(sheets_of(two_games), "parquet", None, tmp_path / "frames")
    assert {file.stem for file in files} == set(FRAMES)
    games = pd.read_parquet(tmp_path / "frames/games.parquet")
    pd.testing.assert_frame_equal(games, two_games.games)
    (file,) = save(sheets_of(two_games), "parquet", "pairs", tmp_path / "one.parquet")
    pd.testing.assert_frame_equal(pd.read_parquet(file), two_games.pairs)


def test_parquet_says_what_it_needs(
    two_games: Report, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(ConfigError, match="say where to with -o"):
        text_of(sheets_of(two_games), "parquet")
    monkeypatch.setattr("arena.report.export.find_spec", lambda name: None)
    with pytest.raises(ConfigError, match=r"pip install 'gomoku-arena\[parquet\]'"):
        save(sheets_of(two_games), "parquet", None, tmp_path / "frames")


def test_what_cannot_be_written_is_a_fault(two_games: Report, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="No such file or directory"):
        save(sheets_of(two_games), "csv", None, tmp_path / "none/standings.csv")


def test_an_unknown_frame_is_a_fault(two_games: Report) -> None:
    with pytest.raises(ConfigError, match="did you mean 'standings'"):
        csv_text(sheets_of(two_games), "standing")


def test_endings_are_counted_by_reason_and_winner(two_games: Report) -> None:
    endings = two_games.endings.set_index(["reason", "winner"])["games"]
    assert endings.sum() == 2
    assert endings["line", 1] == 1


def test_players_may_have_any_names() -> None:
    names = ["all", "name", "nan", "games"]
    records = [
        (2 * i + 1, game(one, other, 1, opening=str(i)))
        for i, (one, other) in enumerate(permutations(names, 2))
    ]
    found = report(names, records)
    text = report_text(found)
    assert all(re.search(rf"^ *{name} ", text, re.MULTILINE) for name in names)
    rates = json.loads(json_text(sheets_of(found), "win_rates"))
    assert {row["name"] for row in rates} == set(names)
    assert len(rates) == 12


def test_half_a_pair_never_finds_its_other_half_in_another_run() -> None:
    halves = {"one": [(1, game("a", "b", 1))], "two": [(2, game("b", "a", 2))]}
    assert list(report_of("ab", halves).standings["distinct_pairs"]) == [0, 0]
    together = {"one": [each for half in halves.values() for each in half], "two": []}
    assert list(report_of("ab", together).standings["distinct_pairs"]) == [1, 1]


def test_copies_of_a_game_are_counted_as_such() -> None:
    records = [(n, game("a", "b", 1, round=n, moves="x" if n < 4 else "y")) for n in range(1, 6)]
    found = report(["a", "b"], records)
    assert found.distinct_games == 2
    assert "Standings after 5 games, 2 of them distinct" in report_text(found)
