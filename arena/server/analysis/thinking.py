"""The processes of an analysis: one that is warm, and from it one that thinks of a position.

The first loads the kernels of an engine and waits. For each position it forks another, which builds
the engine and thinks until it is killed: thus thinking ends at once, at any point of a search, and
the next position needs no new interpreter. Engines of users' own files, and programs, are built in
the second only: they may hold threads, files and pipes, which must not cross a fork.
"""

from __future__ import annotations

import os
from contextlib import closing, suppress
from dataclasses import dataclass
from functools import partial
from pickle import UnpicklingError

from arena.config.settings import Player
from arena.errors import ConfigError
from arena.game import Position
from arena.match.terms import Terms
from arena.match.verdicts import Verdict, crashed, raised, unplayable
from arena.plugins.build import prepare_forks
from arena.plugins.engine_names import PROGRAMS, is_foreign
from arena.processes.child import EXIT_TIMEOUT, Child, ValuePipe, confine, mute
from arena.server.analysis.engine_lines import (
    EngineLine,
    UnplayableError,
    lines_deepening,
)
from arena.workers.referee import Referee


@dataclass(frozen=True, slots=True)
class LinesWanted:
    """A position to think of; None: think of nothing."""

    number: int
    p: Position | None = None
    lines: int = 1  # The most lines that are wanted


@dataclass(frozen=True, slots=True)
class LinesFound:
    number: int  # The number of the question; 0: the process is ready for one
    lines: tuple[EngineLine, ...] = ()
    is_final: bool = False
    trouble: str = ""


def wait_for_questions(pipe: ValuePipe, terms: Terms, player: Player, parent: int) -> None:
    """Answer questions until the pipe closes, each in a process of its own: the life of the first.

    A question ends the thinking about the one before it.
    """
    confine(parent, terms.worker_memory)
    mute()
    with suppress(EOFError, OSError):
        _warm(terms, player)
        pipe.send(LinesFound(0))
        while True:
            question: LinesWanted = pipe.receive_last()
            if question.p is not None:
                _relay(pipe, terms, player, question)


def _warm(terms: Terms, player: Player) -> None:
    """Build an engine that comes with the project, so that those built after forks need not load
    its kernels; if that fails, it fails there, too, and is told there."""
    prepare_forks()
    if is_foreign(player.engine.name) or player.engine.name == PROGRAMS:
        return
    with closing(Referee(terms, (player,))) as referee, suppress(ConfigError):
        referee.engine(player.name)


def _relay(pipe: ValuePipe, terms: Terms, player: Player, question: LinesWanted) -> None:
    """Send on the reports of a new process, until it is done or something else is asked for."""
    child = Child.forked(_think_of, terms, player, question, os.getpid())
    try:
        while (report := child.receive(None, pipe.fileno())) is not None:
            pipe.send(report)
            if report.is_final:
                break
    except (EOFError, UnpicklingError):
        verdict = crashed(1, child.end(EXIT_TIMEOUT))
        pipe.send(LinesFound(question.number, (), True, _words_of(verdict)))
    finally:
        child.end()


def _think_of(
    pipe: ValuePipe, terms: Terms, player: Player, question: LinesWanted, parent: int
) -> None:
    """LinesFound on a position until the engine goes no deeper: the life of the second process."""
    confine(parent, terms.worker_memory)
    os.register_at_fork(after_in_child=partial(os._exit, 1))  # else a copy would report, too
    assert question.p
    with closing(Referee(terms, (player,))) as referee:
        lines, trouble = tuple[EngineLine, ...](), ""
        try:
            engine = referee.engine(player.name)
            for lines in lines_deepening(
                engine, referee.game, question.p, question.lines, terms.seed
            ):
                pipe.send(LinesFound(question.number, lines))
        except ConfigError as error:
            trouble = str(error)
        except UnplayableError as error:
            trouble = _words_of(unplayable(1, str(error)))
        except (Exception, SystemExit) as error:
            trouble = _words_of(raised(1, error))
        pipe.send(LinesFound(question.number, lines, True, trouble))


def _words_of(verdict: Verdict | None) -> str:
    return f"{verdict.reason}: {verdict.detail}" if verdict else "its process was killed"
