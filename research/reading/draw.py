"""Draw functions or modules of the product by a seed: `python reading/draw.py SEED COUNT`.

Functions are printed whole, as sheets for readers; with `modules` as a third word only the paths of
modules are, to ask for what stands in them.
"""

from __future__ import annotations

import ast
import random
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]


def main(seed: str, count: str, kind: str = "functions") -> None:
    files = [file for top in ("arena", "engines") for file in sorted((ROOT / top).rglob("*.py"))]
    files = [file for file in files if (ROOT / "arena" / "engines") not in file.parents]
    if kind == "modules":
        everything = [_path(file) for file in files if file.name != "__init__.py"]
    else:
        everything = [text for file in files for text in _functions(file)]
    drawn = random.Random(int(seed)).sample(everything, int(count))
    for number, text in enumerate(drawn, start=1):
        print(f"{number}. {text}\n")


def _functions(file: Path) -> Iterator[str]:
    source = file.read_text(encoding="utf-8")
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef):
            yield f"{_path(file)}\n\n{ast.get_source_segment(source, node, padded=True)}"


def _path(file: Path) -> str:
    return file.relative_to(ROOT).as_posix()


if __name__ == "__main__":
    main(*sys.argv[1:])
