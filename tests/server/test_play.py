"""Games that people play on the page: their routes, the law at the terminal, engines that fail."""

from __future__ import annotations

import json
import os
import re
import signal
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support.page_requests import KEYS, ORIGIN, ORIGINS, Answer, ask, post
from support.processes import awaited, children_of
from support.samples import Write, player

import arena
from arena import ConfigError, GameRecord, Limit, load_game
from arena.config.settings import Player
from arena.human.game import Talk, play_with_persons
from arena.human.in_play import Help, Seated, Setup, first_job, game_after
from arena.match.play import GameInPlay
from arena.match.record import OpeningMade
from arena.match.terms import Terms
from arena.match.verdicts import Verdict
from arena.plugins import load
from arena.plugins.load import checked
from arena.server.app import application
from arena.server.play.engine_host import EngineHost
from arena.server.play.games import MOST_IN_PLAY, LiveGames
from arena.server.play.journal import Storage, read_journal, write_journal
from arena.server.play.live_game import LiveGame
from arena.server.play.offer import LIMITS
from arena.server.watch.run_list import RunFolders

PATIENCE = 120


class Reply:
    def __init__(self, answer: Answer) -> None:
        self.status = answer.status
        self.text = answer.text

    @property
    def data(self) -> Any:
        return json.loads(self.text)


class Visitor:
    def __init__(self, games: LiveGames) -> None:
        self.games = games
        self.app = application(RunFolders(games.results), games, KEYS, ORIGINS)
        self.offer = self.get("/play/offer").data

    def get(self, address: str) -> Reply:
        return Reply(ask(self.app, address))

    def post(self, address: str, body: Any) -> Reply:
        return self.send(address, [json.dumps(body).encode()])

    def send(self, address: str, body: list[bytes], **headers: str) -> Reply:
        return Reply(post(self.app, address, body, **headers))

    def wish(self, game: str, *players: str, limit: int = 1, **more: Any) -> dict[str, Any]:
        names = [each["name"] for each in self.offer["games"]]
        parameters = self.offer["games"][names.index(game)]["parameters"]
        engines = [each["name"] for each in self.offer["engines"]]
        return {
            "game": names.index(game),
            "values": [each["default"] for each in parameters],
            "seats": [None if each == "you" else engines.index(each) for each in players],
            "limit": limit,
            **more,
        }

    def begin(self, *words: str, **more: Any) -> str:
        found: str = self.post("/play/games", self.wish(*words, **more)).data["id"]
        return found

    def state(self, id: str, is_there: Callable[[Any], bool] = lambda state: True) -> Any:
        def look() -> Any:
            state = self.get(f"/play/games/{id}").data
            return is_there(state) and state

        return awaited(look, PATIENCE)

    def act(self, id: str, act: str, **more: Any) -> Any:
        return self.post(f"/play/games/{id}", {"act": act, **more}).data


@contextmanager
def visiting(folder: Path, *configs: Path) -> Iterator[Visitor]:
    games = LiveGames(folder, configs)
    try:
        yield Visitor(games)
    finally:
        games.close()


@pytest.fixture
def visitor(tmp_path: Path) -> Iterator[Visitor]:
    with visiting(tmp_path) as found:
        yield found


def is_ready(state: Any) -> bool:
    return state["phase"] in ("yours", "over", "failed")


def test_all_games_and_engines_that_come_along_are_on_offer(visitor: Visitor) -> None:
    names = [each["name"] for each in visitor.offer["games"]]
    assert names == ["gomoku", "renju", "tictactoe", "two_eat_one"]
    assert {"minimax", "balance"} <= {each["name"] for each in visitor.offer["engines"]}
    assert len(visitor.offer["limits"]) == len(LIMITS)
    assert visitor.offer["tables"] == []


