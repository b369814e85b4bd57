"""Engines that travel to other machines: which files go along, and where they are found there."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from support.samples import Write, player

from arena import ConfigError
from arena.cluster.shipping import MOST_FILES, Shipment, ShippedTree, shipment_of
from arena.config.reader import read_config
from arena.config.settings import Player, changes, player_data, terms_data
from arena.match.terms import Terms
from arena.plugins.build import load_engine
from arena.plugins.load import Named, load_game

ENGINE = "from weights import CELL\n" + player("return Choice(CELL)")
SHIP = {"ship": True}
BRAIN = "#!/bin/sh\necho brain\n"


@pytest.fixture
def two_versions(write: Write, tmp_path: Path) -> list[Player]:
    """One engine in two folders, which differ in a module that it imports."""
    for name, cell in (("old", 3), ("new", 4)):
        (tmp_path / name).mkdir()
        write(ENGINE, f"{name}/mine.py")
        write(f"CELL = {cell}\n", f"{name}/weights.py")
        write("THIS IS NOT IMPORTED\n", f"{name}/notes.py")
    entries = [f"{{name: {name}, engine: ./{name}/mine.py}}" for name in ("old", "new")]
    file = write("game: gomoku\nengines:\n" + "".join(f"  - {each}\n" for each in entries))
    return list(read_config(file).players)


def chosen(player: Player) -> int | None:
    """The move of an engine in a process that reads it for the first time."""
    from arena.engine import Limit

    game = load_game("gomoku")
    engine = load_engine(player.engine, game)
    return engine.choose(game.start(), Limit()).move


def test_an_engine_takes_along_what_it_imports_alone(two_versions: list[Player]) -> None:
    (tree,) = trees_of_one(two_versions[0])
    assert sorted(tree.files) == ["mine.py", "weights.py"]


def trees_of_one(player: Player) -> tuple[ShippedTree, ...]:
    return shipment_of([player]).trees


def test_two_versions_live_side_by_side(two_versions: list[Player], tmp_path: Path) -> None:
    folder = tmp_path / "there"
    manifest = shipment_of(two_versions).unpack(folder)
    assert len(list(folder.iterdir())) == 2
    moved = list(map(manifest.moved_player, two_versions))
    assert all(Path(each.engine.name).is_relative_to(folder) for each in moved)
    for each in ("old", "new"):
        (tmp_path / each / "mine.py").unlink()
    assert [chosen(each) for each in moved] == [3, 4]


def test_the_folder_is_named_by_all_that_is_in_it() -> None:
    files = {"mine.py": b"1", "weights.py": b"2"}
    names = {
        ShippedTree("/a", files).digest,
        ShippedTree("/a", {**files, "weights.py": b"3"}).digest,
        ShippedTree("/a", {"mine.py": b"1", "weight.py": b"2"}).digest,
        ShippedTree("/a", files, frozenset(["mine.py"])).digest,
    }
    assert len(names) == 4
    assert ShippedTree("/b", dict(reversed(files.items()))).digest in names


def test_an_engine_travels_as_it_was_read(two_versions: list[Player], tmp_path: Path) -> None:
    (tmp_path / "old" / "weights.py").write_text("CELL = 99\n")
    (tree,) = trees_of_one(two_versions[0])
    assert tree.files["weights.py"] == b"CELL = 3\n"


def test_what_is_there_is_not_written_again(two_versions: list[Player], tmp_path: Path) -> None:
    shipment, folder = shipment_of(two_versions), tmp_path / "there"
    shipment.unpack(folder)
    before = {file: file.stat().st_mtime_ns for file in folder.rglob("*")}
    shipment.unpack(folder)
    assert {file: file.stat().st_mtime_ns for file in folder.rglob("*")} == before


def test_an_engine_of_the_project_needs_no_files() -> None:
    assert shipment_of([Player("one", Named("five_tuple", {}))]) == Shipment()


def brain(folder: Path, **given: object) -> Player:
    (folder / "data").mkdir(parents=True)
    program = folder / "pbrain-mine"
    program.write_text(BRAIN)
    program.chmod(0o755)
    (folder / "data" / "weights.bin").write_bytes(b"\0\1")
    return Player("mine", Named("gomocup", {"command": str(program), **given}))


def test_a_program_stays_unless_it_is_to_be_shipped(tmp_path: Path) -> None:
    assert shipment_of([brain(tmp_path / "brain")]) == Shipment()


def test_a_shipped_program_takes_its_folder_along_and_stays_executable(tmp_path: Path) -> None:
    mine = brain(tmp_path / "brain", ship=True)
    folder = tmp_path / "there"
    manifest = shipment_of([mine]).unpack(folder)
    command = Path(str(manifest.moved_player(mine).engine.parameters["command"]))
    assert command.is_relative_to(folder)
    assert os.access(command, os.X_OK)
    assert (command.parent / "data" / "weights.bin").read_bytes() == b"\0\1"
    assert not os.access(command.parent / "data" / "weights.bin", os.X_OK)


def test_an_interpreter_stays_and_what_it_runs_is_shipped(tmp_path: Path) -> None:
    mine = brain(tmp_path / "brain")
    program = str(mine.engine.parameters["command"])
    command = ["/usr/bin/python3", "-u", program]
    (tree,) = trees_of_one(Player("mine", Named("gomocup", {"command": command, "ship": True})))
    assert tree.root == str(tmp_path / "brain")
    assert sorted(tree.files) == ["data/weights.bin", "pbrain-mine"]


def test_a_template_travels_whether_or_not_the_program_does(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text("depth = {depth}")
    mine = brain(tmp_path / "brain", template=str(tmp_path / "a.toml"))
    moved = shipment_of([mine]).unpack(tmp_path / "there").moved_player(mine).engine.parameters
    assert Path(str(moved["template"])).read_text() == "depth = {depth}"
    assert moved["command"] == mine.engine.parameters["command"]


def test_a_folder_of_many_files_is_no_programs(tmp_path: Path) -> None:
    mine = brain(tmp_path / "brain", ship=True)
    for number in range(MOST_FILES):
        (tmp_path / "brain" / str(number)).touch()
    with pytest.raises(ConfigError, match="give the program a folder of its own"):
        shipment_of([mine])


def test_to_ship_a_program_of_the_system_is_a_fault_of_the_file(write: Write) -> None:
    engines = "engines: [{name: a, engine: gomocup, command: cat, ship: true}, {engine: balance}]"
    with pytest.raises(ConfigError, match=r"round.yaml:\d+:\d+: the command names no file"):
        read_config(write(f"game: gomoku\n{engines}\n"))


def test_a_run_goes_on_when_its_program_is_to_be_shipped_from_now_on(tmp_path: Path) -> None:
    mine = brain(tmp_path / "brain")
    terms = {**terms_data(Terms(game=Named("gomoku", {}))), "openings": {"list": ["4,4"]}}
    before, after = ({**terms, "engines": [{**player_data(mine), **more}]} for more in ({}, SHIP))
    assert not list(changes(before, after, {"mine"}))
    assert not list(changes(after, before, {"mine"}))
    other = {**after, "engines": [{**player_data(mine), "command": "./other"}]}
    assert len(list(changes(before, other, {"mine"}))) == 1
