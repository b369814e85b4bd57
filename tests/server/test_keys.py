"""The secret of a user's pages: kept for them alone, and the same after a restart."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from arena.server.access import ENTRY_LASTS, Keys, Role, forget_secret, keys_for, secret_file


def test_the_words_of_a_port_stay_the_same(tmp_path: Path) -> None:
    file = tmp_path / "state" / "page.key"
    assert keys_for(1, file) == keys_for(1, file)
    assert keys_for(1, file) != keys_for(2, file)
    assert keys_for(1, file) != keys_for(1, tmp_path / "other")


def test_no_word_is_good_for_another_port_role_or_purpose() -> None:
    one, other = Keys(b"secret", 1), Keys(b"secret", 2)
    words = [each.token(role) for each in (one, other) for role in Role]
    words += [each.entry(role, 0) for each in (one, other) for role in Role]
    assert len({*words, one.host, other.host}) == len(words) + 2
    assert one.role_of_token(one.token(Role.LOOK)) is Role.LOOK
    assert one.role_of_entry(one.entry(Role.LOOK, 5), 6) is Role.LOOK
    for word in (other.token(Role.PLAY), one.entry(Role.PLAY, 0), one.host, "", "play.0.", "é"):
        assert one.role_of_token(word) is None
    for word in (other.entry(Role.PLAY, 0), one.token(Role.PLAY), "", "play.0.x", "..", "a.0.b"):
        assert one.role_of_entry(word, 0) is None


def test_an_entry_is_good_for_its_time_only() -> None:
    keys = Keys(b"secret", 1)
    entry = keys.entry(Role.PLAY, 100)
    assert keys.role_of_entry(entry, 99 + ENTRY_LASTS) is Role.PLAY
    assert keys.role_of_entry(entry, 100 + ENTRY_LASTS) is None
    assert keys.role_of_entry(entry.replace("100", "200"), 200) is None


def test_the_name_of_a_server_is_a_label_that_browsers_take_for_this_machine() -> None:
    assert re.fullmatch(r"[a-z2-7]{16}\.localhost", Keys(b"secret", 1).host)


def test_new_links_leave_nothing_of_the_old_ones(tmp_path: Path) -> None:
    file = tmp_path / "page.key"
    forget_secret(file)
    before = keys_for(1, file)
    forget_secret(file)
    now = keys_for(1, file)
    for role in Role:
        assert now.role_of_token(before.token(role)) is None
        assert now.role_of_entry(before.entry(role, 5), 6) is None
        assert now.was_good(before.token(role))
        assert now.was_good(before.entry(role, 5))
        assert not before.was_good(now.token(role))
    assert now.was_good(before.host)
    assert not before.was_good(before.host)  # which tells nothing of who asks for it
    assert all(each.stat().st_mode & 0o077 == 0 for each in file.parent.iterdir())


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
