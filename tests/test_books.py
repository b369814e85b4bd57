"""Openings made: balanced by the engine's own scores, none twice, and the same again."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections import Counter
from dataclasses import replace
from math import exp
from pathlib import Path

import pytest
from click.testing import CliRunner
from support.good_files import faults_of
from support.processes import running
from support.samples import Write, player

from arena.books import BookConfig, BookLine, BookProgress, OpeningMaker, make_book, read_book
from arena.cli import arena as command
from arena.errors import ConfigError
from arena.game import Position
from arena.match.copies import marks_of_text
from arena.match.opening import check_openings
from arena.match.openings import file as openings_of_file
from arena.match.play import place_opening
from arena.plugins.build import forced_win_search, threat_win_search
from arena.plugins.load import load_game
from arena.records.opening_file import opening_file

GAME = load_game("gomoku:size=9")
HASH = player(
    """
    from zlib import crc32
    mark = crc32(p.cells + bytes([p.turn]))
    moves = self.game.moves(p)
    score = mark % 1201 - 600
    return Choice(moves[mark % len(moves)], score, depth=3, nodes=limit.nodes)
    """
)
"""An engine whose scores mean nothing, but stay the same for the same position."""
BOOK = """
    kind: openings
    game: {{gomoku: {{size: 9}}}}
    engine: {engine}
    limit: {{nodes: 128}}
    scale: 0.002
    window: [0.47, 0.53]
    stones: [1, 5]
    square: 5
    count: 25
    seed: {seed}
"""


def book(write: Write, source: str = HASH, seed: int = 1) -> BookConfig:
    write(source, "engine.py")
    return read_book(write(BOOK.format(engine="./engine.py", seed=seed), "book.yaml"))


def made(config: BookConfig, path: Path, workers: int = 0) -> str:
    make_book(config, path, workers=workers)
    return path.read_text(encoding="utf-8")


def lines_of(text: str) -> list[tuple[str, int]]:
    lines = [line.split(" # ") for line in text.splitlines() if not line.startswith("#")]
    return [(moves, int(facts.split()[0])) for moves, facts in lines]


@pytest.fixture
def output(tmp_path: Path) -> Path:
    return tmp_path / "book.txt"


@pytest.mark.parametrize(
    "window",
    [pytest.param((0.47, 0.53), marks=pytest.mark.slow), (0.6, 0.7)],
    ids=["even", "first"],
)
def test_every_opening_is_in_the_window(
    write: Write, output: Path, window: tuple[float, float]
) -> None:
    found = lines_of(made(replace(book(write), window=window), output))
    assert len(found) == 25
    for moves, score in found:
        p = place_opening(GAME, moves)
        expected = 1 / (1 + exp(-0.002 * (score if p.turn == 1 else -score)))
        assert window[0] <= expected <= window[1]
        assert 2 <= p.ply <= 7


@pytest.mark.slow
def test_no_two_are_alike_and_none_is_won_by_force(write: Write, output: Path) -> None:
    config = replace(book(write), count=150, stones=(1, 3))
    made(config, output)
    found = check_openings(GAME, opening_file(output), forced_win_search(GAME))
    assert sum(found.stones.values()) == 150
    assert found.findings == []
    threat_win, fours = threat_win_search(GAME), forced_win_search(GAME)
    assert threat_win
    assert fours
    for moves, _ in lines_of(output.read_text()):
        p = place_opening(GAME, moves)
        for q in (p, replace(p, turn=3 - p.turn)):
            assert fours(q) == ()
            assert not threat_win(q)


def test_a_symmetric_position_and_another_order_of_moves_are_refused(
    write: Write, output: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn = ["4,4 3,4 4,6", "4,4 4,5 6,4", "4,6 3,4 4,4", "4,4 3,4 5,6"]

    def line(self: OpeningMaker, number: int) -> BookLine:
        text = drawn[number]
        return BookLine(text, marks_of_text(GAME, text, text)[0], 0, 1, 1, number)

    monkeypatch.setattr(OpeningMaker, "__call__", line)
    seen: list[Counter[str]] = []
    config = replace(book(write), count=2)
    made_of = make_book(
        config, output, workers=0, watch=lambda progress: seen.append(Counter(progress.refused))
    )
    assert [moves for moves, _ in lines_of(output.read_text())] == [drawn[0], drawn[3]]
    assert made_of.refused == {"double": 2}


FIVES = "4,0 0,0 4,1 0,1 4,2 0,2 4,3 8,8"
THREES = "4,3 0,0 4,4 0,8 3,5 8,0 2,5 8,8"


@pytest.mark.parametrize("turn", [1, 2])
@pytest.mark.parametrize("moves", [FIVES, THREES], ids=["four", "two threes"])
def test_a_win_by_force_of_either_side_is_seen(write: Write, moves: str, turn: int) -> None:
    maker = OpeningMaker(book(write))
    p = place_opening(GAME, moves)
    assert maker.is_forced(Position(p.cells, turn, p.moves))
    assert not maker.is_forced(place_opening(GAME, "4,4 5,5 2,3"))


def test_the_file_is_the_same_by_any_workers_for_one_seed(write: Write, tmp_path: Path) -> None:
    config = book(write)
    texts = [made(config, tmp_path / f"{n}.txt", workers=n) for n in (0, 1, 2)]
    assert texts[0] == texts[1] == texts[2]
    other = made(book(write, seed=2), tmp_path / "other.txt")
    assert not {moves for moves, _ in lines_of(texts[0])} & {moves for moves, _ in lines_of(other)}


def test_no_search_depends_on_those_before_it(write: Write, tmp_path: Path) -> None:
    """The engine's scores change from search to search, but not from game to game."""
    learning = HASH.replace("seed):\n        pass", "seed):\n        self.searches = 0")
    learning = learning.replace(
        "from zlib", "self.searches += 1\n        p = self.game.play(p, self.game.moves(p)[0]) "
        "if self.searches > 1 else p\n        from zlib"
    )  # fmt: skip
    texts = [
        made(book(write, source), tmp_path / f"{name}.txt")
        for name, source in (("learning", learning), ("plain", HASH))
    ]
    assert lines_of(texts[0]) == lines_of(texts[1])


