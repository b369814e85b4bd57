"""The queue of a server: which roles may submit, what they may ask for, and what is shown."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from textwrap import dedent
from typing import TYPE_CHECKING, Any

import pytest
from support.browsers import SCHEMES, WIDTHS, complaints_of, faults_by_axe
from support.page_requests import KEYS, ORIGINS, Answer, ask, entry, page_of, post, serving
from support.samples import ROUND, player
from support.watched_run import NAP

from arena.errors import ConfigError
from arena.queue.order import State
from arena.queue.queue_file import FILE, QueueFile
from arena.queue.runner import Place
from arena.queue.submission import check_file
from arena.server.access import MOST_BODY
from arena.server.app import application
from arena.server.keys import Role
from arena.server.play.games import LiveGames
from arena.server.queue import ServedQueue
from arena.server.watch.run_list import RunFolders

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

SUBMITTER = entry(Role.SUBMIT)
FORGED = "<b>bold</b> & 'quoted'"


@pytest.fixture(name="queue")
def fixture_queue(tmp_path: Path) -> QueueFile:
    return QueueFile(tmp_path / "results")


@pytest.fixture(name="app")
def fixture_app(queue: QueueFile) -> Iterator[Any]:
    with queue_page(queue) as app:
        yield app


@contextmanager
def queue_page(queue: QueueFile) -> Iterator[Any]:
    """The application of a server with a queue, which no runner plays."""
    run_folders, games = RunFolders(queue.results), LiveGames(queue.results)
    try:
        served = ServedQueue(queue, cores=2, check=check_file)
        yield application(run_folders, games, KEYS, ORIGINS, served)
    finally:
        games.close()
        run_folders.close()


def body(name: str = "test", **more: object) -> list[bytes]:
    return [json.dumps({"config": f"name: {json.dumps(name)}\n" + dedent(ROUND), **more}).encode()]


def submit(app: Any, sent: list[bytes], **changed: str) -> Answer:
    return post(app, "/queue/tests", sent, **{**SUBMITTER, **changed})


def act(app: Any, id: object, wish: object, **changed: str) -> Answer:
    return post(app, f"/queue/tests/{id}", [json.dumps({"act": wish}).encode()], **changed)


def test_a_test_is_submitted_and_told_with_its_games(app: Any) -> None:
    answer = submit(app, body(priority=3))
    found = json.loads(answer.text)
    assert (answer.status, found["name"], found["total"]) == (200, "test", 12)
    (listed,) = json.loads(ask(app, "/queue/tests").text)["tests"]
    assert (listed["name"], listed["state"]) == ("test", "waiting")


def test_nobody_is_told_where_the_server_keeps_its_files(app: Any, queue: QueueFile) -> None:
    answers = [submit(app, body()), act(app, 1, "pause"), ask(app, "/queue/tests")]
    assert all(str(queue.results.absolute()) not in each.text for each in answers)
    place = Place(queue.results)
    told = place.told(ConfigError(f"{queue.results.absolute()}/queue/code/x/test.yaml:1:1: wrong"))
    assert told == "queue/code/x/test.yaml:1:1: wrong"


def test_a_queue_that_is_no_file_any_more_is_told(app: Any, queue: QueueFile) -> None:
    (queue.folder / FILE).unlink()
    os.mkfifo(queue.folder / FILE)
    for address in ("/queue", "/queue/list", "/queue/tests"):
        with pytest.raises(ConfigError, match="is a pipe, not a file"):  # after the answer
            ask(app, address)


@pytest.mark.parametrize("role", [Role.PLAY, Role.LOOK])
def test_only_the_link_to_submit_lets_code_in(app: Any, queue: QueueFile, role: Role) -> None:
    assert submit(app, body(), **entry(role)).status == 403
    assert queue.entries() == []


@pytest.mark.parametrize("cookie", ["", "arena-8765=submit.1.x", "arena-8765=submit.9999999999."])
def test_a_forged_entry_is_none(app: Any, queue: QueueFile, cookie: str) -> None:
    assert submit(app, body(), cookie=cookie).status == 403
    assert submit(app, body(), cookie=cookie, origin="http://evil.example").status == 403
    assert submit(app, body(), origin="http://evil.example").status == 403
    assert queue.entries() == []


def test_only_who_submits_may_send_much_and_only_there(app: Any) -> None:
    files = {"x.bin": "A" * 4 * (MOST_BODY // 2)}
    assert submit(app, body(files=files)).status == 200
    length = {"content-length": str(2**20)}
    assert submit(app, body(files=files), **entry(Role.PLAY)).status == 403
    assert submit(app, body(files=files), **entry(Role.PLAY), **length).status == 413
    assert post(app, "/queue/tests/1", body(files=files), **SUBMITTER).status == 413
    assert submit(app, body(), **{"content-length": str(2**30)}).status == 413


def test_a_test_is_paused_stopped_and_gone_on_with(app: Any, queue: QueueFile) -> None:
    submit(app, body())
    for wish, state in [("pause", State.PAUSED), ("stop", State.STOPPED), ("go-on", State.WAITING)]:
        assert json.loads(act(app, 1, wish).text)["state"] == state
        found = queue.entry(1)
        assert found
        assert found.state is state
    queue.change(1, lambda each: replace(each, state=State.DONE))
    for wish in ("pause", "stop", "go-on"):
        assert json.loads(act(app, 1, wish).text)["state"] == State.DONE


@pytest.mark.parametrize("id", ["2", "0", "x", "-1", "9" * 40, "%00"])
def test_a_test_that_is_not_there_cannot_be_changed(app: Any, id: str) -> None:
    submit(app, body())
    assert act(app, id, "pause").status == 404


@pytest.mark.parametrize("wish", [None, 3, "", "delete", {}])
def test_other_wishes_are_refused(app: Any, wish: object) -> None:
    submit(app, body())
    assert act(app, 1, wish).status == 400


def test_who_looks_sees_the_queue_and_changes_nothing(app: Any, queue: QueueFile) -> None:
    submit(app, body())
    page = ask(app, "/queue", headers=entry(Role.LOOK))
    assert page.status == 200
    assert ">test</th>" in page.text.replace("\n", "")
    assert "<button" not in page.text
    assert "queue-form" not in page.text
    assert act(app, 1, "stop", **entry(Role.LOOK)).status == 403
    (found,) = queue.entries()
    assert found.state is State.WAITING


def test_what_others_wrote_is_shown_as_text(app: Any, queue: QueueFile) -> None:
    submit(app, body(FORGED.replace("/", "")))
    queue.change(1, lambda each: replace(each, told=FORGED, state=State.FAILED))
    for page in ("/queue", "/queue/list"):
        text = ask(app, page, headers=SUBMITTER).text
        assert "<b>" not in text
        assert "&lt;b&gt;bold" in text


def test_the_next_test_stands_first(app: Any) -> None:
    for name, priority in (("low", -1), ("first", 2), ("second", 2), ("third", 1)):
        assert submit(app, body(name, priority=priority)).status == 200
    text = ask(app, "/queue/list").text
    places = [text.index(f">{name}") for name in ("first", "second", "third", "low")]
    assert places == sorted(places)


def test_a_server_without_a_queue_has_no_page_of_it(tmp_path: Path) -> None:
    with page_of(tmp_path) as app:
        assert ask(app, "/queue").status == 404
        assert submit(app, body()).status == 404
        assert 'href="/queue"' not in ask(app, "/").text


def test_every_page_of_a_server_with_a_queue_leads_to_it(app: Any) -> None:
    assert 'href="/queue"' in ask(app, "/").text


PATIENCE = 120_000  # Milliseconds; the machine may be busy
CONFIG = """
    name: watched
    game: {gomoku: {size: 7}}
    openings: {random: {plies: 2, count: 3, seed: 1}}
    engines:
      - {name: one, engine: ./nap.py}
      - {name: two, engine: ./nap.py}
