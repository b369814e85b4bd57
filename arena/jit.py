"""The `kernel` decorator: numba, with a cache that can never be stale.

numba notices an edit of the file that a kernel stands in, but not of the files whose kernels and
constants it was compiled with. So the cache's folder is named by a hash of all these sources, and
of numba's version: two that share files may each be left with what only the other can load.
"""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

import numba

OWN_SOURCES = Path(__file__).parent.parent / "engines"

Function = TypeVar("Function", bound=Callable[..., Any])


def kernel(function: Function, **options: Any) -> Function:
    """Compile at the first call, or load what an earlier process compiled.

    Kernels take arrays, records and scalars, and never raise or print. A kernel may call itself,
    but two that call each other may end the process when they are loaded ("Symbol not found").
    Kernels let go of the interpreter's lock, so that Ctrl-C can end a search. `options` go to
    `numba.njit`. Write it as `@kernel`, or as `@partial(kernel, inline="always")`.
    """
    settings: Any = numba.config
    before = settings.CACHE_DIR
    settings.CACHE_DIR = str(cache_folder(Path(function.__code__.co_filename)))
    try:
        # numpy's error model: no test for a zero divisor before each division.
        decorate = numba.njit(cache=True, nogil=True, error_model="numpy", **options)
        compiled: Function = decorate(function)
        return compiled
    finally:
        settings.CACHE_DIR = before


def cache_folder(source: Path) -> Path:
    """The cache of the kernels of one file, named by all sources that these may be made of.

    These are our engines' sources and, of a user's tree, all that are loaded by now: a kernel can
    only be made of modules imported before it.
    """
    files = {source}
    if OWN_SOURCES.parent not in source.parents:
        root = source.parent
        while (root / "__init__.py").exists():
            root = root.parent
        loaded = (getattr(module, "__file__", None) for module in [*sys.modules.values()])
        files |= {Path(file) for file in loaded if file and root in Path(file).parents}
    digest = hashlib.sha256(own_digest())
    for file in sorted(files):
        digest.update(bytes(file) + b"\0" + file_digest(file))
    return cache_root() / digest.hexdigest()[:16]


@lru_cache
def own_digest() -> bytes:
    """The digest of the sources of all engines that come along, of this file, and of numba."""
    digest = hashlib.sha256(numba.__version__.encode())
    for file in [Path(__file__), *sorted(OWN_SOURCES.rglob("*.py"))]:
        digest.update(bytes(file) + b"\0" + file_digest(file))
    return digest.digest()


@lru_cache
def file_digest(file: Path) -> bytes:
    """The digest of one file; nothing if it cannot be read."""
    try:
        return hashlib.sha256(file.read_bytes()).digest()
    except OSError:
        return b""


def cache_root() -> Path:
    """The folder of all kernels: NUMBA_CACHE_DIR or the user's cache folder, if it is writable."""
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    root = Path(os.environ.get("NUMBA_CACHE_DIR") or Path(home) / "gomoku-arena" / "kernels")
    try:
        root.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=root):
            return root
    except OSError:
        return Path(tempfile.gettempdir()) / f"gomoku-arena-kernels-{os.getuid()}"