def test_of_moves_equally_near_it_is_not_always_the_first(write: Write, output: Path) -> None:
    level = HASH.replace("mark % 1201 - 600", "0")
    config = replace(book(write, level), stones=(1, 1), square=2)
    firsts = 0
    for moves, _ in lines_of(made(config, output)):
        stone, added = map(GAME.parse, moves.split())
        row, column = divmod(stone, 9)
        firsts += divmod(added, 9) == (max(row - 2, 0), max(column - 2, 0))
    assert firsts < 10


def test_more_are_added_to_those_that_are_there(write: Write, tmp_path: Path) -> None:
    config, output = book(write), tmp_path / "book.txt"
    few = made(replace(config, count=7), output)
    whole = made(config, tmp_path / "whole.txt")
    assert whole.startswith(few)
    assert made(config, output) == whole
    assert made(replace(config, count=3), output) == whole  # there are more already


SLOW = HASH.replace("from zlib", "time.sleep(0.002)\n        from zlib")


def begun_and_ended_by(number: int, output: Path, workers: int) -> tuple[int, str]:
    """The exit status and errors of the command, which this signal ended after three openings."""
    words = [sys.executable, "-m", "arena", "openings", "make", "book.yaml"]
    words += ["--output", output.name, "--workers", str(workers), "--force"]
    with running(words, cwd=output.parent, stderr=subprocess.PIPE, text=True) as process:
        while process.poll() is None:
            if output.exists() and len(lines_of(output.read_text())) > 2:
                process.send_signal(number)
                break
            time.sleep(0.01)
        _, told = process.communicate()
        return process.returncode, told


@pytest.mark.slow
def test_ctrl_c_says_how_to_go_on(write: Write, output: Path) -> None:
    book(write, SLOW)
    code, told = begun_and_ended_by(signal.SIGINT, output, workers=1)
    assert code == 130
    wanted = "arena openings make book.yaml --output book.txt --workers 1 --force"
    assert told.splitlines()[-1] == f"Stopped. To go on: {wanted}"


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 2])
def test_it_goes_on_after_it_was_killed(write: Write, tmp_path: Path, workers: int) -> None:
    config, output = book(write, SLOW), tmp_path / "killed.txt"
    begun_and_ended_by(signal.SIGKILL, output, workers)
    text = output.read_text()
    assert 2 < len(lines_of(text)) < 25
    # As if it had been killed in the midst of a line.
    output.write_text(text + "4,4 3,")
    assert made(config, output, workers) == made(book(write), tmp_path / "whole.txt")


def test_a_worker_that_is_killed_is_replaced(write: Write, tmp_path: Path) -> None:
    mortal = HASH.replace(
        "from zlib",
        f"mark = {str(tmp_path / 'died')!r}\n"
        "        if p.ply > 3 and not os.path.exists(mark):\n"
        "            open(mark, 'w').close()\n"
        "            os.kill(os.getpid(), 9)\n"
        "        from zlib",
    )
    whole = made(book(write), tmp_path / "whole.txt")
    assert (
        made(book(write, mortal), tmp_path / "mortal.txt", workers=1).splitlines()[3:]
        == (whole.splitlines()[3:])
    )
    assert (tmp_path / "died").exists()


def test_an_engine_that_always_dies_ends_it(write: Write, output: Path) -> None:
    config = book(write, HASH.replace("from zlib", "p.ply > 2 and os._exit(3)\n        from zlib"))
    with pytest.raises(ConfigError, match=r"3 processes have ended at number .*, exit code 3"):
        make_book(config, output, workers=1)


