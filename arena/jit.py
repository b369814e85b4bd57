"""The `kernel` decorator: numba, with a cache that can never be stale.

numba notices an edit of the file that a kernel stands in, but not of the files whose kernels and
constants it was compiled with. So the cache's folder is named by a hash of all these sources, and
of numba's version: two that share files may each be left with what only the other can load. Each
edit makes new ones, and those that were not used for longest are removed.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from functools import cache, lru_cache
from mmap import mmap
from pathlib import Path
from typing import Any, TypeVar
from zlib import crc32

from arena.errors import ConfigError, Fault

try:
    import numba
    from numba.core import event
except ValueError as error:
    # numba does not say of which variable; that of the cache takes any text.
    others = (name for name in os.environ if name.startswith("NUMBA_") and name[6:] != "CACHE_DIR")
    set_here = ", ".join(sorted(others))
    raise ConfigError(Fault(set_here, f"numba does not take it: {error}")) from None
if vars(numba.config)["DISABLE_JIT"]:
    raise ConfigError(Fault("NUMBA_DISABLE_JIT", "kernels play only once compiled: unset it"))

OWN_SOURCES = Path(__file__).parent / "engines"
KEPT_FOLDERS = 300  # Folders that the cache may have, some ten versions of all engines
SAFE_AGE = 86400.0  # Seconds since its last use after which no process has a folder

ENGINE = ContextVar("ENGINE", default="")
"""The engine that kernels are compiled for, if that is known."""
COUNT_BYTES, ENGINE_SLOTS = 4, 256  # Of the number of compiled kernels, and marks for engines

Read = Callable[[str], bytes]
Tell = Callable[[str, int, bool], object]
"""A function of the engine that a kernel is compiled for (empty: not known), the number of those
compiled before, and whether it is the first one for this engine."""
Function = TypeVar("Function", bound=Callable[..., Any])
FUNCTIONS: set[Callable[..., Any]] = set()  # Kernels: users' own jitted functions are none


def kernel(function: Function, **options: Any) -> Function:
    """Compile at the first call, or load what an earlier process compiled.

    Kernels take arrays, records and scalars, and never raise or print. A kernel may call itself,
    but two that call each other may end the process when they are loaded ("Symbol not found").
    Kernels let go of the interpreter's lock, so that Ctrl-C can end a search. `options` go to
    `numba.njit`. Write it as `@kernel`, or as `@partial(kernel, inline="always")`.
    """
    settings: Any = numba.config
    before = settings.CACHE_DIR
    folder = cache_folder(Path(function.__code__.co_filename))
    mark_used(folder)
    settings.CACHE_DIR = str(folder)
    try:
        # numpy's error model: no test for a zero divisor before each division.
        decorate = numba.njit(cache=True, nogil=True, error_model="numpy", **options)
        compiled: Function = decorate(function)
        FUNCTIONS.add(function)
        return compiled
    finally:
        settings.CACHE_DIR = before


def cache_folder(source: Path) -> Path:
    """The cache of the kernels of one file, named by all sources that these may be made of.

    These are our engines' sources and, of a user's tree, all that are loaded by now: a kernel can
    only be made of modules imported before it.
    """
    files: dict[Path, Read | None] = {source: None}
    if OWN_SOURCES not in source.parents:
        root = source.parent
        while (root / "__init__.py").exists():
            root = root.parent
        for module in [*sys.modules.values()]:
            file = getattr(module, "__file__", None)
            if file and _lies_in(root, file):
                # The loader knows what it has loaded, which the file may no longer be.
                loader = getattr(module, "__loader__", None)
                files[Path(file)] = getattr(loader, "get_data", None)
    digest = hashlib.sha256(own_digest())
    for file, read in sorted(files.items()):
        digest.update(bytes(file) + b"\0" + file_digest(file, read))
    return cache_root() / digest.hexdigest()[:16]


@cache
def _lies_in(folder: Path, file: str) -> bool:
    """True for a file in the folder or below it; asked again for each kernel."""
    return folder in Path(file).parents


def mark_used(folder: Path) -> None:
    """Note that a folder of kernels is in use; where it is to be made, make room for it."""
    try:
        os.utime(folder)
    except FileNotFoundError:
        _prune(folder.parent)
    except OSError:
        return  # somebody else's, who lets us read it


@lru_cache
def _prune(root: Path) -> None:
    """Remove the folders used longest ago, beyond those kept; once in a process.

    Should another process use one after all, numba compiles what it misses there anew.
    """
    folders = [each for each in root.glob("*") if re.fullmatch("[0-9a-f]{16}", each.name)]
    last_used = {each: _modified(each) for each in folders}
    latest_first = sorted(folders, key=lambda each: -last_used[each])
    for folder in latest_first[KEPT_FOLDERS:]:
        if last_used[folder] < time.time() - SAFE_AGE:
            shutil.rmtree(folder, ignore_errors=True)


def _modified(folder: Path) -> float:
    """The time at which a folder was last used; now, if another process has just removed it."""
    try:
        return folder.stat().st_mtime
    except OSError:
        return time.time()


@lru_cache
def own_digest() -> bytes:
    digest = hashlib.sha256(numba.__version__.encode())
    for file in [Path(__file__), *sorted(OWN_SOURCES.rglob("*.py"))]:
        digest.update(bytes(file) + b"\0" + file_digest(file))
    return digest.digest()


@lru_cache
def file_digest(file: Path, read: Read | None = None) -> bytes:
    """The digest of one file; nothing if it cannot be read."""
    try:
        return hashlib.sha256(read(str(file)) if read else file.read_bytes()).digest()
    except OSError:
        return b""


def cache_root() -> Path:
    """The folder of all kernels: NUMBA_CACHE_DIR or the user's cache folder, if it is writable."""
    try:
        home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
        root = Path(os.environ.get("NUMBA_CACHE_DIR") or Path(home) / "gomoku-arena" / "kernels")
        root.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=root):
            return root
    except (OSError, RuntimeError):  # or a user without a home
        return Path(tempfile.gettempdir()) / f"gomoku-arena-kernels-{os.getuid()}"


