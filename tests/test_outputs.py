"""What commands are told to write: what is there, and is not of that form, is never lost by it.

Every option and argument that writes is pointed at every kind of thing that may be there.
"""

from __future__ import annotations

import os
import shlex
import shutil
import socket
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import chdir, closing, contextmanager, suppress
from pathlib import Path

import pytest
from support import sweep
from support.samples import ROUND
from support.studies import COIN
from support.typed import typed, typed_within

from arena.config.shipped import CONFIGS

BRAIN = """
import sys
for line in sys.stdin:
    print("OK" if line.startswith(("START", "RESTART")) else "ERROR", flush=True)
"""
FILE_WRITERS = [
    "export kept -o {}",
    *(f"export kept --format {form} -o {{}}" for form in ("psq", "jsonl", "openings")),
    *(f"report kept --format {form} -o {{}}" for form in ("table", "html", "json", "markdown")),
    *(f"report kept --format {form} --frame pairs -o {{}}" for form in ("csv", "parquet", "table")),
    "compare kept kept --format html -o {}",
    "compare kept kept -o {}",
    "brain random_mover --write {}",
    "openings make book.yaml --count 1 --workers 0 --output {}",
    "openings make book.yaml --count 1 --workers 0 --fresh --output {}",
]
FOLDER_WRITERS = [
    "report kept --format parquet -o {}",
    "match 'python3 brain.py' random_mover --games 2 --workers 0 --log {}",
    *("run round.yaml --workers 0 --results {}", "run round.yaml --workers 0 --fresh --results {}"),
    "import taken kept.sgf --game gomoku --results {}",
    *("play human random_mover --game gomoku:size=5 --results {}", "init {}"),
]
FILES = ["results/kept/arena.db", "results/kept/config.yaml", "results/kept/lock", "round.yaml"]
FILES += ["engine.py", "openings.txt", "notes.md", "numbers.json"]
ODD = ["pipe", "read_pipe", "socket", "loop", "/dev/full", "sealed/x"]
ABSENT = ["results/kept/arena.db-wal", "results/kept/stop", "x.zip", "x.yaml", "x.db"]
"""Names that nothing is to be written by."""
CASES = [
    *((writer, target) for target in [*FILES, *ODD] for writer in FILE_WRITERS + FOLDER_WRITERS),
    *((writer, target) for target in [*ABSENT, "folder"] for writer in FILE_WRITERS),
]


def contents(folder: Path) -> Mapping[Path, bytes]:
    files = [each for each in folder.rglob("*") if not each.is_dir()]
    return {each: each.read_bytes() if each.is_file() else b"" for each in files}


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("outputs")
    with chdir(folder):
        for name, text in {
            **dict.fromkeys(("kept.yaml", "round.yaml"), ROUND),
            "engine.py": COIN,
            "brain.py": BRAIN,
            "book.yaml": (CONFIGS / "book_freestyle15.yaml").read_text(),
            "openings.txt": "# of mine\n7,7 7,8\n",
            "notes.md": "## Notes\n\nof mine\n",
            "numbers.json": '{"mine": 1}\n',
        }.items():
            Path(name).write_text(text)
        assert typed(["run", "kept.yaml", "--workers", "0"]).status == 0
        assert typed(["export", "kept", "-o", "kept.sgf"]).status == 0
    return folder


@pytest.fixture(name="here")
def fixture_here(played: Path, tmp_path: Path) -> Iterator[Path]:
    """A copy of it, which is the current folder, with things that are no files."""
    place = tmp_path / "here"
    shutil.copytree(played, place)
    with chdir(place), closing(socket.socket(socket.AF_UNIX)) as listener:
        for pipe in ("pipe", "read_pipe"):
            os.mkfifo(pipe)
        listener.bind("socket")
        os.symlink("loop", "loop")
        os.mkdir("folder")
        os.mkdir("sealed", 0o500)
        with read_all(Path("read_pipe")):
            yield place


@contextmanager
def read_all(pipe: Path) -> Iterator[bytearray]:
    found, is_over = bytearray(), threading.Event()
    descriptor = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)

    def read() -> None:
        while not is_over.is_set():
            with suppress(BlockingIOError):
                if more := os.read(descriptor, 1 << 16):
                    found.extend(more)
                    continue
            time.sleep(0.001)

    thread = threading.Thread(target=read)
    thread.start()
    try:
        yield found
    finally:
        time.sleep(0.01)
        is_over.set()
        thread.join()
        os.close(descriptor)