@pytest.mark.parametrize("workers", [0, 1])
@pytest.mark.parametrize(
    ("good", "bad", "fault"),
    [
        ("score, depth=3", "None, depth=3", "gives no score with its move"),
        ("return Choice", "return 1 // 0 or Choice", "fails after .*ZeroDivisionError"),
        ("Choice(moves[mark % len(moves)]", "Choice(-1", "has no legal move after"),
    ],
)
def test_useless_engines(
    write: Write, output: Path, workers: int, good: str, bad: str, fault: str
) -> None:
    with pytest.raises(ConfigError, match=fault):
        make_book(book(write, HASH.replace(good, bad)), output, workers=workers)


def test_a_file_of_something_else_is_left_alone(write: Write, output: Path) -> None:
    output.write_text("4,4 4,5\n")
    for fresh in (False, True):
        with pytest.raises(ConfigError, match="is there already, and not of book"):
            make_book(book(write), output, workers=0, fresh=fresh)
    assert output.read_text() == "4,4 4,5\n"
    output.unlink()
    first = make_book(book(write), output, workers=0, fresh=True)
    assert first.is_over
    with pytest.raises(ConfigError, match="by other settings"):
        make_book(book(write, seed=2), output, workers=0)
    output.write_text(output.read_text() + "something else\n")
    with pytest.raises(ConfigError, match=r"book.txt:29: is no line of a book"):
        make_book(book(write), output, workers=0)


def test_a_header_that_was_half_written_is_written_anew(write: Write, tmp_path: Path) -> None:
    whole = made(book(write), tmp_path / "whole.txt")
    begun = tmp_path / "begun.txt"
    begun.write_text(whole[:70])
    assert made(book(write), begun) == whole


def test_vain_draws_end_it(write: Write, output: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.books.MOST_IN_VAIN", 20)
    config = replace(book(write), scale=0.002, window=(0.49999, 0.50001))
    with pytest.raises(ConfigError, match=r"only 2 openings were found, not 25: the last 20 draws"):
        make_book(config, output, workers=0)


def test_it_stops_when_it_is_told_to(write: Write, output: Path) -> None:
    seen: list[BookProgress] = []
    progress = make_book(
        book(write), output, workers=0, watch=seen.append, stop=lambda: len(seen) == 4
    )
    assert progress.draws == 4
    assert not progress.is_over


HOSTILE = """
kind: openings
name: a/b
game: {gomoku: {size: 4}}
engine: {engine: strong, levle: 5, limit: {nodes: 5}}
limit: {clock: "10+1"}
scale: 0
window: [0.6, 0.4]
stones: [2]
square: 1
count: many
seed: 1.5
colour: red
"""


def test_all_faults_of_a_file_are_told_at_once(write: Write) -> None:
    file = write(HOSTILE, "hostile.yaml")
    found = [fault.removeprefix("hostile.yaml:") for fault in faults_of(read_book, file)]
    assert [each.split(": ")[0] for each in found] == [
        "2:7", "3:23", "4:26", "4:36", "5:16", "6:8", "7:9", "8:9", "9:9", "10:8", "11:7", "12:1",
    ]  # fmt: skip
    assert found[7] == "8:9: stones must be [least, greatest], not [2]"


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("limit: {}", "4:8: give nodes, depth or seconds"),
        ("square: 12", "square must be at most 9, the board's size"),
        ("stones: [1, 20]", "20 stones leave less than half of a square of 5 x 5 points"),
        ("engine: 7", "must be {engine: name, parameter: value}, not 7"),
        ("game: two_eat_one", "2:7: openings are of stones that are put down"),
        ("kind: tournament", "kind must be 'openings'"),
        ("window: []", "6:9: window must be [least, greatest], not []"),
        ("window: [0.5, 1.5]", "6:15: window[1] must be less than 1, not 1.5"),
    ],
)
def test_a_single_fault_is_told_with_its_place(write: Write, line: str, fault: str) -> None:
    write(HASH, "engine.py")
    text = BOOK.format(engine="./engine.py", seed=1)
    key = line.split(":")[0]
    text = "\n".join(line if each.strip().startswith(f"{key}:") else each.strip()
                     for each in text.splitlines())  # fmt: skip
    assert fault in "\n".join(faults_of(read_book, write(text, "one.yaml")))


def test_a_tournament_is_no_file_that_makes_openings(write: Write) -> None:
    with pytest.raises(ConfigError, match="this is a tournament: arena run"):
        read_book(write("game: gomoku\nengines: []\n", "round.yaml"))


def test_the_command_writes_the_file_and_a_tournament_reads_it(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    book(write)
    monkeypatch.chdir(tmp_path)
    call = ["openings", "make", "book.yaml", "--workers", "0", "--count", "5"]
    for _ in range(2):
        told = CliRunner().invoke(command, call).stdout.splitlines()
        assert told[0] == "5 openings in book.txt"
        assert len(list(openings_of_file.openings(GAME, path="book.txt"))) == 5
    assert told[1] == "To use them: openings: {file: {path: book.txt}}"
