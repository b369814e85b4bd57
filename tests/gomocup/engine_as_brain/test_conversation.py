"""One of our engines as a brain: its answers to a manager, swap2 too, and its time to think."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st
from support.brain_talks import conversation, last_said, said
from support.players import Idle
from support.samples import player

from arena.engine import MATE, Choice, Limit
from arena.game import Position
from arena.games.gomoku import Gomoku
from arena.gomocup.engine_as_brain.conversation import (
    LEAST_THOUGHT,
    Conversation,
    TimeKeys,
    order_of_play,
    position_of,
    seconds_for_several,
    side_chosen,
    three_stones,
)
from arena.gomocup.engine_as_brain.executable import about_line, label_of
from arena.gomocup.protocol import UNLIMITED, about_text, kind_of_line, limit_infos

MOVE = r"\d+,\d+"
NONE = "(nothing)"
TABLE = [
    # Sizes.
    ("START 5", "OK"),
    ("START 25", "OK"),
    ("start 15", "OK"),
    ("  START   20  ", "OK"),
    ("START 4", "ERROR .* at least 5, not 4"),
    ("START 26", "ERROR .* at most 25, not 26"),
    ("START", "ERROR '' is no size"),
    ("START x", "ERROR 'x' is no size"),
    ("START -5", "ERROR '-5' is no size"),
    ("START ٣", "ERROR .* is no size"),
    (f"START {'9' * 5000}", "ERROR .*"),
    ("START 7|START 9|BEGIN", f"OK|OK|{MOVE}"),
    ("RECTSTART 9,9|BEGIN", f"OK|{MOVE}"),
    ("RECTSTART 9, 9", "OK"),
    ("RECTSTART 9,8", "ERROR only square boards are played on"),
    ("RECTSTART 9", "ERROR only square boards are played on"),
    # Before START.
    ("BEGIN", "ERROR START comes first"),
    ("TURN 3,3", "ERROR START comes first"),
    ("BOARD|3,3,2|DONE", "ERROR START comes first"),
    ("SWAP2BOARD|DONE", "ERROR START comes first"),
    ("RESTART", "ERROR START comes first"),
    ("TAKEBACK 3,3", "ERROR START comes first"),
    ("PLAY 3,3", "ERROR START comes first"),
    ("ABOUT", 'name="mine"'),
    ("INFO rule 1|INFO timeout_turn 5|START 9|BEGIN", f"OK|{MOVE}"),
    # Moves.
    ("START 9|BEGIN|TURN 20,3", f"OK|{MOVE}|ERROR 20,3 is off the board"),
    ("START 9|TURN 3,3|TURN 3,3", f"OK|{MOVE}|ERROR 3,3 is on a stone"),
    ("START 9|TURN 3 , 3", f"OK|{MOVE}"),
    ("START 9|TURN", "OK|ERROR '' is no point: x,y"),
    ("START 9|TURN 3", "OK|ERROR '3' is no point: x,y"),
    ("START 9|TURN -1,3", "OK|ERROR '-1,3' is no point: x,y"),
    ("START 9|TURN 99999999999,3", "OK|ERROR '99999999999,3' is no point: x,y"),
    ("START 9|TURN 20,3|TURN 3,3", f"OK|ERROR 20,3 is off the board|{MOVE}"),
    ("START 9|PLAY 4,4|TURN 4,4", "OK|4,4|ERROR 4,4 is on a stone"),
    ("START 9|PLAY 4,9", "OK|ERROR 4,9 is off the board"),
    ("START 9|TURN 3,3|RESTART|TURN 3,3", f"OK|{MOVE}|OK|{MOVE}"),
    ("START 9|TURN 3,3|BEGIN|BEGIN", f"OK|{MOVE}|{MOVE}|{MOVE}"),
    ("START 9|PLAY 4,4|TAKEBACK 4,4|TURN 4,4", f"OK|4,4|OK|{MOVE}"),
    ("START 9|PLAY 4,4|PLAY 5,5|TAKEBACK 4,4", "OK|4,4|5,5|ERROR that is not the last stone"),
    ("START 9|TAKEBACK 4,4", "OK|ERROR that is not the last stone"),
    # Boards.
    ("START 9|BOARD|DONE", f"OK|{MOVE}"),
    ("START 9|BOARD|3,3,2|DONE", f"OK|{MOVE}"),
    ("START 9|BOARD|3,3,1|4,4,2|DONE", f"OK|{MOVE}"),
    ("START 9|BOARD| 4 , 4 , 2 |3,3,1|DONE|TURN 4,4", f"OK|{MOVE}|ERROR 4,4 is on a stone"),
    ("START 9|BOARD|3,3,1|DONE", "OK|ERROR 1 own stones and 0 of the opponent's"),
    ("START 9|BOARD|3,3,2|4,4,2|DONE", "OK|ERROR 0 own stones and 2 of the opponent's"),
    ("START 9|BOARD|3,3,1|3,3,2|DONE", "OK|ERROR 3,3 is on a stone"),
    ("START 9|BOARD|9,3,2|DONE", "OK|ERROR 9,3 is off the board"),
    ("START 9|BOARD|3,3|DONE", "OK|ERROR '3,3' is neither .*"),
    ("START 9|BOARD|3,3,3|DONE", "OK|ERROR '3,3,3' is neither .*"),
    ("START 9|BOARD|hello|DONE", "OK|ERROR 'hello' is no point: x,y"),
    ("START 9|BOARD|INFO time_left 5|3,3,2|DONE", f"OK|{MOVE}"),
    ("START 9|BOARD|3,3,2|ABOUT|BEGIN", f'OK|ERROR BOARD without DONE|name="mine"|{MOVE}'),
    ("START 9|DONE", "OK|UNKNOWN DONE"),
    (
        "START 9|BOARD|0,0,2|0,1,1|1,0,2|1,1,1|2,0,2|2,1,1|3,0,2|3,1,1|4,0,2|DONE",
        "OK|ERROR the game is over",
    ),
    # Rules.
    ("START 9|INFO rule 0|BEGIN", f"OK|{MOVE}"),
    ("START 9|INFO rule 1|BEGIN", f"OK|{MOVE}"),
    ("START 15|INFO rule 4|BEGIN", f"OK|{MOVE}"),
    (
        "START 9|INFO rule 4|BEGIN|INFO rule 0|BEGIN",
        "OK|MESSAGE rule 4 .renju. is not played on this size|ERROR rule 4 .*|" + MOVE,
    ),
    (
        "START 9|INFO rule 2|TURN 3,3|SWAP2BOARD|DONE",
        "OK|MESSAGE rule 2 is not played, only 0, 1, 4, 8, 9|ERROR rule 2 .*|ERROR rule 2 .*",
    ),
    ("START 9|INFO rule 4|START 15|BEGIN", f"OK|MESSAGE rule 4 .*|OK|{MOVE}"),
    # What has no answer, and what is unknown.
    ("|   |\t", NONE),
    ("INFO|INFO x|INFO max_memory 1|INFO timeout_turn x|INFO rule|INFO rule x", NONE),
    ("INFO evaluate 3,3|INFO folder /nowhere|info game_type 2|INFO time_left nan", NONE),
    ("HELLO there", "UNKNOWN HELLO"),
    ("7,7", "UNKNOWN 7,7"),
    ("SUGGEST 7,7", "UNKNOWN SUGGEST"),
    ("YXSTOP", "UNKNOWN YXSTOP"),
    ("\x00\x1b[2J", r"UNKNOWN \\x00\\x1b\[2J"),
    ("x" * 5000, f"UNKNOWN {'x' * 40}"),
]


@pytest.mark.parametrize(("lines", "answers"), TABLE)
def test_each_line_has_its_answer(lines: str, answers: str) -> None:
    found = said(conversation(), *lines.split("|"))
    wanted = [] if answers == NONE else answers.split("|")
    assert len(found) == len(wanted), found
    for answer, pattern in zip(found, wanted, strict=True):
        assert re.fullmatch(pattern, answer), answer


def test_renju_is_played_on_its_own_size_only(tmp_path: Path) -> None:
    file = tmp_path / "black.py"
    file.write_text(player("return Choice(112)").replace('"*"', '"renju"'), encoding="utf-8")
    talk = conversation(str(file))
    assert said(talk, "START 20") == ["ERROR renju is played on 15 x 15 only"]
    assert said(talk, "START 15", "BEGIN") == ["OK", "7,7"]
    assert said(talk, "INFO rule 0") == ["MESSAGE rule 0 is not played, only 4"]


def test_stones_in_any_order_are_put_in_an_order_of_play() -> None:
    assert order_of_play(9, ["0,0,2", "1,0,2", "2,0,2", "0,1,1", "1,1,1"]) == [0, 9, 1, 10, 2]
    assert order_of_play(9, ["0,0,2", "1,0,2", "0,1,1", "1,1,1"]) == [9, 0, 10, 1]
    in_order = ["3,3,2", "4,4,1", "5,5,2"]
    assert order_of_play(9, in_order) == [30, 40, 50]
    assert position_of(9, [9, 0, 10, 1]).turn == 1


def test_six_in_a_row_are_no_win_under_the_standard_rule_in_whatever_order_they_came() -> None:
    row = [f"{x},0,2" for x in range(6)] + [f"{2 * x},5,1" for x in range(4)] + ["0,8,1"]
    talk = conversation()
    said(talk, "START 15", "INFO rule 1")
    assert re.fullmatch(MOVE, last_said(talk, "BOARD", *row, "DONE"))
    assert last_said(talk, "INFO rule 0", "BOARD", *row, "DONE") == "ERROR the game is over"


def test_a_full_board_is_the_end() -> None:
    talk = conversation()
    rows = [[1, 1, 2, 2, 1], [2, 2, 1, 1, 2]]
    stones = [f"{x},{y},{rows[y % 2][x]}" for y in range(5) for x in range(5)]
    own = sum(line.endswith("1") for line in stones)
    assert own == 13  # one more than the opponent's: turn the colours round
    stones = [f"{line[:-1]}{3 - int(line[-1])}" for line in stones]
    assert last_said(talk, "START 5", "BOARD", *stones, "DONE") == "ERROR the game is over"


class Noted(Idle):
    """An engine that notes what it is asked."""

    def __init__(self, choice: Choice) -> None:
        self.choice = choice
        self.asked = list[tuple[Position, Limit]]()
        self.seeds = list[int]()

    def new_game(self, seed: int) -> None:
        self.seeds.append(seed)

    def choose(self, p: Position, limit: Limit) -> Choice:
        self.asked.append((p, limit))
        return self.choice


def noted(choice: Choice, monkeypatch: pytest.MonkeyPatch) -> tuple[Noted, Conversation]:
    engine = Noted(choice)
    monkeypatch.setattr(
        "arena.gomocup.engine_as_brain.conversation.load_engine", lambda wanted, game: engine
    )
    return engine, conversation()


@pytest.mark.parametrize(
    ("lines", "games"),
    [("START 9|BEGIN|RESTART|START 9", 3), ("START 9|INFO rule 1|INFO rule 1", 2)],
)
def test_the_engine_is_told_of_games(
    monkeypatch: pytest.MonkeyPatch, lines: str, games: int
) -> None:
    engine, talk = noted(Choice(40), monkeypatch)
    said(talk, *lines.split("|"))
    assert engine.seeds == [0] * games


def test_where_no_engine_can_be_built_no_game_has_begun(tmp_path: Path) -> None:
    file = tmp_path / "small.py"
    file.write_text(
        player("return Choice(0)").replace("Player(game)", "Player([game][game.size > 9])")
    )
    talk = conversation(str(file))
    assert last_said(talk, "START 9", "BEGIN") == "0,0"
    refusal, *others = said(talk, "START 15", "BEGIN", "INFO rule 1", "START 5", "BEGIN")
    assert re.fullmatch("ERROR engine .* cannot be built: IndexError.*", refusal)
    assert others == ["ERROR START comes first", "OK", "0,0"]


def test_the_engine_sees_the_game_as_it_was_played(monkeypatch: pytest.MonkeyPatch) -> None:
    engine, talk = noted(Choice(40), monkeypatch)
    said(talk, "START 9", "TURN 3,3", "TURN 5,5")
    p, limit = engine.asked[0]
    assert (p.moves, p.turn, limit) == ((30,), 2, Limit())
    assert (engine.choice.move, len(engine.asked)) == (40, 2)


@pytest.mark.parametrize(
    ("choice", "answers"),
    [
        (Choice(40, -35, 6, 1234, (40, 41)), ["MESSAGE depth 6 ev -35 n 1234 pv 4,4 5,4", "4,4"]),
        (Choice(40, score=0), ["MESSAGE ev 0", "4,4"]),
        (Choice(40, MATE - 13), ["MESSAGE ev +M13", "4,4"]),
        (Choice(40, 4 - MATE), ["MESSAGE ev -M4", "4,4"]),
        (Choice(40, MATE + 1), [f"MESSAGE ev {MATE + 1}", "4,4"]),
        (Choice(40), ["4,4"]),
        (Choice(None), ["0,0"]),
        (Choice(81), ["ERROR the engine's move is not legal: 81"]),
        (Choice("x"), ["ERROR the engine's move is none: 'x'"]),  # type: ignore[arg-type]
        (Choice(40, pv="x", depth=2), ["MESSAGE depth 2", "4,4"]),  # type: ignore[arg-type]
    ],
)
def test_a_choice_is_told_with_its_figures(
    choice: Choice, answers: Sequence[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    _, talk = noted(choice, monkeypatch)
    assert said(talk, "START 9", "BEGIN")[1:] == answers


def test_exceptions_are_errors_in_their_words(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    file = tmp_path / "bad.py"
    file.write_text(player("raise ValueError('lost\\nthe thread')"), encoding="utf-8")
    talk = conversation(str(file))
    assert said(talk, "START 9", "RESTART") == ["OK", "OK"]
    assert last_said(talk, "BEGIN").startswith("ERROR ValueError: lost\\nthe thread (")
    assert "ValueError" in caplog.text
    assert said(talk, "START 9") == ["OK"]


def test_a_brain_says_who_it_is() -> None:
    assert about_text(about_line(label_of("balance:depth=8"))).startswith("balance:depth=8 ")
    assert label_of("./some/my_engine.py:width=5") == "my_engine:width=5"
    assert kind_of_line(about_line("x").encode()) == "text"


FIXED = """
START 5|START 6|START 99|RECTSTART 5,5|RESTART|BEGIN|BOARD|DONE|SWAP2BOARD|ABOUT|INFO rule 1
INFO rule 0|INFO rule 9|INFO time_left -5|INFO timeout_turn 0|INFO timeout_match 100|2,2,1|1,2,2
3,3|hello
"""
WORDS = st.sampled_from(FIXED.strip().replace("\n", "|").split("|"))
POINTS = st.tuples(
    st.sampled_from(["TURN", "PLAY", "TAKEBACK", ""]), st.integers(-1, 5), st.integers(0, 5)
)
LINES = st.one_of(WORDS, POINTS.map(lambda p: f"{p[0]} {p[1]},{p[2]}"), st.text(max_size=12))
ANSWERED = {"START", "RECTSTART", "RESTART", "BEGIN", "TURN", "PLAY", "TAKEBACK", "ABOUT"}


@settings(deadline=None, max_examples=20)
@given(st.lists(LINES, max_size=30))
def test_any_lines_have_one_answer_each_and_no_move_is_illegal(lines: list[str]) -> None:
    talk = conversation()
    talk.rules.open(5)
    is_listed = False
    for line in lines:
        before = list(talk.moves)
        answers = [each for each in said(talk, line) if not each.startswith("MESSAGE")]
        word = line.strip().partition(" ")[0].upper()
        assert all(answer.isprintable() for answer in answers)
        broken_off = is_listed and word in {*ANSWERED, "BOARD", "SWAP2BOARD"}
        one = word in ANSWERED or (is_listed and line.strip().upper() == "DONE")
        unknown = not is_listed and not one and word not in {"INFO", "BOARD", "SWAP2BOARD", ""}
        assert len(answers) == broken_off + (one or unknown), (line, answers)
        moves = position_of(talk.rules.size, talk.moves)  # no two stones on one point
        if word == "TURN" and re.fullmatch(MOVE, answers[-1]):
            assert moves.ply == len(before) + 2
        is_listed = word in {"BOARD", "SWAP2BOARD"} or (is_listed and not (one or broken_off))


GAME = Gomoku("gomoku", 15, 5, "freestyle")
THREE = ["7,7", "8,8", "9,9"]
FIVE = [*THREE, "6,8", "5,5"]


def test_the_opening_is_the_one_nearest_to_balance() -> None:
    seen = dict[tuple[int, ...], int]()

    def search(p: Position, limit: Limit) -> Choice:
        seen[p.moves] = sum(p.moves) - 330
        return Choice(0, seen[p.moves])

    chosen = three_stones(GAME, Limit(), search)
    assert len(seen) > 10
    assert abs(seen[tuple(chosen)]) == min(map(abs, seen.values()))
    assert len(set(chosen)) == 3
    assert chosen == three_stones(GAME, Limit(), search)


def test_an_opening_is_chosen_in_time() -> None:
    def search(p: Position, limit: Limit) -> Choice:
        time.sleep(limit.seconds or 0)
        return Choice(0, 5)

    began = time.monotonic()
    three_stones(GAME, Limit(seconds=0.05), search)
    assert time.monotonic() - began < 0.5


@pytest.mark.parametrize("stones", [3, 5])
@pytest.mark.parametrize(
    ("choice", "answer"),
    [
        (Choice(100, 50), "10,6"),
        (Choice(100, 0), "10,6"),
        (Choice(100), "10,6"),
        (Choice(100, -1), "SWAP"),
        (Choice(None), "SWAP"),
    ],
)
def test_the_better_side_is_taken(stones: int, choice: Choice, answer: str) -> None:
    p = position_of(15, [112, 128, 144, 126, 80][:stones])
    found, _ = side_chosen(GAME, p, Limit(), lambda p, limit: choice)
    assert found == answer


def test_a_brain_takes_part_in_swap2() -> None:
    talk = conversation()
    opening = last_said(talk, "START 15", "SWAP2BOARD", "DONE")
    assert re.fullmatch(r"\d+,\d+ \d+,\d+ \d+,\d+", opening)
    move = r"\d+,\d+"
    assert re.fullmatch(move, last_said(talk, "SWAP2BOARD", *THREE, "DONE"))
    assert re.fullmatch(move, last_said(talk, "SWAP2BOARD", *FIVE, "DONE"))
    assert re.fullmatch(move, last_said(talk, "TURN 0,0"))
    assert said(talk, "SWAP2BOARD", *FIVE, "DONE", "RESTART")[-1] == "OK"


@pytest.mark.parametrize(
    ("stones", "words"),
    [
        (["7,7"], "SWAP2BOARD has 0, 3 or 5 stones, not 1"),
        (["7,7", "7,7", "8,8"], "7,7 is on a stone"),
        (["7,7", "15,7", "8,8"], "15,7 is off the board"),
        (["7,7", "x", "8,8"], "'x' is no point: x,y"),
    ],
)
def test_what_is_no_opening_is_refused(stones: list[str], words: str) -> None:
    talk = conversation()
    said(talk, "START 15")
    assert last_said(talk, "SWAP2BOARD", *stones, "DONE") == f"ERROR {words}"


def after(*infos: str) -> TimeKeys:
    keys = TimeKeys(overrun=0.0)
    for info in infos:
        keys = keys.told(*info.split())
    return keys


def told_by_us(limit: Limit) -> Limit:
    """The limit that our own manager's INFO lines come to."""
    lines = limit_infos(limit, hang=60).decode().splitlines()
    return after(*(line.removeprefix("INFO ") for line in lines if line)).limit()


