"""Submissions and options of a queue's owner, well-formed and hostile: refused in plain words."""

from __future__ import annotations

import json
import os
import sqlite3
from base64 import b64encode
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner
from support.samples import ROUND, player
from support.sweep import cases

from arena.cli import arena as command
from arena.errors import ConfigError
from arena.queue.order import QueuedTest
from arena.queue.queue_file import FILE, QueueFile
from arena.queue.submission import (
    MOST_BODY,
    Submission,
    check_file,
    read_submission,
    take_in,
    to_json,
)
from arena.server.queue import ServedQueue

GOOD: dict[str, Any] = {"config": f"name: good\n{ROUND.replace(chr(10) + '    ', chr(10))}"}
ENGINE = b"GAMES = ()\n"
PATHS = ["/etc/passwd", "../x.py", "a/../../x", "", ".", "a//b", "a/", "C:\\x", "a\0b", "a\nb"]
PATHS += ["x" * 101, "/".join("a" * 13), "\ud800", "__pycache__/x.pyc", "é" * 300, "./x", "a/./b"]


def sent(data: object) -> Submission:
    return read_submission(json.dumps(data).encode())


def test_a_submission_travels_as_it_is(tmp_path: Path) -> None:
    wanted = Submission("a: 1\n", "c/t.yaml", 3, {"e/x.py": ENGINE}, frozenset({"e/x.py"}))
    assert sent(to_json(wanted)) == wanted
    folder = wanted.unpack(tmp_path)
    assert os.access(folder / "e/x.py", os.X_OK)
    assert (folder / "c/t.yaml").read_text() == "a: 1\n"


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("key", ["place", "files"])
def test_a_path_that_leads_elsewhere_is_refused(key: str, path: str) -> None:
    more = path if key == "place" else {path: b64encode(ENGINE).decode()}
    with pytest.raises(ConfigError, match="must be the path of a file within the submission"):
        sent({**GOOD, key: more})


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"config": 3}, "needs the text of a config"),
        ({"config": "\ud800"}, "must be UTF-8 text"),
        ({"config": "x" * (2**20 + 1)}, "at most 1048576 characters"),
        ({"priority": 101}, "whole number from -100 to 100"),
        ({"priority": True}, "whole number from -100 to 100"),
        ({"share": 2}, "key 'share' is gone: give the test a priority"),
        ({"files": []}, "must be an object"),
        ({"files": {"x.py": "?"}}, "must be base64"),
        ({"files": {"x.py": 3}}, "must be base64"),
        ({"files": {"test.yaml": ""}}, "stands there twice"),
        ({"files": {"a": "", "a/b": ""}}, "stands there twice"),
        ({"files": {f"{i}": "" for i in range(501)}}, "at most 500"),
        ({"programs": ["x.py"]}, "list of paths"),
        ({"command": "rm"}, "no part of a submission"),
    ],
)
def test_what_is_wrong_with_a_submission_is_said(changed: dict[str, Any], words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        sent({**GOOD, **changed})


@pytest.mark.parametrize("body", [b"", b"\xff", b"[" * 10**5, b"3", b"{}", b" " * (MOST_BODY + 1)])
def test_what_is_no_submission_is_refused(body: bytes) -> None:
    with pytest.raises(ConfigError, match="submission"):
        read_submission(body)


def test_a_fault_of_the_file_has_its_place_and_leaves_nothing(tmp_path: Path) -> None:
    queue = QueueFile(tmp_path / "results")
    with pytest.raises(ConfigError) as raised:
        take_in(queue, sent({**GOOD, "config": "game: chess\nengines: []\n"}), check_file)
    assert str(raised.value).startswith("test.yaml:1:7: unknown game 'chess'")
    assert not [*(queue.folder / "code").iterdir()]
    assert queue.entries() == []


ELSEWHERE = [
    ("engine: HERE/outside.py", "random_mover", "would lie elsewhere"),
    ("engine: ../../../../outside.py", "random_mover", "files that were not sent with it"),
    ("engine: other_place.engine", "random_mover", "named as a module"),
    ("engine: gomocup, command: HERE/brain, ship: true", "", "would lie elsewhere"),
    ("engine: gomocup, command: ../../../../brain, ship: true", "", "were not sent with it"),
    ("engine: random_mover", "HERE/lines.txt", "would lie elsewhere"),
    ("engine: random_mover", "../../../../lines.txt", "files that were not sent with it"),
]
"""Players, and openings, of files that are on the server and did not come with the test."""


@pytest.mark.parametrize(("engine", "openings", "words"), ELSEWHERE)
def test_what_names_files_of_the_server_is_refused_there_too(
    engine: str, openings: str, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    queue = QueueFile(tmp_path / "results")
    (tmp_path / "other_place").mkdir()
    for name in ("outside.py", "other_place/engine.py"):
        (tmp_path / name).write_text(player("return Choice(self.game.moves(p)[0])"))
    (tmp_path / "lines.txt").write_text("# lines\n7,7 8,8\n")
    (tmp_path / "brain").write_text("#!/bin/sh\n")
    (tmp_path / "brain").chmod(0o755)
    monkeypatch.syspath_prepend(tmp_path)
    players = f"[{{name: a, engine: random_mover}}, {{name: b, {engine}}}]"
    config = f"name: x\ngame: gomoku\nengines: {players}\n"
    if openings.endswith(".txt"):
        config += f"openings: {{file: {{path: {openings}}}}}\n"
    with pytest.raises(ConfigError, match=words):
        take_in(queue, sent({"config": config.replace("HERE", str(tmp_path))}), check_file)
    assert not [*(queue.folder / "code").iterdir()]


def test_a_name_is_taken_once(tmp_path: Path) -> None:
    queue = QueueFile(tmp_path / "results")
    kept = take_in(queue, sent(GOOD), check_file)
    assert (kept.id, kept.name, kept.games) == (1, "good", 12)
    with pytest.raises(ConfigError, match="there is a run 'good' already"):
        take_in(queue, sent(GOOD), check_file)
    (code,) = (queue.folder / "code").iterdir()
    assert code.name == kept.code
    for name in ("queue", "played"):
        (tmp_path / "results" / name).mkdir(exist_ok=True)
        named = GOOD["config"].replace("good", name, 1)
        with pytest.raises(ConfigError, match=f"there is a run '{name}' already"):
            take_in(queue, sent({**GOOD, "config": named}), check_file)


def junk(random: Random) -> Any:
    """Any value that JSON has, some of them long or deep."""
    made = [None, True, -1, 10**30, 0.5, float("inf"), "", "x" * 5000, "\ud800", "<script>", [], {}]
    if random.random() < 0.2:
        return {random.choice(PATHS): junk(random)}
    return [junk(random)] if random.random() < 0.2 else random.choice(made)


CONFIGS = [
    "name: ../../x\n",
    "name: /tmp/x\n",
    "name: .hidden\n",
    "name: '<b>'\ngame: <script>\n",
    "a: &a [*a]\n",
    "!!python/object/apply:os.system ['touch /tmp/owned']\n",
    "engines:\n  - {name: a, engine: /etc/passwd}\n",
    "engines:\n  - {name: a, engine: ../../../x.py}\n",
    "openings: {file: {path: /etc/passwd}}\n",
    "[" * 100,
    "a: " + "9" * 5000,
]

BOMB = "a: &a [1, 1]\n" + "".join(
    f"{y}: &{y} [{', '.join([f'*{x}'] * 30)}]\n" for x, y in zip("abcdefg", "bcdefgh", strict=True)
)
"""A YAML of a few lines that is 44 thousand million numbers, its aliases written out."""


def hostile(random: Random) -> bytes:
    """A submission with something wrong in it."""
    data = dict(GOOD)
    kind = random.randrange(6)
    if kind == 0:
        data[random.choice(["place", "priority", "programs"])] = {"?": junk(random)}
    elif kind == 1:
        data["files"] = {random.choice(PATHS): b64encode(random.randbytes(20)).decode()}
    elif kind == 2:
        data["config"] = random.choice(CONFIGS)
    elif kind == 3:
        data["config"] = GOOD["config"].replace(
            "good", random.choice(["../up", "/top", ".x", "-x", "a/b"])
        )
    elif kind == 4:
        data[random.choice(["x", "Config", "path", "code"])] = junk(random)
    text = json.dumps(data).encode()
    if kind == 5:
        at = random.randrange(len(text) - 1)
        text = text[:at] if random.random() < 0.5 else text[:at] + b"\xff{" + text[at:]
    return text


def tried(queue: QueueFile, body: bytes) -> QueuedTest | str:
    try:
        return take_in(queue, read_submission(body), check_file)
    except ConfigError as error:
        return str(error)


def all_files(folder: Path) -> set[Path]:
    return {
        each for each in folder.rglob("*") if each.is_file() and each.name != "queue.db-journal"
    }


@pytest.mark.slow
@pytest.mark.parametrize(
    ("config", "words"), [(BOMB, "more than 1000000 parts"), ("[" * 2000, "nest too deeply")]
)
def test_a_short_file_that_takes_long_to_read_is_refused(
    tmp_path: Path, config: str, words: str
) -> None:
    queue = QueueFile(tmp_path / "results")
    said = tried(queue, json.dumps({**GOOD, "config": config}).encode())
    assert words in str(said)
    assert queue.entries() == []


@pytest.mark.slow
@pytest.mark.sweep
def test_hostile_submissions_are_refused_and_write_nothing(tmp_path: Path) -> None:
    queue = QueueFile(tmp_path / "inner" / "results")
    before = all_files(tmp_path)
    for seed in range(cases(10_000)):
        said = tried(queue, hostile(Random(seed)))
        assert isinstance(said, str), seed
        assert 10 < len(said) < 3000, (seed, said)
        assert "Traceback" not in said, seed
        if seed % 100 == 0:
            assert all_files(tmp_path) == before, seed
    assert all_files(tmp_path) == before
    assert queue.entries() == []


def test_a_queue_of_before_is_read_with_what_it_lacks(tmp_path: Path) -> None:
    queue = QueueFile(tmp_path)
    kept = queue.add(QueuedTest(0, "round", games=12))
    with closing(sqlite3.connect(queue.folder / FILE)) as connection, connection:
        connection.execute("ALTER TABLE tests DROP COLUMN expected")
    assert QueueFile(tmp_path).entries() == [kept]


def test_a_queue_of_before_is_read_without_what_is_kept_no_more(tmp_path: Path) -> None:
    queue = QueueFile(tmp_path)
    kept = queue.add(QueuedTest(0, "round", games=12))
    with closing(sqlite3.connect(queue.folder / FILE)) as connection, connection:
        for column in ("share", "pace", "is_announced"):
            connection.execute(f"ALTER TABLE tests ADD COLUMN {column}")
        connection.execute("UPDATE tests SET share = 2.0, pace = 9.5, is_announced = 1")
    queue = QueueFile(tmp_path)
    assert queue.entries() == [kept]
    assert queue.add(QueuedTest(0, "new")).id == kept.id + 1


def test_the_share_that_every_test_had_is_taken() -> None:
    assert sent({**GOOD, "share": 1.0}) == sent(GOOD)


def refusal(tmp_path: Path, *words: str) -> str:
    (tmp_path / "results").mkdir()
    done = CliRunner().invoke(command, ["serve", str(tmp_path / "results"), *words])
    if isinstance(done.exception, ConfigError):
        return str(done.exception)
    assert done.exit_code == 2, done
    return done.output


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--cores", "2"], "--cores needs --queue"),
        (["--queue", "--hours", "20-7"], "option '--hours' is gone: start and end arena serve by"),
        (["--queue", "--shares"], "option '--shares' is gone: tests are played by their --prior"),
        (["--queue", "--on-end", "cat"], "option '--on-end' is gone: let cron ask arena report"),
        (["--queue", "--web-hook", "x"], "option '--web-hook' is gone: let cron ask arena report"),
        (["--queue", "--cores", "0"], "0 is not in the range"),
        (["--queue", "--cores", "100000"], "--cores: 100000 would take each other's time"),
        (["--queue", "--cores", "2", "--cluster", "local:2"], "--cluster: it is the cluster's own"),
    ],
)
def test_rules_that_cannot_be_are_refused(tmp_path: Path, words: list[str], told: str) -> None:
    said = refusal(tmp_path, *words)
    assert told in said
    assert "--force" not in said  # which this command has not


@pytest.mark.parametrize("address", ["http://head:8786", "no.json", "local:0"])
def test_what_is_no_cluster_is_refused_before_any_test_fails_by_it(
    tmp_path: Path, address: str
) -> None:
    pytest.importorskip("distributed")
    assert "give tcp://HOST:PORT" in refusal(tmp_path, "--queue", "--cluster", address)


def test_times_are_told_by_the_cores_or_by_the_workers_that_a_cluster_last_had(
    tmp_path: Path,
) -> None:
    queue = QueueFile(tmp_path / "results")
    assert ServedQueue(queue, cores=3).workers == 3
    assert ServedQueue(queue, cores=None).workers == 1
    for workers in (40, 60):
        queue.keep_workers(workers)
    assert ServedQueue(QueueFile(tmp_path / "results"), cores=None).workers == 60
    assert ServedQueue(queue, cores=3).workers == 3