def test_players_make_an_opening_by_a_rule_that_is_on_offer(visitor: Visitor) -> None:
    rules = {each["name"]: each["rules"] for each in visitor.offer["games"]}
    assert rules["gomoku"] == rules["renju"] == [*load.names("opening rule")]
    assert rules["two_eat_one"] == []
    for rule in rules["gomoku"]:
        id = visitor.begin("gomoku", "you", "you", rule=rule)
        (answer,) = visitor.state(id, is_ready)["answers"]
        assert (answer["stones"], answer["wish"][:16]) == (3, "lay three stones")
        visitor.act(id, "open", stones=[0, 1, 2], ply=0)
        state = visitor.state(id, is_ready)
        told = {each["stones"]: each["button"] for each in state["answers"]}
        assert (state["opens"], state["turn"]) == (True, 2)
        assert told[0] == "Take Black"
        visitor.act(id, "open", stones=[], ply=3)
        state = visitor.state(id, is_ready)
        assert (state["opens"], state["answers"], state["turn"]) == (False, [], 2)
        assert state["made"] == (
            f"{rule.capitalize()}: human laid three stones, human-2 took Black."
        )
        assert state["data"]["players"] == ["human-2", "human"]
    for wrong in ("banana", "", 7, ["swap2"]):
        wish = visitor.wish("gomoku", "you", "you", rule=wrong)
        assert visitor.post("/play/games", wish).status in (400, 409)
    wish = visitor.wish("two_eat_one", "you", "you", rule="swap2")
    assert visitor.post("/play/games", wish).status in (400, 409)


def test_each_level_is_on_offer_and_the_middle_one_is_preferred(visitor: Visitor) -> None:
    engines = visitor.offer["engines"]
    levels = [f"strong:level={level}" for level in range(1, 10)]
    assert [each["name"] for each in engines[:10]] == [*levels, "strong"]
    assert [each["name"] for each in engines if each["preferred"]] == ["strong:level=5"]
    game = visitor.games.find(visitor.begin("gomoku", "you", "strong:level=3"))
    assert game
    assert game.setup.names == ("human", "strong:level=3")
    assert game.setup.players[1].engine.parameters["level"] == 3


def test_engines_of_a_config_are_on_offer_with_their_limits(tmp_path: Path, write: Write) -> None:
    file = write("""
        game: tictactoe
        limit: {depth: 3}
        engines:
          - {name: quick, engine: minimax, depth: 2}
          - {name: slow, engine: minimax, limit: {depth: 9}}
    """)
    with visiting(tmp_path, file) as visitor:
        engines = visitor.offer["engines"]
        assert [each["name"] for each in engines[:2]] == ["quick", "slow"]
        assert engines[0]["preferred"]
        assert engines[0]["games"] == {"tictactoe": []}
        own = visitor.post("/play/games", visitor.wish("tictactoe", "you", "slow", limit=0)).data
        game = visitor.games.find(own["id"])
        assert game
        _, second = game.setup.limits
        assert second.depth == 9


@pytest.mark.parametrize("text", ["game: nonsense\nengines: []\n", "what: is this\n"])
def test_a_config_that_is_none_is_refused_at_the_start(
    text: str, tmp_path: Path, write: Write
) -> None:
    with pytest.raises(ConfigError):
        LiveGames(tmp_path, [write(text)])


def test_a_game_of_two_persons_to_its_end_is_kept(visitor: Visitor, tmp_path: Path) -> None:
    id = visitor.begin("tictactoe", "you", "you")
    visitor.state(id, is_ready)
    for ply, move in enumerate((0, 3, 1, 4)):
        assert visitor.act(id, "move", move=move, ply=ply)["refused"] == ""
    assert visitor.act(id, "move", move=3, ply=4)["refused"] == ""
    assert "occupied" in visitor.state(id, is_ready)["said"]
    visitor.act(id, "move", move=2, ply=4)
    state = visitor.state(id, lambda state: state["phase"] == "over")
    (game,) = state["data"]["games"]
    assert (game["w"], game["r"], game["line"]) == (1, "line", [0, 1, 2])
    assert (state["kept"]["run"], state["kept"]["number"]) == ("human-tictactoe", 1)
    assert visitor.get(state["kept"]["address"].partition("#")[0]).status == 200
    games = arena.open_run("human-tictactoe", results=tmp_path).games()
    assert list(games["moves"]) == ["0,0 1,0 0,1 1,1 0,2"]
    assert visitor.get("/play/offer").data["tables"] == []