"""


def fault_in(tab: Page) -> str:
    tab.locator("textarea").fill("game: chess\nengines: []\n")
    tab.get_by_role("button", name="Submit").click()
    said = tab.locator("#queue-said")
    said.filter(has_text="unknown game").wait_for()
    return said.inner_text()


def submit_in(tab: Page, engine: Path) -> None:
    tab.locator("textarea").fill(dedent(CONFIG))
    tab.locator("input[type=file]").set_input_files(engine)
    tab.get_by_role("button", name="Submit").click()
    tab.locator("#queue-said", has_text="watched is in the queue, at most 6 games").wait_for()


def await_state(tab: Page, state: str) -> None:
    tab.locator("tbody tr", has=tab.get_by_role("cell", name=state, exact=True)).wait_for()


def check_looks(tab: Page) -> None:
    """AssertionError if axe finds a fault, or the page is wider than the window."""
    for width in WIDTHS:
        tab.set_viewport_size({"width": width, "height": 900})
        for scheme in SCHEMES:
            tab.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
            assert tab.evaluate("document.documentElement.scrollWidth") == width
            assert not faults_by_axe(tab)


@pytest.mark.slow
def test_a_test_is_submitted_watched_stopped_and_gone_on_with(
    browser: Browser, tmp_path: Path
) -> None:
    engine = tmp_path / "nap.py"
    hurry = tmp_path / "hurry"
    engine.write_text(player(NAP.format(seconds=f"0 if os.path.exists({str(hurry)!r}) else 1")))
    options = ("--queue", "--cores", "1")
    with serving(tmp_path / "results", tmp_path / "state", *options) as page:
        context = browser.new_context(bypass_csp=True)
        context.set_default_timeout(PATIENCE)
        tab = context.new_page()
        complaints = complaints_of(tab)
        assert page.process.stdout
        tab.goto(page.process.stdout.readline().split()[-1])
        tab.get_by_role("link", name="Queue").click()
        assert fault_in(tab).startswith("test.yaml:1:7: unknown game 'chess'")
        complaints.clear()  # the browser itself notes that a request was refused
        submit_in(tab, engine)
        await_state(tab, "playing")
        tab.get_by_role("link", name="watched").click()
        tab.locator(".live-board .stone").first.wait_for()
        tab.go_back()
        tab.get_by_role("button", name="Stop: watched").click()
        await_state(tab, "stopped")
        check_looks(tab)
        hurry.touch()
        tab.get_by_role("button", name="Go on: watched").click()
        await_state(tab, "done")
        assert "6" in tab.locator("tbody td.number").first.inner_text()
        assert not complaints
        context.close()