@pytest.mark.parametrize("limit", [Limit(), Limit(depth=4), Limit(nodes=999), Limit(4, 999)])
def test_a_limit_without_time_is_the_same_to_a_brain(limit: Limit) -> None:
    assert told_by_us(limit) == limit


def test_a_limit_of_time_is_a_little_less_to_a_brain() -> None:
    seconds = told_by_us(Limit(seconds=0.05)).seconds
    assert seconds == pytest.approx(0.0385)
    limit = told_by_us(Limit(time_left=10.0, increment=0.1))
    assert (limit.time_left, limit.increment) == pytest.approx((9.8, 0.09))


@given(st.integers(0, 10**7), st.floats(0, 1), st.floats(0, 0.1))
def test_there_is_always_time_to_answer(bound: int, spent: float, overrun: float) -> None:
    for key in ("timeout_turn", "time_left"):
        keys = after(f"{key} {bound}")
        limit = TimeKeys(keys.turn, keys.match, keys.left, overrun=overrun).limit(spent)
        thought = limit.seconds if key == "timeout_turn" else limit.time_left
        assert thought is not None
        assert thought >= LEAST_THOUGHT
        assert thought == LEAST_THOUGHT or thought + spent <= 0.98 * bound / 1000 or bound > 6000


@pytest.mark.parametrize("info", ["timeout_turn 0", "time_left 0", "time_left -50"])
def test_no_time_is_as_fast_as_possible(info: str) -> None:
    limit = after(info).limit()
    assert LEAST_THOUGHT in (limit.seconds, limit.time_left)


