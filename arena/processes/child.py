"""A process of ours, with limits for engines' code: values go each way, and its end is seen."""

from __future__ import annotations

import ctypes
import faulthandler
import json
import multiprocessing
import os
import pickle
import resource
import select
import signal
import socket
import struct
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from io import BytesIO
from multiprocessing.context import ForkContext
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any
from weakref import WeakSet

from arena.errors import ConfigError


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
    child = Child.forked(_reply, question, os.getpid())
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


def _reply(pipe: ValuePipe, question: Question, parent: int) -> None:
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


PARENT_DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG of linux/prctl.h

MEGABYTE = 2**20

STATM, LONGEST_STATM = "/proc/self/statm", 200
"""File of a process's sizes in pages, that of the address space first (Linux), and its length."""

CONFINED: int | None = None
"""The number of this process, if it is confined; those that it forks have others."""


def confine(parent: int, megabytes: int) -> None:
    """Put this process, in which engines are to run, under its limits; it dies with its parent."""
    global CONFINED
    CONFINED = os.getpid()
    die_with(parent)  # where this is not Linux, a pipe tells that the parent is dead
    # Ctrl-C in the terminal is for the parent to answer; and the session is killed as a group.
    if os.getsid(0) != os.getpid():
        os.setsid()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _limit_memory(megabytes)


def die_with(parent: int) -> None:
    """Let this process be killed once its parent is dead (on Linux), or end it if that is so."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PARENT_DEATH_SIGNAL, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)


def is_confined() -> bool:
    """True if this process is there for engines to run in, and may be taken down by them."""
    return os.getpid() == CONFINED


def kill_group(leader: int) -> None:
    """End all processes that a confined process, dead or alive, has started."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(leader, signal.SIGKILL)


def _limit_memory(megabytes: int) -> None:
    if sys.platform == "linux":
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        most = size_told(Path(STATM).read_bytes()) + megabytes * MEGABYTE
        if hard == resource.RLIM_INFINITY or most < hard:
            resource.setrlimit(resource.RLIMIT_AS, (most, hard))


def size_told(sizes: bytes) -> int:
    return int(sizes.split()[0]) * resource.getpagesize()


def mute() -> None:
    """Let nothing be read or printed: what is printed here would be printed again in a worker."""
    faulthandler.disable()  # it has kept a descriptor of its own
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in range(3):
        os.dup2(nothing, descriptor)
    sys.stdout = sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115


EXIT_TIMEOUT = 1.0  # Seconds for a process to end by itself, once nothing is wanted of it any more
POLL_PAUSE = 0.002

SIZE_PREFIX = struct.Struct("!Q")
LONGEST_VALUE = 64 * MEGABYTE
READ_SIZE = 2**16
"""Bytes that are read at a time; memory for many more takes longer to get than to fill."""

PROGRAM = (
    "import sys, json; sys.path[:] = json.loads(sys.argv[3]); "
    "from arena.processes.child import begin; begin(int(sys.argv[2]))"
)
"""The program of a new interpreter; multiprocessing's own would run the main script again."""

OPEN_PIPES: WeakSet[ValuePipe] = WeakSet()
"""The pipes of this process, which none that is forked from it may hold open."""


