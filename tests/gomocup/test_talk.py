"""A whole talk with a brain as text."""

from __future__ import annotations

from arena.gomocup.transcript import Entry, folded


def talk(*said: str) -> str:
    """The text of what was said, each with its mark before it."""
    return folded(Entry(each[0], each[2:].encode()) for each in said)


def test_each_thing_said_is_a_line() -> None:
    said = ("> START 15", "< OK", "> BEGIN", "! thinking", "< 7,7")
    assert talk(*said) == "\n".join(said)


def test_infos_that_were_sent_at_once_are_one_line_and_a_board_is() -> None:
    told = talk("> INFO rule 0\nINFO timeout_turn 100\nBOARD\n7,7,1\n8,8,2\nDONE\n")
    assert told == "> INFO rule 0, timeout_turn 100\n> BOARD 7,7,1 8,8,2 DONE"


def test_a_long_run_of_one_kind_is_folded_and_what_differs_stands() -> None:
    told = talk("> BEGIN", *(f"< row {i}" for i in range(9)), "< ERROR lost", "< 7,7")
    assert told.split("\n") == [
        "> BEGIN",
        *("< row 0", "< row 1", "... 5 more lines ...", "< row 7", "< row 8"),
        *("< ERROR lost", "< 7,7"),
    ]


def test_lines_that_alternate_for_long_are_folded() -> None:
    told = talk("> BEGIN", *["< MESSAGE lost", "< -4,-4"] * 100).split("\n")
    assert len(told) == 14
    assert told[7] == "... 188 more lines ..."


def test_a_flood_is_its_last_line_and_the_number_of_all() -> None:
    flood = Entry("<", b"MESSAGE depth 9", 40)
    assert folded([flood]) == "< MESSAGE depth 9 (the last of 40 such lines)"


def test_of_many_games_the_first_and_the_last_stand() -> None:
    games = [("> RESTART", "< OK", "> BEGIN", f"< {i},7") for i in range(5)]
    told = talk("> START 15", "< OK", *(line for game in games for line in game))
    assert told.split("\n") == [
        *("> START 15", "< OK"),
        "... 4 more games, each after RESTART or START ...",
        *("> RESTART", "< OK", "> BEGIN", "< 4,7"),
    ]
