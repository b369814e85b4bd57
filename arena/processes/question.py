"""A function called in a process of its own, because it runs an engine's code."""

from __future__ import annotations

import os
import pickle
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from arena.errors import ConfigError
from arena.processes.child import EXIT_TIMEOUT, Child, ValuePipe
from arena.processes.confine import confine, mute


@dataclass(frozen=True, slots=True)
class Question:
    """A function to call, and the limits of the process that calls it."""

    ask: Callable[[], object]
    who: str  # The owner of the code, for messages: "engine NAME"
    act: str  # A word for messages on that code, such as "imported"
    patience: float  # Seconds for an answer
    megabytes: int  # Memory that the process may take beside what it has at its start
    close: Callable[[], object] | None = None  # A function to call after the answer


def answer_of(question: Question) -> Any:
    """The function's answer from a process of its own.

    Raises ConfigError if the function raises one, ends the process, does not answer in time, or
    answers with what this process cannot have.
    """
    who, act = question.who, question.act
    child = Child.forked(reply, question, os.getpid())
    left = 0.0
    try:
        answer = child.receive(question.patience)
        left = EXIT_TIMEOUT if question.close else 0.0
    except TimeoutError:
        raise ConfigError(
            f"{who} did not come back from being {act} within {question.patience:g} s"
        ) from None
    except EOFError:
        child.await_end()
        if child.code is None:
            raise ConfigError(f"{who} closed the pipe of its process as it was {act}") from None
        raise ConfigError(
            f"{who} took its process down as it was {act}: exit code {child.code}"
        ) from None
    except pickle.UnpicklingError:
        raise ConfigError(f"{who} answered with what cannot be read as it was {act}") from None
    finally:
        child.end(left)
    if isinstance(answer, ConfigError):
        raise answer
    return answer


def reply(pipe: ValuePipe, question: Question, parent: int) -> None:
    """Answer a question: the process's whole life."""
    confine(parent, question.megabytes)
    mute()
    try:
        answer = question.ask()
    except ConfigError as error:
        answer = ConfigError(str(error))
    pipe.send(answer)
    if question.close:
        question.close()
