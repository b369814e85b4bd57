"""A tournament's file: what it may say in short, its defaults and ranges, and its faults."""

from __future__ import annotations

import re
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
from click.testing import CliRunner
from support.good_files import TOURNAMENT, tournament_faults
from support.samples import ROUND, Write, player

from arena import ConfigError, Limit
from arena.cli import arena as command
from arena.config.reader import read_config
from arena.config.settings import to_data
from arena.plugins.load import parse_named


def test_the_good_file_is_good(write: Write) -> None:
    gauntlet = TOURNAMENT.replace("round_robin", "{gauntlet: {candidates: [two]}}")
    assert read_config(write(gauntlet)).format.parameters == {"candidates": ["two"], "pairs": 0}
    config = read_config(write(TOURNAMENT))
    assert config.names == ["one", "two"]
    assert config.terms.limit == Limit(depth=2)
    assert config.players[0].engine.parameters["radius"] == 1
    assert len(config.openings) == 2


def test_all_faults_of_a_file_come_at_once_in_its_order(write: Write) -> None:
    text = TOURNAMENT.replace("size: 9", "size: 4").replace("depth: 2", "depth: 0")
    text = text.replace("radius: 1", "radius: x").replace("random_mover", "random_moover")
    found = tournament_faults(write, text)
    places = ["2:23", "5:16", "7:55", "8:25"]
    assert [fault.split(": ")[0] for fault in found] == [f"round.yaml:{each}" for each in places]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "round.yaml:1:1: the file is empty"),
        ("- a\n- b\n", "round.yaml:1:1: must be a mapping (key: value)"),
        ("a: b: c\n", "round.yaml:1:5: mapping values are not allowed here"),
        ("game: gomoku\ngame: gomoku\n", "round.yaml:2:1: found duplicate key"),
        (TOURNAMENT.rsplit("  -", 1)[0], "round.yaml:7:3: a tournament needs at least two engines"),
    ],
)
def test_what_is_no_tournament_at_all(write: Write, text: str, expected: str) -> None:
    (fault,) = tournament_faults(write, text)
    assert fault.startswith(expected)


OWN_ENGINE = """
    GAMES = ("gomoku",)
    def engine(game, *, width: int = 3):
        return None
"""


@pytest.mark.parametrize(
    ("rules", "fault"),
    [
        ("('caro',)", ""),
        ("('*',)", ""),
        ("('standard', 'renju')", "own.py cannot play gomoku by the rule caro"),
        ("'caro'", "must say which rules it knows as RULES = (...,)"),
        ("(8,)", "must say which rules it knows as RULES = (...,)"),
    ],
)
def test_a_users_engine_says_which_rules_it_knows(write: Write, rules: str, fault: str) -> None:
    write(f"RULES = {rules}\n{dedent(OWN_ENGINE)}", "own.py")
    text = TOURNAMENT.replace("size: 9", "rule: caro")
    text = text.replace("five_tuple, depth: 3, radius: 1", "./own.py")
    if not fault:
        assert read_config(write(text)).terms.game.parameters["rule"] == "caro"
        return
    (found,) = tournament_faults(write, text)
    assert found.startswith("round.yaml:7:25: engine ")
    assert fault in found


