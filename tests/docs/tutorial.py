"""Types the tutorial's own blocks: `python tests/docs/tutorial.py [FOLDER]`.

All pages share a folder, which is empty at the start and by default a temporary one. YAML that
begins with its path, `# configs/two.yaml`, is saved there; other YAML is what `arena init` writes.
Each line of a block marked `sh` is a command, with the `arena` of the PATH. A block that needs a
file that is not there is skipped.
"""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

PAGES = Path(__file__).parents[2] / "docs/tutorial"
FASTCHESS = PAGES.parent / "fastchess.md"
"""A page with lines of its own, which are typed at the end."""


class Block(NamedTuple):
    """A block of a page: its language, the file that it needs (or nothing), its text."""

    language: str
    needs: str
    text: str


def steps() -> list[Path]:
    """The tutorial's pages, in the order of its list."""
    (names,) = re.findall(
        r"\{toctree\}\n:hidden:\n\n(.*?)```", (PAGES / "index.md").read_text(), re.S
    )
    return [PAGES / f"{name}.md" for name in names.split()]


def blocks(page: Path) -> Iterator[Block]:
    """All blocks of a page that are to be typed or saved."""
    text = page.read_text(encoding="utf-8")
    for found in re.findall(r"^```(sh|yaml)(?: needs=(\S+))?\n(.*?)^```", text, re.M | re.S):
        yield Block(*found)


def take(page: Path, folder: Path, say: Callable[[str], None] = print) -> None:
    """Save and type the blocks of a page; raises CalledProcessError if a command fails."""
    for block in blocks(page):
        if block.language == "yaml":
            if block.text.startswith("# configs/"):
                file = folder / block.text.split()[1]
                file.parent.mkdir(exist_ok=True)
                file.write_text(block.text, encoding="utf-8")
        elif block.needs and not (folder / block.needs).exists():
            say(f"skipped, without {block.needs}: {block.text.strip()}")
        else:
            for line in block.text.splitlines():
                say(f"$ {line}")
                subprocess.run(shlex.split(line), cwd=folder, check=True)


def main(folder: str | None = None) -> None:
    with tempfile.TemporaryDirectory() as temporary:
        place = Path(folder or temporary)
        place.mkdir(exist_ok=True)
        for page in [*steps(), FASTCHESS]:
            take(page, place)


if __name__ == "__main__":
    main(*sys.argv[1:])