class ValuePipe:
    """One end of a pipe between two processes: values each way, each as its length and pickle."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._data = bytearray()
        OPEN_PIPES.add(self)

    def fileno(self) -> int:
        """The descriptor; -1 once the pipe is closed."""
        return self._descriptor

    def send(self, value: object) -> None:
        """Send a value. Raises OSError if the other end is closed."""
        data = pickle.dumps(value)
        left = memoryview(SIZE_PREFIX.pack(len(data)) + data)
        while left:
            left = left[os.write(self._descriptor, left) :]

    def receive(self) -> Any:
        """Wait for the next value. Raises EOFError once the other end is closed."""
        while (data := self.message()) is None:
            self.read()
        return pickle.loads(data)

    def receive_last(self) -> Any:
        """Wait for the next value, and return the last of those that have come by then.

        None of these is left unread where the descriptor would not tell of it. Raises EOFError
        once the other end is closed.
        """
        value = self.receive()
        while (data := self.message()) is not None:
            value = pickle.loads(data)
        return value

    def read(self) -> None:
        """Read some bytes, waiting for them. Raises EOFError once the other end is closed."""
        try:
            data = os.read(self._descriptor, READ_SIZE)
        except ConnectionResetError:
            data = b""  # closed before it had read all that was sent to it
        if not data:
            raise EOFError
        self._data += data

    def message(self) -> bytes | None:
        """The pickle of the next value, if all of it was read. Raises UnpicklingError for none."""
        if len(self._data) < SIZE_PREFIX.size:
            return None
        (size,) = SIZE_PREFIX.unpack_from(self._data)
        if size > LONGEST_VALUE:
            raise pickle.UnpicklingError(f"a value of {size} bytes")
        end = SIZE_PREFIX.size + size
        if len(self._data) < end:
            return None
        data = bytes(self._data[SIZE_PREFIX.size : end])
        del self._data[:end]
        return data

    def close(self) -> None:
        """Close this end; a second time does nothing."""
        # Another thread may close it, too.
        descriptor, self._descriptor = self._descriptor, -1
        if descriptor >= 0:
            os.close(descriptor)


def _close_pipes() -> None:
    for pipe in list(OPEN_PIPES):
        pipe.close()


os.register_at_fork(after_in_child=_close_pipes)


class Child:
    """A running process and the pipe to it, as its parent holds them."""

    def __init__(
        self,
        process: BaseProcess | subprocess.Popen[bytes],
        code: Callable[[], int | None],
        wait: Callable[[], object],
        descriptor: int,
    ) -> None:
        self.pid = process.pid or 0
        self.pipe = ValuePipe(descriptor)
        self.death = _death_of(self.pid, descriptor)
        """A descriptor that is readable once the process is dead."""
        self._process = process
        self._code = code
        self._wait = wait

    @classmethod
    def forked(cls, target: Callable[..., object], *arguments: Any, name: str = "") -> Child:
        """Fork a process that calls `target(pipe, *arguments)`.

        Raises ConfigError on a system without fork.
        """
        ours, theirs = pair()
        process = fork_context().Process(
            target=call, args=(target, ours, theirs, arguments), name=name or None
        )
        try:
            with forking():
                process.start()
        except BaseException:
            os.close(ours)
            raise
        finally:
            os.close(theirs)
        return cls(process, lambda: process.exitcode, process.join, ours)

    @classmethod
    def executed(
        cls, target: Callable[..., object], *arguments: Any, keep: Iterable[int] = ()
    ) -> Child:
        """Start a new interpreter that calls `target(pipe, *arguments)`, all sent as pickles.

        It has the descriptors to `keep`, no input, and this process's standard error as its output.
        """
        ours, theirs = pair()
        words = [target.__module__, str(theirs), json.dumps(sys.path)]
        try:
            process = subprocess.Popen(
                [sys.executable, "-P", "-c", PROGRAM, *words],
                stdin=subprocess.DEVNULL,
                stdout=2,
                pass_fds=[theirs, *keep],
                start_new_session=True,
            )
        except BaseException:
            os.close(ours)
            raise
        finally:
            os.close(theirs)
        child = cls(process, process.poll, process.wait, ours)
        child.send((target, arguments))
        return child

    @property
    def code(self) -> int | None:
        return self._code()

    def send(self, value: object) -> None:
        """Send a value; if the process is gone, `receive` says so."""
        with suppress(OSError):
            self.pipe.send(value)

    def receive(self, patience: float | None = None, wake_up: int | None = None) -> Any:
        """Wait for the next value, at most `patience` seconds.

        A patience of 0 takes what has come. Returns None if the descriptor `wake_up` becomes
        readable first. Nothing is imported for a value. Raises TimeoutError if none comes in time,
        EOFError if the process has ended or closed its pipe, and UnpicklingError for what is no
        value.
        """
        deadline = None if patience is None else time.monotonic() + patience
        pipe = self.pipe.fileno()
        if pipe < 0:
            raise EOFError  # another thread has ended the process
        ends = [pipe, self.death] if wake_up is None else [pipe, self.death, wake_up]
        left = patience
        while (data := self.pipe.message()) is None:
            ready = ready_ends(ends, left) if left is None or left >= 0 else []
            if pipe in ready:
                self.pipe.read()
            elif self.death in ready:
                raise EOFError
            elif ready:
                return None
            else:
                raise TimeoutError
            left = None if deadline is None else deadline - time.monotonic()
        return _value_in(data)

    def await_end(self, patience: float = EXIT_TIMEOUT) -> None:
        """Wait at most `patience` seconds for the process to end by itself.

        `Process.join` would wait for ever for one that has closed all its files and lives on.
        """
        deadline = time.monotonic() + patience
        while self.code is None and time.monotonic() < deadline:
            time.sleep(POLL_PAUSE)

    def kill(self) -> None:
        """End the process, and those that it started, at once; values it sent can be received."""
        self._process.kill()
        self._wait()
        kill_group(self.pid)

    def end(self, patience: float = 0.0) -> int | None:
        """Close the pipe, and end the process if it has not done so itself within `patience`.

        Returns its exit code, or None if it had to be killed.
        """
        self.pipe.close()
        # Another thread may end it, too; and a copy of the pipe's end would keep that open.
        death, self.death = self.death, -1
        if death >= 0:
            os.close(death)
        self.await_end(patience)
        code = self.code
        self.kill()
        return code


def _death_of(pid: int, descriptor: int) -> int:
    """A descriptor that is readable once a process is dead.

    Without pidfd (macOS, some sandboxes) it is a copy of the pipe's end, which tells as well unless
    the process's own children hold the other end.
    """
    try:
        return os.pidfd_open(pid)
    except (AttributeError, OSError):
        return os.dup(descriptor)


def pair() -> tuple[int, int]:
    one, other = socket.socketpair()
    return one.detach(), other.detach()


def fork_context() -> ForkContext:
    """The context to start processes in that inherit warm kernels.

    Raises ConfigError without fork, and in a process that may have no children.
    """
    if is_childless():
        raise ConfigError(
            "this process is a daemonic worker, such as those of multiprocessing.Pool, and may "
            "start no other: workers=0 plays in it"
        )
    if "fork" not in multiprocessing.get_all_start_methods():
        raise ConfigError(
            "parallel workers need a system that can fork, such as Linux; use --workers 0"
        )
    return multiprocessing.get_context("fork")


def is_childless() -> bool:
    """True if this process may start none of ours, since a pool's would end it without them."""
    return multiprocessing.current_process().daemon


