"""`arena.testing`: each broken engine, game, format and method fails the right check."""

from __future__ import annotations

import sys
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from support.processes import finished
from support.samples import ROOT

from arena import ConfigError
from arena.config.shipped import STARTER
from arena.game import Outcome, Position
from arena.games.gomoku import Gomoku
from arena.testing import (
    ENGINE_CHECKS,
    FORMAT_CHECKS,
    GAME_CHECKS,
    METHOD_CHECKS,
    ContractError,
    check_engine,
    check_format,
    check_game,
    check_method,
)

ENGINE = (STARTER / "my_engine.py").read_text(encoding="utf-8")
FORMAT = (ROOT / "arena/formats/round_robin.py").read_text(encoding="utf-8")
METHOD = '''
"""Points drawn at random, with the middle of the best third as advice."""
from random import Random
from arena.tuning.method import Advice, Trial

def tuner(space, plan):
    space.check_numbers("drawn")
    return Drawn(space, plan)

class Drawn:
    def __init__(self, space, plan):
        self.space, self.random, self.number = space, Random(plan.seed), 0
        self.told = []

    def ask(self):
        units = [self.random.random() for _ in self.space.axes]
        point = self.space.values(units) if self.number else self.space.default
        self.number += 1
        return Trial(self.number - 1, self.space.numbers(self.space.units(point)), (point,))

    def tell(self, trial, answer):
        self.told.append((answer.elo, trial.number, trial.points[0]))
        return answer.elo

    def recommend(self):
        _, _, best = max(self.told)
        weight = len(self.space.axes) * (len(self.space.axes) + 1) / 2
        return [
            Advice(a.name, best[a.name], a.low, a.high, (i + 1) / weight, None, None)
            for i, a in enumerate(self.space.axes)
        ]

    def forecast(self):
        return None
'''
CHOICE = "Choice(self.random.choice(nearest), score=0, depth=1, nodes=len(nearest))"
INIT = "self.game, self.width = game, width"
SEEDED = "self.random = Random(seed)"
RETURN = "return MyEngine(game, width)"
SEEDED_ONCE = "self.random = vars(self).get('random') or Random(seed)"
RESIGNS = "Choice(nearest[0] if p.ply < 80 else None)"
ONE_STONE = "def open(self, p, limit):\n        return [0]\n\n    def close"

BROKEN_ENGINES = {
    "an unknown game": ("can_be_read", '("gomoku",)', '("gomoko",)'),
    "no way to close": ("can_be_read", "def close", "def shut"),
    "an error at its import": ("can_be_read", "# my_engine.py", "import no_such_module"),
    "an unknown rule": ("knows_its_rules", "GAMES =", 'RULES = "freestyle", "caros"\nGAMES ='),
    "a default off its range": ("has_parameters_within_their_ranges", "= 20", "= 60"),
    "a cell off the board": ("chooses_legal_moves", CHOICE, "Choice(-1)"),
    "a float": ("answers_in_plain_numbers", "nodes=len(nearest)", "nodes=1.0"),
    "another line": ("expects_its_own_move", "score=0", "pv=(-1,)"),
    "a deep search": ("keeps_to_the_depth", "depth=1", "depth=9"),
    "a random source of its own": ("draws_from_its_seed_only", SEEDED, "self.random = Random()"),
    "seeded once": ("forgets_earlier_games", SEEDED, SEEDED_ONCE),
    "a changed position": (
        "leaves_the_position_alone",
        "nearest = sorted",
        "object.__setattr__(p, 'moves', [*p.moves])\n        nearest = sorted",
    ),
    "resigns at the end": ("takes_the_last_cell", CHOICE, RESIGNS),
    "fails by one rule": (
        "plays_by_its_rules",
        RETURN,
        "return MyEngine(game, width if game.rule == 'freestyle' else 0)",
    ),
    "one stone for three": ("opens_by_swap2", "def close", ONE_STONE),
    "an evaluation that counts": (
        "evaluates_the_board_alone",
        "class MyEngine",
        "seen = []\n\n\ndef evaluate(game, **_):\n"
        "    return lambda p: len(seen.append(p) or seen)\n\n\nclass MyEngine",
    ),
    "a worth of a cell that is taken": (
        "sorts_legal_moves",
        "class MyEngine",
        "class Worths:\n    size, start, unit = 1, (0.0,), 1.0\n\n"
        "    def of(self, p):\n        return range(len(p.cells)), [[0]] * len(p.cells)\n\n\n"
        "def move_features(game, **_):\n    return Worths()\n\n\nclass MyEngine",
    ),
}  # fmt: skip


