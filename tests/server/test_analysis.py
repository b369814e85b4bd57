"""Analyses: the lines of a position, and processes that stop at once, whatever engines do."""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from itertools import pairwise
from pathlib import Path
from threading import Timer
from typing import Any

import pytest
from support.page_requests import Answer, ask, post
from support.processes import awaited, children_of
from support.samples import engines_file

from arena.engine import MATE, Choice, Conditions, Limit
from arena.engines.minimax import engine as minimax
from arena.errors import ConfigError
from arena.game import Game, Position
from arena.games.gomoku import game as gomoku
from arena.games.renju import game as renju
from arena.games.tictactoe import game as tictactoe
from arena.games.two_eat_one import game as two_eat_one
from arena.processes.child import ValuePipe
from arena.server.analysis import analysis as module
from arena.server.analysis.analysis import Analyses, position_after, shown_position
from arena.server.analysis.engine_lines import (
    LONGEST_STEP,
    EngineLine,
    UnplayableError,
    backed_up,
    candidates,
    lines_deepening,
)
from arena.server.play.offer import NO_CHOICE, Offer

PATIENCE = 30.0
SLOW = pytest.mark.slow
ENGINES = {
    "quick": "return Choice(self.game.moves(p)[0], len(p.moves), 1, 5)",
    "busy": "while True: pass",
    "dying": "os._exit(3)",
    "raising": "raise ValueError('no idea')",
    "cheating": "return Choice(-1)",
    "greedy": "bytearray(10**11)",
    "forking": "os.fork()\nreturn Choice(os.getpid() % 49)",
}


@pytest.fixture(autouse=True)
def asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """A page asks again and again; a test asks once, also on a machine that others use."""
    monkeypatch.setattr(module, "UNSEEN", 2 * PATIENCE)


@pytest.fixture(scope="module", name="offer")
def fixture_offer(tmp_path_factory: pytest.TempPathFactory) -> Offer:
    folder = tmp_path_factory.mktemp("engines")
    return Offer([engines_file(folder, ENGINES)])


@pytest.fixture(name="analyses")
def fixture_analyses(offer: Offer) -> Iterator[Analyses]:
    analyses = Analyses(offer)
    yield analyses
    analyses.close()


def wish(offer: Offer, engine: str | None, moves: tuple[int, ...] = (), **more: Any) -> Any:
    """A position of gomoku on a board of 7, as a page asks for it."""
    game = next(i for i, each in enumerate(offer.games) if each.name == "gomoku")
    values = [2 if each.name == "size" else 0 for each, _ in offer.games[game].parameters]
    names = [each.player.name for each in offer.engines]
    number = None if engine is None else names.index(engine)
    found = {"game": game, "values": values, "moves": list(moves), "engine": number, "lines": 1}
    return found | more


def until(state: Callable[[], Mapping[str, Any]], *phases: str) -> Mapping[str, Any]:
    return awaited(lambda: found if (found := state())["phase"] in phases else {}, PATIENCE)


def state_of(analyses: Analyses, id: str) -> Callable[[], Mapping[str, Any]]:
    def state() -> Mapping[str, Any]:
        found = analyses.find(id)
        assert found
        return found.state

    return state


def processor_time(pids: list[int]) -> int:
    ticks = 0
    for pid in pids:
        try:
            words = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        ticks += int(words[11]) + int(words[12])
    return ticks


def test_lines_come_from_the_engine_that_was_chosen(offer: Offer, analyses: Analyses) -> None:
    id, _, p = analyses.look(wish(offer, "quick", (24, 25), lines=2))
    assert p.moves == (24, 25)
    state = until(state_of(analyses, id), "done")
    assert state["trouble"] == ""
    assert [each["moves"][0] for each in state["lines"]] == [0, 1, 2]
    assert [each["score"] for each in state["lines"]] == [2, -3, -3]