def test_an_engine_by_its_path_starts_at_the_folder_of_the_file(
    write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = write(OWN_ENGINE, "own.py")
    config = read_config(write(TOURNAMENT.replace("random_mover", "./own.py, width: 4")))
    assert config.players[1].engine.name == str(own)
    assert config.players[1].engine.parameters == {"width": 4}
    (own.parent / "configs").mkdir()
    monkeypatch.chdir(own.parent)
    file = write(TOURNAMENT.replace("random_mover", "./own.py"), "configs/round.yaml")
    with pytest.raises(ConfigError, match=r"did you mean '\.\./own\.py'\?"):
        read_config(file)


SIGNATURES = [
    ("game, depth=5", "its parameters must be keyword-only: put a * before 'depth'"),
    ("game, **options", "keyword-only"),
    ("game, *, limit=3", "a parameter cannot be called 'limit'"),
    ("game, *, path=object()", "the default of 'path' must be a number, text, a tuple, or"),
    ("game, *, depth: 'Nothing' = 3", "its annotations cannot be read: NameError"),
    ("", "it must take 1 argument before its parameters"),
]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("import not_there", "ModuleNotFoundError: No module named 'not_there'"),
        ("1 / 0", "ZeroDivisionError: division by zero"),
        ("def engine(:", "SyntaxError"),
        ("GAMES = ('gomoku',)", "has no function engine"),
        ("def engine(game): pass", "must say which games it plays"),
        ("raise SystemExit(3)", "SystemExit: 3"),
        *((f"GAMES = '*',\ndef engine({found}): pass", told) for found, told in SIGNATURES),
    ],
)
def test_an_engine_that_fails_shows_its_own_error(write: Write, source: str, expected: str) -> None:
    write(source, "broken.py")
    (fault,) = tournament_faults(write, TOURNAMENT.replace("random_mover", "./broken.py"))
    assert fault.startswith("round.yaml:8:25: ")
    assert expected in fault
    assert "broken.py" in fault


def test_a_parameter_needs_no_annotation_and_may_be_required(write: Write) -> None:
    write("GAMES = ('*',)\ndef engine(game, *, x=3, y):\n    pass\n", "odd.py")
    (fault,) = tournament_faults(write, TOURNAMENT.replace("random_mover", "./odd.py"))
    assert "missing key 'y'" in fault
    config = read_config(write(TOURNAMENT.replace("random_mover", "./odd.py, y: a")))
    assert config.players[1].engine.parameters == {"x": 3, "y": "a"}


def test_every_default_is_filled_in(write: Write) -> None:
    config = read_config(write(dedent(ROUND), "spring.yaml"))
    assert config.terms.game.parameters == {"size": 7, "rule": "freestyle"}
    least = "game: tictactoe\nengines: [{engine: random_mover}, {name: b, engine: random_mover}]"
    expected: dict[str, Any] = {"name": "spring", "game": {"tictactoe": {}}, "limit": {}}
    expected |= {"format": {"round_robin": {"pairs": 0}}, "seed": 0, "rounds": 1}
    drawn = {"plies": 4, "count": 10, "seed": 0, "spread": 3, "skip": 0}
    expected |= {"openings": {"random": drawn}, "margin": 0.05, "hang": 60.0}
    expected |= dict.fromkeys(("max_plies", "memory", "proof", "resign", "draw", "draw_at_empty"))
    expected |= dict.fromkeys(("remarks", "keep_going"), False)
    engines = [{"name": name, "engine": "random_mover"} for name in ("random_mover", "b")]
    assert to_data(read_config(write(least, "spring.yaml"))) == {**expected, "engines": engines}


RANGES = [
    ("rounds: {}", (1, 10**6), (0, 10**6 + 1)),
    ("max_plies: {}", (5, 10**9), (0, -1)),
    ("margin: {}", (0, 0.5, 60), (-0.001, 60.001)),
    ("hang: {}", (0.001, 10**6), (0, 10**6 + 1)),
    ("memory: {}", (64, 10**6), (63, 10**6 + 1)),
    ("limit: {{depth: {}}}", (1, 1000), (0, 1001)),
    ("limit: {{nodes: {}}}", (1, 10**15), (0, 10**15 + 1)),
    ("limit: {{seconds: {}}}", (0.001, 10**6), (0, 10**6 + 1)),
    ("openings: {{random: {{plies: {}, count: 1}}}}", (0, 9), (-1, 41)),
    ("openings: {{random: {{count: {}, plies: 2}}}}", (1, 9), (0, 10**6 + 1)),
    ("openings: {{random: {{spread: {}, count: 1}}}}", (1, 12), (0, 13)),
    ("openings: {{random: {{skip: {}, count: 1}}}}", (0, 9), (-1, 10**6 + 1)),
]