def failed(check: Any, subject: object) -> list[str]:
    """The checks that something fails."""
    try:
        check(subject)
    except ContractError as error:
        return [each.check for each in error.failures]
    return []


def written(folder: Path, text: str, old: str, new: str) -> Path:
    """A file with a part of its text replaced."""
    assert old in text, "nothing would be broken"
    file = folder / "broken.py"
    file.write_text(text.replace(old, new), encoding="utf-8")
    return file


@pytest.mark.parametrize("fault", BROKEN_ENGINES)
def test_a_broken_engine_fails_the_check_of_what_is_broken(fault: str, tmp_path: Path) -> None:
    check, old, new = BROKEN_ENGINES[fault]
    found = failed(check_engine, written(tmp_path, ENGINE, old, new))
    assert found[0] == check
    beside = {
        "a random source of its own": 2,
        "a cell off the board": 3,
        "a float": 2,
    }  # these do break others
    assert len(found) <= beside.get(fault, 1), found


WORTHS = """
class Worths:
    size, start, unit = 2, [0.0, 5.0], 1.0

    def of(self, p):
        cells = [cell for cell, stone in enumerate(p.cells) if not stone][:9]
        return cells, [[cell % 2] for cell in cells]


def move_features(game, **_):
    return Worths()
"""


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("", "", ""),
        ("[0.0, 5.0]", "[0.0]", "move_features(): start must be 2 finite numbers"),
        ("5.0", "float('nan')", "move_features(): start must be 2 finite numbers"),
        (
            "unit = 2, [0.0, 5.0], 1.0",
            "unit = 2, [0.0, 5.0], -1.0",
            "unit must be a number above 0",
        ),
        ("return cells,", "return cells[:1] * 9,", "gives a move twice in gomoku after no moves"),
        ("return cells,", "return cells[1:],", "8 moves need as many rows of whole numbers"),
        ("cell % 2", "cell % 3", "move_features(): there is no weight 2"),
        ("cell % 2", "cell / 2", "9 moves need as many rows of whole numbers"),
    ],
)
def test_worths_of_moves_are_checked(old: str, new: str, words: str, tmp_path: Path) -> None:
    file = written(tmp_path, ENGINE + WORTHS, old, new)
    if not words:
        check_engine(file, checks=["sorts_legal_moves"])
        return
    with pytest.raises(ContractError) as caught:
        check_engine(file, checks=["sorts_legal_moves"])
    assert words in str(caught.value)


def test_the_engine_to_begin_with_passes_as_a_path_a_text_and_a_module() -> None:
    check_engine(STARTER / "my_engine.py")
    check_engine(f"{STARTER / 'my_engine.py'}:width=5", game="gomoku:size=6")
    names: dict[str, Any] = {}
    exec(ENGINE, names)
    check_engine(SimpleNamespace(__name__="mine", **{k: names[k] for k in ("GAMES", "engine")}))


class SecondStarts(Gomoku):
    def start(self) -> Position:
        return Position(bytes(9), 2)


class NeverOver(Gomoku):
    def outcome(self, p: Position) -> Outcome | None:
        return None


class OnePlayer(Gomoku):
    def play(self, p: Position, move: int) -> Position:
        after = super().play(p, move)
        return Position(after.cells, p.turn, after.moves)


class Backwards(Gomoku):
    def moves(self, p: Position) -> list[int]:
        return list(super().moves(p))[::-1]


class Covers(Gomoku):
    def is_legal(self, p: Position, move: int) -> bool:
        return 0 <= move < 9


class Unknown(Gomoku):
    def outcome(self, p: Position) -> Outcome | None:
        found = super().outcome(p)
        return found and Outcome(found.winner, "three")  # type: ignore[arg-type]


class Misread(Gomoku):
    def parse(self, text: str) -> int:
        return super().parse(text) // 2


