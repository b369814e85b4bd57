"""From a user's text to an object, or to a word about its fault."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest
from support.samples import ROOT, Write

import arena
from arena import ConfigError, load_engine, load_game
from arena.errors import own_words
from arena.plugins import load
from arena.plugins.build import evaluation_of, features_of
from arena.plugins.load import Named, parse_named

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


def test_an_engine_that_cannot_be_built_says_why_and_where(write: Write) -> None:
    path = write("GAMES = ('*',)\ndef engine(game):\n    raise OSError('no network')\n", "own.py")
    with pytest.raises(ConfigError, match=r"OSError: no network \(.*own\.py:3\)"):
        load_engine(str(path), load_game("gomoku"))
    path = write("GAMES = ('*',)\ndef engine(game):\n    pass\n", "own.py")
    with pytest.raises(ConfigError, match=r"what engine\(\) returns has no new_game\(\)"):
        load_engine(str(path), load_game("gomoku"))


def test_two_trees_of_one_project_are_two_projects(write: Write, tmp_path: Path) -> None:
    for version in ("old", "new"):
        for folder in ("", "/players", "/players/kit"):
            (tmp_path / f"{version}{folder}").mkdir()
        write("", f"{version}/players/__init__.py")
        write("", f"{version}/players/kit/__init__.py")
        write(f"VERSION = {version!r}\n", f"{version}/players/kit/numbers.py")
        write("from players.kit import numbers\nNAME = numbers.VERSION\n", f"{version}/names.py")
        source = """
            import random
            import players.kit.numbers
            from arena import Choice
            from names import NAME
            from players.kit.numbers import VERSION

            GAMES = ("*",)

            class Player:
                new_game = choose = close = print

            def engine(game):
                from .kit import numbers as late
                import names
                player = Player()
                player.seen = (VERSION, NAME, late.VERSION, players.kit.numbers.VERSION, names.NAME)
                player.choice = Choice
                return player
        """
        write(source, f"{version}/players/engine.py")
    game = load_game("gomoku")
    for version in ("old", "new"):
        engine = load_engine(str(tmp_path / version / "players" / "engine.py"), game)
        assert set(engine.seen) == {version}  # type: ignore[attr-defined]
        assert engine.choice is arena.Choice  # type: ignore[attr-defined]
    assert "players" not in sys.modules


@pytest.mark.slow
def test_a_copy_of_an_engine_of_ours_plays_beside_it(tmp_path: Path) -> None:
    """An old worktree: same package names, another default, kernels compiled for each."""
    shutil.copytree(ROOT / "engines", tmp_path / "engines")
    copy = tmp_path / "engines" / "minimax.py"
    source = copy.read_text()
    assert "] = 50,\n" in source
    copy.write_text(source.replace("] = 50,\n", "] = 1,\n", 1))
    record = arena.play("tictactoe", "minimax:depth=3", str(copy), max_plies=6)
    depths = [int(depth) for depth in record.depths.split()]
    assert depths == [3, 1, 3, 1, 3, 1]


def test_folders_without_init_belong_to_their_tree_too(write: Write, tmp_path: Path) -> None:
    for version in ("old", "new"):
        (tmp_path / version / "lib").mkdir(parents=True)
        write(f"VERSION = {version!r}\n", f"{version}/lib/ev.py")
        source = """
            import json, collections.abc
            from lib import ev
            from lib.ev import VERSION
            GAMES = ("*",)
            class Player:
                new_game = choose = close = print
                seen = (VERSION, ev.VERSION)
            def engine(game):
                return Player()
        """
        write(source, f"{version}/my.py")
    for version in ("old", "new"):
        engine = load_engine(str(tmp_path / version / "my.py"), load_game("gomoku"))
        assert set(engine.seen) == {version}  # type: ignore[attr-defined]


NOTED = '"""{}"""\nGAMES = ("*",)\nfrom arena.engines.random_mover import engine\n'


def test_a_module_of_the_working_folder_is_found_wherever_arena_was_installed(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "of_this_folder"
    folder.mkdir()
    write(NOTED.format("mine"), "of_this_folder/own.py")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [each for each in sys.path if each])
    assert load.description("engine", "of_this_folder.own").__doc__ == "mine"


def test_an_engine_that_was_read_is_known_by_any_of_its_paths(
    write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(NOTED.format("before"), "own.py")
    monkeypatch.chdir(path.parent)
    assert load.description("engine", str(path)).__doc__ == "before"
    write(NOTED.format("after"), "own.py")
    assert load.known_description("engine", "./own.py").__doc__ == "before"


def test_a_default_that_is_not_plain_is_named(write: Write) -> None:
    path = write("GAMES = ('*',)\ndef engine(game, *, hooks=(print,)):\n    pass\n", "own.py")
    with pytest.raises(ConfigError, match=r"engine .*own\.py: <built-in function print> within"):
        load.description("engine", str(path))


def test_the_old_name_of_the_engines_is_answered_with_the_new_one(write: Write) -> None:
    own = write("from engines.kit.bits import *\nGAMES = ('*',)\n", "own.py")
    with pytest.raises(ConfigError, match=r"import arena\.engines") as caught:
        load_engine(str(own), load_game("tictactoe"))
    assert "\n" not in str(caught.value)
    gone = ModuleNotFoundError("No module named 'engines'", name="engines.kit")
    assert own_words(gone).endswith("import arena.engines")


FITTED = """
    GAMES = ("gomoku",)

    def engine(game, *, width: int = 3, height: int = 4):
        return print

    def evaluate(game, **parameters):
        if parameters["width"] > 5:
            raise ValueError("too wide")
        return lambda p: parameters["width"] * parameters["height"] * p.turn
"""


def test_an_evaluation_is_given_all_parameters_and_its_faults_are_told(write: Write) -> None:
    path, game = write(FITTED, "fitted.py"), load_game("gomoku")
    value = evaluation_of(Named(str(path), {"width": 2}), game)
    assert value
    assert value(game.start()) == 8
    with pytest.raises(ConfigError, match=r"evaluate\(\) cannot be used: ValueError: too wide"):
        evaluation_of(Named(str(path), {"width": 6}), game)
    with pytest.raises(ConfigError, match="unknown key 'depth'"):
        evaluation_of(Named(str(path), {"depth": 6}), game)
    assert features_of(str(path), game) is evaluation_of("random_mover", game) is None
