"""Runs a command as on a plainer processor: `python tests/support/plain.py [SETTING ...] COMMAND`.

Without a setting, all of them. The last bits of computed floats differ by what a processor can do,
so a test that passes under each of these does not hang on them:

- `numpy`: without numpy's code for what this processor has beyond its builds' baseline,
- `avx512`: without the part of it that is for AVX-512,
- `libm`: without the C library's AVX2 and FMA, for `math.exp` and its like,
- `numba`: kernels for any processor of the kind.

It refuses to run the command where something that should be off is still on.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

NUMPY = """
import json, numpy._core._multiarray_umath as built
print(json.dumps([name for name in built.__cpu_dispatch__ if built.__cpu_features__[name]]))
"""
NUMBA = """
import json
from numba.core.registry import cpu_target
print(json.dumps(cpu_target.target_context.codegen().magic_tuple()[1:]))
"""
LIBM = "AVX2", "FMA", "AVX2_Usable", "FMA_Usable"
"""Names of glibc from 2.33 on, and of those before."""
USABLE = {"AVX2": (1, 1, 5), "FMA": (0, 2, 12)}
"""Leaf, register and bit in glibc's table of what its functions may use."""
OFF = "NPY_DISABLE_CPU_FEATURES"
ALL = "numpy", "libm", "numba"
SETTINGS = *ALL, "avx512"
Environment = Mapping[str, str]


def plainer(settings: Iterable[str], environment: Environment) -> dict[str, str]:
    found = {key: value for key, value in environment.items() if key != OFF}
    if names := numpy_features(settings, found):
        found[OFF] = ",".join(names)
    if "libm" in settings:
        others = [environment["GLIBC_TUNABLES"]] if environment.get("GLIBC_TUNABLES") else []
        off = ",".join(f"-{name}" for name in LIBM)
        found["GLIBC_TUNABLES"] = ":".join([*others, f"glibc.cpu.hwcaps={off}"])
    if "numba" in settings:
        found |= {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": ""}
    return found


def still_on(settings: Iterable[str], environment: Environment) -> list[str]:
    found = [f"numpy's {name}" for name in numpy_features(settings, environment)]
    if "libm" in settings:
        found += [f"the C library's {name}" for name in libm_features(environment)]
    if "numba" in settings and (cpu := told(NUMBA, environment)) != ["generic", ""]:
        found.append(f"numba's {' '.join(cpu)}")
    return found


def numpy_features(settings: Iterable[str], environment: Environment) -> list[str]:
    """Those of the settings that numpy uses. Their names differ between its versions."""
    if not {"numpy", "avx512"}.intersection(settings):
        return []
    names = told(NUMPY, environment)
    return names if "numpy" in settings else [each for each in names if is_avx512(each)]


def is_avx512(name: str) -> bool:
    return name.startswith("AVX512") or name == "X86_V4"


def told(program: str, environment: Environment) -> list[str]:
    command = [sys.executable, "-c", program]
    answer = subprocess.run(command, env=environment, stdout=subprocess.PIPE, check=True)
    return [str(each) for each in json.loads(answer.stdout)]


def libm_features(environment: Environment) -> list[str]:
    loader = Path("/lib64/ld-linux-x86-64.so.2")
    if not loader.exists():
        return []
    command = [loader, "--list-diagnostics"]
    answer = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True)
    entry = r"cpu_features\.features\[0x(\w+)\]\.active\[0x(\w+)\]=0x(\w+)"
    table = {
        (int(leaf, 16), int(register, 16)): int(bits, 16)
        for leaf, register, bits in re.findall(entry, answer.stdout)
    }
    return [
        name for name, (leaf, register, bit) in USABLE.items() if table[leaf, register] >> bit & 1
    ]


def main(words: Sequence[str]) -> None:
    count = next((i for i, word in enumerate(words) if word not in SETTINGS), len(words))
    settings, command = words[:count] or ALL, words[count:]
    if not command:
        sys.exit(__doc__)
    environment = plainer(settings, os.environ)
    if found := still_on(settings, environment):
        sys.exit(f"Still on under {' '.join(settings)}: {', '.join(found)}.")
    os.execvpe(command[0], command, environment)


if __name__ == "__main__":
    main(sys.argv[1:])
