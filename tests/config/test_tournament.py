"""Bad input: every fault of a file at once, with its place and the nearest right word."""

from __future__ import annotations

import re
from pathlib import Path
from textwrap import dedent

import pytest
from support.good_files import TOURNAMENT, tournament_faults
from support.samples import ROUND, Write

from arena import ConfigError, Limit
from arena.config.reader import read_config
from arena.config.settings import parse_limit, to_data


def test_the_good_file_is_good(write: Write) -> None:
    config = read_config(write(TOURNAMENT))
    assert config.names == ["one", "two"]
    assert config.terms.limit == Limit(depth=2)
    assert config.players[0].engine.parameters["radius"] == 1
    assert len(config.openings) == 2


def test_all_faults_of_a_file_come_at_once_in_its_order(write: Write) -> None:
    found = tournament_faults(
        write,
        TOURNAMENT.replace("size: 9", "size: 4")
        .replace("depth: 2", "depth: 0")
        .replace("radius: 1", "radius: x")
        .replace("random_mover", "random_moover"),
    )
    assert [fault.split(": ")[0] for fault in found] == [
        "round.yaml:2:23",
        "round.yaml:5:16",
        "round.yaml:7:55",
        "round.yaml:8:25",
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "round.yaml:1:1: the file is empty"),
        ("# nothing\n", "round.yaml:1:1: the file is empty"),
        ("- a\n- b\n", "round.yaml:1:1: must be a mapping (key: value)"),
        ("game: [1,\n", "round.yaml:2:1: "),
        ("a: b: c\n", "round.yaml:1:5: mapping values are not allowed here"),
        ("game: gomoku\ngame: gomoku\n", "round.yaml:2:1: found duplicate key"),
        ("game:\n\tgomoku\n", "round.yaml:2:1: a tab stands where"),
    ],
)
def test_what_is_no_tournament_at_all(write: Write, text: str, expected: str) -> None:
    (fault,) = tournament_faults(write, text)
    assert fault.startswith(expected)


def test_a_missing_file_a_folder_and_other_bytes(tmp_path: Path) -> None:
    for path in (tmp_path / "none.yaml", tmp_path):
        with pytest.raises(ConfigError, match=re.escape(str(path))):
            read_config(path)
    (tmp_path / "picture.yaml").write_bytes(b"\x89PNG\xff")
    with pytest.raises(ConfigError, match="UTF-8"):
        read_config(tmp_path / "picture.yaml")


def test_one_engine_is_no_tournament(write: Write) -> None:
    (fault,) = tournament_faults(write, TOURNAMENT.rsplit("  -", 1)[0])
    assert fault == "round.yaml:7:3: a tournament needs at least two engines"


@pytest.mark.parametrize(
    ("openings", "place"),
    [
        ('["4,4", "9,9"]', "4:26: opening '9,9'"),
        ('["4,4 4,4"]', "4:19: opening '4,4 4,4'"),
        ('["4,4", "3,3", "4,4"]', "4:33: opening '4,4' stands here twice"),
        ('["4,4", 5]', "4:26: list[1] must be text"),
        ("[]", "list needs at least one opening"),
        ('["04,4"]', "opening '04,4' must be spelt '4,4'"),
        ('["4,4", "４,４"]', "write it as"),
        ('"4,4"', "list must be a list, not '4,4'"),
    ],
)
def test_explicit_openings_are_checked_one_by_one(write: Write, openings: str, place: str) -> None:
    line = "openings: {random: {plies: 2, count: 2}}"
    (fault,) = tournament_faults(write, TOURNAMENT.replace(line, f"openings: {{list: {openings}}}"))
    assert place in fault


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
def test_an_engine_of_ones_own_says_which_rules_it_knows(
    write: Write, rules: str, fault: str
) -> None:
    write(f"RULES = {rules}\n{dedent(OWN_ENGINE)}", "own.py")
    text = TOURNAMENT.replace("size: 9", "rule: caro").replace(
        "five_tuple, depth: 3, radius: 1", "./own.py"
    )
    if not fault:
        assert read_config(write(text)).terms.game.parameters["rule"] == "caro"
        return
    (found,) = tournament_faults(write, text)
    assert found.startswith("round.yaml:7:25: engine ")
    assert fault in found


