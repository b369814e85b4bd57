"""The secret of a user's pages, and the words that are derived from it for each port."""

from __future__ import annotations

import hmac
import os
import secrets
from base64 import urlsafe_b64encode
from dataclasses import dataclass
from pathlib import Path

SECRET_BYTES = 32


@dataclass(frozen=True, slots=True)
class Keys:
    """The words that let a browser in on one port."""

    token: str
    """Part of the address that is printed."""
    cookie: str
    """Value of the cookie that a browser gets for the token."""


def keys_for(port: int, file: Path | None = None) -> Keys:
    """Keys that depend on the port and the user's secret only: a page goes on after a restart."""
    secret = kept_secret(file or secret_file())
    return Keys(derived(secret, f"token {port}"), derived(secret, f"cookie {port}"))


def derived(secret: bytes, purpose: str) -> str:
    """A word that cannot be found without the secret."""
    return urlsafe_b64encode(hmac.digest(secret, purpose.encode(), "sha256")).rstrip(b"=").decode()


def secret_file() -> Path:
    """The file of the secret, among what programs keep of a user."""
    given = os.environ.get("XDG_STATE_HOME", "")
    home = Path(given) if Path(given).is_absolute() else Path.home() / ".local" / "state"
    return home / "gomoku-arena" / "page.key"


def kept_secret(file: Path) -> bytes:
    """The secret in a file that only its owner can read, made if there is none.

    One that cannot be kept lasts as long as this process.
    """
    try:
        if is_private(file) and len(found := file.read_bytes()) == SECRET_BYTES:
            return found
        return new_secret(file)
    except (OSError, RuntimeError):
        return secrets.token_bytes(SECRET_BYTES)


def is_private(file: Path) -> bool:
    """True for a file of ours that others can neither read nor write."""
    try:
        found = file.lstat()
    except FileNotFoundError:
        return False
    return found.st_uid == os.getuid() and not found.st_mode & 0o077


def new_secret(file: Path) -> bytes:
    """A new secret in the place of what is there, whole or not at all."""
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    draft = file.with_name(f"{file.name}.{os.getpid()}.{secrets.token_hex(4)}")
    secret = secrets.token_bytes(SECRET_BYTES)
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with open(descriptor, "wb") as out:
        out.write(secret)
    draft.replace(file)
    return secret
