"""What was taken away: refused by its name, with what to use instead, and only where it was."""

from __future__ import annotations

import re

import pytest
from click.testing import CliRunner
from support.good_files import TOURNAMENT, tournament_faults
from support.samples import ROOT, Write

from arena import cli
from arena.config.reader import read_config
from arena.config.settings import to_data
from arena.errors import GONE, OTHERS, ConfigError, Gone, unknown

TURBO = ("key", "turbo")


def test_a_key_is_refused_at_its_place_but_for_the_one_value_that_is_left(
    write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(GONE, TURBO, Gone("buy a faster machine", beside="hang", kept=False))
    for value in ("true", "0", ""):
        (fault,) = tournament_faults(write, f"turbo: {value}\n{TOURNAMENT}")
        assert fault == "round.yaml:1:1: key 'turbo' is gone: buy a faster machine"
    plain, found = (read_config(write(f"{line}\n{TOURNAMENT}")) for line in ("", "turbo: false"))
    assert to_data(found) == to_data(plain)
    (fault,) = tournament_faults(write, TOURNAMENT.replace("radius:", "turbo:"))
    assert "unknown key 'turbo'" in fault, "elsewhere it is unknown as any other"


def test_a_name_is_refused_whatever_is_near(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GONE, ("method", "comb"), Gone("use spsa"))
    assert unknown("method", "comb", ["combs"]) == "method 'comb' is gone: use spsa"


@pytest.mark.parametrize("command", [["serve"], ["openings", "make"]])
def test_an_option_is_refused_for_the_command_that_had_it(
    monkeypatch: pytest.MonkeyPatch, command: list[str]
) -> None:
    monkeypatch.setitem(GONE, ("option", "--turbo"), Gone("wait", beside=" ".join(command)))
    result = CliRunner().invoke(cli.arena, [*command, "--turbo", "9"])
    assert result.exit_code == 2
    assert "Error: option '--turbo' is gone: wait" in result.output
    result = CliRunner().invoke(cli.arena, ["report", "--turbo"])
    assert "No such option" in result.output


FASTCHESS = (ROOT / "docs/fastchess.md").read_text(encoding="utf-8")
THEIRS = [cell for row in re.findall(r"^\| (`-.*?) \|", FASTCHESS, re.MULTILINE)
          for cell in re.findall(r"`(-[^`]*)`", row)]  # fmt: skip
"""What users of fastchess type, as the page has it."""
OPTIONS = {each for parameter in cli.arena.commands["match"].params for each in parameter.opts}


def refusal(*words: str) -> str:
    result = CliRunner().invoke(cli.arena, words)
    assert result.exit_code in (1, 2)
    is_ours = isinstance(result.exception, ConfigError)
    return str(result.exception) if is_ours else result.output.partition("Error: ")[2].strip()


@pytest.mark.parametrize("line", THEIRS)
def test_what_fastchess_takes_is_told_in_our_words(line: str) -> None:
    words = line.replace("...", "").split()
    told = refusal("match", "random_mover", "random_mover", *words)
    assert told.startswith(f"{words[0]}: here it is "), told
    assert {*re.findall("--[a-z]+", told.partition(": ")[2])} <= OPTIONS


@pytest.mark.parametrize("word", sorted(OTHERS))
def test_each_word_of_others_is_one_line_whose_options_are_there(word: str) -> None:
    for typed in {f"-{word}", f"--{word}"} - OPTIONS:
        told = refusal("match", "random_mover", "random_mover", typed, "1")
        assert told.splitlines() == [f"{typed}: here it is {OTHERS[word]}"]
    assert {*re.findall("--[a-z]+", OTHERS[word])} - {"--quiet"} <= OPTIONS


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("match a b --limit tc=10+0.1", "tc=10+0.1: here it is --limit 10+0.1"),
        ("match a b --limit depth=x", "depth must be a whole number, not 'x'"),
        ("match a b --sprt elo0=0 elo1=5", "elo0=0: here it is --sprt 0 5"),
        ("match a b --openings file=book.txt", "file=book.txt: here it is --openings book.txt"),
        ("match cmd=./a cmd=./b", "cmd=./a: here it is a word a player"),
        ("-engine cmd=./a -each tc=1+0", "-engine: here it is a word a player"),
        ("run x.yaml --concurrency 4", "--concurrency: here it is --workers 4"),
        ("run x.yaml -rounds 4", "-rounds: in arena match it is --games 100"),
        ("play a b --depth 4", "--depth: here it is --limit"),
        ("match a b -workers 4", "-workers: here it is --workers"),
        ("match a b --foo 4", "No such option '--foo'"),
        ("report x --depth 4", "No such option '--depth'"),
        ("match ./a.py:depth=4 random_mover", "./a.py:depth=4: no such engine file"),
    ],
)
def test_a_word_of_others_is_told_where_it_stands_and_no_other(typed: str, told: str) -> None:
    assert told in refusal(*typed.split())