def test_an_engine_by_its_path_starts_at_the_folder_of_the_file(write: Write) -> None:
    own = write(OWN_ENGINE, "own.py")
    config = read_config(write(TOURNAMENT.replace("random_mover", "./own.py, width: 4")))
    assert config.players[1].engine.name == str(own)
    assert config.players[1].engine.parameters == {"width": 4}


def test_a_path_that_would_start_elsewhere_gets_a_hint(
    write: Write, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "configs").mkdir()
    write(OWN_ENGINE, "own.py")
    monkeypatch.chdir(tmp_path)
    file = write(TOURNAMENT.replace("random_mover", "./own.py"), "configs/round.yaml")
    with pytest.raises(ConfigError, match=r"did you mean '\.\./own\.py'\?"):
        read_config(file)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("import not_there", "ModuleNotFoundError: No module named 'not_there'"),
        ("1 / 0", "ZeroDivisionError: division by zero"),
        ("def engine(:", "SyntaxError"),
        ("GAMES = ('gomoku',)", "has no function engine"),
        ("def engine(game): pass", "must say which games it plays"),
        ("raise SystemExit(3)", "SystemExit: 3"),
    ],
)
def test_an_engine_file_that_fails_shows_its_own_error(
    write: Write, source: str, expected: str
) -> None:
    write(source, "broken.py")
    (fault,) = tournament_faults(write, TOURNAMENT.replace("random_mover", "./broken.py"))
    assert fault.startswith("round.yaml:8:25: ")
    assert expected in fault
    assert "broken.py" in fault


@pytest.mark.parametrize(
    ("signature", "expected"),
    [
        ("game, depth=5", "its parameters must be keyword-only: put a * before 'depth'"),
        ("game, *args", "keyword-only"),
        ("game, **options", "keyword-only"),
        ("game, *, limit=3", "a parameter cannot be called 'limit'"),
        (
            "game, *, path=object()",
            "the default of 'path' must be a number, text, a tuple, or None",
        ),
        ("game, *, depth: 'Nothing' = 3", "its annotations cannot be read: NameError"),
        ("", "it must take 1 argument before its parameters"),
    ],
)
def test_a_signature_that_does_not_tell_the_parameters_is_a_fault(
    write: Write, signature: str, expected: str
) -> None:
    write(f"GAMES = ('*',)\ndef engine({signature}):\n    pass\n", "odd.py")
    (fault,) = tournament_faults(write, TOURNAMENT.replace("random_mover", "./odd.py"))
    assert expected in fault


def test_a_parameter_needs_no_annotation_and_may_be_required(write: Write) -> None:
    write("GAMES = ('*',)\ndef engine(game, *, x=3, y):\n    pass\n", "odd.py")
    (fault,) = tournament_faults(write, TOURNAMENT.replace("random_mover", "./odd.py"))
    assert "missing key 'y'" in fault
    config = read_config(write(TOURNAMENT.replace("random_mover", "./odd.py, y: a")))
    assert config.players[1].engine.parameters == {"x": 3, "y": "a"}


@pytest.mark.parametrize(
    ("name", "words"),
    [
        (r'"a\nb"', r"has the character '\n'"),
        (r'"\ud800"', "must be a line of "),
        ('" a"', "must be a line of "),
        ("a" * 101, "must be a line of "),
    ],
)
def test_a_name_must_fit_into_a_line(write: Write, name: str, words: str) -> None:
    (fault,) = tournament_faults(write, TOURNAMENT.replace("name: two", f"name: {name}"))
    assert f"8:12: name {words}" in fault
    (fault,) = tournament_faults(write, TOURNAMENT.replace("name: round", f"name: {name}"))
    assert "1:7: name " in fault


def test_the_clock_of_a_game(write: Write) -> None:
    config = read_config(write(TOURNAMENT.replace("depth: 2}", 'clock: "60+0.5", seconds: 3}')))
    assert config.terms.limit == Limit(seconds=3, time_left=60, increment=0.5)
    assert parse_limit("clock=60") == Limit(time_left=60, increment=0)
    for wrong in ("0", "60+", "a", "-3+1", "60+0.5+1"):
        (fault,) = tournament_faults(write, TOURNAMENT.replace("depth: 2}", f'clock: "{wrong}"}}'))
        assert "5:16: clock must be written like 60+0.5" in fault


