"""Files that are hardly YAML: each is a message with its place, never a traceback."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from support.good_files import tournament_faults
from support.samples import ROUND, Write

from arena import ConfigError
from arena.config.reader import read_config
from arena.config.yaml_file import Document

WRONG = {
    "a: " + "[" * 5_000: ".yaml: lists and mappings nest too deeply",
    "a: " + "[" * 60 + "]" * 60: ".yaml:1:54: stands in more than 50 lists and mappings",
    "a: &a [*a]": ".yaml:1:4: stands in more than 50 lists and mappings",
    r'a: "x\0y"': r".yaml:1:4: has a character \0",
    "a: &a {b: *a}": ".yaml:1:4: stands in more than 50 lists and mappings",
    "seed: 2001-13-45": ".yaml:1:7: is wrong: month must be in 1..12",
    "a: [0, " + "9" * 5000 + "]": ".yaml:1:8: a number of more than 100 digits",
    "a: !!int x": ".yaml:1:4: is wrong: ",
    "a: \u0000": r".yaml:1:4: has a character '\x00', which no YAML may have",
    "a: [1,\n  2\n": ".yaml:3:1: the file ends before a bracket or a quotation mark is closed",
    "a: [\n": ".yaml:2:1: the file ends before a bracket or a quotation mark is closed",
    "a: 'x": ".yaml:1:6: the file ends before a bracket or a quotation mark is closed",
    "a:\n  - b\n - c": ".yaml:3:2: does not follow from what stands before it: look at the indent",
    " a: 1\nb: 2": ".yaml:2:1: does not follow from what stands before it: look at the indent",
    "a:\n  b: 1\n c: 2": ".yaml:3:2: does not follow from what stands before it: look at the",
    "a: 'it's'": ".yaml:1:8: follows a value that a quotation mark or a bracket has ended",
    'a: "x" y': ".yaml:1:8: follows a value that a quotation mark or a bracket has ended",
    "'a' 'b'": ".yaml:1:5: follows a value that a quotation mark or a bracket has ended",
    "a: {b: 1}}": ".yaml:1:10: closes a bracket that is not open",
    "a: [1]]": ".yaml:1:7: closes a bracket that is not open",
    "{a: 1}}": ".yaml:1:7: closes a bracket that is not open",
    "a: 1\n\tb: 2": ".yaml:2:1: a tab stands where YAML wants spaces",
}
BOMB = "\n".join(
    ["a0: &a0 [x, x]", *(f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 20)}]" for i in range(1, 9))]
)


@pytest.mark.parametrize(("text", "message"), [*WRONG.items(), (BOMB, "more than 1000000 parts")])
def test_what_is_hardly_yaml_is_a_message(write: Write, text: str, message: str) -> None:
    with pytest.raises(ConfigError, match=re.escape(message)):
        Document(write(text))


def test_an_anchor_may_be_used_again_without_a_warning(write: Write) -> None:
    assert Document(write("a: &a 1\nb: &a 2\nc: *a\n")).data == {"a": 1, "b": 2, "c": 2}
    text = ROUND + "    limit: &short {depth: 1}\n"
    own = "two, engine: random_mover"
    config = read_config(write(text.replace(own, f"{own}, limit: {{depth: 1}}")))
    assert config.players[1].limit == config.terms.limit


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
def test_a_file_is_read_in_the_encoding_that_its_mark_tells(write: Write, encoding: str) -> None:
    file = write(ROUND.replace("name: two", "name: 王é"))
    file.write_bytes(file.read_text(encoding="utf-8").replace("\n", "\r\n").encode(encoding))
    assert "王é" in read_config(file).names


@pytest.mark.parametrize(
    ("name", "encoding", "told"),
    [
        ("王晓明", "gbk", "GB18030"),
        ("Пётр Иванов", "cp1251", "windows-1251"),
        ("\0é", "latin-1", ""),
    ],
)
def test_another_encoding_is_told(write: Write, name: str, encoding: str, told: str) -> None:
    file = write(ROUND)
    line = ROUND[: ROUND.index("name: two")].count("\n") + 1
    file.write_bytes(ROUND.replace("name: two", f"name: {name}").encode(encoding))
    with pytest.raises(ConfigError, match=rf"round.yaml:{line}: is not UTF-8 text.*{told}"):
        read_config(file)


@pytest.mark.parametrize(("one", "two"), [("1.10", "1.1"), ("1_0", "10"), ("true", "True")])
def test_names_that_are_no_text_are_told_as_typed(write: Write, one: str, two: str) -> None:
    text = ROUND.replace("name: one", f"name: {one}").replace("name: two", f"name: {two}")
    told = [f'name must be text: write "{typed}"' for typed in (one, two)]
    assert [fault.partition(": ")[2] for fault in tournament_faults(write, text)] == told


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ("mine", "no such file; did you mean configs/mine.yaml?"),
        ("configs/mine.yml", "no such file; did you mean configs/mine.yaml?"),
        ("rounds.yaml", "no such file; did you mean round.yaml?"),
        ("nix.yaml", "no such file"),
        ("my eval.py", "arena match './my eval.py' OTHER"),
        ("pbrain-x", "arena match ./pbrain-x OTHER"),
        ("configs", "is a folder, not a config"),
        ("results/mine", "is the folder of a run: arena report results/mine"),
    ],
)
def test_what_is_no_config_is_told_with_what_is_meant(
    typed: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("configs/mine.yaml", "round.yaml", "my eval.py", "results/mine/config.yaml"):
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).touch()
    Path("pbrain-x").write_text("#!/bin/sh\n")
    Path("pbrain-x").chmod(0o755)
    with pytest.raises(ConfigError) as caught:
        read_config(Path(typed))
    (fault,) = caught.value.faults
    assert fault.message == message if message.startswith("no such") else message in fault.message
