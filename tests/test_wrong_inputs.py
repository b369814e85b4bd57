"""Wrong command lines, files and environments: kinds of them, each on many commands.

Each ends in words, with the status of a mistake, and leaves nothing behind.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, chdir, closing
from pathlib import Path

import pytest
from support import sweep
from support.processes import finished
from support.samples import ROUND
from support.typed import typed, typed_within

SERVER = "http://127.0.0.1:9/?token=x"
TWO = "random_mover random_mover --games 2 --workers 0"
PLACES = [
    *("run {}", "run round.yaml --workers 0 --results ./{}", "tune {}", "fit {}", "plan {}.yaml"),
    *("plan {}", "submit {} --to " + SERVER, "report {}", "report kept --output ./{}/x"),
    *("report none --results ./{}", "compare {} kept", "compare kept {}"),
    *("compare kept kept --output ./{}/x", "ratings --results ./{}/x", "replay {} 1"),
    *("export {} --output games.sgf", "export kept --output ./{}/x/x", "import new {}"),
    *("import new {} --format sgf", "play {} random_mover"),
    *("play random_mover random_mover --opening {}", "play random_mover random_mover --game {}"),
    *("match {} random_mover --games 2 --workers 0", "match random_mover {} --games 2 --workers 0"),
    *(f"match {TWO} --openings {{}}", f"match {TWO} --game {{}}", "engines {}", "games {}"),
    *("formats {}", "bench {}", "check {}", "check true --folder {}", "brain {} --write brain"),
    *("brain random_mover --write ./{}/x", "openings check {}"),
    *("openings check good.txt --game {}", "openings make {}", "serve ./{}/x --engine none.yaml"),
    *("serve . --engine {}", "serve . --engine none.yaml --certificate {}"),
    "match patterns:tables={} random_mover --games 2 --workers 0",
]  # command lines, each with a place for a path or a name
NAMES = {
    "a user without a home": "~nosuchuser/x",
    "an engine of such a user": "~nosuchuser/x.py",
    "a link to itself": "./loop",
    "a link to itself for an engine": "./loop.py",
    "a path behind a link to itself": "loop/x",
    "a link to nothing": "./dangling",
    "a name of 5000 letters": "a" * 5000,
    "an engine of 5000 letters": f"./{'a' * 5000}.py",
    "a name of 300 letters": "./" + "b" * 300,
    "a path of 9000 letters": "./" + "dir/" * 2250 + "x.py",
    "a folder": "./folder",
    "a folder named as an engine": "./folder.py",
    "a folder named as a config": "folder.yaml",
    "a path below a file": "file/x",
    "an engine below a file": "./file/x.py",
    "nothing": "",
    "a blank": " ",
    "bytes of no encoding": "./\udcff\udcfe",
    "an engine of such bytes": "./\udcff\udcfe.py",
    "a line break": "./line\nbreak",
    "codes of a terminal": "./\x1b[31m\x07",
    "a device": "/dev/null",
    "an endless file": "/dev/zero",
    "a file of 3 GB": "./big",
    "an engine of 3 GB": "./big.py",
    "memory that cannot be read": "/proc/self/mem",
    "a socket": "./socket",
    "the root": "/",
    "a dash": "-",
    "a colon": "./a:b",
    "a colon and a value": "./a:b=c",
    "rubbish": "./rubbish",
    "an engine of rubbish": "./rubbish.py",
    "UTF-16": "./utf16.yaml",
    "an empty file": "./empty.yaml",
    "an empty engine": "./empty.py",
    "a file of no module": "no.such.module",
    "marks of a shell": "$HOME/*.{a,b}",
}  # kinds of wrong paths and names
FINDS = ("check", "openings")  # commands whose status 1 tells what they found
NUMBERS = ["nan", "inf", "-inf", "1e-300", "1e300", "-1e300", "0", "-0.0", "-1", "1e18"]
NUMBERS += [str(10**30), str(-(10**30)), "", "x", "0x10", "1_0", " 5", "1,5", "\u0665"]
NUMBER_PLACES = [
    *("plan --elo0 {}", "plan --elo1 {}", "plan --elo0 -1e-12 --elo1 {}"),
    *("plan --model normalized --elo1 {}", "plan --alpha {}", "plan --beta {}", "plan --pairs {}"),
    *("plan --draws {}", "plan --split {}", "plan --seconds {}", "plan --openings {}"),
    *("match random_mover random_mover --workers 0 --games {}", f"match {TWO} --seed {{}}"),
    *(f"match {TWO} --limit {{}}", f"match {TWO} --limit {{}}s", f"match {TWO} --limit 1+{{}}"),
    f"match {TWO} --game gomoku:size={{}}",
    f"match five_tuple:depth={{}} {TWO.partition(' ')[2]} --limit d1",
    f"match {TWO} --openings random:plies={{}},count=1",
    "play random_mover random_mover --max-plies {}",
    *("play random_mover random_mover --game gomoku:size={}", "replay kept {}"),
    *("export kept {} --output games.sgf", "bench random_mover --repeat {}"),
    "report kept --anchor one={}",
]
ADDRESSES = [
    *("", "http://[::1", "http://[x]/?token=a", "http://a:b/?token=a", "http://a:99999/?token=a"),
    *("http://", "http:///?token=a", "http://�/?token=a", "http://a b/?token=a", "x"),
    *("//a/?token=a", "ftp://a/?token=a", "http://a\rb/?token=a", "http://℀/?token=a"),
    *("http://a..b/?token=a", "http://.localhost:0/?token=a", "http://127.0.0.1:9/?token=♟"),
    *("http://127.0.0.1:9/?token=a%0d%0ab", "http://:9/?token=a", "http://127.0.0.1:-1/?token=a"),
    *("http://١:9/?token=a", "https://127.0.0.1:9?token=a", f"http://{'a' * 5000}/?token=a"),
]
ADDRESS_PLACES = [
    *("submit round.yaml --to {}", "submit round.yaml --token \u265f --to {}"),
    *("serve none --public-url {}", "serve none --host {}"),
    "run round.yaml --cluster {} --results file",
]


@pytest.fixture(scope="module", name="folder")
def fixture_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("wrong")
    with ExitStack() as stack:
        stack.enter_context(chdir(folder))
        fill(folder)
        named = stack.enter_context(closing(socket.socket(socket.AF_UNIX)))
        named.bind("socket")
        done = typed(["run", "kept.yaml", "--workers", "0"])
        assert done.status == 0, done.said
        yield folder


def fill(folder: Path) -> None:
    for name in ("loop", "loop.py"):
        os.symlink(name, name)
    os.symlink("nowhere", "dangling")
    for name in ("folder", "folder.py", "folder.yaml"):
        Path(name).mkdir()
    for name in ("big", "big.py"):
        with open(name, "wb") as big:
            big.truncate(3 << 30)
    for name in ("rubbish", "rubbish.py"):
        Path(name).write_bytes(bytes(range(256)) * 4)
    Path("utf16.yaml").write_text("name: x", "utf-16")
    for name in ("empty.yaml", "empty.py", "file"):
        Path(name).touch()
    for name in ("kept.yaml", "round.yaml"):
        Path(name).write_text(ROUND)
    Path("good.txt").write_text("h8 i9\n")


def check(place: str, value: str) -> None:
    words = [word.replace("{}", value) for word in place.split(" ")]
    before = {*Path().rglob("*")}
    end = typed(words)
    made = {each for each in {*Path().rglob("*")} - before if "__pycache__" not in each.parts}
    for each in made:
        if each.is_dir():
            shutil.rmtree(each)
        elif os.path.lexists(each):
            each.unlink()
    shown = f"{words}: {end.said[-2000:]}"
    assert "Traceback" not in end.said, shown
    assert end.status in ((0, 1, 2) if words[0] in FINDS else (0, 2)), shown
    if end.status:
        assert end.said.strip(), shown
        assert not made, f"{words} left {made}"


KINDS = [
    *((PLACES, value) for value in NAMES.values()),
    *((NUMBER_PLACES, value) for value in NUMBERS),
    *((ADDRESS_PLACES, value) for value in ADDRESSES),
]
IDS = [*NAMES, *map("number {!r}".format, NUMBERS), *map("address {!r:.40}".format, ADDRESSES)]


@pytest.mark.parametrize("kind", range(len(KINDS)), ids=IDS)
def test_what_is_wrong_is_told_in_words(kind: int, folder: Path) -> None:
    places, value = KINDS[kind]
    check(places[(sweep.turn // sweep.QUARTER + kind) % len(places)], value)


@pytest.mark.slow
@pytest.mark.sweep
@pytest.mark.parametrize("kind", range(len(KINDS)), ids=IDS)
def test_what_is_wrong_is_told_in_words_wherever_it_is_typed(kind: int, folder: Path) -> None:
    places, value = KINDS[kind]
    for place in sweep.in_turn(places, kind):
        check(place, value)


PLAIN = [
    *("run round.yaml --workers 0", "run round.yaml --workers 2", "tune ../round.yaml", "plan"),
    *("report round", "compare round round", "ratings", "replay round 1"),
    *("export round --output games.sgf", "import new games.sgf", "play random_mover random_mover"),
    *("play ./mine.py random_mover", f"match {TWO}", "match ./mine.py random_mover --games 2"),
    *("engines", "engines ./mine.py", "bench random_mover --repeat 1", "check true"),
    *("check ./true", "brain random_mover --write brain", "openings check good.txt"),
    *("submit round.yaml --to " + SERVER, "init", "init new"),
]  # command lines with nothing wrong but what is around them


@pytest.mark.parametrize("command", PLAIN)
def test_a_folder_that_was_removed_is_told(command: str, tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    with chdir(gone):
        gone.rmdir()
        end = typed(command.split(" "))
    assert "Traceback" not in end.said, end.said
    assert end.status in (0, 1, 2), end.said
    assert not gone.exists()


LIMITS = ["NOFILE=3", "NOFILE=5", "NOFILE=7", "NOFILE=9", "NOFILE=12", "NOFILE=16", "NOFILE=24"]
LIMITS += ["FSIZE=0", "FSIZE=100", "FSIZE=5000", "FSIZE=30000", "FSIZE=200000"]


@pytest.mark.slow
@pytest.mark.sweep
@pytest.mark.parametrize("limit", LIMITS)
def test_a_limit_of_the_system_is_told(limit: str, tmp_path: Path) -> None:
    (tmp_path / "round.yaml").write_text(ROUND)
    (tmp_path / "good.txt").write_text("h8 i9\n")
    commands = [each.split(" ") for each in sweep.in_turn(PLAIN, LIMITS.index(limit))]
    modules = "arena.report.frames", "arena.report.live", "arena.bench"
    for words, end in zip(commands, typed_within(limit, commands, tmp_path, *modules), strict=True):
        assert "Traceback" not in end.said, (words, end.said[-3000:])
        assert end.status in ((0, 1, 2, 5) if words[0] in FINDS else (0, 2, 4, 5)), (words, end)


SHOWN = [
    *("engines", "formats", "games", "engines five_tuple", "plan --elo1 30 --seconds 1"),
    *("plan --json --elo1 30", "--help", "--version"),
    "play random_mover random_mover --game gomoku:size=5",
    *("play random_mover random_mover --game tictactoe --json", "report none", "replay ♟ 1"),
    *("check true", "run ♟.yaml", "init /dev/null", "openings check ♟.txt"),
]  # command lines that print something
STREAMS = {
    "ascii": ("", {"PYTHONIOENCODING": "ascii"}, (0, 1, 2)),
    "latin-1": ("", {"PYTHONIOENCODING": "latin-1"}, (0, 1, 2)),
    "the C locale": ("", {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}, (0, 1, 2)),
    "no output": (">&-", {}, (0, 1, 2)),
    "no streams": ("<&- >&- 2>&-", {}, (0, 1, 2)),
    "no input": ("<&-", {}, (0, 1, 2)),
    "a full disk": (">/dev/full", {}, (1, 2, 5)),
    "no home": ("", {"HOME": ""}, (0, 1, 2)),
}


@pytest.mark.slow
@pytest.mark.sweep
@pytest.mark.parametrize("stream", STREAMS)
def test_streams_of_all_kinds_are_no_fault(stream: str, tmp_path: Path) -> None:
    redirected, more, statuses = STREAMS[stream]
    environment = {**os.environ, **more}
    for words in sweep.in_turn(SHOWN, [*STREAMS].index(stream)):
        command = f"{sys.executable} -m arena {words} {redirected}"
        options = {"cwd": tmp_path, "env": environment, "stdin": subprocess.DEVNULL}
        done = finished(command, shell=True, **options)
        said = (done.stdout + done.stderr).decode(errors="replace")
        assert "Traceback" not in said, (command, said[-2000:])
        assert "Exception ignored" not in said, (command, said[-2000:])
        assert done.returncode in statuses, (command, done.returncode, said)
