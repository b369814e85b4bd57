"""Openings: drawn at random, from files and from books that come along; quiet and distinct."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from support.samples import ROOT, ROUND, Write

import arena
from arena import ConfigError, load_game
from arena.books import header, read_book
from arena.commands.init import init
from arena.config.reader import read_config
from arena.game import Game, symmetries
from arena.match.copies import marks_of_text
from arena.match.opening import Openings, fault_of
from arena.match.openings import book, file as files, random
from arena.match.openings.book import BOOKS, books, game_of_book
from arena.match.play import place_opening
from arena.plugins.load import Named

GAME = load_game("gomoku:size=15")


def turned(cells: bytes, size: int) -> bytes:
    return bytes(
        cells[(size - 1 - column) * size + row] for row in range(size) for column in range(size)
    )


def mirrored(cells: bytes, size: int) -> bytes:
    return b"".join(cells[row * size : (row + 1) * size][::-1] for row in range(size))


def test_the_eight_symmetries_are_those_of_the_square() -> None:
    for size in (3, 4, 15):
        cells = bytes(i * 7 % 251 for i in range(size * size))
        by_hand = images(cells, size)
        assert {bytes(cells[i] for i in order) for order in symmetries(size)} == by_hand
        assert len(by_hand) == 8


def images(cells: bytes, size: int) -> set[bytes]:
    found = set()
    for _ in range(4):
        cells = turned(cells, size)
        found |= {cells, mirrored(cells, size)}
    return found


@pytest.mark.parametrize("plies", [1, 4, 9])
def test_they_are_distinct_quiet_and_near_the_centre(plies: int) -> None:
    count = 8 if plies == 1 else 60
    openings = list(random.openings(GAME, plies=plies, count=count, seed=3))
    shapes = set()
    for opening in openings:
        p = place_opening(GAME, opening)
        assert p.ply == plies
        assert GAME.is_quiet(p)  # type: ignore[attr-defined]
        numbers = [int(number) for number in re.findall(r"\d+", opening)]
        assert all(4 <= number <= 10 for number in numbers)
        shapes.add(min(images(p.cells, 15)))
    assert len(shapes) == count


@pytest.mark.parametrize(
    ("size", "plies", "spread", "count"),
    # The first three are all that there are, counted by hand.
    [(15, 1, 3, 10), (8, 1, 2, 6), (9, 2, 1, 12), (7, 3, 2, 600), (8, 4, 1, 900), (9, 4, 2, 900)],
)
def test_what_is_the_same_turned_comes_once(size: int, plies: int, spread: int, count: int) -> None:
    game = load_game(f"gomoku:size={size}")
    openings = random.openings(game, plies=plies, spread=spread, count=count, seed=1)
    boards = [place_opening(game, opening).cells for opening in openings]
    assert len({min(images(cells, size)) for cells in boards}) == count


def test_the_seed_decides_and_a_larger_count_only_adds() -> None:
    few, many = (list(random.openings(GAME, count=count, seed=5)) for count in (5, 50))
    assert many[:5] == few
    assert list(random.openings(GAME, count=5, seed=6)) != few


def test_a_part_shares_what_the_whole_has_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    source = iter("abcdef")
    monkeypatch.setattr(random, "openings", lambda game, *, count, skip=0: source)
    whole = Openings(Named("random", {"count": 6}), Named("gomoku"))
    assert list(whole.part(3, 3)) == ["d", "e", "f"]
    assert whole.part(3, 3).source.parameters == {"count": 3, "skip": 3}
    assert list(whole.part(1, 2)) == ["b", "c"]
    assert list(whole) == list("abcdef")


def test_a_source_that_ends_too_early_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(random, "openings", lambda game, *, count: iter("abc"))
    whole = Openings(Named("random", {"count": 5}), Named("gomoku"))
    for _ in range(2):
        with pytest.raises(ConfigError, match="random has 3 openings, not 4"):
            list(whole)


def test_no_more_are_drawn_than_are_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    source = iter("abcdef")
    monkeypatch.setattr(random, "openings", lambda game, *, count: source)
    found = Openings(Named("random", {"count": 5}), Named("gomoku"))
    assert (len(found), found[1], found[0]) == (5, "b", "a")
    assert next(source) == "c"
    assert found[:3] == ["a", "b", "d"]
    assert found[-1] == "f"
    with pytest.raises(IndexError):
        found[5]


def test_on_a_board_of_even_size_the_centre_has_four_cells() -> None:
    numbers = {
        int(number)
        for opening in random.openings(load_game("gomoku:size=20"), count=200, spread=1)
        for number in re.findall(r"\d+", opening)
    }
    assert numbers == {8, 9, 10, 11}


def test_no_plies_is_the_empty_board_once() -> None:
    game = load_game("gomoku:size=5")
    assert list(random.openings(game, plies=0, count=1)) == [""]
    with pytest.raises(ConfigError, match=r"only 1 quiet opening of 0 plies .* not 2"):
        list(random.openings(game, plies=0, count=2))


def test_they_work_on_any_game() -> None:
    game = load_game("tictactoe")
    assert len(set(random.openings(game, plies=1, count=3))) == 3
    with pytest.raises(ConfigError, match="not 4"):
        list(random.openings(game, plies=1, count=4))


@pytest.mark.parametrize(
    ("opening", "expected"),
    [
        ("7,7 7,8", None),
        ("", None),
        ("7,7 7,7", "7,7 is not legal after 1 moves"),
        ("7,7 20,1", "off the board"),
        ("h8", "write it as"),
        ("0,0 9,0 0,1 9,1 0,2 9,2 0,3 9,3 0,4", "over before an engine moves"),
        ("0,0 9,0 0,1 9,1 0,2 9,2 0,3 9,3 0,4 9,4", "over before 9,4"),
    ],
)
def test_an_explicit_opening_must_leave_a_game_to_play(opening: str, expected: str | None) -> None:
    found = fault_of(GAME, opening)
    assert (found is None) if expected is None else (expected in (found or ""))


TEXTS = [f"7,7 7,{column} {row},2" for column in range(8, 14) for row in range(3, 7)]
CONFIG = """
    name: kept
    game: {{gomoku: {{size: 15}}}}
    openings: {{file: {{path: openings.txt{}}}}}
    max_plies: 8
    engines:
      - {{name: one, engine: random_mover}}
      - {{name: two, engine: random_mover}}
