"""The secret of a user's pages: kept for them alone, and the same after a restart."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.server.keys import keys_for, secret_file


def test_the_words_of_a_port_stay_the_same(tmp_path: Path) -> None:
    file = tmp_path / "state" / "page.key"
    assert keys_for(1, file) == keys_for(1, file)
    assert keys_for(1, file) != keys_for(2, file)
    assert keys_for(1, file).token != keys_for(1, file).cookie
    assert keys_for(1, file) != keys_for(1, tmp_path / "other")


def test_nobody_else_can_read_the_secret(tmp_path: Path) -> None:
    file = tmp_path / "state" / "page.key"
    keys_for(1, file)
    assert file.stat().st_mode & 0o077 == 0
    assert [each.name for each in file.parent.iterdir()] == ["page.key"]


@pytest.mark.parametrize("mode", [0o644, 0o660, 0o606])
def test_a_secret_that_others_could_read_or_write_is_thrown_away(mode: int, tmp_path: Path) -> None:
    file = tmp_path / "page.key"
    before = keys_for(1, file)
    file.chmod(mode)
    assert keys_for(1, file) != before
    assert file.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("content", [b"", b"short", b"x" * 33])
def test_what_is_no_secret_is_replaced(content: bytes, tmp_path: Path) -> None:
    file = tmp_path / "page.key"
    file.write_bytes(content)
    file.chmod(0o600)
    assert keys_for(1, file) == keys_for(1, file)
    assert len(file.read_bytes()) == 32


def test_where_nothing_can_be_kept_the_secret_lasts_as_long_as_the_process(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    one, other = keys_for(1, tmp_path / "file" / "key"), keys_for(1, tmp_path / "file" / "key")
    assert one != other


def test_the_secret_is_among_what_programs_keep_of_a_user(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert secret_file() == tmp_path / "gomoku-arena" / "page.key"
    monkeypatch.setenv("XDG_STATE_HOME", "relative")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert secret_file() == tmp_path / ".local" / "state" / "gomoku-arena" / "page.key"
