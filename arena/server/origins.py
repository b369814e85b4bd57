"""The origins at which a server answers: the names that browsers have for it."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Collection
from dataclasses import dataclass
from urllib.parse import urlsplit

from arena.errors import ConfigError, Fault

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
        told = "must be https://NAME or https://NAME:PORT: a name of the page's own, without a path"
        raise ConfigError(Fault("--public-url", told))
    return f"https://{parts.netloc.removesuffix(':443')}"


def host_and_port(text: str) -> tuple[str, str]:
    """The two parts of a Host header; an empty host for what is none."""
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
    """True for an address that only this machine reaches."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host in LOCAL_HOSTS


def known_hosts(host: str) -> frozenset[str]:
    """The hosts that a server at this address answers to."""
    if host in LOCAL_HOSTS:
        return LOCAL_HOSTS
    return LOCAL_HOSTS | {host.lower(), socket.gethostname().lower(), "*"}