def test_games_without_a_move_are_listed_last(visitor: Visitor) -> None:
    begun, *empty = (visitor.begin("tictactoe", "you", "you") for _ in range(3))
    visitor.state(begun, is_ready)
    visitor.act(begun, "move", move=4, ply=0)
    tables = visitor.get("/play/offer").data["tables"]
    assert [each["plies"] for each in tables] == [1, 0, 0]
    assert {each["id"] for each in tables[1:]} == set(empty)


def test_a_state_that_is_known_is_not_sent_again(visitor: Visitor) -> None:
    id = visitor.begin("tictactoe", "you", "you")
    version = visitor.state(id, is_ready)["version"]
    found = visitor.get(f"/play/games/{id}?since={version}")
    assert (found.status, found.text) == (204, "")
    assert visitor.get(f"/play/games/{id}?since=other").status == 200


def test_a_game_goes_on_from_any_position(visitor: Visitor) -> None:
    id = visitor.begin("two_eat_one", "you", "you", opening=[0 * 25 + 5])
    state = visitor.state(id, is_ready)
    assert (state["turn"], state["data"]["games"][0]["m"]) == (2, [5])
    assert all(state["data"]["boards"][0]["start"][move // 25] == 2 for move in state["moves"])


def test_a_position_that_is_over_or_none_is_no_start(visitor: Visitor) -> None:
    for moves in ([0, 3, 1, 4, 2], [0, 0], [9], [-1], [True], ["0"], "0", {"0": 1}, [0] * 1001):
        found = visitor.post("/play/games", visitor.wish("tictactoe", "you", "you", opening=moves))
        assert found.status == 409
        assert found.data["error"]


def test_games_in_play_are_there_again_after_the_server(tmp_path: Path) -> None:
    with visiting(tmp_path) as visitor:
        id = visitor.begin("tictactoe", "you", "you")
        visitor.state(id, is_ready)
        visitor.act(id, "move", move=4, ply=0)
        before = visitor.state(id, is_ready)
    with visiting(tmp_path) as visitor:
        assert [each["id"] for each in visitor.offer["tables"]] == [id]
        assert visitor.offer["tables"][0]["plies"] == 1
        after = visitor.state(id, is_ready)
        assert after["data"] == before["data"]
        assert after["version"] != before["version"]
        assert visitor.act(id, "move", move=0, ply=1)["refused"] == ""


def test_a_game_whose_engine_is_gone_is_told_so_and_can_be_left(
    tmp_path: Path, write: Write
) -> None:
    file = write("""
        game: tictactoe
        engines: [{name: quick, engine: minimax, depth: 2}, {name: slow, engine: minimax}]
    """)
    with visiting(tmp_path, file) as visitor:
        id = visitor.begin("tictactoe", "quick", "you")
    with visiting(tmp_path) as visitor:
        assert "not among those" in visitor.offer["tables"][0]["trouble"]
        found = visitor.get(f"/play/games/{id}")
        assert found.status == 409
        assert "not among those" in found.data["error"]
        assert visitor.act(id, "leave") == {"left": True}
        assert visitor.get(f"/play/games/{id}").status == 404


def test_no_more_games_than_a_server_bears(visitor: Visitor) -> None:
    wish = visitor.wish("tictactoe", "you", "you")
    with ThreadPoolExecutor(8) as threads:
        found = list(threads.map(lambda _: visitor.post("/play/games", wish), range(40)))
    assert sorted(each.status for each in found) == [200] * MOST_IN_PLAY + [409] * (
        40 - MOST_IN_PLAY
    )
    assert "games are in play already" in found[-1].data.get("error", "games are in play already")
    assert visitor.act(visitor.get("/play/offer").data["tables"][0]["id"], "leave")["left"]
    assert visitor.post("/play/games", wish).status == 200


EVIL: list[Any] = [
    *(None, [], "", 0, {}, {"game": 0}, {"game": "gomoku"}),
    *({"game": -1}, {"game": 2.0}, {"game": True}),
    {"game": 99, "values": [], "seats": [None, None], "limit": 0},
    {"game": 2, "values": [1], "seats": [None, None], "limit": 0},
    {"game": 2, "values": [], "seats": ["/etc/passwd", None], "limit": 0},
    {"game": 2, "values": [], "seats": ["./own.py", "os.system"], "limit": 0},
    {"game": 2, "values": [], "seats": [10**9, None], "limit": 0},
    {"game": 2, "values": [], "seats": [None], "limit": 0},
    {"game": 2, "values": [], "seats": [None, None], "limit": {"depth": 10**9}},
    {"game": 2, "values": [], "seats": [None, None], "limit": -1},
    {"game": 2, "values": {"size": 10**6}, "seats": [None, None], "limit": 0},
]  # fmt: skip


@pytest.mark.parametrize("wish", EVIL, ids=str)
def test_only_what_is_listed_can_be_begun(wish: Any, visitor: Visitor) -> None:
    found = visitor.post("/play/games", wish)
    assert found.status in (400, 409)
    assert found.data["error"]
    assert visitor.get("/play/offer").data["tables"] == []


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"\xff\xfe",
        b"[" * 60_000,
        b'{"act": "move", "move": 1e999}',
        b"null",
        b"1" * 5000,
    ],
)
def test_bodies_that_are_none_are_refused(body: bytes, visitor: Visitor) -> None:
    id = visitor.begin("tictactoe", "you", "you")
    for address in ("/play/games", f"/play/games/{id}"):
        assert visitor.send(address, [body]).status in (400, 409)


