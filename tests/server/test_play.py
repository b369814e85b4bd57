"""The routes of games that people play: the offer, a game to its end, and all that is refused."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from support.page_requests import KEYS, ORIGIN, ORIGINS, Answer, ask, post
from support.samples import Write

import arena
from arena import ConfigError
from arena.plugins import load
from arena.server.app import application
from arena.server.play.games import MOST_IN_PLAY, LiveGames
from arena.server.play.offer import LIMITS
from arena.server.watch.run_list import RunFolders

PATIENCE = 120


class Reply:
    """An answer, and what it holds."""

    def __init__(self, answer: Answer) -> None:
        self.status = answer.status
        self.text = answer.text

    @property
    def data(self) -> Any:
        return json.loads(self.text)


class Visitor:
    """A browser that was let in."""

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
        """The state of a game, once it is so."""
        deadline = time.monotonic() + PATIENCE
        while not is_there(state := self.get(f"/play/games/{id}").data):
            assert time.monotonic() < deadline, state
            time.sleep(0.02)
        return state

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


def test_the_page_has_no_script_or_style_of_its_own(visitor: Visitor) -> None:
    found = visitor.get("/play")
    assert found.status == 200
    assert "<script>" not in found.text
    assert "style=" not in found.text


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
