"""Checks run one by one, and the error that names those which fail."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from arena.errors import ConfigError, own_words, unknown
from arena.plugins.load import Named

READING = "can_be_read"  # The first check of every kind; the others need an object that passes it

S = TypeVar("S")
Check = Callable[[S], Iterable[str]]
"""A function that yields a sentence for each fault; only the first one is asked for."""


@dataclass(frozen=True, slots=True)
class Failure:
    check: str
    message: str

    def __str__(self) -> str:
        return f"{self.check}: {self.message}"


class ContractError(AssertionError):
    """Raised with all checks of a contract that failed."""

    def __init__(self, subject: str, failures: Iterable[Failure]) -> None:
        self.failures = tuple(failures)
        count = len(self.failures)
        head = f"{subject} fails {count} check{'s' * (count > 1)}"
        super().__init__("\n  ".join([f"{head}:", *map(str, self.failures)]))


def named_checks(*checks: Check[S]) -> dict[str, Check[S]]:
    return {check.__name__: check for check in checks}


def names_of(checks: Mapping[str, Check[S]]) -> tuple[str, ...]:
    """The names of all checks of a kind, that of its reading first."""
    return READING, *checks


def run_checks(
    name: str,
    read: Callable[[], S],
    checks: Mapping[str, Check[S]],
    wanted: Iterable[str] | None = None,
) -> None:
    """Run the wanted checks, by default all, on the object that `read` returns.

    Raises ContractError with those that fail, ConfigError for an unknown name of a check.
    """
    chosen = [*names_of(checks)] if wanted is None else [*wanted]
    for each in chosen:
        if each not in names_of(checks):
            raise ConfigError(unknown("check", each, names_of(checks)))
    try:
        subject = read()
    except (Exception, SystemExit) as error:
        words = str(error) if isinstance(error, ConfigError) else f"raises {own_words(error)}"
        raise ContractError(name, [Failure(READING, words)]) from error
    if found := _distinct(
        failures(subject, {each: checks[each] for each in chosen if each in checks})
    ):
        raise ContractError(name, found)


def failures(subject: S, checks: Mapping[str, Check[S]]) -> Iterable[Failure]:
    """The checks that fail, each with the first fault that it finds."""
    for name, check in checks.items():
        try:
            message = next(iter(check(subject)), None)
        except (Exception, SystemExit) as error:
            message = f"raises {own_words(error)}"
        if message:
            yield Failure(name, message)


def _distinct(found: Iterable[Failure]) -> list[Failure]:
    return list({each.message: each for each in reversed([*found])}.values())[::-1]


def name_of(wanted: object) -> str:
    name = getattr(wanted, "__name__", None) or getattr(wanted, "name", None)
    if isinstance(wanted, str | Path | Named):
        return str(wanted)
    return name if isinstance(name, str) else type(wanted).__name__