@pytest.mark.parametrize(
    ("engine", "words"),
    [
        ("dying", "dying failed: crash: exit code 3"),
        pytest.param("raising", "raising failed: exception: ValueError: no idea", marks=SLOW),
        pytest.param("cheating", "cheating failed: illegal move: -1", marks=SLOW),
        pytest.param("greedy", "greedy failed: memory", marks=SLOW),
    ],
)
def test_what_an_engine_does_wrong_is_named_and_the_page_goes_on(
    engine: str, words: str, offer: Offer, analyses: Analyses
) -> None:
    id, *_ = analyses.look(wish(offer, engine))
    assert until(state_of(analyses, id), "failed", "done")["trouble"].startswith(words)
    same, *_ = analyses.look(wish(offer, "quick", id=id))
    assert same == id
    assert until(state_of(analyses, id), "failed", "done")["trouble"] == ""


def getting_ready(pipe: ValuePipe, *_: object) -> None:
    """The life of a process that takes long to load its kernels."""
    time.sleep(2 * PATIENCE)


@pytest.mark.slow
def test_many_positions_may_be_asked_for_while_an_engine_gets_ready(
    offer: Offer, analyses: Analyses, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.server.analysis.analysis.wait_for_questions", getting_ready)
    id, *_ = analyses.look(wish(offer, "quick"))
    analysis = analyses.find(id)
    release = Timer(PATIENCE, os.kill, (pid := started_of(analysis), signal.SIGKILL))
    release.start()  # else a failure would last for minutes
    for _ in range(1000):
        analyses.look(wish(offer, "quick", (24,), id=id))
    release.cancel()
    assert started_of(analysis) == pid


@SLOW
def test_the_copy_of_an_engine_that_forks_is_heard_of_no_more(
    offer: Offer, analyses: Analyses
) -> None:
    id, *_ = analyses.look(wish(offer, "forking"))
    assert len(until(state_of(analyses, id), "done")["lines"]) == 1
    until_alone(started_of(analyses.find(id)))


def test_an_engine_that_hangs_is_ended_and_named(
    offer: Offer, analyses: Analyses, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "LONGEST_STEP", 0.2)
    monkeypatch.setattr("arena.server.analysis.analysis.SPARE", 0.1)
    id, *_ = analyses.look(wish(offer, "busy"))
    state = until(state_of(analyses, id), "failed")
    assert state["trouble"] == "busy does not answer (hang), and was ended."
    analyses.look(wish(offer, "quick", id=id))
    assert until(state_of(analyses, id), "failed", "done")["trouble"] == ""


def test_thinking_ends_at_once_when_the_position_changes_or_nothing_is_wanted(
    offer: Offer, analyses: Analyses
) -> None:
    id, *_ = analyses.look(wish(offer, "busy"))
    analysis = analyses.find(id)
    assert analysis
    until_busy(started_of(analysis))
    for moves in ((24,), (24, 25), (24,), ()):
        analyses.look(wish(offer, "busy", moves, id=id))
    until_busy(started_of(analysis))
    analysis.rest()
    assert analysis.state["phase"] == "rests"
    until_alone(pid := started_of(analysis))
    used = processor_time([pid])
    time.sleep(0.5)
    assert processor_time([pid, *children_of(pid)]) - used <= 1


def until_alone(pid: int) -> None:
    """Wait until no engine thinks: half a second, on a machine that does nothing else."""
    awaited(lambda: not children_of(pid), PATIENCE)


def started_of(analysis: Any) -> int:
    """The process that is warm, once it is started."""
    awaited(lambda: analysis.has_process, PATIENCE)
    (pid,) = (
        pid
        for pid in children_of(os.getpid())
        if b"analysis" in Path(f"/proc/{pid}/cmdline").read_bytes()
    )
    return pid


def until_busy(pid: int) -> None:
    """Wait until an engine thinks in a process of this one's."""
    awaited(lambda: processor_time(children_of(pid)) >= 20, PATIENCE)


def test_what_no_page_asks_for_is_not_thought_of(
    offer: Offer, analyses: Analyses, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "UNSEEN", 0.2)
    id, *_ = analyses.look(wish(offer, "busy"))
    analysis = analyses.find(id)
    assert analysis
    awaited(lambda: analysis.state["phase"] == "rests", PATIENCE)
    monkeypatch.setattr(module, "LONGEST_REST", 0.1)
    awaited(lambda: not analysis.has_process, PATIENCE)


def test_too_many_analyses_end_the_oldest_that_is_idle(
    offer: Offer, analyses: Analyses, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MOST_AT_ONCE", 2)
    one, *_ = analyses.look(wish(offer, "quick"))
    until(state_of(analyses, one), "done")
    for _ in range(2):  # the processes of these two may not be there yet
        analyses.look(wish(offer, "busy"))
    state = state_of(analyses, one)()
    assert (state["phase"], state["trouble"]) == ("ended", module.MADE_ROOM)
    with pytest.raises(ConfigError, match="are thinking already"):
        analyses.look(wish(offer, "quick", id=one))
    # A board is shown all the same, where no engine is asked.
    analyses.look(wish(offer, None, (24,), id=one))


def test_nothing_is_left_at_the_end(offer: Offer) -> None:
    analyses = Analyses(offer)
    id, *_ = analyses.look(wish(offer, "busy"))
    pid = started_of(analyses.find(id))
    until_busy(pid)
    started = [pid, *children_of(pid)]
    analyses.close()
    awaited(lambda: not any(Path(f"/proc/{pid}").exists() for pid in started), PATIENCE)
    with pytest.raises(ConfigError):
        analyses.look(wish(offer, None))


def data_of(answer: Answer) -> Any:
    return json.loads(answer.body)


def position(app: Any, offer: Offer, text: str, form: str, game: str = "gomoku") -> Answer:
    number = next(i for i, each in enumerate(offer.games) if each.name == game)
    values = [2 if each.name == "size" else 0 for each, _ in offer.games[number].parameters]
    body = {"game": number, "values": values, "text": text, "form": form}
    return post(app, "/analysis/positions", [json.dumps(body).encode()])


@pytest.mark.parametrize(
    ("form", "text"),
    [("moves", "3,3 2,4"), ("moves", "D4 e5"), ("pos", "d4e3"), ("offset", "0,0, 1,-1")],
)
def test_a_position_is_read_in_each_form(form: str, text: str, app: Any, offer: Offer) -> None:
    found = data_of(position(app, offer, f" {text}\n", form))
    assert found["game"]["m"] == [24, 18]


@pytest.mark.parametrize(
    ("text", "form", "game", "words"),
    [
        ("3,3 3,3", "moves", "gomoku", "3,3 cannot be played as move 2"),
        ("h8", "pos", "gomoku", "h8 is off the board"),
        ("nonsense", "moves", "gomoku", "'nonsense' is no move"),
        ("a1b1a2b2a3b3a4b4a5b5", "pos", "gomoku", "The game is over before move 10"),
        ("3,3", "else", "gomoku", "cannot be chosen"),
        ("a1", "pos", "two_eat_one", "cannot be chosen"),
        ("3" * 10_001, "moves", "gomoku", "cannot be chosen"),
    ],
)
def test_what_is_no_position_is_refused_in_words(
    text: str, form: str, game: str, words: str, app: Any, offer: Offer
) -> None:
    answer = position(app, offer, text, form, game)
    assert words in data_of(answer)["refused"]


@pytest.mark.parametrize(
    "changed",
    [
        {"game": 99},
        {"values": []},
        {"moves": None},
        {"moves": [True]},
        {"moves": [10**30]},
        {"engine": 999},
        {"engine": "arena.engines.strong"},
        {"engine": 0, "lines": 5},
        {"engine": 0, "lines": None},
        {"id": 7},
    ],
    ids=str,
)
def test_a_wish_that_is_not_on_offer_is_refused(
    changed: dict[str, Any], app: Any, offer: Offer
) -> None:
    body = json.dumps(wish(offer, None) | changed).encode()
    answer = post(app, "/analysis/boards", [body])
    assert data_of(answer) == {"refused": NO_CHOICE}
    for body in (b"", b"[]", b"{", b"\xff"):
        assert post(app, "/analysis/boards", [body]).status == 400


def test_a_board_is_asked_for_until_there_is_something_new(app: Any, offer: Offer) -> None:
    answer = data_of(post(app, "/analysis/boards", [json.dumps(wish(offer, None)).encode()]))
    address = f"/analysis/boards/{answer['id']}"
    assert data_of(ask(app, address)) == answer["state"]
    assert ask(app, f"{address}?since={answer['state']['version']}").status == 204
    assert post(app, f"{address}/rest").status == 200
    assert ask(app, "/analysis/boards/0123456789abcdef").status == 404


def test_a_game_that_is_over_says_how_and_is_not_thought_of(
    offer: Offer, analyses: Analyses
) -> None:
    won = (0, 7, 1, 8, 2, 9, 3, 10, 4)
    id, rules, p = analyses.look(wish(offer, "busy", won))
    shown = shown_position(rules, p)
    assert shown["outcome"] == {"winner": 1, "reason": "line"}
    assert shown["game"]["line"] == [0, 1, 2, 3, 4]
    assert shown["legal"] == []
    assert state_of(analyses, id)()["phase"] == "rests"


def test_pieces_that_move_have_the_cells_that_each_ply_changes() -> None:
    game = two_eat_one()
    move = game.moves(game.start())[0]
    shown = shown_position(game, position_after(game, [move]))
    assert shown["board"]["kind"] == "step"
    assert {cell for cell, _ in shown["game"]["x"][0]} >= {move // 25, move % 25}


BOARD = gomoku(size=5)


class Answering:
    """An engine that answers by a function, and remembers what it was asked."""

    def __init__(self, answer: Callable[[Position, Limit], Choice]) -> None:
        self.answer = answer
        self.asked: list[tuple[Position, Limit]] = []
        self.games = 0

    def new_game(self, seed: int) -> None:
        self.games += 1

    def choose(self, p: Position, limit: Limit) -> Choice:
        self.asked.append((p, limit))
        return self.answer(p, limit)

    def close(self) -> None:
        pass


class Started(Answering):
    def start(self, conditions: Conditions) -> None:
        pass


def lines_of(engine: Any, game: Game, p: Position, most: int = 3) -> list[tuple[EngineLine, ...]]:
    return list(lines_deepening(engine, game, p, most, 0))


def by_cell(p: Position, limit: Limit) -> Choice:
    """The first empty cell, three plies deep; a position is worth the last move's number."""
    depth = min(limit.depth or 3, 3)
    return Choice(p.cells.index(0), -(p.last or 0), depth, nodes=7)


@pytest.mark.parametrize("moves", [(0, 4, 8), (4, 0, 8, 2), (4, 0, 2, 6)])
def test_each_line_has_the_value_of_its_first_move(moves: tuple[int, ...]) -> None:
    game = tictactoe()

    @cache
    def value(p: Position) -> int:
        if outcome := game.outcome(p):
            return 0 if outcome.winner is None else 1 if outcome.winner == p.turn else -1
        return max(-value(game.play(p, move)) for move in game.moves(p))

    p = position_after(game, moves)
    *_, last = lines_of(minimax(game), game, p, 5)
    assert len(last) == min(5, len(game.moves(p)))
    values = [-value(game.play(p, line.moves[0])) for line in last]
    signs = [(line.score or 0) and (1 if (line.score or 0) > 0 else -1) for line in last]
    assert signs == values
    assert values[0] == max(-value(game.play(p, move)) for move in game.moves(p))
    assert all(one >= other for one, other in pairwise(values))


def test_the_first_line_is_the_engines_own_and_no_other_begins_so() -> None:
    p = position_after(BOARD, (12,))
    reports = lines_of(Answering(by_cell), BOARD, p)
    assert all(report[0].moves == (0,) for report in reports)
    assert reports[0] == (EngineLine((0,), -12, 1, 7),)
    assert reports[-1][0].depth == 3
    # Each reply is scored with the other sign: the last cells are best.
    assert [(line.moves[0], line.score) for line in reports[-1][1:]] == [(24, 24), (23, 23)]


def test_other_moves_are_looked_at_one_ply_less_deep() -> None:
    engine = Answering(by_cell)
    p = position_after(BOARD, (12,))
    last = lines_of(engine, BOARD, p)[-1]
    assert {line.depth for line in last} == {3}
    depths = {asked.ply: set[int | None]() for asked, _ in engine.asked}
    for asked, limit in engine.asked:
        depths[asked.ply].add(limit.depth)
    assert depths == {1: {1, 2, 3, 4}, 2: {1, 2}}


def test_each_question_begins_a_game_of_its_own() -> None:
    engine = Answering(by_cell)
    lines_of(engine, BOARD, position_after(BOARD, (12,)))
    assert engine.games == len(engine.asked) > 30


def test_an_engine_without_depths_is_asked_for_every_line_once() -> None:
    engine = Answering(lambda p, limit: Choice(p.cells.index(0), p.last or 0))
    last = lines_of(engine, BOARD, BOARD.start())[-1]
    assert [line.moves[0] for line in last] == [0, 1, 2]
    assert len(engine.asked) == 1 + 25


def test_an_engine_without_scores_has_one_line() -> None:
    engine = Answering(lambda p, limit: Choice(3))
    assert lines_of(engine, BOARD, BOARD.start()) == [(EngineLine((3,), None, 0, 0),)]


def test_a_program_is_given_more_and_more_time_for_one_line() -> None:
    engine = Started(by_cell)
    reports = lines_of(engine, BOARD, BOARD.start())
    assert {len(report) for report in reports} == {1}
    times = [limit.seconds for _, limit in engine.asked]
    assert times[:3] == [0.25, 0.5, 1.0]
    last = times[-1] or 0.0
    assert last <= LONGEST_STEP < 2 * last


def test_what_wins_at_once_needs_no_answer_and_what_loses_is_left_out() -> None:
    p = position_after(BOARD, (0, 5, 1, 6, 2, 7, 3, 8))

    def answer(p: Position, limit: Limit) -> Choice:
        loses = p.ply > 8 and p.last != 10
        return Choice(p.cells.index(0), MATE - 1 if loses else 0, 1)

    engine = Answering(answer)
    *_, last = lines_of(engine, BOARD, p, 5)
    assert [line.moves[0] for line in last] == [4, 10]
    assert all(asked.last != 4 for asked, _ in engine.asked)


@pytest.mark.parametrize(
    ("score", "before"),
    [(5, -5), (0, 0), (MATE - 3, 4 - MATE), (2 - MATE, MATE - 3), (-MATE, MATE - 1)],
)
def test_a_seen_win_is_a_ply_further_off_the_ply_before(score: int, before: int) -> None:
    assert backed_up(score) == before


def test_lines_end_where_they_cannot_be_played() -> None:
    engine = Answering(lambda p, limit: Choice(3, 1, 0, pv=(3, 4, 4, 5)))
    assert lines_of(engine, BOARD, BOARD.start(), 1)[-1][0].moves == (3, 4)
    with pytest.raises(UnplayableError):
        lines_of(Answering(lambda p, limit: Choice(25)), BOARD, BOARD.start())
    resigned = lines_of(Answering(lambda p, limit: Choice(None)), BOARD, BOARD.start())
    assert resigned == [(EngineLine((), None, 0, 0),)]


def test_moves_that_lose_by_a_foul_are_no_candidates() -> None:
    game = renju()
    moves = [game.parse(text) for text in ["7,6", "0,0", "7,8", "0,2", "6,7", "0,4", "8,7", "0,6"]]
    p = position_after(game, moves)
    assert 7 * 15 + 7 in game.moves(p)
    assert 7 * 15 + 7 not in candidates(game, p)
