"""Values of a brain in tournaments: where they stand, and mistakes in them."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import pytest
from support.samples import Write

from arena import ConfigError, Limit, load_engine, load_game
from arena.config.reader import read_config
from arena.plugins.load import Named
from arena.storage.history import FILES, with_digests

TELLER = f"""#!{sys.executable}
import os, sys
for line in sys.stdin:
    word = line.split()[0]
    if word == "START":
        print("MESSAGE", sys.argv[1:], "in", os.getcwd())
        if len(sys.argv) > 2 and os.path.exists(sys.argv[2]):
            print("MESSAGE", open(sys.argv[2], newline="").read().encode())
        print("OK", flush=True)
    elif word == "ABOUT":
        print('name="teller"', flush=True)
    elif word == "INFO":
        print("MESSAGE", line.strip(), flush=True)
    elif word == "BEGIN":
        print("0,0", flush=True)
    elif word == "END":
        break
"""
ROUND = """\
game: {{gomoku: {{size: 9}}}}
engines:
  - name: mine
    engine: gomocup
    {entry}
  - {{name: other, engine: random_mover}}
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a program that tells what it is given, and a template."""
    program = tmp_path / "pbrain-teller"
    program.write_text(TELLER)
    program.chmod(0o755)
    (tmp_path / "weights.conf").write_bytes(b"{{\r\n three: {three}\r\n}}\n")
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    return tmp_path


def told(parameters: dict[str, object], caplog: pytest.LogCaptureFixture) -> str:
    """All that the program told of what it was given."""
    caplog.set_level("INFO")
    game = load_game("gomoku:size=9")
    engine = load_engine(Named("gomocup", parameters), game)
    engine.new_game(0)
    engine.choose(game.start(), Limit())
    engine.close()
    return caplog.text


def test_values_stand_in_command_info_and_template(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    values = {"three": 105, "style": "a b"}
    found = told(
        {
            "command": [str(folder / "pbrain-teller"), "-x={three}{{}}", "{template}"],
            "info": {"style": "{style}", "three": "3{three}", "whole": 4, "file": "{template}"},
            "template": str(folder / "weights.conf"),
            "values": values,
        },
        caplog,
    )
    copy = str(folder / "temporary" / "arena-filled-")
    assert f"['-x=105{{}}', '{copy}" in found
    assert f".conf'] in {folder}" in found
    assert "INFO style a b\n" in found
    assert "INFO three 3105\n" in found
    assert "INFO whole 4\n" in found
    assert f"INFO file {copy}" in found
    assert str(b"{\r\n three: 105\r\n}\n") in found
    assert not list((folder / "temporary").iterdir())


def test_without_values_braces_are_braces(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    found = told(
        {
            "command": [str(folder / "pbrain-teller"), '{"three": {{3}}'],
            "info": {"json": "{three} {"},
        },
        caplog,
    )
    assert "['{\"three\": {{3}}'] in" in found
    assert "INFO json {three} {" in found


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "gb18030"])
def test_a_copy_has_the_encoding_of_its_template(folder: Path, encoding: str) -> None:
    (folder / "weights.conf").write_bytes("注：黑白胜负，五子棋的权值\n{three}".encode(encoding))
    parameters = {
        "command": [str(folder / "pbrain-teller"), "{template}"],
        "template": str(folder / "weights.conf"),
        "values": {"three": "三"},
    }
    engine = load_engine(Named("gomocup", parameters), load_game("gomoku:size=9"))
    (copy,) = (folder / "temporary").iterdir()
    assert copy.read_bytes() == "注：黑白胜负，五子棋的权值\n三".encode(encoding)
    engine.close()


def test_a_copy_goes_with_a_program_that_does_not_start(folder: Path) -> None:
    (folder / "pbrain-teller").write_text(f"#!{sys.executable}\nraise SystemExit(3)")
    named = Named(
        "gomocup",
        {
            "command": [str(folder / "pbrain-teller"), "{template}"],
            "template": str(folder / "weights.conf"),
            "values": {"three": 1},
        },
    )
    with pytest.raises(ConfigError, match="exit code 3"):
        load_engine(named, load_game("gomoku:size=9"))
    assert not list((folder / "temporary").iterdir())


def test_a_changed_template_is_other_code(folder: Path) -> None:
    file = folder / "weights.conf"
    program = str(folder / "pbrain-teller")
    entry = {
        "name": "mine",
        "engine": "gomocup",
        "command": [program, "--weights={template}"],
        "template": str(file),
        "values": {"three": 1},
    }
    before = with_digests(entry)
    assert {program, str(file)} <= before[FILES].keys()
    file.write_text("{three}, changed")
    assert with_digests(entry)[FILES][str(file)] != before[FILES][str(file)]


def test_a_template_is_looked_for_from_the_files_folder(folder: Path, write: Write) -> None:
    entry = "command: [./pbrain-teller, '{template}']\n    template: weights.conf"
    file = write(ROUND.format(entry=entry + "\n    values: {three: 1}"))
    mine, _ = read_config(file).players
    assert mine.engine.parameters["template"] == str(folder / "weights.conf")


@pytest.mark.parametrize(
    ("entry", "place", "words"),
    [
        ("command: [./pbrain-teller, '{tree}']", "5:32", "unknown value 'tree'; did you mean 'thr"),
        ("command: [./pbrain-teller, '{three']", "5:32", "a '{' stands alone; a brace itself is w"),
        ("command: './pbrain-{tree}'", "5:14", "unknown value 'tree'; did you mean 'three'?"),
        ("info: {x: '{three} }'}", "5:15", "a '}' stands alone; a brace itself is written '}}'"),
        ("command: ./pbrain-teller", "9:21", "{three} stands nowhere in command, info or template"),
        ("info: {x: '{template}{three}'}", "5:15", "unknown value 'template'; there is three"),
        ("template: none.txt", "5:15", "none.txt: No such file or directory"),
        ("template: temporary", "5:15", "temporary: is a folder, not a file"),
        ("template: half.txt", "5:15", "half.txt: 'utf-16-le' codec can't decode"),
        ("template: /dev/zero", "5:15", "/dev/zero: is larger than"),
        ("template: odd.txt", "5:15", "odd.txt:2:3: unknown value 'tree'; did you mean 'three'?"),
        ("template: weights.conf", "5:15", "{template}, the path of its copy, stands nowhere"),
    ],
)
def test_a_mistake_in_a_text_is_a_fault_of_the_file_with_its_place(
    folder: Path, write: Write, entry: str, place: str, words: str
) -> None:
    (folder / "half.txt").write_bytes("{three}".encode("utf-16")[:-1])
    (folder / "odd.txt").write_text("{three}\n  {tree}")
    entry += "\n" * 4 + "    values: {three: 1}"
    with pytest.raises(ConfigError) as error:
        read_config(write(ROUND.format(entry=entry)))
    found = {fault.place.split("round.yaml:")[1]: fault.message for fault in error.value.faults}
    assert words in found.get(place, ""), found


def test_a_value_has_no_name_of_a_parameter(write: Write) -> None:
    entry = "values: {board: 1, 'a b': 2}\n    command: './{board}'"
    with pytest.raises(ConfigError) as error:
        read_config(write(ROUND.format(entry=entry)))
    (fault,) = error.value.faults
    assert fault.place.endswith("round.yaml:5:14")
    assert "'board' is a parameter of the engine: choose another name" in fault.message


@pytest.mark.parametrize(("value", "shown"), [("[1]", "[1]"), ("true", "True"), ("~", "nothing")])
def test_a_value_of_another_type_is_one_fault(write: Write, value: str, shown: str) -> None:
    entry = f"command: './pbrain {{wide}}'\n    values: {{wide: {value}}}"
    with pytest.raises(ConfigError) as error:
        read_config(write(ROUND.format(entry=entry)))
    (fault,) = [each for each in error.value.faults if "values" in each.message]
    assert fault.place.endswith("round.yaml:6:20")
    assert fault.message == f"values must be a number or text, not {shown}"


@pytest.mark.parametrize("game", ["gomoku: {size: 99}", "go: {}"])
@pytest.mark.parametrize(
    ("entry", "place"),
    [
        ("command: './pbrain-{tree}'\n    values: {three: 1}", "5:14"),
        ("command: pbrain-somewhere\n    ship: true", "6:11"),
    ],
)
def test_a_mistake_in_values_or_ship_is_told_together_with_one_in_the_game(
    folder: Path, write: Write, game: str, entry: str, place: str
) -> None:
    text = ROUND.format(entry=entry).replace("gomoku: {size: 9}", game)
    with pytest.raises(ConfigError) as error:
        read_config(write(text))
    lines = [fault.place.split("round.yaml:")[1] for fault in error.value.faults]
    assert lines[0].startswith("1:")
    assert place in lines[1:]
