"""The command that checks a brain as a run plays it."""

from __future__ import annotations

import pytest

from arena.config.typed_player import check_command
from arena.engine import Limit
from arena.match.terms import Terms
from arena.plugins.load import Named

GOMOKU = Terms(game=Named("gomoku"))


@pytest.mark.parametrize(
    ("own", "limit", "terms", "options"),
    [
        ({"command": "./b"}, Limit(seconds=1), GOMOKU, "./b"),
        ({"command": ["./b", "x"]}, Limit(depth=3), GOMOKU, "-- ./b x"),
        (
            {"command": "python3 'a b.py'", "info": {"threads": 2, "book": "a b"}},
            Limit(),
            GOMOKU,
            "--info threads=2 --info 'book=a b' -- python3 'a b.py'",
        ),
        (
            {"command": "./b", "folder": "/c"},
            Limit(seconds=0.1),
            Terms(game=Named("gomoku", {"size": 20, "rule": "standard"}), margin=0.2, memory=100),
            "--rule standard --size 20 --seconds 0.1 --margin 0.2 --memory 100 --folder /c ./b",
        ),
        ({"command": "./b"}, Limit(), Terms(game=Named("renju")), "--rule renju ./b"),
    ],
)
def test_it_has_the_words_of_the_program_and_all_that_a_check_would_take_otherwise(
    own: dict[str, object], limit: Limit, terms: Terms, options: str
) -> None:
    assert check_command(Named("gomocup", own), limit, terms) == f"arena check {options}"


def test_there_is_none_for_an_engine() -> None:
    assert not check_command(Named("balance"), Limit(), GOMOKU)
