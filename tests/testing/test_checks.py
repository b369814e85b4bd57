"""`arena.testing`: each broken engine and game fails the right check."""

from __future__ import annotations

import sys
from collections.abc import Callable
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
from arena.testing import ENGINE_CHECKS, GAME_CHECKS, ContractError, check_engine, check_game

ENGINE = (STARTER / "my_engine.py").read_text(encoding="utf-8")
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
}  # fmt: skip


def failed(check: Any, subject: object) -> list[str]:
    try:
        check(subject)
    except ContractError as error:
        return [each.check for each in error.failures]
    return []


def written(folder: Path, text: str, old: str, new: str) -> Path:
    assert old in text, "nothing would be broken"
    file = folder / "broken.py"
    file.write_text(text.replace(old, new), encoding="utf-8")
    return file


@pytest.mark.parametrize("fault", BROKEN_ENGINES)
def test_a_broken_engine_fails_the_check_of_what_is_broken(fault: str, tmp_path: Path) -> None:
    check, old, new = BROKEN_ENGINES[fault]
    found = failed(check_engine, written(tmp_path, ENGINE, old, new))
    assert found[0] == check
    # Some do break others.
    beside = {"a random source of its own": 2, "a cell off the board": 3, "a float": 2}
    assert len(found) <= beside.get(fault, 1), found


def test_the_engine_to_begin_with_passes_as_a_path_a_text_and_a_module() -> None:
    check_engine(STARTER / "my_engine.py")
    check_engine(f"{STARTER / 'my_engine.py'}:width=5", game="gomoku:size=6")
    names: dict[str, Any] = {}
    exec(ENGINE, names)
    check_engine(SimpleNamespace(__name__="mine", **{k: names[k] for k in ("GAMES", "engine")}))


def played(change: Callable[[Position, Position], Position]) -> Callable[..., Position]:
    """A way to play that changes the position after a move, by the one before it."""
    return lambda game, p, move: change(p, Gomoku.play(game, p, move))


NUMBERS = count()


def recoloured(p: Position, after: Position) -> Position:
    """The first stone is now of one player, now of the other."""
    stone = b"\1\2"[next(NUMBERS) % 2 :][:1]
    cells = after.cells if p.moves else after.cells.replace(b"\1", stone)
    return Position(cells, after.turn, after.moves)


def to_unknown(found: Outcome | None) -> Outcome | None:
    return found and Outcome(found.winner, "three")  # type: ignore[arg-type]


WON = Outcome(1, "line")
AS_LIST = played(lambda _, new: Position(bytearray(new.cells), new.turn, new.moves))  # type: ignore[arg-type]
BROKEN_GAMES: list[tuple[str, str, Any]] = [
    ("starts_with_the_first_player", "start", lambda game: Position(bytes(9), 2)),
    ("comes_to_an_end", "outcome", lambda game, p: None),
    ("keeps_the_history", "play", played(lambda p, new: Position(new.cells, p.turn, new.moves))),
    ("lists_what_is_legal", "moves", lambda game, p: list(Gomoku.moves(game, p))[::-1]),
    ("lists_what_is_legal", "is_legal", lambda game, p, move: 0 <= move < 9),
    ("ends_for_a_known_reason", "outcome", lambda game, p: to_unknown(Gomoku.outcome(game, p))),
    ("reads_what_it_writes", "parse", lambda game, text: Gomoku.parse(game, text) // 2),
    ("has_positions_that_are_values", "play", AS_LIST),
    ("changes_no_position", "play", played(recoloured)),
    ("keeps_its_symmetries", "outcome", lambda g, p: WON if p.cells[0] else Gomoku.outcome(g, p)),
]


@pytest.mark.parametrize(("check", "method", "broken"), BROKEN_GAMES)
def test_a_broken_game_fails_the_check_of_what_is_broken(
    check: str, method: str, broken: Any
) -> None:
    kind = type("Broken", (Gomoku,), {method: broken})
    assert check in failed(check_game, kind("broken", 3, 3, "freestyle"))[:1]


def test_something_is_broken_for_every_check() -> None:
    for checks, broken in (
        (ENGINE_CHECKS, [check for check, *_ in BROKEN_ENGINES.values()]),
        (GAME_CHECKS, ["can_be_read", *(check for check, *_ in BROKEN_GAMES)]),
    ):
        assert {*checks} == {*broken}


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
    with pytest.raises(ConfigError, match="check 'sorts_legal_moves' is gone: leave it out"):
        check_engine("random_mover", checks=["sorts_legal_moves"])


def test_each_check_has_a_sentence_and_is_on_the_page() -> None:
    page = (ROOT / "docs/testing.md").read_text(encoding="utf-8")
    for name in (*ENGINE_CHECKS, *GAME_CHECKS):
        assert f"| `{name}` |" in page, name


@pytest.mark.parametrize("name", ["FORMAT_CHECKS", "METHOD_CHECKS", "check_format", "check_method"])
def test_what_is_gone_is_refused_by_its_name(name: str) -> None:
    with pytest.raises(ImportError, match=f"name '{name}' is gone: tests/contract"):
        exec(f"from arena.testing import {name}")


@pytest.mark.slow
def test_the_checks_need_no_pytest() -> None:
    code = "import sys, arena.testing; sys.exit('pytest' in sys.modules)"
    assert finished([sys.executable, "-c", code]).returncode == 0