@pytest.mark.parametrize(
    "body",
    [
        {"act": "sleep"},
        {"act": "quit"},
        {"act": ["move"]},
        {"act": "move"},
        {"act": "move", "move": "resign"},
        {"act": "move", "move": 10**30},
        {"act": "move", "move": -1},
        {"act": "move", "move": 9},
        {"act": "move", "move": True},
        {"act": "move", "move": 1, "ply": "0"},
        {"act": "hint", "ply": [1]},
    ],
)
def test_acts_that_are_none_are_refused(body: Any, visitor: Visitor) -> None:
    id = visitor.begin("tictactoe", "you", "you")
    before = visitor.state(id, is_ready)
    assert visitor.post(f"/play/games/{id}", body).status == 400
    assert visitor.state(id)["data"] == before["data"]


@pytest.mark.parametrize(
    "id", ["%2e%2e", "..%2f..%2fx", "0" * 15, "0" * 16, "G" * 16, "%00", "a" * 900]
)
def test_ids_that_are_none_lead_nowhere(id: str, visitor: Visitor) -> None:
    assert visitor.get(f"/play/games/{id}").status in (404, 405)
    assert visitor.post(f"/play/games/{id}", {"act": "move", "move": 1}).status in (400, 404)
    visitor.post(f"/play/games/{id}", {"act": "leave"})


def test_nobody_else_may_play(visitor: Visitor) -> None:
    wish = json.dumps(visitor.wish("tictactoe", "you", "you")).encode()
    for headers in (
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"origin": ORIGIN.replace("8765", "8766")},
        {"host": "evil.example"},
        {"cookie": "arena-8765=other"},
    ):
        found = visitor.send("/play/games", [wish], **headers)
        assert found.status in (400, 403)
    assert visitor.send("/play/games", [b" " * 10**6] * 10).status == 413
    assert visitor.get("/play/offer").data["tables"] == []


