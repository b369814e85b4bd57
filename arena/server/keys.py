"""The secret of a user's pages, and the words that are derived from it for each port."""

from __future__ import annotations

import hmac
import os
import secrets
from base64 import b32encode, urlsafe_b64encode
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from arena.files import read_regular

SECRET_BYTES = 32
OLD = ".old"
"""Suffix of the file of the secret of before."""
ENTRY_LASTS = 30 * 24 * 3600.0
"""Seconds for which a browser is let in by the cookie that it got for a token."""


class Role(StrEnum):
    """The rights of a browser."""

    PLAY = "play"  # Everything: to look on, to play, to let engines think, to stop a run
    LOOK = "look"  # To look at runs and studies
    SUBMIT = "submit"  # All that PLAY has, and to send tests, with code that this machine then runs


@dataclass(frozen=True, slots=True)
class Keys:
    """The words that let browsers in on one port, all derived from the user's secret."""

    secret: bytes
    port: int
    before: bytes = b""  # The secret of before, whose words let nobody in any more

    @property
    def host(self) -> str:
        """A name of this machine that no other server has, and that no stranger can guess."""
        return f"{b32encode(self._digest('host')[:10]).decode().lower()}.localhost"

    def token(self, role: Role) -> str:
        """Part of the address that is printed."""
        return self._word(f"token {role}")

    def role_of_token(self, token: str) -> Role | None:
        """The role that a token gives; None if it is none of ours."""
        return next((role for role in Role if _is_equal(token, self.token(role))), None)

    def entry(self, role: Role, since: float) -> str:
        """Value of the cookie that a browser gets for a token, at the time `since`."""
        claim = f"{role}.{int(since)}"
        return f"{claim}.{self._word(f'entry {claim}')}"

    def role_of_entry(self, entry: str, now: float) -> Role | None:
        """The role that a cookie gives; None if it is none of ours, or too old."""
        role, _, rest = entry.partition(".")
        since = rest.partition(".")[0]
        if role not in [*Role] or not since.isdecimal() or len(since) > 12:
            return None
        is_ours = _is_equal(entry, self.entry(Role(role), int(since)))
        return Role(role) if is_ours and now < int(since) + ENTRY_LASTS else None

    def was_good(self, word: str) -> bool:
        """True for a cookie that is too old, and for a token, cookie or host of before."""
        if self.role_of_entry(word, 0):
            return True
        before = Keys(self.before, self.port) if self.before else None
        return before is not None and bool(
            before.role_of_entry(word, 0) or before.role_of_token(word) or word == before.host
        )

    def _word(self, purpose: str) -> str:
        """A word that cannot be found without the secret."""
        return urlsafe_b64encode(self._digest(purpose)).rstrip(b"=").decode()

    def _digest(self, purpose: str) -> bytes:
        return hmac.digest(self.secret, f"{purpose} {self.port}".encode(), "sha256")


def _is_equal(given: str, ours: str) -> bool:
    """True for equal texts; the time that it takes tells nothing of where they differ."""
    return hmac.compare_digest(given.encode(), ours.encode())


def keys_for(port: int, file: Path | None = None) -> Keys:
    """Keys that depend on the port and the user's secret only: a page goes on after a restart."""
    file = file or secret_file()
    return Keys(_kept_secret(file), port, _secret_in(file.with_suffix(OLD)))


def forget_secret(file: Path | None = None) -> None:
    """Let the next keys be new ones: no token and no cookie of before is good for them."""
    file = file or secret_file()
    with suppress(FileNotFoundError):
        file.replace(file.with_suffix(OLD))


def secret_file() -> Path:
    """The file of the secret, among what programs keep of a user."""
    given = os.environ.get("XDG_STATE_HOME", "")
    home = Path(given) if Path(given).is_absolute() else Path.home() / ".local" / "state"
    return home / "gomoku-arena" / "page.key"


def _kept_secret(file: Path) -> bytes:
    """The secret in a file that only its owner can read, made if there is none.

    One that cannot be kept lasts as long as this process.
    """
    try:
        return _secret_in(file) or _new_secret(file)
    except (OSError, RuntimeError):
        return secrets.token_bytes(SECRET_BYTES)


def _secret_in(file: Path) -> bytes:
    """The secret in a file of ours that others can neither read nor write; empty if it has none."""
    with suppress(OSError):
        found = file.lstat()
        if found.st_uid == os.getuid() and not found.st_mode & 0o077:
            secret = read_regular(file)
            return secret if len(secret) == SECRET_BYTES else b""
    return b""


def _new_secret(file: Path) -> bytes:
    """A new secret in the place of what is there, whole or not at all."""
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    draft = file.with_name(f"{file.name}.{os.getpid()}.{secrets.token_hex(4)}")
    secret = secrets.token_bytes(SECRET_BYTES)
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with open(descriptor, "wb") as out:
        out.write(secret)
    draft.replace(file)
    return secret