"""


@pytest.fixture
def path(tmp_path: Path) -> str:
    file = tmp_path / "openings.txt"
    file.write_text("\n".join(TEXTS), encoding="utf-8")
    return str(file)


def start_marks(game: Game, texts: list[str]) -> set[str]:
    return {marks_of_text(game, text, text)[0] for text in texts}


def test_they_come_as_in_the_file_from_a_start_on(path: str) -> None:
    assert list(files.openings(GAME, path=path)) == TEXTS
    assert list(files.openings(GAME, path=path, start=20)) == TEXTS[20:]
    assert list(files.openings(GAME, path=path, start=3, count=5)) == TEXTS[3:8]


def test_the_whole_file_is_shuffled_before_some_are_taken(path: str) -> None:
    whole = list(files.openings(GAME, path=path, order="random", seed=5))
    assert sorted(whole) == sorted(TEXTS)
    assert whole != TEXTS
    assert (
        list(files.openings(GAME, path=path, order="random", seed=5, start=4, count=6))
        == whole[4:10]
    )
    assert list(files.openings(GAME, path=path, order="random", seed=6)) != whole


def test_each_is_turned_by_a_symmetry_of_its_own_from_the_seed(path: str) -> None:
    turned = list(files.openings(GAME, path=path, transform=True, seed=1))
    assert [start_marks(GAME, [text]) for text in turned] == [
        start_marks(GAME, [text]) for text in TEXTS
    ]
    assert len({text.split()[1].split(",")[0] == "7" for text in turned}) == 2
    assert list(files.openings(GAME, path=path, transform=True, seed=1, start=7)) == turned[7:]
    assert list(files.openings(GAME, path=path, transform=True, seed=2)) != turned


@pytest.mark.parametrize(
    ("values", "fault"),
    [
        ({"count": 25}, "there are 24 openings, not 25"),
        ({"start": 20, "count": 5}, "there are 4 openings after the first 20, not 5"),
        ({"start": 24}, "there are 0 openings after the first 24"),
    ],
)
def test_more_than_there_are_is_a_fault(path: str, values: dict[str, int], fault: str) -> None:
    with pytest.raises(ConfigError) as caught:
        list(files.openings(GAME, path=path, **values))  # type: ignore[arg-type]
    assert str(caught.value) == f"{path}: {fault}"


def config_faults(write: Write, more: str = "") -> list[str]:
    with pytest.raises(ConfigError) as caught:
        read_config(write(CONFIG.format(more), "kept.yaml"))
    folder = f"{write('', 'kept').parent}/"
    return [str(fault).replace(folder, "") for fault in caught.value.faults]


def test_a_fault_tells_the_place_in_both_files(write: Write) -> None:
    write("7,7 7,8\n7,7 7,7\n7,7 7,15\n7,7 8,8\n", "openings.txt")
    assert config_faults(write) == [
        "kept.yaml:3:18: openings.txt:3: '7,15' is off the board: rows and columns go from 0 to 14"
    ]
    write("7,7 7,8\n7,7 7,7\n\n7,7 7,8\n1,1 2,2 1,2 2,3 1,3 2,4 1,4 5,5\n", "openings.txt")
    assert config_faults(write) == [
        "kept.yaml:3:11: openings.txt:2: opening '7,7 7,7': 7,7 is not legal after 1 moves",
        "kept.yaml:3:11: openings.txt:4: opening '7,7 7,8' stands here twice, "
        "first at openings.txt:1",
        "kept.yaml:3:11: openings.txt:5: opening '1,1 2,2 1,2 2,3 1,3 2,4 1,4 5,5': "
        "its 8 plies leave none of max_plies 8",
    ]


def test_a_missing_file_and_wrong_keys_are_faults_of_the_yaml(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "openings.txt").write_text("7,7 7,8", encoding="utf-8")
    monkeypatch.chdir(elsewhere)
    assert config_faults(write) == ["kept.yaml:3:18: openings.txt: no such file"]
    assert config_faults(write, ", order: up, count: 0") == [
        "kept.yaml:3:46: order must be 'file' or 'random', not 'up'",
        "kept.yaml:3:57: count must be at least 1, not 0",
    ]


def test_a_run_goes_on_without_the_file_and_takes_more(write: Write, tmp_path: Path) -> None:
    openings = write("\n".join(TEXTS[:3]), "openings.txt")
    config = write(CONFIG.format(""), "kept.yaml")
    run = arena.run(config, workers=0, results=tmp_path)
    assert len(run.records()) == 6
    openings.write_text("\n".join(TEXTS[:4]), encoding="utf-8")
    again = arena.run(config, workers=0, results=tmp_path)
    assert [record for _, record in again.records()][:6] == [record for _, record in run.records()]
    assert len(again.records()) == 8
    openings.unlink()
    assert len(arena.open_run("kept", results=tmp_path).records()) == 8
    openings.write_text("\n".join(TEXTS[1:7]), encoding="utf-8")
    with pytest.raises(ConfigError, match="openings: a list of "):
        arena.run(config, workers=0, results=tmp_path)


LEAST = 1500  # Openings of each book


def test_there_is_a_book_for_each_file_that_makes_one() -> None:
    makers = {file.stem.removeprefix("book_") for file in (ROOT / "configs").glob("book_*.yaml")}
    assert makers == set(books())


def test_the_help_of_init_names_all_books() -> None:
    assert {*books()} <= {*re.findall(r"\w+", init.help or "")}


@pytest.mark.parametrize("name", books())
def test_every_opening_of_a_book_can_be_played_on(name: str) -> None:
    of = game_of_book(BOOKS / f"{name}.txt")
    assert of
    game = load_game(of)
    for opening in book.openings(game, name=name):
        assert fault_of(game, opening) is None, opening


@pytest.mark.parametrize("name", books())
def test_a_book_was_made_by_the_file_of_its_name(name: str) -> None:
    config = read_book(ROOT / f"configs/book_{name}.yaml")
    text = (BOOKS / f"{name}.txt").read_text(encoding="utf-8")
    assert text.startswith(header(config))
    assert text.count("\n") - header(config).count("\n") >= LEAST
    assert game_of_book(BOOKS / f"{name}.txt")
    assert list(book.openings(load_game(config.game), name=name, count=1)), "of another game"


def test_a_tournament_takes_a_book_by_its_name(write: Write) -> None:
    rest = "\n".join(line for line in ROUND.splitlines() if "openings:" not in line)
    rest = rest.replace("size: 7", "size: 15")
    line = "openings: {book: {name: freestyle15, start: 2, count: 3}}"
    config = read_config(write(f"    {line}\n{rest}"))
    assert list(config.openings) == list(book.openings(GAME, name="freestyle15"))[2:5]


def test_a_book_of_another_game_is_refused_with_the_one_that_fits() -> None:
    with pytest.raises(ConfigError, match="'renju15' is of another game; for it there is freest"):
        list(book.openings(GAME, name="renju15"))
    with pytest.raises(ConfigError, match="of another game, for which there is none"):
        list(book.openings(load_game("gomoku:size=19"), name="renju15"))


def test_a_name_that_is_no_books_is_told_with_the_nearest() -> None:
    with pytest.raises(ConfigError, match="unknown book 'freestile15'; did you mean 'freestyle15'"):
        list(book.openings(GAME, name="freestile15"))
    with pytest.raises(ConfigError, match="unknown book 'balanced15'"):
        list(book.openings(GAME, name="balanced15"))


@pytest.mark.parametrize(
    "text",
    ["", "7,7 7,8\n", "# Openings made by hand.\n# {game: [}\n", "# Openings made by x\n# 3"],
)
def test_a_file_without_a_books_head_is_of_no_known_game(text: str, tmp_path: Path) -> None:
    (tmp_path / "openings.txt").write_text(text, encoding="utf-8")
    assert game_of_book(tmp_path / "openings.txt") is None
