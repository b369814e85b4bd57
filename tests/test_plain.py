"""What `plain.py` turns off is off, and what is on is noticed."""

from __future__ import annotations

import os
import sys

import pytest
from support import plain
from support.processes import finished

HELPER = [sys.executable, plain.__file__]
FEATURES = "from support.plain import *; print(still_on(SETTINGS, os.environ))"


@pytest.mark.skipif(sys.platform != "linux", reason="glibc's and x86's settings")
def test_nothing_is_on_under_all_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_CPU_FEATURES", "+avx")
    monkeypatch.setenv("GLIBC_TUNABLES", "glibc.malloc.check=0")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(sys.path))
    answer = finished([*HELPER, sys.executable, "-W", "error", "-c", FEATURES], text=True)
    assert (answer.stdout, answer.stderr) == ("[]\n", "")


def test_what_is_still_on_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """As where numpy, numba or the C library does not know the settings any more."""
    native = {key: value for key, value in os.environ.items() if not key.startswith("NUMBA_CPU")}
    monkeypatch.setattr(plain, "plainer", lambda settings, environment: native)
    with pytest.raises(SystemExit, match=r"^Still on under numba: numba's \S+ \S+\.$"):
        plain.main(["numba", "true"])


def test_numpy_without_avx512_keeps_the_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    """The names of numpy 2.4, and those before."""
    monkeypatch.setattr(plain, "told", lambda *_: ["AVX2", "X86_V3", "X86_V4", "AVX512_ICL"])
    assert plain.plainer(["avx512"], {})[plain.OFF] == "X86_V4,AVX512_ICL"