KEPT = (
    '{{"players": ["human", "human"], "game": {{"tictactoe": {{}}}}, "limit": {{}}, "seed": 0, '
    '"opening": "0,0", "taken": {{"take_backs": 0, "hints": 0}}, "answers": {}}}'
)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"players": ["human"]}',
        '{"players": ["./evil.py", "human"]}',
        '{"players": [{"name": "x", "engine": "./evil.py"}, "human"]}',
        '{"players": ["human", "human"], "game": {"../x": {}}, "limit": {}, "seed": 0}',
        '{"players": ["human", "human"], "game": {"tictactoe": {}}, "limit": {"clock": "x"}}',
        KEPT.format("[[0, 1]]"),
        KEPT.format('[["0", 1, 0.5, 0, 0, null, "", {}]]'),
        KEPT.format('[[0, 1, "soon", 0, 0, null, "", {}]]'),
        KEPT.format('[[0, 1, 0.5, 0, 0, "good", "", {}]]'),
        KEPT.format('[[0, 1, 0.5, 0, 0, null, "", 7]]'),
    ],
)
def test_a_journal_of_others_runs_nothing_and_harms_nobody(text: str, tmp_path: Path) -> None:
    folder = tmp_path / ".in-play"
    folder.mkdir()
    (folder / f"{'a' * 16}.json").write_text(text)
    with visiting(tmp_path) as visitor:
        assert visitor.offer["tables"][0]["trouble"]
        assert visitor.get(f"/play/games/{'a' * 16}").status == 409


def engine_named(name: str) -> Player:
    return Player(name, checked("engine", name))


def setup_of(*players: Seated, game: str = "tictactoe", opening: str = "", **terms: Any) -> Setup:
    first, second = players
    named = Terms(game=checked("game", game), **terms)
    return Setup(load_game(named.game), (first, second), named, opening)


class Kept:
    """A storage that remembers."""

    def __init__(self) -> None:
        self.journal: list[int] = []
        self.record: GameRecord | None = None
        self.is_forgotten = False

    @property
    def storage(self) -> Storage:
        return Storage(self._write, self._archive, self._forget)

    def _write(self, play: GameInPlay, taken: Help) -> None:
        self.journal.append(len(play.remarks))

    def _archive(self, record: GameRecord) -> dict[str, Any]:
        self.record = record
        return {"run": "somewhere", "number": 1}

    def _forget(self) -> None:
        self.is_forgotten = True


@contextmanager
def live_game(setup: Setup) -> Iterator[tuple[LiveGame, Kept]]:
    kept = Kept()
    game = LiveGame(setup, kept.storage)
    try:
        yield game, kept
    finally:
        game.stop()


def until(game: LiveGame, *phases: str) -> dict[str, Any]:
    awaited(lambda: game.state["phase"] in phases, PATIENCE, pause=0.01)
    return dict(game.state)