def expected(writer: str, target: str) -> int:
    is_written_on = writer in FILE_WRITERS and "openings make" not in writer
    if is_written_on and target in ("read_pipe", "/dev/full"):
        return 0 if target == "read_pipe" else 5
    return 0 if target == "folder" and writer.startswith("export") else 2


def check(writer: str, target: str, here: Path) -> None:
    """Nothing is lost, and a refusal is one line, which names the file."""
    if target.startswith("sealed") and os.access("sealed", os.W_OK):
        pytest.skip("this user may write everywhere")
    if target == "/dev/full" and not Path(target).exists():
        pytest.skip("there is no /dev/full here")
    before = contents(here)
    end = typed([word.format(target) for word in shlex.split(writer)])
    after = contents(here)
    told = (writer, target, end.said)
    assert end.status == expected(writer, target), told
    assert {file: after.get(file) for file in before} == before, told
    if end.status:
        # That --fresh clears a folder is said before anything goes, and so before a refusal.
        (line,) = end.said.removeprefix("What was played before goes, by --fresh\n").splitlines()
        assert target in line, told
        assert after.keys() == before.keys(), told


@pytest.mark.parametrize(("writer", "target"), CASES[:: len(CASES) // 8])
def test_some_that_are_told_to_write_lose_nothing(writer: str, target: str, here: Path) -> None:
    check(writer, target, here)


@pytest.mark.slow
@pytest.mark.sweep
@pytest.mark.parametrize("target", [*FILES, *ODD, *ABSENT, "folder"])
def test_all_that_are_told_to_write_lose_nothing(target: str, here: Path) -> None:
    turn = [*FILES, *ODD, *ABSENT, "folder"].index(target)
    for writer in sweep.in_turn([writer for writer, at in CASES if at == target], turn):
        check(writer, target, here)


def test_a_file_of_the_form_is_replaced_and_keeps_its_rights(here: Path) -> None:
    for number, writer in enumerate(FILE_WRITERS[:14]):
        file = Path(f"file{number}")
        words = shlex.split(writer.format(file))
        assert typed(words).status == 0
        content = file.read_bytes()
        file.write_bytes(content + b"more")
        file.chmod(0o740)
        Path("link").symlink_to(file)
        assert typed(shlex.split(writer.format("link"))).status == 0, writer
        assert (file.read_bytes(), file.stat().st_mode & 0o777) == (content, 0o740), writer
        assert Path("link").is_symlink()
        Path("link").unlink()


def test_what_stood_there_stays_where_the_new_does_not_fit(here: Path) -> None:
    before = Path("kept.sgf").read_bytes()
    words = [["export", "kept", "-o", "kept.sgf"], ["export", "kept", "-o", "new.sgf"]]
    for end, (*_, file) in zip(typed_within("FSIZE=300", words, here), words, strict=True):
        assert end.status == 5
        assert end.said.startswith(f"{file}: the disk takes no more")
    assert Path("kept.sgf").read_bytes() == before
    assert not [*Path().glob("*new.sgf*")]


def test_an_output_that_is_open_here_is_written_on(here: Path) -> None:
    with open("all.sgf", "wb") as out:
        out.write(b"before\n")
        out.flush()
        assert typed(["export", "kept", "-o", f"/dev/fd/{out.fileno()}"]).status == 0
        out.write(b"after\n")
    assert Path("all.sgf").read_bytes() == b"before\n" + Path("kept.sgf").read_bytes() + b"after\n"


def test_a_pipe_gets_what_a_file_would(here: Path) -> None:
    os.mkfifo("games")
    with read_all(Path("games")) as found:
        assert typed(["export", "kept", "-o", "games"]).status == 0
    assert found == Path("kept.sgf").read_bytes()


def test_no_config_of_the_users_own_is_taken_for_that_of_a_run(here: Path) -> None:
    Path("round").mkdir()
    for words in ([], ["--fresh"]):
        Path("round/config.yaml").write_text(ROUND)
        end = typed(["run", "round.yaml", "--workers", "0", "--results", ".", *words])
        assert (end.status, "round/config.yaml: is there already" in end.said) == (2, True)
        assert Path("round/config.yaml").read_text() == ROUND