@contextmanager
def forking() -> Iterator[None]:
    """Fork in this block, although Python, from 3.12 on, warns of threads in a process that does.

    Those that write the log, those of a notebook and of libraries hold no lock that a worker takes.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        yield


def call(
    target: Callable[..., object], others: int, own: int, arguments: tuple[object, ...]
) -> None:
    os.close(others)
    target(ValuePipe(own), *arguments)


def begin(descriptor: int) -> None:
    pipe = ValuePipe(descriptor)
    target, arguments = pipe.receive()
    target(pipe, *arguments)


def ready_ends(ends: Iterable[int], seconds: float | None) -> list[int]:
    """Wait until some descriptors are readable, at most `seconds`, and return these."""
    poller = select.poll()
    for end in ends:
        poller.register(end, select.POLLIN)
    return [end for end, _ in poller.poll(None if seconds is None else seconds * 1000)]


class KnownUnpickler(pickle.Unpickler):
    """An unpickler that imports nothing: a child may know modules that its parent must not.

    It is no protection against hostile code, which can name any function of a known module.
    """

    def __init__(self, data: bytes, modules: Collection[str]) -> None:
        super().__init__(BytesIO(data))
        self._modules = modules

    def find_class(self, module: str, name: str) -> Any:
        if module not in self._modules:
            raise pickle.UnpicklingError(f"{module} is not known here")
        return super().find_class(module, name)


def _value_in(data: bytes) -> Any:
    """The value of a pickle; nothing is imported. UnpicklingError whatever is wrong with it."""
    try:
        return KnownUnpickler(data, sys.modules).load()
    except Exception as error:
        raise pickle.UnpicklingError(str(error)) from error


def is_known(value: object, modules: Collection[str]) -> bool:
    """True if a process that has imported these modules only can have the value, too."""
    try:
        KnownUnpickler(pickle.dumps(value), modules).load()
    except Exception:
        return False
    return True
