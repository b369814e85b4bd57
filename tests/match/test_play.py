"""The referee: each deed of a player has an outcome with a reason, and the record says it all."""

from __future__ import annotations

import gc
import re
import time
import weakref
from collections.abc import Callable
from typing import Any

import pytest
from support.players import Idle, Unmoved

from arena import Choice, Limit, load_game
from arena.engine import Remark
from arena.game import Position
from arena.match.play import place_opening, play_game
from arena.match.record import GameRecord, Job
from arena.match.terms import Clock, Terms
from arena.plugins.load import Named

GAME = load_game("gomoku:size=7")
JOB = Job("one", "two", seed=5)


class Puppet(Idle):
    """Plays the moves of a function; notes the positions that it was asked for."""

    def __init__(self, choose: Callable[[Position], Any]) -> None:
        self.answer = choose
        self.seeds: list[int] = []
        self.limits: list[Limit] = []

    def new_game(self, seed: int) -> None:
        self.seeds.append(seed)

    def choose(self, p: Position, limit: Limit) -> Choice:
        self.limits.append(limit)
        answer = self.answer(p)
        return answer if isinstance(answer, Choice) else Choice(answer)


def first_empty(p: Position) -> int:
    return p.cells.index(0)


def last_empty(p: Position) -> int:
    return p.cells.rindex(0)


def play(one: Any, two: Any, **options: Any) -> GameRecord:
    engines = tuple(each if hasattr(each, "choose") else Puppet(each) for each in (one, two))
    given = {key: options.pop(key) for key in ("margin", "max_plies") if key in options}
    terms = Terms(game=Named("gomoku"), **given)
    return play_game(GAME, engines, options.pop("job", JOB), terms=terms, **options)  # type: ignore[arg-type]


def test_an_occupied_or_missing_cell_loses() -> None:
    for wrong in (0, -1, 49, 10**18):
        record = play(first_empty, lambda p, wrong=wrong: wrong)
        assert (record.winner, record.reason, record.plies) == (1, "illegal move", 1)
    assert play(lambda p: 0 if p.ply < 2 else 48, last_empty).detail == "6,6"


@pytest.mark.parametrize("wrong", [-1, 49, 10**18])
def test_a_move_that_the_game_has_no_words_for_is_told_as_a_number(wrong: int) -> None:
    assert play(lambda p: wrong, first_empty).detail == str(wrong)


def test_no_move_resigns() -> None:
    record = play(lambda p: None, first_empty)
    assert (record.winner, record.reason, record.plies) == (2, "resignation", 0)


def test_an_exception_loses_and_its_words_are_kept(caplog: pytest.LogCaptureFixture) -> None:
    def fail(p: Position) -> int:
        raise RuntimeError("out of ideas")

    record = play(first_empty, fail)
    assert (record.winner, record.reason) == (1, "exception")
    assert re.fullmatch(r"RuntimeError: out of ideas \(.*test_play\.py:\d+\)", record.detail)
    assert "Traceback" in caplog.text
    assert "two" in caplog.text


def test_only_an_exception_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    play(first_empty, lambda p: 0)
    play(first_empty, lambda p: None)
    assert not caplog.records


