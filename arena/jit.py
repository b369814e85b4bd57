"""The `kernel` decorator: numba, with a cache that can never be stale.

numba notices an edit of the file that a kernel stands in, but not of the files whose kernels and
constants it was compiled with. So the cache's folder is named by a hash of all these sources.
"""

from __future__ import annotations

import hashlib
import os
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

    Kernels take arrays, records and scalars, and never raise or print. `options` go to
    `numba.njit`. Write it as `@kernel`, or as `@partial(kernel, inline="always")`.
    """
    settings: Any = numba.config
    before = settings.CACHE_DIR
    settings.CACHE_DIR = str(cache_folder(Path(function.__code__.co_filename).parent))
    try:
        # numpy's error model: no test for a zero divisor before each division.
        compiled: Function = numba.njit(cache=True, error_model="numpy", **options)(function)
        return compiled
    finally:
        settings.CACHE_DIR = before


@lru_cache
def cache_folder(sources: Path) -> Path:
    """The cache of a folder's kernels, which may use their whole package and the engines' kit."""
    digest = hashlib.sha256()
    package = sources
    while (package.parent / "__init__.py").exists():
        package = package.parent
    own = package.rglob("*.py") if (package / "__init__.py").exists() else sources.glob("*.py")
    for file in sorted({*OWN_SOURCES.rglob("*.py"), *own}):
        digest.update(bytes(file) + b"\0" + file.read_bytes() + b"\0")
    return cache_root() / digest.hexdigest()[:16]


def cache_root() -> Path:
    """Where kernels are kept: NUMBA_CACHE_DIR, or the user's cache folder, if it can be written."""
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    root = Path(os.environ.get("NUMBA_CACHE_DIR") or Path(home) / "gomoku-arena" / "kernels")
    try:
        root.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=root):
            return root
    except OSError:
        return Path(tempfile.gettempdir()) / f"gomoku-arena-kernels-{os.getuid()}"