@contextmanager
def compiling_for(engine: str) -> Iterator[None]:
    """Kernels that are compiled while this lasts are told of with the name of this engine."""
    before = ENGINE.set(engine)
    try:
        yield
    finally:
        ENGINE.reset(before)


@contextmanager
def announcing(tell: Tell) -> Iterator[None]:
    """Call `tell` before each kernel that is compiled while this lasts: see `Tell`.

    Also in the processes that are forked meanwhile. Kernels in the cache are not told of.
    """
    with event.install_listener("numba:compile", Compilations(tell)):
        yield


class Compilations(event.Listener):
    """A listener of numba's; holds how many kernels were compiled, and for which engines."""

    def __init__(self, tell: Tell) -> None:
        self._tell = tell
        # Shared with forked processes.
        self._count, self._engines = mmap(-1, COUNT_BYTES), mmap(-1, ENGINE_SLOTS)

    def on_start(self, compilation: Any) -> None:
        if not is_of_kernel(compilation):
            return
        engine = ENGINE.get()
        slot, count = crc32(engine.encode()) % ENGINE_SLOTS, int.from_bytes(self._count[:])
        is_first, self._engines[slot] = not self._engines[slot], 1
        self._count[:] = (count + 1).to_bytes(COUNT_BYTES)
        with suppress(OSError):
            self._tell(engine, count, is_first)

    def on_end(self, compilation: Any) -> None:
        """Do nothing: only the start of a compilation matters."""


def is_of_kernel(compilation: Any) -> bool:
    """True if numba's event of a compilation is of a kernel, which goes into the cache."""
    return getattr(compilation.data["dispatcher"], "py_func", None) in FUNCTIONS