@pytest.mark.parametrize(("line", "good", "bad"), RANGES)
def test_a_number_has_its_range(
    write: Write, line: str, good: tuple[float, ...], bad: tuple[float, ...]
) -> None:
    rest = TOURNAMENT.replace("limit: {depth: 2}\n", "").replace(
        "openings: {random: {plies: 2, count: 2}}\n", "seed: 1\n"
    )
    for value in good:
        read_config(write(f"{line.format(value)}\n{rest}"))
    for value in bad:
        (fault,) = tournament_faults(write, f"{line.format(value)}\n{rest}")
        assert re.search(f"must be (at least|at most|more than) .*, not {value}$", fault)


LONG = """
name: same
game: {gomoku: {size: 9, rule: standard}}
limit: {seconds: 1}
format: {round_robin: {pairs: 3}}
openings: {random: {plies: 4, count: 5, seed: 2}}
resign: {score: 600, moves: 2}
draw: {score: 10}
engines:
  - {name: random_mover, engine: random_mover}
  - {name: five_tuple-depth-2, engine: five_tuple, depth: 2}
  - {name: own, engine: five_tuple, depth: 1, radius: 1, limit: {clock: 10+0.1}}
  - {name: mine-width-5, engine: ./mine.py}
"""
SHORT = """
name: same
game: gomoku:size=9,rule=standard
limit: 1s
format: round_robin:pairs=3
openings: "random:plies=4,count=5,seed=2"
resign: 600,moves=2
draw: 10
engines:
  - random_mover
  - five_tuple:depth=2
  - {name: own, engine: "five_tuple:depth=1", radius: 1, limit: 10+0.1}
  - ./mine.py:name=mine-width-5
"""


def test_texts_of_the_line_are_what_mappings_are(write: Write) -> None:
    write(player("return Choice(self.game.moves(p)[0])"), "mine.py")
    long, short = (to_data(read_config(write(text))) for text in (LONG, SHORT))
    assert short == long


def test_a_file_of_openings_may_be_named_alone(write: Write) -> None:
    write("0,0 1,1 2,0\n", "book.txt")
    write(player("return Choice(self.game.moves(p)[0])"), "mine.py")
    source = "{random: {plies: 4, count: 5, seed: 2}}"
    sources = "{file: {path: book.txt}}", "book.txt"
    long, short = (to_data(read_config(write(LONG.replace(source, each)))) for each in sources)
    assert short == long


@pytest.mark.parametrize("bad", ["\0", "\x01", "\x85\ufffe"])
def test_a_character_that_no_yaml_may_have_is_told_with_its_line(write: Write, bad: str) -> None:
    with pytest.raises(ConfigError, match=r"round\.yaml:11:\d+: has a character"):
        read_config(write(LONG.replace("radius", f"rad{bad}ius")))


@pytest.mark.parametrize("words", ["--games ٤", "--margin ٠.٥", "--seed=٧", "--sprt ٠ ٥"])
def test_numbers_have_the_digits_from_0_to_9(words: str) -> None:
    done = CliRunner().invoke(command, ["match", "random_mover", "random_mover", *words.split()])
    assert done.exit_code == 2
    assert "a number is written with the digits 0 to 9" in done.output
    assert all(isinstance(each, str) for each in parse_named("x:a=٩,b=٠.٥").parameters.values())


def test_a_name_with_the_ending_of_a_file_names_that_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    words = "match random_mover random_mover --limit d1 --games 2 --workers 0 --name mine.yaml"
    assert CliRunner().invoke(command, words.split()).exit_code == 0
    assert [file.name for file in tmp_path.glob("*.y*ml")] == ["mine.yaml"]
    assert (tmp_path / "results/mine/arena.db").is_file()