def test_nothing_holds_an_engine_that_has_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its exception holds its frames, and they may hold much memory."""

    def fail(p: Position) -> int:
        raise RuntimeError("out of ideas")

    monkeypatch.setattr("arena.match.play.logger.disabled", True)  # tests keep what is logged
    engine = Puppet(fail)
    found = weakref.ref(engine)
    gc.disable()
    try:
        play_game(GAME, (Puppet(first_empty), engine), JOB)
        del engine
        assert found() is None
    finally:
        gc.enable()


@pytest.mark.parametrize(
    "junk",
    ["7,7", 1.5, [3], Choice(3, nodes="many"), Choice(3, score="good")],  # type: ignore[arg-type]
)
def test_junk_loses_and_leaves_the_record_whole(junk: object) -> None:
    record = play(first_empty, lambda p: junk)
    assert (record.winner, record.reason) == (1, "exception")
    assert len(record.times.split()) == len(record.nodes.split()) == 1


@pytest.mark.parametrize("most", [2**63 - 1, 1 - 2**63])
def test_numbers_have_at_most_64_bits(most: int) -> None:
    further = most + (1 if most > 0 else -1)
    record = play(lambda p: Choice(first_empty(p), score=most, nodes=most), last_empty)
    assert (record.winner, record.scores.split()[0]) == (1, str(most))
    for choice in (Choice(0, score=further), Choice(0, nodes=further), Choice(0, depth=further)):
        record = play(lambda p, choice=choice: choice, last_empty)
        assert (record.winner, record.reason) == (2, "exception")
        assert "64 bits" in record.detail


def test_a_score_may_have_a_fraction_but_no_infinity() -> None:
    def scored(score: float) -> GameRecord:
        return play(lambda p: Choice(first_empty(p), score=score), last_empty)  # type: ignore[arg-type]

    assert scored(-7.9).scores.split()[0] == "-7"
    assert scored(float("inf")).reason == "exception"


def test_an_engine_that_answers_nothing_at_all_loses() -> None:
    class Mute(Puppet):
        def choose(self, p: Position, limit: Limit) -> Choice:
            return None  # type: ignore[return-value]

    assert play(Mute(first_empty), first_empty).reason == "exception"


@pytest.mark.parametrize("error", [OSError("no book"), SystemExit(3)])
def test_a_new_game_that_raises_loses(error: BaseException) -> None:
    class Late(Puppet):
        def new_game(self, seed: int) -> None:
            raise error

    record = play(first_empty, Late(first_empty))
    assert (record.winner, record.reason, record.plies) == (1, "exception", 0)


def test_who_resigns_too_late_has_overrun_the_time() -> None:
    def slow(p: Position) -> None:
        time.sleep(0.01)

    record = play(slow, last_empty, limits=(Limit(seconds=0.001), Limit()), margin=0)
    assert (record.winner, record.reason) == (2, "time")
    assert len(record.times.split()) == 1


class FakeTime:
    """A clock that moves only while a sleep is waited for."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now

    def sleeper(self, *seconds: float) -> Puppet:
        """A player whose moves take so long, one after the other, the others no time."""
        naps = iter(seconds)

        def choose(p: Position) -> int:
            self.now += next(naps, 0.0)
            return first_empty(p)

        return Puppet(choose)


@pytest.fixture
def fake_time(monkeypatch: pytest.MonkeyPatch) -> FakeTime:
    fake = FakeTime()
    monkeypatch.setattr("arena.match.play.perf_counter", fake)
    return fake


@pytest.mark.parametrize(
    ("limit", "naps", "detail"),
    [
        (Limit(seconds=2), [2.5, 2.5], ""),
        (Limit(seconds=2), [2.25, 2.75], "0.750 s over"),
        (Limit(time_left=5), [5.5], ""),
        (Limit(time_left=5), [3, 3], "1.000 s over"),
        (Limit(time_left=5), [5.25, 0.125, 0.125], ""),
        (Limit(time_left=5), [5.25, 0.125, 0.25], "0.625 s over"),
        (Limit(time_left=5, increment=1), [5.5, 1, 0.5, 1.5], ""),
        (Limit(time_left=5, increment=1), [5.5, 1.25], "0.750 s over"),
        (Limit(time_left=5, increment=1), [5.25, 1.25, 0.5, 1.75], "0.750 s over"),
        (Limit(time_left=5, seconds=2), [2.5, 2.25, 0.25, 0.5], ""),
        (Limit(time_left=5, seconds=2), [2.5, 2.25, 0.25, 0.5, 0.25], "0.750 s over"),
        (Limit(time_left=5, seconds=2), [2, 2, 2], "1.000 s over"),
        (Limit(time_left=5, seconds=2), [2, 2, 2.25], "1.250 s over"),
        (Limit(time_left=5, seconds=2), [2.75], "0.750 s over"),
    ],
)
def test_whoever_is_late_is_told_by_how_much_over_the_limit_not_over_the_margin(
    fake_time: FakeTime, limit: Limit, naps: list[float], detail: str
) -> None:
    record = play(fake_time.sleeper(*naps), last_empty, limits=(limit, Limit()), margin=0.5)
    assert record.detail == detail
    assert record.reason == ("time" if detail else "line")
    assert record.winner == (2 if detail else 1)


@pytest.mark.parametrize("increment", [0.0, 0.25])
def test_a_whole_game_is_over_its_clock_by_at_most_one_margin(increment: float) -> None:
    clock, taken, moves = Clock(Limit(time_left=1.0, increment=increment), margin=0.5), 0.0, 0
    while (budget := clock.budget()) and moves < 100:
        took = min(0.375, budget)
        clock, taken, moves = clock.after(took), taken + took, moves + 1
    assert taken <= 1.0 + (moves - 1) * increment + 0.5
    assert clock.limit.time_left == 0, "never told less than nothing"


