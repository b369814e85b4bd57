"""What was taken away: refused by its name, with what to use instead, and only where it was."""

from __future__ import annotations

import pytest
from click.testing import CliRunner
from support.good_files import TOURNAMENT, tournament_faults
from support.samples import Write

from arena import cli
from arena.config.settings import to_data
from arena.config.tournament import read_config
from arena.errors import unknown
from arena.gone import GONE, Gone

TURBO = ("key", "turbo")


@pytest.fixture
def turbo(monkeypatch: pytest.MonkeyPatch) -> None:
    """A key of files that was taken away, and is taken with one value still."""
    monkeypatch.setitem(GONE, TURBO, Gone("buy a faster machine", beside="hang", kept=False))


@pytest.mark.parametrize("value", ["true", "0", ""])
def test_a_key_is_refused_at_its_place(write: Write, turbo: None, value: str) -> None:
    (fault,) = tournament_faults(write, f"turbo: {value}\n{TOURNAMENT}")
    assert fault == "round.yaml:1:1: key 'turbo' is gone: buy a faster machine"


def test_the_one_value_that_is_left_of_a_key_is_taken(write: Write, turbo: None) -> None:
    plain, found = (read_config(write(f"{line}\n{TOURNAMENT}")) for line in ("", "turbo: false"))
    assert to_data(found) == to_data(plain)


def test_a_key_of_the_same_name_elsewhere_is_unknown_as_any_other(
    write: Write, turbo: None
) -> None:
    (fault,) = tournament_faults(write, TOURNAMENT.replace("radius:", "turbo:"))
    assert "unknown key 'turbo'" in fault


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
