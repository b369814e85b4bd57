"""`arena submit`, typed beside a server of a queue: what travels, and what is refused where."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from threading import Thread

import pytest
from click.testing import Result
from support.samples import Write, player
from support.typed import invoked

from arena.errors import ConfigError
from arena.queue.queue_file import QueueFile
from arena.queue.submission import Server, check_file, server_at, submission_of
from arena.server.app import application
from arena.server.keys import LOCAL_HOSTS, Keys, Origins, Role
from arena.server.play.games import LiveGames
from arena.server.queue import ServedQueue
from arena.server.serving import listening
from arena.server.watch.run_list import RunFolders

TEST = """
    name: {name}
    game: {{gomoku: {{size: 15}}}}
    openings: {{file: {{path: ../books/two.txt}}}}
    engines:
      - {{name: one, engine: {engine}}}
      - {{name: two, engine: random_mover}}
"""
BOOK = "7,7 7,8 3,2\n7,7 7,9 4,2\n"
MINE = player("return Choice(self.game.moves(p)[0])")


@dataclass(frozen=True)
class QueueServer:
    queue: QueueFile
    keys: Keys

    @property
    def origin(self) -> str:
        return f"http://{self.keys.host}:{self.keys.port}"

    def link(self, role: Role = Role.SUBMIT) -> str:
        return f"{self.origin}/?token={self.keys.token(role)}"


@pytest.fixture(scope="module", name="server")
def fixture_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[QueueServer]:
    import uvicorn

    results = tmp_path_factory.mktemp("served") / "results"
    queue, sockets = QueueFile(results), listening("127.0.0.1", 0)
    keys = Keys(b"the secret", sockets[0].getsockname()[1])
    served = ServedQueue(queue, cores=2, check=check_file)
    origins = Origins(LOCAL_HOSTS, own=keys.host)
    app = application(RunFolders(results), LiveGames(results), keys, origins, served)
    uvicorn_server = uvicorn.Server(uvicorn.Config(app, log_config=None, lifespan="on"))
    thread = Thread(target=uvicorn_server.run, args=(sockets,))
    thread.start()
    try:
        yield QueueServer(queue, keys)
    finally:
        uvicorn_server.should_exit = True
        thread.join()
        for each in sockets:
            each.close()


@pytest.fixture(name="file")
def fixture_file(write: Write, tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """A test in a folder beside those of its engine and its book, named as this test of ours."""
    for name in ("configs", "engines", "books"):
        (tmp_path / name).mkdir()
    write(BOOK, "books/two.txt")
    write(MINE, "engines/mine.py")
    return written(write, request.node.name.replace("[", "-").replace("]", ""))


def written(write: Write, name: str, engine: str = "../engines/mine.py") -> Path:
    return write(TEST.format(name=json.dumps(name), engine=engine), "configs/round.yaml")


def typed(*words: object) -> Result:
    return invoked("submit", *words)


def refusal(done: Result) -> str:
    assert isinstance(done.exception, ConfigError), done
    return str(done.exception)


def test_a_test_travels_with_the_files_that_it_names(server: QueueServer, file: Path) -> None:
    done = typed(file, "--to", server.link(), "--priority", 7)
    name = "test_a_test_travels_with_the_files_that_it_names"
    assert done.output == f"{name} is in the queue, at most 4 games: {server.origin}/queue\n"
    assert f"there is a run '{name}' already" in refusal(typed(file, "--to", server.link()))
    (kept,) = [each for each in server.queue.entries() if each.name == name]
    assert (kept.priority, kept.games) == (7, 4)
    code = server.queue.folder / "code" / kept.code
    travelled = {str(each.relative_to(code)) for each in code.rglob("*.*") if each.is_file()}
    names = {"configs/round.yaml", "engines/mine.py", "books/two.txt"}
    assert {each for each in travelled if "__pycache__" not in each} == names
    assert (code / "books/two.txt").read_text() == BOOK
    assert (code / "engines/mine.py").read_text() == MINE.lstrip("\n")


def test_the_tests_of_a_queue_are_listed(server: QueueServer, file: Path) -> None:
    assert typed(file, "--to", server.link()).exit_code == 0
    for role in (Role.SUBMIT, Role.LOOK):
        done = typed("--list", "--to", server.link(role))
        assert done.exit_code == 0
        listed = [line.split() for line in done.output.splitlines()]
        entries = server.queue.entries()
        assert listed == [[each.state, str(each.played), "games", each.name] for each in entries]
    assert "the token is wrong" in refusal(typed("--list", "--to", server.origin, "--token", "x"))


@pytest.mark.parametrize("words", [("--list", "round.yaml"), ()])
def test_a_test_is_either_sent_or_the_queue_listed(words: tuple[str, ...]) -> None:
    done = typed(*words, "--to", "http://localhost:1/?token=x")
    assert done.exit_code == 2
    assert "--list" in done.output


def test_a_token_may_be_given_apart(
    server: QueueServer, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "has no token" in refusal(typed(file, "--to", server.origin))
    monkeypatch.setenv("ARENA_TOKEN", server.keys.token(Role.SUBMIT))
    assert typed(file, "--to", server.origin).exit_code == 0


@pytest.mark.parametrize(
    ("token", "words"),
    [
        (lambda keys: "wrong", "the token is wrong"),
        (lambda keys: keys.token(Role.LOOK), "looking on"),
        (lambda keys: keys.token(Role.PLAY), "Only the link to submit"),
    ],
    ids=["wrong", "look", "play"],
)
def test_other_tokens_let_no_test_in(
    server: QueueServer, file: Path, token: object, words: str
) -> None:
    before = server.queue.entries()
    assert callable(token)
    done = typed(file, "--to", server.origin, "--token", token(server.keys))
    assert words in refusal(done)
    assert server.queue.entries() == before


@pytest.mark.parametrize("address", ["", "results", "ftp://a.example/?token=x", "http://?token=x"])
def test_what_is_no_address_is_refused(file: Path, address: str) -> None:
    told = "must be the address that arena serve --queue printed"
    assert told in refusal(typed(file, "--to", address))


def test_a_server_that_is_not_there_does_not_answer(file: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    done = typed(file, "--to", f"http://127.0.0.1:{port}/?token=x")
    assert "does not answer" in refusal(done)


def test_a_fault_of_the_file_is_told_here(write: Write, file: Path) -> None:
    file = write("game: chess\nengines: []\n", "configs/round.yaml")
    done = typed(file, "--to", "http://127.0.0.1:1/?token=x")  # where none is asked
    assert refusal(done).startswith(f"{file}:1:7: unknown game 'chess'")


def test_what_would_lie_elsewhere_is_refused(write: Write, tmp_path: Path, file: Path) -> None:
    own = written(write, "own", str(tmp_path / "engines/mine.py"))
    assert "would lie elsewhere on the server" in refusal(typed(own, "--to", "http://a/?token=x"))


def test_words_that_are_no_names_of_files_do_no_harm(write: Write, file: Path) -> None:
    text = file.read_text()
    for name in ("~no_such_user", "x" * 300, "a/" * 150):
        other = write(text.replace("name: one", f"name: {json.dumps(name)}"), "configs/words.yaml")
        try:
            sent = submission_of(other, 0)
        except ConfigError:
            continue  # it is no name of a player
        assert {*sent.files} == {"engines/mine.py", "books/two.txt"}


@pytest.mark.parametrize(
    "entry", ["engine: gomocup, command: python3 brain.py -x", "engine: python3 ./brain.py"]
)
def test_the_files_of_a_command_line_go_along(write: Write, entry: str) -> None:
    write("", "brain.py")
    text = "game: {gomoku: {size: 7}}\nengines:\n"
    text += f"  - {{name: theirs, {entry}}}\n  - {{name: other, engine: random_mover}}\n"
    assert [*submission_of(write(text), 0).files] == ["brain.py"]


def test_more_than_a_server_takes_is_refused_before_it_is_sent(file: Path) -> None:
    file.write_text(file.read_text().replace("name: two", "name: large"))
    (file.parent / "large").write_bytes(bytes(25 * 2**20))  # a third more as base64
    with pytest.raises(ConfigError, match="at most 32 MB"):
        submission_of(file, 0)


def test_an_exported_queue_and_a_share_are_gone(server: QueueServer, write: Write) -> None:
    file = write('{"tests": []}', "queue.json")
    told = refusal(typed(file, "--to", server.link()))
    assert "queue.json:1:2: key 'tests' is gone: a queue is not exported any more" in told
    done = typed(file, "--to", server.link(), "--share", 2)
    assert "option '--share' is gone: give the test a --priority" in done.output


def test_an_address_with_a_name_of_a_user_has_its_host_and_token() -> None:
    found = server_at("https://any:word@a.example:8443/queue?token=t", None)
    assert found == Server("https", "a.example:8443", "t")
    assert found.origin == "https://a.example:8443"