def game_in(state: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = state["data"]["games"][0]
    return found


def typed(game: LiveGame, *lines: str) -> dict[str, Any]:
    for line in lines:
        until(game, "yours")
        if line in ("undo", "hint", "resign"):
            assert game.do(line) == ""  # type: ignore[arg-type]
        else:
            assert game.do("move", line) == ""
    return until(game, "yours", "over")


def timeless(record: GameRecord | None) -> GameRecord:
    assert record
    return replace(record, times="")


SLOW = pytest.mark.slow
BACK = "1,1 undo 0,0 hint 2,1 undo undo resign"


@pytest.mark.parametrize(
    ("players", "lines"),
    [
        pytest.param(("human", "minimax"), "0,0 0,1 2,0 1,2 2,2", marks=SLOW),
        pytest.param(("human", "minimax"), BACK),
        pytest.param(("random_mover", "human"), "hint 2,2 undo undo 0,1 resign", marks=SLOW),
        pytest.param(("human", "human"), "0,0 1,1 undo 9,9 0,0 1,1 0,1 2,2 0,2"),
    ],
)
def test_a_record_is_that_of_the_same_lines_at_a_terminal(
    players: tuple[str, str], lines: str
) -> None:
    seated = [each if each == "human" else engine_named(each) for each in players]
    with live_game(setup_of(*seated, seed=5)) as (game, kept):
        state = typed(game, *lines.split())
    assert state["phase"] == "over"
    waiting = iter(lines.split())
    talk = Talk(lambda prompt: next(waiting), lambda text: None)
    at_terminal = play_with_persons(setup_of(*players, seed=5), talk)
    assert timeless(kept.record) == timeless(at_terminal)
    assert kept.is_forgotten
    assert state["kept"] == {"run": "somewhere", "number": 1}


def test_what_cannot_be_done_now_is_said_and_changes_nothing() -> None:
    with live_game(setup_of("human", "human")) as (game, _):
        state = until(game, "yours")
        assert game.do("move", "1,1", ply=3) == "The board has changed meanwhile."
        assert game.do("move", "1,1", ply=0) == ""
        assert "occupied" in typed(game, "1,1")["said"]
        assert game.do("undo") == ""
        assert "Taken back." in until(game, "yours")["said"]
        assert game_in(dict(game.state))["m"] == game_in(state)["m"] == []
        game.do("resign")
        assert until(game, "over")["phase"] == "over"
        assert game.do("undo") == "This game is over."


def test_of_clicks_at_once_one_counts() -> None:
    with live_game(setup_of("human", "human")) as (game, _), ThreadPoolExecutor(8) as threads:
        for ply in range(3):
            until(game, "yours")
            told = list(
                threads.map(lambda i, ply=ply: game.do("move", f"{i},{ply}", ply), range(3))
            )
            assert told.count("") == 1
            assert len(game_in(until(game, "yours"))["m"]) == ply + 1


@SLOW
def test_who_only_watches_changes_nothing() -> None:
    both = engine_named("random_mover"), engine_named("random_mover")
    with live_game(setup_of(*both, seed=1)) as (game, _):
        assert game.do("undo") == "You only watch this game."
        assert game_in(until(game, "over"))["r"] in ("line", "full board")


def engine_processes() -> list[int]:
    """The processes of games' engines that this one has started."""
    found = ((pid, Path(f"/proc/{pid}/cmdline")) for pid in children_of(os.getpid()))
    return [pid for pid, words in found if b"arena.server.play.engine_tasks" in words.read_bytes()]


def failing(write: Write, choose: str) -> Player:
    return engine_named(str(write(player(choose), "own.py")))


IN_TIME: dict[str, Any] = {"limit": Limit(seconds=0.05), "margin": 0.01}


@pytest.mark.parametrize(
    ("choose", "reason", "terms"),
    [
        pytest.param("raise ValueError('no idea')", "exception", {}, marks=SLOW),
        ("os._exit(3)", "crash", {}),
        pytest.param("return Choice(-1)", "illegal move", {}, marks=SLOW),
        pytest.param("return Choice(None)", "resignation", {}, marks=SLOW),
        pytest.param("return Choice(0, score='much')", "exception", {}, marks=SLOW),
        pytest.param("bytearray(10**11)", "memory", {}, marks=SLOW),
        pytest.param("os.fork() or time.sleep(60)\nreturn Choice(0)", "exception", {}, marks=SLOW),
        pytest.param("time.sleep(1000)", "hang", {"hang": 0.5}, marks=SLOW),
        pytest.param("time.sleep(0.2)\nreturn Choice(0)", "time", IN_TIME, marks=SLOW),
    ],
)
def test_an_engine_that_fails_has_lost(
    choose: str, reason: str, terms: dict[str, Any], write: Write
) -> None:
    with live_game(setup_of("human", failing(write, choose), **terms)) as (game, kept):
        typed(game, "1,1")
    assert kept.record
    assert (kept.record.winner, kept.record.reason) == (1, reason)
    assert kept.record.moves == "1,1"


@SLOW
def test_an_engine_that_cannot_be_built_begins_no_game(write: Write) -> None:
    source = player("return Choice(0)").replace(
        "return Player(game)", "raise ValueError('no table')"
    )
    with live_game(setup_of("human", engine_named(str(write(source, "own.py"))))) as (game, kept):
        state = until(game, "failed")
    assert "no table" in state["said"]
    assert kept.record is None


def test_while_an_engine_thinks_one_may_take_back_resign_or_leave(write: Write) -> None:
    slow = failing(write, "if p.cells[4]: time.sleep(1000)\nreturn Choice(0)")
    with live_game(setup_of("human", slow)) as (game, kept):
        until(game, "yours")
        game.do("move", "1,1")
        until(game, "thinks")
        assert game.do("hint") == "It is not your turn."
        assert game.do("undo") == ""
        assert game_in(typed(game, "2,2"))["m"] == [8, 0]
        game.do("move", "1,1")
        until(game, "thinks")
        game.do("resign")
        until(game, "over")
    assert kept.record
    assert (kept.record.winner, kept.record.reason) == (2, "resignation")
    assert kept.record.detail == "1 take-back"
    assert kept.record.moves == "2,2 0,0 1,1"


def test_a_game_that_ends_before_it_is_interrupted_is_over(
    write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    move, is_asked = EngineHost.move, threading.Event()

    def move_and_crash(host: EngineHost, play: GameInPlay) -> None:
        is_asked.set()
        move(host, play)  # until it is interrupted
        play.lose(Verdict(2, "crash"))

    monkeypatch.setattr(EngineHost, "move", move_and_crash)
    slow = failing(write, "if p.cells[4]: time.sleep(1000)\nreturn Choice(0)")
    with live_game(setup_of("human", slow)) as (game, kept):
        until(game, "yours")
        game.do("move", "1,1")
        assert is_asked.wait(PATIENCE)
        assert game.do("undo") == ""
        assert game.state["phase"] == "over"
    assert kept.record
    assert (kept.record.reason, kept.record.detail) == ("crash", "")


@SLOW
def test_an_engine_killed_from_outside_is_asked_again(write: Write) -> None:
    own = failing(write, "time.sleep(0.5)\nreturn Choice(self.game.moves(p)[0])")
    with live_game(setup_of("human", own)) as (game, _):
        until(game, "yours")
        game.do("move", "1,1")
        before = set(game_in(dict(game.state))["m"])
        (pid,) = engine_processes()
        os.kill(pid, signal.SIGKILL)
        assert set(game_in(until(game, "yours"))["m"]) > before


def test_the_times_of_persons_and_engines_are_told(write: Write) -> None:
    own = failing(write, "time.sleep(0.2)\nreturn Choice(self.game.moves(p)[0])")
    with live_game(setup_of("human", own)) as (game, _):
        until(game, "yours")
        time.sleep(0.1)
        found = game_in(typed(game, "1,1"))
    assert (found["f"], found["s"]) == (0, 1)
    person, engine_named = found["t"]
    assert 100 <= person < 60_000
    assert 200 <= engine_named < 60_000


def test_an_engine_that_cannot_be_built_again_has_lost(write: Write, tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    source = player("return Choice(self.game.moves(p)[0])").replace(
        "return Player(game)", f"return 1 / 0 if os.path.exists({str(gone)!r}) else Player(game)"
    )
    with live_game(setup_of("human", engine_named(str(write(source, "own.py"))))) as (game, kept):
        typed(game, "1,1", "undo")
        gone.touch()
        (pid,) = engine_processes()
        os.kill(pid, signal.SIGKILL)
        state = typed(game, "1,1")
    assert state["phase"] == "over"
    assert kept.record
    assert (kept.record.winner, kept.record.reason) == (1, "exception")


@SLOW
def test_clocks_go_back_with_the_moves(write: Write) -> None:
    own = failing(write, "time.sleep(0.02)\nreturn Choice(self.game.moves(p)[0])")
    limit = Limit(time_left=60.0, increment=0.0)
    with live_game(setup_of("human", own, limit=limit, margin=1.0)) as (game, _):
        assert until(game, "yours")["clocks"] == [None, 60.0]
        used = typed(game, "2,2")["clocks"][1]
        assert used < 60
        assert typed(game, "undo")["clocks"] == [None, 60.0]


def test_an_engine_is_told_of_a_new_game_after_a_take_back(write: Write) -> None:
    """It counts its choices since the game began, in the process that it is."""
    source = player("self.count += 1\nreturn Choice(self.game.moves(p)[0], depth=self.count)")
    own = write(source.replace("        pass", "        self.count = 0", 1), "own.py")
    with live_game(setup_of("human", engine_named(str(own)))) as (game, _):
        assert game_in(typed(game, "2,2", "2,1"))["d"] == [0, 1, 0, 2]
        assert game_in(typed(game, "undo", "2,1"))["d"] == [0, 1, 0, 1]


@SLOW
def test_the_process_of_a_game_ends_with_it() -> None:
    with live_game(setup_of("human", engine_named("minimax"))) as (game, kept):
        until(game, "yours")
        assert len(engine_processes()) == 1
    assert game.is_asleep
    assert not kept.is_forgotten
    assert not engine_processes()


def swap2_setup(*players: Seated) -> Setup:
    return setup_of(*players, game="gomoku:size=9", opening="swap2 4,4 3,3 5,6")


def test_a_person_and_an_engine_make_an_opening() -> None:
    with live_game(swap2_setup("human", engine_named("random_mover"))) as (game, kept):
        state = until(game, "yours")
        assert (state["opens"], state["persons"], state["turn"]) == (True, [1], 1)
        assert game.do("move", "4,4") == game.do("hint") == "Make the opening first."
        game.do("open", "4,4 4,4 5,5")
        assert until(game, "yours")["said"] == "A stone is there already."
        game.do("open", "4,4")
        assert until(game, "yours")["said"] == "1 stones are no answer here."
        game.do("open", "4,4 3,3 5,5")
        state = until(game, "yours")  # it has no score, and stays White
        assert (state["opens"], state["persons"], state["turn"]) == (False, [1], 1)
        assert state["data"]["players"] == ["human", "random_mover"]
        assert state["made"] == ("Swap2: human laid three stones, random_mover stayed White.")
        game.do("resign")
        until(game, "over")
    assert kept.record
    assert (kept.record.winner, kept.record.proposer) == (2, 1)


def test_an_opening_outlives_the_server(tmp_path: Path) -> None:
    setup = swap2_setup(engine_named("random_mover"), "human")
    file = tmp_path / "game.json"
    storage = Storage(
        lambda play, taken: write_journal(file, setup, play, taken), lambda record: {}, int
    )
    game = LiveGame(setup, storage)
    until(game, "yours")
    game.do("open", "")
    before = game_in(until(game, "yours"))
    game.stop()
    _, play, _ = read_journal(file, [engine_named("random_mover")])
    assert (play.job.first, play.is_open) == ("human", False)
    assert list(play.p.moves) == before["m"]
    text = file.read_text(encoding="utf-8")
    for wrong in ('"proposer": 1', '"first": "other"', '"opening": "0,0"', '"answers": "three"'):
        name = wrong.split(":")[0]
        file.write_text(re.sub(rf'{name}: ("[^"]*"|\d)', wrong, text), encoding="utf-8")
        with pytest.raises(ConfigError):
            read_journal(file, [engine_named("random_mover")])


def test_the_clock_of_an_engine_keeps_what_its_opening_took(tmp_path: Path) -> None:
    setup = swap2_setup(engine_named("random_mover"), "human")
    clocked = replace(setup, terms=replace(setup.terms, limit=Limit(time_left=60.0)))
    made = OpeningMade("swap2", 2, "4,4 3,3 5,6", "three:10.000000 swap:5.000000")
    job = replace(first_job(clocked), first="human", second="random_mover", made=made)
    job = replace(job, opening="4,4 3,3 5,6")
    assert [clock.limit.time_left for clock in game_after(clocked, (), job).clocks] == [None, 50]
