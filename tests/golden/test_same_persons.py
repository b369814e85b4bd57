"""The games of persons at the terminal and on the page, kept as digests; driven from outside only.

The input stands here, as a person would type it or a browser send it; all output, and the record
that remains, is compared. After a change that is meant to show:
`pytest -n 0 -m 'slow or not slow' tests/golden/test_same_persons.py --golden-update`.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from support.digests import check, lines_of
from support.page_requests import Served, serving
from support.processes import finished

import arena

FACTS = ["first", "second", "opening", "winner", "reason", "moves", "detail"]
SAID = ["scores", "depths", "nodes"]
OPTIONS = ["--results", "results", "--coordinates", "numbers"]
PATIENCE = 600
"""Seconds to wait for an engine, which may have to compile its kernels on a busy machine."""

TERMINAL = {
    "five in a row": (
        "human live_dead:depth=2 --game gomoku:size=9 --scores",
        "4,4|hint|4,4|5,5|undo|3,3|undo|undo|2,4|score|line|4,3|undo|5,4|hint|6,6|board|2,2|0,0"
        "|undo|8,8|undo|undo|undo|7,7|1,1|resign",
    ),
    "as the second, to the limit of plies": (
        "balance:depth=2 human --game gomoku:size=8 --limit d1 --max-plies 14 --opening",
        "3,3 3,4|undo|2,2|undo|5,5|6,6|undo|undo|6,5|hint|0,0|1,0|undo|2,0|7,7|7,6|7,5|7,4",
    ),
    "renju": (
        "human strong:level=1 --game renju --limit 500n --opening",
        "7,7 7,8 8,8|8,7|undo|6,6|9,9|hint|undo|undo|5,6|10,10|undo|4,6|3,6|resign",
    ),
    "pieces": (
        "human piece_count:depth=2 --game two_eat_one",
        "0,0-0,1|undo|0,0-1,0|0,1-1,1|hint|undo|0,2-1,2|1,0-2,0|undo|1,0-1,1|0,3-1,3|resign",
    ),
    "two persons": (
        "human human --game tictactoe",
        "1,1|0,0|undo|undo|0,0|hint|1,1|2,2|0,1|undo|0,2|2,0|undo|0,1|2,1|1,2|resign",
    ),
}
"""The words of a command, and what is typed; after `--opening` the first line is the opening."""

PAGE = {
    "five in a row": (
        "gomoku human live_dead 1",
        "112|undo|112|113|hint|undo|undo|96|hint|128|112|80|64||16|undo|17|0|1|undo|2|resign",
    ),
    "as the second": ("gomoku balance human 1", "0|undo|1|hint|2|undo|undo|3||undo|4|5|6|7|resign"),
    "renju": ("renju human strong:level=1 4", "112|96|hint|undo|97|81|resign"),
    "pieces": ("two_eat_one human piece_count 1", "5|undo|6|5|31|resign"),
    "two persons": ("tictactoe human human 0", "0|3|undo|undo|4|4|0|hint|1||undo|2|6|5|3|8|7|1"),
}
"""A game, its players and the number of a limit; and what is done: moves by their numbers, and
words. Where two bars stand, the server ends, and another one goes on with the game."""


def kept(results: Path) -> list[str]:
    """The record of the one game that was kept, with what its engine said of its moves."""
    (folder,) = (file.parent for file in results.glob("*/arena.db"))
    games = arena.open_run(folder).games()
    return [folder.name, *lines_of(games[FACTS + SAID].itertuples(index=False))]


@pytest.mark.slow
@pytest.mark.parametrize("name", TERMINAL)
def test_a_game_typed_at_the_terminal_is_the_same(
    name: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    words, typed = TERMINAL[name]
    command, lines = words.split(), typed.split("|")
    if command[-1] == "--opening":
        command.append(lines.pop(0))
    # In the notation of what is typed and of records, so that the digests tell of all else.
    done = finished(
        [sys.executable, "-m", "arena", "play", *command, *OPTIONS],
        input="".join(f"{line}\n" for line in lines),
        text=True,
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stderr
    parts = {"shown": done.stdout.splitlines(), "kept": kept(tmp_path / "results")}
    check(f"at the terminal: {name}", parts, request)


class Browser:
    """Sends the requests of the page's scripts, over the network."""

    def __init__(self, served: Served) -> None:
        address = urlsplit(served.address)
        # A browser knows that all names within localhost are this machine; not all systems do.
        self._port, self._headers = address.port, {"Host": address.netloc, "Origin": served.origin}
        with self._asked(f"/?{address.query}") as answer:
            self._headers["Cookie"] = str(answer.headers["set-cookie"]).partition(";")[0]

    @contextmanager
    def _asked(self, path: str, body: str | None = None) -> Iterator[HTTPResponse]:
        with closing(HTTPConnection("127.0.0.1", self._port, timeout=PATIENCE)) as connection:
            connection.request("POST" if body else "GET", path, body, self._headers)
            with closing(connection.getresponse()) as answer:
                yield answer

    def ask(self, path: str, **body: object) -> Any:
        """The answer's JSON; a body is posted."""
        with self._asked(path, json.dumps(body) if body else None) as answer:
            found = answer.read()
            assert answer.status == 200, found
            return json.loads(found)

    def begin(self, game: str, *words: str) -> str:
        """The id of a new game, with the defaults of its rules."""
        *players, limit = words
        offer = self.ask("/play/offer")
        games, engines = ([each["name"] for each in offer[key]] for key in ("games", "engines"))
        number = games.index(game)
        values = [each["default"] for each in offer["games"][number]["parameters"]]
        seats = [None if each == "human" else engines.index(each) for each in players]
        begun = self.ask("/play/games", game=number, values=values, seats=seats, limit=int(limit))
        return str(begun["id"])

    def state(self, id: str, before: str = "") -> Any:
        """A state after the one before, in which a person is to move or the game is over."""
        deadline = time.monotonic() + PATIENCE
        while True:
            state = self.ask(f"/play/games/{id}")
            if state["version"] != before and state["phase"] in ("yours", "over", "failed"):
                return state
            assert time.monotonic() < deadline, state
            time.sleep(0.01)

    def done(self, id: str, act: str, state: Any) -> tuple[str, Any]:
        """The reason why an act is refused, or nothing; and the state that comes of it."""
        wish: dict[str, object] = {"act": act}
        if act.isdigit():
            (game,) = state["data"]["games"]
            wish = {"act": "move", "move": int(act), "ply": len(game["m"])}
        refused = self.ask(f"/play/games/{id}", **wish)["refused"]
        return refused, self.state(id, "" if refused else state["version"])