def test_of_an_overdrawn_clock_an_engine_is_told_that_nothing_is_left(fake_time: FakeTime) -> None:
    player = fake_time.sleeper(5.25, 0.125)
    play(player, last_empty, limits=(Limit(time_left=5), Limit()), margin=0.5)
    assert [limit.time_left for limit in player.limits] == [5, 0, 0, 0, 0]


def test_who_is_to_move_is_waited_for_until_its_own_time_is_up(fake_time: FakeTime) -> None:
    asked: list[tuple[int, float | None]] = []

    class Listener(Unmoved):
        def asks(self, p: Position, clock: Clock, seat: int) -> None:
            asked.append((p.turn, clock.budget()))

    limits = Limit(time_left=5, increment=1), Limit(seconds=2)
    play(fake_time.sleeper(3), last_empty, limits=limits, margin=0.5, observer=Listener())
    assert asked[:4] == [(1, 5.5), (2, 2.5), (1, 3.5), (2, 2.5)]


def test_a_call_of_exit_and_a_lack_of_memory_lose() -> None:
    def leave(p: Position) -> int:
        raise SystemExit(3)

    def hoard(p: Position) -> int:
        raise MemoryError

    assert play(first_empty, leave).detail.startswith("SystemExit: 3 ")
    assert play(first_empty, hoard).reason == "memory"


def test_the_ply_cap_is_a_draw_and_a_five_on_the_last_ply_still_wins() -> None:
    assert play(first_empty, last_empty, max_plies=8).reason == "ply cap"
    assert play(first_empty, last_empty, max_plies=8).winner is None
    assert play(first_empty, last_empty, max_plies=9).winner == 1


def test_numpy_numbers_are_numbers() -> None:
    numpy = pytest.importorskip("numpy")
    record = play(lambda p: numpy.int64(first_empty(p)), last_empty)
    assert record.reason == "line"


def test_each_seat_has_its_own_limit_and_seed() -> None:
    one, two = Puppet(first_empty), Puppet(last_empty)
    play(one, two, limits=(Limit(depth=3), Limit(nodes=9)))
    assert {limit.depth for limit in one.limits} == {3}
    assert {limit.nodes for limit in two.limits} == {9}
    assert len(one.seeds) == len(two.seeds) == 1
    assert one.seeds != two.seeds


@pytest.mark.parametrize("opening", ["9,9", "3,3 3,3", "x", "0,0 6,6 0,1 6,5 0,2 6,4 0,3 6,3 0,4"])
def test_an_opening_that_cannot_be_played_on_is_refused(opening: str) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        place_opening(GAME, opening)


def test_the_record_tells_what_each_choice_cost_and_said() -> None:
    one = Puppet(lambda p: Choice(first_empty(p), score=-7, depth=2, nodes=40))
    record = play(one, last_empty)
    assert record.nodes == "40 0 40 0 40 0 40 0 40"
    assert record.depths == "2 0 2 0 2 0 2 0 2"
    assert record.scores == "-7 - -7 - -7 - -7 - -7"
    assert all(re.fullmatch(r"\d+\.\d{6}", seconds) for seconds in record.times.split())


def test_the_observer_hears_of_every_new_game_every_question_and_every_move() -> None:
    heard: list[object] = []

    class Listener(Unmoved):
        def prepares(self, seat: int) -> None:
            heard.append(f"{seat} prepares")

        def asks(self, p: Position, clock: Clock, seat: int) -> None:
            heard.append((p.turn, p.ply, clock.budget()))

        def played(self, p: Position, remark: Remark) -> None:
            made.append((remark.seat, p.ply, p.last))

    made: list[object] = []
    limits = Limit(), Limit(seconds=2)
    record = play(first_empty, last_empty, limits=limits, margin=0.5, observer=Listener())
    assert heard[:2] == ["1 prepares", "2 prepares"]
    assert heard[2:] == [(1 + ply % 2, ply, 2.5 if ply % 2 else None) for ply in range(9)]
    moves = [GAME.parse(text) for text in record.moves.split()]
    assert made == [(1 + ply % 2, ply + 1, move) for ply, move in enumerate(moves)]
    made.clear()
    play(first_empty, lambda p: 0, observer=Listener())
    assert made == [(1, 1, 0)], "the second move was illegal"


def test_whoever_watches_sees_each_position_once() -> None:
    seen: list[Position] = []
    record = play(first_empty, last_empty, watch=seen.append)
    assert [p.ply for p in seen] == list(range(record.plies + 1))
    seen.clear()
    play(first_empty, lambda p: 0, watch=seen.append)
    assert [p.ply for p in seen] == [0, 1]