class Lists(Gomoku):
    def play(self, p: Position, move: int) -> Position:
        after = super().play(p, move)
        return Position(bytearray(after.cells), after.turn, after.moves)  # type: ignore[arg-type]


class Counts(Gomoku):
    numbers = count()

    def play(self, p: Position, move: int) -> Position:
        after = super().play(p, move)
        stone = b"\1\2"[next(self.numbers) % 2 :][:1]
        cells = after.cells if p.moves else after.cells.replace(b"\1", stone)
        return Position(cells, after.turn, after.moves)


class OneCorner(Gomoku):
    def outcome(self, p: Position) -> Outcome | None:
        return Outcome(1, "line") if p.cells[0] else super().outcome(p)


BROKEN_GAMES = {
    SecondStarts: "starts_with_the_first_player",
    NeverOver: "comes_to_an_end",
    OnePlayer: "keeps_the_history",
    Backwards: "lists_what_is_legal",
    Covers: "lists_what_is_legal",
    Unknown: "ends_for_a_known_reason",
    Misread: "reads_what_it_writes",
    Lists: "has_positions_that_are_values",
    Counts: "changes_no_position",
    OneCorner: "keeps_its_symmetries",
}


@pytest.mark.parametrize("kind", BROKEN_GAMES, ids=lambda kind: kind.__name__)
def test_a_broken_game_fails_the_check_of_what_is_broken(kind: type[Gomoku]) -> None:
    assert BROKEN_GAMES[kind] in failed(check_game, kind("broken", 3, 3, "freestyle"))[:1]


PAIRING = "yield Pairing(one, other, *field.start(number))"
LOOPS = "for number in range(field.pairs(pairs)):"
EAGER = f"everything = [*map(field.start, range(field.pairs(pairs)))]\n    {LOOPS}"
LAST = "last = Pairing(*field.players[-2:], field.openings[-1], field.rounds)"
BROKEN_FORMATS = {
    "no total": ("can_be_read", "def total", "def length"),
    "endless": ("comes_to_its_end", LOOPS, "for number in range(10**6):"),
    "all at once": ("yields_one_by_one", LOOPS, EAGER),
    "a player alone": ("pairs_different_players", "(one, other, *", "(one, one, *"),
    "no round": ("pairs_different_players", "*field.start(number)", "field.openings[0], 0"),
    "a pairing twice": ("repeats_no_pairing", PAIRING, f"{PAIRING}\n            {PAIRING}"),
    "looks at others' results": (
        "looks_at_its_own_results",
        PAIRING,
        "won = results.get(Pairing('a', 'b', '7,7', 1))\n"
        "            couple = (one, other) if won else (other, one)\n"
        "            yield Pairing(*couple, *field.start(number))",
    ),
    "forgets what was played": (
        "gives_its_schedule_again",
        LOOPS,
        f"{LAST}\n    if results.get(last):\n        return\n    {LOOPS}",
    ),
    "ends where it stopped": (
        "goes_on_where_it_stopped",
        LOOPS,
        f"{LAST}\n    first = Pairing(*field.players[:2], field.openings[0], 1)\n"
        f"    if results.get(first) and not results.get(last):\n        return\n    {LOOPS}",
    ),
    "a wrong total": ("tells_its_length", "// 2", "// 3"),
    "rows without pairs": (
        "decides_in_plain_values",
        "def total",
        "def matches(field, results):\n    return [{'one': 'a', 'other': 'b'}]\n\n\ndef total",
    ),
}  # fmt: skip


@pytest.mark.parametrize(
    "fault",
    [
        pytest.param(fault, marks=[pytest.mark.slow] * (fault == "endless"))
        for fault in BROKEN_FORMATS
    ],
)
def test_a_broken_format_fails_the_check_of_what_is_broken(fault: str, tmp_path: Path) -> None:
    check, old, new = BROKEN_FORMATS[fault]
    found = failed(check_format, written(tmp_path, FORMAT, old, new))
    assert found[0] == check