@pytest.mark.parametrize(
    "infos",
    [
        [],
        [f"timeout_turn {UNLIMITED}"],
        [f"time_left {UNLIMITED}"],
        ["timeout_match 0"],
        ["timeout_turn 50", f"timeout_turn {UNLIMITED}"],
        ["timeout_turn 48000", "hang 60000"],
        ["max_depth 0", "max_node -1", "time_increment 0"],
        ["timeout_turn nan", "timeout_turn x", "max_depth inf", "rule 4", "thread_num 8"],
    ],
)
def test_the_depth_alone_decides_where_there_is_no_limit(infos: list[str]) -> None:
    assert after(*infos).limit() == Limit()


def test_the_shorter_of_the_turn_and_the_match_counts() -> None:
    assert after("timeout_turn 5000", "time_left 1000").limit().seconds is None
    both = after("timeout_turn 500", "time_left 9000").limit()
    assert both.seconds is not None
    assert both.time_left is not None


def test_a_match_runs_on_by_the_brains_own_clock_unless_it_is_told() -> None:
    keys = after("timeout_match 10000", "time_increment 100")
    keys = keys.after(3.0, Limit(), 0.0)
    assert keys.left == pytest.approx(7.1)
    assert keys.told("time_left", "5000").left == 5.0
    assert keys.again().left == 10.0


def test_who_was_late_takes_less_time_next_and_forgets_slowly() -> None:
    keys = after("timeout_turn 100")
    first = keys.limit().seconds
    assert first is not None
    late = keys.after(0.1, Limit(seconds=first), first + 0.02)
    second = late.limit().seconds
    assert second == pytest.approx(first - 0.025)
    for _ in range(100):
        late = late.after(0.1, Limit(seconds=0.05), 0.05)
    assert late.limit().seconds == pytest.approx(first, abs=0.001)


def test_several_searches_share_the_time_of_one_answer() -> None:
    assert seconds_for_several(Limit()) is None
    assert seconds_for_several(Limit(seconds=2, time_left=10)) == 1.0