def shown(state: Any) -> str:
    """A line for all of a state that a person sees, but for times and addresses."""
    (game,) = state["data"]["games"]
    names = ("phase", "turn", "persons", "said", "help", "hint", "moves", "forbidden")
    found = {name: state[name] for name in names}
    found |= {name: game.get(name) for name in ("f", "s", "o", "m", "w", "r", "line", *"edc")}
    found |= {"kept": [state["kept"].get("run"), state["kept"].get("number")]}
    return json.dumps(found)


def states(results: Path, game: str, acts: str) -> Iterator[str]:
    """The page's view of a game, at first and after each act."""
    id = ""
    for part in acts.split("||"):
        with serving(results, results / "state") as served:
            browser = Browser(served)
            id = id or browser.begin(*game.split())
            state = browser.state(id)
            yield shown(state)
            for act in part.split("|"):
                refused, state = browser.done(id, act, state)
                yield f"{act}: {refused}: {shown(state)}"


@pytest.mark.slow
@pytest.mark.parametrize("name", PAGE)
def test_a_game_on_the_page_is_the_same(
    name: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    pytest.importorskip("uvicorn")
    lines = list(states(tmp_path, *PAGE[name]))
    check(f"on the page: {name}", {"shown": lines, "kept": kept(tmp_path)}, request)