VALUES = "self.space.values(units)"
DIVIDES = "max(self.told)\n        1 / (len(self.space.axes) - 1)"
BROKEN_METHODS = {
    "refuses its own space": ("can_be_read", "space.check_numbers", "space.check_number"),
    "numbers from 1": ("asks_in_turn", "Trial(self.number - 1", "Trial(self.number"),
    "a random source of its own": ("repeats_its_study", "Random(plan.seed)", "Random()"),
    "always one point": ("asks_nothing_twice", VALUES, "self.space.default"),
    "no seed": ("follows_its_seed", "Random(plan.seed)", "Random(0)"),
    "beyond a range": ("asks_for_possible_points", VALUES, f"{{**{VALUES}, 'free': 2.5}}"),
    "advice without ends": ("recommends_possible_values", "a.low, a.high", "None, None"),
    "no shares": ("shares_importance", "/ weight", "/ 3"),
    "another start": ("starts_from_the_default", "if self.number else", "or"),
    "prints": ("says_nothing", "self.told = []", "self.told = []\n        print('hello')"),
    "refuses without a name": (
        "searches_choices_or_refuses_them",
        'space.check_numbers("drawn")',
        "from arena import ConfigError\n"
        "    if space.axes[-1].choices:\n        raise ConfigError('no choices')",
    ),
    "needs many trials": ("advises_after_one_trial", "max(self.told)", "sorted(self.told)[-2]"),
    "divides by all others": ("tunes_one_parameter_or_refuses", "max(self.told)", DIVIDES),
}  # fmt: skip


@pytest.mark.parametrize("fault", BROKEN_METHODS)
def test_a_broken_method_fails_the_check_of_what_is_broken(fault: str, tmp_path: Path) -> None:
    check, old, new = BROKEN_METHODS[fault]
    assert failed(check_method, written(tmp_path, METHOD, old, new))[:1] == [check]


def test_a_method_that_learns_from_equal_points_fails_the_check_of_that(tmp_path: Path) -> None:
    file = written(tmp_path, METHOD, "(point,))", "(point, point))")
    file.write_text(file.read_text(encoding="utf-8") + "\nCOMPARES = True\n", encoding="utf-8")
    assert failed(check_method, file) == ["learns_nothing_from_equal_points"]


def test_something_is_broken_for_every_check() -> None:
    for checks, broken in (
        (ENGINE_CHECKS, [check for check, *_ in BROKEN_ENGINES.values()]),
        (GAME_CHECKS, ["can_be_read", *BROKEN_GAMES.values()]),
        (FORMAT_CHECKS, [check for check, *_ in BROKEN_FORMATS.values()]),
        (
            METHOD_CHECKS,
            ["learns_nothing_from_equal_points", *(each for each, *_ in BROKEN_METHODS.values())],
        ),
    ):
        assert {*checks} == {*broken}


def test_the_method_that_the_broken_ones_are_made_of_passes_as_it_is(tmp_path: Path) -> None:
    check_method(written(tmp_path, METHOD, "", ""))


def test_every_failure_has_the_name_of_its_check_and_says_what_was_seen(tmp_path: Path) -> None:
    file = written(tmp_path, ENGINE, CHOICE, "Choice(-1, depth=9)")
    with pytest.raises(ContractError) as caught:
        check_engine(file, checks=["chooses_legal_moves", "keeps_to_the_depth"])
    assert str(caught.value).splitlines() == [
        f"{file} fails 2 checks:",
        "  chooses_legal_moves: its move -1 is illegal in gomoku after no moves",
        "  keeps_to_the_depth: it searched 9 plies within Limit(depth=2) in gomoku after no moves",
    ]


def test_an_unknown_check_is_a_mistake_of_the_caller() -> None:
    with pytest.raises(ConfigError, match="unknown check 'keeps_the_depth'; did you mean 'keeps_"):
        check_engine("random_mover", checks=["keeps_the_depth"])


def test_each_check_has_a_sentence_and_is_on_the_page() -> None:
    page = (ROOT / "docs/testing.md").read_text(encoding="utf-8")
    for name in (*ENGINE_CHECKS, *GAME_CHECKS, *FORMAT_CHECKS, *METHOD_CHECKS):
        assert f"| `{name}` |" in page, name


@pytest.mark.slow
def test_the_checks_need_no_pytest() -> None:
    code = "import sys, arena.testing; sys.exit('pytest' in sys.modules)"
    assert finished([sys.executable, "-c", code]).returncode == 0