@pytest.mark.parametrize(
    ("line", "place", "message"),
    [
        ("resign: {score: 0}", "9:17", "score must be at least 1, not 0"),
        ("resign: {moves: 3}", "9:9", "missing key 'score'"),
        ("proof: {nodes: 3}", "9:8", "missing key 'fours'"),
        ("resign: [2000]", "9:9", "must be a mapping (key: value), not [2000]"),
        ("resign: high", "9:9", "score must be a whole number, not 'high'"),
        ("draw: {score: 20, moves: 1.5}", "9:26", "moves must be a whole number, not 1.5"),
        ("draw: {score: 20, afer: 9}", "9:19", "unknown key 'afer'; did you mean 'after'?"),
        ("draw_at_empty: 0", "9:16", "draw_at_empty must be at least 1, not 0"),
        ("draw_at_empty: {cells: 9}", "9:16", "draw_at_empty must be a whole number"),
        ("draw_at_empt: 5", "9:1", "unknown key 'draw_at_empt'; did you mean 'draw_at_empty'?"),
        ("adjudication: []", "9:1", "unknown key 'adjudication'"),
        ("draw_at_empty: 79", "4:11", "a draw (few cells left) before an engine moves"),
    ],
)
def test_adjudication_is_checked_like_all_else(
    write: Write, line: str, place: str, message: str
) -> None:
    (fault,) = tournament_faults(write, f"{TOURNAMENT}\n{line}\n".replace("\n\n", "\n"))
    assert fault.startswith(f"round.yaml:{place}: ")
    assert message in fault


def test_an_opening_must_leave_a_move_to_play(write: Write) -> None:
    (fault,) = tournament_faults(write, TOURNAMENT.replace("limit:", "max_plies: 2\nlimit:"))
    assert "its 2 plies leave none of max_plies 2" in fault


def test_every_default_is_filled_in(write: Write) -> None:
    config = read_config(write(dedent(ROUND), "spring.yaml"))
    assert config.terms.game.parameters == {"size": 7, "rule": "freestyle"}
    least = "game: tictactoe\nengines: [{engine: random_mover}, {name: b, engine: random_mover}]"
    assert to_data(read_config(write(least, "spring.yaml"))) == {
        "name": "spring",
        "game": {"tictactoe": {}},
        "format": {"round_robin": {"pairs": 0}},
        "openings": {"random": {"plies": 4, "count": 10, "seed": 0, "spread": 3, "skip": 0}},
        "limit": {},
        "seed": 0,
        "rounds": 1,
        "max_plies": None,
        "proof": None,
        "resign": None,
        "draw": None,
        "draw_at_empty": None,
        "margin": 0.05,
        "hang": 60.0,
        "memory": None,
        "remarks": False,
        "keep_going": False,
        "engines": [
            {"name": "random_mover", "engine": "random_mover"},
            {"name": "b", "engine": "random_mover"},
        ],
    }


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


def test_a_limit_on_the_command_line() -> None:
    assert parse_limit("depth=4,seconds=0.5") == Limit(depth=4, seconds=0.5)
    for wrong in ("depth=0", "deep=1", "depth", "depth=x", "depth=1,depth=2"):
        with pytest.raises(ConfigError):
            parse_limit(wrong)


def test_a_gauntlet_names_its_candidates(write: Write) -> None:
    gauntlet = TOURNAMENT.replace("round_robin", "{gauntlet: {candidates: [two]}}")
    assert read_config(write(gauntlet)).format.parameters == {"candidates": ["two"], "pairs": 0}
    (fault,) = tournament_faults(write, gauntlet.replace("[two]", "[tow]"))
    assert fault == "round.yaml:3:20: unknown candidate 'tow'; did you mean 'two'?"
    (fault,) = tournament_faults(write, gauntlet.replace("[two]", "[two, one]"))
    assert "candidates need opponents" in fault
    (fault,) = tournament_faults(write, gauntlet.replace("[two]", "two"))
    assert "3:33: candidates must be a list, not 'two'" in fault
