"""The secret of a user's pages, and the words that are derived from it for each port."""

from __future__ import annotations

import hmac
import ipaddress
import os
import secrets
import socket
from base64 import b32encode, urlsafe_b64encode
from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from arena.errors import ConfigError, Fault
from arena.files import read_regular

if TYPE_CHECKING:
    pass

SECRET_BYTES = 32

OLD = ".old"  # Suffix of the file of the secret of before

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
        return self._word(f"token {role}")

    def role_of_token(self, token: str) -> Role | None:
        return next((role for role in Role if _is_equal(token, self.token(role))), None)

    def entry(self, role: Role, since: float) -> str:
        claim = f"{role}.{int(since)}"
        return f"{claim}.{self._word(f'entry {claim}')}"

    def role_of_entry(self, entry: str, now: float) -> Role | None:
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
    folder = Path(os.environ.get("XDG_STATE_HOME", ""))
    if not folder.is_absolute():
        folder = Path.home() / ".local" / "state"
    return folder / "gomoku-arena" / "page.key"


def _kept_secret(file: Path) -> bytes:
    """The secret in a file of its owner's; one of this process alone if none can be kept."""
    try:
        return _secret_in(file) or _new_secret(file)
    except (OSError, RuntimeError):
        return secrets.token_bytes(SECRET_BYTES)


def _secret_in(file: Path) -> bytes:
    """The secret in a file of ours that others can neither read nor write; empty if it has none."""
    with suppress(OSError):
        status = file.lstat()
        if status.st_uid == os.getuid() and not status.st_mode & 0o077:
            secret = read_regular(file)
            return secret if len(secret) == SECRET_BYTES else b""
    return b""


def _new_secret(file: Path) -> bytes:
    """Replace the secret in the file by a new one, in one step."""
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    draft = file.with_name(f"{file.name}.{os.getpid()}.{secrets.token_hex(4)}")
    secret = secrets.token_bytes(SECRET_BYTES)
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with open(descriptor, "wb") as out:
        out.write(secret)
    draft.replace(file)
    return secret


LOCAL_HOSTS = frozenset({"127.0.0.1", "localhost", "::1"})


@dataclass(frozen=True, slots=True)
class Origins:
    """The names of a server.

    Browsers send a cookie to all ports of a host, and so to servers of other people. Therefore
    cookies are kept at two kinds of names only: at `own`, and wherever the connection is encrypted.
    """

    hosts: Collection[str]
    """Names and addresses of this machine that a browser may have typed; `*` is any address."""
    own: str = ""  # The name under `localhost` that no other server has
    scheme: str = "http"  # Of connections to the server itself
    public: str = ""  # The origin at which a reverse proxy answers for the server

    def of(self, header: str) -> str | None:
        """The origin of pages that are asked for with this Host header; None for a foreign one."""
        if self.public and header.lower() == urlsplit(self.public).netloc:
            return self.public
        host, _ = host_and_port(header)
        is_ours = bool(host) and (host == self.own or is_known_host(host, self.hosts))
        return f"{self.scheme}://{header.lower()}" if is_ours else None

    def keeps_cookies(self, origin: str) -> bool:
        """True for an origin whose cookies no server of other people is sent."""
        return origin.startswith("https:") or urlsplit(origin).hostname == self.own


def public_origin(address: str) -> str:
    """The origin that a reverse proxy answers at; ConfigError if the address is none for that."""
    try:
        parts = urlsplit(address.strip().lower())
        is_fit = parts.scheme == "https" and host_and_port(parts.netloc)[0] != ""
        is_fit = is_fit and parts.path in ("", "/") and not parts.query and not parts.fragment
    except ValueError:
        is_fit = False
    if not is_fit:
        rule = "must be https://NAME or https://NAME:PORT: a name of the page's own, without a path"
        raise ConfigError(Fault("--public-url", rule))
    return f"https://{parts.netloc.removesuffix(':443')}"


def host_and_port(text: str) -> tuple[str, str]:
    """The host and the port of a Host header; the host is empty if the header is malformed."""
    try:
        parts = urlsplit(f"//{text}")
        if parts.username is not None or parts.path or parts.query or parts.fragment:
            return "", ""
        return parts.hostname or "", str(parts.port or 80)
    except ValueError:
        return "", ""


def is_known_host(host: str, hosts: Collection[str]) -> bool:
    """True for a name of ours; for any address, where `hosts` has `*`: names alone can be bent."""
    if host in hosts:
        return True
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return "*" in hosts


def is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host in LOCAL_HOSTS


def known_hosts(host: str) -> frozenset[str]:
    if host in LOCAL_HOSTS:
        return LOCAL_HOSTS
    return LOCAL_HOSTS | {host.lower(), socket.gethostname().lower(), "*"}
