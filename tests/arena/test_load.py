"""From what a user types to an object, or to a word about what is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import Write

from arena import ConfigError, load_engine, load_game
from arena.load import Named, parse_named

OWN = """
    from dataclasses import dataclass
    from beside import WIDTH
    GAMES = ("gomoku",)

    @dataclass
    class Own:
        width: int
        new_game = choose = close = print

    def engine(game, *, width: int = WIDTH):
        return Own(width)
"""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("five_tuple", Named("five_tuple", {})),
        ("a:b=1,c=-2.5", Named("a", {"b": 1, "c": -2.5})),
        ("a: b = 1e3 , c = yes", Named("a", {"b": 1000.0, "c": "yes"})),
        ("a:b=true,c=False", Named("a", {"b": True, "c": False})),
        ("./own.py:width=3", Named("./own.py", {"width": 3})),
    ],
)
def test_a_name_with_parameters(text: str, expected: Named) -> None:
    assert parse_named(text) == expected
    assert parse_named(str(expected)) == expected


@pytest.mark.parametrize("text", ["a:b", "a:b=", "a:=3", "a:b=1,", "a:b=1,b=2"])
def test_what_is_not_written_key_equals_value(text: str) -> None:
    with pytest.raises(ConfigError):
        parse_named(text)


def test_an_engine_by_its_path_imports_what_stands_beside_it(write: Write) -> None:
    write("WIDTH = 4\n", "beside.py")
    path = write(OWN, "own.py")
    game = load_game("gomoku")
    assert load_engine(str(path), game).width == 4  # type: ignore[attr-defined]
    assert load_engine(f"{path}:width=7", game).width == 7  # type: ignore[attr-defined]


def test_two_engines_of_one_file_name_are_two_modules(write: Write, tmp_path: Path) -> None:
    source = """
        GAMES = ('*',)
        class Engine:
            name = {}
            new_game = choose = close = print
        def engine(game):
            return Engine()
    """
    game = load_game("gomoku")
    found = []
    for name in ("old", "new"):
        (tmp_path / name).mkdir()
        path = write(source.format(repr(name)), f"{name}/same.py")
        found.append(load_engine(str(path), game).name)  # type: ignore[attr-defined]
    assert found == ["old", "new"]


def test_an_engine_by_its_module_name() -> None:
    assert load_engine("engines.random_mover", load_game("tictactoe"))


def test_an_engine_that_cannot_be_built_says_why_and_where(write: Write) -> None:
    path = write("GAMES = ('*',)\ndef engine(game):\n    raise OSError('no network')\n", "own.py")
    with pytest.raises(ConfigError, match=r"OSError: no network \(.*own\.py:3\)"):
        load_engine(str(path), load_game("gomoku"))


def test_what_is_no_engine_is_refused(write: Write) -> None:
    path = write("GAMES = ('*',)\ndef engine(game):\n    pass\n", "own.py")
    with pytest.raises(ConfigError, match=r"what engine\(\) returns has no new_game\(\)"):
        load_engine(str(path), load_game("gomoku"))
